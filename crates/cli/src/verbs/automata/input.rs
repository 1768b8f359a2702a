//! Automata and transducers in: in any format, or as what a model of another language says of
//! them.

use clap::Args;
use quotient_automata::formats::{self, Document, Format, Kind, Limits, Machine, Named, Reading};
use quotient_automata::{Nfa, Transducer};
use quotient_core::{Diagnostic, Source, nearest};
use quotient_language::{Input as Bytes, Verb};
use quotient_workbench::Request;

use crate::failure::Failure;
use crate::files;
use crate::session::Session;

/// How automata and transducers are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
pub(super) struct ReadOptions {
    /// The format of the input, instead of finding out from its content.
    #[arg(long, value_name = "FORMAT", value_parser = readable_format)]
    pub(super) from: Option<Format>,
    /// A symbol table for FSM text; twice for input and output letters apart.
    #[arg(long, value_name = "FILE")]
    pub(super) symbols: Vec<String>,
}

/// A format that can be read, by name.
pub(super) fn readable_format(name: &str) -> Result<Format, String> {
    named_format(name).and_then(|format| match format {
        Format::Dot => Err("DOT is only written, not read".to_owned()),
        other => Ok(other),
    })
}

/// A format by name; the error suggests one.
pub(super) fn named_format(name: &str) -> Result<Format, String> {
    Format::named(name).ok_or_else(|| {
        let known = Format::ALL.map(|format| format.name().to_lowercase());
        let near = nearest(name, known.iter().map(String::as_str))
            .map(|near| format!("; did you mean `{near}`?"));
        format!(
            "formats are {}{}",
            known.join(", "),
            near.unwrap_or_default()
        )
    })
}

/// A file that was read, or one machine of it (`FILE#NAME`).
#[derive(Debug)]
pub(super) struct Input {
    pub(super) document: Document,
    chosen: Option<usize>,
}

impl Input {
    /// What to call it in messages.
    pub(super) fn name(&self) -> String {
        match self.chosen {
            Some(chosen) => {
                format!(
                    "{}#{}",
                    self.document.source.name(),
                    self.document.machines[chosen].name
                )
            }
            None => self.document.source.name().to_owned(),
        }
    }

    /// The machines meant: the chosen one, or all of the file.
    pub(super) fn machines(&self) -> &[Named] {
        match self.chosen {
            Some(chosen) => &self.document.machines[chosen..=chosen],
            None => &self.document.machines,
        }
    }

    /// The one machine meant.
    pub(super) fn machine(&self) -> Result<&Machine, Failure> {
        match self.machines() {
            [only] => Ok(&only.machine),
            several => Err(several_machines(&self.document.source, several).into()),
        }
    }

    /// The one automaton meant.
    pub(super) fn automaton(&self) -> Result<&Nfa, Failure> {
        match (self.chosen, self.machines()) {
            (
                Some(_),
                [
                    Named {
                        machine: Machine::Automaton(nfa),
                        ..
                    },
                ],
            ) => Ok(nfa),
            (Some(_), [named]) => Err(self.wrong_kind(named, "an automaton").into()),
            _ => Ok(self.document.automaton()?),
        }
    }

    /// The one transducer meant.
    pub(super) fn transducer(&self) -> Result<&Transducer, Failure> {
        match (self.chosen, self.machines()) {
            (
                Some(_),
                [
                    Named {
                        machine: Machine::Transducer(transducer),
                        ..
                    },
                ],
            ) => Ok(transducer),
            (Some(_), [named]) => Err(self.wrong_kind(named, "a transducer").into()),
            _ => Ok(self.document.transducer()?),
        }
    }

    fn wrong_kind(&self, named: &Named, wanted: &str) -> Diagnostic {
        let found = match named.machine.kind() {
            Kind::Automaton => "an automaton",
            Kind::Transducer => "a transducer",
        };
        Diagnostic::error("wrong-kind", format!("expected {wanted}, found {found}"))
            .in_source(&self.document.source)
            .note(format!("`{}` is {found}", named.name))
    }
}

fn several_machines(source: &Source, machines: &[Named]) -> Diagnostic {
    let names: Vec<String> = machines
        .iter()
        .map(|named| format!("`{}`", named.name))
        .collect();
    let message = match names.len() {
        0 => "the file has no automaton and no transducer".to_owned(),
        some => format!("the file has {some} automata and transducers, one is needed"),
    };
    let example = machines.first().map_or("NAME", |named| named.name.as_str());
    Diagnostic::error("several-machines", message)
        .in_source(source)
        .note(format!("they are {}", names.join(", ")))
        .help(format!("name one, as in `{}#{example}`", source.name()))
}

/// Reads a file, or the part of it that `FILE#NAME` names; `-` is standard input.
pub(super) fn read(
    path: &str,
    expect: Option<Kind>,
    options: &ReadOptions,
    session: &Session,
) -> Result<Input, Failure> {
    let (file, part) = files::split(path);
    let mut source = files::source(file, session)?;
    let mut reading = Reading {
        format: options.from,
        expect,
        symbols: Vec::new(),
        limits: limits(session),
    };
    for table in &options.symbols {
        reading.symbols.push(files::source(table, session)?);
    }
    if options.from.is_none()
        && let Some(machines) = machines_of_model(&source, session)?
    {
        source = machines;
        reading.format = Some(Format::Timbuk);
    }
    let document = formats::read(&source, &reading, &session.budget)?;
    let chosen = part.map(|part| document.part(part)).transpose()?;
    Ok(Input { document, chosen })
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
    if !language
        .about()
        .formats
        .iter()
        .any(|format| format.name == timbuk)
    {
        return Ok(None);
    }
    let cx = session.context();
    let mut opened = session.workbench.open(&mut request, Verb::Convert, &cx)?;
    let written = opened.model.convert(&timbuk, None, &cx)?;
    Ok(Some(Source::new(source.name(), written.text)))
}

/// Reads again together the files whose letters are vectors of bits: the letters are those that
/// all of them tell apart.
pub(super) fn share_bits(inputs: &mut [Input], session: &Session) -> Result<(), Failure> {
    let mut with_bits: Vec<&mut Input> = inputs
        .iter_mut()
        .filter(|input| input.document.has_bits)
        .collect();
    if with_bits.len() < 2 {
        return Ok(());
    }
    let reading = |input: &&mut Input| {
        let reading = Reading {
            format: Some(input.document.format),
            limits: limits(session),
            ..Reading::default()
        };
        (input.document.source.clone(), reading)
    };
    let sources: Vec<(Source, Reading)> = with_bits.iter().map(reading).collect();
    let documents = formats::read_all(&sources, &session.budget)?;
    for (input, document) in with_bits.iter_mut().zip(documents) {
        input.document = document;
    }
    Ok(())
}

/// The usual limits; a file larger than the memory allowed is too large as well.
pub(super) fn limits(session: &Session) -> Limits {
    let mut limits = Limits::default();
    let most = files::most_bytes(&session.budget);
    limits.bytes = limits
        .bytes
        .min(usize::try_from(most).unwrap_or(usize::MAX));
    limits
}
