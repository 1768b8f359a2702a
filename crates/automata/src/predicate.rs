//! Sets of letters.

use smallvec::SmallVec;

use crate::{Alphabet, Letter};

/// A set of letters of one alphabet: the label of an edge that stands for them all.
///
/// Predicates form a Boolean algebra. They are bit sets, and up to 256 letters need no memory of
/// their own; over large alphabets a set of few letters, or of all but few, is a list. So a label
/// costs what it says, not what the alphabet has, and equal sets are equal values all the same.
/// Combining predicates of alphabets of different sizes is a bug of the caller.
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
    set: Set,
    size: u32,
}

/// The letters. Which of the three it is depends on their number alone.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Set {
    Bits(Bits),
    /// These letters, in order.
    Few(List),
    /// All but these letters, in order.
    AllBut(List),
}

type Bits = SmallVec<[u64; 4]>;
type List = SmallVec<[u32; 8]>;

/// How many letters a list may have: half of the memory of bits; none in small alphabets, whose
/// bits take no more than a short list that needs no memory of its own.
const fn longest_list(size: u32) -> usize {
    match size {
        ..512 => 0,
        _ => size as usize / 64,
    }
}

const fn is_small(size: u32) -> bool {
    longest_list(size) == 0
}

impl Predicate {
    /// No letter.
    pub fn none(alphabet: &Alphabet) -> Predicate {
        let size = alphabet.len() as u32;
        let set = match is_small(size) {
            true => Set::Bits(no_bits(size)),
            false => Set::Few(List::new()),
        };
        Predicate { set, size }
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

    /// The letters as the bits of a number, if the alphabet has no more letters than that has bits.
    pub(crate) fn small(&self) -> Option<u128> {
        let Set::Bits(bits) = &self.set else {
            return None;
        };
        match bits[..] {
            [] => Some(0),
            [low] => Some(u128::from(low)),
            [low, high] => Some(u128::from(high) << 64 | u128::from(low)),
            _ => None,
        }
    }

    /// Whether the set is too large to be kept in the value itself.
    pub(crate) fn has_memory(&self) -> bool {
        match &self.set {
            Set::Bits(bits) => bits.spilled(),
            Set::Few(list) | Set::AllBut(list) => list.spilled(),
        }
    }

    /// Adds a letter.
    pub fn insert(&mut self, letter: Letter) {
        debug_assert!(letter.0 < self.size);
        match &mut self.set {
            Set::Bits(bits) => bits[letter.index() / 64] |= 1 << (letter.index() % 64),
            Set::Few(list) => match list.last() {
                Some(&last) if last >= letter.0 => {
                    if let Err(at) = list.binary_search(&letter.0) {
                        list.insert(at, letter.0);
                    }
                }
                _ => list.push(letter.0),
            },
            Set::AllBut(list) => {
                if let Ok(at) = list.binary_search(&letter.0) {
                    list.remove(at);
                }
            }
        }
        match &self.set {
            Set::Bits(_) if is_small(self.size) => {}
            // Adding a letter can make a list of the missing ones due: that is found out now and
            // then only, by what is cheap to know.
            Set::Bits(_) if !self.may_be_all_but() => {}
            Set::Few(list) if list.len() <= longest_list(self.size) => {}
            _ => self.normalize(),
        }
    }

    /// Whether so few letters may be missing that they are to be listed: a look at the first and
    /// the last words rules that out for most, whichever end letters were added from.
    fn may_be_all_but(&self) -> bool {
        let Set::Bits(bits) = &self.set else {
            return false;
        };
        let (mut from_first, mut from_last) = (0, 0);
        let words = &bits[..bits.len() - 1];
        words.iter().zip(words.iter().rev()).all(|(one, other)| {
            from_first += one.count_zeros() as usize;
            from_last += other.count_zeros() as usize;
            from_first.max(from_last) <= longest_list(self.size)
        })
    }

    /// Brings the set into the form that its number of letters asks for.
    fn normalize(&mut self) {
        if is_small(self.size) {
            return;
        }
        let (count, most) = (self.len(), longest_list(self.size));
        let numbers = |predicate: &Predicate| predicate.letters().map(|l| l.0).collect::<List>();
        let set = if count <= most {
            if matches!(self.set, Set::Few(_)) {
                return;
            }
            Set::Few(numbers(self))
        } else if self.size as usize - count <= most {
            if matches!(self.set, Set::AllBut(_)) {
                return;
            }
            let missing = Set::Bits(flipped(&self.to_bits(), self.size));
            Set::AllBut(numbers(&Predicate {
                set: missing,
                size: self.size,
            }))
        } else if matches!(self.set, Set::Bits(_)) {
            return;
        } else {
            Set::Bits(self.to_bits())
        };
        self.set = set;
    }

    fn to_bits(&self) -> Bits {
        let listed = |list: &List| {
            let mut bits = no_bits(self.size);
            for &letter in list {
                bits[letter as usize / 64] |= 1 << (letter % 64);
            }
            bits
        };
        match &self.set {
            Set::Bits(bits) => bits.clone(),
            Set::Few(list) => listed(list),
            Set::AllBut(list) => flipped(&listed(list), self.size),
        }
    }

    fn made(set: Set, size: u32) -> Predicate {
        let mut predicate = Predicate { set, size };
        predicate.normalize();
        predicate
    }

    /// Whether the letter is in the set.
    #[inline]
    pub fn contains(&self, letter: Letter) -> bool {
        match &self.set {
            Set::Bits(bits) => bits[letter.index() / 64] >> (letter.index() % 64) & 1 == 1,
            Set::Few(list) => list.binary_search(&letter.0).is_ok(),
            Set::AllBut(list) => list.binary_search(&letter.0).is_err(),
        }
    }

    /// The letters in both.
    #[must_use]
    pub fn and(&self, other: &Predicate) -> Predicate {
        debug_assert_eq!(self.size, other.size);
        let inside = |list: &List, other: &Predicate| -> Set {
            let letters = list.iter().copied();
            Set::Few(letters.filter(|&l| other.contains(Letter(l))).collect())
        };
        let set = match (&self.set, &other.set) {
            (Set::Bits(a), Set::Bits(b)) => {
                Set::Bits(a.iter().zip(b).map(|(a, b)| a & b).collect())
            }
            (Set::Few(list), _) => inside(list, other),
            (_, Set::Few(list)) => inside(list, self),
            (Set::AllBut(a), Set::AllBut(b)) => {
                let mut both: List = a.iter().chain(b).copied().collect();
                both.sort_unstable();
                both.dedup();
                match both.len() <= longest_list(self.size) {
                    true => Set::AllBut(both),
                    false => {
                        let missing = Predicate {
                            set: Set::Few(both),
                            size: self.size,
                        };
                        Set::Bits(flipped(&missing.to_bits(), self.size))
                    }
                }
            }
            (Set::Bits(bits), Set::AllBut(list)) | (Set::AllBut(list), Set::Bits(bits)) => {
                let mut bits = bits.clone();
                for &letter in list {
                    bits[letter as usize / 64] &= !(1 << (letter % 64));
                }
                Set::Bits(bits)
            }
        };
        Predicate::made(set, self.size)
    }

    /// The letters in either.
    #[must_use]
    pub fn or(&self, other: &Predicate) -> Predicate {
        debug_assert_eq!(self.size, other.size);
        match (&self.set, &other.set) {
            (Set::Bits(a), Set::Bits(b)) => {
                let bits = a.iter().zip(b).map(|(a, b)| a | b).collect();
                Predicate::made(Set::Bits(bits), self.size)
            }
            _ => self.not().and(&other.not()).not(),
        }
    }

    /// The letters in this one only.
    #[must_use]
    pub fn minus(&self, other: &Predicate) -> Predicate {
        debug_assert_eq!(self.size, other.size);
        match (&self.set, &other.set) {
            (Set::Bits(a), Set::Bits(b)) => {
                let bits = a.iter().zip(b).map(|(a, b)| a & !b).collect();
                Predicate::made(Set::Bits(bits), self.size)
            }
            _ => self.and(&other.not()),
        }
    }

    /// The letters of the alphabet that are not in the set.
    #[must_use]
    #[allow(
        clippy::should_implement_trait,
        reason = "reads like its siblings and takes a reference"
    )]
    pub fn not(&self) -> Predicate {
        let set = match &self.set {
            Set::Bits(bits) => Set::Bits(flipped(bits, self.size)),
            Set::Few(list) => Set::AllBut(list.clone()),
            Set::AllBut(list) => Set::Few(list.clone()),
        };
        Predicate {
            set,
            size: self.size,
        }
    }

    /// Adds the letters of the other.
    pub fn or_assign(&mut self, other: &Predicate) {
        debug_assert_eq!(self.size, other.size);
        match (&mut self.set, &other.set) {
            (Set::Bits(a), Set::Bits(b)) if is_small(self.size) => {
                a.iter_mut().zip(b).for_each(|(a, b)| *a |= b);
            }
            (Set::Few(_), Set::Few(more)) if more.len() <= 2 => {
                more.iter().for_each(|&letter| self.insert(Letter(letter)));
            }
            _ => *self = self.or(other),
        }
    }

    /// Whether the two share a letter.
    #[inline]
    pub fn intersects(&self, other: &Predicate) -> bool {
        match (&self.set, &other.set) {
            (Set::Bits(a), Set::Bits(b)) => a.iter().zip(b).any(|(a, b)| a & b != 0),
            (Set::Few(list), _) => list.iter().any(|&letter| other.contains(Letter(letter))),
            (_, Set::Few(list)) => list.iter().any(|&letter| self.contains(Letter(letter))),
            // Each lacks less than a part in sixty-four, or has more than that.
            _ => !self.and(other).is_empty(),
        }
    }

    /// Whether every letter of this one is in the other.
    pub fn is_subset(&self, other: &Predicate) -> bool {
        match (&self.set, &other.set) {
            (Set::Bits(a), Set::Bits(b)) => a.iter().zip(b).all(|(a, b)| a & !b == 0),
            (Set::Few(list), _) => list.iter().all(|&letter| other.contains(Letter(letter))),
            (_, Set::AllBut(list)) => !list.iter().any(|&letter| self.contains(Letter(letter))),
            _ => self.minus(other).is_empty(),
        }
    }

    /// Whether there is no letter in it.
    pub fn is_empty(&self) -> bool {
        match &self.set {
            Set::Bits(bits) => bits.iter().all(|&word| word == 0),
            Set::Few(list) => list.is_empty(),
            Set::AllBut(_) => false,
        }
    }

    /// Whether every letter of the alphabet is in it.
    pub fn is_all(&self) -> bool {
        self.len() == self.size as usize
    }

    /// How many letters are in it.
    pub fn len(&self) -> usize {
        match &self.set {
            Set::Bits(bits) => bits.iter().map(|word| word.count_ones() as usize).sum(),
            Set::Few(list) => list.len(),
            Set::AllBut(list) => self.size as usize - list.len(),
        }
    }

    /// How many letters its alphabet has.
    pub fn alphabet_len(&self) -> usize {
        self.size as usize
    }

    /// The first letter in it.
    pub fn first(&self) -> Option<Letter> {
        self.letters().next()
    }

    /// Calls back with its letters in order: for inner loops.
    #[inline]
    pub(crate) fn each_letter(&self, mut each: impl FnMut(u32)) {
        match &self.set {
            Set::Bits(bits) => {
                for (first, &word) in (0..).step_by(64).zip(bits) {
                    let mut rest = word;
                    while rest != 0 {
                        each(first + rest.trailing_zeros());
                        rest &= rest - 1;
                    }
                }
            }
            Set::Few(list) => list.iter().for_each(|&letter| each(letter)),
            Set::AllBut(_) => self.letters().for_each(|letter| each(letter.0)),
        }
    }

    /// Its letters in order.
    pub fn letters(&self) -> impl Iterator<Item = Letter> + '_ {
        let (bits, few, all, mut missing): (&[u64], &[u32], u32, &[u32]) = match &self.set {
            Set::Bits(bits) => (bits, &[], 0, &[]),
            Set::Few(list) => (&[], list, 0, &[]),
            Set::AllBut(list) => (&[], &[], self.size, list),
        };
        let bits = bits.iter().enumerate().flat_map(|(index, &word)| {
            std::iter::successors(Some(word), |&rest| Some(rest & (rest.wrapping_sub(1))))
                .take_while(|&rest| rest != 0)
                .map(move |rest| index as u32 * 64 + rest.trailing_zeros())
        });
        let rest = (0..all).filter(move |letter| match missing.split_first() {
            Some((first, others)) if first == letter => {
                missing = others;
                false
            }
            _ => true,
        });
        bits.chain(few.iter().copied()).chain(rest).map(Letter)
    }
}

