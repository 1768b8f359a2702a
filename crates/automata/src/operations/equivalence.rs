//! Whether two automata accept the same words, without determinising all of either.

mod alone;
mod congruence;
mod merging;

use std::sync::Arc;

use quotient_core::{Budget, Stop};

use self::congruence::Congruence;
use self::merging::Merging;
use super::inclusion::{DepthFirst, MOST_STATES, OTHER_WAYS, cheap};
use super::question::Question;
use super::race::{Answer, Contender, Lane, Later, backwards, race};
use super::tiny::{self, Sought};
use crate::{Nfa, Word};

impl Nfa {
    /// Whether the automata accept the same words.
    ///
    /// Four ways go side by side, and the first answer counts: merging sets of states that must
    /// be equal (Hopcroft and Karp), which is almost linear in the deterministic automata;
    /// the same on words read backwards; inclusion both ways; and bisimulation up to
    /// congruence, whose pairs can be exponentially fewer. Before that, states of deterministic
    /// automata are merged as they are.
    ///
    /// # Panics
    /// If the alphabets differ, which is a bug of the caller (see [`Nfa::over`]).
    pub fn is_equivalent_to(&self, other: &Nfa, budget: &Budget) -> Result<bool, Stop> {
        assert_eq!(self.alphabet(), other.alphabet());
        match alone::are_equivalent(self, other) {
            Some(answer) => Ok(answer),
            None => Ok(difference(self, other, budget)?.0.is_none()),
        }
    }

    /// A word that one of the automata accepts and the other does not; nothing if the languages
    /// are equal (see [`Nfa::is_equivalent_to`]).
    ///
    /// It is always the same word. Where that costs no more than half of what the answer cost
    /// it is that of [`Nfa::shortest_distinguishing_word`].
    ///
    /// # Panics
    /// If the alphabets differ, which is a bug of the caller (see [`Nfa::over`]).
    pub fn distinguishing_word(&self, other: &Nfa, budget: &Budget) -> Result<Option<Word>, Stop> {
        let (found, question, work) = match difference(self, other, budget)? {
            (Some(word), Some((question, work))) => (word, question, work),
            (answer, _) => return Ok(answer),
        };
        let shortest = Merging::shortest(question).run(cheap(work), budget)?;
        Ok(shortest.flatten().or(Some(found)))
    }

    /// The first of the shortest words that one of the automata accepts and the other does not,
    /// in the order of letters; nothing if the languages are equal.
    ///
    /// # Panics
    /// If the alphabets differ, which is a bug of the caller (see [`Nfa::over`]).
    pub fn shortest_distinguishing_word(
        &self,
        other: &Nfa,
        budget: &Budget,
    ) -> Result<Option<Word>, Stop> {
        assert_eq!(self.alphabet(), other.alphabet());
        let question = Arc::new(Question::new(self, other, budget)?);
        let mut lanes = vec![Lane::new(Merging::shortest(Arc::clone(&question)))];
        lanes.extend(up_to_congruence(&question));
        Ok(race(lanes, budget)?.0)
    }
}

/// The answer and, unless it was for the asking, the question and the work that it took.
type Difference = (Answer, Option<(Arc<Question>, u64)>);

fn difference(left: &Nfa, right: &Nfa, budget: &Budget) -> Result<Difference, Stop> {
    assert_eq!(left.alphabet(), right.alphabet());
    if let Some(answer) = tiny::search(left, right, Sought::Difference) {
        return Ok((answer, None));
    }
    if left.accepts(&[]) != right.accepts(&[]) {
        return Ok((Some(Word::new()), None));
    }
    let question = Arc::new(Question::new(left, right, budget)?);
    let mut lanes = vec![
        Lane::new(Merging::guided(Arc::clone(&question))),
        Lane::new(Later::new(&question, BothWays::new)),
        Lane::new(Later::new(&question, backwards(Merging::guided))).later(OTHER_WAYS, 4),
    ];
    lanes.extend(up_to_congruence(&question));
    let (answer, work) = race(lanes, budget)?;
    Ok((answer, Some((question, work))))
}

/// Bisimulation up to congruence, if sets and rows as they are kept there are small enough.
fn up_to_congruence(question: &Arc<Question>) -> Option<Lane<'static>> {
    let small = question.states() <= MOST_STATES && question.minterms.len() <= MOST_CLASSES;
    small.then(|| Lane::new(Later::new(question, Congruence::new)).later(OTHER_WAYS, 4))
}

