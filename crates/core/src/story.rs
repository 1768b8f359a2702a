//! What happened on the way to a verdict.

use std::borrow::Cow;
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde::{Serialize, Serializer};

/// Named quantities of an event: `[("states", 12), ("edges", 40)]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sizes(pub Vec<(Cow<'static, str>, u64)>);

impl<const N: usize> From<[(&'static str, u64); N]> for Sizes {
    fn from(pairs: [(&'static str, u64); N]) -> Sizes {
        Sizes(
            pairs
                .into_iter()
                .map(|(name, size)| (Cow::Borrowed(name), size))
                .collect(),
        )
    }
}

impl Serialize for Sizes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, size)| (name, size)))
    }
}

impl std::fmt::Display for Sizes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, (name, size)) in self.0.iter().enumerate() {
            write!(f, "{}{size} {name}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Event {
    /// Time since the story began.
    #[serde(rename = "seconds", serialize_with = "as_seconds")]
    pub at: Duration,
    /// The method it happened in, where several run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<Arc<str>>,
    /// What happened.
    #[serde(flatten)]
    pub what: What,
}

fn as_seconds<S: Serializer>(at: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(at.as_secs_f64())
}

/// What can happen.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum What {
    /// A piece of work began: parsing, reachability, a method of a portfolio.
    Began {
        /// Its name.
        name: String,
    },
    /// One step of the work at hand, in whatever the method counts.
    Step {
        /// The attempt it belongs to, from 0.
        attempt: u64,
        /// The step within the attempt, from 0.
        step: u64,
        /// How big things are.
        sizes: Sizes,
    },
    /// An attempt ended in a false alarm.
    FalseAlarm {
        /// The attempt, from 0.
        attempt: u64,
        /// How big things are.
        sizes: Sizes,
    },
    /// The approximation was refined.
    Refined {
        /// How many refinements there were, this one included.
        refinement: u64,
        /// What was refined and why.
        detail: String,
        /// How big things are.
        sizes: Sizes,
    },
    /// Something worth knowing.
    Note {
        /// One line.
        text: String,
    },
    /// A piece of work ended.
    Ended {
        /// With this outcome.
        outcome: String,
        /// How big things are.
        sizes: Sizes,
    },
}

impl std::fmt::Display for What {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sized = |f: &mut std::fmt::Formatter<'_>, sizes: &Sizes| match sizes.0.is_empty() {
            true => Ok(()),
            false => write!(f, ": {sizes}"),
        };
        match self {
            What::Began { name } => write!(f, "{name}"),
            What::Step {
                attempt,
                step,
                sizes,
            } => {
                write!(f, "attempt {attempt}, step {step}")?;
                sized(f, sizes)
            }
            What::FalseAlarm { attempt, sizes } => {
                write!(f, "attempt {attempt} ended in a false alarm")?;
                sized(f, sizes)
            }
            What::Refined {
                refinement,
                detail,
                sizes,
            } => {
                write!(f, "refinement {refinement}: {detail}")?;
                sized(f, sizes)
            }
            What::Note { text } => f.write_str(text),
            What::Ended { outcome, sizes } => {
                f.write_str(outcome)?;
                sized(f, sizes)
            }
        }
    }
}

/// Someone who listens to a story.
pub trait Sink: Send + Sync {
    /// Takes note of an event. Failing to write is not the engine's concern: sinks swallow it.
    fn hear(&self, event: &Event);
}

/// The teller: engines hand it events, sinks receive them. Clones tell the same story.
///
/// ```
/// use std::sync::Arc;
/// use quotient_core::{Recorder, Story, What};
/// let recorder = Arc::new(Recorder::default());
/// let story = Story::to([recorder.clone() as Arc<dyn quotient_core::Sink>]);
/// story.note("Init and Bad are disjoint");
/// assert!(matches!(recorder.events()[0].what, What::Note { .. }));
/// ```
#[derive(Clone)]
pub struct Story {
    began: Instant,
    method: Option<Arc<str>>,
    sinks: Arc<[Arc<dyn Sink>]>,
}

impl Story {
    /// A story that nobody hears: telling it costs next to nothing.
    pub fn silent() -> Story {
        Story::to([])
    }

    /// A story told to these sinks, beginning now.
    pub fn to(sinks: impl IntoIterator<Item = Arc<dyn Sink>>) -> Story {
        Story {
            began: Instant::now(),
            method: None,
            sinks: sinks.into_iter().collect(),
        }
    }

