//! Deterministic automata.

use std::borrow::Cow;

use quotient_bits::Bits;

use crate::{Alphabet, Letter, Minterms, Nfa, State};

/// A deterministic, possibly partial automaton on a table.
///
/// The columns of the table are [`Minterms`], the rows states; a missing entry means that no
/// word with that beginning is accepted. There is always an initial state. A wide table that is
/// almost empty is kept as lists of moves ([`Dfa::moves`]); [`Dfa::row`] and [`Dfa::table`]
/// write it out each time they are asked.
#[derive(Debug, Clone)]
pub struct Dfa {
    alphabet: Alphabet,
    minterms: Minterms,
    initial: State,
    accepting: Bits,
    table: Table,
}

/// Which of the two it is depends on the moves alone, so that equal tables are equal values.
#[derive(Debug, Clone)]
enum Table {
    /// Row-major; [`Dfa::NONE`] where there is no move.
    Dense(Vec<u32>),
    Sparse(SparseTable),
}

/// Moves by state: class and target, in the order of classes.
#[derive(Debug, Clone)]
struct SparseTable {
    moves: Vec<(u32, u32)>,
    /// Where the moves of each state end, after a first zero.
    ends: Vec<usize>,
}

/// Tables with fewer columns are never kept as lists.
const WIDE: usize = 256;

/// How many entries of a wide table are there for each move of one that is kept as lists.
const ENTRIES_A_MOVE: usize = 8;

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
        accepting: Bits,
        table: Vec<u32>,
    ) -> Dfa {
        assert_eq!(table.len(), accepting.len() * minterms.len());
        assert!(initial.index() < accepting.len());
        let width = minterms.len();
        let dfa = Dfa {
            alphabet: alphabet.clone(),
            minterms,
            initial,
            accepting,
            table: Table::Dense(table),
        };
        if width < WIDE {
            return dfa;
        }
        let mut moves = 0;
        for state in 0..dfa.len() as u32 {
            dfa.each_move(State(state), |_, _| moves += 1);
        }
        match is_sparse(moves, dfa.len(), width) {
            true => Dfa {
                table: Table::Sparse(SparseTable::of(
                    (0..dfa.len()).map(|state| dfa.moves(State(state as u32))),
                )),
                ..dfa
            },
            false => dfa,
        }
    }

    /// An automaton with the given moves of each state: class and target, in the order of
    /// classes. Memory is in the number of moves if the table is wide and almost empty.
    ///
    /// # Panics
    /// If the sizes do not fit together, which is a bug of the caller.
    pub fn from_moves<M: IntoIterator<Item = (u32, u32)>>(
        alphabet: &Alphabet,
        minterms: Minterms,
        initial: State,
        accepting: Bits,
        moves: impl IntoIterator<Item = M>,
    ) -> Dfa {
        assert!(initial.index() < accepting.len());
        let (states, width) = (accepting.len(), minterms.len());
        let table = if width < WIDE {
            let mut table = vec![Dfa::NONE; states * width];
            let mut rows = 0;
            for row in moves {
                for (class, next) in row {
                    table[rows * width + class as usize] = next;
                }
                rows += 1;
            }
            assert_eq!(rows, states);
            Table::Dense(table)
        } else {
            let sparse = SparseTable::of(moves);
            assert_eq!(sparse.ends.len(), states + 1);
            match is_sparse(sparse.moves.len(), states, width) {
                true => Table::Sparse(sparse),
                false => Table::Dense(sparse.written_out(width)),
            }
        };
        Dfa {
            alphabet: alphabet.clone(),
            minterms,
            initial,
            accepting,
            table,
        }
    }

    /// The same moves, and the other states accept: of an automaton without gaps the complement.
    pub(crate) fn turned(mut self) -> Dfa {
        self.accepting.toggle_range(..);
        self
    }

    /// How many entries the table has as it is kept.
    pub(crate) fn entries(&self) -> usize {
        match &self.table {
            Table::Dense(table) => table.len(),
            Table::Sparse(table) => table.moves.len(),
        }
    }

    /// Whether the table is kept as lists of moves, as it is wide and almost empty.
    pub(crate) fn is_sparse(&self) -> bool {
        matches!(self.table, Table::Sparse(_))
    }

    /// The moves of a state: class and target, in the order of classes.
    #[inline]
    pub fn moves(&self, state: State) -> impl Iterator<Item = (u32, u32)> {
        let (dense, sparse): (&[u32], &[(u32, u32)]) = match &self.table {
            Table::Dense(table) => {
                let width = self.minterms.len();
                (&table[state.index() * width..][..width], &[])
            }
            Table::Sparse(table) => (&[], table.row(state)),
        };
        let dense = (0u32..).zip(dense).filter(|&(_, &next)| next != Dfa::NONE);
        dense
            .map(|(class, &next)| (class, next))
            .chain(sparse.iter().copied())
    }

    /// Calls back with each move of a state, class and target, in the order of classes: for
    /// inner loops.
    #[inline]
    pub(crate) fn each_move(&self, state: State, mut each: impl FnMut(u32, u32)) {
        match &self.table {
            Table::Dense(table) => {
                let width = self.minterms.len();
                let row = &table[state.index() * width..][..width];
                for (class, &next) in (0u32..).zip(row) {
                    if next != Dfa::NONE {
                        each(class, next);
                    }
                }
            }
            Table::Sparse(table) => {
                (table.row(state).iter()).for_each(|&(class, next)| each(class, next));
            }
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
    pub fn accepting(&self) -> &Bits {
        &self.accepting
    }

    /// Whether a state accepts.
    #[inline]
    pub fn is_accepting(&self, state: State) -> bool {
        self.accepting.contains(state.index())
    }

    /// The row of a state: for each class the number of the next state, or [`Dfa::NONE`].
    #[inline]
    pub fn row(&self, state: State) -> Cow<'_, [u32]> {
        let width = self.minterms.len();
        match &self.table {
            Table::Dense(table) => Cow::Borrowed(&table[state.index() * width..][..width]),
            Table::Sparse(table) => {
                let mut row = vec![Dfa::NONE; width];
                for &(class, next) in table.row(state) {
                    row[class as usize] = next;
                }
                Cow::Owned(row)
            }
        }
    }

    /// The whole table, row by row.
    #[inline]
    pub fn table(&self) -> Cow<'_, [u32]> {
        match &self.table {
            Table::Dense(table) => Cow::Borrowed(table),
            Table::Sparse(table) => Cow::Owned(table.written_out(self.minterms.len())),
        }
    }

    /// Where a letter leads.
    pub fn step(&self, state: State, letter: Letter) -> Option<State> {
        let class = self.minterms.class_of(letter);
        let next = match &self.table {
            Table::Dense(table) => table[state.index() * self.minterms.len() + class as usize],
            Table::Sparse(table) => {
                let row = table.row(state);
                let at = row.binary_search_by_key(&class, |&(class, _)| class);
                at.map_or(Dfa::NONE, |at| row[at].1)
            }
        };
        (next != Dfa::NONE).then_some(State(next))
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
        let mut labels = vec![Dfa::NONE; self.minterms.len()];
        for state in (0..self.len() as u32).map(State) {
            for (class, next) in self.moves(state) {
                let label = &mut labels[class as usize];
                if *label == Dfa::NONE {
                    *label = builder.label(self.minterms.members(class));
                }
                builder.add_numbered_edge(state, *label, State(next));
            }
        }
        builder.build()
    }
}

