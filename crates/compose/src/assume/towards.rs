//! A way to a state in which every part of a product is in a given one.
//!
//! How far each part by itself is from its own state is found first. A search that goes on
//! from where the parts together are least far (A* with the sum of the distances, so that the
//! way need not be a shortest) finds a way among very many states; that there is none it only
//! sees when it has met them all.

use std::ops::ControlFlow;

use quotient_core::{Budget, Stop};

use super::premise::visible;
use crate::graph::Sources;
use crate::product::{Product, Scratch, StateTable, Target, Word, for_width};
use crate::{Action, Lts, State};

const NEVER: u32 = u32::MAX;

/// The visible actions of a way to a state in which every part is in the given one.
pub(crate) fn way_to(
    product: &Product,
    goal: &[State],
    budget: &Budget,
) -> Result<Option<Vec<Action>>, Stop> {
    let parts = product.parts().iter().zip(goal);
    let distances: Vec<Vec<u32>> = parts
        .map(|(part, &goal)| distances(&part.lts, goal))
        .collect();
    for_width!(product.words(), search(product, &distances, budget))
}

fn search<const W: usize>(
    product: &Product,
    distances: &[Vec<u32>],
    budget: &Budget,
) -> Result<Option<Vec<Action>>, Stop> {
    let estimate = |state: &Word<W>| {
        let each = distances.iter().enumerate();
        each.map(|(part, distance)| distance[product.local(state, part).index()])
            .fold(0u32, u32::saturating_add)
    };
    let mut table = StateTable::<W>::new();
    let mut waiting: Vec<Vec<u32>> = Vec::new();
    match product.initial() {
        Target::State(state) if estimate(&state) != NEVER => {
            let (number, _) = table.insert(state)?;
            waiting.resize(estimate(&state) as usize + 1, Vec::new());
            waiting[estimate(&state) as usize].push(number);
        }
        _ => return Ok(None),
    }
    // The parent of each state, the action from it and the steps to it.
    let mut origin = vec![(0, Action::TAU, 0u32)];
    let mut scratch = Scratch::default();
    let mut next = 0;
    while next < waiting.len() {
        let Some(number) = waiting[next].pop() else {
            next += 1;
            continue;
        };
        let state = *table.state(number);
        if estimate(&state) == 0 {
            let mut path = Vec::new();
            let mut number = number;
            while number != 0 {
                let (parent, action, _) = origin[number as usize];
                path.push(action);
                number = parent;
            }
            path.reverse();
            return Ok(Some(visible(path)));
        }
        let steps = origin[number as usize].2 + 1;
        let mut work = 1;
        let met = product.expand(&state, &mut scratch, |action, target| {
            work += 1;
            let Target::State(target) = target else {
                return ControlFlow::Continue(());
            };
            let rest = estimate(&target);
            if rest == NEVER {
                return ControlFlow::Continue(());
            }
            match table.insert(target) {
                Err(stop) => return ControlFlow::Break(stop),
                Ok((_, false)) => {}
                Ok((fresh, true)) => {
                    origin.push((number, action, steps));
                    let length = (steps as usize).saturating_add(rest as usize);
                    if waiting.len() <= length {
                        waiting.resize(length + 1, Vec::new());
                    }
                    waiting[length].push(fresh);
                    next = next.min(length);
                }
            }
            ControlFlow::Continue(())
        });
        budget.charge(work)?;
        if let ControlFlow::Break(stop) = met {
            return Err(stop);
        }
    }
    Ok(None)
}

/// The least number of steps from each state to a goal.
fn distances(lts: &Lts, goal: State) -> Vec<u32> {
    let sources = Sources::new(lts);
    let mut distance = vec![NEVER; lts.states()];
    distance[goal.index()] = 0;
    let mut queue = vec![goal];
    let mut next = 0;
    while let Some(&state) = queue.get(next) {
        next += 1;
        for &source in sources.of(state) {
            if distance[source.index()] == NEVER {
                distance[source.index()] = distance[state.index()] + 1;
                queue.push(source);
            }
        }
    }
    distance
}
