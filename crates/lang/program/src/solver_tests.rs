//! Solvers that are other programs: a real one if it is there, and ones that misbehave.

use std::time::Duration;

use quotient_arithmetic::{Boolean, Condition, Integer, Linear, Solved, is_impossible, solve};

use quotient_core::{Budget, Context, Source, Verdict};
use quotient_language::{Ask, Input, NoFiles, Random, Settings, Verb};

use crate::LANGUAGE;
use crate::solver::Solver;

/// A program of the shell that reads questions.
fn fake(script: &str, patience: u64, budget: &Budget) -> Solver {
    let patience = Duration::from_millis(patience);
    Solver::start("sh", &["-c", script], patience, budget).unwrap()
}

const REAL: [&str; 2] = ["z3", "cvc5"];

/// A real solver if it is there; tests that need it say that they were skipped.
#[expect(clippy::print_stderr, reason = "whoever runs the tests is told")]
fn real(name: &str) -> Option<Solver> {
    let solver = Solver::by_name(name, &Budget::unlimited());
    if solver.is_err() {
        eprintln!("skipped: there is no {name} here");
    }
    solver.ok()
}

const ANSWER: &str = r#"while read line; do case "$line" in *check-sat*) echo WORD;; esac; done"#;

/// x >= 1, and not.
fn question() -> (Vec<Condition>, Condition) {
    let positive = Condition::AtMostZero(
        Linear::variable(Integer::from_index(0))
            .times(-1)
            .plus_constant(1),
    );
    (vec![positive], Condition::Boolean(Boolean::from_index(7)))
}

#[test]
fn answers_are_believed_once_and_remembered() {
    let (facts, conclusion) = question();
    let budget = Budget::unlimited();
    let mut yes = fake(&ANSWER.replace("WORD", "unsat"), 2_000, &budget);
    assert!(yes.implies(&facts, &conclusion));
    assert!(yes.implies(&facts, &conclusion));
    assert_eq!((yes.asked, yes.decided), (1, 1));
    for word in ["sat", "unknown"] {
        let mut no = fake(&ANSWER.replace("WORD", word), 2_000, &budget);
        assert!(!no.implies(&facts, &conclusion));
        assert!(!no.implies(&[], &conclusion));
        assert_eq!((no.asked, no.decided, no.trouble), (2, 0, None));
    }
}

#[test]
fn a_solver_that_talks_nonsense_or_ends_is_not_asked_again() {
    let (facts, conclusion) = question();
    let budget = Budget::unlimited();
    let error = r#"'(error "line 3: unknown constant")'"#;
    let scripts = [
        ANSWER.replace("WORD", error),
        ANSWER.replace("WORD", "unsatisfiable"),
        "read line; exit 3".to_owned(),
        "exit 0".to_owned(),
        "echo hello; cat >/dev/null".to_owned(),
    ];
    for script in scripts {
        let mut broken = fake(&script, 2_000, &budget);
        assert!(!broken.implies(&facts, &conclusion), "{script}");
        assert!(broken.trouble.is_some(), "{script}");
        let asked = broken.asked;
        assert!(!broken.implies(&[], &conclusion), "{script}");
        assert_eq!(broken.asked, asked, "{script}");
    }
    let missing = Solver::start("/no/such/solver", &[], Duration::ZERO, &budget);
    assert!(missing.is_err_and(|why| why.contains("cannot be started")));
}

#[test]
fn a_slow_solver_is_started_anew_and_given_up_in_the_end() {
    let (facts, conclusion) = question();
    let mut slow = fake("cat >/dev/null; sleep 60", 30, &Budget::unlimited());
    let others: Vec<Condition> = (0..4)
        .map(|at| Condition::Boolean(Boolean::from_index(at)))
        .collect();
    assert!(!slow.implies(&facts, &conclusion));
    assert_eq!(slow.trouble, None);
    for other in &others {
        assert!(!slow.implies(&facts, other));
    }
    assert_eq!(slow.asked, 3);
    assert!(slow.trouble.is_some());
}

#[test]
fn an_interrupted_question_ends_at_once_and_is_not_remembered() {
    let (facts, conclusion) = question();
    let budget = Budget::unlimited();
    let mut slow = fake("cat >/dev/null; sleep 60", 600_000, &budget);
    let other = budget.clone();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        other.interrupt();
    });
    assert!(!slow.implies(&facts, &conclusion));
    thread.join().unwrap();
    assert_eq!(slow.trouble, None);
}

