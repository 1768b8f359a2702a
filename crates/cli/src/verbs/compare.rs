//! `quotient compare FIRST SECOND`

use clap::Args;
use quotient_language::{AGAINST, Ask, PART, Verb};
use quotient_report::{answer_json, answer_text, overall};
use serde_json::json;

use super::check::write_evidence;
use crate::failure::Failure;
use crate::files;
use crate::options::ModelArguments;
use crate::reply::Reply;
use crate::session::Session;

/// Tell whether two models do the same, or what tells them apart.
///
/// What counts as the same is a setting of the language. The evidence is checked with `quotient
/// certify EVIDENCE FIRST`.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 the same, 1 different, 2 unknown, 3 wrong input.

Examples:
  quotient compare buffer.lts#TWO buffer.lts#SPEC --up-to traces
  quotient compare old.aut new.aut --up-to branching --evidence proof.json
  quotient compare system.lts spec.lts --up-to failures --refines")]
pub(crate) struct Compare {
    /// The first model; FILE#NAME for one part.
    first: String,
    /// The second model; FILE#NAME for one part.
    second: String,
    /// Write the evidence to this file, for `quotient certify`.
    #[arg(long, value_name = "FILE")]
    evidence: Option<String>,
    #[command(flatten)]
    how: ModelArguments,
}

impl Compare {
    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let (first, part) = files::split(&self.first);
        let (second, other) = files::split(&self.second);
        let mut request = files::request(first, &self.how, session)?;
        request.verb = Verb::Compare;
        let mut against = files::seen_from(first, second);
        if !against.is_empty() {
            files::also(&mut request, &against, second, session)?;
        }
        if let Some(other) = other {
            against.push_str(&format!("#{other}"));
        }
        request.settings.push((AGAINST.to_owned(), against));
        let part = part.map(|part| (PART.to_owned(), part.to_owned()));
        request.settings.extend(part);
        let busy = session.busy("comparing");
        let cx = session.context();
        let checked = session
            .workbench
            .check(request, &Ask::default(), &cx, |_| {})?;
        drop(busy);
        let mut text: String = checked.answers.iter().map(answer_text).collect();
        let written = match &self.evidence {
            Some(path) => write_evidence(path, &checked),
            None => Ok(Vec::new()),
        };
        // A verdict is not lost because it cannot be written.
        let (written, errors) = match written {
            Ok(written) => (written, Vec::new()),
            Err(error) => (Vec::new(), vec![error]),
        };
        for path in &written {
            text.push_str(&format!("wrote {path}\n"));
        }
        Ok(Reply {
            verdict: Some(overall(&checked.answers)),
            result: json!({
                "problem": checked.title,
                "language": checked.about.map(|about| about.id),
                "properties": checked.answers.iter().map(answer_json).collect::<Vec<_>>(),
                "doubts": [],
            }),
            text,
            warnings: checked.warnings,
            errors,
            ..Reply::default()
        })
    }
}
