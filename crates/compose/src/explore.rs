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

#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock};
use std::time::Instant;

use quotient_core::{Context, Stop, What};

use crate::product::{Product, Target, Word, for_width, hash};
use crate::stubborn::Stubborn;
use crate::{Action, Keep, Network};
use deep::search_deep;
use set::{Levels, Met};
use stepper::{MOST_ENTRIES, Stepper};
use worker::{Shared, Team, Worker};

/// Levels with at most this many states are searched by one thread: the others would hardly be
/// there in time.
const NARROW: u64 = 1 << 11;

/// How a search is laid out; only its speed depends on it.
#[derive(Debug, Clone, Copy)]
struct Layout {
    /// Levels with at most so many states are searched by one thread.
    narrow: u64,
    /// The most entries of the tables of steps.
    entries: usize,
}

/// Whole systems as they are searched.
const USUAL: Layout = Layout {
    narrow: NARROW,
    entries: MOST_ENTRIES,
};

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
    pub(crate) fn goals(self) -> Goals {
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
    for_width!(
        product.words(),
        search(&product, goals, None, threads, USUAL, cx)
    )
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
    network.refuse_priorities()?;
    let product = network.product()?;
    let goals = keep.goals();
    let stubborn = Stubborn::new(&product, keep, &cx.budget)?;
    for_width!(
        product.words(),
        search(&product, goals, Some(&stubborn), threads, USUAL, cx)
    )
}

/// The same, depth-first and on one thread: a violation that lies deep is met sooner, by a way
/// that may be long. Without one, it looks at the same states.
pub fn explore_deep(network: &Network, keep: Keep, cx: &Context) -> Result<Exploration, Stop> {
    network.refuse_priorities()?;
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
    layout: Layout,
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
            None => Stepper::new(product, layout.entries),
            Some(_) => None,
        },
        stubborn,
        goals,
        sighting: Mutex::new(None),
        stop: Mutex::new(None),
        is_stopped: AtomicBool::new(false),
        states: AtomicU64::new(0),
        transitions: AtomicU64::new(0),
        last_told: Mutex::new(began),
        began,
        cx,
    };
    let mut levels = search_levels(&shared, initial, threads, layout.narrow);
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

/// Searches alone while levels are narrow, and then with all threads. Gives the lists of all
/// that searched; some states of the first may be in others too.
fn search_levels<const W: usize>(
    shared: &Shared<'_, W>,
    initial: Word<W>,
    threads: usize,
    narrow: u64,
) -> Vec<Levels<W>> {
    let mut levels = Levels::new(0);
    levels.insert_all(&[Met {
        state: initial,
        by: Action::TAU,
    }]);
    levels.next_level();
    let most = match threads {
        1 => u64::MAX,
        _ => narrow,
    };
    let (mut alone, is_over) = Worker::new(shared, &Team::new(1), 0, levels).run(most);
    alone.forget_set();
    if is_over {
        return vec![alone];
    }
    // Who is in it is known when all threads that can be started are.
    let team = OnceLock::new();
    let run = |number: usize, team: &Team<W>| {
        let levels = kept(&alone, |state| team.owner(hash(state)) == number);
        Worker::new(shared, team, number, levels).run(u64::MAX).0
    };
    let mut all: Vec<Levels<W>> = std::thread::scope(|scope| {
        let (team, run) = (&team, &run);
        let helpers: Vec<_> = (1..threads)
            .map_while(|number| {
                let thread = std::thread::Builder::new();
                let helper = move || run(number, team.wait());
                thread.spawn_scoped(scope, helper).ok()
            })
            .collect();
        let own = run(0, team.get_or_init(|| Team::new(1 + helpers.len())));
        // A thread that panicked would have left the others waiting: there is none.
        let others = helpers.into_iter().filter_map(|helper| helper.join().ok());
        std::iter::once(own).chain(others).collect()
    });
    all.push(alone);
    all
}

/// The part of some states that one thread keeps, ready to search the present level.
fn kept<const W: usize>(all: &Levels<W>, is_kept: impl Fn(&Word<W>) -> bool) -> Levels<W> {
    let present = all.level(all.present());
    let before = &all.states()[..all.states().len() - present.len()];
    let mut levels = Levels::new(all.present());
    levels.know(before.iter().copied().filter(|state| is_kept(state)));
    for number in 0..present.len() {
        let met = all.met(number);
        if is_kept(&met.state) {
            levels.insert_all(&[met]);
        }
    }
    levels.next_level();
    levels
}
