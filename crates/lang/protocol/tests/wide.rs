//! Protocols with too many letters for words are answered with arrays, and the evidence holds.

use quotient_core::{Budget, Context, Evidence, Source, Verdict};
use quotient_language::{Answer, Ask, Input, Model, NoFiles, Settings};
use quotient_protocol::LANGUAGE;

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
    let mut model = opened(text);
    let checked = model.check(&Ask::default(), &cx, &mut |answer| answers.push(answer));
    checked.unwrap_or_else(|trouble| panic!("{trouble}"));
    answers
}

/// Whether evidence about the first property of a text is accepted.
fn accepted(text: &str, evidence: &Evidence) -> bool {
    let mut model = opened(text);
    let property = model.properties().remove(0);
    let certified = model.certify(evidence, &property, &Budget::unlimited());
    certified.is_ok()
}

fn evidence(answer: &Answer) -> Evidence {
    answer
        .evidence
        .clone()
        .expect("a definite answer has evidence")
}

/// A lock with many Booleans beside it.
fn lock(booleans: usize, guard: &str) -> String {
    let fields: Vec<String> = (0..booleans)
        .map(|one| format!("b{one} : bool = false"))
        .collect();
    let flips: Vec<String> = (0..booleans)
        .map(|one| format!("step flip{one}: when at = idle then b{one} := not b{one}"))
        .collect();
    format!(
        "topology set
         process {{ location idle, critical  {} }}
         global locked : bool = false
         {}
         step enter: when at = idle {guard} then at := critical, locked := true
         step leave: when at = critical then at := idle, locked := false
         property mutex: never exists p, q: p.at = critical and q.at = critical",
        fields.join("  "),
        flips.join("\n")
    )
}

#[test]
fn a_lock_with_fourteen_booleans_is_proved_and_a_broken_one_refuted() {
    let good = lock(14, "and not locked");
    let answer = answers(&good).remove(0);
    assert_eq!(answer.verdict, Verdict::Holds);
    let proof = evidence(&answer);
    assert!(accepted(&good, &proof));
    let broken = lock(14, "");
    assert!(!accepted(&broken, &proof), "a proof of another protocol");
    let answer = answers(&broken).remove(0);
    assert_eq!(answer.verdict, Verdict::Violated);
    let run = evidence(&answer);
    assert!(accepted(&broken, &run));
    assert!(!accepted(&good, &run), "a run of another protocol");
}

#[test]
fn forged_evidence_is_refused() {
    let good = lock(14, "and not locked");
    let proof = evidence(&answers(&good).remove(0));
    let parts = proof.body["never"].as_array().expect("a list").len();
    for part in 0..parts {
        let mut forged = proof.clone();
        if let Some(list) = forged.body["never"].as_array_mut() {
            list.remove(part);
        }
        assert!(!accepted(&good, &forged), "without part {part}");
    }
    let text = serde_json::to_string(&proof.body).expect("it can be written");
    for (from, to) in [
        ("critical", "idle"),
        ("\"=\"", "\"!=\""),
        ("critical", "gone"),
    ] {
        let mut forged = proof.clone();
        forged.body = serde_json::from_str(&text.replace(from, to)).expect("it can be read");
        assert!(!accepted(&good, &forged), "{from} as {to}");
    }
    let broken = lock(14, "");
    let run = evidence(&answers(&broken).remove(0));
    for at in 0..run.body["steps"].as_array().expect("a list").len() {
        let mut forged = run.clone();
        forged.body["steps"]
            .as_array_mut()
            .expect("a list")
            .remove(at);
        assert!(!accepted(&broken, &forged), "without step {at}");
        forged.body["configurations"]
            .as_array_mut()
            .expect("a list")
            .remove(at + 1);
        assert!(
            !accepted(&broken, &forged),
            "without step {at} and where it leads"
        );
    }
}

