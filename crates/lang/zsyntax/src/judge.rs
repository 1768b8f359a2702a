//! Formulas about runs, judged again in a simple way: beside what is still owed, the aggregates
//! from which a run can go on for ever are what is left when all others are taken away (Emerson and
//! Lei 1986).

use std::collections::BTreeMap;

use quotient_core::{Budget, Rejection};
use quotient_logic::{Automaton, Formula};

use crate::pathway::{Aggregate, Pathway};
use crate::runs::Atom;

/// Formulas with more phases are not judged.
const MOST_PHASES: usize = 400;

/// An automaton of the runs that break a formula; none if it is too large.
pub(crate) fn opposite(formula: &Formula<Atom>) -> Option<Automaton<Atom>> {
    (!formula.clone()).automaton(MOST_PHASES)
}

/// A step from one place to another, with the promises that it keeps.
type Edge<'a> = (usize, usize, &'a [bool]);

/// Whether some run through aggregates, which contain the start and all that follows, breaks a
/// formula. A run that ends stays where it is.
pub(crate) fn is_broken(
    pathway: &Pathway,
    start: &Aggregate,
    all: &[Aggregate],
    formula: &Formula<Atom>,
    budget: &Budget,
) -> Result<bool, Rejection> {
    let automaton = opposite(formula)
        .ok_or_else(|| Rejection::unreadable("the formula is too large to be judged again"))?;
    let phases = automaton.states;
    let numbers: BTreeMap<&Aggregate, usize> =
        all.iter().enumerate().map(|(at, one)| (one, at)).collect();
    let outside = || Rejection::wrong("something that follows is not among the aggregates");
    let mut edges: Vec<Edge<'_>> = Vec::new();
    for (number, aggregate) in all.iter().enumerate() {
        let mut next = Vec::new();
        for rule in &pathway.rules {
            budget.charge(1)?;
            if rule.is_enabled(aggregate) {
                let after = rule.fire(aggregate).ok_or_else(outside)?;
                next.push(*numbers.get(&after).ok_or_else(outside)?);
            }
        }
        if next.is_empty() {
            next.push(number);
        }
        let atoms = automaton.atoms.iter();
        let truth: Vec<bool> = atoms.map(|one| one.holds(pathway, aggregate)).collect();
        for transition in &automaton.transitions {
            let mut literals = transition.literals.iter();
            if !literals.all(|&(atom, wanted)| truth[atom] == wanted) {
                continue;
            }
            for &after in &next {
                budget.charge(1)?;
                let from = number * phases + transition.from;
                edges.push((from, after * phases + transition.to, &transition.kept));
            }
        }
    }
    let begin = numbers.get(start).ok_or_else(outside)? * phases;
    let places = all.len() * phases;
    let mut alive = reached(begin, places, &edges, budget)?;
    loop {
        let before = alive.iter().filter(|one| **one).count();
        if before == 0 {
            return Ok(false);
        }
        // Without a promise it is enough to go on.
        for promise in 0..automaton.promises.max(1) {
            let keeps = |kept: &[bool]| kept.get(promise).copied().unwrap_or(true);
            alive = leading_to(&alive, &edges, &keeps, budget)?;
        }
        if alive.iter().filter(|one| **one).count() == before {
            return Ok(true);
        }
    }
}

/// The places that can be reached.
fn reached(
    begin: usize,
    places: usize,
    edges: &[Edge<'_>],
    budget: &Budget,
) -> Result<Vec<bool>, Rejection> {
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); places];
    for &(from, to, _) in edges {
        after[from].push(to);
    }
    let mut found = vec![false; places];
    found[begin] = true;
    let mut waiting = vec![begin];
    while let Some(place) = waiting.pop() {
        for &to in &after[place] {
            budget.charge(1)?;
            if !std::mem::replace(&mut found[to], true) {
                waiting.push(to);
            }
        }
    }
    Ok(found)
}

/// Of the places that are alive those from which a step that keeps something can be taken, at once
/// or after others, all among the living.
fn leading_to(
    alive: &[bool],
    edges: &[Edge<'_>],
    keeps: &dyn Fn(&[bool]) -> bool,
    budget: &Budget,
) -> Result<Vec<bool>, Rejection> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); alive.len()];
    let mut found = vec![false; alive.len()];
    let mut waiting = Vec::new();
    for &(from, to, kept) in edges {
        budget.charge(1)?;
        if !alive[from] || !alive[to] {
            continue;
        }
        before[to].push(from);
        if keeps(kept) && !std::mem::replace(&mut found[from], true) {
            waiting.push(from);
        }
    }
    while let Some(place) = waiting.pop() {
        for &from in &before[place] {
            budget.charge(1)?;
            if !std::mem::replace(&mut found[from], true) {
                waiting.push(from);
            }
        }
    }
    Ok(found)
}
