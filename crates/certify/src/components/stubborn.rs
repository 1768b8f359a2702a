//! Is what was left out of a search really not needed?
//!
//! The search is done again. In each state only the events of a stubborn set are followed: a
//! set such that whatever happens without it can happen after an event of it as well. Errors
//! must need an event of the set, or else the set has only events that erring components do
//! not see and that are not on every cycle.

mod local;
pub(super) mod runs;

use std::collections::{BTreeSet, VecDeque};

use quotient_core::{Budget, Stop};
use quotient_lts::evidence::{NO_DEADLOCK, Sought, StubbornData};
use quotient_lts::{ERROR, State};

use super::alike::Alike;
use super::model::Model;
use super::whole::Numbered;
use crate::Rejection;
use local::{Local, has_cycle};

/// Searches with stubborn sets of our own.
pub(super) fn check(
    data: &StubbornData,
    model: &Model,
    about: &str,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    let search = Search::new(data, model, about)?;
    let alike = Alike::new(data, model, budget)?;
    search.is_alike_under(&alike)?;
    let whole = model.whole();
    let mut states = Numbered::new(model.parts.len());
    let initial = whole.initial();
    if let Some(part) = initial.iter().position(|&local| local == ERROR) {
        search.errs(part)?;
        return Ok(vec!["the system begins in its error state".to_owned()]);
    }
    states.number(&initial);
    let mut next = 0;
    while next < states.len() {
        let state = states.get(next).to_vec();
        let followed = search.stubborn(&state, budget)?;
        if !search.for_errors && followed.is_empty() && !whole.has_ended(&state) {
            return Err(Rejection::wrong("there is a deadlock"));
        }
        for event in followed {
            for target in search.targets(&state, event, budget)? {
                match target.iter().position(|&local| local == ERROR) {
                    Some(part) => search.errs(part)?,
                    None => {
                        states.number(&alike.least(target, budget)?);
                    }
                }
            }
        }
        next += 1;
    }
    let absent = match search.for_errors {
        true => "no component comes into its error state",
        false => "there is no deadlock",
    };
    let enough = format!("{} states are enough to look at", states.len());
    let facts = alike.facts().into_iter().chain([enough]);
    Ok(facts.chain([absent.to_owned()]).collect())
}

/// An event by its number, or the silent steps of a component, numbered after all events.
type Event = usize;

struct Search<'a> {
    model: &'a Model,
    parts: Vec<Local<'a>>,
    /// Who takes part in an event.
    takers: Vec<Vec<usize>>,
    for_errors: bool,
    erring: Vec<usize>,
    /// Events that are seen by erring components or are on cycles.
    sticky: Vec<bool>,
}

/// The components by their own events, and who takes part in each: silence of a component is an
/// event of its own behind those of the model.
fn takers(model: &Model) -> (Vec<Local<'_>>, Vec<Vec<usize>>) {
    let first_silent = model.events.len();
    let parts: Vec<Local> = (model.parts.iter().enumerate())
        .map(|(number, lts)| Local::new(lts, first_silent + number))
        .collect();
    let mut takers = vec![Vec::new(); first_silent + parts.len()];
    for (number, part) in parts.iter().enumerate() {
        part.events().for_each(|event| takers[event].push(number));
    }
    (parts, takers)
}

