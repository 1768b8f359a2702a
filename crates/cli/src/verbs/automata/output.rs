//! Automata, transducers and pictures out.

use clap::Args;
use quotient_automata::catalogue::written;
use quotient_automata::facts::{summary, summary_json};
use quotient_automata::formats::{Format, Limits, Named};
use quotient_automata::pictures::machine_picture;
use quotient_core::{Trouble, nearest};
use quotient_language::{Json, Written};
use quotient_report::svg;

use crate::failure::Failure;
use crate::files;
use crate::outputs::deliver;
use crate::reply::Reply;
use crate::session::Session;

/// Where a result goes, and as what.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Writing")]
pub(super) struct Output {
    /// Write to this file instead of standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<String>,
    /// The format to write: timbuk, fsa, fsm, mata, slrp, json, dot or svg. By
    /// default what the name of the output says, else that of the input.
    #[arg(long, value_name = "FORMAT", value_parser = target)]
    to: Option<Target>,
}

/// A format that can be written.
#[derive(Debug, Clone, Copy)]
enum Target {
    /// A file of automata and transducers.
    Text(Format),
    /// A picture.
    Svg,
}

impl Target {
    /// The format that the name of a file asks for.
    fn of_file(path: &str) -> Option<Target> {
        let (_, ending) = path.rsplit_once('.')?;
        match ending.eq_ignore_ascii_case("svg") {
            true => Some(Target::Svg),
            false => Format::named(ending).map(Target::Text),
        }
    }
}

/// A format to write, by name.
fn target(name: &str) -> Result<Target, String> {
    match name.to_ascii_lowercase().as_str() {
        "svg" => Ok(Target::Svg),
        _ => named_format(name)
            .map(Target::Text)
            .map_err(|error| error.replace("formats are ", "formats are svg, ")),
    }
}

/// A format by name; the error suggests one.
pub(super) fn named_format(name: &str) -> Result<Format, String> {
    Format::named(name).ok_or_else(|| {
        let known = Format::ALL.map(|format| format.name().to_lowercase());
        let near = nearest(name, known.iter().map(String::as_str))
            .map(|near| format!("; did you mean `{near}`?"));
        let known = known.join(", ");
        format!("formats are {known}{}", near.unwrap_or_default())
    })
}

impl Output {
    /// Writes a text that is Timbuk and nothing else.
    pub(super) fn deliver_timbuk(&self, written: Written) -> Result<Reply, Failure> {
        let path = self.output.as_deref().filter(|&path| path != "-");
        let target = self.to.or_else(|| path.and_then(Target::of_file));
        if !matches!(target, None | Some(Target::Text(Format::Timbuk))) {
            return Err(Trouble::usage("automata of trees are written as Timbuk only").into());
        }
        Ok(deliver(written, path, "with -o")?)
    }

    /// Writes a machine; `usual` is the format if neither option nor file name says one.
    pub(super) fn deliver(
        &self,
        named: Named,
        usual: Format,
        session: &Session,
    ) -> Result<Reply, Failure> {
        let path = self.output.as_deref().filter(|&path| path != "-");
        let target = self.to.or_else(|| path.and_then(Target::of_file));
        let written = match target.unwrap_or(Target::Text(usual)) {
            Target::Text(format) => written(&[named], format, &limits(session), &session.budget)?,
            Target::Svg => Written {
                text: svg(&machine_picture(&named, None)),
                line: summary(&named),
                details: vec![
                    (
                        "machines".to_owned(),
                        Json::from(vec![summary_json(&named)]),
                    ),
                    ("format".to_owned(), Json::from("SVG")),
                ],
                ..Written::default()
            },
        };
        Ok(deliver(written, path, "with -o")?)
    }
}

/// The usual limits; a file larger than the memory allowed is too large as well.
pub(super) fn limits(session: &Session) -> Limits {
    let mut limits = Limits::default();
    let most = usize::try_from(files::most_bytes(&session.budget)).unwrap_or(usize::MAX);
    limits.bytes = limits.bytes.min(most);
    limits
}
