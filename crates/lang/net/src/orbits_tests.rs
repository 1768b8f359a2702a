//! Searches where exchanged parts count as one, against all markings.

use std::collections::BTreeSet;

use quotient_core::{Budget, Context, Evidence, Verdict};
use quotient_trial::arbitrary::{Result as Made, Unstructured};

use crate::alike::families;
use crate::certify::certify;
use crate::check::{Checker, Task};
use crate::evidence::{ORBITS, Orbits};
use crate::exchange::{Family, fits, in_order};
use crate::formula::{Formula, Linear, Question};
use crate::net::Net;
use crate::orbits::solve;
use crate::testing::{all_markings, checker, possible, read};

/// Copies of one part beside places that all of them share; sometimes one of them is a little
/// different.
fn random_net(u: &mut Unstructured<'_>) -> Made<String> {
    let copies = u.int_in_range(2..=4)?;
    let mut text = String::new();
    for shared in ["s", "r"] {
        text += &format!("pl {shared} ({})\n", u.int_in_range(0..=2)?);
    }
    let begin = u.int_in_range(0..=2)?;
    for copy in 0..copies {
        let more = u64::from(u.ratio(1, 8)?);
        text += &format!("pl a{copy} ({})\n", begin + more);
    }
    let mut transitions = Vec::new();
    for _ in 0..u.int_in_range(1..=4)? {
        let mut sides = [Vec::new(), Vec::new()];
        for side in &mut sides {
            for place in ["a", "b", "c", "s", "r"] {
                if u.ratio(1, 3)? {
                    side.push((place, u.int_in_range(1..=2)?));
                }
            }
        }
        transitions.push(sides);
    }
    for (number, sides) in transitions.iter().enumerate() {
        for copy in 0..copies {
            // One that lacks a transition is not like the others.
            if u.ratio(1, 20)? {
                continue;
            }
            let side = |side: &[(&str, u64)]| {
                let name = |place: &str| match place {
                    "s" | "r" => place.to_owned(),
                    own => format!("{own}{copy}"),
                };
                let arcs = side
                    .iter()
                    .map(|(place, tokens)| format!("{}*{tokens}", name(place)));
                arcs.collect::<Vec<String>>().join(" ")
            };
            text += &format!(
                "tr t{number}x{copy} {} -> {}\n",
                side(&sides[0]),
                side(&sides[1])
            );
        }
    }
    Ok(text)
}

/// A condition that treats all copies alike, or not.
fn random_formula(u: &mut Unstructured<'_>, net: &Net) -> Made<Formula> {
    let mut terms = Vec::new();
    let alike = u.ratio(2, 3)?;
    let factors = [
        u.int_in_range(-1..=1)?,
        u.int_in_range(-1..=1)?,
        u.int_in_range(-1..=1)?,
    ];
    for (at, place) in net.places.iter().enumerate() {
        let factor = match (place.id.as_bytes()[0], alike) {
            (letter @ b'a'..=b'c', true) => factors[usize::from(letter - b'a')],
            _ => u.int_in_range(-1..=1)?,
        };
        if factor != 0 {
            terms.push((at, factor));
        }
    }
    let least = u.int_in_range(-3..=5)?;
    let sum = Formula::AtLeast(Linear { terms, least });
    Ok(match u.int_in_range(0..=4)? {
        0 => Formula::Dead,
        1 if !net.transitions.is_empty() => {
            Formula::Fireable(u.choose_index(net.transitions.len())?)
        }
        2 => Formula::All(vec![sum, Formula::Not(Box::new(Formula::Dead))]),
        _ => sum,
    })
}

