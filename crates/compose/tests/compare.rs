//! Two systems compared, against the definitions; the evidence is checked and attacked.

mod support;

use std::collections::BTreeSet;

use proptest::prelude::*;
use quotient_certify::{Side, certify_comparison};
use quotient_compose::operations::{minimise, minimise_by};
use quotient_compose::{
    Action, Compared, Comparison, Equivalence, Lts, Relation, State, compare, modal_text,
};
use quotient_core::{Budget, Evidence};
use quotient_lts::evidence::{
    AllowedData, DIFFERENT, DifferentData, ModalData, SAME, SameData, WitnessData,
};
use support::*;

const SHAPE: Shape = Shape {
    states: 4,
    letters: 2,
    silent: true,
    error: true,
    end: true,
};

/// A state of one of two systems; the error state and the end can be seen.
type Place = (usize, State);

/// Two systems as their definitions have it: `e` for the end, `!` for the error.
struct Both<'a>([&'a Lts; 2]);

impl Both<'_> {
    fn steps(&self, (side, state): Place) -> Vec<(String, Place)> {
        let lts = self.0[side];
        let name = |action: Action| match action.is_tau() {
            true => String::new(),
            false => action.index().to_string(),
        };
        let edges = lts.edges(state).iter();
        let mut steps: Vec<(String, Place)> = edges
            .map(|edge| (name(edge.action), (side, edge.target)))
            .collect();
        if lts.end() == Some(state) {
            steps.push(("e".into(), (side, state)));
        }
        if state == quotient_compose::ERROR {
            steps.push(("!".into(), (side, state)));
        }
        steps
    }

    fn places(&self) -> Vec<Place> {
        let of = |side: usize| {
            let states = self.0[side].all_states();
            states
                .chain([quotient_compose::ERROR])
                .map(move |state| (side, state))
        };
        of(0).chain(of(1)).collect()
    }

    fn silently(&self, from: BTreeSet<Place>) -> BTreeSet<Place> {
        let mut all = from;
        loop {
            let more: Vec<Place> = (all.iter())
                .flat_map(|&place| self.steps(place))
                .filter(|(action, _)| action.is_empty())
                .map(|(_, target)| target)
                .collect();
            let before = all.len();
            all.extend(more);
            if all.len() == before {
                return all;
            }
        }
    }

    fn after(&self, from: &BTreeSet<Place>, action: &str) -> BTreeSet<Place> {
        let steps = from.iter().flat_map(|&place| self.steps(place));
        let next = steps.filter(|(own, _)| own == action);
        self.silently(next.map(|(_, target)| target).collect())
    }

    fn offers(&self, place: Place) -> BTreeSet<String> {
        let steps = self.steps(place).into_iter();
        steps.map(|(action, _)| action).collect()
    }

    fn is_busy(&self, place: Place) -> bool {
        let silent = |place: Place| -> BTreeSet<Place> {
            let steps = self.steps(place).into_iter();
            steps
                .filter(|(action, _)| action.is_empty())
                .map(|(_, target)| target)
                .collect()
        };
        let reached = self.silently(BTreeSet::from([place]));
        let mut cycles = reached.iter();
        cycles.any(|&one| self.silently(silent(one)).contains(&one))
    }

    /// The greatest relation that the definition allows.
    fn bisimilar(&self, relation: Relation) -> bool {
        let places = self.places();
        let mut all: BTreeSet<(Place, Place)> = places
            .iter()
            .flat_map(|&one| places.iter().map(move |&other| (one, other)))
            .collect();
        loop {
            let matched = |one: Place, other: Place| {
                let quietly = self.silently(BTreeSet::from([other]));
                self.steps(one).into_iter().all(|(action, target)| {
                    let mut direct = self.steps(other).into_iter();
                    match relation {
                        Relation::Strong => {
                            direct.any(|(own, next)| own == action && all.contains(&(target, next)))
                        }
                        Relation::Weak => {
                            let after = match action.is_empty() {
                                true => quietly.clone(),
                                false => self.after(&quietly, &action),
                            };
                            after.iter().any(|&next| all.contains(&(target, next)))
                        }
                        _ => {
                            let inert = action.is_empty() && all.contains(&(target, other));
                            inert
                                || quietly.iter().any(|&between| {
                                    let mut steps = self.steps(between).into_iter();
                                    all.contains(&(one, between))
                                        && steps.any(|(own, next)| {
                                            own == action && all.contains(&(target, next))
                                        })
                                })
                        }
                    }
                })
            };
            let kept: BTreeSet<(Place, Place)> = (all.iter().copied())
                .filter(|&(one, other)| matched(one, other) && matched(other, one))
                .collect();
            if kept.len() == all.len() {
                let [first, second] = [0, 1].map(|side| (side, self.0[side].initial()));
                return all.contains(&(first, second));
            }
            all = kept;
        }
    }

    /// Whether the first refines the second, by all pairs of sets after the same trace.
    fn refines(&self, relation: Relation, [first, second]: [usize; 2]) -> bool {
        let start = |side: usize| {
            let initial = (side, self.0[side].initial());
            self.silently(BTreeSet::from([initial]))
        };
        let mut met = BTreeSet::new();
        let mut todo = vec![(start(first), start(second))];
        while let Some((own, theirs)) = todo.pop() {
            if own.is_empty() || !met.insert((own.clone(), theirs.clone())) {
                continue;
            }
            if theirs.is_empty() {
                return false;
            }
            if relation == Relation::FailuresDivergences {
                if theirs.iter().any(|&place| self.is_busy(place)) {
                    continue;
                }
                if own.iter().any(|&place| self.is_busy(place)) {
                    return false;
                }
            }
            if relation != Relation::Traces {
                let stable = |set: &BTreeSet<Place>| -> Vec<BTreeSet<String>> {
                    let offers = set.iter().map(|&place| self.offers(place));
                    offers.filter(|offers| !offers.contains("")).collect()
                };
                let theirs = stable(&theirs);
                let allowed =
                    |offers: &BTreeSet<String>| theirs.iter().any(|other| other.is_subset(offers));
                if !stable(&own).iter().all(allowed) {
                    return false;
                }
            }
            let actions: BTreeSet<String> = (own.iter())
                .flat_map(|&place| self.offers(place))
                .filter(|action| !action.is_empty())
                .collect();
            for action in actions {
                todo.push((self.after(&own, &action), self.after(&theirs, &action)));
            }
        }
        true
    }

    fn same(&self, relation: Relation, refines: bool) -> bool {
        match relation.is_bisimulation() {
            true => self.bisimilar(relation),
            false => self.refines(relation, [0, 1]) && (refines || self.refines(relation, [1, 0])),
        }
    }
}

