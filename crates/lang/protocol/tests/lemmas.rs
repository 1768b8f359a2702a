//! Lemmas: what is said to help is shown first, used then, and told apart where a step breaks it.

use quotient_core::{Budget, Context, Source, Verdict};
use quotient_language::{Answer, Ask, Input, Model, NoFiles, Settings};
use quotient_protocol::{LANGUAGE, Protocol};

fn opened(text: &str) -> Box<dyn Model> {
    let input = Input::text(&Source::new("test.protocol", text));
    let opened = LANGUAGE.open(
        &input,
        &mut NoFiles,
        &Settings::default(),
        &Context::default(),
    );
    opened.unwrap_or_else(|trouble| panic!("{trouble}\n{text}"))
}

/// All answers; each with evidence that is accepted.
fn answers(text: &str) -> Vec<Answer> {
    let mut model = opened(text);
    let mut answers = Vec::new();
    let checked = model.check(&Ask::default(), &Context::default(), &mut |answer| {
        answers.push(answer)
    });
    checked.unwrap_or_else(|trouble| panic!("{trouble}\n{text}"));
    for answer in &answers {
        let properties = model.properties();
        let property = properties.iter().find(|one| one.name == answer.property);
        if let Some(evidence) = &answer.evidence {
            let certified = model.certify(evidence, property.unwrap(), &Budget::unlimited());
            certified.unwrap_or_else(|rejected| panic!("{}: {rejected}", answer.property));
        }
    }
    answers
}

fn named<'a>(answers: &'a [Answer], name: &str) -> &'a Answer {
    let found = answers.iter().find(|answer| answer.property == name);
    found.unwrap_or_else(|| panic!("no answer for {name}"))
}

fn lock(lemma: &str) -> String {
    format!(
        "global locked : bool = false
         process {{ location idle, critical }}
         step enter: when at = idle and not locked then at := critical, locked := true
         step leave: when at = critical then at := idle, locked := false
         {lemma}
         property mutex: never exists p, q: p.at = critical and q.at = critical"
    )
}

#[test]
fn a_lemma_that_no_step_breaks_is_shown_by_that_and_used() {
    let text = lock(
        "lemma guarded: always (exists p: p.at = critical) => locked
         lemma one: never exists p, q: p.at = critical and q.at = critical",
    );
    let answers = answers(&text);
    for name in ["guarded", "one", "mutex"] {
        let answer = named(&answers, name);
        assert_eq!(answer.verdict, Verdict::Holds, "{name}");
        assert!(answer.evidence.is_some(), "{name}");
    }
    assert_eq!(
        named(&answers, "guarded").method.as_deref(),
        Some("induction")
    );
    let note = named(&answers, "mutex").notes.join(" ");
    assert!(note.contains("with the lemmas guarded, one"), "{note}");
}

#[test]
fn a_lemma_that_a_step_breaks_says_which() {
    // True, but not by itself: nothing says that nobody else is inside when one leaves.
    let text = lock("lemma guarded: always (exists p: p.at = critical) => locked");
    let answers = answers(&text);
    let guarded = named(&answers, "guarded");
    assert_eq!(guarded.verdict, Verdict::Holds);
    let note = guarded.notes.join(" ");
    assert!(
        note.contains("may break it") && note.contains("`leave`"),
        "{note}"
    );
    assert_eq!(named(&answers, "mutex").verdict, Verdict::Holds);
}

#[test]
fn a_lemma_that_is_false_is_violated_and_not_used() {
    let text = lock("lemma nobody: never exists p: p.at = critical");
    let answers = answers(&text);
    assert_eq!(named(&answers, "nobody").verdict, Verdict::Violated);
    let mutex = named(&answers, "mutex");
    assert_eq!(mutex.verdict, Verdict::Holds);
    assert!(!mutex.notes.join(" ").contains("with the lemmas"));
    let broken = lock("lemma nobody: never exists p: p.at = critical")
        .replace("at := critical, locked := true", "at := critical");
    let answers = self::answers(&broken);
    assert_eq!(named(&answers, "mutex").verdict, Verdict::Violated);
}

