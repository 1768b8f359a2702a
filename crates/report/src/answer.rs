//! Answers as text and as JSON.

use quotient_core::{Event, Verdict};
use quotient_language::text::wrap;
use quotient_language::{Answer, Json, Number};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::json;

use crate::lines::hanging;
use crate::trace::StepsForPrograms;
use crate::{story_text, table_text, trace_text, verdict_fields};

/// An answer for people, in lines of at most 80 characters where words allow.
pub fn answer_text(answer: &Answer) -> String {
    let number = answer.number.map(|number| format!("{number}. "));
    // Who asks for a number wants to read it, and not that it was found.
    let told = match (&answer.value, &answer.verdict) {
        (Some(value), Verdict::Holds) => number_text(value),
        (Some(value), verdict) => format!("{verdict} ({})", number_text(value)),
        (None, verdict) => verdict.to_string(),
    };
    let called = match signal(answer) {
        Some(signal) => format!("{} ({signal})", answer.property),
        None => answer.property.clone(),
    };
    let line = format!("{}{called}: {told}", number.unwrap_or_default());
    let mut text = hanging(&line, 80, 3) + "\n";
    let method = answer.method.as_deref().map(|method| {
        let refinements = match answer.refinements {
            0 => String::new(),
            1 => ", 1 refinement".to_owned(),
            more => format!(", {more} refinements"),
        };
        format!(" (by {method}{refinements})")
    });
    // Why nothing is known is in the verdict; what was found all the same may be told beside it.
    let more = match &answer.verdict {
        Verdict::Unknown(stop) => !stop.to_string().contains(&answer.because),
        _ => true,
    };
    if more && !answer.because.is_empty() {
        let line = format!("{}{}", answer.because, method.unwrap_or_default());
        text.push_str(&format!("  {}\n", wrap(&line, 78).replace('\n', "\n  ")));
    }
    let mut inside = |block: &str| {
        for line in block.lines() {
            text.push_str(format!("  {line}").trim_end());
            text.push('\n');
        }
    };
    if let Some(trace) = &answer.trace {
        inside(&trace_text(trace, 78));
    }
    if let Some(table) = &answer.table {
        inside(&table_text(table, 78));
    }
    answer.notes.iter().for_each(|note| inside(note));
    text
}

/// What the file calls the signal that a property is about, where the property itself is a number
/// in disguise (`b0`): the field `signal` among the details.
pub(crate) fn signal(answer: &Answer) -> Option<&str> {
    let named = answer.details.iter().find(|(name, _)| name == "signal");
    named.and_then(|(_, value)| value.as_str())
}

/// `0.1667 ± 1e-4`, or the number exactly.
fn number_text(number: &Number) -> String {
    if let Some(exact) = &number.exact {
        return match exact.parse::<f64>() {
            Ok(_) => exact.clone(),
            Err(_) => format!("{exact} = {}", short(number.value)),
        };
    }
    let (lower, upper) = (number.lower, number.upper);
    match () {
        () if lower == upper => short(number.value),
        () if upper - lower > 1e-3 * number.value.abs() || number.value.is_infinite() => {
            format!("between {} and {}", short(lower), short(upper))
        }
        () => format!("{} ± {}", short(number.value), away(number)),
    }
}

/// A number as people write it: one with more than a line of zeros with an exponent.
fn short(number: f64) -> String {
    let size = number.abs();
    match size != 0.0 && size.is_finite() && !(1e-12..1e18).contains(&size) {
        true => format!("{number:e}"),
        false => number.to_string(),
    }
}

/// How far from the number given the right one may be, in one digit that is not too small.
fn away(number: &Number) -> String {
    let most = (number.upper - number.value).max(number.value - number.lower);
    let text = format!("{most:.0e}");
    let enough = text.parse::<f64>().is_ok_and(|shown| shown >= most);
    match enough || !most.is_finite() {
        true => text,
        // Twice as much is written with a first digit that is larger by one at least.
        false => format!("{:.0e}", 2.0 * most),
    }
}

/// An answer for programs.
pub fn answer_json(answer: &Answer) -> Json {
    // Plain data with string keys: this cannot fail, and if one day it does, a null shows it.
    serde_json::to_value(ForPrograms(answer)).unwrap_or(Json::Null)
}

/// An answer for programs, to be written piece by piece: a run of many steps as one value takes far more
/// room than the run itself.
#[derive(Debug, Clone, Copy)]
pub struct ForPrograms<'a>(pub &'a Answer);

impl Serialize for ForPrograms<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let answer = self.0;
        let mut fields = Fields {
            map: serializer.serialize_map(None)?,
            details: &answer.details,
            written: Vec::new(),
        };
        fields.put("property", &answer.property)?;
        if let Some(number) = answer.number {
            fields.put("number", &number)?;
        }
        for (name, value) in verdict_fields(&answer.verdict) {
            fields.put(name, &value)?;
        }
        if let Some(number) = &answer.value {
            fields.put("value", &finite(number.value))?;
            fields.put("lower", &finite(number.lower))?;
            fields.put("upper", &finite(number.upper))?;
            if let Some(exact) = &number.exact {
                fields.put("exact", exact)?;
            }
        }
        if let Some(method) = &answer.method {
            fields.put("method", method)?;
        }
        fields.put("refinements", &answer.refinements)?;
        if let Some(trace) = &answer.trace {
            fields.put("trace", &StepsForPrograms(trace))?;
            if let Some(back_to) = trace.back_to {
                fields.put("backTo", &back_to)?;
            }
        }
        if let Some(table) = &answer.table {
            fields.put("rows", table)?;
        }
        if let Some(evidence) = &answer.evidence {
            fields.put("evidence", evidence)?;
        }
        for (name, value) in &answer.details {
            fields.put(name, value)?;
        }
        fields.map.end()
    }
}

