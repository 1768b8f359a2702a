//! `quotient certify EVIDENCE MODEL`

use clap::{Args, ValueEnum};
use quotient_core::{Claim, Diagnostic, Rejection, Verdict};
use quotient_language::text::wrap_indented;
use quotient_workbench::{Judged, Pins};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::files;
use crate::options::ModelArguments;
use crate::reply::Reply;
use crate::session::Session;

/// Check evidence with code that shares nothing with the engines.
///
/// The question of the evidence (property, constants, chosen system, …) is compared with the
/// model first. Settings of the language that are given must be those of the evidence.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 accepted, 1 rejected, 2 not checked in time, 3 wrong input.

Examples:
  quotient check problem.toml --evidence proof.json
  quotient certify proof.json problem.toml
  quotient certify proof.json problem.toml --expect holds --complete")]
pub(crate) struct Certify {
    /// The evidence, as `quotient check --evidence` or `--out` wrote it; or a witness of another
    /// tool, where the language of the model knows such files.
    evidence: String,
    /// The model it is about.
    model: String,
    /// Accept only evidence for this answer.
    #[arg(long, value_enum, value_name = "ANSWER")]
    expect: Option<Answer>,
    /// Accept only evidence about this property; this may be a formula that is not in the file.
    #[arg(long, value_name = "NAME")]
    property: Vec<String>,
    /// Demand accepted evidence for every property of the file.
    #[arg(long)]
    complete: bool,
    #[command(flatten)]
    how: ModelArguments,
}

/// See `--expect`.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Answer {
    /// The property holds.
    Holds,
    /// The property is violated.
    Violated,
}

impl Certify {
    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let cx = session.context();
        let source = files::source(&self.evidence, session)?;
        let mut request = files::request(&self.model, &self.how, session)?;
        let workbench = &session.workbench;
        let evidence = match workbench.read_evidence(&source, &mut request, &cx) {
            Ok(evidence) => evidence,
            Err(wrong) => return Err(self.exchanged(session).unwrap_or_else(|| wrong.into())),
        };
        let pins = Pins {
            expect: self.expect.map(|answer| match answer {
                Answer::Holds => Claim::Holds,
                Answer::Violated => Claim::Violated,
            }),
            properties: self.property.clone(),
            complete: self.complete,
        };
        let busy = session.busy("certifying");
        let judged = workbench.certify(request, evidence, &pins, &cx)?;
        drop(busy);
        let verdicts = judged.iter().map(verdict);
        Ok(Reply {
            verdict: Some(Verdict::all(verdicts)),
            text: judged.iter().map(text).collect(),
            result: json!({ "evidence": judged.iter().map(result).collect::<Vec<_>>() }),
            ..Reply::default()
        })
    }
}

impl Certify {
    /// That the model stands where evidence should, and the other way round, if it is so.
    fn exchanged(&self, session: &Session) -> Option<Failure> {
        let other = files::source(&self.model, session).ok()?;
        quotient_workbench::read_evidence(&other, &session.budget).ok()?;
        let message = format!(
            "`{}` is the evidence: it comes first, then the model",
            self.model
        );
        Some(Diagnostic::error("usage", message).into())
    }
}

fn verdict(judged: &Judged) -> Verdict {
    match &judged.outcome {
        Ok(_) => Verdict::Holds,
        Err(Rejection::Stopped(stop)) => Verdict::Unknown(stop.clone()),
        Err(_) => Verdict::Violated,
    }
}

fn text(judged: &Judged) -> String {
    let what = match &judged.outcome {
        Ok(_) => "accepted",
        Err(Rejection::Stopped(_)) => "not decided",
        Err(_) => "rejected",
    };
    let claim = judged.evidence.verdict();
    let head = format!("{what}: {claim}: {}", judged.question);
    let mut text = format!("{}\n", wrap_indented(&head, 76, 4));
    let said = &judged.evidence.text;
    if judged.outcome.is_ok() && !said.is_empty() {
        let one_line = said.split_whitespace().collect::<Vec<_>>().join(" ");
        let short: String = match one_line.chars().count() > 300 {
            true => one_line.chars().take(299).chain(['…']).collect(),
            false => one_line,
        };
        text.push_str(&format!(
            "  {}\n",
            wrap_indented(&format!("question: {short}"), 74, 4)
        ));
    }
    let facts = match &judged.outcome {
        Ok(certified) => certified.facts.clone(),
        Err(rejection) => vec![rejection.to_string()],
    };
    for fact in facts {
        text.push_str(&format!("  {}\n", wrap_indented(&fact, 76, 4)));
    }
    text
}

fn result(judged: &Judged) -> Value {
    let evidence = &judged.evidence;
    let mut object = json!({
        "property": evidence.property,
        "question": judged.question,
        "claim": evidence.verdict().to_string(),
        "accepted": judged.outcome.is_ok(),
    });
    if !evidence.settings.is_empty() {
        object["settings"] = json!(evidence.settings);
    }
    match &judged.outcome {
        Ok(certified) => object["facts"] = json!(certified.facts),
        Err(rejection) => object["because"] = json!(rejection.to_string()),
    }
    object
}
