//! Does the machine compute this function?

use quotient_core::{Context, Stop};

use super::{Found, line, numbers};
use crate::decide::{Limits, decide, never_on_words, right_on_words};
use crate::expression::common;
use crate::family::{Count, Ends, all_of_class};
use crate::linear::{Argument, Class, Linear, classes};
use crate::machine::Machine;
use crate::paired::paired;
use crate::pattern::Pattern;
use crate::proof::{Case, Invariant, Proof};
use crate::question::{Function, Start};
use crate::verify::right_where_it_stops;

/// Copies that a block has at least, so that its ends can be looked at one by one.
const COPIES: u64 = 4;

/// Inputs up to a bound, one by one.
pub(super) fn computes(
    machine: &Machine,
    function: &Function,
    limits: Limits,
    cx: &Context,
) -> Result<Found, Stop> {
    let mut cases = Vec::new();
    let mut open = None;
    for arguments in function.cases() {
        match one(machine, function, &arguments, limits, cx)? {
            One::Right(case) => cases.push(case),
            One::Wrong(found) => return Ok(*found),
            One::Open => open = open.or(Some(arguments)),
        }
    }
    if let Some(arguments) = open {
        return Err(not_known(&arguments));
    }
    let stopped = |case: &&Case| matches!(case.proof, Proof::Halts { .. });
    let halting = cases.iter().filter(stopped).count();
    Ok(Found {
        holds: true,
        because: format!(
            "{halting} inputs with the right result, {} on which it never stops",
            cases.len() - halting
        ),
        run: None,
        end: None,
        cell: None,
        cases,
    })
}

fn not_known(arguments: &[u64]) -> Stop {
    Stop::inconclusive(format!(
        "it is not known whether it stops on {}",
        numbers(arguments)
    ))
}

/// What comes of one input.
enum One {
    Right(Case),
    Wrong(Box<Found>),
    Open,
}

fn one(
    machine: &Machine,
    function: &Function,
    arguments: &[u64],
    limits: Limits,
    cx: &Context,
) -> Result<One, Stop> {
    let start = Start::numbers(arguments, machine.one, machine.blank);
    let start = start.ok_or_else(|| Stop::inconclusive("an input is too large"))?;
    let Some((proof, (end, _))) = decide(machine, &start, limits, &cx.budget)? else {
        return Ok(One::Open);
    };
    let halts = matches!(proof, Proof::Halts { .. });
    let value = function.value(arguments)?;
    let right = match (value, &proof) {
        (Some(value), Proof::Halts { steps }) => {
            end.count(machine.one) == Some(value) && function.takes(arguments, *steps)?
        }
        (value, _) => value.is_none() && !halts,
    };
    let case = Case {
        arguments: arguments.to_vec(),
        word: None,
        proof,
    };
    if right {
        return Ok(One::Right(case));
    }
    let wanted = match (value, &function.steps) {
        (Some(value), None) => format!("{value} ones"),
        (Some(value), Some(steps)) => match steps.value(arguments) {
            Ok(steps) => format!("{value} ones after {steps} steps"),
            Err(_) => format!("{value} ones after another number of steps"),
        },
        (None, _) => "no end".to_owned(),
    };
    let line = line(machine, &case.proof, &end);
    Ok(One::Wrong(Box::new(Found {
        holds: false,
        because: format!("on {} {line}; {wanted} was wanted", numbers(arguments)),
        run: Some(start),
        end: halts.then_some(end),
        cell: None,
        cases: vec![case],
    })))
}

/// Small inputs one by one, and all others by classes: block by block, or by a regular invariant.
pub(super) fn for_all(
    machine: &Machine,
    function: &Function,
    limits: Limits,
    cx: &Context,
) -> Result<Found, Stop> {
    let condition = function.condition.as_ref();
    let divisors = function.value.period();
    let divisors = common(divisors, condition.map_or(1, |one| one.period()));
    let mut reason = Stop::inconclusive("the function has too many classes of inputs");
    // Fewer copies are enough for most, and with several arguments there are many classes.
    'periods: for (times, copies) in [(1, 2), (1, COPIES), (2, COPIES), (3, COPIES), (4, COPIES)] {
        let period = divisors.saturating_mul(times);
        let first = period.saturating_mul(copies);
        let Some(classes) = classes(function.arguments, first, period) else {
            break;
        };
        let mut cases = vec![None; classes.len()];
        // Small inputs first: if the machine is wrong, then most likely on one of them.
        for (class, case) in classes.iter().zip(&mut cases) {
            let Some(arguments) = class
                .iter()
                .map(|one| one.constant())
                .collect::<Option<Vec<_>>>()
            else {
                continue;
            };
            match one(machine, function, &arguments, limits, cx)? {
                One::Right(right) => *case = Some(right),
                One::Wrong(found) => return Ok(*found),
                One::Open => return Err(not_known(&arguments)),
            }
        }
        let small = cases.iter().flatten().count();
        for (number, (class, case)) in classes.iter().zip(&mut cases).enumerate() {
            if case.is_some() {
                continue;
            }
            let proof = whole_class(
                machine,
                function,
                class,
                number,
                (first, period),
                limits,
                cx,
            )?;
            let Some(proof) = proof else {
                reason = not_all(class, first, period);
                continue 'periods;
            };
            *case = Some(Case {
                arguments: Vec::new(),
                word: None,
                proof,
            });
        }
        return Ok(Found {
            holds: true,
            because: format!(
                "{small} small inputs one by one, all others in {} classes at once",
                cases.len() - small
            ),
            run: None,
            end: None,
            cell: None,
            cases: cases.into_iter().flatten().collect(),
        });
    }
    Err(reason)
}

