//! All rows that are asked for, run one after the other.

use std::collections::BTreeMap;
use std::time::Duration;

use quotient_compose::Network;
use quotient_core::{Budget, Context, Diagnostic, Stop, Trouble, Verdict};

use super::{Case, Measured, Row, Run, Sides, measure, measure_sides, rows, sides};

/// Which rows to run, and how.
#[derive(Debug, Clone, Default)]
pub struct Suite {
    /// Only these tables, unless empty.
    pub tables: Vec<String>,
    /// Only these systems, unless empty.
    pub cases: Vec<Case>,
    /// Only systems up to this size.
    pub up_to: Option<u32>,
    /// Give up a run after this long.
    pub patience: Duration,
    /// How many threads the search of the whole system may use.
    pub threads: usize,
}

/// What came out.
#[derive(Debug)]
pub struct Outcome {
    /// The rows, table by table.
    pub lines: Vec<Line>,
    /// The tables of sizes.
    pub sides: Vec<SidesLine>,
}

/// A row with what came out.
#[derive(Debug)]
pub struct Line {
    /// The row.
    pub row: Row,
    /// The same run here.
    pub here: Measured,
    /// Megabytes that the process grew by at most, where that is known.
    pub memory: Option<f64>,
    /// The search of the whole system.
    pub whole: Measured,
}

/// Sizes of the two sides, published and here.
#[derive(Debug)]
pub struct SidesLine {
    /// What was published.
    pub sides: Sides,
    /// The states of the two sides here.
    pub here: Result<(usize, usize), Stop>,
}

/// Runs the work of this name and says how many megabytes it took, if it can: whoever runs a
/// suite knows how to show that it is at work, and what the system tells about memory.
pub type Watch<'a> = dyn Fn(&str, &mut dyn FnMut()) -> Option<f64> + 'a;

impl Suite {
    /// Runs the rows.
    pub fn run(&self, budget: &Budget, watch: &Watch<'_>) -> Result<Outcome, Trouble> {
        self.known_tables()?;
        let mut searched: BTreeMap<(&str, u32), Measured> = BTreeMap::new();
        let mut lines = Vec::new();
        for row in rows() {
            if !self.wants(row.table, row.case, row.size) {
                continue;
            }
            budget.poll()?;
            let network = row.case.network(row.size, budget)?;
            let whole = searched
                .entry((row.case.name(), row.size))
                .or_insert_with(|| {
                    let run = Run::Monolithic;
                    self.measured(&Row { run, ..row }, &network, budget, watch)
                        .0
                })
                .clone();
            let (here, memory) = self.measured(&row, &network, budget, watch);
            lines.push(Line {
                row,
                here,
                memory,
                whole,
            });
        }
        lines.sort_by_key(|line| number(line.row.table));
        let mut sizes = Vec::new();
        for sides in sides() {
            if !self.wants(sides.table, sides.case, sides.size) {
                continue;
            }
            budget.poll()?;
            let network = sides.case.network(sides.size, budget)?;
            let here = measure_sides(&sides, &network, &self.context(budget));
            sizes.push(SidesLine { sides, here });
        }
        if lines.is_empty() && sizes.is_empty() {
            let message = "no row is of this table, system and size";
            return Err(Diagnostic::error("no-rows", message).into());
        }
        Ok(Outcome {
            lines,
            sides: sizes,
        })
    }

    fn wants(&self, table: &str, case: Case, size: u32) -> bool {
        let has_table = self.tables.is_empty() || self.tables.iter().any(|one| one == table);
        let has_case = self.cases.is_empty() || self.cases.contains(&case);
        has_table && has_case && self.up_to.is_none_or(|most| size <= most)
    }

    fn known_tables(&self) -> Result<(), Diagnostic> {
        let mut known: Vec<&str> = rows().iter().map(|row| row.table).collect();
        known.extend(sides().iter().map(|sides| sides.table));
        known.sort_by_key(|table| number(table));
        known.dedup();
        let is_wrong = |table: &&String| !known.contains(&table.as_str());
        match self.tables.iter().find(is_wrong) {
            None => Ok(()),
            Some(wrong) => {
                let message = format!("there is no table `{wrong}`");
                Err(Diagnostic::error("no-such-table", message)
                    .help(format!("the tables are {}", known.join(", "))))
            }
        }
    }

    fn context(&self, budget: &Budget) -> Context {
        Context {
            budget: budget.child_for(self.patience),
            ..Context::default()
        }
    }

    /// What a row gives, and the memory it took.
    fn measured(
        &self,
        row: &Row,
        network: &Network,
        budget: &Budget,
        watch: &Watch<'_>,
    ) -> (Measured, Option<f64>) {
        let run = || measure(row, network, self.threads.max(1), &mut self.context(budget));
        let mut measured = None;
        let memory = watch(row.case.name(), &mut || measured = Some(run()));
        // Who watches without running the work has it run unwatched.
        (measured.unwrap_or_else(run), memory)
    }
}

impl Outcome {
    /// The verdict on all rows.
    pub fn verdict(&self) -> Verdict {
        Verdict::all(self.lines.iter().map(|line| line.here.verdict.clone()))
    }
}

/// The number of a table within its chapter, by which tables are in order.
fn number(table: &str) -> u32 {
    let (_, number) = table.split_once('.').unwrap_or_default();
    number.parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suite(tables: &[&str], up_to: u32) -> Suite {
        Suite {
            tables: tables.iter().map(|&table| table.to_owned()).collect(),
            cases: vec![Case::Mer],
            up_to: Some(up_to),
            patience: Duration::from_secs(60),
            threads: 1,
        }
    }

    fn unwatched(_: &str, work: &mut dyn FnMut()) -> Option<f64> {
        work();
        None
    }

    #[test]
    fn only_the_rows_that_are_asked_for_are_run() {
        let all = rows();
        let wanted = |row: &&Row| row.case == Case::Mer && row.size <= 2;
        let row = all.iter().find(wanted).unwrap();
        let suite = suite(&[row.table], 2);
        let outcome = suite.run(&Budget::unlimited(), &unwatched).unwrap();
        assert!(!outcome.lines.is_empty());
        assert_eq!(outcome.verdict(), Verdict::Holds);
        for line in &outcome.lines {
            assert_eq!((line.row.table, line.row.case), (row.table, Case::Mer));
            assert!(line.row.size <= 2 && line.whole.explored_states.is_some());
        }
        let rows = outcome.json();
        assert_eq!(rows["rows"].as_array().unwrap().len(), outcome.lines.len());
    }

    #[test]
    fn a_table_that_is_not_there_and_an_empty_choice_are_refused() {
        for (suite, code) in [
            (suite(&["9.9"], 2), "no-such-table"),
            (suite(&[], 0), "no-rows"),
        ] {
            let trouble = suite.run(&Budget::unlimited(), &unwatched).unwrap_err();
            let Trouble::Invalid(mistakes) = trouble else {
                panic!("{trouble:?}");
            };
            assert_eq!(mistakes[0].code, code);
        }
    }
}
