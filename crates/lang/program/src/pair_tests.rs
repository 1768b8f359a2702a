//! Proofs by pairs of processes against all states of programs.

use quotient_core::{Budget, Conclusion, Context, Evidence, Source, run};
use quotient_language::Random;

use crate::certify::{PAIRS, SCHEDULE, certify};
use crate::certify_pairs::PairsBody;
use crate::certify_schedule::ScheduleBody;
use crate::game::won;
use crate::interpret::{Found, search};
use crate::pair_states::owner;
use crate::pairs::Pairs;
use crate::program::Program;
use crate::read::read;

/// A program whose processes have flags of their own, which others read, and share values; the property is an
/// invariant, or that something `comes`.
fn random_program(random: &mut Random, comes: bool) -> String {
    let processes = 3 + random.below(2);
    let mut text = "shared bool a = false, b = true; shared int n = 0;\n".to_owned();
    for number in 1..=processes {
        text.push_str(&format!("shared bool f{number} = false;\n"));
    }
    let condition = |random: &mut Random| {
        let other = 1 + random.below(processes);
        match random.below(9) {
            0 => "a".to_owned(),
            1 => "!a".to_owned(),
            2 | 3 => format!("!f{other}"),
            4 => format!("f{other} & b"),
            5 => "n = 0".to_owned(),
            6 => "n > 1".to_owned(),
            7 => "s".to_owned(),
            _ => "!s | b".to_owned(),
        }
    };
    for own in 1..=processes {
        let assignment = |random: &mut Random| {
            let other = 1 + random.below(processes);
            match random.below(11) {
                0 => "a := !a".to_owned(),
                1 => format!("a := f{other}"),
                2 => format!("f{own} := true"),
                3 => format!("f{own} := false"),
                4 => format!("f{own} := a, a := true"),
                5 => "n := 1".to_owned(),
                6 => "n := 2 - n".to_owned(),
                7 => format!("s := f{other}, b := !f{other}"),
                8 => "s := any".to_owned(),
                9 => format!("f{own} := s | !f{other}"),
                _ => "b := a".to_owned(),
            }
        };
        text.push_str(&format!(
            "process P{own} {{ local bool s = false; l0: skip; "
        ));
        let mut body = String::new();
        for number in 1..=1 + random.below(3) {
            let guard = condition(random);
            let (one, other) = (assignment(random), assignment(random));
            body.push_str(&match random.below(4) {
                0 => format!("await({guard}); "),
                1 => format!("if ({guard}) {{ {one}; }} else {{ {other}; }} "),
                2 => format!("l{number}: await({guard}) {one}; "),
                _ => format!("l{number}: {one}; "),
            });
        }
        match random.below(2) {
            0 => text.push_str(&format!("while (true) {{ in: {body} }} }}\n")),
            _ => text.push_str(&format!("in: {body} }}\n")),
        }
    }
    let formulas = [
        "G F f1",
        "G F (P1 at in)",
        "F (f2 | n > 1)",
        "G (f2 -> F !f2)",
        "G F (a | n = 1)",
        "G (P1 at in -> F (P1 at l0))",
        "F G a",
    ];
    if comes {
        let formula = formulas[random.below(formulas.len())];
        text.push_str(&format!("check x: {formula}\n"));
        return text;
    }
    let formulas = [
        "G !(P1 at in & P2 at in)",
        "G !(f1 & f2)",
        "G (n >= 0 & n <= 2)",
        "G !(f1 & f2 & f3)",
        "G ((f1 -> !f2) & (P3 at in -> !a | b))",
        "G !(a & n > 1)",
        "G (P1 at l0 -> !f1)",
        "G !(P1.s & !b & f2)",
    ];
    let formula = formulas[random.below(formulas.len())];
    text.push_str(&format!("check x: {formula}\n"));
    text
}

fn program(text: &str) -> Program {
    read(&Source::new("t", text)).unwrap_or_else(|mistakes| panic!("{mistakes:?}\n{text}"))
}

/// Whether the property of a program is true, by all its states; `None` if there are too many.
fn truth(of: &Program, most: usize) -> Option<bool> {
    let all: Vec<usize> = (0..of.processes.len()).collect();
    match search(of, &of.checks[0], &all, most, &Budget::unlimited()).unwrap() {
        Found::Nothing => Some(true),
        Found::Violation(_) => Some(false),
        Found::TooMany => None,
    }
}

