//! Progress of protocols with arrays: what becomes of it once all have settled, and the evidence of it.
//!
//! *What is proved.* Take a run of which the property is not true. Steps that make smaller what no step makes
//! larger are taken only finitely often. After the last of them only some processes still change; each of the
//! others is as it is for ever, and as the run is fair it was unable to take a step at some moment. The
//! checker finds these steps and processes again from the weights, and says of the numbers of processes in each
//! state what follows: who is there was unable, what is assumed of all configurations, what was counted when
//! somebody came to have a value, and that somebody waits. If no numbers satisfy that, there is no such run.
//!
//! *What is trusted.* What can become of the variables of a step's people (tests compare verdicts with searches
//! of instances), and the elimination that says that no numbers satisfy sums.

use quotient_core::{Budget, Certified, Claim, Evidence, Rejection, Verdict};
use quotient_language::Answer;
use serde::{Deserialize, Serialize};

use super::certify::told;
use crate::Protocol;
use crate::progress::{Ranks, Unsound};

/// Nobody waits once all have settled.
pub(super) const SETTLED: &str = "protocol-settled";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    /// What becomes less, one after the other.
    ranks: Ranks,
}

/// What these weights show of a property that says what must happen.
pub(super) fn answer(protocol: &Protocol, property: &str, ranks: Ranks) -> Answer {
    let because = "once all have settled who can, nobody can wait any more";
    let mut answer = Answer::new(property, Verdict::Holds).because(because);
    answer.notes.push(protocol.fairness_in_words().to_owned());
    let evidence = Evidence::of_holds(SETTLED, &Told { ranks });
    answer.with_evidence(evidence.about(property))
}

/// Checks evidence of this kind.
pub(super) fn certify(
    protocol: &Protocol,
    evidence: &Evidence,
    property: &str,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    let told: Told = told(evidence, Claim::Holds, property)?;
    let Some(settled) = protocol.settled(property, budget)? else {
        let message = format!("of the progress `{property}` nothing follows from counting");
        return Err(Rejection::unreadable(message));
    };
    match settled.is_shown_by(&told.ranks, budget) {
        Ok(true) => {}
        Ok(false) => {
            let why = "somebody may wait for ever, for all that follows from what becomes less";
            return Err(Rejection::wrong(why));
        }
        Err(Unsound::Stopped(stop)) => return Err(stop.into()),
        Err(Unsound::Unknown(name)) => {
            let message = format!("the protocol has no `{name}` to weigh, or it is too heavy");
            return Err(Rejection::wrong(message));
        }
        Err(Unsound::Grows(step)) => {
            let message = format!("`{step}` may make larger what is said to become less");
            return Err(Rejection::wrong(message));
        }
    }
    Ok(Certified {
        property: property.to_owned(),
        facts: vec![
            "what becomes less is made larger by no step".into(),
            "no numbers of processes satisfy that all have settled and somebody waits".into(),
            "what steps make of their people's variables is trusted".into(),
        ],
    })
}
