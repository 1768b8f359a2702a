//! A property that only watches, beside components that err and restrict others.
//!
//! An execution ends where any of those errs, and whether the property is kept is a matter of
//! the executions up to there. A search that stops at the first error of anybody says so if it
//! finds none; where it finds one of another component, the whole is searched once more with
//! components that stop everything instead of erring.

use std::sync::Arc;

use quotient_core::{Budget, Context, Evidence, Stop, Verdict};
use quotient_lts::evidence::{EXPLORED, ExploredData, Sought};

use super::outcome::{cannot_repeat, violated};
use super::safety::Property;
use super::{Answer, Finding};
use crate::evidence::system_data;
use crate::{Action, ERROR, Goals, Lts, LtsBuilder, Network, State, explore};

/// What is said of a search that came to an error of a component beside the property.
pub(super) fn another_errs() -> Stop {
    Stop::inconclusive("another component errs first")
}

/// Searches all executions up to the first error for one of the property.
pub(super) fn search(
    whole: &Network,
    property: &Property,
    threads: usize,
    cx: &Context,
) -> Result<Answer, Stop> {
    let (about, method) = (property.name.as_str(), "monolithic");
    let halting = halting(&property.network, &property.beside, &cx.budget)?;
    let goals = Goals {
        deadlock: false,
        error: true,
    };
    let exploration = explore(&halting, goals, threads, cx)?;
    if let Some((violation, events)) = &exploration.finding {
        let told = |network| violated(network, about, method, events, *violation, cx);
        return told(whole).or_else(|_| {
            let mut answer = told(&property.network).map_err(|_| cannot_repeat())?;
            answer.left_out = whole.quieter_in(&property.network);
            Ok(answer)
        });
    }
    let data = ExploredData {
        system: system_data(&property.network),
        sought: Sought::Error,
        states: None,
        transitions: None,
    };
    let evidence = Evidence::of_holds(EXPLORED, &data);
    Ok(Answer {
        about: about.to_owned(),
        verdict: Verdict::Holds,
        method: method.to_owned(),
        evidence: Some(evidence.about(about).found_by(method)),
        finding: Finding::Explored(exploration),
        statistics: None,
        left_out: Vec::new(),
    })
}

/// The same network with some components that take part in everything, and stop everything
/// where they would err.
fn halting(network: &Network, parts: &[usize], budget: &Budget) -> Result<Network, Stop> {
    let events: Vec<Action> = network.events().collect();
    network.with_parts(parts, |lts| {
        budget.charge((lts.states() as u64).saturating_mul(events.len() as u64))?;
        Ok(Arc::new(halts(lts, &events)))
    })
}

fn halts(lts: &Lts, events: &[Action]) -> Lts {
    let stopped = State::from_index(lts.states());
    let target = |state: State| if state == ERROR { stopped } else { state };
    let mut builder = LtsBuilder::new();
    builder
        .at_least(lts.states() + 1)
        .initial(target(lts.initial()))
        .alphabet(events.iter().copied());
    for (from, edge) in lts.all_edges() {
        builder.edge(from, edge.action, target(edge.target));
    }
    for &event in events.iter().filter(|&&event| !lts.knows(event)) {
        for state in lts.all_states() {
            builder.edge(state, event, state);
        }
    }
    builder.build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Question, System, Way, check, operations::complete};

    /// A clock that errs at its second `a`, something that goes on for ever, and watchers: each
    /// wants its actions one after the other, again and again or, at the end, no more.
    fn system(watchers: &[(&str, &[&str], bool)]) -> System {
        let mut system = System::new();
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| system.actions.intern(name));
        let mut clock = LtsBuilder::new();
        clock.edge(0, a, 1).edge(1, a, ERROR);
        // Not always: it restricts.
        clock.edge(0, d, 0);
        let mut other = LtsBuilder::new();
        other.edge(0, b, 1).edge(1, c, 0).edge(0, a, 0);
        other.edge(1, a, 1);
        let mut nodes = vec![
            system.process("CLOCK", clock.build()),
            system.process("OTHER", other.build()),
        ];
        for &(name, wanted, again) in watchers {
            let mut builder = LtsBuilder::new();
            for (from, &action) in (0..).zip(wanted) {
                let to = match from + 1 == wanted.len() as u32 && again {
                    true => 0,
                    false => from + 1,
                };
                builder.edge(from, system.actions.intern(action), to);
            }
            nodes.push(system.process(name, complete(&builder.build())));
        }
        system.parallel(nodes);
        system
    }

    fn verdicts(system: &System, way: Way) -> Vec<(String, Verdict)> {
        let options = Options {
            way,
            ..Options::default()
        };
        let question = Question::Safety { deadlock: false };
        let report = check(system, &question, &options, &Context::default()).unwrap();
        let answers = report.answers.into_iter();
        answers
            .map(|answer| (answer.about, answer.verdict))
            .collect()
    }

    fn expect(watchers: &[(&str, &[&str], bool)], expected: &[(&str, Verdict)]) {
        let expected = expected.iter().cloned();
        let expected: Vec<(String, Verdict)> = expected
            .map(|(name, verdict)| (name.to_owned(), verdict))
            .collect();
        for way in [Way::Automatic, Way::Monolithic] {
            assert_eq!(verdicts(&system(watchers), way), expected);
        }
    }

    #[test]
    fn each_has_its_own_answer() {
        let watchers: [(&str, &[&str], bool); 2] =
            [("ONE", &["b", "c"], true), ("TWO", &["c", "b"], true)];
        expect(
            &watchers,
            &[
                ("CLOCK", Verdict::Violated),
                ("ONE", Verdict::Holds),
                ("TWO", Verdict::Violated),
            ],
        );
    }

    #[test]
    fn two_may_err_at_once_and_nothing_counts_behind_an_error() {
        let watchers: [(&str, &[&str], bool); 2] =
            [("SECOND", &["a"], false), ("THIRD", &["a", "a"], false)];
        expect(
            &watchers,
            &[
                ("CLOCK", Verdict::Violated),
                ("SECOND", Verdict::Violated),
                ("THIRD", Verdict::Holds),
            ],
        );
    }
}
