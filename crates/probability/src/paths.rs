//! Questions about paths rather than probabilities.

use quotient_bits::Bits;
use quotient_markov::StateId;

use crate::Analysis;
use crate::graph::can_reach;

impl Analysis<'_> {
    /// States with a path to a goal through allowed states.
    pub fn some_path_until(&self, allowed: &Bits, goal: &Bits) -> Bits {
        let mut found = can_reach(self.reverse(), allowed, goal);
        found.grow(self.model.states());
        found
    }

    /// States with an infinite path on which a condition holds for ever.
    pub fn some_path_always(&self, condition: &Bits) -> Bits {
        let model = &*self.model;
        let mut within = condition.clone();
        within.grow(model.states());
        let mut left: Vec<u32> = vec![0; model.states()];
        let mut waiting = Vec::new();
        for state in condition.ones() {
            let stays = model
                .successors(StateId::from_index(state))
                .filter(|&to| condition.contains(to.index()));
            left[state] = stays.count() as u32;
            if left[state] == 0 {
                waiting.push(state);
            }
        }
        for &state in &waiting {
            within.set(state, false);
        }
        while let Some(state) = waiting.pop() {
            for choice in self.reverse().leading_to(state) {
                let from = self.reverse().owner[choice] as usize;
                if within.contains(from) {
                    left[from] -= 1;
                    if left[from] == 0 {
                        within.set(from, false);
                        waiting.push(from);
                    }
                }
            }
        }
        within
    }

    /// States with a successor in a set.
    pub fn some_next(&self, set: &Bits) -> Bits {
        let model = &*self.model;
        let mut found = Bits::with_capacity(model.states());
        for state in 0..model.states() {
            found.set(
                state,
                model
                    .successors(StateId::from_index(state))
                    .any(|to| set.contains(to.index())),
            );
        }
        found
    }

    /// A shortest path from a state through allowed states to a goal.
    pub fn path_to(&self, from: StateId, allowed: &Bits, goal: &Bits) -> Option<Vec<StateId>> {
        let mut before = std::collections::HashMap::from([(from, from)]);
        let mut waiting = std::collections::VecDeque::from([from]);
        while let Some(state) = waiting.pop_front() {
            if goal.contains(state.index()) {
                let mut path = vec![state];
                let mut at = state;
                while at != from {
                    at = before[&at];
                    path.push(at);
                }
                path.reverse();
                return Some(path);
            }
            if !allowed.contains(state.index()) {
                continue;
            }
            for to in self.model.successors(state) {
                if let std::collections::hash_map::Entry::Vacant(place) = before.entry(to) {
                    place.insert(state);
                    waiting.push_back(to);
                }
            }
        }
        None
    }

    /// A path from a state that stays in a set for ever: a way to a state, and from where on it
    /// repeats.
    pub fn path_within(&self, from: StateId, set: &Bits) -> Option<(Vec<StateId>, usize)> {
        let within = self.some_path_always(set);
        let mut path = vec![from];
        let mut seen = std::collections::HashMap::from([(from, 0)]);
        let mut at = from;
        within.contains(at.index()).then_some(())?;
        loop {
            at = self
                .model
                .successors(at)
                .find(|&to| within.contains(to.index()))?;
            if let Some(&back) = seen.get(&at) {
                return Some((path, back));
            }
            seen.insert(at, path.len());
            path.push(at);
        }
    }
}
