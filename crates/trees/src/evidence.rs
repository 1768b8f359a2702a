//! What evidence about trees looks like: plain data with names instead of numbers.

use std::sync::Arc;

use quotient_bits::Bits;
use serde::{Deserialize, Serialize};

use crate::{Alphabet, Node, Rule, State, Tree, TreeAutomaton};

/// The kind of evidence that is a set of trees which is never left.
pub const INVARIANT_KIND: &str = "tree-invariant";

/// The kind of evidence that is a run of trees.
pub const RUN_KIND: &str = "tree-run";

/// A set of trees that shows that nothing bad is reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeInvariant {
    /// Whether it goes backward: it then contains the bad trees and all that can become one of
    /// its own, and no initial one. Otherwise it contains the initial ones and all that its own
    /// can become, and no bad one.
    pub backward: bool,
    /// The set.
    pub set: PlainTreeAutomaton,
}

/// A run from an initial tree to a bad one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeRun {
    /// Where it begins.
    pub first: String,
    /// The names of the steps, and the trees they make.
    pub steps: Vec<(String, String)>,
}

/// An automaton with the names of its symbols.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlainTreeAutomaton {
    /// How many states there are.
    pub states: u32,
    /// Those that accept.
    pub accepting: Vec<u32>,
    /// The rules: symbol, states of the children, state of the whole.
    pub rules: Vec<(String, Vec<u32>, u32)>,
}

impl From<&TreeAutomaton> for PlainTreeAutomaton {
    fn from(automaton: &TreeAutomaton) -> Self {
        let number = |state: State| state.index() as u32;
        let rule = |rule: &Rule| {
            let children = rule.children.iter().map(|&child| number(child)).collect();
            let name = automaton.alphabet().name(rule.symbol).to_owned();
            (name, children, number(rule.target))
        };
        PlainTreeAutomaton {
            states: automaton.states() as u32,
            accepting: automaton
                .accepting()
                .ones()
                .map(|state| state as u32)
                .collect(),
            rules: automaton.rules().iter().map(rule).collect(),
        }
    }
}

impl PlainTreeAutomaton {
    /// The automaton over an alphabet, or why it is none.
    pub fn to_automaton(&self, alphabet: &Arc<Alphabet>) -> Result<TreeAutomaton, String> {
        let mentioned = self
            .rules
            .iter()
            .map(|rule| rule.1.len() + 1)
            .sum::<usize>();
        if self.states as usize > mentioned + self.accepting.len() {
            return Err("it claims to have too many states".to_owned());
        }
        let known = |state: &u32| *state < self.states;
        let state = |number: &u32| State::from_index(*number as usize);
        let mut accepting = Bits::with_capacity(self.states as usize);
        for state in &self.accepting {
            if !known(state) {
                return Err(format!("there is no state {state}"));
            }
            accepting.insert(*state as usize);
        }
        let mut rules = Vec::with_capacity(self.rules.len());
        for (name, children, target) in &self.rules {
            let symbol = alphabet.find(name, children.len());
            let symbol = symbol.ok_or_else(|| {
                format!(
                    "there is no symbol `{name}` with {} children",
                    children.len()
                )
            })?;
            if !children.iter().chain([target]).all(known) {
                return Err(format!(
                    "a rule for `{name}` names a state that is not there"
                ));
            }
            rules.push(Rule {
                symbol,
                children: children.iter().map(state).collect(),
                target: state(target),
            });
        }
        Ok(TreeAutomaton::new(alphabet.clone(), accepting, rules))
    }
}

impl Tree {
    /// Reads `f(a,g(b))`; nothing if it is no tree over the alphabet.
    ///
    /// ```
    /// use quotient_trees::{Alphabet, Tree};
    /// let mut alphabet = Alphabet::default();
    /// (alphabet.add("f", 2), alphabet.add("a", 0));
    /// let tree = Tree::read("f(a,f(a,a))", &alphabet).unwrap();
    /// assert_eq!(tree.text(&alphabet), "f(a,f(a,a))");
    /// assert!(Tree::read("f(a)", &alphabet).is_none());
    /// ```
    pub fn read(text: &str, alphabet: &Alphabet) -> Option<Tree> {
        let mut nodes: Vec<(&str, usize)> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut rest = text.trim();
        loop {
            let end = rest.find(['(', ')', ',']).unwrap_or(rest.len());
            let name = rest[..end].trim();
            if name.is_empty() {
                return None;
            }
            nodes.push((name, 0));
            rest = &rest[end..];
            if let Some(inside) = rest.strip_prefix('(') {
                open.push(nodes.len() - 1);
                rest = inside;
                continue;
            }
            // A tree ends here; so may those that it is in.
            loop {
                let Some(&above) = open.last() else {
                    if !rest.trim().is_empty() {
                        return None;
                    }
                    let node = |&(name, arity): &(&str, usize)| {
                        let symbol = alphabet.find(name, arity)?;
                        let arity = arity as u32;
                        Some(Node { symbol, arity })
                    };
                    return Tree::new(nodes.iter().map(node).collect::<Option<_>>()?);
                };
                nodes[above].1 += 1;
                if let Some(next) = rest.strip_prefix(',') {
                    rest = next;
                    break;
                }
                rest = rest.strip_prefix(')')?.trim_start();
                open.pop();
            }
        }
    }
}
