//! Files out.

use std::path::Path;

use quotient_core::Diagnostic;
use quotient_language::Written;
use serde_json::json;

use crate::files;
use crate::reply::Reply;

/// Writes a file whole or not at all, and never over one that was read, or written before.
pub(crate) fn write_file(path: &str, content: impl AsRef<[u8]>) -> Result<(), Diagnostic> {
    files::keep_what_was_read(path)?;
    files::keep_what_was_written(path)?;
    quotient_workbench::write_file(path, content)?;
    files::note_written(path);
    Ok(())
}

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
            let suffix = suffix.trim_start_matches('*');
            let line = format!("note: the file `*{suffix}` is only written {when}\n");
            reply.text.push_str(&line);
            result["companions"][suffix] = json!(table);
        }
        match written.bytes {
            None => {
                result["text"] = json!(written.text);
                reply.product = Some(written.text.into());
            }
            Some(bytes) => {
                result["hex"] = json!(hex(&bytes));
                reply.product = Some(bytes);
            }
        }
        reply.result = result;
        return Ok(reply);
    };
    let besides = written.companions.iter();
    let mut besides = besides.map(|(suffix, _)| beside(path, suffix));
    if let Some(taken) = besides.find(|beside| Path::new(beside) == Path::new(path)) {
        let message = format!("`{taken}` is the name of a file that belongs beside the output");
        return Err(Diagnostic::error("unwritable", message).help("give the output another ending"));
    }
    match &written.bytes {
        None => write_file(path, &written.text)?,
        Some(bytes) => write_file(path, bytes)?,
    }
    let mut paths = vec![path.to_owned()];
    for (suffix, table) in &written.companions {
        let beside = beside(path, suffix);
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

/// Where a text that belongs beside a file is written: under its name with something added, `.syms`, or
/// put in the place of its ending, `*.sta`.
fn beside(path: &str, companion: &str) -> String {
    match companion.strip_prefix('*') {
        None => format!("{path}{companion}"),
        Some(ending) => {
            let path = Path::new(path);
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let beside = path.with_file_name(format!("{stem}{ending}"));
            beside.to_string_lossy().into_owned()
        }
    }
}

/// Bytes for programs that read texts.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::beside;

    #[test]
    fn files_beside_others_have_their_names() {
        assert_eq!(beside("m.fsm", ".syms"), "m.fsm.syms");
        assert_eq!(beside("m.tra", "*.sta"), "m.sta");
        assert_eq!(beside("some.where/m", "*1.srew"), "some.where/m1.srew");
    }
}
