//! Searches where some steps stand for all, against those that take all.

use quotient_core::{Budget, Source};
use quotient_language::NoFiles;

use crate::alone::Alone;
use crate::compile;
use crate::question::{Asked, questions};
use crate::search::{Verdict, runs, safety};
use crate::space::Mode;

/// Processes with own steps and channels that they are given, in a ring or shared.
fn random_program(seed: u64) -> String {
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut below = |most: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % most
    };
    let capacity = |number: u64| match number {
        0 => 0,
        one => 1 + one % 2,
    };
    let mut text = format!(
        "byte x, y; chan c = [{}] of {{ byte }}; chan d = [{}] of {{ byte }}; chan e = [1] of {{ byte }};\n",
        capacity(below(4)),
        capacity(below(4)),
    );
    let types = 2 + below(2);
    for process in 0..types {
        let mut body = String::new();
        for _ in 0..2 + below(3) {
            let mut basic = || match below(16) {
                0 => "x = (x + 1) % 3".to_owned(),
                1 => "y = z".to_owned(),
                2 => "x == 1".to_owned(),
                3 | 4 => format!("out!{}", below(2)),
                5 | 6 => "inp?z".to_owned(),
                7 => "e!z".to_owned(),
                8 => "e?z".to_owned(),
                9 => "z == 0".to_owned(),
                10 => format!("len(inp) == {}", below(2)),
                11 | 12 => "z = 1 - z".to_owned(),
                13 => "out!z".to_owned(),
                14 => "assert(x + z < 3)".to_owned(),
                _ => "w = z".to_owned(),
            };
            let (one, two, three) = (basic(), basic(), basic());
            body += &match below(11) {
                0 => format!("if :: {one}; {two} :: {three} fi; "),
                1 => format!("if :: {one} :: else -> {three} fi; "),
                2 => format!("atomic {{ {one}; {two} }}; "),
                3 => format!("do :: {one}; {two} :: {three} -> break od; "),
                4 if below(3) == 0 => format!("{{ {one}; {two} }} unless {{ x == 2; {three} }}; "),
                5 if below(2) == 0 => format!("if :: {one} -> {two} :: timeout -> {three} fi; "),
                6 => "if :: inp?0 -> z = 0 :: inp?1 -> z = 1 fi; ".to_owned(),
                7 => "if :: z == 0 -> w = 1 :: else -> w = 0 fi; ".to_owned(),
                8 => "z = 1; w = z; z = 0; ".to_owned(),
                _ => format!("{one}; {two}; "),
            };
        }
        let (begin, end) = match below(2) {
            0 => ("do :: ", " od"),
            _ => ("", ""),
        };
        text += &format!(
            "proctype p{process}(chan inp, out) {{ byte z, w; {begin}{body} x = z{end} }}\n"
        );
    }
    let mut begins = String::new();
    for process in 0..types {
        let (inp, out) = [("c", "d"), ("d", "c"), ("c", "e"), ("e", "e")][below(4) as usize];
        begins += &format!("run p{process}({inp}, {out}); ");
    }
    text += &format!("init {{ atomic {{ {begins} }} }}\n");
    text + "ltl one { []<> (x == 1) } ltl two { [] (x == 0 -> <> (y == 1)) } ltl three { (y == 0) U (x == 1) } ltl four { <>[] (x < 2) }"
}

#[test]
fn steps_that_stand_for_all_give_the_same_answers() {
    let budget = Budget::unlimited();
    let mode = Mode::default();
    let (mut fewer, mut compared) = (0, 0);
    for seed in 0..160 {
        let text = random_program(seed);
        let source = Source::new("t.pml", text.as_str());
        let compiled = compile::read(&source, &mut NoFiles, &[]).ok().unwrap();
        let program = &compiled.program;
        if Alone::of(program, false, &[]).is_none() {
            continue;
        }
        // Each thing that is looked for ends a search by itself.
        for wanted in [(true, false), (false, true)] {
            let share = budget.child_with_work(30_000);
            let all = safety(program, mode, wanted, usize::MAX, &share);
            if all.stop.is_some() {
                continue;
            }
            let few = safety(program, mode, wanted, 0, &budget);
            assert!(few.reduced);
            match wanted.0 {
                true => assert_eq!(few.failed.is_some(), all.failed.is_some(), "{text}"),
                false => assert_eq!(few.stuck.is_some(), all.stuck.is_some(), "{text}"),
            }
            if all.failed.is_none() && all.stuck.is_none() {
                assert_eq!(few.visited, all.visited, "{text}");
            }
            assert!(few.states <= all.states || few.failed.is_some() || few.stuck.is_some());
            fewer += usize::from(few.states < all.states);
        }
        for question in questions(program) {
            let Asked::Runs {
                claim,
                formula,
                atoms,
            } = &question.asked
            else {
                continue;
            };
            let asked = (*claim, formula, &atoms[..]);
            let share = budget.child_with_work(30_000);
            let Ok(all) = runs(program, mode, asked, 0, usize::MAX, &share) else {
                continue;
            };
            let Ok(few) = runs(program, mode, asked, 0, 0, &budget) else {
                panic!("no answer: {text}");
            };
            let holds = |verdict: &Verdict| matches!(verdict, Verdict::Holds { .. });
            assert_eq!(holds(&few), holds(&all), "{} of\n{text}", question.name);
            compared += 1;
        }
    }
    assert!(fewer > 10 && compared > 100, "{fewer} {compared}");
}

#[test]
fn a_ring_of_messages_needs_few_states() {
    let text = "
        chan q[3] = [3] of { byte };
        proctype node(chan inp, out; byte me) {
            byte got, best = me; byte n;
            out!me;
            do
            :: n < 2 -> inp?got; if :: got > best -> best = got :: else -> skip fi; out!best; n = n + 1
            :: n == 2 -> break
            od;
            assert(best == 3)
        }
        init { atomic { run node(q[0], q[1], 1); run node(q[1], q[2], 2); run node(q[2], q[0], 3) } }";
    let source = Source::new("t.pml", text);
    let compiled = compile::read(&source, &mut NoFiles, &[]).ok().unwrap();
    let search = |plain| {
        let wanted = (true, true);
        let budget = Budget::unlimited();
        safety(&compiled.program, Mode::default(), wanted, plain, &budget)
    };
    let (all, few) = (search(usize::MAX), search(0));
    assert!(all.failed.is_none() && few.failed.is_none());
    assert!(few.states * 5 < all.states, "{} {}", few.states, all.states);
}
