//! Counts against the number of processes, processes that hold each other, values for each other,
//! and faults: verdicts, evidence, and a plain search of small instances beside them.

use quotient_core::{Budget, Context, Evidence, Source, Verdict};
use quotient_language::{Answer, Ask, Input, Model, NoFiles, Settings, Verb};
use quotient_protocol::LANGUAGE;

fn opened_with(text: &str, settings: &Settings) -> Box<dyn Model> {
    let input = Input::text(&Source::new("test.protocol", text));
    match LANGUAGE.open(&input, &mut NoFiles, settings, &Context::default()) {
        Ok(model) => model,
        Err(trouble) => panic!("{trouble}\n{text}"),
    }
}

fn answer(text: &str) -> Answer {
    let mut answers = Vec::new();
    let mut model = opened_with(text, &Settings::default());
    let checked = model.check(&Ask::default(), &Context::default(), &mut |answer| {
        answers.push(answer)
    });
    checked.unwrap_or_else(|trouble| panic!("{trouble}\n{text}"));
    answers.remove(0)
}

fn accepted(text: &str, evidence: &Evidence) -> bool {
    let mut model = opened_with(text, &Settings::default());
    let property = model.properties().remove(0);
    let certified = model.certify(evidence, &property, &Budget::unlimited());
    certified.is_ok()
}

/// What a plain search says about the first property, with so many processes.
fn instance(text: &str, processes: usize) -> Verdict {
    let pairs = [("processes".to_owned(), processes.to_string())];
    let settings = LANGUAGE.about().settings;
    let settings = Settings::new("protocol", settings, Verb::Instance, &pairs).unwrap();
    let mut model = opened_with(text, &settings);
    let inspected = model.instance(&Context::default()).unwrap();
    inspected.answers[0].verdict.clone()
}

/// The verdict is the expected one, its evidence is accepted and that of the other protocol is
/// not, and small instances say the same.
fn assert_decided(good: &str, broken: &str, largest: usize) {
    let (holds, violated) = (answer(good), answer(broken));
    assert_eq!(holds.verdict, Verdict::Holds, "{good}\n{:?}", holds.because);
    assert_eq!(violated.verdict, Verdict::Violated, "{broken}");
    let (proof, run) = (holds.evidence.unwrap(), violated.evidence.unwrap());
    assert!(accepted(good, &proof), "{good}");
    assert!(accepted(broken, &run), "{broken}");
    assert!(!accepted(broken, &proof), "a proof of another\n{broken}");
    assert!(!accepted(good, &run), "a run of another\n{good}");
    let sizes = 1..=largest;
    assert!(
        sizes
            .clone()
            .all(|size| instance(good, size) != Verdict::Violated)
    );
    assert!(
        sizes
            .clone()
            .any(|size| instance(broken, size) == Verdict::Violated)
    );
    // Without any of its parts nothing is proved.
    let mut empty = proof.clone();
    empty.body["never"] = serde_json::json!([]);
    assert!(!accepted(good, &empty));
}

fn election(threshold: &str) -> String {
    format!(
        "topology set
         process {{ location follower, candidate, leader  vote : process or none = none }}
         step stand: when at = follower and vote = none then at := candidate, vote := self
         step cast with c: when vote = none and c.at = candidate then vote := c
         step win: when at = candidate and count(p: p.vote = self) {threshold} then at := leader
         property one_leader: never exists p, q: p.at = leader and q.at = leader"
    )
}

#[test]
fn a_majority_elects_one_leader_and_a_half_does_not() {
    assert_decided(&election("> n / 2"), &election(">= n / 2"), 4);
}

#[test]
fn thresholds_that_do_not_meet_prove_nothing() {
    let proof = answer(&election("> n / 2")).evidence.unwrap();
    for threshold in ["> n / 3", ">= n / 2"] {
        assert!(!accepted(&election(threshold), &proof), "{threshold}");
    }
}

/// Values that are agreed upon although some processes lie.
fn agreement(resilience: &str, most: &str) -> String {
    format!(
        "topology set
         parameter t
         assume {resilience}
         process may lie at most t {{
             echo : {{ silent, zero, one }} = silent
             done : {{ silent, zero, one }} = silent
         }}
         step say choose v : {{ zero, one }}: when echo = silent then echo := v
         step accept choose v : {{ zero, one }}:
             when done = silent and count(p: p.echo = v) >= {most} then done := v
         property agreement: never exists p, q:
             not p.faulty and not q.faulty and p.done = zero and q.done = one"
    )
}

#[test]
fn quorums_share_a_correct_process_if_few_lie() {
    let (good, broken) = (
        agreement("n > 3 * t", "n - t"),
        agreement("n >= t", "n - t"),
    );
    assert_decided(&good, &broken, 3);
    let proof = answer(&good).evidence.unwrap();
    assert!(!accepted(&agreement("n > 2 * t", "n - t"), &proof));
    assert!(!accepted(&agreement("n > 3 * t", "n - t - t"), &proof));
}

