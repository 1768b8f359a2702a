//! Runs to what was looked for: the fewest steps where markings were met in the order of their distance, and few steps
//! otherwise.

use quotient_language::Answer;

use crate::check::{Checker, Task};
use crate::evidence::{self, RUN};
use crate::formula::Formula;
use crate::guided::shortened;
use crate::net::Net;
use crate::trace;

/// How many numbers of tokens are written at most while steps are left out of a run.
const MOST_WORK: usize = 20_000_000;

/// The transitions of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found {
    /// No run to what is asked has fewer steps.
    Fewest(Vec<usize>),
    /// Another run may have fewer steps.
    Somehow(Vec<usize>),
}

impl Checker<'_> {
    /// A run leads to what is asked. Whoever reads it wants few steps, and to know whether there are fewer.
    pub(crate) fn reached(&self, task: &Task, start: &[u64], found: Found) -> Answer {
        let (fired, fewest) = match found {
            Found::Fewest(fired) => (fired, true),
            Found::Somehow(fired) => match task.goal() {
                Some(goal) => (fewer(self.net, start, &fired, goal), false),
                None => (fired, false),
            },
        };
        let body = evidence::run(self.net, start, &fired);
        let because = match (fired.len(), fewest) {
            (0, _) => "the start shows it".to_owned(),
            (1, _) => "one step leads there".to_owned(),
            (steps, true) => format!("{steps} steps lead there"),
            (steps, false) => format!("{steps} steps lead there, perhaps not the fewest"),
        };
        let mut answer = Answer::new(&task.asked.name, task.verdict(true))
            .because(because)
            .by("search")
            .with_trace(trace::of(self.net, start, &fired))
            .with_evidence(task.evidence(true, RUN, &body));
        let fewest = fewest || fired.len() <= 1;
        answer
            .details
            .push(("fewestSteps".to_owned(), fewest.into()));
        answer
    }
}

/// A run that still leads to what is asked, without rounds and without steps that are not needed for it.
///
/// Parts of the run are left out, long ones first, together with what cannot fire without them.
fn fewer(net: &Net, start: &[u64], fired: &[usize], goal: (&Formula, bool)) -> Vec<usize> {
    let mut run = shortened(net, start, fired);
    let mut work = 0;
    let mut length = run.len().div_ceil(2);
    while length > 0 {
        let before = run.len();
        let mut at = 0;
        while at < run.len() {
            work += (run.len() - at) * start.len();
            if work > MOST_WORK {
                return run;
            }
            let behind = (at + length).min(run.len());
            match without(net, start, &run, (at, behind), goal) {
                Some(less) => run = less,
                None => at += length,
            }
        }
        // Single steps are tried again until all are needed.
        if length > 1 || run.len() == before {
            length /= 2;
        }
    }
    run
}

