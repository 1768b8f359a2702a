//! Sets of states of an automaton, reached letter by letter.

use std::collections::{BTreeSet, HashMap};

use quotient_automata::{Letter, Nfa, State};
use quotient_core::{Budget, Stop};

/// The subset construction, done as far as it is asked for.
pub(crate) struct Subsets<'a> {
    automaton: &'a Nfa,
    budget: &'a Budget,
    sets: Vec<BTreeSet<State>>,
    numbers: HashMap<BTreeSet<State>, usize>,
    moves: HashMap<(usize, Letter), usize>,
}

impl<'a> Subsets<'a> {
    pub(crate) fn new(automaton: &'a Nfa, budget: &'a Budget) -> Self {
        let (sets, numbers, moves) = Default::default();
        Subsets {
            automaton,
            budget,
            sets,
            numbers,
            moves,
        }
    }

    /// The set that the empty word reaches.
    pub(crate) fn start(&mut self) -> usize {
        let initial = self.automaton.initial().iter().copied().collect();
        let closed = closure(self.automaton, initial);
        self.number(closed)
    }

    /// The set that one more letter reaches.
    pub(crate) fn step(&mut self, set: usize, letter: Letter) -> Result<usize, Stop> {
        if let Some(&known) = self.moves.get(&(set, letter)) {
            return Ok(known);
        }
        let mut next = BTreeSet::new();
        for &state in &self.sets[set] {
            self.budget.poll()?;
            for edge in self.automaton.edges_from(state) {
                if self
                    .automaton
                    .label(edge)
                    .as_ref()
                    .is_some_and(|letters| letters.contains(letter))
                {
                    next.insert(edge.target);
                }
            }
        }
        let number = self.number(closure(self.automaton, next));
        self.moves.insert((set, letter), number);
        Ok(number)
    }

    /// Whether a word that reaches the set is accepted.
    pub(crate) fn accepts(&self, set: usize) -> bool {
        self.sets[set]
            .iter()
            .any(|&state| self.automaton.is_accepting(state))
    }

    fn number(&mut self, set: BTreeSet<State>) -> usize {
        if let Some(&known) = self.numbers.get(&set) {
            return known;
        }
        self.numbers.insert(set.clone(), self.sets.len());
        self.sets.push(set);
        self.sets.len() - 1
    }
}

/// Adds what ε-moves reach.
pub(crate) fn closure(automaton: &Nfa, mut states: BTreeSet<State>) -> BTreeSet<State> {
    let mut waiting: Vec<State> = states.iter().copied().collect();
    while let Some(state) = waiting.pop() {
        for edge in automaton.edges_from(state) {
            if automaton.label(edge).is_none() && states.insert(edge.target) {
                waiting.push(edge.target);
            }
        }
    }
    states
}

/// Whether an automaton accepts a word.
pub(crate) fn accepts(automaton: &Nfa, word: &[Letter], budget: &Budget) -> Result<bool, Stop> {
    let mut subsets = Subsets::new(automaton, budget);
    let mut set = subsets.start();
    for &letter in word {
        set = subsets.step(set, letter)?;
    }
    Ok(subsets.accepts(set))
}
