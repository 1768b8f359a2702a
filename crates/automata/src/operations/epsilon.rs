//! Without ε-moves.

use std::borrow::Cow;

use quotient_core::{Budget, Stop};

use crate::{Nfa, State};

impl Nfa {
    /// The same language without ε-moves and without useless states.
    ///
    /// A state reads what the states in its ε-closure read, and accepts if one of them does.
    /// Only initial states and those that a letter leads to are kept, as no run of the result
    /// needs the others.
    pub fn without_epsilon(&self, budget: &Budget) -> Result<Nfa, Stop> {
        Ok(self.epsilon_free(budget)?.into_owned())
    }

    /// The same, and itself if that is so already: most automata are, and small ones take as long
    /// to copy as to work with.
    pub(crate) fn epsilon_free(&self, budget: &Budget) -> Result<Cow<'_, Nfa>, Stop> {
        let trimmed = self.trimmed();
        if !trimmed.has_epsilon() {
            return Ok(trimmed);
        }
        let mut builder = Nfa::builder(self.alphabet()).states(trimmed.len() as u32);
        let labels = builder.labels_of(&trimmed);
        let mut closure = Closure::new(&trimmed);
        let mut kept = quotient_bits::Bits::with_capacity(trimmed.len());
        let mut waiting: Vec<State> = trimmed.initial().to_vec();
        for &state in &waiting {
            kept.insert(state.index());
            builder.add_initial(state);
        }
        while let Some(state) = waiting.pop() {
            let reached = closure.of(state);
            budget.charge(reached.len() as u64)?;
            for &inner in reached {
                if trimmed.is_accepting(inner) {
                    builder.add_accepting(state);
                }
                for edge in trimmed.edges_from(inner) {
                    if trimmed.label(edge).is_some() {
                        let label = labels[edge.label as usize];
                        builder.add_numbered_edge(state, label, edge.target);
                        if !kept.put(edge.target.index()) {
                            waiting.push(edge.target);
                        }
                    }
                }
            }
        }
        Ok(Cow::Owned(builder.build().restricted_to(&kept)))
    }
}

/// Computes ε-closures, reusing its memory.
pub(crate) struct Closure<'a> {
    nfa: &'a Nfa,
    /// The round in which a state was last seen.
    seen: Vec<u32>,
    round: u32,
    reached: Vec<State>,
}

impl<'a> Closure<'a> {
    pub(crate) fn new(nfa: &'a Nfa) -> Closure<'a> {
        Closure {
            nfa,
            seen: vec![0; nfa.len()],
            round: 0,
            reached: Vec::new(),
        }
    }

    /// The states that ε-moves reach from a state, itself included.
    pub(crate) fn of(&mut self, state: State) -> &[State] {
        self.of_all([state])
    }

    /// The states that ε-moves reach from some states, themselves included.
    pub(crate) fn of_all(&mut self, states: impl IntoIterator<Item = State>) -> &[State] {
        self.round += 1;
        self.reached.clear();
        for state in states {
            self.visit(state);
        }
        let mut done = 0;
        while let Some(&state) = self.reached.get(done) {
            done += 1;
            for edge in self.nfa.edges_from(state) {
                if self.nfa.label(edge).is_none() {
                    self.visit(edge.target);
                }
            }
        }
        &self.reached
    }

    fn visit(&mut self, state: State) {
        let seen = &mut self.seen[state.index()];
        if *seen != self.round {
            *seen = self.round;
            self.reached.push(state);
        }
    }
}
