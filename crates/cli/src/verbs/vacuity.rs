//! `quotient vacuity MODEL`

use clap::Args;
use quotient_core::Verdict;
use serde_json::json;

use super::check::{answer_json, answer_text};
use crate::check::smv::Vacuity as Way;
use crate::check::{Wishes, check};
use crate::failure::{Failure, hint};
use crate::reply::Reply;
use crate::session::Session;

/// Tell which parts of a specification do not matter for its truth.
///
/// A part is vacuous if the specification keeps its truth value whatever stands in its place:
/// mostly a sign that the model or the specification says something else than was meant.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: as for `check`; 1 also for vacuous parts with --deny-vacuous.

Examples:
  quotient vacuity model.smv
  quotient vacuity model.smv --property 'AG (request -> AF grant)'
  quotient vacuity model.smv --deny-vacuous --quiet")]
pub(crate) struct Vacuity {
    /// The model, in the SMV language.
    model: String,
    /// Only this specification: a number, a name, or a formula. May be given several times.
    #[arg(long, value_name = "WHICH")]
    property: Vec<String>,
    /// Check a changed formula for each atom instead of all at once: slower, to compare.
    #[arg(long)]
    naive: bool,
    /// Exit with 1 if a part is vacuous.
    #[arg(long)]
    deny_vacuous: bool,
}

impl Vacuity {
    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let way = if self.naive { Way::Naive } else { Way::Lattice };
        let wishes = Wishes {
            properties: self.property.clone(),
            vacuity: Some(way),
            ..Wishes::default()
        };
        let mut checked = check(&self.model, &wishes, session)?;
        // The question is the formula, not why it is violated: `check` shows that.
        for answer in &mut checked.answers {
            answer.trace.clear();
            answer.because.clear();
        }
        let verdict = Verdict::all(checked.answers.iter().map(|answer| answer.verdict.clone()));
        let mut text: String = checked.answers.iter().map(answer_text).collect();
        if let Verdict::Unknown(stop) = &verdict
            && let Some(hint) = hint(stop)
        {
            text.push_str(&format!("help: {hint}\n"));
        }
        Ok(Reply {
            denied: self.deny_vacuous && checked.answers.iter().any(|answer| answer.vacuous),
            result: json!({
                "problem": checked.title,
                "properties": checked.answers.iter().map(answer_json).collect::<Vec<_>>(),
                "doubts": [],
            }),
            verdict: Some(verdict),
            text,
            warnings: checked.warnings,
            ..Reply::default()
        })
    }
}
