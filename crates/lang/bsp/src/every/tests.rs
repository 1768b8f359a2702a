//! What is proved for every number of processors, against runs of many numbers.

use quotient_core::{Context, Evidence, Source, Verdict};
use quotient_language::Ask;
use quotient_trial::arbitrary::Unstructured;
use quotient_trial::{arbitrary, trial};

use super::{instance, proved, proved_alike};
use crate::program::Kind;
use crate::read;
use crate::run::run;

const GROUPS: [&str; 3] = ["W", "A|B", "B|W"];

fn statement(u: &mut Unstructured<'_>, depth: usize) -> arbitrary::Result<String> {
    let inner = |u: &mut Unstructured<'_>| statement(u, depth - 1);
    Ok(match u.int_in_range(0..=if depth == 0 { 4 } else { 10 })? {
        0 | 1 => format!("bsp_sync {}", u.choose(&GROUPS)?),
        2 => format!(
            "r := {}",
            u.choose(&["pid", "2", "r + 1", "bsp_nmsg 0", "nprocs"])?
        ),
        3 => "bsp_put W 0 r r".to_owned(),
        4 => u
            .choose(&[
                "k := h r",
                "k := h pid",
                "k 1",
                "h 2 0",
                "k := (let s = r in fun c -> r := s)",
            ])?
            .to_string(),
        5 | 6 => format!("({}; {})", inner(u)?, inner(u)?),
        7 | 8 => format!(
            "(if {} then {} else {})",
            condition(u)?,
            inner(u)?,
            inner(u)?
        ),
        9 => format!(
            "(r := {}; while r > 0 do {}; r := r - 1 done)",
            u.int_in_range(0..=2)?,
            inner(u)?
        ),
        _ => format!(
            "(try ({}; raise (E r)) with E y -> {} end)",
            inner(u)?,
            inner(u)?
        ),
    })
}

fn condition(u: &mut Unstructured<'_>) -> arbitrary::Result<String> {
    let number = u.int_in_range(0..=3)?;
    Ok(match u.int_in_range(0..=5)? {
        0 => format!("pid = {number}"),
        1 => format!("pid < {number}"),
        2 => format!("pid >= {number}"),
        3 => format!("r <> {number}"),
        4 => "r > 0 and pid <> 1".to_owned(),
        _ => "pid mod 2 = 0".to_owned(),
    })
}

#[test]
fn what_is_proved_for_every_number_is_so_for_many() {
    let (mut proofs, mut stuck) = (0, 0);
    trial(|u| {
        let statement = statement(u, 4)?;
        let text = format!(
            "processors 2..\ngroup A = 0, 1\ngroup B = 1..\nrun\nlet r = ref 1 in bsp_push W r;\n\
             let h = fun a -> fun b -> if a = b then bsp_sync W else (r := a + b) in let k = ref (h 0) in\n{statement};\nr\n"
        );
        let source = Source::new("p.bsp", text.as_str());
        let mut program = read::read(&source, None).unwrap();
        program.questions = vec![crate::program::Asked {
            name: "no deadlock".to_owned(),
            question: crate::program::Question::NoDeadlock,
            span: None,
        }];
        let (cx, asked) = (Context::default(), program.questions[0].clone());
        let answer = proved(&source, &program, 2, &asked, &Ask::default(), &cx);
        let holds = answer.is_ok_and(|answer| answer.verdict == Verdict::Holds);
        proofs += usize::from(holds);
        for processors in 2..=7 {
            let program = instance(&source, processors).unwrap();
            let budget = cx.budget.child_with_work(20_000);
            let deadlock = run(&program, &budget).is_ok_and(|ended| ended.kind == Kind::Deadlock);
            stuck += usize::from(deadlock);
            assert!(!(holds && deadlock), "{processors} processors:\n{text}");
        }
        Ok(())
    })
    .cases(400);
    assert!(
        proofs > 0 && stuck > 0,
        "{proofs} proofs, {stuck} deadlocks"
    );
}

