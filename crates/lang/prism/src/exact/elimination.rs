//! Linear equations with fractions.

use std::collections::{BTreeMap, BTreeSet};

use quotient_core::{Budget, Rejection, Stop};
use quotient_markov::{Markov, Rational, whole};

/// Fractions with more digits than this are not worth waiting for.
const MOST_BITS: u64 = 200_000;

/// What leads from a state to others.
pub(super) type Row = BTreeMap<usize, Rational>;

/// What a state is worth: some of others, and constants, for several questions at once.
pub(super) type Equation = (Row, Vec<Rational>);

/// The exact weight of a branch.
pub(super) fn weight(model: &Markov, branch: usize) -> Result<&Rational, Rejection> {
    let found = model.exact_weight(branch);
    found.ok_or_else(|| Rejection::wrong("a weight is not exact"))
}

/// Solves equations by eliminating states, those with few neighbours first.
pub(super) fn solved(
    mut equations: BTreeMap<usize, Equation>,
    budget: &Budget,
) -> Result<BTreeMap<usize, Vec<Rational>>, Rejection> {
    let mut before: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (&state, (row, _)) in &equations {
        for &target in row.keys() {
            before.entry(target).or_default().push(state);
        }
    }
    let cost = |row: &Row, before: Option<&Vec<usize>>| row.len() * before.map_or(0, Vec::len);
    let mut queue: BTreeSet<(usize, usize)> = equations
        .iter()
        .map(|(&state, (row, _))| (cost(row, before.get(&state)), state))
        .collect();
    let mut done: Vec<(usize, Equation)> = Vec::new();
    while let Some((paid, state)) = queue.pop_first() {
        let Some((row, _)) = equations.get(&state) else {
            continue;
        };
        let now = cost(row, before.get(&state));
        if now > paid {
            queue.insert((now, state));
            continue;
        }
        let Some(equation) = equations.remove(&state) else {
            continue;
        };
        let (row, constants) = alone(state, equation)?;
        for from in before.remove(&state).unwrap_or_default() {
            budget.charge(row.len() as u64 + 1)?;
            let Some((other, sums)) = equations.get_mut(&from) else {
                continue;
            };
            let Some(share) = other.remove(&state) else {
                continue;
            };
            for (&to, weight) in &row {
                let fresh = !other.contains_key(&to);
                *other.entry(to).or_insert_with(|| whole(0)) += &share * weight;
                if fresh {
                    before.entry(to).or_default().push(from);
                }
            }
            for (sum, constant) in sums.iter_mut().zip(&constants) {
                *sum += &share * constant;
            }
        }
        done.push((state, (row, constants)));
    }
    let mut values: BTreeMap<usize, Vec<Rational>> = BTreeMap::new();
    for (state, (row, mut sums)) in done.into_iter().rev() {
        for (to, weight) in row {
            let of = values.get(&to).into_iter().flatten();
            for (sum, value) in sums.iter_mut().zip(of) {
                *sum += &weight * value;
            }
        }
        values.insert(state, sums);
    }
    Ok(values)
}

/// The same equation without the state itself on the other side.
fn alone(state: usize, (mut row, mut constants): Equation) -> Result<Equation, Rejection> {
    let rest = whole(1) - row.remove(&state).unwrap_or_else(|| whole(0));
    if rest == whole(0) {
        return Err(Rejection::wrong("these choices have no single value"));
    }
    row.values_mut().for_each(|weight| *weight /= &rest);
    constants.iter_mut().for_each(|constant| *constant /= &rest);
    match constants.iter().any(|one| one.bits_under() > MOST_BITS) {
        true => Err(Stop::bound("bits of a fraction", MOST_BITS).into()),
        false => Ok((row, constants)),
    }
}
