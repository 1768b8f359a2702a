//! Components side by side, by the definition of composition.

use std::hash::{BuildHasher, BuildHasherDefault};

use hashbrown::HashTable;
use quotient_core::{Budget, Stop};
use quotient_lts::{Action, ERROR, Lts, State};
use rustc_hash::FxHasher;

/// Components side by side.
#[derive(Debug)]
pub(super) struct Whole<'a> {
    parts: Vec<&'a Lts>,
    /// The parts that know each event, by its number.
    takers: Vec<Vec<usize>>,
    /// Whether each event, by its number, goes before those that do not; nothing without
    /// priorities.
    wins: Option<Vec<bool>>,
}

impl<'a> Whole<'a> {
    pub(super) fn new(parts: impl IntoIterator<Item = &'a Lts>) -> Whole<'a> {
        let parts: Vec<&Lts> = parts.into_iter().collect();
        let last = parts.iter().filter_map(|part| part.alphabet().last());
        let events = last.map(|event| event.index() + 1).max().unwrap_or(1);
        let mut takers = vec![Vec::new(); events];
        for (number, part) in parts.iter().enumerate() {
            for event in part.alphabet() {
                takers[event.index()].push(number);
            }
        }
        Whole {
            parts,
            takers,
            wins: None,
        }
    }

    /// The same with priorities: for each event, silence first, whether it goes before those
    /// that do not.
    pub(super) fn with_winners(mut self, wins: Vec<bool>) -> Whole<'a> {
        self.wins = Some(wins);
        self
    }

    /// The states of the parts at the start.
    pub(super) fn initial(&self) -> Vec<State> {
        self.parts.iter().map(|part| part.initial()).collect()
    }

    /// All steps from a state that do not give way to others. When one part is in its error
    /// state, so is the whole, and there are none.
    pub(super) fn steps(
        &self,
        state: &[State],
        budget: &Budget,
    ) -> Result<Vec<(Action, Vec<State>)>, Stop> {
        let mut steps = self.possible(state, budget)?;
        if let Some(wins) = &self.wins {
            let wins = |step: &(Action, Vec<State>)| wins[step.0.index()];
            if steps.iter().any(wins) {
                steps.retain(wins);
            }
        }
        budget.charge(steps.len() as u64 + 1)?;
        Ok(steps)
    }

    /// All steps, priorities aside.
    fn possible(
        &self,
        state: &[State],
        budget: &Budget,
    ) -> Result<Vec<(Action, Vec<State>)>, Stop> {
        let mut steps = Vec::new();
        if state.contains(&ERROR) {
            return Ok(steps);
        }
        for (number, part) in self.parts.iter().enumerate() {
            let edges = part.edges(state[number]);
            for edge in edges.iter().filter(|edge| edge.action.is_tau()) {
                let mut next = state.to_vec();
                next[number] = edge.target;
                steps.push((Action::TAU, next));
            }
            for same in edges.chunk_by(|left, right| left.action == right.action) {
                let event = same[0].action;
                // The first that knows an event starts it.
                if !event.is_tau() && self.takers[event.index()].first() == Some(&number) {
                    let together = self.together(state, event, budget)?;
                    steps.extend(together.into_iter().map(|next| (event, next)));
                }
            }
        }
        Ok(steps)
    }

    /// The states after an event that all parts that know it do together.
    fn together(
        &self,
        state: &[State],
        event: Action,
        budget: &Budget,
    ) -> Result<Vec<Vec<State>>, Stop> {
        let mut nexts = vec![state.to_vec()];
        for &taker in &self.takers[event.index()] {
            let edges = self.parts[taker].successors(state[taker], event);
            let mut longer = Vec::new();
            for next in &nexts {
                budget.charge(edges.len() as u64)?;
                for edge in edges {
                    let mut next = next.clone();
                    next[taker] = edge.target;
                    longer.push(next);
                }
            }
            nexts = longer;
        }
        Ok(nexts)
    }

    /// Whether a state without steps is a good end: all parts that can end have, and there is
    /// no event without one of them.
    pub(super) fn has_ended(&self, state: &[State]) -> bool {
        let mut parts = self.parts.iter().zip(state);
        self.can_end() && parts.all(|(part, &state)| part.end().is_none_or(|end| end == state))
    }

