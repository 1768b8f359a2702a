//! `quotient certify EVIDENCE PROBLEM`

use clap::Args;
use quotient_certify::Rejection;
use quotient_core::Verdict;
use quotient_language::text::wrap;
use serde_json::{Value, json};

use crate::check::{LivenessWishes, certify};
use crate::failure::Failure;
use crate::files;
use crate::reply::Reply;
use crate::session::Session;

/// Check evidence with code that shares nothing with the engines.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 accepted, 1 rejected, 2 not checked in time, 3 wrong input.

Example:
  quotient check problem.toml --evidence proof.json
  quotient certify proof.json problem.toml")]
pub(crate) struct Certify {
    /// The evidence, as `quotient check --evidence` or `--out` wrote it.
    evidence: String,
    /// The problem it is about.
    problem: String,
    #[command(flatten)]
    liveness: LivenessWishes,
}

impl Certify {
    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let source = files::source(&self.evidence, session)?;
        let busy = session.busy("certifying");
        let checked = certify(&source, &self.problem, &self.liveness, session)?;
        drop(busy);
        let mut text = String::new();
        let mut results: Vec<Value> = Vec::new();
        let mut verdicts = Vec::new();
        for (evidence, result) in checked {
            let claim = evidence.verdict().to_string();
            match result {
                Ok(certified) => {
                    text.push_str(&format!("accepted: {} {claim}\n", certified.property));
                    for fact in &certified.facts {
                        let fact = wrap(fact, 78).replace('\n', "\n    ");
                        text.push_str(&format!("  {fact}\n"));
                    }
                    verdicts.push(Verdict::Holds);
                    results.push(json!({
                        "property": certified.property, "claim": claim, "accepted": true,
                        "facts": certified.facts,
                    }));
                }
                Err(rejection) => {
                    let property = evidence.property.unwrap_or_default();
                    let why = wrap(&rejection.to_string(), 76).replace('\n', "\n  ");
                    let what = match &rejection {
                        Rejection::Stopped(_) => "not decided",
                        Rejection::Wrong(_) | Rejection::Unreadable(_) => "rejected",
                    };
                    text.push_str(&format!("{what}: {property} {claim}\n  {why}\n"));
                    verdicts.push(match &rejection {
                        Rejection::Stopped(stop) => Verdict::Unknown(stop.clone()),
                        Rejection::Wrong(_) | Rejection::Unreadable(_) => Verdict::Violated,
                    });
                    results.push(json!({
                        "property": property, "claim": claim, "accepted": false,
                        "because": rejection.to_string(),
                    }));
                }
            }
        }
        Ok(Reply {
            verdict: Some(Verdict::all(verdicts)),
            text,
            result: json!({ "evidence": results }),
            ..Reply::default()
        })
    }
}
