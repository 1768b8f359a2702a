//! Questions put to the engine.

use std::ops::ControlFlow;

use quotient_core::{Budget, Stop};
use quotient_explicit::{
    Ending, Graph, Halt, Lasso, Limits, Linear, Order, Rest, StateId, Steps, carried_on, linear,
    search,
};
use quotient_logic::{Formula, Kind, Unary};

use crate::alone::Alone;
use crate::evidence::{Run, Taken};
use crate::hashed;
use crate::moves::Move;
use crate::packed::{FEW, Fewer, Packed};
use crate::program::Program;
use crate::question::{Atom, ends_well, fair, seen};
use crate::space::{Mode, Space};
use crate::state::{CLAIM, FAILED, Fault, State};
use crate::unsure;

/// What the search for failures and ends found.
pub(crate) struct Safety {
    pub(crate) states: usize,
    pub(crate) steps: usize,
    pub(crate) failed: Option<Run>,
    pub(crate) stuck: Option<Run>,
    /// Why it ended early, if nothing was found that ends it.
    pub(crate) stop: Option<Stop>,
    /// The most processes at a time.
    pub(crate) most: usize,
    /// The locations where processes were, by proctype.
    pub(crate) visited: Vec<Vec<bool>>,
    /// Whether some steps stood for all.
    pub(crate) reduced: bool,
}

/// How much work it is worth to see that evidence will be believed.
const JUDGED: u64 = 2_000_000;

/// How many states are looked at before some steps stand for all.
pub(crate) const PLAIN_STATES: usize = 300_000;

/// Looks for failures and bad ends in all states; where memory is too short for all of them, they are remembered by
/// their hashes, and nothing holds by that.
pub(crate) fn safety(
    program: &Program,
    mode: Mode,
    wanted: (bool, bool),
    plain: usize,
    budget: &Budget,
) -> Safety {
    let found = exactly(program, mode, wanted, plain, &careful(budget));
    if found.stop != Some(Stop::Memory) || budget.poll().is_err() {
        return found;
    }
    let Safety { failed, stuck, .. } = found;
    let mut found = hashed::searched(program, mode, wanted, budget);
    found.failed = failed.or(found.failed);
    found.stuck = stuck.or(found.stuck);
    found
}

/// A budget that leaves something for hashes.
fn careful(budget: &Budget) -> Budget {
    match budget.memory_limit() {
        Some(limit) => budget.child_within(limit - limit / 8),
        None => budget.clone(),
    }
}

/// Looks for failures and bad ends in all states; ends as soon as all that is wanted is found.
/// Where there are more than `plain` states, some steps stand for all if they can.
pub(crate) fn exactly(
    program: &Program,
    mode: Mode,
    wanted: (bool, bool),
    plain: usize,
    budget: &Budget,
) -> Safety {
    // An event trace sees every message.
    let alone = match mode.fair || mode.watch.is_some() {
        true => None,
        false => Alone::of(program, mode.loses, &[]),
    };
    let Some(alone) = alone else {
        return searched(program, mode, wanted, Fewer::No, usize::MAX, budget);
    };
    let found = searched(program, mode, wanted, Fewer::No, plain, budget);
    match found.stop {
        Some(Stop::Bound { .. }) => {
            let fewer = Fewer::Asked(&alone);
            searched(program, mode, wanted, fewer, usize::MAX, budget)
        }
        _ => found,
    }
}

