//! Whether a marking can be reached, with fewer markings.

use std::ops::ControlFlow;

use quotient_core::Stop;
use quotient_explicit::{Ending, Graph, Limits, StateId, search_together};
use quotient_language::Answer;
use serde_json::json;

use crate::check::{Checker, MOST_MARKINGS, MOST_NUMBERS, Task, labels};
use crate::evidence::{self, STUBBORN};
use crate::found::Found;
use crate::space::Space;
use crate::stubborn::{Goal, Relations, Stubborn};

/// The most questions that are searched for one by one.
const MOST_TASKS: usize = 64;

/// Answers open questions about markings, each by a search of its own.
pub(crate) fn solve(
    checker: &Checker<'_>,
    start: &[u64],
    most: usize,
    bits: &mut [u32],
    tasks: &mut [Task],
) -> Result<(), Stop> {
    let open = |task: &Task| task.is_open() && task.goal().is_some();
    if !tasks.iter().any(open) {
        return Ok(());
    }
    let Some(relations) = Relations::new(checker.net) else {
        return Ok(());
    };
    for task in tasks.iter_mut().filter(|task| open(task)).take(MOST_TASKS) {
        let Some((formula, value)) = task.goal() else {
            continue;
        };
        let goal = Goal::new(checker.net, formula, value);
        // The question whether a net gets stuck is made for this; others may gain little.
        let most = match goal {
            Goal::Dead => most,
            _ => most / 4,
        };
        task.answer = answered(checker, start, most, bits, &relations, &goal, task)?;
    }
    Ok(())
}

fn answered(
    checker: &Checker<'_>,
    start: &[u64],
    most: usize,
    bits: &mut [u32],
    relations: &Relations,
    goal: &Goal,
    task: &Task,
) -> Result<Option<Answer>, Stop> {
    loop {
        let space = Space::new(checker.net, start, bits);
        let system = Stubborn {
            space: &space,
            relations,
            goal,
        };
        let mut found = None;
        let worth = |state: &[u64], _: usize| {
            goal.holds_in(checker.net, &|place: usize| space.tokens(state, place))
        };
        let visit = &mut |_: &Graph, id: StateId, _: &[u64], _: usize| {
            found = Some(id);
            ControlFlow::Break(())
        };
        let limits = Limits { states: most };
        let budget = &checker.cx.budget;
        let threads = checker.threads;
        let (graph, ending) =
            search_together(&system, &limits, budget, threads, Some(&worth), visit);
        match ending {
            Ending::Complete | Ending::Enough => {
                return Ok(Some(match found {
                    // A run to it can be taken in another order that uses these steps only: none has fewer.
                    Some(id) => checker.reached(task, start, Found::Fewest(labels(&graph, id))),
                    None => never(task, &system, &graph),
                }));
            }
            Ending::Unfit(place) => {
                let Some(bits) = bits.get_mut(place as usize).filter(|bits| **bits < 64) else {
                    return Err(Stop::bound("the number of tokens", u64::MAX));
                };
                *bits = (*bits * 2).min(64);
            }
            Ending::Stopped(Stop::Bound { .. }) => return Ok(None),
            Ending::Stopped(stop) => return Err(stop),
        }
    }
}

/// No marking is as asked.
fn never(task: &Task, system: &Stubborn<'_>, graph: &Graph) -> Answer {
    let number = graph.len();
    let none = match system.goal {
        Goal::Dead => "none is stuck",
        _ => "none is such",
    };
    let mut answer = Answer::new(&task.asked.name, task.verdict(false))
        .because(format!("{number} markings stand for all, and {none}"))
        .by("stubborn sets");
    answer.details.push(("markings".to_owned(), json!(number)));
    let numbers = number.saturating_mul(system.space.places() + 8);
    if number > MOST_MARKINGS || numbers > MOST_NUMBERS {
        let note = "the markings are too many to be listed as evidence";
        answer.notes.push(note.to_owned());
        return answer;
    }
    let mut markings = Vec::new();
    for id in StateId::all(number) {
        let state = graph.state(id);
        let mut marking = Vec::new();
        system.space.unpack(&state, &mut marking);
        markings.push((marking, system.set(&state)));
    }
    let body = evidence::Stubborn { markings };
    answer.with_evidence(task.evidence(false, STUBBORN, &body))
}

