//! What the guide says of faults, alternatives, kinds, starts and rounds: protocols that were once read
//! otherwise, with the verdicts that they have, and evidence for the other reading.

use quotient_core::{Budget, Context, Evidence, Source, Trouble, Verdict};
use quotient_language::{Ask, Input, Model, NoFiles, Settings};
use quotient_protocol::LANGUAGE;

fn open(text: &str) -> Result<Box<dyn Model>, Trouble> {
    let input = Input::text(&Source::new("test.protocol", text));
    LANGUAGE.open(
        &input,
        &mut NoFiles,
        &Settings::default(),
        &Context::default(),
    )
}

/// The verdict about a property with its evidence, which is accepted.
fn verdict(text: &str, property: &str) -> (Verdict, Option<Evidence>) {
    let cx = Context {
        budget: Budget::unlimited().child_with_work(200_000_000),
        ..Context::default()
    };
    let mut model = open(text).unwrap_or_else(|trouble| panic!("{trouble}\n{text}"));
    let mut answers = Vec::new();
    (model.check(&Ask::default(), &cx, &mut |answer| answers.push(answer))).unwrap();
    let mut asked = model.properties().into_iter();
    let asked = asked.find(|one| one.name == property).unwrap();
    let answer = answers.into_iter().find(|one| one.property == property);
    let answer = answer.unwrap();
    if let Some(evidence) = &answer.evidence {
        let certified = model.certify(evidence, &asked, &Budget::unlimited());
        assert!(certified.is_ok(), "{certified:?}\n{text}");
    }
    (answer.verdict, answer.evidence)
}

/// A property is violated, and evidence that it holds, for a protocol that means the other thing, is
/// not accepted.
fn violated_although(text: &str, otherwise: &str, property: &str) {
    let (wrong, evidence) = verdict(otherwise, property);
    assert_eq!(wrong, Verdict::Holds, "{otherwise}");
    let mut model = open(text).unwrap();
    let mut asked = model.properties().into_iter();
    let asked = asked.find(|one| one.name == property).unwrap();
    let forged = model.certify(&evidence.unwrap(), &asked, &Budget::unlimited());
    assert!(forged.is_err(), "{text}");
    assert_eq!(verdict(text, property).0, Verdict::Violated, "{text}");
}

fn refused(text: &str, because: &str) {
    match open(text) {
        Err(trouble) => {
            let told = trouble.to_string();
            assert!(told.contains(because), "{told}\n{text}");
        }
        Ok(_) => panic!("nothing is wrong with\n{text}"),
    }
}

#[test]
fn nobody_is_owed_a_crash() {
    let body = "step s: when at = b then at := a
        property prop: for each p: p.at = a leads to p.crashed
        property formula: for each p: eventually p.crashed";
    let faults = format!("topology set  process may crash {{ location a, b }}\n{body}");
    let steps = format!(
        "topology set  process {{ location a, b  crashed : bool = false }}
        step crash: when not crashed then crashed := true\n{}",
        body.replace("when at = b", "when not crashed and at = b")
    );
    violated_although(&faults, &steps, "prop");
    violated_although(&faults, &steps, "formula");
    // A crash still may happen.
    let may = faults.replace("eventually p.crashed", "always not p.crashed");
    assert_eq!(verdict(&may, "formula").0, Verdict::Violated);
}

#[test]
fn nobody_is_owed_a_recovery_or_a_lie() {
    let recovers = "topology set
        process may crash and recover { location a, b }
        step s: when at = a then at := b
        step t: when at = b then at := a
        property back: for each p: p.crashed leads to not p.crashed
        property goes: for each p: p.at = a leads to p.at = b or p.crashed";
    assert_eq!(verdict(recovers, "back").0, Verdict::Violated);
    assert_eq!(verdict(recovers, "goes").0, Verdict::Holds);
    let lies = "topology set
        process may lie at most 1 { x : bool = false }
        step s: when x then x := false
        property prop: for each p: p.faulty leads to p.x";
    assert_eq!(verdict(lies, "prop").0, Verdict::Violated);
}

