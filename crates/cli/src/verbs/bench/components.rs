//! `quotient bench components`

mod models;
mod peak;
mod table;

use std::collections::BTreeMap;
use std::time::Duration;

use clap::Args;
use quotient_core::{Context, Diagnostic, Stop, Verdict};
use quotient_experiments::components::{
    Case, Measured, Row, Run, Sides, measure, measure_sides, rows, sides,
};
use serde_json::json;

use crate::failure::Failure;
use crate::reply::Reply;
use crate::session::Session;
use crate::units;

/// Tables 5.1 to 5.11 of Bobaru (2009), published figures beside ours.
///
/// Every row is run as published (rule, source of the assumption, alphabet, decomposition) on
/// models of our own, which are the examples of components; the originals are lost. Beside it
/// stands the search of the whole system. Sizes are states of the largest assumption of a run.
#[derive(Debug, Args)]
pub(crate) struct Components {
    /// Only this table, as in 5.3. May be given several times.
    #[arg(long = "table", value_name = "NUMBER")]
    tables: Vec<String>,
    /// Only this system: gas-station, chiron-1, chiron-2, mer or rover. May be given several
    /// times.
    #[arg(long = "case", value_name = "SYSTEM", value_parser = models::case)]
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

/// A row with what came out.
struct Line {
    row: Row,
    here: Measured,
    /// Megabytes that the process grew by at most.
    memory: Option<f64>,
    whole: Measured,
}

/// Sizes of the two sides, published and here.
struct SidesLine {
    sides: Sides,
    here: Result<(usize, usize), Stop>,
}

impl Components {
    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        self.known_tables()?;
        let wanted = |table: &str, case: Case, size: u32| {
            let has_table = self.tables.is_empty() || self.tables.iter().any(|one| one == table);
            let has_case = self.cases.is_empty() || self.cases.contains(&case);
            has_table && has_case && self.up_to.is_none_or(|most| size <= most)
        };
        let mut searched: BTreeMap<(&str, u32), Measured> = BTreeMap::new();
        let mut lines = Vec::new();
        for row in rows()
            .into_iter()
            .filter(|row| wanted(row.table, row.case, row.size))
        {
            session.budget.poll()?;
            let network = models::network(row.case, row.size, session)?;
            let _busy = session.busy(row.case.name());
            let key = (row.case.name(), row.size);
            let whole = match searched.get(&key) {
                Some(known) => known.clone(),
                None => {
                    let whole = Row {
                        run: Run::Monolithic,
                        ..row
                    };
                    let whole = self.measured(&whole, &network, session);
                    searched.insert(key, whole.clone());
                    whole
                }
            };
            let began = peak::begin();
            let here = self.measured(&row, &network, session);
            let memory = began.map(|began| began.megabytes());
            lines.push(Line {
                row,
                here,
                memory,
                whole,
            });
        }
        lines.sort_by_key(|line| number(line.row.table));
        let mut sizes = Vec::new();
        for sides in sides()
            .into_iter()
            .filter(|one| wanted(one.table, one.case, one.size))
        {
            session.budget.poll()?;
            let network = models::network(sides.case, sides.size, session)?;
            let here = measure_sides(&sides, &network, &self.context(session));
            sizes.push(SidesLine { sides, here });
        }
        if lines.is_empty() && sizes.is_empty() {
            let message = "no row is of this table, system and size";
            return Err(Diagnostic::error("no-rows", message).into());
        }
        let verdicts = lines.iter().map(|line| line.here.verdict.clone());
        Ok(Reply {
            verdict: Some(Verdict::all(verdicts)),
            text: table::text(&lines, &sizes),
            result: json!({
                "suite": "components",
                "rows": lines.iter().map(table::line_json).collect::<Vec<_>>(),
                "sides": sizes.iter().map(table::sides_json).collect::<Vec<_>>(),
            }),
            ..Reply::default()
        })
    }

    fn known_tables(&self) -> Result<(), Diagnostic> {
        let mut known: Vec<&str> = rows().iter().map(|row| row.table).collect();
        known.extend(sides().iter().map(|sides| sides.table));
        known.sort_by_key(|table| number(table));
        known.dedup();
        match self
            .tables
            .iter()
            .find(|table| !known.contains(&table.as_str()))
        {
            None => Ok(()),
            Some(wrong) => {
                let message = format!("there is no table `{wrong}`");
                Err(Diagnostic::error("no-such-table", message)
                    .help(format!("the tables are {}", known.join(", "))))
            }
        }
    }

    fn context(&self, session: &Session) -> Context {
        Context {
            budget: session.budget.child_for(self.row_timeout),
            ..Context::default()
        }
    }

    fn measured(
        &self,
        row: &Row,
        network: &quotient_compose::Network,
        session: &Session,
    ) -> Measured {
        measure(
            row,
            network,
            usize::from(self.threads),
            &mut self.context(session),
        )
    }
}

/// The number of a table within its chapter, by which tables are in order.
fn number(table: &str) -> u32 {
    let (_, number) = table.split_once('.').unwrap_or_default();
    number.parse().unwrap_or(0)
}
