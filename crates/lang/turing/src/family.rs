//! Families of configurations with a number in them, executed block by block.
//!
//! `C(n)` is a tape of blocks `word^(growth · n + count)`. A head that enters a block, works on
//! one copy of its word and comes out on the other side in the state in which it came in, does
//! so on every copy: the whole block is crossed at once, however long it is. On its way it may
//! use some cells behind it, if it has the same cells behind it again when it comes out: it
//! carries them along. If `C(n)` becomes `C(n + 1)` in this way for every `n`, the run from
//! `C(0)` never ends. (Definition 3 of Ciaffaglione 2014: guarded reduction.)

mod canonical;
mod part;
mod rounds;
mod symbolic;

use quotient_core::{Budget, Stop};
use serde::{Deserialize, Serialize};

use crate::linear::Argument;
use crate::machine::{Machine, Symbol};
use crate::question::Start;
use part::Part;
use rounds::{DEPTH, LONGEST, Rounds, comes_to};
use symbolic::Symbolic;

pub(crate) use part::{Count, blocks};
pub(crate) use symbolic::Ends;

/// A word repeated `growth · n + count` times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Block {
    pub(crate) word: String,
    pub(crate) growth: u64,
    pub(crate) count: u64,
}

/// A configuration for each number: blocks outward from the head on both sides, the right ones
/// beginning with the scanned cell, and blanks around them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Family {
    pub(crate) left: Vec<Block>,
    pub(crate) state: String,
    pub(crate) right: Vec<Block>,
}

impl Family {
    /// As it is written: blocks, and the state before the scanned cell.
    pub(crate) fn text(&self) -> String {
        let block = |word: String, block: &Block| match (block.growth, block.count) {
            (0, 1) => word,
            (0, count) => format!("({word})^{count}"),
            (1, 0) => format!("({word})^n"),
            (1, count) => format!("({word})^(n+{count})"),
            (growth, 0) => format!("({word})^({growth}n)"),
            (growth, count) => format!("({word})^({growth}n+{count})"),
        };
        let left = self.left.iter().rev();
        let left = left.map(|one| block(one.word.chars().rev().collect(), one));
        let right = self.right.iter().map(|one| block(one.word.clone(), one));
        let state = std::iter::once(format!("<{}>", self.state));
        let all: Vec<String> = left.chain(state).chain(right).collect();
        all.join(" ")
    }

    /// The steps of a round, as `4n+5`, if the first rounds grow like that. For a round without
    /// others in it that settles it: blocks are crossed in so many steps a copy.
    pub(crate) fn round(&self, machine: &Machine) -> Option<String> {
        let steps: Option<Vec<u64>> = (0..4).map(|number| self.steps(machine, number)).collect();
        let steps = steps?;
        let growth = steps[1].checked_sub(steps[0])?;
        let is_even = steps.windows(2).all(|two| two[0] + growth == two[1]);
        match (is_even, growth, steps[0]) {
            (false, ..) => None,
            (_, 0, count) => Some(count.to_string()),
            (_, growth, 0) => Some(format!("{growth}n")),
            (_, growth, count) => Some(format!("{growth}n+{count}")),
        }
    }

    /// The steps from the configuration for a number to that for the next one.
    fn steps(&self, machine: &Machine, number: u64) -> Option<u64> {
        let configuration = |number: u64| {
            let start = Start {
                left: (expanded(&self.left, number, machine)?, vec![machine.blank]),
                right: (expanded(&self.right, number, machine)?, vec![machine.blank]),
            };
            let mut now = start.configuration(machine);
            now.state = machine.states.iter().position(|name| *name == self.state)?;
            Some(now)
        };
        let (mut now, goal) = (configuration(number)?, configuration(number + 1)?);
        for done in 1..=ROUND as u64 {
            now.step(machine)?;
            let alike = now.state == goal.state && now.tape.scanned == goal.tape.scanned;
            if alike && now == goal {
                return Some(done);
            }
        }
        None
    }
}

/// The most cells of a family that are written out.
const CELLS: u64 = 100_000;

/// The most blocks of a family.
const BLOCKS: usize = 1_000;

/// The most steps and crossings of one round.
const ROUND: usize = 3_000;

