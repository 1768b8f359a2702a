//! What the dialects of each format mean.

use quotient_automata::formats::{Clue, Format, Kind, Limits, Named, Reading, Role, detect, write};
use quotient_core::{Budget, Source};

use crate::support::{document, error, relates, transducer, try_read, words};

/// A Timbuk file with two letters, two states and these rules.
fn timbuk(rules: &str) -> String {
    format!("Ops x:0 a:1 b:1\nAutomaton A\nStates p q\nFinal States q\nTransitions\n{rules}\n")
}

#[test]
fn timbuk_start_rules_add_up() {
    assert_eq!(words(&timbuk("x() -> p\nx -> q\na(p) -> q"), 2), ["ε", "a"]);
}

#[test]
fn timbuk_sets_may_hold_blanks_and_line_breaks() {
    assert_eq!(
        words(&timbuk("x() -> p\nin{ a ,\n b } (p) -> q"), 1),
        ["a", "b"]
    );
    assert_eq!(words(&timbuk("x() -> p\n\"not_in{a}\"(p) -> q"), 1), ["b"]);
    assert_eq!(words(&timbuk("x() -> p\nnot_in{}( p )->q"), 1), ["a", "b"]);
    assert_eq!(
        words(&timbuk("x() -> p\nin{}(p) -> q"), 1),
        Vec::<String>::new()
    );
}

#[test]
fn timbuk_epsilon_has_four_spellings() {
    for epsilon in ["\"\"(p) -> q", "(p) -> q", "ε(p) -> q", "p -> q"] {
        assert_eq!(
            words(&timbuk(&format!("x() -> p\n{epsilon}\na(q) -> q")), 1),
            ["ε", "a"]
        );
    }
}

#[test]
fn timbuk_plain_dialect_is_read() {
    let text = "# made by a tool\n% and another\nOps a:1 x:0 b:1\n\nAutomaton A\nStates q0:0 q1:0 \n\
                Final States q1:0\nTransitions\n# a rule\nx -> q0\na(q0:0) -> q1:0\nb(q1) -> q1";
    assert_eq!(words(text, 2), ["a", "a b"]);
}

#[test]
fn timbuk_comment_signs_may_be_letters() {
    let text = "Ops x:0 #:1 |:1 $:1\nAutomaton A\nStates p q\nFinal States q\nTransitions\n\
                # no rule\nx() -> p\n#(p) -> q\n|(q) -> p\n$(q) -> q % not a letter\n";
    assert_eq!(words(text, 3), ["#", "# $", "# | #", "# $ $"]);
}

#[test]
fn timbuk_sections_come_in_any_order() {
    let text =
        "Automaton A\nTransitions\nx() -> p\na(p) -> q\nFinal States q\nStates p q\nOps x:0 a:1";
    assert_eq!(words(text, 2), ["a"]);
}

#[test]
fn timbuk_copies_are_not_products() {
    let copy = transducer(&timbuk("x() -> p\n@in{a,b}/@in{a,b}(p) -> q"));
    assert!(relates(&copy, "a", "a") && !relates(&copy, "a", "b"));
    let product = transducer(&timbuk("x() -> p\nin{a,b}/in{a,b}(p) -> q"));
    assert!(relates(&product, "a", "a") && relates(&product, "a", "b"));
    let quoted = transducer(&timbuk("x() -> p\n\"@not_in{}/@not_in{}\"(p) -> q"));
    assert!(relates(&quoted, "b", "b") && !relates(&quoted, "a", "b"));
}

#[test]
fn timbuk_transducers_insert_and_delete() {
    let step = transducer(&timbuk("x() -> p\na/(p) -> p\n/b(p) -> p\n/(p) -> q"));
    assert!(relates(&step, "a a", "b") && relates(&step, "", "") && !relates(&step, "b", ""));
}

