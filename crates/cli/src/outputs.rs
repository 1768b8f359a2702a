//! Files out.

use quotient_core::Diagnostic;
use quotient_language::Written;
pub(crate) use quotient_workbench::write_file;
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
    match &written.bytes {
        None => write_file(path, &written.text)?,
        Some(bytes) => write_file(path, bytes)?,
    }
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

/// Bytes for programs that read texts.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
