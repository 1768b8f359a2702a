//! Questions about systems: what kind a file is decides which front end reads it and which
//! engine answers.

mod certify;
mod folder;
mod manifest;
mod out;
mod properties;
pub(crate) mod protocol;
mod words;

use std::path::Path;

use quotient_automata::formats::{Detected, Foreign, Named, detect};
use quotient_core::{Diagnostic, Event, Evidence, Source, Verdict};
use quotient_regular::Configuration;
use serde_json::Value;

use crate::failure::Failure;
use crate::files;
use crate::session::Session;

pub(crate) use certify::certify;
pub(crate) use manifest::template;
pub(crate) use out::write as write_folder;

/// What the user wants of a check, whatever the front end.
#[derive(Debug)]
pub(crate) struct Wishes {
    /// Only these properties; all if there are none.
    pub(crate) properties: Vec<String>,
    /// The method for problems about words, if one is named.
    pub(crate) method: Option<Configuration>,
    /// How many threads, if that is said.
    pub(crate) threads: Option<usize>,
    /// Whether to look for reasons to doubt the model.
    pub(crate) doubt: bool,
    /// Whether a run comes with the sets that it was chosen from.
    pub(crate) family: bool,
    /// Whether all automata of the run are wanted.
    pub(crate) every_automaton: bool,
}

/// What came out.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    /// What the problem is called.
    pub(crate) title: String,
    pub(crate) answers: Vec<Answer>,
    /// Reasons to doubt the model: for people and for programs.
    pub(crate) doubts: Vec<(String, Value)>,
    /// What is odd about the input.
    pub(crate) warnings: Vec<Diagnostic>,
    pub(crate) story: Vec<Event>,
    /// The parts of the problem, to be shown beside the answers.
    pub(crate) parts: Vec<Named>,
}

/// The answer to one property.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) property: String,
    pub(crate) verdict: Verdict,
    /// The method that gave it.
    pub(crate) method: Option<String>,
    pub(crate) refinements: u64,
    /// What shows it, in a line.
    pub(crate) because: String,
    /// The steps of a violation: the action (none for the first) and the state reached.
    pub(crate) trace: Vec<(Option<String>, String)>,
    /// The violation in the words of the source, where the language has its own.
    pub(crate) table: Option<Table>,
    pub(crate) evidence: Option<Evidence>,
    /// Automata that belong to it, with a word about each.
    pub(crate) exhibits: Vec<(String, Named)>,
}

/// A run as a table.
#[derive(Debug)]
pub(crate) struct Table {
    /// For people: aligned columns.
    pub(crate) text: String,
    /// The cells, the first row the head.
    pub(crate) cells: Vec<Vec<String>>,
    /// For programs.
    pub(crate) json: Value,
}

/// Checks the problem in a file or folder.
pub(crate) fn check(path: &str, wishes: &Wishes, session: &Session) -> Result<Checked, Failure> {
    if !Path::new(path).is_dir() {
        let source = files::source(path, session)?;
        if detect(&source) == Some(Detected::Foreign(Foreign::Protocol)) {
            return protocol::check(&source, wishes, session);
        }
    }
    words::check(read_words(path, session)?, wishes, session)
}

/// Reads a problem about words from a file or folder, whatever describes it there.
fn read_words(path: &str, session: &Session) -> Result<words::Setup, Failure> {
    if Path::new(path).is_dir() {
        return folder::read(path, session);
    }
    let source = files::source(path, session)?;
    match detect(&source) {
        Some(Detected::Foreign(Foreign::Manifest)) => manifest::read(&source, session),
        Some(Detected::Foreign(Foreign::ArmcProperties)) => properties::read(&source, session),
        Some(Detected::Foreign(Foreign::Protocol)) => protocol::read(&source, session),
        Some(Detected::Foreign(other)) => Err(unsupported(&source, other).into()),
        // If the format is not known, the reader says what is.
        Some(Detected::Automata(_)) | None => words::whole_problem(&source, session),
    }
}

fn unsupported(source: &Source, what: Foreign) -> Diagnostic {
    let message = format!("this is {}, which `check` does not read", what.describe());
    Diagnostic::error("unsupported", message)
        .in_source(source)
        .help("problems are TOML manifests, folders, SLRP and JSON files and protocol models")
}
