//! Guesses of sets that the play stays in.

use quotient_automata::game::Game;
use quotient_automata::{Canonical, Dfa, State, Step};
use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

/// Sets with more states are no good guesses.
const MOST_STATES: usize = 400;

/// How often to look what else is reached, before giving up.
const MOST_ROUNDS: usize = 80;

/// What rounds of the game lead to.
pub(crate) struct Rounds {
    first: Step,
    second: Step,
    initial: Dfa,
    goal: Dfa,
}

impl Rounds {
    pub(crate) fn new(game: &Game, budget: &Budget) -> Result<Rounds, Stop> {
        Ok(Rounds {
            first: Step::new(&game.first, []),
            second: Step::new(&game.second, []),
            initial: game.initial.canonical(budget)?.into_dfa(),
            goal: game.goal.canonical(budget)?.into_dfa(),
        })
    }

    pub(crate) fn initial(&self) -> &Dfa {
        &self.initial
    }

    /// A set that contains the beginning and all that a round leads to from it. Beginnings of
    /// words that can be continued in the same ways up to a length are merged; with no length,
    /// none are. Nothing if this does not come to an end soon.
    pub(crate) fn closed(
        &self,
        length: Option<usize>,
        budget: &Budget,
    ) -> Result<Option<Canonical>, Stop> {
        let rounds = if length.is_some() { MOST_ROUNDS } else { 8 };
        let mut set = self.merged(&self.initial, length, budget)?;
        for _ in 0..rounds {
            budget.charge(1 + set.len() as u64)?;
            if set.len() > MOST_STATES {
                return Ok(None);
            }
            let made = self
                .first
                .post(&set.difference(&self.goal, budget)?, budget)?;
            let after = self
                .second
                .post(&made.difference(&self.goal, budget)?, budget)?;
            let more = self.merged(&set.union(&after, budget)?, length, budget)?;
            if more == set {
                return Ok(Some(set));
            }
            set = more;
        }
        Ok(None)
    }

    fn merged(&self, set: &Dfa, length: Option<usize>, budget: &Budget) -> Result<Canonical, Stop> {
        let minimal = set.minimize(budget)?;
        match length {
            None => Ok(minimal),
            Some(length) => {
                let classes = continuations(&minimal, length);
                minimal.merge(&classes, budget)?.minimize(budget)
            }
        }
    }
}

/// The states by the words up to a length that they accept.
fn continuations(dfa: &Dfa, length: usize) -> Vec<u32> {
    let states = || (0..dfa.len() as u32).map(State);
    let mut class: Vec<u32> = states().map(|s| u32::from(dfa.is_accepting(s))).collect();
    for _ in 0..length {
        let mut numbers: FxHashMap<(u32, Vec<u32>), u32> = FxHashMap::default();
        class = states()
            .map(|state| {
                // A missing move and one to where nothing more is accepted look alike.
                let row = dfa.row(state);
                let after = row.iter().map(|&to| match to {
                    Dfa::NONE => u32::MAX,
                    to => class[to as usize],
                });
                let fresh = numbers.len() as u32;
                let own = u32::from(dfa.is_accepting(state));
                *numbers.entry((own, after.collect())).or_insert(fresh)
            })
            .collect();
    }
    class
}
