//! `armc.properties`: the configuration files of the original tool for abstract regular model
//! checking (Chalk 2018), read as they are: `KEY = VALUE`, `#` comments.

use std::time::Duration;

use quotient_automata::formats::Limits;
use quotient_core::{Budget, Diagnostic, Source, Span, Trouble};
use quotient_language::Files;
use quotient_regular::{
    Abstraction, Amount, Bound, Configuration, Direction, InitialPredicates, Languages, Measure,
    Refinement, Traces,
};

use super::ProblemFile;
use super::parts::{Assembled, Parts, Path, assemble};

/// The keys with their values, the default first; an empty list means any text.
const KEYS: [(&str, &[&str]); 22] = [
    ("INIT_FILE_PATH", &[]),
    ("BAD_FILE_PATH", &[]),
    ("TAU_FILE_PATHS", &[]),
    ("COMPUTATION_DIRECTION", &["Forward", "Backward"]),
    ("LANGUAGE_DIRECTION", &["Forward", "Backward"]),
    ("TIMEOUT", &[]),
    ("VERBOSE", &["NO", "YES"]),
    ("PRINT_AUTOMATA", &["NO", "YES"]),
    ("AUTOMATA_FORMAT", &["DOT", "TIMBUK", "FSA", "FSM"]),
    ("OUTPUT_DIRECTORY", &[]),
    ("IMAGE_FORMAT", &["", "gif", "jpg", "pdf", "png", "svg"]),
    ("PREDICATE_LANGUAGES", &["YES", "NO"]),
    ("INITIAL_PREDICATE", &["Bad", "Init", "Both"]),
    ("INCLUDE_GUARD", &["NO", "YES"]),
    ("INCLUDE_ACTION", &["NO", "YES"]),
    ("HEURISTIC", &["", "ImportantStates", "KeyStates"]),
    ("FINITE_LENGTH_LANGUAGES", &["NO", "YES"]),
    ("TRACE_LANGUAGES", &["NO", "YES"]),
    ("INITIAL_BOUND", &["One", "Init", "Bad"]),
    ("HALVE_INITIAL_BOUND", &["NO", "YES"]),
    ("BOUND_INCREMENT", &["M", "X", "One"]),
    ("HALVE_BOUND_INCREMENT", &["NO", "YES"]),
];

/// Whether the first line that is no comment sets a key as these files do.
pub(super) fn is_one(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
    first
        .and_then(|line| line.split_once('='))
        .is_some_and(|(key, _)| {
            let key = key.trim();
            let fits = |byte: u8| byte.is_ascii_uppercase() || byte == b'_';
            key.contains('_') && key.bytes().all(fits)
        })
}

pub(super) fn read(
    source: &Source,
    files: &mut dyn Files,
    limits: &Limits,
    budget: &Budget,
) -> Result<ProblemFile, Trouble> {
    let settings = Settings::read(source)?;
    let path = |key: &str| {
        settings
            .get(key)
            .filter(|(value, _)| !value.is_empty())
            .map(|(value, span)| Path {
                path: value.to_owned(),
                span,
            })
    };
    let transitions = settings
        .get("TAU_FILE_PATHS")
        .map_or_else(Vec::new, |(value, span)| {
            value
                .split([':', ';'])
                .map(str::trim)
                .filter(|path| !path.is_empty())
                .map(|path| {
                    let path = path.to_owned();
                    (None, Path { path, span })
                })
                .collect()
        });
    let parts = Parts {
        init: path("INIT_FILE_PATH"),
        bad: path("BAD_FILE_PATH")
            .into_iter()
            .map(|path| (None, path))
            .collect(),
        transitions,
    };
    let configuration = settings.configuration()?;
    let timeout = settings.timeout()?;
    let Assembled {
        problem,
        stated,
        warnings,
    } = assemble(source, parts, files, limits, budget)?;
    Ok(ProblemFile {
        name: None,
        problem,
        stated,
        configuration: Some(configuration),
        timeout,
        warnings,
    })
}

/// The values by key, with their places.
struct Settings<'a> {
    source: &'a Source,
    values: Vec<(&'static str, &'a str, Span)>,
}

impl<'a> Settings<'a> {
    fn read(source: &'a Source) -> Result<Settings<'a>, Diagnostic> {
        let mut settings = Settings {
            source,
            values: Vec::new(),
        };
        let mut start = 0;
        for line in source.text().split('\n') {
            settings.line(line, start)?;
            start += line.len() + 1;
        }
        Ok(settings)
    }

    fn line(&mut self, line: &'a str, start: usize) -> Result<(), Diagnostic> {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            return Ok(());
        }
        let at = |part: &str| {
            let from = start + (part.as_ptr() as usize - line.as_ptr() as usize);
            Span::new(from, from + part.len())
        };
        let Some((key, value)) = trimmed.split_once('=') else {
            return Err(Diagnostic::error("syntax", "this line sets nothing").at(
                self.source,
                at(trimmed),
                "expected `KEY = VALUE`",
            ));
        };
        let (key, value) = (key.trim(), value.trim());
        let all = || KEYS.iter();
        let Some(&(known, allowed)) = all().find(|(known, _)| *known == key) else {
            return Err(
                Diagnostic::error("unknown-key", format!("there is no key `{key}`"))
                    .at(self.source, at(key), "not a key of this file")
                    .did_you_mean(key, all().map(|(known, _)| *known)),
            );
        };
        if let Some((_, _, first)) = self.values.iter().find(|(other, ..)| *other == known) {
            return Err(
                Diagnostic::error("duplicate", format!("`{key}` is set twice"))
                    .at(self.source, at(key), "set again")
                    .at(self.source, *first, "first set here"),
            );
        }
        if !allowed.is_empty() && !allowed.contains(&value) {
            return Err(Diagnostic::error(
                "bad-value",
                format!("`{value}` is no value of `{key}`"),
            )
            .at(self.source, at(value), "not a value of this key")
            .note(format!("the values are `{}`", allowed.join("`, `")))
            .did_you_mean(value, allowed.iter().copied()));
        }
        self.values.push((known, value, at(value)));
        Ok(())
    }

