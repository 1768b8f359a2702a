//! Path formulas in which operators stand inside each other, conditions, and averages of
//! decision processes.

use crate::common::{Asked, check, trouble};

const WALK: &str = "dtmc module m x:[0..4] init 1;
  [] x=0 -> 0.5:(x'=1) + 0.5:(x'=3);
  [] x=1 -> 0.5:(x'=0) + 0.5:(x'=2);
  [] x=2 -> 0.25:(x'=1) + 0.75:(x'=4);
  [] x>2 -> true;
endmodule";

fn value(text: &str, property: &str, expected: f64) {
    check(text, &Asked::property(property)).has_value(expected, 1e-6);
}

#[test]
fn operators_may_stand_inside_each_other() {
    // From 1: to 3 through 0, or to 4 through 2; both return to 1 otherwise.
    let four = 0.5 * 0.75 / (1.0 - 0.25 - 0.125);
    value(WALK, "P=? [ F x=4 ]", four);
    value(WALK, "P=? [ F (x=2 & (X x=4)) ]", four);
    value(WALK, "P=? [ (F x=4) & (F x=3) ]", 0.0);
    value(WALK, "P=? [ (F x=4) | (F x=3) ]", 1.0);
    value(
        WALK,
        "P=? [ G (x=2 => (X x=4)) ]",
        0.5 * 0.75 / 0.75 + 0.5 * 0.5 / 0.75,
    );
    value(
        WALK,
        "P=? [ F (x=0 & (F x=4)) ]",
        0.5 * 0.5 * four + 0.125 * (0.5 * 0.5 * four) / (1.0 - 0.125),
    );
    value(WALK, "P=? [ F G x=4 ]", four);
    value(WALK, "P=? [ X (x=2 & (X x=4)) ]", 0.375);
    value(WALK, "P=? [ (X x=2) & (F<=2 x=4) ]", 0.375);
    value(
        WALK,
        "P=? [ (G F x=4) & (F x=0) ]",
        0.5 * 0.5 * four + 0.125 * (0.5 * 0.5 * four) / (1.0 - 0.125),
    );
}

#[test]
fn a_condition_leaves_out_other_runs() {
    value(WALK, "P=? [ F x=4 || X x=2 ]", 0.75 + 0.25 * 0.6);
    value(WALK, "P=? [ X x=0 || F x=3 ]", (0.25 + 0.25 * 0.4) / 0.4);
    let said = trouble(WALK, &Asked::property("P=? [ F x=4 || X x=4 ]"));
    assert!(said.contains("no run"), "{said}");
}

const MACHINE: &str = "mdp module m x:[0..3];
  [slow] x=0 -> (x'=1);
  [fast] x=0 -> 0.5:(x'=0) + 0.5:(x'=2);
  [] x=1 -> (x'=0);
  [] x=2 -> (x'=0);
  [out] x=2 -> (x'=3);
  [] x=3 -> true;
endmodule
rewards \"work\" [fast] true : 1; x=1 : 1; x=3 : 0.25; endrewards";

#[test]
fn decision_processes_have_best_averages() {
    // Slow: half of the time at 1. Fast: two of three steps, each worth one.
    value(MACHINE, "R{\"work\"}max=? [ S ]", 2.0 / 3.0);
    value(MACHINE, "R{\"work\"}min=? [ S ]", 0.25);
    value(MACHINE, "Smax=? [ x=1 ]", 0.5);
    value(MACHINE, "Smin=? [ x=3 ]", 0.0);
    value(MACHINE, "Smax=? [ x=3 ]", 1.0);
    value(MACHINE, "LRAmax=? [ x=1 ]", 0.5);
    value(MACHINE, "LRAmin=? [ x=1 ]", 0.0);
}

#[test]
fn choices_see_what_was_before() {
    // Only a choice that remembers takes `slow` once and leaves afterwards.
    value(MACHINE, "Pmax=? [ (F x=1) & (F G x=3) ]", 1.0);
    value(MACHINE, "Pmin=? [ G F x=0 ]", 0.0);
    value(MACHINE, "Pmax=? [ G F (x=0 & (X x=1)) ]", 1.0);
    value(MACHINE, "Pmax=? [ (G F x=1) & (F G x=0) ]", 0.0);
}

#[test]
fn constants_that_no_question_needs_may_stay_open() {
    let text = format!("const int unused; {WALK}");
    let text = text.replacen("dtmc", "", 1);
    value(&format!("dtmc {text}"), "P=? [ X x=2 ]", 0.5);
}
