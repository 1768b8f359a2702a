//! Deadlocks by putting components together, against the search of the whole system.

mod support;

use proptest::prelude::*;
use quotient_certify::certify_components;
use quotient_compose::{Finding, Options, Question, System, Way, check};
use quotient_core::{Budget, Context, Verdict};
use quotient_lts::evidence::{AGGREGATED, TRACE};
use support::*;

const SHAPE: Shape = Shape {
    states: 4,
    letters: 3,
    silent: true,
    error: false,
    end: true,
};

/// No state is searched first, so that components are put together at once.
fn options(way: Way) -> Options {
    Options {
        way,
        threads: 1,
        search_first: 0,
        only: None,
    }
}

fn agrees(system: &System) -> Result<(), TestCaseError> {
    let question = Question::default();
    let [whole, parts] = [Way::Monolithic, Way::Automatic].map(|way| {
        let cx = &mut Context::default();
        check(system, &question, &options(way), cx).unwrap()
    });
    prop_assert_eq!(whole.verdict(), parts.verdict());
    let answer = &parts.answers[0];
    // Behind a violated property deadlocks are not looked for.
    if answer.about == "no deadlock" && answer.verdict.is_definite() {
        let evidence = answer.evidence.as_ref().unwrap();
        prop_assert!([AGGREGATED, TRACE].contains(&evidence.kind.as_str()));
        let certified = certify_components(evidence, system, &question, &Budget::unlimited());
        prop_assert!(certified.is_ok(), "{certified:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn putting_together_finds_exactly_the_deadlocks(
        components in any::<bool>().prop_flat_map(|end| neighbours(Shape { end, ..SHAPE }, 5)),
    ) {
        agrees(&among_neighbours(&components, &[]))?;
    }

    #[test]
    fn watchers_change_nothing(
        components in neighbours(SHAPE, 4),
        letters in proptest::sample::subsequence((0..7).collect::<Vec<usize>>(), 2),
        property in specifications(3, 2),
    ) {
        agrees(&among_neighbours(&components, &[(property, letters)]))?;
    }
}

#[test]
fn a_ring_of_many_is_put_together_in_small_steps() {
    // Each takes the baton from the one before and gives it to the next; nobody has it.
    let count = 40;
    let (actions, letters) = letters(count);
    let parts: Vec<_> = (0..count)
        .map(|at| {
            let mut builder = quotient_compose::LtsBuilder::new();
            builder
                .edge(0, letters[at], 1)
                .edge(1, letters[(at + 1) % count], 0);
            builder.build()
        })
        .collect();
    let system = side_by_side(&actions, &parts);
    let report = check(
        &system,
        &Question::default(),
        &options(Way::Automatic),
        &Context::default(),
    )
    .unwrap();
    assert_eq!(report.verdict(), Verdict::Violated);
    let Finding::Trace(trace) = &report.answers[0].finding else {
        panic!("no trace");
    };
    assert!(trace.steps.is_empty());
}
