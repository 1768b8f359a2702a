//! Transducers: what they make of words, and new ones.

use quotient_core::{Budget, Stop};

use super::languages::fold;
use super::{Given, Operand, Operation, Outcome, Sort, make};
use crate::Transducer;

const T: Operand = Operand::new("t", Sort::Transducer, "The transducer.");
const ONE: &[Operand] = &[T];
const WITH_LANGUAGE: &[Operand] = &[T, Operand::new("a", Sort::Automaton, "The automaton.")];
const CHAIN: &[Operand] = &[Operand::new(
    "files",
    Sort::Transducer,
    "The transducers, the first to be applied first.",
)
.many()];

pub(super) const RELATIONS: &[Operation] = &[
    make(
        "apply",
        "The words that T leads to from words of A.",
        WITH_LANGUAGE,
        |given, budget| with_language(given, budget, Transducer::apply),
    )
    .more(
        "\
Example:
  quotient automata apply step.tmb init.tmb | quotient show -",
    ),
    make(
        "preimage",
        "The words from which T leads to words of A.",
        WITH_LANGUAGE,
        |given, budget| with_language(given, budget, Transducer::apply_inverse),
    ),
    make(
        "restrict",
        "The transducer T with only those pairs whose first word is in A.",
        WITH_LANGUAGE,
        |given, budget| with_language(given, budget, Transducer::restrict_domain),
    ),
    make(
        "restrict-range",
        "The transducer T with only those pairs whose second word is in A.",
        WITH_LANGUAGE,
        |given, budget| with_language(given, budget, Transducer::restrict_range),
    ),
    make(
        "compose",
        "First T, then U (and so on).",
        CHAIN,
        |given, budget| {
            fold(&given.transducers, |first, then| {
                first.compose(then, budget)
            })
        },
    ),
    make(
        "invert",
        "The transducer that goes the other way.",
        ONE,
        |given, _| Ok(given.transducers[0].inverse().into()),
    ),
    make("domain", "The words that T reads.", ONE, |given, _| {
        Ok(given.transducers[0].domain().into())
    }),
    make("range", "The words that T writes.", ONE, |given, _| {
        Ok(given.transducers[0].range().into())
    }),
    make(
        "diagonal",
        "The words that T relates to themselves.",
        ONE,
        |given, _| Ok(given.transducers[0].diagonal().into()),
    ),
];

fn with_language<M: Into<Outcome>>(
    given: &Given,
    budget: &Budget,
    work: impl FnOnce(&Transducer, &crate::Nfa, &Budget) -> Result<M, Stop>,
) -> Result<Outcome, Stop> {
    work(&given.transducers[0], &given.automata[0], budget).map(Into::into)
}
