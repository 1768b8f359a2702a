//! The image of a language, as a nondeterministic automaton.

use quotient_core::{Budget, Stop};

use super::pairing::Pairing;
use crate::{Label, Nfa, Predicate, Transducer};

impl Transducer {
    /// The post-image: the words that words of the language are related to.
    ///
    /// This is the plain product, for a single use. A loop that takes many images of one
    /// relation, and wants them small, prepares a [`Step`](crate::Step) instead.
    pub fn apply(&self, language: &Nfa, budget: &Budget) -> Result<Nfa, Stop> {
        self.image(language, budget, Label::input, Label::output)
    }

    /// The pre-image: the words that are related to words of the language.
    pub fn apply_inverse(&self, language: &Nfa, budget: &Budget) -> Result<Nfa, Stop> {
        self.image(language, budget, Label::output, Label::input)
    }

    fn image(
        &self,
        language: &Nfa,
        budget: &Budget,
        read: impl Fn(&Label) -> Option<&Predicate>,
        written: impl Fn(&Label) -> Option<&Predicate>,
    ) -> Result<Nfa, Stop> {
        assert_eq!(self.alphabet(), language.alphabet());
        let mut builder = Nfa::builder(self.alphabet());
        let mut pairs = Pairing::new();
        for &state in self.initial() {
            for &word in language.initial() {
                builder.add_initial(pairs.number(state, word));
            }
        }
        while let Some((pair, state, word)) = pairs.next() {
            budget.charge(1)?;
            builder.add_state(pair);
            if self.is_accepting(state) && language.is_accepting(word) {
                builder.add_accepting(pair);
            }
            for edge in language.edges_from(word) {
                if language.label(edge).is_none() {
                    builder.add_epsilon(pair, pairs.number(state, edge.target));
                }
            }
            for edge in self.edges_from(state) {
                let label = self.label(edge);
                let Some(read) = read(label) else {
                    let target = pairs.number(edge.target, word);
                    match written(label) {
                        Some(letters) => builder.add_edge(pair, letters, target),
                        None => builder.add_epsilon(pair, target),
                    }
                    continue;
                };
                for move_ in language.edges_from(word) {
                    let Some(letters) = language.label(move_) else {
                        continue;
                    };
                    if !letters.intersects(read) {
                        continue;
                    }
                    let target = pairs.number(edge.target, move_.target);
                    match (label, written(label)) {
                        (Label::Copy(_), _) => builder.add_edge(pair, &letters.and(read), target),
                        (_, Some(letters)) => builder.add_edge(pair, letters, target),
                        (_, None) => builder.add_epsilon(pair, target),
                    }
                }
            }
        }
        Ok(builder.build())
    }
}
