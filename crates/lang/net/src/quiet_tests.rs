//! Sets that stand for all, against the plain search.

use quotient_core::{Budget, Evidence, Verdict};
use quotient_language::Answer;
use quotient_logic::{Binary, Formula as Time, Unary};
use quotient_trial::arbitrary::{Result as Made, Unstructured};

use crate::certify::certify;
use crate::evidence::STUTTERING;
use crate::formula::{Formula, Linear, Question, Temporal};
use crate::net::Net;
use crate::properties::Asked;
use crate::quiet;
use crate::testing::{answered, answered_plainly, read, some_markings};

/// A net of single tokens that move along a few rings, some of which wait for each other.
fn random_net(u: &mut Unstructured<'_>) -> Made<String> {
    let mut net = String::new();
    let rings = u.int_in_range(2..=3)?;
    for ring in 0..rings {
        let length = u.int_in_range(2..=3)?;
        net.push_str(&format!("pl p{ring}x0 (1)\n"));
        for at in 0..length {
            let to = match u.ratio(1, 5)? {
                true => u.int_in_range(0..=length - 1)?,
                false => (at + 1) % length,
            };
            let other = format!("p{}x{}", (ring + 1) % rings, u.int_in_range(0..=1)?);
            let (needs, gives) = match u.int_in_range(0..=5)? {
                0 => (format!(" {other}"), format!(" {other}")),
                1 => (format!(" {other}"), String::new()),
                2 => (String::new(), " pool".to_owned()),
                3 => (" pool".to_owned(), String::new()),
                _ => (String::new(), String::new()),
            };
            net.push_str(&format!(
                "tr t{ring}x{at} p{ring}x{at}{needs} -> p{ring}x{to}{gives}\n"
            ));
        }
    }
    Ok(net)
}

pub(crate) fn random_atom(u: &mut Unstructured<'_>, net: &Net) -> Made<Formula> {
    Ok(match u.int_in_range(0..=3)? {
        0 => Formula::Fireable(u.choose_index(net.transitions.len())?),
        1 if u.ratio(1, 8)? => Formula::Dead,
        _ => {
            let one = u.choose_index(net.places.len())?;
            let terms = vec![(one, if u.arbitrary()? { 1 } else { -1 })];
            let least = u.int_in_range(-1..=1)?;
            Formula::AtLeast(Linear { terms, least })
        }
    })
}

pub(crate) fn random_time(u: &mut Unstructured<'_>, atoms: u32, depth: usize) -> Made<Time<u32>> {
    if depth == 0 {
        return Ok(Time::atom(u.int_in_range(0..=atoms - 1)?));
    }
    let part = |u: &mut Unstructured<'_>| random_time(u, atoms, depth - 1);
    Ok(match u.int_in_range(0..=6)? {
        0 => !part(u)?,
        1 => Time::unary(Unary::Finally(None), part(u)?),
        2 => Time::unary(Unary::Globally(None), part(u)?),
        3 => Time::binary(Binary::Until(None), part(u)?, part(u)?),
        4 => Time::binary(Binary::And, part(u)?, part(u)?),
        5 => Time::binary(Binary::Or, part(u)?, part(u)?),
        _ => part(u)?,
    })
}

/// The answer by way of sets that stand for all.
fn answered_quietly(net: &Net, asked: &Asked) -> Option<Answer> {
    answered(net, asked, |checker, start, tasks| {
        let mut bits = vec![1; start.len()];
        quiet::solve(checker, start, checker.most, &mut bits, tasks).unwrap();
    })
}

#[test]
fn sets_that_stand_for_all_give_the_answer_of_the_plain_search() {
    quotient_trial::trial(|u| {
        let text = random_net(u)?;
        let net = read(&text);
        let atoms = vec![random_atom(u, &net)?, random_atom(u, &net)?];
        let asked = Asked {
            name: "time".to_owned(),
            text: "time".to_owned(),
            kind: "ltl",
            question: Question::Temporal(Temporal {
                formula: random_time(u, 2, 3)?,
                atoms,
                linear: true,
            }),
            span: None,
        };
        let Some(expected) = answered_plainly(&net, &asked) else {
            return Ok(());
        };
        let Some(Answer {
            verdict, evidence, ..
        }) = answered_quietly(&net, &asked)
        else {
            return Ok(());
        };
        assert_eq!(verdict, expected.verdict, "{text}{asked:?}");
        let budget = Budget::unlimited();
        let judged =
            |evidence: &Evidence| certify(&net, "time", &asked.question, evidence, &budget);
        let evidence = evidence.unwrap();
        judged(&evidence).unwrap_or_else(|why| panic!("{why}\n{text}{asked:?}"));
        if verdict != Verdict::Holds {
            // Sets of chance never show what is not so.
            let mut markings = Vec::new();
            for marking in some_markings(&net, 300).0 {
                let mut set = Vec::new();
                for one in 0..net.transitions.len() {
                    if u.ratio(2, 3)? {
                        set.push(one);
                    }
                }
                markings.push((marking, set));
            }
            let forged = crate::evidence::Stubborn { markings };
            let forged = Evidence::of_holds(STUTTERING, &forged).about("time");
            assert!(judged(&forged).is_err(), "{text}{asked:?}");
            return Ok(());
        }
        Ok(())
    })
    .budget_ms(4_000);
}

