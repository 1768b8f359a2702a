//! The states of one transition system.

use std::fmt;

/// A state of one [`Lts`](crate::Lts): numbers from 0, or [`ERROR`].
///
/// ```
/// use quotient_lts::State;
/// let state = State::from_index(3);
/// assert_eq!((state.index(), state, size_of::<State>()), (3, State::from(3), 4));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct State(u32);

/// The error state. It is in no count of states, has no outgoing edges, and a composition is
/// in its error state as soon as one component is.
pub const ERROR: State = State(u32::MAX);

impl State {
    /// The state with this number in a table of all states.
    ///
    /// # Panics
    /// If the number does not fit in 32 bits, or is the one that stands for [`ERROR`].
    #[inline]
    pub fn from_index(index: usize) -> State {
        assert!(
            index < u32::MAX as usize,
            "a transition system has fewer than 2^32 - 1 states"
        );
        State(index as u32)
    }

    /// The number, to index a table of all states with: [`ERROR`] is in none.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The first so many states.
    ///
    /// # Panics
    /// As [`State::from_index`] does.
    pub fn first(count: usize) -> impl DoubleEndedIterator<Item = State> + Clone {
        (0..State::from_index(count).0).map(State)
    }
}

/// A number that has 32 bits already; the largest one is [`ERROR`].
impl From<u32> for State {
    #[inline]
    fn from(number: u32) -> State {
        State(number)
    }
}

impl From<State> for u32 {
    #[inline]
    fn from(state: State) -> u32 {
        state.0
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "fewer than")]
    fn no_number_becomes_the_error_state_unnoticed() {
        State::from_index(u32::MAX as usize);
    }

    #[test]
    fn the_first_states_come_in_order() {
        assert_eq!(
            State::first(3).map(State::index).collect::<Vec<_>>(),
            [0, 1, 2]
        );
        assert_eq!(State::first(0).next(), None);
    }
}
