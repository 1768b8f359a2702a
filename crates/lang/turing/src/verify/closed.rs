//! Is this regular set of configurations never left?

use std::collections::{HashMap, HashSet};

use quotient_core::{Budget, Rejection};

use crate::begin::{Beginning, Reading};
use crate::machine::{Machine, Side};
use crate::proof::{HalfAutomaton, Invariant};

/// Checks that a set of configurations contains all that the machine begins with, that none of
/// them stops, and that steps do not leave it.
///
/// A half of a tape belongs to a state of its automaton if the automaton can read it, from far
/// away to the head, so as to end there.
pub(crate) fn closed(
    machine: &Machine,
    beginning: &Beginning,
    invariant: &Invariant,
    budget: &Budget,
) -> Result<(), Rejection> {
    let mut stops = |_: u32, state: &str, letter: char, _: u32| {
        Err(Rejection::wrong(format!(
            "state {state} on `{letter}` is in the set and stops"
        )))
    };
    closed_but(machine, beginning, invariant, &mut stops, budget)
}

/// What is said about a configuration that stops: how it is read from the left, the state, the
/// letter, and how it is read from the right.
pub(super) type Stops<'a> = dyn FnMut(u32, &str, char, u32) -> Result<(), Rejection> + 'a;

/// The same, where configurations may stop if nothing speaks against each of them.
pub(super) fn closed_but(
    machine: &Machine,
    beginning: &Beginning,
    invariant: &Invariant,
    stops: &mut Stops<'_>,
    budget: &Budget,
) -> Result<(), Rejection> {
    contains(machine, &beginning.left, &invariant.left)?;
    contains(machine, &beginning.right, &invariant.right)?;
    let meetings: HashSet<(u32, &str, char, u32)> = (invariant.meetings.iter())
        .map(|(left, state, symbol, right)| (*left, state.as_str(), *symbol, *right))
        .collect();
    let expect = |meeting: (u32, &str, char, u32)| match meetings.contains(&meeting) {
        true => Ok(()),
        false => {
            let (left, state, symbol, right) = meeting;
            Err(Rejection::wrong(format!(
                "the set does not contain state {state} on `{symbol}` between {left} and {right}"
            )))
        }
    };
    let start = machine.states[machine.start].as_str();
    for &(left, symbol, right) in &beginning.meetings {
        let (left, right) = (invariant.left.begin[left], invariant.right.begin[right]);
        expect((left, start, machine.letter(symbol), right))?;
    }
    let (left, right) = (Index::new(&invariant.left), Index::new(&invariant.right));
    for (one, state, letter, two) in &invariant.meetings {
        budget.charge(1)?;
        let number = machine.states.iter().position(|name| name == state);
        let symbol = machine.symbols.iter().position(|one| one == letter);
        let action = number.zip(symbol.and_then(|symbol| u8::try_from(symbol).ok()));
        let Some(action) = action.and_then(|(state, symbol)| machine.action(state, symbol)) else {
            stops(*one, state, *letter, *two)?;
            continue;
        };
        let (to, write) = (
            machine.states[action.to].as_str(),
            machine.letter(action.write),
        );
        let (behind, ahead, from, side) = match action.shift {
            None => {
                expect((*one, to, write, *two))?;
                continue;
            }
            Some(Side::Right) => (&left, &right, (*one, *two), Side::Right),
            Some(Side::Left) => (&right, &left, (*two, *one), Side::Left),
        };
        for &(symbol, below) in ahead.below(from.1) {
            budget.charge(1)?;
            let found = behind.above(from.0, write).iter().any(|&top| match side {
                Side::Right => meetings.contains(&(top, to, symbol, below)),
                Side::Left => meetings.contains(&(below, to, symbol, top)),
            });
            if !found {
                return Err(Rejection::wrong(format!(
                    "a step from state {state} on `{letter}` leaves the set: it leads to state {to} \
                     on `{symbol}`"
                )));
            }
        }
    }
    Ok(())
}

/// Whether an automaton can read whatever the tapes to begin with can be.
fn contains(
    machine: &Machine,
    reading: &Reading,
    automaton: &HalfAutomaton,
) -> Result<(), Rejection> {
    if automaton.begin.len() != reading.states {
        return Err(Rejection::wrong(
            "the tape to begin with is not all in the set",
        ));
    }
    let edges: HashSet<&(u32, char, u32)> = automaton.edges.iter().collect();
    for &(from, symbol, to) in &reading.edges {
        let edge = (
            automaton.begin[from],
            machine.letter(symbol),
            automaton.begin[to],
        );
        if !edges.contains(&edge) {
            return Err(Rejection::wrong(
                "a part of the tape to begin with is not in the set",
            ));
        }
    }
    Ok(())
}

/// The edges of an automaton, by their ends.
struct Index {
    below: HashMap<u32, Vec<(char, u32)>>,
    above: HashMap<(u32, char), Vec<u32>>,
}

impl Index {
    fn new(automaton: &HalfAutomaton) -> Index {
        let mut below: HashMap<u32, Vec<(char, u32)>> = HashMap::new();
        let mut above: HashMap<(u32, char), Vec<u32>> = HashMap::new();
        for &(from, symbol, to) in &automaton.edges {
            below.entry(to).or_default().push((symbol, from));
            above.entry((from, symbol)).or_default().push(to);
        }
        Index { below, above }
    }

    fn below(&self, to: u32) -> &[(char, u32)] {
        self.below.get(&to).map_or(&[], Vec::as_slice)
    }

    fn above(&self, from: u32, symbol: char) -> &[u32] {
        self.above.get(&(from, symbol)).map_or(&[], Vec::as_slice)
    }
}
