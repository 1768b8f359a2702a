//! False bounds made by hand, each for one thing that the check demands.

use crate::common::{Asked, open};
use quotient_core::{Budget, Claim, Evidence};
use serde_json::json;

/// Stays with one half, earning one; the goal comes surely, after two steps on average.
const WAIT: &str = "dtmc
module m
  x : [0..1] init 0;
  [] x=0 -> 1/2:(x'=0) + 1/2:(x'=1);
  [] x=1 -> true;
endmodule
rewards x=0 : 1; endrewards";

/// The same, but half of what leaves comes to where nothing happens any more.
const TRAP: &str = "dtmc
module m
  x : [0..2] init 0;
  [] x=0 -> 1/2:(x'=1) + 1/2:(x'=2);
  [] x>0 -> true;
endmodule
rewards x=0 : 1; endrewards";

/// Two ways: to go, or to stay where one is.
const CHOICE: &str = "mdp
module m
  x : [0..1] init 0;
  [] x=0 -> (x'=0);
  [] x=0 -> 1/2:(x'=0) + 1/2:(x'=1);
  [] x=1 -> true;
endmodule";

fn is_accepted(text: &str, property: &str, claim: Claim, body: serde_json::Value) -> bool {
    let mut evidence = match claim {
        Claim::Holds => Evidence::of_holds("chance-bounds", &()),
        Claim::Violated => Evidence::of_violated("chance-bounds", &()),
    };
    evidence.body = body;
    let mut model = open(text, &Asked::property(property)).expect("a model");
    let asked = model.property(property).expect("a property");
    let budget = Budget::unlimited();
    model
        .certify(&evidence.about(property), &asked, &budget)
        .is_ok()
}

fn bounds(lower: &str, upper: &str) -> serde_json::Value {
    let states = lower.split_whitespace().count();
    json!({ "states": states, "lower": lower, "upper": upper })
}

#[test]
fn true_bounds_made_by_hand_are_accepted() {
    let holds = |text, property, lower, upper| {
        assert!(
            is_accepted(text, property, Claim::Holds, bounds(lower, upper)),
            "{property}"
        );
    };
    holds(WAIT, "R>=2 [ F x=1 ]", "2.0 0.0", "2.0 0.0");
    holds(WAIT, "P>=1 [ F x=1 ]", "1.0 1.0", "1.0 1.0");
    holds(TRAP, "P<=0.5 [ F x=1 ]", "0.5 1.0 0.0", "0.5 1.0 0.0");
    holds(TRAP, "R>=1000 [ F x=1 ]", "inf 0.0 inf", "inf 0.0 inf");
}

#[test]
fn false_bounds_on_rewards_are_rejected() {
    let refuses = |text, property, lower, upper| {
        let body = bounds(lower, upper);
        assert!(
            !is_accepted(text, property, Claim::Holds, body),
            "{property} {lower}"
        );
    };
    // A step exceeds the upper bound, and falls below the lower one.
    refuses(WAIT, "R<=1.5 [ F x=1 ]", "0.0 0.0", "1.5 0.0");
    refuses(WAIT, "R>=3 [ F x=1 ]", "3.0 0.0", "100.0 0.0");
    // Something is still earned at the goal.
    refuses(WAIT, "R>=3 [ F x=1 ]", "4.0 2.0", "100.0 2.0");
    // Infinity, though the goal surely comes.
    refuses(WAIT, "R>=1000 [ F x=1 ]", "inf 0.0", "inf 0.0");
    // A finite bound, though the goal may never come.
    refuses(TRAP, "R<=5 [ F x=1 ]", "0.0 0.0 0.0", "1.0 0.0 0.0");
}

#[test]
fn false_bounds_on_probabilities_are_rejected() {
    let refuses = |text, property, lower, upper| {
        let body = bounds(lower, upper);
        assert!(
            !is_accepted(text, property, Claim::Holds, body),
            "{property} {lower}"
        );
    };
    // The goal itself has a chance of one.
    refuses(WAIT, "P<=0.5 [ F x=1 ]", "0.0 0.0", "0.5 0.5");
    // What is not allowed has none.
    refuses(TRAP, "P>=0.9 [ x=0 U x=1 ]", "1.0 1.0 1.0", "1.0 1.0 1.0");
    // Whoever stays for ever never arrives.
    refuses(TRAP, "P>=0.9 [ F x=1 ]", "1.0 1.0 1.0", "1.0 1.0 1.0");
    // No number is no bound, not even of a question for one.
    refuses(WAIT, "P=? [ F x=1 ]", "NaN 1.0", "1.0 1.0");
    refuses(WAIT, "P=? [ F x=1 ]", "-1.0 1.0", "1.0 1.0");
    refuses(WAIT, "R=? [ F x=1 ]", "NaN 0.0", "2.0 0.0");
}

#[test]
fn choices_are_choices_of_the_model() {
    let with = |chosen: serde_json::Value| {
        let mut body = bounds("1.0 1.0", "1.0 1.0");
        body["chosen"] = chosen;
        is_accepted(CHOICE, "P<1 [ F x=1 ]", Claim::Violated, body)
    };
    assert!(with(json!([1, 0])));
    assert!(!with(json!([0, 0])), "who stays never arrives");
    assert!(
        !with(json!([2, 0])) && !with(json!([1, 1])),
        "there is no such choice"
    );
    assert!(!with(json!([])) && !with(json!([1])) && !with(json!([1, 0, 0])));
}
