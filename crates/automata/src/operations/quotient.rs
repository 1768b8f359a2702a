//! States merged class by class.

use crate::{Dfa, Nfa, State};

impl Nfa {
    /// The automaton whose states are classes of states: `class_of[q]` is the class of state
    /// `q`. A class is initial or accepting if a member is, and has the moves of all members.
    ///
    /// The language can only grow: that is what makes it an abstraction.
    ///
    /// # Panics
    /// If there is not one class for each state, which is a bug of the caller.
    #[must_use]
    pub fn quotient(&self, class_of: &[u32]) -> Nfa {
        assert_eq!(class_of.len(), self.len());
        let class = |state: State| State(class_of[state.index()]);
        let count = class_of.iter().max().map_or(0, |&last| last + 1);
        let mut builder = Nfa::builder(self.alphabet()).states(count);
        for &state in self.initial() {
            builder.add_initial(class(state));
        }
        for state in self.accepting().ones() {
            builder.add_accepting(State(class_of[state]));
        }
        let labels = builder.labels_of(self);
        for edge in self.edges() {
            let label = labels[edge.label as usize];
            let (source, target) = (class(edge.source), class(edge.target));
            if self.label(edge).is_some() || source != target {
                builder.add_numbered_edge(source, label, target);
            }
        }
        builder.build()
    }
}

impl Dfa {
    /// [`Nfa::quotient`] of a deterministic automaton; the result need not be deterministic.
    #[must_use]
    pub fn quotient(&self, class_of: &[u32]) -> Nfa {
        self.to_nfa().quotient(class_of)
    }
}
