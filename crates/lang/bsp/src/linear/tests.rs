//! Formulas about runs against all interleavings of single steps.

use std::collections::HashMap;

use quotient_core::{Budget, Claim, Evidence, Source, Verdict};
use quotient_language::Random;
use quotient_trial::arbitrary::{Result as Made, Unstructured};

use super::formula::Atom;
use super::judge::{self, Graph};
use super::{Broken, LASSO, STATES, States, Then, answer, by_hashes};
use crate::machine::{self, Local};
use crate::program::{Program, Question};
use crate::run::Part;

fn program(text: &str) -> Program {
    crate::read::read(&Source::new("t.bsp", text), None).unwrap()
}

/// All machines after single steps of single processors and barriers, if they are not too many.
fn all_interleavings(program: &Program, atoms: &[Atom], most: usize) -> Option<Graph> {
    let start = machine::beginning(program);
    let mut numbers: HashMap<Vec<Local>, usize> = HashMap::from([(start.clone(), 0)]);
    let mut all = vec![start];
    let (mut truths, mut moves) = (Vec::new(), Vec::new());
    while let Some(state) = all.get(moves.len()).cloned() {
        if all.len() > most {
            return None;
        }
        let holds = |atom: &Atom| atom.holds(program, &state);
        truths.push(atoms.iter().map(holds).collect());
        let mut next = Vec::new();
        for processor in 0..state.len() {
            let mut after = state.clone();
            if after[processor].step(program, processor) {
                after[processor].within_bounds().ok()?;
                next.push((processor, after));
            }
        }
        for group in machine::complete(program, &state) {
            let mut after = state.clone();
            machine::barrier(program, &mut after, group);
            next.push((state.len() + group, after));
        }
        let mut own = Vec::new();
        for (who, after) in next {
            let number = *numbers.entry(after.clone()).or_insert_with(|| {
                all.push(after);
                all.len() - 1
            });
            own.push((who, number));
        }
        moves.push(own);
    }
    Some(Graph { truths, moves })
}

fn random_formula(u: &mut Unstructured<'_>, processors: usize, depth: usize) -> Made<String> {
    let one = u.int_in_range(0..=processors - 1)?;
    if depth == 0 || u.ratio(1, 5)? {
        let number = u.int_in_range(0..=3)?;
        return Ok(match u.int_in_range(0..=9)? {
            0 => "done".to_owned(),
            1 => "deadlock".to_owned(),
            2 => "fault".to_owned(),
            3 => format!("ended at {one}"),
            4 => format!("failed at {one}"),
            5 => format!("waits at {one}"),
            6 => format!("waits {} at {one}", u.choose(&["W", "A"])?),
            7 => format!("y at {one} > {number}"),
            8 => format!("x at {one} != {number}"),
            _ => format!("x at {one} = {number}"),
        });
    }
    let left = random_formula(u, processors, depth - 1)?;
    let right = random_formula(u, processors, depth - 1)?;
    Ok(match u.int_in_range(0..=7)? {
        0 => format!("!({left})"),
        1 => format!("(({left}) & ({right}))"),
        2 => format!("(({left}) -> ({right}))"),
        3 | 4 => format!("F ({left})"),
        5 | 6 => format!("G ({left})"),
        _ => format!("(({left}) U ({right}))"),
    })
}

/// A program with a formula, few enough steps, and loops now and then.
fn random_case(u: &mut Unstructured<'_>) -> Made<String> {
    let statements = [
        "x := y + 1",
        "y := x",
        "(if pid = 0 then x := 2 else y := 3)",
        "bsp_sync W",
        "bsp_sync A",
        "(if pid = 0 then bsp_sync A else bsp_sync W)",
        "(bsp_send W x (1 - pid); bsp_sync W; y := bsp_findmsg (1 - pid) 0)",
        "(bsp_push W y; bsp_sync W; bsp_put W 0 x y; bsp_sync W)",
        "(if pid = 1 then y := bsp_findmsg 0 1 else void)",
        "(if pid = 1 then (loop void) else void)",
        "(if pid = 0 then (loop x := 1 - x) else y := 2)",
        "(loop (bsp_sync A; x := 1 - x))",
        "(if pid = 0 then raise (E 1) else y := 1)",
    ];
    let more = [
        "(if pid < 2 then (loop (bsp_sync A; x := 1 - x)) else (y := 1; bsp_sync B; y := 2))",
        "(if pid = 2 then (loop (bsp_sync B; y := 1 - y)) else bsp_sync A)",
        "(if pid = 2 then y := 1 else bsp_sync A)",
    ];
    let three = u.ratio(1, 4)?;
    let mut body = Vec::new();
    if three {
        body.push(*u.choose(&more)?);
    }
    for _ in 0..u.int_in_range(if three { 0..=0 } else { 1..=3 })? {
        body.push(*u.choose(&statements)?);
    }
    let (processors, groups) = match three {
        true => (3, "group A = 0, 1\ngroup B = 2\n"),
        false => (2, "group A = 0, 1\n"),
    };
    let depth = u.int_in_range(1..=3)?;
    let formula = random_formula(u, processors, depth)?;
    let body = body.join("; ");
    Ok(format!(
        "processors {processors}\n{groups}ltl q: {formula}\nrun\n\
         let x = ref pid in let y = ref 0 in {body}; x"
    ))
}