#[test]
fn a_run_that_only_faults_could_go_on_with_may_have_ended() {
    let text = "topology set  assume n = 1  process may crash { location a, b }
        step s: when at = a then at := b
        property stays: for each p: p.at = b => next p.at = b
        property ends: for each p: eventually (p.at = b and next p.crashed)
        property all_or_nothing: for each p: always ((p.at = b and not p.crashed and next not p.crashed)
            => next always not p.crashed)";
    assert_eq!(verdict(text, "stays").0, Verdict::Holds);
    assert_eq!(verdict(text, "ends").0, Verdict::Violated);
    // Whoever stays where it is once has come to its end.
    assert_eq!(verdict(text, "all_or_nothing").0, Verdict::Holds);
}

#[test]
fn parts_of_rounds_end_at_some_time() {
    let text = "topology set  rounds one, two  process may crash { x : bool = false }
        step a in one: then skip
        step b in two: then x := true
        property comes: for each p: eventually (p.x or p.crashed)";
    assert_eq!(verdict(text, "comes").0, Verdict::Holds);
}

#[test]
fn who_can_only_fail_is_stuck() {
    let body = "step s: when at = a then at := b
        property dead: no deadlock";
    let faults =
        format!("topology line  process may crash and recover {{ location a, b }}\n{body}");
    let steps = format!(
        "topology line  process {{ location a, b  crashed : bool = false }}
        step crash: when not crashed then crashed := true
        step recover: when crashed then crashed := false\n{}",
        body.replace("when at = a", "when not crashed and at = a")
    );
    violated_although(&faults, &steps, "dead");
    // Whoever can recover is not stuck.
    let lively = "topology line  process may crash and recover { location a, b }
        step s: when at = a then at := b
        step t: when at = b then at := a
        property dead: no deadlock";
    assert_eq!(verdict(lively, "dead").0, Verdict::Holds);
    // The same with arrays: pairs do not fit into words.
    let arrays = "topology set  process may lie { x : bool = false  y[process] : bool = false }
        step s: when x then x := false
        property dead: no deadlock";
    assert_ne!(verdict(arrays, "dead").0, Verdict::Holds);
}

#[test]
fn an_alternative_that_removes_does_not_hinder_the_other() {
    for (step, held) in [
        (
            "step s: when not x and turn = self then remove self or then x := true",
            "first",
        ),
        (
            "step s with q: when turn = q then remove q or then q.x := true",
            "any",
        ),
        (
            "step s with q: then x := true or then remove q, turn := self",
            "any",
        ),
    ] {
        let text = format!(
            "topology line  global turn : process = {held}  process {{ x : bool = false }}
            {step}
            property prop: never exists p: p.x"
        );
        refused(&text, "in one alternative only");
        let apart = text.replace("turn : process", "turn : process or none");
        assert_eq!(verdict(&apart, "prop").0, Verdict::Violated);
    }
    let both = "topology line  global turn : process = first  process { x : bool = false }
        step s: then remove self or then remove self
        property prop: never exists p: p.x";
    assert_eq!(verdict(both, "prop").0, Verdict::Holds);
}

#[test]
fn each_kind_begins_as_it_says() {
    for (first, second) in [
        ("-1", "-2"),
        ("1 + 0", "1 + 1"),
        ("2", "1"),
        ("{ 1, 2 }", "{ 1, 0 }"),
    ] {
        let text = format!(
            "topology set  process a {{ x : -2..2 = {first} }}  process b {{ x : -2..2 = {second} }}
            step s: when x = 0 then x := 1
            property prop: never exists p: p.x = 2"
        );
        refused(&text, "in another way by another kind");
    }
    let same = "topology set  process a { x : -2..2 = -1 }  process b { x : -2..2 = 1 - 2 }
        step s: when x = 0 then x := 1
        property prop: never exists p: p.x != -1";
    assert_eq!(verdict(same, "prop").0, Verdict::Holds);
}