impl<'a> Search<'a> {
    fn new(data: &StubbornData, model: &'a Model, about: &str) -> Result<Search<'a>, Rejection> {
        let for_errors = match data.sought {
            Sought::Deadlock if about == NO_DEADLOCK => false,
            Sought::Error => {
                // None may err, and those of the property are not idle.
                model.property(about)?;
                true
            }
            _ => return Err(Rejection::wrong(format!("it is not about `{about}`"))),
        };
        let first_silent = model.events.len();
        let (parts, takers) = takers(model);
        let erring = (0..parts.len()).filter(|&part| for_errors && model.parts[part].has_error());
        let erring: Vec<usize> = erring.collect();
        let mut sticky = vec![false; takers.len()];
        let (visible, silent) = sticky.split_at_mut(first_silent);
        let events = data.sticky.iter().map(|&event| event as usize);
        let components = data.sticky_silence.iter().copied();
        for (slots, numbers) in [
            (visible, events.collect::<Vec<usize>>()),
            (silent, components.collect()),
        ] {
            for number in numbers {
                let Some(slot) = slots.get_mut(number) else {
                    return Err(Rejection::unreadable(format!("there is no event {number}")));
                };
                *slot = true;
            }
        }
        for &part in &erring {
            parts[part].events().for_each(|event| sticky[event] = true);
        }
        if for_errors && let Some(round) = parts.iter().position(|part| has_cycle(part, &sticky)) {
            return Err(Rejection::wrong(format!(
                "`{}` can go round without an event that is followed",
                model.names[round]
            )));
        }
        Ok(Search {
            model,
            parts,
            takers,
            for_errors,
            erring,
            sticky,
        })
    }

    /// What becomes of a sticky event when components are exchanged must be sticky.
    fn is_alike_under(&self, alike: &Alike) -> Result<(), Rejection> {
        let first_silent = self.model.events.len();
        let mut sticky = (0..self.sticky.len()).filter(|&event| self.sticky[event]);
        let is_kept = sticky.all(|event| {
            alike.exchanges().all(|exchange| {
                self.sticky[match event.checked_sub(first_silent) {
                    Some(part) => first_silent + exchange.component(part),
                    None => exchange.event(event),
                }]
            })
        });
        match is_kept {
            true => Ok(()),
            false => Err(Rejection::wrong(
                "the events on cycles differ for components that are said to be alike",
            )),
        }
    }

    fn errs(&self, part: usize) -> Result<(), Rejection> {
        match self.for_errors {
            true => Err(Rejection::wrong(format!(
                "`{}` can come into its error state",
                self.model.names[part]
            ))),
            false => Ok(()),
        }
    }

    fn is_possible(&self, state: &[State], event: Event) -> bool {
        let takers = &self.takers[event];
        !takers.is_empty()
            && takers
                .iter()
                .all(|&part| self.parts[part].can(state[part], event))
    }

    /// The states after an event.
    fn targets(
        &self,
        state: &[State],
        event: Event,
        budget: &Budget,
    ) -> Result<Vec<Vec<State>>, Stop> {
        let mut all = vec![state.to_vec()];
        for &part in &self.takers[event] {
            let mut longer = Vec::new();
            for one in &all {
                budget.charge(1)?;
                for target in self.parts[part].targets(state[part], event) {
                    let mut next = one.clone();
                    next[part] = target;
                    longer.push(next);
                }
            }
            all = longer;
        }
        Ok(all)
    }

    /// The possible events of a stubborn set with few of them.
    fn stubborn(&self, state: &[State], budget: &Budget) -> Result<Vec<Event>, Rejection> {
        let mut best: Option<Vec<Event>> = None;
        if self.for_errors {
            let mut nearer = BTreeSet::new();
            for &part in &self.erring {
                nearer.extend(self.parts[part].towards_error(state[part]));
            }
            best = Some(self.closed(state, nearer, true, budget)?);
        }
        for seed in 0..self.takers.len() {
            if best.as_ref().is_some_and(|best| best.len() < 2) {
                break;
            }
            if !self.is_possible(state, seed) || self.for_errors && self.sticky[seed] {
                continue;
            }
            let set = self.closed(state, BTreeSet::from([seed]), false, budget)?;
            let is_seen = self.for_errors && set.iter().any(|&event| self.sticky[event]);
            if !is_seen && best.as_ref().is_none_or(|best| set.len() < best.len()) {
                best = Some(set);
            }
        }
        Ok(best.unwrap_or_default())
    }

    /// The possible events of the least set that has some events and is closed:
    ///
    /// * a possible event comes with all that a component could do instead of it, or with all
    ///   that does not commute with it there (`lasting`: what takes it away for good may stay
    ///   out, since no execution without the set then has the event);
    /// * an impossible event comes with all that brings one component that blocks it nearer to
    ///   allowing it.
    fn closed(
        &self,
        state: &[State],
        set: BTreeSet<Event>,
        lasting: bool,
        budget: &Budget,
    ) -> Result<Vec<Event>, Rejection> {
        let mut todo: VecDeque<Event> = set.iter().copied().collect();
        let mut set = set;
        let mut possible = Vec::new();
        while let Some(event) = todo.pop_back() {
            budget.charge(1)?;
            let mut more: Vec<Event> = Vec::new();
            if self.is_possible(state, event) {
                possible.push(event);
                for &part in &self.takers[event] {
                    more.extend(self.parts[part].rivals(state[part], event, lasting, budget)?);
                }
            } else {
                let blocking = self.takers[event].iter();
                let blocking = blocking.filter(|&&part| !self.parts[part].can(state[part], event));
                let ways = blocking.map(|&part| self.parts[part].towards(state[part], event));
                let cost = |way: &Vec<Event>| -> usize {
                    let new = way.iter().filter(|new| !set.contains(new));
                    new.map(|&new| if self.is_possible(state, new) { 4 } else { 1 })
                        .sum()
                };
                more = ways.min_by_key(cost).unwrap_or_default();
            }
            todo.extend(more.into_iter().filter(|&new| set.insert(new)));
        }
        possible.sort_unstable();
        Ok(possible)
    }
}
