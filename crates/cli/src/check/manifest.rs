//! A problem as a TOML manifest: which files are what, and how to check them.

use std::path::Path;
use std::time::Duration;

use quotient_core::{Diagnostic, Source, Span};
use quotient_regular::{Configuration, Identity};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::folder::stem;
use super::words::{Files, Settings, Setup, read_files};
use crate::failure::Failure;
use crate::session::Session;
use crate::units;

const KEYS: [&str; 10] = [
    "name",
    "init",
    "bad",
    "transitions",
    "method",
    "methods",
    "identity",
    "timeout",
    "threads",
    "doubt",
];

/// A manifest with every key explained; with the files of a problem if some are given.
pub(crate) fn template(init: &str, bad: &str, transitions: &str) -> String {
    format!(
        "\
# A problem for `quotient check`: can a bad configuration be reached?
# Paths are seen from the folder of this file; files may be in any format that
# `quotient show` reads. Every letter of every file belongs to the alphabet.

# What to call it in reports.
# name = \"token passing\"

# The automaton of the initial configurations.
init = \"{init}\"

# The automaton of the configurations that must not be reached; for several
# properties a table:
#   bad = {{ \"two tokens\" = \"two.tmb\", \"no token\" = \"none.tmb\" }}
bad = \"{bad}\"

# The transducers whose union is the step; `*` and `?` match file names. The name
# of a file is the name of its step in a trace.
transitions = [\"{transitions}\"]

# One method instead of all; `quotient check --methods` lists them.
# method = \"forward predicates(bad, guards) key-states\"
# Or several, to be tried side by side:
# methods = [\"forward predicates(bad)\", \"forward traces(1, +1)\"]

# What to do about a step that changes nothing: \"auto\" adds it unless it can be
# seen to be there, \"add\" adds it, \"as-given\" leaves the steps alone.
identity = \"auto\"

# When to give up: 10, 500ms, 2m, 1h. By default never.
# timeout = \"60s\"

# How many threads; by default as many as there are cores.
# threads = 2

# Whether to look for reasons to doubt a model whose properties hold.
doubt = true
"
    )
}

/// Reads a manifest and the files it names.
pub(super) fn read(source: &Source, session: &Session) -> Result<Setup, Failure> {
    let table = DeTable::parse(source.text()).map_err(|error| {
        let span = error.span().unwrap_or_default();
        Diagnostic::error("syntax", error.message().to_owned()).at(source, span.into(), "")
    })?;
    let manifest = Manifest {
        source,
        table: table.get_ref(),
    };
    manifest.check_keys()?;
    let files = manifest.files()?;
    let settings = manifest.settings()?;
    let title = manifest.text("name")?.map(|(name, _)| name.to_owned());
    let (problem, warnings) = read_files(&files, session)?;
    Ok(Setup {
        title: title.unwrap_or_else(|| source.name().to_owned()),
        problem,
        settings,
        warnings,
    })
}

struct Manifest<'a> {
    source: &'a Source,
    table: &'a DeTable<'a>,
}

type Value<'a> = Spanned<DeValue<'a>>;

impl<'a> Manifest<'a> {
    fn check_keys(&self) -> Result<(), Diagnostic> {
        for key in self.table.keys() {
            if !KEYS.contains(&key.get_ref().as_ref()) {
                let message = format!("there is no key `{}`", key.get_ref());
                return Err(Diagnostic::error("unknown-key", message)
                    .at(self.source, key.span().into(), "")
                    .note(format!("the keys are {}", KEYS.join(", ")))
                    .did_you_mean(key.get_ref(), KEYS));
            }
        }
        Ok(())
    }

    fn get(&self, key: &str) -> Option<&'a Value<'a>> {
        self.table
            .iter()
            .find(|(known, _)| known.get_ref() == key)
            .map(|(_, value)| value)
    }

    fn required(&self, key: &str, what: &str) -> Result<&'a Value<'a>, Diagnostic> {
        self.get(key).ok_or_else(|| {
            Diagnostic::error("missing-key", format!("the manifest does not name {what}"))
                .in_source(self.source)
                .help(format!("add a line `{key} = …`"))
        })
    }

    fn wrong(&self, value: &Value<'_>, expected: &str) -> Diagnostic {
        let message = format!("expected {expected}, found {}", type_name(value.get_ref()));
        Diagnostic::error("bad-value", message).at(self.source, value.span().into(), "")
    }

