//! How much an engine may use.

use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};

use crate::Stop;

/// A share of time, memory and work, with a way to call it off.
///
/// Clones share one allowance. [`Budget::poll`] is a relaxed load or two, so inner loops call
/// it freely: the clock and the memory are watched by a small thread that exists only while a
/// deadline or a ceiling is set. (Where no thread can be started, polls look at them now and
/// then.) A [`child`](Budget::child) stops when its parent does, and can be stopped alone.
///
/// ```
/// use quotient_core::{Budget, Stop};
/// let budget = Budget::unlimited();
/// assert_eq!(budget.poll(), Ok(()));
/// budget.interrupt();
/// assert_eq!(budget.poll(), Err(Stop::Interrupted));
/// ```
#[derive(Debug, Clone)]
pub struct Budget(Arc<Share>);

#[derive(Debug)]
struct Share {
    /// 0 or [`UNWATCHED`] while running, else the code of a [`Stop`].
    stopped: AtomicU8,
    /// What polls have to look at, where no thread does.
    limits: OnceLock<Limits>,
    work_done: AtomicU64,
    work_limit: u64,
    /// The ceiling on memory in bytes, for those who size their tables by it.
    memory: Option<u64>,
    parent: Option<Budget>,
}

const TIME: u8 = 1;
const MEMORY: u8 = 2;
const WORK: u8 = 3;
const INTERRUPTED: u8 = 4;
const SUPERSEDED: u8 = 5;
/// It goes on, and no thread watches over it.
const UNWATCHED: u8 = 6;

/// How often the watching thread looks at the clock and the memory.
const WATCH_EVERY: Duration = Duration::from_millis(5);

impl Budget {
    /// No limit but cancellation.
    pub fn unlimited() -> Budget {
        Budget::share(None, u64::MAX, None)
    }

    /// A budget with a deadline from now and a ceiling on the resident memory of the process,
    /// in bytes; `None` sets no limit. (Memory is read from `/proc`; where there is none, the
    /// ceiling is not watched.)
    pub fn new(time: Option<Duration>, memory: Option<u64>) -> Budget {
        let budget = Budget::share(None, u64::MAX, memory);
        budget.watch(time, memory);
        budget
    }

    /// A budget that stops when this one does, and can be stopped alone.
    pub fn child(&self) -> Budget {
        Budget::share(Some(self.clone()), u64::MAX, self.0.memory)
    }

    /// A child with a deadline of its own.
    pub fn child_for(&self, time: Duration) -> Budget {
        let child = self.child();
        child.watch(Some(time), None);
        child
    }

    /// A child with a ceiling of its own on the resident memory of the process, in bytes.
    pub fn child_within(&self, memory: u64) -> Budget {
        let child = Budget::share(Some(self.clone()), u64::MAX, Some(memory));
        child.watch(None, Some(memory));
        child
    }

    /// A child with the ceiling that careful work has where nobody set one: half of the memory of
    /// the machine, or of what the process may address if that is less. The same budget where
    /// there is a ceiling already, or where the machine does not say.
    pub fn child_careful(&self) -> Budget {
        match (self.0.memory, machine_memory()) {
            (None, Some(memory)) => self.child_within(memory / 2),
            _ => self.clone(),
        }
    }

    /// A child that may [`charge`](Budget::charge) a number of work units: a limit that does
    /// not depend on the clock, so that runs are repeatable.
    pub fn child_with_work(&self, units: u64) -> Budget {
        Budget::share(Some(self.clone()), units, self.0.memory)
    }

    /// The ceiling on memory in bytes, if there is one: tables are sized by it.
    pub fn memory_limit(&self) -> Option<u64> {
        self.0.memory
    }

    fn share(parent: Option<Budget>, work_limit: u64, memory: Option<u64>) -> Budget {
        Budget(Arc::new(Share {
            stopped: AtomicU8::new(0),
            limits: OnceLock::new(),
            work_done: AtomicU64::new(0),
            work_limit,
            memory,
            parent,
        }))
    }

