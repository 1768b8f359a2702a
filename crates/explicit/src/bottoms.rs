//! The parts of a graph that cannot be left.

use quotient_core::{Budget, Stop};

use crate::{StateId, Steps};

/// Not seen yet.
const UNSEEN: u32 = u32::MAX;

/// The parts of the known graph that no step leaves and whose states all lead to each other: every
/// run that is long enough ends in one of them, or in states that were not visited.
///
/// Whether something can always happen again is seen there: it is possible again and again,
/// whatever happened, if and only if each such part has a state where it is.
pub fn bottoms(steps: &Steps<'_>, budget: &Budget) -> Result<Vec<Vec<StateId>>, Stop> {
    let number = steps.graph().len();
    let mut search = Search {
        steps,
        order: vec![UNSEEN; number],
        low: vec![0; number],
        done: vec![false; number],
        leaves: vec![false; number],
        stack: Vec::new(),
        found: Vec::new(),
        next: 0,
    };
    for &initial in steps.initial() {
        if search.order[initial.index()] == UNSEEN {
            search.from(initial, budget)?;
        }
    }
    Ok(search.found)
}

/// Tarjan's algorithm, without recursion.
struct Search<'a, 'b> {
    steps: &'a Steps<'b>,
    order: Vec<u32>,
    low: Vec<u32>,
    /// Whether the part of a state is known.
    done: Vec<bool>,
    /// Whether a step of a state leaves its part, or may.
    leaves: Vec<bool>,
    stack: Vec<StateId>,
    found: Vec<Vec<StateId>>,
    next: u32,
}

impl Search<'_, '_> {
    fn enter(&mut self, state: StateId) {
        self.order[state.index()] = self.next;
        self.low[state.index()] = self.next;
        self.next += 1;
        self.leaves[state.index()] = self.steps.known(state).is_none();
        self.stack.push(state);
    }

    fn from(&mut self, root: StateId, budget: &Budget) -> Result<(), Stop> {
        self.enter(root);
        // States on the way, each with the number of the step to look at next.
        let mut frames = vec![(root, 0_usize)];
        while let Some(frame) = frames.last_mut() {
            let (state, at) = *frame;
            frame.1 += 1;
            let targets = self.steps.known(state).unwrap_or_default();
            if let Some(&target) = targets.get(at) {
                match (self.order[target.index()], self.done[target.index()]) {
                    (UNSEEN, _) => {
                        budget.charge(1)?;
                        self.enter(target);
                        frames.push((target, 0));
                    }
                    (_, true) => self.leaves[state.index()] = true,
                    (order, false) => {
                        let low = &mut self.low[state.index()];
                        *low = (*low).min(order);
                    }
                }
                continue;
            }
            frames.pop();
            let is_root = self.low[state.index()] == self.order[state.index()];
            if is_root {
                self.part(state);
            }
            if let Some(&(before, _)) = frames.last() {
                match is_root {
                    true => self.leaves[before.index()] = true,
                    false => {
                        let low = self.low[state.index()];
                        let above = &mut self.low[before.index()];
                        *above = (*above).min(low);
                    }
                }
            }
        }
        Ok(())
    }

    /// Takes the part that begins with a state off the stack.
    fn part(&mut self, root: StateId) {
        let begin = self.stack.iter().rposition(|&state| state == root);
        let part = self.stack.split_off(begin.unwrap_or_default());
        for &state in &part {
            self.done[state.index()] = true;
        }
        if !part.iter().any(|&state| self.leaves[state.index()]) {
            self.found.push(part);
        }
    }
}