#[test]
fn timbuk_letters_alone_copy_in_a_transducer() {
    let text = timbuk("x() -> p\na(p) -> q");
    assert!(document(&text).automaton().is_ok());
    let reading = Reading {
        expect: Some(Kind::Transducer),
        ..Reading::default()
    };
    let document = try_read("file", &text, &reading).unwrap();
    assert!(relates(document.transducer().unwrap(), "a", "a"));
    let marked = text.replace("Automaton A", "Automaton A @INT");
    assert!(relates(&transducer(&marked), "a", "a"));
}

#[test]
fn timbuk_letters_may_contain_a_slash() {
    let text = "Ops x:0 /:1 a:1\nAutomaton A\nStates p q\nFinal States q\nTransitions\nx() -> p\n/(p) -> q";
    assert_eq!(words(text, 1), ["/"]);
    let text = text.replace("/(p) -> q", "//a(p) -> q");
    assert!(relates(&transducer(&text), "/", "a"));
    let text = text.replace("//a(p)", "in{/}/in{/}(p)");
    assert!(relates(&transducer(&text), "/", "/"));
    let text = text.replace("in{/}/in{/}(p)", "///(p)");
    assert!(relates(&transducer(&text), "/", "/"));
    let text = text.replace("/:1", "/:1 //:1");
    assert_eq!(error(&text).code, "ambiguous-label");
}

#[test]
fn timbuk_files_may_hold_several_automata() {
    let text = timbuk("x() -> p\na(p) -> q")
        + "Automaton B @INFA\nStates r\nFinal States r\nTransitions\nx() -> r\nb(r) -> r\n";
    let names: Vec<String> = document(&text)
        .machines
        .into_iter()
        .map(|named| named.name)
        .collect();
    assert_eq!(names, ["A", "B"]);
}

fn fsa(moves: &str, jumps: &str) -> String {
    format!(
        "% made by hand\nfa(\nr(fsa_preds),\n3, [0],[2],\n[{moves}],\n[{jumps}]).\n:- x(y).\ncurrent(1,'a').\n"
    )
}

fn fsa_transducer(moves: &str) -> String {
    format!("fa(t(fsa_preds,fsa_preds),2,[0],[1],[{moves}],[]).")
}

#[test]
fn fsa_blanks_around_the_slash_belong_to_nobody() {
    for label in ["# / b", "#/b", "'#'/ b", "# /b", "# /* to */ / b"] {
        let step = transducer(&fsa_transducer(&format!("trans(0,{label},1)")));
        assert!(relates(&step, "#", "b"), "{label}");
    }
}

#[test]
fn fsa_identities_are_copies_however_quoted() {
    for label in [
        "$@(in([a,b]))/ $@(in([a,b]))",
        "'$@'(in([b,a]))/'$@'(in([a,b]))",
        "$@(not_in([c]))/ $@(not_in([c]))",
    ] {
        let step = transducer(&fsa_transducer(&format!(
            "trans(0,{label},1),trans(1,c/c,1),trans(1,a/b,1)"
        )));
        assert!(
            relates(&step, "a", "a") && !relates(&step, "a", "b"),
            "{label}"
        );
    }
    let one = transducer(&fsa_transducer("trans(0,$@(a)/ $@(a),1)"));
    assert!(relates(&one, "a", "a"));
    for wrong in ["$@(in([a,b]))/ $@(not_in([a,b]))", "$@(a)/b"] {
        assert_eq!(
            error(&fsa_transducer(&format!("trans(0,{wrong},1)"))).code,
            "identity"
        );
    }
}

#[test]
fn fsa_jumps_to_new_states_chain() {
    assert_eq!(
        words(&fsa("trans(1,a,2)", "jump(0,7), jump(7,1)"), 2),
        ["a"]
    );
}

#[test]
fn fsa_starts_add_up_and_numbers_are_letters() {
    let text = "fa(r(fsa_frozen),2,[0,1],[1],[trans(0,'1',1),trans(1,2,1)],[]).";
    assert_eq!(words(text, 2), ["ε", "1", "2", "1 2", "2 2"]);
}

#[test]
fn fsa_operators_and_slashes_are_letters() {
    assert_eq!(
        words(&fsa("trans(0,<,1),trans(1,'/',2),trans(2,|,2)", ""), 3),
        ["< /", "< / |"]
    );
    let step = transducer(&fsa_transducer(
        "trans(0,> /'|',1),trans(1,'/'/[],1),trans(1,'|'/ <,1)",
    ));
    assert!(relates(&step, "> / |", "| <"));
}

