//! Estimates by random runs.

use crate::common::{Asked, answers, check, trouble};
use quotient_core::Verdict;

const DIE: &str = include_str!("../../gallery/die.prism");

const QUEUE: &str = "ctmc
module queue
  n : [0..3] init 0;
  [] n<3 -> 2 : (n'=n+1);
  [] n>0 -> 3 : (n'=n-1);
endmodule";

/// The interval of an estimate.
fn estimated(text: &str, property: &str) -> (f64, f64) {
    let asked = Asked::property(property).setting("simulate", "4000");
    let answer = check(text, &asked).0;
    assert!(matches!(answer.verdict, Verdict::Unknown(_)), "{property}");
    assert!(answer.value.is_none() && answer.evidence.is_none());
    let (_, estimate) = &answer.details[0];
    let number = |name: &str| estimate[name].as_f64().expect("a number");
    (number("lower"), number("upper"))
}

#[test]
fn estimates_are_near_what_is_computed_and_claim_nothing() {
    let questions = [
        (DIE, "P=? [ F d=6 ]"),
        (DIE, "P=? [ G d!=6 ]"),
        (DIE, "P=? [ X s=1 ]"),
        (DIE, "P=? [ F<=3 \"done\" ]"),
        (DIE, "P=? [ F[2,4] s=4 ]"),
        (DIE, "P=? [ s<3 U s=4 ]"),
        (QUEUE, "P=? [ F<=1 n=3 ]"),
        (QUEUE, "P=? [ F[1,1.5] n=2 ]"),
        (QUEUE, "P=? [ n<2 U<=0.5 n=2 ]"),
    ];
    for (text, property) in questions {
        let (lower, upper) = estimated(text, property);
        let value = check(text, &Asked::property(property))
            .0
            .value
            .expect("one");
        assert!(lower <= value.upper && value.lower <= upper, "{property}");
        assert!(upper - lower < 0.06, "{property}");
    }
}

#[test]
fn the_same_seed_gives_the_same_runs() {
    assert_eq!(
        estimated(DIE, "P=? [ F d=6 ]"),
        estimated(DIE, "P=? [ F d=6 ]")
    );
}

#[test]
fn what_runs_cannot_show_is_refused() {
    let walk = "mdp module m x:[0..1]; [] x=0 -> (x'=1); [] x=0 -> true; endmodule";
    let asked = Asked::property("Pmax=? [ F x=1 ]").setting("simulate", "10");
    assert!(trouble(walk, &asked).contains("need choices"));
    let asked = Asked::property("P=? [ F d=6 ]").setting("confidence", "0.5");
    assert!(answers(DIE, &asked).is_err());
}

#[test]
fn a_bound_is_tested_with_as_many_runs_as_it_takes() {
    let tested = |property: &str| {
        let asked = Asked::property(property).setting("simulate", "100000");
        let answer = check(DIE, &asked).0;
        assert!(matches!(answer.verdict, Verdict::Unknown(_)), "{property}");
        let (_, estimate) = &answer.details[0];
        let runs = estimate["runs"].as_u64().expect("a number");
        (estimate["probably"].as_str().map(str::to_owned), runs)
    };
    let (far, few) = tested("P<=0.9 [ F d=6 ]");
    let (near, more) = tested("P>=0.2 [ F d=6 ]");
    assert_eq!(far.as_deref(), Some("holds"));
    assert_eq!(near.as_deref(), Some("violated"));
    assert!(few < more && more < 100_000, "{few} {more}");
}
