//! The sets of states that trees are in.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use quotient_core::{Budget, Stop};
use quotient_trees::{Piece, State, Symbol, Term, Tree, TreeAutomaton};

/// Sets of states of an automaton, by number, as they are found. A tree that is in no state is
/// in the empty set.
pub(super) struct Sets<'a> {
    automaton: &'a TreeAutomaton,
    budget: &'a Budget,
    numbers: BTreeMap<BTreeSet<State>, usize>,
    sets: Vec<BTreeSet<State>>,
    known: HashMap<(Symbol, Vec<usize>), usize>,
}

impl<'a> Sets<'a> {
    pub(super) fn new(automaton: &'a TreeAutomaton, budget: &'a Budget) -> Self {
        Sets {
            automaton,
            budget,
            numbers: BTreeMap::new(),
            sets: Vec::new(),
            known: HashMap::new(),
        }
    }

    /// The set of a tree with this symbol on top of trees in these sets.
    pub(super) fn above(&mut self, symbol: Symbol, below: &[usize]) -> Result<usize, Stop> {
        self.budget.charge(1)?;
        if let Some(&known) = self.known.get(&(symbol, below.to_vec())) {
            return Ok(known);
        }
        let mut set = BTreeSet::new();
        for rule in self.automaton.rules() {
            self.budget.charge(1)?;
            let mut pairs = rule.children.iter().zip(below);
            if rule.symbol == symbol
                && rule.children.len() == below.len()
                && pairs.all(|(child, &number)| self.sets[number].contains(child))
            {
                set.insert(rule.target);
            }
        }
        let fresh = self.sets.len();
        let number = *self.numbers.entry(set.clone()).or_insert(fresh);
        if number == fresh {
            self.sets.push(set);
        }
        self.known.insert((symbol, below.to_vec()), number);
        Ok(number)
    }

    /// The set of what a term is with trees in these sets for its variables; nothing if one is
    /// missing.
    pub(super) fn of_term(
        &mut self,
        term: &Term,
        variables: &[usize],
    ) -> Result<Option<usize>, Stop> {
        term.fold(
            |piece, below: Vec<Result<Option<usize>, Stop>>| match piece {
                Piece::Variable(number) => Ok(variables.get(number as usize).copied()),
                Piece::Node(node) => {
                    let below: Result<Option<Vec<usize>>, Stop> = below.into_iter().collect();
                    match below? {
                        Some(below) => self.above(node.symbol, &below).map(Some),
                        None => Ok(None),
                    }
                }
            },
        )
    }

    /// The set of a tree.
    pub(super) fn of_tree(&mut self, tree: &Tree) -> Result<usize, Stop> {
        tree.fold(|node, below: Vec<Result<usize, Stop>>| {
            let below: Result<Vec<usize>, Stop> = below.into_iter().collect();
            self.above(node.symbol, &below?)
        })
    }

    /// Whether trees in this set are accepted.
    pub(super) fn accepts(&self, set: usize) -> bool {
        let mut states = self.sets[set].iter();
        states.any(|&state| self.automaton.accepts_in(state))
    }

    /// Whether trees in this set are in no state.
    pub(super) fn is_empty(&self, set: usize) -> bool {
        self.sets[set].is_empty()
    }

    /// The numbers of the sets of all trees over the alphabet.
    pub(super) fn all(&mut self) -> Result<Vec<usize>, Stop> {
        let alphabet = self.automaton.alphabet().clone();
        let mut found: Vec<usize> = Vec::new();
        let mut before = usize::MAX;
        while before != found.len() {
            before = found.len();
            for (symbol, _, arity) in alphabet.symbols() {
                let columns = vec![found.clone(); arity];
                for tuple in Tuples::new(&columns) {
                    let set = self.above(symbol, &tuple)?;
                    if !found.contains(&set) {
                        found.push(set);
                    }
                }
            }
        }
        Ok(found)
    }
}

/// All ways to take one number from each of some columns.
pub(super) struct Tuples<'a> {
    columns: &'a [Vec<usize>],
    places: Option<Vec<usize>>,
}

impl<'a> Tuples<'a> {
    pub(super) fn new(columns: &'a [Vec<usize>]) -> Self {
        let possible = columns.iter().all(|column| !column.is_empty());
        Tuples {
            columns,
            places: possible.then(|| vec![0; columns.len()]),
        }
    }
}

impl Iterator for Tuples<'_> {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let places = self.places.as_mut()?;
        let tuple = places
            .iter()
            .zip(self.columns)
            .map(|(&at, column)| column[at]);
        let tuple = tuple.collect();
        let mut place = 0;
        loop {
            if place == places.len() {
                self.places = None;
                break;
            }
            places[place] += 1;
            if places[place] < self.columns[place].len() {
                break;
            }
            places[place] = 0;
            place += 1;
        }
        Some(tuple)
    }
}
