//! Caps against all markings.

use std::collections::BTreeSet;

use quotient_core::{Budget, Context, Evidence, Verdict};
use quotient_trial::arbitrary::{Result as Made, Unstructured};

use crate::capped::solve;
use crate::certify::certify;
use crate::check::Task;
use crate::evidence::{CAPPED, Capped};
use crate::formula::{Formula, Linear, Question};
use crate::levels::Level;
use crate::net::{Assign, Net};
use crate::testing::{checker, possible, read};

/// Nets that take, give, test, forbid and move all tokens; some have no bound.
fn random_net(u: &mut Unstructured<'_>) -> Made<(String, Net)> {
    let places = ["a", "b", "c", "d", "e"];
    let mut text = String::new();
    for place in places {
        text += &format!("pl {place} ({})\n", u.int_in_range(0..=2)?);
    }
    let number = u.int_in_range(1..=6)?;
    for number in 0..number {
        text += &format!("tr t{number} ");
        for place in places {
            match u.int_in_range(0..=9)? {
                0 | 1 => text += &format!("{place}*{} ", u.int_in_range(1..=2)?),
                2 => text += &format!("{place}?{} ", u.int_in_range(1..=2)?),
                3 => text += &format!("{place}?-{} ", u.int_in_range(1..=2)?),
                _ => {}
            }
        }
        text += "->";
        for place in places {
            if u.ratio(1, 4)? {
                text += &format!(" {place}*{}", u.int_in_range(1..=2)?);
            }
        }
        text += "\n";
    }
    let mut net = read(&text);
    for one in &mut net.transitions {
        if u.ratio(1, 6)? {
            let place = u.choose_index(places.len())?;
            let sum = vec![u.choose_index(places.len())?, u.choose_index(places.len())?];
            let plus = u.int_in_range(-1..=1)?;
            one.assign.push(Assign { place, sum, plus });
        }
    }
    Ok((text, net))
}

fn random_formula(u: &mut Unstructured<'_>, net: &Net, depth: usize) -> Made<Formula> {
    let kinds = if depth == 0 { 3 } else { 6 };
    let part = |u: &mut Unstructured<'_>| random_formula(u, net, depth.saturating_sub(1));
    Ok(match u.int_in_range(0..=kinds)? {
        0 => Formula::Fireable(u.choose_index(net.transitions.len())?),
        1 => Formula::Dead,
        2 => {
            let terms = vec![(u.choose_index(net.places.len())?, *u.choose(&[1, -1, 2])?)];
            let least = u.int_in_range(-2..=3)?;
            Formula::AtLeast(Linear { terms, least })
        }
        3 => {
            let mut terms = Vec::new();
            for place in 0..net.places.len() {
                if u.ratio(1, 2)? {
                    terms.push((place, *u.choose(&[1, -1])?));
                }
            }
            let least = u.int_in_range(-2..=4)?;
            Formula::AtLeast(Linear { terms, least })
        }
        4 => Formula::Not(Box::new(part(u)?)),
        5 => Formula::All(vec![part(u)?, part(u)?]),
        _ => Formula::Any(vec![part(u)?, part(u)?]),
    })
}

/// The reachable markings near the start with few tokens in each place, and whether these are all.
fn reachable(net: &Net) -> (BTreeSet<Vec<u64>>, bool) {
    let start = net.start().unwrap();
    let mut seen = BTreeSet::from([start.clone()]);
    let mut level = vec![start];
    let mut complete = true;
    while !level.is_empty() {
        let mut next = Vec::new();
        for marking in level {
            for one in net.transitions.iter().filter_map(|one| one.fire(&marking)) {
                // Numbers that would get too large for a word count as transitions that cannot fire.
                if one.iter().any(|&tokens| tokens > 1_000) {
                    complete = false;
                } else if seen.insert(one.clone()) {
                    next.push(one);
                }
            }
        }
        level = next;
        if seen.len() > 400 {
            return (seen, false);
        }
    }
    (seen, complete)
}

