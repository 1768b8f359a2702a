//! All states of a system as one decision diagram.
//!
//! A state of the whole is a word: the state of one component after the other. A set of such words is a
//! diagram with a level for each component, in which equal parts are shared, so that what many
//! components can do at the same time takes little room. Each event changes the letters of a few
//! components. Nodes are saturated from the bottom up (Ciardo, Lüttgen and Siminiceanu 2001): a node
//! is closed under all events that begin at its level or below before one above is looked at.
//!
//! It pays where no part of the system becomes small by itself, as where everybody shares a counter.

mod force;
mod looked;
mod store;

use std::collections::BTreeMap;

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use crate::{Action, ERROR, Lts, Network, State};
use force::order;
use looked::Events;
use store::{END, Id, NONE, Store};

/// Systems with more components are not looked at: diagrams are walked down level by level.
const MOST_COMPONENTS: usize = 300;
/// Components with more states or edges are not looked at.
const MOST_EDGES: usize = 50_000;

/// What is to be absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Absent {
    /// A state without steps that is no good end.
    Deadlock,
    /// A step into an error.
    Error,
}

/// A set of states that is not left and has none of what is to be absent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Closed {
    /// The components, in the order of the levels.
    pub(crate) order: Vec<usize>,
    /// For each node the letters with what comes after: 0 for the end of the word, else the number of
    /// a node before this one, from 1. The last node is the beginning.
    pub(crate) nodes: Vec<Vec<(u32, u32)>>,
}

impl Closed {
    /// How many states there are; the largest number where there are more.
    pub(crate) fn states(&self) -> u64 {
        let mut below: Vec<u64> = vec![1];
        for edges in &self.nodes {
            let after = edges.iter().map(|&(_, child)| below[child as usize]);
            below.push(after.fold(0, u64::saturating_add));
        }
        below.last().copied().unwrap_or(0)
    }
}

/// All states that can be reached, if what is to be absent is. `None` where it is not, and where the
/// system is of no shape for this.
pub(crate) fn closed(
    network: &Network,
    absent: Absent,
    budget: &Budget,
) -> Result<Option<Closed>, Stop> {
    let components = network.components();
    let fits = |lts: &Lts| lts.states().max(lts.transitions()) <= MOST_EDGES;
    let starts = |lts: &Lts| lts.initial() != ERROR;
    let all = |is: &dyn Fn(&Lts) -> bool| components.iter().all(|component| is(&component.lts));
    let is_small = (1..=MOST_COMPONENTS).contains(&components.len()) && all(&fits);
    if !is_small || !all(&starts) || network.priority().is_some() {
        return Ok(None);
    }
    let order = order(network);
    let parts: Vec<&Lts> = order.iter().map(|&at| &*components[at].lts).collect();
    let mut search = Search::new(&parts, budget);
    let root = search.reached()?;
    let events = Events::new(&parts);
    let is_there = match absent {
        Absent::Deadlock => events.get_stuck(&search.store, root, budget)?,
        Absent::Error => events.err(&search.store, root, budget)?,
    };
    Ok((!is_there).then(|| Closed {
        order,
        nodes: search.store.written(root),
    }))
}

/// What an event, or a silent step, does to one component: for each state where it can happen what
/// comes after.
struct Local {
    level: usize,
    targets: FxHashMap<u32, Vec<u32>>,
}

/// What an event does, from the top down.
type Move = Vec<Local>;

struct Search<'a> {
    parts: &'a [&'a Lts],
    moves: Vec<Move>,
    /// The moves that begin at each level.
    begin: Vec<Vec<usize>>,
    store: Store<'a>,
    budget: &'a Budget,
    /// What became of a node when it was saturated.
    saturated: FxHashMap<Id, Id>,
    /// What a move made of a node, by the number of the move.
    fired: FxHashMap<(usize, Id), Id>,
}

impl<'a> Search<'a> {
    fn new(parts: &'a [&'a Lts], budget: &'a Budget) -> Search<'a> {
        let moves = moves(parts);
        let mut begin = vec![Vec::new(); parts.len()];
        for (number, one) in moves.iter().enumerate() {
            begin[one[0].level].push(number);
        }
        Search {
            parts,
            moves,
            begin,
            store: Store::new(budget),
            budget,
            saturated: FxHashMap::default(),
            fired: FxHashMap::default(),
        }
    }