/// Statements that seldom fail.
fn plain(u: &mut Unstructured<'_>, depth: usize) -> arbitrary::Result<String> {
    let inner = |u: &mut Unstructured<'_>| plain(u, depth - 1);
    Ok(match u.int_in_range(0..=if depth == 0 { 4 } else { 9 })? {
        0 | 1 => format!("bsp_sync {}", u.choose(&GROUPS)?),
        2 => {
            let values = [
                "pid",
                "pid + 1",
                "(pid + 1) mod nprocs",
                "nprocs / 2",
                "r mod 3",
            ];
            format!("r := {}", u.choose(&values)?)
        }
        3 => u
            .choose(&[
                "bsp_send W r pid",
                "bsp_send W r ((pid + 1) mod nprocs)",
                "bsp_send A|B r 1",
                "r := 10 / (r - 2)",
                "raise (E 1)",
                "loop void",
                "loop bsp_sync W",
                "r := bsp_nmsg 0",
                "bsp_push W r",
            ])?
            .to_string(),
        4 => "void".to_owned(),
        5 | 6 => format!("({}; {})", inner(u)?, inner(u)?),
        7 => format!(
            "(if {} then {} else {})",
            condition(u)?,
            inner(u)?,
            inner(u)?
        ),
        8 => format!(
            "(let i = ref {} in while i > 0 do {}; i := i - 1 done)",
            u.int_in_range(0..=3)?,
            inner(u)?
        ),
        _ => format!(
            "(try ({}; raise (E r)) with E y -> {} end)",
            inner(u)?,
            inner(u)?
        ),
    })
}

#[test]
fn ends_that_are_proved_for_every_number_are_those_of_many() {
    let kinds = [Kind::Done, Kind::Deadlock, Kind::Diverges, Kind::Fault];
    let mut proofs = [0; 4];
    trial(|u| {
        let statement = plain(u, 3)?;
        let text = format!(
            "processors 2..\ngroup A = 0, 1\ngroup B = 1..\nrun\nlet r = ref 1 in {statement};\nr\n"
        );
        let source = Source::new("p.bsp", text.as_str());
        let program = read::read(&source, None).unwrap();
        let cx = Context::default();
        let ends: Vec<Kind> = (2..=7)
            .filter_map(|processors| {
                let program = instance(&source, processors).unwrap();
                let budget = cx.budget.child_with_work(20_000);
                run(&program, &budget).ok().map(|ended| ended.kind)
            })
            .collect();
        for (kind, proofs) in kinds.into_iter().zip(&mut proofs) {
            let asked = crate::program::Asked {
                name: kind.word().to_owned(),
                question: crate::program::Question::Ends(kind),
                span: None,
            };
            let answer = proved(&source, &program, 2, &asked, &Ask::default(), &cx);
            let Some(answer) = answer.ok().filter(|one| one.verdict == Verdict::Holds) else {
                continue;
            };
            *proofs += 1;
            assert!(
                ends.iter().all(|end| *end == kind),
                "{kind:?}, {ends:?}:\n{text}"
            );
            let evidence = answer.evidence.unwrap();
            let judged = |asked: &crate::program::Asked| {
                super::certify(&source, &program, 2, asked, &evidence, &cx.budget)
            };
            judged(&asked).unwrap();
            // Of another end it shows nothing.
            for other in kinds.into_iter().filter(|other| *other != kind) {
                let mut forged = asked.clone();
                forged.question = crate::program::Question::Ends(other);
                assert!(judged(&forged).is_err(), "{other:?}:\n{text}");
            }
        }
        Ok(())
    })
    .cases(300);
    assert!(proofs.iter().all(|&number| number > 0), "{proofs:?} proofs");
}

