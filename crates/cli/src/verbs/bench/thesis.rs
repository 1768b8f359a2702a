//! `quotient bench thesis`

use std::time::Duration;

use clap::Args;
use quotient_core::{Diagnostic, Verdict};
use quotient_experiments::models::catalogue;
use quotient_experiments::thesis::{Experiment, Measured, measure, rows};
use quotient_language::text::wrap;
use serde_json::json;

use crate::failure::Failure;
use crate::reply::Reply;
use crate::session::Session;
use crate::units;

/// Tables 6.1 to 6.3 of Chalk (2018), published times beside ours.
///
/// Every row is run with its published configuration and by the methods that `check` takes by
/// default, on models of our own. Counts are steps/refinements.
#[derive(Debug, Args)]
pub(crate) struct Thesis {
    /// Only the rows of this table: 6.1, 6.2 or 6.3.
    #[arg(long, value_name = "NUMBER")]
    table: Option<String>,
    /// Give up a run after this long.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = units::duration)]
    row_timeout: Duration,
}

impl Thesis {
    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let rows = self.rows()?;
        let models = catalogue();
        let measured = rows
            .iter()
            .filter_map(|row| {
                let model = models.iter().find(|example| example.name == row.model)?;
                let _busy = session.busy(row.name);
                let go_on = session.budget.poll();
                Some(go_on.map(|()| measure(row, model, self.row_timeout, &session.budget)))
            })
            .collect::<Result<Vec<Measured>, _>>()?;
        Ok(Reply {
            verdict: Some(Verdict::all(measured.iter().flat_map(Measured::verdicts))),
            text: table(&measured),
            result: json!({
                "suite": "thesis",
                "rows": measured.iter().map(Measured::json).collect::<Vec<_>>(),
            }),
            ..Reply::default()
        })
    }

    fn rows(&self) -> Result<Vec<Experiment>, Diagnostic> {
        let mut rows = rows();
        let Some(number) = &self.table else {
            return Ok(rows);
        };
        rows.retain(|row| row.table == number);
        match rows.is_empty() {
            false => Ok(rows),
            true => Err(Diagnostic::error(
                "no-such-table",
                format!("there is no table `{number}`"),
            )
            .help("the tables are 6.1, 6.2 and 6.3")),
        }
    }
}

/// The rows for people, two lines each.
fn table(rows: &[Measured]) -> String {
    let mut text = format!(
        "{:<25}{:<10}{:>18}{:>18}{:>9}\n{:<35}{:>9}{:>9}{:>9}{:>9}{:>9}\n",
        "",
        "",
        "published",
        "ours",
        "default",
        "",
        "seconds",
        "counts",
        "seconds",
        "counts",
        "seconds"
    );
    for measured in rows {
        let row = &measured.row;
        let counts = |counts: Option<(usize, u64)>| {
            counts.map_or_else(|| "-".to_owned(), |(steps, more)| format!("{steps}/{more}"))
        };
        let published = (row.published.steps, row.published.refinements);
        text.push_str(&format!(
            "{}  {:<20}{:<10}{:>9.2}{:>9}{:>9.3}{:>9}{:>9.3}\n",
            row.table,
            row.name,
            measured.named.verdict_name(),
            row.published.seconds,
            counts(Some(published)),
            measured.named.seconds,
            counts(measured.named.counts),
            measured.default.seconds,
        ));
        text.push_str(&format!("     {}\n", wrap(row.method, 75)));
    }
    let sum = |of: &dyn Fn(&Measured) -> f64| rows.iter().map(of).sum::<f64>();
    text.push_str(&format!(
        "{:<35}{:>9.2}{:>9}{:>9.3}{:>9}{:>9.3}\n",
        "all",
        sum(&|measured| measured.row.published.seconds),
        "",
        sum(&|measured| measured.named.seconds),
        "",
        sum(&|measured| measured.default.seconds),
    ));
    text
}