/// Pairs of systems that are often nearly the same.
fn pairs() -> impl Strategy<Value = (Lts, Lts)> {
    let change = (0usize..6, 0u32..4, 0usize..3, 0u32..5);
    (plans(SHAPE), plans(SHAPE), change).prop_map(|(one, other, (kind, from, letter, to))| {
        let letters = letters(2).1;
        let first = one.lts(&letters);
        let small = |equivalence| minimise(&first, equivalence, &Budget::unlimited()).unwrap();
        let mut changed = one.clone();
        if one.end != Some(from % one.states) {
            changed
                .edges
                .push((from % one.states, letter, to.min(one.states)));
        }
        let second = match kind {
            0 => small(Equivalence::Strong),
            1 => small(Equivalence::Weak),
            2 => small(Equivalence::Trace),
            3 => other.lts(&letters),
            _ => changed.lts(&letters),
        };
        (first, second)
    })
}

fn evidence_of(found: &Comparison) -> Evidence {
    match found {
        Comparison::Same(data) => Evidence::of_holds(SAME, data),
        Comparison::Different(data) => Evidence::of_violated(DIFFERENT, data),
    }
    .about("same")
}

/// Blocks, pairs and formulas that somebody makes up.
fn forgeries() -> impl Strategy<Value = (Vec<u32>, Vec<(u32, BTreeSet<u32>)>, Vec<ModalData>)> {
    let blocks = proptest::collection::vec(0u32..3, 12);
    let set = proptest::collection::btree_set(0u32..5, 0..4);
    let allowed = proptest::collection::vec((0u32..5, set), 0..8);
    let name = || proptest::sample::select(vec!["a", "b", "tau", "@end"]);
    let part = prop_oneof![
        (0usize..4).prop_map(ModalData::Not),
        proptest::collection::vec(0usize..4, 0..3).prop_map(ModalData::All),
        proptest::collection::vec(0usize..4, 0..3).prop_map(ModalData::Some),
        (name(), 0usize..4).prop_map(|(name, then)| ModalData::Can(name.into(), then)),
        (0usize..4, name(), 0usize..4).prop_map(|(during, name, then)| ModalData::Until(
            during,
            name.into(),
            then
        )),
    ];
    (blocks, allowed, proptest::collection::vec(part, 0..6))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn comparisons_are_as_defined_and_their_evidence_is_accepted((first, second) in pairs()) {
        let actions = letters(2).0;
        let budget = Budget::unlimited();
        let both = Both([&first, &second]);
        for relation in Relation::ALL {
            for refines in [false, true] {
                if refines && relation.is_bisimulation() {
                    continue;
                }
                let sides = [&first, &second].map(|lts| Compared { lts, actions: &actions });
                let found = compare(sides, relation, refines, &budget).unwrap();
                let same = both.same(relation, refines);
                prop_assert_eq!(matches!(found, Comparison::Same(_)), same, "{:?}", relation);
                let sides = [&first, &second].map(|lts| Side { lts, actions: &actions });
                let evidence = evidence_of(&found);
                let checked =
                    certify_comparison(&evidence, sides, (relation, refines), &budget);
                prop_assert!(checked.is_ok(), "{:?} {:?} {:?}", relation, checked, evidence);
                // The same evidence is none for another question.
                for other in Relation::ALL.into_iter().filter(|&other| other != relation) {
                    let checked =
                        certify_comparison(&evidence, sides, (other, refines), &budget);
                    prop_assert!(checked.is_err());
                }
            }
        }
    }

    #[test]
    fn what_is_made_small_up_to_a_relation_is_the_same_up_to_it((first, second) in pairs()) {
        let budget = Budget::unlimited();
        for relation in Relation::ALL {
            let small = minimise_by(&first, relation, &budget).unwrap();
            let both = Both([&first, &small]);
            prop_assert!(both.same(relation, false), "{:?}: {:?} {:?}", relation, first, small);
            if matches!(relation, Relation::Weak | Relation::Branching) {
                continue;
            }
            // A normal form: what is the same has the same.
            let other = minimise_by(&second, relation, &budget).unwrap();
            if Both([&first, &second]).same(relation, false) {
                prop_assert!(Both([&small, &other]).same(Relation::Strong, false));
                prop_assert_eq!(small.states(), other.states());
            }
        }
    }

    #[test]
    fn nothing_false_is_accepted(
        (first, second) in pairs(),
        (blocks, allowed, parts) in forgeries(),
        second_has in any::<bool>(),
        word in proptest::collection::vec(proptest::sample::select(vec!["a", "b", "@error"]), 0..4),
        refused in proptest::collection::vec(proptest::sample::select(vec!["a", "b"]), 0..3),
    ) {
        let actions = letters(2).0;
        let budget = Budget::unlimited();
        let both = Both([&first, &second]);
        let sides = [&first, &second].map(|lts| Side { lts, actions: &actions });
        let sizes = [&first, &second].map(|lts| lts.states() + usize::from(lts.has_error()));
        let own: Vec<String> = word.iter().map(|&name| name.to_owned()).collect();
        let refused: Vec<String> = refused.iter().map(|&name| name.to_owned()).collect();
        let pairs: Vec<AllowedData> = (allowed.iter())
            .map(|(state, by)| AllowedData { state: *state, by: by.iter().copied().collect() })
            .collect();
        for relation in Relation::ALL {
            if both.same(relation, false) {
                let witnesses = [
                    WitnessData::Trace { second: second_has, actions: own.clone() },
                    WitnessData::Failure {
                        second: second_has,
                        actions: own.clone(),
                        refused: refused.clone(),
                    },
                    WitnessData::Divergence { second: second_has, actions: own.clone() },
                    WitnessData::Formula { parts: parts.clone() },
                ];
                for witness in witnesses {
                    let data = DifferentData { relation, refines: false, witness };
                    let evidence = Evidence::of_violated(DIFFERENT, &data);
                    let checked =
                        certify_comparison(&evidence, sides, (relation, false), &budget);
                    prop_assert!(checked.is_err(), "{:?}", data);
                }
                continue;
            }
            let one_block = sizes.map(|size| vec![0; size]);
            let made_up = [blocks[..sizes[0]].to_vec(), blocks[6..6 + sizes[1]].to_vec()];
            for blocks in [one_block, made_up] {
                let is_bisimulation = relation.is_bisimulation();
                let data = SameData {
                    relation,
                    refines: false,
                    blocks: if is_bisimulation { blocks.to_vec() } else { vec![] },
                    allowed: match is_bisimulation {
                        true => vec![],
                        false => vec![pairs.clone(), pairs.clone()],
                    },
                };
                let evidence = Evidence::of_holds(SAME, &data);
                let checked = certify_comparison(&evidence, sides, (relation, false), &budget);
                prop_assert!(checked.is_err(), "{:?}", data);
            }
        }
    }
}

