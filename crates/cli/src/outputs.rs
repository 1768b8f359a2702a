//! Files out: written whole or not at all.

use std::io::{ErrorKind, Write};
use std::path::Path;

use quotient_core::Diagnostic;
use quotient_language::Written;
use serde_json::json;

use crate::reply::Reply;

/// Writes what was made to a file, with the files that belong beside it; without a path it is the
/// product of the reply. `when` says when there are files beside it.
pub(crate) fn deliver(
    written: Written,
    path: Option<&str>,
    when: &str,
) -> Result<Reply, Diagnostic> {
    let mut result = json!({});
    for (name, value) in written.details {
        result[name.as_str()] = value;
    }
    let mut reply = Reply {
        warnings: written.warnings,
        ..Reply::default()
    };
    let Some(path) = path else {
        for (suffix, table) in &written.companions {
            let line = format!("note: the file `*{suffix}` is only written {when}\n");
            reply.text.push_str(&line);
            result["companions"][suffix.as_str()] = json!(table);
        }
        result["text"] = json!(written.text);
        reply.product = Some(written.text);
        reply.result = result;
        return Ok(reply);
    };
    write_file(path, &written.text)?;
    let mut paths = vec![path.to_owned()];
    for (suffix, table) in &written.companions {
        let beside = format!("{path}{suffix}");
        write_file(&beside, table)?;
        paths.push(beside);
    }
    for line in written.line.lines() {
        reply.text.push_str(&format!("{path}: {line}\n"));
    }
    result["files"] = json!(paths);
    reply.result = result;
    Ok(reply)
}

/// Writes a text file: beside its place first, then renamed, so that a full disk or a signal
/// leaves the old file or the new one, never a half.
pub(crate) fn write_file(path: &str, text: &str) -> Result<(), Diagnostic> {
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
