//! A model multiplied with the automaton of a path formula.

use std::collections::{BTreeMap, BTreeSet};

use quotient_bits::Bits;
use quotient_core::{Budget, Rejection};
use quotient_logic::Formula;
use quotient_markov::{ActionId, Builder, ChoiceId, Kind, Markov, StateId, WeightId};

use super::automaton::{Automaton, Place};
use crate::product::Product;

/// Multiplies a model, whose weights are probabilities, with a formula over sets of its states; up
/// to so many states. The greatest chance of reaching the goal is the greatest chance of runs that
/// fulfil the formula.
///
/// Each state has the choices of the model, then what a run may commit itself to. States are in order
/// of those of the model, and of the places of the automaton; every state of the model begins
/// somewhere. The goal is where rounds can be made to end again and again, surely.
pub(crate) fn product(
    model: &Markov,
    formula: &Formula<usize>,
    conditions: &[Bits],
    most: usize,
    budget: &Budget,
) -> Result<Product, Rejection> {
    let (automaton, letters) = letters(model, formula, conditions, budget)?;
    let found = reachable(model, &automaton, &letters, most, budget)?;
    let after =
        |state: u32, place: Place| found[&(state, automaton.step(place, letters[state as usize]))];
    let mut builder = match model.numbers.is_empty() {
        true => Builder::new(Kind::Mdp),
        false => Builder::keeping_exact(Kind::Mdp),
    };
    let exact = !model.numbers.is_empty();
    let numbers: Vec<WeightId> = model
        .exact
        .iter()
        .map(|weight| builder.weight(weight.clone()))
        .collect();
    let mut ended = Bits::with_capacity(found.len());
    let mut open = Bits::with_capacity(found.len());
    for (at, &(state, place)) in found.keys().enumerate() {
        budget.charge(1)?;
        let alone = |builder: &mut Builder, to: u32| {
            builder.choice(ActionId::NONE);
            builder.branch(to, 1.0);
            // The weight with number 0 is one.
            if exact {
                builder.exactly(WeightId::ONE);
            }
        };
        match place {
            Place::Lost => alone(&mut builder, at as u32),
            Place::Open(_) | Place::Committed { .. } => {
                for choice in model.choices_of(StateId::new(state)) {
                    builder.choice(ActionId::NONE);
                    for branch in model.branches_of(choice) {
                        let to = after(model.targets[branch].number(), place);
                        builder.branch(to, model.weights[branch]);
                        if exact {
                            builder.exactly(numbers[model.numbers[branch].index()]);
                        }
                    }
                }
                for to in automaton.commitments(place) {
                    alone(&mut builder, found[&(state, to)]);
                }
            }
        }
        builder.end_state();
        match place {
            Place::Committed { ended: true, .. } => ended.insert(at),
            Place::Open(_) => open.insert(at),
            _ => {}
        }
    }
    builder.note_error(model.error);
    let states = 0..model.states() as u32;
    let first: Vec<u32> = states
        .map(|state| after(state, Automaton::start()))
        .collect();
    let model = builder.finish(first.iter().copied());
    let goal = again_and_again(&model, &ended, &open, budget)?;
    Ok(Product { model, goal, first })
}

/// The automaton of a formula over sets of states, and the letter of each state.
pub(super) fn letters(
    model: &Markov,
    formula: &Formula<usize>,
    conditions: &[Bits],
    budget: &Budget,
) -> Result<(Automaton, Vec<u64>), Rejection> {
    let letter = |state: usize, used: &[usize]| {
        let holds = |condition: &usize| conditions[*condition].contains(state);
        let bits = used.iter().map(holds).enumerate();
        bits.fold(0, |letter, (bit, holds)| letter | u64::from(holds) << bit)
    };
    let all = |used: &[usize]| -> BTreeSet<u64> {
        let letters = (0..model.states()).map(|state| letter(state, used));
        letters.collect()
    };
    let automaton = Automaton::new(formula, all, budget)?;
    let letters = (0..model.states()).map(|state| letter(state, &automaton.conditions));
    let letters = letters.collect();
    Ok((automaton, letters))
}

type States = BTreeMap<(u32, Place), u32>;

/// The states of the product with their numbers.
fn reachable(
    model: &Markov,
    automaton: &Automaton,
    letters: &[u64],
    most: usize,
    budget: &Budget,
) -> Result<States, Rejection> {
    let mut found: BTreeSet<(u32, Place)> = BTreeSet::new();
    let mut waiting = Vec::new();
    for state in 0..model.states() as u32 {
        let place = automaton.step(Automaton::start(), letters[state as usize]);
        waiting.push((state, place));
    }
    while let Some((state, place)) = waiting.pop() {
        if !found.insert((state, place)) || place == Place::Lost {
            continue;
        }
        budget.charge(1)?;
        if found.len() > most {
            return Err(Rejection::unreadable(
                "the product with the formula is too large to be looked at again",
            ));
        }
        for to in model.successors(StateId::new(state)) {
            let next = automaton.step(place, letters[to.index()]);
            waiting.push((to.number(), next));
        }
        let commits = automaton.commitments(place).into_iter();
        waiting.extend(commits.map(|to| (state, to)));
    }
    Ok(found.into_iter().zip(0..).collect())
}