#[test]
fn lemmas_help_with_arrays_too() {
    let election = |lemma: &str| {
        format!(
            "topology set
             process {{ location follower, candidate, leader  vote : process or none = none }}
             step stand: when at = follower and vote = none then at := candidate, vote := self
             step cast with c: when vote = none and c.at = candidate then vote := c
             step win: when at = candidate and count(p: p.vote = self) > n / 2 then at := leader
             {lemma}
             property one_leader: never exists p, q: p.at = leader and q.at = leader"
        )
    };
    let answers = answers(&election(
        "lemma voted: never exists p: p.at = leader and p.vote = none
         lemma wrong: never exists p: p.at = candidate",
    ));
    assert_eq!(named(&answers, "voted").verdict, Verdict::Holds);
    assert_eq!(named(&answers, "wrong").verdict, Verdict::Violated);
    assert_eq!(named(&answers, "one_leader").verdict, Verdict::Holds);
}

#[test]
fn what_is_not_a_lemma_is_refused() {
    let text = lock("lemma goes_on: no deadlock");
    let trouble = Protocol::parse(&Source::new("test.protocol", text)).unwrap_err();
    assert!(trouble.to_string().contains("always or never"), "{trouble}");
}

#[test]
fn where_nothing_is_known_for_all_small_instances_are_told() {
    // Proofs do not count: that there are never so many is seen only where they are few.
    let text = "topology set
        global high : bool = false
        process { up : bool = false }
        step rise: when not up and count(p: p.up) < n / 2 - 1 then up := true
        step see: when count(p: p.up) > n / 2 then high := true
        property low: never high";
    let answers = answers(text);
    assert!(matches!(answers[0].verdict, Verdict::Unknown(_)));
    let note = answers[0].notes.join(" ");
    assert!(note.contains("no violation with up to"), "{note}");
}

/// The queue lock of Mellor-Crummey and Scott with the links of the paper, and what its authors know of
/// the queue: no lemma is shown without the others.
#[test]
fn lemmas_that_need_each_other_are_shown_together() {
    let text = "
        topology set
        global tail : process or none = none
        process {
            location idle, linking, spinning, critical
            pred : process or none = none
            next : process or none = none
            locked : bool = false
            ahead[process] : bool = false
        }
        define queued(p) = p.at != idle
        define owner(p) = p.at = critical or p.at = spinning and not p.locked
        step take: when at = idle and tail = none then next := none, tail := self, at := critical, for other r { self.ahead[r] := false, r.ahead[self] := true }
        step line_up: when at = idle and tail != none
            then pred := tail, next := none, locked := true, tail := self, at := linking, for other r { self.ahead[r] := false, r.ahead[self] := true }
        step link: when at = linking then pred.next := self, at := spinning
        step enter: when at = spinning and not locked then at := critical, pred := none
        step hand_on: when at = critical and next != none then next.locked := false, at := idle
        step leave_last: when at = critical and next = none and tail = self then tail := none, at := idle
        define waits(p) = p.at = linking or p.at = spinning and p.locked
        lemma one_way: never exists p, q: p.ahead[q] and q.ahead[p]
        lemma some_way: never exists p, q: queued(p) and queued(q) and not p.ahead[q] and not q.ahead[p]
        lemma onward: never exists p, q, r: queued(p) and queued(q) and queued(r) and p.ahead[q] and q.ahead[r] and not p.ahead[r]
        lemma tail_last: never exists p, q: queued(q) and tail = p and p.ahead[q]
        lemma tail_in: never exists p: tail = p and not queued(p)
        lemma none_in: never tail = none and exists p: queued(p)
        lemma owner_first: never exists p, q: owner(p) and queued(q) and q.ahead[p]
        lemma one_owner: never exists p, q: owner(p) and owner(q)
        lemma linking_locked: never exists p: p.at = linking and not p.locked
        lemma next_self: never exists p: queued(p) and p.next = p
        lemma next_waits: never exists p, q: queued(p) and p.next = q and not (q.at = spinning and q.locked and p.ahead[q])
        lemma next_close: never exists p, q, r: queued(p) and p.next = q and queued(r) and p.ahead[r] and r.ahead[q]
        lemma pred_some: never exists q: waits(q) and q.pred = none
        lemma pred_self: never exists q: waits(q) and q.pred = q
        lemma pred_in: never exists p, q: waits(q) and q.pred = p and not (queued(p) and p.ahead[q])
        lemma pred_close: never exists p, q, r: waits(q) and q.pred = p and queued(r) and p.ahead[r] and r.ahead[q]
        property mutex: never exists p, q: p.at = critical and q.at = critical";
    let answers = answers(text);
    assert!(answers.len() > 10);
    for answer in &answers {
        assert_eq!(answer.verdict, Verdict::Holds, "{}", answer.property);
    }
    let because = &named(&answers, "next_waits").because;
    assert!(because.ends_with("by induction"), "{because}");
}
