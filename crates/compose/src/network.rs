//! A system as a flat list of components.

mod flatten;
mod interior;

use std::sync::Arc;

use quotient_core::{Budget, Stop};

use quotient_lts::{Origin, StateNames};

use crate::product::{Part, Priority, Product};
use crate::{Action, Actions, Lts, LtsBuilder, State, System};
use interior::Built;
pub use interior::{Happening, Interior, Wait};

/// The components of a system side by side, with nothing composed that need not be.
///
/// Relabelling and hiding are gone: every way in which components can act together is an
/// *event* with a number of its own, which the components share. Several events may show as
/// one action, and hidden ones show as silent. Only sub-expressions that have no such form,
/// those with priorities or under a minimisation, are built.
///
/// ```
/// use quotient_compose::{LtsBuilder, Network, System};
/// use quotient_core::Budget;
/// let mut system = System::new();
/// let (a, b) = (system.actions.intern("a"), system.actions.intern("b"));
/// let mut builder = LtsBuilder::new();
/// builder.edge(0, a, 1).edge(1, b, 0);
/// let process = system.process("P", builder.build());
/// let hidden = system.hide(process, [a]);
/// system.parallel([hidden, hidden]);
/// let network = Network::new(&system, &Budget::unlimited()).unwrap();
/// assert_eq!(network.components().len(), 2);
/// // Two events that both were `a` and are hidden now, one shared `b`.
/// assert_eq!(network.events().filter(|&event| network.is_hidden(event)).count(), 2);
/// assert_eq!(network.events().count(), 3);
/// ```
#[derive(Debug, Clone)]
pub struct Network {
    components: Vec<Component>,
    events: Vec<Event>,
    priority: Option<Priority>,
    actions: Arc<Actions>,
    origin: Origin,
}

/// One transition system of a network. Its actions are events of the network.
#[derive(Debug, Clone)]
pub struct Component {
    /// For reports.
    pub name: Arc<str>,
    /// What it does.
    pub lts: Arc<Lts>,
    /// What its text calls each of its states.
    pub states: StateNames,
    /// What it was built of, if its states still tell where its parts are.
    built: Option<Built>,
}

/// One way of acting together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Event {
    /// The action as the outermost part that showed it called it.
    pub(crate) name: Action,
    /// The action as the whole system shows it, silent if hidden.
    pub(crate) shown: Action,
}

impl Component {
    /// Whether it only watches: deterministic, with an edge for every state and action of its
    /// alphabet. Such a component restricts nothing, so that others behave the same without.
    pub fn is_observer(&self) -> bool {
        let lts = &self.lts;
        lts.is_deterministic() && lts.transitions() == lts.states() * lts.alphabet().len()
    }
}

impl Network {
    /// How many states some of the components have together, by their places.
    ///
    /// # Panics
    /// If there is no component at a place, which is a bug of the caller.
    pub fn states_of(&self, members: &[usize], budget: &Budget) -> Result<usize, Stop> {
        let part = |&at: &usize| Part::new(self.components()[at].lts.clone());
        let parts: Vec<Arc<Part>> = members.iter().map(part).collect();
        let whole = crate::operations::compose(&Product::new(parts)?, budget)?;
        Ok(whole.states())
    }

    /// The components of the root of a system; an empty network where there is none.
    pub fn new(system: &System, budget: &Budget) -> Result<Network, Stop> {
        flatten::flatten_built(system, budget)
    }

    /// The same, but priorities of the whole system stay with the network, and its components
    /// are not built into one. Only methods that take steps as they come can deal with that;
    /// those that leave out steps or components say that they cannot.
    pub fn with_priorities(system: &System, budget: &Budget) -> Result<Network, Stop> {
        flatten::flatten(system, budget)
    }

    /// Which events go before the others, or after.
    pub(crate) fn priority(&self) -> Option<&Priority> {
        self.priority.as_ref()
    }

    /// Says so if there are priorities, for methods that cannot deal with them.
    pub(crate) fn refuse_priorities(&self) -> Result<(), Stop> {
        match self.priority {
            None => Ok(()),
            Some(_) => Err(Stop::inconclusive(
                "of steps with priorities none can be left out",
            )),
        }
    }

    /// The components, in the order in which the system names them.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// All events, in the order of their names.
    pub fn events(&self) -> impl Iterator<Item = Action> + use<> {
        (1..self.events.len()).map(Action::from_index)
    }

    /// The name of an event; hidden events keep the name that they had inside.
    pub fn name(&self, event: Action) -> &str {
        self.actions.name(self.events[event.index()].name)
    }

    /// The action of the system that an event shows as: silent if hidden.
    pub fn shown(&self, event: Action) -> Action {
        self.events[event.index()].shown
    }

    /// Whether an event is hidden.
    pub fn is_hidden(&self, event: Action) -> bool {
        self.shown(event).is_tau()
    }

