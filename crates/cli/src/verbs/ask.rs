//! `quotient ask MODEL QUERY`

use clap::Args;
use quotient_core::{Stop, Verdict};
use quotient_language::{Query, Verb};
use quotient_report::shown_text;

use crate::failure::{Failure, hint};
use crate::files;
use crate::options::ModelArguments;
use crate::reply::Reply;
use crate::session::Session;

/// Ask what would make a formula true, or one of the ready-made questions of a language.
#[derive(Debug, Args)]
#[command(
    visible_alias = "query",
    after_help = "\
Exit codes: 0 answered, 2 unknown, wholly or in part, 3 wrong input.

Examples:
  quotient ask model.smv 'EF AG ?{a, b}'
  quotient ask model.smv 'AG (request -> AF ?{state})' --general
  quotient ask model.smv stable --limit 10 --format json"
)]
pub(crate) struct Ask {
    /// The model.
    model: String,
    /// The question: a formula with placeholders, or the name of a ready-made one.
    query: String,
    /// List at most so many answers; all are counted.
    #[arg(long, value_name = "NUMBER", default_value_t = 20)]
    limit: usize,
    #[command(flatten)]
    how: ModelArguments,
}

impl Ask {
    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let mut request = files::request(&self.model, &self.how, session)?;
        let cx = session.context();
        let mut opened = session.workbench.open(&mut request, Verb::Ask, &cx)?;
        let query = Query {
            text: self.query.clone(),
            limit: self.limit,
        };
        let shown = opened.model.ask(&query, &cx)?;
        let mut warnings = opened.model.warnings();
        warnings.extend(shown.warnings.iter().cloned());
        let mut text = shown_text(&shown);
        if let Some(stop) = &shown.open {
            // What is known stands above; that it is not all must not be overlooked.
            text.push_str(&unknown_in_part(stop));
        }
        Ok(Reply {
            text,
            verdict: shown.open.map(Verdict::Unknown),
            result: shown.result,
            warnings,
            ..Reply::default()
        })
    }
}

/// The line that says that the answer is not complete, and what to do about it.
fn unknown_in_part(stop: &Stop) -> String {
    let hint = hint(stop)
        .map(|hint| format!("help: {hint}\n"))
        .unwrap_or_default();
    format!("unknown in part: {stop}\n{hint}")
}
