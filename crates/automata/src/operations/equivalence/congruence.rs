//! Equivalence up to congruence: few pairs of sets, each of them dear.

use std::sync::Arc;

use quotient_core::{Budget, Stop};

use crate::operations::determinize::BitConstruction;
use crate::operations::question::{Half, Question};
use crate::operations::race::{Answer, Contender};
use crate::operations::simulation::{MAX_STATES, Simulation, greatest_simulation};
use crate::operations::subsets::{bits, is_subset, members};
use crate::{Dfa, State};

/// Pairs of sets of states that a word leads to, breadth first; a pair is skipped if it follows
/// from those met before by symmetry, transitivity and union: *bisimulation up to congruence*
/// (Bonchi and Pous 2013). This can be exponentially less than either deterministic automaton.
///
/// When the search has taken longer than finding it out takes, simulation is used too: a set is
/// the same as with the states that its own simulate.
///
/// A word that tells a skipped pair apart also tells apart one of the pairs that it follows
/// from, which was met before; so the first difference found is at the end of the first of the
/// shortest words.
pub(super) struct Congruence {
    question: Arc<Question>,
    construction: BitConstruction,
    empty: u32,
    width: usize,
    /// The successors of each set that was asked for, [`Dfa::NONE`] where not.
    rows: Vec<u32>,
    pairs: Vec<Pair>,
    /// The union of the sets of each pair and what is below it, side by side.
    rules: Vec<u64>,
    /// The states below each state, if that is known.
    below: Option<Simulation>,
    /// The work after which simulation is found out; none if it is known or too large.
    patience: Option<u64>,
    scratch: Vec<u64>,
    unused: Vec<u32>,
    /// The pair that is searched next.
    next: usize,
    is_started: bool,
    work: u64,
}

/// Two sets of states that a word leads to.
struct Pair {
    left: u32,
    right: u32,
    /// The pair before the last letter, and the class of that letter.
    from: u32,
    class: u32,
}

impl Congruence {
    pub(super) fn new(question: Arc<Question>) -> Congruence {
        // About what finding out the simulation takes: rows of bits for each edge.
        let states = question.states() as u64;
        let edges = question.left.successors.edges() + question.right.successors.edges();
        let patience = 1024 + (states / 64 + 1) * (states + edges as u64);
        Congruence::with_patience(question, patience)
    }

    pub(super) fn with_patience(question: Arc<Question>, patience: u64) -> Congruence {
        let (left, right) = (&question.left, &question.right);
        let shift = left.successors.len();
        let both = left.successors.beside(&right.successors, shift);
        let small = both.len() <= MAX_STATES;
        let shifted = right.accepting.ones().map(|state| state + shift);
        let accepting = left.accepting.ones().chain(shifted);
        let width = question.minterms.len();
        let mut construction = BitConstruction::of(both, accepting, width);
        Congruence {
            rows: Vec::new(),
            empty: construction.start(&[]),
            construction,
            width,
            pairs: Vec::new(),
            rules: Vec::new(),
            below: None,
            patience: small.then_some(patience),
            scratch: Vec::new(),
            unused: Vec::new(),
            next: 0,
            is_started: false,
            work: 0,
            question,
        }
    }

    fn start(&mut self) -> bool {
        self.is_started = true;
        let question = Arc::clone(&self.question);
        let shift = question.left.successors.len() as u32;
        let states = |half: &Half, shift: u32| -> Vec<State> {
            half.initial.iter().map(|q| State(q + shift)).collect()
        };
        let left = self.construction.start(&states(&question.left, 0));
        let right = self.construction.start(&states(&question.right, shift));
        self.meets(left, right, 0, 0)
    }

    /// Finds out which states are below others, and adds them to what was met.
    fn learn_simulation(&mut self, budget: &Budget) -> Result<(), Stop> {
        let (left, right) = (&self.question.left, &self.question.right);
        let shift = left.successors.len();
        let both = left.successors.beside(&right.successors, shift);
        let shifted = right.accepting.ones().map(|state| state + shift);
        let accepting = bits(
            both.len().div_ceil(64),
            left.accepting.ones().chain(shifted),
        );
        let below = greatest_simulation(&both, &accepting, budget)?.transposed();
        self.below = Some(below);
        let sets = &self.construction.subsets;
        let words = sets.words();
        for (pair, rule) in self.pairs.iter().zip(self.rules.chunks_exact_mut(words)) {
            add_closed(rule, sets.get(pair.left), &self.below);
            add_closed(rule, sets.get(pair.right), &self.below);
        }
        Ok(())
    }

