//! A row, run on our model.

use std::time::{Duration, Instant};

use quotient_core::{Budget, Context, Verdict};
use quotient_regular::{Configuration, Found, Options, Problem, check};
use serde_json::{Value, json};

use super::Experiment;
use crate::models::Example;

/// What came out for a row.
#[derive(Debug, Clone)]
pub struct Measured {
    /// The row.
    pub row: Experiment,
    /// The verdict that is known.
    pub expected: Verdict,
    /// By the published configuration.
    pub named: Run,
    /// By the default methods.
    pub default: Run,
}

/// One check.
#[derive(Debug, Clone)]
pub struct Run {
    /// How long it took.
    pub seconds: f64,
    /// What it answered.
    pub verdict: Verdict,
    /// The steps of the last attempt, and how many refinements there were.
    pub counts: Option<(usize, u64)>,
    /// The method that answered.
    pub method: Option<String>,
}

/// Runs a row on its model, by the published configuration and by the default methods, each
/// for so long at most.
pub fn measure(row: &Experiment, model: &Example, patience: Duration, budget: &Budget) -> Measured {
    let problem = row.problem(&model.problem);
    Measured {
        row: *row,
        expected: model.verdict.clone(),
        named: Run::of(&problem, vec![row.configuration()], patience, budget),
        default: Run::of(&model.problem, Vec::new(), patience, budget),
    }
}

impl Run {
    /// One check, by these methods or by the default ones.
    fn of(
        problem: &Problem,
        methods: Vec<Configuration>,
        patience: Duration,
        budget: &Budget,
    ) -> Run {
        let options = Options {
            doubt: false,
            fall_back: false,
            methods,
            ..Options::default()
        };
        let context = Context {
            budget: budget.child_for(patience),
            ..Context::default()
        };
        let began = Instant::now();
        let report = check(problem, &options, &context);
        let seconds = began.elapsed().as_secs_f64();
        let answer = report.answers.first();
        let counts = answer.and_then(|answer| {
            let steps = match &answer.found {
                Found::Proof(proof) => proof.steps,
                Found::Run(run) => run.steps.len(),
                Found::Nothing(_) => return None,
            };
            Some((steps, answer.refinements))
        });
        Run {
            seconds,
            verdict: report.verdict(),
            counts,
            method: answer.and_then(|answer| answer.method.clone()),
        }
    }

    fn json(&self) -> Value {
        let mut object = json!({
            "verdict": self.verdict.name(),
            "seconds": self.seconds,
        });
        if let Some((steps, refinements)) = self.counts {
            object["steps"] = json!(steps);
            object["refinements"] = json!(refinements);
        }
        if let Some(method) = &self.method {
            object["method"] = json!(method);
        }
        object
    }
}

impl Measured {
    /// For each of the two runs: holds if the verdict is as known.
    pub fn verdicts(&self) -> impl Iterator<Item = Verdict> + use<> {
        [&self.named, &self.default]
            .map(|run| match &run.verdict {
                Verdict::Unknown(stop) => Verdict::Unknown(stop.clone()),
                found if *found == self.expected => Verdict::Holds,
                _ => Verdict::Violated,
            })
            .into_iter()
    }

    /// The row for programs.
    pub fn json(&self) -> Value {
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
            "ours": self.named.json(),
            "default": self.default.json(),
        })
    }
}
