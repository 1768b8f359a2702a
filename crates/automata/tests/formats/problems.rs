//! Files that belong together, and sizes.

use quotient_automata::formats::{Limits, Reading, decode, read, read_all};
use quotient_core::{Budget, Source, Stop};

use crate::support::{document, relates, transducer, try_read};

fn timbuk(letters: &str, rule: &str) -> Source {
    let text = format!(
        "Ops x:0 {letters}\nAutomaton A\nStates q\nFinal States q\nTransitions\nx() -> q\n{rule}(q) -> q\n"
    );
    Source::new("part.tmb", text)
}

#[test]
fn complements_speak_of_the_letters_of_all_files() {
    let files = [
        (timbuk("a:1 b:1", "not_in{a}"), Reading::default()),
        (timbuk("c:1 a:1", "in{c}"), Reading::default()),
    ];
    let documents = read_all(&files, &Budget::unlimited()).unwrap();
    let first = documents[0].automaton().unwrap();
    assert_eq!(
        first.alphabet().names().collect::<Vec<_>>(),
        ["a", "b", "c"]
    );
    assert!(first.accepts(&first.alphabet().word("b c").unwrap()));
    assert_eq!(
        first.alphabet(),
        documents[1].automaton().unwrap().alphabet()
    );
    let warning = &documents[0].warnings[0];
    assert_eq!(warning.code, "alphabets-differ");
    assert!(warning.message.contains("`c`"));
    assert!(
        documents[1].warnings.is_empty(),
        "a list of letters means the same everywhere"
    );
}

#[test]
fn complements_without_a_declaration_grow_silently() {
    let fsa = |label: &str| {
        let text = format!("fa(r(fsa_preds),1,[0],[0],[trans(0,{label},0)],[]).");
        (Source::new("part", text), Reading::default())
    };
    let documents = read_all(&[fsa("not_in([a])"), fsa("b")], &Budget::unlimited()).unwrap();
    let first = documents[0].automaton().unwrap();
    assert!(first.accepts(&first.alphabet().word("b").unwrap()));
    assert!(documents[0].warnings.is_empty());
}

#[test]
fn machines_move_to_larger_alphabets() {
    let small = document(timbuk("a:1 b:1", "not_in{a}").text());
    let large = quotient_automata::Alphabet::new(["c", "b", "a"]).unwrap();
    let moved = small.machines[0].machine.over(&large).unwrap();
    assert_eq!(moved.alphabet(), &large);
    assert!(moved.over(&small.alphabet).is_err());
}

#[test]
fn hundreds_of_letters_and_thousands_of_edges_are_read() {
    use std::fmt::Write;
    let mut text = String::from("Transition { init: s0;\n");
    for edge in 0..7_000 {
        let (from, to) = (edge % 97, edge % 89);
        let _ = writeln!(
            text,
            "s{from} -> s{to} l{}/l{};",
            edge % 581,
            (edge * 7) % 581
        );
    }
    text.push_str("accepting: s1; }");
    let document = document(&text);
    assert_eq!(document.alphabet.len(), 581);
    assert_eq!(document.transducer().unwrap().edges().len(), 7_000);
}

#[test]
fn sizes_are_limited_before_they_hurt() {
    let tight = |limits: Limits| Reading {
        limits,
        ..Reading::default()
    };
    let text = timbuk("a:1", "a");
    let refused = try_read(
        "f",
        text.text(),
        &tight(Limits {
            bytes: 10,
            ..Limits::default()
        }),
    );
    assert_eq!(refused.unwrap_err().code, "too-large");
    let refused = try_read(
        "f",
        text.text(),
        &tight(Limits {
            label_bytes: 0,
            ..Limits::default()
        }),
    );
    assert_eq!(refused.unwrap_err().code, "too-large");
    let lines: Vec<String> = (0..40).map(|bit| format!("q b{bit} r\n")).collect();
    let text = format!("@NFA-bits\n%Initial q\n%Final r\n{}", lines.concat());
    assert_eq!(
        try_read("f", &text, &Reading::default()).unwrap_err().code,
        "too-large"
    );
    let nested = format!(
        "@NFA-bits\n%Initial q\n%Final r\nq {}a{} r\n",
        "(".repeat(100_000),
        ")".repeat(100_000)
    );
    assert_eq!(
        try_read("f", &nested, &Reading::default())
            .unwrap_err()
            .code,
        "too-deep"
    );
    let nested = "[".repeat(1_000_000);
    let refused = try_read(
        "f",
        &format!("{{\"initial\": {nested}"),
        &Reading::default(),
    );
    assert_eq!(refused.unwrap_err().code, "too-deep");
}

#[test]
fn huge_counts_cost_nothing() {
    let text =
        "fa(r(fsa_preds),99999999999999999999,[0],[18446744073709551616],[trans(0,a,0)],[]).";
    assert_eq!(document(text).automaton().unwrap().len(), 2);
}

#[test]
fn an_interrupted_budget_stops_reading() {
    let budget = Budget::unlimited();
    budget.interrupt();
    let stopped = read(&timbuk("a:1", "a"), &Reading::default(), &budget).unwrap_err();
    assert_eq!(stopped, Stop::Interrupted.into());
}

#[test]
fn a_byte_order_mark_is_no_text() {
    let bytes = [
        b"\xef\xbb\xbf".as_slice(),
        timbuk("a:1", "a").text().as_bytes(),
    ]
    .concat();
    let source = decode("f", bytes, &Limits::default()).unwrap();
    assert!(read(&source, &Reading::default(), &Budget::unlimited()).is_ok());
}

#[test]
fn line_ends_of_other_systems_are_blanks() {
    let text = timbuk("a:1 b:1", "a/b").text().replace('\n', "\r\n");
    assert!(relates(&transducer(&text), "a a", "b b"));
    assert_eq!(crate::support::words("0 1 a\r\n1\r\n", 1), ["a"]);
    let mata = "@NFA\r\n%Initial q\r\n%Final r\r\nq a r\r\n";
    assert_eq!(crate::support::words(mata, 1), ["a"]);
}

#[test]
fn many_letters_between_two_states_are_one_set() {
    use std::fmt::Write;
    let mut text = String::from("@NFA\n%Initial q\n%Final r\n");
    for letter in 0..50_000 {
        let _ = writeln!(text, "q l{letter} r");
    }
    let nfa = document(&text).automaton().unwrap().clone();
    assert_eq!((nfa.alphabet().len(), nfa.edges().len()), (50_000, 1));
}
