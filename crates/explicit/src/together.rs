//! Breadth-first search by several threads, with the result of one.
//!
//! In rounds: all threads work out successors of states that were found, and look for them in the
//! graph, which nobody changes meanwhile. Most are known (a state is found once and met many
//! times). Then this thread adds the rest in order and visits. States get the same numbers and
//! runs as in [`search`](crate::search), whatever the number of threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use quotient_core::{Budget, Stop};

use crate::piece::{How, Piece, Worth};
use crate::search::{PIECE, Taker, Visit, beginnings};
use crate::{Ending, Graph, Limits, System};

/// How many pieces a thread works out in a round at most.
const PIECES: usize = 16;

/// The work of a round: states from one to another, in pieces that are taken by number.
struct Round {
    from: usize,
    to: usize,
    taken: AtomicUsize,
}

impl Round {
    fn pieces(&self) -> usize {
        (self.to - self.from).div_ceil(PIECE)
    }

    /// The next piece that nobody has taken: its number, and its states.
    fn next(&self) -> Option<(usize, std::ops::Range<u32>)> {
        let number = self.taken.fetch_add(1, Relaxed);
        let from = self.from + number * PIECE;
        let to = self.to.min(from + PIECE);
        (number < self.pieces()).then_some((number, from as u32..to as u32))
    }
}

/// A piece by its number; nothing if it could not be worked out.
type Filled = (usize, Option<Piece>);

/// What all threads share.
struct Shared<'a> {
    system: &'a (dyn System + Sync),
    how: How<'a>,
    graph: RwLock<Graph>,
    /// Pieces that are used again.
    spare: Mutex<Vec<Piece>>,
}

impl Shared<'_> {
    fn fill(&self, ids: std::ops::Range<u32>) -> Piece {
        let spare = self
            .spare
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let mut piece = spare.unwrap_or_default();
        let graph = self.graph.read().unwrap_or_else(PoisonError::into_inner);
        piece.fill(self.system, &graph, ids, self.how);
        piece
    }

    fn work(&self, rounds: &Receiver<Arc<Round>>, results: &Sender<Filled>) {
        while let Ok(round) = rounds.recv() {
            while let Some((number, ids)) = round.next() {
                let piece = catch_unwind(AssertUnwindSafe(|| self.fill(ids)));
                if results.send((number, piece.ok())).is_err() {
                    return;
                }
            }
        }
    }
}

/// Visits reachable states breadth-first, as [`search`](crate::search) does, with so many threads.
///
/// Only states that are `worth` it are shown to the visitor; the threads say which, so that looking
/// at states takes no more time than working them out.
pub fn search_together(
    system: &(dyn System + Sync),
    limits: &Limits,
    budget: &Budget,
    threads: usize,
    worth: Option<&Worth<'_>>,
    visit: &mut Visit<'_>,
) -> (Graph, Ending) {
    let (graph, symmetric) = beginnings(system);
    let shared = Shared {
        system,
        how: How {
            worth,
            symmetric,
            few: true,
        },
        graph: RwLock::new(graph),
        spare: Mutex::new(Vec::new()),
    };
    let mut taker = Taker::new(limits, budget, visit);
    let ending = std::thread::scope(|scope| {
        let (results, filled) = channel();
        let mut others = Vec::new();
        for _ in 1..threads {
            let (give, rounds) = sync_channel(1);
            let (shared, results) = (&shared, results.clone());
            scope.spawn(move || shared.work(&rounds, &results));
            others.push(give);
        }
        // When this returns, the channels close and the others end.
        gather(&shared, &mut taker, &others, &filled)
    });
    let graph = shared.graph.into_inner();
    (graph.unwrap_or_else(PoisonError::into_inner), ending)
}

fn gather(
    shared: &Shared<'_>,
    taker: &mut Taker<'_, '_>,
    others: &[SyncSender<Arc<Round>>],
    filled: &Receiver<Filled>,
) -> Ending {
    let mut next = 0;
    loop {
        let graph = shared.graph.read().unwrap_or_else(PoisonError::into_inner);
        let all = graph.len();
        drop(graph);
        if next == all {
            return Ending::Complete;
        }
        let round = Arc::new(Round {
            from: next,
            to: all.min(next + PIECE * PIECES * (1 + others.len())),
            taken: AtomicUsize::new(0),
        });
        // A small piece is not worth the way to another thread.
        if round.pieces() > 1 {
            for other in others {
                if other.send(round.clone()).is_err() {
                    return Ending::Stopped(Stop::Interrupted);
                }
            }
        }
        let mut pieces: Vec<Option<Piece>> = Vec::new();
        pieces.resize_with(round.pieces(), || None);
        let mut missing = pieces.len();
        while let Some((number, ids)) = round.next() {
            pieces[number] = Some(shared.fill(ids));
            missing -= 1;
        }
        while missing > 0 {
            match filled.recv() {
                Ok((number, Some(piece))) => pieces[number] = Some(piece),
                _ => return Ending::Stopped(Stop::Interrupted),
            }
            missing -= 1;
        }
        let mut graph = shared.graph.write().unwrap_or_else(PoisonError::into_inner);
        for (number, mut piece) in pieces.into_iter().flatten().enumerate() {
            let first = (next + number * PIECE) as u32;
            if let Some(ending) = taker.take(&mut graph, &mut piece, first) {
                return ending;
            }
            let mut spare = shared.spare.lock().unwrap_or_else(PoisonError::into_inner);
            spare.push(piece);
        }
        next = round.to;
    }
}
