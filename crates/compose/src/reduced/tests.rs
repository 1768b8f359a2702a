//! What is left of a system against the whole, and evidence about it under attack.

use proptest::prelude::*;
use quotient_certify::certify_components;
use quotient_core::{Budget, Evidence};
use quotient_lts::evidence::{REDUCED, ReducedData, Sought};
use quotient_testkit::formulas;

use super::*;
use crate::evidence::system_data;
use crate::support::*;
use crate::{Question, System, check_formula};

const SHAPE: Shape = Shape {
    states: 4,
    letters: 3,
    silent: true,
    error: false,
    end: true,
};

/// All components put together from left to right.
fn from_the_left(components: usize) -> Vec<Vec<usize>> {
    let first = vec![vec![0]];
    let next = (1..components).map(|at| vec![components + at - 1, at]);
    first.into_iter().chain(next).collect()
}

fn is_certified(system: &System, question: &Question, about: &str, steps: Vec<Vec<usize>>) -> bool {
    let network = Network::new(system, &Budget::unlimited()).unwrap();
    let sought = match question {
        Question::Formula { fair, .. } => Sought::Formula { fair: *fair },
        _ => Sought::Starvation,
    };
    let data = ReducedData {
        system: system_data(&network),
        sought,
        steps,
    };
    let evidence = Evidence::of_holds(REDUCED, &data).about(about);
    certify_components(&evidence, system, question, &Budget::unlimited()).is_ok()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn formulas_that_hold_of_what_is_left_hold_of_all(
        components in neighbours(SHAPE, 4), formula in formulas(2), fair in any::<bool>(),
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
        let broken = check_formula(&network, &formula, &fluents, fair, &cx).unwrap();
        let found = formula_holds(&network, &formula, &fluents, fair, &cx).unwrap();
        let name = "FORMULA".to_owned();
        let question = Question::Formula { name, formula, fluents, fair };
        if let Some(steps) = found {
            prop_assert!(broken.is_none());
            prop_assert!(is_certified(&system, &question, "FORMULA", steps.clone()));
            // Not all of it, some of it twice, and the answer to another question.
            let fewer = steps[..steps.len() - 1].to_vec();
            let whole = components.len() == 1;
            prop_assert_eq!(is_certified(&system, &question, "FORMULA", fewer), whole);
            let mut twice = steps.clone();
            twice.push(vec![0]);
            prop_assert!(!is_certified(&system, &question, "FORMULA", twice));
            prop_assert!(!is_certified(&system, &question, "OTHER", steps));
        }
        if broken.is_some() {
            let steps = from_the_left(components.len());
            prop_assert!(!is_certified(&system, &question, "FORMULA", steps));
        }
    }

    #[test]
    fn progress_is_the_same_in_what_is_left(
        components in neighbours(SHAPE, 4), letter in 0usize..7, condition in 0usize..14,
    ) {
        let system = among_neighbours(&components, &[]);
        let network = Network::new(&system, &Budget::unlimited()).unwrap();
        let letters = letters(7).1;
        let go = Progress {
            name: "GO".into(),
            condition: letters.get(condition).map(|&action| vec![action]),
            actions: vec![letters[letter]],
        };
        let cx = Context::default();
        let found = progress_holds(&network, &go, &cx).unwrap();
        let [(_, starved)] = &check_progress(&network, std::slice::from_ref(&go), &cx)[..] else {
            panic!("one answer to one question")
        };
        let starved = starved.clone().unwrap();
        prop_assert_eq!(found.is_some(), starved.is_none());
        let question = Question::Progress(vec![go]);
        match found {
            Some(steps) => prop_assert!(is_certified(&system, &question, "GO", steps)),
            None => {
                let steps = from_the_left(components.len());
                prop_assert!(!is_certified(&system, &question, "GO", steps));
            }
        }
    }
}

/// Stations that pass a token round: what the others want does not matter to one of them.
fn ring(stations: usize) -> System {
    let mut system = System::new();
    let mut parts = Vec::new();
    for at in 0..stations {
        let mut action = |name: String| system.actions.intern(&name);
        let want = action(format!("want.{at}"));
        let enter = action(format!("enter.{at}"));
        let [get, put] = [at, (at + 1) % stations].map(|at| action(format!("token.{at}")));
        let mut station = crate::LtsBuilder::new();
        // Without a token, with one, and behind; the odd ones want to enter.
        station
            .edge(0, want, 1)
            .edge(2, want, 3)
            .edge(4, want, 5)
            .edge(0, get, 2)
            .edge(1, get, 3)
            .edge(2, put, 0)
            .edge(3, enter, 4)
            .edge(4, put, 0)
            .edge(5, put, 1)
            .initial(if at == 0 { 2 } else { 0 });
        parts.push(system.process(format!("S{at}"), station.build()));
    }
    system.parallel(parts);
    system
}

#[test]
fn a_large_ring_is_small_for_one_station() {
    let system = ring(14);
    let network = Network::new(&system, &Budget::unlimited()).unwrap();
    let momentary = |name: &str| Fluent {
        name: name.to_owned(),
        begin: vec![system.actions.get(name).unwrap()],
        end: None,
        initially: false,
    };
    let fluents = vec![momentary("want.1"), momentary("enter.1")];
    let enters = Formula::unary(Unary::Finally(None), Formula::atom(1));
    let wants = Formula::binary(quotient_logic::Binary::Implies, Formula::atom(0), enters);
    let formula = Formula::unary(Unary::Globally(None), wants);
    let cx = Context::default();
    let steps = formula_holds(&network, &formula, &fluents, true, &cx).unwrap();
    let name = "LIVE".to_owned();
    let question = Question::Formula {
        name,
        formula,
        fluents,
        fair: true,
    };
    assert!(is_certified(&system, &question, "LIVE", steps.unwrap()));
}
