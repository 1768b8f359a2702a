//! What one infinite run shows about a formula of branching time.
//!
//! That something holds on *some* path is shown by a run that does it, and that something does
//! not hold on *all* paths by a run that does the opposite: the run from any of its states on is
//! such a path. What is said about all paths stays open, and so does what would take several.

use quotient_core::{Budget, Stop};
use quotient_logic::{Binary, Formula, Kind as Says, Unary};
use quotient_states::ExpressionId;

/// A run whose last state is followed by an earlier one.
pub(super) struct Loop<'a> {
    pub(super) states: usize,
    pub(super) back_to: usize,
    /// The value of an atom in a state, if it has one.
    pub(super) atom: &'a dyn Fn(ExpressionId, usize) -> Option<bool>,
    pub(super) budget: &'a Budget,
}

/// What a run says about a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shown {
    /// It does not show it, though one run could.
    No,
    /// It cannot be shown by a run.
    Open,
    /// It shows it.
    Yes,
}

/// What is shown in every state of the run.
type Table = Vec<Shown>;

/// What is shown about a formula.
struct About {
    /// That it is true.
    truth: Table,
    /// That it is false.
    falsity: Table,
    /// Whether it is about paths: then other runs may show what this one does not.
    temporal: bool,
}

impl About {
    /// The same where the run merely passes: what another run may show is open.
    fn passing(self) -> About {
        let open = |table: Table| table.into_iter().map(|one| one.max(Shown::Open)).collect();
        match self.temporal {
            true => About {
                truth: open(self.truth),
                falsity: open(self.falsity),
                temporal: true,
            },
            false => self,
        }
    }

    fn clone_tables(&self) -> (Table, Table) {
        (self.truth.clone(), self.falsity.clone())
    }
}

