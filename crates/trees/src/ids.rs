//! Numbers that are dense in their table, each kind a type of its own.

/// A type for numbers of one kind, with what all of them have.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $too_many:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(transparent)]
        pub struct $name(u32);

        impl $name {
            /// The one with this number.
            ///
            /// # Panics
            /// If the number does not fit in 32 bits.
            #[inline]
            pub fn from_index(index: usize) -> $name {
                match u32::try_from(index) {
                    Ok(number) => $name(number),
                    Err(_) => panic!($too_many),
                }
            }

            /// The number, to index a table with.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

id! {
    /// A symbol, by its place in an [`Alphabet`](crate::Alphabet).
    ///
    /// ```
    /// use quotient_trees::Alphabet;
    /// let mut alphabet = Alphabet::default();
    /// assert_eq!(alphabet.add("leaf", 0).index(), 0);
    /// assert_eq!(alphabet.add("node", 2).index(), 1);
    /// ```
    Symbol, "an alphabet has fewer than 2^32 symbols"
}

id! {
    /// A state of a [`TreeAutomaton`](crate::TreeAutomaton) or a
    /// [`Transducer`](crate::Transducer), by number.
    ///
    /// ```
    /// use quotient_trees::State;
    /// let state = State::from_index(7);
    /// assert_eq!((state.index(), state.to_string()), (7, "7".to_owned()));
    /// ```
    State, "an automaton has fewer than 2^32 states"
}
