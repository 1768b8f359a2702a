//! Searching state by state agrees with decision diagrams.

use proptest::prelude::*;
use quotient_core::{Budget, Context, Trouble, Verdict};
use quotient_language::{Ask, Settings};

use super::random::{self, Random};
use super::{check, gallery, open, open_with, verdict_words};

/// Specifications about the condition `d1` of a random model.
const SPECIFICATIONS: &str = "
    INVARSPEC d1
    INVARSPEC d1 -> next(d1)
    CTLSPEC AG d1
    CTLSPEC EF !d1
    CTLSPEC AF d1
    CTLSPEC EG d1
    CTLSPEC AG (d1 -> AX d1)
    CTLSPEC E [d1 U !d1]
    CTLSPEC A [d1 U !d1]
    CTLSPEC AG EF d1
    LTLSPEC G d1
    LTLSPEC F d1
    LTLSPEC G F d1
    LTLSPEC G (d1 -> X d1)
    LTLSPEC G (d1 | F !d1)
    LTLSPEC d1 U !d1
    LTLSPEC X G d1
    LTLSPEC F G d1
";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_search_agrees_with_the_check(seed in any::<u64>(), fair in 0..3) {
        let mut random = Random(seed);
        let mut text = random::model_with_condition(&mut random, 24);
        text.push_str(["", "FAIRNESS d1\n", "FAIRNESS !d1\n"][fair as usize]);
        text.push_str(SPECIFICATIONS);
        let mut model = open_with(&text, &Settings::default()).unwrap();
        let checked = match check(&mut *model, &Ask::default()) {
            Ok(checked) => checked,
            // A mistake that shows only when all values are considered.
            Err(Trouble::Invalid(_)) => return Ok(()),
            Err(Trouble::Stopped(stop)) => panic!("{stop}"),
        };
        let found = model.instance(&Context::default()).unwrap();
        prop_assert_eq!(found.answers.len(), checked.len());
        for (one, other) in found.answers.iter().zip(&checked) {
            prop_assert_eq!(&one.property, &other.property);
            if one.verdict.is_definite() {
                prop_assert_eq!(&one.verdict, &other.verdict, "{}\n{}", &one.property, &text);
            } else {
                let empty = found.sizes[1].1 == 0;
                prop_assert!(empty || one.property == "F G d1", "{}", &one.because);
            }
            if let Some(evidence) = &one.evidence {
                let property = model.property(&one.property).unwrap();
                let certified = model.certify(evidence, &property, &Budget::unlimited());
                prop_assert!(certified.is_ok(), "{:?}\n{}", certified, &text);
            }
        }
    }
}

#[test]
fn the_gallery_is_decided_state_by_state() {
    let mut decided = 0;
    for (name, text) in gallery() {
        let found = open(text).instance(&Context::default()).unwrap();
        assert!(found.notes.is_empty(), "{name}: {:?}", found.notes);
        for answer in found.answers.iter().filter(|one| one.verdict.is_definite()) {
            let expected = format!(
                "-- expect {}: {}",
                answer.number.unwrap(),
                verdict_words(answer)
            );
            let is_said = |line: &str| line == expected || line == format!("{expected}, vacuous");
            assert!(text.lines().any(is_said), "{name}: {expected}");
            decided += 1;
        }
    }
    assert!(decided >= 40, "only {decided}");
}

#[test]
fn a_search_that_is_cut_short_still_tells_what_it_saw() {
    let text = "MODULE main VAR x : 0..60000; ASSIGN init(x) := 0; next(x) := (x + 1) mod 60001;
                INVARSPEC x != 3 INVARSPEC x >= 0";
    let cx = Context {
        budget: Budget::unlimited().child_with_work(500),
        ..Context::default()
    };
    let found = open(text).instance(&cx).unwrap();
    assert_eq!(found.answers[0].verdict, Verdict::Violated);
    assert_eq!(found.answers[0].trace.as_ref().unwrap().len(), 3);
    assert_eq!(verdict_words(&found.answers[1]), "unknown");
    assert!(found.notes[0].contains("not all states"));
}
