//! Fair runs: by hand, and against runs that remember what fired last.

use quotient_core::{Context, Evidence, Source, Verdict};
use quotient_language::Answer;
use quotient_trial::arbitrary::{Result as Made, Unstructured};

use crate::certify::certify;
use crate::check::Task;
use crate::fair;
use crate::formula::Question;
use crate::net::Net;
use crate::properties::Asked;
use crate::testing::{answered_plainly, checker, read};

fn asked(net: &Net, formula: &str) -> Asked {
    let source = Source::new("property", formula);
    let mut asked = crate::asked::alone(&source, net, []).unwrap();
    fair::fairly(&mut asked);
    asked
}

fn answer(net: &Net, asked: &Asked) -> Answer {
    let cx = Context::default();
    let checker = checker(net, &cx);
    let mut tasks = Task::of(0, asked);
    let start = net.start().unwrap();
    let mut bits = vec![1; start.len()];
    fair::solve(&checker, &start, &mut bits, &mut tasks, &mut |_| {}).unwrap();
    tasks[0].answer.take().unwrap()
}

fn is_certified(net: &Net, asked: &Asked, evidence: &Evidence) -> bool {
    let budget = Context::default().budget;
    certify(net, &asked.name, &asked.question, evidence, &budget).is_ok()
}

/// Two that go round by themselves, and one that can always leave.
const NET: &str =
    "pl a (1)\npl b (1)\ntr go a -> c\ntr back c -> a\ntr spin b -> d\ntr turn d -> b\n";

#[test]
fn what_can_always_fire_does_and_what_can_only_again_and_again_need_not() {
    let net = read(NET);
    let turns = asked(&net, "G F c > 0");
    assert_eq!(answer(&net, &turns).verdict, Verdict::Holds);
    assert!(is_certified(
        &net,
        &turns,
        &answer(&net, &turns).evidence.unwrap()
    ));
    // `both` needs `a` and `b` at one time: it can fire again and again, but not always.
    let net = read(&format!("{NET}tr both a b -> e\n"));
    let both = asked(&net, "F e > 0");
    let told = answer(&net, &both);
    assert_eq!(told.verdict, Verdict::Violated);
    assert!(is_certified(&net, &both, &told.evidence.unwrap()));
}

#[test]
fn runs_that_are_not_fair_and_unfair_claims_are_refused() {
    let net = read(NET);
    let turns = asked(&net, "G F c > 0");
    let Question::Fair(one) = &turns.question else {
        panic!("{turns:?}");
    };
    let plain = Asked {
        question: Question::Temporal(one.clone()),
        ..turns.clone()
    };
    // Without fairness one of them may spin for ever: that run is no evidence about fair ones.
    let unfair = answered_plainly(&net, &plain).unwrap();
    assert_eq!(unfair.verdict, Verdict::Violated);
    let run = unfair.evidence.unwrap();
    assert!(is_certified(&net, &plain, &run) && !is_certified(&net, &turns, &run));
    // What holds of fair runs is not shown for all.
    let held = answer(&net, &turns).evidence.unwrap();
    assert!(is_certified(&net, &turns, &held) && !is_certified(&net, &plain, &held));
}

#[test]
fn branching_time_is_not_answered() {
    let net = read(NET);
    let mut asked = crate::asked::alone(&Source::new("p", "AF c > 0"), &net, []).unwrap();
    fair::fairly(&mut asked);
    assert!(matches!(asked.question, Question::Beyond(_)));
}

#[test]
fn a_transition_that_waits_in_several_ways_is_one() {
    // `low` can always fire, by turns where `p` and where `q` is empty.
    let text = "pl p (1)\npl r (1)\ntr go p -> q\ntr back q -> p\n\
        tr high p q -> p q\ntr low r -> s\npr high > low\n";
    let net = read(text);
    assert!(net.split.iter().any(|one| one.parts.len() == 2));
    let fires = asked(&net, "F s > 0");
    // Fair to each part alone, a run may go round for ever; it is not fair to the whole.
    assert!(matches!(answer(&net, &fires).verdict, Verdict::Unknown(_)));
    let plain = crate::asked::alone(&Source::new("p", "F s > 0"), &net, []).unwrap();
    let round = answered_plainly(&net, &plain).unwrap().evidence.unwrap();
    assert!(is_certified(&net, &plain, &round) && !is_certified(&net, &fires, &round));
    // Where it can only fire now and then it may be passed over.
    let now_and_then = read(&text.replace("high p q -> p q", "high p -> p"));
    let fires = asked(&now_and_then, "F s > 0");
    let told = answer(&now_and_then, &fires);
    assert_eq!(told.verdict, Verdict::Violated);
    assert!(is_certified(&now_and_then, &fires, &told.evidence.unwrap()));
    // It stays where it is, so that the other must fire.
    let turns = read(
        "pl p (1)\npl r (1)\ntr high p q -> p q\ntr low r -> s\ntr spin p -> p\npr high > low\n",
    );
    let fires = asked(&turns, "F s > 0");
    let told = answer(&turns, &fires);
    assert_eq!(told.verdict, Verdict::Holds);
    assert!(is_certified(&turns, &fires, &told.evidence.unwrap()));
}