    /// The names of the actions of the system.
    pub fn actions(&self) -> &Actions {
        &self.actions
    }

    /// What of a text it is.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The same network with some components, which only watch, watching nothing any more.
    /// Components keep their numbers.
    pub(crate) fn quieted(&self, quiet: impl Fn(usize) -> bool) -> Network {
        let mut network = self.clone();
        for (at, component) in network.components.iter_mut().enumerate() {
            if quiet(at) {
                component.lts = Arc::new(LtsBuilder::new().build());
            }
        }
        network
    }

    /// The components that [`quieted`](Network::quieted) has made quiet, by number.
    pub(crate) fn quieter_in(&self, quieted: &Network) -> Vec<usize> {
        let pairs = self.components.iter().zip(&quieted.components).enumerate();
        pairs
            .filter(|(_, (own, other))| !Arc::ptr_eq(&own.lts, &other.lts))
            .map(|(at, _)| at)
            .collect()
    }

    /// The same network with something else in the place of some components.
    pub(crate) fn with_parts(
        &self,
        parts: &[usize],
        other: impl Fn(&Lts) -> Result<Arc<Lts>, Stop>,
    ) -> Result<Network, Stop> {
        let mut network = self.clone();
        for &at in parts {
            let lts = &mut network.components[at].lts;
            *lts = other(lts)?;
        }
        Ok(network)
    }

    /// The same network with its components in other states at the start.
    pub(crate) fn beginning_at(&self, states: &[State]) -> Network {
        let mut network = self.clone();
        for (component, &state) in network.components.iter_mut().zip(states) {
            let lts = &component.lts;
            let mut builder = LtsBuilder::shaped_like(lts);
            builder.alphabet(lts.alphabet().iter().copied());
            builder.initial(state);
            for (from, edge) in lts.all_edges() {
                builder.edge(from, edge.action, edge.target);
            }
            component.lts = Arc::new(builder.build());
        }
        network
    }

    /// The same network with some components that never do anything, and let nothing happen
    /// that they know of. What it does the whole can do as well.
    pub(crate) fn with_still(&self, still: &[usize]) -> Network {
        let mut network = self.clone();
        for &at in still {
            let lts = &mut network.components[at].lts;
            let mut builder = LtsBuilder::shaped_like(lts);
            builder.alphabet(lts.alphabet().iter().copied());
            *lts = Arc::new(builder.build());
        }
        network
    }

    /// The components that err and else only watch what others do: nobody is stuck, and nobody
    /// goes on, because of them.
    pub(crate) fn watchers(&self) -> Vec<usize> {
        let watches = |component: &Component| {
            component.lts.has_error() && component.lts.end().is_none() && component.is_observer()
        };
        let (watching, acting): (Vec<usize>, Vec<usize>) =
            (0..self.components.len()).partition(|&at| watches(&self.components[at]));
        let mut acted: Vec<Action> = Vec::new();
        for &at in &acting {
            acted.extend_from_slice(self.components[at].lts.alphabet());
        }
        acted.sort_unstable();
        let is_acted = |event: &Action| acted.binary_search(event).is_ok();
        let mut watching = watching;
        watching.retain(|&at| self.components[at].lts.alphabet().iter().all(is_acted));
        watching
    }

    /// One component in the place of all others, over the same events.
    pub(crate) fn with_one(&self, lts: Arc<Lts>) -> Network {
        Network {
            components: vec![Component {
                name: "all".into(),
                lts,
                states: StateNames::default(),
                built: None,
            }],
            ..self.clone()
        }
    }

    /// All components, ready to be composed.
    pub(crate) fn product(&self) -> Result<Product, Stop> {
        let components = self.components.iter();
        let parts = components.map(|component| Part::new(component.lts.clone()));
        let product = Product::new(parts.collect())?;
        Ok(match &self.priority {
            None => product,
            Some(priority) => product.prioritised(priority.clone()),
        })
    }

    /// The same as [`compose`](Network::compose), and for each state of the whole the states of
    /// the components.
    pub fn compose_with_states(
        &self,
        budget: &Budget,
    ) -> Result<(Lts, impl Fn(State) -> Vec<State> + use<>), Stop> {
        let composed = crate::operations::compose_merged_with_locals(&self.product()?, budget)?;
        Ok((self.as_shown(&composed.lts), composed.locals))
    }

    /// The whole system as one transition system over the actions of the system.
    pub fn compose(&self, budget: &Budget) -> Result<Lts, Stop> {
        let composed = crate::operations::compose(&self.product()?, budget)?;
        Ok(self.as_shown(&composed))
    }

    /// A composition of events with the actions that the system shows for them.
    fn as_shown(&self, composed: &Lts) -> Lts {
        composed.map_labels(|event| [self.events[event.index()].shown])
    }
}
