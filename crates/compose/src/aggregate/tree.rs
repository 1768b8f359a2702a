//! Which components are put together, and when.

use std::collections::BTreeMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use super::Aim;
use super::small::{alike, by_traces, small, small_by_failures};
use crate::operations::{Composed, compose_with_locals, hide};
use crate::product::{Part, Product};
use crate::{Action, Lts, LtsBuilder, State};

/// Work that a composition may take at first; as much again and again where none gets by with
/// less.
const LEAST_WORK: u64 = 20_000;
const MORE_WORK: u64 = 8;
const MOST_WORK: u64 = 40_000_000;
/// Pairs that are tried in each round, those first that look smallest.
const TRIED: usize = 6;
/// The same where one of each pair is the middle, which soon is large.
const TRIED_WITH_MIDDLE: usize = 2;

/// Which pairs may be put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Any two.
    Anywhere,
    /// The component with the most events, and what comes to it: good where it has to do with
    /// all others.
    FromTheMiddle,
    /// Any two, and then always what has grown so far with another: good where what many came to is
    /// still small, and two such together are not.
    Growing,
}

/// All components, put together two at a time.
pub(super) struct Tree {
    /// How many components there are; the nodes are numbered after them.
    components: usize,
    aim: Aim,
    /// Whether events that are the same to all others are taken for one, and no more than traces
    /// and refusals counts.
    merges: bool,
    /// The last one is everything.
    pub(super) nodes: Vec<Node>,
    pub(super) most_states: u64,
    pub(super) most_transitions: u64,
}

/// A component, or two nodes together.
pub(super) struct Node {
    pub(super) of: Of,
    /// What they do, with all events.
    pub(super) whole: Lts,
    /// The same with private events hidden, made small.
    pub(super) small: Arc<Lts>,
    /// The state of the small one for each of the whole; none where only traces are the same.
    pub(super) places: Vec<State>,
    /// Events that are taken for others: what goes, what stays.
    pub(super) merged: Vec<(Action, Action)>,
    /// For each event of the small one a number that it shares with those that do the same.
    kinds: FxHashMap<Action, u32>,
}

/// One step for others to follow.
pub(crate) struct Step {
    /// What it puts together. Numbers below that of the components are components, the others
    /// results of steps.
    pub(crate) parts: Vec<usize>,
    /// What it comes to.
    pub(crate) small: Arc<Lts>,
    /// Events that are taken for others from here on: what goes, what stays.
    pub(crate) merged: Vec<(Action, Action)>,
}

pub(super) enum Of {
    Component(usize),
    /// A node without events that are gone.
    Less(usize),
    Pair {
        left: usize,
        right: usize,
        /// The states of the two in a state of the whole.
        locals: Box<dyn Fn(State) -> Vec<State>>,
    },
}

impl Of {
    /// The nodes that it is made of.
    pub(super) fn nodes(&self) -> impl Iterator<Item = usize> + use<> {
        let nodes = match *self {
            Of::Component(_) => [None, None],
            Of::Less(old) => [Some(old), None],
            Of::Pair { left, right, .. } => [Some(left), Some(right)],
        };
        nodes.into_iter().flatten()
    }
}

impl Tree {
    /// The node that took events for others, because of which a node has less events.
    pub(super) fn chooser(&self, less: usize) -> Option<usize> {
        let is_pair = |&node: &usize| matches!(self.nodes[node].of, Of::Pair { .. });
        match self.nodes[less].of {
            Of::Less(_) => (0..less).rev().find(is_pair),
            Of::Component(_) | Of::Pair { .. } => None,
        }
    }

