//! L* with one suffix a counterexample.

use quotient_core::Stop;
use rustc_hash::FxHashMap;

use super::{Letter, Machine, Membership};

/// An observation table: rows are words, columns are suffixes.
#[derive(Debug)]
pub(crate) struct LStar {
    letters: usize,
    /// Words with pairwise different rows; the first is empty.
    prefixes: Vec<Vec<Letter>>,
    suffixes: Vec<Vec<Letter>>,
    /// The rows of `prefixes`, then of each prefix with each letter.
    rows: FxHashMap<Vec<Letter>, Vec<bool>>,
    /// The prefix with each row that a prefix has.
    known: FxHashMap<Vec<bool>, usize>,
    /// The last guess, with the prefix of each of its states.
    guess: Option<(Machine, Vec<usize>)>,
}

impl LStar {
    pub(crate) fn new(letters: usize) -> LStar {
        LStar {
            letters,
            prefixes: vec![Vec::new()],
            suffixes: vec![Vec::new()],
            rows: FxHashMap::default(),
            known: FxHashMap::default(),
            guess: None,
        }
    }

    pub(crate) fn hypothesis(&mut self, teacher: &mut impl Membership) -> Result<Machine, Stop> {
        self.known.clear();
        for index in 0..self.prefixes.len() {
            let row = self.row(&self.prefixes[index].clone(), teacher)?;
            self.known.insert(row, index);
        }
        let mut next = Vec::new();
        let mut index = 0;
        while index < self.prefixes.len() {
            for letter in 0..self.letters as Letter {
                let mut word = self.prefixes[index].clone();
                word.push(letter);
                let row = self.row(&word, teacher)?;
                let fresh = self.prefixes.len();
                let target = *self.known.entry(row).or_insert(fresh);
                if target == fresh {
                    self.prefixes.push(word);
                }
                next.push(target);
            }
            index += 1;
        }
        // The state of words outside the language, if one is known, is left out.
        let live: Vec<usize> = (0..self.prefixes.len())
            .filter(|&prefix| self.rows[&self.prefixes[prefix]][0])
            .collect();
        let number: FxHashMap<usize, u32> = (0..).zip(&live).map(|(n, &p)| (p, n)).collect();
        let mut machine = Machine::new(self.letters);
        for &prefix in &live {
            let row = &next[prefix * self.letters..(prefix + 1) * self.letters];
            let target = |target| number.get(target).copied().unwrap_or(Machine::REJECT);
            machine.push(row.iter().map(target));
        }
        self.guess = Some((machine.clone(), live));
        Ok(machine)
    }

    pub(crate) fn counterexample(
        &mut self,
        word: &[Letter],
        teacher: &mut impl Membership,
    ) -> Result<(), Stop> {
        let Some((guess, live)) = self.guess.take() else {
            return Ok(());
        };
        // Replace the first i letters by the prefix of the state they lead to in the guess.
        // At 0 the teacher contradicts the guess, at the end they agree: somewhere between
        // is a step where the answer changes.
        let mut states = vec![0];
        for &letter in word {
            match guess.step(states[states.len() - 1], letter) {
                Machine::REJECT => break,
                state => states.push(state),
            }
        }
        let accepted = states.len() > word.len();
        let (mut low, mut high) = (0, states.len());
        while high - low > 1 {
            let middle = (low + high) / 2;
            let mut replaced = self.prefixes[live[states[middle] as usize]].clone();
            replaced.extend_from_slice(&word[middle..]);
            match teacher.accepts(&replaced)? == accepted {
                true => high = middle,
                false => low = middle,
            }
        }
        let suffix = word.get(low + 1..).unwrap_or_default().to_vec();
        if !self.suffixes.contains(&suffix) {
            self.suffixes.push(suffix);
        }
        Ok(())
    }

    /// The row of a word, completed for suffixes that came later.
    fn row(&mut self, word: &[Letter], teacher: &mut impl Membership) -> Result<Vec<bool>, Stop> {
        let mut row = self.rows.remove(word).unwrap_or_default();
        for suffix in &self.suffixes[row.len()..] {
            // With a word outside the language, all that it begins is outside.
            let answer = match row.first() {
                Some(false) => false,
                _ => teacher.accepts(&[word, suffix].concat())?,
            };
            row.push(answer);
        }
        self.rows.insert(word.to_vec(), row.clone());
        Ok(row)
    }
}
