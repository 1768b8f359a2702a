//! Diagrams of random systems beside the search of all states, one by one.

mod support;

use proptest::prelude::*;
use quotient_certify::certify_components;
use quotient_compose::{
    Answer, Finding, LtsBuilder, Options, Question, Report, System, Way, check,
};
use quotient_core::{Budget, Context, Verdict};
use quotient_lts::evidence::DIAGRAM;
use support::*;

const SHAPE: Shape = Shape {
    states: 4,
    letters: 3,
    silent: true,
    error: false,
    end: true,
};

fn asked(system: &System, way: Way) -> Report {
    let options = Options {
        way,
        threads: 1,
        ..Options::default()
    };
    check(system, &Question::default(), &options, &Context::default()).unwrap()
}

fn states(answer: &Answer) -> Option<u64> {
    match &answer.finding {
        Finding::Explored(explored) => Some(explored.states),
        _ => None,
    }
}

/// What a diagram shows is so, has exactly the states of a search, and is accepted; where nothing
/// but what is asked for can go wrong, it shows all that is so.
fn agrees(system: &System, shows_all: bool) -> Result<(), TestCaseError> {
    let [whole, drawn] = [Way::Monolithic, Way::Diagram].map(|way| asked(system, way));
    for answer in &drawn.answers {
        let found = whole.answers.iter().find(|one| one.about == answer.about);
        let Some(found) = found else { continue };
        if answer.verdict != Verdict::Holds {
            prop_assert!(
                !shows_all || found.verdict == Verdict::Violated,
                "{}",
                answer.about
            );
            continue;
        }
        prop_assert_eq!(&found.verdict, &Verdict::Holds, "{}", &answer.about);
        if shows_all && whole.verdict() == Verdict::Holds {
            prop_assert_eq!(states(answer), states(found));
        }
        let evidence = answer.evidence.as_ref().unwrap();
        prop_assert_eq!(evidence.kind.as_str(), DIAGRAM);
        let certified =
            certify_components(evidence, system, &Question::default(), &Budget::unlimited());
        prop_assert!(certified.is_ok(), "{certified:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_diagram_has_all_states_and_shows_what_a_search_shows(
        components in any::<bool>().prop_flat_map(|end| neighbours(Shape { end, ..SHAPE }, 5)),
    ) {
        agrees(&among_neighbours(&components, &[]), true)?;
    }

    #[test]
    fn components_that_err_end_executions(
        components in neighbours(Shape { error: true, ..SHAPE }, 4),
    ) {
        agrees(&among_neighbours(&components, &[]), false)?;
    }

    #[test]
    fn properties_that_watch_are_shown_too(
        components in neighbours(SHAPE, 4),
        letters in proptest::sample::subsequence((0..7).collect::<Vec<usize>>(), 2),
        property in specifications(3, 2),
    ) {
        agrees(&among_neighbours(&components, &[(property, letters)]), false)?;
    }
}

/// Philosophers who ask a butler for a seat, of which there are so many.
fn butler(count: usize, seats: u32) -> System {
    let mut system = System::new();
    let mut nodes = Vec::new();
    let mut lets = LtsBuilder::new();
    for who in 0..count {
        let left = (who + 1) % count;
        let names = [
            format!("sit.{who}"),
            format!("right.{who}"),
            format!("left.{who}"),
            format!("free.{who}"),
            format!("rise.{who}"),
        ];
        let [sit, right, other, free, rise] = names.map(|name| system.actions.intern(&name));
        let mut person = LtsBuilder::new();
        person.edge(0, sit, 1).edge(1, right, 2).edge(2, other, 3);
        person.edge(3, free, 4).edge(4, rise, 0);
        nodes.push(system.process(format!("PERSON.{who}"), person.build()));
        for taken in 0..seats {
            lets.edge(taken, sit, taken + 1)
                .edge(taken + 1, rise, taken);
        }
        // The fork to the right of one is to the left of the next; both are put back at once.
        let next = |what: &str| format!("{what}.{left}");
        let (theirs, back) = (next("left"), next("free"));
        let (theirs, back) = (system.actions.intern(&theirs), system.actions.intern(&back));
        let mut fork = LtsBuilder::new();
        fork.edge(0, right, 1)
            .edge(1, free, 0)
            .edge(0, theirs, 2)
            .edge(2, back, 0);
        nodes.push(system.process(format!("FORK.{who}"), fork.build()));
    }
    nodes.push(system.process("BUTLER", lets.build()));
    system.parallel(nodes);
    system
}

#[test]
fn twelve_philosophers_with_a_butler_take_a_small_diagram() {
    let system = butler(12, 11);
    let report = asked(&system, Way::Diagram);
    let answer = &report.answers[0];
    assert_eq!(answer.verdict, Verdict::Holds);
    let evidence = answer.evidence.as_ref().unwrap();
    let nodes = evidence.body["nodes"].as_array().unwrap().len();
    assert!(nodes < 5_000, "{nodes}");
    let budget = Budget::unlimited();
    assert!(certify_components(evidence, &system, &Question::default(), &budget).is_ok());
    // So it is where it is not said how: too many states to search, and nothing becomes small.
    let options = Options {
        threads: 1,
        search_first: 10_000,
        ..Options::default()
    };
    let report = check(&system, &Question::default(), &options, &Context::default()).unwrap();
    assert_eq!(report.answers[0].evidence.as_ref(), Some(evidence));
    // With a seat for everybody they can all wait for each other.
    let report = asked(&butler(12, 12), Way::Diagram);
    assert!(!report.answers[0].verdict.is_definite());
}
