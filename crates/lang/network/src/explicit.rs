//! The meaning of formulas by the definition, state by state: for small networks, for tests and
//! for certificates.

use quotient_core::{Budget, Stop};

use crate::formula::Formula;
use crate::network::Network;

/// The most variables for this.
pub(crate) const MOST_VARIABLES: usize = 10;

/// The states where a formula is true, for states with names.
pub(crate) fn states(
    network: &Network,
    formula: &Formula,
    names: &mut Vec<u64>,
    budget: &Budget,
) -> Result<Vec<bool>, Stop> {
    let count = 1usize << network.names.len();
    // A name stands for a state whatever the parameters are; these stay what they are.
    let state_bits = (1usize << network.named()) - 1;
    budget.charge(count as u64)?;
    let of = |inner: &Formula, names: &mut Vec<u64>| states(network, inner, names, budget);
    Ok(match formula {
        Formula::Constant(value) => vec![*value; count],
        Formula::Variable(at) => (0..count).map(|state| state >> at & 1 == 1).collect(),
        Formula::Named(name) => (0..count)
            .map(|state| names.get(*name) == Some(&((state & state_bits) as u64)))
            .collect(),
        Formula::Not(inner) => of(inner, names)?.into_iter().map(|value| !value).collect(),
        Formula::And(one, other) => {
            let (one, other) = (of(one, names)?, of(other, names)?);
            one.into_iter()
                .zip(other)
                .map(|(one, other)| one && other)
                .collect()
        }
        Formula::Or(one, other) => {
            let (one, other) = (of(one, names)?, of(other, names)?);
            one.into_iter()
                .zip(other)
                .map(|(one, other)| one || other)
                .collect()
        }
        Formula::ExistsNext(inner) => before(network, &of(inner, names)?),
        Formula::ExistsUntil(one, other) => {
            let (one, mut now) = (of(one, names)?, of(other, names)?);
            loop {
                budget.charge(count as u64)?;
                let earlier = before(network, &now);
                let next: Vec<bool> = (0..count)
                    .map(|state| now[state] || (one[state] && earlier[state]))
                    .collect();
                if next == now {
                    break now;
                }
                now = next;
            }
        }
        Formula::ExistsGlobally(inner) => {
            let mut now = of(inner, names)?;
            loop {
                budget.charge(count as u64)?;
                let earlier = before(network, &now);
                let next: Vec<bool> = (0..count)
                    .map(|state| now[state] && earlier[state])
                    .collect();
                if next == now {
                    break now;
                }
                now = next;
            }
        }
        Formula::Bind(name, inner) | Formula::Jump(name, inner) | Formula::Exists(name, inner) => {
            if names.len() <= *name {
                names.resize(name + 1, 0);
            }
            if let Formula::Jump(..) = formula {
                let there = of(inner, names)?;
                let at = |state: usize| there[(state & !state_bits) | names[*name] as usize];
                return Ok((0..count).map(at).collect());
            }
            let old = names[*name];
            let mut found = vec![false; count];
            for state in 0..=state_bits {
                names[*name] = state as u64;
                let inner = of(inner, names)?;
                match formula {
                    Formula::Bind(..) => (state..count)
                        .step_by(state_bits + 1)
                        .for_each(|state| found[state] = inner[state]),
                    _ => found
                        .iter_mut()
                        .zip(inner)
                        .for_each(|(found, value)| *found |= value),
                }
            }
            names[*name] = old;
            found
        }
    })
}

/// The states with a next state in a set; a state that nothing changes follows itself.
fn before(network: &Network, set: &[bool]) -> Vec<bool> {
    let leads = |state: usize| {
        let changed =
            |at: &usize| network.updates[*at].value(state as u64) != (state >> at & 1 == 1);
        let mut next = (0..network.names.len())
            .filter(changed)
            .map(|at| state ^ (1 << at))
            .peekable();
        match next.peek() {
            Some(_) => next.any(|next| set[next]),
            None => set[state],
        }
    };
    (0..set.len()).map(leads).collect()
}
