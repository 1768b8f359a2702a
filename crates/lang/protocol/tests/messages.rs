//! Every mistake gets a message that says what is wrong, where, and what to do.

use quotient_core::{Budget, Diagnostic, Source, Trouble};
use quotient_protocol::Protocol;

/// The message for a text, as one line for the place and one for each note and hint.
fn message(text: &str) -> String {
    let source = Source::new("test.protocol", text);
    let diagnostic: Diagnostic = match Protocol::parse(&source) {
        Err(diagnostic) => diagnostic,
        Ok(protocol) => match protocol.compile(&Budget::unlimited()) {
            Err(Trouble::Invalid(mistakes)) => mistakes[0].clone(),
            Err(Trouble::Stopped(stop)) => return format!("stopped: {stop}"),
            Ok(_) => panic!("there is nothing wrong with\n{text}"),
        },
    };
    let notes = diagnostic
        .notes
        .iter()
        .map(|note| format!("\n  note: {note}"));
    let help = diagnostic
        .help
        .iter()
        .map(|help| format!("\n  help: {help}"));
    let pointed = diagnostic.labels.first().map_or(String::new(), |label| {
        format!("\n  at `{}`", &text[label.span.range()])
    });
    diagnostic.to_string() + &pointed + &notes.chain(help).collect::<String>()
}

const LOCK: &str = "process { location idle, critical  level : 0..2 = 0 }\n";

fn lock(more: &str) -> String {
    message(&format!("{LOCK}{more}"))
}

#[test]
fn mistakes_in_the_syntax() {
    insta::assert_snapshot!(
        [
            message("proces { x : bool }"),
            message("topology star"),
            message("process { x : int }"),
            message("process { x : bool = }"),
            message("step s: at = idle"),
            lock("step s: when (at = idle then at := critical"),
            lock("step s: when at = idle then at = critical"),
            lock("property p: sometimes at = idle"),
            message("/* no end"),
            message("process { x : bool } property p: never word \"abc"),
            message(&format!(
                "process {{ x : bool }} property p: never {}x",
                "not ".repeat(5000)
            )),
        ]
        .join("\n")
    );
}

#[test]
fn mistakes_with_names() {
    insta::assert_snapshot!([
        lock("step s: when at = idel then at := critical"),
        lock("step s: when lvel = 1 then at := critical"),
        lock("step s: when p.at = idle then at := critical"),
        lock("step s: when at = idle then q.at := critical"),
        lock("step s with q: when q.att = idle then at := critical"),
        lock("step s: when busy(self) then at := critical"),
        lock("step s: when at = idle then send box(critical)"),
        lock("property p: never at = critical"),
        lock("property p: never exists left q: q.at = idle"),
        lock("step s: when at = idle then at := critical step s: when at = idle then skip"),
        message("process { x : bool x : bool }"),
        message("process { x : colour }"),
        lock("step s: when (forall other p: p.at = idle) and at = idle and forall other p: p.at = idle and at = idle then skip"),
    ].join("\n"));
}

#[test]
fn mistakes_with_types_and_values() {
    insta::assert_snapshot!([
        lock("step s: when at = 1 then at := critical"),
        lock("step s: when level then at := critical"),
        lock("step s: when at = idle then level := critical"),
        lock("step s: when at = idle then level := 7"),
        lock("step s: when at = idle then level := level + 1"),
        lock("step s: when at < critical then skip"),
        lock("step s: when count(p: p.at = idle) then skip"),
        message("process { x : 3..1 }"),
        message("process { x : 0..99999 }"),
        message("process { x : bool } global t : process step s: when t = self then t := none"),
        message("process { x : bool  t : process }"),
        lock("assume level = 2"),
        lock("step s: when at = idle then level := if (exists other p: p.level = 1) then 1 else 0"),
    ].join("\n"));
}

#[test]
fn mistakes_with_order_and_channels() {
    insta::assert_snapshot!(
        [
            message(
                "topology set process { x : bool } step s: when forall left p: p.x then x := true"
            ),
            message("topology set process { x : bool } step s: when right.x then x := true"),
            message("topology set process { x : bool } step s: when x then move self to left end"),
            message("process { x : bool } step s with q: when x then remove q, move self after q"),
            message("global g : bool step s: when exists p: p.x then g := true"),
            message("queue c : { m } global g : bool step s: when g then push c(m)"),
            message("queue c : { m } global g : bool property p: never c matches \"m (\""),
            message("queue c : { m } global g : bool property p: never c matches \"k\""),
            message("process { x : bool } property p: never word \"y*\""),
        ]
        .join("\n")
    );
}

#[test]
fn mistakes_in_reading_one_by_one() {
    insta::assert_snapshot!(
        [
            lock("step s one by one: when at = idle then at := critical"),
            lock("step s one by one with q: when forall other p: p.at = idle then at := critical"),
            lock("step s one by one: when level = 0 or forall other p: p.at = idle then level := 1"),
            lock("step s one by one: when count(other p: p.at = idle) >= 2 then level := 1"),
            lock("step s one by one: when forall other p: exists q: q.level = p.level then level := 1"),
            lock("step s one by one choose v : 0..2: when forall other p: p.level < v then level := v"),
            lock("step s one by one: when forall other p: p.level < left.level then level := 1"),
        ]
        .join("\n"),
        @"
        test.protocol:2:8: error: this step reads no other process
          at `one by one`
          help: its condition needs a quantifier, as in `forall other p: p.at = idle`
        test.protocol:2:24: error: a step that reads one by one cannot name another process
          at `q`
          note: which one it meets would depend on a moment that is past
          help: read in one step, and name the other process in the next one
        test.protocol:2:25: error: a quantifier that is read one by one must stand alone
          at `level = 0 or forall other p: p.at = idle`
          help: join quantifiers by `and`: `when at = a and forall other p: p.x`
          help: leave `one by one` away to read all processes at once
        test.protocol:2:25: error: a count cannot be read one by one
          at `count(other p: p.at = idle) >= 2`
          help: join quantifiers by `and`: `when at = a and forall other p: p.x`
          help: leave `one by one` away to read all processes at once
        test.protocol:2:25: error: what is asked of one process cannot ask about others
          at `forall other p: exists q: q.level = p.level`
          help: join quantifiers by `and`: `when at = a and forall other p: p.x`
          help: leave `one by one` away to read all processes at once
        test.protocol:2:41: error: a value chosen by the step cannot decide what was read before
          at `forall other p: p.level < v`
          help: join quantifiers by `and`: `when at = a and forall other p: p.x`
          help: leave `one by one` away to read all processes at once
        test.protocol:2:25: error: what is asked of one process can also speak of `self`, of nobody else
          at `forall other p: p.level < left.level`
          help: join quantifiers by `and`: `when at = a and forall other p: p.x`
          help: leave `one by one` away to read all processes at once
        "
    );
}
