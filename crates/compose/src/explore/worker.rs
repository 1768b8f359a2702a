//! What each thread of a search does.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Barrier, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use quotient_core::{Context, Stop, What};

use super::set::{Levels, Met};
use super::stepper::{Desk, Stepper};
use super::{Goals, Sighting};
use crate::Action;
use crate::product::{Product, Scratch, Target, Word, hash};
use crate::stubborn::{Closure, Stubborn};

/// States expanded between two exchanges of mail.
const BATCH: usize = 1 << 13;
/// States that are added together.
const TOGETHER: usize = 1 << 8;
/// States that are remembered beside the set, in a table small enough for the processor's own
/// memory: many states are met again soon after.
const RECENT: usize = 1 << 14;
/// Progress is told no more often than this.
const TELL_EVERY: Duration = Duration::from_millis(100);

/// What the threads share. Between two barriers each field is either only added to or only
/// read.
pub(super) struct Shared<'a, const W: usize> {
    pub(super) product: &'a Product,
    /// The same, laid out for speed, if it fits.
    pub(super) stepper: Option<Stepper<'a, W>>,
    /// What to leave out, if not all is to be searched.
    pub(super) stubborn: Option<&'a Stubborn<'a>>,
    pub(super) goals: Goals,
    pub(super) barrier: Barrier,
    /// `mail[from * threads + to]`: states that thread `from` met and thread `to` owns.
    pub(super) mail: Vec<Mutex<Vec<Met<W>>>>,
    pub(super) sighting: Mutex<Option<Sighting<W>>>,
    pub(super) stop: Mutex<Option<Stop>>,
    /// Threads that have states of the present level left.
    pub(super) busy: AtomicU64,
    /// Threads that have states for the next level.
    pub(super) fresh: AtomicU64,
    pub(super) states: AtomicU64,
    pub(super) transitions: AtomicU64,
    /// What the leader decided: one of the constants below.
    pub(super) verdict: AtomicU64,
    pub(super) last_told: Mutex<Instant>,
    pub(super) began: Instant,
    pub(super) cx: &'a Context,
}

const SAME_LEVEL: u64 = 0;
const NEXT_LEVEL: u64 = 1;
const END: u64 = 2;

pub(super) struct Worker<'a, const W: usize> {
    shared: &'a Shared<'a, W>,
    number: usize,
    threads: usize,
    levels: Levels<W>,
    outgoing: Vec<Vec<Met<W>>>,
    /// States that this thread met and owns, to be added together.
    own: Vec<Met<W>>,
    /// The last state met for each end of a hash.
    recent: Vec<Word<W>>,
    desk: Desk,
    scratch: Scratch,
    closure: Closure,
}

impl<'a, const W: usize> Worker<'a, W> {
    pub(super) fn new(shared: &'a Shared<'a, W>, number: usize, threads: usize) -> Self {
        Worker {
            shared,
            number,
            threads,
            levels: Levels::new(),
            outgoing: vec![Vec::new(); threads],
            own: Vec::new(),
            recent: vec![[0; W]; RECENT],
            desk: Desk::default(),
            scratch: Scratch::default(),
            closure: Closure::default(),
        }
    }

    /// Searches until all threads are done, and gives back the states of this one.
    pub(super) fn run(mut self, initial: Word<W>) -> Levels<W> {
        let initial = Met {
            state: initial,
            hash: hash(&initial),
            by: Action::TAU,
        };
        if owner(initial.hash, self.threads) == self.number {
            self.levels.insert(&initial);
        }
        let (mut next, mut level, mut end) = (0, 0, self.levels.len());
        self.levels.next_level();
        loop {
            let until = end.min(next + BATCH);
            self.expand(next, until);
            next = until;
            self.exchange();
            if next < end {
                self.shared.busy.fetch_add(1, Relaxed);
            }
            if self.levels.len() > end {
                self.shared.fresh.fetch_add(1, Relaxed);
            }
            match self.agree(level) {
                SAME_LEVEL => {}
                NEXT_LEVEL => {
                    end = self.levels.len();
                    level += 1;
                    self.levels.next_level();
                }
                _ => return self.levels,
            }
        }
    }

