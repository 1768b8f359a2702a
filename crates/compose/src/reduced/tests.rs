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
fn from_the_left(components: usize) -> Steps {
    let first = vec![vec![0]];
    let next = (1..components).map(|at| vec![components + at - 1, at]);
    Steps {
        parts: first.into_iter().chain(next).collect(),
        merged: Vec::new(),
    }
}

/// The steps that show a formula.
fn formula_holds(
    network: &Network,
    formula: &Formula<usize>,
    fluents: &[Fluent],
    fair: bool,
    cx: &Context,
) -> Option<Steps> {
    let left = formula_left(network, (formula, fluents, fair), MOST_WORK, cx).unwrap()?;
    left.open.is_empty().then_some(left.steps)
}

fn is_certified(system: &System, question: &Question, about: &str, steps: Steps) -> bool {
    let network = Network::new(system, &Budget::unlimited()).unwrap();
    let sought = match question {
        Question::Formula { fair, .. } => Sought::Formula { fair: *fair },
        _ => Sought::Starvation,
    };
    let data = ReducedData {
        system: system_data(&network),
        sought,
        steps: steps.parts,
        merged: steps.merged,
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
        let found = formula_holds(&network, &formula, &fluents, fair, &cx);
        let name = "FORMULA".to_owned();
        let question = Question::Formula { name, formula, fluents, fair };
        if let Some(steps) = found {
            prop_assert!(broken.is_none());
            prop_assert!(is_certified(&system, &question, "FORMULA", steps.clone()));
            // Not all of it, some of it twice, and the answer to another question.
            let mut fewer = steps.clone();
            fewer.parts.pop();
            fewer.merged.clear();
            let whole = components.len() == 1;
            prop_assert_eq!(is_certified(&system, &question, "FORMULA", fewer), whole);
            let mut twice = steps.clone();
            twice.parts.push(vec![0]);
            prop_assert!(!is_certified(&system, &question, "FORMULA", twice));
            prop_assert!(!is_certified(&system, &question, "OTHER", steps));
        }
        if broken.is_some() {
            let steps = from_the_left(components.len());
            prop_assert!(!is_certified(&system, &question, "FORMULA", steps));
        }
    }

    #[test]
    fn parts_of_a_formula_hold_exactly_if_it_does(
        components in neighbours(SHAPE, 3),
        parts in proptest::collection::vec(formulas(1), 2..4),
        always in any::<bool>(), fair in any::<bool>(),
    ) {
        let system = among_neighbours(&components, &[]);
        let network = Network::new(&system, &Budget::unlimited()).unwrap();
        let letters = letters(7).1;
        let fluent = |begin: usize| Fluent {
            name: format!("F{begin}"),
            begin: vec![letters[begin]],
            end: Some(vec![letters[begin + 1]]),
            initially: false,
        };
        let fluents = vec![fluent(0), fluent(2)];
        let mut formula = parts.into_iter().reduce(|one, other| {
            Formula::binary(Binary::And, one, other)
        }).unwrap();
        if always {
            formula = Formula::unary(Unary::Globally(None), formula);
        }
        let cx = Context::default();
        let broken = |formula: &Formula<usize>| {
            check_formula(&network, formula, &fluents, fair, &cx).unwrap().is_some()
        };
        let is_broken = broken(&formula);
        prop_assert_eq!(is_broken, conjuncts(&formula).iter().any(broken));
        let left = formula_left(&network, (&formula, &fluents, fair), MOST_WORK, &cx).unwrap();
        if let Some(left) = left {
            let is_open_broken = |open: &Conjunct| {
                let found = check_formula(&network, &open.formula, &open.fluents, fair, &cx);
                found.unwrap().is_some()
            };
            prop_assert_eq!(is_broken, left.open.iter().any(is_open_broken));
            let name = "FORMULA".to_owned();
            let question = Question::Formula { name, formula, fluents: fluents.clone(), fair };
            let certified = is_certified(&system, &question, "FORMULA", left.steps);
            prop_assert!(!certified || !is_broken);
            prop_assert!(certified || !left.open.is_empty());
        }
    }

    #[test]
    fn every_action_goes_on_in_what_is_left_exactly_if_it_does(
        components in neighbours(SHAPE, 3),
    ) {
        let system = among_neighbours(&components, &[]);
        let network = Network::new(&system, &Budget::unlimited()).unwrap();
        let cx = Context::default();
        let found = Reducer::new(&network, MOST_WORK).every_action_goes_on(&cx).unwrap();
        let [(about, starved)] = &check_progress(&network, &[], &cx)[..] else {
            panic!("one answer to one question")
        };
        let starved = starved.clone().unwrap();
        if found.is_some() {
            prop_assert!(starved.is_none());
        }
        let question = Question::Progress(Vec::new());
        match found {
            Some(steps) => prop_assert!(is_certified(&system, &question, about, steps)),
            None => {
                let steps = from_the_left(components.len());
                let certified = is_certified(&system, &question, about, steps);
                prop_assert!(!certified || starved.is_none());
            }
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
        let found = Reducer::new(&network, MOST_WORK).progress_holds(&go, &cx).unwrap();
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
    let steps = formula_holds(&network, &formula, &fluents, true, &cx);
    let name = "LIVE".to_owned();
    let question = Question::Formula {
        name,
        formula,
        fluents,
        fair: true,
    };
    assert!(is_certified(&system, &question, "LIVE", steps.unwrap()));
}
