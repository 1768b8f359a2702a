//! Evidence about a protocol in a tree, checked independently of the engine.
//!
//! A set of trees is checked against what the protocol compiles to. So is a run; then the plain interpreter,
//! which has nothing in common with the automata but the letters, takes its steps: `violated` needs no faith in
//! the compiler.

use quotient_certify::{TreeProblem, TreeStep, certify_trees};
use quotient_core::{Budget, Certified, Claim, Evidence, Rejection};
use quotient_trees::Tree;
use quotient_trees::evidence::TreeRun;

use crate::Protocol;
use crate::trees::InTrees;

const COMPILED: &str = "the trees are those that the protocol compiles to, which is trusted";
const REPLAYED: &str =
    "the interpreter of the protocol takes these steps, from one of its own first trees";

/// Checks evidence about a property of a protocol in a tree.
pub(super) fn certify(
    protocol: &Protocol,
    compiled: &InTrees,
    evidence: &Evidence,
    property: &str,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    let mut all = compiled.bad.iter();
    let Some((name, _, bad)) = all.find(|(name, ..)| name == property) else {
        return Err(Rejection::wrong("there is no property of this name"));
    };
    let steps: Vec<(&str, TreeStep<'_>)> = (compiled.steps.iter())
        .map(|(name, one)| (name.as_str(), TreeStep::Transducer(one)))
        .collect();
    let question = TreeProblem {
        initial: &compiled.initial,
        bad,
        steps: &steps,
    };
    let mut certified = certify_trees(evidence, name, &question, budget)?;
    let fact = match evidence.claim {
        Claim::Holds => COMPILED,
        Claim::Violated => {
            replay(protocol, compiled, evidence, property, budget)?;
            REPLAYED
        }
    };
    certified.facts.push(fact.to_owned());
    Ok(certified)
}

/// Whether the protocol itself can take the steps of a run to a tree that the property forbids.
fn replay(
    protocol: &Protocol,
    compiled: &InTrees,
    evidence: &Evidence,
    property: &str,
    budget: &Budget,
) -> Result<(), Rejection> {
    let run: TreeRun = evidence
        .read()
        .map_err(|error| Rejection::unreadable(format!("the evidence is damaged: {error}")))?;
    let read = |text: &str| {
        let tree = Tree::read(text, compiled.initial.alphabet());
        tree.ok_or_else(|| Rejection::wrong(format!("`{text}` is no tree of the protocol")))
    };
    let plain = compiled.plain(protocol);
    let mut here = read(&run.first)?;
    if !plain.is_initial(&here) {
        let message = "no instance of the protocol begins as the run does";
        return Err(Rejection::wrong(message));
    }
    for (step, next) in &run.steps {
        let next = read(next)?;
        if !plain.leads(step, &here, &next, budget)? {
            let message = format!("`{step}` does not lead from one tree to the next");
            return Err(Rejection::wrong(message));
        }
        here = next;
    }
    let mut properties = protocol.properties.iter();
    let asked = properties.find(|one| one.name == property);
    match asked.map(|asked| plain.is_bad(asked, &here, budget)) {
        Some(Ok(true)) => Ok(()),
        Some(Err(stop)) => Err(stop.into()),
        _ => Err(Rejection::wrong(
            "the property does not forbid the last tree",
        )),
    }
}
