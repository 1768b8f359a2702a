//! What a verb works with: a budget that signals and the options end, and a line that shows it
//! is alive.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use clap::Command;
use quotient_core::{Budget, Context, Recorder, Sink, Story, What};
use quotient_workbench::{Workbench, sweep};

use crate::options::{Common, OutputFormat};
use crate::progress::ProgressLine;
use crate::terminal;

/// One run of the command.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) budget: Budget,
    /// The languages that there are.
    pub(crate) workbench: Workbench,
    /// Settings of languages that were given, by name.
    pub(crate) settings: Vec<(String, String)>,
    /// The whole command, for those who explain it.
    pub(crate) command: Command,
    /// Whether a program reads the reply: for a person, a large result need not be made.
    pub(crate) for_programs: bool,
    /// The progress line, on a terminal.
    progress: Option<Arc<ProgressLine<std::io::Stderr>>>,
}

/// What a run begins with.
#[derive(Debug)]
pub(crate) struct Given {
    pub(crate) workbench: Workbench,
    pub(crate) settings: Vec<(String, String)>,
    pub(crate) command: Command,
}

impl Session {
    /// Begins a run within a budget. From here on Ctrl-C (and a request to
    /// terminate) ends the budget, not the process; a second one does.
    pub(crate) fn begin(common: &Common, given: Given, budget: Budget) -> Session {
        let interrupted = budget.clone();
        // Without a handler Ctrl-C ends the process, which is a lesser evil than not to start.
        let _ = ctrlc::set_handler(move || {
            if interrupted.poll().is_err() {
                sweep();
                std::process::exit(2);
            }
            interrupted.interrupt();
        });
        let wanted = !common.quiet && common.format == OutputFormat::Text;
        let progress = (wanted && std::io::stderr().is_terminal())
            .then(|| Arc::new(ProgressLine::new(std::io::stderr(), terminal::width())));
        Session {
            budget,
            workbench: given.workbench,
            settings: given.settings,
            command: given.command,
            for_programs: common.format == OutputFormat::Json,
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

    /// What an engine works in.
    pub(crate) fn context(&self) -> Context {
        self.context_for(Vec::new())
    }

    /// The same, with a recorder that keeps the story.
    pub(crate) fn recorded(&self) -> (Context, Arc<Recorder>) {
        let recorder = Arc::new(Recorder::default());
        (
            self.context_for(vec![recorder.clone() as Arc<dyn Sink>]),
            recorder,
        )
    }

    fn context_for(&self, sinks: Vec<Arc<dyn Sink>>) -> Context {
        Context {
            budget: self.budget.clone(),
            story: self.story(sinks),
            ..Context::default()
        }
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