fn body(of: &Program, pairs: &Pairs<'_>) -> PairsBody {
    let kept = pairs.predicates.iter().filter(|one| {
        let owner = owner(of, one);
        owner.is_none_or(|owner| pairs.processes.contains(&owner))
    });
    let names = pairs.processes.iter();
    PairsBody {
        processes: names.map(|one| of.processes[*one].name.clone()).collect(),
        predicates: kept.map(|one| of.words(one)).collect(),
    }
}

#[test]
fn what_pairs_prove_is_true_of_all_states_and_is_certified() {
    let random = &mut Random::new(5);
    let budget = Budget::unlimited();
    let (mut proved, mut violated) = (0, 0);
    for _ in 0..600 {
        let text = random_program(random, false);
        let of = program(&text);
        let check = &of.checks[0];
        let Some(truth) = truth(&of, 20_000) else {
            continue;
        };
        violated += usize::from(!truth);
        let mut cx = Context::default();
        cx.limits.refinements = Some(12);
        let mut pairs = Pairs::new(&of, check.formula.invariant().unwrap());
        if let Conclusion::Holds(()) = run(&mut pairs, &mut cx.with_work(200_000)).conclusion {
            assert!(truth, "{text}{:?}", pairs.story);
            proved += 1;
            let body = body(&of, &pairs);
            let evidence = Evidence::of_holds(PAIRS, &body);
            certify(&of, check, &evidence, &budget)
                .unwrap_or_else(|why| panic!("{why}\n{text}{body:?}"));
        }
    }
    assert!(proved > 50 && violated > 50, "{proved} {violated}");
}

#[test]
fn no_pairs_prove_what_is_violated() {
    let random = &mut Random::new(29);
    let budget = Budget::unlimited();
    let conditions = [
        "a", "b", "n > 0", "n <= 1", "f1", "f2", "f3", "P1.s", "P2.s",
    ];
    let (mut tried, mut with_fewer) = (0, 0);
    for _ in 0..400 {
        let text = random_program(random, false);
        let of = program(&text);
        if truth(&of, 5_000) != Some(false) {
            continue;
        }
        for _ in 0..8 {
            let mut predicates = conditions.map(str::to_owned).to_vec();
            predicates.retain(|_| random.below(2) == 0);
            let names = of.processes.iter().map(|one| one.name.clone());
            let processes: Vec<String> = names.filter(|_| random.below(4) != 0).collect();
            with_fewer += usize::from(processes.len() < of.processes.len());
            let body = PairsBody {
                processes,
                predicates,
            };
            let evidence = Evidence::of_holds(PAIRS, &body);
            let outcome = certify(&of, &of.checks[0], &evidence, &budget);
            assert!(outcome.is_err(), "{text}{body:?}");
            tried += 1;
        }
    }
    assert!(tried > 200 && with_fewer > 50, "{tried} {with_fewer}");
}

/// Three take turns at a lock; the third gives it back although it never took it if `faulty`.
fn lock(faulty: bool) -> Program {
    let mut text = "shared bool lock = false;\n".to_owned();
    for number in 1..=4 {
        let take = match faulty && number == 3 {
            true => "skip;",
            false => "await(!lock) lock := true;",
        };
        text.push_str(&format!(
            "process P{number} {{ while (true) {{ {take} in: skip; lock := false; }} }}\n"
        ));
    }
    program(&format!("{text}check x: G !(P1 at in & P2 at in)"))
}

