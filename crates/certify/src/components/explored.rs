//! Is there really nothing to be found?

use quotient_core::Budget;
use quotient_lts::evidence::{ExploredData, NO_DEADLOCK, Sought};
use quotient_lts::{Action, ERROR, Fluent, Progress, Question, State};

use super::formula;
use super::model::Model;
use super::whole::{Numbered, Reachable, components_of};
use crate::Rejection;

/// Searches all states again.
pub(super) fn check(
    data: &ExploredData,
    model: &Model,
    about: &str,
    question: &Question,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    match (data.sought, question) {
        (Sought::Deadlock | Sought::Error, Question::Safety { .. }) => {
            safety(data, model, about, budget)
        }
        (Sought::Starvation, Question::Progress(properties)) => {
            let reachable = whole(data, model, budget)?;
            starvation(model, &asked(model, properties, about)?, &reachable)
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
            let reachable = whole(data, model, budget)?;
            let asked = formula::Asked {
                model,
                formula,
                fluents,
                fair,
                rests: false,
            };
            match formula::violated(&asked, &reachable, budget)? {
                true => Err(Rejection::wrong("an execution breaks the formula")),
                false => Ok(vec![
                    searched(reachable.states.len()),
                    "no execution breaks the formula".to_owned(),
                ]),
            }
        }
        _ => Err(Rejection::wrong("the evidence is not about what is asked")),
    }
}

fn searched(states: usize) -> String {
    format!("all {states} states were searched again")
}

fn safety(
    data: &ExploredData,
    model: &Model,
    about: &str,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    if (about == NO_DEADLOCK) != (data.sought == Sought::Deadlock) {
        return Err(Rejection::wrong(format!(
            "the search was not about `{about}`"
        )));
    }
    let property = match data.sought {
        Sought::Error => model.property(about)?,
        _ => Vec::new(),
    };
    // An execution ends with an error; whose it must not be, the question says.
    let may_err = |state: &[State]| {
        let erring: Vec<usize> = (0..state.len()).filter(|&at| state[at] == ERROR).collect();
        data.sought == Sought::Deadlock || model.only_ends(&erring, &property)
    };
    let whole = model.whole();
    let initial = whole.initial();
    let mut states = Numbered::new(initial.len());
    match initial.contains(&ERROR) {
        true if !may_err(&initial) => {
            return Err(Rejection::wrong("a component starts in its error state"));
        }
        true => {}
        false => {
            states.number(&initial);
        }
    }
    let (mut next, mut transitions) = (0, 0);
    while next < states.len() {
        let state = states.get(next).to_vec();
        let steps = whole.steps(&state, budget)?;
        transitions += steps.len() as u64;
        if data.sought == Sought::Deadlock && steps.is_empty() && !whole.has_ended(&state) {
            return Err(Rejection::wrong("there is a deadlock"));
        }
        for (_, target) in steps {
            match target.iter().position(|&local| local == ERROR) {
                None => {
                    states.number(&target);
                }
                Some(part) if !may_err(&target) => {
                    return Err(Rejection::wrong(format!(
                        "`{}` can come into its error state",
                        model.names[part]
                    )));
                }
                Some(_) => {}
            }
        }
        next += 1;
    }
    counted(data, states.len() as u64, transitions)?;
    let absent = match data.sought {
        Sought::Deadlock => "there is no deadlock",
        _ => "no component of the property comes into its error state",
    };
    Ok(vec![searched(states.len()), absent.to_owned()])
}

/// Whether there are as many states and steps as the evidence says, if it does.
fn counted(data: &ExploredData, states: u64, transitions: u64) -> Result<(), Rejection> {
    let is_so = data.states.is_none_or(|count| count == states)
        && data.transitions.is_none_or(|count| count == transitions);
    match is_so {
        true => Ok(()),
        false => Err(Rejection::wrong(format!(
            "there are {states} states and {transitions} steps, which is not what it says"
        ))),
    }
}

