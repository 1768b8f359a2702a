//! Ranked alphabets.

use rustc_hash::FxHashMap;

use crate::Symbol;

/// Names with arities. The same name with another arity is another symbol.
///
/// ```
/// use quotient_trees::Alphabet;
/// let mut alphabet = Alphabet::default();
/// let node = alphabet.add("node", 2);
/// assert_eq!(alphabet.find("node", 2), Some(node));
/// assert_eq!(alphabet.find("node", 0), None);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Alphabet {
    symbols: Vec<(String, usize)>,
    numbers: FxHashMap<(String, usize), Symbol>,
}

impl Alphabet {
    /// The number of a symbol, which may be new.
    pub fn add(&mut self, name: &str, arity: usize) -> Symbol {
        if let Some(found) = self.find(name, arity) {
            return found;
        }
        let number = Symbol::from_index(self.symbols.len());
        self.symbols.push((name.to_owned(), arity));
        self.numbers.insert((name.to_owned(), arity), number);
        number
    }

    /// The number of a symbol, if it is there.
    pub fn find(&self, name: &str, arity: usize) -> Option<Symbol> {
        self.numbers.get(&(name.to_owned(), arity)).copied()
    }

    /// The name of a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.symbols[symbol.index()].0
    }

    /// How many children a symbol has.
    pub fn arity(&self, symbol: Symbol) -> usize {
        self.symbols[symbol.index()].1
    }

    /// How many symbols there are.
    pub fn len(&self) -> usize {
        self.symbols.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty()
    }

    /// All symbols with names and arities.
    pub fn symbols(&self) -> impl Iterator<Item = (Symbol, &str, usize)> {
        let all = self.symbols.iter().enumerate();
        all.map(|(number, (name, arity))| (Symbol::from_index(number), name.as_str(), *arity))
    }

    /// Adds the symbols of another alphabet; their numbers here, by their numbers there.
    pub fn join(&mut self, other: &Alphabet) -> Vec<Symbol> {
        let all = other.symbols.iter();
        all.map(|(name, arity)| self.add(name, *arity)).collect()
    }
}

impl PartialEq for Alphabet {
    fn eq(&self, other: &Alphabet) -> bool {
        self.symbols == other.symbols
    }
}

impl Eq for Alphabet {}
