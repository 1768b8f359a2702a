//! What may become of a state if commands happen together.

use std::collections::BTreeMap;

use quotient_core::Rejection;
use quotient_markov::{Kind, Rational, nearest, whole};

use super::{MOST_OFF, State, exact};
use crate::instance::{Command, Instance, Update};

/// One outcome of a command: its weight, and the variables that get another value.
type Outcome = (Rational, Vec<(usize, i64)>);

/// What may become of a state if these commands happen together.
pub(super) fn together(
    instance: &Instance,
    commands: &[u32],
    state: &State,
) -> Result<BTreeMap<State, Rational>, Rejection> {
    let mut all: Vec<Vec<Outcome>> = Vec::with_capacity(commands.len());
    for &command in commands {
        all.push(outcomes(
            instance,
            &instance.commands[command as usize],
            state,
        )?);
    }
    if all.iter().any(Vec::is_empty) {
        return Ok(BTreeMap::new());
    }
    for (later, part) in all.iter().enumerate() {
        for other in &all[..later] {
            fit_together(instance, other, part)?;
        }
    }
    let mut branches = BTreeMap::from([(state.clone(), whole(1))]);
    for part in &all {
        let mut next: BTreeMap<State, Rational> = BTreeMap::new();
        for (weight, assigned) in part {
            for (target, before) in &branches {
                let mut target = target.clone();
                for &(variable, value) in assigned {
                    target[variable] = value;
                }
                *next.entry(target).or_insert_with(|| whole(0)) += before * weight;
            }
        }
        branches = next;
    }
    Ok(branches)
}

/// A step in which a variable gets two values has no meaning.
fn fit_together(instance: &Instance, one: &[Outcome], two: &[Outcome]) -> Result<(), Rejection> {
    for (_, assigned) in one {
        for &(variable, value) in assigned {
            let mut others = two.iter().flat_map(|(_, others)| others);
            if others.any(|&(other, another)| other == variable && another != value) {
                let name = &instance.variables[variable].name;
                let text = format!("`{name}` gets two values by commands that happen together");
                return Err(Rejection::wrong(text));
            }
        }
    }
    Ok(())
}

/// What a command may do, with weights as they are meant; what has no weight is left out.
fn outcomes(
    instance: &Instance,
    command: &Command,
    state: &State,
) -> Result<Vec<Outcome>, Rejection> {
    let weights = command.updates.iter();
    let weights = weights.map(|update| exact(&update.weight, state));
    let mut weights = weights.collect::<Result<Vec<Rational>, Rejection>>()?;
    if weights.iter().any(|weight| *weight < whole(0)) {
        return Err(Rejection::wrong("a probability or rate is negative"));
    }
    let sum: Rational = weights.iter().sum();
    let rated = command.rated || instance.kind == Kind::Ctmc;
    if !rated && sum != whole(1) {
        // As written, but for a little: a run goes somewhere in every step.
        if nearest(&(&sum - whole(1))).abs() > MOST_OFF {
            return Err(Rejection::wrong("probabilities do not add up to one"));
        }
        weights.iter_mut().for_each(|weight| *weight /= &sum);
    }
    let mut found = Vec::new();
    for (update, weight) in command.updates.iter().zip(weights) {
        if weight != whole(0) {
            found.push((weight, assigned(instance, update, state)?));
        }
    }
    Ok(found)
}

fn assigned(
    instance: &Instance,
    update: &Update,
    state: &State,
) -> Result<Vec<(usize, i64)>, Rejection> {
    let mut found = Vec::with_capacity(update.assignments.len());
    for (variable, value) in &update.assignments {
        let info = &instance.variables[*variable];
        let value = value.evaluate(state).map(|value| value.number());
        let value = value.filter(|value| {
            value.fract() == 0.0 && *value >= info.low as f64 && *value <= info.high as f64
        });
        let Some(value) = value else {
            let text = format!("`{}` gets a value outside of its range", info.name);
            return Err(Rejection::wrong(text));
        };
        found.push((*variable, value as i64));
    }
    Ok(found)
}
