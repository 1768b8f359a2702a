//! The languages of a state, by which abstractions tell states apart.
//!
//! The bounded version of each is its [`Nfa::up_to_length`].

use quotient_core::{Budget, Stop};

use crate::{Nfa, NfaBuilder, State};

impl Nfa {
    /// The words that lead from a state to acceptance.
    #[must_use]
    pub fn forward_language(&self, state: State) -> Nfa {
        self.with_initial([state])
    }

    /// The words that lead from an initial state to a state.
    #[must_use]
    pub fn backward_language(&self, state: State) -> Nfa {
        self.with_accepting([state])
    }

    /// The beginnings of words of [`Nfa::forward_language`].
    #[must_use]
    pub fn trace_language(&self, state: State) -> Nfa {
        self.forward_language(state).prefixes()
    }

    /// The ends of words of [`Nfa::backward_language`]: how the state can have been come to.
    #[must_use]
    pub fn backward_trace_language(&self, state: State) -> Nfa {
        self.backward_language(state).suffixes()
    }

    /// The beginnings of words of the language, whole words included.
    #[must_use]
    pub fn prefixes(&self) -> Nfa {
        let trimmed = self.trim();
        trimmed.with_accepting(trimmed.states())
    }

    /// The ends of words of the language, whole words included.
    #[must_use]
    pub fn suffixes(&self) -> Nfa {
        let trimmed = self.trim();
        trimmed.with_initial(trimmed.states())
    }

    /// The words of the language that have at most this length.
    ///
    /// The result has a copy of the states for each length, charged to the budget.
    pub fn up_to_length(&self, length: u32, budget: &Budget) -> Result<Nfa, Stop> {
        let nfa = self.without_epsilon(budget)?;
        let mut builder = Nfa::builder(self.alphabet());
        let labels = builder.labels_of(&nfa);
        let mut here = nfa.reachable();
        here.clear();
        nfa.initial().iter().for_each(|q| here.insert(q.index()));
        let mut layer = builder.add_states(nfa.len() as u32);
        nfa.initial()
            .iter()
            .for_each(|&q| builder.add_initial(State(q.0 + layer)));
        for left in (0..=length).rev() {
            budget.charge(1 + nfa.len() as u64)?;
            for state in here.intersection(nfa.accepting()) {
                builder.add_accepting(State(state as u32 + layer));
            }
            if left == 0 || here.is_clear() {
                break;
            }
            let next_layer = builder.add_states(nfa.len() as u32);
            let mut there = here.clone();
            there.clear();
            for state in here.ones().map(|state| State(state as u32)) {
                for edge in nfa.edges_from(state) {
                    there.insert(edge.target.index());
                    builder.add_numbered_edge(
                        State(state.0 + layer),
                        labels[edge.label as usize],
                        State(edge.target.0 + next_layer),
                    );
                }
            }
            (here, layer) = (there, next_layer);
        }
        Ok(builder.build().trim())
    }

    /// The same automaton with other initial states.
    #[must_use]
    pub fn with_initial(&self, states: impl IntoIterator<Item = State>) -> Nfa {
        let mut builder = self.body();
        for state in states {
            builder.add_initial(state);
        }
        for state in self.accepting().ones() {
            builder.add_accepting(State(state as u32));
        }
        builder.build()
    }

    /// The same automaton with other accepting states.
    #[must_use]
    pub fn with_accepting(&self, states: impl IntoIterator<Item = State>) -> Nfa {
        let mut builder = self.body();
        for &state in self.initial() {
            builder.add_initial(state);
        }
        for state in states {
            builder.add_accepting(state);
        }
        builder.build()
    }

    fn body(&self) -> NfaBuilder {
        let mut builder = Nfa::builder(self.alphabet());
        builder.add_body(self);
        builder
    }
}
