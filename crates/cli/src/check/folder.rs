//! A problem as a folder: a manifest in it, or files that are called what they are.

use std::path::{Path, PathBuf};

use quotient_core::Diagnostic;

use super::words::{Files, Settings, Setup, read_files};
use super::{manifest, properties};
use crate::failure::Failure;
use crate::files;
use crate::session::Session;

/// Reads the folder: `problem.toml` or `armc.properties` if there is one, else files whose
/// names begin with `init` and `bad`; all other automata files are transitions.
pub(super) fn read(folder: &str, session: &Session) -> Result<Setup, Failure> {
    for (name, reader) in [
        ("problem.toml", manifest::read as fn(&_, &_) -> _),
        ("armc.properties", properties::read),
    ] {
        let path = Path::new(folder).join(name);
        if path.is_file() {
            return reader(&files::source(&path.to_string_lossy(), session)?, session);
        }
    }
    let files = by_name(folder)?;
    let (problem, warnings) = read_files(&files, session)?;
    Ok(Setup {
        title: folder.to_owned(),
        problem,
        settings: Settings::default(),
        warnings,
    })
}

fn by_name(folder: &str) -> Result<Files, Diagnostic> {
    let unreadable = |error: std::io::Error| {
        Diagnostic::error(
            "unreadable",
            format!("cannot read the folder `{folder}`: {error}"),
        )
    };
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(unreadable)?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_file() && is_automaton_file(path))
        .collect();
    paths.sort();
    let (mut initial, mut bad, mut transitions) = (Vec::new(), Vec::new(), Vec::new());
    for path in paths {
        let name = stem(&path);
        let file = (name.clone(), path.to_string_lossy().into_owned());
        if name.starts_with("init") {
            initial.push(file);
        } else if name.starts_with("bad") {
            bad.push(file);
        } else {
            transitions.push(file);
        }
    }
    let missing = |what: &str| {
        Diagnostic::error("no-problem", format!("the folder `{folder}` has no {what}"))
            .note("its files are called `init…`, `bad…`; all others are transitions")
            .help("or name them in a `problem.toml`: `quotient check --write-config problem.toml`")
    };
    match initial.as_slice() {
        [] => Err(missing("file `init…`")),
        [_] if bad.is_empty() => Err(missing("file `bad…`")),
        [_] if transitions.is_empty() => Err(missing("transitions")),
        [(_, initial)] => Ok(Files {
            initial: initial.clone(),
            bad,
            transitions,
        }),
        _ => Err(missing("single file `init…`")),
    }
}

/// The name of a file without folder and extension.
pub(super) fn stem(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Files with other extensions (tables, notes, pictures) are no part of the problem.
fn is_automaton_file(path: &Path) -> bool {
    let extension = path
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase();
    matches!(
        extension.as_str(),
        "" | "tmb" | "timbuk" | "pl" | "fsa" | "fsm" | "fst" | "mata" | "vtf"
    )
}
