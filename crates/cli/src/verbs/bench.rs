//! `quotient bench SUITE`

mod peak;

use std::time::Duration;

use clap::{Args, Subcommand};
use quotient_core::Verdict;
use quotient_experiments::components::{Case, Suite as Rows};
use quotient_experiments::thesis::{self, Measured};
use serde_json::json;

use crate::failure::Failure;
use crate::reply::Reply;
use crate::session::Session;
use quotient_workbench::units;

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
    Components(Components),
    Thesis(Thesis),
}

/// Tables 5.1 to 5.11 of Bobaru (2009), published figures beside ours.
///
/// Every row is run as published (rule, source of the assumption, alphabet, decomposition) on
/// models of our own, which are the examples of components; the originals are lost. Beside it
/// stands the search of the whole system. Sizes are states of the largest assumption of a run.
#[derive(Debug, Args)]
struct Components {
    /// Only this table, as in 5.3. May be given several times.
    #[arg(long = "table", value_name = "NUMBER")]
    tables: Vec<String>,
    /// Only this system: gas-station, chiron-1, chiron-2, mer or rover. May be given several
    /// times.
    #[arg(long = "case", value_name = "SYSTEM")]
    cases: Vec<Case>,
    /// Only systems up to this size.
    #[arg(long, value_name = "SIZE")]
    up_to: Option<u32>,
    /// Give up a run after this long.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = units::duration)]
    row_timeout: Duration,
    /// How many threads the search of the whole system may use.
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
}

/// Tables 6.1 to 6.3 of Chalk (2018), published times beside ours.
///
/// Every row is run with its published configuration and by the methods that `check` takes by
/// default, on models of our own. Counts are steps/refinements.
#[derive(Debug, Args)]
struct Thesis {
    /// Only the rows of this table: 6.1, 6.2 or 6.3.
    #[arg(long, value_name = "NUMBER")]
    table: Option<String>,
    /// Give up a run after this long.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = units::duration)]
    row_timeout: Duration,
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

impl Components {
    fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let suite = Rows {
            tables: self.tables.clone(),
            cases: self.cases.clone(),
            up_to: self.up_to,
            patience: self.row_timeout,
            threads: usize::from(self.threads),
        };
        let watch = |name: &str, work: &mut dyn FnMut()| {
            let _busy = session.busy(name);
            let began = peak::begin();
            work();
            began.map(|began| began.megabytes())
        };
        let outcome = suite.run(&session.budget, &watch)?;
        Ok(Reply {
            verdict: Some(outcome.verdict()),
            text: outcome.text(),
            result: outcome.json(),
            ..Reply::default()
        })
    }
}

impl Thesis {
    fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let busy = |name: &str| session.busy(name);
        let table = self.table.as_deref();
        let measured = thesis::run(table, self.row_timeout, &session.budget, busy)?;
        Ok(Reply {
            verdict: Some(Verdict::all(measured.iter().flat_map(Measured::verdicts))),
            text: thesis::table(&measured),
            result: json!({
                "suite": "thesis",
                "rows": measured.iter().map(Measured::json).collect::<Vec<_>>(),
            }),
            ..Reply::default()
        })
    }
}
