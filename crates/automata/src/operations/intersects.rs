//! Whether two languages share a word.

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use rustc_hash::FxHashSet;

use crate::{Dfa, State};

impl Dfa {
    /// Whether some word is accepted by both: [`Dfa::intersection`] and its emptiness, without
    /// building it.
    ///
    /// # Panics
    /// If the alphabets differ, which is a bug of the caller (see [`Nfa::over`](crate::Nfa::over)).
    pub fn intersects(&self, other: &Dfa, budget: &Budget) -> Result<bool, Stop> {
        assert_eq!(self.alphabet(), other.alphabet());
        let columns = self.joint_columns(other);
        let mut seen = Seen::new(self.len(), other.len());
        let mut waiting = vec![(self.initial(), other.initial())];
        seen.insert(self.initial(), other.initial());
        while let Some((left, right)) = waiting.pop() {
            if self.is_accepting(left) && other.is_accepting(right) {
                return Ok(true);
            }
            budget.poll()?;
            let (left, right) = (self.row(left), other.row(right));
            for &(a, b) in &columns {
                let (left, right) = (left[a as usize], right[b as usize]);
                if left != Dfa::NONE && right != Dfa::NONE && seen.insert(State(left), State(right))
                {
                    waiting.push((State(left), State(right)));
                }
            }
        }
        Ok(false)
    }

    /// The pairs of columns, one of each automaton, that share a letter.
    fn joint_columns(&self, other: &Dfa) -> Vec<(u32, u32)> {
        let mut columns: Vec<(u32, u32)> = self
            .alphabet()
            .letters()
            .map(|letter| {
                (
                    self.minterms().class_of(letter),
                    other.minterms().class_of(letter),
                )
            })
            .collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }
}

/// The pairs seen: a bit each where that is small.
enum Seen {
    Dense(Bits, usize),
    Sparse(FxHashSet<(State, State)>),
}

impl Seen {
    fn new(left: usize, right: usize) -> Seen {
        const MOST_BITS: usize = 1 << 24;
        match left.checked_mul(right).filter(|&bits| bits <= MOST_BITS) {
            Some(bits) => Seen::Dense(Bits::with_capacity(bits), right),
            None => Seen::Sparse(FxHashSet::default()),
        }
    }

    /// Whether the pair was not there yet.
    #[inline]
    fn insert(&mut self, left: State, right: State) -> bool {
        match self {
            Seen::Dense(bits, width) => !bits.put(left.index() * *width + right.index()),
            Seen::Sparse(pairs) => pairs.insert((left, right)),
        }
    }
}
