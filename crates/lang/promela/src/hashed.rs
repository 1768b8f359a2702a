//! States remembered by their hashes, where memory is too short for all of them.
//!
//! Two states with one hash are taken for one (Wolper and Leroy 1993): what is found is real, with the fewest steps but
//! for that, and what is not found stays unknown, with the chance that a state was missed.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashSet;

use crate::packed::{Fewer, Packed};
use crate::program::Program;
use crate::search::{Safety, Shows, shows, taken};
use crate::space::Mode;
use crate::state::State;

/// States that wait for their turn, written with few bytes: most cells are small numbers.
#[derive(Default)]
pub(crate) struct Waiting {
    bytes: VecDeque<u8>,
}

impl Waiting {
    fn push_number(&mut self, mut number: u64) {
        while number >= 128 {
            self.bytes.push_back((number & 127) as u8 | 128);
            number >>= 7;
        }
        self.bytes.push_back(number as u8);
    }

    fn pop_number(&mut self) -> u64 {
        let (mut number, mut shift) = (0, 0);
        while let Some(byte) = self.bytes.pop_front() {
            number |= u64::from(byte & 127) << shift;
            shift += 7;
            if byte < 128 {
                break;
            }
        }
        number
    }

    fn push(&mut self, state: &State) {
        self.push_number(state.cells.len() as u64);
        for &cell in &state.cells {
            // Numbers below zero are odd.
            let wide = i64::from(cell);
            self.push_number(((wide << 1) ^ (wide >> 63)) as u64);
        }
    }

    fn pop(&mut self, program: &Program) -> State {
        let length = self.pop_number();
        let mut cells = Vec::with_capacity(length as usize);
        for _ in 0..length {
            let number = self.pop_number();
            cells.push(((number >> 1) as i64 ^ -((number & 1) as i64)) as i32);
        }
        State::from_cells(program, cells)
    }
}

impl Waiting {
    /// One state alone.
    pub(crate) fn one(state: &State) -> Box<[u8]> {
        let mut waiting = Waiting::default();
        waiting.push(state);
        waiting.bytes.into_iter().collect()
    }

    /// The state that was written.
    pub(crate) fn state(program: &Program, bytes: &[u8]) -> State {
        let bytes = bytes.iter().copied().collect();
        Waiting { bytes }.pop(program)
    }
}

fn hash(state: &State) -> u64 {
    let mut hasher = DefaultHasher::new();
    state.cells.hash(&mut hasher);
    hasher.finish()
}

/// How likely it is at most that two of so many states have one hash, as for birthdays.
fn chance(states: usize) -> f64 {
    let number = states as f64 + 1.0;
    (number * number / 2_f64.powi(65)).min(1.0)
}