/// Half a tape, outward from the head, as symbols: the family for one number. None if it is too
/// long or not of this machine.
pub(crate) fn expanded(blocks: &[Block], number: u64, machine: &Machine) -> Option<Vec<Symbol>> {
    let mut cells = Vec::new();
    for (part, block) in parts(blocks, machine, false)?.into_iter().zip(blocks) {
        let times = block.growth.checked_mul(number)?.checked_add(block.count)?;
        let length = (part.word.len() as u64).checked_mul(times)?;
        if length + cells.len() as u64 > CELLS {
            return None;
        }
        for _ in 0..times {
            cells.extend_from_slice(&part.word);
        }
    }
    Some(cells)
}

/// Blocks with numbers for symbols, as they are for a number or for the next one.
fn parts(blocks: &[Block], machine: &Machine, next: bool) -> Option<Vec<Part>> {
    let symbol = |letter: char| {
        let place = machine.symbols.iter().position(|&one| one == letter);
        place.and_then(|place| u8::try_from(place).ok())
    };
    let part = |block: &Block| {
        let word: Option<Vec<Symbol>> = block.word.chars().map(symbol).collect();
        let small = block.growth <= CELLS && block.count <= CELLS;
        let count = block.count + if next { block.growth } else { 0 };
        Some(Part {
            word: word.filter(|word| !word.is_empty() && small)?,
            count: Count::growing(0, block.growth, count),
        })
    };
    let few = blocks.len() <= BLOCKS;
    few.then(|| blocks.iter().map(part).collect())?
}

/// Whether the configuration for every number becomes that for the next one, in at least one
/// step.
pub(crate) fn goes_on(
    family: &Family,
    machine: &Machine,
    within: bool,
    budget: &Budget,
) -> Result<bool, Stop> {
    let state = machine.states.iter().position(|name| *name == family.state);
    let tape = |next: bool| -> Option<Symbolic<'_>> {
        let left = parts(&family.left, machine, next)?;
        let right = parts(&family.right, machine, next)?;
        Some(Symbolic::new(machine, state?, left, right))
    };
    let goal = tape(true).and_then(|tape| tape.halves());
    let (Some(tape), Some(goal)) = (tape(false), goal) else {
        return Ok(false);
    };
    match within {
        true => comes_to(tape, &goal, ROUND / 3, DEPTH, budget),
        false => comes_to(tape, &goal, ROUND, 0, budget),
    }
}

/// How all runs on the inputs of a class end, if block by block, perhaps with rounds within, is
/// enough to tell: `n` is `n + 1` ones, inputs have a blank between them, the head is on the first.
pub(crate) fn all_of_class(
    machine: &Machine,
    class: &[Argument],
    (first, period): (u64, u64),
    within: bool,
    budget: &Budget,
) -> Result<Option<Ends>, Stop> {
    let mut parts = Vec::new();
    let fits = period > 0 && first.is_multiple_of(period) && first <= CELLS && period <= CELLS;
    if !fits || class.iter().any(|argument| argument.more >= CELLS) {
        return Ok(None);
    }
    for (place, argument) in class.iter().enumerate() {
        if place > 0 {
            parts.push(Part::cell(machine.blank));
        }
        parts.push(Part {
            word: vec![machine.one],
            count: Count::of(argument.more + 1),
        });
        let mut count = Count::of(first / period * argument.numbers.len() as u64);
        for &number in &argument.numbers {
            count.growth[number] = 1;
        }
        if !argument.numbers.is_empty() {
            let word = vec![machine.one; usize::try_from(period).unwrap_or(1)];
            parts.push(Part { word, count });
        }
    }
    let tape = Symbolic::new(machine, machine.start, Vec::new(), parts);
    ends(tape, if within { DEPTH } else { 0 }, budget)
}

/// How all runs from a configuration end, if block by block, with rounds within rounds to this
/// depth, is enough to tell.
fn ends(mut tape: Symbolic<'_>, depth: usize, budget: &Budget) -> Result<Option<Ends>, Stop> {
    let mut rounds = Rounds::default();
    for _ in 0..ROUND {
        budget.charge(1 + tape.size())?;
        if let Some(ends) = tape.ends() {
            return Ok(Some(ends));
        }
        if !tape.advance() {
            break;
        }
        if depth > 0 {
            if tape.left.len() + tape.right.len() > LONGEST {
                break;
            }
            rounds.look(&mut tape, depth, budget)?;
        }
    }
    Ok(None)
}
