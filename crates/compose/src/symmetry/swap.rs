//! One exchange of components.

use crate::{Action, ERROR, Network, State};

/// Components, events and states that change places. Doing it twice changes nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Swap {
    /// The component that takes the place of each.
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
