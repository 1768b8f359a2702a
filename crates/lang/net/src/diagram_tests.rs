//! Diagrams against a plain search of random nets, and forged diagrams.

use quotient_core::{Budget, Context, Evidence, Verdict};
use quotient_logic::{Binary, Formula as Time, Unary};
use quotient_trial::arbitrary::{Result as Made, Unstructured};

use crate::again;
use crate::certify::certify;
use crate::check::Task;
use crate::constant;
use crate::diagram;
use crate::evidence::{Diagram, SETS};
use crate::formula::{Formula, Linear, Question, Temporal};
use crate::layered::Layered;
use crate::net::Net;
use crate::properties::Asked;
use crate::temporal;
use crate::testing::{all_markings, checker, read};

const PLACES: usize = 5;

fn random_net(u: &mut Unstructured<'_>) -> Made<Net> {
    let mut text = String::new();
    let name = |place: usize| ["a", "b", "c", "d", "e"][place];
    for place in 0..PLACES {
        text.push_str(&format!(
            "pl {} ({})\n",
            name(place),
            u.int_in_range(0..=2)?
        ));
    }
    for number in 0..u.int_in_range(1..=6)? {
        text.push_str(&format!("tr t{number}"));
        for side in [" ", " -> "] {
            text.push_str(side);
            for place in 0..PLACES {
                if u.ratio(1, 3)? {
                    text.push_str(&format!("{}*{} ", name(place), u.int_in_range(1..=2)?));
                }
            }
        }
        text.push('\n');
    }
    Ok(read(&text))
}

fn condition(u: &mut Unstructured<'_>, net: &Net) -> Made<Formula> {
    Ok(match u.int_in_range(0..=4)? {
        0 => Formula::Dead,
        1 => Formula::Fireable(u.int_in_range(0..=net.transitions.len() - 1)?),
        2 => Formula::Not(Box::new(condition(u, net)?)),
        3 => Formula::All(vec![condition(u, net)?, condition(u, net)?]),
        _ => {
            let mut terms = Vec::new();
            for place in 0..PLACES {
                let factor = u.int_in_range(-1..=1)?;
                if factor != 0 {
                    terms.push((place, factor));
                }
            }
            let least = u.int_in_range(-2..=3)?;
            Formula::AtLeast(Linear { terms, least })
        }
    })
}

fn time(u: &mut Unstructured<'_>, depth: usize, linear: bool) -> Made<Time<u32>> {
    if depth == 0 {
        return Ok(Time::atom(u.int_in_range(0..=1)?));
    }
    let inner = time(u, depth - 1, linear)?;
    let path = match u.int_in_range(0..=6)? {
        0 => return Ok(!inner),
        1 => {
            return Ok(Time::binary(
                Binary::And,
                inner,
                time(u, depth - 1, linear)?,
            ));
        }
        2 => return Ok(Time::binary(Binary::Or, inner, time(u, depth - 1, linear)?)),
        3 => Time::unary(Unary::Next, inner),
        4 => Time::unary(Unary::Finally(None), inner),
        5 => Time::unary(Unary::Globally(None), inner),
        _ => Time::binary(Binary::Until(None), inner, time(u, depth - 1, linear)?),
    };
    let quantifier = match u.arbitrary()? {
        true => Unary::ForAll,
        false => Unary::Exists,
    };
    Ok(match linear {
        true => path,
        false => Time::unary(quantifier, path),
    })
}

fn asked(question: Question) -> Asked {
    Asked {
        name: "q".to_owned(),
        text: "q".to_owned(),
        kind: "q",
        question,
        span: None,
    }
}

