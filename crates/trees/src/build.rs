//! Automata that grow: new states and rules as they are found, and steps without a symbol.

use std::sync::Arc;

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};

use crate::{Alphabet, Piece, Rule, State, Term, TreeAutomaton};

/// An automaton under construction.
#[derive(Debug, Default)]
pub(crate) struct Build {
    pub(crate) states: usize,
    pub(crate) rules: Vec<Rule>,
    /// A tree in the first state is in the second one, too.
    pub(crate) silent: Vec<(State, State)>,
    pub(crate) accepting: Vec<State>,
}

impl Build {
    pub(crate) fn state(&mut self) -> State {
        self.states += 1;
        State::from_index(self.states - 1)
    }

    /// Makes all that a term is, with states for its variables, be in the state `target`.
    pub(crate) fn emit(&mut self, term: &Term, variables: &dyn Fn(u32) -> State, target: State) {
        let mut rules = Vec::new();
        let mut states = self.states;
        let mut left = term.pieces().len();
        let top = term.fold(|piece, children: Vec<State>| {
            left -= 1;
            match piece {
                Piece::Variable(number) => variables(number),
                Piece::Node(node) => {
                    let state = match left {
                        0 => target,
                        _ => {
                            states += 1;
                            State::from_index(states - 1)
                        }
                    };
                    rules.push(Rule {
                        symbol: node.symbol,
                        children: children.into(),
                        target: state,
                    });
                    state
                }
            }
        });
        self.states = states;
        self.rules.append(&mut rules);
        if top != target {
            self.silent.push((top, target));
        }
    }

    /// The automaton, without silent steps and states that do not matter.
    pub(crate) fn finish(
        self,
        alphabet: Arc<Alphabet>,
        budget: &Budget,
    ) -> Result<TreeAutomaton, Stop> {
        let mut rules = self.rules;
        let states = self.states;
        let mut accepting = Bits::with_capacity(states);
        accepting.extend(self.accepting.iter().map(|&state| state.index()));
        if !self.silent.is_empty() {
            let mut next: Vec<Vec<State>> = vec![Vec::new(); states];
            for &(from, to) in &self.silent {
                next[from.index()].push(to);
            }
            let mut more = Vec::new();
            for rule in &rules {
                let mut seen = vec![rule.target];
                let mut at = 0;
                while at < seen.len() {
                    budget.charge(1)?;
                    for &to in &next[seen[at].index()] {
                        if !seen.contains(&to) {
                            seen.push(to);
                        }
                    }
                    at += 1;
                }
                more.extend(seen.into_iter().skip(1).map(|target| Rule {
                    target,
                    ..rule.clone()
                }));
            }
            rules.append(&mut more);
        }
        budget.charge(rules.len() as u64 + 1)?;
        Ok(TreeAutomaton::new(alphabet, accepting, rules).trimmed())
    }
}
