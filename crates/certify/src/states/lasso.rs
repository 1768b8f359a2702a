//! The truth of a formula of LTL on an infinite run that comes back to itself, exactly.
//!
//! Every subformula has a truth value at every position of the run. These values repeat after a
//! while, with the period of the run: operators about the future keep the position from which
//! on they repeat, operators about the past put it off (by one round, or by their interval).

use quotient_core::{Budget, Stop};
use quotient_logic::{Binary, Formula, Interval, Kind as Says, Unary};

use quotient_states::ExpressionId;

/// Longer sequences are not worked out.
const LONGEST: usize = 1 << 22;

/// Truth values at the positions 0, 1, 2, … of a run: the last `period` ones repeat for ever.
/// All sequences about one run have its period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sequence {
    values: Vec<bool>,
    period: usize,
}

impl Sequence {
    /// The value at a position.
    pub(super) fn at(&self, position: usize) -> bool {
        self.values[self.place(position)]
    }

    fn stem(&self) -> usize {
        self.values.len() - self.period
    }

    fn place(&self, position: usize) -> usize {
        match position < self.values.len() {
            true => position,
            false => self.stem() + (position - self.stem()) % self.period,
        }
    }

    /// A sequence by its first values, which repeat from `stem` on.
    fn new(
        stem: usize,
        period: usize,
        mut value: impl FnMut(usize) -> bool,
    ) -> Result<Sequence, Stop> {
        if stem.saturating_add(period) > LONGEST {
            return Err(Stop::inconclusive("an interval of the formula is too long"));
        }
        Ok(Sequence {
            values: (0..stem + period).map(&mut value).collect(),
            period,
        })
    }

    fn not(mut self) -> Sequence {
        self.values.iter_mut().for_each(|value| *value = !*value);
        self
    }

    fn combine(
        &self,
        other: &Sequence,
        operator: impl Fn(bool, bool) -> bool,
    ) -> Result<Sequence, Stop> {
        let stem = self.stem().max(other.stem());
        Sequence::new(stem, self.period, |i| operator(self.at(i), other.at(i)))
    }

    fn next(&self) -> Result<Sequence, Stop> {
        Sequence::new(self.stem(), self.period, |i| self.at(i + 1))
    }

    /// `self U other`, by going backward: twice around the loop, as the first time the end is
    /// not known.
    fn until(&self, other: &Sequence) -> Result<Sequence, Stop> {
        let mut result = self.combine(other, |_, target| target)?;
        let (stem, last) = (result.stem(), result.values.len() - 1);
        for round in 0..2 {
            let first = if round == 0 { stem } else { 0 };
            for i in (first..=last).rev() {
                let after = if i == last { stem } else { i + 1 };
                let goes_on = self.at(i) && result.values[after];
                result.values[i] |= goes_on;
            }
        }
        Ok(result)
    }

    /// `self U other` with the number of steps in an interval.
    fn until_within(
        &self,
        other: &Sequence,
        steps: Interval,
        budget: &Budget,
    ) -> Result<Sequence, Stop> {
        if steps.to.is_some_and(|to| to < steps.from) {
            return Sequence::new(0, self.period, |_| false);
        }
        let mut result = match steps.to {
            None => self.until(other)?,
            Some(to) => {
                let mut result = self.combine(other, |_, target| target)?;
                for _ in steps.from..to {
                    budget.poll()?;
                    let more = self.combine(&result.next()?, |a, b| a && b)?;
                    let more = other.combine(&more, |a, b| a || b)?;
                    if more == result {
                        break;
                    }
                    result = more;
                }
                result
            }
        };
        // After the stem and a round, whole rounds change nothing any more.
        let (from, enough) = (steps.from as usize, result.values.len());
        let needed = match from > enough {
            true => enough + (from - enough) % self.period,
            false => from,
        };
        for _ in 0..needed {
            budget.poll()?;
            result = self.combine(&result.next()?, |a, b| a && b)?;
        }
        Ok(result)
    }

