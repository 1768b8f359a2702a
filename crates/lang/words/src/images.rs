//! The words that one step makes of one word.

use std::collections::VecDeque;

use quotient_automata::{Label, Letter, Nfa, Predicate, State, Transducer, Word};
use quotient_core::{Budget, Stop};
use rustc_hash::FxHashSet;

/// How many and how long words may be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// The most of them.
    pub(crate) words: usize,
    /// The longest.
    pub(crate) length: usize,
}

/// The words that a step makes of a word.
#[derive(Debug, Default)]
pub(crate) struct Images {
    /// Each once: shortest first, then in the order of the letters.
    pub(crate) words: Vec<Word>,
    /// Whether these are all.
    pub(crate) complete: bool,
}

/// All words that the transducer relates the word to, within the bounds.
///
/// The search follows each way through the transducer that can still read the whole word and be
/// accepted, with what it has written so far.
pub(crate) fn images(
    step: &Transducer,
    word: &[Letter],
    bounds: Bounds,
    budget: &Budget,
) -> Result<Images, Stop> {
    let can_end = Endings::new(step, word, budget)?;
    let mut complete = true;
    let mut found: FxHashSet<Word> = FxHashSet::default();
    let mut seen: FxHashSet<(State, usize, Word)> = FxHashSet::default();
    let mut waiting: VecDeque<(State, usize, Word)> = VecDeque::new();
    let mut visit = |place: (State, usize, Word), waiting: &mut VecDeque<_>| {
        if can_end.from(place.0, place.1) && seen.insert(place.clone()) {
            waiting.push_back(place);
        }
    };
    for &state in step.initial() {
        visit((state, 0, Word::new()), &mut waiting);
    }
    while let Some((state, at, written)) = waiting.pop_front() {
        budget.charge(1 + written.len() as u64)?;
        if at == word.len() && step.is_accepting(state) {
            if found.len() == bounds.words && !found.contains(&written) {
                complete = false;
                break;
            }
            found.insert(written.clone());
        }
        for edge in step.edges_from(state) {
            let Some((next, output)) = read(step.label(edge), word, at) else {
                continue;
            };
            let Output::Some(letters) = output else {
                visit((edge.target, next, written.clone()), &mut waiting);
                continue;
            };
            if written.len() >= bounds.length {
                complete &= !can_end.from(edge.target, next);
                continue;
            }
            for letter in letters {
                let mut longer = written.clone();
                longer.push(letter);
                visit((edge.target, next, longer), &mut waiting);
            }
        }
    }
    let mut words: Vec<Word> = found.into_iter().collect();
    words.sort_unstable_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
    Ok(Images { words, complete })
}

/// What a move writes.
enum Output {
    Nothing,
    Some(Vec<Letter>),
}

/// How far a move reads, and what it may write; nothing if it cannot be made here.
fn read(label: &Label, word: &[Letter], at: usize) -> Option<(usize, Output)> {
    let reads = |letters: &Predicate| word.get(at).copied().filter(|&one| letters.contains(one));
    let next = match label {
        Label::Copy(letters) => {
            let letter = reads(letters)?;
            return Some((at + 1, Output::Some(vec![letter])));
        }
        Label::Pair(Some(input), _) => {
            reads(input)?;
            at + 1
        }
        Label::Pair(None, _) => at,
    };
    Some(match label.output() {
        Some(letters) => (next, Output::Some(letters.letters().collect())),
        None => (next, Output::Nothing),
    })
}

/// From which states the rest of a word can be read to an accepting end.
struct Endings {
    states: usize,
    good: Vec<bool>,
}

impl Endings {
    fn new(step: &Transducer, word: &[Letter], budget: &Budget) -> Result<Endings, Stop> {
        let states = step.len();
        let mut endings = Endings {
            states,
            good: vec![false; states * (word.len() + 1)],
        };
        for state in step.accepting().ones() {
            endings.good[word.len() * states + state] = true;
        }
        for at in (0..=word.len()).rev() {
            loop {
                budget.charge(1 + step.edges().len() as u64)?;
                let mut changed = false;
                for edge in step.edges() {
                    let from = at * states + edge.source.index();
                    let reached = !endings.good[from]
                        && reading(step.label(edge), word, at)
                            .is_some_and(|next| endings.from(edge.target, next));
                    if reached {
                        endings.good[from] = true;
                        changed = true;
                    }
                }
                if !changed {
                    break;
                }
            }
        }
        Ok(endings)
    }

