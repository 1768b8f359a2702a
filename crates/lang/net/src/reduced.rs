//! Whether a net can get stuck, with fewer markings.

use std::ops::ControlFlow;

use quotient_core::Stop;
use quotient_explicit::{Ending, Graph, Limits, search_together};
use quotient_language::Answer;
use serde_json::json;

use crate::check::{Checker, MOST_MARKINGS, MOST_NUMBERS, Task, labels};
use crate::evidence::{self, STUBBORN};
use crate::space::Space;
use crate::stubborn::{Relations, Stubborn};

/// Answers the open questions that are only about being stuck, if they can be answered so.
pub(crate) fn solve(
    checker: &Checker<'_>,
    start: &[u64],
    most: usize,
    bits: &mut [u32],
    tasks: &mut [Task],
) -> Result<(), Stop> {
    let about_stuck = |task: &Task| {
        let goal = task.goal().filter(|_| task.is_open());
        goal.is_some_and(|(goal, value)| goal.about_stuck() == Some(value))
    };
    if !tasks.iter().any(about_stuck) {
        return Ok(());
    }
    let Some(relations) = Relations::new(checker.net) else {
        return Ok(());
    };
    loop {
        let space = Space::new(checker.net, start, bits);
        let system = Stubborn {
            space: &space,
            relations: &relations,
        };
        let mut stuck = None;
        let visit = &mut |_: &Graph, id: u32, successors: usize| match successors {
            0 => {
                stuck = Some(id);
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        };
        let limits = Limits { states: most };
        let budget = &checker.cx.budget;
        let threads = checker.threads;
        let (graph, ending) = search_together(&system, &limits, budget, threads, visit);
        match ending {
            Ending::Complete | Ending::Enough => {
                for task in tasks.iter_mut().filter(|task| about_stuck(task)) {
                    task.answer = Some(match stuck {
                        Some(id) => checker.reached(task, start, &labels(&graph, id)),
                        None => never(task, &system, &graph),
                    });
                }
                return Ok(());
            }
            Ending::Unfit(place) => {
                let Some(bits) = bits.get_mut(place as usize).filter(|bits| **bits < 64) else {
                    return Err(Stop::bound("the number of tokens", u64::MAX));
                };
                *bits = (*bits * 2).min(64);
            }
            Ending::Stopped(Stop::Bound { .. }) => return Ok(()),
            Ending::Stopped(stop) => return Err(stop),
        }
    }
}

/// No marking is stuck.
fn never(task: &Task, system: &Stubborn<'_>, graph: &Graph) -> Answer {
    let number = graph.len();
    let mut answer = Answer::new(&task.asked.name, task.verdict(false))
        .because(format!(
            "{number} markings stand for all, and none is stuck"
        ))
        .by("stubborn sets");
    answer.details.push(("markings".to_owned(), json!(number)));
    let numbers = number.saturating_mul(system.space.places() + 8);
    if number > MOST_MARKINGS || numbers > MOST_NUMBERS {
        let note = "the markings are too many to be listed as evidence";
        answer.notes.push(note.to_owned());
        return answer;
    }
    let mut markings = Vec::new();
    for id in 0..number as u32 {
        let state = graph.state(id);
        let mut marking = Vec::new();
        system.space.unpack(state, &mut marking);
        let is_enabled = |one: usize| system.space.is_enabled(one, state);
        let tokens = |place: usize| system.space.tokens(state, place);
        markings.push((marking, system.relations.set(&is_enabled, &tokens)));
    }
    let body = evidence::Stubborn { markings };
    answer.with_evidence(task.evidence(false, STUBBORN, &body))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use arbtest::arbitrary::{Result as Made, Unstructured};
    use quotient_core::{Budget, Context, Source, Verdict};

    use super::*;
    use crate::certify::certify;
    use crate::formula::{Formula, Question};
    use crate::net::Net;
    use crate::properties::Asked;

    fn random_net(u: &mut Unstructured<'_>) -> Made<String> {
        let places = ["a", "b", "c", "d", "e"];
        let mut net = String::new();
        for place in places {
            net.push_str(&format!("pl {place} ({})\n", u.int_in_range(0..=2)?));
        }
        for number in 0..u.int_in_range(1..=6)? {
            net.push_str(&format!("tr t{number}"));
            for side in [" ", " -> "] {
                net.push_str(side);
                for place in places {
                    if u.ratio(1, 3)? {
                        net.push_str(&format!("{place}*{} ", u.int_in_range(1..=2)?));
                    }
                }
            }
            net.push('\n');
        }
        Ok(net)
    }

    /// Whether a marking without successors is reachable; nothing if there are many markings.
    fn gets_stuck(net: &Net) -> Option<bool> {
        let start = net.start()?;
        let mut seen = BTreeSet::from([start.clone()]);
        let mut todo = vec![start];
        let mut stuck = false;
        while let Some(marking) = todo.pop() {
            let next = net.transitions.iter().filter_map(|one| one.fire(&marking));
            let next: Vec<_> = next.collect();
            stuck |= next.is_empty();
            for one in next {
                if seen.insert(one.clone()) {
                    todo.push(one);
                }
            }
            if seen.len() > 500 {
                return None;
            }
        }
        Some(stuck)
    }

    #[test]
    fn stubborn_sets_find_what_is_stuck_and_show_that_nothing_is() {
        arbtest::arbtest(|u| {
            let text = random_net(u)?;
            let net = crate::tina::read(&Source::new("r.net", text.as_str())).unwrap();
            let Some(expected) = gets_stuck(&net) else {
                return Ok(());
            };
            let cx = Context::default();
            let checker = Checker {
                net: &net,
                cx: &cx,
                most: 100_000,
                threads: 2,
                nested: false,
            };
            let asked = Asked {
                name: "stuck".to_owned(),
                text: "stuck".to_owned(),
                kind: "reachable",
                question: Question::Possible(Formula::Dead),
                span: None,
            };
            let start = net.start().unwrap();
            let mut bits = vec![1; start.len()];
            let mut tasks = Task::of(0, &asked);
            solve(&checker, &start, 100_000, &mut bits, &mut tasks).unwrap();
            let answer = tasks[0].answer.take().unwrap();
            assert_eq!(answer.verdict == Verdict::Holds, expected, "{text}");
            let evidence = answer.evidence.unwrap();
            let budget = Budget::unlimited();
            let certified = certify(&net, "stuck", &asked.question, &evidence, &budget);
            certified.unwrap_or_else(|why| panic!("{why}\n{text}"));
            // With a marking left out, nothing is shown.
            if !expected {
                let mut forged = evidence.clone();
                let all = forged.body["markings"].as_array_mut().unwrap();
                let at = u.int_in_range(0..=all.len() - 1)?;
                all.remove(at);
                assert!(certify(&net, "stuck", &asked.question, &forged, &budget).is_err());
                let mut forged = evidence;
                let all = forged.body["markings"].as_array_mut().unwrap();
                let at = u.int_in_range(0..=all.len() - 1)?;
                all[at][1] = serde_json::json!([]);
                assert!(certify(&net, "stuck", &asked.question, &forged, &budget).is_err());
            }
            Ok(())
        })
        .budget_ms(2_500);
    }
}
