//! Is what was left out of a search not needed for what goes on for ever?
//!
//! In each state either all possible events are followed, or those of a stubborn set of which none
//! is seen by the question and none is *kept*: of the kept events every cycle has one. So every
//! cycle of what is followed comes through a state in which all events are. Take any execution of
//! the system from a state that is met. Where all events are followed, its next step is; else, if
//! it has an event of the set, the first of these can happen now and leads to the same states; and
//! if it has none, an event of the set can happen now, and all of the execution after it. As that
//! cannot go on for ever without coming through a state where all events are followed, each step
//! of the execution is taken after a while. The events that are seen are never moved or added, so
//! they happen in the same order. Therefore
//!
//! * from each state that is met, the events that can happen later are those that are met later,
//!   and a state of a set that cannot be left is met (or comes after it and so is in the set):
//!   the sets of the system that cannot be left have just the events of the sets that cannot be
//!   left in what is followed;
//! * every execution has one that is followed with the same events seen, which ends where it does
//!   and is silent for ever where it is. An execution with fair choices does again and again all
//!   that can still happen; so does the other, though it need not make its choices fairly.
//!
//! Where components are alike, each exchange that is said to change nothing is checked, and those are
//! taken that the question does not notice: that make of each event one of which the question makes the
//! same. They map stubborn sets to stubborn sets. So a state may stand for all that they make of it, and an
//! event too: an execution is followed in which components change places on the way, and looks the same to
//! the question. It does again and again all that can still happen, up to exchanges, if the other does;
//! a set that cannot be left is mapped to one, in which the question finds the same.

use std::collections::{BTreeMap, BTreeSet};

use quotient_core::{Budget, Stop};
use quotient_logic::Formula;
use quotient_lts::evidence::{Sought, StubbornData};
use quotient_lts::{Action, Fluent, Progress, Question, State};

use super::super::alike::Alike;
use super::super::model::Model;
use super::super::reduced::{conjuncts, speaks_of, speaks_of_next};
use super::super::whole::{Numbered, Reachable, components_of};
use super::super::{explored, formula};
use super::local::loose_cycle;
use super::{Event, Search};
use crate::Rejection;

/// Follows steps again, in a way of our own, and answers the question.
pub(in super::super) fn check(
    data: &StubbornData,
    model: &Model,
    about: &str,
    question: &Question,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    let is_plain = data.sticky.is_empty() && data.sticky_silence.is_empty();
    if !is_plain {
        return Err(Rejection::unreadable(
            "what is said about events on cycles is about safety",
        ));
    }
    let alike = Alike::new(data, model, budget)?;
    match (data.sought, question) {
        (Sought::Starvation, Question::Progress(properties)) => {
            let properties = explored::asked(model, properties, about)?;
            // Without alike components what is followed is the same for all of them.
            let together = match alike.is_nothing() {
                true => properties.len().max(1),
                false => 1,
            };
            let mut enough = None;
            for some in properties.chunks(together) {
                enough = Some(keep_going(model, &alike, some, budget)?);
            }
            Ok(alike
                .facts()
                .into_iter()
                .chain(enough)
                .chain([format!(
                    "every set that cannot be left keeps {} properties",
                    properties.len()
                )])
                .collect())
        }
        (
            Sought::Formula { fair },
            Question::Formula {
                name,
                formula,
                fluents,
                fair: asked,
            },
        ) if name == about && fair == *asked => {
            if speaks_of_next(formula) {
                let message = "a formula about the next moment sees every event";
                return Err(Rejection::wrong(message));
            }
            let mut enough = None;
            for conjunct in &conjuncts(formula) {
                enough = Some(keeps(model, &alike, (conjunct, fluents, fair), budget)?);
            }
            let told = alike.facts().into_iter().chain(enough);
            Ok(told
                .chain(["no execution breaks the formula".to_owned()])
                .collect())
        }
        _ => Err(Rejection::wrong("the evidence is not about what is asked")),
    }
}

/// What a question makes of each event: events that are in the same of some sets of actions have the
/// same number.
fn classes(model: &Model, sets: &[&[Action]]) -> Vec<usize> {
    let mut known: BTreeMap<Vec<bool>, usize> = BTreeMap::new();
    let mut all = Vec::new();
    for shown in &model.shown {
        let is_in = |set: &&[Action]| !shown.is_tau() && set.contains(shown);
        let next = known.len();
        let own = sets.iter().map(is_in).collect();
        all.push(*known.entry(own).or_insert(next));
    }
    all
}

