//! Breadth-first search by several threads, with the result of one.
//!
//! All threads work out successors of states that were found, in pieces. The thread that began looks for them in the graph and
//! adds those that are new, piece by piece in order, while the others go on; when no piece waits for that, it works out one
//! itself. Where it falls behind, the others look for successors, too: most are known (a state is found once and met many
//! times). What others look up may have been added meanwhile without their seeing it: it is looked for once more before it is
//! added. What one thread writes and another reads has to be fetched from one processor by the other, which takes as long as the
//! work itself: so it is little, and what is written often stands apart from what is read often.
//! States get the same numbers and runs as in [`search`](crate::search), whatever the number of threads.

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use quotient_core::{Budget, Stop};

use crate::met::Met;
use crate::numbers::Apart;
use crate::piece::{How, Piece, Worth};
use crate::search::{PIECE, Taker, Visit, beginnings};
use crate::{Ending, Graph, Limits, System};

/// How many pieces may be under way for each thread.
const PIECES: usize = 4;

/// Where so many pieces wait to be added, the other threads look for successors, too. Otherwise they leave it to the thread
/// that adds: what it added lies near to it, and would have to be fetched from there.
const BEHIND: usize = 5;

/// How often a thread looks for something to do before it goes to sleep: it takes long to wake one up, and longer to call
/// the system than to work a piece out.
const LOOKS: u32 = 1_000;

/// What is to be done.
#[derive(Default)]
struct Work {
    /// States before this are given out; those before the other are there to be given out.
    next: u32,
    found: u32,
    /// How many pieces are given out and not added yet.
    under_way: usize,
    /// Pieces that are worked out, by their first states; nothing where that failed.
    filled: BTreeMap<u32, Option<Piece>>,
    /// Pieces that are used again.
    spare: Vec<Piece>,
    /// It is over.
    done: bool,
    /// How many threads sleep until something is there to be given out.
    asleep: usize,
    /// The thread that adds sleeps until something is worked out.
    leader_sleeps: bool,
    /// It needs the graph for itself soon: the others take nothing until it had it.
    is_full: bool,
}

/// What all threads share.
struct Shared<'a> {
    system: &'a (dyn System + Sync),
    how: How<'a>,
    graph: RwLock<Graph>,
    work: Mutex<Work>,
    /// Something is there to be given out, or it is over.
    more: Condvar,
    /// Something is worked out.
    ready: Condvar,
    /// How often something was added or worked out: for looking whether there is something to do.
    added: Apart<AtomicU32>,
    filled: Apart<AtomicU32>,
    most: usize,
}

/// Ends the work of all when it goes, however that comes about.
struct Over<'s, 'a>(&'s Shared<'a>);

impl Drop for Over<'_, '_> {
    fn drop(&mut self) {
        self.0.work().done = true;
        self.0.added.0.fetch_add(1, Release);
        self.0.more.notify_all();
    }
}

