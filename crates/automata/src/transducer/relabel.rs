//! The same relation with other labels.

use crate::{Alphabet, Label, State, Transducer};

impl Transducer {
    /// The same states, and for each edge one with each of the labels that its own becomes.
    ///
    /// ```
    /// use quotient_automata::{Alphabet, Label, Predicate, Transducer};
    /// let (old, new) = (Alphabet::new(["a"])?, Alphabet::new(["b", "c"])?);
    /// let swap = Label::Pair(Some(new.set(["b"])?), Some(new.set(["c"])?));
    /// let step = Transducer::identity(&old).relabelled(&new, |_| vec![swap.clone()]);
    /// assert!(step.relates(&new.word("b b")?, &new.word("c c")?));
    /// # Ok::<(), quotient_automata::AlphabetError>(())
    /// ```
    #[must_use]
    pub fn relabelled(
        &self,
        alphabet: &Alphabet,
        change: impl Fn(&Label) -> Vec<Label>,
    ) -> Transducer {
        let mut builder = Transducer::builder(alphabet).states(self.len() as u32);
        self.initial().iter().for_each(|&q| builder.add_initial(q));
        self.accepting()
            .ones()
            .for_each(|q| builder.add_accepting(State(q as u32)));
        let labels: Vec<Vec<Label>> = self.labels().iter().map(change).collect();
        for edge in self.edges() {
            for label in &labels[edge.label as usize] {
                builder.add_edge(edge.source, label, edge.target);
            }
        }
        builder.build()
    }
}
