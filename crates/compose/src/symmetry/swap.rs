//! One exchange of components, or another way in which they change places.

use crate::{Action, ERROR, Network, State};

/// Components, events and states that change places. Doing an exchange twice changes nothing; what
/// [turns](super::turn) do it takes more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Swap {
    /// The component into whose place each comes.
    pub(crate) components: Vec<usize>,
    /// The event that each becomes.
    pub(crate) events: Vec<u32>,
    /// The state that each state of a component becomes; none if all stay what they are.
    pub(crate) states: Vec<Option<Vec<State>>>,
}

impl Swap {
    pub(super) fn state(&self, component: usize, state: State) -> State {
        match &self.states[component] {
            Some(states) if state != ERROR => states[state.index()],
            _ => state,
        }
    }

    pub(super) fn event(&self, event: Action) -> Action {
        Action::from_index(self.events[event.index()] as usize)
    }

    /// Whether a component stays where it is, in whatever state it is.
    pub(super) fn leaves(&self, component: usize) -> bool {
        self.components[component] == component && self.states[component].is_none()
    }

    /// Whether the network is the same afterwards, and twice is nothing.
    pub(super) fn is_symmetry_of(&self, network: &Network) -> bool {
        let parts = network.components();
        let events = self.events.len();
        let is_twice_nothing = self.events.first() == Some(&0)
            && (0..events as u32).all(|event| {
                let other = self.events[event as usize];
                self.events.get(other as usize) == Some(&event)
            })
            && (0..parts.len()).all(|part| {
                let other = self.components[part];
                self.components.get(other) == Some(&part) && self.is_twice_nothing_in(network, part)
            });
        is_twice_nothing && (0..parts.len()).all(|part| self.keeps(network, part))
    }

    /// Whether the network is the same afterwards.
    pub(super) fn is_turn_of(&self, network: &Network) -> bool {
        let parts = network.components();
        let is_onto = |places: &mut dyn Iterator<Item = usize>, count: usize| {
            let mut places: Vec<usize> = places.collect();
            places.sort_unstable();
            places.into_iter().eq(0..count)
        };
        let events = self.events.len();
        is_onto(&mut self.components.iter().copied(), parts.len())
            && self.events.first() == Some(&0)
            && is_onto(&mut self.events.iter().map(|&event| event as usize), events)
            && (0..parts.len()).all(|part| {
                let states = parts[part].lts.states();
                let mut own = parts[part].lts.all_states();
                let mut after = own.by_ref().map(|state| self.state(part, state).index());
                let fits = self.states[part]
                    .as_ref()
                    .is_none_or(|own| own.len() == states);
                fits && parts[self.components[part]].lts.states() == states
                    && is_onto(&mut after, states)
                    && self.keeps(network, part)
            })
    }

    /// This and then another.
    pub(super) fn then(&self, next: &Swap) -> Swap {
        let states = self.components.iter().enumerate();
        let states = states.map(
            |(part, &place)| match (&self.states[part], &next.states[place]) {
                (None, None) => None,
                (Some(one), None) => Some(one.clone()),
                (None, Some(two)) => Some(two.clone()),
                (Some(one), Some(_)) => {
                    Some(one.iter().map(|&state| next.state(place, state)).collect())
                }
            },
        );
        Swap {
            states: states.collect(),
            components: self
                .components
                .iter()
                .map(|&at| next.components[at])
                .collect(),
            events: self
                .events
                .iter()
                .map(|&at| next.events[at as usize])
                .collect(),
        }
    }

    /// Whether all stays where it is.
    pub(super) fn is_nothing(&self) -> bool {
        let stays =
            |states: &Vec<State>| states.iter().enumerate().all(|(at, to)| to.index() == at);
        self.components.iter().enumerate().all(|(at, to)| at == *to)
            && self
                .events
                .iter()
                .enumerate()
                .all(|(at, to)| at == *to as usize)
            && self.states.iter().flatten().all(stays)
    }

    fn is_twice_nothing_in(&self, network: &Network, part: usize) -> bool {
        let other = self.components[part];
        let sizes = [part, other].map(|at| network.components()[at].lts.states());
        let fits = |at: usize| {
            let states = self.states[at].as_ref();
            states.is_none_or(|states| {
                states.len() == sizes[0] && states.iter().all(|&state| state.index() < sizes[0])
            })
        };
        let mut states = State::first(sizes[0]);
        sizes[0] == sizes[1]
            && fits(part)
            && fits(other)
            && states.all(|state| self.state(other, self.state(part, state)) == state)
    }

    /// Whether the component in the place of another does what that one did.
    fn keeps(&self, network: &Network, part: usize) -> bool {
        let [own, other] = [part, self.components[part]].map(|at| &network.components()[at].lts);
        if self.leaves(part)
            && own
                .alphabet()
                .iter()
                .all(|&event| self.event(event) == event)
        {
            return true;
        }
        own.alphabet().len() == other.alphabet().len()
            && own.transitions() == other.transitions()
            && self.state(part, own.initial()) == other.initial()
            && own.end().map(|end| self.state(part, end)) == other.end()
            && (own.alphabet().iter()).all(|&event| other.knows(self.event(event)))
            && own.all_edges().all(|(from, edge)| {
                let target = self.state(part, edge.target);
                let from = self.state(part, from);
                let edges = other.successors(from, self.event(edge.action));
                edges.iter().any(|edge| edge.target == target)
            })
    }
}
