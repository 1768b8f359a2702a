//! Smaller nets against the given ones, on random nets.

use std::collections::BTreeSet;

use quotient_core::{Budget, Context, Verdict};
use quotient_trial::arbitrary::{Result as Made, Unstructured};

use crate::certify::certify;
use crate::check::Task;
use crate::detour;
use crate::formula::{Formula, Linear, Question};
use crate::net::Net;
use crate::properties::Asked;
use crate::smaller::{Kept, smaller};
use crate::testing::{all_markings, checker, read};

const PLACES: usize = 7;

/// Many transitions with few arcs: places that pass tokens on are frequent.
pub(crate) fn random_net(u: &mut Unstructured<'_>) -> Made<Net> {
    let mut text = String::new();
    let name = |place: usize| ["a", "b", "c", "d", "e", "f", "g"][place];
    for place in 0..PLACES {
        let tokens = match u.ratio(1, 3)? {
            true => u.int_in_range(1..=2)?,
            false => 0,
        };
        text.push_str(&format!("pl {} ({tokens})\n", name(place)));
    }
    for number in 0..u.int_in_range(2..=8)? {
        text.push_str(&format!("tr t{number}"));
        for side in [" ", " -> "] {
            text.push_str(side);
            for _ in 0..u.int_in_range(0..=2)? {
                let place = name(u.int_in_range(0..=PLACES - 1)?);
                let weight = match u.ratio(1, 8)? {
                    true => 2,
                    false => 1,
                };
                text.push_str(&format!("{place}*{weight} "));
            }
        }
        text.push('\n');
    }
    Ok(read(&text))
}

fn is_stuck(net: &Net, marking: &[u64]) -> bool {
    !net.transitions.iter().any(|one| one.is_enabled(marking))
}

#[test]
fn smaller_nets_reach_the_same_and_their_runs_are_runs() {
    quotient_trial::trial(|u| {
        let net = random_net(u)?;
        let Some(all) = all_markings(&net, 250) else {
            return Ok(());
        };
        let start = net.start().unwrap();
        let budget = Budget::unlimited();
        let mut asked = BTreeSet::new();
        for place in 0..PLACES {
            if u.ratio(1, 4)? {
                asked.insert(place);
            }
        }
        let lesser = smaller(&net, &start, Kept::Places(&asked), &budget);
        let lesser = lesser.unwrap().unwrap();
        let seen = |marking: &Vec<u64>| -> Vec<u64> {
            asked.iter().map(|&place| marking[place]).collect()
        };
        let seen_there = |marking: &Vec<u64>| -> Vec<u64> {
            let number = |place: &usize| lesser.places.iter().position(|one| one == place).unwrap();
            asked.iter().map(|place| marking[number(place)]).collect()
        };
        let there = all_markings(&lesser.net, 250).unwrap();
        let expected: BTreeSet<Vec<u64>> = all.iter().map(seen).collect();
        let found: BTreeSet<Vec<u64>> = there.iter().map(seen_there).collect();
        assert_eq!(found, expected, "{net:?} {asked:?} {:?}", lesser.net);

        let lesser = smaller(&net, &start, Kept::Stuck, &budget)
            .unwrap()
            .unwrap();
        let there = all_markings(&lesser.net, 250).unwrap();
        assert_eq!(
            all.iter().any(|marking| is_stuck(&net, marking)),
            there.iter().any(|marking| is_stuck(&lesser.net, marking)),
            "{net:?} {:?}",
            lesser.net
        );
        // A walk through the smaller net is one through the given net.
        let (mut small, mut large) = (lesser.net.start().unwrap(), start);
        for _ in 0..10 {
            let transitions = lesser.net.transitions.iter().enumerate();
            let enabled: Vec<usize> = transitions
                .filter(|(_, one)| one.is_enabled(&small))
                .map(|(number, _)| number)
                .collect();
            if enabled.is_empty() {
                break;
            }
            let one = *u.choose(&enabled)?;
            small = lesser.net.transitions[one].fire(&small).unwrap();
            for &letter in &lesser.words[one] {
                large = net.transitions[letter].fire(&large).unwrap();
            }
            let same = lesser.places.iter().zip(&small);
            assert!(
                same.into_iter()
                    .all(|(&place, &tokens)| large[place] == tokens)
            );
        }
        Ok(())
    })
    .budget_ms(5_000);
}

#[test]
fn answers_by_way_of_smaller_nets_are_those_of_all_markings() {
    quotient_trial::trial(|u| {
        let net = random_net(u)?;
        let Some(all) = all_markings(&net, 250) else {
            return Ok(());
        };
        let cx = Context::default();
        let checker = checker(&net, &cx);
        let start = net.start().unwrap();
        let goal = match u.int_in_range(0..=2)? {
            0 => Formula::Dead,
            1 => Formula::Fireable(u.int_in_range(0..=net.transitions.len() - 1)?),
            _ => Formula::AtLeast(Linear {
                terms: vec![(u.int_in_range(0..=2)?, 1), (u.int_in_range(3..=5)?, -1)],
                least: u.int_in_range(-1..=2)?,
            }),
        };
        let terms = vec![(u.int_in_range(0..=PLACES - 1)?, 1)];
        let reached = all.iter().any(|one| goal.holds(&net, one));
        let most = all
            .iter()
            .map(|one| Linear::sum(&terms, one))
            .max()
            .unwrap();
        let questions = [
            (Question::Possible(goal.clone()), i128::from(reached)),
            (
                Question::Always(Formula::Not(Box::new(goal))),
                i128::from(!reached),
            ),
            (Question::Most(terms), most),
        ];
        for (question, expected) in questions {
            let asked = Asked {
                name: "q".to_owned(),
                text: "q".to_owned(),
                kind: "q",
                question,
                span: None,
            };
            let mut tasks = Task::of(0, &asked);
            detour::solve(&checker, &start, 100_000, &mut tasks).unwrap();
            let Some(answer) = tasks[0].answer.take() else {
                continue;
            };
            let said = match (&answer.value, &answer.verdict) {
                (Some(value), _) => value.exact.clone().unwrap().parse().unwrap(),
                (None, verdict) => i128::from(*verdict == Verdict::Holds),
            };
            assert_eq!(said, expected, "{net:?} {:?}", asked.question);
            if let Some(evidence) = &answer.evidence {
                let budget = Budget::unlimited();
                certify(&net, "q", &asked.question, evidence, &budget)
                    .unwrap_or_else(|why| panic!("{why} {net:?}"));
            }
        }
        Ok(())
    })
    .budget_ms(4_000);
}
