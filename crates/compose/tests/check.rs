//! The front door: all ways give the same verdict, and evidence that stands on its own.

#[path = "support/models.rs"]
mod models;
mod support;

use proptest::prelude::*;
use quotient_compose::operations::complete;
use quotient_compose::{
    Answer, Finding, Goals, Lts, Network, Options, Question, Report, Strategy as Method, System,
    Way, check, check_telling, explore,
};
use quotient_core::{Budget, Context, Evidence, Stop, Verdict};
use quotient_lts::evidence::{
    AGGREGATED, ASSUMPTION, AssumptionData, EXPLORED, STUBBORN, TRACE, TraceData,
};
use support::*;

const SHAPE: Shape = Shape {
    states: 4,
    letters: 3,
    silent: true,
    error: true,
    end: true,
};

fn options(way: Way, search_first: u64) -> Options {
    Options {
        way,
        threads: 2,
        search_first,
        only: None,
    }
}

/// Every step of a trace moves exactly the components that it should, and the end is as said.
fn stands_on_its_own(data: &TraceData) -> bool {
    let components = &data.system.components;
    let mut states = data.initial.clone();
    let starts = components
        .iter()
        .zip(&states)
        .all(|(c, &state)| c.initial == state);
    for step in &data.steps {
        let movers: Vec<usize> = (0..components.len())
            .filter(|&at| match step.event {
                0 => states[at] != step.states[at] || components.len() == 1,
                event => components[at].alphabet.contains(&event),
            })
            .collect();
        for (at, component) in components.iter().enumerate() {
            let is_edge = states[at].is_some_and(|from| {
                component
                    .edges
                    .contains(&(from, step.event, step.states[at]))
            });
            let is_right = match movers.contains(&at) {
                true => is_edge,
                false => states[at] == step.states[at],
            };
            if !is_right || (step.event == 0 && movers.len() > 1) {
                return false;
            }
        }
        states = step.states.clone();
    }
    starts
        && match data.error {
            Some(at) => states[at].is_none(),
            None => states.iter().all(Option::is_some),
        }
}

fn verdicts_agree(system: &System) -> Result<(), TestCaseError> {
    let network = Network::new(system, &Budget::unlimited()).unwrap();
    let found = |deadlock| {
        let goals = Goals {
            deadlock,
            error: true,
        };
        explore(&network, goals, 1, &Context::default())
            .unwrap()
            .finding
            .is_some()
    };
    let erring = network.components().iter().any(|c| c.lts.has_error());
    for deadlock in [false, true] {
        let ways = [
            (Way::Automatic, 1_000_000),
            (Way::Automatic, 0),
            (Way::Automatic, 32),
            (Way::Monolithic, 0),
            (Way::Assumptions(Method::default()), 0),
        ];
        for (way, search_first) in ways {
            let skips = matches!(way, Way::Assumptions(_));
            if skips && (deadlock || !erring) {
                continue;
            }
            let question = Question::Safety { deadlock };
            let options = options(way, search_first);
            let report = told_first(system, &question, &options)?;
            let expected = if found(deadlock) {
                Verdict::Violated
            } else {
                Verdict::Holds
            };
            prop_assert_eq!(report.verdict(), expected, "{:?}", options);
            // What lies behind a violation may stay unknown.
            let definite = report
                .answers
                .iter()
                .filter(|one| one.verdict.is_definite());
            for answer in definite {
                let evidence = answer.evidence.as_ref().unwrap();
                let text = serde_json::to_string(evidence).unwrap();
                let again: Evidence = serde_json::from_str(&text).unwrap();
                prop_assert_eq!(again.verdict(), answer.verdict.clone());
                match evidence.kind.as_str() {
                    TRACE => prop_assert!(stands_on_its_own(&again.read().unwrap())),
                    ASSUMPTION => prop_assert!(again.read::<AssumptionData>().is_ok()),
                    kind => {
                        prop_assert!([EXPLORED, AGGREGATED, STUBBORN].contains(&kind), "{kind}")
                    }
                }
            }
        }
    }
    Ok(())
}

