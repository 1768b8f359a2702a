//! `quotient convert IN OUT`

use clap::Args;
use quotient_core::Diagnostic;

use crate::failure::Failure;
use crate::files::{self, ReadOptions};
use crate::outputs::{self, Target};
use crate::reply::Reply;
use crate::session::Session;

/// Write an automaton, a transducer or a problem in another format.
///
/// What was written reads back as the same languages and relations.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  quotient convert model.tmb model.mata      by the names of the files
  quotient convert model.tmb - --to fsa      to standard output
  quotient convert problem.json#init init.tmb  one part of a problem
  quotient convert model.fsm model.svg --symbols model.syms")]
pub(crate) struct Convert {
    /// The file to read; `-` for standard input, FILE#NAME for one part.
    input: String,
    /// The file to write; `-` for standard output.
    output: String,
    /// The format to write: timbuk, fsa, fsm, mata, slrp, json, dot or svg. By
    /// default what the name of the output says.
    #[arg(long, value_name = "FORMAT", value_parser = outputs::target)]
    to: Option<Target>,
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
        let input = files::read(&self.input, None, &self.reading, session)?;
        let mut reply = outputs::write(input.machines(), target, path, session)?;
        reply
            .warnings
            .splice(0..0, input.document.warnings.iter().cloned());
        Ok(reply)
    }
}