/// A run without one of its parts, and without what cannot fire then; nothing if that is not what is asked.
fn without(
    net: &Net,
    start: &[u64],
    run: &[usize],
    (from, to): (usize, usize),
    (goal, value): (&Formula, bool),
) -> Option<Vec<usize>> {
    let mut marking = start.to_vec();
    let mut left = Vec::with_capacity(run.len());
    for &one in run[..from].iter().chain(&run[to..]) {
        if let Some(next) = net.transitions[one].fire(&marking) {
            marking = next;
            left.push(one);
        }
    }
    (goal.holds(net, &marking) == value).then_some(left)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use quotient_core::{Budget, Context};

    use super::*;
    use crate::certify::certify;
    use crate::check::Task;
    use crate::testing::{checker, possible, read};
    use crate::traps_tests::{random_goal, random_net};

    /// The fewest steps to each of at most so many markings, by a plain search.
    fn distances(net: &Net, most: usize) -> Option<BTreeMap<Vec<u64>, usize>> {
        let start = net.start()?;
        let mut all = BTreeMap::from([(start.clone(), 0)]);
        let mut layer = vec![start];
        for steps in 1.. {
            let mut next = Vec::new();
            for marking in &layer {
                for after in net.transitions.iter().filter_map(|one| one.fire(marking)) {
                    if !all.contains_key(&after) {
                        all.insert(after.clone(), steps);
                        next.push(after);
                    }
                }
            }
            if all.len() > most {
                return None;
            }
            if next.is_empty() {
                break;
            }
            layer = next;
        }
        Some(all)
    }

    #[test]
    fn runs_are_made_shorter_and_what_is_said_to_be_the_fewest_steps_is() {
        let (mut runs, mut shorter) = (0, 0);
        quotient_trial::trial(|u| {
            let net = read(&random_net(u)?);
            let Some(all) = distances(&net, 300) else {
                return Ok(());
            };
            let goal = random_goal(u, &net)?;
            let near = all.iter().filter(|(marking, _)| goal.holds(&net, marking));
            let Some(fewest) = near.map(|(_, &steps)| steps).min() else {
                return Ok(());
            };
            let cx = Context::default();
            let checker = checker(&net, &cx);
            let (start, asked) = (net.start().unwrap(), possible(&goal));
            let budget = Budget::unlimited();
            let steps_of = |answer: &Answer| {
                let evidence = answer.evidence.as_ref().unwrap();
                certify(&net, &asked.name, &asked.question, evidence, &budget).unwrap();
                answer.trace.as_ref().unwrap().steps.len() - 1
            };
            // Whatever fires first of what can, for a while.
            let (mut marking, mut fired) = (start.clone(), Vec::new());
            while fired.len() < 60 && !goal.holds(&net, &marking) {
                let able: Vec<usize> = (0..net.transitions.len())
                    .filter(|&one| net.transitions[one].is_enabled(&marking))
                    .collect();
                let Some(&one) = u.choose_iter(able.iter()).ok() else {
                    break;
                };
                marking = net.transitions[one].fire(&marking).unwrap();
                fired.push(one);
            }
            let task = Task::of(0, &asked).remove(0);
            if goal.holds(&net, &marking) {
                let answer = checker.reached(&task, &start, Found::Somehow(fired.clone()));
                let steps = steps_of(&answer);
                assert!(fewest <= steps && steps <= fired.len());
                runs += 1;
                shorter += usize::from(steps < fired.len());
            }
            // Ways that say that there is no shorter run.
            let mut bits = vec![1; start.len()];
            let ready = &mut |_: &mut [Task]| {};
            for way in 0..3 {
                let mut tasks = Task::of(0, &asked);
                match way {
                    0 => crate::reduced::solve(&checker, &start, 1_000, &mut bits, &mut tasks)
                        .unwrap(),
                    1 => crate::orbits::solve(&checker, &start, 1_000, &mut bits, &mut tasks)
                        .unwrap(),
                    _ => {
                        checker
                            .search(&start, 1_000, &mut bits, &mut tasks, ready)
                            .unwrap();
                    }
                }
                if let Some(answer) = &tasks[0].answer {
                    assert_eq!(steps_of(answer), fewest, "way {way}: {answer:?}");
                }
            }
            Ok(())
        })
        .size_min(256)
        .budget_ms(1_500);
        assert!(
            runs > 20 && shorter > 5,
            "{runs} runs, {shorter} made shorter"
        );
    }

    #[test]
    fn philosophers_who_eat_on_the_way_are_stuck_in_one_step_each() {
        let number = 14;
        let mut text = String::new();
        for one in 0..number {
            let next = (one + 1) % number;
            text += &format!("pl t{one} (1)\npl f{one} (1)\n");
            text += &format!("tr left{one} t{one} f{one} -> l{one}\n");
            text += &format!("tr right{one} l{one} f{next} -> e{one}\n");
            text += &format!("tr leave{one} e{one} -> t{one} f{one} f{next}\n");
        }
        let net = read(&text);
        let id = |name: String| net.transitions.iter().position(|one| one.id == name);
        let mut fired = Vec::new();
        for one in 0..number {
            for what in ["left", "right", "leave", "left"] {
                fired.extend(id(format!("{what}{one}")));
            }
        }
        let cx = Context::default();
        let asked = possible(&Formula::Dead);
        let task = Task::of(0, &asked).remove(0);
        let start = net.start().unwrap();
        let mut marking = start.clone();
        fired.retain(|&one| match net.transitions[one].fire(&marking) {
            Some(next) => {
                marking = next;
                true
            }
            None => false,
        });
        assert!(Formula::Dead.holds(&net, &marking) && fired.len() > number);
        let answer = checker(&net, &cx).reached(&task, &start, Found::Somehow(fired));
        assert_eq!(
            answer.because,
            "14 steps lead there, perhaps not the fewest"
        );
    }
}
