//! Are components that are said to be alike really so?
//!
//! Every exchange must map the components, with all that they do, to each other. Then it maps
//! executions to executions, and of the states that exchanges make of each other one is enough
//! to look at: any one. Here it is one that no exchange of two neighbours makes less. Where all change
//! places at once (a ring that is turned), it is the least of those that come of it.

use std::cmp::Ordering;

use quotient_core::{Budget, Stop};
use quotient_lts::evidence::{StubbornData, SwapData, TurnData};
use quotient_lts::{Action, ERROR, Lts, LtsBuilder, State};

use super::model::Model;
use crate::Rejection;

/// Sets of exchanges that change nothing, and a turn.
#[derive(Default)]
pub(super) struct Alike {
    sets: Vec<Vec<Exchange>>,
    turn: Option<Exchange>,
}

/// The most turns that a state is looked at after. (Any state that comes of them will do.)
const MOST_TURNS: usize = 1_000;

/// Components that change places, with their events and states.
#[derive(Clone)]
pub(super) struct Exchange {
    components: Vec<usize>,
    events: Vec<usize>,
    states: Vec<Option<Vec<State>>>,
    /// The components that may differ afterwards, those that move in its set first.
    touched: Vec<usize>,
}

impl Alike {
    pub(super) fn new(
        data: &StubbornData,
        model: &Model,
        budget: &Budget,
    ) -> Result<Alike, Rejection> {
        let edges = model.parts.iter().map(Lts::transitions).sum::<usize>();
        let size = model.parts.len() + model.events.len() + edges;
        let mut sets = Vec::new();
        let differ = || Rejection::wrong("components that are said to be alike differ");
        for set in &data.alike {
            let mut exchanges = Vec::new();
            for swap in set {
                budget.charge(size as u64)?;
                let exchange = Exchange::new(swap, model)?;
                if !exchange.keeps(model) {
                    return Err(differ());
                }
                exchanges.push(exchange);
            }
            look_at_those_that_move(&mut exchanges);
            sets.push(exchanges);
        }
        let turn = data.turn.as_ref().map(|turn| Exchange::turn(turn, model));
        let turn = turn.transpose()?;
        budget.charge(size as u64)?;
        if turn.as_ref().is_some_and(|turn| !turn.keeps(model)) {
            return Err(differ());
        }
        Ok(Alike { sets, turn })
    }

    /// Whether no components are said to be alike.
    pub(super) fn is_nothing(&self) -> bool {
        self.exchanges().next().is_none()
    }

    pub(super) fn exchanges(&self) -> impl Iterator<Item = &Exchange> {
        self.sets.iter().flatten().chain(&self.turn)
    }

    /// Exchanges that come of these and that a question does not notice: events become events of the
    /// same class, which says for each event what the question makes of it.
    ///
    /// One that is noticed is tried with the next member in the place of the second, and so on: each
    /// with the next that the question does not tell from it. What comes of exchanges that change
    /// nothing changes nothing.
    pub(super) fn unnoticed(&self, class: &[usize], budget: &Budget) -> Result<Alike, Stop> {
        let is_unnoticed = |exchange: &Exchange| {
            let mut events = exchange.events.iter().enumerate();
            events.all(|(event, &becomes)| class[event] == class[becomes])
        };
        let mut sets = Vec::new();
        for set in &self.sets {
            let mut own = Vec::new();
            for (first, exchange) in set.iter().enumerate() {
                let mut later = set[first + 1..].iter();
                let mut now = Some(exchange.clone());
                while let Some(exchange) = now {
                    if is_unnoticed(&exchange) {
                        own.push(exchange);
                        break;
                    }
                    budget.charge((exchange.components.len() + exchange.events.len()) as u64)?;
                    now = later.next().map(|next| next.then(&exchange.then(next)));
                }
            }
            look_at_those_that_move(&mut own);
            sets.push(own);
        }
        Ok(Alike {
            sets,
            turn: self.turn.clone().filter(is_unnoticed),
        })
    }

