//! Path formulas of any shape beside other objectives.

use crate::common::{Asked, answers, open};
use proptest::prelude::*;
use quotient_core::{Budget, Evidence, Rejection, Verdict};
use quotient_language::Answer;

/// A process with two loops that may be left, and two ends.
fn text(rows: &[Vec<Vec<usize>>]) -> String {
    let mut commands = String::new();
    for (state, choices) in rows.iter().enumerate() {
        for targets in choices {
            let branches: Vec<String> = targets.iter().map(|to| format!("0.5:(x'={to})")).collect();
            commands += &format!("  [] x={state} -> {};\n", branches.join(" + "));
        }
    }
    format!("mdp\nmodule m\n  x : [0..4];\n{commands}  [] x>3 -> true;\nendmodule\n")
}

fn process() -> impl Strategy<Value = String> {
    let choice = prop::collection::vec(0usize..5, 2);
    let rows = prop::collection::vec(prop::collection::vec(choice, 1..3), 4);
    rows.prop_map(|rows| text(&rows))
}

fn certify(model: &str, property: &str, evidence: &Evidence) -> Result<Vec<String>, Rejection> {
    let mut model = open(model, &Asked::property(property)).expect("a model");
    let asked = model.property(property).expect("a property");
    let certified = model.certify(evidence, &asked, &Budget::unlimited())?;
    Ok(certified.facts)
}

/// The answer, whose evidence is shown if there is some.
fn asked(process: &str, property: &str) -> Answer {
    let found = answers(process, &Asked::property(property));
    let mut found = found.unwrap_or_else(|trouble| panic!("{property}: {trouble}\n{process}"));
    let answer = found.remove(0);
    if let Some(evidence) = &answer.evidence {
        let facts = certify(process, property, evidence);
        assert!(facts.is_ok(), "{property}: {facts:?}\n{process}");
    }
    answer
}

fn bounds(process: &str, property: &str) -> (f64, f64) {
    let number = asked(process, property).value;
    let number = number.unwrap_or_else(|| panic!("{property}\n{process}"));
    (number.lower, number.upper)
}

const FORMULAS: &[&str] = &[
    "G F x=1",
    "F G (x=1 | x=2)",
    "(G F x=2) & (F x=3)",
    "(G F x=2) | (F G x=4)",
    "F (x=1 & (X x=2))",
    "G (x=1 => (F x=3))",
    "(F G x=4) => (G F x=3)",
    "x<2 W x=3",
    "!(F x=3)",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn beside_what_is_always_kept_a_formula_is_worth_what_it_is_alone(process in process()) {
        for formula in FORMULAS {
            for best in ["Pmax", "Pmin"] {
                let alone = bounds(&process, &format!("{best}=? [ {formula} ]"));
                let beside = format!("multi({best}=? [ {formula} ], P>=0 [ F x=3 ])");
                let beside = bounds(&process, &beside);
                prop_assert!(
                    alone.0 <= beside.1 + 1e-6 && beside.0 <= alone.1 + 1e-6,
                    "{best} {formula}: {alone:?} {beside:?}\n{process}"
                );
            }
        }
    }

    #[test]
    fn two_formulas_are_surely_kept_together_if_both_at_once_are(process in process()) {
        for (number, one) in FORMULAS.iter().enumerate() {
            let other = FORMULAS[(number + 4) % FORMULAS.len()];
            let (low, high) = bounds(&process, &format!("Pmax=? [ ({one}) & ({other}) ]"));
            let both = asked(&process, &format!("multi(P>=1 [ {one} ], P>=1 [ {other} ])"));
            match both.verdict {
                Verdict::Holds => prop_assert!(high > 1.0 - 1e-6, "{one} {other}\n{process}"),
                Verdict::Violated => prop_assert!(low < 1.0 - 1e-9, "{one} {other}\n{process}"),
                Verdict::Unknown(_) => {}
            }
        }
    }

    #[test]
    fn a_formula_and_a_path_are_surely_kept_together_if_both_at_once_are(process in process()) {
        for formula in FORMULAS {
            for (path, objective) in [
                ("F x=2", "P>=1 [ F x=2 ]"),
                ("G x!=1", "P<=0 [ F x=1 ]"),
                ("x<2 U x=3", "P>=1 [ x<2 U x=3 ]"),
                ("!(x!=1 U x=2)", "P<=0 [ x!=1 U x=2 ]"),
                ("G<=2 x!=1", "P>=1 [ G<=2 x!=1 ]"),
            ] {
                let both = format!("Pmax=? [ ({formula}) & ({path}) ]");
                let (low, high) = bounds(&process, &both);
                let beside = format!("multi(P>=1 [ {formula} ], {objective})");
                match asked(&process, &beside).verdict {
                    Verdict::Holds => prop_assert!(high > 1.0 - 1e-6, "{beside}\n{process}"),
                    Verdict::Violated => prop_assert!(low < 1.0 - 1e-9, "{beside}\n{process}"),
                    Verdict::Unknown(_) => {}
                }
            }
        }
    }

    #[test]
    fn of_a_formula_and_its_opposite_there_is_one_in_all(process in process()) {
        for formula in FORMULAS {
            let property = format!("multi(Pmax=? [ {formula} ], Pmax=? [ !({formula}) ])");
            let table = asked(&process, &property).table.expect("a table");
            let number = |text: &String| text.parse::<f64>().expect("a number");
            for row in &table.rows {
                let sum = number(&row[0]) + number(&row[1]);
                prop_assert!((sum - 1.0).abs() < 1e-5, "{formula} {sum}\n{process}");
            }
            let most = bounds(&process, &format!("Pmax=? [ {formula} ]")).1;
            let least = bounds(&process, &format!("Pmin=? [ {formula} ]")).0;
            let first = number(&table.rows[0][0]);
            let last = number(&table.rows[table.rows.len() - 1][0]);
            prop_assert!((first - most).abs() < 1e-5, "{formula} {first} {most}\n{process}");
            prop_assert!((last - least).abs() < 1e-5, "{formula} {last} {least}\n{process}");
        }
    }
}