/// A random net in which all is bounded: transitions move one token each from place to place.
fn random(u: &mut Unstructured<'_>) -> Made<String> {
    let mut text = String::new();
    for place in 0..4 {
        text.push_str(&format!("pl p{place} ({})\n", u.int_in_range(0..=1)?));
    }
    let number = u.int_in_range(1..=4)?;
    for one in 0..number {
        let inputs = u.int_in_range(1..=2)?;
        let mut arrow = format!("tr t{one}");
        for side in ["", " ->"] {
            arrow.push_str(side);
            for _ in 0..inputs {
                arrow.push_str(&format!(" p{}", u.int_in_range(0..=3)?));
            }
        }
        text.push_str(&format!("{arrow}\n"));
    }
    if number > 1 && u.arbitrary()? {
        let waits = u.int_in_range(1..=number - 1)?;
        text.push_str(&format!("pr t0 > t{waits}\n"));
    }
    Ok(text)
}

/// The same net with a place for each transition that says whether it fired last.
fn remembering(text: &str, net: &Net) -> Option<String> {
    let number = net.wholes().len();
    let mut all: String = text
        .lines()
        .filter(|line| line.starts_with("pl"))
        .fold(String::new(), |all, line| format!("{all}{line}\n"));
    all.push_str("pl last_none (1)\n");
    for line in text.lines().filter(|line| line.starts_with("tr")) {
        let (left, right) = line.split_once("->")?;
        let mut words = left.split_whitespace().skip(1);
        let name = words.next()?;
        let rest: Vec<&str> = words.collect();
        for last in (0..number)
            .map(|one| format!("t{one}"))
            .chain(["none".to_owned()])
        {
            let rest = rest.join(" ");
            all.push_str(&format!(
                "tr {name}_{last} {rest} last_{last} -> {right} last_{name}\n"
            ));
        }
    }
    let copies = |name: &str| -> Vec<String> {
        let last = (0..number).map(|one| format!("t{one}"));
        let last = last.chain(["none".to_owned()]);
        last.map(|last| format!("{name}_{last}")).collect()
    };
    for line in text.lines().filter_map(|line| line.strip_prefix("pr ")) {
        let (first, waits) = line.split_once(" > ")?;
        let (first, waits) = (copies(first).join(" "), copies(waits).join(" "));
        all.push_str(&format!("pr {first} > {waits}\n"));
    }
    Some(all)
}

#[test]
fn fair_runs_are_those_that_remember_being_fair() {
    let (mut kept, mut broken, mut split, mut open) = (0, 0, 0, 0);
    quotient_trial::trial(|u| {
        let text = random(u)?;
        let net = read(&text);
        let formulas = [
            "G F p0 > 0",
            "F p1 > 0",
            "F G p2 = 0",
            "G (p3 > 0 -> F p0 > 0)",
            "p0 > 0 U p1 > 0",
        ];
        let formula = *u.choose(&formulas)?;
        let asked = asked(&net, formula);
        let told = answer(&net, &asked);
        // The second way says in the formula that runs are fair.
        let second = read(&remembering(&text, &net).unwrap());
        let all = second.wholes();
        let fair = net.wholes().into_iter().map(|(one, ..)| {
            let fired = match second
                .places
                .iter()
                .any(|place| place.id == format!("last_{one}"))
            {
                true => format!("last_{one} > 0"),
                false => "FALSE".to_owned(),
            };
            let copies = all
                .iter()
                .filter(|copy| copy.0.starts_with(&format!("{one}_")));
            let can: Vec<String> = copies.map(|copy| format!("can({})", copy.0)).collect();
            format!("G F ({fired} | !({}))", can.join(" | "))
        });
        let fair: Vec<String> = fair.collect();
        let whole = format!("({}) -> ({formula})", fair.join(" & "));
        let source = Source::new("p", whole.clone());
        let Ok(plain) = crate::asked::alone(&source, &second, []) else {
            return Ok(()); // A place of the formula that no line has.
        };
        let expected = answered_plainly(&second, &plain).unwrap();
        if matches!(told.verdict, Verdict::Unknown(_)) {
            // A run was found that passes over a transition of several parts.
            assert!(net.split.iter().any(|one| one.parts.len() > 1), "{text}");
            open += 1;
            return Ok(());
        }
        split += usize::from(net.split.iter().any(|one| one.parts.len() > 1));
        assert_eq!(
            told.verdict, expected.verdict,
            "{formula} of\n{text}{whole}"
        );
        let evidence = told.evidence.as_ref();
        assert!(
            is_certified(&net, &asked, evidence.unwrap()),
            "{formula} of\n{text}"
        );
        match told.verdict {
            Verdict::Holds => kept += 1,
            _ => broken += 1,
        }
        Ok(())
    })
    .cases(250);
    assert!(kept > 5 && broken > 5, "{kept} kept, {broken} broken");
    assert!(split > open, "{split} with parts, {open} open");
}
