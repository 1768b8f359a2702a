use quotient_core::{Budget, Source};

use super::*;
use crate::circuit::tests::random_event;
use crate::random::pure_program;
use crate::tests::program;

fn edges(text: &str) -> Vec<(usize, usize, String)> {
    let program = program(text);
    let machine = Machine::of(&program, &Budget::unlimited())
        .unwrap()
        .unwrap();
    let graph = machine
        .picture(&program, &Source::new("t.strl", text))
        .unwrap();
    let edges = graph.edges.iter();
    edges
        .map(|one| (one.source, one.target, one.label.clone()))
        .collect()
}

#[test]
fn abro_has_the_five_states_of_the_textbook() {
    let edges = edges(
        "module ABRO: input A, B, R; output O; loop [ await A || await B ]; emit O each R end module",
    );
    let shown: Vec<String> = edges
        .iter()
        .map(|(from, to, label)| format!("{from} {to} {label}"))
        .collect();
    assert_eq!(
        shown,
        [
            "0 1 any",
            "1 2 A, not B, not R",
            "1 3 not A, B, not R",
            "1 4 A, B, not R / O",
            "2 1 R",
            "2 4 B, not R / O",
            "3 1 R",
            "3 4 A, not R / O",
            "4 1 R",
        ]
    );
}

#[test]
fn what_the_environment_promises_shortens_the_words() {
    let text =
        "module M: input A, B; relation A # B; output O; loop await A; emit O end end module";
    assert!(edges(text).contains(&(1, 1, "A / O".to_owned())));
}

#[test]
fn a_program_that_ends_has_a_last_state() {
    let program = program("module M: input A; output O; await A; emit O end module");
    let machine = Machine::of(&program, &Budget::unlimited())
        .unwrap()
        .unwrap();
    assert_eq!(machine.over, [false, false, true]);
}

#[test]
fn the_machine_answers_as_the_interpreter_on_random_programs() {
    let mut machines = 0;
    quotient_trial::trial(|u| {
        let text = pure_program(u)?;
        let source = Source::new("t.strl", &text);
        let Ok(program) =
            crate::expand::expand(&source, &crate::parse::parse(&source).unwrap(), None, &[])
        else {
            return Ok(());
        };
        let budget = Budget::unlimited();
        let Some(machine) = Machine::of(&program, &budget).unwrap() else {
            return Ok(());
        };
        machines += 1;
        let (mut at, mut state) = (0, State::new(&program).unwrap());
        for _ in 0..10 {
            let event = random_event(&program, u);
            let set = machine.inputs.iter().enumerate();
            let set: u32 = set
                .map(|(at, id)| u32::from(event.contains_key(id)) << at)
                .sum();
            let reaction = state.react(&program, &event, &budget).unwrap();
            let (shown, to) = machine.replies[at][set as usize].clone().unwrap();
            let outputs: Vec<bool> = program.outputs().map(|id| reaction.present[id]).collect();
            assert_eq!(shown, outputs, "{text}");
            assert_eq!(machine.over[to], state.is_over(), "{text}");
            at = to;
        }
        Ok(())
    })
    .budget_ms(4_000);
    assert!(machines > 0, "{machines}");
}

#[test]
fn a_cover_has_what_it_must_and_nothing_that_it_must_not() {
    quotient_trial::trial(|u| {
        let inputs = u.int_in_range(0..=4_usize)?;
        let kinds: Vec<u8> = (0..1 << inputs)
            .map(|_| u.int_in_range(0..=2))
            .collect::<Result<_, _>>()?;
        let of = |kind: u8| {
            (0..1_u32 << inputs)
                .filter(|&set| kinds[set as usize] == kind)
                .collect::<Vec<_>>()
        };
        let cubes = cover(&of(0), &of(1), inputs);
        for set in 0..1_u32 << inputs {
            let has = cubes.iter().any(|cube| cube.has(set));
            match kinds[set as usize] {
                0 => assert!(has),
                2 => assert!(!has),
                _ => {}
            }
        }
        Ok(())
    })
    .budget_ms(1_000);
}
