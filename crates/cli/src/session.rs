//! What a verb works with: a budget that Ctrl-C and the options end, and a line that shows it
//! is alive.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use quotient_core::{Budget, ProgressLine, Sink, Story, What};

use crate::arguments::{Common, OutputFormat};

/// One run of the command.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) budget: Budget,
    pub(crate) memory: Option<u64>,
    /// The progress line, on a terminal.
    progress: Option<Arc<ProgressLine<std::io::Stderr>>>,
}

impl Session {
    /// Begins a run under the limits that the user set. From here on Ctrl-C ends the budget,
    /// not the process; a second one does.
    pub(crate) fn begin(common: &Common) -> Session {
        let budget = Budget::new(common.timeout, common.memory);
        let interrupted = budget.clone();
        // Without a handler Ctrl-C ends the process, which is a lesser evil than not to start.
        let _ = ctrlc::set_handler(move || {
            if interrupted.poll().is_err() {
                std::process::exit(2);
            }
            interrupted.interrupt();
        });
        let wanted = !common.quiet && common.format == OutputFormat::Text;
        let progress = (wanted && std::io::stderr().is_terminal())
            .then(|| Arc::new(ProgressLine::new(std::io::stderr(), terminal_width())));
        Session {
            budget,
            memory: common.memory,
            progress,
        }
    }

    /// Clears the progress line.
    pub(crate) fn end(self) {}

    /// A story for the progress line and these sinks.
    pub(crate) fn story(&self, sinks: Vec<Arc<dyn Sink>>) -> Story {
        let progress = self.progress.clone().map(|line| line as Arc<dyn Sink>);
        Story::to(sinks.into_iter().chain(progress))
    }

    /// Shows that an operation without a story of its own is still at work, until dropped.
    pub(crate) fn busy(&self, what: &str) -> Busy {
        if self.progress.is_none() {
            return Busy(None);
        }
        let (stop, stopped) = channel();
        let (story, name) = (self.story(Vec::new()), what.to_owned());
        let ticker = std::thread::spawn(move || {
            while let Err(RecvTimeoutError::Timeout) =
                stopped.recv_timeout(Duration::from_millis(200))
            {
                story.tell(|| What::Began { name: name.clone() });
            }
        });
        Busy(Some((stop, ticker)))
    }
}

/// See [`Session::busy`].
#[derive(Debug)]
pub(crate) struct Busy(Option<(Sender<()>, JoinHandle<()>)>);

impl Drop for Busy {
    fn drop(&mut self) {
        if let Some((stop, ticker)) = self.0.take() {
            let _ = stop.send(());
            let _ = ticker.join();
        }
    }
}

/// The columns of the terminal; 80 where there is none or it does not say.
pub(crate) fn terminal_width() -> usize {
    std::env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse().ok())
        .filter(|&columns| (40..=400).contains(&columns))
        .unwrap_or(80)
}