#[test]
fn a_variable_of_a_process_may_hold_nobody() {
    let text = |given: &str| {
        format!(
            "topology set
             process {{ location idle, busy  helper : process or none = none }}
             step call with q: when at = idle and helper = none and forall p: p.helper != q
                 then at := busy, helper := q
             step end: when at = busy and helper != none then at := idle, helper := {given}
             property free: never exists p: p.at = idle and p.helper != none
             property helped: never exists p: p.at = busy and p.helper = none
             property alone: never exists p, q, r: p.helper = r and q.helper = r"
        )
    };
    let verdicts = |text: &str| -> Vec<Verdict> {
        let answers = answers(text);
        let first = evidence(&answers[0]);
        assert!(accepted(text, &first));
        answers.into_iter().map(|answer| answer.verdict).collect()
    };
    assert_eq!(verdicts(&text("none")), vec![Verdict::Holds; 3]);
    let kept = verdicts(&text("self"));
    assert_eq!(kept[0], Verdict::Violated);
}

/// One round of Ben-Or's consensus: that nobody decides otherwise is hard, and asked first.
const ROUND: &str = "topology set
    parameter t
    assume n > 2 * t
    process may crash at most t {
      x : { zero, one } = any
      report : { nothing, zero, one } = nothing
      proposal : { nothing, open, zero, one } = nothing
      decision : { nothing, zero, one } = nothing
    }
    step report_zero: when report = nothing and x = zero then report := zero
    step report_one: when report = nothing and x = one then report := one
    step propose_zero: when proposal = nothing and count(p: p.report = zero) > n / 2 then proposal := zero
    step propose_one: when proposal = nothing and count(p: p.report = one) > n / 2 then proposal := one
    step leave_open: when proposal = nothing and count(p: p.report != nothing) >= n - t then proposal := open
    step decide_zero: when decision = nothing and count(p: p.proposal = zero) >= t + 1 then decision := zero
    step decide_one: when decision = nothing and count(p: p.proposal = one) >= t + 1 then decision := one
    property agreement: never exists p, q: p.decision = zero and q.decision = one
    property proposals: never exists p, q: p.proposal = zero and q.proposal = one";

#[test]
fn what_is_quickly_decided_does_not_wait_for_what_is_not() {
    let cx = Context {
        budget: Budget::unlimited().child_with_work(6_000_000),
        ..Context::default()
    };
    let mut answers = Vec::new();
    let mut model = opened(ROUND);
    let _ = model.check(&Ask::default(), &cx, &mut |answer| answers.push(answer));
    let verdict = |name: &str| {
        let mut found = answers.iter().filter(|answer| answer.property == name);
        found.next().map(|answer| answer.verdict.clone())
    };
    assert_eq!(verdict("proposals"), Some(Verdict::Holds));
    assert!(verdict("agreement").is_none_or(|verdict| !verdict.is_definite()));
}

/// Whom each supports is a process: there are no words to tell what never happens.
const ELECTION: &str = "topology set
process {
    location follower, candidate, leader
    vote : process or none = none
}
step stand:       when at = follower and vote = none then at := candidate, vote := self
step cast with c: when vote = none and c.at = candidate then vote := c
step win:         when at = candidate and count(p: p.vote = self) > n / 2 then at := leader
step again:       when at = leader and vote = none then at := follower
property one_leader: never exists p, q: p.at = leader and q.at = leader";

#[test]
fn steps_that_nobody_takes_are_doubted_without_words_too() {
    let doubts = |text: &str| {
        let doubts = opened(text).doubts(&Context::default());
        let doubts = doubts.unwrap_or_else(|trouble| panic!("{trouble}"));
        doubts.into_iter().map(|one| one.text).collect::<Vec<_>>()
    };
    let told = doubts(ELECTION);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].starts_with("step `again` is never taken with up to "),
        "{told:?}"
    );
    assert!(doubts(&ELECTION.replace("leader and vote = none", "leader")).is_empty());
    // Of a step that needs more processes than were looked at nothing is known.
    let many = "step again with a, b, c, d, e:";
    let many = ELECTION.replace("step again:      ", many);
    assert!(doubts(&many).is_empty());
    // Nor where nobody may fail with so few: `t` is zero there.
    let faults = "parameter t\nassume n > 9 * t\nprocess may crash at most t {";
    let faults = ELECTION.replace("process {", faults);
    assert!(doubts(&faults).is_empty());
}