#[test]
fn caps_say_what_all_markings_say_and_forged_ones_say_nothing() {
    let (mut proved, mut found, mut endless, mut refined) = (0, 0, 0, 0);
    quotient_trial::trial(|u| {
        let (text, net) = random_net(u)?;
        let goal = random_formula(u, &net, 2)?;
        let (all, complete) = reachable(&net);
        let seen = all.iter().any(|marking| goal.holds(&net, marking));
        let cx = Context::default();
        let checker = checker(&net, &cx);
        let start = net.start().unwrap();
        let asked = possible(&goal);
        let mut tasks = Task::of(0, &asked);
        solve(&checker, &start, &mut tasks).unwrap();
        let budget = Budget::unlimited();
        let judged =
            |evidence: &Evidence| certify(&net, "reached", &asked.question, evidence, &budget);
        if let Some(answer) = tasks[0].answer.take() {
            let reached = answer.verdict == Verdict::Holds;
            assert!(!seen || reached, "{text}{net:?}{goal:?}");
            assert!(!(complete && reached && !seen), "{text}{net:?}{goal:?}");
            let evidence = answer.evidence.unwrap();
            judged(&evidence).unwrap_or_else(|why| panic!("{why}\n{text}{net:?}{goal:?}"));
            if reached {
                found += 1;
            } else {
                proved += 1;
                endless += usize::from(!complete);
                refined += usize::from(answer.refinements > 0);
                // Every key is needed where intervals are exact.
                let mut forged = evidence.clone();
                let keys = forged.body["keys"].as_array_mut().unwrap();
                let at = u.int_in_range(0..=keys.len() - 1)?;
                keys.remove(at);
                assert!(
                    judged(&forged).is_err() || !net.is_plain(),
                    "{text}{goal:?}"
                );
            }
        }
        if seen {
            // Whatever caps and keys there are, what is reached is not excluded.
            let mut body = Capped::default();
            let mut places = Vec::new();
            for (number, place) in net.places.iter().enumerate() {
                let cap = u.int_in_range(0..=3)?;
                let level = match u.ratio(1, 2)? {
                    true => Level::UpTo(cap),
                    false => Level::From((1..=4).filter(|one| cap >> (one % 3) & 1 == 1).collect()),
                };
                body.caps.insert(place.id.clone(), level.clone());
                places.push((number, level));
            }
            let key = |marking: &Vec<u64>| -> Vec<u64> {
                let numbers = places
                    .iter()
                    .map(|(place, level)| level.key(marking[*place]));
                numbers.collect()
            };
            let drop = u.int_in_range(0..=2)?;
            let good = all.iter().filter(|one| drop == 0 || !goal.holds(&net, one));
            let keys: BTreeSet<Vec<u64>> = good.map(key).collect();
            body.keys = keys.into_iter().collect();
            let forged = Evidence::of_violated(CAPPED, &body).about("reached");
            assert!(judged(&forged).is_err(), "{text}{net:?}{goal:?}{body:?}");
        }
        Ok(())
    })
    .budget_ms(4_000);
    assert!(
        proved > 50 && found > 50 && endless > 5 && refined > 20,
        "{proved} {found} {endless} {refined}"
    );
}

/// Why kinds of markings of a net do not show that a condition always holds.
fn refused(text: &str, safe: &Formula, body: serde_json::Value) -> String {
    let net = read(text);
    let evidence = Evidence::of_holds(CAPPED, &body).about("safe");
    let question = Question::Always(safe.clone());
    let judged = certify(&net, "safe", &question, &evidence, &Budget::unlimited());
    judged.map_or_else(|why| why.to_string(), |_| "accepted".to_owned())
}

fn at_most(place: usize, most: i64) -> Formula {
    let terms = vec![(place, -1)];
    Formula::AtLeast(Linear {
        terms,
        least: -most,
    })
}

