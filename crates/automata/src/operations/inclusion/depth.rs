//! Inclusion depth first: quick to a word against it, though not to a shortest one.

use std::sync::Arc;

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashSet;

use crate::operations::question::{Determinized, Question};
use crate::operations::race::{Answer, Contender};

/// Pairs of a state of the left and a set of states of the right that a word leads to, depth
/// first, keeping only those whose sets are least (an antichain: De Wulf, Doyen, Henzinger and
/// Raskin 2006).
///
/// What guides the search are lengths: if a shorter word is accepted from the state than from
/// the set, that word is against it, long before the search would come to its end.
pub(in crate::operations) struct DepthFirst {
    question: Arc<Question>,
    right: Determinized,
    pairs: Vec<Pair>,
    /// The pairs met, to know them again without a look at the antichain.
    met: FxHashSet<(u32, u32)>,
    /// For each state of the left the pairs with it that no other subsumes.
    antichain: Vec<Chain>,
    waiting: Vec<u32>,
    is_started: bool,
    work: u64,
}

struct Pair {
    state: u32,
    set: u32,
    /// The pair before the last letter ([`START`] if there is none), and the class of that
    /// letter.
    from: u32,
    class: u32,
    is_subsumed: bool,
}

#[derive(Default)]
struct Chain {
    pairs: Vec<Link>,
    /// Bounds on the sizes of the sets: outside of them there is nothing to compare with.
    least: u32,
    most: u32,
}

/// A pair in an antichain with what rules most comparisons out.
struct Link {
    pair: u32,
    set: u32,
    size: u32,
    nearest: u32,
}

const START: u32 = u32::MAX;

impl DepthFirst {
    pub(in crate::operations) fn new(question: Arc<Question>) -> DepthFirst {
        let states = question.left.successors.len();
        DepthFirst {
            right: Determinized::new(&question.right),
            question,
            pairs: Vec::new(),
            met: FxHashSet::default(),
            antichain: std::iter::repeat_with(Chain::default)
                .take(states)
                .collect(),
            waiting: Vec::new(),
            is_started: false,
            work: 0,
        }
    }

    /// Meets the initial pairs; true if one refutes inclusion.
    fn start(&mut self) -> bool {
        self.is_started = true;
        let question = Arc::clone(&self.question);
        let set = self.right.start();
        let mut states = question.left.initial.iter();
        states.any(|&state| self.meet(state, set, START, 0))
    }

    /// Meets a pair, to be searched later unless another subsumes it; true if some word is
    /// accepted from its state and not from its set.
    fn meet(&mut self, state: u32, set: u32, from: u32, class: u32) -> bool {
        self.work += 1;
        let nearest = self.right.nearest(set);
        let number = self.pairs.len() as u32;
        let pair = Pair {
            state,
            set,
            from,
            class,
            is_subsumed: false,
        };
        if self.question.left.distance[state as usize] < nearest {
            self.pairs.push(pair);
            return true;
        }
        if !self.met.insert((state, set)) {
            return false;
        }
        let (sets, work) = (&self.right.sets, &mut self.work);
        let size = sets.size(set);
        let chain = &mut self.antichain[state as usize];
        if !chain.pairs.is_empty() && chain.least < size {
            *work += chain.pairs.len() as u64 / 4;
            let subsumed = chain.pairs.iter().any(|link| {
                link.size < size && link.nearest >= nearest && {
                    *work += sets.cost(link.set);
                    sets.is_subset(link.set, set)
                }
            });
            if subsumed {
                return false;
            }
        }
        if chain.most > size {
            *work += chain.pairs.len() as u64 / 4;
            let pairs = &mut self.pairs;
            chain.pairs.retain(|link| {
                let stays = link.size <= size || link.nearest > nearest || {
                    *work += sets.cost(set);
                    !sets.is_subset(set, link.set)
                };
                pairs[link.pair as usize].is_subsumed |= !stays;
                stays
            });
        }
        if chain.pairs.is_empty() {
            (chain.least, chain.most) = (size, size);
        }
        chain.least = chain.least.min(size);
        chain.most = chain.most.max(size);
        chain.pairs.push(Link {
            pair: number,
            set,
            size,
            nearest,
        });
        self.pairs.push(pair);
        self.waiting.push(number);
        false
    }

    /// The word to the last pair and on to acceptance.
    fn word(&self) -> Answer {
        let last = self.pairs.last()?;
        let mut classes = Vec::new();
        let mut at = last;
        while at.from != START {
            classes.push(at.class);
            at = &self.pairs[at.from as usize];
        }
        classes.reverse();
        let left = &self.question.left;
        Some(self.question.word(classes, left, Some(last.state)))
    }
}

impl Contender for DepthFirst {
    fn run(&mut self, work: u64, budget: &Budget) -> Result<Option<Answer>, Stop> {
        if !self.is_started && self.start() {
            return Ok(Some(self.word()));
        }
        let question = Arc::clone(&self.question);
        let mut uncharged = 0;
        while self.work + self.right.work < work {
            let Some(next) = self.waiting.pop() else {
                return Ok(Some(None));
            };
            let Pair {
                state,
                set,
                is_subsumed,
                ..
            } = self.pairs[next as usize];
            if is_subsumed {
                continue;
            }
            uncharged += 1;
            if uncharged == 64 {
                budget.charge(std::mem::take(&mut uncharged))?;
            }
            for (class, targets) in question.left.successors.from(state) {
                let set = self.right.post(set, class);
                for &target in targets {
                    if self.meet(target, set, next, class) {
                        return Ok(Some(self.word()));
                    }
                }
            }
        }
        budget.charge(uncharged + 1)?;
        Ok(None)
    }
}
