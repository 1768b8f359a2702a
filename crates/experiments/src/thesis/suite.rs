//! The tables of the thesis as they are asked for.

use std::time::Duration;

use quotient_core::{Budget, Diagnostic, Trouble};
use quotient_language::text::wrap;

use super::{Measured, measure, rows};
use crate::models::catalogue;

/// Runs all rows, or those of one table, each run for so long at most. `busy` is told the name of
/// a row; what it gives is kept until the row is done.
pub fn run<T>(
    table: Option<&str>,
    patience: Duration,
    budget: &Budget,
    busy: impl Fn(&str) -> T,
) -> Result<Vec<Measured>, Trouble> {
    let mut rows = rows();
    if let Some(number) = table {
        rows.retain(|row| row.table == number);
        if rows.is_empty() {
            let message = format!("there is no table `{number}`");
            return Err(Diagnostic::error("no-such-table", message)
                .help("the tables are 6.1, 6.2 and 6.3")
                .into());
        }
    }
    let models = catalogue();
    let mut measured = Vec::new();
    for row in &rows {
        let Some(model) = models.iter().find(|example| example.name == row.model) else {
            continue;
        };
        let _busy = busy(row.name);
        budget.poll()?;
        measured.push(measure(row, model, patience, budget));
    }
    Ok(measured)
}

/// The rows for people, two lines each.
pub fn table(rows: &[Measured]) -> String {
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
            measured.named.verdict.name(),
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
