//! Whether a set of transitions is stubborn in a marking, by the rules themselves: for the
//! checker alone, of nets that only take and give.
//!
//! * Every way from the marking to one where a formula has a value takes a member of the set
//!   ([`is_needed`]).
//! * Of a member that can fire, the set contains all that need tokens from a place where it takes
//!   some. What fires before it outside the set can then fire after it as well: it does not miss
//!   what the member takes, and more tokens never hinder.
//! * Of a member that cannot fire, the set contains all that give to a place that it lacks tokens
//!   on: it never comes first.
//!
//! So of every way to such a marking, the first member of the set that it takes can fire at once,
//! and what is left of the way is shorter.

use crate::formula::Formula;
use crate::net::{Net, Transition};

/// Whether the set is stubborn for reaching a marking where the formula has the value.
pub(crate) fn is_stubborn(
    net: &Net,
    marking: &[u64],
    set: &[usize],
    formula: &Formula,
    value: bool,
) -> bool {
    let mut inside = vec![false; net.transitions.len()];
    for &one in set {
        match inside.get_mut(one) {
            Some(inside) => *inside = true,
            None => return false,
        }
    }
    let closed = |&one: &usize| {
        let transition = &net.transitions[one];
        match transition.is_enabled(marking) {
            true => {
                let needs = |other: &Transition, place: usize| {
                    other.guard.iter().any(|guard| guard.place == place)
                };
                let taken = transition.effect.iter().filter(|one| one.1 < 0);
                let mut taken = taken.map(|one| one.0);
                taken.all(|place| all_inside(net, &inside, |other| needs(other, place)))
            }
            false => transition.guard.iter().any(|guard| {
                marking[guard.place] < guard.least
                    && all_inside(net, &inside, |other| moves(other, guard.place, 1))
            }),
        }
    };
    set.iter().all(closed) && is_needed(net, marking, &inside, formula, value)
}

/// Whether all transitions of a kind are in the set.
fn all_inside(net: &Net, inside: &[bool], kind: impl Fn(&Transition) -> bool) -> bool {
    let mut all = net.transitions.iter().zip(inside);
    all.all(|(one, &inside)| inside || !kind(one))
}

/// Whether a transition changes the tokens of a place in a direction.
fn moves(transition: &Transition, place: usize, direction: i64) -> bool {
    let mut effect = transition.effect.iter();
    effect.any(|&(at, change)| at == place && change.signum() == direction)
}

/// Whether the formula has not the value here, and never gets it without a member of the set.
fn is_needed(net: &Net, marking: &[u64], inside: &[bool], formula: &Formula, value: bool) -> bool {
    let part = |one: &Formula| is_needed(net, marking, inside, one, value);
    match (formula, value) {
        (Formula::Truth(truth), _) => *truth != value,
        (Formula::Not(inner), _) => is_needed(net, marking, inside, inner, !value),
        (Formula::All(parts), true) | (Formula::Any(parts), false) => parts.iter().any(part),
        (Formula::All(parts), false) | (Formula::Any(parts), true) => parts.iter().all(part),
        (Formula::AtLeast(linear), _) => {
            let grows = |one: &Transition| {
                let mut change = Some(0_i128);
                for &(place, by) in &one.effect {
                    let terms = linear.terms.iter().filter(|term| term.0 == place);
                    let factor: i128 = terms.map(|term| i128::from(term.1)).sum();
                    let more = factor.checked_mul(i128::from(by));
                    change = change.and_then(|sum| sum.checked_add(more?));
                }
                // A change that is too large for numbers may be one in any direction.
                match value {
                    true => change.is_none_or(|change| change > 0),
                    false => change.is_none_or(|change| change < 0),
                }
            };
            formula.holds(net, marking) != value && all_inside(net, inside, grows)
        }
        (Formula::Fireable(one), true) => net.transitions[*one].guard.iter().any(|guard| {
            marking[guard.place] < guard.least
                && all_inside(net, inside, |other| moves(other, guard.place, 1))
        }),
        (Formula::Fireable(one), false) => {
            let transition = &net.transitions[*one];
            transition.is_enabled(marking)
                && transition
                    .guard
                    .iter()
                    .all(|guard| all_inside(net, inside, |other| moves(other, guard.place, -1)))
        }
        (Formula::Dead, true) => (0..net.transitions.len())
            .any(|one| is_needed(net, marking, inside, &Formula::Fireable(one), false)),
        // Where nothing can fire, nothing ever will.
        (Formula::Dead, false) => formula.holds(net, marking),
    }
}
