//! Steps and refinements of named configurations, as published or as established since.

use quotient_core::{Conclusion, Context, Stop, Story, Verdict, run};
use quotient_experiments::models::{self, Repairs, Token, united};
use quotient_regular::{Armc, ArmcLimits, Configuration, Identity, Problem, System};

#[derive(Debug, PartialEq, Eq)]
enum Answer {
    Holds(usize, u64),
    Violated(usize, u64),
    Unknown(Stop),
}
use Answer::{Holds, Violated};

/// Runs one configuration; the evidence is checked on the way.
fn answer_with(problem: &Problem, method: &str, identity: Identity) -> Answer {
    let mut cx = Context::default();
    let system = System::new(problem, identity, &cx.budget, &Story::silent()).unwrap();
    let Configuration::Abstract {
        direction,
        abstraction,
    } = method.parse().unwrap()
    else {
        panic!("{method} is not one of these");
    };
    let limits = ArmcLimits {
        steps: Some(60),
        states: Some(20_000),
    };
    let mut armc = Armc::new(&system, 0, direction, &abstraction, limits, &cx).unwrap();
    let outcome = run(&mut armc, &mut cx);
    let steps = armc.round().steps();
    match outcome.conclusion {
        Conclusion::Holds(proof) => {
            assert!(proof.is_valid(&system, 0, &cx.budget).unwrap(), "{method}");
            assert_eq!(proof.steps, steps);
            Holds(steps, outcome.refinements)
        }
        Conclusion::Violated(run) => {
            assert!(run.is_valid(&system, 0), "{method}");
            assert_eq!(run.steps.len(), steps);
            Violated(steps, outcome.refinements)
        }
        Conclusion::Unknown(stop) => Answer::Unknown(stop),
    }
}

