//! Nondeterministic automata.

use std::ops::Deref;

use crate::graph::GraphBuilder;
use crate::{Alphabet, Edge, Graph, Letter, Predicate, State};

/// A nondeterministic finite automaton with ε-moves and several initial states.
///
/// Edges carry a predicate, or `None` for ε; parallel edges are merged into one. The states,
/// edges and labels are those of the [`Graph`] it dereferences to.
///
/// ```
/// use quotient_automata::{Alphabet, Nfa};
/// let alphabet = Alphabet::new(["T", "N"])?;
/// let token_first = Nfa::builder(&alphabet)
///     .initial(0)
///     .edge(0, &alphabet.set(["T"])?, 1)
///     .edge(1, &alphabet.set(["N"])?, 1)
///     .accepting(1)
///     .build();
/// assert_eq!(token_first.len(), 2);
/// # Ok::<(), quotient_automata::AlphabetError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Nfa {
    alphabet: Alphabet,
    graph: Graph<Option<Predicate>>,
}

impl Nfa {
    /// Starts an automaton over an alphabet.
    pub fn builder(alphabet: &Alphabet) -> NfaBuilder {
        NfaBuilder {
            alphabet: alphabet.clone(),
            graph: GraphBuilder::new(),
        }
    }

    /// The automaton without states: it accepts nothing.
    pub fn empty(alphabet: &Alphabet) -> Nfa {
        Nfa::builder(alphabet).build()
    }

    /// The automaton that accepts one word only.
    ///
    /// ```
    /// use quotient_automata::{Alphabet, Nfa};
    /// let alphabet = Alphabet::new(["a", "b"])?;
    /// let word = alphabet.word("a b")?;
    /// let only = Nfa::of_word(&alphabet, &word);
    /// assert!(only.accepts(&word) && !only.accepts(&word[..1]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_word(alphabet: &Alphabet, word: &[Letter]) -> Nfa {
        let mut builder = Nfa::builder(alphabet)
            .initial(0)
            .accepting(word.len() as u32);
        for (place, &letter) in (0u32..).zip(word) {
            let letter = Predicate::of(alphabet, [letter]);
            builder.add_edge(State(place), &letter, State(place + 1));
        }
        builder.build()
    }

    /// The alphabet that its predicates speak of.
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// The states and edges alone.
    pub(crate) fn graph(&self) -> &Graph<Option<Predicate>> {
        &self.graph
    }

    /// Other states and edges over the same alphabet, none of the edges parallel.
    pub(crate) fn with_graph(&self, graph: Graph<Option<Predicate>>) -> Nfa {
        Nfa {
            alphabet: self.alphabet.clone(),
            graph,
        }
    }

    /// The same states and edges over an alphabet that is equal to its own.
    pub(crate) fn with_alphabet(&self, alphabet: &Alphabet) -> Nfa {
        Nfa {
            alphabet: alphabet.clone(),
            graph: self.graph.clone(),
        }
    }

    /// Whether it has ε-moves.
    pub fn has_epsilon(&self) -> bool {
        self.labels().iter().any(Option::is_none)
    }
}

impl Deref for Nfa {
    type Target = Graph<Option<Predicate>>;

    fn deref(&self) -> &Self::Target {
        &self.graph
    }
}

/// Collects the parts of an [`Nfa`] in any order; states come into being when named.
#[derive(Debug, Clone)]
pub struct NfaBuilder {
    alphabet: Alphabet,
    graph: GraphBuilder<Option<Predicate>>,
}

impl NfaBuilder {
    /// Makes sure that at least this many states exist.
    #[must_use]
    pub fn states(mut self, count: u32) -> Self {
        self.graph.reserve_states(count);
        self
    }

    /// Makes a state initial.
    #[must_use]
    pub fn initial(mut self, state: impl Into<State>) -> Self {
        self.add_initial(state.into());
        self
    }

    /// Makes a state accepting.
    #[must_use]
    pub fn accepting(mut self, state: impl Into<State>) -> Self {
        self.add_accepting(state.into());
        self
    }

    /// Adds an edge for each letter of the predicate.
    #[must_use]
    pub fn edge(
        mut self,
        source: impl Into<State>,
        letters: &Predicate,
        target: impl Into<State>,
    ) -> Self {
        self.add_edge(source.into(), letters, target.into());
        self
    }

    /// Adds an ε-move.
    #[must_use]
    pub fn epsilon(mut self, source: impl Into<State>, target: impl Into<State>) -> Self {
        self.add_epsilon(source.into(), target.into());
        self
    }

    /// A state that was not there before; for algorithms that build in a loop.
    pub fn fresh_state(&mut self) -> State {
        self.graph.fresh_state()
    }