/// All markings; nothing if there are many.
#[test]
fn diagrams_answer_as_all_markings_do_and_forged_ones_show_nothing() {
    quotient_trial::trial(|u| {
        let net = random_net(u)?;
        let Some(all) = all_markings(&net, 150) else {
            return Ok(());
        };
        let cx = Context::default();
        let checker = checker(&net, &cx);
        let start = net.start().unwrap();
        let goal = condition(u, &net)?;
        let terms: Vec<(usize, i64)> = (0..PLACES).step_by(2).map(|place| (place, 1)).collect();
        let questions = [
            Question::Possible(goal.clone()),
            Question::Always(goal.clone()),
            Question::Most(terms.clone()),
            Question::Size,
        ];
        let reached = |value: bool| all.iter().any(|one| goal.holds(&net, one) == value);
        let most = all.iter().map(|one| Linear::sum(&terms, one)).max();
        let expected = [
            i128::from(reached(true)),
            i128::from(!reached(false)),
            most.unwrap(),
            all.len() as i128,
        ];
        for (question, expected) in questions.into_iter().zip(expected) {
            let asked = asked(question);
            let mut tasks = Task::of(0, &asked);
            diagram::solve(&checker, &start, 1_000_000, &mut tasks).unwrap();
            let answer = tasks[0].answer.take().unwrap();
            let said = match (&answer.value, &answer.verdict) {
                (Some(value), _) => value.exact.clone().unwrap().parse().unwrap(),
                (None, verdict) => i128::from(*verdict == Verdict::Holds),
            };
            assert_eq!(said, expected, "{net:?} {:?}", asked.question);
            let Some(evidence) = answer.evidence else {
                assert_eq!(asked.question, Question::Size);
                continue;
            };
            let budget = Budget::unlimited();
            let accepted =
                |evidence: &Evidence| certify(&net, "q", &asked.question, evidence, &budget);
            accepted(&evidence).unwrap_or_else(|why| panic!("{why} {net:?}"));
            let body = &evidence.body;
            let bound = body.get("diagram").is_some();
            if body.get("lists").is_some() || bound {
                forged(u, &evidence, bound, &all, &|forged| {
                    accepted(forged).is_ok()
                })?;
            }
        }
        Ok(())
    })
    .budget_ms(4_000);
}

/// Disturbs the lists of a diagram. What is still accepted contains all markings.
fn forged(
    u: &mut Unstructured<'_>,
    evidence: &Evidence,
    bound: bool,
    all: &[Vec<u64>],
    accepted: &dyn Fn(&Evidence) -> bool,
) -> Made<()> {
    let mut forged = evidence.clone();
    let diagram = match bound {
        true => &mut forged.body["diagram"],
        false => &mut forged.body,
    };
    let lists = diagram["lists"].as_array_mut().unwrap();
    let at = u.int_in_range(0..=lists.len() - 1)?;
    match u.int_in_range(0..=3)? {
        0 => {
            lists.remove(at);
        }
        1 => {
            let cell = u.int_in_range(0..=2)?;
            let number = lists[at][cell].as_u64().unwrap();
            let other = match u.arbitrary()? {
                true => number + 1,
                false => number.saturating_sub(1),
            };
            lists[at][cell] = serde_json::json!(other);
        }
        2 => lists.truncate(at),
        _ => {
            let places = diagram["order"].as_array_mut().unwrap();
            places.swap(0, 1);
        }
    }
    if accepted(&forged) {
        let diagram = match bound {
            true => &forged.body["diagram"],
            false => &forged.body,
        };
        for marking in all {
            assert!(holds_marking(diagram, marking), "{marking:?} {diagram}");
        }
    }
    Ok(())
}

fn holds_marking(diagram: &serde_json::Value, marking: &[u64]) -> bool {
    let lists = diagram["lists"].as_array().unwrap();
    let mut at = lists.len() as u64 + 1;
    for name in diagram["order"].as_array().unwrap() {
        let place = "abcde".find(name.as_str().unwrap()).unwrap();
        loop {
            let Some(list) = at.checked_sub(2).map(|at| &lists[at as usize]) else {
                return false;
            };
            if list[0].as_u64() == Some(marking[place]) {
                at = list[1].as_u64().unwrap();
                break;
            }
            at = list[2].as_u64().unwrap();
        }
    }
    at == 1
}

