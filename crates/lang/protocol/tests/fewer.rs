//! Protocols with more variables than words have room for, decided with those that matter; and forged
//! evidence about them.

use quotient_core::{Budget, Context, Evidence, Source, Verdict};
use quotient_language::{Answer, Ask, Input, Model, NoFiles, Settings};
use quotient_protocol::LANGUAGE;
use serde_json::json;

fn opened(text: &str) -> Box<dyn Model> {
    let input = Input::text(&Source::new("test.protocol", text));
    let cx = Context::default();
    match LANGUAGE.open(&input, &mut NoFiles, &Settings::default(), &cx) {
        Ok(model) => model,
        Err(trouble) => panic!("{trouble}"),
    }
}

fn answers(text: &str) -> Vec<Answer> {
    let mut answers = Vec::new();
    let cx = Context::default();
    let checked = opened(text).check(&Ask::default(), &cx, &mut |answer| answers.push(answer));
    checked.unwrap_or_else(|trouble| panic!("{trouble}"));
    answers
}

fn answer(text: &str, property: &str) -> Answer {
    let mut all = answers(text).into_iter();
    all.find(|answer| answer.property == property)
        .expect("it is asked")
}

fn accepted(text: &str, property: &str, evidence: &Evidence) -> bool {
    let mut model = opened(text);
    let mut all = model.properties().into_iter();
    let property = all.find(|one| one.name == property).expect("it is there");
    let certified = model.certify(evidence, &property, &Budget::unlimited());
    certified.is_ok()
}

fn evidence(answer: &Answer) -> Evidence {
    let evidence = answer.evidence.clone();
    evidence.unwrap_or_else(|| panic!("{}: {}", answer.property, answer.because))
}

/// A lock in which whoever was in goes to the end, with Booleans beside it; `needs` is asked of who enters.
fn lock(booleans: usize, needs: &str, enter: &str) -> String {
    let of = |line: &dyn Fn(usize) -> String| -> String { (0..booleans).map(line).collect() };
    format!(
        "topology line
         global held : bool = false
         process {{ location idle, wants, critical {} }}
         {}
         step ask: when at = idle then at := wants
         step enter: when at = wants {needs} {enter} then at := critical, held := true, move self to right end
         step leave: when at = critical then at := idle, held := false, b0 := false
         property mutex: never exists p, q: p.at = critical and q.at = critical
         property on: no deadlock
         property asked: never exists p: p.at = critical and (not p.b0 or not p.b1)",
        of(&|one| format!(" b{one} : bool = false")),
        of(&|one| format!(
            "step flip{one}: when at = idle and not b{one} then b{one} := true\n
             step back{one}: when at = idle and b{one} then b{one} := false\n"
        )),
    )
}

#[test]
fn a_lock_with_twenty_booleans_is_decided() {
    let good = lock(20, "and b0 and b1", "and not held");
    let broken = lock(20, "and b0 and b1", "");
    let careless = lock(20, "and b0", "and not held");
    let all = answers(&good);
    for (property, wrong) in [("mutex", &broken), ("asked", &careless)] {
        let holds = all.iter().find(|answer| answer.property == property);
        let holds = holds.expect("it is asked");
        assert_eq!(holds.verdict, Verdict::Holds, "{property}");
        let proof = evidence(holds);
        assert_eq!(proof.kind, "protocol-fewer");
        assert!(accepted(&good, property, &proof));
        assert!(!accepted(wrong, property, &proof));
    }
}

#[test]
fn numbers_beside_the_point_are_left_out() {
    let text = "topology line
        global held : bool = false
        process { location idle, wants, critical  a : 0..7 = 0  b : 0..7 = 0  c : 0..7 = 0  d : 0..7 = 0 }
        step ia: when a < 7 then a := a + 1
        step ib: when b < 7 and a > 3 then b := b + 1
        step ic: when c < 7 then c := c + 1, a := 0
        step id: when d < 7 then d := d + 1
        step zero: when d = 7 and at = idle then a := 0, b := 0, c := 0, d := 0
        step ask: when at = idle and a > 2 and b > 2 then at := wants
        step enter: when at = wants and not held and (c = 3 or d = 4) then at := critical, held := true, move self to right end
        step leave: when at = critical then at := idle, held := false
        property mutex: never exists p, q: p.at = critical and q.at = critical
        property some: never exists p: p.at = critical and p.c = 0 and p.d = 0
        property wrong: never exists p: p.at = critical and p.c = 0 and p.d = 4";
    let verdicts: Vec<(String, Verdict)> = (answers(text).iter())
        .map(|answer| (answer.property.clone(), answer.verdict.clone()))
        .collect();
    for (name, verdict) in [
        ("mutex", Verdict::Holds),
        ("some", Verdict::Holds),
        ("wrong", Verdict::Violated),
    ] {
        assert!(
            verdicts.contains(&(name.to_owned(), verdict)),
            "{verdicts:?}"
        );
    }
}

#[test]
fn globals_on_a_line_are_left_out() {
    let line = |number: usize| {
        format!(
            "step flip{number}: when pc = {number} then g{number} := not g{number}, pc := {}\n",
            number + 1
        )
    };
    let globals: String = (0..10)
        .map(|one| format!("global g{one} : bool = false\n"))
        .collect();
    let flips: String = (0..10).map(line).collect();
    let text = |first: &str| {
        format!(
            "topology line\n{globals}process {{ pc : 0..15 = 0 }}\n{flips}
             step see: when pc = 10 and g3 then pc := 11
             step wait: when pc = 10 and not g3 then pc := 3
             step enter: when pc = 11 and forall {first} p: p.pc < 12 then pc := 12
             step on: when pc = 12 then pc := 13
             step out: when pc = 13 then pc := 0
             property mutex: never exists p, q: p.pc = 12 and q.pc = 12\n"
        )
    };
    let good = text("other");
    let holds = answer(&good, "mutex");
    assert_eq!(holds.verdict, Verdict::Holds);
    assert!(accepted(&good, "mutex", &evidence(&holds)));
    let broken = text("left");
    assert!(!accepted(&broken, "mutex", &evidence(&holds)));
    assert_eq!(answer(&broken, "mutex").verdict, Verdict::Violated);
}

#[test]
fn forged_evidence_is_refused() {
    let good = lock(20, "and b0 and b1", "and not held");
    let proof = evidence(&answer(&good, "asked"));
    let with = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut forged = proof.clone();
        change(&mut forged.body);
        accepted(&good, "asked", &forged)
    };
    assert!(with(&|_| {}));
    assert!(!with(&|body| body["parts"] = json!([])), "no parts");
    assert!(!with(&|body| {
        body["parts"].as_array_mut().expect("a list").pop();
    }));
    assert!(
        !with(&|body| body["parts"][0]["fields"] = json!(["at"])),
        "too few stay"
    );
    assert!(!with(
        &|body| body["parts"][0]["fields"] = json!(["at", "none"])
    ));
    assert!(
        !with(&|body| body["parts"][1] = body["parts"][0].clone()),
        "one part for another"
    );
    assert!(!with(&|body| body["more"] = json!(1)));
    let mut other = proof.clone();
    other.property = Some("mutex".to_owned());
    assert!(!accepted(&good, "mutex", &other));
}
