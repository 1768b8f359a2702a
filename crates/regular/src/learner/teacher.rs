//! Knows which words of each length are reachable.

use std::sync::Arc;

use quotient_automata::{Nfa, Predicate, State, Word};
use quotient_core::{Context, Stop};

use crate::exact::Exploration;
use crate::{Run, Set, System};

pub(super) struct Teacher<'s> {
    system: &'s System,
    /// For each length the reachable words, once they were asked for.
    reached: Vec<Option<Set>>,
}

impl<'s> Teacher<'s> {
    pub(super) fn new(system: &'s System) -> Self {
        Teacher {
            system,
            reached: Vec::new(),
        }
    }

    /// The greatest length asked for.
    pub(super) fn longest(&self) -> usize {
        self.reached.len().saturating_sub(1)
    }

    /// Whether a word is reachable.
    pub(super) fn reachable(&mut self, word: &Word, cx: &Context) -> Result<bool, Stop> {
        let length = word.len();
        if self.reached.len() <= length {
            self.reached.resize(length + 1, None);
        }
        if self.reached[length].is_none() {
            let mut exploration = self.explore(length, cx)?;
            while !exploration.step(&quiet(cx))? {}
            self.reached[length] = Some(exploration.last().clone());
        }
        cx.budget.charge(length as u64 / 8 + 1)?;
        Ok(self.reached[length]
            .as_ref()
            .is_some_and(|set| set.accepts(word)))
    }

    /// A run to a bad word of the property that has this length.
    pub(super) fn run_to(&self, property: usize, length: usize, cx: &Context) -> Result<Run, Stop> {
        let mut exploration = self.explore(length, cx)?;
        while !exploration.meets(self.system.bad(property), cx)? {
            if exploration.step(&quiet(cx))? {
                return Err(Stop::inconclusive(
                    "internal error: a reachable word cannot be reached",
                ));
            }
        }
        exploration.run_to(property, cx)
    }

    fn explore(&self, length: usize, cx: &Context) -> Result<Exploration<'s>, Stop> {
        let alphabet = self.system.alphabet();
        let all = Predicate::all(alphabet);
        let mut words = Nfa::builder(alphabet).initial(0);
        for i in 0..length as u32 {
            words.add_edge(State(i), &all, State(i + 1));
        }
        words.add_accepting(State(length as u32));
        let words = words.build().determinize(&cx.budget)?;
        let start = self.system.initial().intersection(&words, &cx.budget)?;
        let start = Arc::new(start.minimize(&cx.budget)?);
        Ok(Exploration::from(self.system, start))
    }
}

/// The steps of the teacher are not part of the story.
fn quiet(cx: &Context) -> Context {
    Context {
        budget: cx.budget.clone(),
        ..Context::default()
    }
}
