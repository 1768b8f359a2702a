//! Whether all words of one automaton are words of another, without determinising it.

mod order;

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use self::order::SimulationOrder;
use super::simulation::MAX_STATES;
use super::subsets::{Subsets, bits, insert, intersect, is_subset, members};
use super::successors::Successors;
use crate::{Minterms, Nfa, State, Word};

impl Nfa {
    /// A shortest word of this automaton that the other does not accept; nothing if all are
    /// accepted, that is, if this language is included in the other.
    ///
    /// Pairs of a state here and a set of states there are searched in the order of the length
    /// of words, keeping only pairs that no other *subsumes* (an antichain: De Wulf, Doyen,
    /// Henzinger and Raskin 2006). A pair subsumes those with a lower state and a higher set,
    /// where lower and higher are told by simulation when the search is long enough to pay for
    /// it (Abdulla, Chen, Holík, Mayr and Vojnar 2010), and by inclusion of sets before.
    ///
    /// Every word that refutes a pair refutes those that subsume it. A pair is left out only
    /// for one that was met no later, so the first refutation is at the end of a shortest
    /// word.
    ///
    /// ```
    /// use quotient_automata::{Alphabet, Nfa};
    /// use quotient_core::Budget;
    /// let alphabet = Alphabet::new(["a", "b"])?;
    /// let a = alphabet.set(["a"])?;
    /// let only_a = Nfa::builder(&alphabet).initial(0).edge(0, &a, 0).accepting(0).build();
    /// let all = Nfa::all(&alphabet);
    /// let budget = Budget::unlimited();
    /// assert_eq!(only_a.word_outside(&all, &budget), Ok(None));
    /// assert_eq!(all.word_outside(&only_a, &budget), Ok(Some(alphabet.word("b")?)));
    /// # Ok::<(), quotient_automata::AlphabetError>(())
    /// ```
    ///
    /// # Panics
    /// If the alphabets differ, which is a bug of the caller (see [`Nfa::over`]).
    pub fn word_outside(&self, other: &Nfa, budget: &Budget) -> Result<Option<Word>, Stop> {
        assert_eq!(self.alphabet(), other.alphabet());
        let patience = 4 * (self.len() + other.len());
        word_outside(self, other, patience, budget)
    }

    /// Whether all words of this automaton are words of the other: see [`Nfa::word_outside`].
    pub fn is_included_in(&self, other: &Nfa, budget: &Budget) -> Result<bool, Stop> {
        Ok(self.word_outside(other, budget)?.is_none())
    }
}

/// [`Nfa::word_outside`] that computes the simulation after `patience` pairs.
fn word_outside(
    left: &Nfa,
    right: &Nfa,
    patience: usize,
    budget: &Budget,
) -> Result<Option<Word>, Stop> {
    let left = left.without_epsilon(budget)?;
    let right = right.without_epsilon(budget)?;
    let labels = left.labels().iter().chain(right.labels()).flatten();
    let minterms = Minterms::new(left.alphabet(), labels);
    let question = Question::new(&left, &right, &minterms);
    Search::new(&question).run(patience, budget)
}

/// The two automata, made ready to be walked.
struct Question<'a> {
    left: &'a Nfa,
    right: &'a Nfa,
    minterms: &'a Minterms,
    left_successors: Successors,
    right_successors: Successors,
    right_accepting: Vec<u64>,
}

impl<'a> Question<'a> {
    fn new(left: &'a Nfa, right: &'a Nfa, minterms: &'a Minterms) -> Question<'a> {
        let words = right.len().div_ceil(64).max(1);
        Question {
            left_successors: Successors::new(left, minterms),
            right_successors: Successors::new(right, minterms),
            right_accepting: bits(words, right.accepting().ones()),
            left,
            right,
            minterms,
        }
    }

    /// The number of states on both sides, as the simulation counts them.
    fn states(&self) -> usize {
        self.left.len().next_multiple_of(64) + self.right.len()
    }
}

struct Search<'a> {
    question: &'a Question<'a>,
    sets: Subsets,
    /// Where a class leads from a set.
    posts: FxHashMap<(u32, u32), u32>,
    pairs: Vec<Pair>,
    /// For each state of the left the pairs with it that no other subsumes.
    antichain: Vec<Vec<u32>>,
    /// What is lower and higher; without it, only a state itself.
    order: Option<SimulationOrder>,
    scratch: Vec<u64>,
}

/// A state of the left and a set of states of the right that a word leads to.
struct Pair {
    state: u32,
    set: u32,
    /// The pair before the last letter ([`START`] if there is none), and the class of that
    /// letter.
    from: u32,
    class: u32,
    length: u32,
    /// Whether one of the same length subsumes it.
    superseded: bool,
}

const START: u32 = u32::MAX;

