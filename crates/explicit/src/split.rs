//! Abstraction by a function on states: search of keys, and finer keys after a false alarm.
//!
//! A language that can tell which *key* a state has, and which keys can follow a key whatever state
//! stands behind it, implements [`Keys`]. [`Splitting`] then is a method of the one loop: it searches
//! the keys; a bad key that cannot be reached is a proof (the keys are an invariant that can be
//! checked without it), a path to one is followed with real states, and where these get stuck the
//! keys are split.

use std::ops::ControlFlow;

use quotient_core::{Attempt, Context, Method, Stop, What};

use crate::{Ending, Graph, Limits, Order, StateId, System, search};

/// The most real states that are followed along one path: steps with one label may lead to several.
const MOST_FOLLOWED: usize = 1_000;

/// A system seen through a function on its states, which can be made finer.
///
/// What must be true of it: the key of a state that the system begins with is a beginning of
/// [`keys`](Self::keys); a step of the system is a step of its keys with the same label, or both
/// states have the same key; and the key of a bad state [may be bad](Self::may_be_bad). There may
/// be more beginnings, steps and bad keys than that: they are false alarms.
pub trait Keys {
    /// The system itself.
    fn states(&self) -> &dyn System;

    /// The keys as a system.
    fn keys(&self) -> &dyn System;

    /// Writes the key of a state down.
    fn key(&self, state: &[u64], key: &mut Vec<u64>);

    /// Whether this state must not be reached.
    fn is_bad(&self, state: &[u64]) -> bool;

    /// Whether a state with this key may be bad.
    fn may_be_bad(&self, key: &[u64]) -> bool;

    /// Makes keys finer so that this path is none any more, and says in words what it did; nothing
    /// if it does not know how.
    fn split(&mut self, at: &DeadEnd) -> Option<String>;
}

/// Where a path of keys is no path of states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadEnd {
    /// The states that the path really leads to; none if no real one has the key that it begins with.
    pub states: Vec<Vec<u64>>,
    /// The step that none of them can take, and the key that it should lead to; nothing if the path
    /// is a real one to its end, but none of the states is bad.
    pub step: Option<(u32, Vec<u64>)>,
    /// How many steps of the path are real.
    pub real: usize,
}

/// Keys that contain the beginnings and all that follows, none of them bad.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closed {
    /// The keys, each once.
    pub keys: Vec<Vec<u64>>,
}

/// A real run to a bad state: where it begins, and its labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RealRun {
    /// The state that it begins in.
    pub start: Vec<u64>,
    /// The labels of its steps.
    pub labels: Vec<u32>,
}

/// Search of keys that are split after false alarms, as a method of the one loop.
///
/// ```
/// use quotient_core::{Conclusion, Context, run};
/// use quotient_explicit::{DeadEnd, Keys, Limits, Splitting, System};
///
/// /// A number below 1000 that grows by two; its key is what is left after a division.
/// struct Even { modulus: u64 }
/// struct Numbers;
/// impl System for Numbers {
///     fn width(&self) -> usize { 1 }
///     fn initial(&self, emit: &mut dyn FnMut(&[u64])) { emit(&[0]) }
///     fn successors(&self, at: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
///         if at[0] + 2 < 1000 { emit(0, &[at[0] + 2]) }
///         Ok(())
///     }
/// }
/// impl System for Even {
///     fn width(&self) -> usize { 1 }
///     fn initial(&self, emit: &mut dyn FnMut(&[u64])) { emit(&[0]) }
///     fn successors(&self, at: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
///         emit(0, &[(at[0] + 2) % self.modulus]);
///         Ok(())
///     }
/// }
/// impl Keys for Even {
///     fn states(&self) -> &dyn System { &Numbers }
///     fn keys(&self) -> &dyn System { self }
///     fn key(&self, state: &[u64], key: &mut Vec<u64>) { key.push(state[0] % self.modulus) }
///     fn is_bad(&self, state: &[u64]) -> bool { state[0] == 777 }
///     fn may_be_bad(&self, key: &[u64]) -> bool { key[0] == 777 % self.modulus }
///     fn split(&mut self, _: &DeadEnd) -> Option<String> {
///         self.modulus *= 2;
///         Some(format!("numbers are told apart modulo {}", self.modulus))
///     }
/// }
/// let mut even = Even { modulus: 1 };
/// let outcome = run(&mut Splitting::new(&mut even, Limits::default()), &mut Context::default());
/// let Conclusion::Holds(closed) = outcome.conclusion else { panic!("777 is odd") };
/// assert_eq!((closed.keys, outcome.refinements), (vec![vec![0]], 1));
/// ```
pub struct Splitting<'a, K: Keys + ?Sized> {
    keys: &'a mut K,
    limits: Limits,
    refined: u64,
}