/// Statements in which processors tell their targets and senders by their own numbers.
fn relayed(u: &mut Unstructured<'_>, depth: usize) -> arbitrary::Result<String> {
    const OTHERS: [&str; 10] = [
        "((pid + 1) mod nprocs)",
        "((pid + 1) mod nprocs)",
        "((pid + nprocs - 1) mod nprocs)",
        "((pid - 1 + nprocs) mod nprocs)",
        "((pid - 1) mod nprocs)",
        "((nprocs - 1) mod nprocs)",
        "0",
        "1",
        "pid",
        "t",
    ];
    let other = *u.choose(&OTHERS)?;
    Ok(match u.int_in_range(0..=if depth == 0 { 7 } else { 9 })? {
        0..=2 => format!("bsp_send W {} {other}", u.choose(&["r", "r", "pids", "b"])?),
        3 | 4 => format!("r := bsp_findmsg {other} 0"),
        5 => format!("r := bsp_findmsg {other} {}", u.choose(&["0 + 1", "1"])?),
        6 => format!("t := {other}"),
        7 => "bsp_sync W".to_owned(),
        8 => format!(
            "(if {} then {} else {})",
            u.choose(&["pid = 0", "pid < 2", "nprocs > 2", "t = pid"])?,
            relayed(u, depth - 1)?,
            relayed(u, depth - 1)?
        ),
        _ => format!("({}; {})", relayed(u, depth - 1)?, relayed(u, depth - 1)?),
    })
}

#[test]
fn messages_that_surely_arrive_are_there_with_many_numbers() {
    let (mut proofs, mut reads) = (0, 0);
    trial(|u| {
        let least = u.int_in_range(1..=3)?;
        let sends = [relayed(u, 1)?, relayed(u, 1)?];
        let [first, second] = sends;
        let (third, fourth) = (relayed(u, 1)?, relayed(u, 1)?);
        let text = format!(
            "processors {least}..\nrun\nlet r = ref 1 in let b = ref true in let t = ref 0 in let pids = ref pid in\n\
             {first}; {second}; bsp_sync W; {third}; {fourth}; bsp_sync W; r\n"
        );
        let source = Source::new("p.bsp", text.as_str());
        let program = read::read(&source, None).unwrap();
        let asked = crate::program::Asked {
            name: "done".to_owned(),
            question: crate::program::Question::Ends(Kind::Done),
            span: None,
        };
        let cx = Context::default();
        let answer = proved(&source, &program, least, &asked, &Ask::default(), &cx);
        let Some(answer) = answer.ok().filter(|one| one.verdict == Verdict::Holds) else {
            return Ok(());
        };
        proofs += 1;
        reads += usize::from(text.contains("findmsg"));
        for processors in least..=9 {
            let program = instance(&source, processors).unwrap();
            let ended = run(&program, &cx.budget).unwrap();
            assert_eq!(ended.kind, Kind::Done, "{processors} processors:\n{text}");
        }
        let evidence = answer.evidence.unwrap();
        super::certify(&source, &program, least, &asked, &evidence, &cx.budget).unwrap();
        Ok(())
    })
    .cases(600);
    assert!(reads > 3, "{proofs} proofs, {reads} with messages");
}