/// Evidence with small lies, none of which may be believed if it claims the opposite.
fn forged(program: &Program, evidence: &Evidence) -> Vec<Evidence> {
    let mut all = Vec::new();
    let processors = program.processors;
    for states in [0, 1, 2, 50] {
        all.push(Evidence::of_holds(STATES, &States { processors, states }).about("q"));
    }
    let body = evidence.read::<Broken>().unwrap_or(Broken {
        processors,
        parts: Vec::new(),
        then: Then::Nothing,
    });
    let mut bodies = Vec::new();
    for then in [
        Then::Any,
        Then::Nothing,
        Then::Repeats(0),
        Then::Repeats(body.parts.len() / 2),
    ] {
        bodies.push(Broken {
            then,
            ..body.clone()
        });
    }
    for at in 0..body.parts.len().min(4) {
        let mut less = body.clone();
        less.parts.remove(at);
        bodies.push(less);
        let mut other = body.clone();
        if let Part::Steps { steps, .. } = &mut other.parts[at] {
            *steps -= 1;
        }
        bodies.push(other);
    }
    for body in bodies {
        all.push(Evidence::of_violated(LASSO, &body).about("q"));
    }
    all
}

/// What cases were like.
#[derive(Debug, Default)]
struct Counted {
    kept: usize,
    broken: usize,
    forever: usize,
    refused: usize,
}

/// One program with its formula: the answer against all interleavings, its evidence, and lies about it.
fn compare(u: &mut Unstructured<'_>, counted: &mut Counted) -> Made<()> {
    let text = random_case(u)?;
    let program = program(&text);
    let Question::Runs(formula) = &program.questions[0].question else {
        panic!("a formula is read");
    };
    let opposite = (!formula.clone()).automaton(400).unwrap();
    let Some(graph) = all_interleavings(&program, &opposite.atoms, 1_500) else {
        return Ok(());
    };
    let budget = Budget::unlimited();
    let holds = !judge::some_run(&graph, &opposite, &budget).unwrap();
    let found = answer(&program, "q", formula, &budget).unwrap();
    let expected = match holds {
        true => Verdict::Holds,
        false => Verdict::Violated,
    };
    assert_eq!(found.verdict, expected, "{text}");
    let evidence = found.evidence.unwrap();
    judge::certify(&program, "q", formula, &evidence, &budget).unwrap();
    match evidence.read::<Broken>() {
        Ok(body) => counted.forever += usize::from(matches!(body.then, Then::Repeats(_))),
        Err(_) => counted.kept += 1,
    }
    counted.broken += usize::from(!holds);
    match by_hashes(&program, "q", formula, &budget) {
        Ok(found) => {
            assert!(!holds && found.verdict == Verdict::Violated, "{text}");
            let evidence = found.evidence.unwrap();
            judge::certify(&program, "q", formula, &evidence, &budget).unwrap();
        }
        Err(stop) => {
            assert!(holds, "{text}");
            assert!(stop.to_string().contains("with a chance of"), "{stop}");
        }
    }
    for forged in forged(&program, &evidence) {
        let believed = judge::certify(&program, "q", formula, &forged, &budget).is_ok();
        let claims = forged.claim == Claim::Holds;
        assert!(!believed || claims == holds, "{forged:?}\n{text}");
        counted.refused += usize::from(!believed);
    }
    Ok(())
}

#[test]
fn what_is_told_of_runs_is_so_for_all_interleavings() {
    // The first cases are always the same, so that all kinds are among them however fast the machine is.
    let mut counted = Counted::default();
    let mut random = Random::new(7);
    for _ in 0..60 {
        let bytes: Vec<u8> = (0..512).map(|_| random.below(256) as u8).collect();
        compare(&mut Unstructured::new(&bytes), &mut counted).unwrap();
    }
    let enough = counted.kept > 5 && counted.broken > 5 && counted.forever > 2;
    assert!(enough && counted.refused > 200, "{counted:?}");
    quotient_trial::trial(|u| compare(u, &mut counted))
        .size_min(512)
        .budget_ms(1_500);
}
