//! Words read backwards.

use crate::{Nfa, State};

impl Nfa {
    /// The words of the language, each from its end to its start.
    #[must_use]
    pub fn reverse(&self) -> Nfa {
        let mut builder = Nfa::builder(self.alphabet()).states(self.len() as u32);
        for &state in self.initial() {
            builder.add_accepting(state);
        }
        for state in self.accepting().ones() {
            builder.add_initial(State(state as u32));
        }
        let labels = builder.labels_of(self);
        for edge in self.edges() {
            builder.add_numbered_edge(edge.target, labels[edge.label as usize], edge.source);
        }
        builder.build()
    }
}
