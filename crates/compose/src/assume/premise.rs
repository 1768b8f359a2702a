//! Shortest ways into the error state, for products that are met one after the other.

use std::ops::ControlFlow;
use std::sync::Arc;

use quotient_core::{Budget, Stop};

use crate::product::{Part, Product, Scratch, StateTable, Target, for_width};
use crate::{Action, ERROR, Lts, LtsBuilder, State};

/// A shortest error of a component when its environment does a word and no more.
pub(crate) fn error_under(
    component: &Arc<Part>,
    word: &[Action],
    alphabet: &[Action],
    budget: &Budget,
) -> Result<Option<Vec<Action>>, Stop> {
    let environment = Part::new(chain(word, alphabet));
    let product = Product::new(vec![component.clone(), environment])?;
    shortest_error(&product, budget)
}

/// The actions of a shortest way into the error state, silent ones left out. Ties are broken
/// by the order of parts and actions.
pub(crate) fn shortest_error(
    product: &Product,
    budget: &Budget,
) -> Result<Option<Vec<Action>>, Stop> {
    let path = watched_error(product, 0, budget)?;
    Ok(path.map(|path| visible(path.iter().map(|&(action, _)| action))))
}

/// The same with all its steps, each with the state that one part had before it.
pub(crate) fn watched_error(
    product: &Product,
    watched: usize,
    budget: &Budget,
) -> Result<Option<Vec<(Action, State)>>, Stop> {
    for_width!(product.words(), search(product, watched, None, budget))
}

/// A word without its silent actions.
pub(crate) fn visible(actions: impl IntoIterator<Item = Action>) -> Vec<Action> {
    actions
        .into_iter()
        .filter(|action| !action.is_tau())
        .collect()
}

/// A word without the actions outside a sorted set.
pub(crate) fn restricted(word: &[Action], to: &[Action]) -> Vec<Action> {
    let known = |action: &Action| to.binary_search(action).is_ok();
    word.iter().copied().filter(known).collect()
}

/// The system that can do a word and no more of an alphabet.
pub(crate) fn chain(word: &[Action], alphabet: &[Action]) -> Lts {
    let mut builder = LtsBuilder::new();
    builder.alphabet(alphabet.iter().copied());
    for (state, &action) in (0..).zip(word) {
        builder.edge(state, action, state + 1);
    }
    builder.build()
}

/// A chain whose last step leads to the error state instead.
pub(crate) fn chain_to_error(chain: Lts) -> Lts {
    let last = State::from_index(chain.states() - 1);
    let mut builder = LtsBuilder::new();
    builder.alphabet(chain.alphabet().iter().copied());
    for (from, edge) in chain.all_edges() {
        let target = if edge.target == last {
            ERROR
        } else {
            edge.target
        };
        builder.edge(from, edge.action, target);
    }
    builder.build()
}

/// The visible actions of a shortest way to a state in which every part is in the given one.
pub(crate) fn shortest_to(
    product: &Product,
    goal: &[State],
    budget: &Budget,
) -> Result<Option<Vec<Action>>, Stop> {
    let path = for_width!(product.words(), search(product, 0, Some(goal), budget))?;
    Ok(path.map(|path| visible(path.iter().map(|&(action, _)| action))))
}

/// Breadth-first, to the error state or to a given state; each step with the state that the
/// watched part had before it.
fn search<const W: usize>(
    product: &Product,
    watched: usize,
    goal: Option<&[State]>,
    budget: &Budget,
) -> Result<Option<Vec<(Action, State)>>, Stop> {
    let goal = goal.map(|goal| product.packed::<W>(goal));
    let mut table = StateTable::<W>::new();
    match product.initial() {
        Target::Error(_) => return Ok(goal.is_none().then(Vec::new)),
        Target::State(state) if goal == Some(state) => return Ok(Some(Vec::new())),
        Target::State(state) => table.insert(state)?,
    };
    // The parent of each state and the action from it.
    let mut origin = vec![(0, Action::TAU)];
    let mut scratch = Scratch::default();
    let mut number = 0;
    while (number as usize) < table.len() {
        let state = *table.state(number);
        let mut steps = 1;
        let found = product.expand(&state, &mut scratch, |action, target| {
            steps += 1;
            match target {
                Target::Error(_) if goal.is_none() => return ControlFlow::Break(Ok(action)),
                Target::Error(_) => {}
                Target::State(next) if goal == Some(next) => return ControlFlow::Break(Ok(action)),
                Target::State(next) => match table.insert(next) {
                    Ok((_, true)) => origin.push((number, action)),
                    Ok((_, false)) => {}
                    Err(stop) => return ControlFlow::Break(Err(stop)),
                },
            }
            ControlFlow::Continue(())
        });
        budget.charge(steps)?;
        if let ControlFlow::Break(last) = found {
            let mut path = vec![(last?, product.local(&state, watched))];
            while number != 0 {
                let (parent, action) = origin[number as usize];
                path.push((action, product.local(table.state(parent), watched)));
                number = parent;
            }
            path.reverse();
            return Ok(Some(path));
        }
        number += 1;
    }
    Ok(None)
}
