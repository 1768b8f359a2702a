//! Averages of decision processes: against all strategies, and evidence for them.

use std::fmt::Write;

use crate::common::{Asked, answers, open};
use proptest::prelude::*;
use quotient_core::{Budget, Evidence, Rejection};

/// What a choice earns, and where it leads with how many of four quarters.
type Choice = (u8, Vec<usize>);

fn text(kind: &str, rows: &[Vec<Choice>]) -> String {
    let mut text = format!("{kind}\nmodule m\n x : [0..{}];\n", rows.len() - 1);
    let mut rewards = String::from("rewards \"r\"\n");
    for (state, row) in rows.iter().enumerate() {
        for (number, (earned, quarters)) in row.iter().enumerate() {
            let to = quarters.iter().map(|to| format!("0.25:(x'={to})"));
            let to: Vec<String> = to.collect();
            let action = format!("a{state}_{number}");
            writeln!(text, " [{action}] x={state} -> {};", to.join(" + ")).expect("a text");
            writeln!(rewards, " [{action}] true : {earned};").expect("a text");
        }
    }
    format!("{text}endmodule\n{rewards}endrewards\n")
}

fn asked(text: &str, property: &str) -> ((f64, f64), Option<Evidence>) {
    let mut answer = answers(text, &Asked::property(property)).expect("an answer");
    let mut answer = answer.remove(0);
    let value = answer.value.as_ref().expect("a number");
    ((value.lower, value.upper), answer.evidence.take())
}

fn certify(text: &str, property: &str, evidence: &Evidence) -> Result<Vec<String>, Rejection> {
    let mut model = open(text, &Asked::property(property)).expect("a model");
    let asked = model.property(property).expect("a property");
    let certified = model.certify(evidence, &asked, &Budget::unlimited())?;
    Ok(certified.facts)
}