#[test]
fn formulas_about_runs_have_the_value_that_the_graph_gives() {
    quotient_trial::trial(|u| {
        let net = random_net(u)?;
        if all_markings(&net, 150).is_none() {
            return Ok(());
        }
        let cx = Context::default();
        let checker = checker(&net, &cx);
        let start = net.start().unwrap();
        let linear: bool = u.arbitrary()?;
        let depth = u.int_in_range(1..=4)?;
        let formula = match !linear && u.ratio(1, 3)? {
            true => always_again(),
            false => time(u, depth, linear)?,
        };
        let asked = asked(Question::Temporal(Temporal {
            formula,
            atoms: vec![condition(u, &net)?, condition(u, &net)?],
            linear,
        }));
        let mut by_graph = Task::of(0, &asked);
        let mut bits = vec![1; PLACES];
        temporal::solve(
            &checker,
            &start,
            100_000,
            &mut bits,
            &mut by_graph,
            &mut |_| (),
        )
        .unwrap();
        let by_graph = by_graph[0].answer.take().unwrap();
        let expected = by_graph.verdict.clone();
        let mut by_sets = Task::of(0, &asked);
        diagram::solve(&checker, &start, 1_000_000, &mut by_sets).unwrap();
        let by_sets = by_sets[0].answer.take();
        assert!(by_sets.is_some() || linear);
        let mut by_weights = Task::of(0, &asked);
        constant::solve(&checker, &start, &mut by_weights).unwrap();
        let mut stuck = Task::of(0, &asked);
        again::solve(&checker, &start, &mut bits, &mut stuck).unwrap();
        let others = [
            by_sets,
            by_weights[0].answer.take(),
            stuck[0].answer.take(),
            Some(by_graph),
        ];
        for answer in others.into_iter().flatten() {
            assert_eq!(answer.verdict, expected, "{net:?} {:?}", asked.question);
            let budget = Budget::unlimited();
            let evidence = answer.evidence.unwrap();
            let accepted = certify(&net, &asked.name, &asked.question, &evidence, &budget);
            accepted.unwrap_or_else(|why| panic!("{why} {net:?} {:?}", asked.question));
            let opposite = match expected {
                Verdict::Holds => Evidence::of_violated(&evidence.kind, &evidence.body),
                _ => Evidence::of_holds(&evidence.kind, &evidence.body),
            };
            let opposite = opposite.about(&asked.name);
            assert!(certify(&net, &asked.name, &asked.question, &opposite, &budget).is_err());
        }
        Ok(())
    })
    .budget_ms(4_000);
}

/// Whatever happened, the first condition can hold again.
fn always_again() -> Time<u32> {
    let can = Time::unary(Unary::Finally(None), Time::atom(0));
    let always = Time::unary(Unary::Globally(None), Time::unary(Unary::Exists, can));
    Time::unary(Unary::ForAll, always)
}

#[test]
fn a_set_that_is_not_closed_says_nothing_about_runs() {
    let net = ring();
    let asked = Question::Temporal(Temporal {
        formula: always_again(),
        atoms: vec![Formula::Fireable(1)],
        linear: false,
    });
    let judged = |lists: &[(u32, u32, u32)], holds: bool| {
        let body = Diagram {
            order: vec!["a".to_owned(), "b".to_owned()],
            lists: lists.to_vec(),
        };
        let evidence = match holds {
            true => Evidence::of_holds(SETS, &body),
            false => Evidence::of_violated(SETS, &body),
        };
        let budget = Budget::unlimited();
        certify(&net, "q", &asked, &evidence.about("q"), &budget).is_ok()
    };
    let closed = [(1, 1, 0), (0, 1, 0), (1, 3, 0), (0, 2, 4)];
    assert!(judged(&closed, true));
    assert!(!judged(&closed, false));
    // Only the start, where nothing could happen again.
    let start = [(0, 1, 0), (1, 2, 0)];
    assert!(!judged(&start, true) && !judged(&start, false));
}

/// A token goes from one place to the other and back.
fn ring() -> Net {
    let text = "pl a (1)\npl b (0)\ntr t a -> b\ntr u b -> a\n";
    read(text)
}

