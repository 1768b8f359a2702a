//! Manifests: the parts of a problem by name, in TOML.
//!
//! ```toml
//! init = "init.tmb"
//! bad = "bad.tmb"                        # or a list, or a table from property to file
//! transitions = ["step.tmb", "t*.tmb"]   # or one of them, or a table from step to file
//! method = "forward predicates(bad)"     # not needed
//! timeout = 60                           # seconds; not needed
//! ```

use std::time::Duration;

use quotient_automata::formats::Limits;
use quotient_core::{Budget, Diagnostic, Source, Span, Trouble};
use quotient_language::Files;
use quotient_regular::Configuration;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::ProblemFile;
use super::parts::{Assembled, Parts, Path, assemble};

const KEYS: [&str; 6] = ["name", "init", "bad", "transitions", "method", "timeout"];

/// How many of the three parts a text names as a manifest does, in its first lines.
pub(crate) fn signs(text: &str) -> usize {
    let lines = || text.lines().map(str::trim).take(200);
    let is_set = |part: &&str| {
        lines().any(|line| {
            let table = line
                .strip_prefix('[')
                .and_then(|rest| rest.strip_suffix(']'));
            let key = line.split_once('=').filter(|(_, value)| {
                let value = value.trim_start();
                value.starts_with(['"', '\'', '[', '{'])
            });
            let is_part = |name: &str| name.trim().trim_matches('"') == *part;
            table.is_some_and(is_part) || key.is_some_and(|(name, _)| is_part(name))
        })
    };
    ["init", "bad", "transitions"]
        .into_iter()
        .filter(is_set)
        .count()
}

pub(super) fn read(
    source: &Source,
    files: &mut dyn Files,
    limits: &Limits,
    budget: &Budget,
) -> Result<ProblemFile, Trouble> {
    let table = DeTable::parse(source.text()).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        Diagnostic::error("syntax", error.message().to_owned()).at(source, span.into(), "not TOML")
    })?;
    let mut manifest = Manifest::default();
    let reader = Reader { source };
    let mut mistakes = Vec::new();
    for (key, value) in table.get_ref() {
        mistakes.extend(manifest.set(&reader, key, value, files).err());
    }
    if !mistakes.is_empty() {
        let place = |mistake: &Diagnostic| mistake.labels.first().map(|label| label.span.start);
        mistakes.sort_by_key(place);
        return Err(mistakes.into());
    }
    let Assembled {
        problem,
        stated,
        warnings,
    } = assemble(source, manifest.parts, files, limits, budget)?;
    Ok(ProblemFile {
        name: manifest.name,
        problem,
        stated,
        configuration: manifest.configuration,
        timeout: manifest.timeout,
        warnings,
    })
}

/// What a manifest says.
#[derive(Default)]
struct Manifest {
    name: Option<String>,
    parts: Parts,
    configuration: Option<Configuration>,
    timeout: Option<Duration>,
}

impl Manifest {
    fn set(
        &mut self,
        reader: &Reader<'_>,
        key: &Spanned<std::borrow::Cow<'_, str>>,
        value: &Spanned<DeValue<'_>>,
        files: &mut dyn Files,
    ) -> Result<(), Diagnostic> {
        match key.get_ref().as_ref() {
            "name" => self.name = Some(reader.text(value)?),
            "init" => self.parts.init = Some(reader.path(value)?),
            "bad" => self.parts.bad = reader.named_paths(value, files)?,
            "transitions" => self.parts.transitions = reader.named_paths(value, files)?,
            "method" => self.configuration = Some(reader.method(value)?),
            "timeout" => self.timeout = Some(reader.seconds(value)?),
            unknown => {
                let message = format!("there is no key `{unknown}`");
                return Err(Diagnostic::error("unknown-key", message)
                    .at(reader.source, key.span().into(), "not a key of a manifest")
                    .note(format!("the keys are `{}`", KEYS.join("`, `")))
                    .did_you_mean(unknown, KEYS));
            }
        }
        Ok(())
    }
}