/// The averages of all strategies that always choose the same in a state.
fn of_strategies(rows: &[Vec<Choice>], property: &str) -> Vec<f64> {
    let many: usize = rows.iter().map(Vec::len).product();
    let average = |mut number: usize| {
        let mut chain = Vec::new();
        for row in rows {
            chain.push(vec![row[number % row.len()].clone()]);
            number /= row.len();
        }
        let ((low, high), _) = asked(&text("dtmc", &chain), property);
        (low + high) / 2.0
    };
    (0..many).map(average).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn the_best_average_is_that_of_the_best_strategy_and_is_shown(
        rows in prop::collection::vec(
            prop::collection::vec((0u8..4, prop::collection::vec(0usize..4, 4)), 1..3), 4),
    ) {
        let process = text("mdp", &rows);
        for (plain, least, most) in [
            ("R{\"r\"}=? [ S ]", "R{\"r\"}min=? [ S ]", "R{\"r\"}max=? [ S ]"),
            ("S=? [ x=2 ]", "Smin=? [ x=2 ]", "Smax=? [ x=2 ]"),
        ] {
            let all = of_strategies(&rows, plain);
            let low = all.iter().copied().fold(f64::INFINITY, f64::min);
            let high = all.iter().copied().fold(0.0, f64::max);
            for (property, best) in [(least, low), (most, high)] {
                let (bounds, evidence) = asked(&process, property);
                let near = 1e-6 * best + 1e-9;
                prop_assert!(bounds.0 <= best + near && best - near <= bounds.1, "{bounds:?} {best}");
                prop_assert!(bounds.1 - bounds.0 <= 2e-6 * best.max(1e-3), "{bounds:?}");
                let evidence = evidence.expect("evidence");
                prop_assert_eq!(&evidence.kind, "chance-average");
                let facts = certify(&process, property, &evidence);
                prop_assert!(facts.is_ok(), "{property}: {facts:?}\n{process}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn conditions_and_totals_of_decision_processes_are_shown(
        rows in prop::collection::vec(
            prop::collection::vec((0u8..2, prop::collection::vec(0usize..4, 4)), 1..3), 4),
    ) {
        let process = text("mdp", &rows);
        for property in [
            "Pmax=? [ F x=2 || F x=3 ]",
            "Pmin=? [ F x=2 || F x=3 ]",
            "R{\"r\"}min=? [ C ]",
            "R{\"r\"}max=? [ C ]",
        ] {
            let Ok(mut answers) = answers(&process, &Asked::property(property)) else {
                continue;
            };
            let mut answer = answers.remove(0);
            if property.contains("max=? [ C ]") {
                let all = of_strategies(&rows, "R{\"r\"}=? [ C ]");
                let best = all.into_iter().fold(0.0, f64::max);
                let found = answer.value.as_ref().expect("a number");
                let near = 1e-6 * best + 1e-9;
                let same = found.lower == best || (found.lower - best).abs() <= near;
                prop_assert!(same, "{found:?} {best}\n{process}");
            }
            // What is earned for ever has no evidence for the greatest.
            let Some(evidence) = answer.evidence.take() else {
                let endless = answer.value.is_none_or(|value| value.upper.is_infinite());
                prop_assert!(endless, "{property}\n{process}");
                continue;
            };
            let facts = certify(&process, property, &evidence);
            prop_assert!(facts.is_ok(), "{property}: {facts:?}\n{process}");
        }
    }
}

/// A machine that works slowly, or fast and breaks, and may be given up.
const MACHINE: &str = "mdp
module m
  x : [0..3];
  [slow] x=0 -> (x'=1);
  [fast] x=0 -> 0.5:(x'=0) + 0.5:(x'=2);
  [] x=1 -> (x'=0);
  [] x=2 -> (x'=0);
  [out] x=2 -> (x'=3);
  [] x=3 -> true;
endmodule
rewards \"work\" [fast] true : 1; x=1 : 1; x=3 : 0.25; endrewards";

#[test]
fn strategies_that_do_less_and_bounds_that_are_moved_are_rejected() {
    for property in [
        "R{\"work\"}max=? [ S ]",
        "R{\"work\"}min=? [ S ]",
        "Smax=? [ x=1 ]",
        "R{\"work\"}max>=0.6 [ S ]",
        "R{\"work\"}max<0.6 [ S ]",
    ] {
        let mut answer = answers(MACHINE, &Asked::property(property)).expect("an answer");
        let genuine = answer.remove(0).evidence.expect("evidence");
        certify(MACHINE, property, &genuine).expect(property);
        // The choices of states 0 and 2 matter, one of them for each question.
        let chosen = genuine.body["chosen"].as_array().expect("choices").clone();
        let turned = |at: usize| {
            let mut forged = genuine.clone();
            let other = 1 - chosen[at].as_u64().expect("a number");
            forged.body["chosen"][at] = other.into();
            certify(MACHINE, property, &forged).is_err()
        };
        assert!(turned(0) || turned(2), "{property}");
        for (name, by) in [("lower", 0.01), ("upper", -0.01)] {
            let mut forged = genuine.clone();
            let line = forged.body[name].as_str().expect("a line").to_owned();
            let numbers = crate::common::spelled_out(&line);
            let moved: Vec<f64> = numbers.iter().map(|one| one + by).collect();
            forged.body[name] = crate::common::line_of(&moved).into();
            assert!(
                certify(MACHINE, property, &forged).is_err(),
                "{property} {name}"
            );
        }
        for wrong in [
            serde_json::json!([0, 0, 0]),
            serde_json::json!([0, 0, 7, 0]),
        ] {
            let mut forged = genuine.clone();
            forged.body["chosen"] = wrong;
            assert!(certify(MACHINE, property, &forged).is_err(), "{property}");
        }
        let mut forged = genuine.clone();
        forged
            .body
            .as_object_mut()
            .expect("a body")
            .remove("chosen");
        assert!(certify(MACHINE, property, &forged).is_err(), "{property}");
        // The least is not the greatest.
        let other = match property.contains("max") {
            true => property.replace("max", "min"),
            false => property.replace("min", "max"),
        };
        let found = certify(MACHINE, &other, &genuine);
        assert!(found.is_err(), "{property} for {other}: {found:?}");
    }
}

/// One may wait for nothing, take what is sure, or play for more and go back first.
const WAITING: &str = "mdp
module m
  x : [0..4] init 0;
  [wait] x=0 -> true;
  [play] x=0 -> 0.5:(x'=1) + 0.5:(x'=2);
  [back] x=1 -> (x'=0);
  [risk] x=1 -> 0.3:(x'=3) + 0.7:(x'=4);
  [sure] x=2 -> (x'=4);
  [win] x=3 -> (x'=4);
  [] x=4 -> true;
endmodule
rewards \"r\" [risk] true : 1; [win] true : 3; [sure] true : 2; endrewards";

#[test]
fn the_most_of_all_is_shown_where_one_may_wait_for_nothing() {
    let bounded = ["R{\"r\"}max>=1.9 [ C ]", "R{\"r\"}max<=1.9 [ C ]"];
    for property in ["R{\"r\"}max=? [ C ]", bounded[0], bounded[1]] {
        let mut answer = answers(WAITING, &Asked::property(property)).expect("an answer");
        let genuine = answer.remove(0).evidence.expect("evidence");
        let facts = certify(WAITING, property, &genuine).expect(property);
        let told = facts.join(" ");
        assert!(told.contains("1.99999") || told.contains("holds") || told.contains("not hold"));
        // None of these may show anything else: more by the way, less by the sum, other choices.
        let rejected = |change: &dyn Fn(&mut serde_json::Value)| {
            let mut forged = genuine.clone();
            change(&mut forged.body["parts"][0]["several"]);
            certify(WAITING, property, &forged).is_err()
        };
        let moved = |line: &serde_json::Value, by: f64| -> serde_json::Value {
            let line = line.as_str().expect("a line");
            let numbers = crate::common::spelled_out(line);
            let moved: Vec<f64> = numbers.iter().map(|one| one + by).collect();
            crate::common::line_of(&moved).into()
        };
        assert!(rejected(&|part| {
            let way = &mut part["ways"][0];
            way["values"][0] = moved(&way["values"][0], 0.01);
        }));
        assert!(rejected(&|part| {
            let ceiling = &mut part["ceilings"][0];
            ceiling["values"] = moved(&ceiling["values"], -0.01);
        }));
        assert!(rejected(&|part| {
            let chosen = &mut part["ways"][0]["chosen"][0];
            *chosen = (1 - chosen.as_u64().expect("a choice")).into();
        }));
        assert!(rejected(&|part| part["states"] = 4.into()));
        assert!(rejected(&|part| part["ceilings"] = serde_json::json!([])));
        assert!(rejected(&|part| part["ways"] = serde_json::json!([])));
        let least = property.replace("max", "min");
        assert!(certify(WAITING, &least, &genuine).is_err());
    }
    // Of other states such evidence says nothing.
    let all = "filter(max, R{\"r\"}max=? [ C ], true)";
    let mut answer = answers(WAITING, &Asked::property(all)).expect("an answer");
    assert!(answer.remove(0).evidence.is_none());
}

/// One may come to where one can earn again and again, or go elsewhere.
const AGAIN: &str = "mdp
module m
  x : [0..4] init 0;
  [a] x=0 -> 0.5:(x'=1) + 0.5:(x'=3);
  [b] x=1 -> 0.5:(x'=2) + 0.5:(x'=1);
  [c] x=2 -> (x'=1);
  [out] x=2 -> (x'=3);
  [end] x=3 -> (x'=4);
  [] x=4 -> true;
endmodule
rewards \"r\" [c] true : 0.25; [end] true : 1; endrewards";

#[test]
fn what_is_earned_without_an_end_is_shown() {
    let infinite = "R{\"r\"}max=? [ C ]";
    let once = AGAIN.replace("[c] true : 0.25", "[a] true : 0.25");
    for (property, holds) in [
        (infinite, true),
        ("R{\"r\"}max>=7 [ C ]", true),
        ("R{\"r\"}max<=7 [ C ]", false),
    ] {
        let mut answer = answers(AGAIN, &Asked::property(property)).expect("an answer");
        let evidence = answer.remove(0).evidence.expect(property);
        assert_eq!(evidence.claim == quotient_core::Claim::Holds, holds);
        certify(AGAIN, property, &evidence).expect(property);
        // It says nothing of what is earned but once, of the least, or with another part beside it.
        assert!(certify(&once, property, &evidence).is_err());
        assert!(certify(AGAIN, &property.replace("max", "min"), &evidence).is_err());
        let mut twice = evidence.clone();
        let parts = twice.body["parts"].as_array_mut().expect("parts");
        parts.push(parts[0].clone());
        assert!(certify(AGAIN, property, &twice).is_err());
    }
    // Of other states it says nothing.
    let all = format!("filter(max, {infinite}, true)");
    let mut answer = answers(AGAIN, &Asked::property(&all)).expect("an answer");
    assert!(answer.remove(0).evidence.is_none());
}

/// Where steps without delay go on for ever no time passes, and nothing has a share of it.
#[test]
fn there_is_no_average_where_time_stops() {
    let text = |end: &str| {
        format!(
            "ma module m s : [0..2]; <> s=0 -> 2 : (s'=1) + 1 : (s'=2); {end} s=1 -> 1 : true; <> s=2 -> 1 : true;
            endmodule"
        )
    };
    let asked = |end: &str| {
        let found = answers(&text(end), &Asked::property("Smax=? [ s=2 ]"));
        found.expect("an answer").remove(0)
    };
    let third = asked("<>").value.expect("a number");
    assert!(
        third.lower <= 1.0 / 3.0 && third.upper >= 1.0 / 3.0 && third.upper - third.lower < 1e-6
    );
    let told = asked("[]").verdict;
    assert!(
        matches!(told, quotient_core::Verdict::Unknown(_)),
        "{told:?}"
    );
}
