//! `quotient simulate FILE`

mod components;
mod prompt;
mod protocol;
mod random;

use clap::Args;
use quotient_core::Diagnostic;

use crate::check::is_components;
use crate::failure::Failure;
use crate::files;
use crate::reply::Reply;
use crate::session::Session;

/// Run an instance of a protocol or a system of components, at random or step by step.
///
/// Without --interactive or --actions the steps are chosen at random.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  quotient simulate lock.protocol --processes 5
  quotient simulate lock.protocol -n 3 --steps 50 --seed 7
  quotient simulate lock.protocol -n 3 --interactive
  quotient simulate client_server.lts --interactive
  quotient simulate client_server.lts --actions 'client[1].request'
  quotient simulate philosophers.lts --constant N=3 --steps 50")]
pub(crate) struct Simulate {
    /// The protocol or system of components.
    file: String,
    /// Of a protocol: how many processes there are at the start [default: 3].
    #[arg(long, short = 'n', value_name = "N")]
    processes: Option<usize>,
    /// How many steps to take at the most [default: 20 at random].
    #[arg(long, value_name = "K")]
    steps: Option<usize>,
    /// Where the random choices begin; the same number gives the same run.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Choose each step from a list.
    #[arg(long, short)]
    interactive: bool,
    #[command(flatten)]
    components: components::Wishes,
}

impl Simulate {
    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let source = files::source(&self.file, session)?;
        let wrong = match is_components(&source) {
            true if self.processes.is_some() => Some("--processes is for protocols"),
            true => return self.run_components(&source, session),
            false if self.components != components::Wishes::default() => {
                Some("an option is given that is only for systems of components")
            }
            false => None,
        };
        match wrong {
            Some(message) => Err(Diagnostic::error("usage", message)
                .in_source(&source)
                .help("`quotient simulate --help` says which options are for what")
                .into()),
            None => self.run_protocol(&source, session),
        }
    }

    /// How many steps there may be: those who choose them end it themselves.
    fn most_steps(&self) -> usize {
        let chosen = self.interactive || self.components.actions.is_some();
        self.steps.unwrap_or(if chosen { usize::MAX } else { 20 })
    }
}
