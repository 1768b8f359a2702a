//! Everything about a check as files, and a page that shows it.

use std::collections::HashMap;

use quotient_core::Event;
use quotient_language::{Answer, Doubt, Exhibit};

use crate::story::AttemptSummary;
use crate::{Page, attempts, draw, history_chart, trace_cells};

/// What a check came to.
///
/// ```
/// use quotient_report::Findings;
/// let nothing = Findings { title: "a model", answers: &[], doubts: &[], exhibits: &[], story: &[] };
/// let names: Vec<String> = nothing.files().into_iter().map(|(name, _)| name).collect();
/// assert_eq!(names, ["story.jsonl", "index.html"]);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Findings<'a> {
    /// What the model is called.
    pub title: &'a str,
    /// What was asked, and the answers.
    pub answers: &'a [Answer],
    /// Reasons to doubt the model.
    pub doubts: &'a [Doubt],
    /// Pictures and files of the model.
    pub exhibits: &'a [Exhibit],
    /// What happened on the way.
    pub story: &'a [Event],
}

impl Findings<'_> {
    /// All files by name: evidence, what is exhibited, the story, and last the page `index.html`.
    /// The names are fit for every file system.
    pub fn files(&self) -> Vec<(String, String)> {
        let mut out = Folder::default();
        let mut page = Page::new(self.title.to_owned());
        for answer in self.answers {
            page = out.answer(page, answer, self.story);
        }
        if !self.doubts.is_empty() {
            page = page.heading("Reasons to doubt the model");
            for doubt in self.doubts {
                page = page.paragraph(&doubt.text);
            }
        }
        if !self.exhibits.is_empty() {
            page = page.heading("The model");
        }
        for exhibit in self.exhibits {
            page = out.exhibit(page, "", exhibit);
        }
        let lines: String = self
            .story
            .iter()
            .filter_map(|event| serde_json::to_string(event).ok())
            .map(|line| line + "\n")
            .collect();
        out.file("story.jsonl", lines);
        out.file("index.html", page.finish());
        out.files
    }
}

#[derive(Debug, Default)]
struct Folder {
    names: Names,
    files: Vec<(String, String)>,
}

impl Folder {
    fn file(&mut self, name: &str, text: String) {
        self.files.push((name.to_owned(), text));
    }

    fn answer(&mut self, page: Page, answer: &Answer, story: &[Event]) -> Page {
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
            self.file(&name, text + "\n");
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
            page = self.exhibit(page, &answer.property, exhibit);
        }
        page
    }

    /// Something to look at, as files and as a figure.
    fn exhibit(&mut self, page: Page, owner: &str, exhibit: &Exhibit) -> Page {
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
            self.file(&name, text.clone());
            first.get_or_insert(name);
        }
        match (&exhibit.picture, &first) {
            (Some(picture), _) => page.figure(&exhibit.caption, &draw(picture), first.as_deref()),
            (None, Some(file)) => page.paragraph(&format!("{}: {file}", exhibit.caption)),
            (None, None) => page.paragraph(&exhibit.caption),
        }
    }
}

/// The story of a method: how sizes grew, and what each attempt came to.
fn told(page: Page, story: &[Event], method: Option<&str>) -> Page {
    let Some(chart) = history_chart(story, method) else {
        return page;
    };
    let row = |attempt: &AttemptSummary| {
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

/// Names of files that every file system takes, different ones for different things.
#[derive(Debug, Default)]
struct Names {
    taken: HashMap<String, String>,
}

impl Names {
    /// A name of a file for a thing, ending included; the same for the same thing.
    fn of(&mut self, thing: &str, ending: &str) -> String {
        let key = format!("{thing}\0{ending}");
        let plain = file_name(thing);
        for number in 1.. {
            let name = match number {
                1 => format!("{plain}.{ending}"),
                _ => format!("{plain}-{number}.{ending}"),
            };
            // Some file systems do not tell upper from lower case.
            let folded = name.to_lowercase();
            match self.taken.get(&folded) {
                Some(owner) if *owner != key => {}
                Some(_) => return name,
                None => {
                    self.taken.insert(folded, key);
                    return name;
                }
            }
        }
        plain
    }
}

/// A name that every file system takes.
fn file_name(name: &str) -> String {
    let safe = |letter: char| match letter.is_ascii_alphanumeric() || letter == '-' || letter == '_'
    {
        true => letter,
        false => '-',
    };
    let name: String = name.chars().map(safe).take(80).collect();
    match name.is_empty() {
        true => "unnamed".to_owned(),
        false => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_things_have_different_files() {
        let mut names = Names::default();
        assert_eq!(names.of("a/b", "json"), "a-b.json");
        assert_eq!(names.of("a-b", "json"), "a-b-2.json");
        assert_eq!(names.of("a/b", "json"), "a-b.json");
        assert_eq!(names.of("A-B", "json"), "A-B-3.json");
        assert_eq!(names.of("a/b", "tmb"), "a-b.tmb");
        let long = "x".repeat(200);
        assert_ne!(names.of(&long, "tmb"), names.of(&format!("{long}y"), "tmb"));
    }
}
