//! Backward search against forward search of small starts, with transfers and upper limits.

use std::collections::BTreeSet;

use quotient_core::{Budget, Context, Source, Verdict};
use quotient_trial::arbitrary::{Result as Made, Unstructured};

use crate::ceiling::ceilings;
use crate::certify::certify;
use crate::check::{Checker, Task};
use crate::formula::{Formula, Question};
use crate::net::Net;
use crate::properties::Asked;
use crate::testing::checker;

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

/// Rules, each a line, and the rest of a `.spec`.
fn random_rules(u: &mut Unstructured<'_>) -> Made<Vec<String>> {
    let mut rules = Vec::new();
    for _ in 0..u.int_in_range(1..=5)? {
        let mut guards = Vec::new();
        let mut updates = Vec::new();
        for name in NAMES {
            match u.int_in_range(0..=9)? {
                0 => guards.push(format!("{name} = {}", u.int_in_range(0..=1)?)),
                1 => guards.push(format!("{name} <= {}", u.int_in_range(0..=2)?)),
                2..=4 => guards.push(format!("{name} >= {}", u.int_in_range(1..=2)?)),
                _ => {}
            }
            match u.int_in_range(0..=9)? {
                0..=2 => updates.push(format!("{name}' = {name} - 1")),
                3..=4 => updates.push(format!("{name}' = {name} + {}", u.int_in_range(1..=2)?)),
                5 => updates.push(format!("{name}' = {}", u.int_in_range(0..=1)?)),
                6 => {
                    let other = NAMES[u.int_in_range(0..=3)?];
                    updates.push(format!("{name}' = {name} + {other}"));
                    if other != name
                        && u.ratio(2, 3)?
                        && !updates.iter().any(|one| one.starts_with(other))
                    {
                        updates.push(format!("{other}' = 0"));
                        break;
                    }
                }
                _ => {}
            }
        }
        if guards.is_empty() {
            guards.push("a >= 0".to_owned());
        }
        rules.push(format!(
            "{} -> {};\n",
            guards.join(", "),
            updates.join(", ")
        ));
    }
    Ok(rules)
}

fn random_rest(u: &mut Unstructured<'_>) -> Made<String> {
    let mut bounds = Vec::new();
    let mut start = Vec::new();
    for name in NAMES {
        let sign = ["=", "=", ">="][u.int_in_range(0..=2)?];
        start.push(format!("{name} {sign} {}", u.int_in_range(0..=1)?));
        match u.int_in_range(0..=5)? {
            0..=2 => bounds.push(format!("{name} >= {}", u.int_in_range(1..=3)?)),
            3 => bounds.push(format!("{name} = {}", u.int_in_range(0..=1)?)),
            _ => {}
        }
    }
    if bounds.is_empty() {
        bounds.push("a >= 2".to_owned());
    }
    Ok(format!(
        "init {}\ntarget {}\n",
        start.join(", "),
        bounds.join(", ")
    ))
}

fn read(rules: &[String], rest: &str) -> (Net, Formula, String) {
    let text = format!("vars {}\nrules\n{}{rest}", NAMES.join(" "), rules.concat());
    let (net, target) = crate::spec::read(&Source::new("r.spec", text.as_str())).unwrap();
    (net, target, text)
}

/// Some markings that are reachable: small ones from small starts.
fn some_reachable(net: &Net) -> BTreeSet<Vec<u64>> {
    let mut todo = vec![Vec::new()];
    for place in &net.places {
        let most = place.most.unwrap_or(place.least + 2);
        let longer = |one: Vec<u64>| {
            (place.least..=most).map(move |tokens| {
                let mut longer = one.clone();
                longer.push(tokens);
                longer
            })
        };
        todo = todo.into_iter().flat_map(longer).collect();
    }
    let mut seen: BTreeSet<Vec<u64>> = todo.iter().cloned().collect();
    while let Some(marking) = todo.pop() {
        for next in net.transitions.iter().filter_map(|one| one.fire(&marking)) {
            let small = next.iter().all(|&tokens| tokens <= 5) && seen.len() < 2_000;
            if small && seen.insert(next.clone()) {
                todo.push(next);
            }
        }
    }
    seen
}

