//! Answers for programs: one JSON object for each run of a command, described in
//! `docs/json.md` and `docs/schema/report.json`.

use quotient_core::{Diagnostic, Event, Source, Span, Verdict};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};

/// The version of the JSON that this build writes. Fields may be added within a version;
/// removing one or changing its meaning makes a new version.
pub const SCHEMA: u32 = 1;

/// What a command has to say, for programs.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// The command, without its arguments: `automata include`.
    pub verb: String,
    /// The exit code.
    pub exit: u8,
    /// The answer, if a question was asked.
    pub verdict: Option<Verdict>,
    /// What the command found or made; its fields depend on the command.
    pub result: Value,
    /// The time of the operation alone, if that was asked for.
    pub seconds: Option<f64>,
    /// What is odd or wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// What happened on the way, if that was asked for.
    pub story: Vec<Event>,
}

impl Report {
    /// The object.
    ///
    /// ```
    /// use quotient_core::Verdict;
    /// use quotient_report::Report;
    /// let report = Report { verb: "automata empty".into(), verdict: Some(Verdict::Holds), ..Report::default() };
    /// assert_eq!(report.to_json()["verdict"], "holds");
    /// ```
    pub fn to_json(&self) -> Value {
        value_of(&self.with(&self.result))
    }

    /// The object with another result, to be written piece by piece: nothing of it is copied.
    pub fn with<'a, R: Serialize>(&'a self, result: &'a R) -> impl Serialize + 'a {
        Whole {
            report: self,
            result,
        }
    }
}

struct Whole<'a, R> {
    report: &'a Report,
    result: &'a R,
}

impl<R: Serialize> Serialize for Whole<'_, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let report = self.report;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("schema", &SCHEMA)?;
        map.serialize_entry("quotient", env!("CARGO_PKG_VERSION"))?;
        map.serialize_entry("verb", &report.verb)?;
        map.serialize_entry("exit", &report.exit)?;
        if let Some(verdict) = &report.verdict {
            for (name, value) in verdict_fields(verdict) {
                map.serialize_entry(name, &value)?;
            }
        }
        if !report.result.is_null() {
            map.serialize_entry("result", self.result)?;
        }
        if let Some(seconds) = report.seconds {
            map.serialize_entry("seconds", &seconds)?;
        }
        if !report.diagnostics.is_empty() {
            let told: Value = report.diagnostics.iter().map(diagnostic_json).collect();
            map.serialize_entry("diagnostics", &told)?;
        }
        if !report.story.is_empty() {
            map.serialize_entry("story", &report.story)?;
        }
        map.end()
    }
}

/// `verdict`, and for an unknown one `reason` and `because` (the reason in words).
pub fn verdict_fields(verdict: &Verdict) -> Vec<(&'static str, Value)> {
    verdict.fields()
}

/// A diagnostic with its places as lines and columns (from 1, in characters).
pub fn diagnostic_json(diagnostic: &Diagnostic) -> Value {
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
    put("severity", value_of(&diagnostic.severity));
    put("code", json!(diagnostic.code));
    put("message", json!(diagnostic.message));
    if let Some(source) = &diagnostic.source {
        put("file", json!(source.name()));
        let places = diagnostic.labels.iter().map(|label| {
            let mut place = place(source, label.span);
            if !label.text.is_empty() {
                place.insert("text".to_owned(), json!(label.text));
            }
            Value::Object(place)
        });
        put("places", places.collect());
    }
    put("notes", json!(diagnostic.notes));
    put("help", json!(diagnostic.help));
    Value::Object(object)
}

fn place(source: &Source, span: Span) -> Map<String, Value> {
    let (line, column) = source.position(span.start);
    let (end_line, end_column) = source.position(span.end);
    let fields = [
        ("line", line),
        ("column", column),
        ("endLine", end_line),
        ("endColumn", end_column),
    ];
    fields
        .into_iter()
        .map(|(name, value)| (name.to_owned(), json!(value)))
        .collect()
}

/// Plain data with string keys: this cannot fail, and if one day it does, a null shows it.
fn value_of(data: &impl Serialize) -> Value {
    serde_json::to_value(data).unwrap_or(Value::Null)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quotient_core::Stop;

    #[test]
    fn a_report_has_what_is_known_and_no_more() {
        let report = Report {
            verb: "check".into(),
            exit: 2,
            verdict: Some(Verdict::Unknown(Stop::bound("refinements", 3))),
            ..Report::default()
        };
        insta::assert_snapshot!(serde_json::to_string_pretty(&report.to_json()).unwrap());
    }

    #[test]
    fn diagnostics_have_lines_and_columns() {
        let source = Source::new("f", "a\nbé c");
        let diagnostic = Diagnostic::error("syntax", "no").at(&source, Span::new(6, 7), "here");
        let json = diagnostic_json(&diagnostic);
        assert_eq!(json["places"][0]["line"], 2);
        assert_eq!(json["places"][0]["column"], 4);
        assert_eq!(json["places"][0]["endColumn"], 5);
        assert_eq!(json["severity"], "error");
    }
}
