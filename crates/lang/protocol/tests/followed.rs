//! Whom variables hold, spoken of in conditions and followed or copied by what steps do: the same
//! protocols with every process named say the same.

use std::time::Duration;

use quotient_core::{Budget, Context, Source, Verdict};
use quotient_language::{Answer, Ask, Input, Model, NoFiles, Settings, Verb};
use quotient_protocol::LANGUAGE;

fn opened(text: &str, settings: &Settings) -> Box<dyn Model> {
    let input = Input::text(&Source::new("test.protocol", text));
    match LANGUAGE.open(&input, &mut NoFiles, settings, &Context::default()) {
        Ok(model) => model,
        Err(trouble) => panic!("{trouble}\n{text}"),
    }
}

/// What a plain search says, with the numbers of configurations and steps.
fn instance(text: &str, processes: usize) -> (Vec<Verdict>, u64) {
    let pairs = [("processes".to_owned(), processes.to_string())];
    let settings = LANGUAGE.about().settings;
    let settings = Settings::new("protocol", settings, Verb::Instance, &pairs).unwrap();
    let inspected = opened(text, &settings).instance(&Context::default());
    let inspected = inspected.unwrap_or_else(|trouble| panic!("{trouble}\n{text}"));
    let verdicts = inspected.answers.into_iter().map(|answer| answer.verdict);
    (verdicts.collect(), inspected.sizes[0].1)
}

/// The same configurations and verdicts, whatever the number of processes; what engines say is right
/// and their evidence is accepted.
fn assert_same(followed: &str, named: &str) {
    for size in 1..=3 {
        assert_eq!(
            instance(followed, size),
            instance(named, size),
            "{followed}"
        );
    }
    let mut answers: Vec<Answer> = Vec::new();
    let cx = Context {
        // What is hard takes more time than its pieces of work say; whatever is not decided by then is not compared.
        budget: Budget::new(Some(Duration::from_secs(15)), None).child_with_work(30_000),
        ..Context::default()
    };
    let mut model = opened(followed, &Settings::default());
    let _ = model.check(&Ask::default(), &cx, &mut |answer| answers.push(answer));
    let properties = model.properties();
    for answer in answers {
        let at = properties
            .iter()
            .position(|one| one.name == answer.property);
        let at = at.expect("it was asked");
        let small = (1..=3).map(|size| instance(followed, size).0.remove(at));
        let violated = small.into_iter().any(|one| one == Verdict::Violated);
        match answer.verdict {
            Verdict::Holds => assert!(!violated, "{}\n{followed}", answer.property),
            Verdict::Violated => {}
            Verdict::Unknown(_) => continue,
        }
        let evidence = answer.evidence.expect("a definite answer has evidence");
        let certified = model.certify(&evidence, &properties[at], &Budget::unlimited());
        assert!(certified.is_ok(), "{:?}\n{followed}", certified.err());
    }
}

const PROPERTIES: &str = "
    property mutex: never exists p, q: p.at = critical and q.at = critical
    property live: no deadlock";

/// The queue lock of Mellor-Crummey and Scott, with the links that the paper has.
#[test]
fn links_of_a_queue_are_followed() {
    let head = "topology set
        global tail : process or none = none
        process {
            location idle, linking, spinning, critical
            pred : process or none = none
            next : process or none = none
            locked : bool = false
        }
        step take: when at = idle and tail = none then next := none, tail := self, at := critical
        step enter: when at = spinning and not locked then at := critical, pred := none";
    let last = "step leave_last: when at = critical and next = none and tail = self
                then tail := none, at := idle";
    let followed = "
        step line_up: when at = idle and tail != none
            then pred := tail, next := none, locked := true, tail := self, at := linking
        step link: when at = linking then pred.next := self, at := spinning
        step hand_on: when at = critical and next != none then next.locked := false, at := idle";
    let named = "
        step line_up with q: when at = idle and tail = q
            then pred := q, next := none, locked := true, tail := self, at := linking
        step line_up_again: when at = idle and tail = self
            then pred := self, next := none, locked := true, tail := self, at := linking
        step link with q: when at = linking and pred = q then q.next := self, at := spinning
        step link_self: when at = linking and pred = self then next := self, at := spinning
        step hand_on with q: when at = critical and next = q then q.locked := false, at := idle
        step hand_on_self: when at = critical and next = self then locked := false, at := idle";
    let all = |middle: &str, last: &str| format!("{head}\n{middle}\n{last}\n{PROPERTIES}");
    assert_same(&all(followed, last), &all(named, last));
    let broken = |middle: &str| all(middle, last).replace("locked := true", "locked := false");
    assert_same(&broken(followed), &broken(named));
    assert_eq!(instance(&broken(followed), 2).0[0], Verdict::Violated);
}

