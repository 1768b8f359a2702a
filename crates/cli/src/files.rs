//! Files in: paths, standard input, parts of files.

use std::io::{ErrorKind, Read};
use std::path::Path;

use clap::Args;
use quotient_automata::formats::{self, Document, Format, Kind, Limits, Machine, Named, Reading};
use quotient_automata::{Nfa, Transducer};
use quotient_core::{Diagnostic, Source, nearest};

use crate::detect::{Detected, Foreign, detect};
use crate::failure::Failure;
use crate::session::Session;

/// How automata and transducers are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
pub(crate) struct ReadOptions {
    /// The format of the input, instead of finding out from its content.
    #[arg(long, value_name = "FORMAT", value_parser = readable_format)]
    pub(crate) from: Option<Format>,
    /// A symbol table for FSM text; twice for input and output letters apart.
    #[arg(long, value_name = "FILE")]
    pub(crate) symbols: Vec<String>,
}

/// A format that can be read, by name.
pub(crate) fn readable_format(name: &str) -> Result<Format, String> {
    named_format(name).and_then(|format| match format {
        Format::Dot => Err("DOT is only written, not read".to_owned()),
        other => Ok(other),
    })
}

/// A format by name; the error suggests one.
pub(crate) fn named_format(name: &str) -> Result<Format, String> {
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
pub(crate) struct Input {
    pub(crate) document: Document,
    chosen: Option<usize>,
    /// Whether the machines were compiled from a protocol.
    is_protocol: bool,
}

impl Input {
    /// What to call it in messages.
    pub(crate) fn name(&self) -> String {
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

    /// What the file is written in.
    pub(crate) fn language(&self) -> &'static str {
        match self.is_protocol {
            true => "protocol",
            false => self.document.format.name(),
        }
    }

    /// The machines meant: the chosen one, or all of the file.
    pub(crate) fn machines(&self) -> &[Named] {
        match self.chosen {
            Some(chosen) => &self.document.machines[chosen..=chosen],
            None => &self.document.machines,
        }
    }

    /// The one machine meant.
    pub(crate) fn machine(&self) -> Result<&Machine, Failure> {
        match self.machines() {
            [only] => Ok(&only.machine),
            several => Err(several_machines(&self.document.source, several).into()),
        }
    }

    /// The one automaton meant.
    pub(crate) fn automaton(&self) -> Result<&Nfa, Failure> {
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
    pub(crate) fn transducer(&self) -> Result<&Transducer, Failure> {
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
pub(crate) fn read(
    path: &str,
    expect: Option<Kind>,
    options: &ReadOptions,
    session: &Session,
) -> Result<Input, Failure> {
    let (file, part) = split(path);
    read_source(source(file, session)?, part, expect, options, session)
}

/// Reads a text, or the named part of it.
pub(crate) fn read_source(
    source: Source,
    part: Option<&str>,
    expect: Option<Kind>,
    options: &ReadOptions,
    session: &Session,
) -> Result<Input, Failure> {
    let mut reading = Reading {
        format: options.from,
        expect,
        symbols: Vec::new(),
        limits: limits(session),
    };
    for table in &options.symbols {
        reading.symbols.push(self::source(table, session)?);
    }
    let is_protocol = detect(&source) == Some(Detected::Foreign(Foreign::Protocol));
    let document = match is_protocol && options.from.is_none() {
        true => {
            let (_, compiled) = crate::check::protocol::compile(&source, session)?;
            crate::check::protocol::document(&source, &compiled)
        }
        false => formats::read(&source, &reading, &session.budget)?,
    };
    let chosen = part.map(|part| choose(&document, part)).transpose()?;
    Ok(Input {
        document,
        chosen,
        is_protocol,
    })
}

/// Reads again together the files whose letters are vectors of bits: the letters are those that
/// all of them tell apart.
pub(crate) fn share_bits(inputs: &mut [Input], session: &Session) -> Result<(), Failure> {
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

/// The text of a model of components and the part meant, if a file is one. Standard input is
/// none.
pub(crate) fn component_source(
    path: &str,
    reading: &ReadOptions,
    session: &Session,
) -> Result<Option<(Source, Option<String>)>, Failure> {
    let (file, part) = split(path);
    if file == "-" || reading.from.is_some() || Path::new(file).is_dir() {
        return Ok(None);
    }
    let text = source(file, session)?;
    let is_components = crate::check::is_components(&text);
    Ok(is_components.then(|| (text, part.map(str::to_owned))))
}

/// `FILE#NAME`, unless there is a file of that very name.
pub(crate) fn split(path: &str) -> (&str, Option<&str>) {
    match path.rsplit_once('#') {
        Some((file, part)) if !Path::new(path).exists() => (file, Some(part)),
        _ => (path, None),
    }
}

fn choose(document: &Document, part: &str) -> Result<usize, Diagnostic> {
    let names = || document.machines.iter().map(|named| named.name.as_str());
    names().position(|name| name == part).ok_or_else(|| {
        let there: Vec<String> = names().map(|name| format!("`{name}`")).collect();
        Diagnostic::error("no-such-part", format!("there is no `{part}` in this file"))
            .in_source(&document.source)
            .note(format!("there is {}", there.join(", ")))
            .did_you_mean(part, names())
    })
}

/// The text of a file; `-` is standard input.
pub(crate) fn source(path: &str, session: &Session) -> Result<Source, Failure> {
    let limits = limits(session);
    let (name, bytes) = match path {
        "-" => ("<stdin>", bytes_of(std::io::stdin().lock(), &limits)),
        _ => (path, bytes_of_file(path, &limits)),
    };
    let bytes = bytes.map_err(|error| unreadable(path, &error))?;
    if bytes.len() > limits.bytes {
        let message = format!(
            "the file is larger than {} bytes, the most allowed",
            limits.bytes
        );
        let diagnostic = Diagnostic::error("too-large", message).in_source(&Source::new(name, ""));
        return Err(diagnostic
            .help(match session.memory {
                Some(_) => {
                    "give it more memory with --memory, or check that this is the right file"
                }
                None => "check that this is the right file",
            })
            .into());
    }
    Ok(formats::decode(name, recode(name, bytes), &limits)?)
}

/// The bytes of a model for LTSA in UTF-8. It is often in Windows-1252, with letters of the
/// author's language in comments and the dashes of slides: LTSA reads what the system writes.
fn recode(name: &str, bytes: Vec<u8>) -> Vec<u8> {
    const FROM_128_TO_159: [char; 32] = [
        '€', '\u{fffd}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{fffd}', 'Ž',
        '\u{fffd}', '\u{fffd}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ',
        '\u{fffd}', 'ž', 'Ÿ',
    ];
    let is_model = name.ends_with(".lts") || name.ends_with(".fsp");
    if !is_model || bytes.contains(&0) || std::str::from_utf8(&bytes).is_ok() {
        return bytes;
    }
    let letter = |&byte: &u8| match byte {
        128..160 => FROM_128_TO_159[usize::from(byte) - 128],
        _ => char::from(byte),
    };
    bytes.iter().map(letter).collect::<String>().into_bytes()
}

fn bytes_of_file(path: &str, limits: &Limits) -> std::io::Result<Vec<u8>> {
    let file = std::fs::File::open(path)?;
    match file.metadata()?.is_dir() {
        true => Err(ErrorKind::IsADirectory.into()),
        false => bytes_of(file, limits),
    }
}

/// One byte more than the limit is enough to see that it is too much.
fn bytes_of(from: impl Read, limits: &Limits) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(limits.bytes as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The usual limits; a file larger than the memory allowed is too large as well.
pub(crate) fn limits(session: &Session) -> Limits {
    let mut limits = Limits::default();
    if let Some(memory) = session.memory {
        limits.bytes = limits
            .bytes
            .min(usize::try_from(memory).unwrap_or(usize::MAX));
    }
    limits
}

fn unreadable(path: &str, error: &std::io::Error) -> Diagnostic {
    let (why, help) = match error.kind() {
        ErrorKind::NotFound => ("there is no such file", None),
        ErrorKind::PermissionDenied => {
            ("permission denied", Some("check who may read it: `ls -l`"))
        }
        ErrorKind::IsADirectory => ("it is a folder", Some("name a file in it")),
        _ => ("", None),
    };
    let why = if why.is_empty() {
        error.to_string()
    } else {
        why.to_owned()
    };
    let mut diagnostic = Diagnostic::error("unreadable", format!("cannot read `{path}`: {why}"));
    if let Some(help) = help {
        diagnostic = diagnostic.help(help);
    }
    if error.kind() == ErrorKind::NotFound {
        let siblings = siblings(path);
        diagnostic = diagnostic.did_you_mean(path, siblings.iter().map(String::as_str));
    }
    diagnostic
}

/// The files in the folder of a path, as they would be written in its place.
fn siblings(path: &str) -> Vec<String> {
    let folder = Path::new(path).parent().unwrap_or(Path::new(""));
    let looked_in = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let Ok(entries) = std::fs::read_dir(looked_in) else {
        return Vec::new();
    };
    let mut names: Vec<String> = entries
        .flatten()
        .take(1000)
        .map(|entry| {
            folder
                .join(entry.file_name())
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::recode;

    #[test]
    fn models_for_ltsa_may_be_in_windows_1252() {
        let text = b"// \xc9cluse \x96 caf\xe9 \x80\nP = (a -> P).".to_vec();
        let recoded = String::from_utf8(recode("canal.lts", text.clone())).unwrap();
        assert_eq!(recoded, "// Écluse – café €\nP = (a -> P).");
        // Other files stay as they are, and so do texts in UTF-8 and what is no text.
        assert_eq!(recode("canal.tmb", text.clone()), text);
        assert_eq!(recode("a.lts", "// é".into()), "// é".as_bytes());
        assert_eq!(recode("a.lts", vec![0xff, 0xfe, 0]), [0xff, 0xfe, 0]);
    }
}
