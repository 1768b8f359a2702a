//! Shortest ways into the error state of a component beside ever new assumptions.
//!
//! How far each state of the component is from its error state, whatever is beside it, is
//! found once. A search that follows this estimate (A*) meets only states on ways that may
//! still be shortest. Among those it goes on from the one met last, which is near the error.

use std::ops::ControlFlow;
use std::sync::Arc;

use quotient_core::{Budget, Stop};

use super::premise::watched_error;
use crate::graph::Sources;
use crate::product::{Part, Product, Scratch, StateTable, Target, for_width};
use crate::{Action, ERROR, Lts, State};

/// A component that is searched for errors again and again.
#[derive(Clone)]
pub(crate) struct Guided {
    component: Arc<Part>,
    /// The least number of steps from each state to the error state.
    distance: Vec<u32>,
}

const NEVER: u32 = u32::MAX;

impl Guided {
    pub(crate) fn new(component: Lts) -> Guided {
        Guided {
            distance: distances(&component),
            component: Part::new(component),
        }
    }

    pub(crate) fn states(&self) -> usize {
        self.component.lts.states()
    }

    /// A shortest way into the error state beside an assumption, which must not err itself:
    /// the steps, each with the state of the assumption before it. Of several, the one that a
    /// breadth-first search in the order of actions finds, or any: that is faster.
    pub(crate) fn error_beside(
        &self,
        assumption: Arc<Lts>,
        of_several: Tie,
        budget: &Budget,
    ) -> Result<Option<Vec<(Action, State)>>, Stop> {
        let product = Product::new(vec![Part::new(assumption), self.component.clone()])?;
        match of_several {
            Tie::First => watched_error(&product, 0, budget),
            Tie::Any => for_width!(product.words(), search(self, &product, budget)),
        }
    }
}

/// Which of several shortest ways to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tie {
    /// The first in the order of actions.
    First,
    /// The first that is found.
    Any,
}

fn search<const W: usize>(
    guided: &Guided,
    product: &Product,
    budget: &Budget,
) -> Result<Option<Vec<(Action, State)>>, Stop> {
    let mut table = StateTable::<W>::new();
    let estimate = |state: &_| guided.distance[product.local::<W>(state, 1) as usize];
    let first = match product.initial() {
        Target::Error(_) => return Ok(Some(Vec::new())),
        Target::State(state) if estimate(&state) == NEVER => return Ok(None),
        Target::State(state) => state,
    };
    table.insert(first)?;
    let mut met = vec![Met {
        parent: 0,
        action: Action::TAU,
        steps: 0,
        is_done: false,
    }];
    // By the length of a whole way through them, as far as is known.
    let mut waiting: Vec<Vec<u32>> = vec![Vec::new(); estimate(&first) as usize + 1];
    waiting[estimate(&first) as usize].push(0);
    let mut scratch = Scratch::default();
    let mut length = estimate(&first) as usize;
    while length < waiting.len() {
        let Some(number) = waiting[length].pop() else {
            waiting[length] = Vec::new();
            length += 1;
            continue;
        };
        if std::mem::replace(&mut met[number as usize].is_done, true) {
            continue;
        }
        let state = *table.state(number);
        let steps = met[number as usize].steps + 1;
        let mut work = 1;
        let found = product.expand(&state, &mut scratch, |action, target| {
            work += 1;
            let next = match target {
                Target::Error(_) => return ControlFlow::Break(Ok(action)),
                Target::State(next) => next,
            };
            let rest = estimate(&next);
            if rest == NEVER {
                return ControlFlow::Continue(());
            }
            let found = Met {
                parent: number,
                action,
                steps,
                is_done: false,
            };
            let next = match table.insert(next) {
                Ok((next, true)) => {
                    met.push(found);
                    next
                }
                Ok((next, false)) if met[next as usize].is_improved_by(steps) => {
                    met[next as usize] = found;
                    next
                }
                Ok(_) => return ControlFlow::Continue(()),
                Err(stop) => return ControlFlow::Break(Err(stop)),
            };
            let length = steps as usize + rest as usize;
            if waiting.len() <= length {
                waiting.resize(length + 1, Vec::new());
            }
            waiting[length].push(next);
            ControlFlow::Continue(())
        });
        budget.charge(work)?;
        if let ControlFlow::Break(last) = found {
            let mut path = vec![(last?, product.local(&state, 0))];
            let mut number = number;
            while number != 0 {
                let Met { parent, action, .. } = met[number as usize];
                path.push((action, product.local(table.state(parent), 0)));
                number = parent;
            }
            path.reverse();
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// How a state was met.
#[derive(Clone, Copy)]
struct Met {
    parent: u32,
    action: Action,
    /// From the start.
    steps: u32,
    /// Its own steps were looked at; then no shorter way to it is left.
    is_done: bool,
}

impl Met {
    fn is_improved_by(&self, steps: u32) -> bool {
        !self.is_done && steps < self.steps
    }
}

fn distances(lts: &Lts) -> Vec<u32> {
    let sources = Sources::new(lts);
    let mut distance = vec![NEVER; lts.states()];
    let mut wave: Vec<State> = Vec::new();
    for (from, edge) in lts.all_edges() {
        if edge.target == ERROR && distance[from as usize] == NEVER {
            distance[from as usize] = 1;
            wave.push(from);
        }
    }
    let mut steps = 1;
    while !wave.is_empty() {
        steps += 1;
        let mut next = Vec::new();
        for state in wave {
            for &source in sources.of(state) {
                if distance[source as usize] == NEVER {
                    distance[source as usize] = steps;
                    next.push(source);
                }
            }
        }
        wave = next;
    }
    distance
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Actions, LtsBuilder};

    /// A system with edges between four states; where one may err, a fifth target is the error
    /// state.
    fn systems(targets: u32, letters: &'static [&'static str]) -> impl Strategy<Value = Lts> {
        let edge = (0u32..4, 0..=letters.len(), 0..targets);
        proptest::collection::vec(edge, 0..14).prop_map(move |edges| {
            let mut actions = Actions::new();
            let all = ["a", "b", "c"].map(|name| actions.intern(name));
            let known = all
                .into_iter()
                .filter(|&a| letters.contains(&actions.name(a)));
            let known: Vec<Action> = known.collect();
            let mut builder = LtsBuilder::new();
            builder.alphabet(known.iter().copied()).at_least(4);
            for (from, letter, to) in edges {
                let action = known.get(letter).copied().unwrap_or(Action::TAU);
                builder.edge(from, action, if to == 4 { ERROR } else { to });
            }
            builder.build()
        })
    }

    proptest! {
        #[test]
        fn the_estimate_does_not_miss_a_shortest_way(
            component in systems(5, &["a", "b"]),
            assumption in systems(4, &["b", "c"]),
        ) {
            let assumption = Arc::new(assumption);
            let parts = vec![Part::new(assumption.clone()), Part::new(component.clone())];
            let product = Product::new(parts).unwrap();
            let plain = watched_error(&product, 0, &Budget::unlimited()).unwrap();
            let guided = Guided::new(component);
            let found = guided.error_beside(assumption, Tie::Any, &Budget::unlimited()).unwrap();
            prop_assert_eq!(found.map(|path| path.len()), plain.map(|path| path.len()));
        }
    }
}
