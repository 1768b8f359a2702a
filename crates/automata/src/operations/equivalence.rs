//! Whether two automata accept the same words, without determinising all of either.

use quotient_core::{Budget, Stop};

use super::determinize::BitConstruction;
use super::simulation::{MAX_STATES, Simulation};
use super::subsets::{is_subset, members};
use super::successors::Successors;
use crate::{Dfa, Minterms, Nfa, State, Word};

impl Nfa {
    /// A shortest word that one of the automata accepts and the other does not; nothing if the
    /// languages are equal.
    ///
    /// Both are determinised together, pair of sets by pair of sets, and a pair is skipped if
    /// it follows from those met before by symmetry, transitivity and union: *bisimulation up
    /// to congruence* (Bonchi and Pous 2013). This can be exponentially less than either
    /// deterministic automaton. When the search is long, simulation is used too: a set is the
    /// same as with the states that its own simulate.
    ///
    /// Pairs are met in the order of the length of words. A word that tells a skipped pair
    /// apart also tells apart one of the pairs that it follows from, which was met no later;
    /// so the first difference found is at the end of a shortest word.
    ///
    /// # Panics
    /// If the alphabets differ, which is a bug of the caller (see [`Nfa::over`]).
    pub fn distinguishing_word(&self, other: &Nfa, budget: &Budget) -> Result<Option<Word>, Stop> {
        assert_eq!(self.alphabet(), other.alphabet());
        let patience = 16 + (self.len() + other.len()) / 4;
        distinguishing_word(self, other, patience, budget)
    }

    /// Whether the automata accept the same words: see [`Nfa::distinguishing_word`].
    pub fn is_equivalent_to(&self, other: &Nfa, budget: &Budget) -> Result<bool, Stop> {
        Ok(self.distinguishing_word(other, budget)?.is_none())
    }
}

/// [`Nfa::distinguishing_word`] that tries without preparation for `patience` pairs first:
/// automata that differ mostly do so early.
fn distinguishing_word(
    left: &Nfa,
    right: &Nfa,
    patience: usize,
    budget: &Budget,
) -> Result<Option<Word>, Stop> {
    let ready = !left.has_epsilon() && !right.has_epsilon();
    if ready && let Some(answer) = search(left, right, None, patience, budget)? {
        return Ok(answer);
    }
    let left = left.without_epsilon(budget)?;
    let right = right.without_epsilon(budget)?;
    if !ready && let Some(answer) = search(&left, &right, None, patience, budget)? {
        return Ok(answer);
    }
    let below = if left.len() + right.len() <= MAX_STATES {
        let both = left.union(&right);
        Some(both.forward_simulation(budget)?.transposed())
    } else {
        None
    };
    Ok(search(&left, &right, below, usize::MAX, budget)?.unwrap_or_default())
}

/// Searches pairs of sets of states of two ε-free automata; nothing if that takes more than
/// `patience` pairs.
fn search(
    left: &Nfa,
    right: &Nfa,
    below: Option<Simulation>,
    patience: usize,
    budget: &Budget,
) -> Result<Option<Option<Word>>, Stop> {
    let labels = left.labels().iter().chain(right.labels()).flatten();
    let minterms = Minterms::new(left.alphabet(), labels);
    let shift = left.len();
    let successors = Successors::new(left, &minterms);
    let successors = successors.beside(&Successors::new(right, &minterms), shift);
    let shifted = right.accepting().ones().map(|state| state + shift);
    let accepting = left.accepting().ones().chain(shifted);
    let mut construction = BitConstruction::of(successors, accepting, minterms.len());
    let shifted = right.initial().iter();
    let shifted: Vec<State> = shifted.map(|q| State(q.0 + shift as u32)).collect();
    let start = (
        construction.start(left.initial()),
        construction.start(&shifted),
    );
    let search = Search {
        rows: Vec::new(),
        empty: construction.start(&[]),
        construction,
        width: minterms.len(),
        pairs: Vec::new(),
        rules: Vec::new(),
        below,
        scratch: Vec::new(),
        unused: Vec::new(),
    };
    search.run(start, &minterms, patience, budget)
}

struct Search {
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
    /// The answer; nothing if that takes more than `patience` pairs.
    fn run(
        mut self,
        start: (u32, u32),
        minterms: &Minterms,
        patience: usize,
        budget: &Budget,
    ) -> Result<Option<Option<Word>>, Stop> {
        if self.meets(start.0, start.1, 0, 0) {
            return Ok(Some(Some(Word::new())));
        }
        let mut done = 0;
        while done < self.pairs.len() {
            budget.charge(1)?;
            if done >= patience {
                return Ok(None);
            }
            let (left, right) = (self.pairs[done].left, self.pairs[done].right);
            self.expand(left);
            self.expand(right);
            for class in 0..self.width {
                let left = self.rows[left as usize * self.width + class];
                let right = self.rows[right as usize * self.width + class];
                if self.meets(left, right, done as u32, class as u32) {
                    return Ok(Some(Some(self.word(minterms))));
                }
            }
            done += 1;
        }
        Ok(Some(None))
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

/// Adds a set and what is below its states.
fn add_closed(to: &mut [u64], set: &[u64], below: &Option<Simulation>) {
    let mut add = |more: &[u64]| to.iter_mut().zip(more).for_each(|(to, more)| *to |= more);
    match below {
        None => add(set),
        Some(below) => members(set).for_each(|state| add(below.row(state))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{self, Random};

    #[test]
    fn simulation_from_the_start_gives_the_same_lengths() {
        let budget = Budget::unlimited();
        for (alphabet, _) in testing::alphabets() {
            for seed in 0..200 {
                let mut random = Random::new(seed);
                let mut next = || {
                    let nfa = testing::nfa(&mut random, &alphabet, 8);
                    nfa.without_epsilon(&budget).unwrap()
                };
                let (left, right) = (next(), next());
                let meet = left.intersection(&right, &budget).unwrap();
                for (left, right) in [(&left, &right), (&left, &left.union(&meet))] {
                    let length = |patience| {
                        distinguishing_word(left, right, patience, &budget)
                            .unwrap()
                            .map(|word| word.len())
                    };
                    assert_eq!(length(0), length(usize::MAX), "seed {seed}");
                }
            }
        }
    }
}