struct Reader<'a> {
    source: &'a Source,
}

impl Reader<'_> {
    fn text(&self, value: &Spanned<DeValue<'_>>) -> Result<String, Diagnostic> {
        match value.get_ref().as_str() {
            Some(text) => Ok(text.to_owned()),
            None => Err(self.wrong(value, "a string")),
        }
    }

    fn path(&self, value: &Spanned<DeValue<'_>>) -> Result<Path, Diagnostic> {
        Ok(Path {
            path: self.text(value)?,
            span: value.span().into(),
        })
    }

    /// One pattern or a list of them.
    fn paths(
        &self,
        value: &Spanned<DeValue<'_>>,
        files: &mut dyn Files,
    ) -> Result<Vec<Path>, Diagnostic> {
        let Some(list) = value.get_ref().as_array() else {
            return self.pattern(value, files);
        };
        let mut paths = Vec::new();
        for element in list.iter() {
            paths.extend(self.pattern(element, files)?);
        }
        Ok(paths)
    }

    fn pattern(
        &self,
        value: &Spanned<DeValue<'_>>,
        files: &mut dyn Files,
    ) -> Result<Vec<Path>, Diagnostic> {
        let pattern = self.path(value)?;
        if !pattern.path.contains(['*', '?', '[']) {
            return Ok(vec![pattern]);
        }
        let found = files.find(&pattern.path).map_err(|why| {
            Diagnostic::error(
                "pattern",
                format!("the pattern `{}` cannot be used: {why}", pattern.path),
            )
            .at(self.source, pattern.span, "this pattern")
        })?;
        if found.is_empty() {
            return Err(Diagnostic::error(
                "pattern",
                format!("no file is called `{}`", pattern.path),
            )
            .at(self.source, pattern.span, "this pattern")
            .help("patterns are relative to the folder of this file"));
        }
        let span = pattern.span;
        Ok(found.into_iter().map(|path| Path { path, span }).collect())
    }

    /// Files, or files by the name of their property or step.
    fn named_paths(
        &self,
        value: &Spanned<DeValue<'_>>,
        files: &mut dyn Files,
    ) -> Result<Vec<(Option<String>, Path)>, Diagnostic> {
        if let Some(table) = value.get_ref().as_table() {
            return table
                .iter()
                .map(|(name, value)| Ok((Some(name.get_ref().to_string()), self.path(value)?)))
                .collect();
        }
        let paths = self.paths(value, files)?;
        Ok(paths.into_iter().map(|path| (None, path)).collect())
    }

    fn method(&self, value: &Spanned<DeValue<'_>>) -> Result<Configuration, Diagnostic> {
        let text = self.text(value)?;
        text.parse().map_err(|error: Diagnostic| {
            let inner = error
                .labels
                .first()
                .map_or_else(Span::default, |label| label.span);
            // The text of a plain string begins after its quote.
            let quote = value.span().start + 1;
            let span = Span::new(quote + inner.start, quote + inner.end);
            let in_text =
                self.source.text().get(span.range()).is_some() && span.end <= value.span().end;
            let span = if in_text { span } else { value.span().into() };
            Diagnostic {
                source: None,
                labels: Vec::new(),
                ..error
            }
            .at(self.source, span, "this method")
        })
    }

    fn seconds(&self, value: &Spanned<DeValue<'_>>) -> Result<Duration, Diagnostic> {
        let seconds = match value.get_ref() {
            DeValue::Integer(number) => number.as_str().parse::<f64>().ok(),
            DeValue::Float(number) => number.as_str().parse::<f64>().ok(),
            _ => None,
        };
        seconds
            .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
            .ok_or_else(|| self.wrong(value, "a number of seconds"))
    }

    fn wrong(&self, value: &Spanned<DeValue<'_>>, expected: &str) -> Diagnostic {
        let message = format!("expected {expected}, found {}", value.get_ref().type_str());
        Diagnostic::error("syntax", message).at(
            self.source,
            value.span().into(),
            format!("expected {expected}"),
        )
    }
}
