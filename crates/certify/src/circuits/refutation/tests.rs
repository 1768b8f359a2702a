use proptest::prelude::*;
use quotient_core::{Budget, Evidence};
use quotient_netlist::{Circuit, Literal, Proof};

use super::formulas::{Clauses, Cnf};
use super::*;
use crate::{CircuitQuestion, certify_circuit};

fn cnf(variables: usize, clauses: &[Vec<i32>]) -> Cnf {
    let mut list = Clauses::default();
    for clause in clauses {
        list.push(clause.iter().copied());
    }
    Cnf {
        name: "random",
        says: "it",
        variables,
        clauses: list,
    }
}

/// Whether some assignment fulfils all clauses, by trying all.
fn satisfiable(variables: usize, clauses: &[Vec<i32>]) -> bool {
    (0..1u32 << variables).any(|bits| {
        let is_true = |&literal: &i32| (bits >> (literal.abs() - 1) & 1 == 1) == (literal > 0);
        clauses.iter().all(|clause| clause.iter().any(is_true))
    })
}

const VARIABLES: usize = 6;

fn clauses() -> impl Strategy<Value = Vec<Vec<i32>>> {
    let literal = (1..=VARIABLES as i32, any::<bool>());
    let literal = literal.prop_map(|(one, negative)| if negative { -one } else { one });
    proptest::collection::vec(proptest::collection::vec(literal, 1..4), 8..40)
}

proptest! {
    #[test]
    fn a_formula_has_a_refutation_if_it_cannot_be_satisfied(clauses in clauses()) {
        let cnf = cnf(VARIABLES, &clauses);
        let budget = Budget::unlimited();
        match elaborate::refute(&cnf, &budget) {
            Ok(text) => {
                prop_assert!(!satisfiable(VARIABLES, &clauses));
                prop_assert!(lrat::check(&cnf, &text, &budget).is_ok(), "{}", text);
            }
            Err(_) => prop_assert!(satisfiable(VARIABLES, &clauses)),
        }
    }

    #[test]
    fn refutations_that_take_long_conclusions_are_followed(
        triples in proptest::collection::vec((0..20i32, 1..10i32, 1..10i32, 0..8i32), 130),
    ) {
        // Clauses of three different variables out of twenty: few conclusions come from facts alone.
        let sign = |variable: i32, negative: bool| if negative { -variable } else { variable };
        let clauses: Vec<Vec<i32>> = (triples.iter())
            .map(|&(a, b, c, signs)| {
                let b = a + b;
                vec![
                    sign(a + 1, signs & 1 == 1),
                    sign(b % 20 + 1, signs & 2 == 2),
                    sign((b + c) % 20 + 1, signs & 4 == 4),
                ]
            })
            .collect();
        let cnf = cnf(20, &clauses);
        let budget = Budget::unlimited();
        if let Ok(text) = elaborate::refute(&cnf, &budget) {
            let checked = lrat::check(&cnf, &text, &budget);
            prop_assert!(checked.is_ok(), "{:?}\n{}", checked, text);
        }
    }

    #[test]
    fn what_can_be_satisfied_has_no_refutation_however_it_is_forged(
        clauses in clauses(),
        more in clauses(),
        bits in 0..1u32 << VARIABLES,
        seeds in proptest::collection::vec(any::<u16>(), 1..8),
    ) {
        // The refutation of a formula with more clauses, with words changed, for that with fewer.
        let budget = Budget::unlimited();
        let is_true = |&literal: &i32| (bits >> (literal.abs() - 1) & 1 == 1) == (literal > 0);
        let mut clauses = clauses;
        clauses.retain(|clause| clause.iter().any(is_true));
        let fewer = cnf(VARIABLES, &clauses);
        let all = cnf(VARIABLES, &[clauses, more].concat());
        if let Ok(text) = elaborate::refute(&all, &budget) {
            prop_assert!(lrat::check(&fewer, &text, &budget).is_err());
            let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            for seed in seeds {
                let at = seed as usize % words.len();
                let number = i32::from(seed / 7 % 40) - 8;
                words[at] = match seed % 3 {
                    0 => String::new(),
                    1 => number.to_string(),
                    _ => words[(at + 3) % words.len()].clone(),
                };
                prop_assert!(lrat::check(&fewer, &words.join(" "), &budget).is_err());
            }
        }
    }
}

