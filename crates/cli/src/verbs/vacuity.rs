//! `quotient vacuity MODEL`

use clap::Args;
use quotient_core::{Stop, Verdict};
use quotient_language::{Answer, Ask, Verb};
use quotient_report::{answer_json, answer_text, overall};
use serde_json::json;

use crate::failure::{Failure, hint};
use crate::files;
use crate::options::ModelArguments;
use crate::reply::Reply;
use crate::session::Session;

/// Tell which parts of a property do not matter for its truth.
///
/// A part is vacuous if the property keeps its truth value whatever stands in its place: mostly a
/// sign that the model or the property says something else than was meant.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: as for `check`; 1 also for vacuous parts with --deny-vacuous.

Examples:
  quotient vacuity model.smv
  quotient vacuity model.smv --property 'AG (request -> AF grant)'
  quotient vacuity model.smv --deny-vacuous --quiet")]
pub(crate) struct Vacuity {
    /// The model.
    model: String,
    /// Only this property: a number, a name, or a formula. May be given several times.
    #[arg(long, value_name = "WHICH")]
    property: Vec<String>,
    /// Exit with 1 if a part is vacuous.
    #[arg(long)]
    deny_vacuous: bool,
    #[command(flatten)]
    how: ModelArguments,
}

/// The verdict of all answers together, where vacuity is asked for as well: what is known to hold, and
/// not whether for a trivial reason, is not settled.
pub(super) fn overall_of_both(answers: &[Answer]) -> Verdict {
    let is_open = |answer: &Answer| {
        let mut vacuity = answer.details.iter().filter(|(name, _)| name == "vacuity");
        answer.verdict == Verdict::Holds && vacuity.any(|(_, value)| value.get("unknown").is_some())
    };
    match overall(answers) {
        Verdict::Holds if answers.iter().any(is_open) => {
            Verdict::Unknown(Stop::inconclusive("vacuity is unknown"))
        }
        verdict => verdict,
    }
}

impl Vacuity {
    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let mut request = files::request(&self.model, &self.how, session)?;
        request.verb = Verb::Vacuity;
        let ask = Ask {
            properties: self.property.clone(),
            vacuity: true,
            ..Ask::default()
        };
        let cx = session.context();
        let mut checked = session.workbench.check(request, &ask, &cx, |_| {})?;
        // The question is the formula, not why it is violated: `check` shows that.
        for answer in &mut checked.answers {
            answer.trace = None;
            answer.because.clear();
        }
        let verdict = overall_of_both(&checked.answers);
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
