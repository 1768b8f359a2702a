//! The words that a transducer can leave as they are.

use crate::{Label, Nfa, Transducer};

impl Transducer {
    /// Words that some run reads and writes letter by letter in step.
    ///
    /// Every such word is related to itself. The converse holds for transducers without
    /// insertions and deletions; with them the words related to themselves need not be a
    /// regular language.
    pub fn diagonal(&self) -> Nfa {
        let mut builder = Nfa::builder(self.alphabet()).states(self.len() as u32);
        self.initial()
            .iter()
            .for_each(|&state| builder.add_initial(state));
        self.accepting_states()
            .for_each(|state| builder.add_accepting(state));
        for edge in self.edges() {
            match self.label(edge) {
                Label::Copy(letters) => builder.add_edge(edge.source, letters, edge.target),
                Label::Pair(Some(input), Some(output)) => {
                    builder.add_edge(edge.source, &input.and(output), edge.target);
                }
                Label::Pair(None, None) => builder.add_epsilon(edge.source, edge.target),
                Label::Pair(..) => {}
            }
        }
        builder.build()
    }

    /// Whether each move reads one letter and writes one letter, or does neither: then related
    /// words have equal length.
    pub fn is_length_preserving(&self) -> bool {
        self.labels()
            .iter()
            .all(|label| label.input().is_some() == label.output().is_some())
    }
}
