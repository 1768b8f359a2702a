//! `armc.properties`: the configuration files of the original tool for abstract regular model
//! checking, lines `KEY = VALUE`.

use std::path::Path;

use quotient_core::{Diagnostic, Source, Span};
use quotient_regular::Configuration;

use super::folder::stem;
use super::words::{Files, Settings, Setup, read_files};
use crate::failure::Failure;
use crate::session::Session;
use crate::units;

const KEYS: [&str; 22] = [
    "INIT_FILE_PATH",
    "BAD_FILE_PATH",
    "TAU_FILE_PATHS",
    "COMPUTATION_DIRECTION",
    "LANGUAGE_DIRECTION",
    "TIMEOUT",
    "VERBOSE",
    "PRINT_AUTOMATA",
    "AUTOMATA_FORMAT",
    "OUTPUT_DIRECTORY",
    "IMAGE_FORMAT",
    "PREDICATE_LANGUAGES",
    "INITIAL_PREDICATE",
    "INCLUDE_GUARD",
    "INCLUDE_ACTION",
    "HEURISTIC",
    "FINITE_LENGTH_LANGUAGES",
    "TRACE_LANGUAGES",
    "INITIAL_BOUND",
    "HALVE_INITIAL_BOUND",
    "BOUND_INCREMENT",
    "HALVE_BOUND_INCREMENT",
];

/// Reads the problem and its configuration. How to print and where to write is for the command
/// line to say; those keys are accepted and mean nothing here, which a warning tells.
pub(super) fn read(source: &Source, session: &Session) -> Result<Setup, Failure> {
    let file = PropertiesFile::parse(source)?;
    let files = Files {
        initial: file.path("INIT_FILE_PATH")?,
        bad: vec![("bad".to_owned(), file.path("BAD_FILE_PATH")?)],
        transitions: file
            .text("TAU_FILE_PATHS")?
            .split([':', ';'])
            .filter(|path| !path.is_empty())
            .map(|path| (stem(Path::new(path)), file.resolve(path)))
            .collect(),
    };
    let settings = Settings {
        methods: vec![file.method()?],
        timeout: file.timeout()?,
        ..Settings::default()
    };
    let (problem, mut warnings) = read_files(&files, session)?;
    if file.is_yes("PRINT_AUTOMATA")? || file.is_yes("VERBOSE")? {
        warnings.push(
            Diagnostic::warning(
                "setting-ignored",
                "what is printed is not read from this file",
            )
            .in_source(source)
            .help("give --out FOLDER for the automata, --story for the story"),
        );
    }
    Ok(Setup {
        title: source.name().to_owned(),
        problem,
        settings,
        warnings,
    })
}

/// The keys with their values and the places of both.
struct PropertiesFile<'a> {
    source: &'a Source,
    entries: Vec<(&'a str, &'a str, Span)>,
}

impl<'a> PropertiesFile<'a> {
    fn parse(source: &'a Source) -> Result<PropertiesFile<'a>, Diagnostic> {
        let mut entries: Vec<(&str, &str, Span)> = Vec::new();
        let mut start = 0;
        for line in source.text().split_inclusive('\n') {
            let span = Span::new(start, start + line.trim_end().len());
            start += line.len();
            if line.trim().is_empty() || line.trim_start().starts_with('#') {
                continue;
            }
            let Some((key, value)) = line.split_once('=') else {
                return Err(Diagnostic::error("syntax", "expected `KEY = VALUE`").at(
                    source,
                    span,
                    "there is no `=`",
                ));
            };
            let (key, value) = (key.trim(), value.trim());
            if !KEYS.contains(&key) {
                return Err(
                    Diagnostic::error("unknown-key", format!("there is no key `{key}`"))
                        .at(source, span, "")
                        .did_you_mean(key, KEYS),
                );
            }
            if let Some((_, _, first)) = entries.iter().find(|(known, _, _)| *known == key) {
                return Err(
                    Diagnostic::error("duplicate-key", format!("`{key}` is set twice"))
                        .at(source, span, "set again")
                        .at(source, *first, "first set here"),
                );
            }
            entries.push((key, value, span));
        }
        Ok(PropertiesFile { source, entries })
    }

    fn get(&self, key: &str) -> Option<(&'a str, Span)> {
        let entry = self.entries.iter().find(|(known, _, _)| *known == key);
        entry
            .map(|&(_, value, span)| (value, span))
            .filter(|(value, _)| !value.is_empty())
    }

    fn text(&self, key: &str) -> Result<&'a str, Diagnostic> {
        self.get(key).map(|(value, _)| value).ok_or_else(|| {
            Diagnostic::error("missing-key", format!("`{key}` is not set")).in_source(self.source)
        })
    }

