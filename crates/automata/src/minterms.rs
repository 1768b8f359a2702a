//! Letters that nobody tells apart.

use std::sync::Arc;

use crate::{Alphabet, Letter, Predicate};

/// A partition of the alphabet into the classes that a set of predicates cannot tell apart.
///
/// Algorithms that want letters one by one take a class at a time instead: six hundred letters
/// used in six ways cost as much as six. Classes are numbered by their first letter, so equal
/// partitions are equal values. Letters in no predicate at all form a class like any other.
/// A clone is the same partition again and costs nothing: every deterministic automaton has one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Minterms(Arc<Classes>);

#[derive(Debug, PartialEq, Eq, Hash)]
struct Classes {
    class_of: Vec<u32>,
    members: Vec<Predicate>,
    /// The first letter of each class.
    representatives: Vec<Letter>,
}

impl Minterms {
    /// The coarsest partition in which every given predicate is a union of classes.
    pub fn new<'a>(
        alphabet: &Alphabet,
        predicates: impl IntoIterator<Item = &'a Predicate>,
    ) -> Minterms {
        let mut split = Splitter::new(alphabet.len());
        for predicate in predicates {
            if split.classes == alphabet.len() {
                break;
            }
            split.by(predicate);
        }
        Minterms::from_classes(alphabet, split.class_of, split.classes)
    }

    /// Every letter a class of its own.
    pub fn singletons(alphabet: &Alphabet) -> Minterms {
        let classes = (0..alphabet.len() as u32).collect();
        Minterms::from_classes(alphabet, classes, alphabet.len())
    }

    /// The coarser partition in which the classes with the same value of `group` are one.
    pub(crate) fn merged(&self, alphabet: &Alphabet, group: &[u32]) -> Minterms {
        let class_of = self
            .0
            .class_of
            .iter()
            .map(|&class| group[class as usize])
            .collect();
        let groups = group.iter().max().map_or(0, |&last| last as usize + 1);
        Minterms::from_classes(alphabet, class_of, groups)
    }

    /// The partition by a number for each letter, all numbers below `classes` in use.
    fn from_classes(alphabet: &Alphabet, mut class_of: Vec<u32>, classes: usize) -> Minterms {
        let mut number = vec![u32::MAX; classes];
        let mut members: Vec<Predicate> = Vec::with_capacity(classes);
        let mut representatives = Vec::with_capacity(classes);
        for letter in alphabet.letters() {
            let class = &mut class_of[letter.index()];
            if number[*class as usize] == u32::MAX {
                number[*class as usize] = members.len() as u32;
                members.push(Predicate::none(alphabet));
                representatives.push(letter);
            }
            *class = number[*class as usize];
            members[*class as usize].insert(letter);
        }
        Minterms(Arc::new(Classes {
            class_of,
            members,
            representatives,
        }))
    }

    /// The number of classes.
    pub fn len(&self) -> usize {
        self.0.members.len()
    }

    /// Whether there are no classes, because there are no letters.
    pub fn is_empty(&self) -> bool {
        self.0.members.is_empty()
    }

    /// The class of a letter.
    #[inline]
    pub fn class_of(&self, letter: Letter) -> u32 {
        self.0.class_of[letter.index()]
    }

    /// The letters of a class.
    pub fn members(&self, class: u32) -> &Predicate {
        &self.0.members[class as usize]
    }

    /// The letter that stands for a class: its first.
    pub fn representative(&self, class: u32) -> Letter {
        self.0.representatives[class as usize]
    }

    /// The classes that meet the predicate: they make it up, if it is one of those that the
    /// partition was made for.
    pub fn classes_in(&self, predicate: &Predicate) -> Vec<u32> {
        let mut classes = Vec::new();
        self.each_class_in(predicate, |class| classes.push(class));
        classes
    }

    /// Calls back with the classes that meet the predicate, in order.
    #[inline]
    pub(crate) fn each_class_in(&self, predicate: &Predicate, mut each: impl FnMut(u32)) {
        if predicate.len() < self.len() {
            predicate.each_letter(|letter| {
                let class = self.class_of(Letter(letter));
                if self.representative(class) == Letter(letter) {
                    each(class);
                }
            });
            return;
        }
        for (class, &letter) in (0..).zip(&self.0.representatives) {
            if predicate.contains(letter) {
                each(class);
            }
        }
    }

    /// The partition that tells apart what either tells apart.
    pub fn common_refinement(&self, alphabet: &Alphabet, other: &Minterms) -> Minterms {
        Minterms::new(alphabet, self.0.members.iter().chain(&other.0.members))
    }
}

/// Partition refinement on letters: splitting by a predicate costs its letters or those that it
/// lacks, whichever are fewer, whatever the number of classes.
struct Splitter {
    class_of: Vec<u32>,
    classes: usize,
    sizes: Vec<u32>,
    /// How many letters of each class are in the predicate at hand.
    inside: Vec<u32>,
    /// The number that the inside part of a class gets.
    part: Vec<u32>,
    /// The classes with letters in the predicate at hand.
    touched: Vec<u32>,
}

impl Splitter {
    fn new(letters: usize) -> Splitter {
        Splitter {
            class_of: vec![0; letters],
            classes: letters.min(1),
            sizes: vec![letters as u32; letters.min(1)],
            inside: vec![0; letters.min(1)],
            part: vec![0; letters.min(1)],
            touched: Vec::new(),
        }
    }

    fn by(&mut self, predicate: &Predicate) {
        let rest;
        let mut predicate = predicate;
        if predicate.len() > self.class_of.len() / 2 {
            rest = predicate.not();
            predicate = &rest;
        }
        predicate.each_letter(|letter| {
            let class = self.class_of[letter as usize];
            let inside = &mut self.inside[class as usize];
            if *inside == 0 {
                self.touched.push(class);
            }
            *inside += 1;
        });
        for &class in &self.touched {
            let class = class as usize;
            let inside = std::mem::take(&mut self.inside[class]);
            self.part[class] = class as u32;
            if inside != self.sizes[class] {
                self.part[class] = self.sizes.len() as u32;
                self.sizes[class] -= inside;
                self.sizes.push(inside);
            }
        }
        self.touched.clear();
        self.classes = self.sizes.len();
        self.inside.resize(self.classes, 0);
        self.part.resize(self.classes, 0);
        predicate.each_letter(|letter| {
            let class = &mut self.class_of[letter as usize];
            *class = self.part[*class as usize];
        });
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
