//! Fixed variables and starts against networks in which they are written as constants.

use quotient_core::{Budget, Source};
use quotient_language::Random;

use crate::explicit;
use crate::landscape::Landscape;
use crate::network::{Network, read, read_question};
use crate::symbolic::Evaluator;
use crate::write;

/// The functions of up to six variables as texts.
pub(crate) fn random_functions(random: &mut Random) -> Vec<String> {
    let count = 1 + random.below(6);
    let mut function = || {
        let mut literal = || {
            let sign = ["!", ""][random.below(2)];
            format!("{sign}v{}", random.below(count))
        };
        let (one, two, three) = (literal(), literal(), literal());
        let signs = ["&", "|", "^"];
        let (first, second) = (signs[random.below(3)], signs[random.below(2)]);
        format!("({one} {first} {two}) {second} {three}")
    };
    (0..count).map(|_| function()).collect()
}

pub(crate) fn network(functions: &[String]) -> Network {
    let lines = functions.iter().enumerate();
    let text: String = lines.map(|(at, one)| format!("v{at}, {one}\n")).collect();
    read(&Source::new("t.bnet", text)).unwrap()
}

/// Some variables with values, not all of them.
pub(crate) fn random_values(random: &mut Random, count: usize) -> Vec<(usize, bool)> {
    let free = random.below(count);
    let some = (0..count).filter(|&at| at != free);
    let mut chosen = Vec::new();
    for at in some {
        if random.below(3) == 0 {
            chosen.push((at, random.below(2) == 0));
        }
    }
    chosen
}

/// A text with constants for some variables.
fn replaced(text: &str, fixed: &[(usize, bool)], words: [&str; 2]) -> String {
    fixed.iter().fold(text.to_owned(), |text, &(at, value)| {
        text.replace(&format!("v{at}"), words[usize::from(value)])
    })
}

pub(crate) fn with_fixed(network: Network, fixed: &[(usize, bool)]) -> Network {
    let texts: Vec<(String, &str)> = fixed
        .iter()
        .map(|&(at, value)| (format!("v{at}"), ["0", "1"][usize::from(value)]))
        .collect();
    let given: Vec<(&str, &str)> = texts
        .iter()
        .map(|(name, level)| (&**name, *level))
        .collect();
    network.with_fixed(&given).unwrap()
}

const FORMULAS: [&str; 8] = [
    "!{x}: AX {x}",
    "!{x}: AG EF {x}",
    "AF v0",
    "EF (!{x}: AX {x})",
    "3{x}: @{x}: (v0 & AX {x})",
    "V{x}: (@{x}: EF v0)",
    "3{x}: 3{y}: (@{x}: ~{y} & AX {x}) & (@{y}: AX {y})",
    "EG (v0 | ~v1)",
];

/// How many states a formula is true in, of those that are asked about: by diagrams and by the definition.
fn true_in(network: &Network, text: &str) -> usize {
    let budget = Budget::unlimited();
    let formula = read_question(&Source::new("f", text), network)
        .unwrap()
        .formula;
    let mut evaluator = Evaluator::new(network, formula.depth(), &budget).unwrap();
    let states = evaluator.states(&formula).unwrap();
    let all = evaluator.states(&network.asked()).unwrap();
    let (inside, _) = evaluator.parted(&all, &states).unwrap();
    let found: usize = evaluator.count(&inside).to_string().parse().unwrap();
    // Two names are two loops over all states.
    if formula.depth() > 1 && network.names.len() > 4 {
        return found;
    }
    let states = explicit::states(network, &formula, &mut Vec::new(), &budget).unwrap();
    let all = explicit::states(network, &network.asked(), &mut Vec::new(), &budget).unwrap();
    let both = states
        .iter()
        .zip(&all)
        .filter(|(one, other)| **one && **other);
    assert_eq!(found, both.count(), "{text} {network:?}");
    found
}

