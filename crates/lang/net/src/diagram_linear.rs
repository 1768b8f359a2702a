//! Formulas of linear time, decided on sets of markings.
//!
//! For each state of the automaton of what would break the formula, the set of markings from which
//! a run goes on for ever, being accepted from there: the greatest sets such that from each
//! member, for each mark, a path within the sets takes a step that has the mark (Emerson and Lei,
//! LICS 1986). A marking that is stuck is followed by itself.

use std::collections::HashMap;

use quotient_core::Stop;
use quotient_explicit::{Automaton, Set, Transition, automaton};

use crate::diagram::Markings;
use crate::formula::Temporal;

/// The most states of an automaton that is followed so.
const MOST_STATES: usize = 200;

/// Whether all runs fulfil a formula of linear time; nothing if its automaton is too large.
pub(crate) fn holds(
    markings: &mut Markings<'_>,
    one: &Temporal,
    atoms: &[Set],
    stuck: Set,
) -> Result<Option<bool>, Stop> {
    if one.atoms.len() > 64 {
        return Ok(None);
    }
    let budget = markings.budget().clone();
    let automaton = match automaton(&!one.formula.clone(), &budget) {
        Ok(automaton) if automaton.states.len() <= MOST_STATES => automaton,
        Ok(_) | Err(Stop::Bound { .. } | Stop::Exhausted { .. }) => return Ok(None),
        Err(stop) => return Err(stop),
    };
    let mut product = Product {
        markings,
        atoms,
        stuck,
        automaton: &automaton,
        where_: HashMap::new(),
    };
    let broken = product.accepted()?;
    let first = product.markings.first.clone();
    let begin = broken.first().copied().unwrap_or(Set::EMPTY);
    Ok(Some(!product.markings.sets.contains(begin, &first)))
}

/// For each state of the automaton a set of markings.
type Pairs = Vec<Set>;

struct Product<'p, 'm> {
    markings: &'p mut Markings<'m>,
    atoms: &'p [Set],
    stuck: Set,
    automaton: &'p Automaton,
    /// Where a transition of the automaton is let through, by what it asks for.
    where_: HashMap<(u64, u64), Set>,
}

impl Product<'_, '_> {
    /// The pairs from which a run is accepted.
    fn accepted(&mut self) -> Result<Pairs, Stop> {
        let mut all = vec![self.markings.all; self.automaton.states.len()];
        let marks: Vec<u64> = match self.automaton.marks {
            // Every run is accepted that goes on.
            0 => vec![0],
            marks => (0..64)
                .map(|bit| 1 << bit)
                .filter(|bit| marks & bit != 0)
                .collect(),
        };
        loop {
            let before = all.clone();
            for &mark in &marks {
                all = self.leading_to(mark, all)?;
            }
            if all == before {
                return Ok(all);
            }
        }
    }

    /// The pairs of a set from which a path within it takes a step with a mark.
    fn leading_to(&mut self, mark: u64, within: Pairs) -> Result<Pairs, Stop> {
        let mut found = vec![Set::EMPTY; within.len()];
        let automaton = self.automaton;
        for (state, transitions) in automaton.states.iter().enumerate() {
            for transition in transitions.iter().filter(|one| one.marks & mark == mark) {
                let here = self.here(transition, within[state])?;
                let target = within[transition.next as usize];
                let sources = self.before(target, here)?;
                found[state] = self.markings.sets.union(found[state], sources)?;
            }
        }
        loop {
            let before = found.clone();
            for (state, transitions) in automaton.states.iter().enumerate() {
                for transition in transitions {
                    let here = self.here(transition, within[state])?;
                    let next = transition.next as usize;
                    let sources = match next == state {
                        true => self.back(found[state], here)?,
                        false => self.before(found[next], here)?,
                    };
                    found[state] = self.markings.sets.union(found[state], sources)?;
                }
            }
            if found == before {
                return Ok(found);
            }
        }
    }

    /// The markings of a set where a transition of the automaton is let through.
    fn here(&mut self, transition: &Transition, within: Set) -> Result<Set, Stop> {
        let asks = (transition.yes, transition.no);
        let set = match self.where_.get(&asks) {
            Some(&set) => set,
            None => {
                let mut set = self.markings.all;
                for (number, &atom) in self.atoms.iter().enumerate() {
                    if asks.0 >> number & 1 == 1 {
                        set = self.markings.sets.intersection(set, atom)?;
                    }
                    if asks.1 >> number & 1 == 1 {
                        set = self.markings.sets.difference(set, atom)?;
                    }
                }
                self.where_.insert(asks, set);
                set
            }
        };
        self.markings.sets.intersection(set, within)
    }

    /// The markings of a set with a successor in another.
    fn before(&mut self, into: Set, within: Set) -> Result<Set, Stop> {
        if into.is_empty() || within.is_empty() {
            return Ok(Set::EMPTY);
        }
        let stuck = self.markings.sets.intersection(self.stuck, into)?;
        let mut found = self.markings.sets.intersection(stuck, within)?;
        for one in 0..self.markings.checker.net.transitions.len() {
            let sources = self.markings.sets.before(one, into, within)?;
            found = self.markings.sets.union(found, sources)?;
        }
        Ok(found)
    }

    /// The markings from which a path within a set leads into another (and those of the other).
    fn back(&mut self, into: Set, within: Set) -> Result<Set, Stop> {
        self.markings.budget().poll()?;
        match into.is_empty() || within.is_empty() {
            true => Ok(into),
            false => self.markings.sets.leading(into, within),
        }
    }
}
