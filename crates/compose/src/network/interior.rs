//! What is inside components that had to be built: who really moves, and where everyone is.

use std::sync::Arc;

use quotient_core::{Budget, Stop};

use super::{Component, Network};
use crate::operations::compose_merged_with_locals;
use crate::{Action, ERROR, State};

/// What a component was built of.
#[derive(Debug, Clone)]
pub(super) struct Built {
    network: Arc<Network>,
    /// The own action of the component behind each event of the surrounding network: event, own.
    own: Vec<(Action, Action)>,
}

impl Built {
    pub(super) fn new(network: Network) -> Built {
        Built {
            network: Arc::new(network),
            own: Vec::new(),
        }
    }

    /// The same in a network in which its own actions are these events: own, event.
    pub(super) fn acting(mut self, pairs: &[(Action, Action)]) -> Built {
        self.own = pairs.iter().map(|&(own, event)| (event, own)).collect();
        self.own.sort_unstable();
        self
    }
}

/// The innermost components of a network. Components with priorities among their actions had to
/// be built; here they are taken apart again, so that a trace can tell who moves.
///
/// ```
/// use quotient_compose::{LtsBuilder, Network, State, System};
/// use quotient_core::Budget;
/// let mut system = System::new();
/// let (a, b) = (system.actions.intern("a"), system.actions.intern("b"));
/// let (mut left, mut right) = (LtsBuilder::new(), LtsBuilder::new());
/// left.edge(0, a, 1);
/// right.edge(0, b, 1);
/// let parts = [system.process("L", left.build()), system.process("R", right.build())];
/// let both = system.parallel(parts);
/// system.high(both, [b]);
/// let budget = Budget::unlimited();
/// let network = Network::new(&system, &budget).unwrap();
/// assert_eq!(network.components().len(), 1);
/// let interior = network.interior(&budget).unwrap();
/// let names: Vec<&str> = interior.names().collect();
/// assert_eq!(names, ["L", "R"]);
/// let before = network.initial();
/// let (event, after) = network.steps(&before).remove(0);
/// assert_eq!(interior.happening(&before, event, &after).moves, [(1, State::from(1))]);
/// ```
pub struct Interior {
    network: Network,
    /// One for each component of the network.
    places: Vec<Place>,
}

/// The innermost components of one component.
struct Place {
    /// The number of the first of them.
    first: usize,
    count: usize,
    inner: Option<Inner>,
}

struct Inner {
    interior: Interior,
    built: Built,
    locals: Box<dyn Fn(State) -> Vec<State>>,
}

/// A step, seen from inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Happening {
    /// What happens, by its innermost name; none for a silent step of a component.
    pub label: Option<String>,
    /// The innermost components that take part, by number, with their states afterwards.
    pub moves: Vec<(usize, State)>,
}

/// Something that a component is ready for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wait {
    /// The action.
    pub action: String,
    /// The components beside it that take part in the action and are not ready for it.
    pub held_up_by: Vec<String>,
}

impl Network {
    /// What a component is ready for.
    fn waits(&self, number: usize, state: State, states: &[State]) -> Vec<Wait> {
        let edges = self.components[number].lts.edges(state).iter();
        let mut events: Vec<Action> = edges.map(|edge| edge.action).collect();
        events.retain(|event| !event.is_tau());
        events.dedup();
        let unready = |event: Action| {
            let others = self.components.iter().zip(states).enumerate();
            let others = others.filter(move |&(other, (component, &state))| {
                other != number
                    && state != ERROR
                    && component.lts.knows(event)
                    && component.lts.successors(state, event).is_empty()
            });
            others.map(|(_, (component, _))| component.name.to_string())
        };
        let waits = events.into_iter().map(|event| Wait {
            action: self.name(event).to_owned(),
            held_up_by: unready(event).collect(),
        });
        waits.collect()
    }

    /// The innermost components; composes those again that had to be built.
    pub fn interior(&self, budget: &Budget) -> Result<Interior, Stop> {
        let mut places = Vec::with_capacity(self.components.len());
        let mut first = 0;
        for component in &self.components {
            let inner = match &component.built {
                None => None,
                Some(built) => {
                    let composed = compose_merged_with_locals(&built.network.product()?, budget)?;
                    Some(Inner {
                        interior: built.network.interior(budget)?,
                        built: built.clone(),
                        locals: composed.locals,
                    })
                }
            };
            let count = inner.as_ref().map_or(1, |inner| inner.interior.len());
            places.push(Place {
                first,
                count,
                inner,
            });
            first += count;
        }
        Ok(Interior {
            network: self.clone(),
            places,
        })
    }
}