fn check(problem: &Problem, cases: &[(&str, Answer)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(method, expected)| {
            let found = answer_with(problem, method, Identity::Auto);
            (found != *expected).then(|| format!("{method}: {found:?} instead of {expected:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn token_to_the_third() {
    check(
        &models::token_passing(Token::ToTheThird),
        &[
            ("forward predicates(bad)", Holds(1, 1)),
            ("forward length(2)", Holds(2, 0)),
            ("forward length(1, +1)", Holds(2, 1)),
            ("forward length(1, +M)", Holds(3, 1)),
            ("forward length(1, +X)", Holds(4, 1)),
            ("forward past-predicates(bad, guards)", Holds(1, 0)),
            ("backward predicates(init)", Holds(2, 0)),
        ],
    );
}

#[test]
fn simple_token() {
    check(
        &models::token_passing(Token::Simple),
        &[
            ("forward predicates(bad)", Holds(2, 0)),
            ("forward length(1)", Holds(2, 0)),
            (
                "forward exact",
                Answer::Unknown(Stop::bound("the number of steps", 60)),
            ),
        ],
    );
}

#[test]
fn duplicated_token_is_found_in_one_step() {
    let problem = models::token_passing(Token::Duplicated);
    for method in [
        "forward predicates(bad)",
        "forward length(1)",
        "forward traces(1)",
        "forward exact",
    ] {
        assert_eq!(
            answer_with(&problem, method, Identity::Auto),
            Violated(1, 0),
            "{method}"
        );
    }
}

#[test]
fn bakery() {
    check(
        &united(&models::bakery()),
        &[
            ("forward predicates(bad)", Holds(6, 0)),
            ("forward predicates(init, bad)", Holds(6, 0)),
            ("forward predicates(bad, guards)", Holds(7, 0)),
            ("forward predicates(bad, actions)", Holds(7, 0)),
            ("forward predicates(bad, guards, actions)", Holds(7, 0)),
            ("forward predicates(init)", Holds(6, 1)),
            ("forward predicates(init, guards)", Holds(7, 1)),
            ("forward predicates(init, actions)", Holds(7, 0)),
            ("forward past-predicates(bad)", Holds(9, 2)),
            ("forward past-predicates(bad, actions)", Holds(9, 0)),
            ("forward length(1)", Holds(8, 0)),
            ("forward length(3)", Holds(14, 0)),
            ("forward traces(1)", Holds(8, 0)),
            ("forward traces(3)", Holds(14, 0)),
            ("forward past-length(1, +1)", Holds(12, 1)),
            ("forward past-length(1, +M)", Holds(33, 1)),
            ("backward length(1)", Holds(3, 0)),
            ("backward predicates(bad)", Holds(3, 2)),
            ("backward past-predicates(bad)", Holds(6, 3)),
        ],
    );
    let stuck = answer_with(&models::bakery(), "backward traces(1, +1)", Identity::Auto);
    assert!(
        matches!(stuck, Answer::Unknown(Stop::Exhausted { .. })),
        "{stuck:?}"
    );
}

#[test]
fn burns() {
    check(
        &models::burns(),
        &[
            ("forward predicates(bad)", Holds(8, 0)),
            ("forward past-predicates(bad)", Holds(8, 0)),
            ("forward length(1)", Holds(14, 0)),
            ("forward traces(1)", Holds(14, 0)),
            ("forward past-prefix-traces(1)", Holds(13, 0)),
            ("forward past-traces(1)", Holds(14, 0)),
            ("backward length(1)", Holds(13, 0)),
        ],
    );
}

#[test]
fn dijkstra() {
    for adjacent_only in [true, false] {
        check(
            &models::dijkstra(adjacent_only),
            &[
                ("forward predicates(bad)", Holds(8, 0)),
                ("forward past-predicates(bad)", Holds(8, 0)),
            ],
        );
    }
    check(
        &models::dijkstra(true),
        &[
            ("forward length(1)", Holds(29, 0)),
            ("forward traces(1)", Holds(24, 0)),
        ],
    );
}

#[test]
fn szymanski() {
    check(
        &models::szymanski(Repairs::BOTH),
        &[
            ("forward past-predicates(bad, actions)", Holds(13, 0)),
            (
                "forward past-predicates(bad, guards, actions)",
                Holds(12, 0),
            ),
            ("forward predicates(bad, guards)", Holds(15, 4)),
            ("forward traces(1)", Holds(13, 0)),
            ("forward length(1)", Holds(15, 0)),
        ],
    );
    for (line_3, line_6) in [(false, false), (true, false), (false, true)] {
        check(
            &models::szymanski(Repairs { line_3, line_6 }),
            &[
                (
                    "forward past-predicates(init, bad, guards, actions)",
                    Violated(11, 0),
                ),
                ("forward traces(1)", Violated(11, 0)),
            ],
        );
    }
}

#[test]
fn plotter() {
    check(
        &united(&models::plotter()),
        &[
            ("forward predicates(init, bad, actions)", Holds(26, 0)),
            ("forward predicates(bad)", Holds(25, 8)),
            ("backward length(1, +1)", Holds(32, 2)),
        ],
    );
}

#[test]
fn alternating_bit() {
    for lossy in [false, true] {
        check(
            &united(&models::alternating_bit(lossy)),
            &[(
                "forward past-predicates(bad, guards, actions)",
                Holds(17, 0),
            )],
        );
    }
    check(
        &models::alternating_bit(false),
        &[
            ("backward length(1, +1)", Holds(9, 5)),
            ("forward length(1, +1)", Holds(28, 8)),
        ],
    );
}

#[test]
fn readers_and_writers() {
    check(
        &united(&models::readers_and_writers(false)),
        // The published transducer is another automaton for the same relation: 13 steps there.
        &[("forward past-predicates(bad, guards)", Holds(14, 0))],
    );
    check(
        &models::readers_and_writers(true),
        &[("forward exact", Violated(6, 0))],
    );
}

#[test]
fn rows_of_the_thesis() {
    let models = models::catalogue();
    for row in quotient_experiments::thesis::rows() {
        let model = models.iter().find(|example| example.name == row.model);
        let example = model.unwrap_or_else(|| panic!("there is no {}", row.model));
        let found = answer_with(&row.problem(&example.problem), row.method, Identity::Auto);
        let published = (row.published.steps, row.published.refinements);
        // The same relations and sets by other automata, so other predicates.
        let (steps, refinements) = match (row.model, published) {
            ("readers-writers", (13, 0)) => (14, 0),
            ("list-reversal", (20, 2)) => (20, 5),
            (_, published) => published,
        };
        let expected = match example.verdict {
            Verdict::Violated => Violated(steps, refinements),
            _ => Holds(steps, refinements),
        };
        assert_eq!(found, expected, "{row:?}");
    }
}