/// The queue lock of Craig, Landin and Hagersten: everybody spins on what the one before has.
#[test]
fn what_another_has_is_read_through_a_link() {
    let text = |line_up: &str, enter: &str| {
        format!(
            "topology set
             global tail : process or none = none
             process {{
                 location idle, waiting, critical
                 pred : process or none = none
                 locked : bool = false
             }}
             {line_up}
             {enter}
             step leave: when at = critical then locked := false, at := idle
             {PROPERTIES}"
        )
    };
    let followed = text(
        "step line_up: when at = idle and not exists q: q.pred = self
             then pred := tail, tail := self, locked := true, at := waiting",
        "step enter: when at = waiting and (pred = none or not pred.locked)
             then at := critical, pred := none",
    );
    let named = text(
        "step first: when at = idle and (not exists q: q.pred = self) and tail = none
             then pred := none, tail := self, locked := true, at := waiting
         step again: when at = idle and (not exists q: q.pred = self) and tail = self
             then pred := self, tail := self, locked := true, at := waiting
         step behind with r: when at = idle and (not exists q: q.pred = self) and tail = r
             then pred := r, tail := self, locked := true, at := waiting",
        "step enter: when at = waiting and
             (pred = none or exists q: pred = q and not q.locked)
             then at := critical, pred := none",
    );
    assert_same(&followed, &named);
}

#[test]
fn links_are_copied_with_nobody_in_them() {
    let text = |steps: &str| {
        format!(
            "topology set
             global head : process or none = none
             process {{ next : process or none = none  member : bool = false }}
             {steps}
             property kept: never head = none and exists p: p.member
             property apart: never exists p, q, r: p.next = r and q.next = r"
        )
    };
    let followed = text(
        "step push: when not member then next := head, head := self, member := true
         step unlink with p: when p.next = self then p.next := next, next := none, member := false
         step behind with q: when member and q.member then next := q.next",
    );
    let named = text(
        "step push_first: when not member and head = none then next := none, head := self, member := true
         step push_self: when not member and head = self then next := self, head := self, member := true
         step push with h: when not member and head = h then next := h, head := self, member := true
         step unlink_last with p: when p.next = self and next = none
             then p.next := none, next := none, member := false
         step unlink_self with p: when p.next = self and next = self
             then p.next := self, next := none, member := false
         step unlink_back with p: when p.next = self and next = p
             then p.next := p, next := none, member := false
         step unlink with p, r: when p.next = self and next = r
             then p.next := r, next := none, member := false
         step behind_last with q: when member and q.member and q.next = none then next := none
         step behind_self with q: when member and q.member and q.next = self then next := self
         step behind_same with q: when member and q.member and q.next = q then next := q
         step behind with q, r: when member and q.member and q.next = r then next := r",
    );
    assert_same(&followed, &named);
}

#[test]
fn places_are_compared_with_whom_a_global_holds() {
    let text = |go: &str, tick: &str| {
        format!(
            "global turn : process or none = first
             process {{ location a, b }}
             step go: when at = a and {go} then at := b
             step pass with right q: when turn = self then turn := q
             step drop: when turn = self and at = b then turn := none
             {tick}
             property below: always forall p: p.at = b => turn = none or p <= turn
             property last_stays: never exists p: p.at = b and last(p)"
        )
    };
    let followed = text("self < turn", "step tick: when at = b then turn.at := b");
    let named = text(
        "exists q: turn = q and self < q",
        "step tick with q: when at = b and turn = q then q.at := b",
    );
    assert_same(&followed, &named);
}