#[test]
fn fsa_words_on_a_label_are_read_in_order() {
    let step = transducer(&fsa_transducer("trans(0,a/[b,c,a],1)"));
    assert!(relates(&step, "a", "b c a") && !relates(&step, "a", "b c"));
}

#[test]
fn fsm_columns_tell_automata_from_transducers() {
    assert_eq!(words("0 1 a\n1 1 b 0.0\n1\n", 2), ["a", "a b"]);
    let step = transducer("0\t1\ta\tb\n1\t1\t<eps>\tb\n1 0\n");
    assert!(relates(&step, "a", "b b") && !relates(&step, "a", "a"));
    let numbered = transducer("0 1 1 0\n1 1 2 1\n1\n");
    assert!(relates(&numbered, "1 2", "1"));
}

#[test]
fn fsm_symbol_tables_name_the_letters() {
    let table = |text: &str| Source::new("symbols", text);
    let reading = Reading {
        symbols: vec![table("<eps> 0\nhigh 1\nlow 2\n"), table("<eps> 0\non 1\n")],
        ..Reading::default()
    };
    let document = try_read("step.fsm", "0 1 high on\n1 1 2 0\n1\n", &reading).unwrap();
    assert!(relates(
        document.transducer().unwrap(),
        "high low low",
        "on"
    ));
    let unknown = try_read("step.fsm", "0 1 hgih on\n1\n", &reading).unwrap_err();
    assert_eq!(
        (unknown.code, unknown.help[0].as_str()),
        ("undeclared-letter", "did you mean `high`?")
    );
}

#[test]
fn fsm_weights_are_refused() {
    assert_eq!(error("0 1 a 0.5\n1 1 b\n1\n").code, "weighted");
    assert_eq!(error("0 1 a\n1 2\n").code, "weighted");
}

#[test]
fn mata_explicit_sections_are_read() {
    let text = "# comment\n@NFA-explicit\n%Alphabet-auto\n%Initial q0 | p\n%Final \"the end\"\n\
                q0 a \"the end\" # more\np (b | c) \\\n\"the end\"\nq0 () p\n";
    assert_eq!(words(text, 1), ["a", "b", "c"]);
}

#[test]
fn vtf_letters_may_be_declared_with_ranks() {
    let text = "@NFA\n%Alphabet a:1 b:1\n%Initial p\n%Final q\n%Transitions\np a q\n";
    assert_eq!(words(text, 1), ["a"]);
    let names = |text: &str| -> Vec<String> {
        document(text).alphabet.names().map(str::to_owned).collect()
    };
    assert_eq!(names(text), ["a", "b"]);
    // A colon in the transitions too is part of the name.
    let text = text.replace("p a q", "p a:1 q");
    assert_eq!(names(&text), ["a:1", "b:1"]);
    assert_eq!(
        error(&text.replace("p a:1 q", "p c q")).code,
        "undeclared-letter"
    );
    // Where no transition tells, `:1` at every letter is a rank, unless it stands in quotes.
    for (text, letters) in [
        (
            "@NFA\n%Alphabet a:1 b:1\n%Initial p\n%Final p\n",
            ["a", "b"],
        ),
        (
            "@NFA\n%Alphabet a:1 b:1\n%Initial p\n%Final q\np 4294967294 q\n",
            ["a", "b"],
        ),
        (
            "@NFA\n%Alphabet \"a:1\" b:1\n%Initial p\n%Final p\n",
            ["a:1", "b:1"],
        ),
        (
            "@NFA\n%Alphabet a:1 b:2\n%Initial p\n%Final p\n",
            ["a:1", "b:2"],
        ),
    ] {
        assert_eq!(names(text), letters, "{text}");
        // What is written means the same.
        let document = document(text);
        let named = Named::new(
            "a",
            Role::Unspecified,
            document.automaton().unwrap().clone(),
        );
        let (limits, budget) = (Limits::default(), Budget::unlimited());
        let written = write(&[named], Format::Mata, &limits, &budget).unwrap();
        assert_eq!(names(&written.text), letters, "{}", written.text);
    }
    // Each part of a file may declare them: they are the same letters, and no others.
    let part = "@NFA\n%Alphabet a:1 b:1\n%Initial p\n%Final p\np a p\np b p\n";
    for text in [
        format!("{part}{part}"),
        format!("{part}@NFA\n%Alphabet a:1 b:1\n%Initial p\n%Final p\n"),
        format!("@NFA\n%Initial p\n%Final p\np a p\n{part}"),
    ] {
        assert_eq!(names(&text), ["a", "b"], "{text}");
    }
    // A letter without a rank that comes first makes the others names, if they would be two.
    let mixed = "@NFA\n%Alphabet c a:1\n%Initial p\n%Final p\np c p\np a p\n";
    assert_eq!(names(mixed), ["c", "a"]);
    let mixed = format!("@NFA\n%Initial p\n%Final p\np a p\n{mixed}");
    assert_eq!(error(&mixed).code, "undeclared-letter");
}

