//! Learning a prefix-closed regular language from questions about words.
//!
//! Assumptions are such languages: what an environment may do without causing harm. The
//! result is a [`Machine`], in which every word that leaves the machine is rejected.

mod lsharp;
mod lstar;

pub(crate) use lsharp::LSharp;
pub(crate) use lstar::LStar;

use quotient_core::Stop;

/// A letter: a position in the alphabet at hand.
pub(crate) type Letter = u32;

/// A partial deterministic automaton, all states accepting, state 0 initial.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Machine {
    letters: usize,
    /// `next[state * letters + letter]`, [`Machine::REJECT`] where the word is rejected.
    next: Vec<u32>,
}

impl Machine {
    pub(crate) const REJECT: u32 = u32::MAX;

    pub(crate) fn new(letters: usize) -> Machine {
        Machine {
            letters,
            next: Vec::new(),
        }
    }

    /// Adds a state with its row of targets.
    fn push(&mut self, row: impl IntoIterator<Item = u32>) {
        let before = self.next.len();
        self.next.extend(row);
        debug_assert_eq!(self.next.len(), before + self.letters);
    }

    pub(crate) fn states(&self) -> usize {
        // Without letters there is one state, with an empty row.
        self.next.len().checked_div(self.letters).unwrap_or(1)
    }

    pub(crate) fn step(&self, state: u32, letter: Letter) -> u32 {
        self.next[state as usize * self.letters + letter as usize]
    }
}

/// Where a word leads a teacher: words at the same position have the same future.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Position(pub(crate) u32);

impl Position {
    /// Where all words outside the language lead.
    pub(crate) const OUTSIDE: Position = Position(u32::MAX);

    /// As an index of tables; positions inside are numbered from 0.
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Who answers whether a word is in the language. The empty word must be in it, and with a
/// word all its prefixes.
pub(crate) trait Membership {
    /// Where the empty word leads.
    fn start(&self) -> Position;

    /// Where a word leads that is one letter longer.
    fn step(&mut self, position: Position, letter: Letter) -> Result<Position, Stop>;

    /// Whether a word is in the language; may be answered from memory.
    fn accepts(&mut self, word: &[Letter]) -> Result<bool, Stop>;

    /// Takes in how many questions a learner had, and how many of them it could answer itself
    /// since the teacher had said the same of another word.
    fn count(&mut self, asked: u64, remembered: u64);

    /// Whether a word at a position is in the language when more letters follow.
    fn accepts_after(&mut self, position: Position, letters: &[Letter]) -> Result<bool, Stop> {
        let mut position = position;
        for &letter in letters {
            match position {
                Position::OUTSIDE => break,
                inside => position = self.step(inside, letter)?,
            }
        }
        Ok(position != Position::OUTSIDE)
    }
}

/// Which learner to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Algorithm {
    /// Angluin's L* with the counterexample analysis of Rivest and Schapire: one new suffix a
    /// counterexample.
    LStar,
    /// L# of Vaandrager, Garhewal, Rot and Wißmann (2022): states are told apart, never put
    /// in a table.
    #[default]
    LSharp,
}

/// A learner in progress.
#[derive(Debug)]
pub(crate) enum Learner {
    LStar(LStar),
    LSharp(LSharp),
}

impl Learner {
    pub(crate) fn new(algorithm: Algorithm, letters: usize) -> Learner {
        match algorithm {
            Algorithm::LStar => Learner::LStar(LStar::new(letters)),
            Algorithm::LSharp => Learner::LSharp(LSharp::new(letters)),
        }
    }

    /// The present guess.
    pub(crate) fn hypothesis(&mut self, teacher: &mut impl Membership) -> Result<Machine, Stop> {
        match self {
            Learner::LStar(learner) => learner.hypothesis(teacher),
            Learner::LSharp(learner) => learner.hypothesis(teacher),
        }
    }

    /// Takes in a word on which the last guess is wrong.
    pub(crate) fn counterexample(
        &mut self,
        word: &[Letter],
        teacher: &mut impl Membership,
    ) -> Result<(), Stop> {
        match self {
            Learner::LStar(learner) => learner.counterexample(word, teacher),
            Learner::LSharp(learner) => learner.counterexample(word, teacher),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    impl Machine {
        fn accepts(&self, word: &[Letter]) -> bool {
            let mut state = 0;
            for &letter in word {
                state = self.step(state, letter);
                if state == Machine::REJECT {
                    return false;
                }
            }
            true
        }
    }

    /// A machine as its own teacher, counting questions.
    struct Known(Machine, usize);

    impl Membership for Known {
        fn start(&self) -> Position {
            Position(0)
        }

        fn step(&mut self, position: Position, letter: Letter) -> Result<Position, Stop> {
            Ok(Position(self.0.step(position.0, letter)))
        }

        fn count(&mut self, asked: u64, _: u64) {
            self.1 += asked as usize;
        }

        fn accepts(&mut self, word: &[Letter]) -> Result<bool, Stop> {
            self.1 += 1;
            Ok(self.0.accepts(word))
        }
    }

    /// A shortest word on which two machines differ.
    fn difference(left: &Machine, right: &Machine) -> Option<Vec<Letter>> {
        let mut seen = std::collections::BTreeSet::from([(0, 0)]);
        let mut todo = std::collections::VecDeque::from([(0, 0, Vec::new())]);
        while let Some((l, r, word)) = todo.pop_front() {
            for letter in 0..left.letters as Letter {
                let mut longer = word.clone();
                longer.push(letter);
                match (left.step(l, letter), right.step(r, letter)) {
                    (Machine::REJECT, Machine::REJECT) => {}
                    (Machine::REJECT, _) | (_, Machine::REJECT) => return Some(longer),
                    (l, r) if seen.insert((l, r)) => todo.push_back((l, r, longer)),
                    _ => {}
                }
            }
        }
        None
    }

    fn machines() -> impl Strategy<Value = Machine> {
        (1usize..8, 0usize..4).prop_flat_map(|(states, letters)| {
            proptest::collection::vec(0..states as u32 + 2, states * letters).prop_map(
                move |next| Machine {
                    letters,
                    next: next
                        .into_iter()
                        .map(|target| {
                            if target < states as u32 {
                                target
                            } else {
                                Machine::REJECT
                            }
                        })
                        .collect(),
                },
            )
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn learners_find_the_language_with_growing_guesses(
            target in machines(),
            detour in proptest::collection::vec(0u32..4, 0..12),
            kind in 0usize..6,
        ) {
            let letters = target.letters;
            let mut teacher = Known(target.clone(), 0);
            let mut learner = match kind {
                0 => Learner::new(Algorithm::LStar, letters),
                1 => Learner::new(Algorithm::LSharp, letters),
                // A table for so few prefixes only.
                many => Learner::LStar(LStar::with_many(letters, many - 2)),
            };
            let mut size = 0;
            loop {
                let guess = learner.hypothesis(&mut teacher).unwrap();
                prop_assert!(guess.states() >= size);
                size = guess.states();
                prop_assert!(size <= target.states());
                let Some(shortest) = difference(&guess, &target) else { break };
                // A longer counterexample than need be, where one can be made.
                let mut long: Vec<Letter> = detour.iter().copied().filter(|&l| (l as usize) < letters).collect();
                long.extend(&shortest);
                let word = match guess.accepts(&long) != target.accepts(&long) {
                    true => long,
                    false => shortest,
                };
                learner.counterexample(&word, &mut teacher).unwrap();
            }
        }
    }
}
