//! The spotlight against the states of programs, and the acceptance cases of the literature.

use quotient_core::{Attempt, Budget, Conclusion, Context, Evidence, Method, Source, run};
use quotient_language::Random;

use crate::abstraction::{Abstraction, Builder, Place, Spotlight, Step, Value};
use crate::certify::{Body, RUN, SPOTLIGHT, certify};
use crate::game::won;
use crate::interpret::{Found, search};
use crate::ltl::{Ltl, automaton};
use crate::program::{Atom, Check, Program, leaves};
use crate::read::{read, read_check, read_condition};
use crate::refine::Spotting;
use crate::three::{Answer, Labels, Question, answer};

pub(crate) fn program(text: &str) -> Program {
    read(&Source::new("t", text)).unwrap_or_else(|mistakes| panic!("{mistakes:?}\n{text}"))
}

pub(crate) fn predicates(program: &Program, texts: &[&str]) -> Vec<quotient_arithmetic::Condition> {
    texts
        .iter()
        .flat_map(|text| leaves(&read_condition(text, program).unwrap()))
        .collect()
}

fn attempt(spotting: &mut Spotting<'_>) -> &'static str {
    match spotting.attempt(&mut Context::default()).unwrap() {
        Attempt::Proved(_) => "true",
        Attempt::Refuted(_) => "false",
        Attempt::FalseAlarm(alarm) => {
            spotting.refine(alarm, &mut Context::default()).unwrap();
            "unknown"
        }
    }
}

/// A while loop over a variable that others write, before an end without progress.
pub(crate) const LOOP: &str = "shared int v1 = 0, v2 = 0;
    process P1 { skip; while (v1 > 0) { skip; } progress: skip; }
    process P2 { while (true) { v1 := v2; } }
    process P3 { while (true) { v2 := v2 + 1; } }
    check live: G F (P1 at progress)";

#[test]
fn a_branch_parameter_refutes_progress_without_refinement() {
    let of = program(LOOP);
    let chosen = predicates(&of, &["v1 > 0"]);
    let mut spotting = Spotting::new(&of, &of.checks[0], true)
        .unwrap()
        .with_spotlight(&[0], &chosen);
    assert_eq!(attempt(&mut spotting), "unknown");
    assert_eq!(spotting.last.as_ref().unwrap().places.len(), 5);
    let checks = spotting.checks;
    assert_eq!(attempt(&mut spotting), "false");
    assert_eq!((spotting.introduced, spotting.checks - checks), (1, 2));
    assert_eq!(spotting.spotlight.processes, [0]);
}

#[test]
fn without_parameters_the_same_is_unknown() {
    let of = program(LOOP);
    let chosen = predicates(&of, &["v1 > 0"]);
    let mut spotting = Spotting::new(&of, &of.checks[0], false)
        .unwrap()
        .with_spotlight(&[0], &chosen);
    assert_eq!(attempt(&mut spotting), "unknown");
    assert_eq!(spotting.introduced, 0);
    assert!(
        spotting.spotlight.processes.len() > 1,
        "a process that writes the variable comes next"
    );
}

pub(crate) const FLAGS: &str = include_str!("../gallery/flags.spl");

#[test]
fn mutual_exclusion_has_thirteen_abstract_states_and_needs_one_parameter() {
    let of = program(FLAGS);
    let chosen = predicates(&of, &["flag1", "flag2", "init"]);
    let made = || {
        Spotting::new(&of, &of.checks[0], true)
            .unwrap()
            .with_spotlight(&[0, 1], &chosen)
    };
    let mut spotting = made();
    match spotting.attempt(&mut Context::default()).unwrap() {
        Attempt::FalseAlarm(alarm) => {
            let last = spotting.last.as_ref().unwrap();
            assert_eq!(last.places.len(), 13);
            // The published count is of steps that the spotlight takes or that need not happen;
            // those of the shade come on top, one in each state.
            let taken = last.steps.iter().flatten().filter(|step| step.by.is_some());
            let idle = |rests: &&Vec<Value>| rests.iter().all(|rest| rest.may != 0);
            assert_eq!(taken.count() + last.rests.iter().filter(idle).count(), 18);
            spotting.refine(alarm, &mut Context::default()).unwrap();
        }
        _ => panic!("this is unknown"),
    }
    assert_eq!(attempt(&mut spotting), "true");
    assert_eq!(spotting.last.as_ref().unwrap().places.len(), 13);
    assert_eq!(
        (
            spotting.introduced,
            spotting.spotlight.processes.len(),
            spotting.spotlight.predicates.len()
        ),
        (1, 2, 3)
    );
    let mut pure = Spotting::new(&of, &of.checks[0], false)
        .unwrap()
        .with_spotlight(&[0, 1], &chosen);
    assert_eq!(attempt(&mut pure), "unknown");
}

#[test]
fn a_branch_that_decides_is_revoked_and_barred() {
    let text = LOOP.replace("{ skip; } progress: skip;", "{ progress: skip; }");
    let of = program(&text);
    let chosen = predicates(&of, &["v1 > 0"]);
    let mut spotting = Spotting::new(&of, &of.checks[0], true)
        .unwrap()
        .with_spotlight(&[0], &chosen);
    assert_eq!(attempt(&mut spotting), "unknown");
    assert_eq!(attempt(&mut spotting), "unknown");
    assert!(
        spotting
            .story
            .iter()
            .any(|line| line.contains("not used any more")),
        "{:?}",
        spotting.story
    );
    assert!(spotting.spotlight.processes.len() > 1);
}

#[test]
fn a_flag_that_the_shade_writes_is_never_believed() {
    let third = "process P3 { flag1 := true; }\n";
    let text = FLAGS.replace("v1 + v2 > v3", "any");
    let of = program(&format!("{text}{third}"));
    let spots = of
        .processes
        .iter()
        .position(|one| one.name == "P3")
        .unwrap();
    let chosen = predicates(&of, &["flag1", "flag2", "init"]);
    let mut spotting = Spotting::new(&of, &of.checks[0], true)
        .unwrap()
        .with_spotlight(&[0, 1], &chosen);
    let outcome = run(&mut spotting, &mut Context::default());
    assert!(
        matches!(outcome.conclusion, Conclusion::Violated(_)),
        "{:?}",
        spotting.story
    );
    assert!(spotting.spotlight.processes.contains(&spots));
    let found = search(
        &of,
        &of.checks[0],
        &[0, 1, spots],
        100_000,
        &Budget::unlimited(),
    )
    .unwrap();
    let Found::Violation(run) = found else {
        panic!("there is a run")
    };
    let evidence = Evidence::of_violated(RUN, &run);
    certify(&of, &of.checks[0], &evidence, &Budget::unlimited()).unwrap();
}

/// Two states, `p` in the first, with a step of some value from the first to the second.
fn two_states(value: Value) -> Answer {
    let of = program("shared bool p = true; process P { skip; } check x: G p");
    let spotlight = Spotlight {
        processes: vec![0],
        predicates: predicates(&of, &["p"]),
        parameters: Vec::new(),
    };
    let place = |at: usize, p: Value| Place {
        locations: vec![at],
        values: vec![p],
    };
    let step = |to: usize, value: Value| Step {
        to,
        value,
        by: Some((0, 0)),
    };
    let abstraction = Abstraction {
        places: vec![place(0, Value::TRUE), place(1, Value::FALSE)],
        steps: vec![
            vec![step(0, Value::TRUE), step(1, value)],
            vec![step(1, Value::TRUE)],
        ],
        rests: vec![vec![Value::FALSE], vec![Value::FALSE]],
    };
    let mut builder = Builder::new(&of, &spotlight);
    let good = Ltl::Atom(Atom::Condition(read_condition("p", &of).unwrap()));
    let invariant = Question::Invariant(good.clone());
    let labels = Labels::new(&mut builder, &abstraction, &invariant);
    let one = answer(&abstraction, &labels, &invariant, 0, &Budget::unlimited()).unwrap();
    let general = Question::Automaton(automaton(&good.globally().normal(true)).unwrap());
    let labels = Labels::new(&mut builder, &abstraction, &general);
    let other = answer(&abstraction, &labels, &general, 0, &Budget::unlimited()).unwrap();
    assert_eq!(std::mem::discriminant(&one), std::mem::discriminant(&other));
    one
}

#[test]
fn a_bad_state_behind_an_unknown_step_is_unknown() {
    assert!(matches!(two_states(Value::UNKNOWN), Answer::Unknown(_)));
    assert!(matches!(two_states(Value::TRUE), Answer::False(_)));
    assert_eq!(two_states(Value::FALSE), Answer::True);
}

#[test]
fn independent_loops_need_a_parameter_each_and_no_refinement() {
    for loops in 1..=3usize {
        let names = (1..=loops)
            .map(|number| format!("v{number} = 0"))
            .collect::<Vec<_>>()
            .join(", ");
        let body: String = (1..=loops)
            .map(|number| format!("while (v{number} > 0) {{ skip; }} "))
            .collect();
        let writes: String = (1..=loops)
            .map(|number| format!("process W{number} {{ while (true) {{ v{number} := any; }} }}\n"))
            .collect();
        let text = format!(
            "shared int {names}; process P {{ progress: skip; {body} while (true) {{ skip; }} }}\n{writes}check live: G F (P at progress)"
        );
        let of = program(&text);
        let texts: Vec<String> = (1..=loops).map(|number| format!("v{number} > 0")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let chosen = predicates(&of, &texts);
        let mut spotting = Spotting::new(&of, &of.checks[0], true)
            .unwrap()
            .with_spotlight(&[0], &chosen);
        let outcome = run(&mut spotting, &mut Context::default());
        assert!(
            matches!(outcome.conclusion, Conclusion::Violated(_)),
            "{loops}: {:?}",
            spotting.story
        );
        assert!(spotting.introduced <= loops);
        assert_eq!(spotting.spotlight.processes, [0]);
    }
}

/// A random program over three Booleans and an integer that stays small.
pub(crate) fn random_program(random: &mut Random) -> String {
    let condition = |random: &mut Random| {
        let all = [
            "a",
            "!a",
            "b",
            "!b",
            "c",
            "!c",
            "n > 0",
            "n = 1",
            "a & b",
            "a | !c",
            "n <= 1 & b",
            "true",
            "n % 2 = 0",
            "(n + 1) / 2 = 1",
        ];
        all[random.below(all.len())].to_owned()
    };
    let assignment = |random: &mut Random| {
        let all = [
            "a := !a",
            "a := b",
            "b := c & !a",
            "c := true",
            "b := false",
            "c := any",
            "n := 0",
            "n := 1",
            "n := 2 - n",
            "a := n > 0",
            "b := a, a := b",
            "n := 1, c := !c",
            "a := any",
            "n := (n + 1) % 3",
            "n := n / 2",
        ];
        all[random.below(all.len())].to_owned()
    };
    let mut text = "shared bool a = false, b = false, c = true; shared int n = 0;\n".to_owned();
    for process in 1..=1 + random.below(3) {
        text.push_str(&format!("process P{process} {{ l0: skip; "));
        let mut body = String::new();
        for number in 1..=1 + random.below(3) {
            let guard = condition(random);
            let statement = match random.below(5) {
                0 => format!("await({guard}); "),
                1 => format!(
                    "if ({guard}) {{ {}; }} else {{ {}; }} ",
                    assignment(random),
                    assignment(random)
                ),
                2 => format!("while ({guard}) {{ {}; }} ", assignment(random)),
                3 => format!("await({guard}) {}; ", assignment(random)),
                _ => format!("l{number}: {}; ", assignment(random)),
            };
            body.push_str(&statement);
        }
        match random.below(2) {
            0 => text.push_str(&format!("while (true) {{ {body} }} }}\n")),
            _ => text.push_str(&format!("{body} }}\n")),
        }
    }
    let formulas = [
        "G !(a & b)",
        "G (a -> n <= 1)",
        "G F a",
        "G F (P1 at l0)",
        "F b",
        "G F (a | n = 1)",
        "G (a -> F !a)",
        "F G c",
        "(n = 0) U b",
        "G !(a & !c)",
        "G (n >= 0)",
        "G !(P1 at l0 & a & F (P1 at l0 & !a))",
        "G !(a & F (b & F (!a & !b & F a)))",
        "G ((P1 at l0 & c) -> (c U !(P1 at l0) | G c))",
        "G !(n % 2 = 1 & c)",
        "G F (n % 3 = n & a)",
    ];
    text.push_str(&format!(
        "check x: {}\n",
        formulas[random.below(formulas.len())]
    ));
    text
}

#[test]
fn definite_answers_agree_with_all_states_of_random_programs() {
    let random = &mut Random::new(11);
    let budget = Budget::unlimited();
    let (mut proved, mut refuted, mut unknown, mut scheduled) = (0, 0, 0, 0);
    for round in 0..400 {
        let text = random_program(random);
        let of = program(&text);
        assert!(of.is_closed());
        let check = &of.checks[0];
        let all: Vec<usize> = (0..of.processes.len()).collect();
        let truth = match search(&of, check, &all, 20_000, &budget).unwrap() {
            Found::Nothing => true,
            Found::Violation(run) => {
                certify(&of, check, &Evidence::of_violated(RUN, &run), &budget)
                    .unwrap_or_else(|why| panic!("{why}\n{text}"));
                false
            }
            Found::TooMany => continue,
        };
        if round % 4 == 1 && won(&of, check, &budget).unwrap().is_some() {
            assert!(!truth, "a scheduler violates it\n{text}");
            scheduled += 1;
        }
        let mut cx = Context::default();
        cx.limits.refinements = Some(8);
        let mut spotting = Spotting::new(&of, check, round % 4 != 0).unwrap();
        match run(&mut spotting, &mut cx).conclusion {
            Conclusion::Holds(proof) => {
                assert!(truth, "{text}{:?}", spotting.story);
                proved += 1;
                let body = Body {
                    processes: spotting
                        .spotlight
                        .processes
                        .iter()
                        .map(|one| of.processes[*one].name.clone())
                        .collect(),
                    predicates: spotting
                        .spotlight
                        .predicates
                        .iter()
                        .map(|one| of.words(one))
                        .collect(),
                    split: proof.split,
                };
                let evidence = Evidence::of_holds(SPOTLIGHT, &body);
                certify(&of, check, &evidence, &budget)
                    .unwrap_or_else(|why| panic!("{why}\n{text}{body:?}"));
                // The same evidence never shows a property that is violated.
                let other = read_check(&Source::new("p", "G !(n = 1)"), &of).unwrap();
                if let Found::Violation(_) = search(&of, &other, &all, 20_000, &budget).unwrap() {
                    certify(&of, &other, &evidence, &budget).unwrap_err();
                }
            }
            Conclusion::Violated(_) => {
                assert!(!truth, "{text}{:?}", spotting.story);
                refuted += 1;
            }
            Conclusion::Unknown(_) => unknown += 1,
        }
    }
    assert!(
        proved > 60 && refuted > 60 && unknown < 120 && scheduled > 5,
        "{proved} {refuted} {unknown} {scheduled}"
    );
}

#[test]
fn automata_agree_with_the_meaning_on_lassos() {
    let of = program("shared bool a = false, b = false; process P { skip; }");
    let texts = [
        "G F a",
        "F G b",
        "a U b",
        "G (a -> F b)",
        "X a",
        "a W b",
        "!(a R b)",
        "F (a & X !b)",
        "G a | F b",
    ];
    let random = &mut Random::new(5);
    for text in texts {
        let Check { formula, .. } = read_check(&Source::new("p", text), &of).unwrap();
        let machine = automaton(&formula.normal(false)).unwrap();
        for _ in 0..60 {
            let steps = 1 + random.below(4);
            let back = random.below(steps);
            let word: Vec<[bool; 2]> = (0..steps)
                .map(|_| [random.below(2) == 0, random.below(2) == 0])
                .collect();
            let holds = |atom: &Atom, at: usize| match atom {
                Atom::Condition(quotient_arithmetic::Condition::Boolean(variable)) => {
                    word[at][variable.index()]
                }
                _ => unreachable!("the atoms are variables"),
            };
            let expected = formula.on_lasso(steps, back, &holds)[0];
            let structure = crate::lasso::Structure {
                initial: vec![0],
                steps: (0..steps)
                    .map(|at| vec![(if at + 1 < steps { at + 1 } else { back }, Some(0))])
                    .collect(),
                literals: (0..steps)
                    .map(|at| {
                        machine
                            .atoms
                            .iter()
                            .map(|atom| [!holds(atom, at), holds(atom, at)])
                            .collect()
                    })
                    .collect(),
                rests: vec![vec![true]; steps],
                processes: 1,
            };
            let found =
                crate::lasso::fair_lasso(&structure, &machine, &Budget::unlimited()).unwrap();
            assert_eq!(
                found.is_some(),
                expected,
                "{text} on {word:?} back to {back}"
            );
        }
    }
}

#[test]
fn forged_runs_are_refused() {
    let of = program(include_str!("../gallery/peterson.spl"));
    let check = of.checks.iter().find(|check| check.name == "both").unwrap();
    let budget = Budget::unlimited();
    let Found::Violation(good) = search(&of, check, &[0, 1], 100_000, &budget).unwrap() else {
        panic!("both are never there at once");
    };
    certify(&of, check, &Evidence::of_violated(RUN, &good), &budget).unwrap();
    let mut forged = vec![good.clone(); 5];
    forged[0].steps.pop();
    forged[1].back = Some(good.steps.len());
    forged[2].steps.insert(0, None);
    forged[3].integers[0] += 1;
    forged[4].back = None;
    for run in forged {
        certify(&of, check, &Evidence::of_violated(RUN, &run), &budget).unwrap_err();
    }
    let served = of
        .checks
        .iter()
        .find(|check| check.name == "served")
        .unwrap();
    certify(&of, served, &Evidence::of_violated(RUN, &good), &budget).unwrap_err();
}

#[test]
fn what_the_shade_writes_may_change_while_the_spotlight_waits() {
    let of = program(
        "shared bool b = false;
         process P { first: skip; one: skip; last: skip; }
         process Q { while (true) { b := !b; } }
         check once: G !(P at one & b & F (P at one & !b))",
    );
    let body = Body {
        processes: vec!["P".to_owned()],
        predicates: vec!["b".to_owned()],
        split: Vec::new(),
    };
    let budget = Budget::unlimited();
    let forged = Evidence::of_holds(SPOTLIGHT, &body);
    certify(&of, &of.checks[0], &forged, &budget).unwrap_err();
    let mut spotting = Spotting::new(&of, &of.checks[0], true).unwrap();
    let concluded = run(&mut spotting, &mut Context::default());
    assert!(!matches!(concluded.conclusion, Conclusion::Holds(_)));
    let found = search(&of, &of.checks[0], &[0, 1], 1_000, &budget).unwrap();
    let Found::Violation(violation) = found else {
        panic!("it is violated");
    };
    let genuine = Evidence::of_violated(RUN, &violation);
    certify(&of, &of.checks[0], &genuine, &budget).unwrap();
}

#[test]
fn numbers_that_are_too_large_are_refused_by_the_reader() {
    for text in [
        "shared int x = 1; process P { skip; } check a: G (x * 1000000000 * 1000000000 >= 0)",
        "shared int x = 1; process P { await(x * 1000000000 * 1000000000 > 0); } check a: F (x = 1)",
        "shared int x = 1; process P { x := 1, x := 2; } check a: G (x < 2)",
    ] {
        assert!(read(&Source::new("t", text)).is_err(), "{text}");
    }
}

#[test]
fn no_spotlight_proves_what_is_violated() {
    let random = &mut Random::new(23);
    let budget = Budget::unlimited();
    let conditions = ["a", "b", "c", "n > 0", "n = 1", "n <= 2", "a & b", "a | c"];
    let (mut violated, mut forged) = (0, 0);
    while violated < 60 {
        let text = random_program(random);
        let of = program(&text);
        let all: Vec<usize> = (0..of.processes.len()).collect();
        let found = search(&of, &of.checks[0], &all, 5_000, &budget).unwrap();
        if !matches!(found, Found::Violation(_)) {
            continue;
        }
        violated += 1;
        for processes in 0..1_usize << all.len() {
            let chosen = |one: &&usize| processes >> **one & 1 == 1;
            let names = all.iter().filter(chosen);
            let names: Vec<String> = names.map(|one| of.processes[*one].name.clone()).collect();
            let mut predicates = conditions.map(str::to_owned).to_vec();
            predicates.retain(|_| random.below(2) == 0);
            let split = (0..predicates.len()).filter(|_| random.below(2) == 0);
            let body = Body {
                processes: names,
                split: split.collect(),
                predicates,
            };
            let evidence = Evidence::of_holds(SPOTLIGHT, &body);
            forged += 1;
            let outcome = certify(&of, &of.checks[0], &evidence, &budget);
            assert!(outcome.is_err(), "{text}{body:?}");
        }
    }
    assert!(forged > 150, "{forged}");
}
