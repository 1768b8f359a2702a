//! Families of configurations with a number in them, executed block by block.
//!
//! `C(n)` is a tape of blocks `word^(growth · n + count)`. A head that enters a block, works on
//! one copy of its word and comes out on the other side in the state in which it came in, does
//! so on every copy: the whole block is crossed at once, however long it is. If `C(n)` becomes
//! `C(n + 1)` in this way for every `n`, the run from `C(0)` never ends. (Definition 3 of
//! Ciaffaglione 2014: guarded reduction.)

use quotient_core::{Budget, Stop};
use serde::{Deserialize, Serialize};

use crate::machine::{Machine, Side, State, Symbol};

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

/// The same with numbers for symbols: what is executed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Part {
    word: Vec<Symbol>,
    growth: u64,
    count: u64,
}

/// The most cells of a family that are written out.
const CELLS: u64 = 100_000;

/// The most copies of a word that are crossed at a time.
const COPIES: u64 = 6;

/// The most steps on one copy of a word.
const INSIDE: usize = 500;

/// The most steps and crossings of one round.
const ROUND: usize = 3_000;

/// Half a tape, outward from the head, as symbols: the family for one number. None if it is too
/// long or not of this machine.
pub(crate) fn expanded(blocks: &[Block], number: u64, machine: &Machine) -> Option<Vec<Symbol>> {
    let mut cells = Vec::new();
    for part in parts(blocks, machine)? {
        let times = part.growth.checked_mul(number)?.checked_add(part.count)?;
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

fn parts(blocks: &[Block], machine: &Machine) -> Option<Vec<Part>> {
    let symbol = |letter: char| {
        let place = machine.symbols.iter().position(|&one| one == letter);
        place.and_then(|place| u8::try_from(place).ok())
    };
    let part = |block: &Block| {
        let word: Option<Vec<Symbol>> = block.word.chars().map(symbol).collect();
        let small = block.growth <= CELLS && block.count <= CELLS;
        Some(Part {
            word: word.filter(|word| !word.is_empty() && small)?,
            growth: block.growth,
            count: block.count,
        })
    };
    blocks.iter().map(part).collect()
}

/// Whether the configuration for every number becomes that for the next one, in at least one
/// step.
pub(crate) fn goes_on(family: &Family, machine: &Machine, budget: &Budget) -> Result<bool, Stop> {
    let state = machine.states.iter().position(|name| *name == family.state);
    let sides = parts(&family.left, machine).zip(parts(&family.right, machine));
    let (Some(state), Some((left, right))) = (state, sides) else {
        return Ok(false);
    };
    let next = |parts: &[Part]| -> Option<Vec<Part>> {
        let next = |part: &Part| {
            let count = part.count.checked_add(part.growth)?;
            let part = part.clone();
            Some(Part { count, ..part })
        };
        parts.iter().map(next).collect()
    };
    let Some((next_left, next_right)) = next(&left).zip(next(&right)) else {
        return Ok(false);
    };
    let blank = machine.blank;
    let goal = (canonical(&next_left, blank), canonical(&next_right, blank));
    let stack = |parts: Vec<Part>| parts.into_iter().rev().collect::<Vec<Part>>();
    let mut tape = Symbolic {
        machine,
        left: stack(left),
        right: stack(right),
        state,
        stepped: false,
    };
    for _ in 0..ROUND {
        budget.charge(1 + (tape.left.len() + tape.right.len()) as u64)?;
        if !tape.advance() {
            return Ok(false);
        }
        if tape.stepped && tape.state == state {
            let outward = |stack: &[Part]| stack.iter().rev().cloned().collect::<Vec<_>>();
            let here = (outward(&tape.left), outward(&tape.right));
            if canonical(&here.0, blank) == goal.0 && canonical(&here.1, blank) == goal.1 {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// How the runs of a family end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ends {
    /// They stop with `growth · j + count` ones.
    With { growth: u64, count: u64 },
    /// They never do: the head runs away over blanks.
    Never,
}

/// How all runs on the numbers `first + period · j + class` end, if block by block is enough to
/// tell: `n` is `n + 1` ones, the head on the first.
pub(crate) fn all_of_class(
    machine: &Machine,
    first: u64,
    period: u64,
    class: u64,
    budget: &Budget,
) -> Result<Option<Ends>, Stop> {
    let fits = period > 0 && first.is_multiple_of(period) && class < period && first <= CELLS;
    if !fits {
        return Ok(None);
    }
    let ones = |count: u64| Part {
        word: vec![machine.one],
        growth: 0,
        count,
    };
    let block = Part {
        word: vec![machine.one; usize::try_from(period).unwrap_or(1)],
        growth: 1,
        count: first / period,
    };
    let mut tape = Symbolic {
        machine,
        left: Vec::new(),
        right: vec![block, ones(class + 1)],
        state: machine.start,
        stepped: false,
    };
    for _ in 0..ROUND {
        budget.charge(1 + (tape.left.len() + tape.right.len()) as u64)?;
        if let Some(ends) = tape.ends() {
            return Ok(Some(ends));
        }
        if !tape.advance() {
            break;
        }
    }
    Ok(None)
}

/// A configuration with a number in it; the nearest block of a side is the last of its list.
struct Symbolic<'a> {
    machine: &'a Machine,
    left: Vec<Part>,
    right: Vec<Part>,
    state: State,
    /// Whether a step was made for sure: crossing a block may be none.
    stepped: bool,
}

impl Symbolic<'_> {
    /// How it ends, if it ends here.
    fn ends(&self) -> Option<Ends> {
        let blank = self.machine.blank;
        let mut ahead = self.right.clone();
        // Whether a block has a first copy must be known.
        let scanned = take(&mut ahead, blank)?;
        if self.machine.action(self.state, scanned).is_none() {
            let ones = |part: &Part| {
                let ones = part
                    .word
                    .iter()
                    .filter(|&&one| one == self.machine.one)
                    .count() as u64;
                Some((
                    part.growth.checked_mul(ones)?,
                    part.count.checked_mul(ones)?,
                ))
            };
            let mut sum = (0u64, 0u64);
            for part in self.left.iter().chain(&self.right) {
                let (growth, count) = ones(part)?;
                sum = (sum.0.checked_add(growth)?, sum.1.checked_add(count)?);
            }
            let (growth, count) = sum;
            return Some(Ends::With { growth, count });
        }
        let only_blanks = |parts: &[Part]| canonical(parts, blank).is_empty();
        let runs = |side: Side, parts: &[Part]| {
            let mut here = self.state;
            let comes_again = (0..self.machine.states.len()).any(|_| {
                match self.machine.action(here, blank) {
                    Some(action) if action.shift == Some(side) => here = action.to,
                    _ => return false,
                }
                here == self.state
            });
            scanned == blank && comes_again && only_blanks(parts)
        };
        let away = runs(Side::Right, &ahead) || runs(Side::Left, &self.left);
        away.then_some(Ends::Never)
    }

    /// Crosses a block or makes a step; says whether that was possible.
    fn advance(&mut self) -> bool {
        if self.cross(Side::Right) {
            return true;
        }
        let Some(scanned) = take(&mut self.right, self.machine.blank) else {
            return false;
        };
        let Some(action) = self.machine.action(self.state, scanned) else {
            return false;
        };
        self.state = action.to;
        self.stepped = true;
        let written = Part {
            word: vec![action.write],
            growth: 0,
            count: 1,
        };
        match action.shift {
            None => self.right.push(written),
            Some(Side::Right) => self.left.push(written),
            Some(Side::Left) => {
                self.right.push(written);
                while self.cross(Side::Left) {}
                let Some(ahead) = take(&mut self.left, self.machine.blank) else {
                    return false;
                };
                self.right.push(Part {
                    word: vec![ahead],
                    growth: 0,
                    count: 1,
                });
            }
        }
        true
    }

    /// Crosses the next block on a side, perhaps several copies of its word at a time; says
    /// whether that was possible.
    fn cross(&mut self, side: Side) -> bool {
        let ahead = match side {
            Side::Right => &self.right,
            Side::Left => &self.left,
        };
        let Some(top) = ahead.last().filter(|top| top.growth > 0) else {
            return false;
        };
        for times in (1..=COPIES).filter(|&times| top.growth.is_multiple_of(times)) {
            let word = top.word.repeat(times as usize);
            let Some(crossed) = self.crossed(&word, self.state, side) else {
                continue;
            };
            let over = Part {
                word: crossed,
                growth: top.growth / times,
                count: top.count / times,
            };
            let rest = Part {
                word: top.word.clone(),
                growth: 0,
                count: top.count % times,
            };
            let (ahead, behind) = match side {
                Side::Right => (&mut self.right, &mut self.left),
                Side::Left => (&mut self.left, &mut self.right),
            };
            ahead.pop();
            if rest.count > 0 {
                ahead.push(rest);
            }
            behind.push(over);
            return true;
        }
        false
    }

    /// What a word becomes, seen from the other side, if the head comes in at its near end and
    /// leaves at its far end in the same state. The word is read away from the head.
    fn crossed(&self, word: &[Symbol], state: State, towards: Side) -> Option<Vec<Symbol>> {
        let mut cells = word.to_vec();
        let (mut here, mut place) = (state, 0usize);
        for _ in 0..INSIDE {
            let action = self.machine.action(here, cells[place])?;
            cells[place] = action.write;
            here = action.to;
            match action.shift {
                None => continue,
                Some(side) if side == towards => place += 1,
                Some(_) => place = place.checked_sub(1)?,
            }
            if place == cells.len() {
                cells.reverse();
                return (here == state).then_some(cells);
            }
        }
        None
    }
}

/// Takes the nearest symbol; none if it is not known whether there is another copy.
fn take(stack: &mut Vec<Part>, blank: Symbol) -> Option<Symbol> {
    loop {
        let Some(mut top) = stack.pop() else {
            return Some(blank);
        };
        if top.growth == 0 && top.count == 0 {
            continue;
        }
        // A block of at least one copy for every number gives one away.
        top.count = top.count.checked_sub(1)?;
        let word = top.word.clone();
        if top.growth > 0 || top.count > 0 {
            stack.push(top);
        }
        for &symbol in word[1..].iter().rev() {
            stack.push(Part {
                word: vec![symbol],
                growth: 0,
                count: 1,
            });
        }
        return Some(word[0]);
    }
}

/// A form that is the same for many ways to write the same half: symbols that fit a block are in
/// it, what is left of a copy stands before it, and blanks at the far end are left out. (Two
/// different forms may still be the same; two equal ones are.)
fn canonical(parts: &[Part], blank: Symbol) -> Vec<Part> {
    let mut done: Vec<Part> = Vec::new();
    for part in parts {
        if part.growth == 0 {
            for _ in 0..part.count.min(CELLS) {
                for &symbol in &part.word {
                    literal(&mut done, symbol);
                }
            }
        } else {
            let length = part.word.len();
            let root = (1..=length).find(|&root| {
                length.is_multiple_of(root)
                    && (root..length).all(|at| part.word[at] == part.word[at - root])
            });
            let root = root.unwrap_or(length);
            let times = (length / root) as u64;
            block(
                &mut done,
                Part {
                    word: part.word[..root].to_vec(),
                    growth: part.growth * times,
                    count: part.count * times,
                },
            );
        }
    }
    while let Some(last) = done.last()
        && last.word.iter().all(|&symbol| symbol == blank)
    {
        done.pop();
    }
    done
}

/// Adds a symbol: `w^e x` with `x` the first of `w` is `x` and then `w^e` turned by one.
fn literal(done: &mut Vec<Part>, symbol: Symbol) {
    // Not by recursion: there may be as many blocks as a file has room for.
    let begins = |part: &&Part| part.growth > 0 && part.word[0] == symbol;
    let passed = done.iter().rev().take_while(begins).count();
    let mut turned = done.split_off(done.len() - passed);
    done.push(Part {
        word: vec![symbol],
        growth: 0,
        count: 1,
    });
    for mut part in turned.drain(..) {
        part.word.rotate_left(1);
        block(done, part);
    }
}

/// Adds a block, with the copies of its word that stand before it.
fn block(done: &mut Vec<Part>, mut part: Part) {
    if let Some(before) = done.last()
        && before.growth > 0
        && before.word == part.word
    {
        part.growth += before.growth;
        part.count += before.count;
        done.pop();
    }
    let length = part.word.len();
    loop {
        let fits = done.len() >= length && {
            let last = &done[done.len() - length..];
            let mut pairs = last.iter().zip(&part.word);
            pairs.all(|(one, symbol)| one.growth == 0 && one.word == [*symbol])
        };
        if !fits {
            break;
        }
        done.truncate(done.len() - length);
        part.count += 1;
    }
    done.push(part);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(word: &[Symbol], growth: u64, count: u64) -> Part {
        Part {
            word: word.to_vec(),
            growth,
            count,
        }
    }

    #[test]
    fn ways_to_write_a_half_have_one_form() {
        let one = [part(&[1], 0, 1), part(&[0, 1], 1, 2), part(&[0], 0, 1)];
        let other = [part(&[1, 0], 1, 3), part(&[2], 0, 0)];
        assert_eq!(canonical(&one, 2), canonical(&other, 2));
        let blanks = [part(&[1], 1, 0), part(&[1, 1], 0, 1), part(&[0], 1, 1)];
        assert_eq!(canonical(&blanks, 0), vec![part(&[1], 1, 2)]);
    }
}
