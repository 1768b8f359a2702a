//! Whether markings with a set of transitions each show that no run breaks a formula, for the
//! checker alone, in nets that only take and give.
//!
//! The formula does not say *next*, so that it does not see how often a marking is repeated. In
//! each marking the set contains all transitions that can fire, or it is *quiet*:
//!
//! * a member can fire, and no member that can changes a condition of the formula;
//! * what is outside needs nothing that such a member takes, and takes nothing that it needs;
//! * of a member that cannot fire, the set contains all that give to one place that it lacks.
//!
//! And there is no circle of markings with quiet sets alone. See the argument in the guide to what
//! has to be trusted.

use quotient_core::{Budget, Rejection};
use quotient_logic::{Formula as Time, Kind, Unary};

use crate::evidence::Stubborn;
use crate::formula::{Formula, Temporal};
use crate::judge::Part;
use crate::net::{Net, Transition};

/// Whether no run of the net breaks the formula.
pub(crate) fn judge(
    net: &Net,
    listed: &Stubborn,
    one: &Temporal,
    budget: &Budget,
) -> Result<String, Rejection> {
    if !net.only_takes_and_gives() {
        return Err(Rejection::wrong("the net does more than take and give"));
    }
    if !one.linear || says_next(&one.formula) {
        return Err(Rejection::wrong(
            "the formula sees how often markings repeat",
        ));
    }
    let visible: Vec<bool> = net
        .transitions
        .iter()
        .map(|transition| {
            one.atoms
                .iter()
                .any(|atom| may_change(net, atom, transition))
        })
        .collect();
    let mut quiet = Vec::with_capacity(listed.markings.len());
    for (marking, set) in &listed.markings {
        budget.charge(1 + (set.len() * net.transitions.len()) as u64 / 64)?;
        if marking.len() != net.places.len() {
            let message = "a marking has not one number for each place";
            return Err(Rejection::wrong(message));
        }
        let mut inside = vec![false; net.transitions.len()];
        for &member in set {
            match inside.get_mut(member) {
                Some(inside) => *inside = true,
                None => return Err(Rejection::wrong("there is no such transition")),
            }
        }
        let mut transitions = net.transitions.iter().zip(&inside);
        let is_whole = transitions.all(|(one, &inside)| inside || !one.is_enabled(marking));
        if !is_whole && !is_quiet(net, marking, &inside, &visible) {
            return Err(Rejection::wrong(
                "a set of transitions does not stand for all",
            ));
        }
        quiet.push(!is_whole);
    }
    let part = Part::chosen(net, &listed.markings, budget)?;
    let is_quiet = listed.markings.iter().zip(&quiet);
    let quiet: Vec<&[u64]> = is_quiet
        .filter(|(_, quiet)| **quiet)
        .map(|((marking, _), _)| marking.as_slice())
        .collect();
    if part.has_circle(&quiet)? {
        return Err(Rejection::wrong("something may be put off for ever"));
    }
    part.linear(one)?;
    let number = part.len();
    Ok(format!(
        "no run through {number} markings, which stand for all, breaks it"
    ))
}

fn says_next(formula: &Time<u32>) -> bool {
    match &formula.kind {
        Kind::Constant(_) | Kind::Atom(_) => false,
        Kind::Unary(Unary::Next, _) | Kind::Placeholder(_) => true,
        Kind::Unary(_, inner) => says_next(inner),
        Kind::Binary(_, left, right) => says_next(left) || says_next(right),
    }
}

/// Whether a transition may change the value of a condition.
fn may_change(net: &Net, atom: &Formula, transition: &Transition) -> bool {
    let touches = |place: usize| transition.effect.iter().any(|&(at, _)| at == place);
    match atom {
        Formula::Truth(_) => false,
        Formula::Not(inner) => may_change(net, inner, transition),
        Formula::All(parts) | Formula::Any(parts) => {
            parts.iter().any(|part| may_change(net, part, transition))
        }
        Formula::AtLeast(linear) => {
            let mut sum = Some(0_i128);
            for &(place, factor) in &linear.terms {
                for &(at, by) in &transition.effect {
                    if at == place {
                        let more = i128::from(factor).checked_mul(i128::from(by));
                        sum = sum.and_then(|sum| sum.checked_add(more?));
                    }
                }
            }
            sum != Some(0)
        }
        Formula::Fireable(other) => {
            let guards = &net.transitions[*other].guard;
            guards.iter().any(|guard| touches(guard.place))
        }
        Formula::Dead => true,
    }
}

/// Whether a set that leaves out something that can fire stands for all.
fn is_quiet(net: &Net, marking: &[u64], inside: &[bool], visible: &[bool]) -> bool {
    let needs = |one: &Transition, place: usize| one.guard.iter().any(|guard| guard.place == place);
    let takes = |one: &Transition, place: usize| {
        let mut effect = one.effect.iter();
        effect.any(|&(at, by)| at == place && by < 0)
    };
    let gives = |one: &Transition, place: usize| {
        let mut effect = one.effect.iter();
        effect.any(|&(at, by)| at == place && by > 0)
    };
    let outside = || {
        let all = net.transitions.iter().zip(inside);
        all.filter(|(_, inside)| !**inside).map(|(one, _)| one)
    };
    let mut can_fire = false;
    for (number, member) in net.transitions.iter().enumerate() {
        if !inside[number] {
            continue;
        }
        if member.is_enabled(marking) {
            can_fire = true;
            let disturbs = |other: &Transition| {
                let mut taken = member.effect.iter().filter(|(_, by)| *by < 0);
                taken.any(|&(place, _)| needs(other, place))
                    || member.guard.iter().any(|guard| takes(other, guard.place))
            };
            if visible[number] || outside().any(disturbs) {
                return false;
            }
        } else {
            let waits = member.guard.iter().any(|guard| {
                marking[guard.place] < guard.least
                    && !outside().any(|other| gives(other, guard.place))
            });
            if !waits {
                return false;
            }
        }
    }
    can_fire
}