    fn path(&self, key: &str) -> Result<String, Diagnostic> {
        self.text(key).map(|path| self.resolve(path))
    }

    /// Paths are seen from the folder of the file; where that leads nowhere, from ours.
    fn resolve(&self, path: &str) -> String {
        let folder = Path::new(self.source.name())
            .parent()
            .unwrap_or(Path::new(""));
        let beside = folder.join(path);
        match beside.exists() || !Path::new(path).exists() {
            true => beside.to_string_lossy().into_owned(),
            false => path.to_owned(),
        }
    }

    /// The value of a key as one of the words allowed; the first if the key is not set.
    fn choice(&self, key: &str, words: &[&'static str]) -> Result<&'static str, Diagnostic> {
        let Some((value, span)) = self.get(key) else {
            return Ok(words[0]);
        };
        let found = words.iter().find(|word| word.eq_ignore_ascii_case(value));
        found.copied().ok_or_else(|| {
            Diagnostic::error("bad-value", format!("`{key}` cannot be `{value}`"))
                .at(self.source, span, format!("expected {}", words.join(", ")))
                .did_you_mean(value, words.iter().copied())
        })
    }

    fn is_yes(&self, key: &str) -> Result<bool, Diagnostic> {
        Ok(self.choice(key, &["NO", "YES"])? == "YES")
    }

    /// The configuration that the keys describe, in the words of [`Configuration`].
    fn method(&self) -> Result<Configuration, Diagnostic> {
        let direction = self.choice("COMPUTATION_DIRECTION", &["Forward", "Backward"])?;
        let past = match self.choice("LANGUAGE_DIRECTION", &["Forward", "Backward"])? {
            "Backward" => "past-",
            _ => "",
        };
        let lengths = self.is_yes("FINITE_LENGTH_LANGUAGES")?;
        let predicates = self.choice("PREDICATE_LANGUAGES", &["YES", "NO"])? == "YES";
        if lengths == predicates && self.get("PREDICATE_LANGUAGES").is_some() {
            return Err(Diagnostic::error(
                "bad-value",
                "exactly one of `PREDICATE_LANGUAGES` and `FINITE_LENGTH_LANGUAGES` must be YES",
            )
            .in_source(self.source));
        }
        let abstraction = if lengths {
            self.lengths()?
        } else {
            self.predicates()?
        };
        let text = format!("{} {past}{abstraction}", direction.to_lowercase());
        text.parse()
    }

    fn predicates(&self) -> Result<String, Diagnostic> {
        let mut initial = match self.choice("INITIAL_PREDICATE", &["Bad", "Init", "Both"])? {
            "Init" => vec!["init"],
            "Both" => vec!["init", "bad"],
            _ => vec!["bad"],
        };
        if self.is_yes("INCLUDE_GUARD")? {
            initial.push("guards");
        }
        if self.is_yes("INCLUDE_ACTION")? {
            initial.push("actions");
        }
        let refinement = match self.choice("HEURISTIC", &["", "ImportantStates", "KeyStates"])? {
            "ImportantStates" => " important-states",
            "KeyStates" => " key-states",
            _ => "",
        };
        Ok(format!("predicates({}){refinement}", initial.join(", ")))
    }

    fn lengths(&self) -> Result<String, Diagnostic> {
        let kind = if self.is_yes("TRACE_LANGUAGES")? {
            "traces"
        } else {
            "length"
        };
        let half = |yes: bool| if yes { "/2" } else { "" };
        let first = match self.choice("INITIAL_BOUND", &["One", "Init", "Bad"])? {
            "Init" => "init",
            "Bad" => "bad",
            _ => "1",
        };
        let more = match self.choice("BOUND_INCREMENT", &["M", "X", "One"])? {
            "One" => "1",
            letter => letter,
        };
        let (half_first, half_more) = (
            self.is_yes("HALVE_INITIAL_BOUND")?,
            self.is_yes("HALVE_BOUND_INCREMENT")?,
        );
        Ok(format!(
            "{kind}({first}{}, +{more}{})",
            half(half_first),
            half(half_more)
        ))
    }

    /// `[days.]hh:mm:ss[.fraction]`; zero for none.
    fn timeout(&self) -> Result<Option<std::time::Duration>, Diagnostic> {
        let Some((text, span)) = self.get("TIMEOUT") else {
            return Ok(None);
        };
        let wrong = || {
            Diagnostic::error("bad-value", format!("`{text}` is not a time")).at(
                self.source,
                span,
                "expected hours:minutes:seconds, as in 00:01:30",
            )
        };
        let parts: Vec<&str> = text.split(':').collect();
        let seconds = match parts[..] {
            [hours, minutes, seconds] => {
                let (days, hours) = hours.split_once('.').unwrap_or(("0", hours));
                let number = |text: &str| text.parse::<f64>().ok().filter(|n| n.is_finite());
                let parts = [days, hours, minutes, seconds].map(number);
                let [Some(days), Some(hours), Some(minutes), Some(seconds)] = parts else {
                    return Err(wrong());
                };
                ((days * 24.0 + hours) * 60.0 + minutes) * 60.0 + seconds
            }
            [plain] => plain.parse().map_err(|_| wrong())?,
            _ => return Err(wrong()),
        };
        let timeout = units::duration(&seconds.to_string()).map_err(|_| wrong())?;
        Ok(Some(timeout).filter(|timeout| !timeout.is_zero()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(text: &str) -> Result<String, String> {
        let source = Source::new("armc.properties", text);
        let file = PropertiesFile::parse(&source).map_err(|error| error.message)?;
        file.method()
            .map(|method| method.to_string())
            .map_err(|error| error.message)
    }

    #[test]
    fn keys_become_methods() {
        let default = "PREDICATE_LANGUAGES = YES\nFINITE_LENGTH_LANGUAGES = NO\n";
        assert_eq!(method(default).unwrap(), "forward predicates(bad)");
        let predicates = "COMPUTATION_DIRECTION = Backward\nINITIAL_PREDICATE = Both\n\
                          INCLUDE_GUARD = YES\nHEURISTIC = KeyStates\n";
        assert_eq!(
            method(predicates).unwrap(),
            "backward predicates(init, bad, guards) key-states"
        );
        let lengths = "PREDICATE_LANGUAGES = NO\nFINITE_LENGTH_LANGUAGES = YES\n\
                       LANGUAGE_DIRECTION = Backward\nTRACE_LANGUAGES = YES\nINITIAL_BOUND = Bad\n\
                       HALVE_INITIAL_BOUND = YES\nBOUND_INCREMENT = X\n";
        assert_eq!(method(lengths).unwrap(), "forward past-traces(bad/2, +X)");
    }

    #[test]
    fn wrong_keys_and_values_are_refused() {
        assert_eq!(
            method("HEURISTICS = x\n").unwrap_err(),
            "there is no key `HEURISTICS`"
        );
        assert_eq!(
            method("VERBOSE = NO\nVERBOSE = NO\n").unwrap_err(),
            "`VERBOSE` is set twice"
        );
        assert!(
            method("HEURISTIC = Keys\n")
                .unwrap_err()
                .contains("cannot be `Keys`")
        );
        assert!(
            method("PREDICATE_LANGUAGES = NO\n")
                .unwrap_err()
                .contains("exactly one")
        );
    }

    #[test]
    fn timeouts_are_hours_minutes_seconds() {
        let seconds = |value: &str| {
            let source = Source::new("armc.properties", format!("TIMEOUT = {value}\n"));
            let file = PropertiesFile::parse(&source).unwrap();
            file.timeout()
                .map(|time| time.map(|time| time.as_secs()))
                .map_err(|error| error.message)
        };
        assert_eq!(seconds("00:01:30"), Ok(Some(90)));
        assert_eq!(seconds("1.00:00:00"), Ok(Some(86_400)));
        assert_eq!(seconds("00:00:00"), Ok(None));
        assert!(seconds("soon").is_err() && seconds("1:2").is_err());
    }
}
