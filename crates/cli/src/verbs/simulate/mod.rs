//! `quotient simulate MODEL`

mod prompt;
mod run;

use std::io::Read;

use clap::Args;
use quotient_core::{Diagnostic, Verdict};
use quotient_language::{Random, Verb};
use quotient_report::{trace_json, trace_text};
use serde_json::json;

use crate::failure::Failure;
use crate::files;
use crate::options::ModelArguments;
use crate::reply::Reply;
use crate::session::Session;

use run::{Refused, Run};

/// Run a model, at random or step by step.
///
/// Without --interactive or --actions the steps are chosen at random.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  quotient simulate lock.protocol --processes 5
  quotient simulate lock.protocol -n 3 --steps 50 --seed 7
  quotient simulate lock.protocol -n 3 --interactive
  quotient simulate client_server.lts --actions 'client[1].request'
  quotient simulate light.smv --steps 10 --constraint 'rush'")]
pub(crate) struct Simulate {
    /// The model.
    model: String,
    /// How many steps to take at the most [default: 20 at random].
    #[arg(long, value_name = "K")]
    steps: Option<usize>,
    /// Where the random choices begin; the same number gives the same run.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Choose each step from a list.
    #[arg(long, short)]
    interactive: bool,
    /// Take these actions, as in `start,tick,tick`; `-` reads them from standard input.
    #[arg(long, value_name = "LIST", conflicts_with = "interactive")]
    actions: Option<String>,
    /// Let only steps through that fulfil this condition, where the language takes conditions.
    #[arg(long, value_name = "CONDITION")]
    constraint: Option<String>,
    #[command(flatten)]
    how: ModelArguments,
}

impl Simulate {
    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let mut request = files::request(&self.model, &self.how, session)?;
        let cx = session.context();
        let mut opened = session.workbench.open(&mut request, Verb::Simulate, &cx)?;
        let mut simulation = opened.model.simulate(&cx)?;
        if let Some(condition) = &self.constraint {
            simulation.constrain(Some(condition))?;
        }
        let mut run = Run {
            simulation,
            random: Random::new(self.seed),
            most: self.most_steps(),
            cx: &cx,
        };
        let mut refused = None;
        match &self.actions {
            Some(list) => refused = run.script(&wanted(list)?)?,
            None if self.interactive => run.interactive(&opened.title)?,
            None => run.at_random()?,
        }
        let mut reply = self.reply(run, refused, opened.title)?;
        reply.warnings = opened.model.warnings();
        Ok(reply)
    }

    /// How many steps there may be: those who choose them end it themselves.
    fn most_steps(&self) -> usize {
        let chosen = self.interactive || self.actions.is_some();
        self.steps.unwrap_or(if chosen { usize::MAX } else { 20 })
    }

    fn reply(
        &self,
        mut run: Run<'_>,
        refused: Option<Refused>,
        title: String,
    ) -> Result<Reply, Failure> {
        let trace = run.simulation.trace();
        let status = run.simulation.status(run.cx)?;
        let mut text = trace_text(&trace, 80);
        if let Some(refused) = &refused {
            text.push_str(&refused.text());
        }
        for note in &status.notes {
            text.push_str(&format!("{note}\n"));
        }
        let possible = run.possible()?;
        if refused.is_some() || trace.is_empty() && !possible.is_empty() {
            let line = format!("possible now: {}", possible.join(", "));
            text.push_str(&quotient_language::text::wrap_indented(&line, 76, 2));
            text.push('\n');
        }
        if status.deadlock && status.notes.is_empty() && trace.ending.is_empty() {
            text.push_str("deadlock: no step can be taken\n");
        }
        if !self.interactive {
            text.push_str(&format!("seed {}\n", self.seed));
        }
        let mut result = json!({
            "model": title,
            "seed": self.seed,
            "deadlock": status.deadlock,
            "possible": possible,
            "trace": trace_json(&trace),
        });
        for (name, value) in run.simulation.details(run.cx)? {
            result[name.as_str()] = value;
        }
        if let Some(refused) = &refused {
            result["refused"] = json!({ "action": refused.action, "because": refused.because });
        }
        Ok(Reply {
            verdict: refused.is_some().then_some(Verdict::Violated),
            text,
            result,
            ..Reply::default()
        })
    }
}

/// The actions of a list.
fn wanted(list: &str) -> Result<Vec<String>, Diagnostic> {
    let mut text = list.to_owned();
    if list == "-" {
        text.clear();
        // A script of actions is short; more is some other file.
        let read = std::io::stdin()
            .lock()
            .take(1 << 24)
            .read_to_string(&mut text);
        read.map_err(|error| Diagnostic::error("unreadable", format!("standard input: {error}")))?;
    }
    let words = text.split([',', '\n', '\r']).map(str::trim);
    Ok(words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect())
}
