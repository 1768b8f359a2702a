//! Markov automata: choices at once, and steps after a while.

use quotient_core::{Budget, Evidence, Verdict};

use crate::common::{Asked, check, open, trouble};

/// What happens at once comes before all that takes time: `s` is never 4.
const SERVE: &str = "ma
module m
  s : [0..4];
  <> s=0 -> 2 : (s'=1) + 1 : (s'=2);
  [a] s=1 -> 0.5 : (s'=3) + 0.5 : (s'=2);
  [b] s=1 -> (s'=2);
  <> s=1 -> 100 : (s'=4);
  <> s=2 -> 4 : (s'=3);
endmodule
rewards \"time\" true : 1; endrewards
rewards \"cost\" [a] true : 3; s=1 : 1000; s=2 : 8; endrewards";

fn value(text: &str, property: &str, value: f64) {
    check(text, &Asked::property(property)).has_value(value, 2e-6 * value.max(1.0));
}

#[test]
fn time_passes_where_nothing_happens_at_once() {
    value(SERVE, "Pmax=? [ F s=4 ]", 0.0);
    value(SERVE, "Pmin=? [ F s=3 ]", 1.0);
    value(SERVE, "R{\"time\"}min=? [ F s=3 ]", 0.5);
    value(SERVE, "R{\"time\"}max=? [ F s=3 ]", 7.0 / 12.0);
    value(SERVE, "R{\"cost\"}max=? [ F s=3 ]", 10.0 / 3.0);
    value(SERVE, "R{\"cost\"}min=? [ F s=3 ]", 2.0);
    value(SERVE, "Pmax=? [ X s=1 ]", 2.0 / 3.0);
    value(SERVE, "Pmax=? [ F (s=1 & X s=3) ]", 1.0 / 3.0);
}

#[test]
fn the_chance_of_arriving_in_time_is_that_of_the_distributions() {
    let late = |t: f64| 1.0 - (4.0 * (-3.0 * t).exp() - 3.0 * (-4.0 * t).exp());
    for time in [0.0f64, 0.25, 1.0, 6.0] {
        let sooner = (1.0 - (-3.0 * time).exp()) / 3.0 + late(time) * 2.0 / 3.0;
        value(SERVE, &format!("Pmax=? [ F<={time} s=3 ]"), sooner);
        value(SERVE, &format!("Pmin=? [ F<={time} s=3 ]"), late(time));
        value(SERVE, &format!("Pmin=? [ G<={time} s!=3 ]"), 1.0 - sooner);
    }
    let verdict = |property: &str| check(SERVE, &Asked::property(property)).0.verdict;
    assert_eq!(verdict("P>=0.8 [ F<=1 s=3 ]"), Verdict::Holds);
    assert_eq!(verdict("P>=0.9 [ F<=1 s=3 ]"), Verdict::Violated);
}

#[test]
fn shares_of_time_are_those_of_the_best_choices() {
    let again = SERVE.replace("endmodule", "<> s=3 -> 1 : (s'=0);\nendmodule");
    value(&again, "Smax=? [ s=3 ]", 2.0 / 3.0);
    value(&again, "Smin=? [ s=3 ]", 12.0 / 19.0);
    value(&again, "R{\"time\"}max=? [ S ]", 1.0);
    value(&again, "Smax=? [ s=1 ]", 0.0);
}

#[test]
fn evidence_without_bounds_on_time_is_accepted() {
    let budget = Budget::unlimited();
    let mut model = open(SERVE, &Asked::default()).expect("fine");
    for property in [
        "Pmax=? [ F s=3 ]",
        "R{\"time\"}min=? [ F s=3 ]",
        "R{\"cost\"}max=? [ F s=3 ]",
        "R{\"time\"}max<0.6 [ F s=3 ]",
    ] {
        let answer = check(SERVE, &Asked::property(property));
        let evidence = answer.evidence.clone().expect("evidence");
        let asked = model.property(property).expect("fine");
        let certified = model.certify(&evidence, &asked, &budget);
        assert!(certified.is_ok(), "{property} {certified:?}");
    }
}

#[test]
fn a_bound_on_time_is_not_taken_for_one_on_steps() {
    let property = "Pmax=? [ F<=1 s=3 ]";
    let answer = check(SERVE, &Asked::property(property));
    assert!(answer.evidence.is_none());
    let mut model = open(SERVE, &Asked::default()).expect("fine");
    let asked = model.property(property).expect("fine");
    let body = serde_json::json!({"lower": "0.0", "upper": "1.0"});
    let forged = Evidence::of_holds("chance-limited", &body).about(property);
    assert!(
        model
            .certify(&forged, &asked, &Budget::unlimited())
            .is_err()
    );
}

#[test]
fn what_cannot_be_said_of_such_models_is_refused() {
    for property in [
        "Pmax=? [ F[1,2] s=3 ]",
        "Pmax=? [ F (s=1 & F<=1 s=3) ]",
        "R{\"cost\"}max=? [ C<=2 ]",
        "R{\"cost\"}max=? [ I=2 ]",
        "Pmax=? [ F{\"cost\"}<=2 s=3 ]",
        "P=? [ F s=3 ]",
    ] {
        trouble(SERVE, &Asked::property(property));
    }
    let any = Asked::property("Pmax=? [ F s=3 ]");
    assert!(trouble(&SERVE.replace("ma\n", "mdp\n"), &any).contains("`ma`"));
    let round = SERVE.replace("endmodule", "[] s=1 -> (s'=1);\nendmodule");
    value(&round, "Pmin=? [ F s=3 ]", 1.0 / 3.0);
    let open = check(&round, &Asked::property("Pmax=? [ F<=1 s=3 ]"));
    assert!(matches!(open.verdict, Verdict::Unknown(_)));
}
