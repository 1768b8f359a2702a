//! Growing the alphabet of an assumption.
//!
//! A small alphabet makes small assumptions, but stronger ones: what an environment does
//! outside it cannot be asked of the environment. When a violation under the present alphabet
//! is none under the whole interface, comparing the environment's trace with the component's
//! shows an action that matters (Gheorghiu, Giannakopoulou and Păsăreanu, 2007).

use std::collections::BTreeSet;

use crate::Action;

/// Over which actions an assumption speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Alphabet {
    /// All that the component and its environment share.
    Whole,
    /// Few actions at first, more as false alarms ask for them.
    Refined {
        /// The actions at first.
        start: Start,
        /// How to find more.
        heuristic: Heuristic,
    },
}

impl Default for Alphabet {
    fn default() -> Self {
        Alphabet::Refined {
            start: Start::Property,
            heuristic: Heuristic::Backward,
        }
    }
}

/// The actions that alphabet refinement starts with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Start {
    /// None.
    Empty,
    /// Those of the property that are in the interface.
    #[default]
    Property,
}

/// How to find the actions that tell two traces apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Heuristic {
    /// All actions in one of the traces and not in the other.
    AllDifference,
    /// The actions at the first place where they differ.
    Forward,
    /// The actions at the last place where they differ, counted from the end.
    #[default]
    Backward,
}

impl Heuristic {
    /// Actions outside `known` that tell two different words over the interface apart, which
    /// agree on the actions in `known`; at least one.
    ///
    /// One word may be the beginning, or the end, of the other: then they differ where the
    /// shorter has nothing. And they may have the same actions in another order, which the
    /// difference of their sets does not show: then the first place decides.
    pub(crate) fn choose(self, left: &[Action], right: &[Action], known: &[Action]) -> Vec<Action> {
        let found: BTreeSet<Action> = match self {
            Heuristic::AllDifference => {
                let of = |word: &[Action]| word.iter().copied().collect::<BTreeSet<Action>>();
                of(left).symmetric_difference(&of(right)).copied().collect()
            }
            Heuristic::Forward => first_difference(left.iter(), right.iter()),
            Heuristic::Backward => first_difference(left.iter().rev(), right.iter().rev()),
        };
        let new = |found: BTreeSet<Action>| -> Vec<Action> {
            let outside = |action: &Action| known.binary_search(action).is_err();
            found.into_iter().filter(outside).collect()
        };
        match new(found) {
            none if none.is_empty() => new(first_difference(left.iter(), right.iter())),
            some => some,
        }
    }
}

/// The actions at the first place where two sequences differ.
fn first_difference<'a>(
    mut left: impl Iterator<Item = &'a Action>,
    mut right: impl Iterator<Item = &'a Action>,
) -> BTreeSet<Action> {
    loop {
        match (left.next(), right.next()) {
            (Some(l), Some(r)) if l == r => {}
            (l, r) => return l.into_iter().chain(r).copied().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn word(letters: &[usize]) -> Vec<Action> {
        letters
            .iter()
            .map(|&letter| Action::from_index(letter))
            .collect()
    }

    #[test]
    fn equal_sets_in_another_order_are_told_apart() {
        // Known is 1; the traces are 2 1 and 1 2.
        let new = Heuristic::AllDifference.choose(&word(&[2, 1]), &word(&[1, 2]), &word(&[1]));
        assert_eq!(new, word(&[2]));
    }

    proptest! {
        #[test]
        fn every_heuristic_makes_progress(
            left in proptest::collection::vec(1usize..6, 0..8),
            right in proptest::collection::vec(1usize..6, 0..8),
            known in proptest::collection::btree_set(1usize..6, 0..5),
        ) {
            let keep = |word: &[usize]| word.iter().filter(|l| known.contains(l)).copied().collect::<Vec<_>>();
            prop_assume!(left != right && keep(&left) == keep(&right));
            let known: Vec<Action> = word(&known.iter().copied().collect::<Vec<_>>());
            for heuristic in [Heuristic::AllDifference, Heuristic::Forward, Heuristic::Backward] {
                prop_assert!(!heuristic.choose(&word(&left), &word(&right), &known).is_empty());
            }
        }
    }
}