    fn from(&self, state: State, at: usize) -> bool {
        self.good[at * self.states + state.index()]
    }
}

/// How far a move reads.
fn reading(label: &Label, word: &[Letter], at: usize) -> Option<usize> {
    match label.input() {
        None => Some(at),
        Some(letters) => {
            let letter = word.get(at)?;
            letters.contains(*letter).then_some(at + 1)
        }
    }
}

/// The words of a language, shortest first, within the bounds; of one length if that is given.
pub(crate) fn words_of(
    language: &Nfa,
    length: Option<usize>,
    bounds: Bounds,
    budget: &Budget,
) -> Result<Images, Stop> {
    let language = language.trim();
    let narrowed = match length {
        Some(length) => language
            .intersection(&exactly(&language, length), budget)?
            .trim(),
        None => language,
    };
    let mut images = Images {
        words: Vec::new(),
        complete: true,
    };
    for word in narrowed.words(bounds.length, budget)? {
        budget.charge(1 + word.len() as u64)?;
        if images.words.len() == bounds.words {
            images.complete = false;
            return Ok(images);
        }
        images.words.push(word);
    }
    let longer = longer_than(&narrowed, bounds.length);
    images.complete = narrowed.intersection(&longer, budget)?.is_empty_language();
    Ok(images)
}

/// The words of a length.
fn exactly(over: &Nfa, length: usize) -> Nfa {
    let all = Predicate::all(over.alphabet());
    let mut builder = Nfa::builder(over.alphabet()).initial(0);
    for state in 0..length as u32 {
        builder.add_edge(State(state), &all, State(state + 1));
    }
    builder.accepting(length as u32).build()
}

/// The words that are longer.
fn longer_than(over: &Nfa, length: usize) -> Nfa {
    let all = Predicate::all(over.alphabet());
    let end = length as u32 + 1;
    let mut builder = Nfa::builder(over.alphabet()).initial(0);
    for state in 0..end {
        builder.add_edge(State(state), &all, State(state + 1));
    }
    builder.edge(end, &all, end).accepting(end).build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quotient_automata::testing::{Random, nfa, predicate, words_up_to};
    use quotient_automata::{Alphabet, testing};

    fn step(random: &mut Random, alphabet: &Alphabet) -> Transducer {
        let mut builder = Transducer::builder(alphabet).states(3).initial(0);
        for _ in 0..6 {
            let side = |random: &mut Random| match random.percent(80) {
                true => Some(predicate(random, alphabet)),
                false => None,
            };
            let label = match random.percent(40) {
                true => Label::Copy(predicate(random, alphabet)),
                false => {
                    let input = side(random);
                    Label::Pair(input, side(random))
                }
            };
            builder.add_edge(State(random.below(3)), &label, State(random.below(3)));
        }
        builder.accepting(random.below(3)).build()
    }

    /// The image as the product of automata has it.
    #[test]
    fn images_of_words_are_those_of_their_languages() {
        let alphabet = testing::alphabet(2);
        let budget = Budget::unlimited();
        let bounds = Bounds {
            words: 1000,
            length: 4,
        };
        for seed in 0..60 {
            let random = &mut Random::new(seed);
            let step = step(random, &alphabet);
            for word in words_up_to(&alphabet, 3) {
                let own = images(&step, &word, bounds, &budget).unwrap();
                let image = step
                    .apply(&Nfa::of_word(&alphabet, &word), &budget)
                    .unwrap();
                let expected: Vec<Word> = image.words(4, &budget).unwrap().collect();
                assert_eq!(own.words, expected, "seed {seed}");
                let none_longer = image
                    .intersection(&longer_than(&image, 4), &budget)
                    .unwrap()
                    .is_empty_language();
                assert_eq!(own.complete, none_longer, "seed {seed}");
            }
        }
    }

    #[test]
    fn words_of_a_length_are_all_of_them() {
        let alphabet = testing::alphabet(2);
        let budget = Budget::unlimited();
        let bounds = Bounds {
            words: 1000,
            length: 5,
        };
        for seed in 0..60 {
            let language = nfa(&mut Random::new(seed), &alphabet, 4);
            for length in 0..4 {
                let own = words_of(&language, Some(length), bounds, &budget).unwrap();
                let naive: Vec<Word> = words_up_to(&alphabet, 3)
                    .into_iter()
                    .filter(|word| word.len() == length && language.accepts(word))
                    .collect();
                assert!(own.complete);
                assert_eq!(own.words, naive, "seed {seed}");
            }
        }
    }
}
