//! What is proved for every number of processors, against runs of many numbers.

use quotient_core::{Context, Source, Verdict};
use quotient_language::Ask;
use quotient_trial::arbitrary::Unstructured;
use quotient_trial::{arbitrary, trial};

use super::{instance, proved};
use crate::program::Kind;
use crate::read;
use crate::run::run;

const GROUPS: [&str; 3] = ["W", "A|B", "B|W"];

fn statement(u: &mut Unstructured<'_>, depth: usize) -> arbitrary::Result<String> {
    let inner = |u: &mut Unstructured<'_>| statement(u, depth - 1);
    Ok(match u.int_in_range(0..=if depth == 0 { 3 } else { 9 })? {
        0 | 1 => format!("bsp_sync {}", u.choose(&GROUPS)?),
        2 => format!(
            "r := {}",
            u.choose(&["pid", "2", "r + 1", "bsp_nmsg 0", "nprocs"])?
        ),
        3 => "bsp_put W 0 r r".to_owned(),
        4 | 5 => format!("({}; {})", inner(u)?, inner(u)?),
        6 | 7 => format!(
            "(if {} then {} else {})",
            condition(u)?,
            inner(u)?,
            inner(u)?
        ),
        8 => format!(
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
            "processors 2..\ngroup A = 0, 1\ngroup B = 1..\nrun\nlet r = ref 1 in bsp_push W r;\n{statement};\nr\n"
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
    .budget_ms(4_000);
    assert!(
        proofs > 0 && stuck > 0,
        "{proofs} proofs, {stuck} deadlocks"
    );
}
