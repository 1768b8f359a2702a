//! The smallest component that is the same up to silent steps.

use quotient_core::{Budget, Stop};

use crate::graph::components;
use crate::operations::{branching_blocks, by_failures, minimise, towards_error, weak_blocks};
use crate::{Action, Equivalence, Lts, LtsBuilder, State};

/// Work that the last bit of smallness may take, for each edge and in any case.
const MOST_WORK: u64 = 16;
const LEAST_WORK: u64 = 20_000;

/// A component without error and end states, all of whose states can be reached, made small,
/// and where each of its states has gone. A state that can be silently busy for ever is like
/// none that cannot.
///
/// It is made as small as branching bisimulation makes it, and then as weak bisimulation does
/// if that does not take much longer.
pub(super) fn small(lts: &Lts, budget: &Budget) -> Result<(Lts, Vec<State>), Stop> {
    let (small, mut places) = smaller(lts, branching_blocks, true, budget)?;
    let work = MOST_WORK * (small.transitions() + small.states()) as u64;
    let limited = budget.child_with_work(work.max(LEAST_WORK));
    match smaller(&small, weak_blocks, true, &limited) {
        Ok((smallest, again)) => {
            for place in &mut places {
                *place = again[place.index()];
            }
            Ok((smallest, places))
        }
        Err(Stop::Work) => budget.poll().map(|()| (small, places)),
        Err(stop) => Err(stop),
    }
}

/// The same with regard only to traces and what is refused at rest, if that is smaller and does not
/// take much longer. Then nothing tells where the states have gone.
pub(super) fn small_by_failures(lts: &Lts, budget: &Budget) -> Result<(Lts, Vec<State>), Stop> {
    let (small, places) = small(lts, budget)?;
    let size = |lts: &Lts| lts.transitions() + lts.states();
    let limited = budget.child_with_work((MOST_WORK * size(&small) as u64).max(LEAST_WORK));
    match by_failures(&small, &limited) {
        Ok(smaller) if size(&smaller) < size(&small) => Ok((smaller, Vec::new())),
        Ok(_) => Ok((small, places)),
        Err(Stop::Work) => budget.poll().map(|()| (small, places)),
        Err(stop) => Err(stop),
    }
}

/// The same for infinite executions: as small as branching bisimulation makes it. Where choices
/// are fair, silence for ever does not count where something else is possible.
pub(super) fn alike(lts: &Lts, fair: bool, budget: &Budget) -> Result<(Lts, Vec<State>), Stop> {
    smaller(lts, branching_blocks, !fair, budget)
}

/// The smallest deterministic component with the same traces and the same traces into the error
/// state. Where nobody else errs, traces that lead to no error are left out.
pub(super) fn by_traces(lts: &Lts, nobody_else_errs: bool, budget: &Budget) -> Result<Lts, Stop> {
    match nobody_else_errs {
        false => minimise(lts, Equivalence::Trace, budget),
        true => {
            let small = minimise(&towards_error(lts), Equivalence::Trace, budget)?;
            minimise(&towards_error(&small), Equivalence::Strong, budget)
        }
    }
}

/// With `busy`, states that can be silently busy for ever are like none that cannot.
fn smaller(
    lts: &Lts,
    blocks: impl Fn(&Lts, &Budget) -> Result<Vec<u32>, Stop>,
    busy: bool,
    budget: &Budget,
) -> Result<(Lts, Vec<State>), Stop> {
    let component_of = components(lts.states(), |state| silent(lts, state));
    let is_busy = |state: State| {
        let own = component_of[state.index()];
        busy && silent(lts, state).any(|target| component_of[target.index()] == own)
    };
    // An action that nobody has marks the states on silent cycles.
    let last = lts.alphabet().last().map_or(0, |action| action.index());
    let mark = Action::from_index(last + 1);
    let mut marked = LtsBuilder::shaped_like(lts);
    for (from, edge) in lts.all_edges() {
        marked.edge(from, edge.action, edge.target);
    }
    for state in lts.all_states().filter(|&state| is_busy(state)) {
        marked.edge(state, mark, state);
    }
    let blocks = blocks(&marked.build(), budget)?;
    let mut number: Vec<Option<State>> = vec![None; lts.states()];
    let mut count = 0;
    let mut places = Vec::with_capacity(lts.states());
    for &block in &blocks {
        places.push(*number[block as usize].get_or_insert_with(|| {
            count += 1;
            State::from_index(count - 1)
        }));
    }
    let place = |state: State| places[state.index()];
    let mut builder = LtsBuilder::new();
    builder
        .initial(place(lts.initial()))
        .alphabet(lts.alphabet().iter().copied());
    for (from, edge) in lts.all_edges() {
        let (from, target) = (place(from), place(edge.target));
        // Silence that leads nowhere is no silence for ever.
        if !edge.action.is_tau() || from != target {
            builder.edge(from, edge.action, target);
        }
    }
    for state in lts.all_states().filter(|&state| is_busy(state)) {
        builder.edge(place(state), Action::TAU, place(state));
    }
    Ok((builder.build(), places))
}

fn silent(lts: &Lts, state: State) -> impl Iterator<Item = State> + '_ {
    let edges = lts.edges(state).iter();
    let silent = edges.take_while(|edge| edge.action.is_tau());
    silent.map(|edge| edge.target)
}
