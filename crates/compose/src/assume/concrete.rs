//! The states behind an abstraction, and which of them can do what.

use std::collections::BTreeSet;
use std::sync::Arc;

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};

use crate::graph::Sources;
use crate::{Action, ERROR, Lts, State};

/// A transition system with its states in blocks. An action outside the alphabet at hand
/// counts as silent; a step with an action may have silent steps before and after.
#[derive(Debug)]
pub(crate) struct Concrete {
    pub(crate) lts: Arc<Lts>,
    sources: Sources,
    silent: Vec<bool>,
    block_of: Vec<u32>,
    members: Vec<Vec<State>>,
}

impl Concrete {
    /// All states in one block.
    pub(crate) fn new(lts: Arc<Lts>, alphabet: &[Action]) -> Concrete {
        let blocks = vec![0; lts.states()];
        Concrete::in_blocks(lts, alphabet, blocks)
    }

    /// Each state in the block with this number; there is a state in each block.
    pub(crate) fn in_blocks(lts: Arc<Lts>, alphabet: &[Action], block_of: Vec<u32>) -> Concrete {
        let most = lts.alphabet().last().map_or(0, |action| action.index());
        let silent = (0..=most)
            .map(|index| alphabet.binary_search(&Action::from_index(index)).is_err())
            .collect();
        let blocks = block_of.iter().max().map_or(0, |&last| last as usize + 1);
        let mut members = vec![Vec::new(); blocks];
        for (state, &block) in lts.all_states().zip(&block_of) {
            members[block as usize].push(state);
        }
        Concrete {
            sources: Sources::new(&lts),
            silent,
            block_of,
            members,
            lts,
        }
    }

    pub(crate) fn blocks(&self) -> usize {
        self.members.len()
    }

    pub(crate) fn block_of(&self, state: State) -> u32 {
        self.block_of[state.index()]
    }

    pub(crate) fn initial_block(&self) -> u32 {
        self.block_of(self.lts.initial())
    }

    /// The states after one step with an action.
    pub(crate) fn after(
        &self,
        states: &[State],
        action: Action,
        budget: &Budget,
    ) -> Result<Vec<State>, Stop> {
        let before = self.forward(states.to_vec(), budget)?;
        self.forward(self.targets(&before, action), budget)
    }

    /// The blocks that a block reaches by one step with each of some actions.
    pub(crate) fn blocks_after(
        &self,
        block: u32,
        actions: &[Action],
        budget: &Budget,
    ) -> Result<BTreeSet<(Action, u32)>, Stop> {
        let before = self.forward(self.members[block as usize].clone(), budget)?;
        let mut blocks = BTreeSet::new();
        for &action in actions {
            let after = self.forward(self.targets(&before, action), budget)?;
            blocks.extend(after.iter().map(|&state| (action, self.block_of(state))));
        }
        Ok(blocks)
    }

    /// Moves the members of a block that cannot take an action to another block into a new
    /// block; false if that would leave one of the two empty.
    pub(crate) fn split(
        &mut self,
        block: u32,
        action: Action,
        to: u32,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let goals = self.backward(self.members[to as usize].clone(), budget)?;
        let mut sources: Vec<State> = Vec::new();
        for &goal in &goals {
            let taking = |&source: &State| {
                let edges = self.lts.successors(source, action);
                edges.iter().any(|edge| edge.target == goal)
            };
            sources.extend(self.sources.of(goal).iter().copied().filter(taking));
        }
        let mut able = Bits::with_capacity(self.lts.states());
        able.extend(
            self.backward(sources, budget)?
                .iter()
                .map(|&state| state.index()),
        );
        let members = std::mem::take(&mut self.members[block as usize]);
        let (can, cannot): (Vec<State>, Vec<State>) = members
            .into_iter()
            .partition(|&state| able.contains(state.index()));
        if can.is_empty() || cannot.is_empty() {
            self.members[block as usize] = [can, cannot].concat();
            return Ok(false);
        }
        let fresh = self.members.len() as u32;
        for &state in &cannot {
            self.block_of[state.index()] = fresh;
        }
        self.members[block as usize] = can;
        self.members.push(cannot);
        Ok(true)
    }

    fn targets(&self, states: &[State], action: Action) -> Vec<State> {
        states
            .iter()
            .flat_map(|&state| self.lts.successors(state, action))
            .map(|edge| edge.target)
            .filter(|&target| target != ERROR)
            .collect()
    }

    /// The states reachable by silent steps.
    fn forward(&self, states: Vec<State>, budget: &Budget) -> Result<Vec<State>, Stop> {
        self.closed(states, budget, |state, next| {
            let silent = |action: Action| self.silent[action.index()];
            let edges = self.lts.edges(state).iter();
            let targets = edges
                .filter(|edge| silent(edge.action))
                .map(|edge| edge.target);
            next.extend(targets.filter(|&target| target != ERROR));
        })
    }

    /// The states that reach one of these by silent steps.
    fn backward(&self, states: Vec<State>, budget: &Budget) -> Result<Vec<State>, Stop> {
        self.closed(states, budget, |state, next| {
            let silently = |&source: &State| {
                let edges = self.lts.edges(source).iter();
                edges
                    .clone()
                    .any(|edge| edge.target == state && self.silent[edge.action.index()])
            };
            next.extend(self.sources.of(state).iter().copied().filter(silently));
        })
    }

    fn closed(
        &self,
        states: Vec<State>,
        budget: &Budget,
        neighbours: impl Fn(State, &mut Vec<State>),
    ) -> Result<Vec<State>, Stop> {
        let mut met = Bits::with_capacity(self.lts.states());
        let mut all = states;
        all.retain(|&state| !met.put(state.index()));
        let mut next = 0;
        let mut found = Vec::new();
        while next < all.len() {
            neighbours(all[next], &mut found);
            budget.charge(found.len() as u64 + 1)?;
            all.extend(found.drain(..).filter(|&state| !met.put(state.index())));
            next += 1;
        }
        Ok(all)
    }
}
