//! `--out FOLDER`: everything about a check as files, and a page that shows it.

use std::path::Path;

use quotient_automata::formats::{Format, Limits, Named, Role, write as write_machines};
use quotient_core::{Budget, Diagnostic};
use quotient_report::{Page, attempts, history_chart, svg};

use super::{Answer, Checked, Meaning};
use crate::failure::Failure;
use crate::outputs::{sizes, summary_line, write_file};

/// Makes sure that the folder can be written, before any work is done.
pub(crate) fn prepare(folder: &str) -> Result<(), Diagnostic> {
    std::fs::create_dir_all(folder).map_err(|error| {
        Diagnostic::error(
            "unwritable",
            format!("cannot make the folder `{folder}`: {error}"),
        )
    })?;
    let page = Path::new(folder).join("index.html");
    match page.exists() {
        true => Ok(()),
        false => write_file(
            &page.to_string_lossy(),
            "<!DOCTYPE html>\n<title>under way</title>\n",
        ),
    }
}

/// More figures than these are not drawn, nor are automata with more states; all are files.
const MOST_FIGURES: usize = 150;
const MOST_STATES: usize = 50;

/// Writes the folder (it may exist; other files in it are left alone) and gives the names of
/// the files written.
pub(crate) fn write(
    checked: &Checked,
    folder: &str,
    format: Format,
    budget: &Budget,
) -> Result<Vec<String>, Failure> {
    let mut out = Folder {
        meaning: &checked.meaning,
        folder,
        format,
        budget,
        files: Vec::new(),
        figures: 0,
    };
    let mut page = Page::new(checked.title.clone());
    for answer in &checked.answers {
        page = out.answer(page, answer, checked)?;
    }
    if !checked.doubts.is_empty() {
        page = page.heading("Reasons to doubt the model");
        for (doubt, _) in &checked.doubts {
            page = page.paragraph(doubt);
        }
    }
    if !checked.parts.is_empty() {
        page = page.heading("The problem");
    }
    for (caption, drawing) in &checked.figures {
        page = page.figure(caption, drawing, None);
    }
    for part in &checked.parts {
        let role = match part.role {
            Role::Initial => "initial configurations",
            Role::Bad => "bad configurations",
            _ => "step",
        };
        let caption = format!("{role}: {} ({})", part.name, summary_line(part));
        page = out.machine(page, &caption, &part_name(part), part)?;
    }
    if let Some(manifest) = manifest(&checked.parts, format) {
        out.file("problem.toml", &manifest)?;
    }
    let story: String = checked
        .story
        .iter()
        .filter_map(|event| serde_json::to_string(event).ok())
        .map(|line| line + "\n")
        .collect();
    out.file("story.jsonl", &story)?;
    out.file("index.html", &page.finish())?;
    Ok(out.files)
}

struct Folder<'a> {
    meaning: &'a Meaning,
    folder: &'a str,
    format: Format,
    budget: &'a Budget,
    files: Vec<String>,
    figures: usize,
}

