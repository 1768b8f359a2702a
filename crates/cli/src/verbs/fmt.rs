//! `quotient fmt FILES`

use clap::Args;
use quotient_core::{Diagnostic, Verdict};
use quotient_language::Verb;
use quotient_workbench::Request;
use serde_json::json;

use crate::failure::Failure;
use crate::files;
use crate::options::ModelArguments;
use crate::reply::Reply;
use crate::session::Session;

/// The format of languages that lay their texts out.
const FORMATTED: &str = "formatted";

/// Lay models out: the same words and comments, with the blanks that everybody uses.
///
/// Protocols are laid out; other languages say that they are not.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  quotient fmt lock.protocol
  quotient fmt --check *.protocol      exit code 1 if one is not laid out
  quotient fmt - < lock.protocol       to standard output")]
pub(crate) struct Fmt {
    /// The files; `-` is standard input, laid out to standard output.
    #[arg(required = true)]
    files: Vec<String>,
    /// Write nothing; say which files would change.
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    how: ModelArguments,
}

impl Fmt {
    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let (mut changed, mut product) = (Vec::new(), None);
        for path in &self.files {
            let mut request = files::request(path, &self.how, session)?;
            let before = request.input.raw().to_vec();
            let text = laid_out(&mut request, session)?;
            if path == "-" {
                product = Some(text.into());
            } else if before != text.as_bytes() {
                if !self.check {
                    quotient_workbench::write_file(path, &text)?;
                }
                changed.push(path.clone());
            }
        }
        let word = if self.check { "would change" } else { "wrote" };
        let is_wrong = self.check && !changed.is_empty();
        Ok(Reply {
            verdict: is_wrong.then_some(Verdict::Violated),
            text: changed
                .iter()
                .map(|path| format!("{word} {path}\n"))
                .collect(),
            product,
            result: json!({ "changed": changed }),
            ..Reply::default()
        })
    }
}

fn laid_out(request: &mut Request, session: &Session) -> Result<String, Failure> {
    let about = session.workbench.language_of(request)?.about();
    if !about.formats.iter().any(|format| format.name == FORMATTED) {
        let message = format!("{} has no layout that Quotient knows", about.name);
        return Err(Diagnostic::error("not-offered", message).into());
    }
    let cx = session.context();
    let mut opened = session.workbench.open(request, Verb::Convert, &cx)?;
    Ok(opened.model.convert(FORMATTED, None, &cx)?.text)
}
