//! The same traces, and the same refusals at rest.

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use super::covered::Covered;
use super::determinise::Closure;
use super::minimise;
use crate::graph::busy;
use crate::{Action, Equivalence, Lts, LtsBuilder, State};

/// A component without error and end states that has the same traces and, wherever it comes to
/// rest, refuses the same (stable failures; Roscoe 1997). Beside others, and with events hidden,
/// it gets stuck exactly if the given one does.
///
/// Each set of states that a trace leads to is one state, from which silent steps lead to the ways
/// in which it can come to rest: those that allow the least.
pub(crate) fn by_failures(lts: &Lts, budget: &Budget) -> Result<Lts, Stop> {
    normal_form(lts, &[], None, budget)
}

/// The same with states that add nothing beside others left out of sets: more work at first, and
/// mostly far fewer sets.
pub(super) fn by_failures_covered(lts: &Lts, budget: &Budget) -> Result<Lts, Stop> {
    let covered = Covered::of(lts, &[], budget)?;
    normal_form(lts, &[], covered, budget)
}

/// The same where silence for ever counts too, and after it everything as possible.
pub(super) fn by_failures_and_divergences(lts: &Lts, budget: &Budget) -> Result<Lts, Stop> {
    let is_lost = busy(lts);
    let covered = Covered::of(lts, &is_lost, budget)?;
    normal_form(lts, &is_lost, covered, budget)
}

/// Traces that lead to a state of which nothing more counts are followed no further: there it is
/// silently busy for ever.
fn normal_form(
    lts: &Lts,
    is_lost: &[bool],
    covered: Option<Covered>,
    budget: &Budget,
) -> Result<Lts, Stop> {
    if lts.has_error() {
        return Ok(lts.clone());
    }
    let mut closure = Closure::new(lts, |_| false);
    // Of the states that a trace leads to, those that matter.
    let least = |states: Vec<State>| match &covered {
        Some(covered) => covered.uncovered(&states),
        None => states,
    };
    let initial = least(closed(&mut closure, lts, vec![lts.initial()]));
    let mut numbers: FxHashMap<Vec<State>, State> = FxHashMap::default();
    let mut subsets = vec![initial.clone()];
    numbers.insert(initial, State::from_index(0));
    let mut rows: Vec<Row> = Vec::new();
    while rows.len() < subsets.len() {
        let subset = &closed(&mut closure, lts, subsets[rows.len()].clone());
        let mut lost = subset.iter().filter_map(|&at| is_lost.get(at.index()));
        if lost.any(|&lost| lost) {
            budget.charge(subset.len() as u64)?;
            rows.push(Row::default());
            continue;
        }
        let allowed = least_allowed(lts, subset, budget)?;
        let mut moves: Vec<(Action, State)> = Vec::new();
        for &state in subset {
            let visible = lts.edges(state).iter().filter(|edge| !edge.action.is_tau());
            moves.extend(visible.map(|edge| (edge.action, edge.target)));
        }
        moves.sort_unstable();
        moves.dedup();
        budget.charge((moves.len() + subset.len()) as u64 + 1)?;
        let mut steps = Vec::new();
        for group in moves.chunk_by(|left, right| left.0 == right.0) {
            let targets = group.iter().map(|&(_, target)| target).collect();
            let next = closed(&mut closure, lts, targets);
            budget.charge(next.len() as u64 / 4)?;
            let next = least(next);
            let target = *numbers.entry(next).or_insert_with_key(|next| {
                subsets.push(next.clone());
                State::from_index(subsets.len() - 1)
            });
            steps.push((group[0].0, target));
        }
        rows.push(Row { steps, allowed });
    }
    minimise(&drawn(lts, &rows), Equivalence::Strong, budget)
}

/// All states that silent steps lead to; none of them is the error state.
fn closed(closure: &mut Closure, lts: &Lts, states: Vec<State>) -> Vec<State> {
    closure.of(lts, states).unwrap_or_default()
}

/// What can happen after a trace.
#[derive(Default)]
struct Row {
    steps: Vec<(Action, State)>,
    /// What is allowed where it comes to rest, none of them more than another.
    allowed: Vec<Vec<Action>>,
}

/// The least sets of events that states at rest allow.
pub(super) fn least_allowed(
    lts: &Lts,
    subset: &[State],
    budget: &Budget,
) -> Result<Vec<Vec<Action>>, Stop> {
    let edges = |state: State| lts.edges(state).iter().map(|edge| edge.action);
    let at_rest = subset
        .iter()
        .filter(|&&state| edges(state).all(|action| !action.is_tau()));
    let mut sets: Vec<Vec<Action>> = at_rest
        .map(|&state| {
            // Edges are sorted by action.
            let mut actions: Vec<Action> = edges(state).collect();
            actions.dedup();
            actions
        })
        .collect();
    sets.sort_unstable_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
    sets.dedup();
    let mut least: Vec<Vec<Action>> = Vec::new();
    for set in sets {
        budget.charge(least.len() as u64 / 4 + 1)?;
        let is_within = |less: &Vec<Action>| less.iter().all(|one| set.binary_search(one).is_ok());
        if !least.iter().any(is_within) {
            least.push(set);
        }
    }
    Ok(least)
}

fn drawn(lts: &Lts, rows: &[Row]) -> Lts {
    let mut builder = LtsBuilder::new();
    builder
        .at_least(rows.len())
        .initial(0)
        .alphabet(lts.alphabet().iter().copied());
    for (number, row) in (0..).zip(rows) {
        for &(action, target) in &row.steps {
            builder.edge(number, action, target);
        }
        match &row.allowed[..] {
            // It is never at rest.
            [] => drop(builder.edge(number, Action::TAU, number)),
            // It is at rest, and allows all that can happen.
            [all] if all.len() == row.steps.len() => {}
            several => {
                for allowed in several {
                    let rest = builder.add_state();
                    builder.edge(number, Action::TAU, rest);
                    let steps = row.steps.iter();
                    for &(action, target) in steps.filter(|step| allowed.contains(&step.0)) {
                        builder.edge(rest, action, target);
                    }
                }
            }
        }
    }
    builder.build()
}
