//! Do small components, of which each stands for parts put together, do all that the parts do on
//! their way to an error, and does the last one never err?
//!
//! The argument. Take an execution of the system up to its first error. Each small component is
//! deterministic and has no silent steps. It can do what its parts show of the execution, or errs
//! before that: for every state of its parts and the state in which it is meanwhile, each event
//! that the parts show is one that it can show as well, and it has erred when they have. It may
//! refuse what leads its parts to where they cannot err any more, if no other part that is left
//! can err: then the error of the execution lies in its own parts, and they still have it before
//! them. Where two events are the same to all other parts, the one may be taken for the other: the
//! steps of the whole stay as they are, but for what they are called. The last one shows nothing and
//! stands for all; if it has not erred, nobody has.

use std::collections::BTreeSet;

use quotient_core::Budget;
use quotient_lts::evidence::AggregatedData;
use quotient_lts::{ERROR, Lts, State};

use super::aggregated::{hidden, merge, together};
use super::model::{Model, lts_of};
use crate::Rejection;

/// Puts the parts of each step together and follows them in what they are said to come to.
pub(super) fn check(
    data: &AggregatedData,
    model: &Model,
    about: &str,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    // Whoever errs: the last component shows that nobody does. There must be such a property.
    model.property(about)?;
    if !data.watchers.is_empty() {
        return Err(Rejection::wrong("nobody who watches may be left out here"));
    }
    let idle = |part: &Lts| part.alphabet().is_empty() && !part.has_error();
    let parts = model.parts.iter();
    let mut parts: Vec<Option<Lts>> = parts
        .map(|part| (!idle(part)).then(|| part.reachable()))
        .collect();
    for (number, step) in (1..).zip(&data.steps) {
        let mut taken = Vec::new();
        for &part in &step.parts {
            let part = parts.get_mut(part).and_then(Option::take);
            taken.push(
                part.ok_or_else(|| Rejection::wrong("a part is not there to be put together"))?,
            );
        }
        let small = lts_of(&step.small, model.events.len(), 0)?;
        let whole = together(&taken, budget)?;
        let is_known = |event| parts.iter().flatten().any(|part| part.knows(event));
        let mut whole = hidden(&whole, |event| !is_known(event));
        for &(gone, kept) in &step.merged {
            whole = merge(&mut parts, whole, gone, kept)?;
        }
        let whole = match taken.iter().any(|part| part.initial() == ERROR) {
            true => None,
            false => Some(whole),
        };
        let others_err = parts.iter().flatten().any(Lts::has_error);
        let follows = match &whole {
            None => small.initial() == ERROR,
            Some(whole) => {
                whole.alphabet() == small.alphabet() && follows(whole, &small, others_err, budget)?
            }
        };
        if !follows {
            return Err(Rejection::wrong(format!(
                "step {number} does not come to what it says"
            )));
        }
        parts.push(Some(small));
    }
    let mut left = parts.iter().flatten();
    match (left.next(), left.next()) {
        (Some(last), None) if !last.has_error() && last.alphabet().is_empty() => Ok(vec![
            format!("each of {} steps does what its parts do", data.steps.len()),
            "at the end nobody errs".to_owned(),
        ]),
        (Some(_), None) => Err(Rejection::wrong("the last component can err")),
        _ => Err(Rejection::wrong("not everything was put together")),
    }
}

/// Whether a small component is deterministic, without silent steps, and does all that the whole
/// does on its way to an error; where others err too, all that it does.
fn follows(whole: &Lts, small: &Lts, others_err: bool, budget: &Budget) -> Result<bool, Rejection> {
    let is_silent = small.all_edges().any(|(_, edge)| edge.action.is_tau());
    if is_silent || !small.is_deterministic() {
        return Ok(false);
    }
    let matters = match others_err {
        true => vec![true; whole.states()],
        false => can_err(whole),
    };
    let matters = |state: State| state == ERROR || matters[state.index()];
    let mut met: BTreeSet<(State, State)> = BTreeSet::new();
    let mut todo = vec![(whole.initial(), small.initial())];
    while let Some((at, place)) = todo.pop() {
        budget.charge(1)?;
        // Where the small one has erred it is worse than the whole can be.
        if !matters(at) || place == ERROR || !met.insert((at, place)) {
            continue;
        }
        if at == ERROR {
            return Ok(false);
        }
        for edge in whole.edges(at).iter().filter(|edge| matters(edge.target)) {
            if edge.action.is_tau() {
                todo.push((edge.target, place));
                continue;
            }
            let Some(next) = small.successors(place, edge.action).first() else {
                return Ok(false);
            };
            todo.push((edge.target, next.target));
        }
    }
    Ok(true)
}

/// From which states an error can be reached.
fn can_err(lts: &Lts) -> Vec<bool> {
    let mut sources: Vec<Vec<State>> = vec![Vec::new(); lts.states()];
    let mut todo = Vec::new();
    for (from, edge) in lts.all_edges() {
        match edge.target {
            ERROR => todo.push(from),
            target => sources[target.index()].push(from),
        }
    }
    let mut can = vec![false; lts.states()];
    while let Some(state) = todo.pop() {
        if !std::mem::replace(&mut can[state.index()], true) {
            todo.extend_from_slice(&sources[state.index()]);
        }
    }
    can
}

#[cfg(test)]
mod tests {
    use quotient_lts::{Action, LtsBuilder};

    use super::*;

    /// A target that stands for the error state.
    const BAD: u32 = u32::MAX;

    fn lts(edges: &[(u32, usize, u32)]) -> Lts {
        let mut builder = LtsBuilder::new();
        builder.alphabet([1, 2].map(Action::from_index));
        for &(from, action, to) in edges {
            builder.edge(from, Action::from_index(action), to);
        }
        builder.build()
    }

    fn holds(whole: &[(u32, usize, u32)], small: &[(u32, usize, u32)], others: bool) -> bool {
        follows(&lts(whole), &lts(small), others, &Budget::unlimited()).unwrap()
    }

    #[test]
    fn what_the_small_one_refuses_must_not_lead_to_an_error() {
        let whole = [(0, 1, 1), (1, 0, 2), (2, 2, BAD), (0, 2, 3)];
        assert!(holds(&whole, &[(0, 1, 1), (1, 2, BAD)], false));
        // Another part can err after the second event.
        assert!(!holds(&whole, &[(0, 1, 1), (1, 2, BAD)], true));
        assert!(holds(&whole, &[(0, 1, 1), (1, 2, BAD), (0, 2, 2)], true));
        assert!(!holds(&whole, &[(0, 1, 1), (1, 2, 0)], false));
        assert!(!holds(&whole, &[(0, 1, 1)], false));
        assert!(!holds(&whole, &[(0, 2, 1), (1, 2, BAD)], false));
    }

    #[test]
    fn a_small_one_with_choices_or_silence_is_refused() {
        let whole = [(0, 1, BAD)];
        assert!(holds(&whole, &[(0, 1, BAD)], false));
        assert!(!holds(&whole, &[(0, 1, BAD), (0, 1, 1)], false));
        assert!(!holds(&whole, &[(0, 0, 0), (0, 1, BAD)], false));
    }
}