fn no_bits(size: u32) -> Bits {
    SmallVec::from_elem(0, size.div_ceil(64) as usize)
}

fn flipped(bits: &Bits, size: u32) -> Bits {
    let mut bits: Bits = bits.iter().map(|word| !word).collect();
    let used = size % 64;
    if let Some(last) = bits.last_mut().filter(|_| used != 0) {
        *last &= (1 << used) - 1;
    }
    bits
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
    use std::collections::BTreeSet;

    use super::*;
    use crate::testing::Random;

    fn alphabet(size: usize) -> Alphabet {
        Alphabet::new((0..size).map(|i| i.to_string())).unwrap()
    }

    #[test]
    fn complement_stays_within_the_alphabet() {
        for size in [0, 1, 63, 64, 65, 128, 129, 511, 512, 600, 5000] {
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

    #[test]
    fn sets_of_any_size_are_one_value_and_a_boolean_algebra() {
        for size in [511usize, 512, 1024, 2000, 6400] {
            let alphabet = alphabet(size);
            let counts = [
                0,
                1,
                2,
                size / 64 - 1,
                size / 64,
                size / 64 + 1,
                size / 2,
                size - 1,
            ];
            let mut sets: Vec<(BTreeSet<u32>, Predicate)> = Vec::new();
            for (seed, count) in (0u64..).zip(counts) {
                let mut random = Random::new(seed);
                let mut naive = BTreeSet::new();
                let mut set = Predicate::none(&alphabet);
                while naive.len() < count {
                    let letter = random.below(size as u32);
                    naive.insert(letter);
                    set.insert(Letter(letter));
                }
                let rest = (0..size as u32)
                    .filter(|letter| !naive.contains(letter))
                    .collect();
                sets.push((rest, set.not()));
                sets.push((naive, set));
            }
            for (naive, set) in &sets {
                let letters: Vec<u32> = set.letters().map(|letter| letter.0).collect();
                assert_eq!(letters, naive.iter().copied().collect::<Vec<_>>());
                assert_eq!(set.len(), naive.len());
                for (other_naive, other) in &sets {
                    let of = |letters: BTreeSet<u32>| {
                        Predicate::of(&alphabet, letters.into_iter().map(Letter))
                    };
                    assert_eq!(set.and(other), of(naive & other_naive));
                    assert_eq!(set.or(other), of(naive | other_naive));
                    assert_eq!(set.minus(other), of(naive - other_naive));
                    let mut more = set.clone();
                    more.or_assign(other);
                    assert_eq!(more, of(naive | other_naive));
                    assert_eq!(set.intersects(other), !naive.is_disjoint(other_naive));
                    assert_eq!(set.is_subset(other), naive.is_subset(other_naive));
                }
            }
        }
    }
}
