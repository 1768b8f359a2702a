//! Several objectives: evidence for what can be attained and for what cannot.

use crate::common::{Asked, answers, open};
use proptest::prelude::*;
use quotient_core::{Budget, Evidence, Rejection, Verdict};
use serde_json::Value;

/// A process that ends in 3 or 4, or goes on for nothing; each choice costs something, and leads to
/// four places with chances of one quarter.
fn text(rows: &[Vec<(u8, Vec<usize>)>]) -> String {
    let (mut commands, mut costs) = (String::new(), String::new());
    for (state, choices) in rows.iter().enumerate() {
        for (number, (cost, targets)) in choices.iter().enumerate() {
            let branches: Vec<String> =
                targets.iter().map(|to| format!("0.25:(x'={to})")).collect();
            commands += &format!("  [a{number}] x={state} -> {};\n", branches.join(" + "));
            costs += &format!("  [a{number}] x={state} : {cost};\n");
        }
    }
    format!(
        "mdp\nmodule m\n  x : [0..4];\n{commands}  [] x>2 -> true;\nendmodule\n\
         rewards \"cost\"\n{costs}endrewards\n"
    )
}

fn certify(model: &str, property: &str, evidence: &Evidence) -> Result<Vec<String>, Rejection> {
    let mut model = open(model, &Asked::property(property)).expect("a model");
    let asked = model.property(property).expect("a property");
    let certified = model.certify(evidence, &asked, &Budget::unlimited())?;
    Ok(certified.facts)
}

/// Paths that must be taken or missed, and costs.
const OBJECTIVES: &[&[&str]] = &[
    &["P>=T [ F x=3 ]", "P>=0.25 [ F x=4 ]"],
    &["P>=T [ x!=1 U x=3 ]", "P<=0.5 [ F x=1 ]"],
    &["P>T [ G x!=2 ]", "P>=0.3 [ F x=3 ]"],
    &["P>=T [ F x=3 ]", "R{\"cost\"}<=2 [ C ]"],
    &[
        "P>=T [ F x=3 ]",
        "P<0.5 [ F x=4 ]",
        "R{\"cost\"}>=0.5 [ C ]",
    ],
    &["P>=T [ F x=3 ]", "P>=1 [ F x>2 ]"],
    &["R{\"cost\"}<=T [ C ]", "P>=0.5 [ F x=3 ]"],
    &["Pmax=? [ F x=3 ]", "P>=0.25 [ F x=4 ]"],
    &["Pmin=? [ F x=1 ]", "P>=0.25 [ F x=4 ]"],
    &["Pmax=? [ G x!=2 ]", "R{\"cost\"}<=1.5 [ C ]"],
    &["R{\"cost\"}min=? [ C ]", "P>=0.5 [ F x=3 ]"],
    &[
        "R{\"cost\"}max=? [ C ]",
        "P>=0.5 [ F x=3 ]",
        "P<=0.5 [ F x=2 ]",
    ],
    &["P>=T [ F<=3 x=3 ]", "P>=0.2 [ X x=1 ]"],
    &["Pmax=? [ x!=1 U[1,4] x=3 ]", "R{\"cost\"}<=1.5 [ C<=3 ]"],
    &["R{\"cost\"}max=? [ C<=5 ]", "P>=0.3 [ G<=2 x<2 ]"],
    &["Pmax=? [ F x=3 ]", "R{\"cost\"}min=? [ C ]"],
    &["Pmax=? [ F x=3 ]", "Pmin=? [ F x=1 ]"],
    &["R{\"cost\"}max=? [ C<=4 ]", "Pmax=? [ F<=3 x=4 ]"],
    &["P>=T [ G F x=1 ]", "P>=0.25 [ F x=3 ]"],
    &["P>=T [ F G x=3 ]", "P<=0.5 [ G F x=4 ]"],
    &["Pmax=? [ (F x=3) | (G F x=1) ]", "P>=0.2 [ F x=4 ]"],
    &[
        "P>=T [ F G x<3 ]",
        "P>=0.2 [ G F x=2 ]",
        "P<=0.7 [ F<=2 x=2 ]",
    ],
    &["Pmax=? [ x<2 W x=3 ]", "Pmin=? [ F (x=1 & (X x=2)) ]"],
    &["R{\"cost\"}<=T [ F x>2 ]", "P>=0.3 [ F x=4 ]"],
    &["R{\"cost\"}min=? [ F x>2 ]", "P>=0.3 [ F G x=4 ]"],
    &["R{\"cost\"}max=? [ F x>2 ]", "P<=0.5 [ F x=4 ]"],
];

