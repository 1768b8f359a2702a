//! Whether all words of one automaton are words of another, without determinising it.

mod breadth;
mod depth;
mod order;

use std::sync::Arc;

use quotient_core::{Budget, Stop};

use self::breadth::BreadthFirst;
pub(super) use self::depth::DepthFirst;
use super::question::Question;
use super::race::{Answer, Contender, Lane, Later, backwards, race};
use super::tiny::{self, Sought};
use crate::{Nfa, Word};

impl Nfa {
    /// Whether all words of this automaton are words of the other.
    ///
    /// Three ways go side by side, and the first answer counts: a search depth first, guided by
    /// the lengths of words and quick to a *no*; one breadth first, which learns simulation
    /// when it takes long; and the first one on words read backwards, whose sets of states can
    /// be exponentially fewer.
    ///
    /// # Panics
    /// If the alphabets differ, which is a bug of the caller (see [`Nfa::over`]).
    pub fn is_included_in(&self, other: &Nfa, budget: &Budget) -> Result<bool, Stop> {
        Ok(outside(self, other, budget)?.0.is_none())
    }

    /// A word of this automaton that the other does not accept; nothing if all are accepted,
    /// that is, if this language is included in the other (see [`Nfa::is_included_in`]).
    ///
    /// It is always the same word. Where that costs no more than half of what the answer cost
    /// it is that of [`Nfa::shortest_word_outside`].
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
        let (found, question, work) = match outside(self, other, budget)? {
            (Some(word), Some((question, work))) => (word, question, work),
            (answer, _) => return Ok(answer),
        };
        let shortest = BreadthFirst::new(question).run(cheap(work), budget)?;
        Ok(shortest.flatten().or(Some(found)))
    }

    /// The first of the shortest words of this automaton that the other does not accept, in the
    /// order of letters; nothing if all are accepted.
    ///
    /// # Panics
    /// If the alphabets differ, which is a bug of the caller (see [`Nfa::over`]).
    pub fn shortest_word_outside(
        &self,
        other: &Nfa,
        budget: &Budget,
    ) -> Result<Option<Word>, Stop> {
        assert_eq!(self.alphabet(), other.alphabet());
        let question = Arc::new(Question::new(self, other, budget)?);
        let answer = BreadthFirst::new(question).run(u64::MAX, budget)?;
        Ok(answer.flatten())
    }
}

/// How much work a shortest word is worth where any would do.
pub(super) fn cheap(work: u64) -> u64 {
    work / 2
}

/// After how much work the ways start that need more preparation.
pub(super) const OTHER_WAYS: u64 = 1 << 16;

/// For how many states the ways take part that keep every set as bits.
pub(super) const MOST_STATES: usize = 1 << 13;

/// The answer and, unless it was for the asking, the question and the work that it took.
type Outside = (Answer, Option<(Arc<Question>, u64)>);

fn outside(left: &Nfa, right: &Nfa, budget: &Budget) -> Result<Outside, Stop> {
    assert_eq!(left.alphabet(), right.alphabet());
    if let Some(answer) = tiny::search(left, right, Sought::Outside) {
        return Ok((answer, None));
    }
    if left.accepts(&[]) && !right.accepts(&[]) {
        return Ok((Some(Word::new()), None));
    }
    let question = Arc::new(Question::new(left, right, budget)?);
    let mut lanes = vec![
        Lane::new(DepthFirst::new(Arc::clone(&question))),
        Lane::new(Later::new(&question, backwards(DepthFirst::new))).later(OTHER_WAYS, 2),
    ];
    if question.states() <= MOST_STATES {
        let breadth = Later::new(&question, BreadthFirst::new);
        lanes.push(Lane::new(breadth).later(OTHER_WAYS, 2));
    }
    let (answer, work) = race(lanes, budget)?;
    Ok((answer, Some((question, work))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{self, Random};

    /// Random pairs, some of them included.
    fn each_pair(mut each: impl FnMut(&Nfa, &Nfa, &str)) {
        let budget = Budget::unlimited();
        for (alphabet, _) in testing::alphabets() {
            for seed in 0..150 {
                let mut random = Random::new(seed);
                let left = testing::nfa(&mut random, &alphabet, 9);
                let right = testing::nfa(&mut random, &alphabet, 9);
                let right = right.union(&left.intersection(&right, &budget).unwrap());
                let name = format!("{} letters, seed {seed}", alphabet.len());
                each(&left, &right, &name);
                each(&left, &right.union(&left), &name);
            }
        }
    }

    #[test]
    fn every_way_alone_gives_the_answer_of_determinising() {
        let budget = Budget::unlimited();
        each_pair(|left, right, name| {
            let difference = left.difference(right, &budget).unwrap();
            let naive = difference.shortest_word();
            let question = Arc::new(Question::new(left, right, &budget).unwrap());
            let contenders: [Box<dyn Contender>; 4] = [
                Box::new(DepthFirst::new(Arc::clone(&question))),
                Box::new(Later::new(&question, backwards(DepthFirst::new))),
                Box::new(BreadthFirst::with_patience(Arc::clone(&question), 0)),
                Box::new(BreadthFirst::with_patience(Arc::clone(&question), u64::MAX)),
            ];
            for (number, mut contender) in contenders.into_iter().enumerate() {
                // With pauses, which must not matter.
                let mut work = 1;
                let word = loop {
                    match contender.run(work, &budget).unwrap() {
                        Some(answer) => break answer,
                        None => work += 3,
                    }
                };
                assert_eq!(word.is_some(), naive.is_some(), "way {number}, {name}");
                if let Some(word) = &word {
                    assert!(difference.accepts(word), "way {number}, {name}");
                }
                if number >= 2 {
                    assert_eq!(word, naive, "way {number}, {name}");
                }
            }
        });
    }

    #[test]
    fn words_outside_are_words_and_shortest_where_asked_for() {
        let budget = Budget::unlimited();
        each_pair(|left, right, name| {
            let difference = left.difference(right, &budget).unwrap();
            let word = left.word_outside(right, &budget).unwrap();
            assert_eq!(word.is_some(), !difference.is_empty_language(), "{name}");
            assert!(word.is_none_or(|word| difference.accepts(&word)), "{name}");
            let shortest = left.shortest_word_outside(right, &budget).unwrap();
            assert_eq!(shortest, difference.shortest_word(), "{name}");
        });
    }
}