impl Interior {
    /// How many innermost components there are.
    pub fn len(&self) -> usize {
        self.places.iter().map(|place| place.count).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Their names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|number| {
            let (network, component) = self.find(number);
            &*network.components[component].name
        })
    }

    /// Their states when the components of the network are in these. All parts of a component
    /// in its error state count as being in theirs.
    pub fn states(&self, outer: &[State]) -> Vec<State> {
        let mut states = Vec::with_capacity(self.len());
        for (place, &state) in self.places.iter().zip(outer) {
            match &place.inner {
                None => states.push(state),
                Some(_) if state == ERROR => states.extend(vec![ERROR; place.count]),
                Some(inner) => states.extend(inner.interior.states(&inner.tuple(state))),
            }
        }
        states
    }

    /// Who takes part in a step of the network between two of its states.
    pub fn happening(&self, before: &[State], event: Action, after: &[State]) -> Happening {
        let mut label = (!event.is_tau()).then(|| self.network.name(event).to_owned());
        let mut moves = Vec::new();
        for number in self.movers(before, event, after) {
            let place = &self.places[number];
            let (from, to) = (before[number], after[number]);
            let Some(inner) = &place.inner else {
                moves.push((place.first, to));
                continue;
            };
            let inside = inner.happening(from, event, to);
            if event.is_tau() {
                label = inside.label;
            }
            let inside = inside.moves.into_iter();
            moves.extend(inside.map(|(part, state)| (place.first + part, state)));
        }
        Happening { label, moves }
    }

    /// The components of the network that take part in a step.
    fn movers(&self, before: &[State], event: Action, after: &[State]) -> Vec<usize> {
        let components = self.network.components.iter().enumerate();
        if !event.is_tau() {
            let knowing = components.filter(|(_, component)| component.lts.knows(event));
            return knowing.map(|(number, _)| number).collect();
        }
        // A silent step is one component's; one that changes nothing may be anybody's.
        let silently = |&(number, component): &(usize, &Component)| {
            let (from, to) = (before[number], after[number]);
            let mut edges = component.lts.successors(from, event).iter();
            edges.any(|edge| edge.target == to)
        };
        let changed = components.clone().find(|&(at, _)| before[at] != after[at]);
        let mover = changed.or_else(|| components.clone().find(silently));
        mover.into_iter().map(|(number, _)| number).collect()
    }

    /// What the text calls a state of an innermost component.
    pub fn state_name(&self, number: usize, state: State) -> Option<&str> {
        if state == ERROR {
            return Some("ERROR");
        }
        let (network, component) = self.find(number);
        let component = &network.components[component];
        let known = component.states.len() == component.lts.states();
        component
            .states
            .get(state.index())
            .filter(|_| known)?
            .as_deref()
    }

    /// What each innermost component could do next, and who does not let it, when the
    /// components of the network are in these states.
    pub fn waits(&self, outer: &[State]) -> Vec<Vec<Wait>> {
        let mut all = Vec::with_capacity(self.len());
        for (number, (place, &state)) in self.places.iter().zip(outer).enumerate() {
            match (&place.inner, state) {
                (None, ERROR) => all.push(Vec::new()),
                (None, state) => all.push(self.network.waits(number, state, outer)),
                (Some(_), ERROR) => all.extend(vec![Vec::new(); place.count]),
                (Some(inner), state) => all.extend(inner.interior.waits(&inner.tuple(state))),
            }
        }
        all
    }

    /// The actions that an innermost component takes part in, by name.
    pub fn alphabet(&self, number: usize) -> impl Iterator<Item = &str> {
        let (network, component) = self.find(number);
        let actions = network.components[component].lts.alphabet().iter();
        actions.map(|&event| network.name(event))
    }

    /// How many states an innermost component has.
    pub fn size(&self, number: usize) -> usize {
        let (network, component) = self.find(number);
        network.components[component].lts.states()
    }

    /// Whether an innermost component only watches what may go wrong, as a property does.
    pub fn watches(&self, number: usize) -> bool {
        let (network, component) = self.find(number);
        let component = &network.components[component];
        component.is_observer() && component.lts.has_error()
    }

    /// Whether a state is the good end of an innermost component.
    pub fn has_ended(&self, number: usize, state: State) -> bool {
        let (network, component) = self.find(number);
        network.components[component].lts.end() == Some(state)
    }

    /// The network that has an innermost component, and its number there.
    fn find(&self, number: usize) -> (&Network, usize) {
        let at = self.places.partition_point(|place| place.first <= number);
        // A part without components has no numbers of its own.
        let at = (0..at).rev().find(|&at| self.places[at].count > 0);
        let at = at.unwrap_or(0);
        let place = &self.places[at];
        match &place.inner {
            None => (&self.network, at),
            Some(inner) => inner.interior.find(number - place.first),
        }
    }
}

impl Inner {
    /// The states of the inner network in a state of the component.
    fn tuple(&self, state: State) -> Vec<State> {
        (self.locals)(state)
    }

    /// The step of the inner network behind a step of the component.
    fn happening(&self, from: State, event: Action, to: State) -> Happening {
        let own = match event.is_tau() {
            true => Action::TAU,
            false => {
                let own = &self.built.own;
                let at = own.partition_point(|&(known, _)| known < event);
                own.get(at).map_or(Action::TAU, |&(_, own)| own)
            }
        };
        let before = self.tuple(from);
        let network = &self.interior.network;
        let target = (to != ERROR).then(|| self.tuple(to));
        let steps = network.steps(&before).into_iter();
        let fitting = steps.filter(|(event, _)| network.shown(*event) == own);
        let fitting: Vec<(Action, Vec<State>)> = fitting.collect();
        let exact = fitting.iter().find(|(_, after)| match &target {
            None => after.contains(&ERROR),
            Some(target) => after == target,
        });
        // Another end than the one that stands for all ends.
        match exact.or(fitting.first()) {
            Some((event, after)) => self.interior.happening(&before, *event, after),
            None => Happening {
                label: None,
                moves: Vec::new(),
            },
        }
    }
}
