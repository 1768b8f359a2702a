//! Proofs by weights and traps against all markings.

use quotient_core::{Budget, Context, Evidence, Verdict};
use quotient_trial::arbitrary::{Result as Made, Unstructured};

use crate::certify::certify;
use crate::check::Task;
use crate::evidence::{INEQUALITY, Inequalities};
use crate::formula::{Formula, Linear, Question};
use crate::net::Net;
use crate::testing::{all_markings, checker, possible, read};

/// Few tokens that go round in small nets, with tests here and there.
pub(crate) fn random_net(u: &mut Unstructured<'_>) -> Made<String> {
    let places = ["a", "b", "c", "d", "e"];
    let mut text = String::new();
    for place in places {
        text += &format!("pl {place} ({})\n", u.int_in_range(0..=1)?);
    }
    for number in 0..u.int_in_range(2..=6)? {
        let from = *u.choose(&places)?;
        let also = *u.choose(&places)?;
        let to = *u.choose(&places)?;
        let more = *u.choose(&places)?;
        text += &match u.int_in_range(0..=3)? {
            0 => format!("tr t{number} {from} -> {to}\n"),
            1 => format!("tr t{number} {from} {also} -> {to} {more}\n"),
            2 => format!("tr t{number} {from} {also}?1 -> {to}\n"),
            _ => format!("tr t{number} {from} {also} -> {to}\n"),
        };
    }
    Ok(text)
}

pub(crate) fn random_goal(u: &mut Unstructured<'_>, net: &Net) -> Made<Formula> {
    if u.ratio(1, 3)? {
        return Ok(Formula::Dead);
    }
    let mut parts = Vec::new();
    for _ in 0..u.int_in_range(1..=3)? {
        let place = u.choose_index(net.places.len())?;
        let (factor, least) = *u.choose(&[(1, 1), (-1, 0), (1, 2)])?;
        let terms = vec![(place, factor)];
        parts.push(Formula::AtLeast(Linear { terms, least }));
    }
    Ok(Formula::All(parts))
}

#[test]
fn what_weights_and_traps_exclude_is_never_reached() {
    let (mut proved, mut trapped) = (0, 0);
    quotient_trial::trial(|u| {
        let text = random_net(u)?;
        let net = read(&text);
        let Some(all) = all_markings(&net, 300) else {
            return Ok(());
        };
        let goal = random_goal(u, &net)?;
        let expected = all.iter().any(|marking| goal.holds(&net, marking));
        let cx = Context::default();
        let checker = checker(&net, &cx);
        let asked = possible(&goal);
        let start = net.start().unwrap();
        let mut tasks = Task::of(0, &asked);
        checker.weigh(&start, &mut tasks).unwrap();
        let budget = Budget::unlimited();
        let judged =
            |evidence: &Evidence| certify(&net, "reached", &asked.question, evidence, &budget);
        if let Some(answer) = tasks[0].answer.take() {
            proved += 1;
            assert_eq!(answer.verdict, Verdict::Violated);
            assert!(!expected, "{text}{goal:?}");
            let evidence = answer.evidence.unwrap();
            judged(&evidence).unwrap_or_else(|why| panic!("{why}\n{text}{goal:?}"));
            let body: Inequalities = evidence.read().unwrap();
            if !body.traps.is_empty() {
                trapped += 1;
                assert_eq!(answer.refinements, body.traps.len() as u64);
            }
        } else if expected {
            // Whatever is called a trap, what is reached is not excluded.
            let mut forged = Inequalities {
                proofs: Vec::new(),
                traps: Vec::new(),
            };
            for _ in 0..u.int_in_range(1..=2)? {
                let mut trap = Vec::new();
                for place in &net.places {
                    if u.ratio(1, 2)? {
                        trap.push(place.id.clone());
                    }
                }
                forged.traps.push(trap);
            }
            let bad = goal.alternatives(&net, true, 300).unwrap();
            for alternative in &bad {
                let mut factors = Vec::new();
                for _ in 0..alternative.len() + forged.traps.len() {
                    factors.push(u.int_in_range(0..=2)?);
                }
                let mut proof = crate::evidence::Weights {
                    factors,
                    ..Default::default()
                };
                for place in &net.places {
                    proof
                        .weights
                        .insert(place.id.clone(), u.int_in_range(-1..=2)?);
                }
                forged.proofs.push(proof);
            }
            let forged = Evidence::of_violated(INEQUALITY, &forged).about("reached");
            assert!(judged(&forged).is_err(), "{text}{goal:?}");
        }
        Ok(())
    })
    .budget_ms(4_000);
    assert!(proved > 0 && trapped > 0, "{proved} {trapped}");
}

#[test]
fn a_trap_must_be_one() {
    let text = "pl a (1)\npl b (0)\ntr t a -> b\ntr u b -> c\n";
    let net = read(text);
    let empty = Formula::All(
        (0..2)
            .map(|place| {
                Formula::AtLeast(Linear {
                    terms: vec![(place, -1)],
                    least: 0,
                })
            })
            .collect(),
    );
    let question = Question::Possible(empty);
    let forged = |trap: &[&str]| {
        let body = serde_json::json!({
            "proofs": [{ "weights": {}, "factors": [1, 1, 1] }],
            "traps": [trap],
        });
        let evidence = Evidence::of_violated(INEQUALITY, &body).about("p");
        let judged = certify(&net, "p", &question, &evidence, &Budget::unlimited());
        judged.unwrap_err().to_string()
    };
    assert!(forged(&["a", "b"]).contains("may empty a trap"));
    assert!(forged(&["c"]).contains("empty at the start"));
    assert!(forged(&["a", "a"]).contains("twice"));
    assert!(forged(&[]).contains("empty at the start"));
}
