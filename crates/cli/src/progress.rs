//! A line of the terminal that shows what goes on.

use std::io::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quotient_core::{Event, Sink};

/// Keeps one line of a terminal up to date, for work over a second.
#[derive(Debug)]
pub(crate) struct ProgressLine<W: Write> {
    width: usize,
    state: Mutex<(W, Duration, bool)>,
}

/// Shorter work shows nothing.
const QUIET_FOR: Duration = Duration::from_secs(1);
/// The line changes no more often than this.
const REFRESH: Duration = Duration::from_millis(100);

impl<W: Write + Send> ProgressLine<W> {
    /// Draws on `out`, a terminal that is `width` columns wide.
    pub(crate) fn new(out: W, width: usize) -> Self {
        ProgressLine {
            width,
            state: Mutex::new((out, Duration::ZERO, false)),
        }
    }
}

impl<W: Write + Send> Sink for ProgressLine<W> {
    fn hear(&self, event: &Event) {
        let mut state = locked(&self.state);
        let (out, last, drawn) = &mut *state;
        if event.at < QUIET_FOR || event.at < *last + REFRESH {
            return;
        }
        *last = event.at;
        *drawn = true;
        let who = event
            .method
            .as_deref()
            .map(|name| format!(" [{name}]"))
            .unwrap_or_default();
        let line = format!("{:.1}s{who} {}", event.at.as_secs_f64(), event.what);
        let line: String = line.chars().take(self.width.saturating_sub(1)).collect();
        let _ = write!(out, "\r\x1b[2K{line}").and_then(|()| out.flush());
    }
}

impl<W: Write> Drop for ProgressLine<W> {
    fn drop(&mut self) {
        let (out, _, drawn) = &mut *locked(&self.state);
        if *drawn {
            let _ = write!(out, "\r\x1b[2K").and_then(|()| out.flush());
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quotient_core::What;

    #[test]
    fn progress_appears_after_a_second_and_goes_away() {
        let mut out = Vec::new();
        {
            let line = ProgressLine::new(&mut out, 20);
            for (step, at) in [(1, 900), (2, 1100), (3, 1150)] {
                let sizes = [("states", 3)].into();
                let attempt = 0;
                line.hear(&Event {
                    at: Duration::from_millis(at),
                    method: Some("fast".into()),
                    what: What::Step {
                        attempt,
                        step,
                        sizes,
                    },
                });
            }
        }
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "\r\x1b[2K1.1s [fast] attempt\r\x1b[2K");
    }
}