#[test]
fn what_may_hold_nobody_begins_with_anybody_or_nobody() {
    for start in ["", "= any"] {
        let global = format!(
            "topology line  global turn : process or none {start}  process {{ location a, b }}
            step x: when at = a then at := b
            property nobody: never turn = none
            property somebody: never exists p: turn = p"
        );
        let held = global.replace("or none", "");
        let held = held.replace("never turn = none", "never not exists p: turn = p");
        violated_although(&global, &held, "nobody");
        assert_eq!(verdict(&global, "somebody").0, Verdict::Violated);
        let fields = format!(
            "topology set  process {{ location a, b  vote : process or none {start} }}
            step x: when at = a then at := b
            property nobody: never exists p: p.vote = none
            property somebody: never exists p: p.vote = p
            property other: never exists p, q: p.vote = q
            property twice: never exists p, q, r: p.vote = q and p.vote = r"
        );
        for (property, expected) in [
            ("nobody", Verdict::Violated),
            ("somebody", Verdict::Violated),
            ("other", Verdict::Violated),
            ("twice", Verdict::Holds),
        ] {
            assert_eq!(verdict(&fields, property).0, expected, "{property}");
        }
    }
    let always = "topology set  process { location a, b  vote : process }
        step x: when at = a then at := b
        property nobody: never forall q: exists p: p.vote = q";
    assert_eq!(verdict(always, "nobody").0, Verdict::Violated);
}

#[test]
fn any_value_is_one_of_the_kind() {
    let text = |action: &str| {
        format!(
            "topology set  process a {{ location u, v }}  process b {{ location y, z }}
            step s of a: when at = u then {action}
            property prop: never exists p: p.kind = b and p.at in {{ u, v }}
            property moves: never exists b p: p.at = z"
        )
    };
    let broadcast = text("for b q { q.at := any }");
    assert_eq!(verdict(&broadcast, "prop").0, Verdict::Holds);
    assert_eq!(verdict(&broadcast, "moves").0, Verdict::Violated);
    let only = text("for b q where q.at = y { q.at := any }");
    assert_eq!(verdict(&only, "prop").0, Verdict::Holds);
    refused(
        &text("for q { q.at := any }"),
        "different values in different kinds",
    );
    refused(&text("for b q { q.at := any { u, y } }"), "is never `u`");
}

#[test]
fn a_new_process_begins_as_its_kind_does() {
    let text = |created: &str| {
        format!(
            "topology line  process a {{ location u, v }}  process b may lie {{ location y, z }}
            one process c {{ location w }}
            step s of a: when at = u then at := v, create at right end {created}
            property prop: never exists p: p.kind = a and (p.at in {{ y, z }} or p.faulty)
            property two: never exists a p, q: p.at = v and q.at = u"
        )
    };
    assert_eq!(verdict(&text("{ kind = a }"), "prop").0, Verdict::Holds);
    assert_eq!(verdict(&text("{ kind = a }"), "two").0, Verdict::Violated);
    refused(&text(""), "of which kind the new process is");
    refused(&text("{ kind = kind }"), "of which kind the new process is");
    refused(
        &text("{ kind = c }"),
        "there is one process of the kind `c`",
    );
    refused(&text("{ kind = a, at = y }"), "is never `y`");
}

#[test]
fn in_rounds_everybody_acts_and_messages_stay_in_their_round() {
    let idle = "topology set  rounds ask, answer
        one process boss { said : bool = false }
        process part { location start, committed }
        step go of boss in ask: then said := true
        step c of part in answer: when at = start then at := committed
        property prop: never exists part p: p.at = committed";
    refused(idle, "no step of the kind `part` is in the part `ask`");
    let none = "topology set  rounds ask, answer  process { x : bool = false }
        step go in ask: then x := true
        property prop: never exists p: not p.x";
    refused(none, "no step is in the part `answer`");
    let late = "topology set  rounds one, two  message m  process { x : bool = false }
        step a in one: then skip
        step b in two: then skip
        step c with q: when part = two and acted then send m to q
        step d on m from q: when part = one then x := true
        property prop: never exists p: p.x";
    refused(late, "not said in which part `m` is sent");
}