/// Looks for failures and bad ends, near states first.
pub(crate) fn searched(
    program: &Program,
    mode: Mode,
    wanted: (bool, bool),
    budget: &Budget,
) -> Safety {
    let packed = Packed::new(mode.machine(program, true), None, Fewer::No);
    let space = &packed.space;
    let mut known: FxHashSet<u64> = FxHashSet::default();
    let mut waiting = Waiting::default();
    // How each state was found: the one before, and the number of the step.
    let mut before: Vec<Option<(u32, u32)>> = vec![None];
    let start = space.start();
    known.insert(hash(&start));
    waiting.push(&start);
    let (mut failed, mut stuck) = (None, None);
    let (mut steps, mut most, mut stop) = (0, 0, None);
    let mut next: u32 = 0;
    while (next as usize) < before.len() {
        if let Err(why) = budget.charge(1) {
            stop = Some(why);
            break;
        }
        if before.len() >= u32::MAX as usize - 1_000_000 {
            stop = Some(Stop::bound("the number of states", before.len() as u64));
            break;
        }
        let state = waiting.pop(program);
        most = most.max(state.processes.len());
        let mut label = 0;
        space.steps(&state, &mut |_, after| {
            if known.insert(hash(after)) {
                before.push(Some((next, label)));
                waiting.push(after);
            }
            label += 1;
        });
        steps += label as usize;
        match shows(space, mode, &state, label as usize) {
            Shows::Failure => failed = failed.or(Some(next)),
            Shows::BadEnd => stuck = stuck.or(Some(next)),
            Shows::Nothing => {}
        }
        if (failed.is_some() || !wanted.0) && (stuck.is_some() || !wanted.1) {
            break;
        }
        next += 1;
    }
    let states = before.len();
    let run = |id: Option<u32>| {
        id.map(|id| {
            let (mut labels, mut at) = (Vec::new(), id);
            while let Some((earlier, label)) = before[at as usize] {
                labels.push(label);
                at = earlier;
            }
            labels.reverse();
            taken(&packed, &labels, None)
        })
    };
    let unsure = format!(
        "{states} states were looked at, known by their hashes since memory is short: with a chance of {:.0e} at most, one was missed",
        chance(states),
    );
    Safety {
        states,
        steps,
        failed: run(failed),
        stuck: run(stuck),
        stop: Some(stop.unwrap_or_else(|| Stop::inconclusive(unsure))),
        most,
        visited: Vec::new(),
        reduced: false,
    }
}

#[cfg(test)]
mod tests {
    use quotient_core::Source;
    use quotient_language::{NoFiles, Random};

    use super::*;
    use crate::compile;
    use crate::search::exactly;

    fn program(text: &str) -> Program {
        let source = Source::new("t.pml", text);
        let compiled = compile::read(&source, &mut NoFiles, &[]);
        compiled.ok().unwrap().program
    }

    #[test]
    fn what_is_found_by_hashes_is_what_a_search_finds_and_nothing_holds_by_it() {
        for (text, fails, sticks) in [
            (
                "byte x; active proctype P() { x = 1; assert(x == 2) }",
                true,
                false,
            ),
            (
                "chan c = [0] of { int }; active proctype P() { c!-5 }",
                false,
                true,
            ),
            (
                "int x, y; active [2] proctype P() { do :: x < 40 -> x++; y-- :: x > 3 -> break od; assert(y > -40) }",
                true,
                false,
            ),
            (
                "byte x; active [3] proctype P() { do :: x < 9 -> x++ :: else -> break od }",
                false,
                false,
            ),
        ] {
            let program = program(text);
            let budget = Budget::unlimited();
            let all = (true, true);
            let plain = exactly(&program, Mode::default(), all, usize::MAX, &budget);
            let found = searched(&program, Mode::default(), all, &budget);
            assert_eq!(found.states, plain.states, "{text}");
            assert_eq!(
                (found.failed.is_some(), found.stuck.is_some()),
                (fails, sticks),
                "{text}"
            );
            let steps =
                |run: &Option<crate::evidence::Run>| run.as_ref().map(|run| run.steps.len());
            assert_eq!(steps(&found.failed), steps(&plain.failed), "{text}");
            assert_eq!(steps(&found.stuck), steps(&plain.stuck), "{text}");
            assert!(plain.stop.is_none());
            let stop = found.stop.unwrap().to_string();
            assert!(stop.contains("with a chance of"), "{stop}");
        }
    }

    #[test]
    fn what_waits_comes_back_as_it_was() {
        let program = program("int x; active proctype P() { x = 1 }");
        let mut waiting = Waiting::default();
        let start = Packed::new(Mode::default().machine(&program, true), None, Fewer::No)
            .space
            .start();
        let mut random = Random::new(3);
        let mut all = Vec::new();
        for _ in 0..50 {
            let mut state = start.clone();
            let value = random.below(1 << 32) as i64 - (1 << 31);
            state.cells[crate::state::HEAD] = value as i32;
            waiting.push(&state);
            all.push(state);
        }
        for state in all {
            assert_eq!(waiting.pop(&program), state);
        }
        assert!(waiting.bytes.is_empty());
    }
}