    fn get(&self, key: &str) -> Option<(&'a str, Span)> {
        let found = self.values.iter().find(|(other, ..)| *other == key);
        found.map(|&(_, value, span)| (value, span))
    }

    /// The value, or the default if the file does not say.
    fn value(&self, key: &str) -> &str {
        let defaults = KEYS.iter();
        let default = defaults
            .filter(|(known, _)| *known == key)
            .find_map(|(_, values)| values.first());
        self.get(key)
            .map_or(default.copied().unwrap_or_default(), |(value, _)| value)
    }

    fn is_yes(&self, key: &str) -> bool {
        self.value(key) == "YES"
    }

    fn configuration(&self) -> Result<Configuration, Diagnostic> {
        let direction = match self.value("COMPUTATION_DIRECTION") {
            "Backward" => Direction::Backward,
            _ => Direction::Forward,
        };
        let past = self.value("LANGUAGE_DIRECTION") == "Backward";
        let languages = if past {
            Languages::Past
        } else {
            Languages::Future
        };
        let abstraction = match (
            self.is_yes("PREDICATE_LANGUAGES"),
            self.is_yes("FINITE_LENGTH_LANGUAGES"),
        ) {
            (true, false) => {
                let first = self.value("INITIAL_PREDICATE");
                Abstraction::Predicates {
                    languages,
                    initial: InitialPredicates {
                        init: first != "Bad",
                        bad: first != "Init",
                        guards: self.is_yes("INCLUDE_GUARD"),
                        actions: self.is_yes("INCLUDE_ACTION"),
                    },
                    refinement: match self.value("HEURISTIC") {
                        "ImportantStates" => Refinement::ImportantStates,
                        "KeyStates" => Refinement::KeyStates,
                        _ => Refinement::AllStates,
                    },
                }
            }
            (false, true) => match (self.is_yes("TRACE_LANGUAGES"), past) {
                (false, _) => Abstraction::Lengths {
                    languages,
                    bound: self.bound(),
                },
                (true, false) => Abstraction::Traces {
                    traces: Traces::Future,
                    bound: self.bound(),
                },
                // The original tool compares prefixes.
                (true, true) => Abstraction::Traces {
                    traces: Traces::PastPrefixes,
                    bound: self.bound(),
                },
            },
            (both, _) => {
                let word = if both { "both" } else { "neither" };
                let place = self
                    .get("FINITE_LENGTH_LANGUAGES")
                    .or(self.get("PREDICATE_LANGUAGES"));
                let message = format!("{word} of the two kinds of abstraction is chosen");
                return Err(Diagnostic::error("bad-value", message)
                    .at(
                        self.source,
                        place.map_or_else(Span::default, |(_, span)| span),
                        "set here",
                    )
                    .help(
                        "set one of `PREDICATE_LANGUAGES` and `FINITE_LENGTH_LANGUAGES` to `YES`",
                    ));
            }
        };
        Ok(Configuration::Abstract {
            direction,
            abstraction,
        })
    }

    fn bound(&self) -> Bound {
        let amount = |key: &str, half: &str| Amount {
            of: match self.value(key) {
                "Init" => Measure::Init,
                "Bad" => Measure::Bad,
                "M" => Measure::Set,
                "X" => Measure::Alarm,
                _ => Measure::Number(1),
            },
            half: self.is_yes(half),
        };
        Bound {
            initial: amount("INITIAL_BOUND", "HALVE_INITIAL_BOUND"),
            increment: amount("BOUND_INCREMENT", "HALVE_BOUND_INCREMENT"),
        }
    }

    /// `[d.]hh:mm:ss[.f]`; zero is no limit.
    fn timeout(&self) -> Result<Option<Duration>, Diagnostic> {
        let Some((text, span)) = self.get("TIMEOUT").filter(|(text, _)| !text.is_empty()) else {
            return Ok(None);
        };
        match seconds(text).and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()) {
            Some(time) => Ok((!time.is_zero()).then_some(time)),
            None => Err(
                Diagnostic::error("bad-value", format!("`{text}` is not a time"))
                    .at(self.source, span, "expected `hh:mm:ss`")
                    .help("write `00:01:30` for a minute and a half, `0` for no limit"),
            ),
        }
    }
}

fn seconds(text: &str) -> Option<f64> {
    let parts: Vec<&str> = text.split(':').collect();
    let number = |text: &str| text.parse::<u32>().ok().map(f64::from);
    match parts.as_slice() {
        [only] => only
            .parse::<u32>()
            .ok()
            .filter(|&days| days == 0)
            .map(f64::from),
        [hours, minutes, seconds] => {
            let (days, hours) = hours.split_once('.').unwrap_or(("0", hours));
            let rest = seconds
                .parse::<f64>()
                .ok()
                .filter(|seconds| (0.0..60.0).contains(seconds))?;
            Some(
                number(days)? * 86_400.0
                    + number(hours)? * 3_600.0
                    + number(minutes)? * 60.0
                    + rest,
            )
        }
        _ => None,
    }
}