    pub(super) fn build(
        components: usize,
        processes: Vec<(usize, Lts)>,
        (order, merges): (Order, bool),
        aim: &Aim,
        budget: &Budget,
    ) -> Result<Tree, Stop> {
        let mut tree = Tree {
            components,
            aim: aim.clone(),
            merges,
            nodes: Vec::new(),
            most_states: 0,
            most_transitions: 0,
        };
        let knowing = Knowing::new(processes.iter().map(|(_, lts)| lts));
        for (number, lts) in processes {
            let is_private = |event: Action| knowing.count(event) == 1 && !aim.keeps(event);
            let errs = knowing.errs_only_in([&lts]);
            let of = Of::Component(number);
            let how = How {
                aim,
                merges,
                nobody_else_errs: errs,
            };
            let mut node = Node::of_merged(of, lts, is_private, &[], how, budget)?;
            if merges {
                node.kinds = kinds(&node.small);
            }
            tree.add(node);
        }
        let mut knowing = Knowing::new(tree.nodes.iter().map(|node| &*node.small));
        let mut round = Round {
            present: (0..tree.nodes.len()).collect(),
            tried: FxHashMap::default(),
            work: LEAST_WORK,
        };
        let events = |&node: &usize| tree.nodes[node].small.alphabet().len();
        let mut middle = match order {
            Order::Anywhere | Order::Growing => None,
            Order::FromTheMiddle => round.present.iter().copied().max_by_key(events),
        };
        while round.present.len() > 1 {
            let (left, right) = tree.best_pair(&mut round, middle, &knowing, budget)?;
            let Some(Some(node)) = round.tried.remove(&(left, right)) else {
                return Err(Stop::inconclusive(
                    "internal error: a pair that was not tried",
                ));
            };
            for old in [left, right] {
                knowing.forget(&tree.nodes[old].small);
            }
            knowing.learn(&node.small);
            round.replace(left, right, tree.nodes.len());
            middle = match order {
                Order::Anywhere => None,
                Order::FromTheMiddle | Order::Growing => Some(tree.nodes.len()),
            };
            let gone: Vec<Action> = node.merged.iter().map(|&(gone, _)| gone).collect();
            tree.add(node);
            for old in round.present.clone() {
                if gone.iter().any(|&event| tree.nodes[old].small.knows(event)) {
                    let less = tree.less(old, &gone);
                    knowing.forget(&tree.nodes[old].small);
                    knowing.learn(&less.small);
                    round.replace(old, old, tree.nodes.len());
                    tree.add(less);
                }
            }
        }
        Ok(tree)
    }

    /// A node without events that are gone.
    fn less(&self, old: usize, gone: &[Action]) -> Node {
        let whole = without(&self.nodes[old].small, gone);
        Node {
            of: Of::Less(old),
            small: Arc::new(whole.clone()),
            places: whole.all_states().collect(),
            merged: Vec::new(),
            kinds: kinds(&whole),
            whole,
        }
    }

    /// Events of two nodes that all others treat alike: what goes, what stays.
    fn same_to_others(&self, pair: [usize; 2], present: &[usize]) -> Vec<(Action, Action)> {
        let mut treated: BTreeMap<Action, Vec<(usize, u32)>> = BTreeMap::new();
        for &other in present.iter().filter(|other| !pair.contains(other)) {
            for (&event, &kind) in &self.nodes[other].kinds {
                treated.entry(event).or_default().push((other, kind));
            }
        }
        let own = |event: Action| pair.iter().any(|&node| self.nodes[node].small.knows(event));
        let mut first: FxHashMap<Vec<(usize, u32)>, Action> = FxHashMap::default();
        let mut merged = Vec::new();
        for (event, treated) in treated {
            if own(event) && !self.aim.keeps(event) {
                match first.entry(treated) {
                    Entry::Occupied(kept) => merged.push((event, *kept.get())),
                    Entry::Vacant(place) => drop(place.insert(event)),
                }
            }
        }
        merged
    }

    fn add(&mut self, node: Node) {
        self.most_states = self.most_states.max(node.whole.states() as u64);
        let transitions = node.whole.transitions() as u64;
        self.most_transitions = self.most_transitions.max(transitions);
        self.nodes.push(node);
    }

