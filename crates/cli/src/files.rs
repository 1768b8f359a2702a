//! Files in: paths, standard input, folders, parts of files.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use quotient_core::{Budget, Diagnostic, Source, Stop};
use quotient_language::{Files, Input, NoFiles};
use quotient_workbench::{Access, Folder, Request};

use crate::failure::Failure;
use crate::options::ModelArguments;
use crate::session::Session;

/// The most bytes of a file, unless the memory allowed is less.
const MOST_BYTES: u64 = 256 << 20;

/// A request about a model: a file, a folder, or `-` for standard input.
pub(crate) fn request(
    path: &str,
    model: &ModelArguments,
    session: &Session,
) -> Result<Request, Failure> {
    let access = match model.allow_outside {
        true => Access::Anywhere,
        false => Access::Inside,
    };
    let most = most_bytes(&session.budget);
    let mut request = if path != "-" && Path::new(path).is_dir() {
        let folder = Folder::at(path, access, most, &session.budget);
        let names = folder
            .names()
            .map_err(|why| unreadable_folder(path, &why))?;
        Request {
            files: Noted::all(Path::new(path), folder),
            ..Request::of(Input::folder(path, names))
        }
    } else {
        let input = input(path, session)?;
        let beside = || Folder::beside(path, access, most, &session.budget);
        Request {
            files: match path {
                "-" => Box::new(NoFiles),
                _ => Noted::all(Path::new(path).parent().unwrap_or(Path::new("")), beside()),
            },
            ..Request::of(input)
        }
    };
    request.language.clone_from(&model.language);
    request.settings.clone_from(&session.settings);
    // What a setting names is read beside the model, or where it lies seen from here.
    let folder = Path::new(path).parent().unwrap_or(Path::new(""));
    for (_, named) in &session.settings {
        note(&folder.join(named));
        note(Path::new(named));
    }
    Ok(request)
}

/// The text of a file; `-` is standard input.
pub(crate) fn source(path: &str, session: &Session) -> Result<Source, Failure> {
    Ok(input(path, session)?.require_text()?.clone())
}

/// The bytes of a file; `-` is standard input.
pub(crate) fn input(path: &str, session: &Session) -> Result<Input, Failure> {
    let most = most_bytes(&session.budget);
    let (name, bytes) = match path {
        "-" => (
            "<stdin>",
            bytes_of(std::io::stdin().lock(), most, &session.budget),
        ),
        _ => (path, bytes_of_file(path, most, &session.budget)),
    };
    note(Path::new(path));
    let bytes = bytes.map_err(|error| unreadable(path, &error))??;
    if bytes.len() as u64 > most {
        let message = format!("the file is larger than {most} bytes, the most allowed");
        let help = match session.budget.memory_limit() {
            Some(_) => "give it more memory with --memory, or check that this is the right file",
            None => "check that this is the right file",
        };
        return Err(Diagnostic::error("too-large", message)
            .in_source(&Source::new(name, ""))
            .help(help)
            .into());
    }
    Ok(Input::bytes(name, bytes))
}

/// The files that were read because somebody named them.
static NAMED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn note(path: &Path) {
    if let Ok(place) = std::fs::canonicalize(path) {
        let mut named = NAMED.lock().unwrap_or_else(PoisonError::into_inner);
        if !named.contains(&place) {
            named.push(place);
        }
    }
}

/// Refuses to write over a file that was read: whoever names it twice has mixed up two names, and would
/// lose a model.
pub(crate) fn keep_what_was_read(path: &str) -> Result<(), Diagnostic> {
    let named = NAMED.lock().unwrap_or_else(PoisonError::into_inner);
    match std::fs::canonicalize(path) {
        Ok(place) if place.is_file() && named.contains(&place) => {
            let message = format!("`{path}` was read, and is not written over");
            Err(Diagnostic::error("unwritable", message).help("write to a file of another name"))
        }
        _ => Ok(()),
    }
}

/// The files that were written.
static WRITTEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Refuses to write two things into one file: only the last would be there.
pub(crate) fn keep_what_was_written(path: &str) -> Result<(), Diagnostic> {
    let written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
    match std::fs::canonicalize(path) {
        Ok(place) if place.is_file() && written.contains(&place) => {
            let message = format!("`{path}` is written already, with something else in it");
            Err(Diagnostic::error("unwritable", message).help("give each output a name of its own"))
        }
        _ => Ok(()),
    }
}

/// Notes that a file was written.
pub(crate) fn note_written(path: &str) {
    if let Ok(place) = std::fs::canonicalize(path) {
        let mut written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
        written.push(place);
    }
}

/// `FILE#NAME`, unless there is a file of that very name.
pub(crate) fn split(path: &str) -> (&str, Option<&str>) {
    match path.rsplit_once('#') {
        Some((file, part)) if !Path::new(path).exists() => (file, Some(part)),
        _ => (path, None),
    }
}

