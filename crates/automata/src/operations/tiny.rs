//! Comparing two small automata with sets of states in one machine word: answers that take less
//! than the preparation for the other ways.

use super::race::Answer;
use crate::{Letter, Nfa, Word};

/// Which pairs of sets are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sought {
    /// The first accepts, the second does not.
    Outside,
    /// One accepts, the other does not.
    Difference,
}

/// How many pairs may be met, and how many edges looked at: the time of the preparation that is
/// saved.
const MOST_PAIRS: usize = 40;
const MOST_EDGES: usize = 800;

/// The first of the shortest words with a pair that is sought, or that there is none; nothing if
/// the automata are not small enough to say.
pub(super) fn search(left: &Nfa, right: &Nfa, sought: Sought) -> Option<Answer> {
    let sides = [Side::new(left)?, Side::new(right)?];
    let mut met = vec![Pair {
        sets: [sides[0].initial, sides[1].initial],
        before: 0,
        letter: Letter(0),
    }];
    let mut edges = 0;
    let mut at = 0;
    if is_sought(sought, &sides, met[0].sets) {
        return Some(Some(Word::new()));
    }
    while at < met.len() {
        let sets = met[at].sets;
        // What only the second can do is of no interest where only the first counts.
        let askers = if sought == Sought::Outside { 1 } else { 2 };
        let mut enabled = 0;
        for (side, set) in sides.iter().zip(sets).take(askers) {
            for (label, _) in side.steps(set) {
                enabled |= label;
                edges += 1;
            }
        }
        while enabled != 0 {
            let letter = enabled.trailing_zeros();
            // All letters that lead to the same pair are one.
            let mut alike = enabled;
            let mut next = [0; 2];
            for ((side, set), next) in sides.iter().zip(sets).zip(&mut next) {
                for (label, target) in side.steps(set) {
                    edges += 1;
                    match label >> letter & 1 {
                        0 => alike &= !label,
                        _ => {
                            alike &= label;
                            *next |= target;
                        }
                    }
                }
            }
            enabled &= !alike;
            if edges > MOST_EDGES {
                return None;
            }
            let pair = Pair {
                sets: next,
                before: at,
                letter: Letter(letter),
            };
            if is_sought(sought, &sides, next) {
                return Some(Some(word(&met, &pair)));
            }
            if !met.iter().any(|met| met.covers(&pair, sought)) {
                if met.len() == MOST_PAIRS {
                    return None;
                }
                met.push(pair);
            }
        }
        at += 1;
    }
    Some(None)
}

fn is_sought(sought: Sought, sides: &[Side; 2], sets: [u64; 2]) -> bool {
    let [left, right] = [0, 1].map(|side| sets[side] & sides[side].accepting != 0);
    match sought {
        Sought::Outside => left && !right,
        Sought::Difference => left != right,
    }
}

/// The letters on the way to a pair.
fn word(met: &[Pair], last: &Pair) -> Word {
    let mut letters = vec![last.letter];
    let mut at = last.before;
    while at != 0 {
        letters.push(met[at].letter);
        at = met[at].before;
    }
    letters.reverse();
    letters.into_iter().collect()
}

/// Sets of states that one word leads to.
struct Pair {
    sets: [u64; 2],
    before: usize,
    letter: Letter,
}

impl Pair {
    /// Whether every word that leads from the other to a pair that is sought does so from here.
    fn covers(&self, other: &Pair, sought: Sought) -> bool {
        match sought {
            Sought::Outside => {
                other.sets[0] & !self.sets[0] == 0 && self.sets[1] & !other.sets[1] == 0
            }
            Sought::Difference => self.sets == other.sets,
        }
    }
}

/// An automaton whose sets of states, and of letters, are numbers.
struct Side<'a> {
    nfa: &'a Nfa,
    initial: u64,
    accepting: u64,
}