    /// Whether to go on. Call it at least every few thousand elementary steps.
    #[inline]
    pub fn poll(&self) -> Result<(), Stop> {
        let mut share = &self.0;
        loop {
            let code = share.stopped.load(Relaxed);
            if code != 0 {
                look(share, code)?;
            }
            match &share.parent {
                Some(parent) => share = &parent.0,
                None => return Ok(()),
            }
        }
    }

    /// Counts work units against this budget and its ancestors, then polls.
    pub fn charge(&self, units: u64) -> Result<(), Stop> {
        let mut share = &self.0;
        loop {
            let done = share
                .work_done
                .fetch_add(units, Relaxed)
                .saturating_add(units);
            if done > share.work_limit {
                stop(share, WORK);
            }
            match &share.parent {
                Some(parent) => share = &parent.0,
                None => break,
            }
        }
        self.poll()
    }

    /// The work units charged so far.
    pub fn work_done(&self) -> u64 {
        self.0.work_done.load(Relaxed)
    }

    /// The user asks to stop (Ctrl-C).
    pub fn interrupt(&self) {
        stop(&self.0, INTERRUPTED);
    }

    /// The answer is known from elsewhere.
    pub fn supersede(&self) {
        stop(&self.0, SUPERSEDED);
    }

    fn watch(&self, time: Option<Duration>, memory: Option<u64>) {
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        if time.is_some_and(|time| time.is_zero()) {
            stop(&self.0, TIME);
            return;
        }
        if deadline.is_none() && memory.is_none() {
            return;
        }
        // Tables grow by leaps, and what is under way is finished: it is called off a little early,
        // so that what is used in the end is about what was allowed.
        let memory = memory.map(|ceiling| ceiling - ceiling / 8);
        let share = Arc::downgrade(&self.0);
        let watch = move || keep_watch(&share, deadline, memory);
        if std::thread::Builder::new().spawn(watch).is_err() {
            self.watch_by_polls(deadline, memory);
        }
    }

    fn watch_by_polls(&self, deadline: Option<Instant>, memory: Option<u64>) {
        let limits = Limits {
            deadline,
            memory,
            left: AtomicU32::new(0),
            pause: AtomicU32::new(1),
            looked: AtomicU64::new(0),
            began: Instant::now(),
        };
        // A budget is watched once.
        let _ = self.0.limits.set(limits);
        stop(&self.0, UNWATCHED);
    }
}

/// What polls look at where no thread can be started. The clock costs more than a poll, so that
/// it is looked at after some polls only: after more of them where they follow each other
/// quickly, after each where they do not.
#[derive(Debug)]
struct Limits {
    deadline: Option<Instant>,
    memory: Option<u64>,
    /// Polls until the next look.
    left: AtomicU32,
    /// Polls between two looks.
    pause: AtomicU32,
    /// When the last look was, in microseconds since the beginning.
    looked: AtomicU64,
    began: Instant,
}

/// The most polls between two looks.
const LONGEST_PAUSE: u32 = 1 << 12;

impl Limits {
    /// Why to stop, if it is time to look and to stop.
    fn look(&self) -> Option<u8> {
        let left = self.left.load(Relaxed);
        if left > 0 {
            self.left.store(left - 1, Relaxed);
            return None;
        }
        let now = Instant::now();
        let at = now.duration_since(self.began);
        let at = u64::try_from(at.as_micros()).unwrap_or(u64::MAX);
        let passed = at.saturating_sub(self.looked.swap(at, Relaxed));
        let pause = match passed {
            ..500 => self.pause.load(Relaxed).saturating_mul(2),
            500..2_000 => self.pause.load(Relaxed),
            _ => self.pause.load(Relaxed) / 4,
        };
        let pause = pause.clamp(1, LONGEST_PAUSE);
        self.pause.store(pause, Relaxed);
        self.left.store(pause - 1, Relaxed);
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Some(TIME);
        }
        let used = self
            .memory
            .and_then(|ceiling| Some((resident_memory()?, ceiling)));
        used.is_some_and(|(used, ceiling)| used > ceiling)
            .then_some(MEMORY)
    }
}

