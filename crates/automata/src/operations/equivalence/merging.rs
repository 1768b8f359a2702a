//! Equivalence by merging: many pairs of sets, each of them cheap.

use std::sync::Arc;

use quotient_core::{Budget, Stop};

use crate::operations::question::{Determinized, Question};
use crate::operations::race::{Answer, Contender};

/// The algorithm of Hopcroft and Karp (1971) on sets of states: pairs of sets that a word leads
/// to are taken to be equal and merged with a union-find, until two are equal that are not. A
/// pair whose sets are merged already is skipped, so there are never more than sets.
///
/// Pairs are met in the order of words, shortest first and then by letters; a word that tells a
/// skipped pair apart also tells apart one met before. If nothing guides the search, the first
/// difference found is therefore at the end of the first of the shortest words. If lengths
/// guide it, sets differ as soon as their shortest words have different lengths.
pub(super) struct Merging {
    question: Arc<Question>,
    left: Determinized,
    right: Determinized,
    /// The empty sets, for moves that one side does not have.
    empty: (u32, u32),
    pairs: Vec<Pair>,
    /// The pair that is searched next.
    next: usize,
    /// The union-find: sets of the left have even numbers, those of the right odd ones.
    parents: Vec<u32>,
    is_guided: bool,
    is_started: bool,
    work: u64,
}

struct Pair {
    left: u32,
    right: u32,
    /// The pair before the last letter, and the class of that letter.
    from: u32,
    class: u32,
}

impl Merging {
    /// A search that lengths guide.
    pub(super) fn guided(question: Arc<Question>) -> Merging {
        Merging::new(question, true)
    }

    /// A search for a shortest word.
    pub(super) fn shortest(question: Arc<Question>) -> Merging {
        Merging::new(question, false)
    }

    fn new(question: Arc<Question>, is_guided: bool) -> Merging {
        let mut left = Determinized::new(&question.left);
        let mut right = Determinized::new(&question.right);
        Merging {
            empty: (left.empty(), right.empty()),
            left,
            right,
            question,
            pairs: Vec::new(),
            next: 0,
            parents: Vec::new(),
            is_guided,
            is_started: false,
            work: 0,
        }
    }

    fn start(&mut self) -> bool {
        self.is_started = true;
        let (left, right) = (self.left.start(), self.right.start());
        self.meet(left, right, 0, 0)
    }

    /// Meets a pair, to be searched later unless it is merged already; true if its sets differ.
    fn meet(&mut self, left: u32, right: u32, from: u32, class: u32) -> bool {
        self.work += 2;
        if !self.merge(2 * left, 2 * right + 1) {
            return false;
        }
        self.pairs.push(Pair {
            left,
            right,
            from,
            class,
        });
        let (left, right) = (self.left.nearest(left), self.right.nearest(right));
        match self.is_guided {
            true => left != right,
            false => (left == 0) != (right == 0),
        }
    }

    /// Merges two sets; false if they were merged already.
    fn merge(&mut self, left: u32, right: u32) -> bool {
        let most = left.max(right);
        self.parents.extend(self.parents.len() as u32..=most);
        let (left, right) = (self.find(left), self.find(right));
        // Which of the two is the root does not matter much with halved paths.
        self.parents[left.max(right) as usize] = left.min(right);
        left != right
    }

    fn find(&mut self, mut set: u32) -> u32 {
        loop {
            let parent = self.parents[set as usize];
            if parent == set {
                return set;
            }
            let above = self.parents[parent as usize];
            self.parents[set as usize] = above;
            set = above;
        }
    }

    /// Searches a pair: both rows are walked together.
    fn expand(&mut self, number: u32) -> bool {
        let Pair { left, right, .. } = self.pairs[number as usize];
        let (mut left, left_end) = self.left.row(left);
        let (mut right, right_end) = self.right.row(right);
        loop {
            let in_left = (left < left_end).then(|| self.left.item(left));
            let in_right = (right < right_end).then(|| self.right.item(right));
            let class = match (in_left, in_right) {
                (None, None) => return false,
                (Some((class, _)), None) | (None, Some((class, _))) => class,
                (Some((first, _)), Some((second, _))) => first.min(second),
            };
            let mut sets = self.empty;
            if let Some((_, set)) = in_left.filter(|item| item.0 == class) {
                sets.0 = set;
                left += 1;
            }
            if let Some((_, set)) = in_right.filter(|item| item.0 == class) {
                sets.1 = set;
                right += 1;
            }
            if self.meet(sets.0, sets.1, number, class) {
                return true;
            }
        }
    }

    /// The word to the last pair and, if lengths guide the search, on to acceptance on the side
    /// that accepts a shorter word.
    fn word(&self) -> Answer {
        let last = self.pairs.last()?;
        let mut classes = Vec::new();
        let mut at = self.pairs.len() - 1;
        while at != 0 {
            classes.push(self.pairs[at].class);
            at = self.pairs[at].from as usize;
        }
        classes.reverse();
        let distances = (self.left.nearest(last.left), self.right.nearest(last.right));
        let (side, set) = match distances.0 < distances.1 {
            true => (&self.left, last.left),
            false => (&self.right, last.right),
        };
        let mut nearest = None;
        side.sets.each(set, |state| {
            let is_nearest = side.half.distance[state as usize] == side.nearest(set);
            nearest = nearest.or(is_nearest.then_some(state));
        });
        Some(self.question.word(classes, &side.half, nearest))
    }

    fn done(&self) -> u64 {
        self.work + self.left.work + self.right.work
    }
}

impl Contender for Merging {
    fn run(&mut self, work: u64, budget: &Budget) -> Result<Option<Answer>, Stop> {
        if !self.is_started && self.start() {
            return Ok(Some(self.word()));
        }
        let mut uncharged = 0;
        while self.done() < work {
            if self.next == self.pairs.len() {
                return Ok(Some(None));
            }
            uncharged += 1;
            if uncharged == 64 {
                budget.charge(std::mem::take(&mut uncharged))?;
            }
            let number = self.next as u32;
            self.next += 1;
            if self.expand(number) {
                return Ok(Some(self.word()));
            }
        }
        budget.charge(uncharged + 1)?;
        Ok(None)
    }
}