#[test]
fn refutations_are_followed_to_the_letter() {
    // 1: a or b, 2: not a or b, 3: a or not b, 4: not a or not b.
    let cnf = cnf(2, &[vec![1, 2], vec![-1, 2], vec![1, -2], vec![-1, -2]]);
    let check = |text: &str| lrat::check(&cnf, text, &Budget::unlimited());
    assert_eq!(check("5 2 0 1 2 0\n6 0 5 3 4 0").unwrap(), 2);
    assert_eq!(check("5 2 0 1 2 0\n6 d 1 0\n7 0 5 3 4 0").unwrap(), 2);
    for (wrong, why) in [
        ("", "no end"),
        ("5 2 0 1 2 0", "no end"),
        ("6 0 5 3 4 0", "no such clause"),
        ("5 2 0 1 0\n6 0 5 3 4 0", "do not contradict"),
        ("5 0 1 2 3 4 0", "leaves a choice"),
        ("5 2 0 1 2 0\n5 0 5 3 4 0", "must grow"),
        ("4 2 0 1 2 0\n6 0 4 3 4 0", "must grow"),
        ("5 2 0 1 2 0\n6 d 5 0\n7 0 5 3 4 0", "no such clause"),
        ("5 3 0 1 2 0", "no variable"),
        ("5 -2147483648 0 1 2 0", "no variable"),
        ("5 2 0 -1 2 0", "no number"),
        ("5 2 0 1 2", "no end"),
        ("5 2", "no end"),
        ("x 2 0 1 2 0", "no number"),
        ("5 2 0 1 2 0 7", "lines end"),
    ] {
        let said = check(wrong).unwrap_err().to_string();
        assert!(said.contains(why), "{wrong}: {said}");
    }
}

/// A counter of two bits that skips 3, with an input that lets it wait; 3 is bad. A constraint
/// forbids to wait at 2.
fn skipping() -> (Circuit, Literal) {
    let mut circuit = Circuit::new();
    let wait = circuit.input();
    let (low, high) = (circuit.latch(Some(false)), circuit.latch(Some(false)));
    let up = circuit.graph.and(!low, !high);
    let next_low = circuit.graph.ite(wait, low, up);
    let next_high = circuit.graph.ite(wait, high, low);
    circuit.connect(low, next_low);
    circuit.connect(high, next_high);
    let waits = circuit.graph.and(wait, high);
    circuit.constraints.push(!waits);
    let bad = circuit.graph.and(low, high);
    (circuit, bad)
}

fn proof(clauses: &[&[i64]], depth: usize, distinct: bool) -> Proof {
    Proof {
        clauses: clauses.iter().map(|clause| clause.to_vec()).collect(),
        depth,
        distinct,
        after: 0,
    }
}

fn accepted(refuted: &Refuted) -> Result<(), String> {
    let (circuit, bad) = skipping();
    let evidence = Evidence::of_holds(CIRCUIT_REFUTED, refuted);
    let question = CircuitQuestion::Never(bad);
    certify_circuit(&evidence, &circuit, question, "b0", &Budget::unlimited())
        .map(drop)
        .map_err(|rejection| rejection.to_string())
}

#[test]
fn invariants_and_inductions_are_refuted_and_accepted() {
    let (circuit, bad) = skipping();
    let budget = Budget::unlimited();
    let inductive = proof(&[&[-1, -2]], 0, false);
    let others = [
        inductive.clone(),
        proof(&[&[-1, -2]], 3, false),
        proof(&[&[-1, -2]], 2, true),
        proof(&[], 5, true),
        Proof {
            after: 3,
            ..inductive.clone()
        },
    ];
    let mut all = Vec::new();
    for one in &others {
        let refuted = Refuted::find(one, &circuit, bad, &budget).unwrap();
        assert_eq!(accepted(&refuted), Ok(()));
        let (_, files) = Refuted::evidence(one, &circuit, bad, &budget).unwrap();
        assert_eq!(files.len(), refuted.refutations.len());
        assert!(files.iter().all(|[_, cnf, _]| cnf.starts_with("p cnf ")));
        all.push(refuted);
    }
    // Nothing is shown by a part of it, by that of another, or of nothing.
    for refuted in &all {
        for at in 0..refuted.refutations.len() {
            let mut forged = refuted.clone();
            if forged.refutations[at].is_empty() || forged.invariant.clauses.is_empty() && at < 2 {
                continue;
            }
            forged.refutations[at].clear();
            assert!(accepted(&forged).is_err(), "{forged:?}");
            forged.refutations.remove(at);
            assert!(accepted(&forged).is_err(), "{forged:?}");
        }
        for clauses in [&[][..], &[&[-1][..]], &[&[1, 2]], &[&[-1, -2], &[-2]]] {
            let forged = Refuted {
                invariant: proof(clauses, 0, false),
                refutations: refuted.refutations.clone(),
            };
            assert!(accepted(&forged).is_err(), "{forged:?}");
            let own = Refuted::find(&forged.invariant, &circuit, bad, &budget);
            assert!(own.is_err(), "{own:?}");
        }
    }
}

#[test]
fn inductions_over_very_many_different_states_are_not_written_down() {
    let (circuit, bad) = skipping();
    let claim = proof(&[], 5_000, true);
    let found = Refuted::find(&claim, &circuit, bad, &Budget::unlimited());
    assert!(matches!(found, Err(Rejection::Stopped(_))));
}

#[test]
fn bad_states_before_the_constraints_end_all_runs_are_seen() {
    // The signal is on in the second state; the constraint fails in the third.
    let mut circuit = Circuit::new();
    let (one, two) = (circuit.latch(Some(false)), circuit.latch(Some(false)));
    circuit.connect(one, Literal::TRUE);
    circuit.connect(two, one);
    circuit.constraints.push(!two);
    let claim = proof(&[], 4, false);
    let found = Refuted::find(&claim, &circuit, one, &Budget::unlimited());
    assert!(found.unwrap_err().to_string().contains("first states"));
}
