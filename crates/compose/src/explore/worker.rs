//! What each thread of a search does.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Barrier, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use quotient_core::{Context, Stop, What};

use super::set::{Levels, Met};
use super::stepper::{Desk, Stepper};
use super::{Goals, Sighting};
use crate::Action;
use crate::product::{Product, Scratch, Target, Word, hash};
use crate::stubborn::{Closure, Stubborn};

/// States expanded between two looks at the mail.
const BATCH: usize = 1 << 11;
/// States that are added together.
const TOGETHER: usize = 1 << 8;
/// States that are remembered beside the set, in a table small enough for the processor's own
/// memory: many states are met again soon after.
const RECENT: usize = 1 << 14;
/// Progress is told no more often than this.
const TELL_EVERY: Duration = Duration::from_millis(100);

/// What all threads need, and what they find.
pub(super) struct Shared<'a, const W: usize> {
    pub(super) product: &'a Product,
    /// The same, laid out for speed, if it fits.
    pub(super) stepper: Option<Stepper<'a, W>>,
    /// What to leave out, if not all is to be searched.
    pub(super) stubborn: Option<&'a Stubborn<'a>>,
    pub(super) goals: Goals,
    pub(super) sighting: Mutex<Option<Sighting<W>>>,
    pub(super) stop: Mutex<Option<Stop>>,
    pub(super) is_stopped: AtomicBool,
    pub(super) states: AtomicU64,
    pub(super) transitions: AtomicU64,
    pub(super) last_told: Mutex<Instant>,
    pub(super) began: Instant,
    pub(super) cx: &'a Context,
}

/// How the threads work together.
///
/// Whenever a thread has expanded some states, it sends those it met to their owners, and takes
/// in what the others sent. They wait for each other twice a level: for all mail to be sent,
/// and for all to know whether there is a next level.
pub(super) struct Team<const W: usize> {
    threads: usize,
    barrier: Barrier,
    /// `mail[from * threads + to]`: states that thread `from` met and thread `to` owns.
    mail: Vec<Mutex<Vec<Met<W>>>>,
    /// States for the next level, of all threads, by the last bit of the level. One is added to
    /// while the other is no longer read.
    fresh: [AtomicU64; 2],
}

impl<const W: usize> Team<W> {
    pub(super) fn new(threads: usize) -> Self {
        Team {
            threads,
            barrier: Barrier::new(threads),
            mail: (0..threads * threads).map(|_| Mutex::default()).collect(),
            fresh: Default::default(),
        }
    }

    /// The thread that keeps a state with this hash. It takes the low half: the set uses the
    /// high bits.
    #[inline]
    pub(super) fn owner(&self, hash: u64) -> usize {
        (((hash & 0xffff_ffff) * self.threads as u64) >> 32) as usize
    }
}

pub(super) struct Worker<'a, const W: usize> {
    shared: &'a Shared<'a, W>,
    team: &'a Team<W>,
    number: usize,
    levels: Levels<W>,
    /// States that this thread met, by the thread that keeps them.
    met: Vec<Vec<Met<W>>>,
    /// Room for mail.
    spare: Vec<Met<W>>,
    /// The last state met for each end of a hash.
    recent: Vec<Word<W>>,
    desk: Desk,
    scratch: Scratch,
    closure: Closure,
}

impl<'a, const W: usize> Worker<'a, W> {
    /// A thread with the states that it keeps; there is none of the next level yet.
    pub(super) fn new(
        shared: &'a Shared<'a, W>,
        team: &'a Team<W>,
        number: usize,
        levels: Levels<W>,
    ) -> Self {
        Worker {
            shared,
            team,
            number,
            levels,
            met: vec![Vec::new(); team.threads],
            spare: Vec::new(),
            recent: vec![[0; W]; RECENT],
            desk: Desk::default(),
            scratch: Scratch::default(),
            closure: Closure::default(),
        }
    }

    /// Searches the present level and those after it until the search is over or a level has
    /// more than so many states, which is then the present one. Gives back the states of this
    /// thread, and whether the search is over.
    pub(super) fn run(mut self, most: u64) -> (Levels<W>, bool) {
        loop {
            self.expand_level();
            let fresh = self.agree();
            if fresh == 0 {
                return (self.levels, true);
            }
            self.levels.next_level();
            if fresh > most {
                return (self.levels, false);
            }
        }
    }

