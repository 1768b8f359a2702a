//! Breadth-first search by workers in several processes, on one machine or many.
//!
//! Every state belongs to the worker that its hash names. Workers go from level to level
//! together: each takes what others found for it, keeps what is new, and sends the successors to
//! those they belong to. The engine below is [`timely`], which knows when a level, and when all,
//! is done. Runs to what was looked for are shortest, and are put together at the end from what
//! each worker remembers; all processes learn the same result.
//!
//! ```
//! use std::sync::Arc;
//! use quotient_core::Budget;
//! use quotient_explicit::{Ending, Party, Sought, System, search_spread};
//! /// Counts to three.
//! struct Counter;
//! impl System for Counter {
//!     fn width(&self) -> usize { 1 }
//!     fn initial(&self, emit: &mut dyn FnMut(&[u64])) { emit(&[0]) }
//!     fn successors(&self, state: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
//!         if state[0] < 3 { emit(7, &[state[0] + 1]) }
//!         Ok(())
//!     }
//! }
//! let stuck = Sought { number: 1, reaches: Arc::new(|_, successors, found| if successors == 0 { found(0) }) };
//! let party = Party { workers: 2, ..Party::default() };
//! let spread = search_spread(&(Arc::new(Counter) as _), &stuck, &party, &Budget::unlimited()).unwrap();
//! assert_eq!(spread.runs[0].as_ref().unwrap().labels, [7, 7, 7]);
//! assert_eq!((spread.states, spread.ending), (4, Ending::Enough));
//! ```

mod connect;
mod sent;
mod stream;
mod work;

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use quotient_core::{Budget, Stop};
use timely::WorkerConfig;
use timely::communication::Hooks;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::execute::execute_from;

use crate::{Ending, System};
use stream::Watched;

/// Who takes part in a search.
#[derive(Debug, Clone)]
pub struct Party {
    /// Where each process listens, as `HOST:PORT`; none if there is only this one.
    pub addresses: Vec<String>,
    /// Which of them this one is, from 0.
    pub process: usize,
    /// How many workers each process has; all have as many.
    pub workers: usize,
    /// What is asked, in a number: processes that ask something else are turned away.
    pub question: u64,
    /// How long to wait for the others to come.
    pub patience: Duration,
}

impl Default for Party {
    fn default() -> Party {
        Party {
            addresses: Vec::new(),
            process: 0,
            workers: 1,
            question: 0,
            patience: Duration::from_secs(60),
        }
    }
}

/// What is looked for.
#[derive(Clone)]
pub struct Sought {
    /// How many things.
    pub number: usize,
    /// Says which of them a state is, given how many steps leave it.
    pub reaches: Arc<Reaches>,
}

/// Tells, of a state and the number of its steps, which things that are looked for it is.
pub type Reaches = dyn Fn(&[u64], usize, &mut dyn FnMut(usize)) + Send + Sync;

impl std::fmt::Debug for Sought {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Sought").field(&self.number).finish()
    }
}

/// A run to a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpreadRun {
    /// The state that it begins with.
    pub start: Vec<u64>,
    /// The labels of its steps.
    pub labels: Vec<u32>,
}

/// What a search by several workers came to.
#[derive(Debug, Clone)]
pub struct Spread {
    /// A shortest run to each thing that was looked for and found.
    pub runs: Vec<Option<SpreadRun>>,
    /// How many states were found by all workers together.
    pub states: u64,
    /// How it ended.
    pub ending: Ending,
}