    /// Makes that many states that were not there before and returns the number of the first.
    pub(crate) fn add_states(&mut self, count: u32) -> u32 {
        let first = self.graph.state_count();
        self.graph.reserve_states(first + count);
        first
    }

    /// Makes sure that a state exists.
    pub fn add_state(&mut self, state: State) {
        self.graph.reserve_states(state.0 + 1);
    }

    /// [`NfaBuilder::initial`] for loops.
    pub fn add_initial(&mut self, state: State) {
        self.graph.initial(state);
    }

    /// [`NfaBuilder::accepting`] for loops.
    pub fn add_accepting(&mut self, state: State) {
        self.graph.accepting(state);
    }

    /// [`NfaBuilder::edge`] for loops. An edge without letters is no edge, but names its states.
    pub fn add_edge(&mut self, source: State, letters: &Predicate, target: State) {
        self.graph.reserve_states(source.0.max(target.0) + 1);
        if !letters.is_empty() {
            let label = self.label(letters);
            self.graph.numbered_edge(source, label, target);
        }
    }

    /// The number of a label, for [`NfaBuilder::add_numbered_edge`]: loops that use few labels
    /// often look each up once.
    ///
    /// The label must have a letter.
    pub fn label(&mut self, letters: &Predicate) -> u32 {
        debug_assert_eq!(letters.alphabet_len(), self.alphabet.len());
        debug_assert!(!letters.is_empty());
        self.graph.label(&Some(letters.clone()))
    }

    /// Adds an edge whose label has a number already.
    pub fn add_numbered_edge(&mut self, source: State, label: u32, target: State) {
        self.graph.numbered_edge(source, label, target);
    }

    /// The numbers here of the labels of an automaton over the same alphabet, ε included, for
    /// [`NfaBuilder::add_numbered_edge`].
    pub(crate) fn labels_of(&mut self, nfa: &Nfa) -> Vec<u32> {
        nfa.labels()
            .iter()
            .map(|label| self.graph.label(label))
            .collect()
    }

    /// [`NfaBuilder::epsilon`] for loops.
    pub fn add_epsilon(&mut self, source: State, target: State) {
        self.graph.edge(source, &None, target);
    }

    /// The automaton.
    pub fn build(mut self) -> Nfa {
        self.merge_parallel_edges();
        Nfa {
            alphabet: self.alphabet,
            graph: self.graph.build(),
        }
    }

    fn merge_parallel_edges(&mut self) {
        self.graph.sort_by_source();
        let mut edges = std::mem::take(self.graph.edges_mut());
        for row in edges.chunk_by_mut(|a, b| a.source == b.source) {
            row.sort_unstable_by_key(|edge| (edge.target, edge.label));
        }
        edges.dedup();
        let same_ends = |a: &Edge, b: &Edge| (a.source, a.target) == (b.source, b.target);
        if !edges.windows(2).any(|pair| same_ends(&pair[0], &pair[1])) {
            *self.graph.edges_mut() = edges;
            return;
        }
        let mut merged: Vec<Edge> = Vec::with_capacity(edges.len());
        for parallel in edges.chunk_by(same_ends) {
            let first_reading = merged.len();
            let mut letters: Option<Predicate> = None;
            for &edge in parallel {
                let Some(more) = self.graph.label_at(edge.label) else {
                    merged.push(edge);
                    continue;
                };
                match &mut letters {
                    Some(letters) => letters.or_assign(more),
                    None if parallel.len() > 1 => letters = Some(more.clone()),
                    None => merged.push(edge),
                }
            }
            if letters.is_some() {
                let label = self.graph.label(&letters);
                merged.insert(
                    first_reading,
                    Edge {
                        label,
                        ..parallel[0]
                    },
                );
            }
        }
        *self.graph.edges_mut() = merged;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parallel_edges_become_one() {
        let alphabet = Alphabet::new(["a", "b"]).unwrap();
        let (a, b) = (alphabet.set(["a"]).unwrap(), alphabet.set(["b"]).unwrap());
        let nfa = Nfa::builder(&alphabet)
            .edge(0, &a, 1)
            .edge(0, &b, 1)
            .epsilon(0, 1)
            .build();
        assert_eq!(nfa.edges().len(), 2);
        assert!(nfa.labels().contains(&Some(Predicate::all(&alphabet))));
        assert!(nfa.has_epsilon());
    }

    #[test]
    fn an_edge_without_letters_is_no_edge() {
        let alphabet = Alphabet::new(["a"]).unwrap();
        let nfa = Nfa::builder(&alphabet)
            .edge(0, &Predicate::none(&alphabet), 3)
            .build();
        assert_eq!((nfa.len(), nfa.edges().len()), (4, 0));
    }
}
