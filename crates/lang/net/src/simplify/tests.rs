//! Formulas said more simply, against their definition on all markings of random nets.

use quotient_core::Budget;
use quotient_logic::{Binary, Formula as Time, Unary};
use quotient_trial::arbitrary::{Result as Made, Unstructured};

use crate::formula::{Formula, Linear, Question, Temporal};
use crate::judge::Part;
use crate::net::Net;
use crate::simplify::question;
use crate::testing::{all_markings, read};

fn formula(u: &mut Unstructured<'_>, depth: usize) -> Made<Time<u32>> {
    if depth == 0 {
        return Ok(Time::atom(u.int_in_range(0..=3)?));
    }
    let inner = formula(u, depth - 1)?;
    let other = |u: &mut Unstructured<'_>| {
        let depth = u.int_in_range(0..=depth - 1)?;
        formula(u, depth)
    };
    let quantifier = *u.choose(&[Unary::ForAll, Unary::Exists])?;
    Ok(match u.int_in_range(0..=8)? {
        0 => !inner,
        1 => Time::binary(Binary::And, inner, other(u)?),
        2 => Time::binary(Binary::Or, other(u)?, inner),
        3 => Time::unary(quantifier, Time::unary(Unary::Next, inner)),
        4 | 5 => Time::unary(quantifier, Time::unary(Unary::Finally(None), inner)),
        6 | 7 => Time::unary(quantifier, Time::unary(Unary::Globally(None), inner)),
        _ => {
            let (left, right) = match u.ratio(1, 2)? {
                true => (inner, other(u)?),
                false => (other(u)?, inner),
            };
            Time::unary(quantifier, Time::binary(Binary::Until(None), left, right))
        }
    })
}

fn net(u: &mut Unstructured<'_>) -> Made<Net> {
    let mut text = String::from("pl p0 (1)\npl p1 (1)\npl p2 (0)\n");
    for one in 0..u.int_in_range(1..=4)? {
        let (from, to) = (u.int_in_range(0..=2)?, u.int_in_range(0..=2)?);
        let test = match u.ratio(1, 3)? {
            true => format!(" p{}?1", (from + 1) % 3),
            false => String::new(),
        };
        text.push_str(&format!("tr t{one} p{from}{test} -> p{to}\n"));
    }
    Ok(read(&text))
}

fn atoms(net: &Net) -> Vec<Formula> {
    let some = |place: usize| {
        Formula::AtLeast(Linear {
            terms: vec![(place, 1)],
            least: 1,
        })
    };
    let last = Formula::Fireable(net.transitions.len() - 1);
    vec![some(0), some(1), last, Formula::Truth(true)]
}

/// The plain meaning of a question at the start.
fn meaning(net: &Net, markings: &[Vec<u64>], question: &Question) -> bool {
    match question {
        Question::Possible(one) => markings.iter().any(|marking| one.holds(net, marking)),
        Question::Always(one) => markings.iter().all(|marking| one.holds(net, marking)),
        Question::Temporal(one) => {
            let budget = Budget::unlimited();
            let part = Part::new(net, markings, &budget).unwrap();
            part.branching(one, true).unwrap()
        }
        Question::Several { parts, all } => {
            let mut values = parts.iter().map(|part| meaning(net, markings, part));
            match all {
                true => values.all(|value| value),
                false => values.any(|value| value),
            }
        }
        _ => panic!("{question:?}"),
    }
}

#[test]
fn simpler_formulas_say_the_same() {
    let (mut true_, mut false_, mut simple) = (0, 0, 0);
    quotient_trial::trial(|u| {
        let net = net(u)?;
        let Some(markings) = all_markings(&net, 200) else {
            return Ok(());
        };
        let depth = u.int_in_range(1..=6)?;
        let one = Temporal {
            formula: formula(u, depth)?,
            atoms: atoms(&net),
            linear: false,
        };
        let plain = meaning(&net, &markings, &Question::Temporal(one.clone()));
        let simpler = question(&one);
        assert_eq!(
            meaning(&net, &markings, &simpler),
            plain,
            "{one:?} as {simpler:?} of {net:?}"
        );
        match plain {
            true => true_ += 1,
            false => false_ += 1,
        }
        simple += usize::from(!matches!(simpler, Question::Temporal(_)));
        Ok(())
    })
    .budget_ms(4_000);
    let all = [true_, false_, simple];
    assert!(all.iter().all(|&number| number > 20), "{all:?}");
}
