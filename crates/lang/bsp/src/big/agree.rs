//! All semantics agree.

use quotient_core::{Budget, Source};
use quotient_trial::arbitrary::{Result as Made, Unstructured};

use super::{Rule, all_ends, big_step};
use crate::machine::Local;
use crate::program::{Kind, Program, Value};
use crate::read::read;
use crate::run::run;

fn program(text: &str) -> Program {
    read(&Source::new("p.bsp", text), None).unwrap_or_else(|wrong| panic!("{wrong:?}\n{text}"))
}

#[test]
fn the_rule_to_the_letter_gets_stuck_where_the_repaired_one_goes_on() {
    let text = include_str!("../../gallery/subgroups.bsp");
    let program = program(text);
    let (kind, _, values) = big_step(&program, Rule::AllSub);
    assert_eq!(
        (kind, values),
        (Kind::Done, [10, 10, 100, 100].map(Value::Int).to_vec())
    );
    for rule in [Rule::DiamondFirst, Rule::DiamondLast] {
        assert_eq!(big_step(&program, rule).0, Kind::Done);
    }
    assert_eq!(
        big_step(&program, Rule::AllSubToTheLetter).0,
        Kind::Deadlock
    );
}

#[test]
fn all_interleavings_of_three_processors_have_one_end() {
    let text = "processors 3\ngroup A = 0\ngroup B = 1, 2\nrun\nlet x = ref (10 * pid) in\n\
        if pid > 0 then (bsp_send B x (3 - pid); bsp_sync B; x := x + bsp_findmsg (3 - pid) 0;\n\
        bsp_send B x (3 - pid); bsp_sync B; x := x + bsp_findmsg (3 - pid) 0) else bsp_sync A;\n\
        bsp_sync W; x";
    let program = program(text);
    let (ends, states, complete) = all_ends(&program, 400_000);
    assert!(complete && states > 1000);
    let [end] = &ends[..] else {
        panic!("{} ends", ends.len())
    };
    let values: Vec<&Value> = end.iter().filter_map(Local::value).collect();
    assert_eq!(values, [&Value::Int(0), &Value::Int(60), &Value::Int(60)]);
    assert_eq!(run(&program, &Budget::unlimited()).unwrap().locals, *end);
}

fn statement(u: &mut Unstructured<'_>, depth: u32, processors: usize) -> Made<String> {
    let group = *match processors {
        2 => u.choose(&["W", "A"])?,
        _ => u.choose(&["W", "A", "B"])?,
    };
    let other = *u.choose(&["0", "1", "(1 - pid)", "pid"])?;
    Ok(match u.int_in_range(0..=if depth == 0 { 7 } else { 12 })? {
        0 | 1 => format!("bsp_sync {group}"),
        2 => format!("bsp_send {group} x {other}"),
        3 => "x := x + 1".to_owned(),
        4 => format!("y := bsp_nmsg {other}"),
        5 => format!("x := bsp_findmsg {other} 0"),
        6 => format!("bsp_put {group} {other} x y"),
        7 => format!("bsp_push {group} y; bsp_get {group} {other} y x"),
        8 => {
            let (a, b) = (
                block(u, depth - 1, processors)?,
                block(u, depth - 1, processors)?,
            );
            let test = *u.choose(&["pid = 0", "x < 2", "y = 0", "x = pid"])?;
            format!("if {test} then ({a}) else ({b})")
        }
        9 => {
            let (a, b) = (
                block(u, depth - 1, processors)?,
                block(u, depth - 1, processors)?,
            );
            format!("try ({a}; raise (E x)) with E z -> y := z; {b} end")
        }
        10 => format!(
            "while x < 3 do ({}; x := x + 1) done",
            block(u, depth - 1, processors)?
        ),
        11 => format!(
            "(let f = fun z -> ({}; x := z) in f (x + 1))",
            block(u, depth - 1, processors)?
        ),
        _ => match u.ratio(1, 3)? {
            true => format!("loop ({})", block(u, depth - 1, processors)?),
            false => "raise (F 1)".to_owned(),
        },
    })
}

fn block(u: &mut Unstructured<'_>, depth: u32, processors: usize) -> Made<String> {
    let mut all = Vec::new();
    for _ in 0..u.int_in_range(1..=3)? {
        all.push(statement(u, depth, processors)?);
    }
    Ok(all.join("; "))
}

fn random(u: &mut Unstructured<'_>, depth: u32) -> Made<String> {
    let processors = u.int_in_range(2..=3)?;
    let groups = match processors {
        2 => "group A = 0, 1\n",
        _ => "group A = 0, 1\ngroup B = 1, 2\n",
    };
    let body = block(u, depth, processors)?;
    Ok(format!(
        "processors {processors}\n{groups}run\nlet x = ref pid in let y = ref 0 in {body}; x"
    ))
}

/// A function that calls itself, with barriers and exceptions in its calls.
fn calls_itself(u: &mut Unstructured<'_>) -> Made<String> {
    let (before, after) = (block(u, 0, 2)?, block(u, 0, 2)?);
    let last = *u.choose(&["y := y + m + n", "raise (E m)", "if pid = 0 then r (n + 2)"])?;
    Ok(format!(
        "processors 2\ngroup A = 0, 1\nrun\nlet x = ref pid in let y = ref 0 in let r = ref 0 in\n\
         r := (fun n -> let m = ref (10 * n) in {before}; (if n < 2 then\n\
         try r (n + 1) with E e -> x := x + e + m end else void); {after}; {last});\n\
         (try r 0 with E e -> y := e end); x"
    ))
}