    /// The pair with the smallest result, of those that look smallest; one of them must be
    /// the middle, if there is one. What pairs come to is kept: it does not change while both
    /// are there.
    fn best_pair(
        &self,
        round: &mut Round,
        middle: Option<usize>,
        knowing: &Knowing,
        budget: &Budget,
    ) -> Result<(usize, usize), Stop> {
        let mut pairs: Vec<(u64, (usize, usize))> = Vec::new();
        for (at, &left) in round.present.iter().enumerate() {
            for &right in &round.present[at + 1..] {
                if middle.is_none_or(|middle| [left, right].contains(&middle)) {
                    pairs.push((self.estimate(left, right, knowing), (left, right)));
                }
            }
        }
        pairs.sort_unstable();
        budget.charge(pairs.len() as u64 / 16)?;
        let most = match middle {
            None => TRIED,
            Some(_) => TRIED_WITH_MIDDLE,
        };
        loop {
            let new = pairs.iter().map(|&(_, pair)| pair);
            let new = new.filter(|pair| !round.tried.contains_key(pair));
            for (left, right) in new.take(most).collect::<Vec<_>>() {
                let limited = budget.child_with_work(round.work);
                let node = match self.together(left, right, &round.present, knowing, &limited) {
                    Ok(node) => Some(node),
                    Err(Stop::Work) => {
                        budget.poll()?;
                        None
                    }
                    Err(stop) => return Err(stop),
                };
                round.tried.insert((left, right), node);
            }
            let sizes = pairs.iter().filter_map(|&(_, pair)| {
                let node = round.tried.get(&pair)?.as_ref()?;
                Some((node.small.transitions() + node.small.states(), pair))
            });
            if let Some((_, pair)) = sizes.min() {
                return Ok(pair);
            }
            if round.work >= MOST_WORK {
                return Err(Stop::Work);
            }
            round.work *= MORE_WORK;
            round.tried.retain(|_, node| node.is_some());
        }
    }

    /// How large two nodes together look: less for what they share, and less for what becomes
    /// private.
    fn estimate(&self, left: usize, right: usize, knowing: &Knowing) -> u64 {
        let (left, right) = (&self.nodes[left].small, &self.nodes[right].small);
        let (mut shared, mut private) = (0, 0);
        for &event in left.alphabet().iter().filter(|&&event| right.knows(event)) {
            shared += 1;
            private += u64::from(knowing.count(event) == 2);
        }
        let product = (left.states() as u64).saturating_mul(right.states() as u64);
        let seen = (left.alphabet().len() + right.alphabet().len()) as u64 - shared - private;
        // What has nothing in common comes last.
        let apart = if shared == 0 { 1 << 32 } else { 1 };
        product.saturating_mul(seen + 1).saturating_mul(apart)
    }

    fn together(
        &self,
        left: usize,
        right: usize,
        present: &[usize],
        knowing: &Knowing,
        budget: &Budget,
    ) -> Result<Node, Stop> {
        let merged = match self.merges {
            true => self.same_to_others([left, right], present),
            false => Vec::new(),
        };
        let parts = [left, right].map(|node| Part::new(self.nodes[node].small.clone()));
        let Composed { lts, locals } = compose_with_locals(&Product::new(parts.to_vec())?, budget)?;
        let of = Of::Pair {
            left,
            right,
            locals,
        };
        let own = |event: Action| {
            let both = [left, right].map(|node| self.nodes[node].small.knows(event));
            both.into_iter().map(u32::from).sum::<u32>()
        };
        let is_private =
            |event: Action| knowing.count(event) == own(event) && !self.aim.keeps(event);
        let errs = knowing.errs_only_in([left, right].map(|node| &*self.nodes[node].small));
        let how = How {
            aim: &self.aim,
            merges: self.merges,
            nobody_else_errs: errs,
        };
        let mut node = Node::of_merged(of, lts, is_private, &merged, how, budget)?;
        if self.merges {
            node.kinds = kinds(&node.small);
        }
        Ok(node)
    }

    /// The steps for others to follow.
    pub(super) fn steps(&self) -> Vec<Step> {
        let parts = |of: &Of| match *of {
            Of::Component(number) => vec![number],
            Of::Less(old) => vec![self.components + old],
            Of::Pair { left, right, .. } => vec![self.components + left, self.components + right],
        };
        let nodes = self.nodes.iter();
        nodes
            .map(|node| Step {
                parts: parts(&node.of),
                small: node.small.clone(),
                merged: node.merged.clone(),
            })
            .collect()
    }
}

/// How a node is made small.
#[derive(Clone, Copy)]
struct How<'a> {
    aim: &'a Aim,
    merges: bool,
    nobody_else_errs: bool,
}

impl Node {
    /// A state in which it does nothing any more.
    pub(super) fn stuck(&self) -> Option<State> {
        let mut states = self.small.all_states();
        states.find(|&state| self.small.edges(state).is_empty())
    }

