//! The words of the messages: what is wrong, where, what was expected, what to do.

use quotient_automata::formats::{Kind, Limits, Reading, decode};
use quotient_core::Diagnostic;

use crate::support::{document, try_read};

/// A diagnostic as text: the line, the places with what stands there, notes and help.
fn show(diagnostic: &Diagnostic) -> String {
    let mut text = format!("{diagnostic} [{}]\n", diagnostic.code);
    for label in &diagnostic.labels {
        let source = diagnostic.source.as_ref().expect("labels have a source");
        let (line, column) = source.position(label.span.start);
        let place = &source.text()[label.span.range()];
        text += &format!(
            "  {line}:{column} `{}`: {}\n",
            place.escape_debug(),
            label.text
        );
    }
    diagnostic
        .notes
        .iter()
        .for_each(|note| text += &format!("  note: {note}\n"));
    diagnostic
        .help
        .iter()
        .for_each(|help| text += &format!("  help: {help}\n"));
    text
}

/// All messages of a list of texts, one snapshot.
fn errors(name: &str, texts: &[&str]) -> String {
    texts
        .iter()
        .map(|text| match try_read(name, text, &Reading::default()) {
            Ok(document) => panic!("read as {document:?}"),
            Err(error) => show(&error),
        })
        .collect::<Vec<_>>()
        .join("\n")
}

const HEADER: &str =
    "Ops x:0 alpha:1 beta:1\nAutomaton A\nStates p q\nFinal States q\nTransitions\n";

fn rules(rules: &[&str]) -> String {
    let texts: Vec<String> = rules
        .iter()
        .map(|rule| format!("{HEADER}{rule}\n"))
        .collect();
    errors(
        "model.tmb",
        &texts.iter().map(String::as_str).collect::<Vec<_>>(),
    )
}

#[test]
fn unknown_formats() {
    insta::assert_snapshot!(errors(
        "notes.txt",
        &[
            "Dear reader,\nthis is a letter.\n",
            "Opps x:0 a:1\nAutomaton\n",
            "",
            "des (0, 1, 2)\n(0, a, 1)\n",
            "MODULE main\n",
            "digraph { a -> b }",
        ]
    ));
}

#[test]
fn timbuk_rules() {
    insta::assert_snapshot!(rules(&[
        "x() -> r",
        "y() -> p",
        "alpah(p) -> q",
        "in{alpha,betta}(p) -> q",
        "in{alpha(p) -> q",
        "alpha(p) q",
        "alpha(p, q) -> q",
        "alpha -> q",
        "@alpha/@beta(p) -> q",
        "@alpha/beta(p) -> q",
        "\"alpha(p) -> q",
        "alpha",
    ]));
}

#[test]
fn timbuk_declarations() {
    insta::assert_snapshot!(errors(
        "model.tmb",
        &[
            &HEADER.replace("beta:1", "alpha:1"),
            &HEADER.replace("beta:1", "beta:2"),
            &HEADER.replace("beta:1", "beta:0"),
            &HEADER.replace("beta:1", "beta"),
            &HEADER.replace("States p q\n", "States p q p\n"),
            &HEADER.replace("Final States q", "Final States r"),
            &HEADER.replace("States p q\n", ""),
            &format!("{HEADER}Transitions\n"),
            "Ops x:0 a:1\n",
        ]
    ));
}

#[test]
fn fsa_terms() {
    insta::assert_snapshot!(errors(
        "model.pl",
        &[
            "fa(r(fsa_preds),1,[0],[0],[trans(0,a/b,0)],[]).",
            "fa(t(fsa_preds,fsa_preds),1,[0],[0],[trans(0,a,0)],[]).",
            "fa(r(fsa_pred),1,[0],[0],[],[]).",
            "fa(r(fsa_preds),1,[0],[0],[trans(0,inn([a]),0)],[]).",
            "fa(r(fsa_preds),1,[0],[0],[trans(0,'a,0)],[]).",
            "fa(r(fsa_preds),1,[0],[0],[trans(0,a,0)",
            "fa(r(fsa_preds),1,[0],[0],[trans(0,a,0) jump(0,0)],[]).",
            "fa(t(fsa_preds,fsa_preds),1,[0],[0],[trans(0,$@(a)/ $@(b),0)],[]).",
        ]
    ));
}

#[test]
fn fsm_lines() {
    insta::assert_snapshot!(errors(
        "model.fsm",
        &[
            "0 1 a b 0.5\n1\n",
            "0 1 a\n1 1 a b\n1\n",
            "0 1 a b 0 0\n1 1 a\n",
        ]
    ));
}