fn asked(target: &Formula) -> Asked {
    Asked {
        name: "safe".to_owned(),
        text: "safe".to_owned(),
        kind: "coverability",
        question: Question::Always(Formula::Not(Box::new(target.clone()))),
        span: None,
    }
}

fn answered(net: &Net, asked: &Asked) -> Option<quotient_language::Answer> {
    let cx = Context::default();
    let checker = Checker {
        most: 1_000,
        ..checker(net, &cx)
    };
    let mut tasks = Task::of(0, asked);
    let budget = Budget::unlimited().child_with_work(20_000);
    let _ = checker.cover(&mut tasks, &budget);
    tasks.remove(0).answer
}

#[test]
fn backward_search_says_what_a_search_forwards_does_and_shows_it() {
    quotient_trial::trial(|u| {
        let rules = random_rules(u)?;
        let rest = random_rest(u)?;
        let (net, target, text) = read(&rules, &rest);
        let reached = some_reachable(&net);
        let covered = reached.iter().any(|one| target.holds(&net, one));
        let asked = asked(&target);
        let budget = Budget::unlimited().child_with_work(200_000);
        if let Some(answer) = answered(&net, &asked) {
            assert!(
                !covered || answer.verdict == Verdict::Violated,
                "{text}: {}",
                answer.because
            );
            let evidence = answer.evidence.unwrap();
            let certified = certify(&net, "safe", &asked.question, &evidence, &budget);
            certified.unwrap_or_else(|why| panic!("{why}\n{text}"));
        }
        // What shows it of fewer rules does not show it of all, if it is not so.
        if covered {
            let (fewer, _, _) = read(&rules[1..], &rest);
            if let Some(answer) = answered(&fewer, &asked) {
                let evidence = answer.evidence.unwrap();
                if answer.verdict == Verdict::Holds {
                    let certified = certify(&net, "safe", &asked.question, &evidence, &budget);
                    assert!(certified.is_err(), "{text}");
                    let mut forged = evidence;
                    forged.body["weights"] = serde_json::json!([{"a": 1}, {"b": 1}]);
                    let certified = certify(&net, "safe", &asked.question, &forged, &budget);
                    assert!(certified.is_err(), "{text}");
                }
            }
        }
        Ok(())
    })
    .budget_ms(2_500);
}

#[test]
fn no_reachable_marking_is_above_a_ceiling() {
    quotient_trial::trial(|u| {
        let rules = random_rules(u)?;
        let (net, _, text) = read(&rules, &random_rest(u)?);
        let all = ceilings(&net, &Budget::unlimited()).unwrap();
        for marking in some_reachable(&net) {
            assert!(
                !all.iter().any(|one| one.is_below(&marking)),
                "{text}{marking:?}"
            );
        }
        Ok(())
    })
    .budget_ms(1_500);
}

#[test]
fn a_lock_keeps_two_from_getting_in_whatever_else_is_there() {
    let text = "vars out in lock\nrules\nout >= 1, lock >= 1 -> out' = out - 1, in' = in + 1, \
                lock' = lock - 1;\nin >= 1 -> out' = out + 1, in' = in - 1, lock' = lock + 1;\n\
                init out >= 1, in = 0, lock = 1\ntarget in >= 2\n";
    let (net, target) = crate::spec::read(&Source::new("r.spec", text)).unwrap();
    let all = ceilings(&net, &Budget::unlimited()).unwrap();
    let sum = all.iter().find(|one| one.weights == [(1, 1), (2, 1)]);
    assert_eq!(sum.map(|one| one.most), Some(1));
    let asked = asked(&target);
    let answer = answered(&net, &asked).unwrap();
    assert_eq!(answer.verdict, Verdict::Holds);
    let evidence = answer.evidence.unwrap();
    // The sum alone shows it: there is no member.
    assert_eq!(evidence.body["basis"].as_array().map(Vec::len), Some(0));
    let budget = Budget::unlimited();
    for weights in [
        serde_json::json!([]),
        serde_json::json!([{"in": 1}]),
        serde_json::json!([{"in": 1, "lock": 2}]),
        serde_json::json!([{"in": 1, "out": 1}]),
    ] {
        let mut forged = evidence.clone();
        forged.body["weights"] = weights;
        assert!(certify(&net, "safe", &asked.question, &forged, &budget).is_err());
    }
    certify(&net, "safe", &asked.question, &evidence, &budget).unwrap();
}
