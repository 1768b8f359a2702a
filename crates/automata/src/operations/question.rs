//! Two automata made ready to be compared.

use std::sync::Arc;

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use super::sets::{Collector, StateSets};
use super::successors::Successors;
use crate::{Minterms, Nfa, Word};

/// Two automata without ε-moves and useless states, over common classes of letters.
pub(super) struct Question {
    pub(super) left: Arc<Half>,
    pub(super) right: Arc<Half>,
    pub(super) minterms: Minterms,
    /// Whether words are read from their ends.
    reversed: bool,
}

/// One of the two.
pub(super) struct Half {
    pub(super) successors: Successors,
    pub(super) initial: Vec<u32>,
    pub(super) accepting: Bits,
    /// For each state the length of a shortest word accepted from it.
    pub(super) distance: Vec<u32>,
}

impl Question {
    pub(super) fn new(left: &Nfa, right: &Nfa, budget: &Budget) -> Result<Question, Stop> {
        let left = left.epsilon_free(budget)?;
        let right = right.epsilon_free(budget)?;
        let labels = left.labels().iter().chain(right.labels()).flatten();
        let minterms = Minterms::new(left.alphabet(), labels);
        Ok(Question {
            left: Arc::new(Half::new(&left, &minterms)),
            right: Arc::new(Half::new(&right, &minterms)),
            minterms,
            reversed: false,
        })
    }

    /// The same question about the words read backwards, which has the same answer.
    pub(super) fn reversed(&self) -> Question {
        Question {
            left: Arc::new(self.left.reversed()),
            right: Arc::new(self.right.reversed()),
            minterms: self.minterms.clone(),
            reversed: !self.reversed,
        }
    }

    /// The same question with the sides exchanged.
    pub(super) fn exchanged(&self) -> Question {
        Question {
            left: Arc::clone(&self.right),
            right: Arc::clone(&self.left),
            minterms: self.minterms.clone(),
            reversed: self.reversed,
        }
    }

    /// The word of some classes, the last first if `backwards`, after which the first side goes
    /// on from a state to acceptance by a shortest way.
    pub(super) fn word(&self, mut classes: Vec<u32>, half: &Half, from: Option<u32>) -> Word {
        if let Some(from) = from {
            half.finish(from, &mut classes);
        }
        if self.reversed {
            classes.reverse();
        }
        let letters = classes.into_iter();
        letters
            .map(|class| self.minterms.representative(class))
            .collect()
    }

    /// The number of states on both sides.
    pub(super) fn states(&self) -> usize {
        self.left.successors.len() + self.right.successors.len()
    }
}

impl Half {
    fn new(nfa: &Nfa, minterms: &Minterms) -> Half {
        let mut accepting = nfa.accepting().clone();
        accepting.grow(nfa.len());
        Half::of(
            Successors::new(nfa, minterms),
            nfa.initial().iter().map(|state| state.0).collect(),
            accepting,
        )
    }

    fn of(successors: Successors, initial: Vec<u32>, accepting: Bits) -> Half {
        Half {
            distance: successors.distances(accepting.ones().map(|state| state as u32)),
            successors,
            initial,
            accepting,
        }
    }

    fn reversed(&self) -> Half {
        let mut accepting = Bits::with_capacity(self.successors.len());
        accepting.extend(self.initial.iter().map(|&state| state as usize));
        let initial = self.accepting.ones().map(|state| state as u32);
        Half::of(self.successors.reversed(), initial.collect(), accepting)
    }

    /// Adds the first shortest way to acceptance.
    fn finish(&self, mut state: u32, classes: &mut Vec<u32>) {
        while self.distance[state as usize] > 0 {
            let nearer = self.distance[state as usize] - 1;
            let next = self.successors.from(state).find_map(|(class, targets)| {
                let mut targets = targets.iter();
                let target = targets.find(|&&target| self.distance[target as usize] == nearer)?;
                Some((class, *target))
            });
            let Some((class, target)) = next else { return };
            classes.push(class);
            state = target;
        }
    }
}

