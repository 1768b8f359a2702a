//! Markings remembered by their hashes, where memory is too short for all of them.
//!
//! What is found this way is real: its run is fired again. What is not found is unknown, with the
//! chance that a marking was missed.

use std::ops::ControlFlow;

use quotient_core::Stop;
use quotient_explicit::{Ending, Limits, StateId, System, Traces, search_compact};

use crate::check::{Checker, Task};
use crate::found::Found;
use crate::space::Space;

/// The bytes that a marking takes once it is folded (one word, its share of the table that finds it,
/// and the step that led to it), beside a byte for each of its words, which it shares with others;
/// and the part of the memory allowed that markings may take: tables are twice as large while they
/// grow.
const FOLDED_BYTES: u64 = 24;
const PART: u64 = 3;

/// How many whole markings the memory that is allowed has room for.
pub(crate) fn room(checker: &Checker<'_>, start: &[u64], bits: &mut [u32]) -> usize {
    let Some(limit) = checker.cx.budget.memory_limit() else {
        return usize::MAX;
    };
    let width = Space::new(checker.net, start, bits).width() as u64;
    usize::try_from(limit / PART / (width + FOLDED_BYTES)).unwrap_or(usize::MAX)
}

/// Looks for what is open; says why it stays open.
pub(crate) fn solve(
    checker: &Checker<'_>,
    start: &[u64],
    bits: &mut [u32],
    tasks: &mut [Task],
) -> Result<Stop, Stop> {
    loop {
        let space = Space::new(checker.net, start, bits);
        let mut peaks: Vec<Option<StateId>> = vec![None; tasks.len()];
        let open: Vec<bool> = tasks.iter().map(Task::is_open).collect();
        let visit = &mut |traces: &Traces, id: StateId, state: &[u64], successors: usize| {
            let tokens = |place: usize| space.tokens(state, place);
            let mut open = false;
            for (task, peak) in tasks.iter_mut().zip(&mut peaks) {
                if task.is_open() {
                    let stuck = Some(successors == 0);
                    let run = || Found::Fewest(labels(traces, id));
                    open |= !checker.look(task, &tokens, stuck, start, run, || *peak = Some(id));
                }
            }
            match open {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        };
        let limits = Limits {
            states: checker.most,
        };
        let (traces, ending) = search_compact(&space, &limits, &checker.cx.budget, visit);
        for (task, peak) in tasks.iter_mut().zip(peaks) {
            if let (Some(seen), Some(id)) = (&mut task.seen, peak) {
                seen.1 = labels(&traces, id);
            }
        }
        for (task, _) in tasks.iter_mut().zip(open).filter(|(_, open)| *open) {
            if let Some(answer) = task.answer.as_mut().filter(|one| one.trace.is_some()) {
                answer.notes.push(format!(
                    "markings were known by their hashes since memory is short: with a chance of {:.0e} at most, a shorter run was missed",
                    traces.chance(),
                ));
            }
        }
        match ending {
            Ending::Complete | Ending::Enough => {
                return Ok(Stop::inconclusive(format!(
                    "{} markings were looked at, known by their hashes since memory is short: with a chance of {:.0e} at most, one was missed",
                    traces.len(),
                    traces.chance(),
                )));
            }
            Ending::Unfit(place) => {
                let Some(bits) = bits.get_mut(place as usize).filter(|bits| **bits < 64) else {
                    return Err(Stop::bound("the number of tokens", u64::MAX));
                };
                *bits = (*bits * 2).min(64);
            }
            Ending::Stopped(stop) => return Err(stop),
        }
    }
}

fn labels(traces: &Traces, id: StateId) -> Vec<usize> {
    let (_, labels) = traces.run(id);
    labels.into_iter().map(|label| label as usize).collect()
}

#[cfg(test)]
mod tests {
    use quotient_core::{Budget, Context, Source, Verdict};

    use super::*;
    use crate::formula::{Formula, Linear, Question};
    use crate::net::Net;
    use crate::properties::Asked;
    use crate::testing::checker;

    fn task(net: &Net, place: &str, least: i64) -> Task {
        let place = net.places.iter().position(|one| one.id == place).unwrap();
        let terms = vec![(place, 1)];
        let asked = Asked {
            name: "q".to_owned(),
            text: "q".to_owned(),
            kind: "q",
            question: Question::Possible(Formula::AtLeast(Linear { terms, least })),
            span: None,
        };
        Task::of(0, &asked).remove(0)
    }

    #[test]
    fn what_is_found_by_hashes_holds_and_what_is_not_is_unknown() {
        let text = "pl a (5)\ntr go a -> b\ntr back b -> a\n";
        let net = crate::tina::read(&Source::new("t.net", text)).unwrap();
        let cx = Context {
            budget: Budget::new(None, Some(1 << 40)),
            ..Context::default()
        };
        let checker = Checker {
            most: 1_000,
            ..checker(&net, &cx)
        };
        let start = net.start().unwrap();
        let mut bits = vec![1; start.len()];
        assert!(room(&checker, &start, &mut bits) > 1_000);
        let mut tasks = [task(&net, "b", 5), task(&net, "b", 6)];
        let stop = solve(&checker, &start, &mut bits, &mut tasks).unwrap();
        let found = tasks[0].answer.take().unwrap();
        assert_eq!(found.verdict, Verdict::Holds);
        assert_eq!(found.trace.unwrap().steps.len(), 6);
        assert!(tasks[1].answer.is_none());
        assert!(stop.to_string().contains("chance of"), "{stop}");
    }
}