impl Loop<'_> {
    /// Whether the run shows that a formula is false in its first state.
    pub(super) fn refutes(&self, formula: &Formula<ExpressionId>) -> Result<Shown, Stop> {
        Ok(self.about(formula)?.falsity[0])
    }

    fn constant(&self, shown: Shown) -> Table {
        vec![shown; self.states]
    }

    fn about(&self, formula: &Formula<ExpressionId>) -> Result<About, Stop> {
        self.budget.charge(self.states as u64)?;
        let decided = |value: bool| if value { Shown::Yes } else { Shown::No };
        Ok(match &formula.kind {
            Says::Constant(value) => About {
                truth: self.constant(decided(*value)),
                falsity: self.constant(decided(!*value)),
                temporal: false,
            },
            Says::Atom(atom) => {
                let is = |value: bool| {
                    let states = 0..self.states;
                    let has = |at| decided((self.atom)(*atom, at) == Some(value));
                    states.map(has).collect()
                };
                About {
                    truth: is(true),
                    falsity: is(false),
                    temporal: false,
                }
            }
            Says::Unary(Unary::Not, operand) => {
                let About {
                    truth,
                    falsity,
                    temporal,
                } = self.about(operand)?;
                About {
                    truth: falsity,
                    falsity: truth,
                    temporal,
                }
            }
            Says::Unary(Unary::ForAll, path) => About {
                truth: self.constant(Shown::Open),
                falsity: self.path(path)?.1,
                temporal: true,
            },
            Says::Unary(Unary::Exists, path) => About {
                truth: self.path(path)?.0,
                falsity: self.constant(Shown::Open),
                temporal: true,
            },
            Says::Binary(operator, left, right) => {
                let (left, right) = (self.about(left)?, self.about(right)?);
                self.connective(*operator, left, right)
            }
            Says::Unary(..) | Says::Placeholder(_) => About {
                truth: self.constant(Shown::Open),
                falsity: self.constant(Shown::Open),
                temporal: true,
            },
        })
    }

    fn connective(&self, operator: Binary, left: About, right: About) -> About {
        let temporal = left.temporal || right.temporal;
        // Two things about paths may need two runs, and there is only one.
        let several = left.temporal && right.temporal;
        let both = |a: &Table, b: &Table| -> Table {
            let least = if several { Shown::Open } else { Shown::No };
            zip(a, b, |a, b| a.max(least).min(b.max(least)))
        };
        let either = |a: &Table, b: &Table| -> Table { zip(a, b, Shown::max) };
        let (l, r) = (&left, &right);
        let same = || either(&both(&l.truth, &r.truth), &both(&l.falsity, &r.falsity));
        let differ = || either(&both(&l.truth, &r.falsity), &both(&l.falsity, &r.truth));
        let (truth, falsity) = match operator {
            Binary::And => (both(&l.truth, &r.truth), either(&l.falsity, &r.falsity)),
            Binary::Or => (either(&l.truth, &r.truth), both(&l.falsity, &r.falsity)),
            Binary::Implies => (either(&l.falsity, &r.truth), both(&l.truth, &r.falsity)),
            Binary::Iff => (same(), differ()),
            Binary::Xor => (differ(), same()),
            _ => (self.constant(Shown::Open), self.constant(Shown::Open)),
        };
        About {
            truth,
            falsity,
            temporal,
        }
    }

    /// Where the run itself, from a state on, does what a path formula says, or the opposite.
    fn path(&self, path: &Formula<ExpressionId>) -> Result<(Table, Table), Stop> {
        Ok(match &path.kind {
            Says::Unary(Unary::Next, operand) => {
                let about = self.about(operand)?;
                (self.next(&about.truth), self.next(&about.falsity))
            }
            Says::Unary(Unary::Finally(None), operand) => {
                let about = self.about(operand)?;
                let truth = self.until(&self.constant(Shown::Yes), &about.truth);
                (truth, self.forever(&about.passing().falsity))
            }
            Says::Unary(Unary::Globally(None), operand) => {
                let about = self.about(operand)?;
                let falsity = self.until(&self.constant(Shown::Yes), &about.falsity);
                (self.forever(&about.passing().truth), falsity)
            }
            Says::Binary(operator, left, right) => {
                let (left, right) = (self.about(left)?, self.about(right)?);
                self.two(*operator, left, right)
            }
            _ => (self.constant(Shown::Open), self.constant(Shown::Open)),
        })
    }

    fn two(&self, operator: Binary, left: About, right: About) -> (Table, Table) {
        let (target, not_target) = right.clone_tables();
        let (l, r) = (left.passing(), right.passing());
        // The first up to and including a state where both are shown.
        let until_both = |holding: &Table, ending: &Table| {
            self.until(holding, &zip(holding, ending, Shown::min))
        };
        let either = |a: Table, b: Table| zip(&a, &b, Shown::max);
        match operator {
            Binary::Until(None) => (
                self.until(&l.truth, &target),
                // Not the right up to where neither is true, or for ever.
                either(until_both(&r.falsity, &l.falsity), self.forever(&r.falsity)),
            ),
            Binary::Release => (
                either(until_both(&r.truth, &l.truth), self.forever(&r.truth)),
                self.until(&l.falsity, &not_target),
            ),
            Binary::WeakUntil => (
                either(self.until(&l.truth, &target), self.forever(&l.truth)),
                until_both(&r.falsity, &l.falsity),
            ),
            _ => (self.constant(Shown::Open), self.constant(Shown::Open)),
        }
    }

    fn after(&self, at: usize) -> usize {
        match at + 1 < self.states {
            true => at + 1,
            false => self.back_to,
        }
    }

    fn next(&self, table: &Table) -> Table {
        (0..self.states).map(|at| table[self.after(at)]).collect()
    }

    /// The least solution of `x = target or (through and next x)`: going backward twice is
    /// enough, as the second time the value after the last state is known.
    fn until(&self, through: &Table, target: &Table) -> Table {
        let mut result = target.clone();
        for _ in 0..2 {
            for at in (0..self.states).rev() {
                let goes_on = through[at].min(result[self.after(at)]);
                result[at] = target[at].max(goes_on);
            }
        }
        result
    }

    /// The greatest solution of `x = claim and next x`.
    fn forever(&self, claim: &Table) -> Table {
        let mut result = claim.clone();
        for _ in 0..2 {
            for at in (0..self.states).rev() {
                result[at] = claim[at].min(result[self.after(at)]);
            }
        }
        result
    }
}

