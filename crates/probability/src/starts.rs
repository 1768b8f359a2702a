//! Initial states by enumeration over ranges.
//!
//! A condition is cut into the parts that must all hold. A part about one variable cuts down the
//! range of that variable; the others are looked at as soon as all their variables have a value.
//! No solver is asked, so thousands of starts cost no more than the states themselves.

use quotient_core::Budget;

use crate::code::Code;
use crate::number::Number;
use crate::{Expression, Misbuilt, Variable};

/// All states in which the condition holds, in order.
pub(crate) fn where_holds(
    variables: &[Variable],
    condition: &Expression,
    budget: &Budget,
    mut found: impl FnMut(&[i64]),
) -> Result<(), Misbuilt> {
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
            [] if !all_hold(std::slice::from_ref(&code), &values, &mut stack)? => return Ok(()),
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
            if all_hold(&single[number], &values, &mut stack)? {
                range.push(value);
            }
        }
        if range.is_empty() {
            return Ok(());
        }
        ranges.push(range);
    }
    if variables.is_empty() {
        found(&[]);
        return Ok(());
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
        if !all_hold(&joint[depth], &values, &mut stack)? {
            continue;
        }
        match depth + 1 == variables.len() {
            true => found(&chosen),
            false => depth += 1,
        }
    }
}

/// Whether all of them hold, looked at one after the other.
fn all_hold(codes: &[Code], values: &[f64], stack: &mut Vec<f64>) -> Result<bool, Misbuilt> {
    for code in codes {
        let value = code.run::<f64>(values, stack);
        if value.is_nan() {
            return Err(Misbuilt::Start);
        }
        if !value.holds() {
            return Ok(false);
        }
    }
    Ok(true)
}
