//! `quotient help [TOPIC]`

use clap::Args;
use quotient_core::Diagnostic;
use quotient_report::{about_json, about_text};
use serde_json::json;

use crate::failure::Failure;
use crate::reply::Reply;
use crate::session::Session;

/// Explain a verb or a language.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  quotient help check
  quotient help smv            the settings of a language, with examples
  quotient help automata include")]
pub(crate) struct Help {
    /// A verb or a language; without one, all verbs and languages are listed.
    topic: Vec<String>,
}

impl Help {
    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let mut command = session.command.clone();
        command.build();
        for (number, word) in self.topic.iter().enumerate() {
            let Some(next) = command.find_subcommand(word).cloned() else {
                return match (number, session.workbench.named(word)) {
                    (0, Ok(language)) => Ok(Reply {
                        result: about_json(language.about()),
                        product: Some(about_text(language.about()).into()),
                        ..Reply::default()
                    }),
                    _ => Err(self.unknown(word, session).into()),
                };
            };
            command = next;
        }
        let page = command.render_long_help().to_string();
        Ok(Reply {
            result: json!({ "page": page }),
            product: Some(page.into()),
            ..Reply::default()
        })
    }

    fn unknown(&self, word: &str, session: &Session) -> Diagnostic {
        let command = session.command.clone();
        let verbs = command
            .get_subcommands()
            .map(|verb| verb.get_name().to_owned());
        let languages = session.workbench.abouts().map(|about| about.id.to_owned());
        let known: Vec<String> = verbs.chain(languages).collect();
        let message = format!("there is no verb or language `{word}`");
        let error = Diagnostic::error("no-such-topic", message)
            .did_you_mean(word, known.iter().map(String::as_str))
            .help("`quotient help` lists them");
        session.workbench.with_more(error)
    }
}
