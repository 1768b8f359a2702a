//! Linear-time properties over fluents.
//!
//! A formula speaks about the moments right after each visible action, the first being after
//! the first action (Giannakopoulou and Magee, 2003). Silent steps make no moment. An
//! execution that ends, or is silent for ever, stays at its last moment for ever; one
//! without any action, at the moment before all.

mod fair;
mod graph;
mod tableau;

use quotient_core::{Context, Stop, What};
use quotient_logic::Formula;

use crate::beginnings::{FIRST, look};
use crate::lasso::Lasso;
use crate::operations::Beginning;
use crate::{Fluent, Network};
use graph::{Graph, Reading};
use tableau::Automaton;

/// Looks for an execution that violates a formula, whose atoms are positions in `fluents`.
///
/// With `fair`, choices are fair: an execution that comes through a state again and again
/// takes each of its edges again and again.
///
/// The system is built from its start in growing parts, until one has a violation: then the
/// way to the cycle is a shortest one in that part.
pub fn check_formula(
    network: &Network,
    formula: &Formula<usize>,
    fluents: &[Fluent],
    fair: bool,
    cx: &Context,
) -> Result<Option<Lasso>, Stop> {
    let how = How {
        fair,
        rests: false,
        first: FIRST,
    };
    in_beginnings(network, formula, fluents, how, cx)
}

/// Looks for a finite execution after which a formula is false whatever happens.
pub(crate) fn false_after(
    network: &Network,
    formula: &Formula<usize>,
    fluents: &[Fluent],
    cx: &Context,
) -> Result<Option<Lasso>, Stop> {
    let automaton = Automaton::new(&!formula.clone(), &cx.budget)?;
    look(network, FIRST / 8, &cx.budget, |beginning| {
        let reading = Reading {
            automaton: &automaton,
            fluents,
            rests: false,
            unseen: &[],
        };
        let graph = Graph::new(network, beginning, reading, &cx.budget)?;
        fair::settled(&graph, &beginning.composed, &cx.budget)
    })
}

/// How executions are looked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct How {
    /// Whether choices are fair.
    pub(crate) fair: bool,
    /// Whether there may be moments in between at which none of the actions of the formula has
    /// just happened: in a system in which other actions show as silence.
    pub(crate) rests: bool,
    /// The size of the first beginning.
    pub(crate) first: usize,
}

/// The same with more to say about how.
pub(crate) fn in_beginnings(
    network: &Network,
    formula: &Formula<usize>,
    fluents: &[Fluent],
    how: How,
    cx: &Context,
) -> Result<Option<Lasso>, Stop> {
    let automaton = Automaton::new(&!formula.clone(), &cx.budget)?;
    look(network, how.first, &cx.budget, |beginning| {
        let reading = Reading {
            automaton: &automaton,
            fluents,
            rests: how.rests,
            unseen: &[],
        };
        let graph = Graph::new(network, beginning, reading, &cx.budget)?;
        cx.story.tell(|| What::Step {
            attempt: cx.attempt,
            step: 0,
            sizes: [
                ("states", beginning.composed.lts.states() as u64),
                ("automaton states", automaton.edges.len() as u64),
                ("product states", graph.len() as u64),
            ]
            .into(),
        });
        fair::accepted(&graph, &beginning.composed, how.fair, &cx.budget)
    })
}

/// Whether no execution breaks a formula, as far as can be told from states in which not all steps
/// are followed: those that are have all executions as far as some events are seen.
///
/// An execution with fair choices does all that it can do later on again and again, and so does the
/// one that is looked at in its place; its choices need not be fair.
pub(crate) fn is_kept_in(
    network: &Network,
    (formula, fluents, fair): (&Formula<usize>, &[Fluent], bool),
    (all, unseen): (&Beginning, &[bool]),
    cx: &Context,
) -> Result<bool, Stop> {
    let automaton = Automaton::new(&!formula.clone(), &cx.budget)?;
    let reading = Reading {
        automaton: &automaton,
        fluents,
        rests: true,
        unseen,
    };
    let graph = Graph::new(network, all, reading, &cx.budget)?;
    let is_broken = fair::may_be_accepted(&graph, &all.composed.lts, fair, &cx.budget)?;
    Ok(!is_broken)
}