#[test]
fn mata_sections() {
    insta::assert_snapshot!(errors(
        "model.mata",
        &[
            "@NFA-explicitt\n%Initial q\n",
            "@AFA-bits\n%Initial q\n",
            "@NFA-bits\n%Initial p & q\n%Final q\n",
            "@NFA-bits\n%Initial p\n%Final q\np (a & ) q\n",
            "@NFA-bits\n%Initial p\n%Final q\np (a & b q\n",
            "@NFA\n%Alphabet alpha beta\n%Initial p\n%Final q\np alhpa q\n",
            "@NFA\n%Initial p\n%Final q\np a\n",
            "@NFA\n%Initial p\n%Final q\np \"a q\n",
            "@NFA-BDD\n%Initial p\n%Final q\np 01 q\n",
            "@NFT\n%Initial p\n%Final q\n%LevelsNum 3\n",
        ]
    ));
}

#[test]
fn slrp_blocks() {
    insta::assert_snapshot!(errors(
        "model.slrp",
        &[
            "Initial { init: a; }\nTransitions { init: a; }",
            "Initial { init: a; a -> b x/y; }",
            "Transition { init: a; a -> b x; }",
            "Initial { init: a; } Initial { init: a; }",
            "Initial { init: a; a > b x; }",
            "Initial { init: a; a -> b x }",
            "Initial { int: a; }",
            "Initial { init: a; /* a -> b x; }",
        ]
    ));
}

#[test]
fn json_values() {
    insta::assert_snapshot!(errors(
        "model.json",
        &[
            r#"{"alphabet": ["a"], "initial": {"states": [0], "initialStates": [0], "accepting": [1], "transitions": []}}"#,
            r#"{"alphabet": ["alpha"], "initial": {"initialStates": [0], "accepting": [0], "transitions": [{"source": 0, "letter": "alhpa", "target": [0]}]}}"#,
            r#"{"alphabet": ["a", "a"]}"#,
            r#"{"initial": {"initialState": [0], "accepting": [0], "transitions": []}}"#,
            r#"{"initial": 3}"#,
            r#"{"alphabet": ["a"] "initial": {}}"#,
            r#"{"transducer": {"initialStates": [0], "accepting": [0], "transitions": [{"source": 0, "letter": "a/b", "target": [0]}]}}"#,
            r#"{}"#,
        ]
    ));
}

#[test]
fn wrong_kinds_and_parts() {
    let transducer = document(&format!("{HEADER}x() -> p\nalpha/beta(p) -> q\n"));
    let automaton = document("fa(r(fsa_preds),1,[0],[0],[],[]).");
    let part =
        document("Initial { init: a; accepting: a; }\nTransition { init: a; accepting: a; }");
    let marked = try_read(
        "file",
        &HEADER.replace("Automaton A", "Automaton A @INFA"),
        &Reading {
            expect: Some(Kind::Transducer),
            ..Reading::default()
        },
    );
    let messages = [
        transducer.automaton().unwrap_err(),
        automaton.transducer().unwrap_err(),
        marked.unwrap().transducer().unwrap_err(),
        part.problem().unwrap_err(),
        document("@NFA\n%Initial p\n%Final p\n@NFA\n%Initial p\n%Final p\n")
            .automaton()
            .unwrap_err(),
    ];
    insta::assert_snapshot!(messages.iter().map(show).collect::<Vec<_>>().join("\n"));
}

#[test]
fn files_that_are_no_texts_or_too_large() {
    let limits = Limits {
        bytes: 64,
        ..Limits::default()
    };
    let messages = [
        decode("image.bin", vec![1, 2, 0, 3], &limits).unwrap_err(),
        decode("model.tmb.gz", vec![0x1f, 0x8b, 8, 0], &limits).unwrap_err(),
        decode("old.tmb", b"Ops caf\xe9:1".to_vec(), &limits).unwrap_err(),
        decode("wide.tmb", b"\xff\xfeO\0p\0s\0".to_vec(), &limits).unwrap_err(),
        decode("large.tmb", vec![b' '; 65], &limits).unwrap_err(),
        try_read(
            "large.tmb",
            &" ".repeat(65),
            &Reading {
                limits,
                ..Reading::default()
            },
        )
        .unwrap_err(),
    ];
    insta::assert_snapshot!(messages.iter().map(show).collect::<Vec<_>>().join("\n"));
}