    /// For each of so many events the first that it can become, or that can become it.
    pub(super) fn stand_ins(&self, events: usize) -> Vec<usize> {
        let mut stands: Vec<usize> = (0..events).collect();
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for exchange in self.exchanges() {
                for (event, &becomes) in exchange.events.iter().enumerate() {
                    let least = stands[event].min(stands[becomes]);
                    is_changed |= stands[event] != least || stands[becomes] != least;
                    (stands[event], stands[becomes]) = (least, least);
                }
            }
        }
        stands
    }

    /// What was checked, for people.
    pub(super) fn facts(&self) -> Option<String> {
        let count = self.sets.iter().flatten().count();
        match (count, &self.turn) {
            (0, None) => None,
            (0, Some(_)) => Some("to turn the ring of all components changes nothing".to_owned()),
            _ => Some(format!(
                "{count} exchanges of alike components change nothing"
            )),
        }
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
        match &self.turn {
            Some(turn) => turn.least(state, budget),
            None => Ok(state),
        }
    }
}

/// In which order the exchanges of a set look at components: those first that some of them move.
fn look_at_those_that_move(exchanges: &mut [Exchange]) {
    let Some(first) = exchanges.first() else {
        return;
    };
    let moves = |part: usize| {
        let mut all = exchanges.iter();
        all.any(|exchange| exchange.components[part] != part)
    };
    let (mut order, rest): (Vec<usize>, Vec<usize>) =
        (0..first.components.len()).partition(|&part| moves(part));
    order.extend(rest);
    for exchange in exchanges {
        let touches =
            |part: &usize| exchange.components[*part] != *part || exchange.states[*part].is_some();
        exchange.touched = order.iter().copied().filter(touches).collect();
    }
}

fn damaged() -> Rejection {
    Rejection::unreadable("an exchange of components is damaged")
}

/// What states become, of those components of which it is told; each becomes another one.
fn exchanged_states(
    data: &[(usize, Vec<u32>)],
    model: &Model,
) -> Result<Vec<Option<Vec<State>>>, Rejection> {
    let mut states = vec![None; model.parts.len()];
    for (part, own) in data {
        let count = model.parts.get(*part).ok_or_else(damaged)?.states();
        let own: Vec<State> = own.iter().copied().map(State::from).collect();
        let mut sorted = own.clone();
        sorted.sort_unstable();
        if !sorted.into_iter().eq(State::first(count)) {
            return Err(damaged());
        }
        states[*part] = Some(own);
    }
    Ok(states)
}

impl Exchange {
    fn new(data: &SwapData, model: &Model) -> Result<Exchange, Rejection> {
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
        Ok(Exchange {
            states: exchanged_states(&data.states, model)?,
            components,
            events,
            touched: Vec::new(),
        })
    }

    /// All components in other places.
    fn turn(data: &TurnData, model: &Model) -> Result<Exchange, Rejection> {
        let events: Vec<usize> = data.events.iter().map(|&event| event as usize).collect();
        let is_onto = |places: &[usize], count: usize| {
            let mut places = places.to_vec();
            places.sort_unstable();
            places.into_iter().eq(0..count)
        };
        let is_silence_kept = events.first() == Some(&0);
        if !is_onto(&data.components, model.parts.len())
            || !is_onto(&events, model.events.len())
            || !is_silence_kept
        {
            return Err(damaged());
        }
        Ok(Exchange {
            states: exchanged_states(&data.states, model)?,
            components: data.components.clone(),
            events,
            touched: Vec::new(),
        })
    }

    /// This and then another.
    fn then(&self, next: &Exchange) -> Exchange {
        let parts = self.components.iter().enumerate();
        let states = parts.map(|(part, &place)| {
            let count = self.states[part].as_ref().or(next.states[place].as_ref());
            let all = 0..count?.len();
            let after = |at| next.state(place, self.state(part, State::from_index(at)));
            Some(all.map(after).collect())
        });
        Exchange {
            states: states.collect(),
            components: self
                .components
                .iter()
                .map(|&at| next.components[at])
                .collect(),
            events: self.events.iter().map(|&at| next.events[at]).collect(),
            touched: Vec::new(),
        }
    }

    /// The least state that comes of another by turns.
    fn least(&self, state: Vec<State>, budget: &Budget) -> Result<Vec<State>, Stop> {
        let (mut best, mut now) = (state.clone(), state.clone());
        for _ in 0..MOST_TURNS {
            budget.charge(1)?;
            let mut next = now.clone();
            for (part, &local) in now.iter().enumerate() {
                next[self.components[part]] = self.state(part, local);
            }
            if next == state {
                break;
            }
            if next < best {
                best.clone_from(&next);
            }
            now = next;
        }
        Ok(best)
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
