//! Numbers for pairs of states, given in the order in which they are met.

use rustc_hash::FxHashMap;

use crate::State;

/// The pairs met so far, and those of them that wait to be looked at.
pub(super) struct Pairing {
    numbers: FxHashMap<(State, State), State>,
    pairs: Vec<(State, State)>,
    next: usize,
}

impl Pairing {
    pub(super) fn new() -> Pairing {
        Pairing {
            numbers: FxHashMap::default(),
            pairs: Vec::new(),
            next: 0,
        }
    }

    /// The number of a pair; a new pair will be handed out by [`Pairing::next`].
    pub(super) fn number(&mut self, left: State, right: State) -> State {
        let new = State(self.pairs.len() as u32);
        let number = *self.numbers.entry((left, right)).or_insert(new);
        if number == new {
            self.pairs.push((left, right));
        }
        number
    }

    /// The next pair that was not looked at, with its number.
    pub(super) fn next(&mut self) -> Option<(State, State, State)> {
        let &(left, right) = self.pairs.get(self.next)?;
        self.next += 1;
        Some((State(self.next as u32 - 1), left, right))
    }
}
