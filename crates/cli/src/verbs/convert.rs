//! `quotient convert IN OUT`

use clap::Args;
use quotient_core::Diagnostic;
use quotient_language::{About, Verb, Viewed, Written};
use quotient_report::draw;
use quotient_workbench::Opened;
use serde_json::json;

use super::show::{graphviz, no_picture};
use crate::failure::Failure;
use crate::files;
use crate::options::ModelArguments;
use crate::outputs::deliver;
use crate::reply::Reply;
use crate::session::Session;

/// Write a model, or a part of it, in another format.
///
/// What was written reads back as the same.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  quotient convert model.tmb model.mata      by the names of the files
  quotient convert model.tmb --to fsa        to standard output
  quotient convert problem.json#init init.tmb  one part of a problem
  quotient convert client_server.lts#SERVER server.aut
  quotient convert client_server.lts#SYSTEM - --to lts --minimise")]
pub(crate) struct Convert {
    /// The file to read; `-` for standard input, FILE#NAME for one part.
    input: String,
    /// The file to write; `-` (or none, with `--to`) for standard output.
    #[arg(default_value = "-", hide_default_value = true)]
    output: String,
    /// The format to write: one of the language's own, `svg` or `dot`. By default what the name of
    /// the output says.
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    #[command(flatten)]
    how: ModelArguments,
}

impl Convert {
    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let (path, part) = files::split(&self.input);
        let mut request = files::request(path, &self.how, session)?;
        let cx = session.context();
        let language = session.workbench.language_of(&request)?;
        let format = self.format(language.about())?;
        let drawn = matches!(format.as_str(), "svg" | "dot")
            && language
                .about()
                .formats
                .iter()
                .all(|known| known.name != format);
        let verb = if drawn { Verb::Show } else { Verb::Convert };
        // What is drawn may be reduced as what is written.
        let mut opened = session.workbench.open(&mut request, verb, &cx)?;
        let busy = session.busy("converting");
        let mut written = match drawn {
            true => self.draw(&mut opened, part, &format, session)?,
            false => opened.model.convert(&format, part, &cx)?,
        };
        drop(busy);
        // The language may have a finer name for it.
        let details = written.details.drain(..);
        written.details = [("format".to_owned(), json!(format))]
            .into_iter()
            .chain(details)
            .collect();
        let path = Some(self.output.as_str()).filter(|&path| path != "-");
        let mut reply = deliver(written, path, "beside a file")?;
        reply.warnings.splice(0..0, opened.model.warnings());
        Ok(reply)
    }

    /// The format that is asked for, by its own name.
    fn format(&self, about: &About) -> Result<String, Diagnostic> {
        let drawings = ["svg", "dot"];
        let asked = match &self.to {
            Some(name) => name.to_lowercase(),
            None => {
                let ending = self.output.rsplit_once('.').map(|(_, ending)| ending);
                let Some(ending) = ending.filter(|_| self.output != "-") else {
                    let message = "the name of the output does not say its format";
                    return Err(Diagnostic::error("unknown-format", message)
                        .help(format!("say it with --to: {}", known(about).join(", "))));
                };
                ending.to_lowercase()
            }
        };
        let fits = |name: &str, endings: &[&str]| name == asked || endings.contains(&&*asked);
        let own = about.formats.iter().find(|one| fits(one.name, one.endings));
        if let Some(own) = own {
            return Ok(own.name.to_owned());
        }
        if drawings.contains(&asked.as_str()) {
            return Ok(asked);
        }
        let names = known(about);
        let message = format!("`{asked}` is not a format for {}", about.text);
        Err(Diagnostic::error("unknown-format", message)
            .help(format!("formats are {}", names.join(", ")))
            .did_you_mean(&asked, names.iter().map(String::as_str)))
    }

    fn draw(
        &self,
        opened: &mut Opened,
        part: Option<&str>,
        format: &str,
        session: &Session,
    ) -> Result<Written, Failure> {
        let view = Viewed {
            part: part.map(str::to_owned),
            picture: true,
        };
        let shown = opened.model.show(&view, &session.context())?;
        let Some(picture) = shown.pictures.first() else {
            return Err(no_picture(&self.input).into());
        };
        let text = match format {
            "svg" => draw(picture),
            _ => graphviz(picture)?,
        };
        Ok(Written {
            text,
            line: format!("a picture of {}", picture.title()),
            warnings: shown.warnings,
            ..Written::default()
        })
    }
}

/// All formats that a language can be written in.
fn known(about: &About) -> Vec<String> {
    let own = about.formats.iter().map(|format| format.name.to_owned());
    let mut names: Vec<String> = own.collect();
    for drawing in ["svg", "dot"] {
        if about.offers.contains(&Verb::Show) && !names.iter().any(|name| name == drawing) {
            names.push(drawing.to_owned());
        }
    }
    names
}
