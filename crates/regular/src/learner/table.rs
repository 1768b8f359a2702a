//! What is known about words: which continuations of a beginning are reachable.

use quotient_automata::{Alphabet, Dfa, Letter, Minterms, State, Word};
use quotient_bits::Bits;
use quotient_core::{Context, Stop};
use rustc_hash::FxHashMap;

/// An observation table. Two beginnings are told apart by some suffix; each beginning that is
/// kept is a state of the next guess. One letter stands for each class of letters.
pub(super) struct Table {
    letters: Vec<Letter>,
    /// The letter that stands for each letter.
    standing: Vec<Letter>,
    /// The kept beginnings: one for each state.
    states: Vec<Word>,
    suffixes: Vec<Word>,
    /// For each state its row: the suffixes after which it is reachable.
    rows: Vec<Bits>,
    /// For each state and letter the row of the word one longer.
    next: Vec<Vec<Bits>>,
}

/// Asks the teacher.
type Ask<'a> = dyn FnMut(&Word) -> Result<bool, Stop> + 'a;

impl Table {
    pub(super) fn new(minterms: &Minterms) -> Table {
        let letters: Vec<Letter> = (0..minterms.len() as u32)
            .map(|class| minterms.representative(class))
            .collect();
        let count = (0..minterms.len() as u32).map(|class| minterms.members(class).len());
        let standing = (0..count.sum::<usize>() as u32)
            .map(|letter| letters[minterms.class_of(Letter(letter)) as usize])
            .collect();
        Table {
            letters,
            standing,
            states: Vec::new(),
            suffixes: vec![Word::new()],
            rows: Vec::new(),
            next: Vec::new(),
        }
    }

    pub(super) fn suffix_count(&self) -> usize {
        self.suffixes.len()
    }

    /// Adds beginnings until every letter leads from a state to a state.
    pub(super) fn close(&mut self, ask: &mut Ask<'_>, cx: &Context) -> Result<(), Stop> {
        if self.states.is_empty() {
            self.add_state(Word::new(), ask)?;
        }
        // A new suffix lengthens all rows.
        for state in 0..self.states.len() {
            let word = self.states[state].clone();
            let mut row = std::mem::take(&mut self.rows[state]);
            self.extend_row(&mut row, &word, ask)?;
            self.rows[state] = row;
            for letter in 0..self.letters.len() {
                let mut row = std::mem::take(&mut self.next[state][letter]);
                let word = longer(&word, self.letters[letter]);
                self.extend_row(&mut row, &word, ask)?;
                self.next[state][letter] = row;
            }
        }
        let mut numbers = self.numbers();
        let mut state = 0;
        while state < self.states.len() {
            cx.budget.poll()?;
            for letter in 0..self.letters.len() {
                if !numbers.contains_key(&self.next[state][letter]) {
                    let word = longer(&self.states[state], self.letters[letter]);
                    numbers.insert(self.next[state][letter].clone(), self.states.len() as u32);
                    self.add_state(word, ask)?;
                }
            }
            state += 1;
        }
        Ok(())
    }

    fn add_state(&mut self, word: Word, ask: &mut Ask<'_>) -> Result<(), Stop> {
        let mut row = Bits::new();
        self.extend_row(&mut row, &word, ask)?;
        let mut next = Vec::with_capacity(self.letters.len());
        for &letter in &self.letters {
            let mut row = Bits::new();
            self.extend_row(&mut row, &longer(&word, letter), ask)?;
            next.push(row);
        }
        self.states.push(word);
        self.rows.push(row);
        self.next.push(next);
        Ok(())
    }

    fn extend_row(&self, row: &mut Bits, word: &Word, ask: &mut Ask<'_>) -> Result<(), Stop> {
        for suffix in row.len()..self.suffixes.len() {
            let mut whole = word.clone();
            whole.extend_from_slice(&self.suffixes[suffix]);
            row.grow(suffix + 1);
            row.set(suffix, ask(&whole)?);
        }
        Ok(())
    }

    fn numbers(&self) -> FxHashMap<Bits, u32> {
        let mut numbers = FxHashMap::default();
        for (state, row) in (0u32..).zip(&self.rows) {
            numbers.entry(row.clone()).or_insert(state);
        }
        numbers
    }

    /// The guess: a state for each kept beginning.
    pub(super) fn automaton(&self, alphabet: &Alphabet, minterms: &Minterms) -> Dfa {
        let numbers = self.numbers();
        let number = |row: &Bits| numbers.get(row).copied().unwrap_or(Dfa::NONE);
        let mut accepting = Bits::with_capacity(self.states.len());
        for (state, row) in self.rows.iter().enumerate() {
            // The first suffix is empty.
            accepting.set(state, row.contains(0));
        }
        let table = self.next.iter().flatten().map(number).collect();
        Dfa::from_table(alphabet, minterms.clone(), State(0), accepting, table)
    }

    /// Learns from a word that the last guess has wrong: somewhere in it, a beginning and the
    /// state that stands for it are told apart by the rest of the word, which becomes a suffix.
    pub(super) fn learn(&mut self, wrong: &Word, ask: &mut Ask<'_>) -> Result<(), Stop> {
        let wrong: Word = (wrong.iter())
            .map(|letter| self.standing[letter.index()])
            .collect();
        let numbers = self.numbers();
        let mut states = vec![0usize];
        for letter in &wrong {
            let class = self.letters.iter().position(|l| l == letter).unwrap_or(0);
            let last = states[states.len() - 1];
            let next = numbers.get(&self.next[last][class]).copied().unwrap_or(0);
            states.push(next as usize);
        }
        // The state after `i` letters, followed by the rest, for the two ends differ.
        let mut ask_at = |i: usize| {
            let mut word = self.states[states[i]].clone();
            word.extend_from_slice(&wrong[i..]);
            ask(&word)
        };
        let (mut low, mut high) = (0, wrong.len());
        let first = ask_at(0)?;
        if ask_at(high)? == first {
            return Err(Stop::inconclusive(
                "internal error: a counterexample teaches nothing",
            ));
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            match ask_at(middle)? == first {
                true => low = middle,
                false => high = middle,
            }
        }
        self.suffixes.push(wrong[high..].to_vec());
        Ok(())
    }
}

fn longer(word: &Word, letter: Letter) -> Word {
    let mut word = word.clone();
    word.push(letter);
    word
}
