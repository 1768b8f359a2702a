//! `quotient show FILE [NAME]`

use clap::Args;
use quotient_core::Diagnostic;
use quotient_language::{Picture, Verb, Viewed};
use quotient_report::{dot, draw, shown_text};

use crate::failure::Failure;
use crate::files;
use crate::options::ModelArguments;
use crate::outputs::write_file;
use crate::reply::Reply;
use crate::session::Session;

/// Tell what is in a file, and draw it.
///
/// FILE#NAME, or NAME after the file, shows one part of it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  quotient show model.tmb
  quotient show model.tmb --svg model.svg
  quotient show problem.json#init --dot - | dot -Tpdf > init.pdf
  quotient show lock.protocol --invariant mutex --svg invariant.svg
  quotient show client_server.lts SERVER --svg server.svg
  quotient show light.smv --svg states.svg")]
pub(crate) struct Show {
    /// The file; `-` for standard input, FILE#NAME for one part.
    file: String,
    /// The part to show.
    name: Option<String>,
    /// Draw it as a standalone SVG; `-` for standard output.
    #[arg(long, value_name = "OUT")]
    svg: Option<String>,
    /// Write it for Graphviz; `-` for standard output.
    #[arg(long, value_name = "OUT")]
    dot: Option<String>,
    #[command(flatten)]
    how: ModelArguments,
}

impl Show {
    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let (path, part) = files::split(&self.file);
        let mut request = files::request(path, &self.how, session)?;
        let cx = session.context();
        let mut opened = session.workbench.open(&mut request, Verb::Show, &cx)?;
        let busy = session.busy("looking");
        let view = Viewed {
            part: self.name.clone().or_else(|| part.map(str::to_owned)),
            picture: self.svg.is_some() || self.dot.is_some(),
        };
        let shown = opened.model.show(&view, &cx)?;
        drop(busy);
        let mut warnings = opened.model.warnings();
        warnings.extend(shown.warnings.iter().cloned());
        let mut reply = Reply {
            text: shown_text(&shown),
            result: shown.result.clone(),
            warnings,
            ..Reply::default()
        };
        if view.picture {
            let Some(picture) = shown.pictures.first() else {
                return Err(no_picture(&self.file).into());
            };
            self.draw(&mut reply, picture)?;
        }
        Ok(reply)
    }

    fn draw(&self, reply: &mut Reply, picture: &Picture) -> Result<(), Failure> {
        if let Some(out) = &self.svg {
            deliver(reply, out, draw(picture))?;
        }
        if let Some(out) = &self.dot {
            deliver(reply, out, graphviz(picture)?)?;
        }
        Ok(())
    }
}

/// A graph for Graphviz.
pub(super) fn graphviz(picture: &Picture) -> Result<String, Diagnostic> {
    match picture {
        Picture::Graph(graph) => Ok(dot(graph)),
        _ => Err(Diagnostic::error(
            "no-graph",
            "this picture is no graph, so Graphviz has no use for it",
        )
        .help("draw it with --svg")),
    }
}

/// That there is nothing to draw.
pub(super) fn no_picture(file: &str) -> Diagnostic {
    Diagnostic::error("no-picture", format!("there is no one picture of `{file}`"))
        .help("name a part, as in `FILE#NAME`")
}

fn deliver(reply: &mut Reply, out: &str, drawing: String) -> Result<(), Failure> {
    if out == "-" {
        reply.product = Some(drawing.into());
        return Ok(());
    }
    write_file(out, &drawing)?;
    reply.text.push_str(&format!("wrote {out}\n"));
    Ok(())
}
