//! The words of a language, one by one, and how many there are.

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};

use super::successors::Successors;
use crate::{Dfa, Letter, Minterms, Nfa, State, Word};

impl Nfa {
    /// The words of the language up to a length: shortest first, words of one length in the
    /// order of the letters, each once.
    ///
    /// The search follows only beginnings that can still be finished, so that the next word
    /// is never far.
    ///
    /// ```
    /// use quotient_automata::{Alphabet, Nfa};
    /// use quotient_core::Budget;
    /// let alphabet = Alphabet::new(["a", "b"])?;
    /// let b = alphabet.set(["b"])?;
    /// let nfa = Nfa::builder(&alphabet).initial(0).edge(0, &b, 0).accepting(0).build();
    /// let words: Vec<_> = nfa.words(2, &Budget::unlimited()).unwrap().collect();
    /// assert_eq!(words, [alphabet.word("")?, alphabet.word("b")?, alphabet.word("b b")?]);
    /// # Ok::<(), quotient_automata::AlphabetError>(())
    /// ```
    pub fn words(&self, max_length: usize, budget: &Budget) -> Result<Words, Stop> {
        let nfa = self.epsilon_free(budget)?;
        let minterms = nfa.minterms();
        let successors = Successors::new(&nfa, &minterms);
        let mut words = Words {
            finish: vec![nfa.accepting().clone()],
            initial: nfa.initial().iter().map(|state| state.0).collect(),
            path: Vec::new(),
            word: Word::new(),
            length: 0,
            max_length,
            predecessors: successors.reversed(),
            successors,
            minterms,
            letters: self.alphabet().len() as u32,
        };
        words.start();
        Ok(words)
    }

    /// How many words of exactly this length the language has: see [`Dfa::count_words`].
    pub fn count_words(&self, length: u64, budget: &Budget) -> Result<u128, Stop> {
        self.determinize(budget)?.count_words(length, budget)
    }
}

impl Dfa {
    /// How many words of exactly this length the language has; `u128::MAX` stands for that
    /// many or more.
    pub fn count_words(&self, length: u64, budget: &Budget) -> Result<u128, Stop> {
        let sizes: Vec<u128> = (0..self.minterms().len() as u32)
            .map(|class| self.minterms().members(class).len() as u128)
            .collect();
        let states = || (0..self.len() as u32).map(State);
        let mut counts: Vec<u128> = states()
            .map(|state| u128::from(self.is_accepting(state)))
            .collect();
        for _ in 0..length {
            budget.charge(1 + self.entries() as u64)?;
            counts = states()
                .map(|state| {
                    let mut count = 0u128;
                    self.each_move(state, |class, next| {
                        let words = counts[next as usize].saturating_mul(sizes[class as usize]);
                        count = count.saturating_add(words);
                    });
                    count
                })
                .collect();
        }
        Ok(counts[self.initial().index()])
    }
}

/// The words of a language in order: see [`Nfa::words`].
pub struct Words {
    successors: Successors,
    predecessors: Successors,
    minterms: Minterms,
    letters: u32,
    /// `finish[n]`: the states from which a word of length `n` is accepted.
    finish: Vec<Bits>,
    initial: Vec<u32>,
    /// The length of the words being listed.
    length: usize,
    max_length: usize,
    /// The letters so far.
    word: Word,
    /// What was reached before and after each letter; from there the word can be finished.
    path: Vec<Level>,
}

/// The states that a beginning of a word leads to, and the letter to try next.
struct Level {
    states: Vec<u32>,
    next: u32,
}

impl Iterator for Words {
    type Item = Word;

    fn next(&mut self) -> Option<Word> {
        loop {
            if let Some(word) = self.next_of_length() {
                return Some(word);
            }
            if !self.lengthen() {
                return None;
            }
        }
    }
}

impl Words {
    fn start(&mut self) {
        let finish = &self.finish[self.length];
        let mut states = self.initial.clone();
        states.retain(|&state| finish.contains(state as usize));
        if !states.is_empty() {
            self.path.push(Level { states, next: 0 });
        }
    }

    /// Goes on to the words of the next length; false if there can be none.
    fn lengthen(&mut self) -> bool {
        let shorter = &self.finish[self.length];
        if self.length == self.max_length || shorter.is_clear() {
            return false;
        }
        let mut longer = Bits::with_capacity(shorter.len());
        for state in shorter.ones() {
            for (_, sources) in self.predecessors.from(state as u32) {
                longer.extend(sources.iter().map(|&source| source as usize));
            }
        }
        self.finish.push(longer);
        self.length += 1;
        self.start();
        true
    }

    fn next_of_length(&mut self) -> Option<Word> {
        while let Some(level) = self.path.last_mut() {
            let left = self.length - self.word.len();
            if left == 0 {
                let word = self.word.clone();
                self.back();
                return Some(word);
            }
            if level.next == self.letters {
                self.back();
                continue;
            }
            let letter = Letter(level.next);
            level.next += 1;
            let class = self.minterms.class_of(letter);
            let finish = &self.finish[left - 1];
            let mut states: Vec<u32> = level
                .states
                .iter()
                .flat_map(|&state| self.successors.on(State(state), class))
                .copied()
                .filter(|&state| finish.contains(state as usize))
                .collect();
            states.sort_unstable();
            states.dedup();
            if !states.is_empty() {
                self.word.push(letter);
                self.path.push(Level { states, next: 0 });
            }
        }
        None
    }

    fn back(&mut self) {
        self.path.pop();
        self.word.pop();
    }
}
