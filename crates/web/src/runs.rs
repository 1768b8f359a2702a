//! Work that takes longer: queued, told as it goes, and called off when nobody wants it.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use quotient_core::{Budget, Event, Sink, What};
use serde_json::{Value, json};

/// The most runs that wait or work; more are refused.
const MOST_WAITING: usize = 100;
/// The most runs that are kept after their end, to be asked about.
const MOST_KEPT: usize = 30;
/// The most events of a story that are kept of each run; of those that only count, fewer.
const MOST_EVENTS: usize = 6_000;
const MOST_STEPS: usize = 3_000;

/// One piece of work.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) id: String,
    pub(crate) verb: String,
    pub(crate) budget: Budget,
    /// Who hears every event at once, if there is somebody.
    outlet: Option<Outlet>,
    inner: Mutex<Inner>,
    changed: Condvar,
}

/// Takes the events of a run as they come.
pub(crate) struct Outlet(pub(crate) Box<dyn Fn(&str, &Value) + Send + Sync>);

impl std::fmt::Debug for Outlet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Outlet")
    }
}

#[derive(Debug, Default)]
struct Inner {
    /// Events as they are sent: a name and a value.
    events: Vec<(&'static str, Value)>,
    steps: usize,
    left_out: usize,
    /// The last time that a step was told although there were too many.
    told: Option<Instant>,
    /// The whole answer, once it is there.
    report: Option<Value>,
    listeners: usize,
    began: bool,
}

impl Run {
    fn new(id: String, verb: &str, budget: Budget, outlet: Option<Outlet>) -> Arc<Run> {
        Arc::new(Run {
            id,
            verb: verb.to_owned(),
            budget,
            outlet,
            inner: Mutex::default(),
            changed: Condvar::new(),
        })
    }

    /// Works at once, on this thread, and gives the whole answer.
    pub(crate) fn alone(
        verb: &str,
        budget: Budget,
        outlet: Outlet,
        work: impl FnOnce(&Arc<Run>),
    ) -> Value {
        let run = Run::new("1".to_owned(), verb, budget, Some(outlet));
        run.begin();
        work(&run);
        run.finish(interrupted(&run.verb));
        run.report().unwrap_or_default()
    }

    /// Says that the work begins; a run that was called off before does not begin.
    fn begin(&self) -> bool {
        {
            let mut inner = self.lock();
            if inner.report.is_some() {
                return false;
            }
            inner.began = true;
        }
        self.tell("began", json!({}));
        true
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, inner: &mut Inner, name: &'static str, value: Value) {
        if let Some(Outlet(hear)) = &self.outlet {
            hear(name, &value);
        }
        inner.events.push((name, value));
        self.changed.notify_all();
    }

    /// Tells whoever listens.
    pub(crate) fn tell(&self, name: &'static str, value: Value) {
        let mut inner = self.lock();
        if inner.report.is_none() {
            self.push(&mut inner, name, value);
        }
    }

    /// Ends the run with the whole answer. Only the first end counts.
    pub(crate) fn finish(&self, report: Value) {
        let mut inner = self.lock();
        if inner.report.is_none() {
            let left_out = inner.left_out;
            let end = json!({
                "exit": report["exit"], "verdict": report["verdict"], "because": report["because"],
                "diagnostics": report["diagnostics"], "leftOut": left_out,
            });
            self.push(&mut inner, "done", end);
            inner.report = Some(report);
        }
    }

    /// The whole answer, once it is there.
    pub(crate) fn report(&self) -> Option<Value> {
        self.lock().report.clone()
    }

    /// Calls it off. A run that has not begun ends at once, others within their time of grace.
    pub(crate) fn cancel(&self) {
        self.budget.interrupt();
        let began = self.lock().began;
        if !began {
            self.finish(interrupted(&self.verb));
        }
    }