#[test]
fn any_of_a_set_is_one_of_its_values() {
    let text = |kind: &str, set: &str, value: &str| {
        format!(
            "process {{ location a, b  x : {kind} }}
            initially forall p: p.x != {value}
            step s: then x := any {set}
            property never_so: never exists p: p.x = {value}"
        )
    };
    for (kind, set, value, expected) in [
        ("0..4", "{ 0, 2 }", "2", Verdict::Violated),
        ("0..4", "{ 0, 2, 2 }", "1", Verdict::Holds),
        ("0..4", "{ 0, 2..3 }", "3", Verdict::Violated),
        ("0..4", "{ 0, 2..3 }", "4", Verdict::Holds),
        ("-2..2", "-2..-1", "-1", Verdict::Violated),
        ("-2..2", "{ -2, 1 }", "-1", Verdict::Holds),
        ("bool", "{ false }", "true", Verdict::Holds),
        ("bool", "{ true }", "true", Verdict::Violated),
        ("{ u, v, w }", "{ u, v }", "w", Verdict::Holds),
        ("{ u, v, w }", "{ u, w }", "w", Verdict::Violated),
    ] {
        let text = text(kind, set, value);
        assert_eq!(verdict(&text, "never_so").0, expected, "{text}");
    }
    // Values are told apart by what they are, not by their numbers.
    refused(&text("0..4", "{ a, b }", "2"), "a number was expected");
    refused(&text("{ u, v, w }", "0..1", "u"), "not all of these values");
    refused(&text("bool", "0..1", "true"), "not all of these values");
    refused(&text("0..4", "{ 0, 7 }", "2"), "not a value that fits");
    refused(&text("0..4", "{ }", "2"), "nothing is in this set");
    refused(&text("0..4", "{ x }", "2"), "`x`");
}

#[test]
fn a_formula_about_all_may_begin_with_what_is_next() {
    let text = |property: &str| {
        format!(
            "topology set  process {{ location a, b }}
            step s: when at = a then at := b
            property asked: {property}"
        )
    };
    let some = text("next exists p: p.at = b");
    assert_eq!(verdict(&some, "asked").0, Verdict::Holds);
    let all = text("next forall p: p.at = b");
    assert_eq!(verdict(&all, "asked").0, Verdict::Violated);
}

#[test]
fn deadlocks_that_are_too_long_to_write_out_leave_the_search_within_its_budget() {
    let text = "topology set
        global g1 : process = any  global g2 : process = any  global g3 : process = any
        global g4 : process = any  global g5 : process = any
        process { location a, b, c  x : bool = false  nx : process or none = none }
        step s with q1, q2, q3, q4, q5: when at = a and q1.x and q2.x and q3.x and q4.x and q5.at = a
            and (forall r: exists s: forall t: (r.x or s.x or t.x or r.nx = s or s.nx = t)) then at := b
        step u: when at = b then at := a
        property stuck: no deadlock";
    assert_eq!(verdict(text, "stuck").0, Verdict::Violated);
}

/// Whoever is alone in a ring has no neighbours; of two, each is both neighbours of the other.
#[test]
fn nobody_is_a_neighbour_of_its_own() {
    for held in ["", "friend : process or none = none"] {
        let text = format!(
            "topology ring
             process {{ location a, b  {held} }}
             step go: when at = a then at := b
             property own: never exists p: next(p, p)
             property own_named: never exists p: exists q: p = q and next(p, q)
             property alone: always exists p: exists q: next(p, q)
             property both: never exists p, q: next(p, q) and next(q, p)
             property three: always forall p, q, r: not (next(p, q) and next(p, r))"
        );
        for (property, holds) in [
            ("own", true),
            ("own_named", true),
            ("alone", false),
            ("both", false),
            ("three", true),
        ] {
            let (found, evidence) = verdict(&text, property);
            assert_eq!(found == Verdict::Holds, holds, "{property}\n{text}");
            assert!(evidence.is_some(), "{property}\n{text}");
        }
    }
}
