//! Everything about a check as files.

use std::collections::HashMap;

use quotient_core::Event;
use quotient_language::{Answer, Exhibit};

/// What a check came to.
///
/// ```
/// use quotient_report::Findings;
/// let nothing = Findings { answers: &[], exhibits: &[], story: &[] };
/// let names: Vec<String> = nothing.files().into_iter().map(|(name, _)| name).collect();
/// assert_eq!(names, ["story.jsonl"]);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Findings<'a> {
    /// What was asked, and the answers.
    pub answers: &'a [Answer],
    /// Pictures and files of the model.
    pub exhibits: &'a [Exhibit],
    /// What happened on the way.
    pub story: &'a [Event],
}

impl Findings<'_> {
    /// All files by name: evidence, what is exhibited, and the story. The names are fit for every
    /// file system.
    pub fn files(&self) -> Vec<(String, String)> {
        let mut out = self.folder();
        let lines: String = self
            .story
            .iter()
            .filter_map(|event| serde_json::to_string(event).ok())
            .map(|line| line + "\n")
            .collect();
        out.file("story.jsonl", lines);
        out.files
    }

    /// The names of the files with the evidence of the answers, in their order.
    pub fn evidence_files(&self) -> Vec<Option<String>> {
        self.folder().evidence
    }

    fn folder(&self) -> Folder {
        let mut out = Folder::default();
        self.answers.iter().for_each(|answer| out.answer(answer));
        let own = self.exhibits.iter();
        own.for_each(|exhibit| out.exhibit("", exhibit));
        out
    }
}

#[derive(Debug, Default)]
struct Folder {
    names: Names,
    files: Vec<(String, String)>,
    /// The file with the evidence of each answer.
    evidence: Vec<Option<String>>,
}

impl Folder {
    fn file(&mut self, name: &str, text: String) {
        self.files.push((name.to_owned(), text));
    }

    fn answer(&mut self, answer: &Answer) {
        let mut named = None;
        if let Some(evidence) = &answer.evidence {
            let number = answer.number.map(|number| format!("{number}-"));
            let thing = format!("evidence-{}{}", number.unwrap_or_default(), answer.property);
            let name = self.names.of(&thing, "json");
            let text = serde_json::to_string_pretty(evidence).unwrap_or_default();
            self.file(&name, text + "\n");
            named = Some(name);
        }
        self.evidence.push(named);
        for exhibit in &answer.exhibits {
            self.exhibit(&answer.property, exhibit);
        }
    }

    /// The files that hold something to look at.
    fn exhibit(&mut self, owner: &str, exhibit: &Exhibit) {
        for (ending, text) in &exhibit.files {
            let name = match ending.strip_prefix('=') {
                Some(whole) => whole.to_owned(),
                None => self.names.of_part(owner, &exhibit.name, ending),
            };
            self.file(&name, text.clone());
        }
    }
}

/// Names of files that every file system takes, different ones for different things.
#[derive(Debug, Default)]
struct Names {
    taken: HashMap<String, String>,
}

impl Names {
    /// A name of a file for a thing, ending included; the same for the same thing.
    fn of(&mut self, thing: &str, ending: &str) -> String {
        self.of_part("", thing, ending)
    }

    /// The same for something that belongs to another thing. Both are in the name, and what it is
    /// itself is the last that is cut.
    fn of_part(&mut self, owner: &str, thing: &str, ending: &str) -> String {
        let key = format!("{owner}\0{thing}\0{ending}");
        let (owner, whole) = (plain(owner), plain(thing));
        let own = whole
            .strip_prefix(owner.as_str())
            .and_then(|rest| rest.strip_prefix('-'))
            .unwrap_or(&whole);
        let plain = match owner.as_str() {
            "" => shortened(own, MOST_LETTERS),
            owner => format!(
                "{}-{}",
                shortened(owner, MOST_LETTERS / 2),
                shortened(own, MOST_LETTERS)
            ),
        };
        let plain = match plain.as_str() {
            "" => "unnamed".to_owned(),
            _ => plain,
        };
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

/// Longer names are cut.
const MOST_LETTERS: usize = 32;

/// A name that every file system takes and that needs no quotes: letters, digits and single dashes.
fn plain(name: &str) -> String {
    let mut short = String::new();
    for letter in name.chars() {
        match letter.is_ascii_alphanumeric() || letter == '_' {
            true => short.push(letter),
            false if short.ends_with('-') || short.is_empty() => {}
            false => short.push('-'),
        }
    }
    short.trim_end_matches('-').to_owned()
}

/// What is cut goes at the end of a word if there is one.
fn shortened(name: &str, most: usize) -> String {
    if name.len() <= most {
        return name.to_owned();
    }
    let word = name[..=most].rfind('-').filter(|&end| end > 2 * most / 3);
    name[..word.unwrap_or(most)].to_owned()
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
        // Short, and different all the same.
        let long = "evidence-3-AG (request -> AF (granted | refused))";
        assert_eq!(
            names.of(long, "json"),
            "evidence-3-AG-request-AF-granted.json"
        );
        let other = format!("{long} & more");
        assert_eq!(
            names.of(&other, "json"),
            "evidence-3-AG-request-AF-granted-2.json"
        );
        assert_eq!(names.of("¬∀", "json"), "unnamed.json");
        // What something is itself is not cut for what it belongs to.
        let owner = "no loop in which a process waits for ever";
        let own = format!("{owner} attempt 0 M1 merged");
        assert_eq!(
            names.of_part(owner, &own, "tmb"),
            "no-loop-in-which-attempt-0-M1-merged.tmb"
        );
        assert_eq!(names.of_part("a", "a", "tmb"), "a-a.tmb");
        assert_eq!(names.of_part("a", "abc", "tmb"), "a-abc.tmb");
        let long = "x".repeat(200);
        assert_eq!(names.of(&long, "dot").len(), MOST_LETTERS + 4);
        assert_ne!(names.of(&long, "tmb"), names.of(&format!("{long}y"), "tmb"));
    }
}
