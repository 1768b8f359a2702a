//! Readers against texts that are almost right.
//!
//! Each seed is mutated with the structure of its format in mind (words moved, doubled and
//! dropped, marks inserted), and read as its own and as every other format. The only claim is
//! that reading ends in a document or an error whose places lie in the text, and that what was
//! read can be written and read again.

use quotient_automata::formats::{Format, Kind, Limits, Reading, decode, detect, read, write};
use quotient_core::{Budget, Diagnostic, Source, Trouble};
use quotient_trial::arbitrary::{Result, Unstructured};

const BUDGET_MILLISECONDS: u64 = 1_200;

const TIMBUK: &str = "% c\nOps x:0 a:1 \"b c\":1 /:1\nAutomaton A <i>x</i> @INT\nStates p:0 q\nFinal States q\nTransitions\n\
    x() -> p\nx -> q\na(p) -> q\n@not_in{a}/@not_in{a}(q) -> q\n\"in{a, /}/\"(p) -> p\n/(q) -> p\nin{\"b c\"}(p) -> q\np -> q\n";
const FSA: &str = "%% c\nfa(t(fsa_preds,fsa_preds),2,[0,1],[1],[trans(0,a/'b c',1),trans(0,$@(in([a,b]))/ $@(in([a,b])),1),\n\
    trans(1,[]/[a,b],0),trans(1,# / not_in([a]),1)],[jump(0,1)]).\n:- x.\n";
const FSM: &str = "0 1 a b\n1 1 <eps> b 0.0\n1 2 3 4\n2 0\n1\n";
const MATA: &str = "@NFA-explicit # c\n%Name \"a \\\"b\\\"\"\n%Alphabet a b c\n%Initial q | r\n%Final r\nq a r\nr (a | b) q\nq () r\n\
    @NFA-bits\n%Initial q\n%Final r\nq (!a1 & a2 | a3) r\n@NFA-BDD\n%Symbol-Vars 2\n%Initial q\n%Final q\n%Transitions\nq 1x q\n\
    @NFT\n%Initial q\n%Final r\n%Levels q:0 r:1\n%LevelsNum 2\nq a r\nr b q\nq (a b) (c) \\\nr\n";
const SLRP: &str = "// c\nflag; range: 1 .. 10;\nInitial { init: a; a -> b T; b -> b N; accepting: b; }\n\
    Transition { init: p, q; p -> p N/N; p -> q T/N; q -> r; /* c */ accepting: r; }\nBad { init: a; a -> a N; accepting: a; }\n";
const JSON: &str = r#"{"alphabet": ["a", "b"], "initial": {"states": [0, "1"], "initialStates": [0], "accepting": ["1"],
    "transitions": [{"source": 0, "letter": "a", "target": [1, 0]}]}, "transducer": {"initialStates": [0], "accepting": [0],
    "transitions": [{"source": 0, "letter": "[a,b]", "target": []}]}, "properties": {"p\u00e9": {"states": [], "initialStates": [],
    "accepting": [], "transitions": []}}}"#;

const SEEDS: [(Format, &str); 6] = [
    (Format::Timbuk, TIMBUK),
    (Format::Fsa, FSA),
    (Format::Fsm, FSM),
    (Format::Mata, MATA),
    (Format::Slrp, SLRP),
    (Format::Json, JSON),
];

/// Pieces that mean something to some reader.
const PIECES: [&str; 36] = [
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    "\\",
    "/",
    "//",
    "/*",
    "*/",
    "->",
    ":",
    ";",
    ",",
    "@",
    "%",
    "#",
    "|",
    "&",
    "!",
    "\n",
    " ",
    "ε",
    "é",
    "in{",
    "not_in{",
    "Ops",
    "Final States",
    "99999999999999999999",
    "0",
    ":1",
    "true",
    ".",
];

