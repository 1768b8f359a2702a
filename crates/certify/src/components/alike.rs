//! Are components that are said to be alike really so?
//!
//! Every exchange must map the components, with all that they do, to each other. Then it maps
//! executions to executions, and of the states that exchanges make of each other one is enough
//! to look at: any one. Here it is one that no exchange of two neighbours makes less.

use std::cmp::Ordering;

use quotient_core::{Budget, Stop};
use quotient_lts::evidence::SwapData;
use quotient_lts::{Action, ERROR, Lts, LtsBuilder, State};

use super::model::Model;
use crate::Rejection;

/// Sets of exchanges that change nothing.
pub(super) struct Alike {
    sets: Vec<Vec<Exchange>>,
}

/// Components that change places, with their events and states.
pub(super) struct Exchange {
    components: Vec<usize>,
    events: Vec<usize>,
    states: Vec<Option<Vec<State>>>,
    /// The components that may differ afterwards, those that move in its set first.
    touched: Vec<usize>,
}

impl Alike {
    pub(super) fn new(
        data: &[Vec<SwapData>],
        model: &Model,
        budget: &Budget,
    ) -> Result<Alike, Rejection> {
        let edges = model.parts.iter().map(Lts::transitions).sum::<usize>();
        let size = model.parts.len() + model.events.len() + edges;
        let mut sets = Vec::new();
        for set in data {
            let mut exchanges = Vec::new();
            for swap in set {
                budget.charge(size as u64)?;
                let exchange = Exchange::new(swap, model)?;
                if !exchange.keeps(model) {
                    return Err(Rejection::wrong(
                        "components that are said to be alike differ",
                    ));
                }
                exchanges.push(exchange);
            }
            let moves = |part: usize| {
                let mut all = exchanges.iter();
                all.any(|exchange: &Exchange| exchange.components[part] != part)
            };
            let (mut order, rest): (Vec<usize>, Vec<usize>) =
                (0..model.parts.len()).partition(|&part| moves(part));
            order.extend(rest);
            for exchange in &mut exchanges {
                let touches = |part: &usize| {
                    exchange.components[*part] != *part || exchange.states[*part].is_some()
                };
                exchange.touched = order.iter().copied().filter(touches).collect();
            }
            sets.push(exchanges);
        }
        Ok(Alike { sets })
    }

    pub(super) fn exchanges(&self) -> impl Iterator<Item = &Exchange> {
        self.sets.iter().flatten()
    }

    /// What was checked, for people.
    pub(super) fn facts(&self) -> Option<String> {
        let count = self.exchanges().count();
        (count > 0).then(|| format!("{count} exchanges of alike components change nothing"))
    }

    /// A state that exchanges make of another: neighbours change places as long as that makes
    /// it less.
    pub(super) fn least(&self, mut state: Vec<State>, budget: &Budget) -> Result<Vec<State>, Stop> {
        for set in &self.sets {
            let mut is_changed = true;
            while is_changed {
                is_changed = false;
                budget.charge(set.len() as u64)?;
                for exchange in set {
                    is_changed |= exchange.lessen(&mut state);
                }
            }
        }
        Ok(state)
    }
}

impl Exchange {
    fn new(data: &SwapData, model: &Model) -> Result<Exchange, Rejection> {
        let damaged = || Rejection::unreadable("an exchange of components is damaged");
        let mut components: Vec<usize> = (0..model.parts.len()).collect();
        for &(one, other) in &data.components {
            if components.get(one) != Some(&one) || components.get(other) != Some(&other) {
                return Err(damaged());
            }
            components.swap(one, other);
        }
        let mut events: Vec<usize> = (0..model.events.len()).collect();
        for &(one, other) in &data.events {
            let (one, other) = (one as usize, other as usize);
            let is_free = |event: usize| event > 0 && events.get(event) == Some(&event);
            if !is_free(one) || !is_free(other) {
                return Err(damaged());
            }
            events.swap(one, other);
        }
        let mut states = vec![None; components.len()];
        for (part, own) in &data.states {
            let count = model.parts.get(*part).ok_or_else(damaged)?.states();
            let own: Vec<State> = own.iter().copied().map(State::from).collect();
            let mut sorted = own.clone();
            sorted.sort_unstable();
            if !sorted.into_iter().eq(State::first(count)) {
                return Err(damaged());
            }
            states[*part] = Some(own);
        }
        Ok(Exchange {
            components,
            events,
            states,
            touched: Vec::new(),
        })
    }

    pub(super) fn component(&self, part: usize) -> usize {
        self.components[part]
    }

    pub(super) fn event(&self, event: usize) -> usize {
        self.events[event]
    }

    fn state(&self, part: usize, state: State) -> State {
        match &self.states[part] {
            Some(states) if state != ERROR => states[state.index()],
            _ => state,
        }
    }

    /// Whether each component, with its states and events exchanged, is the one in whose place
    /// it comes.
    fn keeps(&self, model: &Model) -> bool {
        let mut parts = model.parts.iter().enumerate();
        parts.all(|(part, lts)| {
            let other = &model.parts[self.components[part]];
            lts.states() == other.states() && self.renamed(part, lts) == *other
        })
    }

    fn renamed(&self, part: usize, lts: &Lts) -> Lts {
        let event = |event: Action| Action::from_index(self.events[event.index()]);
        let mut builder = LtsBuilder::new();
        builder
            .at_least(lts.states())
            .initial(self.state(part, lts.initial()))
            .alphabet(lts.alphabet().iter().map(|&known| event(known)));
        if let Some(end) = lts.end() {
            builder.end(self.state(part, end));
        }
        for (from, edge) in lts.all_edges() {
            let target = self.state(part, edge.target);
            builder.edge(self.state(part, from), event(edge.action), target);
        }
        builder.build()
    }

    /// Exchanges if that makes a state less.
    fn lessen(&self, state: &mut [State]) -> bool {
        // A component comes from the one in its place: exchanges of places undo themselves.
        let after = |part: usize| {
            let from = self.components[part];
            self.state(from, state[from])
        };
        let differs = |part: &&usize| after(**part) != state[**part];
        let Some(&first) = self.touched.iter().find(differs) else {
            return false;
        };
        if after(first).cmp(&state[first]) != Ordering::Less {
            return false;
        }
        let new: Vec<State> = self.touched.iter().map(|&part| after(part)).collect();
        for (&part, new) in self.touched.iter().zip(new) {
            state[part] = new;
        }
        true
    }
}
