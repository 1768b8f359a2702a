//! Automata and transducers from files.

use std::collections::BTreeSet;

use quotient_automata::formats::{Format, Limits, Named, Role, write};
use quotient_automata::{Nfa, Word};
use quotient_core::{Budget, Context, Diagnostic, Source, Trouble, Verdict};
use quotient_protocol::{Interpreter, Protocol};
use quotient_regular::Options;

const LOCK: &str = "
    process { location idle, wants, critical }
    step ask: when at = idle then at := wants
    step enter: when at = wants and forall other p: p.at != critical then at := critical
    step leave: when at = critical then at := idle
    property mutex: never exists p, q: p.at = critical and q.at = critical
";

fn read(text: &str, files: &[(&str, &str)]) -> Result<Protocol, Diagnostic> {
    let source = Source::new("test.protocol", text);
    Protocol::parse_with(&source, &mut |path| {
        let known = files.iter().find(|(name, _)| *name == path);
        let (name, text) = known.ok_or("there is no such file")?;
        Ok(Source::new(*name, *text))
    })
}

/// A protocol with its parts written to files and read again is the same protocol.
#[test]
fn what_was_compiled_can_be_imported() {
    let budget = Budget::unlimited();
    let original = read(LOCK, &[]).unwrap();
    let compiled = original.compile(&budget).unwrap();
    for format in [Format::Timbuk, Format::Mata, Format::Fsa] {
        let file = |named: Named| {
            write(&[named], format, &Limits::default(), &budget)
                .unwrap()
                .text
        };
        let mut files = vec![
            (
                "start".to_owned(),
                file(Named::new(
                    "start",
                    Role::Unspecified,
                    compiled.initial().clone(),
                )),
            ),
            (
                "bad".to_owned(),
                file(Named::new(
                    "bad",
                    Role::Unspecified,
                    compiled.bad()[0].1.clone(),
                )),
            ),
        ];
        for (name, part) in compiled.relation().parts() {
            files.push((
                name.clone(),
                file(Named::new(name, Role::Unspecified, part.clone())),
            ));
        }
        let files: Vec<(&str, &str)> = (files.iter())
            .map(|(name, text)| (name.as_str(), text.as_str()))
            .collect();
        let text = r#"
            process { location idle, wants, critical }
            initially import "start"
            step ask: import "ask"
            step enter: import "enter"
            step leave: import "leave"
            property mutex: never import "bad""#;
        let imported = read(text, &files).unwrap();
        let again = imported.compile(&budget).unwrap();
        let (one, other) = (
            Interpreter::new(&original, &compiled),
            Interpreter::new(&imported, &again),
        );
        for size in 1..=3 {
            let (first, second) = (
                one.explore(size, &budget).unwrap(),
                other.explore(size, &budget).unwrap(),
            );
            assert_eq!(first.configurations, second.configurations, "{format:?}");
            assert_eq!(first.steps, second.steps, "{format:?}");
            assert_eq!(second.violations.len(), 0, "{format:?}");
        }
        for (name, part) in compiled.relation().parts() {
            let same = again
                .relation()
                .parts()
                .iter()
                .find(|(known, _)| known == name);
            for word in compiled.configurations().words(3, &budget).unwrap() {
                let image = |part: &quotient_automata::Transducer| -> BTreeSet<Word> {
                    let word = Nfa::of_word(part.alphabet(), &word);
                    part.apply(&word, &budget)
                        .unwrap()
                        .words(4, &budget)
                        .unwrap()
                        .collect()
                };
                assert_eq!(image(part), image(&same.unwrap().1), "{format:?} {name}");
            }
        }
        let report = imported
            .check(&[], &Options::default(), &Context::default())
            .unwrap();
        assert_eq!(report.answers[0].answer.verdict(), Verdict::Holds);
    }
}

#[test]
fn a_file_that_is_not_there_is_pointed_at() {
    let text = "process { location a }\nproperty p: never import \"none.tmb\"";
    let error = read(text, &[]).unwrap_err();
    assert!(
        error.message.contains("cannot import `none.tmb`"),
        "{error}"
    );
    assert_eq!(&text[error.labels[0].span.range()], "\"none.tmb\"");
}

#[test]
fn an_unknown_letter_is_pointed_at() {
    let text = "process { location idle, busy }\nstep go: when at = idle then at := busy\n\
                property p: never import \"bad.tmb\"";
    let bad = "Ops x:0 idel:1\nAutomaton bad\nStates q\nFinal States q\nTransitions\nx() -> q\nidel(q) -> q\n";
    let protocol = read(text, &[("bad.tmb", bad)]).unwrap();
    let Err(Trouble::Invalid(mistakes)) = protocol.compile(&Budget::unlimited()) else {
        panic!("an unknown letter was accepted")
    };
    let error = &mistakes[0];
    assert!(error.message.contains("letter `idel`"), "{error}");
    assert_eq!(&text[error.labels[0].span.range()], "\"bad.tmb\"");
    assert!(
        error.help.iter().any(|help| help.contains("`idle`")),
        "{error:?}"
    );
}

#[test]
fn an_automaton_is_no_step() {
    let text =
        "process { location idle, busy }\nstep go: import \"go.mata\"\nproperty p: no deadlock";
    let bad = "@NFA-explicit\n%Initial q\n%Final q\nq idle q\n";
    let protocol = read(text, &[("go.mata", bad)]).unwrap();
    let Err(Trouble::Invalid(mistakes)) = protocol.compile(&Budget::unlimited()) else {
        panic!("an automaton was accepted as a step")
    };
    let error = &mistakes[0];
    assert!(error.message.contains("go.mata"), "{error}");
}