    fn string(&self, value: &'a Value<'a>, expected: &str) -> Result<&'a str, Diagnostic> {
        value
            .get_ref()
            .as_str()
            .ok_or_else(|| self.wrong(value, expected))
    }

    fn text(&self, key: &str) -> Result<Option<(&'a str, Span)>, Diagnostic> {
        self.get(key)
            .map(|value| Ok((self.string(value, "a string")?, value.span().into())))
            .transpose()
    }

    fn files(&self) -> Result<Files, Diagnostic> {
        let init = self.required("init", "the initial configurations")?;
        let bad = self.required("bad", "the bad configurations")?;
        let steps = self.required("transitions", "the transitions")?;
        Ok(Files {
            initial: self.path(self.string(init, "the name of a file")?),
            bad: self.bad(bad)?,
            transitions: self.transitions(steps)?,
        })
    }

    /// A path as seen from the folder of the manifest.
    fn path(&self, path: &str) -> String {
        let folder = Path::new(self.source.name())
            .parent()
            .unwrap_or(Path::new(""));
        folder.join(path).to_string_lossy().into_owned()
    }

    /// One file, or a table of properties.
    fn bad(&self, value: &'a Value<'a>) -> Result<Vec<(String, String)>, Diagnostic> {
        match value.get_ref() {
            DeValue::String(file) => Ok(vec![(stem(Path::new(file.as_ref())), self.path(file))]),
            DeValue::Table(table) => {
                let mut entries: Vec<_> = table.iter().collect();
                // In the order of the file, not of the alphabet.
                entries.sort_by_key(|(name, _)| name.span().start);
                let named = entries.into_iter().map(|(name, file)| {
                    let file = self.string(file, "the name of a file")?;
                    Ok((name.get_ref().to_string(), self.path(file)))
                });
                named.collect()
            }
            _ => Err(self.wrong(value, "the name of a file, or a table of them")),
        }
    }

    /// Files and patterns.
    fn transitions(&self, value: &'a Value<'a>) -> Result<Vec<(String, String)>, Diagnostic> {
        let patterns: Vec<&Value<'a>> = match value.get_ref() {
            DeValue::String(_) => vec![value],
            DeValue::Array(array) => array.iter().collect(),
            _ => return Err(self.wrong(value, "a list of files")),
        };
        let mut files = Vec::new();
        for pattern in patterns {
            let text = self.string(pattern, "the name of a file")?;
            let path = self.path(text);
            let found = match text.contains(['*', '?', '[']) {
                true => self.matches(&path, text, pattern.span().into())?,
                false => vec![path],
            };
            files.extend(found.into_iter().map(|path| (stem(Path::new(&path)), path)));
        }
        if files.is_empty() {
            return Err(
                Diagnostic::error("no-problem", "there are no transitions").at(
                    self.source,
                    value.span().into(),
                    "no file is named",
                ),
            );
        }
        Ok(files)
    }

    fn matches(&self, pattern: &str, text: &str, span: Span) -> Result<Vec<String>, Diagnostic> {
        let found = glob::glob(pattern).map_err(|error| {
            Diagnostic::error(
                "bad-value",
                format!("`{text}` is no pattern: {}", error.msg),
            )
            .at(self.source, span, "")
        })?;
        let found: Vec<String> = found
            .flatten()
            .map(|path| path.to_string_lossy().into_owned())
            .collect();
        match found.is_empty() {
            true => Err(
                Diagnostic::error("no-match", format!("no file matches `{text}`"))
                    .at(self.source, span, "")
                    .note("patterns are seen from the folder of the manifest"),
            ),
            false => Ok(found),
        }
    }

    fn settings(&self) -> Result<Settings, Diagnostic> {
        Ok(Settings {
            methods: self.methods()?,
            identity: self.identity()?,
            timeout: self.timeout()?,
            threads: self.threads()?,
            doubt: match self.get("doubt") {
                None => None,
                Some(value) => {
                    let yes = value.get_ref().as_bool();
                    Some(yes.ok_or_else(|| self.wrong(value, "true or false"))?)
                }
            },
        })
    }

    fn methods(&self) -> Result<Vec<Configuration>, Diagnostic> {
        let one = self.get("method").into_iter();
        let several = match self.get("methods").map(|value| (value, value.get_ref())) {
            None => Vec::new(),
            Some((_, DeValue::Array(array))) => array.iter().collect(),
            Some((value, _)) => return Err(self.wrong(value, "a list of methods")),
        };
        one.chain(several)
            .map(|value| {
                let text = self.string(value, "a method")?;
                text.parse().map_err(|error: Diagnostic| {
                    Diagnostic {
                        source: None,
                        labels: Vec::new(),
                        ..error
                    }
                    .at(self.source, value.span().into(), "")
                })
            })
            .collect()
    }

    fn identity(&self) -> Result<Identity, Diagnostic> {
        let Some((text, span)) = self.text("identity")? else {
            return Ok(Identity::default());
        };
        match text {
            "auto" => Ok(Identity::Auto),
            "add" => Ok(Identity::Add),
            "as-given" => Ok(Identity::AsGiven),
            _ => Err(
                Diagnostic::error("bad-value", format!("identity cannot be `{text}`"))
                    .at(
                        self.source,
                        span,
                        "expected \"auto\", \"add\" or \"as-given\"",
                    )
                    .did_you_mean(text, ["auto", "add", "as-given"]),
            ),
        }
    }

    fn timeout(&self) -> Result<Option<Duration>, Diagnostic> {
        let Some(value) = self.get("timeout") else {
            return Ok(None);
        };
        let text = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            _ => return Err(self.wrong(value, "a time such as \"60s\"")),
        };
        units::duration(&text).map(Some).map_err(|why| {
            Diagnostic::error("bad-value", format!("`{text}` is not a time")).at(
                self.source,
                value.span().into(),
                why,
            )
        })
    }

    fn threads(&self) -> Result<Option<usize>, Diagnostic> {
        let Some(value) = self.get("threads") else {
            return Ok(None);
        };
        let DeValue::Integer(number) = value.get_ref() else {
            return Err(self.wrong(value, "a number of threads"));
        };
        let number = number
            .to_string()
            .parse::<usize>()
            .ok()
            .filter(|&number| number > 0);
        number
            .map(Some)
            .ok_or_else(|| self.wrong(value, "a number of threads, 1 or more"))
    }
}

fn type_name(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a number",
        DeValue::Float(_) => "a number with a point",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
