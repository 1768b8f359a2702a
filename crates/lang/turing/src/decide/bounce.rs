//! Guesses of families: moments at which the head is further to one side than ever before, in
//! the same state, whose tapes are the same blocks with counts that grow evenly.

use quotient_core::{Budget, Stop};

use crate::family::{Block, Family, blocks, goes_on};
use crate::machine::{Machine, Symbol};
use crate::proof::Proof;
use crate::question::Start;
use crate::tape::{Configuration, Half};

/// The most moments that are kept for a side and a state.
const MOMENTS: usize = 60;

/// The longest tape that is looked at.
const LONGEST: usize = 2_000;

/// A moment: when, and the halves as blocks.
struct Moment {
    steps: u64,
    left: Vec<(Vec<Symbol>, u64)>,
    right: Vec<(Vec<Symbol>, u64)>,
}

/// A family that the run comes into, if one is found within so many steps; perhaps with rounds
/// within rounds.
pub(super) fn find(
    machine: &Machine,
    start: &Start,
    steps: u64,
    within: bool,
    budget: &Budget,
) -> Result<Option<Proof>, Stop> {
    let blank = machine.blank;
    if start.left.1 != [blank] || start.right.1 != [blank] {
        return Ok(None);
    }
    let mut now = start.configuration(machine);
    let mut moments: Vec<Vec<Moment>> = Vec::new();
    moments.resize_with(2 * machine.states.len(), Vec::new);
    let (mut position, mut low, mut high) = (0i64, 0i64, 0i64);
    for done in 1..=steps {
        if done.is_multiple_of(1024) {
            budget.charge(1024)?;
        }
        let Some(moved) = now.step(machine) else {
            return Ok(None);
        };
        position += moved;
        let side = match position {
            _ if position > high => 1,
            _ if position < low => 0,
            _ => continue,
        };
        (low, high) = (low.min(position), high.max(position));
        let known = &mut moments[2 * now.state + side];
        if known.len() >= MOMENTS || now.tape.left.len() + now.tape.right.len() > LONGEST {
            continue;
        }
        known.push(moment(&now, done));
        budget.charge((now.tape.left.len() + now.tape.right.len()) as u64)?;
        for stride in 1..=4 {
            if let Some(proof) = guess(machine, known, stride, (now.state, within), budget)? {
                return Ok(Some(proof));
            }
        }
    }
    Ok(None)
}

fn moment(now: &Configuration, steps: u64) -> Moment {
    let word = |half: &Half| half.symbols().take(half.len()).collect::<Vec<_>>();
    let mut right = vec![now.tape.scanned];
    right.extend(word(&now.tape.right));
    Moment {
        steps,
        left: blocks(&word(&now.tape.left)),
        right: blocks(&right),
    }
}

/// Whether the last moments at this stride are a family.
fn guess(
    machine: &Machine,
    known: &[Moment],
    stride: usize,
    (state, within): (usize, bool),
    budget: &Budget,
) -> Result<Option<Proof>, Stop> {
    let Some(first) = known.len().checked_sub(2 * stride + 1) else {
        return Ok(None);
    };
    let three = [
        &known[first],
        &known[first + stride],
        &known[first + 2 * stride],
    ];
    let left = grown(machine, three.map(|moment| &moment.left[..]));
    let right = grown(machine, three.map(|moment| &moment.right[..]));
    let (Some(left), Some(right)) = (left, right) else {
        return Ok(None);
    };
    if left.iter().chain(&right).all(|block| block.growth == 0) {
        return Ok(None);
    }
    let family = Family {
        left,
        state: machine.states[state].clone(),
        right,
    };
    let after = three[0].steps;
    let found = goes_on(&family, machine, within, budget)?;
    Ok(found.then_some(Proof::GuardedFamily { after, family }))
}

/// Three halves as one with a number in it, if their counts grow evenly.
fn grown(machine: &Machine, three: [&[(Vec<Symbol>, u64)]; 3]) -> Option<Vec<Block>> {
    let [one, two, three] = three;
    if one.len() != two.len() || two.len() != three.len() {
        return None;
    }
    let block = |place: usize| {
        let ((word, a), (second, b), (third, c)) = (&one[place], &two[place], &three[place]);
        let growth = b.checked_sub(*a)?;
        (word == second && second == third && c.checked_sub(*b) == Some(growth)).then(|| Block {
            word: word.iter().map(|&symbol| machine.letter(symbol)).collect(),
            growth,
            count: *a,
        })
    };
    (0..one.len()).map(block).collect()
}