/// What is fixed is a constant that the others are told: the same states, steady ones and attractors.
#[test]
fn what_is_fixed_is_a_constant_of_the_others() {
    let random = &mut Random::new(91);
    let budget = Budget::unlimited();
    let mut knocked = 0;
    for _ in 0..60 {
        let functions = random_functions(random);
        let count = functions.len();
        let fixed = random_values(random, count);
        let whole = with_fixed(network(&functions), &fixed);
        let is_fixed = |at: usize| fixed.iter().any(|pin| pin.0 == at);
        let lines = functions
            .iter()
            .enumerate()
            .filter(|(at, _)| !is_fixed(*at));
        let text: String = lines
            .map(|(at, one)| format!("v{at}, {}\n", replaced(one, &fixed, ["0", "1"])))
            .collect();
        let smaller = read(&Source::new("s.bnet", text)).unwrap();
        for formula in FORMULAS {
            if count < 2 && formula.contains("v1") {
                continue;
            }
            let own = replaced(formula, &fixed, ["False", "True"]);
            assert_eq!(
                true_in(&whole, formula),
                true_in(&smaller, &own),
                "{formula} {whole:?}"
            );
        }
        let (one, other) = (
            Landscape::new(&whole, &budget).unwrap(),
            Landscape::new(&smaller, &budget).unwrap(),
        );
        let (steady, expected) = (one.steady(100).unwrap(), other.steady(100).unwrap());
        assert_eq!(steady.count, expected.count, "{whole:?}");
        let keeps = |state: &Vec<bool>| fixed.iter().all(|&(at, value)| state[at] == value);
        assert!(steady.some.iter().all(keeps));
        let (complex, expected) = (one.complex(100).unwrap(), other.complex(100).unwrap());
        assert_eq!(complex.count, expected.count, "{whole:?}");
        assert_eq!(complex.to_steady, expected.to_steady, "{whole:?}");
        assert_eq!(complex.to_complex, expected.to_complex, "{whole:?}");
        let cycles = |of: &Landscape| of.cycles(0).unwrap().unwrap().count;
        assert_eq!(cycles(&one), cycles(&other));
        assert_eq!(whole.number_of_states(&[]), smaller.number_of_states(&[]));
        knocked += usize::from(!fixed.is_empty());
    }
    assert!(knocked > 25, "{knocked}");
}

/// A start leaves the formula what it is, and asks it of fewer states.
#[test]
fn a_start_asks_of_the_states_that_have_its_levels() {
    let random = &mut Random::new(92);
    let budget = Budget::unlimited();
    for _ in 0..40 {
        let functions = random_functions(random);
        let plain = network(&functions);
        let values = random_values(random, functions.len());
        let given: Vec<String> = values
            .iter()
            .map(|&(at, value)| format!("v{at}={}", u8::from(value)))
            .collect();
        let given = if given.is_empty() {
            vec![]
        } else {
            vec![given.join(",")]
        };
        let started = plain.clone().with_start(&given).unwrap();
        let one_name = |text: &&&str| !text.contains("v1") && !text.contains("{y}");
        for text in FORMULAS.iter().filter(one_name) {
            let formula = read_question(&Source::new("f", *text), &plain)
                .unwrap()
                .formula;
            let states = explicit::states(&plain, &formula, &mut Vec::new(), &budget).unwrap();
            let starts = |state: usize| {
                values
                    .iter()
                    .all(|&(at, value)| (state >> at & 1 == 1) == value)
            };
            let expected = (0..states.len()).filter(|&state| states[state] && starts(state));
            assert_eq!(
                true_in(&started, text),
                expected.count(),
                "{text} {started:?}"
            );
        }
    }
}

#[test]
fn a_network_is_read_as_it_is_written() {
    let random = &mut Random::new(93);
    for _ in 0..200 {
        let functions = random_functions(random);
        let fixed = random_values(random, functions.len());
        let whole = with_fixed(network(&functions), &fixed);
        let written = write::bnet(&whole).unwrap().text;
        let again = read(&Source::new("w.bnet", written.as_str())).unwrap();
        assert_eq!(again.names, whole.names);
        for state in 0..1 << functions.len() {
            for (one, other) in whole.updates.iter().zip(&again.updates) {
                assert_eq!(one.value(state), other.value(state), "{written}");
            }
        }
    }
}