#[test]
fn kinds_of_markings_that_are_not_all() {
    // Tokens come without end; one of them is let through at a time.
    let text =
        "pl gate (1)\npl in (0)\ntr come -> wait\ntr enter wait gate -> in\ntr leave in -> gate\n";
    let json = |caps: serde_json::Value, keys: serde_json::Value| serde_json::json!({ "caps": caps, "keys": keys });
    let caps = || serde_json::json!({ "gate": 1, "in": 2 });
    let safe = at_most(1, 1);
    let keys = |all: &[&[u64]]| serde_json::json!(all);
    let said = |caps, all: &[&[u64]]| refused(text, &safe, json(caps, keys(all)));
    assert!(said(caps(), &[&[0, 1]]).contains("the start is not among"));
    assert!(said(caps(), &[&[1, 0]]).contains("`enter` leads out"));
    assert!(said(caps(), &[&[], &[1, 0]]).contains("one number for each place"));
    assert!(said(caps(), &[&[0, 2], &[1, 0], &[0, 1]]).contains("may fulfil it"));
    // A cap of 1 does not tell one gate from two: both may be open.
    assert!(said(caps(), &[&[1, 0], &[0, 1]]).contains("leads out"));
    let exact = || serde_json::json!({ "gate": 2, "in": 2 });
    assert_eq!(said(exact(), &[&[1, 0], &[0, 1]]), "accepted");
    assert!(said(serde_json::json!({ "nowhere": 1 }), &[&[0]]).contains("no place"));
    // Some numbers only: they grow from one on, keys are among them, and each stands for all up to the next.
    let told = |gate: &[u64], inside: &[u64], all: &[&[u64]]| {
        said(serde_json::json!({ "gate": gate, "in": inside }), all)
    };
    assert_eq!(told(&[1, 2], &[1, 2], &[&[1, 0], &[0, 1]]), "accepted");
    assert!(told(&[2, 1], &[1, 2], &[&[1, 0], &[0, 1]]).contains("do not grow"));
    assert!(told(&[0, 1, 2], &[1, 2], &[&[1, 0], &[0, 1]]).contains("do not grow"));
    assert!(told(&[1, 1, 2], &[1, 2], &[&[1, 0], &[0, 1]]).contains("do not grow"));
    assert!(told(&[1, 2], &[2], &[&[0, 1], &[1, 0]]).contains("not told apart"));
    assert!(told(&[1, 2], &[2], &[&[1, 0], &[0, 0]]).contains("leads out"));
    assert!(told(&[1], &[1, 2], &[&[1, 0], &[0, 1]]).contains("leads out"));
    assert!(said(exact(), &[&[1, 0], &[0, 1], &[3, 0]]).contains("not told apart"));
    // Places that are not counted may have any number of tokens.
    let waits = at_most(2, 5);
    assert!(refused(text, &waits, json(exact(), keys(&[&[1, 0], &[0, 1]]))).contains("may fulfil"));
}

#[test]
fn places_are_counted_where_a_path_is_not_real() {
    let text =
        "pl gate (1)\npl in (0)\ntr come -> wait\ntr enter wait gate -> in\ntr leave in -> gate\n";
    let net = read(text);
    let recorder = std::sync::Arc::new(quotient_core::Recorder::default());
    let sink = recorder.clone() as std::sync::Arc<dyn quotient_core::Sink>;
    let cx = Context {
        story: quotient_core::Story::to([sink]),
        ..Context::default()
    };
    let checker = checker(&net, &cx);
    let goal = Formula::Not(Box::new(at_most(1, 1)));
    let mut tasks = Task::of(0, &possible(&goal));
    solve(&checker, &net.start().unwrap(), &mut tasks).unwrap();
    let answer = tasks[0].answer.take().unwrap();
    assert_eq!(answer.verdict, Verdict::Violated);
    assert!(answer.refinements > 0);
    let told = recorder.events();
    let told: Vec<String> = told.iter().map(|event| event.what.to_string()).collect();
    let told = told.join("\n");
    assert!(told.contains("`gate` is told apart from 1 on"), "{told}");
    assert!(told.contains("`gate` is counted up to 2"), "{told}");
    assert!(told.contains("false alarm"), "{told}");
    assert_eq!(
        answer.because,
        "with 2 of 3 places counted, up to 2, 2 kinds of markings contain all, and none is such"
    );
}

#[test]
fn a_transfer_of_too_few_tokens_may_be_why_a_net_is_stuck() {
    let text = "pl a (0)\npl b (0)\ntr t -> b\n";
    let mut net = read(text);
    net.transitions[0].assign.push(Assign {
        place: 0,
        sum: vec![0],
        plus: -1,
    });
    let start = net.start().unwrap();
    assert!(Formula::Dead.holds(&net, &start));
    let body = serde_json::json!({ "caps": { "a": 1 }, "keys": [[0]] });
    let evidence = Evidence::of_holds(CAPPED, &body).about("alive");
    let question = Question::Always(Formula::Not(Box::new(Formula::Dead)));
    let judged = certify(&net, "alive", &question, &evidence, &Budget::unlimited());
    let why = judged.unwrap_err().to_string();
    assert!(why.contains("may fulfil it"), "{why}");
}
