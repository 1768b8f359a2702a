//! Diagrams against the definition, on random networks.

use quotient_core::{Budget, Source};
use quotient_language::Random;

use crate::explicit;
use crate::network::{Network, read, read_question};
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
            (1, _) => format!("~v{}", random.below(network.names.len())),
            _ => format!("v{}", random.below(network.names.len())),
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
    for _ in 0..80 {
        let network = random_network(random);
        let text = match random.below(4) {
            0 => "!{x}: AG EF {x}".to_owned(),
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
        if let Some(state) = evaluator.pick(&evaluator.outside(&set).unwrap()) {
            assert!(!expected[place(state)], "{text}");
        }
    }
}