fn searched(
    program: &Program,
    mode: Mode,
    wanted: (bool, bool),
    fewer: Fewer<'_>,
    most: usize,
    budget: &Budget,
) -> Safety {
    let packed = Packed::new(mode.machine(program, true), None, fewer);
    let space = &packed.space;
    let (mut failed, mut stuck) = (None, None);
    let mut steps = 0;
    let mut visited: Vec<Vec<bool>> = program
        .proctypes
        .iter()
        .map(|one| vec![false; one.locations.len()])
        .collect();
    let visit = &mut |_: &Graph, id: StateId, words: &[u64], count: usize| {
        steps += count;
        let state = packed.state(words[0]);
        for one in 0..state.processes.len() {
            let (process, location) = state.process(one);
            visited[process][location as usize] = true;
        }
        match shows(space, mode, &state, count) {
            Shows::Failure => failed = failed.or(Some(id)),
            Shows::BadEnd => stuck = stuck.or(Some(id)),
            Shows::Nothing => {}
        }
        let enough = (failed.is_some() || !wanted.0) && (stuck.is_some() || !wanted.1);
        match enough {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let limits = Limits {
        states: most.min(Limits::default().states),
    };
    let (graph, ending) = search(&packed, Order::Breadth, &limits, budget, visit);
    let run = |id: Option<StateId>| {
        id.map(|id| {
            let (_, labels) = graph.run(id);
            taken(&packed, &labels, None)
        })
    };
    let stop = match ending {
        Ending::Stopped(stop) => Some(stop),
        Ending::Unfit(_) => Some(Stop::inconclusive("a state does not fit")),
        Ending::Complete | Ending::Enough if packed.endless.get() => Some(endless()),
        Ending::Complete | Ending::Enough => None,
    };
    Safety {
        states: graph.len(),
        steps,
        failed: run(failed),
        stuck: run(stuck),
        stop,
        most: packed.most.get(),
        visited,
        reduced: !matches!(fewer, Fewer::No),
    }
}

/// What a state shows by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shows {
    Nothing,
    /// A step to it failed.
    Failure,
    /// Nobody can move, and not all are at an end.
    BadEnd,
}

/// What a state with so many steps shows.
pub(crate) fn shows(space: &Space<'_>, mode: Mode, state: &State, steps: usize) -> Shows {
    if steps > 0 {
        return Shows::Nothing;
    }
    match Fault::of(state.cells[FAILED]) {
        Some(fault) if mode.watch.is_none() || fault.is_of_events() => Shows::Failure,
        Some(_) => Shows::Nothing,
        None => {
            let bad =
                !ends_well(space.program(), state) && space.steps(state, &mut |_, _| {}).moves == 0;
            match bad {
                true => Shows::BadEnd,
                false => Shows::Nothing,
            }
        }
    }
}

fn endless() -> Stop {
    Stop::inconclusive("an atomic sequence may go on for ever")
}

/// A run by its moves from the numbers of its steps.
pub(crate) fn taken(packed: &Packed<'_>, labels: &[u32], back: Option<usize>) -> Run {
    let space = &packed.space;
    let mut state = space.start();
    let mut steps = Vec::new();
    for &label in labels {
        let mut number = 0;
        let mut next: Option<(Taken, State)> = None;
        let mut tell = |moves: &[Move], after: &State| {
            if number == label & !FEW {
                let claim = space.claim.map(|_| after.cells[CLAIM]);
                next = Some((
                    Taken::of(moves, claim, space.claim_values(after)),
                    after.clone(),
                ));
            }
            number += 1;
        };
        if label & FEW == 0 {
            space.steps(&state, &mut tell);
        } else {
            packed.few_steps(&state, &mut tell);
        }
        let Some((one, after)) = next else { break };
        steps.push(one);
        state = after;
    }
    Run {
        steps,
        back,
        decides: false,
    }
}

/// What is known of a formula about runs.
pub(crate) enum Verdict {
    /// All runs fulfil it: how many pairs were looked at, of how many states.
    Holds {
        pairs: usize,
        states: usize,
        /// Whether some steps stood for all.
        reduced: bool,
    },
    Violated(Run),
}

/// A formula about runs: the claim that moves along, and what the formula says.
pub(crate) type Asked<'a> = (Option<usize>, &'a Formula<u32>, &'a [Atom]);

/// Whether all runs fulfil a formula; `most` processes are there at a time. Where there are more
/// than `plain` states, some steps stand for all if they can; where memory is too short for all states, they are
/// remembered by their hashes, and nothing holds by that.
pub(crate) fn runs(
    program: &Program,
    mode: Mode,
    asked: Asked<'_>,
    most: usize,
    plain: usize,
    budget: &Budget,
) -> Result<Verdict, Stop> {
    let found = runs_exactly(program, mode, asked, most, plain, &careful(budget));
    match found {
        Err(Stop::Memory) => {
            budget.poll()?;
            unsure::runs(program, mode, asked, most, budget)
        }
        found => found,
    }
}

fn runs_exactly(
    program: &Program,
    mode: Mode,
    asked: Asked<'_>,
    most: usize,
    plain: usize,
    budget: &Budget,
) -> Result<Verdict, Stop> {
    let (claim, formula, atoms) = asked;
    // What only counts steps would notice.
    let alone = match mode.fair || claim.is_some() || has_next(formula) {
        true => None,
        false => Alone::of(program, mode.loses, atoms),
    };
    let Some(alone) = alone else {
        return looked(program, mode, asked, most, (Fewer::No, usize::MAX), budget);
    };
    match looked(program, mode, asked, most, (Fewer::No, plain), budget) {
        Err(Stop::Bound { .. }) => {
            let fewer = (Fewer::Always(&alone), usize::MAX);
            looked(program, mode, asked, most, fewer, budget)
        }
        found => found,
    }
}

fn has_next(formula: &Formula<u32>) -> bool {
    match &formula.kind {
        Kind::Unary(Unary::Next, _) => true,
        Kind::Unary(_, inner) => has_next(inner),
        Kind::Binary(_, left, right) => has_next(left) || has_next(right),
        _ => false,
    }
}

/// A formula with its atoms, which says that runs are fair if only such runs are looked at.
pub(crate) fn with_fairness(
    mode: Mode,
    formula: &Formula<u32>,
    atoms: &[Atom],
    most: usize,
) -> Result<(Formula<u32>, Vec<Atom>), Stop> {
    let (formula, atoms) = match mode.fair {
        true => fair(formula, atoms, most),
        false => (formula.clone(), atoms.to_vec()),
    };
    match atoms.len() > 60 {
        true => Err(Stop::bound("the number of atoms and fair processes", 60)),
        false => Ok((formula, atoms)),
    }
}

fn looked(
    program: &Program,
    mode: Mode,
    (claim, formula, atoms): Asked<'_>,
    most: usize,
    (fewer, states): (Fewer<'_>, usize),
    budget: &Budget,
) -> Result<Verdict, Stop> {
    let (formula, atoms) = with_fairness(mode, formula, atoms, most)?;
    let packed = Packed::new(mode.machine(program, false), claim, fewer);
    let space = &packed.space;
    space.begins()?;
    let mut steps = Steps::new(&packed, states.min(u32::MAX as usize / 2));
    let values = &mut |words: &[u64]| seen(space, &atoms, &packed.state(words[0]));
    let mut found = linear(&mut steps, &formula, values, budget);
    if let Ok(Linear::Violated(run)) = &mut found
        && run.rest == Rest::Any
    {
        if let Some(begun) = decided(&packed, &formula, &atoms, run, budget) {
            return Ok(Verdict::Violated(begun));
        }
        match carried_on(&mut steps, run, budget) {
            Ok(whole) => *run = whole,
            Err(halt) => found = Err(halt),
        }
    }
    let states = steps.graph().len();
    match found {
        Err(Halt::Stopped(stop)) => Err(stop),
        Err(Halt::Unfit(_)) => Err(Stop::inconclusive("a state does not fit")),
        Ok(Linear::Holds(_)) if packed.endless.get() => Err(endless()),
        Ok(Linear::Holds(_)) if let Err(stop) = space.had_values() => Err(stop),
        Ok(Linear::Holds(pairs)) => Ok(Verdict::Holds {
            pairs,
            states,
            reduced: !matches!(fewer, Fewer::No),
        }),
        Ok(Linear::Violated(lasso)) => broken(&packed, &atoms, &lasso),
    }
}

/// A run that breaks a formula, if all that is asked along it has a value.
pub(crate) fn broken(packed: &Packed<'_>, atoms: &[Atom], lasso: &Lasso) -> Result<Verdict, Stop> {
    let space = &packed.space;
    let back = match lasso.rest {
        Rest::Back(back) => Some(back),
        Rest::Stuck | Rest::Any => None,
    };
    let run = taken(packed, &lasso.labels, back);
    // Others may have no values where this run does not come.
    let _ = space.had_values();
    let states = crate::evidence::replayed(space, &run).unwrap_or_default();
    states.iter().for_each(|state| {
        seen(space, atoms, state);
    });
    space.had_values()?;
    match (back, states.last().cloned()) {
        (None, Some(last)) if space.steps(&last, &mut |_, _| {}).moves > 0 => {
            let why = "a run fails at a step before the formula is decided";
            Err(Stop::inconclusive(why))
        }
        _ => Ok(Verdict::Violated(run)),
    }
}

/// The beginning of a run that breaks a formula whatever comes, if that can be shown: none of its
/// steps fails, and what the checker says about it is the same.
fn decided(
    packed: &Packed<'_>,
    formula: &Formula<u32>,
    atoms: &[Atom],
    found: &Lasso,
    budget: &Budget,
) -> Option<Run> {
    let mut run = taken(packed, &found.labels, None);
    run.decides = true;
    let _ = packed.space.had_values();
    let states = crate::evidence::replayed(&packed.space, &run)?;
    if states.iter().any(|state| state.cells[FAILED] != 0) {
        return None;
    }
    let bits = states.iter().map(|state| seen(&packed.space, atoms, state));
    let bits: Vec<u64> = bits.collect();
    packed.space.had_values().ok()?;
    let share = budget.child_with_work(JUDGED);
    let broken = crate::judge::is_broken_by(formula, &bits, &share);
    broken.is_ok_and(|broken| broken).then_some(run)
}