impl PartialEq for Dfa {
    fn eq(&self, other: &Dfa) -> bool {
        let same_moves = match (&self.table, &other.table) {
            (Table::Dense(left), Table::Dense(right)) => left == right,
            (Table::Sparse(left), Table::Sparse(right)) => {
                (&left.moves, &left.ends) == (&right.moves, &right.ends)
            }
            _ => false,
        };
        same_moves
            && self.initial == other.initial
            && self.accepting == other.accepting
            && self.minterms == other.minterms
            && self.alphabet == other.alphabet
    }
}

impl Eq for Dfa {}

impl std::hash::Hash for Dfa {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        match &self.table {
            Table::Dense(table) => table.hash(hasher),
            Table::Sparse(table) => table.moves.hash(hasher),
        }
        self.accepting.hash(hasher);
    }
}

/// Whether so many moves are to be kept as lists.
fn is_sparse(moves: usize, states: usize, width: usize) -> bool {
    width >= WIDE && moves.saturating_mul(ENTRIES_A_MOVE) <= states.saturating_mul(width)
}

impl SparseTable {
    fn of<M: IntoIterator<Item = (u32, u32)>>(rows: impl IntoIterator<Item = M>) -> SparseTable {
        let mut table = SparseTable {
            moves: Vec::new(),
            ends: vec![0],
        };
        for row in rows {
            table.moves.extend(row);
            table.ends.push(table.moves.len());
        }
        table
    }

    fn row(&self, state: State) -> &[(u32, u32)] {
        &self.moves[self.ends[state.index()]..self.ends[state.index() + 1]]
    }

    fn written_out(&self, width: usize) -> Vec<u32> {
        let states = self.ends.len() - 1;
        let mut table = vec![Dfa::NONE; states * width];
        for state in 0..states {
            for &(class, next) in self.row(State(state as u32)) {
                table[state * width + class as usize] = next;
            }
        }
        table
    }
}

impl From<&Dfa> for Nfa {
    fn from(dfa: &Dfa) -> Nfa {
        dfa.to_nfa()
    }
}
