//! Automata that read one word and write another.

mod apply;
mod compose;
mod diagonal;
mod lazy;
mod pairing;
mod pairs;
mod reduce;
mod relabel;
mod rewrite;
#[cfg(test)]
mod tests;

use std::ops::Deref;

use crate::graph::GraphBuilder;
use crate::{Alphabet, Graph, Predicate, State};

/// What one move of a [`Transducer`] reads and writes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Label {
    /// Reads any letter of the input and writes any letter of the output, independently; a
    /// missing side is ε. Without input it inserts, without output it deletes, without either
    /// it is silent.
    Pair(Option<Predicate>, Option<Predicate>),
    /// Reads a letter of the predicate and writes the same letter.
    Copy(Predicate),
}

impl Label {
    /// The move that reads and writes nothing.
    pub const SILENT: Label = Label::Pair(None, None);

    /// What it reads; `None` for ε.
    pub fn input(&self) -> Option<&Predicate> {
        match self {
            Label::Pair(input, _) => input.as_ref(),
            Label::Copy(letters) => Some(letters),
        }
    }

    /// What it writes; `None` for ε.
    pub fn output(&self) -> Option<&Predicate> {
        match self {
            Label::Pair(_, output) => output.as_ref(),
            Label::Copy(letters) => Some(letters),
        }
    }

    /// Whether no move can use it, because a side has no letter.
    pub fn is_impossible(&self) -> bool {
        [self.input(), self.output()]
            .into_iter()
            .flatten()
            .any(Predicate::is_empty)
    }

    /// With input and output exchanged.
    #[must_use]
    pub fn inverse(&self) -> Label {
        match self {
            Label::Pair(input, output) => Label::Pair(output.clone(), input.clone()),
            Label::Copy(letters) => Label::Copy(letters.clone()),
        }
    }
}

/// A finite transducer: the pairs of words read and written on its accepting runs.
///
/// The states, edges and labels are those of the [`Graph`] it dereferences to.
///
/// ```
/// use quotient_automata::{Alphabet, Label, Predicate, Transducer};
/// let alphabet = Alphabet::new(["T", "N"])?;
/// let (t, n) = (alphabet.set(["T"])?, alphabet.set(["N"])?);
/// let copy = Label::Copy(Predicate::all(&alphabet));
/// let pass_the_token = Transducer::builder(&alphabet)
///     .initial(0)
///     .edge(0, &copy, 0)
///     .edge(0, &Label::Pair(Some(t.clone()), Some(n.clone())), 1)
///     .edge(1, &Label::Pair(Some(n), Some(t)), 2)
///     .edge(2, &copy, 2)
///     .accepting(2)
///     .build();
/// assert_eq!(pass_the_token.edges().len(), 4);
/// # Ok::<(), quotient_automata::AlphabetError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Transducer {
    alphabet: Alphabet,
    graph: Graph<Label>,
}

impl Transducer {
    /// Starts a transducer over an alphabet.
    pub fn builder(alphabet: &Alphabet) -> TransducerBuilder {
        TransducerBuilder {
            alphabet: alphabet.clone(),
            graph: GraphBuilder::new(),
        }
    }

    /// The transducer that copies every word.
    pub fn identity(alphabet: &Alphabet) -> Transducer {
        let copy = Label::Copy(Predicate::all(alphabet));
        Transducer::builder(alphabet)
            .initial(0)
            .edge(0, &copy, 0)
            .accepting(0)
            .build()
    }

    /// The alphabet that its predicates speak of.
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    fn accepting_states(&self) -> impl Iterator<Item = State> + '_ {
        self.accepting().ones().map(|state| State(state as u32))
    }
}

impl Deref for Transducer {
    type Target = Graph<Label>;

    fn deref(&self) -> &Self::Target {
        &self.graph
    }
}

/// Collects the parts of a [`Transducer`] in any order; states come into being when named.
#[derive(Debug, Clone)]
pub struct TransducerBuilder {
    alphabet: Alphabet,
    graph: GraphBuilder<Label>,
}

impl TransducerBuilder {
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

    /// Adds a move.
    #[must_use]
    pub fn edge(
        mut self,
        source: impl Into<State>,
        label: &Label,
        target: impl Into<State>,
    ) -> Self {
        self.add_edge(source.into(), label, target.into());
        self
    }

    /// A state that was not there before; for algorithms that build in a loop.
    pub fn fresh_state(&mut self) -> State {
        self.graph.fresh_state()
    }

    /// [`TransducerBuilder::initial`] for loops.
    pub fn add_initial(&mut self, state: State) {
        self.graph.initial(state);
    }

    /// [`TransducerBuilder::accepting`] for loops.
    pub fn add_accepting(&mut self, state: State) {
        self.graph.accepting(state);
    }

    /// [`TransducerBuilder::edge`] for loops. An impossible move is no move, but names its
    /// states.
    pub fn add_edge(&mut self, source: State, label: &Label, target: State) {
        self.graph.reserve_states(source.0.max(target.0) + 1);
        if !label.is_impossible() {
            self.graph.edge(source, label, target);
        }
    }

    /// Makes sure that a state exists.
    pub fn add_state(&mut self, state: State) {
        self.graph.reserve_states(state.0 + 1);
    }

    /// Adds the states and moves of another transducer beside those that are there.
    pub fn add_copy_of(&mut self, other: &Transducer) {
        let first = self.graph.state_count();
        let moved = |state: State| State(first + state.0);
        self.graph.reserve_states(first + other.len() as u32);
        other
            .initial()
            .iter()
            .for_each(|&s| self.add_initial(moved(s)));
        other
            .accepting_states()
            .for_each(|s| self.add_accepting(moved(s)));
        for edge in other.edges() {
            self.add_edge(moved(edge.source), other.label(edge), moved(edge.target));
        }
    }

    /// The transducer.
    pub fn build(self) -> Transducer {
        Transducer {
            alphabet: self.alphabet,
            graph: self.graph.build(),
        }
    }
}
