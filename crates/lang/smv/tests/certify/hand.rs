//! Forgeries by hand for the rules that nothing else notices, each refused by one rule, with what
//! must be accepted beside it.

use super::*;
use quotient_states::{Barrier, StateSet};

/// From 0 to 1 or not; from 1 to 2, and there it stays.
const STEPS: &str = "MODULE main VAR x : 0..3; ASSIGN init(x) := 0;
    next(x) := case x = 0 : {0, 1}; x = 1 : 2; TRUE : x; esac;";

/// The states from 2 on, and from 1 on, of the sets below.
const FROM_TWO: u32 = 2;
const FROM_ONE: u32 = 4;

fn barrier(states: &[&str], back_to: Option<usize>, root: u32) -> Evidence {
    let run = RunEvidence {
        variables: vec!["x".to_owned()],
        states: states.iter().map(|&one| vec![one.to_owned()]).collect(),
        back_to,
    };
    let set = StateSet {
        variables: vec!["x".to_owned()],
        nodes: vec![(0, 1, 0, 1), (0, 0, 0, 2)],
        root,
    };
    Evidence::of_violated(Barrier::KIND, &Barrier { run, set })
}

#[test]
fn a_barrier_stands_where_a_run_of_the_model_ends() {
    let file = read(&format!(
        "{STEPS} SPEC AG EF x = 0 SPEC EF x = 2 LTLSPEC G F x = 0"
    ));
    let program = file.program();
    let real = barrier(&["0", "1", "2"], Some(2), FROM_TWO);
    assert!(certify(program, 0, &real).is_ok());
    // The set may begin earlier than the run ends.
    let early = barrier(&["0", "1", "2"], Some(2), FROM_ONE);
    assert!(certify(program, 0, &early).is_ok());
    // It holds in the first state that 2 can come: the set is left, or does not have the state.
    let below_two = FROM_TWO ^ 1;
    for (root, why) in [(below_two, "leaves the set"), (1, "is outside of the set")] {
        let told = refused(program, 1, &barrier(&["0"], Some(0), root));
        assert!(told.contains(why), "{told}");
    }
    let told = refused(program, 1, &barrier(&["0"], Some(0), 0));
    assert!(told.contains("state of the set violates"), "{told}");
    for (states, back_to, why) in [
        (&[][..], None, "no state"),
        (&["2"][..], Some(0), "not initial"),
        (&["0", "2"][..], Some(1), "no such step from state 1"),
        (&["0", "1", "2"][..], Some(0), "no such step from state 3"),
        (&["0", "1", "2"][..], Some(3), "not there"),
        (&["0", "1", "4"][..], Some(2), "no value"),
    ] {
        let told = refused(program, 0, &barrier(states, back_to, FROM_TWO));
        assert!(told.contains(why), "{told}");
    }
    assert!(refused(program, 2, &real).contains("branching time"));
}

#[test]
fn a_barrier_on_a_path_that_is_not_fair_shows_nothing() {
    let file = read(&format!("{STEPS} FAIRNESS x = 0 SPEC AG EF x = 0"));
    let program = file.program();
    let unfair = barrier(&["0", "1", "2"], Some(2), FROM_TWO);
    assert!(refused(program, 0, &unfair).contains("fairness"));
    let prefix = barrier(&["0", "1", "2"], None, FROM_TWO);
    assert!(undecided(program, 0, &prefix));
}

#[test]
fn a_barrier_rules_out_one_thing_and_only_in_the_last_state() {
    let file = read(&format!(
        "{STEPS} SPEC EF x = 2 | EF x = 3 SPEC AG (x = 0 -> EF x = 2) SPEC AG !(x = 2 & EF x = 2)
         SPEC AG E [x < 2 U x = 0]"
    ));
    let program = file.program();
    // 3 does not come, but 2 does; and where the run ends nothing is asked for.
    assert!(undecided(program, 0, &barrier(&["0"], Some(0), 0)));
    let end = barrier(&["0", "1", "2"], Some(2), FROM_TWO);
    assert!(undecided(program, 1, &end));
    // This is violated, but no set shows it.
    assert!(
        certify(program, 2, &end).is_ok(),
        "by looking at all states"
    );
    // Through what is asked for until then, nothing leads back.
    for (states, root, accepted) in [
        (&["0", "1"][..], FROM_ONE, true),
        (&["0", "1", "2"][..], FROM_TWO, true),
        (&["0", "1"][..], FROM_TWO, false),
    ] {
        let shown = certify(program, 3, &barrier(states, None, root)).is_ok();
        assert_eq!(shown, accepted, "{states:?} {root}");
    }
}

/// `4 / x` has no value where `x` is 0, so neither has what is said of it.
#[test]
fn what_has_no_value_is_neither_true_nor_false() {
    let text = "MODULE main VAR x : 0..2; y : boolean;
        ASSIGN init(x) := 0; next(x) := (x + 1) mod 3;";
    let round = run("x y", &["0 TRUE", "1 TRUE", "2 TRUE"], Some(0));
    for formula in [
        "EG 4 / x != 7",
        "AG EX 4 / x != 7",
        "EX y & EG !(4 / x = 7)",
    ] {
        let file = read(&format!("{text} SPEC {formula}"));
        assert!(undecided(file.program(), 0, &round), "{formula}");
    }
    // The same of a constraint on steps: without a value it forbids a step, or does not.
    let file = read(&format!("{text} TRANS 4 / x != 7 SPEC EX EX y & EX EX !y"));
    let start = run("x y", &["0 TRUE"], None);
    assert!(undecided(file.program(), 0, &start));
    // Where everything has a value, all states are looked at.
    let file = read(&format!(
        "{text} SPEC EG 4 / (x + 1) != 4 SPEC EX EG y & EX EG !y"
    ));
    assert!(certify(file.program(), 0, &round).is_ok());
    assert!(undecided(file.program(), 1, &round));
}

fn told_run(variables: &[&str], states: &[&[&str]]) -> Evidence {
    let texts = |all: &[&str]| all.iter().map(|&one| one.to_owned()).collect::<Vec<_>>();
    let run = RunEvidence {
        variables: texts(variables),
        states: states.iter().map(|state| texts(state)).collect(),
        back_to: None,
    };
    Evidence::of_violated(RUN_KIND, &run)
}

#[test]
fn a_run_keeps_what_is_always_so_and_what_never_changes() {
    let file = read(
        "MODULE main VAR x : 0..3; FROZENVAR f : boolean; INIT x = 0 & !f INVAR x != 2
         TRANS next(x) >= x INVARSPEC x != 2 INVARSPEC !(x = 1 & f) INVARSPEC x != 3",
    );
    let program = file.program();
    let run = |states: &[&[&str]]| told_run(&["x", "f"], states);
    let real = run(&[&["0", "FALSE"], &["3", "FALSE"]]);
    assert!(certify(program, 2, &real).is_ok());
    let kept_out = run(&[&["0", "FALSE"], &["2", "FALSE"]]);
    let told = refused(program, 0, &kept_out);
    assert!(told.contains("violates an invariant"), "{told}");
    let thawed = run(&[&["0", "FALSE"], &["1", "TRUE"]]);
    let told = refused(program, 1, &thawed);
    assert!(told.contains("no such step"), "{told}");
}
