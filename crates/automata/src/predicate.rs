//! Sets of letters.

use smallvec::SmallVec;

use crate::{Alphabet, Letter};

/// A set of letters of one alphabet: the label of an edge that stands for them all.
///
/// Predicates form a Boolean algebra. They are bit sets; up to 128 letters need no memory of
/// their own. Combining predicates of alphabets of different sizes is a bug of the caller.
///
/// ```
/// use quotient_automata::{Alphabet, Predicate};
/// let alphabet = Alphabet::new(["a", "b", "c"])?;
/// let not_a = alphabet.set(["a"])?.not();
/// assert_eq!(not_a, alphabet.set(["b", "c"])?);
/// assert!(!not_a.intersects(&alphabet.set(["a"])?));
/// # Ok::<(), quotient_automata::AlphabetError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Predicate {
    bits: SmallVec<[u64; 2]>,
    size: u32,
}

impl Predicate {
    /// No letter.
    pub fn none(alphabet: &Alphabet) -> Predicate {
        let size = alphabet.len();
        Predicate {
            bits: SmallVec::from_elem(0, size.div_ceil(64)),
            size: size as u32,
        }
    }

    /// Every letter.
    pub fn all(alphabet: &Alphabet) -> Predicate {
        Predicate::none(alphabet).not()
    }

    /// Exactly these letters.
    pub fn of(alphabet: &Alphabet, letters: impl IntoIterator<Item = Letter>) -> Predicate {
        let mut predicate = Predicate::none(alphabet);
        letters
            .into_iter()
            .for_each(|letter| predicate.insert(letter));
        predicate
    }

    /// Adds a letter.
    pub fn insert(&mut self, letter: Letter) {
        debug_assert!(letter.0 < self.size);
        self.bits[letter.index() / 64] |= 1 << (letter.index() % 64);
    }

    /// Whether the letter is in the set.
    #[inline]
    pub fn contains(&self, letter: Letter) -> bool {
        self.bits[letter.index() / 64] >> (letter.index() % 64) & 1 == 1
    }

    /// The letters in both.
    #[must_use]
    pub fn and(&self, other: &Predicate) -> Predicate {
        self.zip(other, |a, b| a & b)
    }

    /// The letters in either.
    #[must_use]
    pub fn or(&self, other: &Predicate) -> Predicate {
        self.zip(other, |a, b| a | b)
    }

    /// The letters in this one only.
    #[must_use]
    pub fn minus(&self, other: &Predicate) -> Predicate {
        self.zip(other, |a, b| a & !b)
    }

    /// The letters of the alphabet that are not in the set.
    #[must_use]
    #[allow(
        clippy::should_implement_trait,
        reason = "reads like its siblings and takes a reference"
    )]
    pub fn not(&self) -> Predicate {
        let mut bits: SmallVec<[u64; 2]> = self.bits.iter().map(|word| !word).collect();
        let used = self.size % 64;
        if let Some(last) = bits.last_mut().filter(|_| used != 0) {
            *last &= (1 << used) - 1;
        }
        Predicate {
            bits,
            size: self.size,
        }
    }

    #[inline]
    fn zip(&self, other: &Predicate, combine: impl Fn(u64, u64) -> u64) -> Predicate {
        debug_assert_eq!(self.size, other.size);
        let bits = self
            .bits
            .iter()
            .zip(&other.bits)
            .map(|(&a, &b)| combine(a, b))
            .collect();
        Predicate {
            bits,
            size: self.size,
        }
    }

    /// Adds the letters of the other.
    pub fn or_assign(&mut self, other: &Predicate) {
        debug_assert_eq!(self.size, other.size);
        self.bits
            .iter_mut()
            .zip(&other.bits)
            .for_each(|(a, b)| *a |= b);
    }

    /// Whether the two share a letter.
    #[inline]
    pub fn intersects(&self, other: &Predicate) -> bool {
        self.bits.iter().zip(&other.bits).any(|(a, b)| a & b != 0)
    }

    /// Whether every letter of this one is in the other.
    pub fn is_subset(&self, other: &Predicate) -> bool {
        self.bits.iter().zip(&other.bits).all(|(a, b)| a & !b == 0)
    }

    /// Whether there is no letter in it.
    pub fn is_empty(&self) -> bool {
        self.bits.iter().all(|&word| word == 0)
    }

    /// Whether every letter of the alphabet is in it.
    pub fn is_all(&self) -> bool {
        self.len() == self.size as usize
    }

    /// How many letters are in it.
    pub fn len(&self) -> usize {
        self.bits
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// How many letters its alphabet has.
    pub fn alphabet_len(&self) -> usize {
        self.size as usize
    }

    /// The first letter in it.
    pub fn first(&self) -> Option<Letter> {
        self.letters().next()
    }

    /// Its letters in order.
    pub fn letters(&self) -> impl Iterator<Item = Letter> + '_ {
        self.bits.iter().enumerate().flat_map(|(index, &word)| {
            std::iter::successors(Some(word), |&rest| Some(rest & (rest.wrapping_sub(1))))
                .take_while(|&rest| rest != 0)
                .map(move |rest| Letter(index as u32 * 64 + rest.trailing_zeros()))
        })
    }
}

impl std::fmt::Debug for Predicate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set()
            .entries(self.letters().map(|letter| letter.0))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alphabet(size: usize) -> Alphabet {
        Alphabet::new((0..size).map(|i| i.to_string())).unwrap()
    }

    #[test]
    fn complement_stays_within_the_alphabet() {
        for size in [0, 1, 63, 64, 65, 128, 129, 600] {
            let alphabet = alphabet(size);
            let all = Predicate::all(&alphabet);
            assert_eq!(all.len(), size);
            assert!(all.is_all() && all.not().is_empty());
            assert_eq!(
                all.letters().collect::<Vec<_>>(),
                alphabet.letters().collect::<Vec<_>>()
            );
        }
    }

    #[test]
    fn algebra_agrees_with_membership() {
        let alphabet = alphabet(70);
        let threes = Predicate::of(&alphabet, (0..70).step_by(3).map(Letter));
        let fives = Predicate::of(&alphabet, (0..70).step_by(5).map(Letter));
        for letter in alphabet.letters() {
            let (in_threes, in_fives) = (letter.0 % 3 == 0, letter.0 % 5 == 0);
            assert_eq!(threes.contains(letter), in_threes);
            assert_eq!(threes.and(&fives).contains(letter), in_threes && in_fives);
            assert_eq!(threes.or(&fives).contains(letter), in_threes || in_fives);
            assert_eq!(
                threes.minus(&fives).contains(letter),
                in_threes && !in_fives
            );
            assert_eq!(threes.not().contains(letter), !in_threes);
        }
        assert!(threes.and(&fives).is_subset(&fives) && !threes.is_subset(&fives));
    }
}
