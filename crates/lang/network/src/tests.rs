//! Diagrams against the definition, on random networks.

use quotient_core::{Budget, Source};
use quotient_language::Random;

use crate::explicit;
use crate::formula::Formula;
use crate::landscape::Landscape;
use crate::network::{Network, Update, read, read_question};
use crate::symbolic::Evaluator;

fn random_network(random: &mut Random) -> Network {
    let count = 1 + random.below(4);
    let mut text = "targets, factors\n".to_owned();
    for target in 0..count {
        let literal = |random: &mut Random| {
            let sign = if random.below(2) == 0 { "!" } else { "" };
            format!("{sign}v{}", random.below(count))
        };
        let (one, other, third) = (literal(random), literal(random), literal(random));
        let sign = ["&", "|", "^"][random.below(3)];
        text.push_str(&format!(
            "v{target}, ({one} {sign} {other}) | {third} & !v0\n"
        ));
    }
    read(&Source::new("t", text)).unwrap()
}

fn random_formula(random: &mut Random, network: &Network, names: usize, size: usize) -> String {
    let again =
        |random: &mut Random, names: usize| random_formula(random, network, names, size / 2);
    if size <= 1 {
        return match (random.below(3), names) {
            (0, 1..) => format!("{{x{}}}", random.below(names)),
            (1, _) => format!("~v{}", random.below(network.named())),
            _ => format!("v{}", random.below(network.named())),
        };
    }
    match random.below(11) {
        0 => format!("~({})", again(random, names)),
        1 => format!("({} & {})", again(random, names), again(random, names)),
        2 => format!("({} | {})", again(random, names), again(random, names)),
        3 => format!("({} EU {})", again(random, names), again(random, names)),
        4 => format!("({} AW {})", again(random, names), again(random, names)),
        5 => format!("AX {}", again(random, names)),
        6 => format!("AG {}", again(random, names)),
        7 => format!("AF {}", again(random, names)),
        8 if names > 0 => format!("(@{{x{}}}: {})", random.below(names), again(random, names)),
        9 if names < 2 => format!("(3{{x{names}}}: {})", again(random, names + 1)),
        _ if names < 2 => format!("(!{{x{names}}}: {})", again(random, names + 1)),
        _ => format!("EX {}", again(random, names)),
    }
}

#[test]
fn diagrams_and_the_definition_agree() {
    let random = &mut Random::new(8);
    let budget = Budget::unlimited();
    for round in 0..240 {
        let mut network = random_network(random);
        // Some variables are inputs, with parameters.
        if round % 3 == 2 {
            network.inputs = (0..network.names.len())
                .filter(|_| random.below(2) == 0)
                .collect();
            network = network.with_parameters();
        }
        let text = match random.below(8) {
            0 => "!{x}: AG EF {x}".to_owned(),
            1 => "3{x}: 3{y}: ((@{x}: AG ~{y} & AG EF {x}) & (@{y}: AG EF {y}))".to_owned(),
            // What one part says of names narrows where the others are looked at.
            2 | 3 => {
                let mut part = || random_formula(random, &network, 2, 4);
                let (one, two, three, four) = (part(), part(), part(), part());
                let names = ["3{x0}: 3{x1}:", "!{x0}: 3{x1}:"][random.below(2)];
                format!("{names} ((@{{x0}}: {one} & {two}) & ~(@{{x1}}: {three}) & {four})")
            }
            _ => random_formula(random, &network, 0, 12),
        };
        let question = read_question(&Source::new("f", text.as_str()), &network)
            .unwrap_or_else(|why| panic!("{why:?} {text}"));
        let expected =
            explicit::states(&network, &question.formula, &mut Vec::new(), &budget).unwrap();
        let mut evaluator = Evaluator::new(&network, question.formula.depth(), &budget).unwrap();
        let set = evaluator.states(&question.formula).unwrap();
        let number = expected.iter().filter(|holds| **holds).count();
        assert_eq!(
            evaluator.count(&set).to_string(),
            number.to_string(),
            "{text}\n{network:?}"
        );
        let place = |state: Vec<bool>| {
            state
                .iter()
                .enumerate()
                .map(|(at, value)| usize::from(*value) << at)
                .sum::<usize>()
        };
        if let Some(state) = evaluator.pick(&set) {
            assert!(expected[place(state)], "{text}");
        }
        let everything = evaluator.states(&Formula::Constant(true)).unwrap();
        let (_, outside) = evaluator.parted(&everything, &set).unwrap();
        if let Some(state) = evaluator.pick(&outside) {
            assert!(!expected[place(state)], "{text}");
        }
    }
}

