//! Inclusion breadth first: a shortest word against it.

use std::sync::Arc;

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use super::order::SimulationOrder;
use crate::State;
use crate::operations::question::Question;
use crate::operations::race::{Answer, Contender};
use crate::operations::simulation::MAX_STATES;
use crate::operations::subsets::{Subsets, bits, insert, intersect, is_subset, members};

/// Pairs of a state of the left and a set of states of the right in the order of the words that
/// lead to them, shortest first and then by letters.
///
/// A pair is left out only if one that was met before *subsumes* it: one with a higher state
/// and a lower set. Higher and lower are told by inclusion of sets and, when the search has
/// taken longer than finding it out takes, by simulation (Abdulla, Chen, Holík, Mayr and Vojnar
/// 2010). Every word that refutes a pair refutes those that subsume it, so the first refutation
/// is at the end of the first of the shortest words.
pub(in crate::operations) struct BreadthFirst {
    question: Arc<Question>,
    right_accepting: Vec<u64>,
    sets: Subsets,
    /// Where a class leads from a set.
    posts: FxHashMap<(u32, u32), u32>,
    /// The pairs of one word follow each other.
    groups: Vec<Group>,
    /// The states of the pairs, group by group.
    states: Vec<u32>,
    /// The group that is searched next.
    next: usize,
    /// For each state of the left the sets of the pairs with it that no other subsumes.
    antichain: Vec<Vec<u32>>,
    /// What is lower and higher; without it, only a state itself.
    order: Option<SimulationOrder>,
    /// The work after which the order is found out.
    patience: u64,
    scratch: Vec<u64>,
    moves: Vec<(u32, u32)>,
    is_started: bool,
    work: u64,
}

/// The pairs that one word leads to: they have one set.
struct Group {
    set: u32,
    /// The first of its states.
    first: usize,
    /// The group before the last letter ([`START`] if there is none), and the class of that
    /// letter.
    from: u32,
    class: u32,
}

const START: u32 = u32::MAX;

impl BreadthFirst {
    pub(in crate::operations) fn new(question: Arc<Question>) -> BreadthFirst {
        // About what finding out the simulation takes: rows of bits for each edge.
        let states = question.states() as u64;
        let edges = question.left.successors.edges() + question.right.successors.edges();
        let patience = 1024 + (states / 64 + 1) * (states + edges as u64);
        BreadthFirst::with_patience(question, patience)
    }

    pub(super) fn with_patience(question: Arc<Question>, patience: u64) -> BreadthFirst {
        let (left, right) = (&question.left, &question.right);
        let sets = Subsets::new(right.successors.len());
        BreadthFirst {
            right_accepting: bits(sets.words(), right.accepting.ones()),
            sets,
            posts: FxHashMap::default(),
            groups: Vec::new(),
            states: Vec::new(),
            next: 0,
            antichain: vec![Vec::new(); left.successors.len()],
            order: None,
            patience,
            scratch: Vec::new(),
            moves: Vec::new(),
            is_started: false,
            work: 0,
            question,
        }
    }

    fn start(&mut self) -> bool {
        self.is_started = true;
        let question = Arc::clone(&self.question);
        let initial = question.right.initial.iter().map(|&state| state as usize);
        let set = self.sets.intern(&bits(self.sets.words(), initial));
        let mut states = question.left.initial.iter();
        states.any(|&state| self.meet(state, set, START, 0))
    }

    /// The set that a class leads to from a set.
    fn post(&mut self, set: u32, class: u32) -> u32 {
        if let Some(&known) = self.posts.get(&(set, class)) {
            return known;
        }
        self.scratch.clear();
        self.scratch.resize(self.sets.words(), 0);
        for state in members(self.sets.get(set)) {
            let targets = self.question.right.successors.on(State(state), class);
            self.work += 1 + targets.len() as u64;
            targets
                .iter()
                .for_each(|&target| insert(&mut self.scratch, target));
        }
        if let Some(order) = &self.order {
            order.keep_highest(&mut self.scratch);
        }
        let post = self.sets.intern(&self.scratch);
        self.work += 4 + self.sets.words() as u64 / 4;
        if let Some(order) = &mut self.order {
            order.close(&self.sets);
        }
        self.posts.insert((set, class), post);
        post
    }

