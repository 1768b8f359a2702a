//! Reading in one line.

use quotient_automata::Transducer;
use quotient_automata::formats::{Document, Reading, read};
use quotient_core::{Budget, Diagnostic, Source, Trouble};

pub(crate) fn try_read(name: &str, text: &str, reading: &Reading) -> Result<Document, Diagnostic> {
    read(&Source::new(name, text), reading, &Budget::unlimited()).map_err(mistake)
}

/// The only mistake.
pub(crate) fn mistake(trouble: Trouble) -> Diagnostic {
    match trouble {
        Trouble::Invalid(mistakes) => {
            assert_eq!(mistakes.len(), 1);
            mistakes.into_iter().next().unwrap()
        }
        Trouble::Stopped(stop) => panic!("stopped without a limit: {stop}"),
    }
}

pub(crate) fn document(text: &str) -> Document {
    try_read("file", text, &Reading::default()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The words of the one automaton of a text, up to a length.
pub(crate) fn words(text: &str, length: usize) -> Vec<String> {
    let document = document(text);
    let nfa = document
        .automaton()
        .unwrap_or_else(|error| panic!("{error}"));
    nfa.words(length, &Budget::unlimited())
        .unwrap()
        .map(|word| nfa.alphabet().show(&word))
        .collect()
}

/// The one transducer of a text.
pub(crate) fn transducer(text: &str) -> Transducer {
    let document = document(text);
    document
        .transducer()
        .unwrap_or_else(|error| panic!("{error}"))
        .clone()
}

/// Whether the transducer relates two words.
pub(crate) fn relates(transducer: &Transducer, input: &str, output: &str) -> bool {
    let alphabet = transducer.alphabet();
    transducer.relates(
        &alphabet.word(input).unwrap(),
        &alphabet.word(output).unwrap(),
    )
}

/// The error of a text that cannot be read.
pub(crate) fn error(text: &str) -> Diagnostic {
    match try_read("file", text, &Reading::default()) {
        Ok(document) => panic!("read as {document:?}"),
        Err(error) => error,
    }
}
