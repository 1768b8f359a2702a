//! Initial states by enumeration over ranges.
//!
//! A condition is cut into the parts that must all hold. A part about one variable cuts down the
//! range of that variable; the others are looked at as soon as all their variables have a value.
//! No solver is asked, so thousands of starts cost no more than the states themselves.

use quotient_core::{Budget, Stop};

use crate::code::Code;
use crate::{Expression, Variable};

/// All states in which the condition holds, in order.
pub(crate) fn where_holds(
    variables: &[Variable],
    condition: &Expression,
    budget: &Budget,
    mut found: impl FnMut(&[i64]) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let mut values: Vec<f64> = variables.iter().map(|one| one.low as f64).collect();
    let mut single: Vec<Vec<Code>> = vec![Vec::new(); variables.len()];
    let mut joint: Vec<Vec<Code>> = vec![Vec::new(); variables.len()];
    let mut stack = Vec::new();
    for part in condition.conjuncts() {
        let mut used = Vec::new();
        part.variables(&mut used);
        used.sort_unstable();
        used.dedup();
        let code = Code::new(part);
        match used[..] {
            [] if code.run::<f64>(&values, &mut stack) == 0.0 => return Ok(()),
            [] => {}
            [variable] => single[variable].push(code),
            [.., last] => joint[last].push(code),
        }
    }
    let mut ranges = Vec::new();
    for (number, variable) in variables.iter().enumerate() {
        let mut range = Vec::new();
        for value in variable.low..=variable.high {
            budget.charge(1)?;
            values[number] = value as f64;
            let mut all = single[number].iter();
            if all.all(|code| code.run::<f64>(&values, &mut stack) != 0.0) {
                range.push(value);
            }
        }
        if range.is_empty() {
            return Ok(());
        }
        ranges.push(range);
    }
    if variables.is_empty() {
        return found(&[]);
    }
    // An odometer over the ranges: `at[depth]` is the next value to try for that variable.
    let mut at = vec![0; variables.len()];
    let mut chosen = vec![0; variables.len()];
    let mut depth = 0;
    loop {
        let Some(&value) = ranges[depth].get(at[depth]) else {
            at[depth] = 0;
            match depth.checked_sub(1) {
                Some(up) => depth = up,
                None => return Ok(()),
            }
            continue;
        };
        at[depth] += 1;
        budget.charge(1)?;
        values[depth] = value as f64;
        chosen[depth] = value;
        let mut all = joint[depth].iter();
        if !all.all(|code| code.run::<f64>(&values, &mut stack) != 0.0) {
            continue;
        }
        match depth + 1 == variables.len() {
            true => found(&chosen)?,
            false => depth += 1,
        }
    }
}
