//! Sets of small numbers, a bit each, and types for the numbers of one kind.
//!
//! Engines and plain models speak of sets of states: those that accept, those that can be reached,
//! those where a formula holds. [`Bits`] is what their signatures take and give. The bits are kept by
//! a crate from outside, which no signature names: it can be replaced without anybody noticing.
//!
//! ```
//! use quotient_bits::Bits;
//! let even: Bits = (0..10).step_by(2).collect();
//! let mut small = Bits::with_capacity(10);
//! small.insert_range(..5);
//! small.intersect_with(&even);
//! assert_eq!(small.ones().collect::<Vec<_>>(), [0, 2, 4]);
//! ```
//!
//! [`id!`] declares such a type: states, variables and choices are not taken for each other.

mod id;

use std::ops::{Bound, Index, Range, RangeBounds};

use fixedbitset::FixedBitSet;

/// A set of numbers below a fixed bound, its [length](Self::len).
///
/// Two sets are equal if they have the same length and the same numbers. Asking for a number
/// beyond the length is allowed and answered with no; putting one in is a mistake of the program
/// and panics, unless the set is [grown](Self::grow) before.
#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bits(FixedBitSet);

impl Bits {
    /// The empty set of numbers below none.
    pub const fn new() -> Self {
        Bits(FixedBitSet::new())
    }

    /// The empty set of numbers below `length`.
    pub fn with_capacity(length: usize) -> Self {
        Bits(FixedBitSet::with_capacity(length))
    }

    /// The bound of its numbers, not how many it has: that is [`count_ones`](Self::count_ones).
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the bound is 0. Whether there is no number in it says [`is_clear`](Self::is_clear).
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether it has no number.
    #[inline]
    pub fn is_clear(&self) -> bool {
        self.0.is_clear()
    }

    /// Makes room for numbers below `length`, if there is less.
    #[inline]
    pub fn grow(&mut self, length: usize) {
        self.0.grow(length);
    }

    /// Puts a number in, making room for it.
    #[inline]
    pub fn grow_and_insert(&mut self, number: usize) {
        self.0.grow_and_insert(number);
    }

    /// Whether the number is in it.
    #[inline]
    pub fn contains(&self, number: usize) -> bool {
        self.0.contains(number)
    }

    /// Puts a number in.
    #[inline]
    pub fn insert(&mut self, number: usize) {
        self.0.insert(number);
    }

    /// Puts a number in, and says whether it was there.
    #[inline]
    pub fn put(&mut self, number: usize) -> bool {
        self.0.put(number)
    }

    /// Takes a number out.
    #[inline]
    pub fn remove(&mut self, number: usize) {
        self.0.remove(number);
    }

    /// Puts a number in or takes it out.
    #[inline]
    pub fn set(&mut self, number: usize, is_in: bool) {
        self.0.set(number, is_in);
    }

    /// Puts all numbers of a range in.
    #[inline]
    pub fn insert_range(&mut self, range: impl RangeBounds<usize>) {
        let range = self.range(range);
        self.0.insert_range(range);
    }

    /// Puts all numbers of a range in or takes them out.
    #[inline]
    pub fn set_range(&mut self, range: impl RangeBounds<usize>, is_in: bool) {
        let range = self.range(range);
        self.0.set_range(range, is_in);
    }

    /// Takes those of a range out that are in it, and puts the others in.
    #[inline]
    pub fn toggle_range(&mut self, range: impl RangeBounds<usize>) {
        let range = self.range(range);
        self.0.toggle_range(range);
    }

    /// Takes all numbers out.
    #[inline]
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Its numbers, least first.
    #[inline]
    pub fn ones(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        self.0.ones()
    }

    /// How many numbers of a range it has; `..` for all.
    #[inline]
    pub fn count_ones(&self, range: impl RangeBounds<usize>) -> usize {
        self.0.count_ones(self.range(range))
    }

    /// Puts in all that the other has, making room for them.
    #[inline]
    pub fn union_with(&mut self, other: &Bits) {
        self.0.union_with(&other.0);
    }

    /// Keeps what the other has too.
    #[inline]
    pub fn intersect_with(&mut self, other: &Bits) {
        self.0.intersect_with(&other.0);
    }

    /// Takes out all that the other has.
    #[inline]
    pub fn difference_with(&mut self, other: &Bits) {
        self.0.difference_with(&other.0);
    }

    /// The numbers of both, least first.
    #[inline]
    pub fn intersection<'a>(&'a self, other: &'a Bits) -> impl Iterator<Item = usize> + 'a {
        self.0.intersection(&other.0)
    }

    /// Whether no number is in both.
    #[inline]
    pub fn is_disjoint(&self, other: &Bits) -> bool {
        self.0.is_disjoint(&other.0)
    }

