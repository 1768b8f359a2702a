//! Files out: written whole or not at all.

use std::io::{ErrorKind, Write};
use std::path::Path;

use quotient_core::Diagnostic;

/// Writes a text file: beside its place first, then renamed, so that a full disk or a signal
/// leaves the old file or the new one, never a half.
pub fn write_file(path: &str, text: &str) -> Result<(), Diagnostic> {
    write_whole(Path::new(path), text.as_bytes()).map_err(|error| {
        let why = match error.kind() {
            ErrorKind::NotFound => "its folder does not exist".to_owned(),
            ErrorKind::PermissionDenied => "permission denied".to_owned(),
            ErrorKind::IsADirectory => "it is a folder".to_owned(),
            _ => error.to_string(),
        };
        Diagnostic::error("unwritable", format!("cannot write `{path}`: {why}"))
    })
}

fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    // What is no regular file (a terminal, a pipe) cannot be replaced.
    if let Ok(kind) = std::fs::metadata(path) {
        if kind.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        if !kind.is_file() {
            return std::fs::OpenOptions::new()
                .write(true)
                .open(path)?
                .write_all(bytes);
        }
    }
    let name = path.file_name().ok_or(ErrorKind::IsADirectory)?;
    let mut beside = std::ffi::OsString::from(".");
    beside.push(name);
    beside.push(format!(".{}.new", std::process::id()));
    let beside = path.with_file_name(beside);
    let written = std::fs::File::create(&beside).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    let renamed = written.and_then(|()| std::fs::rename(&beside, path));
    if renamed.is_err() {
        let _ = std::fs::remove_file(&beside);
    }
    renamed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_written_leaves_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.json");
        let name = path.to_str().unwrap();
        write_file(name, "old").unwrap();
        write_file(name, "new").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        let missing = folder.path().join("no/out.json");
        let error = write_file(missing.to_str().unwrap(), "x").unwrap_err();
        assert!(error.message.contains("its folder does not exist"));
        assert!(write_file(folder.path().to_str().unwrap(), "x").is_err());
    }
}