/// One may stay in the first room, or go on to the second and stay there; going on costs 2.
const ROOMS: &str = "mdp
module m
  x : [0..3];
  [enter] x=0 -> 0.8:(x'=1) + 0.2:(x'=3);
  [] x=1 -> true;
  [on] x=1 -> (x'=2);
  [] x>1 -> true;
endmodule
rewards \"cost\" [enter] true : 1; [on] true : 2; endrewards
";

#[test]
fn a_run_stays_in_one_of_two_rooms() {
    let verdict = |property: &str| asked(ROOMS, property).verdict;
    let holds = |property: &str| assert_eq!(verdict(property), Verdict::Holds, "{property}");
    let fails = |property: &str| assert_eq!(verdict(property), Verdict::Violated, "{property}");
    holds("multi(P>=0.3 [ G F x=1 ], P>=0.499 [ G F x=2 ])");
    fails("multi(P>=0.3 [ G F x=1 ], P>=0.501 [ G F x=2 ])");
    // That the first room was seen is not that one stays there.
    holds("multi(P>=0.79 [ F x=1 ], P>=0.79 [ G F x=2 ])");
    // Who stays in a room is there: staying is no way to be there without having come.
    fails("multi(P>=0.5 [ G F x=1 ], P<=0.4 [ F x=1 ])");
    fails("multi(P>=0.5 [ G F x=2 ], P>=0.51 [ G x!=2 ])");
    let value = |property: &str, expected: f64| {
        let (low, high) = bounds(ROOMS, property);
        assert!(
            low <= expected + 1e-9 && expected <= high + 1e-9,
            "{property} {low} {high}"
        );
        assert!(high - low < 1e-5, "{property} {low} {high}");
    };
    value("multi(R{\"cost\"}max=? [ C ], P>=0.3 [ F G x=1 ])", 2.0);
    value("multi(R{\"cost\"}min=? [ C ], P>=0.3 [ F G x=2 ])", 1.6);
    value("multi(Pmin=? [ G F x=1 ], R{\"cost\"}<=2 [ C ])", 0.3);
    value(
        "multi(Pmax=? [ G F x=1 ], P>=0.3 [ G F x=2 ], P>=0.1 [ F<=2 x=2 ])",
        0.5,
    );
}

#[test]
fn what_is_earned_until_a_goal_stands_beside_other_objectives() {
    // One may try again for 1 until it works, or give up for nothing; a lucky try wins more.
    let model = "mdp
module m
  x : [0..3];
  [try] x=0 -> 0.5:(x'=0) + 0.25:(x'=1) + 0.25:(x'=2);
  [rest] x=0 -> true;
  [give] x=0 -> (x'=1);
  [again] x=1 -> (x'=1);
  [] x>1 -> true;
endmodule
rewards \"cost\" [try] true : 1; [again] true : 5; endrewards
";
    // Who surely ends, and in 2 with a chance of a quarter, tries half of the time: 2 tries each.
    let (low, high) = bounds(
        model,
        "multi(R{\"cost\"}min=? [ F x>0 ], P>=0.25 [ F x=2 ])",
    );
    assert!(
        low <= 1.0 + 1e-9 && 1.0 <= high + 1e-9 && high - low < 1e-5,
        "{low} {high}"
    );
    let verdict = |property: &str| asked(model, property).verdict;
    let cheap = "multi(R{\"cost\"}<=0.9 [ F x>0 ], P>=0.25 [ F x=2 ])";
    assert_eq!(verdict(cheap), Verdict::Violated);
    let dear = "multi(R{\"cost\"}<=1.1 [ F x>0 ], P>=0.25 [ F x=2 ])";
    assert_eq!(verdict(dear), Verdict::Holds);
    // Resting for ever would be cheap, and never ends: what is earned then is infinite.
    let rests = "multi(R{\"cost\"}max=? [ F x>0 ], P>=0.25 [ F x=2 ])";
    let found = answers(model, &Asked::property(rests));
    assert!(found.is_err_and(|trouble| trouble.to_string().contains("infinity")));
}

#[test]
fn evidence_about_formulas_beside_others_is_not_taken_for_more() {
    let kept = "multi(P>=0.3 [ G F x=1 ], P>=0.499 [ G F x=2 ])";
    let found = answers(ROOMS, &Asked::property(kept)).expect("an answer");
    let genuine = found[0].evidence.clone().expect("evidence");
    certify(ROOMS, kept, &genuine).expect("shown");
    for other in [
        "multi(P>=0.3 [ G F x=1 ], P>=0.51 [ G F x=2 ])",
        "multi(P>=0.3 [ G F x=2 ], P>=0.499 [ G F x=1 ])",
        "multi(P>=0.3 [ F G x=3 ], P>=0.499 [ G F x=2 ])",
    ] {
        let forged = genuine.clone().about(other);
        assert!(certify(ROOMS, other, &forged).is_err(), "{other}");
    }
    let lost = "multi(P>=0.3 [ G F x=1 ], P>=0.501 [ G F x=2 ])";
    let found = answers(ROOMS, &Asked::property(lost)).expect("an answer");
    let genuine = found[0].evidence.clone().expect("evidence");
    certify(ROOMS, lost, &genuine).expect("shown");
    let forged = genuine.about(kept);
    assert!(certify(ROOMS, kept, &forged).is_err());
}

/// Who may rest for ever keeps no goal: ways that do are taken away, and a sum that only the others
/// do not exceed shows nothing.
#[test]
fn what_only_some_ways_do_not_exceed_is_not_shown() {
    let model = "mdp
module m
  x : [0..2];
  [go] x=0 -> 0.5:(x'=1) + 0.5:(x'=2);
  [rest] x=1 -> true;
  [back] x=1 -> (x'=0);
  [] x=2 -> true;
endmodule
rewards \"cost\" [back] true : 1; endrewards
";
    for property in [
        "multi(R{\"cost\"}<=0.5 [ F x=2 ], P>=0.3 [ F x=2 ])",
        "multi(R{\"cost\"}<=0.5 [ C ], P>=1 [ F x=2 ])",
    ] {
        // Evidence that is there is shown.
        assert_eq!(
            asked(model, property).verdict,
            Verdict::Violated,
            "{property}"
        );
    }
}
