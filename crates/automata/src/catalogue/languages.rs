//! Automata from automata.

use quotient_core::{Budget, Stop};

use super::{Given, Operand, Operation, Outcome, Sort, make};
use crate::{Nfa, Transducer};

const FILES: &[Operand] = &[Operand::new("files", Sort::Automaton, "The automata.").many()];
const EITHERS: &[Operand] = &[Operand::new("files", Sort::Machine, "The automata.").many()];
const TWO: &[Operand] = &[
    Operand::new("a", Sort::Automaton, "The first automaton."),
    Operand::new("b", Sort::Automaton, "The second automaton."),
];
const ONE: &[Operand] = &[Operand::new("a", Sort::Automaton, "The automaton.")];
const EITHER: &[Operand] = &[Operand::new("a", Sort::Machine, "The automaton.")];

pub(super) const LANGUAGES: &[Operation] = &[
    make(
        "union",
        "The words of any of the automata (or the pairs of any of the transducers).",
        EITHERS,
        union,
    )
    .more(
        "\
Example:
  quotient automata union a.tmb b.tmb c.tmb -o abc.tmb",
    ),
    make(
        "intersect",
        "The words of all the automata.",
        FILES,
        |given, budget| {
            fold(&given.automata, |left, right| {
                left.intersection(right, budget)
            })
        },
    ),
    make(
        "concat",
        "The words of the first, then a word of the second, and so on.",
        FILES,
        |given, _| fold(&given.automata, |left, right| Ok(left.concatenation(right))),
    ),
    make(
        "difference",
        "The words of A that are not in B.",
        TWO,
        |given, budget| two(given, |left, right| left.difference(right, budget)),
    ),
    make(
        "symmetric-difference",
        "The words of exactly one of A and B.",
        TWO,
        |given, budget| {
            two(given, |left, right| {
                symmetric_difference(left, right, budget)
            })
        },
    ),
    make(
        "left-quotient",
        "What is left of the words of A after taking a word of B off the front.",
        TWO,
        |given, budget| two(given, |left, right| left.left_quotient(right, budget)),
    ),
    make(
        "right-quotient",
        "What is left of the words of A after taking a word of B off the end.",
        TWO,
        |given, budget| two(given, |left, right| left.right_quotient(right, budget)),
    ),
    make(
        "complement",
        "The words that A does not accept.",
        ONE,
        |given, budget| one(given, |nfa| nfa.complement_nfa(budget)),
    ),
    make(
        "determinize",
        "The same words by a deterministic automaton.",
        ONE,
        |given, budget| one(given, |nfa| Ok(nfa.determinize(budget)?.to_nfa())),
    ),
    make(
        "complete",
        "The same words by a deterministic automaton with a move for every letter.",
        ONE,
        |given, budget| one(given, |nfa| Ok(nfa.determinize(budget)?.to_complete_nfa())),
    ),
    make(
        "minimize",
        "The same words by the smallest deterministic automaton.",
        ONE,
        |given, budget| one(given, |nfa| Ok(nfa.canonical(budget)?.to_nfa())),
    )
    .more(
        "\
Example:
  quotient automata minimize a.tmb --to svg -o a.svg",
    ),
    make(
        "reduce",
        "The same words by a smaller automaton, by simulation (transducers too).",
        EITHER,
        |given, budget| either(given, |nfa| nfa.reduce(budget), Transducer::reduce),
    ),
    make("reverse", "The words read backwards.", ONE, |given, _| {
        one(given, |nfa| Ok(nfa.reverse()))
    }),
    make(
        "star",
        "Any number of words of A, one after the other.",
        ONE,
        |given, _| one(given, |nfa| Ok(nfa.star())),
    ),
    make(
        "plus",
        "One or more words of A, one after the other.",
        ONE,
        |given, _| one(given, |nfa| Ok(nfa.plus())),
    ),
    make(
        "trim",
        "The same words without states that no word needs (transducers too).",
        EITHER,
        |given, _| either(given, |nfa| Ok(nfa.trim()), Transducer::trim),
    ),
    make(
        "remove-epsilon",
        "The same words without ε-moves.",
        ONE,
        |given, budget| one(given, |nfa| nfa.without_epsilon(budget)),
    ),
    make(
        "prefixes",
        "All beginnings of the words of A.",
        ONE,
        |given, _| one(given, |nfa| Ok(nfa.prefixes())),
    ),
    make(
        "suffixes",
        "All ends of the words of A.",
        ONE,
        |given, _| one(given, |nfa| Ok(nfa.suffixes())),
    ),
];

fn one(given: &Given, work: impl FnOnce(&Nfa) -> Result<Nfa, Stop>) -> Result<Outcome, Stop> {
    work(&given.automata[0]).map(Outcome::from)
}

fn two(given: &Given, work: impl FnOnce(&Nfa, &Nfa) -> Result<Nfa, Stop>) -> Result<Outcome, Stop> {
    work(&given.automata[0], &given.automata[1]).map(Outcome::from)
}

/// As the file says, an operation on an automaton or on a transducer.
fn either(
    given: &Given,
    on_automaton: impl FnOnce(&Nfa) -> Result<Nfa, Stop>,
    on_transducer: impl FnOnce(&Transducer) -> Transducer,
) -> Result<Outcome, Stop> {
    match given.transducers.first() {
        Some(transducer) => Ok(on_transducer(transducer).into()),
        None => one(given, on_automaton),
    }
}

/// Combines machines from the left.
pub(super) fn fold<M: Clone + Into<Outcome>>(
    machines: &[M],
    combine: impl Fn(&M, &M) -> Result<M, Stop>,
) -> Result<Outcome, Stop> {
    let mut all = machines[0].clone();
    for next in &machines[1..] {
        all = combine(&all, next)?;
    }
    Ok(all.into())
}

fn union(given: &Given, _: &Budget) -> Result<Outcome, Stop> {
    match given.transducers.is_empty() {
        true => fold(&given.automata, |left, right| Ok(left.union(right))),
        false => fold(&given.transducers, |left, right| Ok(left.union(right))),
    }
}

fn symmetric_difference(left: &Nfa, right: &Nfa, budget: &Budget) -> Result<Nfa, Stop> {
    let left = left.determinize(budget)?;
    let both = left.symmetric_difference(&right.determinize(budget)?, budget)?;
    Ok(both.to_nfa())
}
