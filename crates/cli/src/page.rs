//! `--out FOLDER`: everything about a check as files, and a page that shows it.

use std::path::Path;

use quotient_core::{Diagnostic, Event};
use quotient_report::Findings;
use quotient_workbench::Checked;

use crate::outputs::write_file;

/// Makes sure that the folder can be written, before any work is done.
pub(crate) fn prepare(folder: &str) -> Result<(), Diagnostic> {
    std::fs::create_dir_all(folder).map_err(|error| {
        Diagnostic::error(
            "unwritable",
            format!("cannot make the folder `{folder}`: {error}"),
        )
    })?;
    let page = Path::new(folder).join("index.html");
    write_file(&page.to_string_lossy(), UNDER_WAY)
}

const UNDER_WAY: &str = "<!DOCTYPE html>\n<title>under way</title>\n";

/// Takes the page away if it still says that work is under way: there is nothing to show.
pub(crate) fn withdraw(folder: &str) {
    let page = Path::new(folder).join("index.html");
    if std::fs::read_to_string(&page).is_ok_and(|text| text == UNDER_WAY) {
        let _ = std::fs::remove_file(page);
    }
}

/// Writes the folder (other files in it are left alone) and gives the names of the files written.
pub(crate) fn write(
    checked: &Checked,
    story: &[Event],
    folder: &str,
) -> Result<Vec<String>, Diagnostic> {
    let findings = Findings {
        title: &checked.title,
        answers: &checked.answers,
        doubts: &checked.doubts,
        exhibits: &checked.exhibits,
        story,
    };
    let mut paths = Vec::new();
    for (name, text) in findings.files() {
        let path = Path::new(folder).join(name);
        let path = path.to_string_lossy().into_owned();
        write_file(&path, &text)?;
        paths.push(path);
    }
    Ok(paths)
}
