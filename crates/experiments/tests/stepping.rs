//! Methods driven by hand, and what their automata look like on the way.

use std::sync::Arc;

use quotient_automata::{Dfa, Nfa, Predicate};
use quotient_core::{Attempt, Budget, Context, Method, Story};
use quotient_experiments::models::{self, Token};
use quotient_regular::{Armc, ArmcLimits, Configuration, Identity, Problem, Proof, Set, System};

fn system(problem: &Problem) -> System {
    System::new(
        problem,
        Identity::Auto,
        &Budget::unlimited(),
        &Story::silent(),
    )
    .unwrap()
}

fn armc<'s>(system: &'s System, method: &str) -> Armc<'s> {
    let Configuration::Abstract {
        direction,
        abstraction,
    } = method.parse().unwrap()
    else {
        panic!("{method} is not one of these");
    };
    let (limits, cx) = (ArmcLimits::default(), Context::default());
    Armc::new(system, 0, direction, &abstraction, limits, &cx).unwrap()
}

fn proved(system: &System, method: &str) -> Proof {
    let mut armc = armc(system, method);
    let mut cx = Context::default();
    loop {
        match armc.attempt(&mut cx).unwrap() {
            Attempt::Proved(proof) => return proof,
            Attempt::FalseAlarm(alarm) => armc.refine(alarm, &mut cx).unwrap(),
            Attempt::Refuted(run) => panic!("{run:?}"),
        }
    }
}

#[test]
fn the_running_example_goes_as_published() {
    let system = system(&models::token_passing(Token::ToTheThird));
    let mut armc = armc(&system, "forward predicates(bad)");
    let mut cx = Context::default();
    let Attempt::FalseAlarm(alarm) = armc.attempt(&mut cx).unwrap() else {
        panic!("the first attempt is a false alarm");
    };
    assert_eq!(
        (armc.round().steps(), alarm.at, alarm.alarm.len()),
        (1, 0, 5)
    );
    assert_eq!(armc.round().alarms.len(), 2);
    armc.refine(alarm, &mut cx).unwrap();
    let Attempt::Proved(proof) = armc.attempt(&mut cx).unwrap() else {
        panic!("the second attempt is a proof");
    };
    // N* T N (N N N)*
    assert_eq!(proof.invariant.len(), 4);
    let accepts = |text: &str| {
        proof
            .invariant
            .accepts(&system.alphabet().word(text).unwrap())
    };
    assert!(accepts("T N") && accepts("N N T N N N N") && !accepts("N T N N"));
}

#[test]
fn bakery_invariants_are_the_published_ones() {
    let system = system(&models::united(&models::bakery()));
    let letters = |names: &[&str]| system.alphabet().set(names.iter().copied()).unwrap();
    let idle = letters(&["1", "2"]);
    let expected = |rest: Predicate| -> Set {
        let nfa = Nfa::builder(system.alphabet())
            .initial(0)
            .edge(0, &idle, 0)
            .edge(0, &letters(&["3", "4", "5"]), 1)
            .edge(1, &rest, 1)
            .accepting(0)
            .accepting(1)
            .build();
        Arc::new(nfa.canonical(&Budget::unlimited()).unwrap())
    };
    let coarse = proved(&system, "forward predicates(bad)");
    assert_eq!(coarse.invariant, expected(letters(&["5"]).not()));
    let fine = proved(&system, "forward length(1)");
    assert_eq!(fine.invariant, expected(letters(&["3", "4"])));
}

#[test]
fn backward_runs_find_one_fixpoint() {
    let system = system(&models::united(&models::bakery()));
    let invariants: Vec<Set> = [
        "backward length(1)",
        "backward predicates(bad)",
        "backward past-predicates(bad)",
    ]
    .map(|method| proved(&system, method).invariant)
    .to_vec();
    assert!(
        invariants
            .iter()
            .all(|invariant| *invariant == invariants[0])
    );
}

#[test]
fn tampered_invariants_are_no_proofs() {
    let budget = Budget::unlimited();
    let system = system(&models::burns());
    let proof = proved(&system, "forward predicates(bad)");
    assert!(proof.is_valid(&system, 0, &budget).unwrap());
    let good = &proof.invariant;
    let tampered = |change: &dyn Fn(&mut Vec<u32>)| {
        let mut table = good.table().to_vec();
        change(&mut table);
        let minterms = good.minterms().clone();
        let accepting = good.accepting().clone();
        let dfa = Dfa::from_table(good.alphabet(), minterms, good.initial(), accepting, table);
        let invariant = Arc::new(dfa.minimize(&budget).unwrap());
        let proof = Proof {
            invariant,
            steps: 0,
        };
        proof.is_valid(&system, 0, &budget).unwrap()
    };
    for at in 0..good.table().len() {
        if good.table()[at] != Dfa::NONE {
            assert!(
                !tampered(&|table| table[at] = Dfa::NONE),
                "without entry {at}"
            );
        } else {
            assert!(
                !tampered(&|table| table[at] = good.initial().0),
                "with entry {at}"
            );
        }
    }
}

#[test]
fn dijkstra_reaches_more_when_all_interact() {
    let budget = Budget::unlimited();
    for (adjacent_only, expected) in [(true, 1042), (false, 1080)] {
        let system = system(&models::dijkstra(adjacent_only));
        let all = Predicate::all(system.alphabet());
        let three = Nfa::builder(system.alphabet())
            .initial(0)
            .edge(0, &all, 1)
            .edge(1, &all, 2)
            .edge(2, &all, 3)
            .accepting(3)
            .build()
            .canonical(&budget)
            .unwrap();
        let start = system.initial().intersection(&three, &budget).unwrap();
        let mut reached = start.minimize(&budget).unwrap();
        loop {
            let next = system.step().post(&reached, &budget).unwrap();
            let next = next.minimize(&budget).unwrap();
            if next == reached {
                break;
            }
            reached = next;
        }
        assert_eq!(reached.count_words(3, &budget).unwrap(), expected);
    }
}
