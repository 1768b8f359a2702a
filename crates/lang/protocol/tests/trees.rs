//! Protocols in trees: runs are replayed by the interpreter, and evidence cannot be forged.

use quotient_core::{Claim, Evidence, Verdict};
use quotient_language::Model;
use quotient_protocol::LANGUAGE;
use quotient_testkit::language::{Tested, answers, assert_certified, attack_all, certified};

const TREE: Tested = Tested::new(LANGUAGE, "tree.protocol");

const NAMES: [&str; 6] = [
    "tree_election",
    "tree_election_faulty",
    "tree_arbiter",
    "tree_arbiter_faulty",
    "tree_commit",
    "tree_commit_faulty",
];

fn evidence(model: &mut dyn Model, claim: Claim) -> Evidence {
    let all = answers(model).into_iter().filter_map(|one| one.evidence);
    let mut all = all.filter(|one| one.claim == claim);
    all.next().unwrap()
}

#[test]
fn evidence_about_trees_is_accepted_and_runs_are_replayed() {
    for name in NAMES {
        let mut model = TREE.example(name);
        for answer in answers(&mut *model) {
            assert!(answer.verdict.is_definite(), "{name}: {}", answer.because);
            assert_certified(&mut *model, &answer);
            if answer.verdict != Verdict::Violated {
                continue;
            }
            let property = model.property(&answer.property).unwrap();
            let evidence = answer.evidence.as_ref().unwrap();
            let budget = quotient_core::Budget::unlimited();
            let facts = model.certify(evidence, &property, &budget).unwrap().facts;
            let replayed = |fact: &String| fact.contains("interpreter");
            assert!(facts.iter().any(replayed), "{name}: {facts:?}");
        }
    }
}

#[test]
fn no_forgery_of_evidence_about_trees_passes() {
    let models = NAMES.map(|name| TREE.example(name));
    attack_all(models.into(), 60, 300_000);
}

/// What is left of a run is none: it begins or ends elsewhere, or jumps.
#[test]
fn a_run_with_something_missing_is_refused() {
    for name in ["tree_election_faulty", "tree_arbiter_faulty"] {
        let mut model = TREE.example(name);
        let genuine = evidence(&mut *model, Claim::Violated);
        let steps = genuine.body["steps"].as_array().unwrap().clone();
        assert!(steps.len() > 2);
        for missing in 0..steps.len() {
            let mut answer = answers(&mut *model)
                .into_iter()
                .find(|one| Some(&one.property) == genuine.property.as_ref())
                .unwrap();
            let mut left = steps.clone();
            left.remove(missing);
            let mut forged = genuine.clone();
            forged.body["steps"] = left.into();
            answer.evidence = Some(forged);
            assert!(
                certified(&mut *model, &answer).is_err(),
                "{name}: {missing}"
            );
        }
    }
}

#[test]
fn where_nothing_can_begin_the_place_is_told() {
    let text = "topology tree  process { location a, b  up : bool = false }
        initially forall p: p.at = a
        initially exists p: p.up
        step s: when at = a then at := b
        property q: never exists p: p.up";
    let mut model = TREE.open(text);
    let ask = quotient_language::Ask::default();
    let told = model.check(&ask, &quotient_core::Context::default(), &mut |_| {});
    let told = told.unwrap_err().to_string();
    assert!(
        told.contains("nothing can begin") && told.contains("3:19"),
        "{told}"
    );
}
