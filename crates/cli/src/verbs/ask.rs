//! `quotient ask MODEL QUERY`

use clap::Args;
use quotient_language::{Query, Verb};
use quotient_report::shown_text;

use crate::failure::Failure;
use crate::files;
use crate::options::ModelArguments;
use crate::reply::Reply;
use crate::session::Session;

/// Ask what would make a formula true, or one of the ready-made questions of a language.
#[derive(Debug, Args)]
#[command(
    visible_alias = "query",
    after_help = "\
Exit codes: 0 answered, 2 unknown, 3 wrong input.

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
        Ok(Reply {
            text: shown_text(&shown),
            result: shown.result,
            warnings,
            ..Reply::default()
        })
    }
}
