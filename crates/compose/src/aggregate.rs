//! Deadlocks and errors of large systems, by putting components together one after the other.
//!
//! Two components are composed, what is now private to them is hidden, and the result is made
//! as small as it can be up to silent steps, where silence for ever counts; then the next two
//! (Graf and Steffen 1990; the next pair is the one with the smallest result, as in Crouzen and
//! Lang's smart reduction, 2011). At the end one small component is left that can get stuck if
//! and only if the whole can. A way to get stuck is followed back through all compositions. Where
//! that takes too much work, no more than traces and what is refused at rest is kept the same, and
//! events that are the same to all others are taken for one.
//!
//! For errors only traces matter: what is left of two components is made deterministic and as
//! small as it can be with the same traces, and once all that can err is in it, without those
//! that lead to no error.

mod follow;
mod small;
mod trace;
mod tree;

use std::sync::Arc;

use quotient_core::{Budget, Shares, Stop};

use crate::{Action, ERROR, Lts, LtsBuilder, Network, State};
pub(crate) use follow::Order as Followed;
pub(crate) use tree::Step;
use tree::{Order, Tree};

/// What has to stay the same while components are made small.
#[derive(Debug, Clone)]
pub(crate) enum Aim {
    /// Whether the whole can get stuck.
    Stuck,
    /// Whether an error can be reached.
    Errors,
    /// What infinite executions show of some events.
    Runs {
        /// The events, by number.
        kept: Arc<[bool]>,
        /// Whether only executions with fair choices count: then silence for ever, where
        /// something else is possible, does not.
        fair: bool,
    },
}

impl Aim {
    /// Whether an event must not be hidden.
    fn keeps(&self, event: Action) -> bool {
        match self {
            Aim::Stuck | Aim::Errors => false,
            Aim::Runs { kept, .. } => kept.get(event.index()).copied().unwrap_or(true),
        }
    }
}

/// What came of putting all components together.
pub(crate) struct Aggregation {
    /// The components that only watch and were left out.
    pub(crate) watchers: Vec<usize>,
    /// What was put together, and what it came to.
    pub(crate) steps: Vec<Step>,
    /// The states of the largest composition.
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    /// Events that lead to what was looked for, if it is there.
    pub(crate) found: Option<Vec<Action>>,
}

/// Every round looks at all pairs of parts.
const MOST_PARTS: usize = 400;

/// Work for each order at first.
const FIRST_WORK: u64 = 1_000_000;

/// Puts all components together, in one order or another, with more and more work for each up
/// to a limit; nothing if one begins in its error state, or if there are too many.
pub(crate) fn aggregate(
    network: &Network,
    work: u64,
    budget: &Budget,
) -> Result<Option<Aggregation>, Stop> {
    network.refuse_priorities()?;
    let all = network.components();
    if all.iter().any(|component| component.lts.initial() == ERROR) {
        return Ok(None);
    }
    let watchers = network.watchers();
    if all.len() - watchers.len() > MOST_PARTS {
        return Ok(None);
    }
    let can_end = network.product()?.can_end();
    // All that can end do this together when they have.
    let ended = Action::from_index(network.events().count() + 1);
    let processes = (0..all.len()).filter(|at| !watchers.contains(at));
    let processes: Vec<(usize, Lts)> = processes
        .map(|at| (at, prepared(&all[at].lts, can_end.then_some(ended))))
        .collect();
    let tree = built(all.len(), &processes, &Aim::Stuck, work, budget)?;
    let deadlock = trace::to_deadlock(&tree, budget)?;
    Ok(Some(Aggregation {
        watchers,
        states: tree.most_states,
        transitions: tree.most_transitions,
        found: deadlock,
        steps: tree.steps(),
    }))
}

/// The same for errors: puts all components together that have something to do, whoever errs.
pub(crate) fn aggregate_errors(
    network: &Network,
    work: u64,
    budget: &Budget,
) -> Result<Option<Aggregation>, Stop> {
    network.refuse_priorities()?;
    let all = network.components();
    let acting = all.iter().enumerate();
    let acting = acting.filter(|(_, component)| !component.lts.alphabet().is_empty());
    let processes: Vec<(usize, Lts)> = acting
        .map(|(at, component)| (at, endless(&component.lts)))
        .collect();
    let idle_errs = all
        .iter()
        .any(|component| component.lts.alphabet().is_empty() && component.lts.has_error());
    if idle_errs || processes.is_empty() || processes.len() > MOST_PARTS {
        return Ok(None);
    }
    let tree = built(all.len(), &processes, &Aim::Errors, work, budget)?;
    let error = trace::to_error(&tree, budget)?;
    Ok(Some(Aggregation {
        watchers: Vec::new(),
        states: tree.most_states,
        transitions: tree.most_transitions,
        found: error,
        steps: tree.steps(),
    }))
}