impl<'a> Side<'a> {
    fn new(nfa: &'a Nfa) -> Option<Side<'a>> {
        let small = nfa.len() <= 64 && nfa.alphabet().len() <= 128 && !nfa.has_epsilon();
        let initial = nfa.initial().iter().map(|state| state.index());
        small.then(|| Side {
            nfa,
            initial: initial.fold(0, |set, state| set | 1 << state),
            accepting: nfa
                .accepting()
                .ones()
                .fold(0, |set, state| set | 1 << state),
        })
    }

    /// The letters and the target of each edge that leaves a set.
    fn steps(&self, mut set: u64) -> impl Iterator<Item = (u128, u64)> {
        let states = std::iter::from_fn(move || {
            let state = (set != 0).then(|| crate::State(set.trailing_zeros()))?;
            set &= set - 1;
            Some(state)
        });
        states
            .flat_map(|state| self.nfa.edges_from(state))
            .filter_map(|edge| {
                let letters = self.nfa.label(edge).as_ref()?.small()?;
                Some((letters, 1 << edge.target.0))
            })
    }
}

#[cfg(test)]
mod tests {
    use quotient_core::Budget;

    use super::*;
    use crate::Alphabet;
    use crate::testing::{self, Random};

    #[test]
    fn what_is_answered_is_the_first_shortest_word_of_determinising() {
        let budget = Budget::unlimited();
        let (mut answered, mut none) = (0, 0);
        for (alphabet, _) in testing::alphabets() {
            for seed in 0..200 {
                let mut random = Random::new(seed);
                let left = testing::nfa(&mut random, &alphabet, 8);
                let right = testing::nfa(&mut random, &alphabet, 8);
                let meet = left.intersection(&right, &budget).unwrap();
                for (left, right) in [(&left, &right), (&meet, &left), (&left, &left)] {
                    let left = left.without_epsilon(&budget).unwrap();
                    let right = right.without_epsilon(&budget).unwrap();
                    let outside = left.difference(&right, &budget).unwrap();
                    let other = right.difference(&left, &budget).unwrap();
                    let both = outside.union(&other);
                    for (sought, naive) in [
                        (Sought::Outside, outside.shortest_word()),
                        (Sought::Difference, both.shortest_word()),
                    ] {
                        let Some(answer) = search(&left, &right, sought) else {
                            continue;
                        };
                        answered += 1;
                        none += u32::from(answer.is_none());
                        assert_eq!(answer, naive, "{} letters, seed {seed}", alphabet.len());
                    }
                }
            }
        }
        assert!(answered > 1000 && none > 100, "{answered}, {none}");
    }

    #[test]
    fn what_is_not_small_is_left_to_others() {
        let letters =
            |count: usize| Alphabet::new((0..count).map(|letter| format!("l{letter}"))).unwrap();
        for (alphabet, states, is_answered) in [
            (letters(1), 64, true),
            (letters(1), 65, false),
            (letters(128), 64, true),
            (letters(129), 64, false),
        ] {
            let last = crate::Predicate::of(&alphabet, alphabet.letters().last());
            let end = states - 1;
            let nfa = Nfa::builder(&alphabet).initial(0).accepting(end);
            let nfa = nfa.edge(0, &last, end).build();
            let answer = search(&nfa, &Nfa::empty(&alphabet), Sought::Outside);
            assert_eq!(answer.is_some(), is_answered, "{states} states");
            let length = answer.flatten().map(|word| word.len());
            assert_eq!(length, is_answered.then_some(1));
        }
        // So many pairs that preparing pays.
        let alphabet = letters(1);
        let any = crate::Predicate::all(&alphabet);
        let mut chain = Nfa::builder(&alphabet).initial(0).accepting(60);
        for state in 0..60 {
            chain.add_edge(crate::State(state), &any, crate::State(state + 1));
        }
        let chain = chain.build();
        let nothing = Nfa::empty(&alphabet);
        assert_eq!(search(&chain, &nothing, Sought::Outside), None);
        let word = chain.word_outside(&nothing, &Budget::unlimited()).unwrap();
        assert_eq!(word.map(|word| word.len()), Some(60));
        let with_epsilon = Nfa::builder(&letters(1)).initial(0).epsilon(0, 1).build();
        assert_eq!(
            search(&with_epsilon, &with_epsilon, Sought::Difference),
            None
        );
    }
}
