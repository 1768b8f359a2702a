//! Is the result right wherever a run over paired letters stops?

use std::collections::{HashMap, HashSet};

use quotient_core::{Budget, Rejection};

use super::closed::closed_but;
use crate::begin::Beginning;
use crate::linear::{Argument, Linear};
use crate::machine::Machine;
use crate::paired::paired;
use crate::pattern::Pattern;
use crate::proof::{HalfAutomaton, Invariant};

/// Checks that a set of configurations over paired letters contains the inputs of a class of
/// numbers, that no step leaves it, and that where one of them stops the number of ones is the
/// value that is wanted (or that none stops where there is no value).
///
/// A number `n = period · j + offset` is `n + 1` ones, and its value `slope · j + first`. Every
/// one of the input counts `-slope`, every one of the result `period`. Where the machine stops,
/// all ways to read a half that end in the same state must have the same sum, and the sum of both
/// halves and the scanned letter must be that of the wanted value: as the ones of the input say
/// what `j` is, the result is the value for it.
pub(crate) fn right_where_it_stops(
    machine: &Machine,
    argument: &Argument,
    (first, period): (u64, u64),
    wanted: Option<Linear>,
    invariant: &Invariant,
    budget: &Budget,
) -> Result<(), Rejection> {
    let large = || Rejection::wrong("a class is too large");
    let (double, one) = paired(machine).ok_or_else(large)?;
    let class = std::slice::from_ref(argument);
    let pattern = Pattern::of_class(class, (first, period), one, machine.blank);
    let beginning = Beginning::words(&pattern.ok_or_else(large)?, machine.blank);
    let mut ends = Vec::new();
    let mut stops = |left: u32, state: &str, letter: char, right: u32| match wanted {
        Some(_) => {
            ends.push((left, letter, right));
            Ok(())
        }
        None => Err(Rejection::wrong(format!(
            "state {state} on `{letter}` is in the set and stops"
        ))),
    };
    closed_but(&double, &beginning, invariant, &mut stops, budget)?;
    let Some(wanted) = wanted else {
        return Ok(());
    };
    let sum = argument.linear(first, period).ok_or_else(large)?;
    let slope = match argument.numbers[..] {
        [number] => i128::from(wanted.growth[number]),
        _ => return Err(Rejection::wrong("a class of numbers was expected")),
    };
    let symbols = machine.symbols.len();
    let weight = |letter: char| {
        let place = double.symbols.iter().position(|&one| one == letter);
        let place = place.unwrap_or(0);
        let result = i128::from(place % symbols == usize::from(machine.one));
        result * i128::from(period) - i128::from(place >= symbols) * slope
    };
    let goal = i128::from(wanted.count) * i128::from(period) - slope * i128::from(sum.count + 1);
    let (one, two) = ends.iter().map(|end| (end.0, end.2)).unzip();
    let left = sums(&invariant.left, one, &weight, budget)?;
    let right = sums(&invariant.right, two, &weight, budget)?;
    for (one, letter, two) in ends {
        // What cannot be read from the blanks far away on is no tape.
        let (Some(one), Some(two)) = (left.get(&one), right.get(&two)) else {
            continue;
        };
        if one + weight(letter) + two != goal {
            return Err(Rejection::wrong(format!(
                "where it stops on `{letter}` the result is not the wanted one"
            )));
        }
    }
    Ok(())
}

/// The sum of the weights of what is read from far away to each of some states and to those on
/// the way there, which has to be the same for all ways.
fn sums(
    automaton: &HalfAutomaton,
    ends: Vec<u32>,
    weight: &dyn Fn(char) -> i128,
    budget: &Budget,
) -> Result<HashMap<u32, i128>, Rejection> {
    let mut before: HashMap<u32, Vec<u32>> = HashMap::new();
    let mut after: HashMap<u32, Vec<(char, u32)>> = HashMap::new();
    for &(from, letter, to) in &automaton.edges {
        before.entry(to).or_default().push(from);
        after.entry(from).or_default().push((letter, to));
    }
    let mut on_the_way: HashSet<u32> = ends.iter().copied().collect();
    let mut todo = ends;
    while let Some(state) = todo.pop() {
        budget.charge(1)?;
        let new = before.get(&state).into_iter().flatten();
        todo.extend(new.filter(|&&from| on_the_way.insert(from)));
    }
    let mut found = HashMap::new();
    let mut todo: Vec<u32> = automaton.begin.first().copied().into_iter().collect();
    found.extend(todo.iter().map(|&begin| (begin, 0)));
    while let Some(state) = todo.pop() {
        let here = found[&state];
        for &(letter, to) in after.get(&state).map_or(&[][..], Vec::as_slice) {
            budget.charge(1)?;
            if !on_the_way.contains(&to) {
                continue;
            }
            let sum = here + weight(letter);
            match found.insert(to, sum) {
                None => todo.push(to),
                Some(known) if known == sum => {}
                Some(_) => {
                    return Err(Rejection::wrong(
                        "two ways to the same state of a half have different sums",
                    ));
                }
            }
        }
    }
    Ok(found)
}