/// A random condition over two integers and two Booleans.
fn condition(random: &mut Random, depth: usize) -> Condition {
    let parts = |random: &mut Random| {
        let count = random.below(3);
        (0..count).map(|_| condition(random, depth - 1)).collect()
    };
    match random.below(if depth == 0 { 4 } else { 7 }) {
        0 => Condition::Boolean(Boolean::from_index(random.below(2))),
        1 => Condition::Opaque(random.below(2)),
        at @ (2 | 3) => {
            let factor = |random: &mut Random| random.below(7) as i64 - 3;
            let one = Linear::variable(Integer::from_index(0)).times(factor(random));
            let other = Linear::variable(Integer::from_index(1)).times(factor(random));
            let sum = one.plus(&other).plus_constant(factor(random));
            match at {
                2 => Condition::AtMostZero(sum),
                _ => Condition::Zero(sum),
            }
        }
        4 => Condition::Not(Box::new(condition(random, depth - 1))),
        5 => Condition::And(parts(random)),
        _ => Condition::Or(parts(random)),
    }
}

#[test]
fn real_solvers_never_contradict_the_built_in_one() {
    for mut solver in REAL.into_iter().filter_map(real) {
        never_contradicts(&mut solver);
    }
}

fn never_contradicts(solver: &mut Solver) {
    let mut random = Random::new(11);
    let mut impossible = 0;
    for _ in 0..300 {
        let all: Vec<Condition> = (0..3).map(|_| condition(&mut random, 2)).collect();
        let says = solver.implies(&all, &Condition::Constant(false));
        assert_eq!(solver.trouble, None, "{all:?}");
        if is_impossible(&all) {
            impossible += 1;
            assert!(says, "{all:?}");
        }
        let opaque = format!("{all:?}").contains("Opaque");
        if matches!(solve(&all), Solved::Values(..)) && !opaque {
            assert!(!says, "{all:?}");
        }
    }
    assert!(impossible > 20, "{impossible}");
}

/// No whole numbers fulfil the guard, though fractions do (after Pugh 1991).
const HARD: &str = "shared int x, y;
    process P {
      await(11*x + 13*y >= 27 & 11*x + 13*y <= 45 & 7*x - 9*y >= -10 & 7*x - 9*y <= 4);
      bad: skip;
    }
    check never: G !(P at bad)";

fn ask(solver: &str) -> Result<quotient_language::Answer, quotient_core::Trouble> {
    let about = LANGUAGE.about();
    let given = [("solver".to_owned(), solver.to_owned())];
    let settings = Settings::new(about.name, about.settings, Verb::Check, &given)?;
    let input = Input::text(&Source::new("hard.spl", HARD));
    let cx = Context::default();
    let mut model = LANGUAGE.open(&input, &mut NoFiles, &settings, &cx)?;
    let mut found = None;
    model.check(&Ask::default(), &cx, &mut |answer| found = Some(answer))?;
    Ok(found.unwrap())
}

#[test]
fn real_solvers_decide_what_the_built_in_one_cannot_and_the_answer_says_so() {
    let alone = ask("built-in").unwrap();
    assert!(matches!(alone.verdict, Verdict::Unknown(_)), "{alone:?}");
    for name in REAL {
        if real(name).is_none() {
            let missing = ask(name).unwrap_err().to_string();
            assert!(missing.contains("install it"), "{missing}");
            continue;
        }
        let both = ask(name).unwrap();
        assert_eq!(both.verdict, Verdict::Holds, "{name}");
        // Evidence is checked with the built-in solver, which it would not convince.
        assert!(both.evidence.is_none(), "{name}");
        let theory = both.details.iter().find(|(detail, _)| detail == "theory");
        assert!(theory.unwrap().1.as_str().unwrap().contains(name));
    }
}

#[test]
fn evidence_found_with_real_solvers_convinces_without_them() {
    for name in REAL {
        if real(name).is_some() {
            evidence_convinces(name);
        }
    }
}

fn evidence_convinces(solver: &str) {
    for example in LANGUAGE.about().examples {
        let given = [("solver".to_owned(), solver.to_owned())];
        let about = LANGUAGE.about();
        let settings = Settings::new(about.name, about.settings, Verb::Check, &given).unwrap();
        let cx = Context::default();
        let text = Source::new(example.files[0].0, example.files[0].1);
        let input = Input::text(&text);
        let mut model = (LANGUAGE.open(&input, &mut NoFiles, &settings, &cx)).unwrap();
        let mut answers = Vec::new();
        let mut tell = |answer| answers.push(answer);
        model.check(&Ask::default(), &cx, &mut tell).unwrap();
        for answer in &answers {
            let Some(evidence) = &answer.evidence else {
                continue;
            };
            let property = model.property(&answer.property).unwrap();
            let budget = Budget::unlimited();
            let found = model.certify(evidence, &property, &budget);
            assert!(found.is_ok(), "{}: {found:?}", answer.property);
        }
    }
}
