//! Machines from files.

use quotient_core::{Budget, Diagnostic, Source, Trouble};

use crate::formats::{self, Document, Kind, Limits, Machine, Named, Reading};
use crate::{Nfa, Transducer};

/// A file that was read, or one machine of it (`FILE#NAME`).
#[derive(Debug, Clone)]
pub struct Input {
    document: Document,
    chosen: Option<usize>,
}

impl Input {
    /// Reads a text; `part` names the machine that is meant, if the file has several.
    pub fn read(
        source: &Source,
        part: Option<&str>,
        reading: &Reading,
        budget: &Budget,
    ) -> Result<Input, Trouble> {
        let document = formats::read(source, reading, budget)?;
        let chosen = part.map(|part| document.part(part)).transpose()?;
        Ok(Input { document, chosen })
    }

    /// The file as a whole.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// What to call it in messages.
    pub fn name(&self) -> String {
        let file = self.document.source.name();
        match self.chosen {
            Some(chosen) => part_name(file, &self.document.machines[chosen].name),
            None => file.to_owned(),
        }
    }

    /// The machines meant: the chosen one, or all of the file.
    fn machines(&self) -> &[Named] {
        match self.chosen {
            Some(chosen) => &self.document.machines[chosen..=chosen],
            None => &self.document.machines,
        }
    }

    /// The one machine meant.
    pub(super) fn machine(&self) -> Result<&Machine, Diagnostic> {
        match self.machines() {
            [only] => Ok(&only.machine),
            several => Err(several_machines(&self.document.source, several, None)),
        }
    }

    /// The one automaton meant.
    pub(super) fn automaton(&self) -> Result<&Nfa, Diagnostic> {
        let Some(chosen) = self.chosen else {
            self.one_of(Kind::Automaton)?;
            return self.document.automaton();
        };
        match &self.document.machines[chosen].machine {
            Machine::Automaton(nfa) => Ok(nfa),
            Machine::Transducer(_) => Err(self.wrong_kind(chosen, Kind::Automaton)),
        }
    }

    /// The one transducer meant.
    pub(super) fn transducer(&self) -> Result<&Transducer, Diagnostic> {
        let Some(chosen) = self.chosen else {
            self.one_of(Kind::Transducer)?;
            return self.document.transducer();
        };
        match &self.document.machines[chosen].machine {
            Machine::Transducer(transducer) => Ok(transducer),
            Machine::Automaton(_) => Err(self.wrong_kind(chosen, Kind::Transducer)),
        }
    }

    /// Where several machines of a file may be meant, one has to be named.
    fn one_of(&self, wanted: Kind) -> Result<(), Diagnostic> {
        let (source, machines) = (&self.document.source, &self.document.machines);
        let fitting = machines.iter().filter(|one| one.machine.kind() == wanted);
        match fitting.count() {
            0 | 1 => Ok(()),
            _ => Err(several_machines(source, machines, Some(wanted))),
        }
    }

    fn wrong_kind(&self, chosen: usize, wanted: Kind) -> Diagnostic {
        let named = &self.document.machines[chosen];
        let found = named.machine.kind().with_article();
        let message = format!("expected {}, found {found}", wanted.with_article());
        Diagnostic::error("wrong-kind", message)
            .in_source(&self.document.source)
            .note(format!("`{}` is {found}", named.name))
    }
}

/// `FILE#NAME`; parts without names are called like that already.
fn part_name(file: &str, name: &str) -> String {
    match name.strip_prefix(file) {
        Some(rest) if rest.starts_with('#') => name.to_owned(),
        _ => format!("{file}#{name}"),
    }
}

fn several_machines(source: &Source, machines: &[Named], wanted: Option<Kind>) -> Diagnostic {
    let names: Vec<String> = machines
        .iter()
        .map(|named| format!("`{}`", named.name))
        .collect();
    let message = match names.len() {
        0 => "the file has no automaton and no transducer".to_owned(),
        some => format!("the file has {some} automata and transducers, one is needed"),
    };
    let mut fitting = machines
        .iter()
        .filter(|named| wanted.is_none_or(|wanted| named.machine.kind() == wanted));
    let example = fitting.next().map_or("NAME", |named| named.name.as_str());
    Diagnostic::error("several-machines", message)
        .in_source(source)
        .note(format!("they are {}", names.join(", ")))
        .help(format!(
            "name one, as in `{}`",
            part_name(source.name(), example)
        ))
}

/// Brings the files whose letters are vectors of bits over those that all of them tell apart.
pub(super) fn share_bits(
    inputs: &mut [Input],
    limits: &Limits,
    budget: &Budget,
) -> Result<(), Trouble> {
    let documents = inputs.iter_mut().map(|input| &mut input.document);
    formats::share_bits(&mut documents.collect::<Vec<_>>(), limits, budget)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_several_machines_is_named_as_the_command_takes_it() {
        const PLAIN: &str = "@NFA-explicit\n%Initial a\n%Final a\na x a\n";
        let (text, budget) = (PLAIN.repeat(2), Budget::unlimited());
        let read = |part: Option<&str>| {
            let source = Source::new("two.mata", text.as_str());
            Input::read(&source, part, &Reading::default(), &budget).unwrap()
        };
        let whole = read(None);
        for wrong in [whole.automaton().err(), whole.machine().err()] {
            let told = format!("{:?}", wrong.unwrap());
            assert!(told.contains("several-machines"), "{told}");
            assert!(told.contains("name one, as in `two.mata#1`"), "{told}");
        }
        assert_eq!(read(Some("2")).automaton().unwrap().len(), 1);
        let told = format!("{:?}", whole.transducer().err().unwrap());
        assert!(told.contains("expected a transducer"), "{told}");
    }
}