/// Whether a diagram is accepted as one of a closed set in which a place never has tokens.
fn shows_empty(net: &Net, place: usize, order: &[&str], lists: &[(u32, u32, u32)]) -> bool {
    let budget = Budget::unlimited();
    let diagram = Diagram {
        order: order.iter().map(|&name| name.to_owned()).collect(),
        lists: lists.to_vec(),
    };
    let some = Formula::AtLeast(Linear {
        terms: vec![(place, 1)],
        least: 1,
    });
    Layered::new(net, diagram, &budget).is_ok_and(|diagram| {
        diagram.is_closed().is_ok() && diagram.has(&some, true).is_ok_and(|has| !has)
    })
}

#[test]
fn no_diagram_of_three_lists_shows_what_is_false() {
    let net = ring();
    // Of tokens up to two; nothing below and the end as a rest are refused at once.
    const WAYS: u32 = 3 * 4 * 4;
    let mut lists = vec![(0, 0, 0); 3];
    for number in 0..WAYS.pow(3) {
        let mut left = number;
        for list in &mut lists {
            let one = left % WAYS;
            left /= WAYS;
            *list = (one % 3, 1 + one / 3 % 4, [0, 2, 3, 4][one as usize / 12]);
        }
        for length in 1..=3 {
            if length == 3 || number < WAYS.pow(length as u32) {
                assert!(
                    !shows_empty(&net, 1, &["a", "b"], &lists[..length]),
                    "{lists:?}"
                );
            }
        }
    }
}

#[test]
fn malformed_diagrams_are_refused() {
    let net = ring();
    // No token at `b`, one at `a`; and the other way round.
    let genuine = [(1, 1, 0), (0, 1, 0), (1, 3, 0), (0, 2, 4)];
    let budget = Budget::unlimited();
    let read = |order: &[&str], lists: &[(u32, u32, u32)]| {
        let diagram = Diagram {
            order: order.iter().map(|&name| name.to_owned()).collect(),
            lists: lists.to_vec(),
        };
        let read = Layered::new(&net, diagram, &budget);
        read.is_ok_and(|one| one.is_closed().is_ok())
    };
    assert!(read(&["a", "b"], &genuine));
    for order in [
        &["a"][..],
        &[],
        &["a", "a"],
        &["a", "b", "b"],
        &["a", "c"],
        &["", "b"],
    ] {
        assert!(!read(order, &genuine), "{order:?}");
    }
    let forged: [&[(u32, u32, u32)]; 11] = [
        &[],
        // Only the start; only one level; a list that goes on with the end.
        &[(0, 1, 0), (1, 2, 0)],
        &[(1, 1, 0)],
        &[(0, 1, 1), (1, 2, 0)],
        // Twice the same tokens, of which only the first could be found; and out of order.
        &[(1, 1, 0), (0, 1, 0), (1, 2, 0), (1, 3, 4)],
        &[(1, 1, 0), (0, 1, 0), (0, 2, 0), (1, 3, 4)],
        // The rest at another level; what is not there yet; nothing below.
        &[(1, 1, 0), (0, 1, 0), (1, 3, 0), (0, 2, 3)],
        &[(1, 1, 0), (0, 1, 0), (1, 5, 0), (0, 2, 4)],
        &[(1, 1, 0), (0, 1, 0), (1, 0, 0), (0, 2, 4)],
        &[(1, 1, 0), (0, 1, 0), (1, u32::MAX, 0), (0, 2, u32::MAX)],
        // Something after the set.
        &[(1, 1, 0), (0, 1, 0), (1, 3, 0), (0, 2, 4), (7, 1, 0)],
    ];
    for lists in forged {
        assert!(!read(&["a", "b"], lists), "{lists:?}");
    }
    // More tokens than a list can say are no way out of the set.
    let grows = "pl a (1)\npl b (0)\ntr t a -> a*4000000000 b\n";
    let grows = crate::testing::read(grows);
    for lists in [
        &genuine[..],
        &[(0, 1, 0), (u32::MAX, 2, 0)],
        &[(0, 1, 0), (1, 2, 0)],
    ] {
        assert!(!shows_empty(&grows, 1, &["a", "b"], lists));
    }
}