#[test]
fn parts_of_a_file_are_found_by_name_and_by_place() {
    let text = "@NFA\n%Initial p\n%Final p\np a p\n@NFA\n%Name 1\n%Initial p\n%Final q\np a q\n\
                @NFA\n%Initial p\n%Final p\n";
    let document = document(text);
    let names: Vec<&str> = document
        .machines
        .iter()
        .map(|named| named.name.as_str())
        .collect();
    assert_eq!(names, ["file#1", "1", "file#3"]);
    assert_eq!(document.part("1"), Ok(1));
    assert_eq!(document.part("3"), Ok(2));
    assert_eq!(document.part("file#1"), Ok(0));
    for none in ["0", "4", "q", ""] {
        assert_eq!(document.part(none).unwrap_err().code, "no-such-part");
    }
}

#[test]
fn timbuk_arities_may_follow_a_blank() {
    let text = "Ops x:0 abtt2: 1 b:1\nAutomaton A\nStates p q\nFinal States q\nTransitions\n\
                x() -> p\nabtt2(p) -> q\n";
    assert_eq!(words(text, 1), ["abtt2"]);
    assert_eq!(
        error(&text.replace("abtt2: 1", "abtt2: b:1 abtt2:1")).code,
        "arity"
    );
}

#[test]
fn a_hundred_thousand_letters_in_a_row_are_no_trouble() {
    use std::fmt::Write;
    let mut text = "@NFA-explicit\n%Alphabet-auto\n%Initial 0\n%Final 100000\n".to_owned();
    for number in 0..100_000 {
        let _ = writeln!(text, "{number} l{number} {}", number + 1);
    }
    let document = document(&text);
    let nfa = document.automaton().unwrap();
    let budget = Budget::unlimited();
    assert_eq!(nfa.edges().len(), 100_000);
    assert_eq!(nfa.determinize(&budget).unwrap().len(), 100_001);
    assert_eq!(nfa.intersection(nfa, &budget).unwrap().len(), 100_001);
    assert_eq!(nfa.is_equivalent_to(nfa, &budget), Ok(true));
}

#[test]
fn vtf_keys_may_span_lines() {
    let text = "@NFA\n%Name n\n%Alphabet a b\n%Initial\n  p\n  \"say \\\"q\\\"\"\n%Final r\n%Transitions\np a r\n\"say \\\"q\\\"\" b r\n";
    assert_eq!(words(text, 1), ["a", "b"]);
}

#[test]
fn mata_bits_are_vectors() {
    let text = "@NFA-bits\n%Initial q\n%Final r\nq (!a1 & a2 | a3) r\n";
    assert_eq!(document(text).alphabet.len(), 2);
    assert_eq!(words(text, 1), ["!a1&!a2&a3|a1&a3|!a1&a2"]);
    let always = "@NFA-bits\n%Initial q\n%Final r\nq true r\n";
    assert_eq!(words(always, 1), ["true"]);
    let text = "@NFA-bits\n%Initial q\n%Final r\nq a1&!(a2|a1&false) r\n";
    assert_eq!(words(text, 1), ["a1&!a2"]);
}