impl Folder<'_> {
    fn file(&mut self, name: &str, text: &str) -> Result<(), Diagnostic> {
        let path = Path::new(self.folder)
            .join(name)
            .to_string_lossy()
            .into_owned();
        write_file(&path, text)?;
        self.files.push(path);
        Ok(())
    }

    fn answer(&mut self, page: Page, answer: &Answer, checked: &Checked) -> Result<Page, Failure> {
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
            let name = format!("evidence-{}.json", file_name(&answer.property));
            let text = serde_json::to_string_pretty(evidence).unwrap_or_default();
            self.file(&name, &(text + "\n"))?;
            page = page.paragraph(&format!("Evidence: {name} (quotient certify checks it)."));
        }
        if let Some((head, rows)) = answer
            .table
            .as_ref()
            .and_then(|table| table.cells.split_first())
        {
            let head: Vec<&str> = head.iter().map(String::as_str).collect();
            page = page.run(&head, rows);
        } else if !answer.trace.is_empty() {
            let rows: Vec<Vec<String>> = answer
                .trace
                .iter()
                .enumerate()
                .map(|(number, (action, state))| {
                    vec![
                        number.to_string(),
                        action.clone().unwrap_or_default(),
                        state.clone(),
                    ]
                })
                .collect();
            page = page.table(&["", "step", "configuration"], &rows);
        }
        for note in &answer.notes {
            page = page.lines(note);
        }
        let method = answer.method.as_deref();
        if let Some(chart) = history_chart(&checked.story, method) {
            page = page.figure("The run", &chart, None);
            let rows: Vec<Vec<String>> = attempts(&checked.story, method)
                .iter()
                .map(|attempt| {
                    vec![
                        attempt.attempt.to_string(),
                        attempt.steps.to_string(),
                        format!("{} {}", attempt.largest, attempt.unit),
                        attempt.refined.clone().unwrap_or_default(),
                    ]
                })
                .collect();
            page = page.table(&["attempt", "steps", "largest", "refinement"], &rows);
        }
        for (caption, named) in &answer.exhibits {
            let name = format!("{} {}", answer.property, named.name);
            page = self.machine(
                page,
                &format!("{caption} ({})", summary_line(named)),
                &name,
                named,
            )?;
        }
        Ok(page)
    }

    /// A machine as a file and as a figure.
    fn machine(
        &mut self,
        page: Page,
        caption: &str,
        name: &str,
        named: &Named,
    ) -> Result<Page, Failure> {
        let plain = Named::new(&named.name, Role::Unspecified, named.machine.clone());
        let written = write_machines(&[plain], self.format, &Limits::default(), self.budget)?;
        let file = format!("{}.{}", file_name(name), self.format.extension());
        self.file(&file, &written.text)?;
        for (suffix, table) in &written.companions {
            self.file(&format!("{file}{suffix}"), table)?;
        }
        let (_, states, _) = sizes(&named.machine);
        if states > MOST_STATES || self.figures >= MOST_FIGURES {
            let why = match states > MOST_STATES {
                true => "too large to be drawn",
                false => "not drawn, to keep the page short",
            };
            return Ok(page.paragraph(&format!("{caption}: {file}, {why}.")));
        }
        self.figures += 1;
        let picture = self.meaning.picture(named);
        Ok(page.figure(caption, &svg(&picture), Some(&file)))
    }
}

/// The parts of a problem about words as a manifest, so that it can be checked again: after
/// `--liveness` this is the reduced problem.
fn manifest(parts: &[Named], format: Format) -> Option<String> {
    if parts.is_empty() || format == Format::Dot {
        return None;
    }
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let file = |part: &Named| {
        quoted(&format!(
            "{}.{}",
            file_name(&part_name(part)),
            format.extension()
        ))
    };
    let of = |role: Role| parts.iter().filter(move |part| part.role == role);
    let mut text = format!("init = {}\n", file(of(Role::Initial).next()?));
    for (table, role) in [("bad", Role::Bad), ("transitions", Role::Transition)] {
        text.push_str(&format!("\n[{table}]\n"));
        for part in of(role) {
            text.push_str(&format!("{} = {}\n", quoted(&part.name), file(part)));
        }
    }
    Some(text)
}

fn part_name(part: &Named) -> String {
    format!("{} {}", short_role(part.role), part.name)
}

fn short_role(role: Role) -> &'static str {
    match role {
        Role::Initial => "problem",
        Role::Bad => "bad",
        _ => "step",
    }
}

/// A name that every file system takes.
fn file_name(name: &str) -> String {
    let safe = |c: char| {
        if c.is_ascii_alphanumeric() || c == '-' || c == '_' {
            c
        } else {
            '-'
        }
    };
    name.chars().map(safe).take(80).collect()
}