fn not_all(class: &Class, first: u64, period: u64) -> Stop {
    let argument = |one: &Argument| {
        let mut text = (first * one.numbers.len() as u64 + one.more).to_string();
        for number in &one.numbers {
            text.push_str(&format!(" + {period} j{}", number + 1));
        }
        text
    };
    let arguments: Vec<String> = class.iter().map(argument).collect();
    Stop::inconclusive(format!(
        "the inputs {} could not be run block by block",
        arguments.join(", ")
    ))
}

/// A reason why the function is computed on all inputs of a class, if one is found.
fn whole_class(
    machine: &Machine,
    function: &Function,
    class: &Class,
    number: usize,
    (first, period): (u64, u64),
    limits: Limits,
    cx: &Context,
) -> Result<Option<Proof>, Stop> {
    let arguments: Option<Vec<Linear>> = (class.iter())
        .map(|argument| argument.linear(first, period))
        .collect();
    let wanted = arguments.and_then(|arguments| function.on_class(&arguments));
    let Some(wanted) = wanted else {
        return Ok(None);
    };
    for within in [false, true] {
        let ends = all_of_class(machine, class, (first, period), within, &cx.budget)?;
        let right = match (&wanted, ends) {
            (None, Some(Ends::Never)) => true,
            (Some(value), Some(Ends::With(ones))) => Count::from_linear(value) == Some(ones),
            _ => false,
        };
        if right {
            let class = number as u64;
            return Ok(Some(Proof::AllOfClass {
                first,
                period,
                class,
                within,
            }));
        }
    }
    let pattern = Pattern::of_class(class, (first, period), machine.one, machine.blank);
    match (wanted, pattern) {
        (None, Some(pattern)) => {
            let found = never_on_words(machine, &pattern, limits, &cx.budget)?;
            Ok(found.map(|invariant| Proof::ClassInvariant {
                first,
                period,
                class: number as u64,
                invariant,
            }))
        }
        _ => Ok(None),
    }
}

/// Numbers that are tried one by one before all are at once.
const TRIED: u64 = 12;

/// Small numbers one by one, and all others in regular sets over paired letters.
pub(super) fn if_it_stops(
    machine: &Machine,
    function: &Function,
    limits: Limits,
    cx: &Context,
) -> Result<Found, Stop> {
    let condition = function.condition.as_ref();
    let divisors = function.value.period();
    let divisors = common(divisors, condition.map_or(1, |one| one.period()));
    for number in 0..TRIED {
        if let Part::Wrong(found) = small(machine, function, number, limits, cx)? {
            return Ok(*found);
        }
    }
    let why = "no regular set of configurations over paired letters was found";
    'periods: for (times, copies) in [(1, 0), (1, COPIES), (2, 0), (2, COPIES)] {
        let period = divisors.saturating_mul(times);
        let first = period.saturating_mul(copies);
        let Some(classes) = classes(1, first, period) else {
            break;
        };
        let mut cases = Vec::new();
        for (class, number) in classes.iter().flatten().zip(0u64..) {
            if let Some(constant) = class.constant() {
                match small(machine, function, constant, limits, cx)? {
                    Part::Right(case) => cases.push(case),
                    Part::Wrong(found) => return Ok(*found),
                    Part::Open => continue 'periods,
                }
                continue;
            }
            let sum = class.linear(first, period);
            let wanted = sum.and_then(|sum| function.on_class(&[sum]));
            let Some(wanted) = wanted else {
                continue 'periods;
            };
            let accept = |invariant: &Invariant| {
                let parts = (first, period);
                right_where_it_stops(machine, class, parts, wanted, invariant, &cx.budget).is_ok()
            };
            let found = paired_on_class(machine, class, (first, period), limits, &accept, cx)?;
            let Some(invariant) = found else {
                continue 'periods;
            };
            cases.push(Case {
                arguments: Vec::new(),
                word: None,
                proof: Proof::PairedInvariant {
                    first,
                    period,
                    class: number,
                    invariant,
                },
            });
        }
        return Ok(Found {
            holds: true,
            because: format!(
                "{first} small numbers one by one, all others in {period} regular sets over \
                 paired letters"
            ),
            run: None,
            end: None,
            cell: None,
            cases,
        });
    }
    Err(Stop::inconclusive(why))
}

/// A regular set over paired letters that is accepted, if one is found.
fn paired_on_class(
    machine: &Machine,
    class: &Argument,
    parts: (u64, u64),
    limits: Limits,
    accept: &dyn Fn(&Invariant) -> bool,
    cx: &Context,
) -> Result<Option<Invariant>, Stop> {
    let Some((double, one)) = paired(machine) else {
        return Ok(None);
    };
    let class = std::slice::from_ref(class);
    let Some(pattern) = Pattern::of_class(class, parts, one, machine.blank) else {
        return Ok(None);
    };
    right_on_words(&double, &pattern, limits, accept, &cx.budget)
}

/// What comes of one number where the machine need not stop.
enum Part {
    Right(Case),
    Wrong(Box<Found>),
    Open,
}

fn small(
    machine: &Machine,
    function: &Function,
    number: u64,
    limits: Limits,
    cx: &Context,
) -> Result<Part, Stop> {
    Ok(match one(machine, function, &[number], limits, cx)? {
        One::Right(case) => Part::Right(case),
        One::Open => Part::Open,
        One::Wrong(mut found) => match found.cases.pop() {
            Some(case) if !matches!(case.proof, Proof::Halts { .. }) => Part::Right(case),
            case => {
                found.cases.extend(case);
                Part::Wrong(found)
            }
        },
    })
}
