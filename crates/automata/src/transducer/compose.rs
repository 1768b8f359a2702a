//! One relation after another.

use quotient_core::{Budget, Stop};

use super::pairing::Pairing;
use crate::{Label, Predicate, Transducer};

impl Transducer {
    /// First this, then the other: `(u, w)` whenever `(u, v)` is here and `(v, w)` there.
    ///
    /// Moves go together where the letter written here can be the letter read there; a
    /// deletion here and an insertion there happen alone. Two copies give a copy of what both
    /// allow, and a copy next to a rewriting move only narrows that move.
    pub fn compose(&self, other: &Transducer, budget: &Budget) -> Result<Transducer, Stop> {
        assert_eq!(self.alphabet(), other.alphabet());
        let mut builder = Transducer::builder(self.alphabet());
        let mut pairs = Pairing::new();
        for &left in self.initial() {
            for &right in other.initial() {
                builder.add_initial(pairs.number(left, right));
            }
        }
        while let Some((pair, left, right)) = pairs.next() {
            budget.charge(1)?;
            builder.add_state(pair);
            if self.is_accepting(left) && other.is_accepting(right) {
                builder.add_accepting(pair);
            }
            for edge in self.edges_from(left) {
                let label = self.label(edge);
                if label.output().is_none() {
                    builder.add_edge(pair, label, pairs.number(edge.target, right));
                    continue;
                }
                for second in other.edges_from(right) {
                    if let Some(label) = together(label, other.label(second)) {
                        let target = pairs.number(edge.target, second.target);
                        builder.add_edge(pair, &label, target);
                    }
                }
            }
            for edge in other.edges_from(right) {
                let label = other.label(edge);
                if label.input().is_none() {
                    builder.add_edge(pair, label, pairs.number(left, edge.target));
                }
            }
        }
        Ok(builder.build())
    }

    /// The pairs whose first word is in the language.
    pub fn restrict_domain(&self, language: &crate::Nfa, budget: &Budget) -> Result<Self, Stop> {
        copying(language).compose(self, budget)
    }

    /// The pairs whose second word is in the language.
    pub fn restrict_range(&self, language: &crate::Nfa, budget: &Budget) -> Result<Self, Stop> {
        self.compose(&copying(language), budget)
    }
}

/// The label of a joint move, where the first writes a letter and the second reads one.
fn together(first: &Label, second: &Label) -> Option<Label> {
    let met = first.output()?.and(second.input()?);
    if met.is_empty() {
        return None;
    }
    Some(match (first, second) {
        (Label::Copy(_), Label::Copy(_)) => Label::Copy(met),
        (Label::Copy(_), Label::Pair(_, output)) => Label::Pair(Some(met), output.clone()),
        (Label::Pair(input, _), Label::Copy(_)) => Label::Pair(input.clone(), Some(met)),
        (Label::Pair(input, _), Label::Pair(_, output)) => {
            Label::Pair(input.clone(), output.clone())
        }
    })
}

/// The identity on a language.
fn copying(language: &crate::Nfa) -> Transducer {
    let mut builder = Transducer::builder(language.alphabet()).states(language.len() as u32);
    language
        .initial()
        .iter()
        .for_each(|&state| builder.add_initial(state));
    language
        .accepting()
        .ones()
        .for_each(|state| builder.add_accepting(crate::State(state as u32)));
    for edge in language.edges() {
        let copy = |letters: &Predicate| Label::Copy(letters.clone());
        let label = language.label(edge).as_ref().map_or(Label::SILENT, copy);
        builder.add_edge(edge.source, &label, edge.target);
    }
    builder.build()
}