    /// Meets a pair; true if its sets differ in acceptance.
    fn meets(&mut self, left: u32, right: u32, from: u32, class: u32) -> bool {
        if left == right || self.follows(left, right) {
            return false;
        }
        self.work += 1;
        let differ = self.construction.accepts(left) != self.construction.accepts(right);
        self.pairs.push(Pair {
            left,
            right,
            from,
            class,
        });
        let sets = &self.construction.subsets;
        let at = self.rules.len();
        self.rules.resize(at + sets.words(), 0);
        for set in [left, right] {
            add_closed(&mut self.rules[at..], sets.get(set), &self.below);
        }
        differ
    }

    /// Whether the pair is in the congruence closure of the pairs met: each pair says that its
    /// sets and their union are the same, and what follows from a set is found by adding to it
    /// the unions of the pairs that it includes a side of.
    fn follows(&mut self, left: u32, right: u32) -> bool {
        self.saturated(left, right) && self.saturated(right, left)
    }

    /// Whether `goal` is included in what `set` is the same as.
    fn saturated(&mut self, set: u32, goal: u32) -> bool {
        let sets = &self.construction.subsets;
        let words = sets.words();
        self.scratch.clear();
        self.scratch.resize(words, 0);
        add_closed(&mut self.scratch, sets.get(set), &self.below);
        self.unused.clear();
        self.unused.extend(0..self.pairs.len() as u32);
        loop {
            if is_subset(sets.get(goal), &self.scratch) {
                return true;
            }
            let before = self.unused.len();
            self.work += before as u64 * (1 + words as u64 / 8);
            let (pairs, rules, scratch) = (&self.pairs, &self.rules, &mut self.scratch);
            self.unused.retain(|&number| {
                let pair = &pairs[number as usize];
                let applies = is_subset(sets.get(pair.left), scratch)
                    || is_subset(sets.get(pair.right), scratch);
                if applies {
                    let union = &rules[number as usize * words..][..words];
                    scratch.iter_mut().zip(union).for_each(|(a, b)| *a |= b);
                }
                !applies
            });
            if self.unused.len() == before {
                return false;
            }
        }
    }

    fn expand(&mut self, set: u32) {
        let (from, to) = (set as usize * self.width, (set as usize + 1) * self.width);
        if self.rows.len() < to {
            self.rows.resize(to, Dfa::NONE);
        }
        if self.rows[from..to].contains(&Dfa::NONE) {
            let row = &mut self.rows[from..to];
            row.fill(self.empty);
            self.construction.fill_row(set, row);
            self.work += 4 + self.width as u64 / 4 * self.construction.subsets.words() as u64;
        }
    }

    /// The word to the last pair.
    fn word(&self) -> Answer {
        let mut classes = Vec::new();
        let mut at = self.pairs.len() - 1;
        while at != 0 {
            classes.push(self.pairs[at].class);
            at = self.pairs[at].from as usize;
        }
        classes.reverse();
        Some(self.question.word(classes, &self.question.left, None))
    }
}

impl Contender for Congruence {
    fn run(&mut self, work: u64, budget: &Budget) -> Result<Option<Answer>, Stop> {
        if !self.is_started && self.start() {
            return Ok(Some(self.word()));
        }
        while self.work < work {
            let Some(pair) = self.pairs.get(self.next) else {
                return Ok(Some(None));
            };
            budget.charge(1)?;
            let (left, right) = (pair.left, pair.right);
            if self.patience.is_some_and(|patience| self.work >= patience) {
                let patience = self.patience.take().unwrap_or_default();
                self.learn_simulation(budget)?;
                self.work = self.work.saturating_add(patience);
            }
            self.expand(left);
            self.expand(right);
            for class in 0..self.width {
                let left = self.rows[left as usize * self.width + class];
                let right = self.rows[right as usize * self.width + class];
                if self.meets(left, right, self.next as u32, class as u32) {
                    return Ok(Some(self.word()));
                }
            }
            self.next += 1;
        }
        Ok(None)
    }
}

/// Adds a set and what is below its states.
fn add_closed(to: &mut [u64], set: &[u64], below: &Option<Simulation>) {
    let mut add = |more: &[u64]| to.iter_mut().zip(more).for_each(|(to, more)| *to |= more);
    match below {
        None => add(set),
        Some(below) => members(set).for_each(|state| add(below.row(state))),
    }
}
