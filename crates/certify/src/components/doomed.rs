//! Is what was asked broken whatever happens after an execution?
//!
//! The execution is replayed. From each of its states on there is an infinite execution, and one
//! with fair choices: no component can err, and choices can always be made fairly from now on.
//! If all of those from its last state on break what is left of the question there, then one of
//! the system breaks the question.
//!
//! * Of a formula, what is left after a moment is found by its definition: "always" is now and
//!   always from the next moment on, and so for the others. If that is false, all break it.
//!   Otherwise its negation is checked on what is left of the components from there on, as
//!   [`reduced`](super::reduced) says, with the fluents as they are then: it has all executions.
//! * Of a progress property nothing is lost on the way. If in what is left of the components from
//!   there on no set that cannot be left keeps it, then none of the system does.

use quotient_core::{Budget, Stop};
use quotient_logic::{Binary, Formula, Kind, Unary};
use quotient_lts::evidence::{DoomedData, Sought};
use quotient_lts::{Action, ERROR, Fluent, Progress, Question};

use super::explored::{after, asked, before};
use super::formula;
use super::model::Model;
use super::reduced::{Order, Parts, conjuncts};
use super::trace::{replay, replayed};
use super::whole::{Reachable, components_of};
use crate::Rejection;

/// No formula of sensible size exceeds this, nor what is left of it.
const DEEPEST: usize = 1000;

/// Replays the way, and looks at all that can happen after it.
pub(super) fn check(
    data: &DoomedData,
    model: &Model,
    about: &str,
    question: &Question,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    if let Some(at) = model.parts.iter().position(|part| part.has_error()) {
        let name = &model.names[at];
        return Err(Rejection::wrong(format!("`{name}` can err")));
    }
    let end = replay(model, &model.whole(), &data.initial, &data.way, budget)?;
    if end.contains(&ERROR) {
        return Err(Rejection::wrong(
            "the execution comes into an error state: it shows something else",
        ));
    }
    let order = Order {
        steps: &data.steps,
        merged: &data.merged,
    };
    let after_it = || {
        model.refuse_priorities()?;
        Parts::new(order, model, Some(&end))
    };
    let no_part = || Rejection::wrong("there is no such part of what is asked");
    let replayed = replayed(data.way.len());
    match (data.sought, question) {
        (Sought::Starvation, Question::Progress(properties)) => {
            let properties = asked(model, properties, about)?;
            let property = properties.get(data.part).ok_or_else(no_part)?;
            let left = after_it()?.left_for(property, budget)?;
            match is_kept_somewhere(model, property, &left) {
                true => Err(Rejection::wrong("what the property asks for may go on")),
                false => Ok(vec![
                    replayed,
                    "wherever it leads, what the property asks for does not go on".to_owned(),
                ]),
            }
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
            let parts = conjuncts(formula);
            let part = parts.get(data.part).ok_or_else(no_part)?;
            let (left, fluents) = left_of(part, data, model, fluents, budget)?;
            let broken = match left.kind {
                Kind::Constant(false) => "nothing after it can make up for what is broken",
                _ if data.steps.is_empty() => {
                    return Err(Rejection::wrong("what is left of the formula may be kept"));
                }
                _ => {
                    let broken = (!left).negation_normal_form();
                    let asked = formula::Asked {
                        model,
                        formula: &broken,
                        fluents: &fluents,
                        fair,
                        rests: true,
                    };
                    after_it()?.keep_one(&asked, part, budget)?;
                    "every execution that goes on from there breaks the formula"
                }
            };
            Ok(vec![replayed, broken.to_owned()])
        }
        _ => Err(Rejection::wrong("the evidence is not about what is asked")),
    }
}

/// Whether a set that cannot be left keeps a property: what it asks for happens there, or its
/// condition does not.
fn is_kept_somewhere(model: &Model, property: &Progress, left: &Reachable) -> bool {
    let targets = |state: usize| {
        let steps = left.steps[state].iter();
        steps.filter_map(|(_, target)| *target).collect()
    };
    let component = components_of(left.states.len(), targets);
    let is_left = |own: u32| {
        let mut states = (0..component.len()).filter(|&state| component[state] == own);
        states.any(|state| {
            let mut targets = left.steps[state].iter().map(|(_, target)| *target);
            targets.any(|target| target.map(|target| component[target as usize]) != Some(own))
        })
    };
    let happens = |own: u32, actions: &[Action]| {
        let mut states = (0..component.len()).filter(|&state| component[state] == own);
        states.any(|state| {
            let mut steps = left.steps[state].iter();
            steps.any(|(event, _)| actions.contains(&model.shown[event.index()]))
        })
    };
    let count = component.iter().max().map_or(0, |&last| last + 1);
    (0..count).filter(|&own| !is_left(own)).any(|own| {
        let condition = property.condition.as_deref();
        happens(own, &property.actions)
            || condition.is_some_and(|condition| !happens(own, condition))
    })
}