#[test]
fn vtf_vectors_have_either_bits() {
    let text = "@NFA-BDD\n%Symbol-Vars 3\n%Initial q\n%Final r\nq 1x0 r\n";
    assert_eq!(words(text, 1), ["1x0"]);
    assert_eq!(error(&text.replace("1x0", "1x")).code, "bit-count");
    assert_eq!(error(&text.replace("3", "300000")).code, "too-large");
}

#[test]
fn vtf_transducers_read_and_write_words() {
    let step = transducer("@NFT\n%Initial q\n%Final r\nq (a b) (c) r\nr () (a) r\nr a a q\n");
    assert!(
        relates(&step, "a b", "c") && relates(&step, "a b", "c a a") && !relates(&step, "a", "c")
    );
}

#[test]
fn mata_levels_are_input_and_output() {
    let step = transducer(
        "@NFT-explicit\n%Alphabet-auto\n%Initial q0\n%Final q0\n%Levels q0:0 q1:1 q2:1\n%LevelsNum 2\n\
         q0 1 q1\nq1 2 q0\nq0 4294967295 q2\nq2 1 q0\nq0 2 q0\n",
    );
    assert!(relates(&step, "1", "2") && relates(&step, "", "1") && relates(&step, "2", "2"));
    assert!(!relates(&step, "1", "1"));
    // The two halves of a step are one edge.
    assert_eq!(step.edges().len(), 3);
}

#[test]
fn slrp_problems_and_games_are_read() {
    let text = "// token passing\nclosedUnderTransitions;\ntransducerStateGuessing: 1 .. 10;\n\
                Initial { init: a; a -> b T; b -> b N; accepting: b; }\n\
                Transition { init: p; p -> p N/N; p -> q T/N; q -> r N/T; r -> r N/N; accepting: r; }\n\
                Bad { init: a, c; a -> a N; c->a; /* more */ accepting: a; }";
    let document = document(text);
    assert_eq!(
        document.settings,
        ["closedUnderTransitions", "transducerStateGuessing: 1 .. 10"]
    );
    let parts = document.problem().unwrap();
    assert_eq!(
        (
            parts.initial.len(),
            parts.transitions.len(),
            parts.bad.len()
        ),
        (2, 1, 1)
    );
    assert!(relates(parts.transitions[0].1, "T N", "N T"));
    let game = "I0 { init: s; accepting: s; } F { init: s; accepting: s; }\n\
                P1 { init: s; s -> s a/b; accepting: s; } P2 { init: s; s -> s b/a; accepting: s; }";
    let game = crate::support::document(game);
    assert_eq!(game.problem().unwrap_err().code, "liveness-game");
    assert_eq!(game.machines[3].role, Role::SecondPlayer);
}

#[test]
fn json_problems_are_read() {
    let text = r#"{ "alphabet": ["T", "N"],
      "initial": { "states": [0, 1], "initialStates": [0], "accepting": [1],
        "transitions": [ { "source": 0, "letter": "T", "target": [1] }, { "source": 1, "letter": "N", "target": [1] } ] },
      "transducer": { "states": ["p", "q"], "initialStates": ["p"], "accepting": ["q"], "alphabet": ["[T,N]"],
        "transitions": [ { "source": "p", "letter": "[T,N]", "target": ["q"] }, { "source": "p", "letter": "[N, T]", "target": [] } ] },
      "properties": {
        "none": { "states": [0], "initialStates": [0], "accepting": [0], "transitions": [ { "source": 0, "letter": "N", "target": [0] } ] },
        "two": { "states": [0], "initialStates": [], "accepting": [], "transitions": [] } } }"#;
    let document = document(text);
    let parts = document.problem().unwrap();
    assert_eq!(
        parts.bad.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
        ["none", "two"]
    );
    assert!(relates(parts.transitions[0].1, "T", "N"));
}