impl<'a, K: Keys + ?Sized> Splitting<'a, K> {
    /// Begins with the keys as they are; no attempt looks at more of them than the limits say.
    pub fn new(keys: &'a mut K, limits: Limits) -> Splitting<'a, K> {
        Splitting {
            keys,
            limits,
            refined: 0,
        }
    }

    /// Follows a path of keys with real states.
    fn follow(&self, graph: &Graph, id: StateId, cx: &Context) -> Result<Followed, Stop> {
        let mut path = vec![(id, None)];
        while let Some((before, label)) = path.last().and_then(|last| graph.before(last.0)) {
            if let Some(last) = path.last_mut() {
                last.1 = Some(label);
            }
            path.push((before, None));
        }
        path.reverse();
        let system = self.keys.states();
        let first = graph.state(path[0].0);
        let mut level: Vec<Real> = Vec::new();
        system.initial(&mut |state| {
            if level.len() < MOST_FOLLOWED && self.has(state, &first) {
                level.push(Real::new(state, 0));
            }
        });
        if level.is_empty() {
            let (states, step, real) = (Vec::new(), None, 0);
            return Ok(Followed::No(DeadEnd { states, step, real }));
        }
        let mut levels = vec![level];
        for (real, &(key, label)) in path[1..].iter().enumerate() {
            let (Some(label), Some(last)) = (label, levels.last()) else {
                break;
            };
            let key = graph.state(key);
            let next = self.next(last, label, &key, cx)?;
            if next.is_empty() {
                let states = last.iter().map(|one| one.state.clone()).collect();
                let step = Some((label, key));
                return Ok(Followed::No(DeadEnd { states, step, real }));
            }
            levels.push(next);
        }
        let labels: Vec<u32> = path.iter().filter_map(|one| one.1).collect();
        Ok(self.end(&levels, labels))
    }

    fn has(&self, state: &[u64], key: &[u64]) -> bool {
        let mut own = Vec::with_capacity(key.len());
        self.keys.key(state, &mut own);
        own == key
    }

    /// The states with a key that steps with a label lead to.
    fn next(
        &self,
        from: &[Real],
        label: u32,
        key: &[u64],
        cx: &Context,
    ) -> Result<Vec<Real>, Stop> {
        let mut all: Vec<Real> = Vec::new();
        for (number, one) in from.iter().enumerate() {
            cx.budget.charge(1)?;
            let emit = &mut |by: u32, state: &[u64]| {
                let new = by == label && all.len() < MOST_FOLLOWED && self.has(state, key);
                if new && !all.iter().any(|old| old.state == state) {
                    all.push(Real::new(state, number));
                }
            };
            let fits = self.keys.states().successors(&one.state, emit);
            fits.map_err(|_| Stop::inconclusive("a state on the way does not fit"))?;
        }
        Ok(all)
    }

    /// All steps are real: whether one of the last states is bad.
    fn end(&self, levels: &[Vec<Real>], labels: Vec<u32>) -> Followed {
        let last = levels.len() - 1;
        let bad = |one: &Real| self.keys.is_bad(&one.state);
        let Some(mut at) = levels[last].iter().position(bad) else {
            let states = levels[last].iter().map(|one| one.state.clone()).collect();
            let (step, real) = (None, labels.len());
            return Followed::No(DeadEnd { states, step, real });
        };
        for level in levels[1..].iter().rev() {
            at = level[at].before;
        }
        let start = levels[0][at].state.clone();
        Followed::Yes(RealRun { start, labels })
    }
}

/// A real state, and which of those before it leads to it.
struct Real {
    state: Vec<u64>,
    before: usize,
}

impl Real {
    fn new(state: &[u64], before: usize) -> Real {
        let state = state.to_vec();
        Real { state, before }
    }
}

/// What becomes of a path of keys.
enum Followed {
    Yes(RealRun),
    No(DeadEnd),
}

impl<K: Keys + ?Sized> Method for Splitting<'_, K> {
    type Proof = Closed;
    type Trace = RealRun;
    type Spurious = DeadEnd;

    fn attempt(&mut self, cx: &mut Context) -> Result<Attempt<Closed, RealRun, DeadEnd>, Stop> {
        let mut found = None;
        let visit = &mut |_: &Graph, id: StateId, key: &[u64], _: usize| {
            if self.keys.may_be_bad(key) {
                found = Some(id);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let system = self.keys.keys();
        let (graph, ending) = search(system, Order::Breadth, &self.limits, &cx.budget, visit);
        match ending {
            Ending::Complete | Ending::Enough => {}
            Ending::Unfit(_) => return Err(Stop::inconclusive("a key does not fit")),
            Ending::Stopped(stop) => return Err(stop),
        }
        let Some(id) = found else {
            let keys = StateId::all(graph.len())
                .map(|id| graph.state(id))
                .collect();
            return Ok(Attempt::Proved(Closed { keys }));
        };
        let dead_end = match self.follow(&graph, id, cx)? {
            Followed::Yes(run) => return Ok(Attempt::Refuted(run)),
            Followed::No(dead_end) => dead_end,
        };
        let (keys, real) = (graph.len() as u64, dead_end.real as u64);
        cx.story.tell(|| What::FalseAlarm {
            attempt: cx.attempt,
            sizes: [("keys", keys), ("real steps", real)].into(),
        });
        Ok(Attempt::FalseAlarm(dead_end))
    }

    fn refine(&mut self, dead_end: DeadEnd, cx: &mut Context) -> Result<(), Stop> {
        let Some(detail) = self.keys.split(&dead_end) else {
            return Err(Stop::inconclusive("the keys cannot be split further"));
        };
        self.refined += 1;
        cx.story.tell(|| What::Refined {
            refinement: self.refined,
            detail,
            sizes: [].into(),
        });
        Ok(())
    }
}