    /// Whether there can be a good end: some part can end, and there is no event without one
    /// that can.
    pub(super) fn can_end(&self) -> bool {
        let ends = |part: &usize| self.parts[*part].end().is_some();
        let mut takers = self.takers.iter();
        (0..self.parts.len()).any(|part| ends(&part))
            && takers.all(|takers| takers.is_empty() || takers.iter().any(ends))
    }
}

/// States of several components, numbered in the order in which they are met.
#[derive(Debug)]
pub(super) struct Numbered {
    width: usize,
    cells: Vec<State>,
    count: usize,
    table: HashTable<u32>,
}

impl Numbered {
    pub(super) fn new(width: usize) -> Numbered {
        Numbered {
            width,
            cells: Vec::new(),
            count: 0,
            table: HashTable::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn get(&self, number: usize) -> &[State] {
        &self.cells[number * self.width..(number + 1) * self.width]
    }

    /// The number of a state, a new one if it was not met before.
    pub(super) fn number(&mut self, state: &[State]) -> usize {
        let hash = |state: &[State]| BuildHasherDefault::<FxHasher>::default().hash_one(state);
        let Numbered { width, cells, .. } = self;
        let known = |number: &u32| &cells[*number as usize * *width..][..*width];
        if let Some(&found) = self
            .table
            .find(hash(state), |number| known(number) == state)
        {
            return found as usize;
        }
        let fresh = self.count as u32;
        self.table
            .insert_unique(hash(state), fresh, |number| hash(known(number)));
        self.cells.extend_from_slice(state);
        self.count += 1;
        fresh as usize
    }
}

/// All that can be reached from a state, as a graph. States in which a part has erred are not
/// entered: `None` stands for them.
pub(super) struct Reachable {
    pub(super) states: Numbered,
    /// The steps of each state.
    pub(super) steps: Vec<Vec<(Action, Option<u32>)>>,
}

impl Reachable {
    pub(super) fn from(
        whole: &Whole<'_>,
        start: &[State],
        budget: &Budget,
    ) -> Result<Reachable, Stop> {
        let mut states = Numbered::new(start.len());
        let mut steps = Vec::new();
        if !start.contains(&ERROR) {
            states.number(start);
        }
        while steps.len() < states.len() {
            let state = states.get(steps.len()).to_vec();
            let found = whole.steps(&state, budget)?;
            let numbered = found.into_iter().map(|(event, next)| {
                let target = (!next.contains(&ERROR)).then(|| states.number(&next) as u32);
                (event, target)
            });
            steps.push(numbered.collect());
        }
        Ok(Reachable { states, steps })
    }
}

/// The strongly connected components of a graph: for each node the number of its component.
/// Tarjan's algorithm, with a stack of our own.
pub(crate) fn components_of(nodes: usize, targets: impl Fn(usize) -> Vec<u32>) -> Vec<u32> {
    const NEW: u32 = u32::MAX;
    let (mut index, mut low) = (vec![NEW; nodes], vec![0u32; nodes]);
    let mut component = vec![NEW; nodes];
    let (mut next_index, mut next_component) = (0, 0);
    let mut waiting: Vec<usize> = Vec::new();
    for root in 0..nodes {
        if index[root] != NEW {
            continue;
        }
        let mut calls: Vec<(usize, Vec<u32>)> = Vec::new();
        let mut enter = Some(root);
        loop {
            if let Some(node) = enter.take() {
                index[node] = next_index;
                low[node] = next_index;
                next_index += 1;
                waiting.push(node);
                calls.push((node, targets(node)));
            }
            let Some((node, left)) = calls.last_mut() else {
                break;
            };
            let node = *node;
            if let Some(target) = left.pop() {
                let target = target as usize;
                if index[target] == NEW {
                    enter = Some(target);
                } else if component[target] == NEW {
                    low[node] = low[node].min(index[target]);
                }
                continue;
            }
            calls.pop();
            if let Some((caller, _)) = calls.last() {
                low[*caller] = low[*caller].min(low[node]);
            }
            if low[node] == index[node] {
                while let Some(member) = waiting.pop() {
                    component[member] = next_component;
                    if member == node {
                        break;
                    }
                }
                next_component += 1;
            }
        }
    }
    component
}