#[cfg(test)]
mod tests {

    use quotient_core::{Budget, Context, Evidence, Verdict};
    use quotient_trial::arbitrary::{Result as Made, Unstructured};

    use super::*;
    use crate::certify::certify;
    use crate::formula::{Formula, Linear};
    use crate::net::Net;
    use crate::testing::{all_markings, checker, possible, read};

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

    /// A condition over the places and transitions of a random net.
    fn random_formula(u: &mut Unstructured<'_>, net: &Net, depth: usize) -> Made<Formula> {
        let kinds = if depth == 0 { 2 } else { 5 };
        let part = |u: &mut Unstructured<'_>| random_formula(u, net, depth.saturating_sub(1));
        Ok(match u.int_in_range(0..=kinds)? {
            0 => Formula::Fireable(u.choose_index(net.transitions.len())?),
            1 => Formula::Dead,
            2 => {
                let mut terms = Vec::new();
                for place in 0..net.places.len() {
                    match u.int_in_range(0..=5)? {
                        0 => terms.push((place, 1)),
                        1 => terms.push((place, -1)),
                        _ => {}
                    }
                }
                let least = u.int_in_range(-2..=4)?;
                Formula::AtLeast(Linear { terms, least })
            }
            3 => Formula::Not(Box::new(part(u)?)),
            4 => Formula::All(vec![part(u)?, part(u)?]),
            _ => Formula::Any(vec![part(u)?, part(u)?]),
        })
    }

    /// All reachable markings; nothing if there are many.
    #[test]
    fn stubborn_sets_reach_what_can_be_reached_and_show_that_nothing_else_can() {
        quotient_trial::trial(|u| {
            let text = random_net(u)?;
            let net = read(&text);
            let Some(all) = all_markings(&net, 500) else {
                return Ok(());
            };
            let goal = match u.ratio(1, 4)? {
                true => Formula::Dead,
                false => random_formula(u, &net, 3)?,
            };
            let expected = all.iter().any(|marking| goal.holds(&net, marking));
            let cx = Context::default();
            let checker = Checker {
                threads: 2,
                ..checker(&net, &cx)
            };
            let asked = possible(&goal);
            let start = net.start().unwrap();
            let mut bits = vec![1; start.len()];
            let mut tasks = Task::of(0, &asked);
            solve(&checker, &start, 100_000, &mut bits, &mut tasks).unwrap();
            let answer = tasks[0].answer.take().unwrap();
            assert_eq!(answer.verdict == Verdict::Holds, expected, "{text}{goal:?}");
            let evidence = answer.evidence.unwrap();
            let budget = Budget::unlimited();
            let judged =
                |evidence: &Evidence| certify(&net, "reached", &asked.question, evidence, &budget);
            judged(&evidence).unwrap_or_else(|why| panic!("{why}\n{text}{goal:?}"));
            // With a marking left out, nothing is shown.
            if !expected {
                let mut forged = evidence.clone();
                let all = forged.body["markings"].as_array_mut().unwrap();
                let at = u.int_in_range(0..=all.len() - 1)?;
                all.remove(at);
                assert!(judged(&forged).is_err());
            }
            // Markings and sets that leave out a way are refused, whatever they are.
            if expected {
                let kept: Vec<&Vec<u64>> = all
                    .iter()
                    .filter(|marking| !goal.holds(&net, marking))
                    .collect();
                let mut markings = Vec::new();
                for marking in kept {
                    let mut set = Vec::new();
                    for one in 0..net.transitions.len() {
                        if u.ratio(1, 2)? {
                            set.push(one);
                        }
                    }
                    markings.push((marking.clone(), set));
                }
                let body = evidence::Stubborn { markings };
                let forged = Evidence::of_violated(STUBBORN, &body).about("reached");
                assert!(judged(&forged).is_err(), "{text}{goal:?}{body:?}");
            }
            Ok(())
        })
        .budget_ms(4_000);
    }
}
