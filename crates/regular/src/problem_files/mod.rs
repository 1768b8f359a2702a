//! Problems as files: a TOML manifest, a folder, a configuration of the original tool, or one
//! file that states the whole problem (SLRP, JSON).
//!
//! Nothing here opens a file: [`Files`] does, so that a caller decides what may be read.
//!
//! ```
//! use quotient_core::{Budget, Source};
//! use quotient_regular::problem_files::{Files, read_problem};
//! struct Disk;
//! impl Files for Disk {
//!     fn read(&mut self, path: &str) -> Result<Vec<u8>, String> {
//!         let letters = "Ops x:0 T:1 N:1\nAutomaton A\nStates p\nFinal States p\nTransitions\nx() -> p\n";
//!         Ok(match path {
//!             "init.tmb" => format!("{letters}T(p) -> p\n"),
//!             "bad.tmb" => format!("{letters}N(p) -> p\n"),
//!             _ => format!("{letters}@in{{T,N}}/@in{{T,N}}(p) -> p\n"),
//!         }.into_bytes())
//!     }
//!     fn find(&mut self, pattern: &str) -> Result<Vec<String>, String> {
//!         Ok(vec![pattern.replace('*', "1")])
//!     }
//! }
//! let manifest = "init = \"init.tmb\"\nbad = \"bad.tmb\"\ntransitions = [\"step*.tmb\"]\n";
//! let source = Source::new("problem.toml", manifest);
//! let read = read_problem(&source, &mut Disk, &Default::default(), &Budget::unlimited())?;
//! assert_eq!(read.problem.relation().parts()[0].0, "step1");
//! # Ok::<(), quotient_automata::formats::FormatError>(())
//! ```

mod folder;
mod manifest;
mod parts;
mod properties;

use std::time::Duration;

use quotient_automata::formats::{
    Detected, Document, Foreign, FormatError, Limits, Reading, detect, read,
};
use quotient_core::{Budget, Diagnostic, Source};

use crate::{Configuration, Problem, Property};

pub use folder::read_folder;

/// The files beside a problem. Paths are as the problem writes them, relative to its folder.
pub trait Files {
    /// The contents of a file, or why there are none.
    fn read(&mut self, path: &str) -> Result<Vec<u8>, String>;

    /// The files that a pattern with `*`, `?` and `[…]` stands for, in order.
    fn find(&mut self, pattern: &str) -> Result<Vec<String>, String>;
}

/// A problem as it was read, with what its files say about how to solve it.
#[derive(Debug, Clone)]
pub struct ProblemFile {
    /// What the files call it.
    pub name: Option<String>,
    /// The question.
    pub problem: Problem,
    /// The method that the files ask for.
    pub configuration: Option<Configuration>,
    /// The time that the files allow.
    pub timeout: Option<Duration>,
    /// What is odd about the files, though they can be used.
    pub warnings: Vec<Diagnostic>,
}

/// Reads a problem from its main file: a manifest, an `armc.properties`, or a file that states
/// the whole problem.
pub fn read_problem(
    source: &Source,
    files: &mut dyn Files,
    limits: &Limits,
    budget: &Budget,
) -> Result<ProblemFile, FormatError> {
    match detect(source) {
        Some(Detected::Foreign(Foreign::Manifest)) => manifest::read(source, files, limits, budget),
        Some(Detected::Foreign(Foreign::ArmcProperties)) => {
            properties::read(source, files, limits, budget)
        }
        _ => {
            let reading = Reading {
                limits: *limits,
                ..Reading::default()
            };
            whole_problem(&read(source, &reading, budget)?)
        }
    }
}

/// The problem that one document states.
fn whole_problem(document: &Document) -> Result<ProblemFile, FormatError> {
    let parts = document.problem()?;
    let properties = parts
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
    let relation = quotient_automata::Relation::new(&document.alphabet, transitions);
    let problem = Problem::new(parts.initial.clone(), properties, relation).map_err(|error| {
        Diagnostic::error("problem", error.to_string()).in_source(&document.source)
    })?;
    Ok(ProblemFile {
        name: None,
        problem,
        configuration: None,
        timeout: None,
        warnings: document.warnings.clone(),
    })
}