/// Something that calls functions, and keeps them.
fn calling(u: &mut Unstructured<'_>) -> Made<String> {
    let calls = [
        "y := f (x + 1)",
        "y := g x 2",
        "k := g y",
        "y := k 3",
        "x := r 1",
        "(let p = g 5 in k := (fun c -> p (c + y)))",
        "(let p = g 5 in let q = p in y := p 1 + q x)",
        "(try x := r 2 with E e -> y := e end)",
        "(try y := (fun a -> fun b -> raise (E (a + b))) 1 x with E e -> y := e end)",
        "(while x < 3 do ((let w = x in k := (fun c -> c + w)); x := x + 1) done)",
        "(let c = f in y := c (c 1))",
        "(k := (fun c -> (let d = c + y in fun e -> d + e) 4); y := k 1)",
    ];
    match u.int_in_range(0..=3)? {
        0 => statement(u, 0, 2),
        1 if u.ratio(1, 8)? => Ok(u
            .choose(&[
                "bsp_send W k 0",
                "bsp_put W 0 k y",
                "bsp_push W k; bsp_get W 0 k y",
            ])?
            .to_string()),
        2 if u.ratio(1, 4)? => Ok(format!("(if pid = 0 then {})", u.choose(&calls)?)),
        _ => Ok(u.choose(&calls)?.to_string()),
    }
}

/// Functions that call functions, functions of several arguments, and variables of a call that are used from afar.
fn functions(u: &mut Unstructured<'_>) -> Made<String> {
    let mut leaf = Vec::new();
    for _ in 0..u.int_in_range(1..=4)? {
        let other = *u.choose(&["0", "1", "(1 - pid)"])?;
        leaf.push(match u.int_in_range(0..=7)? {
            0 => "bsp_push W m".to_owned(),
            1 => "bsp_pop W m".to_owned(),
            2 | 3 => "bsp_sync W".to_owned(),
            4 => format!("bsp_get W {other} m m"),
            5 => format!("bsp_put W {other} x m"),
            6 => format!("bsp_push W y; bsp_sync W; bsp_get W {other} y m"),
            _ => statement(u, 0, 2)?,
        });
    }
    let leaf = leaf.join("; ");
    let inner = statement(u, 0, 2)?;
    let (before, after) = (calling(u)?, calling(u)?);
    let mut body = Vec::new();
    for _ in 0..u.int_in_range(1..=4)? {
        body.push(calling(u)?);
    }
    let body = body.join("; ");
    let result = *u.choose(&["p (q 1)", "p n", "raise (E (q n))", "(k := p; n)"])?;
    Ok(format!(
        "processors 2\ngroup A = 0, 1\nrun\n\
         let x = ref pid in let y = ref 0 in let k = ref (fun z -> z) in let r = ref k in\n\
         let f = fun a -> (let m = ref (a + 1) in {leaf}; m) in\n\
         let g = fun a -> fun b -> ({inner}; a + b + x) in\n\
         r := (fun n -> if n < 1 then n else (let p = g n in let q = g (n + 1) in\n\
         {before}; y := r (n - 1); {after}; {result}));\n{body}; x"
    ))
}

/// The big steps are taken by recursion.
#[test]
fn every_semantics_agrees() {
    let test = std::thread::Builder::new().stack_size(256 << 20);
    let test = test.spawn(compare_semantics).unwrap();
    if let Err(failed) = test.join() {
        std::panic::resume_unwind(failed);
    }
}

fn compare_semantics() {
    let mut ends = std::collections::BTreeMap::<String, usize>::new();
    quotient_trial::trial(|u| {
        let text = match u.int_in_range(0..=3)? {
            0 => calls_itself(u)?,
            1 => functions(u)?,
            _ => random(u, 2)?,
        };
        let program = program(&text);
        let budget = Budget::unlimited().child_with_work(20_000);
        let Ok(ended) = run(&program, &budget) else {
            return Ok(());
        };
        for rule in [Rule::DiamondFirst, Rule::DiamondLast, Rule::AllSub] {
            let (kind, variables, values) = big_step(&program, rule);
            assert_eq!(kind, ended.kind, "{rule:?}\n{text}");
            if kind == Kind::Done {
                let own = ended
                    .locals
                    .iter()
                    .map(|local| local.environment.variables.clone());
                assert!(own.eq(variables), "{rule:?}\n{text}");
                let own = ended
                    .locals
                    .iter()
                    .filter_map(|local| local.value().cloned());
                assert!(own.eq(values), "{rule:?}\n{text}");
            }
        }
        let replayed = crate::certify::replay(&program, &ended.run, &Budget::unlimited());
        assert_eq!(replayed.unwrap().0, ended.kind, "{text}");
        if text.contains("let f = fun a") {
            *ends.entry(format!("{:?}", ended.kind)).or_default() += 1;
        }
        Ok(())
    })
    .budget_ms(4_000);
    assert!(ends.len() >= 3, "programs with functions end: {ends:?}");
}

#[test]
fn one_order_stands_for_all_interleavings() {
    quotient_trial::trial(|u| {
        let text = random(u, 1)?;
        let program = program(&text);
        let budget = Budget::unlimited().child_with_work(5_000);
        let Ok(ended) = run(&program, &budget) else {
            return Ok(());
        };
        let (ends, _, complete) = all_ends(&program, 20_000);
        if !complete {
            return Ok(());
        }
        match ended.kind {
            Kind::Done | Kind::Deadlock => assert_eq!(ends, [ended.locals], "{text}"),
            Kind::Diverges => assert!(ends.is_empty(), "{text}"),
            Kind::Fault => {
                for end in &ends {
                    assert!(end.iter().any(|local| local.fault().is_some()), "{text}");
                }
            }
        }
        Ok(())
    })
    .budget_ms(4_000);
}
