//! Linear integer arithmetic over Booleans, and one question: is a condition impossible?
//!
//! [`is_impossible`] answers `true` only if no values of the variables make the condition true.
//! It splits the condition into cases and refutes each by Fourier and Motzkin's elimination with
//! the tightening of whole numbers (divide by the common divisor, round the bound down). A quotient
//! by a number is a variable with two bounds. It is
//! exact for Booleans and for all sums whose variables have factors 1 and -1 pairwise eliminated;
//! beyond that, and where its limits end, it may say `false` for what is impossible. Whoever uses
//! it must be content with that: three-valued abstraction is.

mod eliminate;
mod linear;
mod smt;
mod variable;

pub use eliminate::Bound;
pub use linear::{Linear, Quotient};
pub use smt::to_smt;
pub use variable::{Boolean, Integer};

use eliminate::{is_infeasible, values};

/// A condition over variables that are numbered; integers and Booleans are numbered apart.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Condition {
    /// Always true, or always false.
    Constant(bool),
    /// A Boolean variable.
    Boolean(Boolean),
    /// A sum that is at most 0.
    AtMostZero(Linear),
    /// A sum that is 0.
    Zero(Linear),
    /// Anything: nothing is known of it. The number tells one unknown from another.
    Opaque(usize),
    /// Not.
    Not(Box<Condition>),
    /// All of them.
    And(Vec<Condition>),
    /// One of them.
    Or(Vec<Condition>),
}

impl Condition {
    /// The opposite.
    #[must_use]
    pub fn negated(&self) -> Condition {
        match self {
            Condition::Constant(value) => Condition::Constant(!value),
            Condition::Not(inner) => (**inner).clone(),
            Condition::And(parts) => Condition::Or(parts.iter().map(Condition::negated).collect()),
            Condition::Or(parts) => Condition::And(parts.iter().map(Condition::negated).collect()),
            // Not at most zero: at least one.
            Condition::AtMostZero(sum) => Condition::AtMostZero(sum.times(-1).plus_constant(1)),
            same => Condition::Not(Box::new(same.clone())),
        }
    }

    /// Whether it is true for these values; `None` where a value or the size of numbers is missing.
    pub fn holds(&self, integers: &[i64], booleans: &[bool]) -> Option<bool> {
        Some(match self {
            Condition::Constant(value) => *value,
            Condition::Boolean(variable) => *booleans.get(variable.index())?,
            Condition::AtMostZero(sum) => sum.value(integers)? <= 0,
            Condition::Zero(sum) => sum.value(integers)? == 0,
            Condition::Opaque(_) => return None,
            Condition::Not(inner) => !inner.holds(integers, booleans)?,
            Condition::And(parts) => {
                let values: Option<Vec<bool>> = parts
                    .iter()
                    .map(|part| part.holds(integers, booleans))
                    .collect();
                values?.into_iter().all(|value| value)
            }
            Condition::Or(parts) => {
                let values: Option<Vec<bool>> = parts
                    .iter()
                    .map(|part| part.holds(integers, booleans))
                    .collect();
                values?.into_iter().any(|value| value)
            }
        })
    }
}

/// The most cases that a condition is split into.
const MOST_CASES: usize = 4_000;

/// Whether no values make all of these conditions true. `false` where that is not certain.
///
/// ```
/// use quotient_arithmetic::{Condition, Integer, Linear, is_impossible};
/// let x = Linear::variable(Integer::from_index(0));
/// // x >= 1 and x <= 0
/// let positive = Condition::AtMostZero(x.times(-1).plus_constant(1));
/// let negative = Condition::AtMostZero(x.clone());
/// assert!(is_impossible(&[positive.clone(), negative]));
/// assert!(!is_impossible(&[positive]));
/// ```
pub fn is_impossible(conditions: &[Condition]) -> bool {
    let mut search = Search::default();
    search.refuted(conditions.to_vec(), Facts::default())
}

/// What is known about conditions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Solved {
    /// No values make all of them true.
    Impossible,
    /// These do: values of integers and of Booleans by number; others may be anything.
    Values(Vec<(Integer, i64)>, Vec<(Boolean, bool)>),
    /// Neither was found out.
    Unknown,
}

