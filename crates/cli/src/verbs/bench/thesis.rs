//! `quotient bench thesis`

use std::time::{Duration, Instant};

use clap::Args;
use quotient_core::{Context, Diagnostic, Verdict};
use quotient_language::text::wrap;
use quotient_regular::experiments::{Experiment, thesis};
use quotient_regular::models::{Example, catalogue};
use quotient_regular::{Configuration, Found, Options, Problem, check};
use serde_json::{Value, json};

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
                Some(self.measure(row, model, session))
            })
            .collect::<Result<Vec<Measured>, Failure>>()?;
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
        let mut rows = thesis();
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

    fn measure(
        &self,
        row: &Experiment,
        model: &Example,
        session: &Session,
    ) -> Result<Measured, Failure> {
        session.budget.poll()?;
        let problem = row.problem(&model.problem);
        let _busy = session.busy(row.name);
        Ok(Measured {
            row: *row,
            expected: model.verdict.clone(),
            named: self.time(&problem, vec![row.configuration()], session),
            default: self.time(&model.problem, Vec::new(), session),
        })
    }

    /// One check, by these methods or by the default ones.
    fn time(&self, problem: &Problem, methods: Vec<Configuration>, session: &Session) -> Run {
        let options = Options {
            doubt: false,
            fall_back: false,
            methods,
            ..Options::default()
        };
        let context = Context {
            budget: session.budget.child_for(self.row_timeout),
            ..Context::default()
        };
        let began = Instant::now();
        let report = check(problem, &options, &context);
        let seconds = began.elapsed().as_secs_f64();
        let counts = report.answers.first().and_then(|answer| {
            let steps = match &answer.found {
                Found::Proof(proof) => proof.steps,
                Found::Run(run) => run.steps.len(),
                Found::Nothing(_) => return None,
            };
            Some((steps, answer.refinements))
        });
        let method = report
            .answers
            .first()
            .and_then(|answer| answer.method.clone());
        Run {
            seconds,
            verdict: report.verdict(),
            counts,
            method,
        }
    }
}

/// What came out for a row.
struct Measured {
    row: Experiment,
    expected: Verdict,
    /// By the published configuration.
    named: Run,
    /// By the default methods.
    default: Run,
}

struct Run {
    seconds: f64,
    verdict: Verdict,
    counts: Option<(usize, u64)>,
    method: Option<String>,
}

impl Measured {
    /// For each of the two runs: holds if the verdict is as known.
    fn verdicts(&self) -> impl Iterator<Item = Verdict> {
        [&self.named, &self.default]
            .map(|run| match &run.verdict {
                Verdict::Unknown(stop) => Verdict::Unknown(stop.clone()),
                found if *found == self.expected => Verdict::Holds,
                _ => Verdict::Violated,
            })
            .into_iter()
    }

    fn json(&self) -> Value {
        let run = |run: &Run| {
            let mut object = json!({
                "verdict": verdict_name(&run.verdict),
                "seconds": run.seconds,
            });
            if let Some((steps, refinements)) = run.counts {
                object["steps"] = json!(steps);
                object["refinements"] = json!(refinements);
            }
            if let Some(method) = &run.method {
                object["method"] = json!(method);
            }
            object
        };
        let mut published = json!({
            "seconds": self.row.published.seconds,
            "steps": self.row.published.steps,
            "refinements": self.row.published.refinements,
        });
        if let Some(seconds) = self.row.published.prototype {
            published["prototypeSeconds"] = json!(seconds);
        }
        json!({
            "table": self.row.table,
            "experiment": self.row.name,
            "model": self.row.model,
            "method": self.row.method,
            "published": published,
            "ours": run(&self.named),
            "default": run(&self.default),
        })
    }
}

fn verdict_name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Unknown(_) => "unknown",
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
            verdict_name(&measured.named.verdict),
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
