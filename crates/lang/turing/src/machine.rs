//! Machines: states, symbols and a table.

use quotient_core::Span;

/// A symbol, by its place in [`Machine::symbols`].
pub(crate) type Symbol = u8;

/// A state, by its place in [`Machine::states`].
pub(crate) type State = usize;

/// A side of the tape, and a way to move.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Side {
    Left,
    Right,
}

/// What a machine does in a state with a symbol under its head: it writes, moves, and goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Action {
    pub(crate) write: Symbol,
    /// Where the head goes; nowhere for the quadruples that write.
    pub(crate) shift: Option<Side>,
    pub(crate) to: State,
    /// Its place in the file.
    pub(crate) span: Span,
}

/// A machine with one tape: deterministic, and it stops where its table has no entry.
#[derive(Debug, Clone, Default)]
pub(crate) struct Machine {
    pub(crate) states: Vec<String>,
    pub(crate) symbols: Vec<char>,
    pub(crate) blank: Symbol,
    /// The symbol that numbers are made of, and that results count.
    pub(crate) one: Symbol,
    pub(crate) start: State,
    /// The actions by state, then by symbol; rows may be shorter than the alphabet.
    pub(crate) table: Vec<Vec<Option<Action>>>,
}

impl Machine {
    /// What is done in this situation; nothing means that the machine stops.
    pub(crate) fn action(&self, state: State, symbol: Symbol) -> Option<Action> {
        *self.table.get(state)?.get(usize::from(symbol))?
    }

    /// The number of a state, which may be new.
    pub(crate) fn state(&mut self, name: &str) -> State {
        let found = self.states.iter().position(|one| one == name);
        found.unwrap_or_else(|| {
            self.states.push(name.to_owned());
            self.states.len() - 1
        })
    }

    /// The number of a symbol, which may be new; none if there are too many.
    pub(crate) fn symbol(&mut self, letter: char) -> Option<Symbol> {
        let found = self.symbols.iter().position(|&one| one == letter);
        let place = found.unwrap_or_else(|| {
            self.symbols.push(letter);
            self.symbols.len() - 1
        });
        u8::try_from(place).ok()
    }

    /// A symbol as the file writes it.
    pub(crate) fn letter(&self, symbol: Symbol) -> char {
        self.symbols
            .get(usize::from(symbol))
            .copied()
            .unwrap_or('?')
    }

    /// Adds an action; the one that is there already, if there is one.
    pub(crate) fn add(&mut self, from: State, read: Symbol, action: Action) -> Option<Action> {
        if self.table.len() <= from {
            self.table.resize(from + 1, Vec::new());
        }
        let row = &mut self.table[from];
        let read = usize::from(read);
        if row.len() <= read {
            row.resize(read + 1, None);
        }
        match row[read] {
            Some(old) => Some(old),
            None => {
                row[read] = Some(action);
                None
            }
        }
    }
}
