//! Where in an automaton a term can be: states for its variables, and the state of the whole.

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use crate::{Piece, State, Term, TreeAutomaton};

/// States for some variables, sorted by variable.
pub(crate) type Assignment = Vec<(u32, State)>;

/// What a part of a term can be.
enum Part {
    /// Anything, and the variable is that.
    Variable(u32),
    Known(FxHashMap<State, Vec<Assignment>>),
}

/// All pairs of a state and an assignment so that the term, with trees in these states for its
/// variables, is in the state. Where a variable occurs twice, `meet` says whether two states
/// have a tree in common; the first one is kept.
pub(crate) fn instances(
    automaton: &TreeAutomaton,
    term: &Term,
    meet: &dyn Fn(State, State) -> bool,
    budget: &Budget,
) -> Result<Vec<(State, Assignment)>, Stop> {
    let mut stopped = Ok(());
    let top = term.fold(|piece, children: Vec<Part>| match piece {
        Piece::Variable(number) => Part::Variable(number),
        Piece::Node(node) => {
            let mut known: FxHashMap<State, Vec<Assignment>> = FxHashMap::default();
            for rule in automaton.rules_for(node.symbol) {
                let mut found: Vec<Assignment> = vec![Vec::new()];
                for (part, &child) in children.iter().zip(&rule.children) {
                    let mut next = Vec::new();
                    match part {
                        Part::Variable(number) => {
                            let one = vec![(*number, child)];
                            next.extend(found.iter().filter_map(|old| joined(old, &one, meet)));
                        }
                        Part::Known(known) => {
                            for one in known.get(&child).map_or(&[][..], Vec::as_slice) {
                                next.extend(found.iter().filter_map(|old| joined(old, one, meet)));
                            }
                        }
                    }
                    found = next;
                    if stopped.is_ok() {
                        stopped = budget.charge(found.len() as u64 + 1);
                    }
                    if stopped.is_err() {
                        found.clear();
                    }
                }
                known.entry(rule.target).or_default().append(&mut found);
            }
            for all in known.values_mut() {
                all.sort_unstable();
                all.dedup();
            }
            Part::Known(known)
        }
    });
    stopped?;
    let mut all: Vec<(State, Assignment)> = match top {
        Part::Variable(number) => automaton
            .all_states()
            .map(|state| (state, vec![(number, state)]))
            .collect(),
        Part::Known(known) => known
            .into_iter()
            .flat_map(|(state, all)| all.into_iter().map(move |one| (state, one)))
            .collect(),
    };
    all.sort_unstable();
    Ok(all)
}

/// Two assignments together, unless they contradict each other.
fn joined(
    one: &Assignment,
    other: &Assignment,
    meet: &dyn Fn(State, State) -> bool,
) -> Option<Assignment> {
    let mut all = one.clone();
    for &(variable, state) in other {
        match all.binary_search_by_key(&variable, |&(number, _)| number) {
            Ok(place) if all[place].1 != state && !meet(all[place].1, state) => return None,
            Ok(_) => {}
            Err(place) => all.insert(place, (variable, state)),
        }
    }
    Some(all)
}

/// The state of a variable.
pub(crate) fn assigned(assignment: &Assignment, variable: u32) -> Option<State> {
    let found = assignment.binary_search_by_key(&variable, |&(number, _)| number);
    found.ok().map(|place| assignment[place].1)
}
