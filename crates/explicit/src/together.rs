//! Breadth-first search by several threads, with the result of one.
//!
//! Other threads work out successors and their hashes, in pieces of the queue; this one takes the
//! pieces in order, inserts what is new and visits. States get the same numbers and runs as in
//! [`search`](crate::search), whatever the number of threads.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use quotient_core::{Budget, Stop};

use crate::graph::hash;
use crate::{Ending, Graph, Limits, Order, System, search};

/// How many states a piece has, and how many pieces wait for each thread.
const PIECE: usize = 512;
const WAITING: usize = 3;

/// The successors of some states, one after the other.
#[derive(Default)]
struct Found {
    /// How many successors each state has.
    counts: Vec<u32>,
    labels: Vec<u32>,
    hashes: Vec<u64>,
    words: Vec<u64>,
    /// The last state has a successor that does not fit.
    unfit: Option<u64>,
}

/// Visits reachable states breadth-first, as [`search`] does, with so many threads.
pub fn search_together(
    system: &(dyn System + Sync),
    limits: &Limits,
    budget: &Budget,
    threads: usize,
    visit: &mut dyn FnMut(&Graph, u32, usize) -> ControlFlow<()>,
) -> (Graph, Ending) {
    if threads < 2 {
        return search(system, Order::Breadth, limits, budget, visit);
    }
    std::thread::scope(|scope| {
        let mut workers = Vec::new();
        for _ in 1..threads {
            let (give, jobs) = sync_channel::<Vec<u64>>(WAITING);
            let (results, take) = sync_channel::<Found>(WAITING);
            scope.spawn(move || work(system, &jobs, &results));
            workers.push((give, take));
        }
        // When this returns, the channels close and the others end.
        gather(system, limits, budget, &workers, visit)
    })
}

/// Works out successors until there are no more states.
fn work(system: &(dyn System + Sync), jobs: &Receiver<Vec<u64>>, results: &SyncSender<Found>) {
    while let Ok(states) = jobs.recv() {
        if results.send(found(system, &states)).is_err() {
            return;
        }
    }
}

/// The successors of some states.
fn found(system: &(dyn System + Sync), states: &[u64]) -> Found {
    let mut found = Found::default();
    for state in states.chunks_exact(system.width()) {
        let before = found.labels.len();
        let (labels, hashes, words) = (&mut found.labels, &mut found.hashes, &mut found.words);
        let fits = system.successors(state, &mut |label, next| {
            labels.push(label);
            hashes.push(hash(next));
            words.extend_from_slice(next);
        });
        found.counts.push((found.labels.len() - before) as u32);
        if let Err(number) = fits {
            found.unfit = Some(number);
            break;
        }
    }
    found
}

fn gather(
    system: &(dyn System + Sync),
    limits: &Limits,
    budget: &Budget,
    workers: &[(SyncSender<Vec<u64>>, Receiver<Found>)],
    visit: &mut dyn FnMut(&Graph, u32, usize) -> ControlFlow<()>,
) -> (Graph, Ending) {
    let width = system.width();
    let mut graph = Graph::new(width);
    system.initial(&mut |state| {
        graph.insert(state, None);
    });
    // Pieces that were given away: to whom, and the first state of each.
    let mut waiting: VecDeque<(usize, u32)> = VecDeque::new();
    let (mut next, mut turn) = (0, 0);
    loop {
        while waiting.len() < workers.len() * WAITING && graph.len() - next >= PIECE {
            let states = graph.states(next, next + PIECE).to_vec();
            if workers[turn].0.send(states).is_err() {
                return (graph, Ending::Stopped(Stop::Interrupted));
            }
            waiting.push_back((turn, next as u32));
            turn = (turn + 1) % workers.len();
            next += PIECE;
        }
        let (first, found) = match waiting.pop_front() {
            Some((worker, first)) => match workers[worker].1.recv() {
                Ok(found) => (first, found),
                Err(_) => return (graph, Ending::Stopped(Stop::Interrupted)),
            },
            None if next == graph.len() => return (graph, Ending::Complete),
            // A small piece is not worth the way to another thread.
            None => {
                let first = next;
                next = graph.len();
                (first as u32, found(system, graph.states(first, next)))
            }
        };
        let mut at = 0;
        for (number, &count) in found.counts.iter().enumerate() {
            let id = first + number as u32;
            if let Err(stop) = budget.charge(1) {
                return (graph, Ending::Stopped(stop));
            }
            if graph.len() >= limits.states {
                let stop = Stop::bound("the number of states", limits.states as u64);
                return (graph, Ending::Stopped(stop));
            }
            for _ in 0..count {
                let state = &found.words[at * width..(at + 1) * width];
                graph.find_or_insert(state, found.hashes[at], Some((id, found.labels[at])));
                at += 1;
            }
            if let Some(unfit) = found.unfit.filter(|_| number + 1 == found.counts.len()) {
                return (graph, Ending::Unfit(unfit));
            }
            if visit(&graph, id, count as usize).is_break() {
                return (graph, Ending::Enough);
            }
        }
    }
}
