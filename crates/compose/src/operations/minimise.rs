//! The smallest system that is the same up to an equivalence.

use quotient_core::{Budget, Stop};
use quotient_lts::Relation;

use super::failures::{by_failures_and_divergences, by_failures_covered};
use super::{branching_blocks, determinise, strong, weak};
use crate::{Action, ERROR, Equivalence, Lts, LtsBuilder, State};

/// Minimises the reachable part. The error state and `END` are never merged with others.
///
/// ```
/// use quotient_compose::{Actions, Equivalence, LtsBuilder, operations};
/// use quotient_core::Budget;
/// let mut actions = Actions::new();
/// let tick = actions.intern("tick");
/// let mut builder = LtsBuilder::new();
/// builder.edge(0, tick, 1).edge(1, tick, 0);
/// let clock = operations::minimise(&builder.build(), Equivalence::Strong, &Budget::unlimited());
/// assert_eq!(clock.unwrap().states(), 1);
/// ```
pub fn minimise(lts: &Lts, equivalence: Equivalence, budget: &Budget) -> Result<Lts, Stop> {
    let lts = lts.reachable();
    match equivalence {
        Equivalence::Strong => strong::minimise(&lts, budget),
        Equivalence::Weak => weak::minimise(&lts, budget),
        Equivalence::Trace => strong::minimise(&determinise(&lts, budget)?, budget),
    }
}

/// Minimises the reachable part up to a relation, so that it stays the same by a comparison.
/// Silence for ever is told from being stuck up to failures and their like, and up to strong
/// bisimulation.
///
/// Up to traces, failures and divergences the result is a normal form: what is the same has the
/// same. It is not always the smallest, and for sets of states that can be reached by one trace
/// it may be larger than what it was made of.
///
/// ```
/// use quotient_compose::{Actions, LtsBuilder, Relation, operations};
/// use quotient_core::Budget;
/// let mut actions = Actions::new();
/// let [coin, tea] = ["coin", "tea"].map(|name| actions.intern(name));
/// let mut builder = LtsBuilder::new();
/// builder.edge(0, coin, 1).edge(0, coin, 2).edge(1, tea, 0).edge(2, tea, 0);
/// let small = operations::minimise_by(&builder.build(), Relation::Failures, &Budget::unlimited());
/// assert_eq!(small.unwrap().states(), 2);
/// ```
pub fn minimise_by(lts: &Lts, relation: Relation, budget: &Budget) -> Result<Lts, Stop> {
    let by_traces = |lts: &Lts| strong::minimise(&determinise(lts, budget)?, budget);
    let lts = &lts.reachable();
    match relation {
        Relation::Strong => strong::minimise(lts, budget),
        Relation::Weak => weak::minimise(lts, budget),
        Relation::Branching => {
            let blocks = branching_blocks(lts, budget)?;
            Ok(weak::without_silent_loops(&strong::quotient(lts, &blocks)))
        }
        Relation::Traces => Signs::of(lts).around(lts, by_traces),
        Relation::Failures => Signs::of(lts).around(lts, |lts| by_failures_covered(lts, budget)),
        Relation::FailuresDivergences => {
            Signs::of(lts).around(lts, |lts| by_failures_and_divergences(lts, budget))
        }
    }
}

/// Actions that nobody has: to have ended and to be in the error state are something to be seen.
#[derive(Clone, Copy)]
struct Signs {
    ended: Action,
    erred: Action,
}

impl Signs {
    fn of(lts: &Lts) -> Signs {
        let last = lts.alphabet().last().map_or(0, |action| action.index());
        Signs {
            ended: Action::from_index(last + 1),
            erred: Action::from_index(last + 2),
        }
    }

    /// Makes a system small that has loops instead of an end and an error state.
    fn around(self, lts: &Lts, small: impl Fn(&Lts) -> Result<Lts, Stop>) -> Result<Lts, Stop> {
        let erred = State::from_index(lts.states());
        let place = |state: State| if state == ERROR { erred } else { state };
        let mut builder = LtsBuilder::new();
        builder.at_least(lts.states()).initial(place(lts.initial()));
        for (from, edge) in lts.all_edges() {
            builder.edge(from, edge.action, place(edge.target));
        }
        if lts.has_error() {
            builder.edge(erred, self.erred, erred);
        }
        if let Some(end) = lts.end() {
            builder.edge(end, self.ended, end);
        }
        Ok(self.taken_back(&small(&builder.build())?, lts.alphabet()))
    }

    /// The system that loops tell about. A state that can do more than say that it has ended, or
    /// that it is in its error state, comes to this silently.
    fn taken_back(self, small: &Lts, alphabet: &[Action]) -> Lts {
        let only = |state: State, sign: Action| {
            let edges = small.edges(state);
            !edges.is_empty() && edges.iter().all(|edge| edge.action == sign)
        };
        let place = |state: State| match only(state, self.erred) {
            true => ERROR,
            false => state,
        };
        let mut builder = LtsBuilder::new();
        builder
            .at_least(small.states())
            .initial(place(small.initial()))
            .alphabet(alphabet.iter().copied());
        for (from, edge) in small.all_edges() {
            match edge.action {
                sign if sign == self.erred && only(from, sign) => {}
                sign if sign == self.ended && only(from, sign) => drop(builder.end(from)),
                sign if sign == self.erred || sign == self.ended => {
                    builder.edge(from, Action::TAU, place(edge.target));
                }
                action => drop(builder.edge(from, action, place(edge.target))),
            }
        }
        builder.build().reachable()
    }
}
