//! `quotient bench SUITE`

mod components;
mod thesis;

use clap::{Args, Subcommand};

use crate::failure::Failure;
use crate::reply::Reply;
use crate::session::Session;

/// Measure the engines on experiments of the literature.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 all as known, 1 a verdict is wrong, 2 some are unknown.

Examples:
  quotient bench components --table 5.3 --row-timeout 1m
  quotient bench components --case mer --format json
  quotient bench thesis
  quotient bench thesis --table 6.1 --format json")]
pub(crate) struct Bench {
    #[command(subcommand)]
    suite: Suite,
}

#[derive(Debug, Subcommand)]
enum Suite {
    Components(components::Components),
    Thesis(thesis::Thesis),
}

impl Bench {
    /// Which suite, for machine-readable replies.
    pub(super) fn name(&self) -> &'static str {
        match self.suite {
            Suite::Components(_) => "components",
            Suite::Thesis(_) => "thesis",
        }
    }

    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        match &self.suite {
            Suite::Components(suite) => suite.run(session),
            Suite::Thesis(suite) => suite.run(session),
        }
    }
}
