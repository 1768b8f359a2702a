//! Bottom-up tree automata as plain data.

use std::sync::Arc;

use quotient_bits::Bits;

use crate::{Alphabet, State, Symbol, Tree};

/// A rule `f(q1,…,qn) -> q`: a tree with `f` on top is in state `q` if its children are in
/// `q1`, …, `qn`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rule {
    /// What stands on top.
    pub symbol: Symbol,
    /// The states of the children.
    pub children: Box<[State]>,
    /// The state of the tree.
    pub target: State,
}

/// A set of trees: those that can be in an accepting state. Nondeterministic; states are dense
/// numbers, rules are sorted and distinct.
#[derive(Debug, Clone)]
pub struct TreeAutomaton {
    alphabet: Arc<Alphabet>,
    accepting: Bits,
    rules: Vec<Rule>,
    names: Vec<String>,
}

impl TreeAutomaton {
    /// An automaton with as many states as `accepting` has places.
    ///
    /// # Panics
    /// If a rule names a state or symbol that is not there, or has too few or too many
    /// children: readers check that before.
    pub fn new(alphabet: Arc<Alphabet>, accepting: Bits, mut rules: Vec<Rule>) -> Self {
        rules.sort_unstable();
        rules.dedup();
        let states = accepting.len();
        for rule in &rules {
            assert_eq!(alphabet.arity(rule.symbol), rule.children.len());
            let mut all = rule.children.iter().chain([&rule.target]);
            assert!(all.all(|&state| state.index() < states));
        }
        TreeAutomaton {
            alphabet,
            accepting,
            rules,
            names: Vec::new(),
        }
    }

    /// The set without trees.
    pub fn empty(alphabet: Arc<Alphabet>) -> Self {
        TreeAutomaton::new(alphabet, Bits::new(), Vec::new())
    }

    /// All trees.
    pub fn all(alphabet: Arc<Alphabet>) -> Self {
        let only = State::from_index(0);
        let rule = |(symbol, _, arity): (Symbol, &str, usize)| Rule {
            symbol,
            children: vec![only; arity].into(),
            target: only,
        };
        let rules = alphabet.symbols().map(rule).collect();
        let mut accepting = Bits::with_capacity(1);
        accepting.insert(0);
        TreeAutomaton::new(alphabet, accepting, rules)
    }

    /// One tree alone.
    pub fn only(alphabet: Arc<Alphabet>, tree: &Tree) -> Self {
        let mut rules = Vec::with_capacity(tree.size());
        let top = tree.fold(|node, children: Vec<State>| {
            let target = State::from_index(rules.len());
            rules.push(Rule {
                symbol: node.symbol,
                children: children.into(),
                target,
            });
            target
        });
        let mut accepting = Bits::with_capacity(rules.len());
        accepting.insert(top.index());
        TreeAutomaton::new(alphabet, accepting, rules)
    }

    /// With names for the states, for people.
    #[must_use]
    pub fn named(mut self, names: Vec<String>) -> Self {
        self.names = match names.len() == self.states() {
            true => names,
            false => Vec::new(),
        };
        self
    }

    /// What a state is called.
    pub fn name(&self, state: State) -> String {
        let name = self.names.get(state.index()).cloned();
        name.unwrap_or_else(|| format!("q{state}"))
    }

    /// The symbols.
    pub fn alphabet(&self) -> &Arc<Alphabet> {
        &self.alphabet
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.accepting.len()
    }

    /// All states, in order.
    pub fn all_states(&self) -> impl Iterator<Item = State> + use<> {
        (0..self.states()).map(State::from_index)
    }

    /// The accepting states.
    pub fn accepting(&self) -> &Bits {
        &self.accepting
    }

    /// Whether a state accepts.
    pub fn accepts_in(&self, state: State) -> bool {
        self.accepting.contains(state.index())
    }

