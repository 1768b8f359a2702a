//! From an automaton to an expression, by eliminating states.

use std::collections::BTreeMap;

use quotient_core::{Budget, Stop};

use super::term::Term;
use crate::{Dfa, State};

/// An expression for the language of a trimmed automaton; nothing if one on the way is larger
/// than the limit.
pub(super) fn eliminate(dfa: &Dfa, limit: usize, budget: &Budget) -> Result<Option<Term>, Stop> {
    let mut graph = ExpressionGraph::of(dfa);
    while let Some(state) = graph.cheapest() {
        budget.charge(1)?;
        if !graph.eliminate(state, limit) {
            return Ok(None);
        }
    }
    let whole = graph.between(graph.start, graph.end);
    Ok((whole.size() <= limit).then_some(whole))
}

/// A graph whose edges carry expressions, with a start that nothing leads to and an end that
/// nothing leaves.
struct ExpressionGraph {
    start: usize,
    end: usize,
    /// For each state, where it leads and with which words.
    edges: Vec<BTreeMap<usize, Term>>,
    /// For each state, the states that lead to it.
    sources: Vec<Vec<usize>>,
    left: Vec<usize>,
}

impl ExpressionGraph {
    fn of(dfa: &Dfa) -> ExpressionGraph {
        let (start, end) = (dfa.len(), dfa.len() + 1);
        let mut graph = ExpressionGraph {
            start,
            end,
            edges: vec![BTreeMap::new(); dfa.len() + 2],
            sources: vec![Vec::new(); dfa.len() + 2],
            left: (0..dfa.len()).collect(),
        };
        graph.add(start, dfa.initial().index(), Term::EmptyWord);
        for state in 0..dfa.len() {
            if dfa.is_accepting(State(state as u32)) {
                graph.add(state, end, Term::EmptyWord);
            }
            for (class, next) in dfa.moves(State(state as u32)) {
                let letters = dfa.minterms().members(class).clone();
                graph.add(state, next as usize, Term::letters(letters));
            }
        }
        graph
    }

    fn add(&mut self, from: usize, to: usize, term: Term) {
        match self.edges[from].remove(&to) {
            Some(already) => {
                self.edges[from].insert(to, already.or(term));
            }
            None => {
                self.edges[from].insert(to, term);
                self.sources[to].push(from);
            }
        }
    }

    fn between(&self, from: usize, to: usize) -> Term {
        self.edges[from].get(&to).cloned().unwrap_or(Term::Nothing)
    }

    /// The state whose elimination writes the least (the weight of Delgado and Morais 2004):
    /// what comes in is written once for each way out and the other way round, the loop for
    /// each pair.
    fn cheapest(&self) -> Option<usize> {
        self.left.iter().copied().min_by_key(|&state| {
            let out = self.edges[state].iter().filter(|(to, _)| **to != state);
            let into = self.sources[state].iter().filter(|&&from| from != state);
            let (ways_in, ways_out) = (into.clone().count(), out.clone().count());
            let size_out: usize = out.map(|(_, term)| term.size()).sum();
            let size_in: usize = into.map(|&from| self.edges[from][&state].size()).sum();
            let around = self.edges[state].get(&state).map_or(0, Term::size);
            size_in * ways_out.saturating_sub(1)
                + size_out * ways_in.saturating_sub(1)
                + around * (ways_in * ways_out).saturating_sub(1)
        })
    }

    /// Replaces the ways through a state by edges; false if one would be too large.
    fn eliminate(&mut self, state: usize, limit: usize) -> bool {
        self.left.retain(|&other| other != state);
        let mut out = std::mem::take(&mut self.edges[state]);
        let around = out.remove(&state).unwrap_or(Term::Nothing).star();
        for target in out.keys() {
            self.sources[*target].retain(|&from| from != state);
        }
        for source in std::mem::take(&mut self.sources[state]) {
            if source == state {
                continue;
            }
            let Some(into) = self.edges[source].remove(&state) else {
                continue;
            };
            for (&target, onward) in &out {
                let through = into.clone().then(around.clone()).then(onward.clone());
                if through.size() > limit {
                    return false;
                }
                self.add(source, target, through);
                if self.edges[source][&target].size() > limit {
                    return false;
                }
            }
        }
        true
    }
}