/// With parameters a formula is true where it is in the network that has the values of the parameters as
/// functions: one network for each combination of them.
#[test]
fn parameters_are_networks_of_their_own() {
    let random = &mut Random::new(41);
    let budget = Budget::unlimited();
    let mut telling = 0;
    for _ in 0..120 {
        let mut network = random_network(random);
        let count = network.names.len();
        network.inputs = (0..count).filter(|_| random.below(2) == 0).collect();
        let text = random_formula(random, &network, 0, 12);
        let source = Source::new("f", text.as_str());
        let formula = read_question(&source, &network).unwrap().formula;
        let whole = network.clone().with_parameters();
        let found = explicit::states(&whole, &formula, &mut Vec::new(), &budget).unwrap();
        for values in 0..1usize << network.inputs.len() {
            let mut one = network.clone();
            for (place, &input) in network.inputs.iter().enumerate() {
                one.updates[input] = Update::Constant(values >> place & 1 == 1);
            }
            let expected = explicit::states(&one, &formula, &mut Vec::new(), &budget).unwrap();
            assert_eq!(found[values << count..][..1 << count], expected, "{text}");
            telling += usize::from(expected.contains(&true) && expected.contains(&false));
        }
    }
    assert!(telling > 50, "{telling}");
}

/// Steady states, attractors of more than one state and their states, by search.
fn searched(network: &Network) -> (usize, usize, usize) {
    let (steady, larger, states, _) = searched_basins(network);
    (steady, larger, states)
}

/// The same, and how many states can reach a steady one and how many another attractor.
fn searched_basins(network: &Network) -> (usize, usize, usize, (u64, u64)) {
    let count = network.names.len();
    let next = |state: u64| -> Vec<u64> {
        let changed = (0..count).filter(|&at| {
            let value = network.updates[at].value(state);
            value != (state >> at & 1 == 1)
        });
        changed.map(|at| state ^ (1 << at)).collect()
    };
    let reach = |start: u64| {
        let mut seen = vec![false; 1 << count];
        let mut open = vec![start];
        seen[start as usize] = true;
        while let Some(state) = open.pop() {
            for after in next(state) {
                if !std::mem::replace(&mut seen[after as usize], true) {
                    open.push(after);
                }
            }
        }
        seen
    };
    let all: Vec<Vec<bool>> = (0..1u64 << count).map(reach).collect();
    let recurrent = |state: usize| (0..all.len()).all(|to| !all[state][to] || all[to][state]);
    let (mut steady, mut larger, mut states) = (0, 0, 0);
    let (mut ends, mut circles) = (Vec::new(), Vec::new());
    for state in (0..all.len()).filter(|&state| recurrent(state)) {
        let members: Vec<usize> = (0..all.len()).filter(|&to| all[state][to]).collect();
        match members.len() {
            1 => {
                steady += 1;
                ends.push(state);
            }
            _ => {
                circles.push(state);
                states += 1;
                larger += usize::from(members[0] == state);
            }
        }
    }
    let reaching = |goals: &[usize]| {
        let reaches = |from: &&Vec<bool>| goals.iter().any(|&goal| from[goal]);
        all.iter().filter(reaches).count() as u64
    };
    let basins = (reaching(&ends), reaching(&circles));
    (steady, larger, states, basins)
}

#[test]
fn attractors_are_those_that_a_search_finds() {
    let random = &mut Random::new(20);
    let budget = Budget::unlimited();
    for _ in 0..150 {
        let mut network = random_network(random);
        // An input, and one that only follows.
        let count = network.names.len();
        if random.below(2) == 0 {
            network.names.push("input".to_owned());
            network.updates.push(Update::Variable(count));
            let own = network.updates[0].clone();
            let input = Box::new(Update::Variable(count));
            network.updates[0] = Update::Xor(Box::new(own), input);
        }
        let landscape = Landscape::new(&network, &budget).unwrap();
        let (steady, larger, states) = searched(&network);
        let found = landscape.steady(100).unwrap();
        assert_eq!(found.count.to_string(), steady.to_string(), "{network:?}");
        assert_eq!(found.some.len(), steady, "{network:?}");
        for state in &found.some {
            let bits = state.iter().enumerate();
            let state: u64 = bits.map(|(at, &value)| u64::from(value) << at).sum();
            let mut updates = network.updates.iter().enumerate();
            assert!(updates.all(|(at, update)| update.value(state) == (state >> at & 1 == 1)));
        }
        // All variables at once: every state leads to a cycle.
        let all = |state: u64| -> u64 {
            let updates = network.updates.iter().enumerate();
            updates
                .map(|(at, one)| u64::from(one.value(state)) << at)
                .sum()
        };
        let every = 0..1u64 << network.names.len();
        let on_cycle = every.filter(|&state| {
            let mut later = all(state);
            (0..64).any(|_| {
                let here = later;
                later = all(later);
                here == state
            })
        });
        let least = on_cycle.filter(|&state| {
            let mut round = vec![state];
            while all(round[round.len() - 1]) != state {
                round.push(all(round[round.len() - 1]));
            }
            round.len() > 1 && round.iter().all(|&other| state <= other)
        });
        let cycles = landscape.cycles(0).unwrap().unwrap();
        assert_eq!(cycles.count, least.count() as u64);
        let complex = landscape.complex(100).unwrap();
        assert_eq!(complex.count.to_string(), larger.to_string(), "{network:?}");
        if complex.without == 0 {
            assert_eq!(complex.states.to_string(), states.to_string());
        }
    }
}

