//! Merging states: what makes sets small and runs end.

mod bounded;
mod predicates;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use quotient_automata::Nfa;
use quotient_core::{Budget, Stop};

use crate::{
    Abstraction, Amount, Bound, InitialPredicates, Languages, Measure, Set, System, Traces,
};
use bounded::Bounded;
use predicates::Predicates;

/// An abstraction with its present parameters.
pub(crate) enum Merging {
    Exact,
    Predicates(Predicates),
    Bounded {
        bounded: Bounded,
        increment: Amount,
        /// States of the automata of Init and Bad, which bounds may be measured by.
        sizes: (u32, u32),
        /// Whether a longer bound could still tell more states apart in a set of this attempt.
        can_grow: bool,
    },
}

impl Merging {
    /// The abstraction as it is before any refinement.
    pub(crate) fn new(
        system: &System,
        property: usize,
        abstraction: &Abstraction,
        budget: &Budget,
    ) -> Result<Merging, Stop> {
        let sizes = (
            system.initial_given().len() as u32,
            system.bad_given(property).len() as u32,
        );
        let bounded = |kind: bounded::Kind, bound: &Bound| {
            let initial = measure(bound.initial, sizes, (0, 0));
            Merging::Bounded {
                bounded: Bounded::new(kind, initial),
                increment: bound.increment,
                sizes,
                can_grow: false,
            }
        };
        Ok(match abstraction {
            Abstraction::Exact => Merging::Exact,
            Abstraction::Predicates {
                languages,
                initial,
                refinement,
            } => {
                let first = initial_predicates(system, property, *initial, budget)?;
                Merging::Predicates(Predicates::new(*languages, *refinement, first))
            }
            Abstraction::Lengths { languages, bound } => match languages {
                Languages::Future => bounded(bounded::Kind::FutureWords, bound),
                Languages::Past => bounded(bounded::Kind::PastWords, bound),
            },
            Abstraction::Traces { traces, bound } => match traces {
                Traces::Future => bounded(bounded::Kind::FutureTraces, bound),
                Traces::PastSuffixes => bounded(bounded::Kind::PastSuffixes, bound),
                Traces::PastPrefixes => bounded(bounded::Kind::PastPrefixes, bound),
            },
        })
    }

    /// A new attempt begins.
    pub(crate) fn next_attempt(&mut self) {
        match self {
            Merging::Exact => {}
            Merging::Predicates(predicates) => predicates.next_attempt(),
            Merging::Bounded { can_grow, .. } => *can_grow = false,
        }
    }

    /// The set with its states merged: at least as large, as small an automaton as can be.
    pub(crate) fn apply(&mut self, set: &Set, budget: &Budget) -> Result<Set, Stop> {
        let classes = match self {
            Merging::Exact => return Ok(set.clone()),
            Merging::Predicates(predicates) => predicates.classes(set, budget)?,
            Merging::Bounded {
                bounded, can_grow, ..
            } => {
                let (classes, stable) = bounded.classes(set, budget)?;
                *can_grow |= !stable;
                classes
            }
        };
        merge(set, &classes, budget)
    }

    /// Excludes a false alarm: `set` was abstracted into `alarm`, which it does not meet.
    /// Says what was done.
    pub(crate) fn refine(
        &mut self,
        set: &Set,
        alarm: &Set,
        budget: &Budget,
    ) -> Result<String, Stop> {
        match self {
            Merging::Exact => Err(Stop::exhausted("exact sets cannot be refined")),
            Merging::Predicates(predicates) => predicates.refine(set, alarm, budget),
            Merging::Bounded {
                bounded,
                increment,
                sizes,
                can_grow,
            } => {
                if !*can_grow {
                    return Err(Stop::exhausted(format!(
                        "longer words than {} tell no more states apart",
                        bounded.length
                    )));
                }
                let more = measure(*increment, *sizes, (set.len() as u32, alarm.len() as u32));
                bounded.length = bounded.length.saturating_add(more);
                Ok(format!("words up to length {}", bounded.length))
            }
        }
    }

    /// How fine the abstraction is: the number of predicates, or the length.
    pub(crate) fn fineness(&self) -> (&'static str, u64) {
        match self {
            Merging::Exact => ("predicates", 0),
            Merging::Predicates(predicates) => ("predicates", predicates.active_count()),
            Merging::Bounded { bounded, .. } => ("length", u64::from(bounded.length)),
        }
    }
}

/// The set with each class of states made one; classes are numbered without gaps.
pub(crate) fn merge(set: &Set, classes: &[u32], budget: &Budget) -> Result<Set, Stop> {
    let distinct = classes.iter().max().map_or(0, |&last| last as usize + 1);
    if distinct == set.len() {
        return Ok(set.clone());
    }
    Ok(Arc::new(set.merge(classes, budget)?.minimize(budget)?))
}

fn initial_predicates(
    system: &System,
    property: usize,
    which: InitialPredicates,
    budget: &Budget,
) -> Result<Vec<Nfa>, Stop> {
    let mut predicates = Vec::new();
    if which.init {
        predicates.push(system.initial_given().clone());
    }
    if which.bad {
        predicates.push(system.bad_given(property).clone());
    }
    for (_, part) in system.relation().parts() {
        if which.guards {
            predicates.push(part.domain().without_epsilon(budget)?.trim());
        }
        if which.actions {
            predicates.push(part.range().without_epsilon(budget)?.trim());
        }
    }
    Ok(predicates)
}

/// An amount as a number, at least one; `(init, bad)` and `(set, alarm)` are sizes.
fn measure(amount: Amount, (init, bad): (u32, u32), (set, alarm): (u32, u32)) -> u32 {
    let whole = match amount.of {
        Measure::Number(number) => number,
        Measure::Init => init,
        Measure::Bad => bad,
        Measure::Set => set,
        Measure::Alarm => alarm,
    };
    (if amount.half { whole / 2 } else { whole }).max(1)
}
