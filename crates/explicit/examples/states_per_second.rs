//! How fast states are searched, and what they take: philosophers at a table, as a net.
//!
//! `cargo run --release -p quotient-explicit --example states_per_second -- [PHILOSOPHERS [THREADS]]`
//!
//! Prints states a second for one thread (of its processor time) and for several (of wall-clock
//! time), by turns, and the bytes of a state here and in a hash map of the same packed states with
//! the step to each.

#![allow(clippy::print_stdout, reason = "a command")]

mod table;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Instant;

use quotient_core::Budget;
use quotient_explicit::{Graph, Limits, StateId, search_together};

use table::Table;

fn searched(table: &Table, threads: usize) -> (Graph, f64) {
    let (begin, used) = (Instant::now(), processor());
    let visit = &mut |_: &Graph, _: StateId, _: &[u64], _: usize| ControlFlow::Continue(());
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
    let mut map: HashMap<Vec<u64>, Option<(StateId, u32)>> = HashMap::new();
    for id in StateId::all(graph.len()) {
        map.insert(graph.state(id), graph.before(id));
    }
    let bytes = resident().saturating_sub(before) as f64 / map.len().max(1) as f64;
    println!("in a hash map of the same words: {bytes:.1} bytes each");
}
