//! Automata of many shapes: few and many letters, sparse and dense, deterministic or not, each
//! beside another of its kind and beside itself with one thing changed.

use quotient_automata::testing::{self, Random};
use quotient_automata::{Letter, Nfa, Predicate, State};

use crate::families::Case;
use crate::pairs::mutated;

/// States, letters, and for how many of a hundred letters each state has a move.
const DETERMINISTIC: &[(u32, u32, u32)] = &[
    (1, 1, 100),
    (2, 2, 100),
    (10, 3, 100),
    (40, 30, 100),
    (40, 30, 30),
    (100, 2, 100),
    (100, 200, 100),
    (100, 200, 10),
    (100, 200, 2),
    (20, 500, 100),
    (10, 2000, 50),
    (2, 30_000, 50),
    (300, 10, 50),
    (1000, 2, 100),
    (2000, 4, 80),
];

/// States, letters, and edges of each state.
const NONDETERMINISTIC: &[(u32, u32, u32)] = &[
    (2, 2, 2),
    (10, 2, 3),
    (50, 1, 10),
    (50, 2, 16),
    (50, 4, 16),
    (50, 20, 16),
    (50, 2, 40),
    (100, 10, 3),
    (100, 100, 3),
    (200, 50, 6),
    (30, 1000, 60),
    (10, 10_000, 100),
    (500, 10, 3),
    (1000, 100, 2),
    (2000, 3, 1),
];

/// Up to how many states what is not deterministic is determinised.
const FEW_STATES: u32 = 20;

pub(crate) fn cases(cases: &mut Vec<Case>) {
    for &(states, letters, chance) in DETERMINISTIC {
        let name = format!("deterministic, {states} states, {letters} letters, {chance} %");
        let mut random = Random::new(u64::from(states) << 32 | u64::from(letters * 100 + chance));
        let mut next = || deterministic(&mut random, states, letters, chance);
        shape(&name, true, &next(), &next(), cases);
    }
    for &(states, letters, edges) in NONDETERMINISTIC {
        let name = format!("any, {states} states, {letters} letters, {edges} edges");
        let mut random = Random::new(u64::from(states) << 32 | u64::from(letters * 100 + edges));
        let mut next = || any(&mut random, states, letters, edges);
        shape(&name, states <= FEW_STATES, &next(), &next(), cases);
    }
    for (states, letters) in [(65, 1), (65, 3), (400, 2), (2000, 1)] {
        let name = format!("cycle, {states} states, {letters} letters");
        shape(
            &name,
            true,
            &cycle(states, letters),
            &cycle(states + 1, letters),
            cases,
        );
    }
}

fn shape(name: &str, is_determinized: bool, one: &Nfa, other: &Nfa, cases: &mut Vec<Case>) {
    for operation in ["emptiness", "universality", "reverse", "reduce"] {
        cases.push(Case::new(operation, name, &[one]));
    }
    for operation in ["determinize", "minimize", "complement"] {
        if is_determinized {
            cases.push(Case::new(operation, name, &[one]));
        }
    }
    for (what, other) in [("another", other), ("a mutation", &mutated(one, 1))] {
        let name = format!("{name}, and {what}");
        for operation in ["inclusion", "equivalence", "intersection"] {
            cases.push(Case::new(operation, &name, &[one, other]));
        }
    }
}

fn deterministic(random: &mut Random, states: u32, letters: u32, chance: u32) -> Nfa {
    let alphabet = testing::alphabet(letters as usize);
    let mut builder = Nfa::builder(&alphabet)
        .states(states)
        .initial(0)
        .accepting(0);
    for state in 0..states {
        for letter in 0..letters {
            if random.percent(chance) {
                let letter = Predicate::of(&alphabet, [Letter(letter)]);
                builder.add_edge(State(state), &letter, State(random.below(states)));
            }
        }
        if random.percent(50) {
            builder.add_accepting(State(state));
        }
    }
    builder.build()
}

fn any(random: &mut Random, states: u32, letters: u32, edges: u32) -> Nfa {
    let alphabet = testing::alphabet(letters as usize);
    let mut builder = Nfa::builder(&alphabet)
        .states(states)
        .initial(0)
        .accepting(0);
    for state in 0..states {
        for _ in 0..edges {
            let letter = Predicate::of(&alphabet, [Letter(random.below(letters))]);
            builder.add_edge(State(state), &letter, State(random.below(states)));
        }
        if random.percent(50) {
            builder.add_accepting(State(state));
        }
    }
    builder.build()
}

fn cycle(states: u32, letters: u32) -> Nfa {
    let alphabet = testing::alphabet(letters as usize);
    let all = Predicate::all(&alphabet);
    let mut builder = Nfa::builder(&alphabet).initial(0);
    for state in 0..states {
        builder.add_accepting(State(state));
        builder.add_edge(State(state), &all, State((state + 1) % states));
    }
    builder.build()
}