/// What is left of a formula after all moments of the way, and the fluents as they are then.
fn left_of(
    formula: &Formula<usize>,
    data: &DoomedData,
    model: &Model,
    fluents: &[Fluent],
    budget: &Budget,
) -> Result<(Formula<usize>, Vec<Fluent>), Rejection> {
    let mut values = before(fluents);
    let mut left = formula.clone();
    for step in &data.way {
        let shown = model.shown[step.event as usize];
        if !shown.is_tau() {
            values = after(fluents, &values, shown);
            budget.charge(left.size() as u64)?;
            left = after_moment(&left, &values)?;
            if left.depth() > DEEPEST {
                return Err(Stop::bound("the depth of a formula", DEEPEST as u64).into());
            }
        }
    }
    let now = fluents.iter().zip(values);
    let now = now.map(|(fluent, initially)| Fluent {
        initially,
        ..fluent.clone()
    });
    Ok((left.simplified(), now.collect()))
}

/// What must hold from the next moment on for a formula to hold at a moment.
fn after_moment(formula: &Formula<usize>, values: &[bool]) -> Result<Formula<usize>, Rejection> {
    let unknown = || Rejection::unreadable("a formula with operators beyond linear time");
    let after = |formula: &Formula<usize>| after_moment(formula, values);
    let again = || formula.clone();
    Ok(match &formula.kind {
        Kind::Constant(_) => again(),
        Kind::Atom(fluent) => {
            let value = values.get(*fluent).copied();
            Formula::constant(value.ok_or_else(unknown)?)
        }
        Kind::Unary(Unary::Not, inner) => negated(after(inner)?),
        Kind::Unary(Unary::Next, inner) => (**inner).clone(),
        Kind::Unary(Unary::Globally(None), inner) => both(after(inner)?, again()),
        Kind::Unary(Unary::Finally(None), inner) => one_of(after(inner)?, again()),
        Kind::Binary(operator, left, right) => {
            let (now, then) = (after(left)?, after(right)?);
            match operator {
                Binary::And => both(now, then),
                Binary::Or => one_of(now, then),
                Binary::Implies => one_of(negated(now), then),
                Binary::Iff => one_of(
                    both(now.clone(), then.clone()),
                    both(negated(now), negated(then)),
                ),
                Binary::Xor => one_of(
                    both(now.clone(), negated(then.clone())),
                    both(negated(now), then),
                ),
                Binary::Until(None) | Binary::WeakUntil => one_of(then, both(now, again())),
                Binary::Release => both(then, one_of(now, again())),
                _ => return Err(unknown()),
            }
        }
        _ => return Err(unknown()),
    })
}

fn negated(formula: Formula<usize>) -> Formula<usize> {
    match formula.kind {
        Kind::Constant(value) => Formula::constant(!value),
        _ => !formula,
    }
}

/// Two formulas joined, where one settles it if it has a value, and the other is all if it has
/// the other value; what is said already is not said again.
fn joined(operator: Binary, settles: bool, [one, other]: [Formula<usize>; 2]) -> Formula<usize> {
    match (&one.kind, &other.kind) {
        (Kind::Constant(value), _) if *value == settles => one,
        (_, Kind::Constant(value)) if *value == settles => other,
        (Kind::Constant(_), _) => other,
        (_, Kind::Constant(_)) => one,
        (Kind::Binary(own, left, right), _) if *own == operator => {
            let rest = joined(operator, settles, [(**right).clone(), other]);
            joined(operator, settles, [(**left).clone(), rest])
        }
        _ if says(operator, &other, &one) => other,
        _ => Formula::binary(operator, one, other),
    }
}

/// Whether a formula is one of those that are joined in another.
fn says(operator: Binary, joined: &Formula<usize>, formula: &Formula<usize>) -> bool {
    let mut open = vec![joined];
    while let Some(one) = open.pop() {
        if one.same_tree(formula) {
            return true;
        }
        if let Kind::Binary(own, left, right) = &one.kind
            && *own == operator
        {
            open.extend([&**left, &**right]);
        }
    }
    false
}

fn both(one: Formula<usize>, other: Formula<usize>) -> Formula<usize> {
    joined(Binary::And, false, [one, other])
}

fn one_of(one: Formula<usize>, other: Formula<usize>) -> Formula<usize> {
    joined(Binary::Or, true, [one, other])
}