    /// `self S other`. One round after both repeat, so does the result: what a round makes of
    /// the value at its beginning is constant or the same.
    fn since(&self, other: &Sequence) -> Result<Sequence, Stop> {
        let stem = self.stem().max(other.stem()) + self.period;
        let mut before = false;
        Sequence::new(stem, self.period, |i| {
            before = other.at(i) || (self.at(i) && before);
            before
        })
    }

    /// The value some steps ago, or `first` where there is none.
    fn ago(&self, steps: usize, first: bool) -> Result<Sequence, Stop> {
        let value = |i: usize| i.checked_sub(steps).map_or(first, |before| self.at(before));
        Sequence::new(self.stem().saturating_add(steps), self.period, value)
    }

    /// `O [from, to] self`.
    fn once_within(&self, steps: Interval) -> Result<Sequence, Stop> {
        let from = steps.from as usize;
        let Some(to) = steps.to.map(|to| to as usize) else {
            let always = Sequence::new(0, self.period, |_| true)?;
            return always.since(self)?.ago(from, false);
        };
        let mut last: Option<usize> = None;
        Sequence::new(self.stem().saturating_add(to), self.period, |i| {
            if let Some(entered) = i.checked_sub(from)
                && self.at(entered)
            {
                last = Some(entered);
            }
            last.is_some_and(|last| last + to >= i && from <= to)
        })
    }
}