/// Variables in three groups, each influenced only by itself and the groups before; those from `follow` on
/// have no influence.
fn cascade(random: &mut Random, follow: usize) -> Network {
    let mut text = String::new();
    for target in 0..9 {
        let reach = 3 * (target / 3 + 1);
        let literal = |random: &mut Random| {
            let sign = if random.below(2) == 0 { "!" } else { "" };
            format!("{sign}v{}", random.below(reach.min(follow)))
        };
        let parts = [literal(random), literal(random), literal(random)];
        let signs = [
            ["&", "|", "^"][random.below(3)],
            ["&", "|"][random.below(2)],
        ];
        let [one, other, third] = parts;
        let [first, second] = signs;
        text.push_str(&format!(
            "v{target}, ({one} {first} {other}) {second} {third}\n"
        ));
    }
    read(&Source::new("t", text)).unwrap()
}

#[test]
fn attractors_found_block_by_block_are_those_that_a_search_finds() {
    let random = &mut Random::new(33);
    let budget = Budget::unlimited();
    let (mut both, mut many, mut following) = (0, 0, 0);
    for round in 0..40 {
        let network = cascade(random, [9, 6][round % 2]);
        let landscape = Landscape::new(&network, &budget).unwrap();
        let (steady, larger, states, basins) = searched_basins(&network);
        let complex = landscape.complex(100).unwrap();
        assert_eq!(complex.count.to_string(), larger.to_string(), "{network:?}");
        assert_eq!(complex.some.len(), larger);
        if complex.without == 0 {
            assert_eq!(complex.states.to_string(), states.to_string());
        }
        let told = |many: &Option<oxidd::util::num::Natural>| -> u64 {
            many.as_ref().unwrap().to_string().parse().unwrap()
        };
        let (to_steady, to_complex) = (told(&complex.to_steady), told(&complex.to_complex));
        assert_eq!((to_steady, to_complex), basins, "{network:?}");
        following += usize::from(complex.without > 0);
        both += usize::from(steady > 0 && larger > 0);
        many += usize::from(larger > 1);
    }
    let told = (both, many, following);
    assert!(both > 0 && many > 0 && following > 9, "{told:?}");
}

#[test]
fn heads_of_columns_are_no_variables_and_constants_no_names() {
    let network = |text: &str| crate::network::read(&Source::new("x.bnet", text));
    for head in [
        "targets, factors",
        "Targets,Factors",
        " TARGETS ,\tFACTORS ",
        "# by a tool\n\ntargets, functions",
    ] {
        let read = network(&format!("{head}\na, !b\nb, a\n")).unwrap();
        assert_eq!(read.names, ["a", "b"], "{head}");
    }
    for name in ["True", "FALSE", "0", "1"] {
        let wrong = network(&format!("b, {name}\n{name}, !b\n")).unwrap_err();
        assert_eq!(wrong[0].code, "constant-name", "{name}");
    }
    assert_eq!(network(", a\n").unwrap_err()[0].code, "syntax");
    assert_eq!(network("T, !T\nb, T\n").unwrap().names, ["T", "b"]);
}

#[test]
fn mistakes_in_networks_say_what_to_write_instead() {
    let told = |text: &str| -> Vec<String> {
        let wrong = crate::network::read(&Source::new("x.bnet", text)).unwrap_err();
        wrong.iter().map(ToString::to_string).collect()
    };
    let odd = told("a, 1\n NF-kB , !a\nb, NF-kB\n");
    assert_eq!(
        odd[0],
        "x.bnet:2:2: error: functions cannot speak of `NF-kB`"
    );
    // Where nobody speaks of it, it is no mistake.
    assert!(crate::network::read(&Source::new("x.bnet", "a, 1\nNF-kB, a\n")).is_ok());
    assert_eq!(
        told("a, 1\na, 0\n"),
        ["x.bnet:2:1: error: there are two functions for `a`"]
    );
    let columns = told("targets, functions, probabilities\na, b, 1\nb, a, 1\n");
    let expected = "x.bnet:1:19: error: there are two columns: `variable, function`";
    assert_eq!(columns, [expected]);
    for text in ["a, a AND b\n", "a, not b\n"] {
        let wrong = crate::network::read(&Source::new("x.bnet", text)).unwrap_err();
        let help = format!("{:?}", wrong[0]);
        assert!(help.contains("are written `&`"), "{help}");
    }
}
