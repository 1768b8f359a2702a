//! Grades: one algebra that is both the truth values of formulas and the weights of programs.

mod crisp;
mod laws;
mod resources;
mod table;
mod unit;

use std::cmp::Ordering;
use std::fmt::Debug;

pub(crate) use crisp::{Boolean, Three};
pub(crate) use laws::check_laws;
pub(crate) use resources::{MaxPlus, MinPlus};
#[cfg(test)]
pub(crate) use table::Table;
pub(crate) use table::TableText;
pub(crate) use unit::{Norm, Unit};

/// The longest grade that evidence lists: the time for a fraction grows with the square of its length.
pub(crate) const MOST_WRITTEN: usize = 20_000;

/// A complete action lattice (Pratt, Kozen): choice `+`, composition `;`, iteration `*`, meet and
/// both residuals, in the corrected form in which `a <- b` is the residual on the other side.
///
/// The laws are those of [`check_laws`]; everything that is computed with grades relies on them
/// and on nothing else.
pub(crate) trait ActionLattice {
    /// A grade.
    type Grade: Clone + Eq + Debug;

    /// What it is called in a file.
    fn name(&self) -> &str;
    /// What a grade of it means, in a line.
    fn meaning(&self) -> &str;
    /// The least grade: no transition, false.
    fn zero(&self) -> Self::Grade;
    /// The neutral grade of composition: doing nothing.
    fn one(&self) -> Self::Grade;
    /// The greatest grade: true.
    fn top(&self) -> Self::Grade;
    /// The better of two, or the least that is at least as good as both.
    fn join(&self, a: &Self::Grade, b: &Self::Grade) -> Self::Grade;
    /// The worse of two, or the greatest that is at most as good as both.
    fn meet(&self, a: &Self::Grade, b: &Self::Grade) -> Self::Grade;
    /// One after the other.
    fn then(&self, a: &Self::Grade, b: &Self::Grade) -> Self::Grade;
    /// Any number of times.
    fn star(&self, a: &Self::Grade) -> Self::Grade;
    /// `a -> b`: the greatest `x` with `a;x <= b`.
    fn under(&self, a: &Self::Grade, b: &Self::Grade) -> Self::Grade;
    /// `b <- a`: the greatest `x` with `x;a <= b`.
    fn over(&self, b: &Self::Grade, a: &Self::Grade) -> Self::Grade {
        self.under(a, b)
    }
    /// Whether all grades are comparable.
    fn is_linear(&self) -> bool {
        true
    }
    /// Whether there are finitely many grades.
    fn is_finite(&self) -> bool {
        false
    }
    /// Whether doing nothing is the best there is, so that loops never gain.
    fn is_integral(&self) -> bool {
        self.one() == self.top()
    }
    /// If the star of a strongly connected part has the same grade everywhere, that grade; told
    /// whether some weight of the part is not below the neutral grade.
    fn uniform_star(&self, gains: bool) -> Option<Self::Grade> {
        let _ = gains;
        None
    }
    /// Whether `a` is at most as good as `b`.
    fn leq(&self, a: &Self::Grade, b: &Self::Grade) -> bool {
        self.join(a, b) == *b
    }
    /// The order as it is written: costs count the other way round than truth does.
    fn compare(&self, a: &Self::Grade, b: &Self::Grade) -> Option<Ordering> {
        match (self.leq(a, b), self.leq(b, a)) {
            (true, true) => Some(Ordering::Equal),
            (true, false) => Some(Ordering::Less),
            (false, true) => Some(Ordering::Greater),
            (false, false) => None,
        }
    }
    /// A grade from how it is written.
    fn read(&self, text: &str) -> Option<Self::Grade>;
    /// A grade of evidence, which may be longer than any that a file is allowed: everything that
    /// [`write`](ActionLattice::write) writes, up to [`MOST_WRITTEN`] signs.
    fn read_back(&self, text: &str) -> Option<Self::Grade> {
        self.read(text)
    }
    /// How a grade is written.
    fn write(&self, grade: &Self::Grade) -> String;
    /// How much more than one step of work it is to compute with a grade: fractions grow long.
    fn effort(&self, grade: &Self::Grade) -> u64 {
        let _ = grade;
        0
    }
    /// How grades are written, for messages.
    fn spelling(&self) -> String;
    /// Grades to check the laws on: all of them if there are few.
    fn sample(&self) -> Vec<Self::Grade>;
}

/// The names of the built-in algebras, each with what its grades are.
pub(crate) const NAMES: [(&str, &str); 10] = [
    ("boolean", "yes or no: classical dynamic logic"),
    ("three", "false, unknown, true, with Gödel's implication"),
    (
        "three-lukasiewicz",
        "false, unknown, true, where unknown twice is false",
    ),
    (
        "lukasiewicz",
        "degrees from 0 to 1; defects add up along a path",
    ),
    (
        "goedel",
        "degrees from 0 to 1; a path is as good as its worst step",
    ),
    (
        "max-plus",
        "resources: amounts add up, the most expensive way counts",
    ),
    ("min-plus", "costs: they add up, the cheapest way counts"),
    (
        "viterbi",
        "probabilities multiply along a path, the likeliest path counts",
    ),
    ("probability", "another name for viterbi"),
    ("table", "grades, order and composition given in the file"),
];
