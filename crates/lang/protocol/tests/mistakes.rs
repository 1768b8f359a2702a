//! The mistakes that newcomers make: each message shows the place and says what to do.

use quotient_core::{Budget, Diagnostic, Source, Trouble};
use quotient_protocol::Protocol;

fn mistake(text: &str) -> Diagnostic {
    let source = Source::new("test.protocol", text);
    match Protocol::parse(&source) {
        Err(diagnostic) => diagnostic,
        Ok(protocol) => match protocol.compile(&Budget::unlimited()) {
            Err(Trouble::Invalid(mistakes)) => mistakes[0].clone(),
            other => panic!("nothing is wrong with {text}: {other:?}"),
        },
    }
}

const MISTAKES: &[&str] = &[
    r#"process { location idle, critical }
step enter: when at = idel then at := critical
property p: never exists p: p.at = critical"#,
    r#"process { location idle, critical  flag : bool = false }
step enter: when flga then at := critical"#,
    r#"process { location idle, critical  flag : bool = false }
step enter: when flag = idle then at := critical"#,
    r#"process { location idle, critical  flag : bool = false }
step enter: when exists other q: q.flag then q.flag := false"#,
    r#"topology set
process { location idle, critical }
step enter: when at = idle and forall left p: p.at = idle then at := critical"#,
    r#"topology ring
process { location idle, critical }
step enter: when at = idle and forall left p: p.at = idle then at := critical"#,
    r#"process { location idle, critical  ticket : int = 0 }
step enter: when at = idle then ticket := ticket + 1"#,
    r#"process { location a, b }
property p: never count(p: p.at = a) = count(p: p.at = b)"#,
    r#"process { location a, b }
step s: when at = a then at = b"#,
    r#"process { location a, b }
step s: when at = a at := b"#,
    r#"process { location a, b }
step s when at = a then at := b"#,
    r#"process { location a, b }
property p: never at = b"#,
    r#"process { location a, b  next : process }"#,
    r#"process { x : 0..2 = 0 }
step s: then x := x + 1"#,
    r#"process { x : 0..2 = 5 }"#,
    r#"process { last : bool = false }"#,
    r#"global turn : process = none
process { location a, b }"#,
    r#"process { location a, b }
property p: never count(p: p.at = a) > n"#,
    r#"queue c : { m }
global g : bool = false
step s: when g then pop c(m)"#,
    r#"log l : { m }
global g : bool = false
step s: when g then receive l(m)"#,
    r#"topology set
process { location a, b }
step s: when at = a then move self to right end"#,
    r#"process { location a, b }
step s: when forall other p: p.at = a and at = a then at := b"#,
    r#"process { location a, b }
step s: when at = a then at := b
step s: when at = b then at := a"#,
    r#"process client { location a, b }
process client { location c, d }"#,
    r#"process { location a, b
step s: when at = a then at := b"#,
    r#"process { location 1, 2 }"#,
    r#"process { location a, b }
step s: if at = a then at := b"#,
    r#"process { flag[2] : bool }"#,
    r#"process { location a, b }
step s: when forall i: at[i] = a then at := b"#,
    r#"assume n > x
process { location a, b }"#,
    r#"process { location a, b }
step s with self: when at = a then at := b"#,
    r#"process { location a, b  k : 0..2 = 0 }
step s: when at = a then k := max(k)"#,
    r#"topology set
process { location a, b }
step s: when right.at = a then at := b"#,
    r#"queue c : { m, k }
global g : bool = false
step s: when c matches "m x*" then g := true"#,
    r#"process { location a, b }
property p: never word "a* (b""#,
    r#"process { location a, b }
stpe s: when at = a then at := b"#,
    r#"process { location a, b }
step s choose v: when at = a then at := v"#,
    r#"global g : bool = false
process { location a, b }
step s: when at = a then gg := true"#,
    r#"process { location a, b }
step s: when at = a then create at right end { att = b }"#,
    r#"process { location a, b }
step s with q: when at = a then for other p { q.at := b }"#,
    r#"protocol ticket lock
process { location a, b }"#,
    r#"global turn : process or none = none
process { location a, b }
step s: when turn.att = a then at := b"#,
    r#"type color = { red, green }
process { c : colour }"#,
    r#"process { location a, b  x : 0..3 = 0 }
step s with q: when at = a and q.at = b then x := q.y"#,
    r#"global g : bool = false
step s: when not g then g := 1"#,
    r#"process { location a, b }
define busy(p) = p.at = b
step s: when busy(self, self) then at := a"#,
    r#"process { location a, b }
define odd(p) = exists p: p.at = b
property q: never exists r: odd(r)"#,
    r#"process { location a, b }
define loop(p) = loop(p)
property q: never exists r: loop(r)"#,
    r#"process { location a, b }
initially at = a"#,
    r#"process { location a, b }
step s: when at = a then remove q"#,
    r#"queue c : { m }
process { location a, b }
step s: when at = a then send c(a)"#,
    r#"process { location a, a }"#,
    r#"process { location a, b }
step s: when at < b then at := a"#,
    r#"process { location a, b }
topology ring
step s: when first and at = a then at := b
step t: when at = b and p < self then at := a"#,
    r#"process { location idle, first, second }
step s: when at = idle then at := first"#,
];