    /// The same story, as told by one method of several.
    pub fn of_method(&self, name: &str) -> Story {
        Story {
            method: Some(name.into()),
            ..self.clone()
        }
    }

    /// Whether anyone listens; ask before computing something only for the story.
    pub fn is_heard(&self) -> bool {
        !self.sinks.is_empty()
    }

    /// Tells an event; it is built only when someone listens.
    pub fn tell(&self, what: impl FnOnce() -> What) {
        if !self.is_heard() {
            return;
        }
        let event = Event {
            at: self.began.elapsed(),
            method: self.method.clone(),
            what: what(),
        };
        self.sinks.iter().for_each(|sink| sink.hear(&event));
    }

    /// Tells something worth knowing in a line.
    pub fn note(&self, text: impl Into<String>) {
        self.tell(|| What::Note { text: text.into() });
    }
}

impl std::fmt::Debug for Story {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Story({} sinks)", self.sinks.len())
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // A sink that panicked half-way leaves at worst an incomplete line behind.
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Keeps events for a report: all of them up to a number, then only those that are not steps.
#[derive(Debug)]
pub struct Recorder {
    most: usize,
    kept: Mutex<(Vec<Event>, u64)>,
}

impl Default for Recorder {
    fn default() -> Self {
        Recorder {
            most: 20_000,
            kept: Mutex::default(),
        }
    }
}

impl Recorder {
    /// The events kept so far.
    pub fn events(&self) -> Vec<Event> {
        locked(&self.kept).0.clone()
    }

    /// How many events were left out to bound the memory.
    pub fn left_out(&self) -> u64 {
        locked(&self.kept).1
    }
}

impl Sink for Recorder {
    fn hear(&self, event: &Event) {
        let mut kept = locked(&self.kept);
        let full = kept.0.len() >= self.most;
        let is_step = matches!(event.what, What::Step { .. });
        if kept.0.len() >= 2 * self.most || (full && is_step) {
            kept.1 += 1;
        } else {
            kept.0.push(event.clone());
        }
    }
}

/// Writes every event as a line of text.
#[derive(Debug)]
pub struct LogLines<W>(Mutex<W>);

impl<W: Write + Send> LogLines<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        LogLines(Mutex::new(out))
    }
}

impl<W: Write + Send> Sink for LogLines<W> {
    fn hear(&self, event: &Event) {
        let mut out = locked(&self.0);
        let _ = match &event.method {
            Some(method) => {
                writeln!(
                    out,
                    "{:8.3}s  [{method}] {}",
                    event.at.as_secs_f64(),
                    event.what
                )
            }
            None => writeln!(out, "{:8.3}s  {}", event.at.as_secs_f64(), event.what),
        };
    }
}

/// Writes every event as a line of JSON.
#[derive(Debug)]
pub struct JsonLines<W>(Mutex<W>);

impl<W: Write + Send> JsonLines<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        JsonLines(Mutex::new(out))
    }
}

impl<W: Write + Send> Sink for JsonLines<W> {
    fn hear(&self, event: &Event) {
        if let Ok(line) = serde_json::to_string(event) {
            let _ = writeln!(locked(&self.0), "{line}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(at: u64, what: What) -> Event {
        Event {
            at: Duration::from_millis(at),
            method: Some("fast".into()),
            what,
        }
    }

    fn step(number: u64) -> What {
        What::Step {
            attempt: 0,
            step: number,
            sizes: [("states", 3)].into(),
        }
    }

    #[test]
    fn recorder_is_bounded_but_keeps_what_matters() {
        let recorder = Recorder {
            most: 2,
            kept: Mutex::default(),
        };
        (0..9).for_each(|i| recorder.hear(&event(i, step(i))));
        recorder.hear(&event(9, What::Note { text: "end".into() }));
        assert_eq!(recorder.events().len(), 3);
        assert_eq!(recorder.left_out(), 7);
    }

    #[test]
    fn json_lines_are_one_object_each() {
        let mut out = Vec::new();
        JsonLines::new(&mut out).hear(&event(1500, step(7)));
        let line: serde_json::Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(line["event"], "step");
        assert_eq!(line["seconds"], 1.5);
        assert_eq!(line["sizes"]["states"], 3);
        assert_eq!(line["method"], "fast");
    }

    #[test]
    fn log_lines_read_well() {
        let mut out = Vec::new();
        LogLines::new(&mut out).hear(&event(1500, step(7)));
        let line = String::from_utf8(out).unwrap();
        assert_eq!(line, "   1.500s  [fast] attempt 0, step 7: 3 states\n");
    }
}
