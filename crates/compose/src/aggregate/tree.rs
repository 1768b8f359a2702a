//! Which components are put together, and when.

use std::sync::Arc;

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use super::Aim;
use super::small::{alike, small};
use crate::operations::{Composed, compose_with_locals, hide};
use crate::product::{Part, Product};
use crate::{Action, Lts, State};

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
}

/// All components, put together two at a time.
pub(super) struct Tree {
    /// How many components there are; the nodes are numbered after them.
    components: usize,
    aim: Aim,
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
    /// The state of the small one for each of the whole.
    pub(super) places: Vec<State>,
}

pub(super) enum Of {
    Component(usize),
    Pair {
        left: usize,
        right: usize,
        /// The states of the two in a state of the whole.
        locals: Box<dyn Fn(State) -> Vec<State>>,
    },
}

impl Tree {
    pub(super) fn build(
        components: usize,
        processes: Vec<(usize, Lts)>,
        order: Order,
        aim: &Aim,
        budget: &Budget,
    ) -> Result<Tree, Stop> {
        let mut tree = Tree {
            components,
            aim: aim.clone(),
            nodes: Vec::new(),
            most_states: 0,
            most_transitions: 0,
        };
        let knowing = Knowing::new(processes.iter().map(|(_, lts)| lts));
        for (number, lts) in processes {
            let is_private = |event: Action| knowing.count(event) == 1 && !aim.keeps(event);
            let node = Node::new(Of::Component(number), lts, is_private, aim, budget)?;
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
            Order::Anywhere => None,
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
            middle = middle.map(|_| tree.nodes.len());
            tree.add(node);
        }
        Ok(tree)
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
                let node = match self.together(left, right, knowing, &limited) {
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
        knowing: &Knowing,
        budget: &Budget,
    ) -> Result<Node, Stop> {
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
        Node::new(of, lts, is_private, &self.aim, budget)
    }

    /// The steps for others to follow.
    pub(super) fn into_steps(self) -> Vec<(Vec<usize>, Arc<Lts>)> {
        let parts = |of: &Of| match *of {
            Of::Component(number) => vec![number],
            Of::Pair { left, right, .. } => vec![self.components + left, self.components + right],
        };
        let nodes = self.nodes.iter();
        nodes
            .map(|node| (parts(&node.of), node.small.clone()))
            .collect()
    }
}

impl Node {
    /// Hides the events of the whole that nobody else knows, and makes it small.
    fn new(
        of: Of,
        whole: Lts,
        is_private: impl Fn(Action) -> bool,
        aim: &Aim,
        budget: &Budget,
    ) -> Result<Node, Stop> {
        let hidden = hide(&whole, is_private);
        let (small, places) = match aim {
            Aim::Stuck => small(&hidden, budget)?,
            Aim::Runs { fair, .. } => alike(&hidden, *fair, budget)?,
        };
        Ok(Node {
            of,
            whole,
            small: Arc::new(small),
            places,
        })
    }
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

/// How many of the present nodes know each event.
struct Knowing {
    counts: Vec<u32>,
}

impl Knowing {
    fn new<'a>(all: impl Iterator<Item = &'a Lts>) -> Knowing {
        let mut knowing = Knowing { counts: Vec::new() };
        all.for_each(|lts| knowing.learn(lts));
        knowing
    }

    fn count(&self, event: Action) -> u32 {
        self.counts.get(event.index()).copied().unwrap_or(0)
    }

    fn learn(&mut self, lts: &Lts) {
        for event in lts.alphabet() {
            if self.counts.len() <= event.index() {
                self.counts.resize(event.index() + 1, 0);
            }
            self.counts[event.index()] += 1;
        }
    }

    fn forget(&mut self, lts: &Lts) {
        for event in lts.alphabet() {
            self.counts[event.index()] -= 1;
        }
    }
}
