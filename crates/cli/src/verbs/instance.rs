//! `quotient instance MODEL`

use clap::Args;
use quotient_language::Verb;
use quotient_language::text::{count, wrap};
use quotient_report::{answer_json, answer_text, hanging, overall};
use serde_json::json;

use crate::failure::Failure;
use crate::files;
use crate::options::ModelArguments;
use crate::reply::Reply;
use crate::session::Session;

/// Search one instance of a model completely: a second opinion.
///
/// The search is exact, but says nothing about other instances.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  quotient instance lock.protocol --processes 3")]
pub(crate) struct Instance {
    /// The model.
    model: String,
    #[command(flatten)]
    how: ModelArguments,
}

impl Instance {
    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let mut request = files::request(&self.model, &self.how, session)?;
        let cx = session.context();
        let name = request.input.name().to_owned();
        let mut opened = session.workbench.open(&mut request, Verb::Instance, &cx)?;
        let busy = session.busy("searching all states");
        let found = opened.model.instance(&cx)?;
        drop(busy);
        let sizes: Vec<String> = found
            .sizes
            .iter()
            .map(|(what, number)| {
                let singular = what.strip_suffix('s').unwrap_or(what);
                count(usize::try_from(*number).unwrap_or(usize::MAX), singular)
            })
            .collect();
        let what = match found.what.is_empty() {
            true => String::new(),
            false => format!(", {}", found.what),
        };
        let line = format!("{name}{what}: {}", sizes.join(", "));
        let mut text = hanging(&line, 80, 4) + "\n";
        for note in &found.notes {
            text.push_str(&format!("{}\n", wrap(note, 80)));
        }
        text.extend(found.answers.iter().map(answer_text));
        let mut result = json!({
            "answers": found.answers.iter().map(answer_json).collect::<Vec<_>>(),
        });
        for (what, number) in &found.sizes {
            result[key(what)] = json!(number);
        }
        Ok(Reply {
            verdict: Some(overall(&found.answers)),
            text,
            result,
            warnings: opened.model.warnings(),
            ..Reply::default()
        })
    }
}

/// Words as the name of a field: `initial states` is `initialStates`.
fn key(words: &str) -> String {
    let mut words = words.split(' ').map(str::to_owned);
    let first = words.next().unwrap_or_default();
    words.fold(first, |key, mut word| {
        if let Some(letter) = word.get_mut(..1) {
            letter.make_ascii_uppercase();
        }
        key + &word
    })
}
