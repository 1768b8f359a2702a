//! Letters and their names.

use std::hash::{BuildHasher, BuildHasherDefault};
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::Predicate;
use crate::vectors::Vectors;

/// A letter, as its number in an [`Alphabet`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Letter(pub u32);

impl Letter {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A finite sequence of letters; empty for ε.
pub type Word = Vec<Letter>;

/// A finite, ordered set of named letters. Clones share the names.
///
/// ```
/// use quotient_automata::Alphabet;
/// let alphabet = Alphabet::new(["T", "N"])?;
/// let word = alphabet.word("T N N")?;
/// assert_eq!(word.len(), 3);
/// assert_eq!(alphabet.show(&word), "T N N");
/// # Ok::<(), quotient_automata::AlphabetError>(())
/// ```
#[derive(Clone)]
pub struct Alphabet(Arc<Names>);

/// The names one after the other in one text: tens of thousands of letters take what their names
/// do, not a piece of memory each.
#[derive(Clone, Default)]
struct Names {
    text: String,
    /// Where each name ends.
    ends: Vec<usize>,
    /// The numbers, found by what is in `text`.
    numbers: HashTable<u32>,
    vectors: Option<Vectors>,
}

/// What can be wrong with letters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AlphabetError {
    /// The same name twice.
    #[error("letter `{0}` is declared twice")]
    Duplicate(String),
    /// A name that the alphabet does not have.
    #[error("`{0}` is not a letter of the alphabet")]
    Unknown(String),
    /// Letters that are classes of vectors of bits have no others beside them.
    #[error("the letters are classes of vectors of bits: they mean nothing in another alphabet")]
    Vectors,
}

impl Alphabet {
    /// An alphabet of these letters, in this order.
    pub fn new<N: Into<String>>(
        names: impl IntoIterator<Item = N>,
    ) -> Result<Alphabet, AlphabetError> {
        let mut all = Names::default();
        for name in names {
            let name = name.into();
            if all.add(&name).is_none() {
                return Err(AlphabetError::Duplicate(name));
            }
        }
        Ok(Alphabet(Arc::new(all)))
    }

    /// The same letters, which now stand for vectors of bits.
    pub(crate) fn with_vectors(self, vectors: Vectors) -> Alphabet {
        let names = Arc::unwrap_or_clone(self.0);
        Alphabet(Arc::new(Names {
            vectors: Some(vectors),
            ..names
        }))
    }

    /// The vectors of bits that the letters stand for, if they do.
    pub(crate) fn vectors(&self) -> Option<&Vectors> {
        self.0.vectors.as_ref()
    }

    /// Whether the letters are classes of vectors of bits (of a file with formulas over bits):
    /// they mean nothing beside letters of other files.
    pub fn has_vectors(&self) -> bool {
        self.0.vectors.is_some()
    }

    /// The number of letters.
    pub fn len(&self) -> usize {
        self.0.ends.len()
    }

    /// Whether there are no letters (then ε is the only word).
    pub fn is_empty(&self) -> bool {
        self.0.ends.is_empty()
    }

    /// The letter with this name.
    pub fn letter(&self, name: &str) -> Option<Letter> {
        self.0.number(name).map(Letter)
    }

    /// The name of a letter of this alphabet.
    pub fn name(&self, letter: Letter) -> &str {
        self.0.name(letter.index())
    }

    /// All letters in order.
    pub fn letters(&self) -> impl ExactSizeIterator<Item = Letter> + use<> {
        (0..self.len() as u32).map(Letter)
    }

    /// All names in order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len()).map(|number| self.0.name(number))
    }

    /// The letters of this alphabet, then those that only the other has. It is this very
    /// alphabet when the other adds nothing.
    pub fn union(&self, other: &Alphabet) -> Alphabet {
        if other.names().all(|name| self.letter(name).is_some()) {
            return self.clone();
        }
        let mut all = Names {
            vectors: None,
            ..Names::clone(&self.0)
        };
        for name in other.names() {
            all.add(name);
        }
        Alphabet(Arc::new(all))
    }

    /// The word with these letters, separated by blanks; `ε` or nothing for the empty word.
    pub fn word(&self, text: &str) -> Result<Word, AlphabetError> {
        if text.trim() == "ε" && self.letter("ε").is_none() {
            return Ok(Word::new());
        }
        text.split_whitespace()
            .map(|name| self.known(name))
            .collect()
    }

    /// A word as text: the inverse of [`Alphabet::word`].
    pub fn show(&self, word: &[Letter]) -> String {
        if word.is_empty() {
            return "ε".to_owned();
        }
        word.iter()
            .map(|&letter| self.name(letter))
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// The predicate of exactly these letters.
    pub fn set<'a>(
        &self,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Predicate, AlphabetError> {
        let letters: Word = names
            .into_iter()
            .map(|name| self.known(name))
            .collect::<Result<_, _>>()?;
        Ok(Predicate::of(self, letters))
    }

    fn known(&self, name: &str) -> Result<Letter, AlphabetError> {
        self.letter(name)
            .ok_or_else(|| AlphabetError::Unknown(name.to_owned()))
    }
}

impl Names {
    fn name(&self, number: usize) -> &str {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[number]]
    }

    fn number(&self, name: &str) -> Option<u32> {
        let is_it = |&number: &u32| self.name(number as usize) == name;
        self.numbers.find(hash(name), is_it).copied()
    }

    /// Adds a name; nothing if it is there already.
    fn add(&mut self, name: &str) -> Option<()> {
        let number = u32::try_from(self.ends.len()).ok()?;
        if self.number(name).is_some() {
            return None;
        }
        self.text.push_str(name);
        self.ends.push(self.text.len());
        let mut numbers = std::mem::take(&mut self.numbers);
        numbers.insert_unique(hash(name), number, |&number| {
            hash(self.name(number as usize))
        });
        self.numbers = numbers;
        Some(())
    }
}

fn hash(name: &str) -> u64 {
    BuildHasherDefault::<FxHasher>::default().hash_one(name)
}

impl PartialEq for Alphabet {
    fn eq(&self, other: &Alphabet) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.0.text == other.0.text && self.0.ends == other.0.ends)
    }
}

impl Eq for Alphabet {}

impl std::fmt::Debug for Alphabet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicates_and_unknown_letters_are_refused() {
        assert_eq!(
            Alphabet::new(["a", "a"]),
            Err(AlphabetError::Duplicate("a".into()))
        );
        let alphabet = Alphabet::new(["a"]).unwrap();
        assert_eq!(
            alphabet.word("a b"),
            Err(AlphabetError::Unknown("b".into()))
        );
    }

    #[test]
    fn union_keeps_the_numbers_of_the_left() {
        let left = Alphabet::new(["b", "a"]).unwrap();
        let right = Alphabet::new(["c", "a"]).unwrap();
        assert_eq!(
            left.union(&right).names().collect::<Vec<_>>(),
            ["b", "a", "c"]
        );
        assert_eq!(left.union(&left), left);
    }

    #[test]
    fn the_empty_word_has_a_name() {
        let empty = Alphabet::new::<&str>([]).unwrap();
        assert_eq!(empty.word("ε"), Ok(vec![]));
        assert_eq!(empty.show(&[]), "ε");
    }
}
