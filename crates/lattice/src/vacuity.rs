//! A truth value together with what does not matter for it.

use quotient_bits::Bits;

use crate::{Component, Lattice};

quotient_bits::id! {
    /// A marked part of a formula.
    pub Mark, "a formula has fewer than 2^32 marks"
}

/// The truth of a formula, and which of its marked parts are vacuous.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct VacuityValue {
    /// The truth value.
    pub truth: bool,
    /// The marks whose part could be anything without changing the truth value.
    pub vacuous: Bits,
}

/// The vacuity lattice over a number of marks (Gurfinkel and Chechik): false with all marks
/// vacuous is least, then ever fewer vacuous marks, then true with none vacuous and ever more,
/// up to true with all vacuous.
///
/// A marked part with value `v` is injected as `v` with every *other* mark vacuous, all else as
/// `v` with all marks vacuous; the value of a formula in which each mark occurs once and not
/// under `<->` or `xor` then tells exactly the vacuous marks. The reason is in the
/// components: `(true, {o})` asks whether the formula stays true when `o` is replaced by
/// its least favourable constant, `(false, all but o)` the same for the most favourable, and
/// `(true, {})` is the formula itself. Meet, join and negation respect all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vacuity {
    /// How many marks there are.
    pub marks: usize,
}

impl Vacuity {
    /// The value of an unmarked part.
    pub fn unmarked(&self, truth: bool) -> VacuityValue {
        let mut vacuous = Bits::with_capacity(self.marks);
        vacuous.insert_range(..);
        VacuityValue { truth, vacuous }
    }

    /// The value of a marked part.
    pub fn marked(&self, mark: Mark, truth: bool) -> VacuityValue {
        let mut value = self.unmarked(truth);
        value.vacuous.set(mark.index(), false);
        value
    }

    /// The component that asks whether the truth stays what it is when a part is replaced by what is
    /// least favourable for it: the constant that makes it false if it is true, and the other way
    /// round.
    pub fn stays(&self, mark: Mark, truth: bool) -> Component {
        Component::from_index(1 + 2 * mark.index() + usize::from(!truth))
    }

    fn none_vacuous(&self, truth: bool) -> VacuityValue {
        VacuityValue {
            truth,
            vacuous: Bits::with_capacity(self.marks),
        }
    }
}

impl Lattice for Vacuity {
    type Element = VacuityValue;

    fn bottom(&self) -> VacuityValue {
        self.unmarked(false)
    }
    fn top(&self) -> VacuityValue {
        self.unmarked(true)
    }
    fn meet(&self, left: &VacuityValue, right: &VacuityValue) -> VacuityValue {
        match (left.truth, right.truth) {
            (true, false) => right.clone(),
            (false, true) => left.clone(),
            (true, true) => {
                let mut both = left.clone();
                both.vacuous.intersect_with(&right.vacuous);
                both
            }
            (false, false) => {
                let mut either = left.clone();
                either.vacuous.union_with(&right.vacuous);
                either
            }
        }
    }
    fn join(&self, left: &VacuityValue, right: &VacuityValue) -> VacuityValue {
        self.negate(&self.meet(&self.negate(left), &self.negate(right)))
    }
    fn negate(&self, element: &VacuityValue) -> VacuityValue {
        VacuityValue {
            truth: !element.truth,
            vacuous: element.vacuous.clone(),
        }
    }
    /// First the truth itself, then for each mark the least and the most favourable.
    fn join_irreducibles(&self) -> Vec<VacuityValue> {
        let mut all = vec![self.none_vacuous(true)];
        for mark in Mark::all(self.marks) {
            let mut stays_true = self.none_vacuous(true);
            stays_true.vacuous.insert(mark.index());
            all.extend([stays_true, self.marked(mark, false)]);
        }
        all
    }
}
