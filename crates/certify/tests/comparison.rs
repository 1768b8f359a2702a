//! Comparisons of two systems that are not so, made by hand: one for each thing that the check demands.

use quotient_certify::{Side, certify_comparison};
use quotient_core::{Budget, Evidence};
use quotient_lts::evidence::{
    AllowedData, DIFFERENT, DifferentData, ModalData, SAME, SameData, WitnessData,
};
use quotient_lts::{Actions, Lts, LtsBuilder, Relation};

/// All systems have the same actions by the same numbers; `tau` is silent.
fn lts(edges: &[(u32, &str, u32)]) -> (Lts, Actions) {
    let mut actions = Actions::new();
    for name in ["a", "b", "c"] {
        actions.intern(name);
    }
    let mut builder = LtsBuilder::new();
    for &(from, action, to) in edges {
        let action = match action {
            "tau" => quotient_lts::Action::TAU,
            name => actions.intern(name),
        };
        builder.edge(from, action, to);
    }
    (builder.build(), actions)
}

type Edges<'a> = &'a [(u32, &'a str, u32)];

/// `a`, and then the choice of `b` and `c`.
const LATE: Edges<'static> = &[(0, "a", 1), (1, "b", 2), (1, "c", 2)];
/// The choice is made with `a`.
const EARLY: Edges<'static> = &[(0, "a", 1), (0, "a", 2), (1, "b", 3), (2, "c", 3)];
/// Only `b` comes after `a`.
const LESS: Edges<'static> = &[(0, "a", 1), (1, "b", 2)];
/// The same, or it is silently busy for ever after `a`.
const BUSY: Edges<'static> = &[(0, "a", 1), (1, "b", 2), (1, "tau", 1)];

fn certified(
    one: Edges<'_>,
    other: Edges<'_>,
    asked: (Relation, bool),
    evidence: &Evidence,
) -> bool {
    let (first, second) = (lts(one), lts(other));
    let sides = [&first, &second].map(|(lts, actions)| Side { lts, actions });
    let evidence = evidence.clone().about("p");
    certify_comparison(&evidence, sides, asked, &Budget::unlimited()).is_ok()
}

fn same(one: Edges<'_>, other: Edges<'_>, data: &SameData) -> bool {
    let evidence = Evidence::of_holds(SAME, data);
    certified(one, other, (data.relation, data.refines), &evidence)
}

fn blocks(relation: Relation, first: &[u32], second: &[u32]) -> SameData {
    SameData {
        relation,
        refines: false,
        blocks: vec![first.to_vec(), second.to_vec()],
        allowed: Vec::new(),
    }
}

/// What allows what: for each direction a state, and the states that allow what it does.
fn allowed(relation: Relation, refines: bool, all: &[&[(u32, &[u32])]]) -> SameData {
    let pair = |&(state, by): &(u32, &[u32])| AllowedData {
        state,
        by: by.to_vec(),
    };
    SameData {
        relation,
        refines,
        blocks: Vec::new(),
        allowed: all
            .iter()
            .map(|all| all.iter().map(pair).collect())
            .collect(),
    }
}

#[test]
fn blocks_whose_states_do_not_do_the_same() {
    use Relation::{Branching, Strong, Weak};
    assert!(same(LATE, LATE, &blocks(Strong, &[0, 1, 2], &[0, 1, 2])));
    for relation in [Strong, Weak, Branching] {
        // All in one block, the choices in one block, and each in its own.
        let refused = |first: &[u32], second: &[u32]| {
            assert!(
                !same(LATE, EARLY, &blocks(relation, first, second)),
                "{relation:?} {first:?}"
            );
        };
        refused(&[0, 0, 0], &[0, 0, 0, 0]);
        refused(&[0, 1, 2], &[0, 1, 1, 2]);
        refused(&[0, 1, 2], &[0, 3, 4, 2]);
        // True of the blocks, but the beginnings are in different ones.
        refused(&[0, 1, 2], &[5, 3, 4, 2]);
        // Not a block for each state; or more blocks than states.
        refused(&[], &[]);
        refused(&[0, 0, 0], &[0, 0, 0]);
        refused(&[0, 0], &[0, 0, 0, 0, 0]);
        let mut three = blocks(relation, &[0, 0, 0], &[0, 0, 0, 0]);
        three.blocks.push(vec![0]);
        assert!(!same(LATE, EARLY, &three));
        three.blocks.clear();
        assert!(!same(LATE, EARLY, &three));
    }
    // Silence inside a block is no matter to branching bisimulation, what it leads away from is.
    let lost: Edges<'_> = &[(0, "tau", 1), (0, "a", 2), (1, "b", 2)];
    let kept: Edges<'_> = &[(0, "a", 1), (0, "b", 1)];
    for relation in [Strong, Weak, Branching] {
        assert!(
            !same(lost, kept, &blocks(relation, &[0, 0, 1], &[0, 1])),
            "{relation:?}"
        );
        assert!(
            !same(lost, kept, &blocks(relation, &[0, 2, 1], &[0, 1])),
            "{relation:?}"
        );
    }
}

#[test]
fn what_is_allowed_by_states_that_are_not_there() {
    use Relation::{Failures, FailuresDivergences, Traces};
    let late: &[(u32, &[u32])] = &[(0, &[0]), (1, &[1, 2]), (2, &[3])];
    let early: &[(u32, &[u32])] = &[(0, &[0]), (1, &[1]), (2, &[1]), (3, &[2])];
    assert!(same(LATE, EARLY, &allowed(Traces, false, &[late, early])));
    assert!(same(LATE, EARLY, &allowed(Failures, true, &[late])));
    // After `a` the one may refuse `c`, the other never does.
    for relation in [Failures, FailuresDivergences] {
        assert!(
            !same(LATE, EARLY, &allowed(relation, false, &[late, early])),
            "{relation:?}"
        );
        assert!(
            !same(EARLY, LATE, &allowed(relation, true, &[early])),
            "{relation:?}"
        );
    }
    // `c` is not allowed: nothing, a state that does not follow, or one that is not there is said to do so.
    let refused = |pairs: &[(u32, &[u32])]| {
        assert!(
            !same(LATE, LESS, &allowed(Traces, true, &[pairs])),
            "{pairs:?}"
        );
    };
    refused(&[(0, &[0]), (1, &[1])]);
    refused(&[(0, &[0]), (1, &[1]), (2, &[2])]);
    refused(&[(0, &[0]), (1, &[1]), (2, &[])]);
    refused(&[(0, &[0]), (1, &[0, 1]), (2, &[0, 1, 2])]);
    refused(&[(0, &[0]), (1, &[1]), (2, &[9])]);
    refused(&[(9, &[0])]);
    refused(&[(1, &[1]), (2, &[2])]);
    refused(&[]);
    refused(&[(0, &[0, 0]), (1, &[1]), (2, &[2, 1])]);
    // One direction of two, three of two, and the other direction.
    assert!(!same(
        LESS,
        LATE,
        &allowed(Traces, false, &[&[(0, &[0]), (1, &[1]), (2, &[2])]])
    ));
    let less: &[(u32, &[u32])] = &[(0, &[0]), (1, &[1]), (2, &[2])];
    assert!(same(LESS, LATE, &allowed(Traces, true, &[less])));
    assert!(!same(LATE, LESS, &allowed(Traces, true, &[less])));
    assert!(!same(LATE, LESS, &allowed(Traces, true, &[])));
    assert!(!same(LATE, LESS, &allowed(Traces, true, &[less, less])));
    // States that are not there are refused, not looked at.
    for odd in [(9, &[0][..]), (0, &[9])] {
        let more: Vec<(u32, &[u32])> = less.iter().copied().chain([odd]).collect();
        assert!(!same(LESS, LATE, &allowed(Traces, true, &[&more])));
    }
    // Who is silently busy for ever is allowed only by who is, too.
    let busy: &[(u32, &[u32])] = &[(0, &[0]), (1, &[1]), (2, &[2])];
    assert!(same(
        LESS,
        BUSY,
        &allowed(FailuresDivergences, true, &[busy])
    ));
    assert!(!same(
        BUSY,
        LESS,
        &allowed(FailuresDivergences, true, &[busy])
    ));
    assert!(same(BUSY, LESS, &allowed(Failures, true, &[busy])));
}

#[test]
fn evidence_about_another_relation_or_direction() {
    use Relation::{Strong, Traces};
    let data = blocks(Strong, &[0, 1, 2], &[0, 1, 2]);
    let evidence = Evidence::of_holds(SAME, &data);
    assert!(certified(LATE, LATE, (Strong, false), &evidence));
    assert!(!certified(
        LATE,
        LATE,
        (Relation::Branching, false),
        &evidence
    ));
    let one_way = allowed(Traces, true, &[&[(0, &[0]), (1, &[1]), (2, &[2])]]);
    let evidence = Evidence::of_holds(SAME, &one_way);
    assert!(certified(LESS, LATE, (Traces, true), &evidence));
    assert!(!certified(LESS, LATE, (Traces, false), &evidence));
    // A bisimulation has no direction.
    let mut data = data;
    data.refines = true;
    assert!(!certified(
        LATE,
        LATE,
        (Strong, true),
        &Evidence::of_holds(SAME, &data)
    ));
    // Blocks and pairs are not mixed, and each kind shows its own claim.
    let mut mixed = one_way.clone();
    mixed.blocks = vec![vec![0, 0, 0], vec![0, 0, 0]];
    assert!(!certified(
        LESS,
        LATE,
        (Traces, true),
        &Evidence::of_holds(SAME, &mixed)
    ));
    assert!(!certified(
        LESS,
        LATE,
        (Traces, true),
        &Evidence::of_violated(SAME, &one_way)
    ));
    assert!(!certified(
        LESS,
        LATE,
        (Traces, true),
        &Evidence::of_holds("components-equal", &one_way)
    ));
}

fn different(
    one: Edges<'_>,
    other: Edges<'_>,
    asked: (Relation, bool),
    witness: WitnessData,
) -> bool {
    let data = DifferentData {
        relation: asked.0,
        refines: asked.1,
        witness,
    };
    certified(one, other, asked, &Evidence::of_violated(DIFFERENT, &data))
}

fn names(all: &[&str]) -> Vec<String> {
    all.iter().map(|&one| one.to_owned()).collect()
}

fn trace(second: bool, actions: &[&str]) -> WitnessData {
    WitnessData::Trace {
        second,
        actions: names(actions),
    }
}

fn failure(second: bool, actions: &[&str], refused: &[&str]) -> WitnessData {
    WitnessData::Failure {
        second,
        actions: names(actions),
        refused: names(refused),
    }
}

fn divergence(second: bool, actions: &[&str]) -> WitnessData {
    WitnessData::Divergence {
        second,
        actions: names(actions),
    }
}

#[test]
fn traces_that_both_have() {
    use Relation::{Strong, Traces};
    assert!(!different(
        LATE,
        LESS,
        (Strong, false),
        trace(false, &["a", "c"])
    ));
    assert!(different(
        LATE,
        LESS,
        (Traces, false),
        trace(false, &["a", "c"])
    ));
    // Both have it, nobody has it, silence is in it, or it is no action.
    for actions in [
        &["a", "b"][..],
        &[],
        &["b"],
        &["a", "c", "c"],
        &["tau"],
        &["a", "tau"],
        &["x"],
    ] {
        for second in [false, true] {
            assert!(
                !different(LATE, EARLY, (Traces, false), trace(second, actions)),
                "{actions:?}"
            );
        }
    }
    // The second may do more.
    assert!(different(
        LESS,
        LATE,
        (Traces, false),
        trace(true, &["a", "c"])
    ));
    assert!(!different(
        LESS,
        LATE,
        (Traces, true),
        trace(true, &["a", "c"])
    ));
}

#[test]
fn failures_and_divergences_that_both_have() {
    use Relation::{Failures, FailuresDivergences, Traces};
    // After `a` the early one can refuse one of both, and so it is with it alone.
    assert!(different(
        LATE,
        EARLY,
        (Failures, false),
        failure(true, &["a"], &["c"])
    ));
    let cases: [(bool, &[&str]); 5] = [
        (false, &["c"]),
        (true, &["b", "c"]),
        (true, &[]),
        (true, &["a"]),
        (true, &["tau"]),
    ];
    for (second, refused) in cases {
        let witness = failure(second, &["a"], refused);
        assert!(
            !different(LATE, EARLY, (Failures, false), witness),
            "{second} {refused:?}"
        );
    }
    // What is busy refuses nothing, and what the other may do after being busy is anything. What a
    // relation does not see tells nothing apart by it.
    let refuses_c = |second| failure(second, &["a"], &["c"]);
    let busy_after_a = || divergence(false, &["a"]);
    for (one, other, relation, witness, apart) in [
        (BUSY, LESS, Failures, refuses_c(false), false),
        (LESS, BUSY, FailuresDivergences, refuses_c(false), false),
        (BUSY, LESS, FailuresDivergences, busy_after_a(), true),
        (
            BUSY,
            LESS,
            FailuresDivergences,
            divergence(false, &[]),
            false,
        ),
        (
            BUSY,
            LESS,
            FailuresDivergences,
            divergence(true, &["a"]),
            false,
        ),
        (BUSY, BUSY, FailuresDivergences, busy_after_a(), false),
        (LATE, EARLY, Traces, refuses_c(true), false),
        (BUSY, LESS, Traces, busy_after_a(), false),
        (BUSY, LESS, Failures, busy_after_a(), false),
    ] {
        let told = format!("{relation:?} {witness:?}");
        assert_eq!(
            different(one, other, (relation, false), witness),
            apart,
            "{told}"
        );
    }
}

#[test]
fn formulas_that_do_not_tell_apart() {
    use Relation::{Branching, Strong, Traces, Weak};
    let formula = |parts: &[ModalData]| WitnessData::Formula {
        parts: parts.to_vec(),
    };
    let can = |action: &str, then: usize| ModalData::Can(action.to_owned(), then);
    let until = |action: &str, then: usize| ModalData::Until(0, action.to_owned(), then);
    let all = || ModalData::All(Vec::new());
    // After some `a`, both `b` and `c` can happen.
    let parts = [
        all(),
        can("b", 0),
        can("c", 0),
        ModalData::All(vec![1, 2]),
        can("a", 3),
    ];
    assert!(different(LATE, EARLY, (Strong, false), formula(&parts)));
    assert!(different(LATE, EARLY, (Weak, false), formula(&parts)));
    // True of both, false of both, and true of the second only.
    let refused = |relation: Relation, parts: &[ModalData]| {
        let witness = formula(parts);
        assert!(
            !different(LATE, EARLY, (relation, false), witness),
            "{relation:?} {parts:?}"
        );
    };
    refused(Strong, &[all(), can("b", 0), can("a", 1)]);
    refused(Strong, &[all(), can("b", 0)]);
    refused(Strong, &[ModalData::Some(Vec::new())]);
    refused(Strong, &[&parts[..], &[ModalData::Not(4)]].concat());
    // A part that comes later, itself, or never; no part; and no action of that name.
    refused(
        Strong,
        &[
            all(),
            can("b", 2),
            can("c", 0),
            ModalData::All(vec![1, 2]),
            can("a", 3),
        ],
    );
    refused(Strong, &[ModalData::Not(0)]);
    refused(Strong, &[all(), ModalData::Some(vec![usize::MAX])]);
    refused(Strong, &[]);
    refused(Strong, &[all(), can("x", 0), ModalData::Not(1)]);
    // Steps that the relation does not respect, and a formula where traces are asked for.
    refused(Branching, &parts);
    refused(
        Strong,
        &[
            all(),
            until("b", 0),
            until("c", 0),
            ModalData::All(vec![1, 2]),
            until("a", 3),
        ],
    );
    refused(Traces, &parts);
    // One step more before `a` is seen by one step, and not with silence around.
    let slow: Edges<'_> = &[(0, "tau", 1), (1, "a", 2)];
    let fast: Edges<'_> = &[(0, "a", 1)];
    let silent = [all(), can("a", 0), can("tau", 1)];
    assert!(different(slow, fast, (Strong, false), formula(&silent)));
    assert!(!different(slow, fast, (Weak, false), formula(&silent)));
    let silent = [all(), until("a", 0), until("tau", 1)];
    assert!(!different(slow, fast, (Branching, false), formula(&silent)));
}