#[test]
fn json_letters_may_be_expressions() {
    let text = r#"{ "alphabet": ["t1", "t2", "n"],
      "initial": { "initialStates": [0], "accepting": [0],
        "transitions": [ { "source": 0, "letter": "t[12]|n", "target": [0] } ] },
      "transducer": { "initialStates": [0], "accepting": [1],
        "transitions": [ { "source": 0, "letter": "(.*),\\1", "target": [0] },
          { "source": 0, "letter": "t.,n", "target": [1] }, { "source": 1, "letter": "(?P<x>.*),(?P=x)", "target": [1] },
          { "source": 1, "letter": "n,t1", "target": [1] } ] },
      "properties": { "none": { "initialStates": [0], "accepting": [0],
        "transitions": [ { "source": 0, "letter": ".*", "target": [0] } ] } } }"#;
    let document = document(text);
    let parts = document.problem().unwrap();
    let all = parts.initial.words(1, &Budget::unlimited()).unwrap();
    assert_eq!(all.count(), 4);
    let step = parts.transitions[0].1;
    for (from, to, related) in [
        ("t2 t1 n", "t2 n n", true),
        ("t2 t1 n", "t2 n t1", true),
        ("t2 t1 n", "t2 n t2", false),
        ("t2 t1", "t1 n", false),
        ("n n", "n n", false),
    ] {
        assert_eq!(relates(step, from, to), related, "{from} to {to}");
    }
    assert_eq!(
        error(&text.replace("t.,n", "x.,n")).code,
        "undeclared-letter"
    );
    assert_eq!(error(&text.replace("t.,n", "t.,(n")).code, "syntax");
    let slow = text.replace("t.,n", "((.*)*)*,((.*)*)*x");
    assert_eq!(
        error(&slow.replace("t1", &"t".repeat(40))).code,
        "too-large"
    );
}

#[test]
fn texts_of_other_languages_are_no_automata() {
    let texts = [
        "des (0, 1, 2)\n(0, a, 1)\n",
        "-- comment\nMODULE main\nVAR x : boolean;\n",
        "// lts\nLOCK = (acquire -> release -> LOCK).\n||SYS = (LOCK || LOCK).\n",
        "# ring\nprotocol \"ring\"\ntopology ring\n",
        "range R = 0..3\nP = (a[i:R] -> P).\n",
        "HOA: v1\n",
        "# problem\ninit = \"init.tmb\"\n",
        "# config\nINIT_FILE_PATH = init.tmb\n",
    ];
    for text in texts {
        assert_eq!(detect(&Source::new("file", text)), None, "{text}");
        assert_eq!(error(text).code, "unknown-format");
    }
    assert_eq!(error("digraph { a -> b }").code, "write-only");
    assert_eq!(error(" \n").code, "empty-file");
}

#[test]
fn the_name_helps_only_where_the_text_does_not() {
    let empty = Source::new("machine.fsm", "");
    assert_eq!(detect(&empty), Some((Format::Fsm, Clue::Name)));
    let misleading = Source::new("machine.fsm", "@NFA\n%Initial q\n%Final q\n");
    assert_eq!(detect(&misleading), Some((Format::Mata, Clue::Beginning)));
    let lines = Source::new("machine", "0 1 a\n1\n");
    assert_eq!(detect(&lines), Some((Format::Fsm, Clue::Lines)));
}

/// The fenced examples of the documentation, by the heading above them.
#[test]
fn examples_of_the_documentation_can_be_read() {
    let text = include_str!("../../../../docs/formats.md");
    let mut read = Vec::new();
    for section in text.split("\n## ").skip(1) {
        let heading = section.lines().next().unwrap_or_default();
        for block in section.split("```").skip(1).step_by(2) {
            let example = block.split_once('\n').map_or("", |(_, example)| example);
            if !example.contains("::=") {
                document(example);
                read.push(heading.to_owned());
            }
        }
    }
    assert_eq!(
        read,
        [
            "Timbuk",
            "FSA Utilities",
            "mata and VTF",
            "SLRP",
            "JSON problems"
        ]
    );
}
