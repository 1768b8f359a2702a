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
    is_shown("chance-bounds", text, property, claim, body)
}

/// Whether evidence of a kind is accepted.
fn is_shown(kind: &str, text: &str, property: &str, claim: Claim, body: serde_json::Value) -> bool {
    let mut evidence = match claim {
        Claim::Holds => Evidence::of_holds(kind, &()),
        Claim::Violated => Evidence::of_violated(kind, &()),
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

/// Two ways: to stay, or to go, which earns one.
const GO: &str = "mdp
module m
  x : [0..1] init 0;
  [stay] x=0 -> (x'=0);
  [go] x=0 -> 1/2:(x'=0) + 1/2:(x'=1);
  [] x=1 -> true;
endmodule
rewards [go] true : 1; endrewards";

fn fractions(text: &str, property: &str, claim: Claim, values: &[&str], chosen: &[u32]) -> bool {
    let body = json!({ "values": values, "chosen": chosen });
    is_shown("chance-fractions", text, property, claim, body)
}

#[test]
fn false_fractions_are_rejected() {
    let holds = |text, property, values: &[&str], chosen: &[u32]| {
        fractions(text, property, Claim::Holds, values, chosen)
    };
    assert!(holds(TRAP, "P<=0.5 [ F x=1 ]", &["1/2", "1", "0"], &[0; 3]));
    assert!(holds(
        TRAP,
        "P>=0.5 [ G x!=1 ]",
        &["1/2", "1", "0"],
        &[0; 3]
    ));
    assert!(holds(WAIT, "R<=2 [ F x=1 ]", &["2", "0"], &[0; 2]));
    let refuses = |text, property, values: &[&str], chosen: &[u32]| {
        assert!(
            !holds(text, property, values, chosen),
            "{property} {values:?}"
        );
    };
    // Where nothing happens any more every number is kept by every step: a negative one would make up
    // for the chance of the goal.
    refuses(TRAP, "P<=0 [ F x=1 ]", &["0", "1", "-1"], &[0; 3]);
    refuses(TRAP, "P>=1 [ G x!=1 ]", &["0", "1", "-1"], &[0; 3]);
    // The goal has a chance of one, what is not allowed has none.
    refuses(TRAP, "P<=0.25 [ F x=1 ]", &["1/4", "1/2", "0"], &[0; 3]);
    refuses(TRAP, "P>=1 [ x=0 U x=1 ]", &["1", "1", "1"], &[0; 3]);
    // Whoever stays for ever never arrives.
    refuses(TRAP, "P>=1 [ F x=1 ]", &["1", "1", "1"], &[0; 3]);
    refuses(CHOICE, "P>=1 [ F x=1 ]", &["1", "1"], &[1, 0]);
    // A better choice is left, or the chosen one makes another number.
    refuses(CHOICE, "P<=0 [ F x=1 ]", &["0", "1"], &[0, 0]);
    refuses(CHOICE, "P<=0.5 [ F x=1 ]", &["1/2", "1"], &[1, 0]);
    refuses(WAIT, "R<=1 [ F x=1 ]", &["1", "0"], &[0; 2]);
    // What may never arrive has no finite reward, though the number is kept by both choices.
    for chosen in [0, 1] {
        refuses(GO, "R<=2 [ F x=1 ]", &["2", "0"], &[chosen, 0]);
    }
    // There is no such choice, and not one number for each state.
    refuses(CHOICE, "P<=1 [ F x=1 ]", &["1", "1"], &[4_294_967_295, 0]);
    refuses(WAIT, "P>=1 [ F x=1 ]", &["1"], &[0; 2]);
    refuses(WAIT, "P>=1 [ F x=1 ]", &["1", "1", "1"], &[0; 3]);
    refuses(WAIT, "P>=1 [ F x=1 ]", &[], &[]);
    // A number that is asked for is the right one.
    assert!(holds(WAIT, "P=? [ F x=1 ]", &["1", "1"], &[0; 2]));
    refuses(WAIT, "P=? [ F x=1 ]", &["1/2", "1"], &[0; 2]);
    // Something else than one path.
    refuses(WAIT, "P>=1 [ F<=1 x=1 ]", &["1", "1"], &[0; 2]);
    refuses(WAIT, "S>=1 [ x=0 ]", &["1", "0"], &[0; 2]);
    for no_number in ["1e999", "NaN", "inf", "1/0", "1/-0", "0x1", "1 ", ""] {
        refuses(WAIT, "P>=1 [ F x=1 ]", &[no_number, "1"], &[0; 2]);
    }
    let violated =
        |property, values: &[&str]| fractions(TRAP, property, Claim::Violated, values, &[0; 3]);
    assert!(violated("P<0.5 [ F x=1 ]", &["1/2", "1", "0"]));
    assert!(!violated("P<=0.5 [ F x=1 ]", &["1/2", "1", "0"]));
    assert!(!violated("P>=0.5 [ F x=1 ]", &["0", "1", "-1"]));
}

#[test]
fn false_parts_are_rejected() {
    let parts = |text, property, claim, parts: &[(&str, &str)]| {
        let part = |(lower, upper): &(&str, &str)| json!({ "bounds": bounds(lower, upper) });
        let parts: Vec<_> = parts.iter().map(part).collect();
        is_shown(
            "chance-parts",
            text,
            property,
            claim,
            json!({ "parts": parts }),
        )
    };
    let holds = |property, all: &[(&str, &str)]| parts(TRAP, property, Claim::Holds, all);
    let (half, other) = (
        ("0.5 1.0 0.0", "0.5 1.0 0.0"),
        ("0.5 0.0 1.0", "0.5 0.0 1.0"),
    );
    let both = "P>=0.5 [ F x=1 ] & P<=0.5 [ F x=2 ]";
    assert!(holds(both, &[half, other]));
    // The second is shown by what is true of the first, or by nothing; something is left over.
    assert!(!holds(both, &[half, half]) && !holds(both, &[other, half]));
    assert!(!holds(both, &[half]) && !holds(both, &[]) && !holds(both, &[half, other, other]));
    // What a part leaves open is open, for both claims.
    let open = ("0.0 1.0 0.0", "1.0 1.0 0.0");
    let every = "filter(exists, P>=0.5 [ F x=1 ], x=0)";
    assert!(holds(every, &[half]) && !holds(every, &[open]));
    assert!(!parts(TRAP, every, Claim::Violated, &[open]));
    // A condition that is open in one state only is no set of states.
    let inside = "P>=1 [ F (P>=0.5 [ F x=1 ]) ]";
    let certain = ("1.0 1.0 0.0", "1.0 1.0 0.0");
    assert!(holds(inside, &[half, certain]) && !holds(inside, &[open, certain]));
    // A false outer part, though the inner one is true.
    assert!(!holds(
        "P<=0 [ F (P>=0.5 [ F x=1 ]) ]",
        &[half, ("0.0 0.0 0.0", "0.0 0.0 0.0")]
    ));
    // What is divided by may be nothing; infinity is no number to count with.
    let quotient = "P=? [ F x=1 ] / P=? [ F x=3 ] >= 1";
    let never = ("0.0 0.0 0.0", "0.0 0.0 0.0");
    assert!(!holds(quotient, &[half, never]));
    let never_arrives = ("inf 0.0 inf", "inf 0.0 inf");
    let difference = "R=? [ F x=1 ] - R=? [ F x=1 ] = 0";
    assert!(!holds(difference, &[never_arrives, never_arrives]));
    assert!(holds("R=? [ F x=1 ] >= 7", &[never_arrives]));
    assert!(!parts(
        WAIT,
        "R=? [ F x=1 ] >= 7",
        Claim::Holds,
        &[("inf 0.0", "inf 0.0")]
    ));
    // Lines of other lengths, and no numbers.
    for (lower, upper) in [
        ("0.5 1.0", "0.5 1.0"),
        ("NaN 1.0 0.0", "0.5 1.0 0.0"),
        ("-1e999 1.0 0.0", "1e999 1.0 1.0"),
    ] {
        assert!(
            !holds("P>=0.5 [ F x=1 ] & true", &[(lower, upper)]),
            "{lower}"
        );
    }
    // From a moment on: what comes before it is computed, not believed.
    assert!(!parts(
        WAIT,
        "P>=1 [ x=0 U>=2 x=1 ]",
        Claim::Holds,
        &[("1.0 1.0", "1.0 1.0")]
    ));
}
