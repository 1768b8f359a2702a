//! Deterministic automata.

use fixedbitset::FixedBitSet;

use crate::{Alphabet, Letter, Minterms, Nfa, State};

/// A deterministic, possibly partial automaton on a dense table.
///
/// The columns of the table are [`Minterms`], the rows states; a missing entry means that no
/// word with that beginning is accepted. There is always an initial state.
#[derive(Debug, Clone)]
pub struct Dfa {
    alphabet: Alphabet,
    minterms: Minterms,
    initial: State,
    accepting: FixedBitSet,
    /// Row-major; [`Dfa::NONE`] where there is no move.
    table: Vec<u32>,
}

impl Dfa {
    /// The entry of the table where there is no move.
    pub const NONE: u32 = u32::MAX;

    /// An automaton with the given table: one row for each state (their number is the length
    /// of `accepting`), one column for each class of `minterms`.
    ///
    /// # Panics
    /// If the sizes do not fit together, which is a bug of the caller.
    pub fn from_table(
        alphabet: &Alphabet,
        minterms: Minterms,
        initial: State,
        accepting: FixedBitSet,
        table: Vec<u32>,
    ) -> Dfa {
        assert_eq!(table.len(), accepting.len() * minterms.len());
        assert!(initial.index() < accepting.len());
        Dfa {
            alphabet: alphabet.clone(),
            minterms,
            initial,
            accepting,
            table,
        }
    }

    /// The alphabet.
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// The classes of letters that are the columns.
    pub fn minterms(&self) -> &Minterms {
        &self.minterms
    }

    /// The number of states, at least one.
    #[allow(
        clippy::len_without_is_empty,
        reason = "there is always an initial state"
    )]
    pub fn len(&self) -> usize {
        self.accepting.len()
    }

    /// The initial state.
    pub fn initial(&self) -> State {
        self.initial
    }

    /// The accepting states, by number.
    pub fn accepting(&self) -> &FixedBitSet {
        &self.accepting
    }

    /// Whether a state accepts.
    #[inline]
    pub fn is_accepting(&self, state: State) -> bool {
        self.accepting.contains(state.index())
    }

    /// The row of a state: for each class the number of the next state, or [`Dfa::NONE`].
    #[inline]
    pub fn row(&self, state: State) -> &[u32] {
        let width = self.minterms.len();
        &self.table[state.index() * width..(state.index() + 1) * width]
    }

    /// The whole table, row by row.
    pub fn table(&self) -> &[u32] {
        &self.table
    }

    /// Where a letter leads.
    pub fn step(&self, state: State, letter: Letter) -> Option<State> {
        match self.row(state)[self.minterms.class_of(letter) as usize] {
            Dfa::NONE => None,
            next => Some(State(next)),
        }
    }

    /// Whether the word is accepted.
    pub fn accepts(&self, word: &[Letter]) -> bool {
        word.iter()
            .try_fold(self.initial, |state, &letter| self.step(state, letter))
            .is_some_and(|state| self.is_accepting(state))
    }

    /// The same automaton as an [`Nfa`], state for state.
    pub fn to_nfa(&self) -> Nfa {
        let mut builder = Nfa::builder(&self.alphabet).states(self.len() as u32);
        builder.add_initial(self.initial);
        self.accepting
            .ones()
            .for_each(|state| builder.add_accepting(State(state as u32)));
        for state in (0..self.len() as u32).map(State) {
            for (class, &next) in self.row(state).iter().enumerate() {
                if next != Dfa::NONE {
                    builder.add_edge(state, self.minterms.members(class as u32), State(next));
                }
            }
        }
        builder.build()
    }
}

impl From<&Dfa> for Nfa {
    fn from(dfa: &Dfa) -> Nfa {
        dfa.to_nfa()
    }
}
