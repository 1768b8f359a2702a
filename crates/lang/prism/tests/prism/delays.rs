//! Markov automata: choices at once, and steps after a while.

use quotient_core::{Budget, Claim, Evidence, Verdict};

use crate::common::{Asked, check, line_of, open, spelled_out, trouble};

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
rewards \"cost\" [a] true : 3; s=1 : 1000; s=2 : 8; endrewards
rewards \"busy\" s=0 : 1; s=2 : 1; endrewards
rewards \"used\" [a] true : 3; endrewards";

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
    let again = again();
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

/// Comes back, so that there are averages.
fn again() -> String {
    SERVE.replace("endmodule", "<> s=3 -> 1 : (s'=0);\nendmodule")
}

#[test]
fn what_is_earned_up_to_a_time_or_at_one_is_that_of_the_distributions() {
    // The time spent before s=3: the integral of the chance to be late.
    let in_first = |t: f64| (1.0 - (-3.0 * t).exp()) / 3.0;
    let in_second = |t: f64| {
        // Entered at rate 3 from the first, left at rate 4.
        3.0 * ((1.0 - (-3.0 * t).exp()) / 3.0 - (1.0 - (-4.0 * t).exp()) / 4.0)
    };
    for time in [0.0f64, 0.5, 2.0] {
        let value = |property: &str, expected: f64| {
            let property = property.replace('T', &time.to_string());
            value(SERVE, &property, expected);
        };
        value("R{\"time\"}max=? [ C<=T ]", time);
        value(
            "R{\"busy\"}max=? [ C<=T ]",
            in_first(time) + in_second(time),
        );
        value(
            "R{\"busy\"}min=? [ C<=T ]",
            in_first(time) + in_second(time) * 2.0 / 3.0,
        );
        value("R{\"used\"}max=? [ C<=T ]", 2.0 * in_first(time) * 3.0);
        value("R{\"time\"}min=? [ I=T ]", 1.0);
        let here = (-3.0 * time).exp();
        let second = 3.0 * ((-3.0 * time).exp() - (-4.0 * time).exp());
        value("R{\"busy\"}max=? [ I=T ]", here + second);
        value("R{\"busy\"}min=? [ I=T ]", here + second * 2.0 / 3.0);
    }
}

#[test]
fn evidence_about_time_is_accepted_and_no_more() {
    let budget = Budget::unlimited();
    let text = again();
    let mut model = open(&text, &Asked::default()).expect("fine");
    for property in [
        "Pmax=? [ F<=1 s=3 ]",
        "Pmin=? [ s!=2 U<=1 s=3 ]",
        "Pmin=? [ G<=1 s!=3 ]",
        "Pmax=? [ X s=1 ]",
        "P>=0.8 [ F<=1 s=3 ]",
        "P>=0.9 [ F<=1 s=3 ]",
        "R{\"used\"}max=? [ C<=2 ]",
        "R{\"busy\"}min=? [ C<=2 ]",
        "R{\"busy\"}max=? [ I=0.5 ]",
    ] {
        let answer = check(
            &text,
            &Asked::property(property).setting("precision", "1e-4"),
        );
        let genuine = answer.evidence.clone().expect(property);
        let asked = model.property(property).expect("fine");
        let certified = model.certify(&genuine, &asked, &budget);
        assert!(certified.is_ok(), "{property} {certified:?}");
        for (side, by) in [("lower", 1e-3), ("upper", -1e-3)] {
            let mut forged = genuine.clone();
            let number: f64 = genuine.body[side]
                .as_str()
                .expect("a text")
                .parse()
                .expect("one");
            forged.body[side] = format!("{:?}", number + by).into();
            let bounded = !property.contains("=?") && number + by > 0.0;
            let refused = model.certify(&forged, &asked, &budget).is_err();
            assert!(refused || bounded, "{property} {side}");
        }
        let mut other = genuine.clone();
        other.claim = match genuine.claim {
            Claim::Holds => Claim::Violated,
            Claim::Violated => Claim::Holds,
        };
        assert!(
            model.certify(&other, &asked, &budget).is_err(),
            "{property}"
        );
    }
}

#[test]
fn evidence_about_averages_is_accepted_and_no_more() {
    let budget = Budget::unlimited();
    let text = again();
    let mut model = open(&text, &Asked::default()).expect("fine");
    for property in [
        "Smax=? [ s=3 ]",
        "Smin=? [ s=3 ]",
        "S>=0.6 [ s=3 ]",
        "S>=0.65 [ s=3 ]",
        "R{\"used\"}max=? [ S ]",
        "R{\"cost\"}min=? [ S ]",
    ] {
        let answer = check(&text, &Asked::property(property));
        let genuine = answer.evidence.clone().expect(property);
        let asked = model.property(property).expect("fine");
        let certified = model.certify(&genuine, &asked, &budget);
        assert!(certified.is_ok(), "{property} {certified:?}");
        for (side, by) in [("lower", 1e-3), ("upper", -1e-3)] {
            let mut forged = genuine.clone();
            let line = genuine.body[side].as_str().expect("a line");
            let numbers: Vec<f64> = spelled_out(line).iter().map(|one| one + by).collect();
            forged.body[side] = line_of(&numbers).into();
            assert!(
                model.certify(&forged, &asked, &budget).is_err(),
                "{property} {side}"
            );
        }
    }
}

#[test]
fn what_never_takes_time_has_no_average() {
    // The two go round and round at once; whatever is said of an average there is refused.
    let text = "ma\nmodule m\n  s : [0..1];\n  [] s=0 -> (s'=1);\n  [] s=1 -> (s'=0);\nendmodule\n";
    let property = "Smax=? [ s=0 ]";
    let mut model = open(text, &Asked::default()).expect("fine");
    let asked = model.property(property).expect("fine");
    for number in ["0.0", "0.5", "1.0"] {
        let body = serde_json::json!({"states": 2, "lower": number, "upper": number,
            "below": "0.0", "above": "0.0", "chosen": [0, 0]});
        let forged = Evidence::of_holds("chance-average", &body).about(property);
        let found = model.certify(&forged, &asked, &Budget::unlimited());
        assert!(found.is_err(), "{found:?}");
    }
}

#[test]
fn a_bound_on_time_is_not_taken_for_one_on_steps() {
    let property = "Pmax=? [ F<=1 s=3 ]";
    let mut model = open(SERVE, &Asked::default()).expect("fine");
    let asked = model.property(property).expect("fine");
    // Two steps lead there surely or not, one never.
    for (lower, upper) in [("0.0", "0.1"), ("0.9", "1.0")] {
        let body = serde_json::json!({"lower": lower, "upper": upper});
        let forged = Evidence::of_holds("chance-limited", &body).about(property);
        let found = model.certify(&forged, &asked, &Budget::unlimited());
        assert!(found.is_err(), "{found:?}");
    }
}

#[test]
fn what_cannot_be_said_of_such_models_is_refused() {
    for property in [
        "Pmax=? [ F[1,2] s=3 ]",
        "Pmax=? [ F (s=1 & F<=1 s=3) ]",
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
