//! `--out FOLDER`: everything about a check as files, and a page that shows it.

use std::path::Path;

use quotient_core::{Diagnostic, Event};
use quotient_language::{Answer, Exhibit};
use quotient_report::{Page, attempts, draw, history_chart, trace_cells};
use quotient_workbench::Checked;

use crate::outputs::{Names, write_file};

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
    let mut out = Folder {
        folder,
        names: Names::default(),
        files: Vec::new(),
    };
    let mut page = Page::new(checked.title.clone());
    for answer in &checked.answers {
        page = out.answer(page, answer, story)?;
    }
    if !checked.doubts.is_empty() {
        page = page.heading("Reasons to doubt the model");
        for doubt in &checked.doubts {
            page = page.paragraph(&doubt.text);
        }
    }
    if !checked.exhibits.is_empty() {
        page = page.heading("The model");
    }
    for exhibit in &checked.exhibits {
        page = out.exhibit(page, "", exhibit)?;
    }
    let lines: String = story
        .iter()
        .filter_map(|event| serde_json::to_string(event).ok())
        .map(|line| line + "\n")
        .collect();
    out.file("story.jsonl", &lines)?;
    out.file("index.html", &page.finish())?;
    Ok(out.files)
}

struct Folder<'a> {
    folder: &'a str,
    names: Names,
    files: Vec<String>,
}

impl Folder<'_> {
    fn file(&mut self, name: &str, text: &str) -> Result<(), Diagnostic> {
        let path = Path::new(self.folder).join(name);
        let path = path.to_string_lossy().into_owned();
        write_file(&path, text)?;
        self.files.push(path);
        Ok(())
    }

    fn answer(&mut self, page: Page, answer: &Answer, story: &[Event]) -> Result<Page, Diagnostic> {
        let mut page = page
            .verdict(&answer.property, &answer.verdict)
            .paragraph(&answer.because);
        if let Some(method) = &answer.method {
            page = page.paragraph(&format!(
                "Found by {method}, with {} refinements.",
                answer.refinements
            ));
        }
        if let Some(evidence) = &answer.evidence {
            let number = answer.number.map(|number| format!("{number}-"));
            let thing = format!("evidence-{}{}", number.unwrap_or_default(), answer.property);
            let name = self.names.of(&thing, "json");
            let text = serde_json::to_string_pretty(evidence).unwrap_or_default();
            self.file(&name, &(text + "\n"))?;
            page = page.paragraph(&format!("Evidence: {name} (quotient certify checks it)."));
        }
        if let Some(trace) = &answer.trace {
            let cells = trace_cells(trace);
            if let Some((head, rows)) = cells.split_first() {
                let head: Vec<&str> = head.iter().map(String::as_str).collect();
                page = page.run(&head, rows);
            }
            if !trace.ending.is_empty() {
                page = page.lines(&trace.ending.join("\n"));
            }
        }
        if let Some(table) = &answer.table {
            let head: Vec<&str> = table.head.iter().map(String::as_str).collect();
            page = page.table(&head, &table.rows);
        }
        for note in &answer.notes {
            page = page.lines(note);
        }
        page = told(page, story, answer.method.as_deref());
        for exhibit in &answer.exhibits {
            page = self.exhibit(page, &answer.property, exhibit)?;
        }
        Ok(page)
    }

    /// Something to look at, as files and as a figure.
    fn exhibit(&mut self, page: Page, owner: &str, exhibit: &Exhibit) -> Result<Page, Diagnostic> {
        let thing = match exhibit.name.starts_with(owner) {
            true => exhibit.name.clone(),
            false => format!("{owner} {}", exhibit.name),
        };
        let mut first = None;
        for (ending, text) in &exhibit.files {
            let name = match ending.strip_prefix('=') {
                Some(whole) => whole.to_owned(),
                None => self.names.of(&thing, ending),
            };
            self.file(&name, text)?;
            first.get_or_insert(name);
        }
        Ok(match (&exhibit.picture, &first) {
            (Some(picture), _) => page.figure(&exhibit.caption, &draw(picture), first.as_deref()),
            (None, Some(file)) => page.paragraph(&format!("{}: {file}", exhibit.caption)),
            (None, None) => page.paragraph(&exhibit.caption),
        })
    }
}

/// The story of a method: how sizes grew, and what each attempt came to.
fn told(page: Page, story: &[Event], method: Option<&str>) -> Page {
    let Some(chart) = history_chart(story, method) else {
        return page;
    };
    let row = |attempt: &quotient_report::AttemptSummary| {
        vec![
            attempt.attempt.to_string(),
            attempt.steps.to_string(),
            format!("{} {}", attempt.largest, attempt.unit),
            attempt.refined.clone().unwrap_or_default(),
        ]
    };
    let rows: Vec<Vec<String>> = attempts(story, method).iter().map(row).collect();
    page.figure("The run", &chart, None)
        .table(&["attempt", "steps", "largest", "refinement"], &rows)
}
