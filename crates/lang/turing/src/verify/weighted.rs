//! Is this set of configurations, in which the halves are weighed against each other, never left?

use std::collections::HashMap;

use quotient_core::{Budget, Rejection};

use crate::begin::{Beginning, Reading};
use crate::machine::{Machine, Side};
use crate::proof::{Weighted, WeightedHalf};

/// Checks that a set of configurations contains all that the machine begins with, that none of
/// them stops, and that steps do not leave it.
///
/// A half of a tape is in a state of its automaton with a sum: one to begin with is there with 0,
/// and a symbol put on top follows an edge and adds its weight. A configuration is in the set if
/// its halves meet with a sum within the bounds of that meeting. What lies below the nearest
/// symbol of a half that is in a state came there before that symbol, along one of the edges to
/// that state (for a half to begin with, one of its own, which weigh nothing): all of them are
/// followed. Sums that no half in a state can have need no meeting.
pub(crate) fn balanced(
    machine: &Machine,
    beginning: &Beginning,
    set: &Weighted,
    budget: &Budget,
) -> Result<(), Rejection> {
    contains(machine, &beginning.left, &set.left)?;
    contains(machine, &beginning.right, &set.right)?;
    let (left, right) = (
        Half::new(&set.left, budget)?,
        Half::new(&set.right, budget)?,
    );
    let meetings = Meetings::new(set, &left, &right);
    let start = machine.states[machine.start].as_str();
    for &(one, symbol, two) in &beginning.meetings {
        let (one, two) = (set.left.begin[one], set.right.begin[two]);
        if !meetings.hold((one, start, machine.letter(symbol), two), NOTHING) {
            return Err(Rejection::wrong(
                "the set does not contain the tape to begin with",
            ));
        }
    }
    for meeting in &set.meetings {
        budget.charge(1)?;
        let range = (meeting.least.map(i128::from), meeting.most.map(i128::from));
        let (one, two) = (meeting.left, meeting.right);
        let Some(range) = meetings.possible(one, two, range) else {
            continue;
        };
        let (state, letter) = (meeting.state.as_str(), meeting.symbol);
        let number = machine.states.iter().position(|name| name == state);
        let symbol = machine.symbols.iter().position(|&one| one == letter);
        let found = number.zip(symbol.and_then(|symbol| u8::try_from(symbol).ok()));
        let Some(action) = found.and_then(|(state, symbol)| machine.action(state, symbol)) else {
            return Err(Rejection::wrong(format!(
                "state {state} on `{letter}` is in the set and stops"
            )));
        };
        let to = machine.states[action.to].as_str();
        let write = machine.letter(action.write);
        let leaves = |symbol: char| {
            Rejection::wrong(format!(
                "a step from state {state} on `{letter}` leaves the set: it leads to state {to} on \
                 `{symbol}`"
            ))
        };
        let (behind, below, ahead, top) = match action.shift {
            None if meetings.hold((one, to, write, two), range) => continue,
            None => return Err(leaves(write)),
            Some(Side::Right) => (&left, one, &right, two),
            Some(Side::Left) => (&right, two, &left, one),
        };
        for &(symbol, pulled, under) in ahead.below(top) {
            budget.charge(1)?;
            let holds = |&(pushed, over): &(i128, u32)| {
                let (one, two) = match action.shift {
                    Some(Side::Right) => (over, under),
                    _ => (under, over),
                };
                let change = pushed - pulled;
                let range = (
                    range.0.map(|low| low + change),
                    range.1.map(|high| high + change),
                );
                meetings.hold((one, to, symbol, two), range)
            };
            if !behind.above(below, write).iter().any(holds) {
                return Err(leaves(symbol));
            }
        }
    }
    Ok(())
}

/// The least and the largest of some sums; none where there is no bound. Sums of weights that
/// fit in 64 bits fit in 128, however many there are.
type Range = (Option<i128>, Option<i128>);

const NOTHING: Range = (Some(0), Some(0));

/// Whether an automaton can read whatever the tapes to begin with can be, and that weighs nothing.
fn contains(machine: &Machine, reading: &Reading, half: &WeightedHalf) -> Result<(), Rejection> {
    if half.begin.len() != reading.states {
        return Err(Rejection::wrong(
            "the tape to begin with is not all in the set",
        ));
    }
    for &(from, symbol, to) in &reading.edges {
        let letter = machine.letter(symbol);
        if !(half.edges).contains(&(half.begin[from], letter, 0, half.begin[to])) {
            return Err(Rejection::wrong(
                "a part of the tape to begin with is not in the set",
            ));
        }
    }
    Ok(())
}

