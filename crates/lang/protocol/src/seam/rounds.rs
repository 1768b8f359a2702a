//! Evidence that something happens where runs need not repeat.
//!
//! *What is proved.* Take a run of which the property is not true. From some moment on it only takes
//! steps that it takes again and again, what it waits for does not come, and the automaton of a
//! formula stays where it can stay. Begin there with the freeze. Weights are never negative and, as is
//! checked on the transducers, no step behind the freeze makes their sum larger; so those that make it
//! smaller are taken only finitely often, and are left out from a later freeze on. As the run is fair,
//! and as only finitely many processes are there at the freeze, at some time all of them have taken a
//! step or were unable to, or are gone, and the automaton has kept its promises. That is a bad word; the invariant
//! has none.
//!
//! *What is trusted.* That the words before and behind the freeze are those of the protocol: the
//! compiler's and the reduction's word. (The tests compare verdicts with searches of instances.)

use quotient_automata::evidence::INVARIANT_KIND;
use quotient_certify::{WordProblem, certify_words};
use quotient_core::{Budget, Certified, Claim, Evidence, Rejection};
use quotient_language::text::count;
use serde::{Deserialize, Serialize};

use super::certify::{no_model, told};
use crate::Protocol;
use crate::progress::{Ranks, Unproved, Unsound};

/// Nobody is left out for ever.
pub(super) const ROUNDS: &str = "protocol-rounds";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    /// What becomes less, one after the other.
    ranks: Ranks,
    /// The invariant of the words in which the rest is left out.
    invariant: serde_json::Value,
}

/// The same evidence, with what becomes less.
pub(super) fn evidence(invariant: Evidence, ranks: &Ranks) -> Evidence {
    let told = Told {
        ranks: ranks.clone(),
        invariant: invariant.body.clone(),
    };
    let own = Evidence::of_holds(ROUNDS, &told);
    Evidence {
        kind: own.kind,
        body: own.body,
        ..invariant
    }
}

/// Checks evidence of this kind.
pub(super) fn certify(
    protocol: &Protocol,
    evidence: &Evidence,
    property: &str,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    let told: Told = told(evidence, Claim::Holds, property)?;
    let rounds = protocol.rounds(property, budget).map_err(no_model)?;
    let Some(rounds) = rounds else {
        let message = format!("the progress `{property}` cannot be stated about words");
        return Err(Rejection::unreadable(message));
    };
    let problem = match rounds.problem(&told.ranks, budget) {
        Ok(problem) => problem,
        Err(Unproved::Trouble(trouble)) => return Err(no_model(trouble)),
        Err(Unproved::Ranks(Unsound::Stopped(stop))) => return Err(stop.into()),
        Err(Unproved::Ranks(Unsound::Unknown(name))) => {
            let message = format!("the protocol has no `{name}` to weigh, or it is too heavy");
            return Err(Rejection::wrong(message));
        }
        Err(Unproved::Ranks(Unsound::Grows(step))) => {
            let message = format!("`{step}` may make larger what is said to become less");
            return Err(Rejection::wrong(message));
        }
    };
    let bad: Vec<_> = (problem.properties().iter())
        .map(|one| (one.name.clone(), one.bad.clone()))
        .collect();
    let words = WordProblem {
        initial: problem.initial(),
        bad: &bad,
        relation: problem.relation(),
    };
    let invariant = Evidence {
        kind: INVARIANT_KIND.to_owned(),
        body: told.invariant,
        ..evidence.clone()
    };
    let mut certified = certify_words(&invariant, &words, budget)?;
    certified.facts.push(
        "bad words are those in which everybody had their turn while the property is not true"
            .into(),
    );
    if !told.ranks.lists.is_empty() {
        certified.facts.push(format!(
            "left out are steps that are taken only finitely often, as {} that no step makes larger \
             become less",
            count(told.ranks.lists.len(), "sum")
        ));
    }
    let compiled = "the words are those that the protocol compiles to, which is trusted";
    certified.facts.push(compiled.to_owned());
    Ok(certified)
}