    /// The events from a number on; waits for a moment if there are none. The flag says that
    /// there will be no more.
    pub(crate) fn events(&self, from: usize, wait: Duration) -> (Vec<(&'static str, Value)>, bool) {
        let inner = self.lock();
        let quiet = |inner: &mut Inner| inner.events.len() <= from && inner.report.is_none();
        let waited = self.changed.wait_timeout_while(inner, wait, quiet);
        let (inner, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let new = inner.events.get(from..).unwrap_or_default().to_vec();
        (new, inner.report.is_some())
    }

    /// Somebody begins to listen.
    pub(crate) fn listen(&self) {
        self.lock().listeners += 1;
    }

    /// Somebody went away; what nobody listens to any more is called off.
    pub(crate) fn leave(&self) {
        let nobody = {
            let mut inner = self.lock();
            inner.listeners = inner.listeners.saturating_sub(1);
            inner.listeners == 0 && inner.report.is_none()
        };
        if nobody {
            self.cancel();
        }
    }
}

fn interrupted(verb: &str) -> Value {
    let report = quotient_report::Report {
        verb: verb.to_owned(),
        exit: 2,
        verdict: Some(quotient_core::Verdict::Unknown(
            quotient_core::Stop::Interrupted,
        )),
        ..quotient_report::Report::default()
    };
    report.to_json()
}

/// A story is told to those who listen to its run.
impl Sink for Run {
    fn hear(&self, event: &Event) {
        let mut inner = self.lock();
        let is_step = matches!(event.what, What::Step { .. });
        let full = inner.events.len() >= MOST_EVENTS || (is_step && inner.steps >= MOST_STEPS);
        if full {
            inner.left_out += 1;
            // That it goes on is still told, now and then.
            let soon = inner
                .told
                .is_some_and(|at| at.elapsed() < Duration::from_millis(500));
            if soon || inner.events.len() >= 4 * MOST_EVENTS {
                return;
            }
            inner.told = Some(Instant::now());
        }
        inner.steps += usize::from(is_step);
        if inner.report.is_none()
            && let Ok(value) = serde_json::to_value(event)
        {
            self.push(&mut inner, "story", value);
        }
    }
}

type Work = Box<dyn FnOnce(&Arc<Run>) + Send>;

/// All runs: those that wait, and those that are known.
#[derive(Default)]
pub(crate) struct Runs {
    inner: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<(Arc<Run>, Work)>,
    known: VecDeque<Arc<Run>>,
    counted: u64,
    closed: bool,
}

impl Runs {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a piece of work; nothing if there are too many.
    pub(crate) fn add(
        &self,
        verb: &str,
        budget: Budget,
        work: impl FnOnce(&Arc<Run>) + Send + 'static,
    ) -> Option<Arc<Run>> {
        let mut queue = self.lock();
        if queue.closed || queue.waiting.len() >= MOST_WAITING {
            return None;
        }
        queue.counted += 1;
        let run = Run::new(queue.counted.to_string(), verb, budget, None);
        run.tell("queued", json!({ "before": queue.waiting.len() }));
        queue.known.push_back(run.clone());
        queue.waiting.push_back((run.clone(), Box::new(work)));
        let ended = |run: &Arc<Run>| run.lock().report.is_some();
        while queue.known.len() > MOST_KEPT {
            let Some(oldest) = queue.known.iter().position(ended) else {
                break;
            };
            queue.known.remove(oldest);
        }
        self.changed.notify_one();
        Some(run)
    }

    /// A run by its id.
    pub(crate) fn get(&self, id: &str) -> Option<Arc<Run>> {
        self.lock().known.iter().find(|run| run.id == id).cloned()
    }

    /// Works on what waits until [`close`](Runs::close).
    pub(crate) fn work(&self) {
        loop {
            let mut queue = self.lock();
            let (run, work) = loop {
                if queue.closed {
                    return;
                }
                match queue.waiting.pop_front() {
                    Some(next) => break next,
                    None => {
                        let waited = self.changed.wait(queue);
                        queue = waited.unwrap_or_else(PoisonError::into_inner);
                    }
                }
            };
            drop(queue);
            if !run.begin() {
                continue;
            }
            work(&run);
            run.finish(interrupted(&run.verb));
        }
    }

    /// Calls everything off.
    pub(crate) fn close(&self) {
        let known: Vec<Arc<Run>> = {
            let mut queue = self.lock();
            queue.closed = true;
            queue.waiting.clear();
            queue.known.iter().cloned().collect()
        };
        known.iter().for_each(|run| run.cancel());
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_waits_is_called_off_at_once() {
        let runs = Runs::default();
        let run = runs
            .add("check", Budget::unlimited(), |_| panic!("not wanted"))
            .unwrap();
        run.cancel();
        assert_eq!(run.report().unwrap()["verdict"], "unknown");
        let (events, done) = run.events(0, Duration::ZERO);
        assert!(done && events.last().unwrap().0 == "done");
    }

    #[test]
    fn what_nobody_listens_to_is_called_off() {
        let runs = Runs::default();
        let run = runs.add("check", Budget::unlimited(), |_| ()).unwrap();
        run.listen();
        run.listen();
        run.leave();
        assert!(run.budget.poll().is_ok());
        run.leave();
        assert!(run.budget.poll().is_err());
    }

    #[test]
    fn too_many_are_refused_and_a_story_is_bounded() {
        let runs = Runs::default();
        let add = || runs.add("check", Budget::unlimited(), |_| ());
        let run = add().unwrap();
        assert_eq!(
            (0..200).filter(|_| add().is_some()).count(),
            MOST_WAITING - 1
        );
        for step in 0..50_000 {
            run.hear(&Event {
                at: Duration::ZERO,
                method: None,
                what: What::Step {
                    attempt: 0,
                    step,
                    sizes: [].into(),
                },
            });
        }
        let (events, _) = run.events(0, Duration::ZERO);
        assert!(events.len() < MOST_EVENTS);
    }
}