fn process() -> impl Strategy<Value = String> {
    let choice = (0u8..3, prop::collection::vec(0usize..5, 4));
    let rows = prop::collection::vec(prop::collection::vec(choice, 1..3), 3);
    rows.prop_map(|rows| text(&rows))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn what_can_be_attained_is_shown(process in process(), tenths in 0u8..=10) {
        let mut shown = 0;
        for parts in OBJECTIVES {
            let property = format!("multi({})", parts.join(", "));
            let property = property.replace('T', &format!("{}", f64::from(tenths) / 10.0));
            let Ok(mut answers) = answers(&process, &Asked::property(&property)) else {
                continue;
            };
            let mut answer = answers.remove(0);
            if let Verdict::Unknown(why) = &answer.verdict {
                // Bounds that are met exactly are known, too.
                let why = why.to_string();
                let told = why.contains("again and again") || why.contains("no strategy keeps");
                prop_assert!(told, "{property}: {why}\n{process}");
                continue;
            }
            let evidence = answer.evidence.take();
            let evidence = evidence.unwrap_or_else(|| panic!("{property}\n{process}"));
            shown += 1;
            let facts = certify(&process, &property, &evidence);
            prop_assert!(facts.is_ok(), "{property}: {facts:?}\n{process}\n{}", evidence.body);
            let mut other = evidence.clone();
            other.claim = match evidence.claim {
                quotient_core::Claim::Holds => quotient_core::Claim::Violated,
                quotient_core::Claim::Violated => quotient_core::Claim::Holds,
            };
            prop_assert!(certify(&process, &property, &other).is_err(), "{property}");
        }
        prop_assert!(shown > 0, "{process}");
    }

    #[test]
    fn no_evidence_is_taken_for_more_than_it_shows(process in process(), hundredth in 1u8..=20) {
        let best = "multi(Pmax=? [ F x=3 ], P>=0.25 [ F x=4 ])";
        let Ok(mut answers) = answers(&process, &Asked::property(best)) else {
            return Ok(());
        };
        let mut answer = answers.remove(0);
        let (Some(value), Some(genuine)) = (answer.value.take(), answer.evidence.take()) else {
            return Ok(());
        };
        // A bound that cannot be kept is not shown by what shows the best, and the other way round.
        let off = f64::from(hundredth) / 100.0;
        let above = format!("multi(P>={:?} [ F x=3 ], P>=0.25 [ F x=4 ])", value.upper + off);
        let below = format!("multi(P>={:?} [ F x=3 ], P>=0.25 [ F x=4 ])", (value.lower - off).max(0.0));
        let several = |evidence: &Evidence| evidence.body["parts"][0]["several"].clone();
        for (property, claim) in [(&above, true), (&below, false)] {
            let mut forged = match claim {
                true => Evidence::of_holds(&genuine.kind, &genuine.body),
                false => Evidence::of_violated(&genuine.kind, &genuine.body),
            };
            prop_assert!(certify(&process, property, &forged).is_err());
            let part = &mut forged.body["parts"][0]["several"];
            let part = part.as_object_mut().expect("an object");
            part.remove(if claim { "ceilings" } else { "ways" });
            prop_assert!(certify(&process, property, &forged).is_err(), "{property}\n{process}");
        }
        // Every number of the first state moved to the better side.
        let part = several(&genuine);
        for forged in moved(&part, off) {
            let mut evidence = genuine.clone();
            evidence.body["parts"][0]["several"] = forged;
            prop_assert!(certify(&process, best, &evidence).is_err(), "{process}");
        }
    }
}

/// The evidence with what is paid in the first state moved, by way and objective, and with what is not
/// exceeded.
fn moved(part: &Value, off: f64) -> Vec<Value> {
    let mut all = Vec::new();
    let float = |text: &str| -> f64 { text.parse().expect("a number") };
    let first = |line: &Value, by: f64| -> Value {
        let line = line.as_str().expect("a line");
        let (number, rest) = line.split_once([' ', '*']).unwrap_or((line, ""));
        let value = match number.split_once('/') {
            Some((part, whole)) => float(part) / float(whole),
            None => float(number),
        };
        // What stood several times stands there once less, and numbers that are named stay.
        let repeated = line.as_bytes().get(line.len() - rest.len() - 1) == Some(&b'*');
        let rest = match (repeated, rest.split_once(' ')) {
            (true, Some((times, rest))) => {
                let times: usize = times.parse().expect("a number");
                format!("{number}*{} {rest}", times - 1)
            }
            (true, None) => {
                let times: usize = rest.parse().expect("a number");
                format!("{number}*{}", times - 1)
            }
            (false, _) => rest.to_owned(),
        };
        // Numbers are named by their place among different ones: one more makes no sense of names.
        match rest.contains('@') {
            true => Value::Null,
            false => format!("{:?} {rest}", value + by).into(),
        }
    };
    for way in 0..part["ways"].as_array().map_or(0, Vec::len) {
        for objective in 0..2 {
            let mut forged = part.clone();
            let line = &mut forged["ways"][way]["values"][objective];
            *line = first(line, off);
            all.push(forged);
        }
        let mut forged = part.clone();
        forged["ways"][way]["share"] = (-1.0).into();
        all.push(forged);
    }
    let mut forged = part.clone();
    let line = &mut forged["ceilings"][0]["values"];
    *line = first(line, -off);
    all.push(forged);
    let mut forged = part.clone();
    forged["ceilings"][0]["weights"][0] = (-1.0).into();
    all.push(forged);
    all
}