    /// Hides the events of the whole that nobody else knows, takes some for others, and makes it
    /// small. Where nobody else errs, what can lead to no error does not matter.
    fn of_merged(
        of: Of,
        whole: Lts,
        is_private: impl Fn(Action) -> bool,
        merged: &[(Action, Action)],
        how: How<'_>,
        budget: &Budget,
    ) -> Result<Node, Stop> {
        let mut hidden = hide(&whole, is_private);
        if !merged.is_empty() {
            let names: FxHashMap<Action, Action> = merged.iter().copied().collect();
            hidden = hidden.map_labels(|event| [names.get(&event).copied().unwrap_or(event)]);
        }
        let (small, places) = match how.aim {
            Aim::Stuck if how.merges => small_by_failures(&hidden, budget)?,
            Aim::Stuck => small(&hidden, budget)?,
            Aim::Runs { fair, .. } => alike(&hidden, *fair, budget)?,
            Aim::Errors => (
                by_traces(&hidden, how.nobody_else_errs, budget)?,
                Vec::new(),
            ),
        };
        Ok(Node {
            of,
            whole,
            small: Arc::new(small),
            places,
            merged: merged.to_vec(),
            kinds: FxHashMap::default(),
        })
    }
}

/// A component without some events.
pub(super) fn without(lts: &Lts, gone: &[Action]) -> Lts {
    let mut builder = LtsBuilder::shaped_like(lts);
    let left = lts.alphabet().iter().filter(|event| !gone.contains(event));
    builder.alphabet(left.copied());
    for (from, edge) in lts.all_edges() {
        if !gone.contains(&edge.action) {
            builder.edge(from, edge.action, edge.target);
        }
    }
    builder.build()
}

/// For each event a number; those that do the same in every state have the same.
pub(super) fn kinds(lts: &Lts) -> FxHashMap<Action, u32> {
    let mut edges: BTreeMap<Action, Vec<(State, State)>> = BTreeMap::new();
    for &event in lts.alphabet() {
        edges.entry(event).or_default();
    }
    for (from, edge) in lts.all_edges().filter(|(_, edge)| !edge.action.is_tau()) {
        edges
            .entry(edge.action)
            .or_default()
            .push((from, edge.target));
    }
    let mut numbers: FxHashMap<Vec<(State, State)>, u32> = FxHashMap::default();
    let number = |(event, edges): (Action, Vec<(State, State)>)| {
        let fresh = numbers.len() as u32;
        (event, *numbers.entry(edges).or_insert(fresh))
    };
    edges.into_iter().map(number).collect()
}

/// What is left to be put together.
struct Round {
    present: Vec<usize>,
    /// The pairs that were tried, and what they came to if it was not too much work.
    tried: FxHashMap<(usize, usize), Option<Node>>,
    /// The work that one pair may take.
    work: u64,
}

impl Round {
    fn replace(&mut self, left: usize, right: usize, new: usize) {
        let is_old = |node: usize| node == left || node == right;
        self.present.retain(|&node| !is_old(node));
        self.present.push(new);
        self.tried
            .retain(|&(one, other), _| !is_old(one) && !is_old(other));
    }
}

/// How many of the present nodes know each event, and how many can err.
#[derive(Default)]
pub(super) struct Knowing {
    counts: Vec<u32>,
    erring: u32,
}

impl Knowing {
    pub(super) fn new<'a>(all: impl Iterator<Item = &'a Lts>) -> Knowing {
        let mut knowing = Knowing::default();
        all.for_each(|lts| knowing.learn(lts));
        knowing
    }

    pub(super) fn count(&self, event: Action) -> u32 {
        self.counts.get(event.index()).copied().unwrap_or(0)
    }

    /// Whether all that can err are among some of the present nodes.
    fn errs_only_in<const N: usize>(&self, some: [&Lts; N]) -> bool {
        let erring = some.into_iter().map(|lts| u32::from(lts.has_error()));
        erring.sum::<u32>() == self.erring
    }

    pub(super) fn learn(&mut self, lts: &Lts) {
        self.erring += u32::from(lts.has_error());
        for event in lts.alphabet() {
            if self.counts.len() <= event.index() {
                self.counts.resize(event.index() + 1, 0);
            }
            self.counts[event.index()] += 1;
        }
    }

    pub(super) fn forget(&mut self, lts: &Lts) {
        self.erring -= u32::from(lts.has_error());
        for event in lts.alphabet() {
            self.counts[event.index()] -= 1;
        }
    }
}