    /// All states that can be reached without an error.
    fn reached(&mut self) -> Result<Id, Stop> {
        let mut below = END;
        for level in (0..self.parts.len()).rev() {
            let state = u32::from(self.parts[level].initial());
            let node = self.store.node(&[(state, below)])?;
            below = self.saturated(level, node)?;
        }
        Ok(below)
    }

    /// A node whose children are saturated, with all that events from its level on lead to.
    fn saturated(&mut self, level: usize, node: Id) -> Result<Id, Stop> {
        if node == NONE {
            return Ok(NONE);
        }
        if let Some(&known) = self.saturated.get(&node) {
            return Ok(known);
        }
        let mut children: BTreeMap<u32, Id> = self.store.children(node).iter().copied().collect();
        let mut changed = true;
        while changed {
            changed = false;
            for place in 0..self.begin[level].len() {
                changed |= self.closed_under(level, self.begin[level][place], &mut children)?;
            }
        }
        let edges: Vec<(u32, Id)> = children.into_iter().collect();
        let result = self.store.node(&edges)?;
        self.saturated.insert(node, result);
        self.saturated.insert(result, result);
        Ok(result)
    }

    /// Adds what a move that begins at a level leads to, once from each child; whether that was new.
    fn closed_under(
        &mut self,
        level: usize,
        number: usize,
        children: &mut BTreeMap<u32, Id>,
    ) -> Result<bool, Stop> {
        let states: Vec<u32> = children.keys().copied().collect();
        let mut changed = false;
        for state in states {
            let targets = self.moves[number][0].targets.get(&state).cloned();
            let (Some(targets), Some(&child)) = (targets, children.get(&state)) else {
                continue;
            };
            self.budget.charge(1 + targets.len() as u64)?;
            let after = self.fired(number, 1, level + 1, child)?;
            if after == NONE {
                continue;
            }
            for target in targets {
                let old = children.get(&target).copied().unwrap_or(NONE);
                let new = self.store.union(old, after)?;
                if new != old {
                    children.insert(target, new);
                    changed = true;
                }
            }
        }
        Ok(changed)
    }

    /// What the rest of a move, from its component of some number on, makes of a saturated node; it
    /// is saturated again.
    fn fired(&mut self, number: usize, next: usize, level: usize, node: Id) -> Result<Id, Stop> {
        if next == self.moves[number].len() || node == NONE {
            return Ok(node);
        }
        if let Some(&known) = self.fired.get(&(number, node)) {
            return Ok(known);
        }
        let takes_part = self.moves[number][next].level == level;
        let mut children: BTreeMap<u32, Id> = BTreeMap::new();
        for (state, child) in self.store.children(node).to_vec() {
            self.budget.charge(1)?;
            if !takes_part {
                let after = self.fired(number, next, level + 1, child)?;
                children.insert(state, after);
                continue;
            }
            let Some(targets) = self.moves[number][next].targets.get(&state).cloned() else {
                continue;
            };
            let after = self.fired(number, next + 1, level + 1, child)?;
            for target in targets {
                let old = children.get(&target).copied().unwrap_or(NONE);
                let new = self.store.union(old, after)?;
                children.insert(target, new);
            }
        }
        let edges: Vec<(u32, Id)> = children.into_iter().collect();
        let made = self.store.node(&edges)?;
        let result = self.saturated(level, made)?;
        self.fired.insert((number, node), result);
        Ok(result)
    }
}

/// What the events and the silent steps of components do. Steps into an error are left out: an
/// execution ends there.
fn moves(parts: &[&Lts]) -> Vec<Move> {
    let mut events: BTreeMap<Action, Move> = BTreeMap::new();
    let mut silent: Vec<Move> = Vec::new();
    for (level, lts) in parts.iter().enumerate() {
        let mut own: BTreeMap<Action, FxHashMap<u32, Vec<u32>>> = BTreeMap::new();
        for &event in lts.alphabet() {
            own.insert(event, FxHashMap::default());
        }
        for (from, edge) in lts.all_edges() {
            let targets = own.entry(edge.action).or_default();
            if edge.target != ERROR {
                let after = targets.entry(from.into()).or_default();
                after.push(State::into(edge.target));
            }
        }
        for (event, targets) in own {
            let local = Local { level, targets };
            match event.is_tau() {
                true => silent.push(vec![local]),
                false => events.entry(event).or_default().push(local),
            }
        }
    }
    let happens = |one: &Move| one.iter().all(|local| !local.targets.is_empty());
    let all = silent.into_iter().chain(events.into_values());
    all.filter(happens).collect()
}
