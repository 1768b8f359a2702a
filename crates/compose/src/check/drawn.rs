//! Answers by a decision diagram of all states.

use quotient_core::{Context, Evidence, Stop, Verdict};
use quotient_lts::evidence::{DIAGRAM, DiagramData, NO_DEADLOCK, Sought};

use super::beside::another_errs;
use super::outcome::unknown;
use super::safety::Property;
use super::{Answer, Finding};
use crate::diagram::{Absent, closed};
use crate::evidence::system_data;
use crate::{Exploration, Network};

/// How a verdict was found, for people.
pub(super) const METHOD: &str = "decision diagram";

/// Answers by diagrams alone: what they do not show is unknown.
pub(super) fn answers(
    network: &Network,
    deadlock: bool,
    properties: &[Property],
    cx: &Context,
) -> Vec<Answer> {
    let told = |network: &Network, about: &str| {
        let why = || Stop::inconclusive("a diagram of all states does not show it");
        let answer = absent(network, about, u64::MAX, cx).unwrap_or_else(|| Err(why()));
        answer.unwrap_or_else(|stop| unknown(about, METHOD, stop))
    };
    let mut answers = Vec::new();
    if deadlock {
        let watchers = network.watchers();
        let needed = network.quieted(|at| watchers.contains(&at));
        answers.push(told(&needed, NO_DEADLOCK));
    }
    for property in properties {
        answers.push(match property.beside.is_empty() {
            true => told(&property.network, &property.name),
            false => unknown(&property.name, METHOD, another_errs()),
        });
    }
    answers
}

/// That there is no deadlock, or no error, with some work. Nothing where there is one, where it takes more,
/// and where the system is of no shape for this: other ways find out.
pub(super) fn absent(
    network: &Network,
    about: &str,
    work: u64,
    cx: &Context,
) -> Option<Result<Answer, Stop>> {
    let (absent, sought) = match about {
        NO_DEADLOCK => (Absent::Deadlock, Sought::Deadlock),
        _ => (Absent::Error, Sought::Error),
    };
    let found = match closed(network, absent, &cx.with_work(work).budget) {
        Ok(found) => found?,
        Err(Stop::Work) => return cx.budget.poll().err().map(Err),
        Err(stop) => return Some(Err(stop)),
    };
    cx.story.note(format!(
        "{about}: all states in a diagram of {} nodes",
        found.nodes.len()
    ));
    let exploration = Exploration {
        states: found.states(),
        transitions: 0,
        depth: 0,
        finding: None,
    };
    let data = DiagramData {
        system: system_data(network),
        sought,
        order: found.order,
        nodes: found.nodes,
    };
    let evidence = Evidence::of_holds(DIAGRAM, &data);
    Some(Ok(Answer {
        about: about.to_owned(),
        verdict: Verdict::Holds,
        method: METHOD.to_owned(),
        evidence: Some(evidence.about(about).found_by(METHOD)),
        finding: Finding::Explored(exploration),
        statistics: None,
        left_out: Vec::new(),
    }))
}