fn asked(net: &Net, formula: Time<u32>, atom: &str) -> Asked {
    let place = net.places.iter().position(|place| place.id == atom);
    let terms = vec![(place.unwrap(), 1)];
    Asked {
        name: "time".to_owned(),
        text: "time".to_owned(),
        kind: "ltl",
        question: Question::Temporal(Temporal {
            formula,
            atoms: vec![Formula::AtLeast(Linear { terms, least: 1 })],
            linear: true,
        }),
        span: None,
    }
}

fn judged(net: &Net, asked: &Asked, markings: Vec<(Vec<u64>, Vec<usize>)>) -> Result<(), String> {
    let body = crate::evidence::Stubborn { markings };
    let evidence = Evidence::of_holds(STUTTERING, &body).about("time");
    let budget = Budget::unlimited();
    let judged = certify(net, "time", &asked.question, &evidence, &budget);
    judged.map(|_| ()).map_err(|why| why.to_string())
}

#[test]
fn fewer_markings_are_listed_and_each_of_them_matters() {
    let mut text = String::new();
    for one in 0..8 {
        text.push_str(&format!("pl a{one} (1)\ntr t{one} a{one} -> b{one}\n"));
    }
    let net = read(&text);
    let later = Time::unary(Unary::Finally(None), Time::atom(0));
    let asked = asked(&net, later, "b0");
    let Answer {
        verdict, evidence, ..
    } = answered_quietly(&net, &asked).unwrap();
    assert_eq!(verdict, Verdict::Holds);
    let evidence = evidence.unwrap();
    let listed: crate::evidence::Stubborn = evidence.read().unwrap();
    // There are 256.
    assert!(listed.markings.len() < 20, "{}", listed.markings.len());
    judged(&net, &asked, listed.markings.clone()).unwrap();
    let why = judged(&net, &asked, listed.markings[1..].to_vec()).unwrap_err();
    assert!(why.contains("not in the part"), "{why}");
}

#[test]
fn what_puts_something_off_for_ever_is_refused() {
    // The first goes round for ever; the second goes to `bad` once. `G not bad` is broken.
    let text = "pl a (1)\npl b (1)\ntr round a -> a\ntr go b -> bad\n";
    let net = read(text);
    let never = || Time::unary(Unary::Globally(None), !Time::atom(0));
    let asked = asked(&net, never(), "bad");
    let expected = answered_quietly(&net, &asked).unwrap().verdict;
    assert_eq!(expected, Verdict::Violated);
    let start = net.start().unwrap();
    let why = judged(&net, &asked, vec![(start.clone(), vec![0])]).unwrap_err();
    assert!(why.contains("put off for ever"), "{why}");
    // A member that the formula sees.
    let why = judged(&net, &asked, vec![(start.clone(), vec![1])]).unwrap_err();
    assert!(why.contains("does not stand for all"), "{why}");
    let why = judged(&net, &asked, vec![(start, vec![7])]).unwrap_err();
    assert!(why.contains("no such transition"), "{why}");
}

#[test]
fn a_member_that_others_disturb_is_refused() {
    // `read` needs `a`, which `take` takes; only with `take` first is `bad` never left.
    let text = "pl a (1)\npl c (1)\ntr read a c -> a d\ntr take a -> bad\n";
    let net = read(text);
    let later = Time::unary(Unary::Finally(None), Time::atom(0));
    let asked = asked(&net, later, "d");
    let expected = answered_plainly(&net, &asked).unwrap().verdict;
    assert_eq!(expected, Verdict::Violated);
    let start = net.start().unwrap();
    for set in [vec![0], vec![1]] {
        let why = judged(&net, &asked, vec![(start.clone(), set)]).unwrap_err();
        assert!(why.contains("does not stand for all"), "{why}");
    }
}

#[test]
fn formulas_that_say_next_are_refused() {
    let text = "pl a (1)\ntr go a -> b\n";
    let net = read(text);
    let next = Time::unary(Unary::Next, Time::atom(0));
    let asked = asked(&net, next, "b");
    assert!(answered_quietly(&net, &asked).is_none());
    let start = net.start().unwrap();
    let end = net.transitions[0].fire(&start).unwrap();
    let all = vec![(start, vec![0]), (end, Vec::new())];
    let why = judged(&net, &asked, all).unwrap_err();
    assert!(why.contains("how often"), "{why}");
}