#[test]
fn a_third_process_may_not_be_left_out_nor_forgotten() {
    let budget = Budget::unlimited();
    let names = |numbers: &[usize]| numbers.iter().map(|at| format!("P{at}")).collect();
    let evidence = |processes: &[usize], predicates: &[&str]| {
        let body = PairsBody {
            processes: names(processes),
            predicates: predicates.iter().map(|one| (*one).to_owned()).collect(),
        };
        Evidence::of_holds(PAIRS, &body)
    };
    let judged = |of: &Program, evidence: &Evidence| {
        certify(of, &of.checks[0], evidence, &budget).map_err(|why| why.to_string())
    };
    let right = lock(false);
    judged(&right, &evidence(&[1, 2, 3, 4], &["lock"])).unwrap();
    let why = judged(&right, &evidence(&[1, 2, 3], &["lock"])).unwrap_err();
    assert!(why.contains("P4 is left out"), "{why}");
    let why = judged(&right, &evidence(&[1, 2, 3, 4], &[])).unwrap_err();
    assert!(why.contains("may be violated"), "{why}");
    let why = judged(&right, &evidence(&[3, 4], &[])).unwrap_err();
    assert!(why.contains("may be violated"), "{why}");
    let why = judged(&right, &evidence(&[], &[])).unwrap_err();
    assert!(why.contains("may be violated"), "{why}");
    let why = judged(&right, &evidence(&[1, 2, 3, 4], &["lock("])).unwrap_err();
    assert!(why.contains("no condition"), "{why}");
    let wrong = lock(true);
    judged(&wrong, &evidence(&[1, 2, 3, 4], &["lock"])).unwrap_err();
}

#[test]
fn what_a_scheduler_violates_is_violated_and_certified() {
    let random = &mut Random::new(41);
    let budget = Budget::unlimited();
    let (mut found, mut kept, mut held) = (0, 0, 0);
    for _ in 0..80 {
        let text = random_program(random, true);
        let of = program(&text);
        let check = &of.checks[0];
        let Some(truth) = truth(&of, 20_000) else {
            continue;
        };
        held += usize::from(truth);
        if let Some(won) = won(&of, check, &budget).unwrap() {
            assert!(!truth, "{text}{:?}", won.spotlight);
            found += 1;
            kept += usize::from(!won.kept.is_empty());
            let names = won.spotlight.processes.iter();
            let body = ScheduleBody {
                processes: names.map(|one| of.processes[*one].name.clone()).collect(),
                predicates: (won.spotlight.predicates.iter())
                    .map(|one| of.words(one))
                    .collect(),
                kept: won.kept,
            };
            let evidence = Evidence::of_violated(SCHEDULE, &body);
            certify(&of, check, &evidence, &budget)
                .unwrap_or_else(|why| panic!("{why}\n{text}{body:?}"));
        }
        let conditions = ["a", "b", "n > 0", "n = 1", "f1", "f2", "f3", "P1.s"];
        for _ in 0..if truth { 8 } else { 0 } {
            let mut predicates = conditions.map(str::to_owned).to_vec();
            predicates.retain(|_| random.below(4) != 0);
            let names = of.processes.iter().map(|one| one.name.clone());
            let body = ScheduleBody {
                processes: names.filter(|_| random.below(2) == 0).collect(),
                kept: (0..predicates.len())
                    .filter(|_| random.below(2) == 0)
                    .collect(),
                predicates,
            };
            let evidence = Evidence::of_violated(SCHEDULE, &body);
            let outcome = certify(&of, check, &evidence, &budget);
            assert!(outcome.is_err(), "{text}{body:?}");
        }
    }
    assert!(found > 5 && kept > 0 && held > 3, "{found} {kept} {held}");
}

/// Evidence of a schedule, by hand.
fn scheduled(processes: &[&str], predicates: &[String], kept: &[usize]) -> Evidence {
    let body = ScheduleBody {
        processes: processes.iter().map(|one| (*one).to_owned()).collect(),
        predicates: predicates.to_vec(),
        kept: kept.to_vec(),
    };
    Evidence::of_violated(SCHEDULE, &body)
}

#[test]
fn a_scheduler_gives_one_predicate_one_truth() {
    // `x` is never positive: only where everything follows, since `b` is true and false, the
    // process gets stuck.
    let of = program(
        "shared bool b = false; shared int x = 0;
         process A { while (true) { b := any; if (x > 0) { await(false); } else { good: skip; } } }
         check live: G F (A at good)",
    );
    for twice in [["b", "b"], ["b", "(b)"]] {
        let forged = scheduled(&["A"], &twice.map(str::to_owned), &[]);
        let why = certify(&of, &of.checks[0], &forged, &Budget::unlimited()).unwrap_err();
        assert!(why.to_string().contains("twice"), "{why}");
    }
}