/// The fields of an object, each written once: what a language says itself goes before what is said of
/// every answer.
struct Fields<'a, M> {
    map: M,
    details: &'a [(String, Json)],
    written: Vec<&'a str>,
}

impl<'a, M: SerializeMap> Fields<'a, M> {
    fn put(&mut self, name: &'a str, value: &impl Serialize) -> Result<(), M::Error> {
        if self.written.contains(&name) {
            return Ok(());
        }
        self.written.push(name);
        match self.details.iter().rfind(|(known, _)| known == name) {
            Some((_, own)) => self.map.serialize_entry(name, own),
            None => self.map.serialize_entry(name, value),
        }
    }
}

/// JSON has no infinities: they are words.
fn finite(number: f64) -> Json {
    match number {
        _ if number.is_finite() => json!(number),
        _ if number.is_nan() => json!("NaN"),
        _ if number > 0.0 => json!("Infinity"),
        _ => json!("-Infinity"),
    }
}

/// The verdict on all answers together.
pub fn overall(answers: &[Answer]) -> Verdict {
    Verdict::all(answers.iter().map(|answer| answer.verdict.clone()))
}

/// The story of every method that took part, with at most so many attempts of each.
pub fn whole_story(story: &[Event], most: usize) -> String {
    let mut methods: Vec<Option<&str>> = Vec::new();
    for event in story {
        let method = event.method.as_deref();
        if !methods.contains(&method) {
            methods.push(method);
        }
    }
    let mut text = String::new();
    for method in methods {
        let told = story_text(story, method, most);
        if !told.is_empty() {
            let of = method.map(|name| format!(" of {name}")).unwrap_or_default();
            text.push_str(&format!("story{of}:\n{told}"));
        }
    }
    text
}

/// How far things got, for who did not ask for the story: at most so many lines.
pub fn short_story(story: &[Event], most: usize) -> String {
    let whole = whole_story(story, 3);
    let lines: Vec<&str> = whole.lines().collect();
    if lines.len() <= most {
        return whole;
    }
    // The beginning says what was tried, the end how far it got.
    let (first, last) = (most / 2, most - most / 2 - 1);
    let mut text: Vec<String> = lines[..first]
        .iter()
        .map(|line| (*line).to_owned())
        .collect();
    let left_out = lines.len() - first - last;
    text.push(format!("  … {left_out} lines more, shown with --story"));
    let end = lines[lines.len() - last..].iter();
    text.extend(end.map(|line| (*line).to_owned()));
    text.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_story_that_nobody_asked_for_is_short() {
        let note = |number: usize| Event {
            at: std::time::Duration::ZERO,
            method: Some(format!("method {number}").into()),
            what: quotient_core::What::Note {
                text: "tried".to_owned(),
            },
        };
        let story: Vec<Event> = (0..40).map(note).collect();
        let text = short_story(&story, 10);
        assert_eq!(text.lines().count(), 10, "{text}");
        assert!(text.contains("71 lines more"), "{text}");
        assert!(
            text.ends_with("story of method 39:\n  note: tried\n"),
            "{text}"
        );
        assert_eq!(short_story(&story[..2], 10), whole_story(&story[..2], 3));
    }

    #[test]
    fn what_is_unknown_is_told_once_and_what_was_found_beside_it() {
        let stop = quotient_core::Stop::inconclusive("an estimate is no proof");
        let plain = answer_text(&Answer::unknown("p", stop.clone()));
        assert_eq!(plain.lines().count(), 1, "{plain}");
        let mut named = Answer::new("b0", Verdict::Holds);
        named.details.push(("signal".into(), json!("overflow")));
        assert_eq!(answer_text(&named), "b0 (overflow): holds\n");
        let found = Answer::new("p", Verdict::Unknown(stop)).because("about 0.5");
        let told = answer_text(&found);
        assert!(told.ends_with("\n  about 0.5\n"), "{told}");
    }

    fn told(value: f64, lower: f64, upper: f64) -> String {
        let mut answer = Answer::new("p", Verdict::Holds);
        answer.value = Some(Number {
            value,
            lower,
            upper,
            exact: None,
        });
        answer_text(&answer)
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned()
    }

    #[test]
    fn a_number_is_told_with_how_far_it_may_be_off_and_never_too_little() {
        assert_eq!(told(0.25, 0.25, 0.25), "p: 0.25");
        assert_eq!(told(0.25, 0.2499, 0.2501), "p: 0.25 ± 1e-4");
        assert_eq!(told(1.0, 1.0 - 4.4e-9, 1.0), "p: 1 ± 9e-9");
        assert_eq!(told(0.5, 0.25, 1.0), "p: between 0.25 and 1");
        assert_eq!(told(0.0, 0.0, 5e-324), "p: between 0 and 5e-324");
        assert_eq!(told(1e-30, 1e-30, 1e-30), "p: 1e-30");
        let open = told(f64::INFINITY, 3.0, f64::INFINITY);
        assert_eq!(open, "p: between 3 and inf");
    }

    #[test]
    fn an_answer_says_each_thing_once() {
        let mut answer = Answer::new("p", Verdict::Holds);
        let mut detail = |name: &str, text: &str| answer.details.push((name.into(), json!(text)));
        detail("method", "theirs");
        detail("kind", "first");
        detail("kind", "last");
        answer.method = Some("ours".to_owned());
        let text = serde_json::to_string(&ForPrograms(&answer)).unwrap();
        assert_eq!(
            text,
            r#"{"property":"p","verdict":"holds","method":"theirs","refinements":0,"kind":"last"}"#
        );
        assert_eq!(answer_json(&answer).to_string(), text);
    }
}