#[test]
fn every_mistake_has_a_place_and_a_hint() {
    let silent: Vec<String> = MISTAKES
        .iter()
        .map(|text| (text, mistake(text)))
        .filter(|(_, diagnostic)| diagnostic.labels.is_empty() || diagnostic.help.is_empty())
        .map(|(text, diagnostic)| format!("{text}\n{diagnostic}"))
        .collect();
    assert!(silent.is_empty(), "{}", silent.join("\n\n"));
}

#[test]
fn mistakes_are_told_as_before() {
    let told = MISTAKES.iter().map(|text| {
        let diagnostic = mistake(text);
        let place = diagnostic
            .labels
            .first()
            .map_or("", |label| &text[label.span.range()]);
        let notes = diagnostic
            .notes
            .iter()
            .map(|note| format!("  note: {note}\n"));
        let help = diagnostic
            .help
            .iter()
            .map(|help| format!("  help: {help}\n"));
        let more: String = notes.chain(help).collect();
        format!("{text}\n  {diagnostic}\n  at `{place}`\n{more}")
    });
    insta::assert_snapshot!(told.collect::<Vec<_>>().join("\n"));
}

#[test]
fn variables_that_are_never_the_same_are_not_compared() {
    let text = "process { a : { x, y } = x  b : { u, v } = u  c : { y, v } = y }
step s: when a != b then a := y";
    let diagnostic = mistake(text);
    assert_eq!(diagnostic.code, "no-common-value");
    assert_eq!(&text[diagnostic.labels[0].span.range()], "a != b");
    assert_eq!(
        diagnostic.notes,
        ["one is among x, y, the other among u, v"]
    );
    // One value in common is enough, whoever the variables belong to.
    let fine = "process { a : { x, y } = x  c : { y, v } = y }
step s: when a = c then a := x
property p: never exists p, q: p.a = q.c and p.a = y";
    assert!(Protocol::parse(&Source::new("test.protocol", fine)).is_ok());
    let others = text.replace("a != b", "exists other q: q.a = b");
    assert_eq!(mistake(&others).code, "no-common-value");
}

#[test]
fn a_number_that_may_not_fit_is_told_where_it_is_computed() {
    for condition in [
        "x - 2147483647 - 2 < 0",
        "x + 2147483647 > 0",
        "0 - x - 2147483647 > 1",
        "x * 1000000000 >= 0",
        "-(x - 2147483646 - 5) < 0",
        "(if x = 1 then 2147483647 else 0) + x > 0",
    ] {
        let step = format!("process {{ x : 0..3 = 0 }}\nstep go: when {condition} then x := 1");
        let told = mistake(&step);
        assert!(
            told.to_string().contains("numbers have 32 bits"),
            "{condition}: {told}"
        );
        let never = format!(
            "process {{ x : 0..3 = 0 }}\nproperty p: never exists p: {}",
            condition.replace('x', "p.x")
        );
        assert!(
            mistake(&never).to_string().contains("32 bits"),
            "{condition}"
        );
    }
    // What fits is computed.
    let fits = "process { x : 0..3 = 0 }\nstep go: when x - 2147483647 < 0 then x := 1";
    assert!(Protocol::parse(&Source::new("test.protocol", fits)).is_ok());
}
