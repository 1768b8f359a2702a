//! Is this set an inductive invariant?

use std::collections::HashSet;
use std::hash::Hash;

use quotient_automata::evidence::PlainAutomaton;
use quotient_automata::{Label, Letter, Nfa, State, Transducer};
use quotient_core::{Budget, Stop};

use super::WordProblem;
use crate::Rejection;
use crate::sets::Subsets;

/// Checks that the invariant contains the initial set, is closed under every step, and is
/// disjoint from the bad set.
pub(super) fn check(
    plain: &PlainAutomaton,
    problem: &WordProblem<'_>,
    bad: &Nfa,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    // Every state that matters is mentioned somewhere: the file is not smaller than what it says.
    let edges = plain.edges.len().saturating_mul(2);
    let mentioned = edges.saturating_add(plain.initial.len() + plain.accepting.len());
    if plain.states as usize > mentioned.saturating_add(1) {
        return Err(Rejection::unreadable(
            "the invariant claims to have too many states",
        ));
    }
    let alphabet = problem.relation.alphabet();
    // Edges name their letters themselves; a list that says otherwise is about another problem.
    if !plain.alphabet.iter().eq(alphabet.names()) {
        return Err(Rejection::unreadable(
            "the letters of the invariant are not those of the problem",
        ));
    }
    let invariant = plain.to_nfa(alphabet).map_err(|error| {
        Rejection::unreadable(format!("the invariant does not fit the problem: {error}"))
    })?;
    if !is_included(problem.initial, &invariant, budget)? {
        return Err(Rejection::wrong(
            "some initial configuration is not in the invariant",
        ));
    }
    if !is_disjoint(&invariant, bad, budget)? {
        return Err(Rejection::wrong(
            "the invariant contains a bad configuration",
        ));
    }
    for (name, step) in problem.relation.parts() {
        if !is_closed(&invariant, step, budget)? {
            return Err(Rejection::wrong(format!(
                "a step by `{name}` leaves the invariant"
            )));
        }
    }
    Ok(vec![
        "every initial configuration is in the invariant".to_owned(),
        format!(
            "no step leaves it ({} transducers)",
            problem.relation.parts().len()
        ),
        "it contains no bad configuration".to_owned(),
    ])
}

/// Whether every word of the left is one of the right: follows the left state by state and the
/// right set by set.
fn is_included(left: &Nfa, right: &Nfa, budget: &Budget) -> Result<bool, Stop> {
    let mut sets = Subsets::new(right, budget);
    let start = sets.start();
    let mut search = Search::new(left.initial().iter().map(|&state| (state, start)));
    while let Some((state, set)) = search.next(budget)? {
        if left.is_accepting(state) && !sets.accepts(set) {
            return Ok(false);
        }
        for edge in left.edges_from(state) {
            match left.label(edge) {
                None => search.add((edge.target, set)),
                Some(letters) => {
                    for letter in letters.letters() {
                        search.add((edge.target, sets.step(set, letter)?));
                    }
                }
            }
        }
    }
    Ok(true)
}

/// Whether no word is in both.
fn is_disjoint(left: &Nfa, right: &Nfa, budget: &Budget) -> Result<bool, Stop> {
    let starts = left
        .initial()
        .iter()
        .flat_map(|&l| right.initial().iter().map(move |&r| (l, r)));
    let mut search = Search::new(starts);
    while let Some((l, r)) = search.next(budget)? {
        if left.is_accepting(l) && right.is_accepting(r) {
            return Ok(false);
        }
        for edge in left
            .edges_from(l)
            .iter()
            .filter(|edge| left.label(edge).is_none())
        {
            search.add((edge.target, r));
        }
        for edge in right
            .edges_from(r)
            .iter()
            .filter(|edge| right.label(edge).is_none())
        {
            search.add((l, edge.target));
        }
        for one in left.edges_from(l) {
            for other in right.edges_from(r) {
                if let (Some(a), Some(b)) = (left.label(one), right.label(other))
                    && a.intersects(b)
                {
                    search.add((one.target, other.target));
                }
            }
        }
    }
    Ok(true)
}

/// Whether every word that the step makes of a word of the set is in the set: follows the step
/// and the word read state by state, and the word written set by set.
fn is_closed(set: &Nfa, step: &Transducer, budget: &Budget) -> Result<bool, Stop> {
    let mut sets = Subsets::new(set, budget);
    let start = sets.start();
    let starts = step
        .initial()
        .iter()
        .flat_map(|&s| set.initial().iter().map(move |&q| (s, q, start)));
    let mut search = Search::new(starts);
    while let Some((state, read, written)) = search.next(budget)? {
        if step.is_accepting(state) && set.is_accepting(read) && !sets.accepts(written) {
            return Ok(false);
        }
        for edge in set
            .edges_from(read)
            .iter()
            .filter(|edge| set.label(edge).is_none())
        {
            search.add((state, edge.target, written));
        }
        for edge in step.edges_from(state) {
            for (after, output) in reads(set, read, step.label(edge)) {
                match output {
                    None => search.add((edge.target, after, written)),
                    Some(letters) => {
                        for letter in letters {
                            search.add((edge.target, after, sets.step(written, letter)?));
                        }
                    }
                }
            }
        }
    }
    Ok(true)
}

/// Where the set can be after the input of a label, with the letters that may then be written
/// (`None` for no letter at all).
fn reads(set: &Nfa, state: State, label: &Label) -> Vec<(State, Option<Vec<Letter>>)> {
    let (input, output) = match label {
        Label::Pair(input, output) => (
            input,
            output.as_ref().map(|letters| letters.letters().collect()),
        ),
        Label::Copy(letters) => {
            let moves = set.edges_from(state).iter().filter_map(|edge| {
                let common = set.label(edge).as_ref()?.and(letters);
                Some((edge.target, Some(common.letters().collect())))
            });
            return moves.collect();
        }
    };
    let Some(input) = input else {
        return vec![(state, output)];
    };
    let edges = set.edges_from(state).iter();
    let readable = edges.filter(|edge| {
        set.label(edge)
            .as_ref()
            .is_some_and(|letters| letters.intersects(input))
    });
    readable.map(|edge| (edge.target, output.clone())).collect()
}

/// Everything that can be reached, each thing once.
struct Search<T> {
    seen: HashSet<T>,
    waiting: Vec<T>,
}

impl<T: Copy + Eq + Hash> Search<T> {
    fn new(starts: impl Iterator<Item = T>) -> Self {
        let mut search = Search {
            seen: HashSet::new(),
            waiting: Vec::new(),
        };
        starts.for_each(|start| search.add(start));
        search
    }

    fn add(&mut self, found: T) {
        if self.seen.insert(found) {
            self.waiting.push(found);
        }
    }

    fn next(&mut self, budget: &Budget) -> Result<Option<T>, Stop> {
        budget.poll()?;
        Ok(self.waiting.pop())
    }
}