/// What is left of a system when all components are put together and only some events are looked
/// at.
pub(crate) struct Reduction {
    /// The order in which that was done.
    pub(crate) order: Followed,
    /// The last result: it shows the events that were to be kept, and all else as silence.
    pub(crate) whole: Arc<Lts>,
    tree: Tree,
}

impl Reduction {
    /// What all components do while what is left shows a word and comes to a state.
    pub(crate) fn unfolded(
        &self,
        word: &[Action],
        place: State,
        budget: &Budget,
    ) -> Result<Vec<Action>, Stop> {
        trace::to_place(&self.tree, word, place, budget)
    }
}

/// Puts all components together for what infinite executions show of some events; nothing where
/// that cannot be done: a component can err, or there are too many.
///
/// Every execution of the system is one of what is left, with the same events of those that are
/// kept, and one with fair choices is one with fair choices: states go to blocks of branching
/// bisimulation, so that each step of a block can be taken from each of its states, silence
/// inside the block before it.
pub(crate) fn reduce(
    network: &Network,
    aim: &Aim,
    work: u64,
    budget: &Budget,
) -> Result<Option<Reduction>, Stop> {
    network.refuse_priorities()?;
    let all = network.components();
    let errs = all.iter().any(|component| component.lts.has_error());
    if errs || all.is_empty() || all.len() > MOST_PARTS {
        return Ok(None);
    }
    let all = all.iter().enumerate();
    let processes: Vec<(usize, Lts)> = all
        .map(|(at, component)| (at, prepared(&component.lts, None)))
        .collect();
    let tree = built(processes.len(), &processes, aim, work, budget)?;
    let whole = tree.nodes.last().map(|node| node.small.clone());
    let order = Followed::of(network, aim, tree.steps());
    Ok(whole.map(|whole| Reduction { order, whole, tree }))
}

/// Puts components together, in one order or another, with more and more work for each.
fn built(
    count: usize,
    processes: &[(usize, Lts)],
    aim: &Aim,
    work: u64,
    budget: &Budget,
) -> Result<Tree, Stop> {
    use Order::{Anywhere, FromTheMiddle, Growing};
    let ways = [
        (Anywhere, false),
        (FromTheMiddle, false),
        (Growing, true),
        (Anywhere, true),
    ];
    for share in Shares::beginning_with(FIRST_WORK).up_to(work) {
        for way in ways {
            let limited = budget.child_with_work(share);
            match Tree::build(count, processes.to_vec(), way, aim, &limited) {
                Err(Stop::Work) => budget.poll()?,
                tree => return tree,
            }
        }
    }
    Err(Stop::Work)
}

/// A component whose end is a state like others.
fn endless(lts: &Lts) -> Lts {
    let mut builder = LtsBuilder::new();
    builder
        .at_least(lts.states())
        .initial(lts.initial())
        .alphabet(lts.alphabet().iter().copied());
    for (from, edge) in lts.all_edges() {
        builder.edge(from, edge.action, edge.target);
    }
    builder.build().reachable()
}

/// A component in which an error is something to be busy with for ever, and an end something
/// to be done together.
fn prepared(lts: &Lts, ended: Option<Action>) -> Lts {
    let mut builder = LtsBuilder::new();
    builder
        .at_least(lts.states())
        .initial(lts.initial())
        .alphabet(lts.alphabet().iter().copied());
    let mut erred = None;
    for (from, edge) in lts.all_edges() {
        let target = match edge.target {
            ERROR => *erred.get_or_insert_with(|| builder.add_state()),
            target => target,
        };
        builder.edge(from, edge.action, target);
    }
    if let Some(erred) = erred {
        builder.edge(erred, Action::TAU, erred);
    }
    if let (Some(end), Some(ended)) = (lts.end(), ended) {
        builder.edge(end, ended, end);
    }
    builder.build().reachable()
}

#[cfg(test)]
mod tests;