/// The values of a formula along a run of `stem + period` states whose last `period` ones repeat;
/// `atom` gives the value of an atom in a state. `None` if the formula is not LTL.
pub(super) fn along(
    formula: &Formula<ExpressionId>,
    stem: usize,
    period: usize,
    atom: &mut impl FnMut(ExpressionId, usize) -> Option<bool>,
    budget: &Budget,
) -> Result<Option<Sequence>, Stop> {
    budget.poll()?;
    let constant = |value: bool| Sequence::new(0, period, |_| value);
    let of = match &formula.kind {
        &Says::Constant(value) => return constant(value).map(Some),
        &Says::Atom(node) => {
            let values: Option<Vec<bool>> = (0..stem + period).map(|i| atom(node, i)).collect();
            return Ok(values.map(|values| Sequence { values, period }));
        }
        Says::Placeholder(_) | Says::Unary(Unary::ForAll | Unary::Exists, _) => return Ok(None),
        Says::Unary(_, operand) | Says::Binary(_, operand, _) => {
            along(operand, stem, period, atom, budget)?
        }
    };
    let Some(of) = of else { return Ok(None) };
    let full = Interval { from: 0, to: None };
    let found = match &formula.kind {
        Says::Unary(operator, _) => match *operator {
            Unary::Not => of.not(),
            Unary::Next => of.next()?,
            Unary::Finally(steps) => {
                constant(true)?.until_within(&of, steps.unwrap_or(full), budget)?
            }
            Unary::Globally(steps) => {
                let fails =
                    constant(true)?.until_within(&of.not(), steps.unwrap_or(full), budget)?;
                fails.not()
            }
            Unary::Yesterday => of.ago(1, false)?,
            Unary::WeakYesterday => of.ago(1, true)?,
            Unary::Once(steps) => of.once_within(steps.unwrap_or(full))?,
            Unary::Historically(steps) => of.not().once_within(steps.unwrap_or(full))?.not(),
            Unary::ForAll | Unary::Exists => return Ok(None),
        },
        Says::Binary(operator, _, right) => {
            let Some(right) = along(right, stem, period, atom, budget)? else {
                return Ok(None);
            };
            match *operator {
                Binary::And => of.combine(&right, |a, b| a && b)?,
                Binary::Or => of.combine(&right, |a, b| a || b)?,
                Binary::Xor => of.combine(&right, |a, b| a != b)?,
                Binary::Implies => of.combine(&right, |a, b| !a || b)?,
                Binary::Iff => of.combine(&right, |a, b| a == b)?,
                Binary::Until(steps) => of.until_within(&right, steps.unwrap_or(full), budget)?,
                Binary::Release => of.not().until(&right.not())?.not(),
                // The left until the right, or always the left.
                Binary::WeakUntil => {
                    let neither = of.combine(&right, |a, b| !a && !b)?;
                    right.not().until(&neither)?.not()
                }
                Binary::Since => of.since(&right)?,
                Binary::Triggered => of.not().since(&right.not())?.not(),
            }
        }
        _ => return Ok(None),
    };
    Ok(Some(found))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sequence(stem: &[u8], round: &[u8]) -> Sequence {
        Sequence {
            values: stem.iter().chain(round).map(|&bit| bit == 1).collect(),
            period: round.len(),
        }
    }

    fn first(sequence: &Sequence, count: usize) -> Vec<u8> {
        (0..count).map(|i| u8::from(sequence.at(i))).collect()
    }

    /// Whether a formula holds at a position by the definitions, looking far enough ahead: values
    /// of formulas this small repeat within that distance.
    fn holds(
        formula: &Formula<ExpressionId>,
        word: &dyn Fn(ExpressionId, usize) -> bool,
        i: usize,
    ) -> bool {
        const FAR: usize = 60;
        let again = |part: &Formula<ExpressionId>, i: usize| holds(part, word, i);
        let window = |steps: Option<Interval>| {
            let steps = steps.unwrap_or(Interval { from: 0, to: None });
            steps.from as usize..=steps.to.map_or(FAR, |to| to as usize)
        };
        match &formula.kind {
            Says::Constant(value) => *value,
            Says::Atom(atom) => word(*atom, i),
            Says::Placeholder(_) => unreachable!(),
            Says::Unary(operator, a) => match *operator {
                Unary::Not => !again(a, i),
                Unary::Next => again(a, i + 1),
                Unary::Finally(steps) => window(steps).any(|k| again(a, i + k)),
                Unary::Globally(steps) => window(steps).all(|k| again(a, i + k)),
                Unary::Yesterday => i > 0 && again(a, i - 1),
                Unary::WeakYesterday => i == 0 || again(a, i - 1),
                Unary::Once(steps) => window(steps).any(|k| k <= i && again(a, i - k)),
                Unary::Historically(steps) => window(steps).all(|k| k > i || again(a, i - k)),
                Unary::ForAll | Unary::Exists => unreachable!(),
            },
            Says::Binary(operator, a, b) => match *operator {
                Binary::And => again(a, i) && again(b, i),
                Binary::Or => again(a, i) || again(b, i),
                Binary::Xor => again(a, i) != again(b, i),
                Binary::Implies => !again(a, i) || again(b, i),
                Binary::Iff => again(a, i) == again(b, i),
                Binary::Until(steps) => {
                    window(steps).any(|k| again(b, i + k) && (i..i + k).all(|j| again(a, j)))
                }
                Binary::WeakUntil => {
                    let stops = (0..=FAR).find(|&k| !again(a, i + k));
                    stops.is_none_or(|stop| (0..=stop).any(|k| again(b, i + k)))
                }
                Binary::Release => {
                    let fails = (0..=FAR).find(|&k| !again(b, i + k));
                    fails.is_none_or(|fail| (0..fail).any(|k| again(a, i + k)))
                }
                Binary::Since => (0..=i).any(|j| again(b, j) && (j + 1..=i).all(|k| again(a, k))),
                Binary::Triggered => {
                    (0..=i).all(|j| again(b, j) || (j + 1..=i).any(|k| again(a, k)))
                }
            },
        }
    }

    fn formula(depth: u32) -> BoxedStrategy<Formula<ExpressionId>> {
        let leaf = prop_oneof![
            (0..2usize).prop_map(|atom| Formula::atom(ExpressionId(atom))),
            any::<bool>().prop_map(Formula::constant),
        ];
        let steps = || {
            let some = (0..3u32, proptest::option::of(0..3u32));
            let interval = some.prop_map(|(from, more)| Interval {
                from,
                to: more.map(|more| from + more),
            });
            proptest::option::of(interval)
        };
        leaf.prop_recursive(depth, 12, 2, move |inner| {
            let unary = (steps(), 0..8usize, inner.clone()).prop_map(|(steps, n, a)| {
                let operators = [
                    Unary::Not,
                    Unary::Next,
                    Unary::Finally(steps),
                    Unary::Globally(steps),
                    Unary::Yesterday,
                    Unary::WeakYesterday,
                    Unary::Once(steps),
                    Unary::Historically(steps),
                ];
                Formula::unary(operators[n], a)
            });
            let binary =
                (steps(), 0..10usize, inner.clone(), inner).prop_map(|(steps, n, a, b)| {
                    let operators = [
                        Binary::And,
                        Binary::Or,
                        Binary::Xor,
                        Binary::Implies,
                        Binary::Iff,
                        Binary::Until(steps),
                        Binary::WeakUntil,
                        Binary::Release,
                        Binary::Since,
                        Binary::Triggered,
                    ];
                    Formula::binary(operators[n], a, b)
                });
            prop_oneof![unary, binary]
        })
        .boxed()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

        #[test]
        fn formulas_have_the_values_of_their_definitions(
            formula in formula(2),
            states in proptest::collection::vec((any::<bool>(), any::<bool>()), 1..5),
            stem in 0..4usize,
        ) {
            let stem = stem.min(states.len() - 1);
            let period = states.len() - stem;
            let place = |i: usize| if i < states.len() { i } else { stem + (i - stem) % period };
            let word = |atom: ExpressionId, i: usize| {
                let (p, q) = states[place(i)];
                if atom == ExpressionId(0) { p } else { q }
            };
            let found = along(&formula, stem, period, &mut |atom, i| Some(word(atom, i)), &Budget::unlimited());
            let found = found.unwrap().unwrap();
            for i in 0..8 {
                prop_assert_eq!(found.at(i), holds(&formula, &word, i), "{:?} at {}", formula, i);
            }
        }
    }

    #[test]
    fn past_operators_repeat_only_after_a_while() {
        let p = sequence(&[], &[0, 1]);
        assert_eq!(first(&p.ago(1, false).unwrap(), 5), [0, 0, 1, 0, 1]);
        assert_eq!(first(&p.ago(3, true).unwrap(), 6), [1, 1, 1, 0, 1, 0]);
        let once = p.once_within(Interval { from: 0, to: None }).unwrap();
        assert_eq!(first(&once, 5), [0, 1, 1, 1, 1]);
        let single = sequence(&[1], &[0]);
        let recent = single
            .once_within(Interval {
                from: 1,
                to: Some(2),
            })
            .unwrap();
        assert_eq!(first(&recent, 6), [0, 1, 1, 0, 0, 0]);
    }

    #[test]
    fn until_looks_around_the_loop() {
        let (a, b) = (sequence(&[], &[0, 1, 1]), sequence(&[0], &[1, 0, 0]));
        // b at 1, 4, 7, …; a everywhere but at 0, 3, 6, …
        assert_eq!(first(&a.until(&b).unwrap(), 7), [0, 1, 0, 0, 1, 0, 0]);
        let (a, b) = (sequence(&[], &[1, 1, 1]), sequence(&[], &[0, 0, 1]));
        assert_eq!(first(&a.until(&b).unwrap(), 4), [1, 1, 1, 1]);
        let within = Interval {
            from: 1,
            to: Some(1),
        };
        let exactly = a.until_within(&b, within, &Budget::unlimited()).unwrap();
        assert_eq!(first(&exactly, 4), [0, 1, 0, 0]);
    }

    #[test]
    fn late_intervals_need_few_steps() {
        let (a, b) = (sequence(&[], &[1, 1, 1]), sequence(&[0, 0], &[0, 0, 1]));
        let late = Interval {
            from: 3_000_001,
            to: Some(3_000_001),
        };
        // b is true at 4, 7, …, and 3,000,001 is such a place.
        let found = a.until_within(&b, late, &Budget::unlimited()).unwrap();
        assert_eq!(first(&found, 4), [1, 0, 0, 1]);
    }
}
