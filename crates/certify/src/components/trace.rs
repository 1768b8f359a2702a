//! Is this an execution that ends in a violation?

use quotient_core::Budget;
use quotient_lts::evidence::{NO_DEADLOCK, StepData, TraceData};
use quotient_lts::{Action, ERROR, State};

use super::model::Model;
use super::whole::Whole;
use crate::Rejection;

/// Replays a trace step by step.
pub(super) fn check(
    data: &TraceData,
    model: &Model,
    about: &str,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    let whole = model.whole();
    let last = replay(model, &whole, &data.initial, &data.steps, budget)?;
    let replayed = replayed(data.steps.len());
    match data.error {
        Some(part) => {
            let name = model.names.get(part).map_or("", String::as_str);
            if !model.property(about)?.contains(&part) {
                return Err(Rejection::wrong(format!(
                    "the trace is not about `{about}`"
                )));
            }
            if last.get(part) != Some(&ERROR) {
                return Err(Rejection::wrong(format!(
                    "the trace does not end with `{name}` in its error state"
                )));
            }
            Ok(vec![
                replayed,
                format!("`{name}` is in its error state at the end"),
            ])
        }
        None if about != NO_DEADLOCK => Err(Rejection::wrong(format!(
            "the trace is not about `{about}`"
        ))),
        None => {
            let is_stuck = !last.contains(&ERROR) && whole.steps(&last, budget)?.is_empty();
            if !is_stuck || whole.has_ended(&last) {
                return Err(Rejection::wrong("the trace does not end in a deadlock"));
            }
            Ok(vec![replayed, "nothing can happen at the end".to_owned()])
        }
    }
}

/// What a replay shows.
pub(super) fn replayed(steps: usize) -> String {
    match steps {
        0 => "it begins as the system does".to_owned(),
        1 => "its step is one of the system".to_owned(),
        steps => format!("each of its {steps} steps is one of the system"),
    }
}

/// Follows steps from the initial state; gives back the state at the end.
pub(super) fn replay(
    model: &Model,
    whole: &Whole<'_>,
    initial: &[Option<u32>],
    steps: &[StepData],
    budget: &Budget,
) -> Result<Vec<State>, Rejection> {
    let mut state = places(initial);
    if state != whole.initial() {
        return Err(Rejection::wrong("the trace does not begin at the start"));
    }
    for (number, step) in (1..).zip(steps) {
        if model.events.get(step.event as usize) != Some(&step.action) {
            return Err(Rejection::wrong(format!(
                "step {number}: `{}` is not the name of its event",
                step.action
            )));
        }
        let next = (
            Action::from_index(step.event as usize),
            places(&step.states),
        );
        if !whole.steps(&state, budget)?.contains(&next) {
            return Err(Rejection::wrong(format!(
                "step {number}: `{}` does not lead to these states",
                step.action
            )));
        }
        state = next.1;
    }
    Ok(state)
}

pub(super) fn places(states: &[Option<u32>]) -> Vec<State> {
    let states = states.iter();
    states
        .map(|state| state.map_or(ERROR, State::from))
        .collect()
}
