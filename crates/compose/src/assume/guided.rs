//! Shortest ways into the error state of a component beside ever new assumptions.
//!
//! How far each state of the component is from its error state, whatever is beside it, is
//! found once. A search that follows this estimate (A*) meets only states on ways that may
//! still be shortest. Among those it goes on from the one met last, which is near the error.

mod pairs;

use std::sync::Arc;

use quotient_core::{Budget, Stop};

use self::pairs::{Numbers, Pair, SLOTS, Steps};
use super::premise::watched_error;
use crate::graph::Sources;
use crate::product::{Part, Product};
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
        match of_several {
            Tie::First => {
                let parts = vec![Part::new(assumption), self.component.clone()];
                watched_error(&Product::new(parts)?, 0, budget)
            }
            Tie::Any => Search::new(self, &assumption, SLOTS).run(budget),
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

/// A search in progress.
struct Search<'a> {
    component: &'a Lts,
    distance: &'a [u32],
    /// Where the assumption starts.
    initial: State,
    steps: Steps,
    numbers: Numbers,
    pairs: Vec<Pair>,
    met: Vec<Met>,
    /// By the length of a whole way through them, as far as is known.
    waiting: Vec<Vec<u32>>,
    /// Steps that the budget has not been told of.
    work: u64,
}

/// How many steps are told at once.
const CHARGED: u64 = 1024;

/// How a pair was met.
#[derive(Clone, Copy)]
struct Met {
    parent: u32,
    action: Action,
    /// From the start.
    steps: u32,
    /// Its own steps were looked at; then no shorter way to it is left.
    is_done: bool,
}