/// What a code that is not 0 means for who polls.
#[cold]
fn look(share: &Share, code: u8) -> Result<(), Stop> {
    if code != UNWATCHED {
        return Err(stop_of(code));
    }
    match share.limits.get().and_then(Limits::look) {
        Some(found) => {
            stop(share, found);
            // Another thread may have been first with a reason of its own.
            Err(stop_of(share.stopped.load(Relaxed)))
        }
        None => Ok(()),
    }
}

impl Default for Budget {
    fn default() -> Self {
        Budget::unlimited()
    }
}

/// Runs until the budget is stopped or dropped.
fn keep_watch(share: &Weak<Share>, deadline: Option<Instant>, memory: Option<u64>) {
    loop {
        {
            let Some(share) = share.upgrade() else { return };
            if share.stopped.load(Relaxed) != 0 {
                return;
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                stop(&share, TIME);
            }
            if memory.is_some_and(|ceiling| resident_memory().is_some_and(|used| used > ceiling)) {
                stop(&share, MEMORY);
            }
        }
        let left = deadline.map(|at| at.saturating_duration_since(Instant::now()));
        std::thread::sleep(left.map_or(WATCH_EVERY, |left| left.min(WATCH_EVERY)));
    }
}

/// The first reason to stop is kept.
fn stop(share: &Share, code: u8) {
    let runs = |now: u8| (now == 0 || now == UNWATCHED).then_some(code);
    let _ = share.stopped.fetch_update(Relaxed, Relaxed, runs);
}

fn stop_of(code: u8) -> Stop {
    match code {
        TIME => Stop::Time,
        MEMORY => Stop::Memory,
        WORK => Stop::Work,
        SUPERSEDED => Stop::Superseded,
        _ => Stop::Interrupted,
    }
}

/// The memory of this module in bytes: it never gives any back.
#[cfg(target_family = "wasm")]
fn resident_memory() -> Option<u64> {
    const PAGE: u64 = 64 << 10;
    u64::try_from(core::arch::wasm32::memory_size::<0>())
        .ok()?
        .checked_mul(PAGE)
}

