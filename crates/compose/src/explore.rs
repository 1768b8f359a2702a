//! Searching a whole system, breadth-first.
//!
//! States are spread over the threads by their hash; each thread keeps the states that fall to
//! it in a set of its own and expands them. Whatever the number of threads, the levels of the
//! search are the same sets, and what is reported is chosen by a rule on those sets, so the
//! outcome is the same too. No parents are stored: a trace is found afterwards, backwards,
//! level by level.

mod backwards;
mod deep;
mod diamonds;
mod rows;
mod set;
mod stepper;
mod worker;

use std::sync::Barrier;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use quotient_core::{Context, Stop, What};

use crate::product::{Product, Target, Word, for_width};
use crate::stubborn::Stubborn;
use crate::{Action, Keep, Network};
use deep::search_deep;
use set::Levels;
use stepper::Stepper;
use worker::{Shared, Worker};

/// What to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Goals {
    /// States without any step in which not all components have ended.
    pub deadlock: bool,
    /// Components in their error state.
    pub error: bool,
}

impl Keep {
    /// What is looked for.
    fn goals(self) -> Goals {
        Goals {
            deadlock: self == Keep::Deadlocks,
            error: self != Keep::Deadlocks,
        }
    }
}

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Violation {
    /// A state without any step.
    Deadlock,
    /// The component with this number enters its error state.
    Error(usize),
}

/// The outcome of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exploration {
    /// How many states were met, the error state not counted.
    pub states: u64,
    /// How many steps were taken.
    pub transitions: u64,
    /// The length of the longest of the shortest ways to a state.
    pub depth: u64,
    /// A nearest violation with the events that lead to it, silent ones included.
    pub finding: Option<(Violation, Vec<Action>)>,
}

/// Searches a network for a nearest violation; without one, all of it.
///
/// Of several at the same distance a deadlock comes first, then the order of the packed
/// states decides.
pub fn explore(
    network: &Network,
    goals: Goals,
    threads: usize,
    cx: &Context,
) -> Result<Exploration, Stop> {
    let product = network.product()?;
    for_width!(product.words(), search(&product, goals, None, threads, cx))
}

/// Searches a part of a network that is enough to find a violation, if there is one.
///
/// Where components do much that does not matter to each other, that is a small part. The
/// states and transitions are those looked at.
///
/// ```
/// use quotient_compose::{Keep, LtsBuilder, Network, System, explore_reduced};
/// use quotient_core::{Budget, Context};
/// let mut system = System::new();
/// let steps: Vec<_> = (0..20)
///     .map(|number| {
///         let mut builder = LtsBuilder::new();
///         builder.edge(0, system.actions.intern(&format!("step.{number}")), 1);
///         system.process(format!("P{number}"), builder.build())
///     })
///     .collect();
/// system.parallel(steps);
/// let network = Network::new(&system, &Budget::unlimited()).unwrap();
/// let found = explore_reduced(&network, Keep::Deadlocks, 1, &Context::default()).unwrap();
/// // Of a million orders of the steps one is looked at.
/// assert_eq!(found.states, 21);
/// assert!(found.finding.is_some());
/// ```
pub fn explore_reduced(
    network: &Network,
    keep: Keep,
    threads: usize,
    cx: &Context,
) -> Result<Exploration, Stop> {
    let product = network.product()?;
    let goals = keep.goals();
    let stubborn = Stubborn::new(&product, keep, &cx.budget)?;
    for_width!(
        product.words(),
        search(&product, goals, Some(&stubborn), threads, cx)
    )
}

/// The same, depth-first and on one thread: a violation that lies deep is met sooner, by a way
/// that may be long. Without one, it looks at the same states.
pub fn explore_deep(network: &Network, keep: Keep, cx: &Context) -> Result<Exploration, Stop> {
    let product = network.product()?;
    let goals = keep.goals();
    let stubborn = Stubborn::new(&product, keep, &cx.budget)?;
    for_width!(
        product.words(),
        search_deep(&product, goals, &stubborn, &cx.budget)
    )
}

/// The nearest violation that one thread has seen in the present level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sighting<const W: usize> {
    Deadlock(Word<W>),
    Error(Word<W>, Action, usize),
}

fn search<const W: usize>(
    product: &Product,
    goals: Goals,
    stubborn: Option<&Stubborn<'_>>,
    threads: usize,
    cx: &Context,
) -> Result<Exploration, Stop> {
    let initial: Word<W> = match product.initial() {
        Target::State(state) => state,
        Target::Error(part) => {
            return Ok(Exploration {
                states: 0,
                transitions: 0,
                depth: 0,
                finding: goals.error.then(|| (Violation::Error(part), Vec::new())),
            });
        }
    };
    let threads = threads.clamp(1, 64);
    let began = Instant::now();
    let shared = Shared {
        product,
        stepper: match stubborn {
            None => Stepper::new(product),
            Some(_) => None,
        },
        stubborn,
        goals,
        barrier: Barrier::new(threads),
        mail: (0..threads * threads).map(|_| Mutex::default()).collect(),
        sighting: Mutex::new(None),
        stop: Mutex::new(None),
        busy: AtomicU64::new(0),
        fresh: AtomicU64::new(0),
        states: AtomicU64::new(0),
        transitions: AtomicU64::new(0),
        verdict: AtomicU64::new(0),
        last_told: Mutex::new(began),
        began,
        cx,
    };
    let mut levels: Vec<Levels<W>> = std::thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads)
            .map(|number| {
                let shared = &shared;
                scope.spawn(move || Worker::new(shared, number, threads).run(initial))
            })
            .collect();
        let own = Worker::new(&shared, 0, threads).run(initial);
        let mut all = vec![own];
        // A thread that panicked would have left the others waiting: there is none.
        all.extend(helpers.into_iter().filter_map(|helper| helper.join().ok()));
        all
    });
    if let Some(stop) = shared.stop.into_inner().ok().flatten() {
        return Err(stop);
    }
    let (states, transitions) = (
        shared.states.load(Relaxed),
        shared.transitions.load(Relaxed),
    );
    let seconds = began.elapsed().as_secs_f64().max(1e-9);
    cx.story.tell(|| What::Ended {
        outcome: "explored".into(),
        sizes: [
            ("states", states),
            ("transitions", transitions),
            ("states per second", (states as f64 / seconds) as u64),
            ("threads", threads as u64),
        ]
        .into(),
    });
    let depth = levels
        .iter()
        .map(|levels| levels.depth())
        .max()
        .unwrap_or(0) as u64;
    let finding = match shared.sighting.into_inner().ok().flatten() {
        None => None,
        Some(sighting) => {
            let (violation, last, action) = match sighting {
                Sighting::Deadlock(state) => (Violation::Deadlock, state, None),
                Sighting::Error(state, action, part) => {
                    (Violation::Error(part), state, Some(action))
                }
            };
            for levels in &mut levels {
                levels.forget_set();
            }
            let mut trace = backwards::trace(product, &levels, last, &cx.budget)?;
            trace.extend(action);
            Some((violation, trace))
        }
    };
    Ok(Exploration {
        states,
        transitions,
        depth,
        finding,
    })
}