/// A step that speaks of nobody but of whom a global holds counts as a step of that one.
#[test]
fn whom_a_global_holds_takes_part_in_a_step_of_nobody() {
    let text = |steps: &str| {
        format!(
            "global turn : process or none = first
             global own : process or none = none
             global seen : bool = false
             process {{ location a, b  x : bool = false }}
             step pass with right q: when turn = self and x then turn := q, x := seen
             step drop: when turn = self and at = b then turn := none
             step take: when turn = none and at = a then turn := self
             {steps}
             property one: never exists p, q: p.x and q.x
             property far: never exists p, q: p.at = b and q.at = b
             property seen_by: always seen => exists p: p.at = b
             property goes: for each p: turn = p and not p.x leads to turn != p
             property comes: for each p: own = p leads to p.at = b
             property live: no deadlock"
        )
    };
    let followed = text(
        "step mark: when turn != none and not turn.x then turn.x := true
         step see: when seen = false then seen := turn.x, turn.at := b
         step keep: when turn != none and not seen then own := turn, turn.x := turn.x
         step both: when turn.x then own.at := turn.at, turn.x := false",
    );
    let named = text(
        "step mark: when turn = self and not x then x := true
         step see: when turn = self and seen = false then seen := x, at := b
         step keep: when turn = self and not seen then own := self, x := x
         step both with q: when turn = q and own = self and q.x then at := q.at, q.x := false
         step both_one: when turn = self and own = self and x then at := at, x := false",
    );
    assert_same(&followed, &named);
}

/// Who has failed takes no step of the protocol, whoever that step counts for.
#[test]
fn whom_a_global_holds_takes_no_step_after_it_has_failed() {
    for faults in [
        "may crash",
        "may crash at most 1",
        "may lie",
        "may crash and recover",
    ] {
        let text = |step: &str| {
            format!(
                "global turn : process or none = any
                 process {faults} {{ location a, b  x : 0..1 = 0 }}
                 {step}
                 step go: when at = a and turn != self then at := b
                 property p: never exists p: p.x = 1 and p.at = a
                 property stays: for each p: p.at = a leads to p.at = b or turn = p
                 property live: no deadlock"
            )
        };
        let followed = text("step s: when turn.x = 0 then turn.x := 1, turn.at := b");
        let named = text("step s: when turn = self and x = 0 then x := 1, at := b");
        assert_same(&followed, &named);
    }
}

/// Links of other processes, and links of those to whom links lead, in conditions and in what steps do.
#[test]
fn links_of_others_are_followed() {
    let text = |steps: &str, properties: &str| {
        format!(
            "topology set
             global head : process or none = none
             process {{
                 location out, inside
                 next : process or none = none
                 mark : bool = false
             }}
             define marked(p) = p.next.mark
             {steps}
             {properties}"
        )
    };
    let followed = text(
        "step begin: when head = none then head := self, at := inside
         step join: when at = out and head.at = inside then next := head, head := self, at := inside
         step tag with q: when q.at = inside and at = inside and q.next.at = inside
             then q.next.mark := true
         step tell: when next.next.at = inside and not next.mark then mark := next.next.mark
         step drop: when head = self and next.next != none then next := next.next
         step wipe with q: when q.next.mark and mark and at = inside then q.next.mark := false",
        "property second: never exists p: p.next.next.mark
         property tagged: never exists p, q: p.next.mark and q.next.mark and p.next = q.next
         property by_name: never exists p: marked(p) and head.next.at = inside
         property far: never exists p: marked(p.next)
         property at_once: never count(p: p.next.mark) > 1",
    );
    let named = text(
        "step begin: when head = none then head := self, at := inside
         step join with h: when at = out and head = h and h.at = inside
             then next := h, head := self, at := inside
         step join_self: when at = out and head = self and at = inside
             then next := self, head := self, at := inside
         step tag with q, r: when q.at = inside and at = inside and q.next = r and r.at = inside
             then r.mark := true
         step tag_self with q: when q.at = inside and at = inside and q.next = self
             then mark := true
         step tag_own with q: when q.at = inside and at = inside and q.next = q
             then q.mark := true
         step tell with q, r: when next = q and q.next = r and r.at = inside and not q.mark
             then mark := r.mark
         step tell_back with q: when next = q and q.next = self and at = inside and not q.mark
             then mark := mark
         step tell_round with q: when next = q and q.next = q and q.at = inside and not q.mark
             then mark := q.mark
         step tell_own: when next = self and at = inside and not mark then mark := mark
         step drop with q, r: when head = self and next = q and q.next = r then next := r
         step drop_back with q: when head = self and next = q and q.next = self then next := self
         step drop_round with q: when head = self and next = q and q.next = q then next := q
         step drop_self: when head = self and next = self then next := self
         step wipe with q, r: when q.next = r and r.mark and mark and at = inside
             then r.mark := false
         step wipe_self with q: when q.next = self and mark and at = inside then mark := false
         step wipe_own with q: when q.next = q and q.mark and mark and at = inside
             then q.mark := false",
        "property second: never exists p: exists r: exists s: p.next = r and r.next = s and s.mark
             property tagged: never exists p, q: exists r: exists s:
                 p.next = r and r.mark and q.next = s and s.mark and p.next = q.next
             property by_name: never exists p: (exists r: p.next = r and r.mark)
                 and exists h: exists s: head = h and h.next = s and s.at = inside
             property far: never exists p: exists r: exists s: p.next = r and r.next = s and s.mark
             property at_once: never count(p: exists r: p.next = r and r.mark) > 1",
    );
    assert_same(&followed, &named);
    assert_eq!(instance(&followed, 3).0[0], Verdict::Violated);
}