fn zip(a: &Table, b: &Table, with: impl Fn(Shown, Shown) -> Shown) -> Table {
    a.iter().zip(b).map(|(&a, &b)| with(a, b)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A branching formula, and what it says when there is only one path.
    fn pairs() -> BoxedStrategy<(Formula<ExpressionId>, Formula<ExpressionId>)> {
        let leaf = (0..2usize).prop_map(|at| {
            let atom = Formula::atom(ExpressionId(at));
            (atom.clone(), atom)
        });
        leaf.prop_recursive(3, 12, 2, |inner| {
            let quantified = |all: bool, path: Formula<ExpressionId>| {
                Formula::unary(if all { Unary::ForAll } else { Unary::Exists }, path)
            };
            let one = (any::<bool>(), 0..4usize, inner.clone()).prop_map(
                move |(all, n, (branching, linear))| {
                    let operators = [Unary::Next, Unary::Finally(None), Unary::Globally(None)];
                    match operators.get(n) {
                        Some(&operator) => (
                            quantified(all, Formula::unary(operator, branching)),
                            Formula::unary(operator, linear),
                        ),
                        None => (!branching, !linear),
                    }
                },
            );
            let two = (any::<bool>(), 0..8usize, inner.clone(), inner).prop_map(
                move |(all, n, (a, x), (b, y))| {
                    let operators = [
                        Binary::And,
                        Binary::Or,
                        Binary::Xor,
                        Binary::Implies,
                        Binary::Iff,
                        Binary::Until(None),
                        Binary::WeakUntil,
                        Binary::Release,
                    ];
                    let branching = Formula::binary(operators[n], a, b);
                    let linear = Formula::binary(operators[n], x, y);
                    match n < 5 {
                        true => (branching, linear),
                        false => (quantified(all, branching), linear),
                    }
                },
            );
            prop_oneof![one, two]
        })
        .boxed()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

        /// In a model with one path, what the run shows is what is true on it.
        #[test]
        fn what_is_shown_is_true_on_the_only_path(
            (branching, linear) in pairs(),
            states in proptest::collection::vec((any::<bool>(), any::<bool>()), 1..5),
            back in 0..4usize,
        ) {
            let back_to = back.min(states.len() - 1);
            let budget = Budget::unlimited();
            let atom = |id: ExpressionId, at: usize| {
                Some(if id == ExpressionId(0) { states[at].0 } else { states[at].1 })
            };
            let run = Loop { states: states.len(), back_to, atom: &atom, budget: &budget };
            let shown = run.about(&branching).unwrap();
            let period = states.len() - back_to;
            let mut get = |id, at| atom(id, at);
            let truth = super::super::lasso::along(&linear, back_to, period, &mut get, &budget);
            let truth = truth.unwrap().unwrap();
            for at in 0..states.len() {
                prop_assert!(shown.truth[at] != Shown::Yes || truth.at(at), "{branching:?} at {at}");
                prop_assert!(shown.falsity[at] != Shown::Yes || !truth.at(at), "{branching:?} at {at}");
            }
        }
    }

    #[test]
    fn claims_about_all_paths_stay_open() {
        let atom = |_: ExpressionId, _: usize| Some(true);
        let budget = Budget::unlimited();
        let run = Loop {
            states: 1,
            back_to: 0,
            atom: &atom,
            budget: &budget,
        };
        let p = || Formula::atom(ExpressionId(0));
        let always = |p| Formula::unary(Unary::ForAll, Formula::unary(Unary::Globally(None), p));
        let finally = |p| Formula::unary(Unary::Exists, Formula::unary(Unary::Finally(None), p));
        assert_eq!(run.refutes(&!always(p())), Ok(Shown::Open));
        assert_eq!(run.refutes(&finally(!p())), Ok(Shown::Open));
        assert_eq!(run.refutes(&!finally(p())), Ok(Shown::Yes));
        assert_eq!(run.refutes(&always(p())), Ok(Shown::No));
        assert_eq!(run.refutes(&always(!finally(p()))), Ok(Shown::Yes));
    }
}