/// For how many classes of letters rows are kept with a place for each.
const MOST_CLASSES: usize = 1 << 12;

/// Inclusion both ways, by turns.
struct BothWays {
    ways: [DepthFirst; 2],
    is_included: [bool; 2],
}

impl BothWays {
    fn new(question: Arc<Question>) -> BothWays {
        let exchanged = Arc::new(question.exchanged());
        BothWays {
            ways: [DepthFirst::new(question), DepthFirst::new(exchanged)],
            is_included: [false; 2],
        }
    }
}

impl Contender for BothWays {
    fn run(&mut self, work: u64, budget: &Budget) -> Result<Option<Answer>, Stop> {
        for (way, is_included) in self.ways.iter_mut().zip(&mut self.is_included) {
            if !*is_included && let Some(answer) = way.run(work / 2, budget)? {
                if answer.is_some() {
                    return Ok(Some(answer));
                }
                *is_included = true;
            }
        }
        Ok((self.is_included == [true; 2]).then_some(None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{self, Random};

    /// Random pairs, some of them equal.
    fn each_pair(mut each: impl FnMut(&Nfa, &Nfa, &str)) {
        let budget = Budget::unlimited();
        for (alphabet, _) in testing::alphabets() {
            for seed in 0..150 {
                let mut random = Random::new(seed);
                let left = testing::nfa(&mut random, &alphabet, 8);
                let right = testing::nfa(&mut random, &alphabet, 8);
                let meet = left.intersection(&right, &budget).unwrap();
                let name = format!("{} letters, seed {seed}", alphabet.len());
                each(&left, &right, &name);
                each(&left, &left.union(&meet), &name);
            }
        }
    }

    fn naive_difference(left: &Nfa, right: &Nfa) -> Nfa {
        let budget = Budget::unlimited();
        let difference = left.difference(right, &budget).unwrap();
        difference.union(&right.difference(left, &budget).unwrap())
    }

    #[test]
    fn every_way_alone_gives_the_answer_of_determinising() {
        let budget = Budget::unlimited();
        each_pair(|left, right, name| {
            let difference = naive_difference(left, right);
            let naive = difference.shortest_word();
            let question = Arc::new(Question::new(left, right, &budget).unwrap());
            let of = || Arc::clone(&question);
            let contenders: [Box<dyn Contender>; 6] = [
                Box::new(Merging::guided(of())),
                Box::new(BothWays::new(of())),
                Box::new(Later::new(&question, backwards(Merging::guided))),
                Box::new(Merging::shortest(of())),
                Box::new(Congruence::with_patience(of(), 10)),
                Box::new(Congruence::with_patience(of(), u64::MAX)),
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
                if number >= 3 {
                    assert_eq!(word, naive, "way {number}, {name}");
                }
            }
        });
    }

    #[test]
    fn distinguishing_words_are_words_and_shortest_where_asked_for() {
        let budget = Budget::unlimited();
        each_pair(|left, right, name| {
            let difference = naive_difference(left, right);
            let word = left.distinguishing_word(right, &budget).unwrap();
            assert_eq!(word.is_some(), !difference.is_empty_language(), "{name}");
            assert!(word.is_none_or(|word| difference.accepts(&word)), "{name}");
            let shortest = left.shortest_distinguishing_word(right, &budget).unwrap();
            assert_eq!(shortest, difference.shortest_word(), "{name}");
        });
    }

    #[test]
    fn large_isomorphic_automata_are_merged_state_by_state() {
        let alphabet = testing::alphabet(3);
        let mut random = Random::new(7);
        let states = 5000;
        let permuted = |state: u32| (state * 1103 + 17) % states;
        let mut both = [Nfa::builder(&alphabet), Nfa::builder(&alphabet)];
        both[0].add_initial(0.into());
        both[1].add_initial(permuted(0).into());
        for state in 0..states {
            for letter in alphabet.letters() {
                let target = random.below(states);
                let letter = crate::Predicate::of(&alphabet, [letter]);
                both[0].add_edge(state.into(), &letter, target.into());
                both[1].add_edge(permuted(state).into(), &letter, permuted(target).into());
            }
            if random.percent(50) {
                both[0].add_accepting(state.into());
                both[1].add_accepting(permuted(state).into());
            }
        }
        let [left, right] = both.map(|builder| builder.build());
        let question = Arc::new(Question::new(&left, &right, &Budget::unlimited()).unwrap());
        let merged = Merging::guided(question).run(400_000, &Budget::unlimited());
        assert_eq!(merged, Ok(Some(None)));
    }
}