/// All states of a system in which nothing errs.
fn whole(data: &ExploredData, model: &Model, budget: &Budget) -> Result<Reachable, Rejection> {
    let whole = model.whole();
    let initial = whole.initial();
    let reachable = Reachable::from(&whole, &initial, budget)?;
    let errs = reachable
        .steps
        .iter()
        .flatten()
        .any(|(_, target)| target.is_none());
    let steps = reachable.steps.iter().map(|steps| steps.len() as u64);
    counted(data, reachable.states.len() as u64, steps.sum())?;
    match errs || initial.contains(&ERROR) {
        true => Err(Rejection::wrong(
            "a component can come into its error state",
        )),
        false => Ok(reachable),
    }
}

/// The name under which it is asked that every action goes on.
const EVERY_ACTION: &str = "progress";

/// The property of this name; or, where the text has none, that every action goes on.
pub(super) fn asked(
    model: &Model,
    properties: &[Progress],
    about: &str,
) -> Result<Vec<Progress>, Rejection> {
    if !properties.is_empty() {
        let named = properties.iter().filter(|property| property.name == about);
        let named: Vec<Progress> = named.cloned().collect();
        return match named.is_empty() {
            true => Err(Rejection::wrong(format!("there is no property `{about}`"))),
            false => Ok(named),
        };
    }
    if about != EVERY_ACTION {
        return Err(Rejection::wrong(format!("there is no property `{about}`")));
    }
    let mut actions: Vec<Action> = model.shown.clone();
    actions.sort_unstable();
    actions.dedup();
    let visible = actions.into_iter().filter(|action| !action.is_tau());
    let every = visible.map(|action| Progress {
        name: model.actions.name(action).to_owned(),
        condition: None,
        actions: vec![action],
    });
    Ok(every.collect())
}

pub(super) fn starvation(
    model: &Model,
    properties: &[Progress],
    reachable: &Reachable,
) -> Result<Vec<String>, Rejection> {
    let steps = |state: usize| reachable.steps[state].iter();
    let component = components_of(reachable.states.len(), |state| {
        steps(state).filter_map(|(_, target)| *target).collect()
    });
    let count = component.iter().max().map_or(0, |&last| last as usize + 1);
    let mut is_terminal = vec![true; count];
    let mut happens: Vec<Vec<Action>> = vec![Vec::new(); count];
    for (state, &own) in component.iter().enumerate() {
        for &(event, target) in steps(state) {
            match target.map(|target| component[target as usize]) == Some(own) {
                true => happens[own as usize].push(model.shown[event.index()]),
                false => is_terminal[own as usize] = false,
            }
        }
    }
    for (actions, _) in happens
        .iter()
        .zip(&is_terminal)
        .filter(|(_, terminal)| **terminal)
    {
        let happen = |wanted: &[Action]| wanted.iter().any(|action| actions.contains(action));
        for property in properties {
            if property.condition.as_deref().is_none_or(happen) && !happen(&property.actions) {
                return Err(Rejection::wrong(format!(
                    "the system can go on for ever without `{}`",
                    property.name
                )));
            }
        }
    }
    Ok(vec![
        searched(reachable.states.len()),
        format!(
            "every set that cannot be left keeps {} properties",
            properties.len()
        ),
    ])
}

/// The values of fluents after an event.
pub(super) fn after(fluents: &[Fluent], values: &[bool], shown: Action) -> Vec<bool> {
    let value = |(fluent, was): (&Fluent, &bool)| {
        let begins = fluent.begin.contains(&shown);
        let ends = match &fluent.end {
            Some(end) => end.contains(&shown),
            None => true,
        };
        begins || *was && !ends
    };
    fluents.iter().zip(values).map(value).collect()
}

/// The values of fluents before all events.
pub(super) fn before(fluents: &[Fluent]) -> Vec<bool> {
    fluents.iter().map(|fluent| fluent.initially).collect()
}