    /// The rules, sorted by symbol, children and target.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The rules for a symbol.
    pub fn rules_for(&self, symbol: Symbol) -> &[Rule] {
        let from = self.rules.partition_point(|rule| rule.symbol < symbol);
        let to = self.rules.partition_point(|rule| rule.symbol <= symbol);
        &self.rules[from..to]
    }

    /// The states that a tree can be in.
    pub fn states_of(&self, tree: &Tree) -> Bits {
        tree.fold(|node, children: Vec<Bits>| {
            let mut states = Bits::with_capacity(self.states());
            for rule in self.rules_for(node.symbol) {
                let mut pairs = rule.children.iter().zip(&children);
                if pairs.all(|(&child, possible)| possible.contains(child.index())) {
                    states.insert(rule.target.index());
                }
            }
            states
        })
    }

    /// Whether a tree is in the set.
    pub fn contains(&self, tree: &Tree) -> bool {
        !self.states_of(tree).is_disjoint(&self.accepting)
    }

    /// The same set with other accepting states.
    #[must_use]
    pub fn accepting_in(&self, accepting: Bits) -> Self {
        let mut other = self.clone();
        other.accepting = accepting;
        other.accepting.grow(self.states());
        other
    }

    /// The same set over an alphabet that begins with, or maps, this one.
    #[must_use]
    pub fn over(&self, alphabet: Arc<Alphabet>, numbers: &[Symbol]) -> Self {
        let rule = |rule: &Rule| Rule {
            symbol: numbers[rule.symbol.index()],
            ..rule.clone()
        };
        let rules = self.rules.iter().map(rule).collect();
        TreeAutomaton::new(alphabet, self.accepting.clone(), rules).named(self.names.clone())
    }

    /// Two sets over one alphabet, the first one's symbols first.
    pub fn together(&self, other: &TreeAutomaton) -> (TreeAutomaton, TreeAutomaton) {
        if Arc::ptr_eq(&self.alphabet, &other.alphabet) || self.alphabet == other.alphabet {
            let mut other = other.clone();
            other.alphabet = self.alphabet.clone();
            return (self.clone(), other);
        }
        let mut alphabet = (*self.alphabet).clone();
        let numbers = alphabet.join(&other.alphabet);
        let alphabet = Arc::new(alphabet);
        let mut this = self.clone();
        this.alphabet = alphabet.clone();
        (this, other.over(alphabet, &numbers))
    }

    /// The automaton with states merged: `class` gives each state its new number below `count`.
    #[must_use]
    pub fn merged(&self, class: &[State], count: usize) -> Self {
        let rule = |rule: &Rule| Rule {
            symbol: rule.symbol,
            children: rule.children.iter().map(|&q| class[q.index()]).collect(),
            target: class[rule.target.index()],
        };
        let mut accepting = Bits::with_capacity(count);
        accepting.extend(self.accepting.ones().map(|q| class[q].index()));
        let rules = self.rules.iter().map(rule).collect();
        TreeAutomaton::new(self.alphabet.clone(), accepting, rules)
    }

    /// The automaton with only some of its states, in their order.
    #[must_use]
    pub fn restricted(&self, kept: &Bits) -> Self {
        let mut numbers: Vec<Option<State>> = vec![None; self.states()];
        for (number, state) in kept.ones().enumerate() {
            numbers[state] = Some(State::from_index(number));
        }
        let number = |state: State| numbers[state.index()];
        let rule = |rule: &Rule| {
            let children: Option<Box<[State]>> = rule.children.iter().map(|&q| number(q)).collect();
            Some(Rule {
                symbol: rule.symbol,
                children: children?,
                target: number(rule.target)?,
            })
        };
        let mut accepting = Bits::with_capacity(kept.count_ones(..));
        let left = self.accepting.ones().filter_map(|state| numbers[state]);
        accepting.extend(left.map(State::index));
        let rules = self.rules.iter().filter_map(rule).collect();
        let names = kept
            .ones()
            .filter_map(|state| self.names.get(state).cloned());
        let names = names.collect();
        TreeAutomaton::new(self.alphabet.clone(), accepting, rules).named(names)
    }
}
