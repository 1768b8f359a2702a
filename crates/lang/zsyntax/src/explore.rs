//! All that can be derived, as far as limits allow.

use std::ops::ControlFlow;

use quotient_core::{Budget, Stop};
use quotient_explicit::{Ending, Graph, Limits, Order, StateId, search};

use crate::pathway::{Aggregate, Pathway};
use crate::space::Space;

/// What a search found.
#[derive(Debug, Default)]
pub(crate) struct Explored {
    /// In the order in which they were found: near ones first.
    pub(crate) aggregates: Vec<Aggregate>,
    /// How each was found first: the one before, and the rule.
    before: Vec<Option<(usize, usize)>>,
    /// Those in which nothing reacts.
    pub(crate) ends: Vec<usize>,
    /// How many reactions lead from one to another.
    pub(crate) steps: usize,
    /// Which rules can ever be used.
    pub(crate) used: Vec<bool>,
    /// Why not all were found.
    pub(crate) stopped: Option<Stop>,
}

impl Explored {
    /// A shortest run to an aggregate, as rules.
    pub(crate) fn run(&self, to: usize) -> Vec<usize> {
        let mut run = Vec::new();
        let mut at = to;
        while let Some((before, rule)) = self.before[at] {
            run.push(rule);
            at = before;
        }
        run.reverse();
        run
    }

    /// Whether all that can be derived was found.
    pub(crate) fn is_complete(&self) -> bool {
        self.stopped.is_none()
    }
}

/// Finds all aggregates from the start, near ones first.
pub(crate) fn explore(
    pathway: &Pathway,
    start: &Aggregate,
    most: usize,
    budget: &Budget,
) -> Result<Explored, Stop> {
    let space = Space {
        pathway,
        start: start.clone(),
    };
    let mut explored = Explored {
        used: vec![false; pathway.rules.len()],
        ..Explored::default()
    };
    let visit = &mut |_: &Graph, id: StateId, state: &[u64], successors: usize| {
        explored.steps += successors;
        if successors == 0 {
            explored.ends.push(id.index());
        }
        let aggregate = space.unpack(state);
        for (used, rule) in explored.used.iter_mut().zip(&pathway.rules) {
            *used |= rule.is_enabled(&aggregate);
        }
        ControlFlow::Continue(())
    };
    // A start that is too large to be kept is a reason to know nothing, not to find nothing.
    if !space.has_start() {
        let stop = Stop::bound("the amount of a species", 65_535);
        explored.stopped = Some(stop);
        return Ok(explored);
    }
    let limits = Limits { states: most };
    let (graph, ending) = search(&space, Order::Breadth, &limits, budget, visit);
    explored.stopped = match ending {
        Ending::Complete | Ending::Enough => None,
        Ending::Unfit(_) => Some(Stop::bound("the amount of a species", 65_535)),
        Ending::Stopped(stop @ Stop::Bound { .. }) => Some(stop),
        Ending::Stopped(stop) => return Err(stop),
    };
    for id in StateId::all(graph.len()) {
        // What was found is written out wider than it was kept.
        if id.number().is_multiple_of(1024) {
            budget.poll()?;
        }
        explored.aggregates.push(space.unpack(&graph.state(id)));
        let before = graph.before(id);
        explored
            .before
            .push(before.map(|(before, rule)| (before.index(), rule as usize)));
    }
    Ok(explored)
}
