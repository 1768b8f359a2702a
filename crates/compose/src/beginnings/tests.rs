//! Beginnings against the whole.

use proptest::prelude::*;
use quotient_certify::certify_components;
use quotient_core::{Context, Evidence};
use quotient_lts::evidence::{LASSO, Sought};
use quotient_testkit::formulas;

use super::*;
use crate::evidence::lasso_data;
use crate::support::*;
use crate::{Fluent, Lasso, Progress, Question, System, progress, temporal};

const SHAPE: Shape = Shape {
    states: 4,
    letters: 3,
    silent: true,
    error: false,
    end: true,
};

fn is_certified(system: &System, question: &Question, about: &str, lasso: &Lasso) -> bool {
    let network = Network::new(system, &Budget::unlimited()).unwrap();
    let sought = match question {
        Question::Formula { fair, .. } => Sought::Formula { fair: *fair },
        _ => Sought::Starvation,
    };
    let data = lasso_data(&network, sought, lasso);
    let evidence = Evidence::of_violated(LASSO, &data).about(about);
    certify_components(&evidence, system, question, &Budget::unlimited()).is_ok()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn formulas_break_in_a_beginning_exactly_if_they_break(
        components in neighbours(SHAPE, 4), formula in formulas(2), fair in any::<bool>(),
        first in 1usize..12,
    ) {
        let system = among_neighbours(&components, &[]);
        let network = Network::new(&system, &Budget::unlimited()).unwrap();
        let letters = letters(7).1;
        let fluent = |begin: usize, end: Option<usize>| Fluent {
            name: format!("F{begin}"),
            begin: vec![letters[begin]],
            end: end.map(|end| vec![letters[end]]),
            initially: false,
        };
        let fluents = vec![fluent(0, Some(1)), fluent(2, None)];
        let cx = Context::default();
        let [whole, part] = [usize::MAX, first].map(|first| {
            let how = temporal::How {
                fair,
                rests: false,
                first,
            };
            temporal::in_beginnings(&network, &formula, &fluents, how, &cx).unwrap()
        });
        prop_assert_eq!(whole.is_some(), part.is_some());
        if let Some(lasso) = part {
            let name = "FORMULA".to_owned();
            let question = Question::Formula { name, formula, fluents, fair };
            prop_assert!(is_certified(&system, &question, "FORMULA", &lasso));
        }
    }

    #[test]
    fn progress_breaks_in_a_beginning_exactly_if_it_breaks(
        components in neighbours(SHAPE, 4), letter in 0usize..7, first in 1usize..12,
    ) {
        let system = among_neighbours(&components, &[]);
        let network = Network::new(&system, &Budget::unlimited()).unwrap();
        let go = Progress {
            name: "GO".into(),
            condition: None,
            actions: vec![letters(7).1[letter]],
        };
        for properties in [vec![go], vec![]] {
            let [whole, part] = [usize::MAX, first].map(|first| {
                let cx = Context::default();
                progress::in_beginnings(&network, &properties, first, &cx)
            });
            for ((_, whole), (_, part)) in whole.into_iter().zip(part) {
            let (whole, part) = (whole.unwrap(), part.unwrap());
            prop_assert_eq!(whole.is_some(), part.is_some());
            if let Some(found) = part {
                let question = Question::Progress(properties.clone());
                let certified =
                    is_certified(&system, &question, &found.property, &found.lasso);
                prop_assert!(certified);
            }
            }
        }
    }
}
