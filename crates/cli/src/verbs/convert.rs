//! `quotient convert IN OUT`

use clap::Args;
use quotient_automata::formats::Format;
use quotient_core::{Diagnostic, Source};
use quotient_report::{dot, svg};
use serde_json::json;

use crate::check::components::{Components, constant};
use crate::failure::Failure;
use crate::files::{self, ReadOptions};
use crate::outputs::{self, Target, count};
use crate::reply::Reply;
use crate::session::Session;

/// Write an automaton, a transducer, a problem or a component in another format.
///
/// What was written reads back as the same languages and relations.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  quotient convert model.tmb model.mata      by the names of the files
  quotient convert model.tmb - --to fsa      to standard output
  quotient convert problem.json#init init.tmb  one part of a problem
  quotient convert model.fsm model.svg --symbols model.syms
  quotient convert client_server.lts#SERVER server.aut
  quotient convert client_server.lts#SYSTEM - --to lts --minimise")]
pub(crate) struct Convert {
    /// The file to read; `-` for standard input, FILE#NAME for one part.
    input: String,
    /// The file to write; `-` for standard output.
    output: String,
    /// The format to write: timbuk, fsa, fsm, mata, slrp, json, dot or svg; of a component aut,
    /// lts, dot or svg. By default what the name of the output says.
    #[arg(long, value_name = "FORMAT", value_parser = outputs::target)]
    to: Option<Target>,
    /// Of a model of components: give a constant of the text another value.
    #[arg(long = "constant", value_name = "NAME=VALUE", value_parser = constant)]
    constants: Vec<(String, i32)>,
    /// Of a component: minimise it first, silent steps not counted.
    #[arg(long)]
    minimise: bool,
    #[command(flatten)]
    reading: ReadOptions,
}

impl Convert {
    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let path = Some(self.output.as_str()).filter(|&path| path != "-");
        let target = self
            .to
            .or_else(|| path.and_then(Target::of_file))
            .ok_or_else(|| {
                Diagnostic::error(
                    "unknown-format",
                    "the name of the output does not say its format",
                )
                .help("say it with --to: timbuk, fsa, fsm, mata, slrp, json, dot or svg")
            })?;
        let components = files::component_source(&self.input, &self.reading, session)?;
        if let Some((source, part)) = components {
            return self.component(&source, part.as_deref(), target, session);
        }
        if self.minimise || !self.constants.is_empty() {
            let message = "an option for components is given, and this is no model of components";
            return Err(Diagnostic::error("usage", message).into());
        }
        let input = files::read(&self.input, None, &self.reading, session)?;
        let mut reply = outputs::write(input.machines(), target, path, session)?;
        reply
            .warnings
            .splice(0..0, input.document.warnings.iter().cloned());
        Ok(reply)
    }

    /// Writes one component of a model.
    fn component(
        &self,
        source: &Source,
        part: Option<&str>,
        target: Target,
        session: &Session,
    ) -> Result<Reply, Failure> {
        let components = Components::read(source, &self.constants, session)?;
        let mut component = components.chosen(part, session)?;
        if self.minimise {
            component = component.minimised(session)?;
        }
        let path = Some(self.output.as_str()).filter(|&path| path != "-");
        let text = match target {
            Target::Aldebaran => component.aldebaran(),
            Target::Fsp => component.fsp(),
            Target::Svg => svg(&component.picture()),
            Target::Text(Format::Dot) => dot(&component.picture()),
            Target::Text(_) => {
                return Err(Diagnostic::error(
                    "unsupported",
                    format!("{} is not a format for components", target.name()),
                )
                .help("components are written as aut, lts, dot or svg")
                .into());
            }
        };
        let mut result = json!({
            "component": component.name,
            "format": target.name(),
            "states": component.lts.states(),
            "transitions": component.lts.transitions(),
        });
        let Some(path) = path else {
            result["text"] = json!(text);
            return Ok(Reply {
                product: Some(text),
                result,
                ..Reply::default()
            });
        };
        outputs::write_file(path, &text)?;
        result["files"] = json!([path]);
        let states = count(component.lts.states(), "state");
        let transitions = count(component.lts.transitions(), "transition");
        Ok(Reply {
            text: format!(
                "{path}: component {}, {states}, {transitions}\n",
                component.name
            ),
            result,
            ..Reply::default()
        })
    }
}