/// Where nobody is held, an alternative that speaks of whom a variable holds would take the others with it.
#[test]
fn all_alternatives_speak_of_whom_a_variable_holds_or_none() {
    let open = |step: &str| {
        let text = format!(
            "global turn : process or none = none
             global last_one : process or none = none
             global chair : process = first
             process {{ location a, b }}
             {step}
             property p: never exists p, q: p.at = b and q.at = b"
        );
        let input = Input::text(&Source::new("test.protocol", text));
        let settings = Settings::default();
        LANGUAGE.open(&input, &mut NoFiles, &settings, &Context::default())
    };
    for good in [
        "step s: when at = a then turn.at := b or then turn.at := a",
        "step s: when at = a then at := b or then chair.at := a",
        "step s: when at = a then at := b or then turn := last_one",
    ] {
        assert!(open(good).is_ok(), "{good}");
    }
    for (wrong, because) in [
        (
            "step s: when at = a then at := b or then turn.at := a",
            "only one alternative",
        ),
        (
            "step s: when at = a then turn := last_one or then last_one.at := a",
            "only one alternative",
        ),
        (
            "step s: when chair != none then turn := last_one",
            "no process takes",
        ),
    ] {
        let told = open(wrong).err().map(|trouble| trouble.to_string());
        assert!(told.is_some_and(|told| told.contains(because)), "{wrong}");
    }
}

#[test]
fn links_that_lead_nowhere_are_told() {
    let mistake = |text: &str| {
        let input = Input::text(&Source::new("test.protocol", text));
        let opened = LANGUAGE.open(
            &input,
            &mut NoFiles,
            &Settings::default(),
            &Context::default(),
        );
        match opened {
            Err(quotient_core::Trouble::Invalid(mistakes)) => {
                format!("{} {}", mistakes[0], mistakes[0].help.join(" "))
            }
            _ => panic!("nothing is wrong with {text}"),
        }
    };
    let text = |rest: &str| {
        format!(
            "topology set
             process {{ location a, b  next : process or none = none  x : 0..2 = 0 }}
             {rest}"
        )
    };
    let no_link = mistake(&text("property p: never exists p: p.at.x = 1"));
    assert!(
        no_link.contains("`at` is no variable that holds"),
        "{no_link}"
    );
    let each = mistake(&text(
        "step s: when at = a then for other p { p.x := p.next.x }",
    ));
    assert!(
        each.contains("`p.next` holds cannot be spoken of"),
        "{each}"
    );
    assert!(each.contains("p.next = q"), "{each}");
}

/// What takes little work is told, also where another property that is asked before it takes all that there is.
#[test]
fn a_quick_answer_does_not_wait_for_another_one() {
    let text = "topology set
        global tail : process or none = none
        process {
            location idle, announced, waiting, critical
            locked : bool = false
            pred : process or none = none
        }
        step begin: when at = idle and tail != self and (forall other p: p.pred != self)
            then locked := true, at := announced
        step swap_none: when at = announced and tail = none then tail := self, pred := none, at := waiting
        step swap with q: when at = announced and tail = q then pred := q, tail := self, at := waiting
        step go: when at = waiting and pred = none then at := critical
        step spin: when at = waiting and not pred.locked then at := critical, pred := none
        step leave: when at = critical then at := idle, locked := false
        property mutex: never exists p, q: p.at = critical and q.at = critical
        property alive: no deadlock";
    let mut answers = Vec::new();
    let cx = Context {
        budget: Budget::unlimited().child_with_work(600_000),
        ..Context::default()
    };
    let mut model = opened(text, &Settings::default());
    let _ = model.check(&Ask::default(), &cx, &mut |answer| answers.push(answer));
    let alive = answers.iter().find(|one| one.property == "alive").unwrap();
    assert_eq!(alive.verdict, Verdict::Violated);
}