    /// Whether the other has all of its numbers.
    #[inline]
    pub fn is_subset(&self, other: &Bits) -> bool {
        self.0.is_subset(&other.0)
    }

    /// A range with both ends said.
    #[inline]
    fn range(&self, range: impl RangeBounds<usize>) -> Range<usize> {
        let start = match range.start_bound() {
            Bound::Included(&first) => first,
            Bound::Excluded(&before) => before + 1,
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(&last) => last + 1,
            Bound::Excluded(&after) => after,
            Bound::Unbounded => self.len(),
        };
        start..end
    }
}

impl Clone for Bits {
    #[inline]
    fn clone(&self) -> Self {
        Bits(self.0.clone())
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

impl Index<usize> for Bits {
    type Output = bool;

    #[inline]
    fn index(&self, number: usize) -> &bool {
        &self.0[number]
    }
}

/// As long as its greatest number asks for.
impl FromIterator<usize> for Bits {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        Bits(numbers.into_iter().collect())
    }
}

/// Makes room where it is needed.
impl Extend<usize> for Bits {
    fn extend<I: IntoIterator<Item = usize>>(&mut self, numbers: I) {
        self.0.extend(numbers);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::btree_set;
    use proptest::prelude::*;

    use super::*;

    const LENGTH: usize = 150;

    fn bits(numbers: &BTreeSet<usize>) -> Bits {
        let mut bits = Bits::with_capacity(LENGTH);
        bits.extend(numbers.iter().copied());
        bits
    }

    fn numbers(bits: &Bits) -> BTreeSet<usize> {
        bits.ones().collect()
    }

    #[test]
    fn beyond_the_length_there_is_nothing() {
        let mut bits = Bits::new();
        assert!(bits.is_empty() && bits.is_clear() && !bits.contains(7));
        bits.grow_and_insert(7);
        assert_eq!((bits.len(), bits.contains(7), bits[3]), (8, true, false));
        bits.grow(5);
        assert_eq!(bits.len(), 8);
        bits.clear();
        assert!(!bits.is_empty() && bits.is_clear());
    }

    #[test]
    fn sets_of_other_lengths_are_others() {
        assert_ne!(Bits::with_capacity(3), Bits::with_capacity(4));
        assert_eq!(Bits::with_capacity(0), Bits::default());
    }

    proptest! {
        #[test]
        fn they_are_sets(one in btree_set(0..LENGTH, 0..40), two in btree_set(0..LENGTH, 0..40), x in 0..LENGTH, y in 0..LENGTH) {
            let (a, b) = (bits(&one), bits(&two));
            prop_assert_eq!(&numbers(&a), &one);
            prop_assert_eq!(a.is_subset(&b), one.is_subset(&two));
            prop_assert_eq!(a.is_disjoint(&b), one.is_disjoint(&two));
            prop_assert_eq!(a.intersection(&b).collect::<Vec<_>>(), one.intersection(&two).copied().collect::<Vec<_>>());
            let apply = |change: fn(&mut Bits, &Bits)| {
                let mut changed = a.clone();
                change(&mut changed, &b);
                numbers(&changed)
            };
            prop_assert_eq!(apply(Bits::union_with), &one | &two);
            prop_assert_eq!(apply(Bits::intersect_with), &one & &two);
            prop_assert_eq!(apply(Bits::difference_with), &one - &two);
            prop_assert_eq!(apply(Bits::clone_from), two.clone());
            let (x, y) = (x.min(y), x.max(y));
            prop_assert_eq!(a.count_ones(x..y), one.range(x..y).count());
            prop_assert_eq!(a.count_ones(x..=y), one.range(x..=y).count());
            prop_assert_eq!(a.count_ones(..), one.len());
            let mut ranged = a.clone();
            ranged.insert_range(x..y);
            prop_assert_eq!(numbers(&ranged), one.iter().copied().chain(x..y).collect::<BTreeSet<_>>());
            ranged.set_range(x.., false);
            prop_assert_eq!(numbers(&ranged), one.range(..x).copied().collect::<BTreeSet<_>>());
            ranged.toggle_range(..);
            prop_assert_eq!(ranged.count_ones(..), LENGTH - one.range(..x).count());
        }

        #[test]
        fn one_by_one(mut set in btree_set(0..LENGTH, 0..40), x in 0..LENGTH, is_in: bool) {
            let mut a = bits(&set);
            prop_assert_eq!(a.contains(x), set.contains(&x));
            prop_assert_eq!(a.put(x), !set.insert(x));
            a.set(x, is_in);
            if !is_in {
                set.remove(&x);
            }
            prop_assert_eq!(&numbers(&a), &set);
            a.insert(x);
            a.remove(x);
            set.remove(&x);
            prop_assert_eq!(&numbers(&a), &set);
            prop_assert_eq!(set.iter().copied().collect::<Bits>().len(), set.last().map_or(0, |last| last + 1));
        }
    }
}
