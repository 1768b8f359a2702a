//! A Büchi automaton made deterministic but for one step.
//!
//! First all states are followed that the automaton may be in. At any time the run may commit
//! itself to some of them: from then on these alone are followed, and with them those of their
//! successors that have kept a promise since the last *round*. When all have, a round ends, and the
//! next promise is looked at. A word is accepted if rounds end again and again (Courcoubetis and
//! Yannakakis 1995).
//!
//! *Every word that is accepted here is in the language:* each state at the end of a round is
//! reached from one at the end of the last round on a way that keeps the promise; so there is a
//! run that keeps all of them again and again (König).
//!
//! *Of a finite chain no chance is lost:* with what was followed so far it ends in a part where the
//! rest of the word is accepted surely or surely not (it is decided by the end of the word alone).
//! In the first case some state `q` accepts the rest with a positive chance after some time. Cut a
//! word that it accepts into pieces of which all do the same to states (Ramsey); at the cuts one
//! state comes again and again, which reaches itself and keeps all promises; following it alone,
//! a round ends at the latest every second cut. So a run committed to one state ends rounds again
//! and again with a positive chance, and comes to a part, with the followed states `R`, from which
//! that is sure. `R` are all successors of one state under one word, and are among those that are
//! followed before committing; and what was followed does come there surely, again and again. So
//! it is enough, and needed, that one may commit to all such sets, not to single states only.

use std::collections::{BTreeMap, BTreeSet};

use quotient_core::{Budget, Rejection};
use quotient_logic::Formula;

/// A set of states of the Büchi automaton: bits.
type Set = u64;

/// More states, or conditions, than bits in a set are too many.
const MOST: usize = 64;

/// So many sets to commit to are looked at.
const MOST_SETS: usize = 2000;

/// Where a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Place {
    /// Nothing can be accepted any more.
    Lost,
    /// All states that it may be in.
    Open(Set),
    /// The states it has committed itself to.
    Committed {
        all: Set,
        /// Those that have kept the promise in this round.
        kept: Set,
        promise: usize,
        /// Whether the last step ended a round.
        ended: bool,
    },
}

struct Move {
    to: usize,
    /// The conditions that must hold, and those that must not.
    holds: u64,
    fails: u64,
    keeps: Vec<bool>,
}

pub(super) struct Automaton {
    /// The number of each condition of a letter.
    pub(super) conditions: Vec<usize>,
    moves: Vec<Vec<Move>>,
    promises: usize,
    /// The sets to commit to.
    sets: Vec<Set>,
}

fn too_large() -> Rejection {
    Rejection::unreadable("the automaton of the formula is too large to be looked at again")
}

impl Automaton {
    /// The automaton of a formula. Letters are told by the conditions of which it makes use, which
    /// it is asked for by `letters`.
    pub(super) fn new(
        formula: &Formula<usize>,
        letters: impl Fn(&[usize]) -> BTreeSet<u64>,
        budget: &Budget,
    ) -> Result<Automaton, Rejection> {
        let buchi = formula.automaton(MOST).ok_or_else(too_large)?;
        if buchi.atoms.len() > MOST {
            return Err(too_large());
        }
        let mut moves: Vec<Vec<Move>> = (0..buchi.states).map(|_| Vec::new()).collect();
        for one in &buchi.transitions {
            let bits = |wanted: bool| {
                let of = one.literals.iter().filter(|(_, value)| *value == wanted);
                of.fold(0, |bits, (atom, _)| bits | 1 << atom)
            };
            moves[one.from].push(Move {
                to: one.to,
                holds: bits(true),
                fails: bits(false),
                keeps: one.kept.clone(),
            });
        }
        let mut automaton = Automaton {
            conditions: buchi.atoms,
            moves,
            promises: buchi.promises,
            sets: Vec::new(),
        };
        let letters = letters(&automaton.conditions);
        automaton.sets = automaton.worth_committing(&letters, budget)?;
        Ok(automaton)
    }

    /// Before the first letter.
    pub(super) fn start() -> Place {
        Place::Open(1)
    }

    /// The states after a letter, by the moves that are counted.
    fn after(&self, set: Set, letter: u64, counts: impl Fn(&Move) -> bool) -> Set {
        let from = (0..self.moves.len()).filter(|state| set >> state & 1 == 1);
        let fits =
            |one: &&Move| one.holds & letter == one.holds && one.fails & letter == 0 && counts(one);
        let to = from.flat_map(|state| self.moves[state].iter().filter(fits));
        to.fold(0, |set, one| set | 1 << one.to)
    }

