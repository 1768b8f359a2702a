//! Answers from what was found.

use quotient_core::{Context, Evidence, Stop, Verdict};
use quotient_lts::evidence::{ASSUMPTION, EXPLORED, ExploredData, NO_DEADLOCK, Sought, TRACE};

use super::{Answer, Finding};
use crate::evidence::{assumption_data, system_data, trace_data};
use crate::{Action, Exploration, Network, Proof, Violation, replay};

pub(super) fn proved(network: &Network, about: &str, method: &str, proof: Proof) -> Answer {
    let evidence = Evidence::of_holds(ASSUMPTION, &assumption_data(network, &proof));
    Answer {
        about: about.to_owned(),
        verdict: Verdict::Holds,
        method: method.to_owned(),
        evidence: Some(evidence.about(about).found_by(method)),
        finding: Finding::Proof(proof),
        statistics: None,
        left_out: Vec::new(),
    }
}

/// A violation, after it was replayed.
pub(super) fn violated(
    network: &Network,
    about: &str,
    method: &str,
    events: &[Action],
    violation: Violation,
    cx: &Context,
) -> Result<Answer, Stop> {
    let trace = replay(network, events, violation, &cx.budget)?.ok_or_else(cannot_repeat)?;
    let evidence = Evidence::of_violated(TRACE, &trace_data(network, &trace));
    Ok(Answer {
        about: about.to_owned(),
        verdict: Verdict::Violated,
        method: method.to_owned(),
        evidence: Some(evidence.about(about).found_by(method)),
        finding: Finding::Trace(trace),
        statistics: None,
        left_out: Vec::new(),
    })
}

pub(super) fn cannot_repeat() -> Stop {
    Stop::inconclusive("internal error: the violation cannot be repeated")
}

pub(super) fn explored(network: &Network, about: &str, exploration: &Exploration) -> Answer {
    let data = ExploredData {
        system: system_data(network),
        sought: match about {
            NO_DEADLOCK => Sought::Deadlock,
            _ => Sought::Error,
        },
        states: Some(exploration.states),
        transitions: Some(exploration.transitions),
    };
    let evidence = Evidence::of_holds(EXPLORED, &data);
    Answer {
        about: about.to_owned(),
        verdict: Verdict::Holds,
        method: "monolithic".to_owned(),
        evidence: Some(evidence.about(about).found_by("monolithic")),
        finding: Finding::Explored(exploration.clone()),
        statistics: None,
        left_out: Vec::new(),
    }
}

pub(super) fn unknown(about: &str, method: &str, stop: Stop) -> Answer {
    Answer {
        about: about.to_owned(),
        verdict: Verdict::Unknown(stop),
        method: method.to_owned(),
        finding: Finding::Nothing,
        evidence: None,
        statistics: None,
        left_out: Vec::new(),
    }
}
