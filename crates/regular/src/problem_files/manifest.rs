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

use quotient_automata::formats::{FormatError, Limits};
use quotient_core::{Budget, Diagnostic, Source, Span};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::parts::{Parts, Path, assemble};
use super::{Files, ProblemFile};
use crate::Configuration;

const KEYS: [&str; 6] = ["name", "init", "bad", "transitions", "method", "timeout"];

pub(super) fn read(
    source: &Source,
    files: &mut dyn Files,
    limits: &Limits,
    budget: &Budget,
) -> Result<ProblemFile, FormatError> {
    let table = DeTable::parse(source.text()).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        Diagnostic::error("syntax", error.message().to_owned()).at(source, span.into(), "not TOML")
    })?;
    let reader = Reader { source };
    let mut parts = Parts::default();
    let (mut name, mut configuration, mut timeout) = (None, None, None);
    for (key, value) in table.get_ref() {
        match key.get_ref().as_ref() {
            "name" => name = Some(reader.text(value)?),
            "init" => parts.init = Some(reader.path(value)?),
            "bad" => parts.bad = reader.named_paths(value, files)?,
            "transitions" => parts.transitions = reader.named_paths(value, files)?,
            "method" => configuration = Some(reader.method(value)?),
            "timeout" => timeout = Some(reader.seconds(value)?),
            unknown => {
                return Err(Diagnostic::error(
                    "unknown-key",
                    format!("there is no key `{unknown}`"),
                )
                .at(source, key.span().into(), "not a key of a manifest")
                .note(format!("the keys are `{}`", KEYS.join("`, `")))
                .did_you_mean(unknown, KEYS)
                .into());
            }
        }
    }
    let (problem, warnings) = assemble(source, parts, files, limits, budget)?;
    Ok(ProblemFile {
        name,
        problem,
        configuration,
        timeout,
        warnings,
    })
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