/// One automaton: its edges by their ends, and the sums with which halves can be in its states.
struct Half {
    below: HashMap<u32, Vec<(char, i128, u32)>>,
    above: HashMap<(u32, char), Vec<(i128, u32)>>,
    /// No entry for a state that no half is in.
    sums: HashMap<u32, Range>,
}

impl Half {
    fn new(half: &WeightedHalf, budget: &Budget) -> Result<Half, Rejection> {
        let mut below: HashMap<u32, Vec<(char, i128, u32)>> = HashMap::new();
        let mut above: HashMap<(u32, char), Vec<(i128, u32)>> = HashMap::new();
        for &(from, symbol, weight, to) in &half.edges {
            let weight = i128::from(weight);
            below.entry(to).or_default().push((symbol, weight, from));
            above.entry((from, symbol)).or_default().push((weight, to));
        }
        let sums = sums(half, budget)?;
        Ok(Half { below, above, sums })
    }

    fn below(&self, to: u32) -> &[(char, i128, u32)] {
        self.below.get(&to).map_or(&[], Vec::as_slice)
    }

    fn above(&self, from: u32, symbol: char) -> &[(i128, u32)] {
        self.above.get(&(from, symbol)).map_or(&[], Vec::as_slice)
    }
}

/// Shortest and longest ways (Bellman and Ford): what still changes after as many rounds as there
/// are states has no bound.
fn sums(half: &WeightedHalf, budget: &Budget) -> Result<HashMap<u32, Range>, Rejection> {
    let mut sums: HashMap<u32, Range> =
        (half.begin.iter()).map(|&state| (state, NOTHING)).collect();
    let states = half.begin.len() + half.edges.len();
    for round in 0.. {
        budget.charge(half.edges.len() as u64)?;
        let mut changed = false;
        for &(from, _, weight, to) in &half.edges {
            let Some(&(low, high)) = sums.get(&from) else {
                continue;
            };
            let weight = i128::from(weight);
            let (low, high) = (low.map(|low| low + weight), high.map(|high| high + weight));
            let old = sums.get(&to).copied();
            let late = |bound: Option<i128>| bound.filter(|_| round < states);
            let next = match old {
                None => (low, high),
                Some(old) => {
                    let lower = old.0.is_some_and(|old| low.is_none_or(|low| low < old));
                    let higher = old.1.is_some_and(|old| high.is_none_or(|high| high > old));
                    (
                        if lower { late(low) } else { old.0 },
                        if higher { late(high) } else { old.1 },
                    )
                }
            };
            changed |= old != Some(next);
            sums.insert(to, next);
        }
        if !changed {
            break;
        }
    }
    Ok(sums)
}

/// The meetings of a set, and which sums are possible at all.
struct Meetings<'a> {
    ranges: HashMap<(u32, &'a str, char, u32), Vec<Range>>,
    left: &'a Half,
    right: &'a Half,
}

impl<'a> Meetings<'a> {
    fn new(set: &'a Weighted, left: &'a Half, right: &'a Half) -> Meetings<'a> {
        let mut ranges: HashMap<_, Vec<Range>> = HashMap::new();
        for one in &set.meetings {
            let meeting = (one.left, one.state.as_str(), one.symbol, one.right);
            let range = (one.least.map(i128::from), one.most.map(i128::from));
            ranges.entry(meeting).or_default().push(range);
        }
        Meetings {
            ranges,
            left,
            right,
        }
    }

    /// What of a range is possible where two states meet; none if nothing is.
    fn possible(&self, left: u32, right: u32, (low, high): Range) -> Option<Range> {
        let (left, right) = (self.left.sums.get(&left)?, self.right.sums.get(&right)?);
        let sum = |one: Option<i128>, other: Option<i128>| Some(one? + other?);
        let low = low.max(sum(left.0, right.0));
        let high = match (high, sum(left.1, right.1)) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        let empty = low.zip(high).is_some_and(|(low, high)| low > high);
        (!empty).then_some((low, high))
    }

    /// Whether all of a range that is possible at a meeting is in the set.
    fn hold(&self, meeting: (u32, &str, char, u32), range: Range) -> bool {
        let Some(range) = self.possible(meeting.0, meeting.3, range) else {
            return true;
        };
        let within = |&(low, high): &Range| {
            low.is_none_or(|low| range.0.is_some_and(|least| low <= least))
                && high.is_none_or(|high| range.1.is_some_and(|most| most <= high))
        };
        (self.ranges.get(&meeting)).is_some_and(|ranges| ranges.iter().any(within))
    }
}