impl<'a> Search<'a> {
    /// With at most so many slots for pairs.
    fn new(guided: &'a Guided, assumption: &Lts, slots: usize) -> Search<'a> {
        let component = &guided.component.lts;
        Search {
            component,
            distance: &guided.distance,
            initial: assumption.initial(),
            steps: Steps::new(assumption, component),
            numbers: Numbers::new(assumption.states(), component.states(), slots),
            pairs: Vec::new(),
            met: Vec::new(),
            waiting: Vec::new(),
            work: 0,
        }
    }

    fn run(mut self, budget: &Budget) -> Result<Option<Vec<(Action, State)>>, Stop> {
        let start = Pair {
            assumption: self.initial,
            component: self.component.initial(),
        };
        if start.component == ERROR {
            return Ok(Some(Vec::new()));
        }
        self.meet(start, 0, Action::TAU, 0)?;
        let mut length = 0;
        while length < self.waiting.len() {
            let Some(number) = self.waiting[length].pop() else {
                self.waiting[length] = Vec::new();
                length += 1;
                continue;
            };
            let met = &mut self.met[number as usize];
            if std::mem::replace(&mut met.is_done, true) {
                continue;
            }
            if let Some(last) = self.expand(number, budget)? {
                budget.charge(self.work)?;
                return Ok(Some(self.path(number, last)));
            }
        }
        budget.charge(self.work)?;
        Ok(None)
    }

    /// Meets what comes after a pair; an action that leads to the error state ends that.
    fn expand(&mut self, number: u32, budget: &Budget) -> Result<Option<Action>, Stop> {
        let pair = self.pairs[number as usize];
        let steps = self.met[number as usize].steps + 1;
        let component = self.component;
        self.work += 1;
        for edge in component.edges(pair.component) {
            let Some(letter) = self.steps.letter(edge.action) else {
                self.work += 1;
                if edge.target == ERROR {
                    return Ok(Some(edge.action));
                }
                let component = edge.target;
                let next = Pair { component, ..pair };
                self.meet(next, number, edge.action, steps)?;
                continue;
            };
            for at in self.steps.range(pair.assumption, letter) {
                self.work += 1;
                if edge.target == ERROR {
                    return Ok(Some(edge.action));
                }
                let next = Pair {
                    assumption: self.steps.target(at),
                    component: edge.target,
                };
                self.meet(next, number, edge.action, steps)?;
            }
        }
        for own in 0..self.steps.alone().len() {
            let (letter, action) = self.steps.alone()[own];
            for at in self.steps.range(pair.assumption, letter) {
                self.work += 1;
                let assumption = self.steps.target(at);
                let next = Pair { assumption, ..pair };
                self.meet(next, number, action, steps)?;
            }
        }
        if self.work >= CHARGED {
            budget.charge(std::mem::take(&mut self.work))?;
        }
        Ok(None)
    }

    /// Takes note of a way to a pair, if the error state can be reached from it and no way as
    /// short is known.
    #[inline]
    fn meet(&mut self, pair: Pair, parent: u32, action: Action, steps: u32) -> Result<(), Stop> {
        let rest = self.distance[pair.component.index()];
        if rest == NEVER {
            return Ok(());
        }
        let found = Met {
            parent,
            action,
            steps,
            is_done: false,
        };
        let number = self.numbers.of(pair)?;
        match self.met.get_mut(number as usize) {
            Some(known) if known.is_done || steps >= known.steps => return Ok(()),
            Some(known) => *known = found,
            None => {
                self.met.push(found);
                self.pairs.push(pair);
            }
        }
        let length = steps as usize + rest as usize;
        if self.waiting.len() <= length {
            self.waiting.resize(length + 1, Vec::new());
        }
        self.waiting[length].push(number);
        Ok(())
    }

    fn path(&self, mut number: u32, last: Action) -> Vec<(Action, State)> {
        let mut path = vec![(last, self.pairs[number as usize].assumption)];
        while number != 0 {
            let Met { parent, action, .. } = self.met[number as usize];
            path.push((action, self.pairs[parent as usize].assumption));
            number = parent;
        }
        path.reverse();
        path
    }
}

fn distances(lts: &Lts) -> Vec<u32> {
    let sources = Sources::new(lts);
    let mut distance = vec![NEVER; lts.states()];
    let mut wave: Vec<State> = Vec::new();
    for (from, edge) in lts.all_edges() {
        if edge.target == ERROR && distance[from.index()] == NEVER {
            distance[from.index()] = 1;
            wave.push(from);
        }
    }
    let mut steps = 1;
    while !wave.is_empty() {
        steps += 1;
        let mut next = Vec::new();
        for state in wave {
            for &source in sources.of(state) {
                if distance[source.index()] == NEVER {
                    distance[source.index()] = steps;
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
                builder.edge(from, action, if to == 4 { ERROR } else { to.into() });
            }
            builder.build()
        })
    }

    /// Whether the steps with these states of the assumption before them lead to the error
    /// state of the component.
    fn can_follow(path: &[(Action, State)], assumption: &Lts, component: &Lts) -> bool {
        let mut components = vec![component.initial()];
        for (at, &(action, before)) in path.iter().enumerate() {
            let after = path.get(at + 1).map(|&(_, after)| after);
            let goes = |to| after.is_none_or(|after| after == to);
            let moves = assumption.successors(before, action).iter();
            let moved = moves.clone().any(|edge| goes(edge.target));
            let alone = |known: bool| action.is_tau() || !known;
            let mut next = Vec::new();
            for &state in &components {
                let shared = !alone(assumption.knows(action)) && !alone(component.knows(action));
                let stays = alone(assumption.knows(action)) && goes(before);
                if (shared && moved) || (!shared && stays) {
                    let edges = component.successors(state, action).iter();
                    next.extend(edges.map(|edge| edge.target));
                }
                if !shared && moved && alone(component.knows(action)) {
                    next.push(state);
                }
            }
            components = next;
        }
        components.contains(&ERROR)
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
            for slots in [SLOTS, 0] {
                let search = Search::new(&guided, &assumption, slots);
                let found = search.run(&Budget::unlimited()).unwrap();
                let lengths = [&found, &plain].map(|path| path.as_ref().map(Vec::len));
                prop_assert_eq!(lengths[0], lengths[1]);
                if let Some(path) = found {
                    prop_assert!(can_follow(&path, &assumption, &guided.component.lts));
                }
            }
        }
    }
}
