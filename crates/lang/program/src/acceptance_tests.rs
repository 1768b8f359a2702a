//! What the acceptance cases of the literature say of unconfirmed counterexamples, of a shade that writes, and of
//! runs without parameters; the others are among the tests of the spotlight.

use quotient_core::{Attempt, Context, Method, run};

use crate::abstraction::{Abstraction, Place, Value};
use crate::program::Program;
use crate::refine::{Alarm, Spotting};
use crate::tests::{FLAGS, LOOP, predicates, program};

/// The first answer of a spotlight, which is unknown, with the abstraction.
fn unknown(of: &Program, processes: &[usize], texts: &[&str]) -> (Alarm, Abstraction) {
    let chosen = predicates(of, texts);
    let mut spotting = Spotting::new(of, &of.checks[0], false)
        .unwrap()
        .with_spotlight(processes, &chosen);
    match spotting.attempt(&mut Context::default()).unwrap() {
        Attempt::FalseAlarm(alarm) => (alarm, spotting.last.take().unwrap()),
        _ => panic!("this is unknown"),
    }
}

/// The places that a counterexample goes through, without those where it rests.
fn visited(alarm: &Alarm) -> Vec<usize> {
    let mut places: Vec<usize> = alarm.path.steps.iter().map(|(place, _)| *place).collect();
    places.push(alarm.path.end);
    places.dedup();
    places
}

/// Case E1: the loop may be left for an end without progress, or never.
#[test]
fn a_lasso_through_unknown_branches_is_not_confirmed() {
    let of = program(LOOP);
    let (alarm, abstraction) = unknown(&of, &[0], &["v1 > 0"]);
    let back = alarm.path.back.expect("it goes on for ever");
    let steps = &alarm.path.steps;
    let location = |place: usize| abstraction.places[place].locations[0];
    let all: Vec<usize> = visited(&alarm).into_iter().map(location).collect();
    let round: Vec<usize> = steps[back..].iter().map(|(at, _)| location(*at)).collect();
    assert_eq!(all[..2], [0, 1], "{all:?}");
    match round.contains(&1) {
        // The loop is never left.
        true => assert!(all.contains(&2) && !all.contains(&3), "{all:?}"),
        // Progress once, and then the end.
        false => assert_eq!(
            (&all[..4], round.iter().max()),
            (&[0, 1, 3, 4][..], Some(&4))
        ),
    }
}

/// Case E3: six states, the last with both flags unknown.
#[test]
fn the_shortest_way_to_both_flags_has_six_states() {
    let of = program(FLAGS);
    let (alarm, abstraction) = unknown(&of, &[0, 1], &["flag1", "flag2", "init"]);
    let places = visited(&alarm);
    assert_eq!((places.len(), alarm.path.back), (6, None));
    let last = &abstraction.places[places[5]];
    assert_eq!(last.locations, [2, 3]);
    assert_eq!(last.values, [Value::UNKNOWN, Value::UNKNOWN, Value::TRUE]);
}

/// Case E6: a flag that the shade writes is unknown throughout. (Told from the start it makes no states of its own: twelve
/// instead of the nineteen where the shade takes steps.) The same two states may have both.
#[test]
fn a_flag_that_the_shade_writes_is_unknown_throughout() {
    let text = FLAGS.replace("v1 + v2 > v3", "any");
    let of = program(&format!("{text}process P3 {{ flag1 := true; }}\n"));
    let (_, abstraction) = unknown(&of, &[0, 1], &["flag1", "flag2", "init"]);
    assert_eq!(abstraction.places.len(), 12);
    let unknown = |place: &Place| place.values[0] == Value::UNKNOWN;
    assert!(abstraction.places.iter().all(unknown));
    let both = |place: &&Place| place.values[..2].iter().all(|value| value.may != 0);
    let mut ends: Vec<_> = abstraction.places.iter().filter(both).collect();
    ends.sort_by_key(|place| place.locations.clone());
    let ends: Vec<_> = ends
        .iter()
        .map(|one| (&one.locations[..], &one.values[..]))
        .collect();
    let values = &[Value::UNKNOWN, Value::UNKNOWN, Value::TRUE][..];
    assert_eq!(ends, [(&[2, 3][..], values), (&[3, 3], values)]);
}

/// Case E8 without parameters: the more loops, the more processes enter the spotlight.
#[test]
fn without_parameters_independent_loops_need_the_processes_that_write() {
    let mut sizes = Vec::new();
    for loops in 1..=3usize {
        let numbers = || 1..=loops;
        let names: Vec<String> = numbers().map(|one| format!("v{one} = 0")).collect();
        let body: String = numbers()
            .map(|one| format!("while (v{one} > 0) {{ skip; }} "))
            .collect();
        let writes: String = numbers()
            .map(|one| format!("process W{one} {{ while (true) {{ v{one} := any; }} }}\n"))
            .collect();
        let of = program(&format!(
            "shared int {}; process P {{ progress: skip; {body} while (true) {{ skip; }} }}\n{writes}\
             check live: G F (P at progress)",
            names.join(", ")
        ));
        let texts: Vec<String> = numbers().map(|one| format!("v{one} > 0")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let mut spotting = Spotting::new(&of, &of.checks[0], false)
            .unwrap()
            .with_spotlight(&[0], &predicates(&of, &texts));
        let mut cx = Context::default();
        cx.limits.refinements = Some(8);
        run(&mut spotting, &mut cx);
        assert_eq!(spotting.introduced, 0);
        sizes.push(spotting.spotlight.processes.len());
    }
    assert!(sizes.is_sorted_by(|one, other| one < other), "{sizes:?}");
}
