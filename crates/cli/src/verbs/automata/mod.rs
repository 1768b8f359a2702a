//! `quotient automata OPERATION FILES…`: the catalogue of operations as subcommands.

mod command;
mod output;
mod trees;

use std::time::Instant;

use clap::Args;
use quotient_automata::catalogue::{Given, Input, Operands, Outcome};
use quotient_automata::formats::{self, Format, Kind, Named, Reading, Role};
use quotient_core::{Source, Verdict};
use quotient_language::{Input as Bytes, Verb};
use quotient_workbench::Request;

use crate::failure::Failure;
use crate::files;
use crate::reply::Reply;
use crate::session::Session;
use command::Chosen;
use output::limits;

/// Ask questions about automata and transducers, and make new ones.
#[derive(Debug, Args)]
#[command(after_help = "\
Files are read in any format; `-` is standard input and FILE#NAME one part of a
file. Results go to standard output or, with -o, to a file.

Examples:
  quotient automata include a.tmb b.tmb         exit code 0 yes, 1 no
  quotient automata minimize a.tmb -o small.svg
  quotient automata regex 'T N*' | quotient automata accepts - 'T N N'")]
pub(crate) struct Automata {
    #[command(subcommand)]
    chosen: Chosen,
}

impl Automata {
    /// The name of the operation.
    pub(crate) fn name(&self) -> &'static str {
        self.chosen.operation.name
    }

    pub(crate) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let chosen = &self.chosen;
        let operation = chosen.operation;
        let limits = limits(session);
        let source = |path: &String| files::source(files::split(path).0, session);
        let sources = chosen.files.iter().map(|(path, _)| source(path));
        let sources: Vec<Source> = sources.collect::<Result<_, _>>()?;
        if let Some(reply) = chosen.on_trees(&sources, session)? {
            return Ok(reply);
        }
        let machines = chosen.files.iter().zip(sources);
        let read = |path: &String| chosen.read(path, source(path)?, None, session);
        let operands = Operands {
            machines: machines
                .map(|((path, kind), source)| chosen.read(path, source, *kind, session))
                .collect::<Result<_, _>>()?,
            texts: chosen.texts.clone(),
            settings: chosen.settings.clone(),
            named_by_settings: chosen.setting_files().map(read).collect::<Result<_, _>>()?,
        };
        let mut given = operation.prepare(operands, &limits, &session.budget)?;
        let warnings = std::mem::take(&mut given.warnings);
        let busy = session.busy(operation.doing);
        let began = Instant::now();
        let outcome = operation.run(&given, &session.budget)?;
        let elapsed = began.elapsed();
        drop(busy);
        let mut reply = chosen.reply(outcome, &given, session)?;
        reply.time = chosen.time.then_some(elapsed);
        reply.warnings.splice(0..0, warnings);
        Ok(reply)
    }
}

impl Chosen {
    /// Reads the text of a file, or the part of it that `FILE#NAME` names.
    fn read(
        &self,
        path: &str,
        mut source: Source,
        expect: Option<Kind>,
        session: &Session,
    ) -> Result<Input, Failure> {
        let (_, part) = files::split(path);
        let mut reading = Reading {
            format: self.reading.from,
            expect,
            symbols: Vec::new(),
            limits: limits(session),
        };
        for table in &self.reading.symbols {
            reading.symbols.push(files::source(table, session)?);
        }
        if self.reading.from.is_none()
            && let Some(machines) = machines_of_model(&source, session)?
        {
            source = machines;
            reading.format = Some(Format::Timbuk);
        }
        Ok(Input::read(&source, part, &reading, &session.budget)?)
    }

    fn reply(&self, outcome: Outcome, given: &Given, session: &Session) -> Result<Reply, Failure> {
        Ok(match outcome {
            Outcome::Machine(machine) => {
                let named = Named::new(self.operation.name, Role::Unspecified, machine);
                self.output.deliver(named, given.format, session)?
            }
            Outcome::Truth(truth) => {
                let (word, verdict) = match truth.yes {
                    true => ("yes", Verdict::Holds),
                    false => ("no", Verdict::Violated),
                };
                Reply {
                    verdict: Some(verdict),
                    text: format!("{word}: {}\n", truth.because),
                    result: truth.json(),
                    ..Reply::default()
                }
            }
            Outcome::Text(told) => Reply {
                product: Some(told.text.into()),
                text: told.note,
                result: told.result,
                ..Reply::default()
            },
        })
    }
}

/// The machines that a model of another language stands for, where it can be written as such.
fn machines_of_model(source: &Source, session: &Session) -> Result<Option<Source>, Failure> {
    if formats::detect(source).is_some() {
        return Ok(None);
    }
    let mut request = Request::of(Bytes::text(source));
    let Ok(language) = session.workbench.language_of(&request) else {
        return Ok(None);
    };
    let timbuk = Format::Timbuk.name().to_lowercase();
    let mut formats = language.about().formats.iter();
    if !formats.any(|format| format.name == timbuk) {
        return Ok(None);
    }
    let cx = session.context();
    let mut opened = session.workbench.open(&mut request, Verb::Convert, &cx)?;
    let written = opened.model.convert(&timbuk, None, &cx)?;
    Ok(Some(Source::new(source.name(), written.text)))
}