impl<'a> Search<'a> {
    fn new(question: &'a Question<'a>) -> Search<'a> {
        Search {
            sets: Subsets::new(question.right.len()),
            posts: FxHashMap::default(),
            pairs: Vec::new(),
            antichain: vec![Vec::new(); question.left.len()],
            order: None,
            scratch: Vec::new(),
            question,
        }
    }

    fn run(mut self, patience: usize, budget: &Budget) -> Result<Option<Word>, Stop> {
        let question = self.question;
        let initial = question.right.initial().iter().map(|state| state.index());
        let set = self.sets.intern(&bits(self.sets.words(), initial));
        for state in question.left.initial() {
            if self.meet(state.0, set, START, 0, 0) {
                return Ok(Some(Word::new()));
            }
        }
        let mut done = 0;
        while done < self.pairs.len() {
            budget.charge(1)?;
            if done == patience && question.states() <= MAX_STATES {
                self.order = Some(SimulationOrder::new(question, &self.sets, budget)?);
            }
            let Pair {
                state, set, length, ..
            } = self.pairs[done];
            if !self.pairs[done].superseded {
                for (class, targets) in question.left_successors.from(state) {
                    let set = self.post(set, class);
                    for &target in targets {
                        if self.meet(target, set, done as u32, class, length + 1) {
                            return Ok(Some(self.word(done as u32, class)));
                        }
                    }
                }
            }
            done += 1;
        }
        Ok(None)
    }

    /// The set that a class leads to from a set.
    fn post(&mut self, set: u32, class: u32) -> u32 {
        if let Some(&known) = self.posts.get(&(set, class)) {
            return known;
        }
        self.scratch.clear();
        self.scratch.resize(self.sets.words(), 0);
        for state in members(self.sets.get(set)) {
            for &target in self.question.right_successors.on(State(state), class) {
                insert(&mut self.scratch, target);
            }
        }
        if let Some(order) = &self.order {
            order.keep_highest(&mut self.scratch);
        }
        let post = self.sets.intern(&self.scratch);
        if let Some(order) = &mut self.order {
            order.close(&self.sets);
        }
        self.posts.insert((set, class), post);
        post
    }

    /// Meets a pair, to be searched later unless another subsumes it; true if the word that
    /// led to it is accepted by the left and not by the right.
    fn meet(&mut self, state: u32, set: u32, from: u32, class: u32, length: u32) -> bool {
        let accepts = intersect(self.sets.get(set), &self.question.right_accepting);
        if self.question.left.is_accepting(State(state)) && !accepts {
            return true;
        }
        if !self.is_subsumed(state, set) {
            self.supersede(state, set, length);
            self.antichain[state as usize].push(self.pairs.len() as u32);
            self.pairs.push(Pair {
                state,
                set,
                from,
                class,
                length,
                superseded: false,
            });
        }
        false
    }

    fn is_subsumed(&self, state: u32, set: u32) -> bool {
        let has_below = |state: u32, closed: &[u64]| {
            self.antichain[state as usize]
                .iter()
                .any(|&pair| is_subset(self.sets.get(self.pairs[pair as usize].set), closed))
        };
        match &self.order {
            None => has_below(state, self.sets.get(set)),
            Some(order) => {
                order.is_state_below(state, set)
                    || order
                        .states_above(state)
                        .any(|higher| has_below(higher, order.closed(set)))
            }
        }
    }

    /// Takes the pairs that the new one subsumes out of the antichain. Those of the same
    /// length need not be searched any more; shorter ones must, for the sake of the shortest
    /// word.
    fn supersede(&mut self, state: u32, set: u32, length: u32) {
        let (sets, pairs, order) = (&self.sets, &mut self.pairs, &self.order);
        let new = sets.get(set);
        let mut clear = |state: u32| {
            self.antichain[state as usize].retain(|&number| {
                let pair = &mut pairs[number as usize];
                let closed = match order {
                    None => sets.get(pair.set),
                    Some(order) => order.closed(pair.set),
                };
                let goes = is_subset(new, closed);
                pair.superseded |= goes && pair.length == length;
                !goes
            });
        };
        match order {
            None => clear(state),
            Some(order) => order.states_below(state).for_each(clear),
        }
    }

    /// The word to a pair, then a letter.
    fn word(&self, mut pair: u32, mut class: u32) -> Word {
        let mut word = Word::new();
        while pair != START {
            word.push(self.question.minterms.representative(class));
            (pair, class) = (
                self.pairs[pair as usize].from,
                self.pairs[pair as usize].class,
            );
        }
        word.reverse();
        word
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
                let left = testing::nfa(&mut random, &alphabet, 9);
                let right = testing::nfa(&mut random, &alphabet, 9);
                let right = right.union(&left.intersection(&right, &budget).unwrap());
                for right in [&right, &right.union(&left)] {
                    let length = |patience| {
                        let word = word_outside(&left, right, patience, &budget).unwrap();
                        word.map(|word| word.len())
                    };
                    assert_eq!(length(0), length(usize::MAX), "seed {seed}");
                }
            }
        }
    }
}