#[test]
fn more_predicates_than_there_are_bits_are_not_looked_at() {
    let names = |letter: char| (0..40).map(move |number| format!("{letter}{number}"));
    let all: Vec<String> = names('b').chain(names('c')).collect();
    let of = program(&format!(
        "shared bool {} = false;
         process A {{ while (true) {{ {} := false; }} }}
         process B {{ while ({}) {{ c0 := false; }} }}
         check quiet: G !b0
         check live: G F b0",
        all.join(" = false, "),
        names('b').collect::<Vec<_>>().join(" := false, "),
        all.join(" | "),
    ));
    let body = PairsBody {
        processes: vec!["A".to_owned(), "B".to_owned()],
        predicates: all,
    };
    let budget = Budget::unlimited();
    let pairs = Evidence::of_holds(PAIRS, &body);
    let why = certify(&of, &of.checks[0], &pairs, &budget).unwrap_err();
    assert!(why.to_string().contains("63"), "{why}");
    // Of a process in the shade, its own conditions.
    let of = program(&format!(
        "shared bool {} = false;
         process A {{ while (true) {{ a := false; }} }}
         process B {{ while ({}) {{ {} := false; }} }}
         check live: G F a",
        ["a".to_owned()]
            .into_iter()
            .chain(body.predicates.iter().cloned())
            .collect::<Vec<_>>()
            .join(" = false, "),
        body.predicates.join(" | "),
        body.predicates.join(" := false, "),
    ));
    let why = certify(
        &of,
        &of.checks[0],
        &scheduled(&["A"], &["a".to_owned()], &[]),
        &budget,
    )
    .unwrap_err();
    assert!(why.to_string().contains("63"), "{why}");
}

/// What each rule of a schedule is for: a program in which the property holds, and evidence that
/// only this rule refuses.
#[test]
fn schedules_that_break_one_rule_are_refused() {
    let refused = |text: &str, forged: &Evidence| {
        let of = program(text);
        let all: Vec<usize> = (0..of.processes.len()).collect();
        let truth = search(&of, &of.checks[0], &all, 20_000, &Budget::unlimited()).unwrap();
        assert_eq!(truth, Found::Nothing, "{text}");
        let why = certify(&of, &of.checks[0], forged, &Budget::unlimited());
        why.expect_err(text).to_string()
    };
    let one = |text: &str| vec![text.to_owned()];
    let bring = "cannot bring it about";
    // A process in the shade sets what it is not kept from setting.
    let helper = "shared bool go = false;
        process A { await(go); good: skip; while (true) { skip; } }
        process B { go := true; }
        check comes: F (A at good)";
    let why = refused(helper, &scheduled(&["A"], &one("go"), &[]));
    assert!(why.contains(bring), "{why}");
    // It may not be kept from it for ever: nothing blocks it.
    let why = refused(helper, &scheduled(&["A"], &one("go"), &[0]));
    assert!(why.contains(bring), "{why}");
    // Every process of the spotlight has its turn.
    let why = refused(helper, &scheduled(&["A", "B"], &one("go"), &[]));
    assert!(why.contains(bring), "{why}");
    // What is unknown is for the opponent to say.
    let coin = "shared int n = 0;
        process A { n := 1; if (n > 0) { good: skip; } while (true) { skip; } }
        check comes: F (A at good)";
    let why = refused(coin, &scheduled(&["A"], &[], &[]));
    assert!(why.contains(bring), "{why}");
    // What must come before counts: the goal is there at the beginning.
    let first = "shared bool b = true;
        process A { b := false; while (true) { skip; } }
        check comes: F b";
    let why = refused(first, &scheduled(&["A"], &one("b"), &[]));
    assert!(why.contains(bring), "{why}");
    // Only after what calls for it.
    let never = "shared bool b = false;
        process A { while (true) { skip; } }
        check answered: G (b -> F (A at 1))";
    let why = refused(never, &scheduled(&["A"], &one("b"), &[]));
    assert!(why.contains(bring), "{why}");
    // Other shapes of formulas are none of its business.
    let shape = "shared bool b = false;
        process A { while (true) { skip; } }
        check quiet: G !b";
    let why = refused(shape, &scheduled(&["A"], &one("b"), &[]));
    assert!(why.contains("only that something comes"), "{why}");
    let why = refused(shape, &Evidence::of_holds(SCHEDULE, &()));
    assert!(why.contains("no evidence for this claim"), "{why}");
}