/// The report; and what was told before is in it, also where time ends as soon as something is told.
fn told_first(
    system: &System,
    question: &Question,
    options: &Options,
) -> Result<Report, TestCaseError> {
    let verdict = |report: &Report, about: &str| {
        let own = report.answers.iter().find(|one| one.about == about);
        own.map(|one| one.verdict.clone())
    };
    for ends in [true, false] {
        let cx = Context::default();
        let mut told: Vec<(String, Verdict)> = Vec::new();
        let tell = &mut |_: &Network, answer: &Answer| {
            told.push((answer.about.clone(), answer.verdict.clone()));
            if ends {
                cx.budget.interrupt();
            }
        };
        let report = check_telling(system, question, options, &cx, tell).unwrap();
        for (about, known) in &told {
            prop_assert!(known.is_definite());
            prop_assert_eq!(
                verdict(&report, about),
                Some(known.clone()),
                "{} {}",
                about,
                ends
            );
        }
        if !ends {
            let all = report
                .answers
                .iter()
                .filter(|one| one.verdict.is_definite());
            for one in all {
                prop_assert!(told.iter().any(|told| told.0 == one.about), "{}", one.about);
            }
            return Ok(report);
        }
    }
    unreachable!()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn all_ways_give_one_verdict(
        plans in proptest::collection::vec(plans(SHAPE), 1..4),
        properties in proptest::collection::vec(specifications(3, 3), 0..3),
    ) {
        let (actions, letters) = letters(3);
        let mut parts: Vec<Lts> = plans.iter().map(|plan| plan.lts(&letters)).collect();
        parts.extend(properties.iter().map(|plan| complete(&plan.lts(&letters))));
        verdicts_agree(&side_by_side(&actions, &parts))?;
    }
}

#[test]
fn the_default_shows_an_assumption() {
    let system = models::client_server(3);
    let report = check(
        &system,
        &Question::default(),
        &Options::default(),
        &Context::default(),
    )
    .unwrap();
    assert_eq!(report.verdict(), Verdict::Holds);
    let about: Vec<&str> = report.answers.iter().map(|answer| &*answer.about).collect();
    assert_eq!(about, ["no deadlock", "MUTEX"]);
    let Finding::Proof(proof) = &report.answers[1].finding else {
        panic!("no proof");
    };
    assert!(!proof.assumptions.is_empty());
}

#[test]
fn an_interrupted_check_is_unknown() {
    let cx = Context::default();
    cx.budget.interrupt();
    let system = models::mer(2, false);
    let stopped = check(
        &system,
        &Question::default(),
        &Options::default(),
        &cx.clone(),
    );
    match stopped {
        Err(stop) => assert_eq!(stop, Stop::Interrupted),
        Ok(report) => assert_eq!(report.verdict(), Verdict::Unknown(Stop::Interrupted)),
    }
}

#[test]
fn a_faulty_model_gives_a_trace_in_its_own_words() {
    let system = models::mer(2, true);
    for way in [
        Way::Automatic,
        Way::Monolithic,
        Way::Assumptions(Method::default()),
    ] {
        let question = Question::Safety { deadlock: false };
        let report = check(&system, &question, &options(way, 0), &Context::default()).unwrap();
        assert_eq!(report.verdict(), Verdict::Violated);
        let Finding::Trace(trace) = &report.answers[0].finding else {
            panic!("no trace");
        };
        let (last, _) = trace.steps[trace.steps.len() - 1];
        assert!(report.network.name(last).contains("grant"));
    }
}

#[test]
fn steps_of_its_own_do_not_hide_that_a_component_stops() {
    let (actions, letters) = letters(2);
    let parts: Vec<Lts> = letters
        .iter()
        .map(|&letter| {
            let mut builder = quotient_compose::LtsBuilder::new();
            builder.edge(0, letter, 1);
            builder.build()
        })
        .collect();
    let system = side_by_side(&actions, &parts);
    for search_first in [0, 1_000_000] {
        let options = options(Way::Automatic, search_first);
        let question = Question::default();
        let report = check(&system, &question, &options, &Context::default()).unwrap();
        assert_eq!(report.verdict(), Verdict::Violated);
    }
}

#[test]
fn an_end_that_cannot_be_reached_is_not_come_to() {
    let (actions, _) = letters(0);
    let mut stuck = quotient_compose::LtsBuilder::new();
    stuck.at_least(2).end(1);
    let mut ended = quotient_compose::LtsBuilder::new();
    ended.end(0);
    let system = side_by_side(&actions, &[stuck.build(), ended.build()]);
    for search_first in [0, 1_000_000] {
        let options = options(Way::Automatic, search_first);
        let question = Question::default();
        let report = check(&system, &question, &options, &Context::default()).unwrap();
        assert_eq!(report.verdict(), Verdict::Violated);
    }
}