    fn expand_level(&mut self) {
        let end = self.levels.level(self.levels.present()).len();
        for from in (0..end).step_by(BATCH) {
            if self.shared.is_stopped.load(Relaxed) {
                return;
            }
            self.expand(from, end.min(from + BATCH));
            if self.team.threads > 1 {
                self.send();
                self.take_in();
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
            let Met { state, by } = self.levels.met(number);
            let (team, met, recent) = (self.team, &mut self.met, &mut self.recent);
            let mut meet = |by: Action, target: Target<W>| match target {
                Target::State(state) => {
                    let hash = hash(&state);
                    let slot = &mut recent[hash as usize % RECENT];
                    if *slot != state {
                        *slot = state;
                        met[team.owner(hash)].push(Met { state, by });
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
            let own = &mut self.met[self.number];
            if own.len() >= TOGETHER {
                self.levels.insert_all(own);
                own.clear();
            }
            if goals.deadlock && steps == 0 && !product.has_ended(&state) {
                note(&mut sighting, Sighting::Deadlock(state));
            }
        }
        self.levels.insert_all(&self.met[self.number]);
        self.met[self.number].clear();
        self.account((until - from) as u64, transitions, sighting);
    }

    /// Adds to what all threads found, and stops them when the budget is used up.
    fn account(&mut self, states: u64, transitions: u64, sighting: Option<Sighting<W>>) {
        let shared = self.shared;
        shared.states.fetch_add(states, Relaxed);
        shared.transitions.fetch_add(transitions, Relaxed);
        if let Some(sighting) = sighting {
            note(&mut locked(&shared.sighting), sighting);
        }
        if let Err(stop) = shared.cx.budget.charge(states + self.closure.take_work()) {
            *locked(&shared.stop) = Some(stop);
            shared.is_stopped.store(true, Relaxed);
        }
        self.tell();
    }

    /// Sends states to their owners.
    fn send(&mut self) {
        for (to, met) in self.met.iter_mut().enumerate() {
            if to == self.number || met.is_empty() {
                continue;
            }
            let mut mail = locked(&self.team.mail[self.number * self.team.threads + to]);
            match mail.is_empty() {
                true => std::mem::swap(&mut *mail, met),
                false => mail.append(met),
            }
        }
    }

    /// Takes in the states that the others sent.
    fn take_in(&mut self) {
        for from in 0..self.team.threads {
            if from == self.number {
                continue;
            }
            let mail = &self.team.mail[from * self.team.threads + self.number];
            let mut states = std::mem::take(&mut self.spare);
            std::mem::swap(&mut states, &mut *locked(mail));
            for states in states.chunks(TOGETHER) {
                self.levels.insert_all(states);
            }
            states.clear();
            self.spare = states;
        }
    }

    /// Waits for the others, and gives the number of states that all have for the next level;
    /// none if there shall be no next level.
    fn agree(&mut self) -> u64 {
        let team = self.team;
        if team.threads > 1 {
            team.barrier.wait();
            self.take_in();
        }
        // Nobody expands states here, so all see the same.
        let is_over =
            self.shared.is_stopped.load(Relaxed) || locked(&self.shared.sighting).is_some();
        let mut fresh = self.levels.fresh() as u64;
        if team.threads > 1 {
            let parity = self.levels.present() % 2;
            if self.number == 0 {
                team.fresh[1 - parity].store(0, Relaxed);
            }
            team.fresh[parity].fetch_add(fresh, Relaxed);
            team.barrier.wait();
            fresh = team.fresh[parity].load(Relaxed);
        }
        if is_over { 0 } else { fresh }
    }

    fn tell(&self) {
        let shared = self.shared;
        if self.number > 0 || !shared.cx.story.is_heard() {
            return;
        }
        let mut last = locked(&shared.last_told);
        if last.elapsed() < TELL_EVERY {
            return;
        }
        *last = Instant::now();
        let states = shared.states.load(Relaxed);
        let seconds = shared.began.elapsed().as_secs_f64().max(1e-9);
        shared.cx.story.tell(|| What::Step {
            attempt: shared.cx.attempt,
            step: self.levels.present() as u64,
            sizes: [
                ("states", states),
                ("transitions", shared.transitions.load(Relaxed)),
                ("states per second", (states as f64 / seconds) as u64),
            ]
            .into(),
        });
    }
}

fn note<const W: usize>(best: &mut Option<Sighting<W>>, sighting: Sighting<W>) {
    if best.is_none_or(|best| sighting < best) {
        *best = Some(sighting);
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
