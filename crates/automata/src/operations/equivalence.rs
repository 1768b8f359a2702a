//! Whether two automata accept the same words, without determinising all of either.

use quotient_core::{Budget, Stop};

use super::determinize::Construction;
use super::subsets::is_subset;
use crate::{Dfa, Minterms, Nfa, State, Word};

impl Nfa {
    /// A shortest word that one of the automata accepts and the other does not; nothing if the
    /// languages are equal.
    ///
    /// Both are determinised together, pair of sets by pair of sets, and a pair is skipped if
    /// it follows from those met before by symmetry, transitivity and union: *bisimulation up
    /// to congruence* (Bonchi and Pous 2013). This can be exponentially less than either
    /// deterministic automaton.
    ///
    /// Pairs are met in the order of the length of words. A word that tells a skipped pair
    /// apart also tells apart one of the pairs that it follows from, which was met no later;
    /// so the first difference found is at the end of a shortest word.
    ///
    /// # Panics
    /// If the alphabets differ, which is a bug of the caller (see [`Nfa::over`]).
    pub fn distinguishing_word(&self, other: &Nfa, budget: &Budget) -> Result<Option<Word>, Stop> {
        assert_eq!(self.alphabet(), other.alphabet());
        let left = self.without_epsilon(budget)?;
        let right = other.without_epsilon(budget)?;
        let both = left.union(&right);
        let minterms = both.minterms();
        let mut construction = Construction::new(&both, &minterms);
        let shifted: Vec<State> = right
            .initial()
            .iter()
            .map(|state| State(state.0 + left.len() as u32))
            .collect();
        let start = (
            construction.start(left.initial()),
            construction.start(&shifted),
        );
        Search {
            rows: Vec::new(),
            empty: construction.start(&[]),
            construction,
            width: minterms.len(),
            pairs: Vec::new(),
            rules: Vec::new(),
            scratch: Vec::new(),
            unused: Vec::new(),
        }
        .run(start, &minterms, budget)
    }

    /// Whether the automata accept the same words: see [`Nfa::distinguishing_word`].
    pub fn is_equivalent_to(&self, other: &Nfa, budget: &Budget) -> Result<bool, Stop> {
        Ok(self.distinguishing_word(other, budget)?.is_none())
    }
}

struct Search {
    construction: Construction,
    empty: u32,
    width: usize,
    /// The successors of each set that was asked for, [`Dfa::NONE`] where not.
    rows: Vec<u32>,
    pairs: Vec<Pair>,
    /// The union of the sets of each pair, side by side.
    rules: Vec<u64>,
    scratch: Vec<u64>,
    unused: Vec<u32>,
}

/// Two sets of states that a word leads to.
struct Pair {
    left: u32,
    right: u32,
    /// The pair before the last letter, and the class of that letter.
    from: u32,
    class: u32,
}

impl Search {
    fn run(
        mut self,
        start: (u32, u32),
        minterms: &Minterms,
        budget: &Budget,
    ) -> Result<Option<Word>, Stop> {
        if self.meets(start.0, start.1, 0, 0) {
            return Ok(Some(Word::new()));
        }
        let mut done = 0;
        while done < self.pairs.len() {
            budget.charge(1)?;
            let (left, right) = (self.pairs[done].left, self.pairs[done].right);
            self.expand(left);
            self.expand(right);
            for class in 0..self.width {
                let left = self.rows[left as usize * self.width + class];
                let right = self.rows[right as usize * self.width + class];
                if self.meets(left, right, done as u32, class as u32) {
                    return Ok(Some(self.word(minterms)));
                }
            }
            done += 1;
        }
        Ok(None)
    }

    /// Meets a pair; true if its sets differ in acceptance.
    fn meets(&mut self, left: u32, right: u32, from: u32, class: u32) -> bool {
        if left == right || self.follows(left, right) {
            return false;
        }
        let differ = self.construction.accepts(left) != self.construction.accepts(right);
        self.pairs.push(Pair {
            left,
            right,
            from,
            class,
        });
        let sets = &self.construction.subsets;
        let union = sets.get(left).iter().zip(sets.get(right));
        self.rules.extend(union.map(|(a, b)| a | b));
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
        self.scratch.extend_from_slice(sets.get(set));
        self.unused.clear();
        self.unused.extend(0..self.pairs.len() as u32);
        loop {
            if is_subset(sets.get(goal), &self.scratch) {
                return true;
            }
            let before = self.unused.len();
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
        }
    }

    /// The word to the last pair.
    fn word(&self, minterms: &Minterms) -> Word {
        let mut word = Word::new();
        let mut at = self.pairs.len() - 1;
        while at != 0 {
            word.push(minterms.representative(self.pairs[at].class));
            at = self.pairs[at].from as usize;
        }
        word.reverse();
        word
    }
}
