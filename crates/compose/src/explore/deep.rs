//! Searching depth-first: what lies deep is met soon, by a way that may be long.

use std::ops::ControlFlow;

use quotient_core::{Budget, Stop};

use super::{Exploration, Goals, Violation};
use crate::Action;
use crate::product::{Product, Scratch, StateTable, Target, Word};
use crate::stubborn::{Closure, Stubborn};

pub(super) fn search_deep<const W: usize>(
    product: &Product,
    goals: Goals,
    stubborn: &Stubborn<'_>,
    budget: &Budget,
) -> Result<Exploration, Stop> {
    let mut found = Exploration {
        states: 0,
        transitions: 0,
        depth: 0,
        finding: None,
    };
    // States to be looked at, each with its depth and the event that leads to it.
    let mut todo: Vec<(usize, Action, Word<W>)> = Vec::new();
    match product.initial() {
        Target::State(state) => todo.push((0, Action::TAU, state)),
        Target::Error(part) => {
            found.finding = goals.error.then(|| (Violation::Error(part), Vec::new()));
        }
    }
    let mut met = StateTable::<W>::new();
    let (mut scratch, mut closure) = (Scratch::default(), Closure::default());
    let mut way: Vec<Action> = Vec::new();
    while let Some((depth, action, state)) = todo.pop() {
        if !met.insert(state)?.1 {
            continue;
        }
        way.truncate(depth.saturating_sub(1));
        if depth > 0 {
            way.push(action);
        }
        found.states += 1;
        found.depth = found.depth.max(depth as u64);
        let before = found.transitions;
        let flow = stubborn.expand(&state, &mut scratch, &mut closure, |action, target| {
            found.transitions += 1;
            match target {
                Target::State(next) => todo.push((depth + 1, action, next)),
                Target::Error(part) if goals.error => return ControlFlow::Break((action, part)),
                Target::Error(_) => {}
            }
            ControlFlow::Continue(())
        });
        let is_stuck = goals.deadlock && found.transitions == before && !product.has_ended(&state);
        if let ControlFlow::Break((action, part)) = flow {
            way.push(action);
            found.finding = Some((Violation::Error(part), way));
            return Ok(found);
        }
        if is_stuck {
            found.finding = Some((Violation::Deadlock, way));
            return Ok(found);
        }
        budget.charge(1 + closure.take_work())?;
    }
    Ok(found)
}