/// Two vending machines, the textbook pair: the same traces, and one decides too early.
#[test]
fn machines_that_decide_too_early_are_told_apart() {
    let (actions, letters) = letters(3);
    let [coin, tea, coffee] = letters[..] else {
        panic!("three letters")
    };
    let mut late = quotient_compose::LtsBuilder::new();
    late.edge(0, coin, 1).edge(1, tea, 0).edge(1, coffee, 0);
    let mut early = quotient_compose::LtsBuilder::new();
    early
        .edge(0, coin, 1)
        .edge(0, coin, 2)
        .edge(1, tea, 0)
        .edge(2, coffee, 0);
    let (late, early) = (late.build(), early.build());
    let sides = [&early, &late].map(|lts| Compared {
        lts,
        actions: &actions,
    });
    let found = |relation| compare(sides, relation, false, &Budget::unlimited()).unwrap();
    assert!(matches!(found(Relation::Traces), Comparison::Same(_)));
    let Comparison::Different(data) = found(Relation::Failures) else {
        panic!("one of them refuses")
    };
    let WitnessData::Failure {
        actions: word,
        refused,
        second,
    } = data.witness
    else {
        panic!("a refusal")
    };
    assert_eq!((second, word.len(), refused.len()), (false, 1, 1));
    let Comparison::Different(data) = found(Relation::Strong) else {
        panic!("a formula")
    };
    let WitnessData::Formula { parts } = data.witness else {
        panic!("a formula")
    };
    let text = modal_text(&parts, Relation::Strong).unwrap();
    assert!(["<a>[b]false", "<a>[c]false"].contains(&&*text), "{text}");
}