    fn expand(&mut self, from: usize, until: usize) {
        let Shared {
            product,
            ref stepper,
            stubborn,
            goals,
            ..
        } = *self.shared;
        let (mut transitions, mut sighting) = (0, None);
        for number in from..until {
            let (state, by) = self.levels.state(number);
            let (own, outgoing) = (&mut self.own, &mut self.outgoing);
            let (number, threads, recent) = (self.number, self.threads, &mut self.recent);
            let mut meet = |by: Action, target: Target<W>| match target {
                Target::State(state) => {
                    let hash = hash(&state);
                    let slot = &mut recent[(hash >> 40) as usize % RECENT];
                    if *slot == state {
                        return;
                    }
                    *slot = state;
                    let met = Met { state, hash, by };
                    match owner(hash, threads) {
                        owner if owner == number => own.push(met),
                        owner => outgoing[owner].push(met),
                    }
                }
                Target::Error(part) if goals.error => {
                    note(&mut sighting, Sighting::Error(state, by, part));
                }
                Target::Error(_) => {}
            };
            let steps = match stepper {
                Some(stepper) => stepper.expand(&state, by, &mut self.desk, meet),
                None => {
                    let mut steps = 0;
                    let visit = |action, target| {
                        steps += 1;
                        meet(action, target);
                        ControlFlow::<()>::Continue(())
                    };
                    let _ = match stubborn {
                        Some(stubborn) => {
                            stubborn.expand(&state, &mut self.scratch, &mut self.closure, visit)
                        }
                        None => product.expand(&state, &mut self.scratch, visit),
                    };
                    steps
                }
            };
            transitions += steps;
            if self.own.len() >= TOGETHER {
                self.levels.insert_all(&self.own);
                self.own.clear();
            }
            if goals.deadlock && steps == 0 && !product.has_ended(&state) {
                note(&mut sighting, Sighting::Deadlock(state));
            }
        }
        self.levels.insert_all(&self.own);
        self.own.clear();
        let shared = self.shared;
        shared.states.fetch_add((until - from) as u64, Relaxed);
        shared.transitions.fetch_add(transitions, Relaxed);
        if let Some(sighting) = sighting {
            note(&mut locked(&shared.sighting), sighting);
        }
        if let Err(stop) = shared.cx.budget.charge((until - from) as u64) {
            *locked(&shared.stop) = Some(stop);
        }
    }

    /// Sends states to their owners and takes in the own ones.
    fn exchange(&mut self) {
        if self.threads == 1 {
            return;
        }
        for (to, states) in self.outgoing.iter_mut().enumerate() {
            if to != self.number {
                let mut mail = locked(&self.shared.mail[self.number * self.threads + to]);
                std::mem::swap(&mut *mail, states);
            }
        }
        self.shared.barrier.wait();
        for from in (0..self.threads).filter(|&from| from != self.number) {
            let mut mail = locked(&self.shared.mail[from * self.threads + self.number]);
            for states in mail.chunks(TOGETHER) {
                self.levels.insert_all(states);
            }
            mail.clear();
        }
    }

    /// Waits for the others; one thread decides for all how to go on.
    fn agree(&self, level: u64) -> u64 {
        let shared = self.shared;
        if shared.barrier.wait().is_leader() {
            let (busy, fresh) = (shared.busy.swap(0, Relaxed), shared.fresh.swap(0, Relaxed));
            let verdict = if locked(&shared.stop).is_some() {
                END
            } else if busy > 0 {
                SAME_LEVEL
            } else if fresh == 0 || locked(&shared.sighting).is_some() {
                END
            } else {
                NEXT_LEVEL
            };
            shared.verdict.store(verdict, Relaxed);
            self.tell(level);
        }
        shared.barrier.wait();
        shared.verdict.load(Relaxed)
    }

    fn tell(&self, level: u64) {
        let shared = self.shared;
        let mut last = locked(&shared.last_told);
        if !shared.cx.story.is_heard() || last.elapsed() < TELL_EVERY {
            return;
        }
        *last = Instant::now();
        let states = shared.states.load(Relaxed);
        let seconds = shared.began.elapsed().as_secs_f64().max(1e-9);
        shared.cx.story.tell(|| What::Step {
            attempt: shared.cx.attempt,
            step: level,
            sizes: [
                ("states", states),
                ("transitions", shared.transitions.load(Relaxed)),
                ("states per second", (states as f64 / seconds) as u64),
            ]
            .into(),
        });
    }
}

/// The thread that keeps the states with this hash. It takes the high half: the set uses the
/// low one.
#[inline]
fn owner(hash: u64, threads: usize) -> usize {
    ((hash >> 32) as usize * threads) >> 32
}

fn note<const W: usize>(best: &mut Option<Sighting<W>>, sighting: Sighting<W>) {
    if best.is_none_or(|best| sighting < best) {
        *best = Some(sighting);
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