/// The most of a sum of the chance of `F<=k x=2` and of what is earned in `j` steps, by stepping
/// backwards: whether 2 was reached in time is remembered.
fn most_of_sum(
    rows: &[Vec<(u8, Vec<usize>)>],
    (chance, reward): (f64, f64),
    (k, j): (usize, usize),
) -> f64 {
    let reached = |step: usize, state: usize, before: bool| before || step <= k && state == 2;
    let mut values = [[0.0, chance]; 5];
    for step in (0..k.max(j)).rev() {
        let ahead = |to: usize, flag: bool| values[to][usize::from(reached(step + 1, to, flag))];
        let mut next = values;
        for (state, next) in next.iter_mut().enumerate() {
            for flag in [false, true] {
                let value = match rows.get(state) {
                    None => ahead(state, flag),
                    Some(choices) => {
                        let worths = choices.iter().map(|(cost, targets)| {
                            let earned = if step < j { f64::from(*cost) } else { 0.0 };
                            let sum: f64 = targets.iter().map(|&to| ahead(to, flag)).sum();
                            reward * earned + sum / 4.0
                        });
                        worths.fold(f64::NEG_INFINITY, f64::max)
                    }
                };
                next[usize::from(flag)] = value;
            }
        }
        values = next;
    }
    values[0][usize::from(reached(0, 0, false))]
}

type Rows = Vec<Vec<(u8, Vec<usize>)>>;

