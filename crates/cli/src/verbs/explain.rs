//! `quotient explain CODE`

use clap::Args;
use quotient_core::Diagnostic;
use quotient_language::text::wrap;
use quotient_workbench::{codes, explained};
use serde_json::json;

use crate::failure::Failure;
use crate::reply::Reply;
use crate::session::Session;

/// Explain the code of an error or a warning.
///
/// Messages have their code in brackets: `error[undefined-process]: …`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  quotient explain undefined-process
  quotient explain                     all codes")]
pub(crate) struct Explain {
    /// The code; without one, all are listed.
    code: Option<String>,
}

impl Explain {
    pub(super) fn run(&self, _: &Session) -> Result<Reply, Failure> {
        let Some(code) = &self.code else {
            let all: Vec<&str> = codes().map(|(code, _)| code).collect();
            return Ok(Reply {
                product: Some((all.join("\n") + "\n").into()),
                result: json!({ "codes": all }),
                ..Reply::default()
            });
        };
        let code = code.trim_matches(['[', ']']);
        let Some(text) = explained(code) else {
            let message = format!("there is no code `{code}`");
            return Err(Diagnostic::error("no-such-code", message)
                .did_you_mean(code, codes().map(|(code, _)| code))
                .help("`quotient explain` lists all")
                .into());
        };
        Ok(Reply {
            product: Some(format!("{code}\n{}\n", wrap(text, 78)).into()),
            result: json!({ "code": code, "text": text }),
            ..Reply::default()
        })
    }
}
