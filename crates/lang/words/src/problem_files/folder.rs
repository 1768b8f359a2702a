//! Folders: a manifest in it, or files whose names say what they are.

use quotient_automata::formats::{Kind, Limits, Reading, detect, read};
use quotient_core::{Budget, Diagnostic, Source, Span, Trouble};
use quotient_language::Files;

use super::parts::{Assembled, Parts, Path, assemble, load, stem};
use super::{ProblemFile, Statement, read_problem, statement};

/// Files that state a problem by themselves, if they are in a folder.
pub(crate) const MAIN_FILES: [&str; 3] = ["problem.toml", "quotient.toml", "armc.properties"];

/// Reads a problem from a folder, given the names of the files in it. A manifest
/// (`problem.toml`, `quotient.toml`) or an `armc.properties` counts; without one, `init` is the
/// initial set, files whose names begin with `bad` are properties, and every transducer is a
/// transition. Other automata are left out, which a warning says.
pub fn read_folder(
    folder: &str,
    names: &[String],
    files: &mut dyn Files,
    limits: &Limits,
    budget: &Budget,
) -> Result<ProblemFile, Trouble> {
    let here = Source::new(folder, "");
    if let Some(main) = MAIN_FILES
        .iter()
        .find(|main| names.iter().any(|name| name == *main))
    {
        let source = load(&here, &path(main), files, limits)?;
        return read_problem(&source, files, limits, budget);
    }
    let mut names = names.to_vec();
    names.sort_unstable();
    let mut parts = Parts::default();
    let mut others = Vec::new();
    for name in &names {
        match stem(name) {
            "init" | "initial" if parts.init.is_none() => parts.init = Some(path(name)),
            other if other.starts_with("bad") => parts.bad.push((None, path(name))),
            _ => others.push(name),
        }
    }
    // A folder that is no problem by its names is not read.
    if parts.init.is_none() || parts.bad.is_empty() {
        let automata = others.into_iter().filter(|name| is_automaton(name));
        let automata: Vec<String> = automata.map(|name| format!("`{name}`")).collect();
        return Err(incomplete(&here, &parts, &automata).into());
    }
    let mut unused = Vec::new();
    for name in others {
        match is_transducer(&here, name, files, limits, budget)? {
            Some(true) => parts.transitions.push((None, path(name))),
            Some(false) => unused.push(format!("`{name}`")),
            None => {}
        }
    }
    if parts.transitions.is_empty() {
        return Err(incomplete(&here, &parts, &unused).into());
    }
    let Assembled {
        problem,
        stated,
        mut warnings,
    } = assemble(&here, parts, files, limits, budget)?;
    if !unused.is_empty() {
        warnings.push(
            Diagnostic::warning("unused-files", format!("not used: {}", unused.join(", ")))
                .in_source(&here)
                .note("they are automata, and only `init` and `bad…` are")
                .help("name the parts in a manifest `problem.toml`"),
        );
    }
    Ok(ProblemFile {
        name: None,
        problem,
        stated,
        configuration: None,
        timeout: None,
        warnings,
    })
}

/// Whether a file holds automata and nothing else, by its name.
pub(crate) fn is_automaton(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| ["tmb", "mata", "vtf", "fsa"].contains(&ending))
}

/// What a folder lacks to be a problem, and what is there.
fn incomplete(here: &Source, parts: &Parts, others: &[String]) -> Diagnostic {
    /// More names are noise.
    const MOST: usize = 6;
    if parts.init.is_none() && parts.bad.is_empty() && others.is_empty() {
        return Diagnostic::error("missing-part", "there is no problem in this folder")
            .in_source(here)
            .help("a folder has a manifest `problem.toml`, or files `init.tmb`, `bad.tmb` and transducers");
    }
    let names_say_it = parts.init.is_some() && !parts.bad.is_empty();
    let wanted = [
        (parts.init.is_none(), "`init.tmb` (the words to begin with)"),
        (
            parts.bad.is_empty(),
            "`bad.tmb` (the words that must not be reached)",
        ),
        (names_say_it, "a transducer (the steps)"),
    ];
    let missing = wanted.iter().filter(|(is_missing, _)| *is_missing);
    let missing: Vec<&str> = missing.map(|(_, what)| *what).collect();
    let message = format!(
        "this folder is no whole problem: it lacks {}",
        missing.join(" and ")
    );
    let init = parts.init.iter();
    let bad = parts.bad.iter().map(|(_, path)| path);
    let own = init.chain(bad).map(|path| format!("`{}`", path.path));
    let mut there: Vec<String> = own.chain(others.iter().cloned()).collect();
    if there.len() > MOST {
        let more = there.len() - MOST;
        there.truncate(MOST);
        there.push(format!("{more} more"));
    }
    let parts = "`init = \"FILE\"`, `bad = \"FILE\"`, `transitions = [\"FILE\"]`";
    Diagnostic::error("missing-part", message)
        .in_source(here)
        .note(format!("there is {}", there.join(", ")))
        .help(format!(
            "name the files so, or name them in a manifest `problem.toml`: {parts}"
        ))
}

fn path(name: &str) -> Path {
    Path {
        path: name.to_owned(),
        span: Span::default(),
    }
}

/// Whether a file is a transducer; `None` if it is no file of automata.
fn is_transducer(
    here: &Source,
    name: &str,
    files: &mut dyn Files,
    limits: &Limits,
    budget: &Budget,
) -> Result<Option<bool>, Trouble> {
    let source = match load(here, &path(name), files, limits) {
        Ok(source) => source,
        // A step that cannot be read is not a step that is not there.
        Err(trouble) if is_automaton(name) => return Err(trouble.into()),
        Err(_) => return Ok(None),
    };
    if statement(&source) != Statement::Whole || detect(&source).is_none() {
        return Ok(None);
    }
    let reading = Reading {
        limits: *limits,
        ..Reading::default()
    };
    let document = read(&source, &reading, budget)?;
    let mut kinds = document.machines.iter().map(|named| named.machine.kind());
    Ok(Some(kinds.all(|kind| kind == Kind::Transducer)))
}
