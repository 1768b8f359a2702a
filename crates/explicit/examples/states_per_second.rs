//! How fast states are searched, and what they take: philosophers at a table, as a net.
//!
//! `cargo run --release -p quotient-explicit --example states_per_second -- [PHILOSOPHERS [THREADS]]`
//!
//! Prints states a second for one thread (of its processor time) and for several (of wall-clock
//! time), by turns, and the bytes of a state here and in a hash map of the same packed states with
//! the step to each.

#![allow(clippy::print_stdout, reason = "a command")]

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Instant;

use quotient_core::Budget;
use quotient_explicit::{Graph, Limits, Need, Needs, Successors, System, search_together};

/// Everybody takes both forks one after the other, in any order, and puts them back together.
struct Table {
    width: usize,
    start: Vec<u64>,
    /// What each step needs and changes: bits of a word.
    steps: Vec<Vec<(usize, u64, u64)>>,
    /// The same of the first word.
    single: Vec<(u64, u64)>,
    needs: Needs,
}

/// How many places a philosopher has: thinks, has the left fork, the right one, eats; and the fork.
const PLACES: usize = 5;

impl Table {
    fn of(number: usize) -> Table {
        let width = (number * PLACES).div_ceil(64);
        let each = number.div_ceil(width);
        let bit = |philosopher: usize, place: usize| {
            let philosopher = philosopher % number;
            let shift = philosopher % each * PLACES + place;
            (philosopher / each, 1_u64 << shift)
        };
        let step = |from: &[(usize, usize)], to: &[(usize, usize)]| {
            let mut all = vec![(0, 0, 0); width];
            for (word, one) in all.iter_mut().enumerate() {
                one.0 = word;
            }
            for &(philosopher, place) in from {
                let (word, bit) = bit(philosopher, place);
                all[word].1 |= bit;
            }
            for &(philosopher, place) in to {
                let (word, bit) = bit(philosopher, place);
                all[word].2 |= bit;
            }
            all.retain(|one| one.1 | one.2 != 0);
            all
        };
        let mut start = vec![0; width];
        let mut steps = Vec::new();
        for one in 0..number {
            for place in [0, 4] {
                let (word, bit) = bit(one, place);
                start[word] |= bit;
            }
            let (left, right) = ((one, 4), (one + 1, 4));
            steps.push(step(&[(one, 0), left], &[(one, 1)]));
            steps.push(step(&[(one, 0), right], &[(one, 2)]));
            steps.push(step(&[(one, 1), right], &[(one, 3)]));
            steps.push(step(&[(one, 2), left], &[(one, 3)]));
            steps.push(step(&[(one, 3)], &[(one, 0), left, right]));
        }
        let bits = |&(word, needs, _): &(usize, u64, u64)| {
            let shifts = (0..64).filter(move |shift| needs >> shift & 1 == 1);
            shifts.map(move |shift| Need {
                word,
                shift,
                bits: 1,
                least: 1,
                most: 1,
            })
        };
        let needs: Vec<Vec<Need>> = steps
            .iter()
            .map(|step: &Vec<(usize, u64, u64)>| step.iter().flat_map(bits).collect())
            .collect();
        Table {
            width,
            start,
            needs: Needs::new(&needs),
            single: steps.iter().map(|step| (step[0].1, step[0].2)).collect(),
            steps,
        }
    }
}

impl System for Table {
    fn width(&self) -> usize {
        self.width
    }

    fn initial(&self, emit: &mut dyn FnMut(&[u64])) {
        emit(&self.start);
    }

    fn successors(&self, state: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
        self.each(state, emit);
        Ok(())
    }

    fn all_successors(&self, state: &[u64], into: &mut Successors) -> Result<(), u64> {
        match *state {
            [word] => self.each_word(word, into),
            _ => self.each(state, |label, next| into.push(label, next)),
        }
        Ok(())
    }
}

impl Table {
    /// Every step from a state of one word.
    #[inline]
    fn each_word(&self, word: u64, into: &mut Successors) {
        for block in 0..self.needs.blocks() {
            let mut able = self.needs.able(block, &[word]);
            while able != 0 {
                let label = block * 64 + able.trailing_zeros() as usize;
                able &= able - 1;
                let (needs, gives) = self.single[label];
                into.push_word(label as u32, (word & !needs) | gives);
            }
        }
    }

    /// Every step from a state.
    #[inline]
    fn each(&self, state: &[u64], mut emit: impl FnMut(u32, &[u64])) {
        let mut next = [0; 16];
        let next = &mut next[..self.width];
        next.copy_from_slice(state);
        for block in 0..self.needs.blocks() {
            let mut able = self.needs.able(block, state);
            while able != 0 {
                let label = block * 64 + able.trailing_zeros() as usize;
                able &= able - 1;
                for &(word, needs, gives) in &self.steps[label] {
                    next[word] = (state[word] & !needs) | gives;
                }
                emit(label as u32, next);
                for &(word, ..) in &self.steps[label] {
                    next[word] = state[word];
                }
            }
        }
    }
}

fn searched(table: &Table, threads: usize) -> (Graph, f64) {
    let (begin, used) = (Instant::now(), processor());
    let visit = &mut |_: &Graph, _: u32, _: &[u64], _: usize| ControlFlow::Continue(());
    let worth = |_: &[u64], successors: usize| successors == 0;
    let (limits, budget) = (Limits::default(), Budget::unlimited());
    let (graph, _) = search_together(table, &limits, &budget, threads, Some(&worth), visit);
    let used = processor() - used;
    // The others' time is not ours.
    let seconds = match threads {
        1 if used > 0.0 => used,
        _ => begin.elapsed().as_secs_f64(),
    };
    (graph, seconds)
}

/// The processor time of this thread in seconds, where the system tells.
fn processor() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = text.split_whitespace().next();
    first.and_then(|one| one.parse().ok()).unwrap_or(0.0) / 1e9
}

/// The resident memory of this process, in bytes, where the system tells.
fn resident() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = pages
        .split_whitespace()
        .nth(1)
        .and_then(|one| one.parse().ok());
    pages.unwrap_or(0_usize) * 4096
}

fn main() {
    let mut arguments = std::env::args().skip(1).map_while(|one| one.parse().ok());
    let number = arguments.next().unwrap_or(12);
    let threads = arguments.next().unwrap_or(2);
    let table = Table::of(number);
    for _ in 0..3 {
        for threads in [1, threads] {
            let (graph, seconds) = searched(&table, threads);
            println!(
                "{number} philosophers, {threads} threads: {} states in {seconds:.3} s, {:.2} million a second, {:.1} bytes each",
                graph.len(),
                graph.len() as f64 / seconds / 1e6,
                graph.bytes() as f64 / graph.len() as f64,
            );
        }
    }
    let (graph, _) = searched(&table, 1);
    let before = resident();
    let mut map: HashMap<Vec<u64>, Option<(u32, u32)>> = HashMap::new();
    for id in 0..graph.len() as u32 {
        map.insert(graph.state(id), graph.before(id));
    }
    let bytes = resident().saturating_sub(before) as f64 / map.len().max(1) as f64;
    println!("in a hash map of the same words: {bytes:.1} bytes each");
}