/// Values that make all conditions true, or that there are none, or neither.
///
/// ```
/// use quotient_arithmetic::{Condition, Integer, Linear, Solved, solve};
/// let x = Integer::from_index(0);
/// let five = Condition::Zero(Linear::variable(x).plus_constant(-5));
/// assert_eq!(solve(&[five]), Solved::Values(vec![(x, 5)], vec![]));
/// ```
pub fn solve(conditions: &[Condition]) -> Solved {
    let mut search = Search {
        wants_values: true,
        ..Search::default()
    };
    let refuted = search.refuted(conditions.to_vec(), Facts::default());
    match (search.values, refuted && !search.open) {
        (Some((integers, booleans)), _) => Solved::Values(integers, booleans),
        (None, true) => Solved::Impossible,
        (None, false) => Solved::Unknown,
    }
}

/// Whether conditions imply another one. `false` where that is not certain.
pub fn implies(conditions: &[Condition], conclusion: &Condition) -> bool {
    let mut all = conditions.to_vec();
    all.push(conclusion.negated());
    is_impossible(&all)
}

/// What a case assumes.
#[derive(Debug, Clone, Default)]
struct Facts {
    /// Boolean variables and unknowns with their values.
    truths: Vec<(Letter, bool)>,
    bounds: Vec<Bound>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Letter {
    Boolean(Boolean),
    Opaque(usize),
}

/// The search through all cases.
#[derive(Default)]
struct Search {
    cases: usize,
    /// Whether values are looked for where a case is not refuted.
    wants_values: bool,
    values: Option<(Vec<(Integer, i64)>, Vec<(Boolean, bool)>)>,
    /// Whether a case was neither refuted nor fulfilled.
    open: bool,
}

impl Search {
    /// Whether every case of the waiting conditions contradicts itself or the facts.
    fn refuted(&mut self, mut waiting: Vec<Condition>, mut facts: Facts) -> bool {
        let mut splits: Vec<Vec<Condition>> = Vec::new();
        while let Some(condition) = waiting.pop() {
            match condition {
                Condition::Constant(true) => {}
                Condition::Constant(false) => return true,
                Condition::Boolean(variable) => {
                    if !facts.assume(Letter::Boolean(variable), true) {
                        return true;
                    }
                }
                Condition::Opaque(number) => {
                    if !facts.assume(Letter::Opaque(number), true) {
                        return true;
                    }
                }
                Condition::AtMostZero(sum) => facts.bounds.push(Bound { sum }),
                Condition::Zero(sum) => {
                    facts.bounds.push(Bound { sum: sum.times(-1) });
                    facts.bounds.push(Bound { sum });
                }
                Condition::And(parts) => waiting.extend(parts),
                Condition::Or(parts) => splits.push(parts),
                Condition::Not(inner) => match *inner {
                    Condition::Boolean(variable) => {
                        if !facts.assume(Letter::Boolean(variable), false) {
                            return true;
                        }
                    }
                    Condition::Opaque(number) => {
                        if !facts.assume(Letter::Opaque(number), false) {
                            return true;
                        }
                    }
                    Condition::Zero(sum) => splits.push(vec![
                        Condition::AtMostZero(sum.plus_constant(1)),
                        Condition::AtMostZero(sum.times(-1).plus_constant(1)),
                    ]),
                    other => waiting.push(other.negated()),
                },
            }
        }
        if is_infeasible(&facts.bounds) {
            return true;
        }
        splits.sort_by_key(Vec::len);
        if splits.is_empty() {
            return self.is_passed(&facts);
        }
        let first = splits.remove(0);
        let rest: Vec<Condition> = splits.into_iter().map(Condition::Or).collect();
        first.into_iter().all(|case| {
            self.cases += 1;
            let mut waiting = rest.clone();
            waiting.push(case);
            self.cases <= MOST_CASES && self.refuted(waiting, facts.clone())
        })
    }
}

impl Search {
    /// Whether to go on to other cases after one that is not refuted.
    fn is_passed(&mut self, facts: &Facts) -> bool {
        if !self.wants_values {
            return false;
        }
        let Some(integers) = values(&facts.bounds) else {
            self.open = true;
            return true;
        };
        let boolean = |(letter, value): &(Letter, bool)| match letter {
            Letter::Boolean(variable) => Some((*variable, *value)),
            Letter::Opaque(_) => None,
        };
        let booleans = facts.truths.iter().filter_map(boolean).collect();
        self.values = Some((integers, booleans));
        false
    }
}

impl Facts {
    /// Notes a truth; says whether it agrees with what was noted.
    fn assume(&mut self, letter: Letter, value: bool) -> bool {
        match self.truths.iter().find(|(other, _)| *other == letter) {
            Some((_, known)) => *known == value,
            None => {
                self.truths.push((letter, value));
                true
            }
        }
    }
}
