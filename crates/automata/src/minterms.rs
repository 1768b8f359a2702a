//! Letters that nobody tells apart.

use crate::{Alphabet, Letter, Predicate};

/// A partition of the alphabet into the classes that a set of predicates cannot tell apart.
///
/// Algorithms that want letters one by one take a class at a time instead: six hundred letters
/// used in six ways cost as much as six. Classes are numbered by their first letter, so equal
/// partitions are equal values. Letters in no predicate at all form a class like any other.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Minterms {
    class_of: Vec<u32>,
    members: Vec<Predicate>,
}

impl Minterms {
    /// The coarsest partition in which every given predicate is a union of classes.
    pub fn new<'a>(
        alphabet: &Alphabet,
        predicates: impl IntoIterator<Item = &'a Predicate>,
    ) -> Minterms {
        let mut members = Vec::new();
        if !alphabet.is_empty() {
            members.push(Predicate::all(alphabet));
        }
        for predicate in predicates {
            for i in 0..members.len() {
                let inside = members[i].and(predicate);
                if inside.is_empty() || inside == members[i] {
                    continue;
                }
                let outside = members[i].minus(predicate);
                members[i] = inside;
                members.push(outside);
            }
            if members.len() == alphabet.len() {
                break;
            }
        }
        Minterms::from_members(alphabet.len(), members)
    }

    /// Every letter a class of its own.
    pub fn singletons(alphabet: &Alphabet) -> Minterms {
        let members = alphabet
            .letters()
            .map(|letter| Predicate::of(alphabet, [letter]))
            .collect();
        Minterms::from_members(alphabet.len(), members)
    }

    fn from_members(letters: usize, mut members: Vec<Predicate>) -> Minterms {
        members.sort_by_key(Predicate::first);
        let mut class_of = vec![0; letters];
        for (class, letters) in members.iter().enumerate() {
            letters
                .letters()
                .for_each(|letter| class_of[letter.index()] = class as u32);
        }
        Minterms { class_of, members }
    }

    /// The number of classes.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there are no classes, because there are no letters.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The class of a letter.
    #[inline]
    pub fn class_of(&self, letter: Letter) -> u32 {
        self.class_of[letter.index()]
    }

    /// The letters of a class.
    pub fn members(&self, class: u32) -> &Predicate {
        &self.members[class as usize]
    }

    /// The letter that stands for a class: its first.
    pub fn representative(&self, class: u32) -> Letter {
        self.members[class as usize].first().unwrap_or(Letter(0))
    }

    /// The classes that meet the predicate: they make it up, if it is one of those that the
    /// partition was made for.
    pub fn classes_in(&self, predicate: &Predicate) -> Vec<u32> {
        (0..self.len() as u32)
            .filter(|&class| predicate.contains(self.representative(class)))
            .collect()
    }

    /// The partition that tells apart what either tells apart.
    pub fn common_refinement(&self, alphabet: &Alphabet, other: &Minterms) -> Minterms {
        Minterms::new(alphabet, self.members.iter().chain(&other.members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_what_no_predicate_splits() {
        let alphabet = Alphabet::new(["a", "b", "c", "d"]).unwrap();
        let (ab, bc) = (
            alphabet.set(["a", "b"]).unwrap(),
            alphabet.set(["b", "c"]).unwrap(),
        );
        let minterms = Minterms::new(&alphabet, [&ab, &bc]);
        assert_eq!(minterms.len(), 4);
        assert_eq!(minterms.classes_in(&ab), [0, 1]);
        let coarse = Minterms::new(&alphabet, [&ab]);
        assert_eq!(coarse.len(), 2);
        assert_eq!(
            coarse.common_refinement(&alphabet, &Minterms::new(&alphabet, [&bc])),
            minterms
        );
    }

    #[test]
    fn no_letters_no_classes() {
        let alphabet = Alphabet::new::<&str>([]).unwrap();
        assert!(Minterms::new(&alphabet, []).is_empty());
    }
}