/// A side that is determinised as far as it is asked for.
pub(super) struct Determinized {
    pub(super) half: Arc<Half>,
    pub(super) sets: StateSets,
    /// For each set the least distance of a member, `u32::MAX` for the empty set.
    nearest: Vec<u32>,
    collector: Collector,
    posts: FxHashMap<(u32, u32), u32>,
    /// The rows that were asked for as a whole: class and set, side by side.
    row_items: Vec<(u32, u32)>,
    /// Where the row of each set is, if it is there.
    rows: Vec<(u32, u32)>,
    /// For each class the states being collected, and the classes with some.
    scratch: Vec<Vec<u32>>,
    used: Vec<u32>,
    /// The steps taken.
    pub(super) work: u64,
}

const NO_ROW: (u32, u32) = (u32::MAX, u32::MAX);

impl Determinized {
    pub(super) fn new(half: &Arc<Half>) -> Determinized {
        let states = half.successors.len();
        Determinized {
            half: Arc::clone(half),
            sets: StateSets::new(states),
            nearest: Vec::new(),
            collector: Collector::new(states),
            posts: FxHashMap::default(),
            row_items: Vec::new(),
            rows: Vec::new(),
            scratch: Vec::new(),
            used: Vec::new(),
            work: 0,
        }
    }

    /// The length of a shortest word accepted from a set.
    #[inline]
    pub(super) fn nearest(&self, set: u32) -> u32 {
        self.nearest[set as usize]
    }

    /// The set of initial states.
    pub(super) fn start(&mut self) -> u32 {
        let half = Arc::clone(&self.half);
        half.initial
            .iter()
            .for_each(|&state| self.collector.insert(state));
        self.intern()
    }

    /// The set without members.
    pub(super) fn empty(&mut self) -> u32 {
        self.intern()
    }

    /// Where a class leads from a set.
    pub(super) fn post(&mut self, set: u32, class: u32) -> u32 {
        if let Some(&known) = self.posts.get(&(set, class)) {
            return known;
        }
        let (successors, collector) = (&self.half.successors, &mut self.collector);
        let work = &mut self.work;
        self.sets.each(set, |state| {
            let targets = successors.on(crate::State(state), class);
            *work += 1 + targets.len() as u64;
            targets.iter().for_each(|&target| collector.insert(target));
        });
        let post = self.intern();
        self.posts.insert((set, class), post);
        post
    }

    /// Where each class leads from a set, in order; classes that lead nowhere are left out.
    pub(super) fn row(&mut self, set: u32) -> (usize, usize) {
        let at = set as usize;
        if self.rows.len() <= at {
            self.rows.resize(at + 1, NO_ROW);
        }
        if self.rows[at] == NO_ROW {
            self.rows[at] = self.find_row(set);
        }
        let (from, to) = self.rows[at];
        (from as usize, to as usize)
    }

    /// What is at a place of a row.
    #[inline]
    pub(super) fn item(&self, at: usize) -> (u32, u32) {
        self.row_items[at]
    }

    fn find_row(&mut self, set: u32) -> (u32, u32) {
        let half = Arc::clone(&self.half);
        let from = self.row_items.len() as u32;
        let (scratch, used, work) = (&mut self.scratch, &mut self.used, &mut self.work);
        self.sets.each(set, |state| {
            for (class, targets) in half.successors.from(state) {
                if scratch.len() <= class as usize {
                    scratch.resize(class as usize + 1, Vec::new());
                }
                let collected = &mut scratch[class as usize];
                if collected.is_empty() {
                    used.push(class);
                }
                collected.extend_from_slice(targets);
                *work += 1 + targets.len() as u64;
            }
        });
        let mut used = std::mem::take(&mut self.used);
        used.sort_unstable();
        for class in used.drain(..) {
            for state in self.scratch[class as usize].drain(..) {
                self.collector.insert(state);
            }
            let post = self.intern();
            self.row_items.push((class, post));
        }
        self.used = used;
        (from, self.row_items.len() as u32)
    }

    fn intern(&mut self) -> u32 {
        let set = self.sets.intern(&mut self.collector);
        if set as usize == self.nearest.len() {
            let mut nearest = u32::MAX;
            let distance = &self.half.distance;
            self.sets
                .each(set, |state| nearest = nearest.min(distance[state as usize]));
            self.nearest.push(nearest);
            self.work += 4 + u64::from(self.sets.size(set));
        }
        set
    }
}
