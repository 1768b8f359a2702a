//! States in one word each.
//!
//! A state is a row of frames (the variables of the program, each process, each channel). Few
//! different frames make many states, so each frame is kept once and has a number; the numbers
//! are paired, the pairs are numbered, and so on up to one number for all (after Laarman, van de
//! Pol and Weber, "Parallel recursive state compression for free", 2011).

use rustc_hash::FxHashMap;

use crate::program::Program;
use crate::state::{HEAD, State};

/// Frames and pairs by number.
#[derive(Debug, Default)]
pub(crate) struct Store {
    cells: Vec<i32>,
    /// Where each frame begins; the next one is where it ends.
    begins: Vec<u32>,
    frames: FxHashMap<u64, Vec<u32>>,
    pairs: Vec<(u32, u32)>,
    numbers: FxHashMap<(u32, u32), u32>,
}

/// A state as it was stored: the numbers at each level, for those that follow from it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stored {
    levels: Vec<Vec<u32>>,
    /// Where the frames end in the row.
    ends: Vec<usize>,
}

fn hash(cells: &[i32]) -> u64 {
    let mut mixed = 0x9e37_79b9_7f4a_7c15_u64 ^ cells.len() as u64;
    for pair in cells.chunks(2) {
        let low = u64::from(pair[0] as u32);
        let high = u64::from(pair.get(1).copied().unwrap_or(0) as u32);
        let product = u128::from((low | high << 32) ^ mixed) * 0xa076_1d64_78bd_642f_u128;
        mixed = (product as u64) ^ (product >> 64) as u64;
    }
    mixed
}

/// Where the frames of a state end.
fn ends(program: &Program, state: &State, out: &mut Vec<usize>) {
    out.clear();
    let mut at = HEAD + program.globals.len();
    out.push(at);
    while let Some(&cell) = state.cells.get(at) {
        at += State::frame_length(program, cell);
        out.push(at);
    }
}

impl Store {
    fn frame(&mut self, cells: &[i32]) -> u32 {
        let key = hash(cells);
        let known = self.frames.entry(key).or_default();
        for &number in known.iter() {
            let begin = self.begins[number as usize] as usize;
            let end = self.begins[number as usize + 1] as usize;
            if &self.cells[begin..end] == cells {
                return number;
            }
        }
        if self.begins.is_empty() {
            self.begins.push(0);
        }
        let number = self.begins.len() as u32 - 1;
        known.push(number);
        self.cells.extend_from_slice(cells);
        self.begins.push(self.cells.len() as u32);
        number
    }

    fn pair(&mut self, pair: (u32, u32)) -> u32 {
        let pairs = &mut self.pairs;
        *self.numbers.entry(pair).or_insert_with(|| {
            pairs.push(pair);
            pairs.len() as u32 - 1
        })
    }

    /// The word of a state. What is as in the state before it is not looked for again.
    pub(crate) fn put(
        &mut self,
        program: &Program,
        state: &State,
        before: Option<(&State, &Stored)>,
        out: &mut Stored,
    ) -> u64 {
        ends(program, state, &mut out.ends);
        let frames = out.ends.len();
        out.levels.resize_with(1, Vec::new);
        out.levels[0].clear();
        let mut begin = 0;
        for (number, &end) in out.ends.iter().enumerate() {
            let same = before.and_then(|(old, stored)| {
                let there = *stored.ends.get(number)? == end;
                let start = number.checked_sub(1).map_or(0, |one| stored.ends[one]);
                let equal =
                    there && start == begin && old.cells[begin..end] == state.cells[begin..end];
                equal.then(|| stored.levels[0][number])
            });
            let id = match same {
                Some(id) => id,
                None => self.frame(&state.cells[begin..end]),
            };
            out.levels[0].push(id);
            begin = end;
        }
        let mut level = 0;
        while out.levels[level].len() > 1 {
            if out.levels.len() == level + 1 {
                out.levels.push(Vec::new());
            }
            let (lower, upper) = out.levels.split_at_mut(level + 1);
            let (lower, upper) = (&lower[level], &mut upper[0]);
            upper.clear();
            for (number, pair) in lower.chunks(2).enumerate() {
                let same = before.and_then(|(_, stored)| {
                    let old = stored.levels.get(level)?;
                    let equal = old.len() == lower.len()
                        && old.get(number * 2..number * 2 + pair.len()) == Some(pair);
                    equal.then(|| stored.levels[level + 1][number])
                });
                upper.push(match (same, pair) {
                    (Some(id), _) => id,
                    (None, [left, right]) => self.pair((*left, *right)),
                    (None, _) => pair[0],
                });
            }
            level += 1;
        }
        out.levels.truncate(level + 1);
        (frames as u64) << 32 | u64::from(out.levels[level][0])
    }

    /// The state of a word.
    pub(crate) fn get(&self, program: &Program, word: u64, state: &mut State, out: &mut Stored) {
        let frames = (word >> 32) as usize;
        let mut sizes = vec![frames];
        while sizes.last().is_some_and(|size| *size > 1) {
            sizes.push(sizes.last().map_or(0, |size| size.div_ceil(2)));
        }
        out.levels.clear();
        out.levels.push(vec![word as u32]);
        for &size in sizes.iter().rev().skip(1) {
            let mut lower = Vec::with_capacity(size);
            let upper = out.levels.last().map_or(&[][..], |level| &level[..]);
            for (number, &id) in upper.iter().enumerate() {
                if number * 2 + 1 == size {
                    lower.push(id);
                } else {
                    let (left, right) = self.pairs[id as usize];
                    lower.extend([left, right]);
                }
            }
            out.levels.push(lower);
        }
        out.levels.reverse();
        state.cells.clear();
        out.ends.clear();
        for &id in &out.levels[0] {
            let begin = self.begins[id as usize] as usize;
            let end = self.begins[id as usize + 1] as usize;
            state.cells.extend_from_slice(&self.cells[begin..end]);
            out.ends.push(state.cells.len());
        }
        state.index(program);
    }
}