/// Whoever has the permission of all others goes in.
fn permission(guard: &str) -> String {
    format!(
        "topology set
         process {{
             location out, asking, inside
             granted[process] : bool = false
         }}
         step ask:         when at = out then at := asking
         step grant with q: when q.at = asking and {guard} then granted[q] := true
         step enter: when at = asking and forall other p: p.granted[self] then at := inside
         step leave: when at = inside then at := out, for other p {{ p.granted[self] := false }}
         property mutex: never exists p, q: p.at = inside and q.at = inside"
    )
}

#[test]
fn values_for_each_other_keep_permissions_apart() {
    assert_decided(&permission("at = out"), &permission("at != inside"), 3);
}

#[test]
fn crashed_processes_take_no_steps() {
    let text = |may: &str| {
        format!(
            "topology set
             process {may} {{ location idle, done }}
             step finish: when at = idle then at := done
             property all: never exists p: p.at = done"
        )
    };
    let run = answer(&text("may crash"));
    assert_eq!(run.verdict, Verdict::Violated);
    let never = "topology set
         process may crash { location idle, done }
         initially forall p: p.crashed
         step finish: when at = idle then at := done
         property nobody: never exists p: p.at = done";
    // A process does not begin crashed.
    assert_ne!(instance(never, 2), Verdict::Violated);
    let limited = "topology set
         process may crash at most 1 { location idle, done }
         step finish: when at = idle then at := done
         property few: never exists p, q: p.crashed and q.crashed";
    for size in 1..=3 {
        assert_eq!(instance(limited, size), Verdict::Holds);
    }
    let unlimited = limited.replace(" at most 1", "");
    assert_eq!(instance(&unlimited, 2), Verdict::Violated);
    assert_eq!(answer(&unlimited).verdict, Verdict::Violated);
    assert_ne!(answer(limited).verdict, Verdict::Violated);
}

/// Somebody locks, a majority of locks decides; who comes later goes on freely only if a majority is
/// closed without a lock, and a third one hears of that from the second.
fn heard_of(threshold: &str) -> String {
    format!(
        "topology set
         global decided : bool = false
         global free : bool = false
         global heard : bool = false
         process {{ locked : bool = false  closed : bool = false }}
         step lock: when not closed then locked := true
         step close: when not closed then closed := true
         step decide: when not decided and count(p: p.locked) > n / 2 then decided := true
         step go_on: when not free and count(p: p.closed and not p.locked) {threshold} then free := true
         step hear: when free and not heard then heard := true
         property agree: never decided and heard"
    )
}

#[test]
fn what_others_heard_of_a_majority_is_looked_into_as_well() {
    assert_decided(&heard_of("> n / 2"), &heard_of(">= 1"), 4);
}

/// Two rounds with a majority in each: what the first decided the second must take over, unless a
/// majority is closed without it; who hears of the second copies its value.
fn taken_over(threshold: &str) -> String {
    format!(
        "topology set
         global said : {{ nothing, a, b }} = nothing
         global second : {{ nothing, a, b }} = nothing
         global told : {{ nothing, a, b }} = nothing
         global heard : {{ nothing, a, b }} = nothing
         process {{ lock : {{ nothing, a, b }} = nothing  closed : bool = false }}
         step say choose v : {{ a, b }}: when said = nothing then said := v
         step take_a: when said = a and not closed and lock = nothing then lock := a
         step take_b: when said = b and not closed and lock = nothing then lock := b
         step close: when not closed then closed := true
         step decide_a: when told = nothing and count(p: p.lock = a) > n / 2 then told := a
         step go_on: when second = nothing and count(p: p.closed and p.lock = nothing) {threshold} then second := b
         step hear: when second != nothing and heard = nothing then heard := second
         property agree: never told = a and heard = b"
    )
}

#[test]
fn what_is_copied_from_a_majority_is_looked_into_as_well() {
    assert_decided(&taken_over("> n / 2"), &taken_over(">= 1"), 3);
}

/// That committees meet is known as long as nobody leaves one.
#[test]
fn what_nobody_changes_is_so_for_ever() {
    let text = |more: &str| {
        format!(
            "topology set
            process {{ location idle, asking, critical
                vote : process or none = none
                member[process] : bool = any }}
            initially forall p, q: exists r: p.member[r] and q.member[r]
            step ask: when at = idle then at := asking
            step give with q: when vote = none and q.at = asking and q.member[self] then vote := q
            step own: when vote = none and at = asking and member[self] then vote := self
            step enter: when at = asking and forall q: member[q] => q.vote = self then at := critical
            {more}
            property mutex: never exists p, q: p.at = critical and q.at = critical"
        )
    };
    let leave = "step leave: when at = critical
        then at := idle, for p where p.vote = self { p.vote := none }";
    let resign = "step resign with q: when q.member[self] then q.member[self] := false";
    assert_decided(&text(leave), &text(&format!("{leave}\n{resign}")), 2);
}
