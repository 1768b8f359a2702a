//! Where formulas with names for states hold, state by state and by the definition.

use quotient_core::{Budget, Stop};
use quotient_logic::{Hybrid, Until};

use super::Branching;
use super::branching::{both, not};
use crate::program::{Kind, NodeId, Program};

/// How many combinations of a state and the states of names are looked at.
const MOST_COMBINATIONS: usize = 1 << 21;
/// How many states there may be.
pub(crate) const MOST_STATES: usize = 1 << 12;

/// Whether a formula with so many names can be worked out state by state.
pub(crate) fn is_small_enough(program: &Program, names: usize) -> bool {
    let is_input = |&node: &NodeId| program.nodes.mentions_input(node);
    let states = program.variables().iter().try_fold(1usize, |all, one| {
        let values = match one.kind {
            Kind::Input => 1,
            _ => one.domain.values(MOST_STATES)?.len(),
        };
        all.checked_mul(values).filter(|&all| all <= MOST_STATES)
    });
    let combinations = states.and_then(|states| {
        let power = u32::try_from(names + 1).ok()?;
        states.checked_pow(power)
    });
    combinations.is_some_and(|all| all <= MOST_COMBINATIONS)
        && !program.justice().iter().any(is_input)
}

impl Branching<'_> {
    /// The states where a formula is true, for the states of names. The search must know all legal
    /// states: names range over them.
    pub(crate) fn named(
        &self,
        formula: &Hybrid<NodeId>,
        names: &mut Vec<usize>,
        budget: &Budget,
    ) -> Result<Vec<bool>, Stop> {
        let count = self.searched.states.len();
        budget.charge(count as u64)?;
        let each = |value: &dyn Fn(usize) -> bool| (0..count).map(value).collect::<Vec<bool>>();
        Ok(match formula {
            Hybrid::Constant(value) => vec![*value; count],
            Hybrid::Atom(node) => self.atom(*node),
            Hybrid::Named(name) => each(&|state| names.get(*name) == Some(&state)),
            Hybrid::Not(inner) => not(self.named(inner, names, budget)?),
            Hybrid::And(one, other) | Hybrid::Or(one, other) | Hybrid::Iff(one, other) => {
                let one = self.named(one, names, budget)?;
                let other = self.named(other, names, budget)?;
                match formula {
                    Hybrid::And(..) => both(&one, &other),
                    Hybrid::Or(..) => each(&|state| one[state] || other[state]),
                    _ => each(&|state| one[state] == other[state]),
                }
            }
            Hybrid::ExistsNext(inner) => {
                let inner = self.named(inner, names, budget)?;
                self.before(&both(&inner, &self.fair))
            }
            Hybrid::ExistsGlobally(inner) => self.forever(&self.named(inner, names, budget)?),
            Hybrid::Until(until, one, other) => {
                let one = self.named(one, names, budget)?;
                let other = self.named(other, names, budget)?;
                self.until_by(*until, one, other)
            }
            Hybrid::Bind(name, inner) | Hybrid::Exists(name, inner) => {
                if names.len() <= *name {
                    names.resize(name + 1, 0);
                }
                let old = names[*name];
                let mut found = vec![false; count];
                for state in 0..count {
                    names[*name] = state;
                    let inner = self.named(inner, names, budget)?;
                    match formula {
                        Hybrid::Bind(..) => found[state] = inner[state],
                        _ => (found.iter_mut().zip(inner)).for_each(|(all, one)| *all |= one),
                    }
                }
                names[*name] = old;
                found
            }
            Hybrid::Jump(name, inner) => {
                let inner = self.named(inner, names, budget)?;
                let there = names.get(*name).and_then(|&state| inner.get(state));
                vec![there == Some(&true); count]
            }
        })
    }

    fn until_by(&self, until: Until, one: Vec<bool>, other: Vec<bool>) -> Vec<bool> {
        let exists = |one: &[bool], other: &[bool], weak: bool| {
            let mut found = self.until(one, &both(other, &self.fair));
            if weak {
                let for_ever = self.forever(one);
                (found.iter_mut().zip(for_ever)).for_each(|(all, one)| *all |= one);
            }
            found
        };
        if !until.universal {
            return exists(&one, &other, until.weak);
        }
        // Some path does the opposite: the first ends before the second, or the second never comes.
        let missing = not(other);
        let ends = both(&not(one), &missing);
        not(exists(&missing, &ends, !until.weak))
    }
}