    pub(super) fn step(&self, place: Place, letter: u64) -> Place {
        match place {
            Place::Lost => Place::Lost,
            Place::Open(set) => match self.after(set, letter, |_| true) {
                0 => Place::Lost,
                set => Place::Open(set),
            },
            Place::Committed {
                all, kept, promise, ..
            } => {
                let keeps = |one: &Move| one.keeps.get(promise).is_none_or(|keeps| *keeps);
                let keeping = self.after(all, letter, keeps);
                let kept = self.after(kept, letter, |_| true) | keeping;
                let all = self.after(all, letter, |_| true);
                match (all == 0, kept == all) {
                    (true, _) => Place::Lost,
                    (_, false) => Place::Committed {
                        all,
                        kept,
                        promise,
                        ended: false,
                    },
                    (_, true) => Place::Committed {
                        all,
                        kept: 0,
                        promise: (promise + 1) % self.promises.max(1),
                        ended: true,
                    },
                }
            }
        }
    }

    /// What a run may commit itself to.
    pub(super) fn commitments(&self, place: Place) -> Vec<Place> {
        let Place::Open(set) = place else {
            return Vec::new();
        };
        let within = self.sets.iter().filter(|&&one| one & set == one);
        within.map(|&all| committed(all)).collect()
    }

    /// The sets of successors of one state under one word, as far as one can come back to them
    /// with a round ended in between.
    fn worth_committing(
        &self,
        letters: &BTreeSet<u64>,
        budget: &Budget,
    ) -> Result<Vec<Set>, Rejection> {
        let mut sets: BTreeSet<Set> = (0..self.moves.len()).map(|state| 1 << state).collect();
        let mut waiting: Vec<Set> = sets.iter().copied().collect();
        while let Some(set) = waiting.pop() {
            for &letter in letters {
                budget.charge(1)?;
                let next = self.after(set, letter, |_| true);
                if next != 0 && sets.insert(next) {
                    waiting.push(next);
                }
            }
            if sets.len() > MOST_SETS {
                return Err(too_large());
            }
        }
        // All places after committing, and what comes after each.
        let mut next: BTreeMap<Place, BTreeSet<Place>> = BTreeMap::new();
        let mut before: BTreeMap<Place, BTreeSet<Place>> = BTreeMap::new();
        let mut waiting: Vec<Place> = sets.iter().map(|&all| committed(all)).collect();
        while let Some(place) = waiting.pop() {
            if next.contains_key(&place) || place == Place::Lost {
                continue;
            }
            let after = letters.iter().map(|&letter| self.step(place, letter));
            let after: BTreeSet<Place> = after.filter(|&to| to != Place::Lost).collect();
            budget.charge(letters.len() as u64)?;
            for &to in &after {
                before.entry(to).or_default().insert(place);
                waiting.push(to);
            }
            next.insert(place, after);
            if next.len() > MOST_SETS * 20 {
                return Err(too_large());
            }
        }
        let mut worth = BTreeSet::new();
        let mut seen = BTreeSet::new();
        for &place in next.keys() {
            let Place::Committed { ended: true, .. } = place else {
                continue;
            };
            if !seen.insert(place) {
                continue;
            }
            let later = reached(place, &next, budget)?;
            for &both in reached(place, &before, budget)?.intersection(&later) {
                seen.insert(both);
                if let Place::Committed { all, .. } = both {
                    worth.insert(all);
                }
            }
        }
        Ok(worth.into_iter().collect())
    }
}

fn committed(all: Set) -> Place {
    Place::Committed {
        all,
        kept: 0,
        promise: 0,
        ended: false,
    }
}

/// What is reached by one step or more.
fn reached(
    from: Place,
    steps: &BTreeMap<Place, BTreeSet<Place>>,
    budget: &Budget,
) -> Result<BTreeSet<Place>, Rejection> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![from];
    while let Some(place) = waiting.pop() {
        for &to in steps.get(&place).into_iter().flatten() {
            budget.charge(1)?;
            if found.insert(to) {
                waiting.push(to);
            }
        }
    }
    Ok(found)
}
