//! Does the machine compute this function?

use quotient_core::{Budget, Rejection};

use super::closed::closed;
use super::paired::right_where_it_stops;
use super::{decided, outcome};
use crate::begin::Beginning;
use crate::family::{Count, Ends, all_of_class};
use crate::linear::classes;
use crate::machine::Machine;
use crate::pattern::Pattern;
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
        (Some(value), Some(end)) => {
            end.ones == Some(value) && function.takes(&case.arguments, end.steps)?
        }
        (None, None) => true,
        _ => false,
    };
    decided(right, holds, &case.proof)
}

/// Checks that all inputs are there once and right, small ones one by one and others in classes;
/// or, against the question, that one input is there and wrong.
///
/// The classes are those of [`classes`], which cover all inputs, in their order.
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
        if case.arguments.len() != function.arguments {
            return Err(Rejection::wrong("the function has other arguments"));
        }
        one_input(machine, function, case, false, budget)?;
        return Ok("there is an input on which it is not so".to_owned());
    }
    let parts = given.iter().find_map(|case| match case.proof {
        Proof::AllOfClass { first, period, .. } => Some((first, period)),
        Proof::ClassInvariant { first, period, .. } => Some((first, period)),
        _ => None,
    });
    let Some((first, period)) = parts.filter(|&(_, period)| period > 0) else {
        return Err(Rejection::wrong("nothing is said about all numbers"));
    };
    let classes = classes(function.arguments, first, period);
    let Some(classes) = classes.filter(|classes| classes.len() == given.len()) else {
        return Err(Rejection::wrong("some inputs are not looked at"));
    };
    let mut at_once = 0;
    for (number, (class, case)) in classes.iter().zip(given).enumerate() {
        budget.charge(1)?;
        let constants: Option<Vec<u64>> = class.iter().map(|one| one.constant()).collect();
        if let Some(constants) = constants {
            if case.arguments != constants {
                return Err(Rejection::wrong("not every small input is looked at once"));
            }
            one_input(machine, function, case, true, budget)?;
            continue;
        }
        if !case.arguments.is_empty() || case.word.is_some() {
            return Err(Rejection::wrong("not every class is looked at once"));
        }
        let sums = class.iter().map(|one| one.linear(first, period));
        let wanted = sums.collect::<Option<Vec<_>>>();
        let wanted = wanted.and_then(|sums| function.on_class(&sums));
        let number = number as u64;
        let right = match (&case.proof, wanted) {
            (
                Proof::AllOfClass {
                    first: one,
                    period: two,
                    class: three,
                    within,
                },
                Some(wanted),
            ) if (*one, *two, *three) == (first, period, number) => {
                let ends = all_of_class(machine, class, (first, period), *within, budget)?;
                match (wanted, ends) {
                    (None, Some(Ends::Never)) => true,
                    (Some(value), Some(Ends::With(ones))) => {
                        Count::from_linear(&value) == Some(ones)
                    }
                    _ => false,
                }
            }
            (
                Proof::ClassInvariant {
                    first: one,
                    period: two,
                    class: three,
                    invariant,
                },
                Some(None),
            ) if (*one, *two, *three) == (first, period, number) => {
                let pattern = Pattern::of_class(class, (first, period), machine.one, machine.blank);
                let pattern = pattern.ok_or_else(|| Rejection::wrong("a class is too large"))?;
                let beginning = Beginning::words(&pattern, machine.blank);
                closed(machine, &beginning, invariant, budget)?;
                true
            }
            _ => return Err(Rejection::wrong("not every class is looked at once")),
        };
        decided(right, true, &case.proof)?;
        at_once += 1;
    }
    let small = given.len() - at_once;
    Ok(format!(
        "{small} small inputs were run one by one, all others in {at_once} classes at once"
    ))
}

/// Checks that all numbers are there once, small ones one by one and others in classes, and that
/// wherever a run stops the result is right; or, against the question, that one number is there
/// on which the run stops and is wrong.
pub(super) fn if_it_stops(
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
        stops_rightly(machine, function, case, false, budget)?;
        return Ok("there is an input on which it is not so".to_owned());
    }
    let parts = given.iter().find_map(|case| match case.proof {
        Proof::PairedInvariant { first, period, .. } => Some((first, period)),
        _ => None,
    });
    let Some((first, period)) = parts.filter(|&(_, period)| period > 0) else {
        return Err(Rejection::wrong("nothing is said about all numbers"));
    };
    let classes = classes(1, first, period);
    let Some(classes) = classes.filter(|classes| classes.len() == given.len()) else {
        return Err(Rejection::wrong("some numbers are not looked at"));
    };
    for (number, (class, case)) in classes.iter().zip(given).enumerate() {
        let [argument] = &class[..] else {
            return Err(Rejection::wrong("the function has one argument"));
        };
        if let Some(constant) = argument.constant() {
            if case.arguments != [constant] {
                return Err(Rejection::wrong("not every small number is looked at once"));
            }
            stops_rightly(machine, function, case, true, budget)?;
            continue;
        }
        let sum = argument.linear(first, period);
        let wanted = sum.and_then(|sum| function.on_class(&[sum]));
        let (Some(wanted), true) = (wanted, case.arguments.is_empty() && case.word.is_none())
        else {
            return Err(Rejection::wrong("a class has no value that is known"));
        };
        match &case.proof {
            Proof::PairedInvariant {
                first: one,
                period: two,
                class,
                invariant,
            } if (*one, *two, *class) == (first, period, number as u64) => {
                let parts = (first, period);
                right_where_it_stops(machine, argument, parts, wanted, invariant, budget)?;
            }
            _ => return Err(Rejection::wrong("not every class is looked at once")),
        }
    }
    let (small, all) = (first, given.len());
    Ok(format!(
        "{small} small numbers were run, all others are in {} regular sets over paired letters",
        all as u64 - small
    ))
}

fn stops_rightly(
    machine: &Machine,
    function: &Function,
    case: &Case,
    holds: bool,
    budget: &Budget,
) -> Result<(), Rejection> {
    let start = Start::numbers(&case.arguments, machine.one, machine.blank);
    let (None, Some(start), 1) = (&case.word, start, case.arguments.len()) else {
        return Err(Rejection::wrong("this is no input of the function"));
    };
    let end = outcome(machine, &start, &case.proof, budget)?;
    let right = match &end {
        Some(end) => {
            let value = function.value(&case.arguments)?;
            value.is_some() && end.ones == value
        }
        None => true,
    };
    decided(right, holds, &case.proof)
}
