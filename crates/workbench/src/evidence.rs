//! Evidence files: one piece or a list of them.

use quotient_core::{Diagnostic, Evidence, Source};

/// Reads an evidence file. What is wrong with it is said without quoting more of the file than
/// the place: it may be any file.
///
/// ```
/// use quotient_core::Source;
/// let error = quotient_workbench::read_evidence(&Source::new("e.json", "[]")).unwrap_err();
/// assert_eq!(error.code, "no-evidence");
/// ```
pub fn read_evidence(source: &Source) -> Result<Vec<Evidence>, Diagnostic> {
    let text = source.text().trim_start();
    let read = match text.starts_with('[') {
        true => serde_json::from_str::<Vec<Evidence>>(text),
        false => serde_json::from_str::<Evidence>(text).map(|one| vec![one]),
    };
    let wrong = |message: &str| {
        Diagnostic::error("no-evidence", message)
            .in_source(source)
            .help("`quotient check FILE --evidence OUT` writes one")
    };
    match read {
        Ok(evidence) if evidence.is_empty() => Err(wrong("the file has no evidence")),
        Ok(evidence) => Ok(evidence),
        Err(error) => {
            let (line, column) = (error.line(), error.column());
            let what = match error.classify() {
                serde_json::error::Category::Data => "it is JSON, but no evidence of this version",
                _ => "it is no JSON",
            };
            Err(wrong("this is not an evidence file")
                .note(format!("{what} (line {line}, column {column})")))
        }
    }
}
