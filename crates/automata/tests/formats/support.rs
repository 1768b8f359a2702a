//! Reading in one line.

use quotient_automata::formats::{Document, FormatError, Reading, read};
use quotient_core::{Budget, Diagnostic, Source};

pub(crate) fn try_read(name: &str, text: &str, reading: &Reading) -> Result<Document, Diagnostic> {
    read(&Source::new(name, text), reading, &Budget::unlimited()).map_err(|error| match error {
        FormatError::Input(diagnostic) => diagnostic,
        FormatError::Stopped(stop) => panic!("stopped without a limit: {stop}"),
    })
}

pub(crate) fn document(text: &str) -> Document {
    try_read("file", text, &Reading::default()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}