fn mutate(unstructured: &mut Unstructured<'_>, seed: &str) -> Result<String> {
    let mut words: Vec<&str> = seed
        .split_inclusive(|c: char| !c.is_alphanumeric())
        .collect();
    for _ in 0..unstructured.int_in_range(0..=6)? {
        let at = unstructured
            .choose_index(words.len().max(1))?
            .min(words.len());
        match unstructured.int_in_range(0..=5)? {
            0 if !words.is_empty() => {
                words.remove(at);
            }
            1 if !words.is_empty() => words.insert(at, words[at]),
            2 if !words.is_empty() => {
                let other = unstructured.choose_index(words.len())?;
                words.swap(at, other);
            }
            3 => words.truncate(at),
            4 if !words.is_empty() => {
                let piece = unstructured.choose(&PIECES)?;
                words[at] = piece;
            }
            _ => words.insert(at, unstructured.choose(&PIECES)?),
        }
    }
    Ok(words.concat())
}

fn check_places(diagnostic: &Diagnostic) {
    assert!(!diagnostic.message.is_empty());
    let Some(source) = &diagnostic.source else {
        return;
    };
    for label in &diagnostic.labels {
        let inside = source.text().get(label.span.range());
        assert!(
            inside.is_some(),
            "{diagnostic}: {:?} is no place in\n{}",
            label.span,
            source.text()
        );
    }
}

fn check(text: &str, format: Option<Format>, expect: Option<Kind>) {
    let budget = Budget::unlimited();
    let limits = Limits {
        letters: 256,
        label_bytes: 1 << 20,
        lines: 100_000,
        ..Limits::default()
    };
    let reading = Reading {
        format,
        expect,
        limits,
        ..Reading::default()
    };
    let source = Source::new("fuzz", text);
    detect(&source);
    let document = match read(&source, &reading, &budget) {
        Ok(document) => document,
        Err(Trouble::Invalid(mistakes)) => return mistakes.iter().for_each(check_places),
        Err(stopped) => panic!("{stopped}"),
    };
    document.warnings.iter().for_each(check_places);
    for named in &document.machines {
        assert_eq!(named.states.len(), named.machine.states());
        if let Err(error) = document.automaton() {
            check_places(&error);
        }
        let written = write(
            std::slice::from_ref(named),
            Format::Timbuk,
            &limits,
            &budget,
        )
        .unwrap();
        let again = read(
            &Source::new("again", written.text.as_str()),
            &Reading::default(),
            &budget,
        );
        let again = again
            .unwrap_or_else(|error| panic!("{error}\nfrom\n{text}\nwritten\n{}", written.text));
        assert_eq!(again.machines[0].machine.states(), named.machine.states());
    }
}

fn fuzz(format: Format) {
    let seed = SEEDS
        .iter()
        .find(|(other, _)| *other == format)
        .expect("a seed")
        .1;
    check(seed, Some(format), None);
    quotient_trial::trial(|unstructured| {
        let text = mutate(unstructured, seed)?;
        let expect =
            *unstructured.choose(&[None, Some(Kind::Automaton), Some(Kind::Transducer)])?;
        check(&text, Some(format), expect);
        check(&text, None, expect);
        Ok(())
    })
    .budget_ms(BUDGET_MILLISECONDS);
}

#[test]
fn timbuk_reader_never_panics() {
    fuzz(Format::Timbuk);
}

#[test]
fn fsa_reader_never_panics() {
    fuzz(Format::Fsa);
}

#[test]
fn fsm_reader_never_panics() {
    fuzz(Format::Fsm);
}

#[test]
fn mata_reader_never_panics() {
    fuzz(Format::Mata);
}

#[test]
fn slrp_reader_never_panics() {
    fuzz(Format::Slrp);
}

#[test]
fn json_reader_never_panics() {
    fuzz(Format::Json);
}

#[test]
fn bytes_and_files_of_other_formats_never_panic() {
    for (_, seed) in SEEDS {
        for (format, _) in SEEDS {
            check(seed, Some(format), None);
        }
    }
    quotient_trial::trial(|unstructured| {
        let bytes = unstructured.bytes(unstructured.len().min(300))?.to_vec();
        let source = match decode("fuzz", bytes, &Limits::default()) {
            Ok(source) => source,
            Err(error) => {
                check_places(&error);
                return Ok(());
            }
        };
        for (format, _) in SEEDS {
            check(source.text(), Some(format), None);
        }
        check(source.text(), None, None);
        Ok(())
    })
    .budget_ms(BUDGET_MILLISECONDS);
}