fn rows() -> impl Strategy<Value = Rows> {
    let choice = (0u8..3, prop::collection::vec(0usize..5, 4));
    prop::collection::vec(prop::collection::vec(choice, 1..3), 3)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn the_corners_of_a_table_are_the_most_of_every_sum(rows in rows(), k in 0usize..5, j in 0usize..5) {
        let property = format!("multi(Pmax=? [ F<={k} x=2 ], R{{\"cost\"}}max=? [ C<={j} ])");
        let mut answers = answers(&text(&rows), &Asked::property(&property)).expect("an answer");
        let table = answers.remove(0).table.expect("a table");
        let pair = |row: &Vec<String>| -> (f64, f64) {
            let number = |text: &String| text.parse::<f64>().expect("a number");
            (number(&row[0]), number(&row[1]))
        };
        let pairs: Vec<(f64, f64)> = table.rows.iter().map(pair).collect();
        for tenth in 0..=10 {
            let weights = (f64::from(tenth) / 10.0, 1.0 - f64::from(tenth) / 10.0);
            let worths = pairs.iter().map(|pair| weights.0 * pair.0 + weights.1 * pair.1);
            let found = worths.fold(0.0, f64::max);
            let most = most_of_sum(&rows, weights, (k, j));
            prop_assert!((found - most).abs() <= 1e-5, "{found} {most} {pairs:?}\n{}", text(&rows));
        }
    }

    #[test]
    fn a_table_is_not_taken_for_more_than_it_shows(rows in rows(), hundredth in 1u8..=20) {
        let process = text(&rows);
        let property = "multi(Pmax=? [ F x=3 ], R{\"cost\"}max=? [ C<=3 ])";
        let mut answers = answers(&process, &Asked::property(property)).expect("an answer");
        let genuine = answers.remove(0).evidence.expect("evidence");
        prop_assert!(certify(&process, property, &genuine).is_ok());
        let off = f64::from(hundredth) / 100.0;
        let part = &genuine.body["parts"][0]["several"];
        let many = part["ways"].as_array().map_or(0, Vec::len);
        let mut lies = moved(part, off);
        for list in ["ways", "ceilings"] {
            // One less, and in another order.
            let mut fewer = part.clone();
            fewer[list].as_array_mut().expect("a list").pop();
            lies.push(fewer);
            if many > 1 {
                let mut turned = part.clone();
                turned[list].as_array_mut().expect("a list").reverse();
                lies.push(turned);
            }
        }
        for lie in lies {
            let mut evidence = genuine.clone();
            evidence.body["parts"][0]["several"] = lie;
            prop_assert!(certify(&process, property, &evidence).is_err(), "{}", evidence.body);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn conditions_of_all_kinds_agree(rows in rows()) {
        let process = text(&rows);
        let value = |property: &str| {
            let mut found = answers(&process, &Asked::property(property)).ok()?;
            let answer = found.remove(0);
            let number = answer.value?;
            let evidence = answer.evidence.expect(property);
            let facts = certify(&process, property, &evidence);
            assert!(facts.is_ok(), "{property} {facts:?}\n{process}");
            Some((number.lower, number.upper))
        };
        let near = |one: &str, other: &str, turned: bool| {
            match (value(one), value(other)) {
                (Some(a), Some(b)) => {
                    let b = if turned { (1.0 - b.1, 1.0 - b.0) } else { b };
                    assert!(a.0 <= b.1 + 1e-6 && b.0 <= a.1 + 1e-6, "{one} {a:?} {other} {b:?}\n{process}");
                }
                (None, None) => {}
                other => panic!("{one} {other:?}\n{process}"),
            }
        };
        near("Pmax=? [ F x=3 || F x=1 ]", "Pmax=? [ true U x=3 || F>=0 x=1 ]", false);
        near("Pmin=? [ F x=3 || F x=1 ]", "Pmax=? [ G x!=3 || F x=1 ]", true);
        near("Pmax=? [ F x=3 || X x=1 ]", "Pmax=? [ F x=3 || F[1,1] x=1 ]", false);
        near("Pmin=? [ x!=2 U x=3 || F<=2 x=1 ]", "Pmin=? [ x!=2 U>=0 x=3 || F[0,2] x=1 ]", false);
    }
}

/// One value is small and the other large: both ends of the table are there.
#[test]
fn values_of_different_sizes_are_traded_off() {
    let model = "mdp\nmodule m\n  x : [0..3];\n  [a] x=0 -> 0.5:(x'=1) + 0.5:(x'=2);\n  \
                 [b] x=0 -> 0.499999:(x'=1) + 0.500001:(x'=3);\n  [] x>0 -> true;\nendmodule\n\
                 rewards \"gain\"\n  [b] true : 1000000;\nendrewards\n";
    let property = "multi(Pmax=? [ F x=1 ], R{\"gain\"}max=? [ C ])";
    let found = answers(model, &Asked::property(property)).expect("an answer");
    let table = found[0].table.as_ref().expect("a table");
    assert_eq!(table.rows.len(), 2, "{table:?}");
    let first: f64 = table.rows[0][0].parse().expect("a number");
    assert!((first - 0.5).abs() < 1e-9, "{table:?}");
    let evidence = found[0].evidence.as_ref().expect("evidence");
    let facts = certify(model, property, evidence).expect("shown");
    assert!(facts.concat().contains("can be attained"), "{facts:?}");
}

/// Where one may stay for ever as if something were still to come.
#[test]
fn what_never_comes_is_not_paid() {
    let model = "mdp\nmodule m\n  x : [0..2];\n  [stay] x=0 -> true;\n  [go] x=0 -> (x'=1);\n  \
                 [] x>0 -> true;\nendmodule\n";
    let property = "multi(P>=0.5 [ F x=2 ], P>=0.5 [ F x=1 ])";
    let lies = |steps: &str| {
        let body = serde_json::json!({"parts": [{"several": {"states": 2, "ways": [{
            "share": 1.0, "chosen": [0, 0], "values": ["1.0 0.0", "1.0 1.0"], "steps": steps}]}}]});
        Evidence::of_holds("chance-parts", &body).about(property)
    };
    for steps in ["0.0 0.0", "1.0 0.0", "1e300 0.0", "0.0 -1e300"] {
        assert!(certify(model, property, &lies(steps)).is_err(), "{steps}");
    }
    // The like for the sum that no way exceeds: that x=1 is never reached.
    let property = "multi(P>=0.5 [ F x=1 ], P>=0 [ F x=2 ])";
    let lies = |values: &str, steps: &str| {
        let body = serde_json::json!({"parts": [{"several": {"states": 2, "ceilings": [{
            "weights": [1.0, 0.0], "values": values, "steps": steps}]}}]});
        Evidence::of_violated("chance-parts", &body).about(property)
    };
    for (values, steps) in [
        ("0.0 0.0", "0.0 0.0"),
        ("0.0 0.0", "5.0 5.0"),
        ("0.0 1.0", "1.0 0.0"),
    ] {
        assert!(certify(model, property, &lies(values, steps)).is_err());
    }
    let found = answers(model, &Asked::property(property)).expect("an answer");
    assert_eq!(found[0].verdict, Verdict::Holds);
}