    /// Meets a pair, to be searched later unless another subsumes it; true if the word that
    /// led to it is accepted by the left and not by the right.
    fn meet(&mut self, state: u32, set: u32, from: u32, class: u32) -> bool {
        self.work += 1;
        let accepts = intersect(self.sets.get(set), &self.right_accepting);
        let refutes = self.question.left.accepting.contains(state as usize) && !accepts;
        if !refutes && self.is_subsumed(state, set) {
            return false;
        }
        let is_open =
            (self.groups.last()).is_some_and(|last| (last.from, last.class) == (from, class));
        if !is_open {
            self.groups.push(Group {
                set,
                first: self.states.len(),
                from,
                class,
            });
        }
        self.states.push(state);
        if !refutes {
            self.supersede(state, set);
            self.antichain[state as usize].push(set);
        }
        refutes
    }

    fn is_subsumed(&mut self, state: u32, set: u32) -> bool {
        let cost = 1 + self.sets.words() as u64 / 8;
        let (antichain, sets, work) = (&self.antichain, &self.sets, &mut self.work);
        let mut has_below = |state: u32, closed: &[u64]| {
            let below = &antichain[state as usize];
            *work += below.len() as u64 * cost;
            below.iter().any(|&set| is_subset(sets.get(set), closed))
        };
        match &self.order {
            None => has_below(state, sets.get(set)),
            Some(order) => {
                order.is_state_below(state, set)
                    || order
                        .states_above(state)
                        .any(|higher| has_below(higher, order.closed(set)))
            }
        }
    }

    /// Takes the pairs that the new one subsumes out of the antichain. They are searched all
    /// the same, for the sake of the first word.
    fn supersede(&mut self, state: u32, set: u32) {
        let cost = 1 + self.sets.words() as u64 / 8;
        let (sets, order, work) = (&self.sets, &self.order, &mut self.work);
        let new = sets.get(set);
        let mut clear = |state: u32| {
            let chain = &mut self.antichain[state as usize];
            *work += chain.len() as u64 * cost;
            chain.retain(|&other| match order {
                None => !is_subset(new, sets.get(other)),
                Some(order) => !is_subset(new, order.closed(other)),
            });
        };
        match order {
            None => clear(state),
            Some(order) => order.states_below(state).for_each(clear),
        }
    }

    /// The word to the last group.
    fn word(&self) -> Answer {
        let mut classes = Vec::new();
        let mut at = self.groups.last()?;
        while at.from != START {
            classes.push(at.class);
            at = &self.groups[at.from as usize];
        }
        classes.reverse();
        Some(self.question.word(classes, &self.question.left, None))
    }
}

impl Contender for BreadthFirst {
    fn run(&mut self, work: u64, budget: &Budget) -> Result<Option<Answer>, Stop> {
        if !self.is_started && self.start() {
            return Ok(Some(self.word()));
        }
        let question = Arc::clone(&self.question);
        while self.work < work {
            if self.next == self.groups.len() {
                return Ok(Some(None));
            }
            budget.charge(1)?;
            let small = question.states() + 64 <= MAX_STATES;
            if self.order.is_none() && small && self.work >= self.patience {
                self.order = Some(SimulationOrder::new(&question, &self.sets, budget)?);
                self.work = self.work.saturating_add(self.patience);
            }
            let number = self.next as u32;
            let Group { set, first, .. } = self.groups[self.next];
            let last = (self.groups.get(self.next + 1)).map_or(self.states.len(), |g| g.first);
            self.next += 1;
            let mut moves = std::mem::take(&mut self.moves);
            moves.clear();
            for &state in &self.states[first..last] {
                for (class, targets) in question.left.successors.from(state) {
                    moves.extend(targets.iter().map(|&target| (class, target)));
                }
            }
            moves.sort_unstable();
            moves.dedup();
            for &(class, target) in &moves {
                let set = self.post(set, class);
                if self.meet(target, set, number, class) {
                    return Ok(Some(self.word()));
                }
            }
            self.moves = moves;
        }
        Ok(None)
    }
}