/// Whether sets that cannot be left keep properties that alike components are the same to.
fn keep_going(
    model: &Model,
    alike: &Alike,
    properties: &[Progress],
    budget: &Budget,
) -> Result<String, Rejection> {
    let sets = properties.iter().flat_map(|one| {
        let condition = one.condition.as_deref();
        [condition.unwrap_or_default(), one.actions.as_slice()]
    });
    let class = classes(model, &sets.collect::<Vec<_>>());
    let alike = alike.unnoticed(&class, budget)?;
    let start = model.whole().initial();
    let followed = Followed::new(model, |_| false, (&start, &alike), budget)?;
    let sets = followed.for_ever(model);
    match sets.iter().find_map(|set| starved(set, properties)) {
        Some(name) => Err(Rejection::wrong(format!(
            "the system can go on for ever without `{name}`"
        ))),
        None => Ok(followed.enough()),
    }
}

/// Whether all executions keep a formula.
fn keeps(
    model: &Model,
    alike: &Alike,
    (conjunct, fluents, fair): (&Formula<usize>, &[Fluent], bool),
    budget: &Budget,
) -> Result<String, Rejection> {
    let used = fluents.iter().enumerate();
    let used = used.filter(|&(number, _)| speaks_of(conjunct, number));
    let sets: Vec<&[Action]> = used
        .flat_map(|(_, fluent)| {
            let end = fluent.end.as_deref();
            [fluent.begin.as_slice(), end.unwrap_or_default()]
        })
        .collect();
    let is_seen = |event: Action| {
        let shown = model.shown[event.index()];
        !shown.is_tau() && sets.iter().any(|set| set.contains(&shown))
    };
    let alike = alike.unnoticed(&classes(model, &sets), budget)?;
    let start = model.whole().initial();
    let mut followed = Followed::new(model, is_seen, (&start, &alike), budget)?;
    let asked = formula::Asked {
        model,
        formula: conjunct,
        fluents,
        fair,
        rests: true,
    };
    let coming = match fair {
        true => Some(followed.coming(budget)?),
        false => None,
    };
    for (event, _) in followed.graph.steps.iter_mut().flatten() {
        if !is_seen(*event) {
            *event = Action::TAU;
        }
    }
    match formula::may_be_violated(&asked, &followed.graph, coming.as_ref(), budget)? {
        true => Err(Rejection::wrong("an execution may break the formula")),
        false => Ok(followed.enough()),
    }
}

/// The property, if any, of which nothing happens in a set of states, though its condition does.
fn starved(happening: &[Action], properties: &[Progress]) -> Option<String> {
    let happens = |actions: &[Action]| actions.iter().any(|action| happening.contains(action));
    let starves = |property: &&Progress| {
        property.condition.as_deref().is_none_or(happens) && !happens(&property.actions)
    };
    let found = properties.iter().find(starves);
    found.map(|property| property.name.clone())
}

/// States that are met from one on when in each enough is followed.
pub(in super::super) struct Followed {
    pub(in super::super) graph: Reachable,
}

impl Followed {
    pub(in super::super) fn new(
        model: &Model,
        is_seen: impl Fn(Action) -> bool,
        (start, alike): (&[State], &Alike),
        budget: &Budget,
    ) -> Result<Followed, Rejection> {
        if let Some(at) = model.parts.iter().position(|part| part.has_error()) {
            let name = &model.names[at];
            return Err(Rejection::wrong(format!("`{name}` can err")));
        }
        model.refuse_priorities()?;
        let search = Search::for_runs(model, is_seen, alike, budget)?;
        let first_silent = model.events.len();
        let stand_ins = alike.stand_ins(first_silent);
        let mut states = Numbered::new(start.len());
        states.number(start);
        let mut steps = Vec::new();
        while steps.len() < states.len() {
            let state = states.get(steps.len()).to_vec();
            let mut row = Vec::new();
            for event in search.enough(&state, budget)? {
                let action = match event < first_silent {
                    true => Action::from_index(stand_ins[event]),
                    false => Action::TAU,
                };
                for target in search.targets(&state, event, budget)? {
                    let target = alike.least(target, budget)?;
                    row.push((action, Some(states.number(&target) as u32)));
                }
            }
            budget.charge(row.len() as u64 + 1)?;
            steps.push(row);
        }
        Ok(Followed {
            graph: Reachable { states, steps },
        })
    }

    fn enough(&self) -> String {
        format!("{} states are enough to look at", self.graph.states.len())
    }

    /// For each state the number of the set of states that lead to each other.
    fn sets(&self) -> Vec<u32> {
        components_of(self.graph.states.len(), |state| {
            let steps = self.graph.steps[state].iter();
            steps.filter_map(|(_, target)| *target).collect()
        })
    }