#[test]
fn exchanged_parts_count_as_one_and_the_answer_is_that_of_all_markings() {
    let (mut used, mut fewer) = (0, 0);
    quotient_trial::trial(|u| {
        let text = random_net(u)?;
        let net = read(&text);
        let Some(all) = all_markings(&net, 400) else {
            return Ok(());
        };
        let goal = random_formula(u, &net)?;
        let expected = all.iter().any(|marking| goal.holds(&net, marking));
        let cx = Context::default();
        let checker = Checker {
            threads: 2,
            ..checker(&net, &cx)
        };
        let asked = possible(&goal);
        let start = net.start().unwrap();
        let mut bits = vec![1; start.len()];
        let mut tasks = Task::of(0, &asked);
        solve(&checker, &start, 100_000, &mut bits, &mut tasks).unwrap();
        // Where nothing can be exchanged, nothing is said.
        let Some(answer) = tasks[0].answer.take() else {
            return Ok(());
        };
        used += 1;
        assert_eq!(answer.verdict == Verdict::Holds, expected, "{text}{goal:?}");
        let evidence = answer.evidence.unwrap();
        let budget = Budget::unlimited();
        let judged =
            |evidence: &Evidence| certify(&net, "reached", &asked.question, evidence, &budget);
        judged(&evidence).unwrap_or_else(|why| panic!("{why}\n{text}{goal:?}"));
        if !expected {
            let mut forged = evidence.clone();
            let markings = forged.body["markings"].as_array_mut().unwrap();
            fewer += usize::from(markings.len() < all.len());
            let at = u.int_in_range(0..=markings.len() - 1)?;
            markings.remove(at);
            assert!(judged(&forged).is_err());
        }
        Ok(())
    })
    .budget_ms(4_000);
    assert!(used > 0 && fewer > 0, "{used} {fewer}");
}

#[test]
fn blocks_that_cannot_be_exchanged_hide_nothing_from_the_checker() {
    let mut refused = 0;
    quotient_trial::trial(|u| {
        let text = random_net(u)?;
        let net = read(&text);
        let Some(all) = all_markings(&net, 400) else {
            return Ok(());
        };
        let goal = random_formula(u, &net)?;
        if !all.iter().any(|marking| goal.holds(&net, marking)) {
            return Ok(());
        }
        // Any blocks at all, and the markings that they leave.
        let mut places: Vec<usize> = (0..net.places.len()).collect();
        for at in (1..places.len()).rev() {
            places.swap(at, u.int_in_range(0..=at)?);
        }
        let length = u.int_in_range(1..=2)?;
        let blocks: Family = places
            .chunks_exact(length)
            .take(2)
            .map(<[_]>::to_vec)
            .collect();
        let family = vec![blocks];
        let ordered = |marking: &Vec<u64>| {
            let mut marking = marking.clone();
            in_order(&family, &mut marking);
            marking
        };
        let markings: BTreeSet<Vec<u64>> = all.iter().map(ordered).collect();
        let markings = markings.into_iter().filter(|one| !goal.holds(&net, one));
        let name = |&place: &usize| net.places[place].id.clone();
        let body = Orbits {
            families: vec![
                family[0]
                    .iter()
                    .map(|block| block.iter().map(name).collect())
                    .collect(),
            ],
            markings: markings.collect(),
        };
        let question = Question::Possible(goal.clone());
        let forged = Evidence::of_violated(ORBITS, &body).about("reached");
        let judged = certify(&net, "reached", &question, &forged, &Budget::unlimited());
        assert!(judged.is_err(), "{text}{goal:?}{family:?}");
        refused += usize::from(!fits(&net, &family, &goal));
        Ok(())
    })
    .budget_ms(2_000);
    assert!(refused > 0, "{refused}");
}

#[test]
fn readers_of_a_lock_are_one_family() {
    let mut text = "pl lock (3)\npl w (1)\n".to_owned();
    for one in 0..5 {
        text += &format!(
            "pl idle{one} (1)\ntr take{one} idle{one} lock -> busy{one}\ntr give{one} busy{one} -> idle{one} lock\n"
        );
    }
    text += "tr write w lock*3 -> v\ntr done v -> w lock*3\n";
    let net = read(&text);
    let found = families(&net, &Budget::unlimited()).unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].len(), 5);
    assert!(found[0].iter().all(|block| block.len() == 2));
    // A condition on one of them leaves the other four.
    let of = |name: &str| {
        net.places
            .iter()
            .position(|place| place.id == name)
            .unwrap()
    };
    let one = Formula::AtLeast(Linear {
        terms: vec![(of("busy0"), 1)],
        least: 1,
    });
    let left = crate::alike::unseen(&net, &found, &one);
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].len(), 4);
    assert!(fits(&net, &left, &one) && !fits(&net, &found, &one));
}
