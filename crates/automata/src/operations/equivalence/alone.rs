//! Equivalence of deterministic automata without preparation, state by state.

use crate::{Nfa, State};

/// How many pairs of edges two states may have for all of them to be tried.
const MOST_PAIRS: usize = 64;

/// Whether two automata accept the same words, as far as each word leads to one state at most on both sides;
/// nothing where it does not, or where letters or edges are so many that preparing pays.
///
/// Pairs of states that a word leads to are merged with a union-find (Hopcroft and Karp 1971), as
/// [`super::merging`] does with sets of states; one more state stands for having none.
pub(super) fn are_equivalent(left: &Nfa, right: &Nfa) -> Option<bool> {
    let (&[first], &[second]) = (left.initial(), right.initial()) else {
        return None;
    };
    if left.alphabet().len() > 128 {
        return None;
    }
    let mut merging = Merging {
        sides: [left, right],
        parents: (0..(left.len() + right.len()) as u32 + 1).collect(),
        waiting: Vec::new(),
    };
    merging.meet(Some(first), Some(second));
    while let Some((one, other)) = merging.waiting.pop() {
        let rows = [merging.row(0, one)?, merging.row(1, other)?];
        let accepts = |side: usize, state: Option<State>| {
            state.is_some_and(|state| merging.sides[side].is_accepting(state))
        };
        if accepts(0, one) != accepts(1, other) {
            return Some(false);
        }
        merging.meet_next(&rows)?;
    }
    Some(true)
}

/// The edges of a state, and all letters on them.
type Row = (Vec<(u128, State)>, u128);

struct Merging<'a> {
    sides: [&'a Nfa; 2],
    /// The union-find: the states of the left one, those of the right one, and none.
    parents: Vec<u32>,
    waiting: Vec<(Option<State>, Option<State>)>,
}

impl Merging<'_> {
    /// The edges of a state; nothing if a letter is on two of them, or one reads none.
    fn row(&self, side: usize, state: Option<State>) -> Option<Row> {
        let (mut edges, mut letters) = (Vec::new(), 0);
        let nfa = self.sides[side];
        for edge in state.iter().flat_map(|&state| nfa.edges_from(state)) {
            let label = nfa.label(edge).as_ref()?.small()?;
            if letters & label != 0 {
                return None;
            }
            letters |= label;
            edges.push((label, edge.target));
        }
        Some((edges, letters))
    }

    /// Meets the pairs that a letter leads to.
    fn meet_next(&mut self, [(left, on_left), (right, on_right)]: &[Row; 2]) -> Option<()> {
        if left.len() * right.len() > MOST_PAIRS {
            return None;
        }
        for &(label, target) in left {
            for &(other, with) in right {
                if label & other != 0 {
                    self.meet(Some(target), Some(with));
                }
            }
            if label & !on_right != 0 {
                self.meet(Some(target), None);
            }
        }
        for &(label, target) in right {
            if label & !on_left != 0 {
                self.meet(None, Some(target));
            }
        }
        Some(())
    }

    /// Meets a pair, to be looked at later unless it is merged already.
    fn meet(&mut self, left: Option<State>, right: Option<State>) {
        let none = self.parents.len() as u32 - 1;
        let shift = self.sides[0].len() as u32;
        let one = self.find(left.map_or(none, |state| state.0));
        let other = self.find(right.map_or(none, |state| shift + state.0));
        if one != other {
            self.parents[one.max(other) as usize] = one.min(other);
            self.waiting.push((left, right));
        }
    }

    fn find(&mut self, mut state: u32) -> u32 {
        loop {
            let parent = self.parents[state as usize];
            if parent == state {
                return state;
            }
            let above = self.parents[parent as usize];
            self.parents[state as usize] = above;
            state = above;
        }
    }
}

#[cfg(test)]
mod tests {
    use quotient_core::Budget;

    use super::*;
    use crate::testing::{self, Random};

    #[test]
    fn what_is_told_is_whether_canonical_automata_are_equal() {
        let budget = Budget::unlimited();
        let (mut told, mut equal) = (0, 0);
        for (alphabet, _) in testing::alphabets() {
            for seed in 0..100 {
                let mut random = Random::new(seed);
                let one = testing::nfa(&mut random, &alphabet, 5);
                let other = testing::nfa(&mut random, &alphabet, 5);
                let dfas = [&one, &other].map(|nfa| nfa.determinize(&budget).unwrap());
                let [first, second] = dfas.each_ref().map(|dfa| dfa.to_nfa());
                let complete = dfas[0].complete().to_nfa();
                let minimal = one.canonical(&budget).unwrap().to_nfa();
                let all = [&one, &other, &first, &second, &complete, &minimal];
                for left in all {
                    for right in all {
                        let naive =
                            left.canonical(&budget).unwrap() == right.canonical(&budget).unwrap();
                        assert_eq!(left.is_equivalent_to(right, &budget), Ok(naive));
                        if let Some(answer) = are_equivalent(left, right) {
                            assert_eq!(answer, naive, "{} letters, seed {seed}", alphabet.len());
                            told += 1;
                            equal += u32::from(answer);
                        }
                    }
                }
            }
        }
        assert!(told > 2000 && equal > 1000, "{told}, {equal}");
    }
}
