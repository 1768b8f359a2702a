//! Does the machine compute this function?

use quotient_core::{Budget, Rejection};

use super::{decided, outcome};
use crate::family::{Count, Ends, all_of_class};
use crate::machine::Machine;
use crate::proof::{Case, Proof};
use crate::question::{Function, Start};

/// Checks that every input up to the bound is there once and right, or, against the question,
/// that one is there and wrong.
pub(super) fn up_to_a_bound(
    machine: &Machine,
    function: &Function,
    given: &[Case],
    holds: bool,
    budget: &Budget,
) -> Result<(), Rejection> {
    let cases = function.cases();
    let arguments = given.iter().map(|case| &case.arguments);
    if holds && !cases.iter().eq(arguments) {
        return Err(Rejection::wrong(
            "not every input is looked at once, in order",
        ));
    }
    let one_of_them = given.len() == 1 && cases.contains(&given[0].arguments);
    if !(holds || one_of_them) {
        return Err(Rejection::wrong(
            "one input of those asked about was expected",
        ));
    }
    (given.iter()).try_for_each(|case| one_input(machine, function, case, holds, budget))
}

fn one_input(
    machine: &Machine,
    function: &Function,
    case: &Case,
    holds: bool,
    budget: &Budget,
) -> Result<(), Rejection> {
    let start = Start::numbers(&case.arguments, machine.one, machine.blank);
    let (None, Some(start)) = (&case.word, start) else {
        return Err(Rejection::wrong("this is no input of a function"));
    };
    let end = outcome(machine, &start, &case.proof, budget)?;
    let right = match (function.value(&case.arguments)?, &end) {
        (Some(value), Some(end)) => end.ones == Some(value),
        (None, None) => true,
        _ => false,
    };
    decided(right, holds, &case.proof)
}

/// Checks that all small numbers are there once and right, and that all others are, in classes
/// that cover them; or, against the question, that one number is there and wrong.
pub(super) fn for_all(
    machine: &Machine,
    function: &Function,
    given: &[Case],
    holds: bool,
    budget: &Budget,
) -> Result<String, Rejection> {
    if !holds {
        let [case] = given else {
            return Err(Rejection::wrong("one input was expected"));
        };
        if case.arguments.len() != 1 {
            return Err(Rejection::wrong("the function has one argument"));
        }
        one_input(machine, function, case, false, budget)?;
        return Ok(format!("on {} it is not so", case.arguments[0]));
    }
    let is_class = |case: &&Case| matches!(case.proof, Proof::AllOfClass { .. });
    let classes: Vec<&Case> = given.iter().filter(is_class).collect();
    let Some(&Case {
        proof: Proof::AllOfClass { first, period, .. },
        ..
    }) = classes.first().copied()
    else {
        return Err(Rejection::wrong("nothing is said about all numbers"));
    };
    if classes.len() as u64 != period || given.len() as u64 != first.saturating_add(period) {
        return Err(Rejection::wrong("some numbers are not looked at"));
    }
    for (number, case) in given.iter().enumerate() {
        let number = number as u64;
        if number < first {
            if case.arguments != [number] {
                return Err(Rejection::wrong("not every small number is looked at once"));
            }
            one_input(machine, function, case, true, budget)?;
            continue;
        }
        let class = number - first;
        let expected = Proof::AllOfClass {
            first,
            period,
            class,
        };
        if case.proof != expected || !case.arguments.is_empty() || case.word.is_some() {
            return Err(Rejection::wrong("not every class is looked at once"));
        }
        let ends = all_of_class(machine, first, period, class, budget)?;
        let argument = i64::try_from(period).ok().zip(i64::try_from(number).ok());
        let wanted = argument.and_then(|argument| function.on_class(argument));
        let right = match (wanted, ends) {
            (Some(None), Some(Ends::Never)) => true,
            (Some(Some((growth, count))), Some(Ends::With(ones))) => {
                ones == Count::growing(0, growth, count)
            }
            _ => false,
        };
        decided(right, true, &case.proof)?;
    }
    Ok(format!(
        "numbers below {first} were run one by one, all others in {period} classes, block by block"
    ))
}
