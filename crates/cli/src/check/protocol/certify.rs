//! Evidence about protocols, checked again.

use quotient_automata::evidence::RunEvidence;
use quotient_certify::{Certified, Rejection};
use quotient_core::{Claim, Diagnostic, Evidence, Source};
use quotient_protocol::{Compiled, Interpreter, Protocol};

use super::{failure, parse};
use crate::check::certify::Judged;
use crate::check::words;
use crate::failure::Failure;
use crate::session::Session;

/// Checks evidence about a model: its words are compiled again, and runs of approximations must
/// be runs of the protocol itself.
pub(crate) fn certify(
    source: &Source,
    evidence: Vec<Evidence>,
    session: &Session,
) -> Result<Vec<Judged>, Failure> {
    let protocol = parse(source, session)?;
    let mut judged = Vec::new();
    for evidence in evidence {
        let result = certify_one(&protocol, &evidence, session)?;
        judged.push((evidence, result));
    }
    Ok(judged)
}

fn certify_one(
    protocol: &Protocol,
    evidence: &Evidence,
    session: &Session,
) -> Result<Result<Certified, Rejection>, Failure> {
    let about = evidence.property.as_deref().unwrap_or_default();
    if protocol.progress_names().any(|name| name == about) {
        let problem = protocol
            .progress_problem(about, &session.budget)
            .map_err(failure)?;
        let Some(problem) = problem else {
            let message = format!("the progress `{about}` cannot be stated about words");
            return Err(Diagnostic::error("no-problem", message).into());
        };
        let mut result = words::certify(evidence, &problem, session);
        if let Ok(certified) = &mut result {
            let fact = "bad words are loops of fair runs in which a process waits in vain";
            certified.facts.push(fact.to_owned());
        }
        return Ok(result);
    }
    let mut last = None;
    for tracked in protocol.approximations() {
        let compiled = protocol
            .compile_tracking(tracked, &session.budget)
            .map_err(failure)?;
        let problem = compiled
            .problem()
            .map_err(|error| Diagnostic::error("no-problem", error.to_string()))?;
        let mut result = words::certify(evidence, &problem, session);
        if compiled.is_approximation()
            && let Ok(certified) = &mut result
        {
            let fact = match evidence.claim {
                Claim::Holds => "more can happen in these words than in the protocol",
                Claim::Violated => "the protocol itself can take these steps",
            };
            certified.facts.push(fact.to_owned());
            if !is_real(protocol, &compiled, evidence) {
                let message = "the run is one of the approximation, not of the protocol";
                result = Err(Rejection::Wrong(message.to_owned()));
            }
        }
        if result.is_ok() {
            return Ok(result);
        }
        last = last.or(Some(result));
    }
    last.ok_or_else(|| Diagnostic::error("no-problem", "there is nothing to check").into())
}

/// Whether the protocol itself can take the steps of a run, if the evidence is one.
fn is_real(protocol: &Protocol, compiled: &Compiled, evidence: &Evidence) -> bool {
    if evidence.claim == Claim::Holds {
        return true;
    }
    let Ok(run) = evidence.read::<RunEvidence>() else {
        return false;
    };
    let word = |names: &Vec<String>| compiled.alphabet().word(&names.join(" ")).ok();
    let words: Option<Vec<_>> = run.words.iter().map(word).collect();
    let interpreter = Interpreter::new(protocol, compiled);
    // With one property it need not be named.
    let property = (evidence.property.as_deref()).or(protocol.property_names().next());
    let property = property.unwrap_or_default();
    words.is_some_and(|words| interpreter.confirms(property, &words, &run.steps))
}
