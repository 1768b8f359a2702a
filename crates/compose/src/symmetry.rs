//! Components that are alike: searching one state for all that differ only in who is who.
//!
//! Where several components do the same, each with actions of its own, and the others treat
//! them alike, exchanging two of them maps every execution to an execution, every deadlock to a
//! deadlock and every error to an error. It is enough to look at one state of those that such
//! exchanges make of each other (Ip and Dill 1996; Clarke, Enders, Filkorn and Jha 1996): the one
//! in which the components are sorted by what they are doing. Of what can happen in it, a
//! stubborn set is enough (Emerson, Jha and Peled 1997): exchanges map stubborn sets to stubborn
//! sets.
//!
//! * [`colours`]: what can be told apart by looking at it;
//! * [`find`]: guesses which components can be exchanged, from the colours;
//! * [`swap`]: one exchange, and the check that it changes nothing;
//! * [`turn`]: turns of a ring, where no two can be exchanged;
//! * [`order`]: sorting alike components;
//! * [`search`]: breadth-first through sorted states, and the way back to a real execution.

mod colours;
mod find;
mod order;
mod search;
mod swap;
mod turn;

use quotient_core::{Budget, Context, Stop};

use crate::product::for_width;
use crate::stubborn::Stubborn;
use crate::{Action, Exploration, Keep, Network};
use order::Alike;
pub(crate) use search::Sorter;
use search::search;
pub(crate) use swap::Swap;
pub(crate) use turn::Turn;

/// Work that looking for alike components may take: edges looked at.
const MOST_WORK: u64 = 40_000_000;
/// How often all edges are looked at before the first exchange is known, at least.
const LEAST_ROUNDS: u64 = 6;

/// Which components of a network are alike.
#[derive(Debug)]
pub struct Symmetry {
    /// Sets of alike components that can be exchanged in any way, each set for itself.
    alike: Vec<Alike>,
    /// Where there are none: a turn of the whole.
    turn: Option<Turn>,
}

impl Symmetry {
    /// Whether alike components could be found with as much work as may be spent on that.
    pub(crate) fn may_be_found(network: &Network) -> bool {
        find::round(network) <= MOST_WORK / LEAST_ROUNDS
    }

    /// Looks for alike components, or for a ring of them that can be turned; nothing if there are
    /// none, or if that takes too long.
    pub fn of(network: &Network, budget: &Budget) -> Result<Option<Symmetry>, Stop> {
        if !Symmetry::may_be_found(network) {
            return Ok(None);
        }
        let limited = budget.child_with_work(MOST_WORK);
        let (alike, turn) = match find::alike(network, &limited) {
            Err(Stop::Work) => {
                budget.poll()?;
                return Ok(None);
            }
            found => found?,
        };
        let is_one = !alike.is_empty() || turn.is_some();
        Ok(is_one.then_some(Symmetry { alike, turn }))
    }

    /// The exchanges that a question does not notice, and of those that it notices what comes of several of
    /// them without its notice; nothing if it notices all. `class` says of each event, by number, what the
    /// question makes of it: an exchange is not noticed if events become events of the same class.
    ///
    /// Of a question about one of many alike components these are the exchanges of all the others.
    pub(crate) fn unnoticed(
        &self,
        network: &Network,
        class: &[u32],
        budget: &Budget,
    ) -> Result<Option<Symmetry>, Stop> {
        let is_unnoticed = |swap: &Swap| {
            let mut events = swap.events.iter().zip(class);
            events.all(|(&becomes, own)| class.get(becomes as usize) == Some(own))
        };
        let mut alike = Vec::new();
        for set in &self.alike {
            let chains = set.chains(is_unnoticed, budget)?.into_iter();
            alike.extend(chains.filter_map(|chain| Alike::new(network, chain)));
        }
        let turn = self.turn.clone().filter(|turn| is_unnoticed(turn.once()));
        let is_one = !alike.is_empty() || turn.is_some();
        Ok(is_one.then_some(Symmetry { alike, turn }))
    }

    /// For each event, by number, one that stands for all that it can become.
    pub(crate) fn stand_ins(&self) -> Vec<Action> {
        fn first(stands: &[usize], mut at: usize) -> usize {
            while stands[at] != at {
                at = stands[at];
            }
            at
        }
        let events = self.all().next().map_or(0, |swap| swap.events.len());
        let mut stands: Vec<usize> = (0..events).collect();
        for swap in self.all() {
            for (event, &becomes) in swap.events.iter().enumerate() {
                let ends = [event, becomes as usize].map(|at| first(&stands, at));
                stands[ends[0].max(ends[1])] = ends[0].min(ends[1]);
            }
        }
        let all = 0..events;
        all.map(|at| Action::from_index(first(&stands, at)))
            .collect()
    }

    /// How many components, or groups of them, are alike, for each set.
    pub fn sizes(&self) -> impl Iterator<Item = usize> + '_ {
        self.alike.iter().map(Alike::len)
    }

    /// How many places everybody comes to when a ring is turned.
    pub fn places(&self) -> Option<usize> {
        self.turn.as_ref().map(Turn::places)
    }

    /// The turn of a ring of which all others come.
    pub(crate) fn turn(&self) -> Option<&Swap> {
        self.turn.as_ref().map(Turn::once)
    }

    /// All that changes nothing, or of which all else comes that changes nothing.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Swap> {
        self.swaps().flatten().chain(self.turn())
    }

    /// Exchanges of neighbours, for each set.
    pub(crate) fn swaps(&self) -> impl Iterator<Item = &[Swap]> {
        self.alike.iter().map(|alike| alike.swaps())
    }
}

/// Which states are looked at first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The nearest: a violation is as near as [`Keep`] says.
    Nearest,
    /// The last that was met: what lies deep is met soon, by a way that may be long.
    Deepest,
}

/// Searches one state of all that are the same but for the order of alike components.
///
/// The states and transitions are those looked at. A violation is one of the network itself.
///
/// ```
/// use quotient_compose::{
///     Keep, LtsBuilder, Network, Order, Symmetry, System, explore_alike,
/// };
/// use quotient_core::{Budget, Context};
/// let mut system = System::new();
/// let done = system.actions.intern("done");
/// let parts: Vec<_> = (0..20)
///     .map(|number| {
///         let mut builder = LtsBuilder::new();
///         let act = system.actions.intern(&format!("act.{number}"));
///         builder.edge(0, act, 1).edge(1, act, 0).edge(1, done, 1);
///         system.process(format!("P{number}"), builder.build())
///     })
///     .collect();
/// system.parallel(parts);
/// let network = Network::new(&system, &Budget::unlimited()).unwrap();
/// let symmetry = Symmetry::of(&network, &Budget::unlimited()).unwrap().unwrap();
/// assert_eq!(symmetry.sizes().collect::<Vec<_>>(), [20]);
/// let cx = Context::default();
/// let found = explore_alike(&network, &symmetry, Keep::Deadlocks, Order::Nearest, &cx).unwrap();
/// assert!(found.states <= 21 && found.finding.is_none());
/// ```
pub fn explore_alike(
    network: &Network,
    symmetry: &Symmetry,
    keep: Keep,
    order: Order,
    cx: &Context,
) -> Result<Exploration, Stop> {
    network.refuse_priorities()?;
    let product = network.product()?;
    let stubborn = Stubborn::new(&product, keep, &cx.budget)?.alike_under(symmetry.all());
    for_width!(
        product.words(),
        search(&product, symmetry, (keep, order), &stubborn, cx)
    )
}

#[cfg(test)]
mod tests;