/// Where one can stay, by some choices, and come to a marked state again and again, surely: end
/// components with such a state. What is left out is no part of any.
fn again_and_again(
    model: &Markov,
    marked: &Bits,
    left_out: &Bits,
    budget: &Budget,
) -> Result<Bits, Rejection> {
    let (part, alive) = components(model, left_out, budget)?;
    let good: BTreeSet<u32> = alive
        .ones()
        .filter(|&state| marked.contains(state))
        .map(|state| part[state])
        .collect();
    let mut goal = Bits::with_capacity(model.states());
    for state in alive.ones() {
        goal.set(state, good.contains(&part[state]));
    }
    Ok(goal)
}

/// The greatest end components: a number for each state, and which states are in one. What is left
/// out is in none.
pub(crate) fn components(
    model: &Markov,
    left_out: &Bits,
    budget: &Budget,
) -> Result<(Vec<u32>, Bits), Rejection> {
    components_of(model, left_out, &|_| true, budget)
}

/// The same by some choices alone.
pub(crate) fn components_of(
    model: &Markov,
    left_out: &Bits,
    counts: &dyn Fn(usize) -> bool,
    budget: &Budget,
) -> Result<(Vec<u32>, Bits), Rejection> {
    let states = model.states();
    let mut part: Vec<u32> = (0..states)
        .map(|state| u32::from(left_out.contains(state)))
        .collect();
    // States are in one part as long as they may be in one component. A choice counts if it stays
    // in its part; parts fall apart until all that is left of each is strongly connected.
    let mut alive: Bits = (0..states).filter(|&state| part[state] == 0).collect();
    alive.grow(states);
    loop {
        budget.charge(states as u64)?;
        let stays = |choice: usize, state: usize, alive: &Bits, part: &[u32]| {
            let targets = &model.targets[model.branches_of(ChoiceId::from_index(choice))];
            targets
                .iter()
                .all(|&to| alive.contains(to.index()) && part[to.index()] == part[state])
        };
        let mut next: Vec<Vec<u32>> = vec![Vec::new(); states];
        let mut dead = Vec::new();
        for state in alive.ones() {
            for choice in model.choices_of(StateId::from_index(state)) {
                if counts(choice.index()) && stays(choice.index(), state, &alive, &part) {
                    let targets = &model.targets[model.branches_of(choice)];
                    next[state].extend(targets.iter().map(|to| to.number()));
                }
            }
            if next[state].is_empty() {
                dead.push(state);
            }
        }
        let parts = connected(&next, &alive);
        let same = dead.is_empty() && parts.1 == distinct(&part, &alive);
        for state in dead {
            alive.set(state, false);
        }
        part = parts.0;
        if same {
            return Ok((part, alive));
        }
    }
}

fn distinct(part: &[u32], alive: &Bits) -> usize {
    let parts: BTreeSet<u32> = alive.ones().map(|state| part[state]).collect();
    parts.len()
}

/// The strongly connected parts of a graph: a number for each state, and how many there are. By
/// Kosaraju: in the order in which states are done with forwards, backwards.
fn connected(next: &[Vec<u32>], alive: &Bits) -> (Vec<u32>, usize) {
    let states = next.len();
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); states];
    for state in alive.ones() {
        for &to in &next[state] {
            before[to as usize].push(state as u32);
        }
    }
    let mut seen = Bits::with_capacity(states);
    let mut done = Vec::new();
    for root in alive.ones() {
        if seen.put(root) {
            continue;
        }
        let mut stack = vec![(root, 0)];
        while let Some((state, at)) = stack.pop() {
            match next[state].get(at) {
                None => done.push(state),
                Some(&to) => {
                    stack.push((state, at + 1));
                    if !seen.put(to as usize) {
                        stack.push((to as usize, 0));
                    }
                }
            }
        }
    }
    let mut part = vec![u32::MAX; states];
    let mut parts = 0;
    for &root in done.iter().rev() {
        if part[root] != u32::MAX {
            continue;
        }
        let mut waiting = vec![root];
        part[root] = parts;
        while let Some(state) = waiting.pop() {
            for &from in &before[state] {
                if part[from as usize] == u32::MAX {
                    part[from as usize] = parts;
                    waiting.push(from as usize);
                }
            }
        }
        parts += 1;
    }
    (part, parts as usize)
}
