//! Weak bisimulation (observation equivalence).
//!
//! States that reach each other by silent steps are equivalent and become one first, so that
//! silent steps go downhill. Weak signatures, what can be done with silent steps before and
//! after, are then gathered from the bottom up, and blocks part until none does.

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use super::strong;
use crate::graph::components;
use crate::{Action, ERROR, Lts, LtsBuilder, State};

pub(super) fn minimise(lts: &Lts, budget: &Budget) -> Result<Lts, Stop> {
    let blocks = weak_blocks(lts, budget)?;
    Ok(without_silent_loops(&strong::quotient(lts, &blocks)))
}

/// The block of every state in the coarsest weak bisimulation; numbers of blocks are below
/// that of the states.
pub(crate) fn weak_blocks(lts: &Lts, budget: &Budget) -> Result<Vec<u32>, Stop> {
    let (collapsed, component_of) = Collapsed::of(lts);
    let block_of = collapsed.weak_bisimulation(budget)?;
    let blocks = component_of
        .iter()
        .map(|&component| block_of[component as usize]);
    Ok(blocks.collect())
}

/// A silent loop is no step of weak bisimulation: a state that is silently busy for ever comes
/// out as one that is stuck, as in LTSA.
pub(super) fn without_silent_loops(lts: &Lts) -> Lts {
    let mut builder = LtsBuilder::shaped_like(lts);
    builder.alphabet(lts.alphabet().iter().copied());
    for (from, edge) in lts.all_edges() {
        if !(edge.action.is_tau() && edge.target == from) {
            builder.edge(from, edge.action, edge.target);
        }
    }
    builder.build()
}

/// The system with silent cycles collapsed. Targets of silent edges have smaller numbers.
pub(super) struct Collapsed {
    pub(super) edges: Vec<Vec<(Action, State)>>,
}

/// What a state can do: an action, or silence, and the block where it may end up.
type Signature = Vec<(u32, u32)>;

impl Collapsed {
    /// A system collapsed, and the state that each of its states has become.
    pub(super) fn of(lts: &Lts) -> (Collapsed, Vec<u32>) {
        let silent_successors = |state: State| {
            let edges = lts.edges(state).iter();
            edges
                .take_while(|edge| edge.action.is_tau())
                .map(|edge| edge.target)
                .filter(|&target| target != ERROR)
        };
        // Components come in the order in which silent steps end: targets before sources.
        let component_of = components(lts.states(), silent_successors);
        (Collapsed::new(lts, &component_of), component_of)
    }

    fn new(lts: &Lts, component_of: &[u32]) -> Collapsed {
        let count = component_of
            .iter()
            .max()
            .map_or(0, |&most| most as usize + 1);
        let mut edges: Vec<Vec<(Action, State)>> = vec![Vec::new(); count];
        for (from, edge) in lts.all_edges() {
            let from = State::from(component_of[from.index()]);
            let target = match edge.target {
                ERROR => ERROR,
                target => State::from(component_of[target.index()]),
            };
            if !(edge.action.is_tau() && from == target) {
                edges[from.index()].push((edge.action, target));
            }
        }
        // Having ended is something to be seen, so that silence before an end does not count.
        if let Some(end) = lts.end().map(|end| component_of[end.index()]) {
            let last = lts.alphabet().last().map_or(0, |action| action.index());
            edges[end as usize].push((Action::from_index(last + 1), end.into()));
        }
        for row in &mut edges {
            row.sort_unstable();
            row.dedup();
        }
        Collapsed { edges }
    }

    fn weak_bisimulation(&self, budget: &Budget) -> Result<Vec<u32>, Stop> {
        let mut block_of = vec![0; self.edges.len()];
        let mut count = 0;
        loop {
            let signatures = self.signatures(&block_of, budget)?;
            let mut numbers: FxHashMap<(u32, &Signature), u32> = FxHashMap::default();
            let mut next = vec![0; block_of.len()];
            for (state, signature) in signatures.iter().enumerate() {
                let fresh = numbers.len() as u32;
                next[state] = *numbers.entry((block_of[state], signature)).or_insert(fresh);
            }
            let parted = numbers.len();
            block_of = next;
            if parted == count {
                return Ok(block_of);
            }
            count = parted;
        }
    }

    /// The weak signature of every state under a partition.
    fn signatures(&self, block_of: &[u32], budget: &Budget) -> Result<Vec<Signature>, Stop> {
        let silent = Action::TAU.index() as u32;
        let mut signatures: Vec<Signature> = Vec::with_capacity(self.edges.len());
        for (state, edges) in self.edges.iter().enumerate() {
            let mut own = vec![(silent, block_of[state])];
            // The signatures of states further on are not known yet: where a visible edge
            // leads is closed under silence by a second pass.
            for &(_, target) in edges.iter().take_while(|(action, _)| action.is_tau()) {
                match target {
                    ERROR => own.push((silent, ERROR.into())),
                    target => own.extend_from_slice(&signatures[target.index()]),
                }
            }
            own.sort_unstable();
            own.dedup();
            budget.charge(own.len() as u64)?;
            signatures.push(own);
        }
        let silent_reach = signatures.clone();
        for (state, edges) in self.edges.iter().enumerate() {
            let mut own = std::mem::take(&mut signatures[state]);
            for &(action, target) in edges {
                let after = action.index() as u32;
                match (target, action.is_tau()) {
                    (ERROR, _) => own.push((after, ERROR.into())),
                    (target, true) => own.extend_from_slice(&signatures[target.index()]),
                    (target, false) => own.extend(
                        silent_reach[target.index()]
                            .iter()
                            .map(|&(_, block)| (after, block)),
                    ),
                }
            }
            own.sort_unstable();
            own.dedup();
            budget.charge(own.len() as u64)?;
            signatures[state] = own;
        }
        Ok(signatures)
    }
}
