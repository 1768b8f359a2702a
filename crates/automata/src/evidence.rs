//! Evidence about words as plain data: what engines write and the independent checker reads.
//!
//! Letters and transducers appear by name, states by number, so that the files mean the same
//! to anyone who has the problem they are about. Nothing here is trusted: whoever reads
//! evidence checks it.

use serde::{Deserialize, Serialize};

use crate::{Alphabet, AlphabetError, Dfa, Letter, Nfa, Predicate, State};

/// The kind of evidence whose body is an [`InvariantEvidence`].
pub const INVARIANT_KIND: &str = "regular-invariant";

/// The kind of evidence whose body is a [`RunEvidence`].
pub const RUN_KIND: &str = "regular-run";

/// A set of configurations that contains the initial ones, is closed under the steps, and has
/// no bad one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InvariantEvidence {
    /// The automaton that accepts the set.
    pub invariant: PlainAutomaton,
}

/// A run from an initial configuration to a bad one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunEvidence {
    /// The configurations, first to last, each as the names of its letters.
    pub words: Vec<Vec<String>>,
    /// The name of the transducer that made each step: one fewer than configurations.
    pub steps: Vec<String>,
    /// For each configuration a set that it was chosen from: together they describe all runs
    /// of this kind. Left out unless it was asked for; a checker need not read it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub family: Vec<PlainAutomaton>,
}

/// An automaton with named letters and numbered states.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlainAutomaton {
    /// The names of the letters.
    pub alphabet: Vec<String>,
    /// How many states there are: they are numbered from 0.
    pub states: u32,
    /// The initial states.
    pub initial: Vec<u32>,
    /// The accepting states.
    pub accepting: Vec<u32>,
    /// The moves.
    pub edges: Vec<PlainEdge>,
}

/// The moves from one state to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlainEdge {
    /// Where they leave.
    pub from: u32,
    /// The letters they read, one each; ε when there are none.
    pub letters: Vec<String>,
    /// Where they lead.
    pub to: u32,
}

/// What can be wrong with a [`PlainAutomaton`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlainAutomatonError {
    /// Letters that the alphabet does not have, or has twice.
    #[error(transparent)]
    Alphabet(#[from] AlphabetError),
    /// A state beyond the number of states.
    #[error("state {state} is named, but there are only {states} states")]
    State {
        /// The number named.
        state: u32,
        /// How many there are.
        states: u32,
    },
}

impl PlainAutomaton {
    /// The automaton over its own alphabet, or over a larger one that is given.
    pub fn to_nfa(&self, alphabet: &Alphabet) -> Result<Nfa, PlainAutomatonError> {
        let state = |state: u32| match state < self.states {
            true => Ok(State(state)),
            false => Err(PlainAutomatonError::State {
                state,
                states: self.states,
            }),
        };
        Alphabet::new(self.alphabet.iter().map(String::as_str))?;
        let mut builder = Nfa::builder(alphabet).states(self.states);
        for &initial in &self.initial {
            builder.add_initial(state(initial)?);
        }
        for &accepting in &self.accepting {
            builder.add_accepting(state(accepting)?);
        }
        for edge in &self.edges {
            let (from, to) = (state(edge.from)?, state(edge.to)?);
            match edge.letters.is_empty() {
                true => builder.add_epsilon(from, to),
                false => {
                    let letters = alphabet.set(edge.letters.iter().map(String::as_str))?;
                    builder.add_edge(from, &letters, to);
                }
            }
        }
        Ok(builder.build())
    }
}

impl From<&Nfa> for PlainAutomaton {
    fn from(nfa: &Nfa) -> PlainAutomaton {
        let names = |letters: &Predicate| -> Vec<String> {
            let name = |letter: Letter| nfa.alphabet().name(letter).to_owned();
            letters.letters().map(name).collect()
        };
        PlainAutomaton {
            alphabet: nfa.alphabet().names().map(str::to_owned).collect(),
            states: nfa.len() as u32,
            initial: nfa.initial().iter().map(|state| state.0).collect(),
            accepting: nfa.accepting().ones().map(|state| state as u32).collect(),
            edges: nfa
                .edges()
                .iter()
                .map(|edge| PlainEdge {
                    from: edge.source.0,
                    letters: nfa.label(edge).as_ref().map(names).unwrap_or_default(),
                    to: edge.target.0,
                })
                .collect(),
        }
    }
}

impl From<&Dfa> for PlainAutomaton {
    fn from(dfa: &Dfa) -> PlainAutomaton {
        PlainAutomaton::from(&dfa.to_nfa())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Nfa {
        let alphabet = Alphabet::new(["T", "N"]).unwrap();
        Nfa::builder(&alphabet)
            .initial(0)
            .edge(0, &alphabet.set(["T", "N"]).unwrap(), 1)
            .epsilon(1, 0)
            .accepting(1)
            .build()
    }

    #[test]
    fn automata_survive_json() {
        let plain = PlainAutomaton::from(&sample());
        let text = serde_json::to_string(&plain).unwrap();
        let back: PlainAutomaton = serde_json::from_str(&text).unwrap();
        assert_eq!(back, plain);
        let nfa = back.to_nfa(sample().alphabet()).unwrap();
        assert_eq!(PlainAutomaton::from(&nfa), plain);
    }

    #[test]
    fn states_and_letters_that_do_not_exist_are_refused() {
        let alphabet = sample().alphabet().clone();
        let mut plain = PlainAutomaton::from(&sample());
        plain.edges[0].to = 7;
        let error = PlainAutomatonError::State {
            state: 7,
            states: 2,
        };
        assert_eq!(plain.to_nfa(&alphabet).unwrap_err(), error);
        plain.edges[0].to = 1;
        plain.edges[0].letters = vec!["X".into()];
        assert!(matches!(
            plain.to_nfa(&alphabet),
            Err(PlainAutomatonError::Alphabet(_))
        ));
    }
}