impl Shared<'_> {
    fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn graph(&self) -> RwLockReadGuard<'_, Graph> {
        self.graph.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives states out, at least so many, with a piece to work them out in.
    fn give(&self, work: &mut Work, least: u32) -> Option<(Range<u32>, Piece)> {
        let left = work.found - work.next;
        if work.is_full && least > 1 {
            return None;
        }
        if left < least || work.under_way >= self.most {
            return None;
        }
        let ids = work.next..work.next + left.min(PIECE as u32);
        work.next = ids.end;
        work.under_way += 1;
        Some((ids, work.spare.pop().unwrap_or_default()))
    }

    fn fill(&self, ids: Range<u32>, mut piece: Piece, met: &mut Met) -> Piece {
        piece.fill(self.system, &self.graph(), ids, self.how, met);
        piece
    }

    fn look(&self, mut piece: Piece) -> Piece {
        piece.look(self.system, &self.graph(), self.how);
        piece
    }

    /// What the other threads do: they take whole pieces only.
    fn help(&self) {
        let mut met = Met::default();
        let mut work = self.work();
        while !work.done {
            let seen = self.added.0.load(Acquire);
            let Some((ids, piece)) = self.give(&mut work, PIECE as u32) else {
                drop(work);
                let is_new = changes(&self.added.0, seen);
                work = self.work();
                if !is_new && self.added.0.load(Acquire) == seen {
                    work.asleep += 1;
                    let waited = self.more.wait(work);
                    work = waited.unwrap_or_else(PoisonError::into_inner);
                    work.asleep -= 1;
                }
                continue;
            };
            let is_behind = work.filled.len() >= BEHIND;
            drop(work);
            let first = ids.start;
            let piece = catch_unwind(AssertUnwindSafe(|| {
                let piece = self.fill(ids, piece, &mut met);
                match is_behind {
                    true => self.look(piece),
                    false => piece,
                }
            }));
            work = self.work();
            work.filled.insert(first, piece.ok());
            self.filled.0.fetch_add(1, Release);
            if work.leader_sleeps {
                self.ready.notify_one();
            }
        }
    }

    /// Adds pieces in order, and works some out.
    fn gather(&self, taker: &mut Taker<'_, '_>) -> Ending {
        let _over = Over(self);
        self.work().found = self.graph().len() as u32;
        let (mut next, mut met) = (0, Met::default());
        loop {
            match self.turn(next) {
                Turn::Add(piece) => {
                    let states = piece.len() as u32;
                    if let Some(ending) = self.add(taker, piece, next) {
                        return ending;
                    }
                    next += states;
                }
                Turn::Fill(ids, piece) => {
                    let first = ids.start;
                    let piece = self.fill(ids, piece, &mut met);
                    self.work().filled.insert(first, Some(piece));
                }
                Turn::Over(ending) => return ending,
            }
        }
    }

    /// What the thread that adds does now, where the next piece to add begins with this state.
    fn turn(&self, next: u32) -> Turn {
        let mut work = self.work();
        loop {
            match work.filled.remove(&next) {
                Some(Some(piece)) => return Turn::Add(piece),
                Some(None) => return Turn::Over(Ending::Stopped(Stop::Interrupted)),
                None => {}
            }
            if let Some((ids, piece)) = self.give(&mut work, 1) {
                return Turn::Fill(ids, piece);
            }
            if work.under_way == 0 {
                return Turn::Over(Ending::Complete);
            }
            let seen = self.filled.0.load(Acquire);
            drop(work);
            let is_new = changes(&self.filled.0, seen);
            work = self.work();
            if !is_new && self.filled.0.load(Acquire) == seen {
                work.leader_sleeps = true;
                let waited = self.ready.wait(work);
                work = waited.unwrap_or_else(PoisonError::into_inner);
                work.leader_sleeps = false;
            }
        }
    }

    /// Whether room has to be made soon; for one thread that is done where it is needed.
    fn is_full(&self, graph: &Graph) -> bool {
        self.most > PIECES && !graph.has_room_ahead(soon(graph.len() as u32))
    }

    /// Adds what is new in a piece, and lets its states be visited; says why that was the end.
    fn add(&self, taker: &mut Taker<'_, '_>, mut piece: Piece, first: u32) -> Option<Ending> {
        let mut graph = self.graph();
        piece.look(self.system, &graph, self.how);
        if !piece.has_room(&graph) {
            drop(graph);
            let mut alone = self.graph.write().unwrap_or_else(PoisonError::into_inner);
            piece.make_room(&mut alone);
            drop(alone);
            graph = self.graph();
        }
        piece.fetch(&graph);
        let ending = taker.take(&graph, &mut piece, first);
        let (found, mut is_full) = (graph.len() as u32, self.is_full(&graph));
        drop(graph);
        // The others are not made to wait for this thread, nor this one for them: it goes on until they have stopped.
        if is_full && let Ok(mut alone) = self.graph.try_write() {
            alone.make_room_ahead(soon(found));
            is_full = false;
        }
        let mut work = self.work();
        work.is_full = is_full;
        work.found = found;
        work.under_way -= 1;
        work.spare.push(piece);
        self.added.0.fetch_add(1, Release);
        if work.asleep > 0 && work.found - work.next >= PIECE as u32 {
            self.more.notify_all();
        }
        ending
    }
}

/// For how many more states there has to be room, so that those that are under way find it: few, as tables grow the earlier.
fn soon(found: u32) -> usize {
    (found as usize / 64).min(2 * PIECES * PIECE)
}

/// Looks for a while whether a number is no longer this one.
fn changes(number: &AtomicU32, seen: u32) -> bool {
    (0..LOOKS).any(|_| {
        std::hint::spin_loop();
        number.load(Acquire) != seen
    })
}

/// What the thread that adds does.
enum Turn {
    Add(Piece),
    Fill(Range<u32>, Piece),
    Over(Ending),
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
    let (mut graph, symmetric) = beginnings(system);
    graph.share(threads);
    let shared = Shared {
        system,
        how: How {
            worth,
            symmetric,
            few: true,
        },
        graph: RwLock::new(graph),
        work: Mutex::default(),
        more: Condvar::new(),
        ready: Condvar::new(),
        added: Apart::default(),
        filled: Apart::default(),
        most: PIECES * threads.max(1),
    };
    let mut taker = Taker::new(limits, budget, visit);
    let ending = std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| shared.help());
        }
        shared.gather(&mut taker)
    });
    let graph = shared.graph.into_inner();
    let mut graph = graph.unwrap_or_else(PoisonError::into_inner);
    if threads > 1 {
        graph.trim();
    }
    (graph, ending)
}
