//! Is a set of states, given as a decision diagram, not left, and is nothing bad in it?
//!
//! The set need not be what can be reached: it has the states at the start, no step leads out of it,
//! and in none of its states is what was looked for. All that is asked level by level, for pairs of
//! nodes: what is below the one and what should be below the other after an event.

use std::collections::BTreeSet;

use quotient_core::Budget;
use quotient_lts::evidence::{DiagramData, NO_DEADLOCK, Sought};
use quotient_lts::{Action, ERROR, Lts, State};

use super::model::Model;
use crate::Rejection;

/// Below the last component.
const END: usize = 0;

/// Checks that the set is closed and has nothing of what was looked for.
pub(super) fn check(
    data: &DiagramData,
    model: &Model,
    about: &str,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    let for_errors = match data.sought {
        Sought::Deadlock if about == NO_DEADLOCK => false,
        Sought::Error => {
            // None may err, and those of the property are not idle.
            model.property(about)?;
            true
        }
        _ => return Err(Rejection::wrong(format!("it is not about `{about}`"))),
    };
    let diagram = Diagram::read(data, model, for_errors, budget)?;
    diagram.has_the_start()?;
    diagram.is_closed(budget)?;
    let absent = match for_errors {
        true => "no component comes into its error state",
        false => {
            diagram.is_never_stuck(model.whole().can_end(), budget)?;
            "there is no deadlock"
        }
    };
    Ok(vec![
        format!(
            "no step leaves the states of the diagram, which has {} nodes",
            diagram.nodes.len() - 1
        ),
        absent.to_owned(),
    ])
}

/// A set of words with a letter for each component.
struct Diagram<'a> {
    /// The components, from the top down.
    parts: Vec<&'a Lts>,
    /// By number the letters of each node with what comes after, sorted; [`END`] has none.
    nodes: Vec<Vec<(State, usize)>>,
    /// The nodes of each level; the first has one.
    levels: Vec<Vec<usize>>,
    /// Whether a step with which a component errs leads out of the set; else it ends an execution.
    for_errors: bool,
    /// The events of the system, with the first and the last level that take part.
    spans: Vec<(Action, usize, usize)>,
}

