//! The page as a report: a check that is over, in one file.

use quotient_core::{Event, Source, What};
use quotient_language::{Answer, Shown};
use quotient_report::{
    Drawings, answer_view, diagnostics_view, doubt_view, exhibit_view, property_view, shown_view,
};
use quotient_workbench::Checked;
use serde_json::{Value, json};

use crate::static_page;

/// Of a longer story, steps after this many are left out of the page.
const MOST_STEPS: usize = 3_000;

/// What else is known about a check that is over.
#[derive(Debug, Default)]
pub struct Beside {
    /// For each answer, how long it took to come, in seconds, where that is known.
    pub seconds: Vec<Option<f64>>,
    /// For each answer, the file with its evidence, beside the page.
    pub evidence: Vec<Option<String>>,
    /// What there is to see of the model.
    pub shown: Option<Shown>,
}

/// The page that shows a check: the same as the one that is served, with the data inside. The
/// text of the model goes with it where there is one; `command` is how the same is done again.
pub fn report_page(
    checked: &Checked,
    source: Option<&Source>,
    story: &[Event],
    command: &str,
    beside: &Beside,
) -> String {
    let language = checked.about.map(|about| about.id);
    let properties = checked.asked.iter();
    let doubts = checked.doubts.iter().map(|one| doubt_view(one, source));
    let exhibits = checked.exhibits.iter();
    let exhibits = exhibits.map(|one| exhibit_view(one, Drawings::All));
    let answer = |(number, one): (usize, &Answer)| {
        let mut view = answer_view(one, source, Drawings::All);
        if let Some(Some(seconds)) = beside.seconds.get(number) {
            view["seconds"] = json!(seconds);
        }
        if let Some(Some(file)) = beside.evidence.get(number) {
            view["evidenceFile"] = json!(file);
        }
        view
    };
    let mut data = json!({
        "quotient": env!("CARGO_PKG_VERSION"),
        "title": checked.title,
        "language": language,
        "languageName": checked.about.map(|about| about.name),
        "file": source.map_or(checked.title.as_str(), Source::name),
        "text": source.map(Source::text),
        "command": command,
        "properties": properties.map(|one| property_view(one, source)).collect::<Vec<_>>(),
        "answers": checked.answers.iter().enumerate().map(answer).collect::<Vec<_>>(),
        "model": {
            "title": checked.title,
            "language": language,
            "doubts": doubts.collect::<Vec<_>>(),
            "exhibits": exhibits.collect::<Vec<_>>(),
            "warnings": diagnostics_view(&checked.warnings),
        },
        "story": told(story),
        "shown": beside.shown.as_ref().map(|shown| shown_view(shown, Drawings::All)),
    });
    without_graphs(&mut data);
    static_page(&checked.title, &data)
}

/// Graphs are there so that the server can draw them again, and there is none.
fn without_graphs(data: &mut Value) {
    match data {
        Value::Object(fields) => {
            if fields.contains_key("svg") {
                fields.remove("graph");
            }
            fields.values_mut().for_each(without_graphs);
        }
        Value::Array(all) => all.iter_mut().for_each(without_graphs),
        _ => {}
    }
}

fn told(story: &[Event]) -> Vec<Value> {
    let mut steps = 0;
    let kept = story.iter().filter(|event| {
        steps += usize::from(matches!(event.what, What::Step { .. }));
        steps <= MOST_STEPS || !matches!(event.what, What::Step { .. })
    });
    kept.take(2 * MOST_STEPS)
        .filter_map(|event| serde_json::to_value(event).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quotient_core::Verdict;

    #[test]
    fn names_cannot_break_the_page() {
        let mut checked = Checked {
            title: "</script><script>alert(1)</script>".into(),
            ..Checked::default()
        };
        checked.answers.push(Answer::new("<b>", Verdict::Holds));
        let source = Source::new("a.smv", "<!-- </script> -->");
        let beside = Beside::default();
        let page = report_page(
            &checked,
            Some(&source),
            &[],
            "quotient check a.smv",
            &beside,
        );
        let data = page.split("type=\"application/json\">").nth(1).unwrap();
        let data = data.split("</script>").next().unwrap();
        let data: Value = serde_json::from_str(data).unwrap();
        assert_eq!(data["answers"][0]["property"], "<b>");
        assert_eq!(data["text"], "<!-- </script> -->");
        // The page has its data and its script, and no other.
        assert_eq!(page.matches("</script>").count(), 2);
    }
}