/// The resident memory of this process in bytes.
#[cfg(not(target_family = "wasm"))]
fn resident_memory() -> Option<u64> {
    // `statm` counts pages; Linux on the machines we build for has pages of 4 KiB.
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// The memory of this machine in bytes, or the most that this process may address.
fn machine_memory() -> Option<u64> {
    let number_after = |path: &str, name: &str| -> Option<u64> {
        let text = std::fs::read_to_string(path).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_ascii_whitespace().next()?.parse().ok()
    };
    let machine = number_after("/proc/meminfo", "MemTotal:")?.checked_mul(1024)?;
    let process = number_after("/proc/self/limits", "Max address space");
    Some(process.map_or(machine, |process| process.min(machine)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait_for_stop(budget: &Budget) -> Stop {
        let patience = Instant::now() + Duration::from_secs(30);
        while Instant::now() < patience {
            if let Err(stop) = budget.poll() {
                return stop;
            }
            std::thread::yield_now();
        }
        panic!("the budget never stopped");
    }

    #[test]
    fn deadline_stops_budget_and_children() {
        let budget = Budget::new(Some(Duration::from_millis(1)), None);
        let child = budget.child();
        assert_eq!(wait_for_stop(&child), Stop::Time);
    }

    #[test]
    fn no_time_stops_at_once() {
        assert_eq!(
            Budget::new(Some(Duration::ZERO), None).poll(),
            Err(Stop::Time)
        );
    }

    #[test]
    fn a_time_beyond_the_clock_is_no_deadline() {
        assert_eq!(Budget::new(Some(Duration::MAX), None).poll(), Ok(()));
    }

    #[test]
    fn memory_ceiling_stops() {
        if resident_memory().is_some() {
            assert_eq!(wait_for_stop(&Budget::new(None, Some(1))), Stop::Memory);
        }
    }

    #[test]
    fn a_ceiling_of_a_child_stops_it_alone() {
        if resident_memory().is_some() {
            let budget = Budget::unlimited();
            let child = budget.child_within(1);
            assert_eq!(wait_for_stop(&child), Stop::Memory);
            assert_eq!(budget.poll(), Ok(()));
        }
    }

    #[test]
    fn without_threads_polls_look_at_the_clock() {
        let budget = Budget::unlimited();
        let at = Instant::now() + Duration::from_millis(5);
        budget.watch_by_polls(Some(at), None);
        let child = budget.child();
        assert_eq!(child.poll(), Ok(()));
        assert_eq!(wait_for_stop(&child), Stop::Time);
        assert!(Instant::now() >= at);
        assert_eq!(budget.poll(), Err(Stop::Time));
    }

    #[test]
    fn without_threads_looks_are_rare_where_polls_are_quick() {
        let limits = |looked: Duration| Limits {
            deadline: None,
            memory: None,
            left: AtomicU32::new(0),
            pause: AtomicU32::new(64),
            looked: AtomicU64::new(0),
            began: Instant::now()
                .checked_sub(looked)
                .unwrap_or_else(Instant::now),
        };
        let slow = limits(Duration::from_secs(2));
        assert_eq!(slow.look(), None);
        assert_eq!(slow.left.load(Relaxed), 64 / 4 - 1);
        let past = Limits {
            deadline: Some(Instant::now()),
            left: AtomicU32::new(10),
            ..limits(Duration::from_secs(2))
        };
        let looks: Vec<Option<u8>> = (0..11).map(|_| past.look()).collect();
        assert_eq!(looks[..10], [None; 10]);
        assert_eq!(looks[10], Some(TIME));
    }

    #[test]
    fn without_threads_memory_and_interruption_stop() {
        if resident_memory().is_some() {
            let budget = Budget::unlimited();
            budget.watch_by_polls(None, Some(1));
            assert_eq!(wait_for_stop(&budget), Stop::Memory);
        }
        let budget = Budget::unlimited();
        budget.watch_by_polls(None, None);
        for _ in 0..100 {
            assert_eq!(budget.poll(), Ok(()));
        }
        budget.interrupt();
        budget.supersede();
        assert_eq!(budget.poll(), Err(Stop::Interrupted));
    }

    #[test]
    fn careful_work_has_a_ceiling() {
        let given = Budget::new(None, Some(7 << 40));
        assert_eq!(given.child_careful().memory_limit(), Some(7 << 40));
        let careful = Budget::unlimited().child_careful();
        assert_eq!(careful.memory_limit().is_some(), machine_memory().is_some());
    }

    #[test]
    fn child_stops_alone() {
        let budget = Budget::unlimited();
        let child = budget.child();
        child.supersede();
        assert_eq!(child.poll(), Err(Stop::Superseded));
        assert_eq!(budget.poll(), Ok(()));
    }

    #[test]
    fn first_reason_is_kept() {
        let budget = Budget::unlimited();
        budget.interrupt();
        budget.supersede();
        assert_eq!(budget.poll(), Err(Stop::Interrupted));
    }

    #[test]
    fn work_is_counted_up_to_the_limit() {
        let budget = Budget::unlimited();
        let child = budget.child_with_work(10);
        assert_eq!(child.charge(10), Ok(()));
        assert_eq!(child.charge(1), Err(Stop::Work));
        assert_eq!(budget.poll(), Ok(()));
        assert_eq!(budget.work_done(), 11);
    }
}
