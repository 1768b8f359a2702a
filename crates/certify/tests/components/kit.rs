//! Small systems, and what an engine says about them.

use quotient_certify::{Certified, Rejection, certify_components};
use quotient_compose::{Options, Strategy, Way, check};
use quotient_core::{Budget, Context, Evidence};
use quotient_lts::evidence::LtsData;
use quotient_lts::{Lts, LtsBuilder, Question, System};
use serde_json::{Value, json};

/// A target that stands for the error state.
pub(crate) const BAD: u32 = u32::MAX;

/// A component from its edges.
pub(crate) fn lts(system: &mut System, edges: &[(u32, &str, u32)]) -> Lts {
    builder(system, edges).build()
}

/// The same with an end.
pub(crate) fn ending(system: &mut System, edges: &[(u32, &str, u32)], end: u32) -> Lts {
    let mut builder = builder(system, edges);
    builder.end(end);
    builder.build()
}

fn builder(system: &mut System, edges: &[(u32, &str, u32)]) -> LtsBuilder {
    let mut builder = LtsBuilder::new();
    for &(from, action, to) in edges {
        let action = system.actions.intern(action);
        builder.edge(from, action, to);
    }
    builder
}

/// Components side by side, from their edges.
pub(crate) fn system(components: &[(&str, &[(u32, &str, u32)])]) -> System {
    let mut system = System::new();
    let mut nodes = Vec::new();
    for (name, edges) in components {
        let lts = lts(&mut system, edges);
        nodes.push(system.process(*name, lts));
    }
    system.parallel(nodes);
    system
}

/// A process that may do `a` or `b`, and a property each that forbids one of them.
pub(crate) fn two_properties(bad: &str) -> System {
    let (second, third) = match bad {
        "a" => ("a", "c"),
        bad => (bad, "a"),
    };
    let steps: &[(u32, &str, u32)] = &[(0, "a", 1), (1, "b", 0)];
    let forbids: &[(u32, &str, u32)] = &[(0, second, BAD)];
    let allows: &[(u32, &str, u32)] = &[(0, third, 0)];
    system(&[("P", steps), ("GOOD", allows), ("Q", forbids)])
}

pub(crate) const SAFETY: Question = Question::Safety { deadlock: true };

/// Evidence that an engine writes, by some way.
pub(crate) fn found(system: &System, question: &Question, way: Way, first: u64) -> Vec<Evidence> {
    let options = Options {
        way,
        threads: 1,
        search_first: first,
        ..Options::default()
    };
    let report = check(system, question, &options, &Context::default()).unwrap();
    let answers = report.answers.into_iter();
    answers.filter_map(|answer| answer.evidence).collect()
}

/// By all ways that there are: few states first, so that other methods than a search are used.
pub(crate) fn found_by_all(
    system: &System,
    question: &Question,
    strategies: &[Strategy],
) -> Vec<Evidence> {
    let assumptions = strategies.iter().cloned().map(Way::Assumptions);
    let ways = [Way::Monolithic, Way::Automatic, Way::Diagram]
        .into_iter()
        .chain(assumptions);
    let mut all: Vec<Evidence> = Vec::new();
    for way in ways {
        for first in [0, 2, 1_000] {
            for evidence in found(system, question, way.clone(), first) {
                if !all.contains(&evidence) {
                    all.push(evidence);
                }
            }
        }
    }
    all
}

pub(crate) fn certify(
    evidence: &Evidence,
    system: &System,
    question: &Question,
) -> Result<Certified, Rejection> {
    // More work than any of these takes, so that a forgery cannot keep the checker busy.
    let budget = Budget::unlimited().child_with_work(20_000_000);
    certify_components(evidence, system, question, &budget)
}

/// The system as evidence gives it.
pub(crate) fn body_of(system: &System) -> Value {
    let found = found(system, &SAFETY, Way::Monolithic, u64::MAX);
    found[0].body["system"].clone()
}

/// The component of a name that does nothing.
pub(crate) fn idle(name: &str) -> Value {
    let nothing = LtsData::new(name, &LtsBuilder::new().build());
    json!(nothing)
}
