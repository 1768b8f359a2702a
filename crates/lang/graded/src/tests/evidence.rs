//! Evidence and forged evidence.

use quotient_core::{Budget, Claim};

use crate::algebra::MaxPlus;
use crate::evaluate::Evaluator;

#[test]
fn random_evidence_is_accepted_and_forged_evidence_is_not() {
    use crate::certify::{Body, KIND, certify, listed};
    use crate::system::{Attached, System};
    let text = "grades max-plus\nstates a b c d\nprop p: c 2\nprogram go: a -> b: 1 b -> a: 0 b -> c: 3\n\
                c -> d: 1 d -> d: 0\ncheck x: <go*> p >= 3 at a";
    let source = quotient_core::Source::new("t", text);
    let tree = crate::read::read(&source).unwrap();
    let system = System::build(MaxPlus, &tree, &Attached::default(), &source).unwrap();
    let question = system.question(&tree.checks[0], &source).unwrap();
    let budget = Budget::unlimited();
    let mut evaluator = Evaluator::new(&MaxPlus, 4, &budget);
    evaluator.grades(&question.formula).unwrap();
    let solutions = listed(&MaxPlus, evaluator.solutions).unwrap();
    let evidence = quotient_core::Evidence::of_holds(KIND, &Body { solutions });
    certify(&system, &question, &evidence, &budget).unwrap();
    let mut opposite = evidence.clone();
    opposite.claim = Claim::Violated;
    certify(&system, &question, &opposite, &budget).unwrap_err();
    let count = evidence.body["solutions"][0]["grades"]
        .as_array()
        .unwrap()
        .len();
    for variable in 0..count {
        for grade in ["never", "0", "1", "2", "3", "infinite"] {
            let mut forged = evidence.clone();
            let place = &mut forged.body["solutions"][0]["grades"][variable];
            if place == grade {
                continue;
            }
            *place = grade.into();
            certify(&system, &question, &forged, &budget).unwrap_err();
        }
    }
    for field in ["cycles", "grades", "ranks"] {
        let mut forged = evidence.clone();
        let list = forged.body["solutions"][0][field].as_array_mut().unwrap();
        assert!(list.pop().is_some(), "{field}");
        certify(&system, &question, &forged, &budget).unwrap_err();
    }
    let mut flat = evidence.clone();
    for rank in flat.body["solutions"][0]["ranks"].as_array_mut().unwrap() {
        *rank = 0.into();
    }
    certify(&system, &question, &flat, &budget).unwrap_err();
    let mut fewer = evidence;
    fewer.body["solutions"].as_array_mut().unwrap().clear();
    certify(&system, &question, &fewer, &budget).unwrap_err();
}