/// Why several processes did not work together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Apart {
    /// An address cannot be used.
    #[error("cannot listen at `{0}`: {1}")]
    Deaf(String, String),
    /// Some did not come in time.
    #[error("no answer from {0}")]
    Absent(String),
    /// One is not at the same work: another model, question, version, or number of workers.
    #[error(
        "process {0} is not asked the same (model, settings, version and number of workers must agree)"
    )]
    Different(usize),
    /// One went away in the middle.
    #[error(
        "process {process} was lost; this process had kept {states} states by then, up to {steps} steps from the start"
    )]
    Lost {
        /// Which one.
        process: usize,
        /// How many states this process had.
        states: u64,
        /// How many steps from the start they were at most.
        steps: u64,
    },
    /// A worker of this process broke down.
    #[error("a worker broke down")]
    Broken,
    /// The time or memory of this process is over.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

/// A process that went away; [`NOBODY`] if all are there.
type Lost = Arc<AtomicUsize>;
const NOBODY: usize = usize::MAX;
/// A worker of our own went away.
const OURSELVES: usize = usize::MAX - 1;

/// Visits all reachable states, or so many that everything that is looked for was found.
///
/// All processes of the party must call it with the same system and the same things to look for;
/// all get the same result. Numbers of states are shared out by hash, so that each process needs
/// its part of the memory only.
pub fn search_spread(
    system: &Arc<dyn System + Send + Sync>,
    sought: &Sought,
    party: &Party,
    budget: &Budget,
) -> Result<Spread, Apart> {
    let lost: Lost = Arc::new(AtomicUsize::new(NOBODY));
    let workers = party.workers.max(1);
    let hooks = Hooks::default();
    let builders =
        ProcessBuilder::new_typed_vector(workers, hooks.refill.clone(), hooks.spill.clone());
    let (builders, guard) = match party.addresses.len() {
        0 | 1 => {
            let builders = builders.into_iter().map(AllocatorBuilder::Process);
            (builders.collect::<Vec<_>>(), None)
        }
        _ => {
            let sockets = connect::connect(party, budget)?;
            let watched = sockets.into_iter().enumerate();
            let watched = watched.map(|(process, socket)| {
                socket.map(|socket| Watched::new(socket, process, lost.clone()))
            });
            let (builders, guard) = initialize_networking_from_sockets(
                builders,
                watched.collect(),
                party.process,
                workers,
                hooks,
            )
            .map_err(|error| Apart::Deaf(own_address(party), error.to_string()))?;
            let builders = builders.into_iter().map(AllocatorBuilder::Tcp);
            (builders.collect(), Some(guard))
        }
    };
    let job = work::Job {
        system: system.clone(),
        sought: sought.clone(),
        workers,
        budget: budget.clone(),
        lost: lost.clone(),
    };
    let nothing: Box<dyn Any + Send> = Box::new(());
    let running = execute_from(builders, nothing, WorkerConfig::default(), move |worker| {
        work::work(worker, &job)
    });
    let results = running.map_err(|_| Apart::Broken)?.join();
    let done = |result: &Result<Result<_, _>, _>| matches!(result, Ok(Ok(_)));
    match results.iter().all(done) {
        // Waits until everything was sent.
        true => drop(guard),
        // Its threads wait for those that are gone; they end with the process.
        false => std::mem::forget(guard),
    }
    let mut outcome = Err(Apart::Broken);
    for result in results {
        match result {
            Ok(Ok(Some(spread))) => outcome = Ok(spread),
            Ok(Ok(None)) => {}
            Ok(Err(apart)) => outcome = Err(together(outcome, apart)),
            Err(_) => return Err(Apart::Broken),
        }
    }
    outcome
}

/// Why two workers of this process ended: where another process was lost, each has a part of the states.
fn together(before: Result<Spread, Apart>, apart: Apart) -> Apart {
    match (before, apart) {
        (
            Err(Apart::Lost {
                process,
                states: some,
                steps: first,
            }),
            Apart::Lost { states, steps, .. },
        ) => Apart::Lost {
            process,
            states: states + some,
            steps: steps.max(first),
        },
        (_, apart) => apart,
    }
}

fn own_address(party: &Party) -> String {
    let own = party.addresses.get(party.process);
    own.cloned().unwrap_or_default()
}