impl<'a> Diagram<'a> {
    /// The diagram, if every way from its beginning asks each component once, in one order.
    fn read(
        data: &DiagramData,
        model: &'a Model,
        for_errors: bool,
        budget: &Budget,
    ) -> Result<Diagram<'a>, Rejection> {
        let damaged = |what: &str| Rejection::unreadable(format!("the diagram is damaged: {what}"));
        let count = model.parts.len();
        let mut sorted = data.order.clone();
        sorted.sort_unstable();
        if !sorted.into_iter().eq(0..count) {
            return Err(damaged("not every component has one level"));
        }
        let parts: Vec<&Lts> = data.order.iter().map(|&at| &model.parts[at]).collect();
        let mut nodes = vec![Vec::new()];
        // How many levels are above each node.
        let mut above = vec![count];
        for edges in &data.nodes {
            budget.charge(1 + edges.len() as u64)?;
            let below = edges
                .first()
                .and_then(|&(_, child)| above.get(child as usize));
            let level = below.and_then(|below| below.checked_sub(1));
            let Some(level) = level else {
                return Err(damaged("a node has no place"));
            };
            let is_below = |child: u32| above.get(child as usize) == Some(&(level + 1));
            if !edges.iter().all(|&(_, child)| is_below(child)) {
                return Err(damaged("a node has children on several levels"));
            }
            if !edges.is_sorted_by(|left, right| left.0 < right.0) {
                return Err(damaged("the states of a node are not in order"));
            }
            let states = parts[level].states();
            if edges
                .last()
                .is_some_and(|&(state, _)| state as usize >= states)
            {
                return Err(damaged("a component has not so many states"));
            }
            let read = edges
                .iter()
                .map(|&(state, child)| (State::from(state), child as usize));
            nodes.push(read.collect());
            above.push(level);
        }
        let mut levels = vec![Vec::new(); count];
        for (number, &level) in above.iter().enumerate().skip(1) {
            levels[level].push(number);
        }
        let is_last = |roots: &Vec<usize>| roots[..] == [nodes.len() - 1];
        if !levels.first().is_some_and(is_last) {
            return Err(damaged("it has not one beginning"));
        }
        Ok(Diagram {
            spans: spans(&parts),
            parts,
            nodes,
            levels,
            for_errors,
        })
    }

    /// What comes after a letter of a node.
    fn child(&self, node: usize, state: State) -> Option<usize> {
        let edges = &self.nodes[node];
        let place = edges.binary_search_by_key(&state, |edge| edge.0).ok()?;
        Some(edges[place].1)
    }

    fn has_the_start(&self) -> Result<(), Rejection> {
        let mut node = self.nodes.len() - 1;
        for part in &self.parts {
            let next = match part.initial() {
                ERROR => None,
                state => self.child(node, state),
            };
            let Some(next) = next else {
                return Err(Rejection::wrong("the diagram is without the start"));
            };
            node = next;
        }
        Ok(())
    }

    /// Whether no step leads out of the set.
    fn is_closed(&self, budget: &Budget) -> Result<(), Rejection> {
        for level in 0..self.parts.len() {
            self.is_closed_under(Action::TAU, level, level, budget)?;
        }
        for &(event, first, last) in &self.spans {
            self.is_closed_under(event, first, last, budget)?;
        }
        Ok(())
    }

    /// Whether no step of an event leads out of the set; silent ones are of one component alone.
    ///
    /// Above the first component that takes part nothing changes, so that pairs of a node with itself
    /// stand for all words there. Below each level there are the pairs of what can be there before,
    /// and must be there after; nothing may be there after where a component errs, or where the set
    /// has no such state. Such a pair is wrong if the event can happen, which shows at the end.
    fn is_closed_under(
        &self,
        event: Action,
        first: usize,
        last: usize,
        budget: &Budget,
    ) -> Result<(), Rejection> {
        let itself = |&node: &usize| (node, Some(node));
        let mut pairs: BTreeSet<(usize, Option<usize>)> =
            self.levels[first].iter().map(itself).collect();
        for level in first..self.parts.len() {
            if level > last {
                pairs.retain(|&(before, after)| after != Some(before));
            }
            let part = self.parts[level];
            let takes_part =
                (first..=last).contains(&level) && (event.is_tau() || part.knows(event));
            let mut below = BTreeSet::new();
            for &(before, after) in &pairs {
                for &(state, child) in &self.nodes[before] {
                    budget.charge(1)?;
                    let to = |target: State| after.and_then(|after| self.child(after, target));
                    if !takes_part {
                        below.insert((child, to(state)));
                        continue;
                    }
                    for edge in part.successors(state, event) {
                        budget.charge(1)?;
                        match edge.target {
                            ERROR if self.for_errors => below.insert((child, None)),
                            ERROR => continue,
                            target => below.insert((child, to(target))),
                        };
                    }
                }
            }
            pairs = below;
        }
        match pairs.iter().any(|&(_, after)| after != Some(END)) {
            true => Err(Rejection::wrong(match self.for_errors {
                true => "a step leads out of the diagram, or into an error",
                false => "a step leads out of the diagram",
            })),
            false => Ok(()),
        }
    }

    /// Whether something can happen in each state of the set, unless it is a good end.
    fn is_never_stuck(&self, can_end: bool, budget: &Budget) -> Result<(), Rejection> {
        // What is below a node, which events all components above that know them are ready for,
        // and whether those that can end have. Only events that one below takes part in, too, are
        // kept: another one would happen.
        let mut layer: BTreeSet<(usize, Vec<Action>, bool)> = BTreeSet::new();
        layer.insert((self.nodes.len() - 1, Vec::new(), can_end));
        for (level, part) in self.parts.iter().enumerate() {
            let mut below = BTreeSet::new();
            for (node, ready, ended) in &layer {
                for &(state, child) in &self.nodes[*node] {
                    budget.charge(1 + ready.len() as u64)?;
                    let Some(ready) = self.ready(level, state, ready) else {
                        continue;
                    };
                    let ended = *ended && part.end().is_none_or(|end| end == state);
                    below.insert((child, ready, ended));
                }
            }
            layer = below;
        }
        match layer.iter().all(|&(_, _, ended)| ended) {
            true => Ok(()),
            false => Err(Rejection::wrong("the diagram has a state without steps")),
        }
    }

    /// The events that are still possible with a component in a state; none if one happens for sure.
    fn ready(&self, level: usize, state: State, above: &[Action]) -> Option<Vec<Action>> {
        let part = self.parts[level];
        let can = |event: Action| !part.successors(state, event).is_empty();
        if can(Action::TAU) {
            return None;
        }
        let mut ready = Vec::new();
        for &event in above {
            if !part.knows(event) || can(event) {
                ready.push(event);
            }
        }
        for &event in part.alphabet() {
            let Ok(place) = self.spans.binary_search_by_key(&event, |span| span.0) else {
                continue;
            };
            let (_, first, last) = self.spans[place];
            if first == level && can(event) {
                ready.push(event);
            }
            if last == level && ready.contains(&event) {
                return None;
            }
        }
        ready.sort_unstable();
        Some(ready)
    }
}

/// The events of components with the first and the last level that take part, in their order.
fn spans(parts: &[&Lts]) -> Vec<(Action, usize, usize)> {
    let mut known: Vec<(Action, usize)> = Vec::new();
    for (level, part) in parts.iter().enumerate() {
        known.extend(part.alphabet().iter().map(|&event| (event, level)));
    }
    known.sort_unstable();
    let same = known.chunk_by(|left, right| left.0 == right.0);
    same.map(|same| (same[0].0, same[0].1, same[same.len() - 1].1))
        .collect()
}