    /// What the system shows in each set that cannot be left.
    pub(in super::super) fn for_ever(&self, model: &Model) -> Vec<Vec<Action>> {
        let set_of = self.sets();
        let count = set_of.iter().max().map_or(0, |&last| last as usize + 1);
        let mut sets: Vec<Option<Vec<Action>>> = vec![Some(Vec::new()); count];
        for (state, &own) in set_of.iter().enumerate() {
            for &(event, target) in &self.graph.steps[state] {
                let set = &mut sets[own as usize];
                match target.map(|target| set_of[target as usize]) == Some(own) {
                    true => set
                        .iter_mut()
                        .for_each(|set| set.push(model.shown[event.index()])),
                    false => *set = None,
                }
            }
        }
        let mut sets: Vec<Vec<Action>> = sets.into_iter().flatten().collect();
        for set in &mut sets {
            set.sort_unstable();
            set.dedup();
        }
        sets
    }

    /// The events of each step, and how many can still come from each state on.
    fn coming(&self, budget: &Budget) -> Result<formula::Coming, Stop> {
        let set_of = self.sets();
        let count = set_of.iter().max().map_or(0, |&last| last as usize + 1);
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (state, &set) in set_of.iter().enumerate() {
            members[set as usize].push(state);
        }
        // A set is numbered after those that it leads to.
        let mut later: Vec<BTreeSet<Action>> = Vec::new();
        for states in &members {
            let mut all = BTreeSet::new();
            for (event, target) in states.iter().flat_map(|&state| &self.graph.steps[state]) {
                all.insert(*event);
                let target = target.map(|target| set_of[target as usize] as usize);
                if let Some(known) = target.and_then(|target| later.get(target)) {
                    budget.charge(known.len() as u64)?;
                    all.extend(known);
                }
            }
            later.push(all);
        }
        let events = self.graph.steps.iter();
        Ok(formula::Coming {
            events: events
                .map(|row| row.iter().map(|(event, _)| *event).collect())
                .collect(),
            counts: set_of
                .iter()
                .map(|&set| later[set as usize].len())
                .collect(),
        })
    }
}

impl<'a> Search<'a> {
    /// For infinite executions in which some events are seen.
    fn for_runs(
        model: &'a Model,
        is_seen: impl Fn(Action) -> bool,
        alike: &Alike,
        budget: &Budget,
    ) -> Result<Search<'a>, Stop> {
        let first_silent = model.events.len();
        let (parts, takers) = super::takers(model);
        let mut sticky: Vec<bool> = (0..takers.len())
            .map(|event| event < first_silent && is_seen(Action::from_index(event)))
            .collect();
        for part in &parts {
            // One event of every cycle that is left: one that many take part in, and so is seldom
            // in a small set.
            loop {
                budget.charge(part.size() + 1)?;
                let cycle = loose_cycle(part, &sticky).into_iter();
                match cycle.max_by_key(|&event| (takers[event].len(), event)) {
                    Some(event) => sticky[event] = true,
                    None => break,
                }
            }
        }
        // What becomes of a kept event when components are exchanged is kept, too.
        let mut todo: Vec<usize> = (0..sticky.len()).filter(|&event| sticky[event]).collect();
        while let Some(event) = todo.pop() {
            for exchange in alike.exchanges() {
                let becomes = match event.checked_sub(first_silent) {
                    Some(part) => first_silent + exchange.component(part),
                    None => exchange.event(event),
                };
                if !std::mem::replace(&mut sticky[becomes], true) {
                    todo.push(becomes);
                }
            }
        }
        Ok(Search {
            model,
            parts,
            takers,
            for_errors: false,
            erring: Vec::new(),
            sticky,
        })
    }

    /// The events that are followed: of a stubborn set without kept ones, or all that are possible.
    fn enough(&self, state: &[State], budget: &Budget) -> Result<Vec<Event>, Rejection> {
        let possible = (0..self.takers.len()).filter(|&event| self.is_possible(state, event));
        let all: Vec<Event> = possible.collect();
        let mut best: Option<Vec<Event>> = None;
        for &seed in all.iter().filter(|&&seed| !self.sticky[seed]) {
            if best.as_ref().is_some_and(|best| best.len() < 2) {
                break;
            }
            let set = self.closed(state, BTreeSet::from([seed]), false, budget)?;
            let is_kept = set.iter().any(|&event| self.sticky[event]);
            if !is_kept && best.as_ref().is_none_or(|best| set.len() < best.len()) {
                best = Some(set);
            }
        }
        Ok(best.unwrap_or(all))
    }
}
