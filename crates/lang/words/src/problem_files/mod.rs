//! Problems as files: a TOML manifest, a folder, a configuration of the original tool, or one
//! file that states the whole problem (SLRP, JSON).
//!
//! Nothing here opens a file: [`Files`] does, so that a caller decides what may be read.
//!
//! ```
//! use quotient_core::{Budget, Source};
//! use quotient_language::MemoryFiles;
//! use quotient_words::problem_files::read_problem;
//! let machine = |rule: &str| format!(
//!     "Ops x:0 T:1 N:1\nAutomaton A\nStates p\nFinal States p\nTransitions\nx() -> p\n{rule}\n"
//! );
//! let mut files: MemoryFiles = [
//!     ("init.tmb", machine("T(p) -> p")),
//!     ("bad.tmb", machine("N(p) -> p")),
//!     ("step1.tmb", machine("@in{T,N}/@in{T,N}(p) -> p")),
//! ].into_iter().collect();
//! let manifest = "init = \"init.tmb\"\nbad = \"bad.tmb\"\ntransitions = [\"step*.tmb\"]\n";
//! let source = Source::new("problem.toml", manifest);
//! let read = read_problem(&source, &mut files, &Default::default(), &Budget::unlimited())?;
//! assert_eq!(read.problem.relation().parts()[0].0, "step1");
//! # Ok::<(), quotient_core::Trouble>(())
//! ```

mod folder;
mod manifest;
mod parts;
mod properties;

use std::time::Duration;

use quotient_automata::formats::{Document, Limits, Reading, read};
use quotient_automata::{Problem, Property, Relation};
use quotient_core::{Budget, Diagnostic, Source, Span, Trouble};
use quotient_language::Files;
use quotient_regular::Configuration;

pub use folder::read_folder;

pub(crate) use folder::{MAIN_FILES, is_automaton};
pub(crate) use manifest::signs as signs_of_a_manifest;
pub(crate) use parts::stem;

/// A problem as it was read, with what its files say about how to solve it.
#[derive(Debug, Clone)]
pub struct ProblemFile {
    /// What the files call it.
    pub name: Option<String>,
    /// The question.
    pub problem: Problem,
    /// Where each property comes from, in their order.
    pub stated: Vec<Stated>,
    /// The method that the files ask for.
    pub configuration: Option<Configuration>,
    /// The time that the files allow.
    pub timeout: Option<Duration>,
    /// What is odd about the files, though they can be used.
    pub warnings: Vec<Diagnostic>,
}

/// Where a property comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stated {
    /// The file of its bad words, if that is one of its own.
    pub file: Option<String>,
    /// Where the main file names it.
    pub span: Option<Span>,
}

/// How a text states a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Statement {
    /// A manifest that names the parts.
    Manifest,
    /// A configuration of the original tool.
    Properties,
    /// The parts themselves, or no problem at all.
    Whole,
}

/// How a text states a problem, by its first lines and its name.
pub(crate) fn statement(source: &Source) -> Statement {
    let text = source.text();
    if properties::is_one(text) {
        return Statement::Properties;
    }
    // What begins like an automaton is one, whatever its lines look like.
    let clue = quotient_automata::formats::detect(source).map(|(_, clue)| clue);
    if clue == Some(quotient_automata::formats::Clue::Beginning) {
        return Statement::Whole;
    }
    let name = source.name().to_ascii_lowercase();
    if manifest::signs(text) > 0 || name.ends_with(".toml") {
        return Statement::Manifest;
    }
    match name.ends_with(".properties") {
        true => Statement::Properties,
        false => Statement::Whole,
    }
}

/// Reads a problem from its main file: a manifest, an `armc.properties`, or a file that states
/// the whole problem.
pub fn read_problem(
    source: &Source,
    files: &mut dyn Files,
    limits: &Limits,
    budget: &Budget,
) -> Result<ProblemFile, Trouble> {
    match statement(source) {
        Statement::Manifest => manifest::read(source, files, limits, budget),
        Statement::Properties => properties::read(source, files, limits, budget),
        Statement::Whole => {
            let reading = Reading {
                limits: *limits,
                ..Reading::default()
            };
            Ok(whole_problem(&read(source, &reading, budget)?)?)
        }
    }
}

/// The problem that one document states.
pub(crate) fn whole_problem(document: &Document) -> Result<ProblemFile, Diagnostic> {
    let parts = document.problem()?;
    let properties: Vec<Property> = parts
        .bad
        .iter()
        .map(|&(name, bad)| Property {
            name: name.to_owned(),
            bad: bad.clone(),
        })
        .collect();
    let transitions = parts
        .transitions
        .iter()
        .map(|&(name, transducer)| (name.to_owned(), transducer.clone()))
        .collect();
    let relation = Relation::new(&document.alphabet, transitions);
    let stated = vec![Stated::default(); properties.len()];
    let problem = Problem::new(parts.initial.clone(), properties, relation).map_err(|error| {
        Diagnostic::error("problem", error.to_string()).in_source(&document.source)
    })?;
    Ok(ProblemFile {
        name: None,
        problem,
        stated,
        configuration: None,
        timeout: None,
        warnings: document.warnings.clone(),
    })
}