/// How a second file is named beside a first: not at all if it is the same, by its name alone if
/// it lies in the same folder.
pub(crate) fn seen_from(first: &str, second: &str) -> String {
    let [first, second] = [first, second].map(Path::new);
    match (second.file_name(), first == second) {
        (_, true) => String::new(),
        (Some(name), _) if first.parent() == second.parent() => name.to_string_lossy().into_owned(),
        _ => second.to_string_lossy().into_owned(),
    }
}

/// Lets a request read one more file, which the user named, wherever it lies.
pub(crate) fn also(
    request: &mut Request,
    name: &str,
    path: &str,
    session: &Session,
) -> Result<(), Failure> {
    let bytes = input(path, session)?.raw().to_vec();
    let rest = std::mem::replace(&mut request.files, Box::new(NoFiles));
    let name = name.to_owned();
    request.files = Box::new(Also { name, bytes, rest });
    Ok(())
}

/// The files beside a model, and one more.
struct Also {
    name: String,
    bytes: Vec<u8>,
    rest: Box<dyn Files + Send>,
}

impl Files for Also {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, String> {
        match path == self.name {
            true => Ok(self.bytes.clone()),
            false => self.rest.read(path),
        }
    }

    fn find(&mut self, pattern: &str) -> Result<Vec<String>, String> {
        self.rest.find(pattern)
    }
}

/// Files of a folder; which of them were read is noted.
struct Noted {
    folder: PathBuf,
    files: Folder,
}

impl Noted {
    fn all(folder: &Path, files: Folder) -> Box<dyn Files + Send> {
        let folder = folder.to_owned();
        Box::new(Noted { folder, files })
    }
}

impl Files for Noted {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, String> {
        let bytes = self.files.read(path)?;
        note(&self.folder.join(path));
        note(Path::new(path));
        Ok(bytes)
    }

    fn find(&mut self, pattern: &str) -> Result<Vec<String>, String> {
        self.files.find(pattern)
    }
}

/// A file larger than the memory allowed is too large as well.
pub(crate) fn most_bytes(budget: &Budget) -> u64 {
    budget.memory_limit().unwrap_or(MOST_BYTES).min(MOST_BYTES)
}

fn bytes_of_file(path: &str, most: u64, budget: &Budget) -> std::io::Result<Result<Vec<u8>, Stop>> {
    let kind = std::fs::metadata(path)?;
    if kind.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    // Opening a pipe waits for somebody to write into it.
    if !kind.is_file() && !path.starts_with("/dev/") && !path.starts_with("/proc/") {
        let why = "it is no regular file; use `-` to read from a pipe";
        return Err(std::io::Error::new(ErrorKind::Unsupported, why));
    }
    bytes_of(std::fs::File::open(path)?, most, budget)
}

/// One byte more than the limit is enough to see that it is too much. Where time is up, so is the
/// reading: a device may be slow and have no end.
fn bytes_of(from: impl Read, most: u64, budget: &Budget) -> std::io::Result<Result<Vec<u8>, Stop>> {
    const AT_ONCE: usize = 4 << 20;
    let mut from = from.take(most + 1);
    let mut bytes = Vec::new();
    while from.by_ref().take(AT_ONCE as u64).read_to_end(&mut bytes)? == AT_ONCE {
        match budget.poll() {
            Err(stop) if stop != Stop::Memory => return Ok(Err(stop)),
            _ => {}
        }
    }
    Ok(Ok(bytes))
}

fn unreadable_folder(path: &str, why: &str) -> Diagnostic {
    Diagnostic::error(
        "unreadable",
        format!("cannot read the folder `{path}`: {why}"),
    )
}

fn unreadable(path: &str, error: &std::io::Error) -> Diagnostic {
    let (why, help) = match error.kind() {
        ErrorKind::NotFound => ("there is no such file", None),
        ErrorKind::PermissionDenied => {
            ("permission denied", Some("check who may read it: `ls -l`"))
        }
        ErrorKind::IsADirectory => ("it is a folder", Some("name a file in it")),
        _ => ("", None),
    };
    let why = if why.is_empty() {
        error.to_string()
    } else {
        why.to_owned()
    };
    let mut diagnostic = Diagnostic::error("unreadable", format!("cannot read `{path}`: {why}"));
    if let Some(help) = help {
        diagnostic = diagnostic.help(help);
    }
    if error.kind() == ErrorKind::NotFound {
        let siblings = siblings(path);
        diagnostic = diagnostic.did_you_mean(path, siblings.iter().map(String::as_str));
    }
    diagnostic
}

/// The files in the folder of a path, as they would be written in its place.
fn siblings(path: &str) -> Vec<String> {
    let folder = Path::new(path).parent().unwrap_or(Path::new(""));
    let looked_in = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let Ok(entries) = std::fs::read_dir(looked_in) else {
        return Vec::new();
    };
    let mut names: Vec<String> = entries
        .flatten()
        .take(1000)
        .map(|entry| {
            folder
                .join(entry.file_name())
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    names
}