/// Statements in which tests of `nprocs`, of `pid` and of what was received decide about barriers, with functions and
/// exceptions.
fn counted(u: &mut Unstructured<'_>, depth: usize) -> arbitrary::Result<String> {
    let inner = |u: &mut Unstructured<'_>| counted(u, depth - 1);
    let variable = *u.choose(&["i", "j"])?;
    Ok(match u.int_in_range(0..=if depth == 0 { 3 } else { 10 })? {
        0 | 1 => format!("bsp_sync {}", u.choose(&["W", "W", "A|B", "A|C"])?),
        2 => {
            let values = ["nprocs", "i + 1", "0", "j", "pid", "bsp_nmsg 0", "f 1"];
            format!("{variable} := {}", u.choose(&values)?)
        }
        3 => u
            .choose(&[
                "bsp_put W 0 j j",
                "bsp_get W 0 i j",
                "f pid",
                "g 0",
                "k := h i",
                "k := h pid",
                "k := (while i < 1 do ((let s = j in k := (fun c -> j := s)); i := i + 1) done; k)",
                "k 1",
                "h j 1",
            ])?
            .to_string(),
        4 | 5 => format!("({}; {})", inner(u)?, inner(u)?),
        6 => {
            let tests = ["i < nprocs", "j = 1", "pid = 0", "nprocs > 3", "i = j"];
            let test = u.choose(&tests)?;
            format!("(if {test} then {} else {})", inner(u)?, inner(u)?)
        }
        7 | 8 => format!(
            "({variable} := 0; while {variable} < {} do {}; {variable} := {variable} + 1 done)",
            u.choose(&["nprocs", "nprocs", "2", "pid"])?,
            inner(u)?
        ),
        _ => format!(
            "(try ({}; {}; {}) with E y -> {} end)",
            inner(u)?,
            u.choose(&[
                "raise (E i)",
                "if pid = 1 then raise (E 0) else void",
                "g i"
            ])?,
            inner(u)?,
            inner(u)?
        ),
    })
}

#[test]
fn where_all_come_to_the_same_barriers_nobody_gets_stuck() {
    let (mut proofs, mut loops, mut stuck) = (0, 0, 0);
    trial(|u| {
        let raises = u.choose(&[
            "raise (E x)",
            "bsp_sync W",
            "if x = 0 then raise (E 1) else void",
        ])?;
        let statement = counted(u, 4)?;
        let text = format!(
            "processors 3..\ngroup A = 0, 1\ngroup B = 2..\ngroup C = 1..\nrun\n\
             let i = ref 0 in let j = ref 1 in let f = fun x -> x + 1 in\n\
             let g = fun x -> {raises} in let h = fun a -> fun b -> if a = b then bsp_sync W else (j := a + b) in\n\
             let k = ref (h 0) in bsp_push W i; bsp_push W j;\n{statement};\ni\n"
        );
        let source = Source::new("p.bsp", text.as_str());
        let program = read::read(&source, None).unwrap();
        let asked = crate::program::Asked {
            name: "no deadlock".to_owned(),
            question: crate::program::Question::NoDeadlock,
            span: None,
        };
        let cx = Context::default();
        let answer = proved_alike(&source, &program, 3, &asked, &cx.budget).unwrap();
        proofs += usize::from(answer.is_some());
        loops += usize::from(answer.is_some() && text.contains("< nprocs do bsp_sync"));
        for processors in 3..=6 {
            let program = instance(&source, processors).unwrap();
            let budget = cx.budget.child_with_work(20_000);
            let deadlock = run(&program, &budget).is_ok_and(|ended| ended.kind == Kind::Deadlock);
            stuck += usize::from(deadlock);
            assert!(
                !(answer.is_some() && deadlock),
                "{processors} processors:\n{text}"
            );
        }
        if let Some(answer) = answer {
            let evidence = answer.evidence.unwrap();
            let judged = |evidence: &Evidence| {
                super::certify(&source, &program, 3, &asked, evidence, &cx.budget)
            };
            judged(&evidence).unwrap();
            // Of the fewest facts none can be left out.
            for list in ["variables", "raised", "carried"] {
                let facts = evidence.body[list].as_array().map_or(0, Vec::len);
                for at in 0..facts {
                    let mut fewer = evidence.clone();
                    fewer.body[list].as_array_mut().unwrap().remove(at);
                    assert!(judged(&fewer).is_err(), "{text}");
                }
            }
        }
        Ok(())
    })
    .cases(400);
    assert!(
        proofs > 20 && loops > 0 && stuck > 20,
        "{proofs} proofs, {loops} of them with a loop, {stuck} deadlocks"
    );
}
