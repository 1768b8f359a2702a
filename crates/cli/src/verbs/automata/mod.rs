//! `quotient automata OPERATION FILES…`

mod input;
mod languages;
mod output;
mod questions;
mod relations;
mod words;

use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use quotient_automata::formats::{
    Kind, LETTERS_LIKE_BITS, LETTERS_OF_BITS, Machine, different_alphabets,
};
use quotient_automata::{Alphabet, Nfa, Transducer};
use quotient_core::{Diagnostic, Stop};

use crate::failure::Failure;
use crate::reply::Reply;
use crate::session::Session;
use input::{Input, ReadOptions};

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
    operation: Operation,
}

#[derive(Debug, Subcommand)]
enum Operation {
    #[command(flatten)]
    Question(questions::Question),
    #[command(flatten)]
    Language(languages::Language),
    #[command(flatten)]
    Relation(relations::Relation),
    #[command(flatten)]
    Spelling(words::Spelling),
}

impl Automata {
    /// The name of the operation.
    pub(crate) fn name(&self) -> &'static str {
        match &self.operation {
            Operation::Question(operation) => operation.name(),
            Operation::Language(operation) => operation.name(),
            Operation::Relation(operation) => operation.name(),
            Operation::Spelling(operation) => operation.name(),
        }
    }

    pub(crate) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        match &self.operation {
            Operation::Question(operation) => operation.run(session),
            Operation::Language(operation) => operation.run(session),
            Operation::Relation(operation) => operation.run(session),
            Operation::Spelling(operation) => operation.run(session),
        }
    }
}

/// What every operation takes besides its files.
#[derive(Debug, Args)]
struct Options {
    /// Print the time of the operation alone, without reading and writing.
    #[arg(long)]
    time: bool,
    #[command(flatten)]
    reading: ReadOptions,
}

/// What operations on several files take.
#[derive(Debug, Args)]
struct SeveralOptions {
    /// Bring files over different alphabets over all their letters.
    #[arg(long)]
    join_alphabets: bool,
    #[command(flatten)]
    options: Options,
}

impl Options {
    /// Reads a file.
    fn read(&self, path: &str, expect: Option<Kind>, session: &Session) -> Result<Input, Failure> {
        input::read(path, expect, &self.reading, session)
    }

    /// Reads files that belong together.
    fn read_several<'a>(
        &self,
        paths: impl IntoIterator<Item = &'a String>,
        expect: Option<Kind>,
        session: &Session,
    ) -> Result<Vec<Input>, Failure> {
        let read = |path: &String| self.read(path, expect, session);
        let mut inputs = paths.into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
        input::share_bits(&mut inputs, session)?;
        Ok(inputs)
    }

    /// Runs an operation, tells that it is at work, and takes its time.
    fn timed<T>(
        &self,
        name: &str,
        session: &Session,
        operation: impl FnOnce() -> Result<T, Stop>,
    ) -> Result<(T, Option<Duration>), Failure> {
        let _busy = session.busy(name);
        let began = Instant::now();
        let value = operation()?;
        let elapsed = began.elapsed();
        Ok((value, self.time.then_some(elapsed)))
    }
}

impl SeveralOptions {
    /// The automata of several files, over one alphabet.
    fn automata(&self, inputs: &[Input]) -> Result<Vec<Nfa>, Failure> {
        let machines = inputs
            .iter()
            .map(|input| Ok((input.name(), input.automaton()?.clone().into())))
            .collect::<Result<Vec<(String, Machine)>, Failure>>()?;
        let machines = self.over_one_alphabet(machines)?;
        Ok(machines.into_iter().filter_map(automaton).collect())
    }

    /// The transducers of several files, over one alphabet.
    fn transducers(&self, inputs: &[Input]) -> Result<Vec<Transducer>, Failure> {
        let machines = inputs
            .iter()
            .map(|input| Ok((input.name(), input.transducer()?.clone().into())))
            .collect::<Result<Vec<(String, Machine)>, Failure>>()?;
        let machines = self.over_one_alphabet(machines)?;
        Ok(machines.into_iter().filter_map(transducer).collect())
    }

    /// The transducer of one file and the automata of others, over one alphabet.
    fn relation_and_languages(
        &self,
        relation: &Input,
        languages: &[Input],
    ) -> Result<(Transducer, Vec<Nfa>), Failure> {
        let mut machines = vec![(relation.name(), relation.transducer()?.clone().into())];
        for input in languages {
            machines.push((input.name(), input.automaton()?.clone().into()));
        }
        let mut machines = self.over_one_alphabet(machines)?;
        let first = machines.remove(0);
        let relation = transducer(first).expect("the first is the transducer");
        Ok((
            relation,
            machines.into_iter().filter_map(automaton).collect(),
        ))
    }

    /// Machines over the letters that they share, or with `--join-alphabets` over all letters.
    fn over_one_alphabet(
        &self,
        machines: Vec<(String, Machine)>,
    ) -> Result<Vec<Machine>, Diagnostic> {
        let mut all: Option<(&str, Alphabet)> = None;
        for (name, machine) in &machines {
            let Some((first, letters)) = &all else {
                all = Some((name, machine.alphabet().clone()));
                continue;
            };
            let pair = ((*first, letters), (name.as_str(), machine.alphabet()));
            let different = different_alphabets(pair.0, pair.1)
                .filter(|why| !self.join_alphabets || why.code == LETTERS_OF_BITS);
            if let Some(mut different) = different {
                if ![LETTERS_OF_BITS, LETTERS_LIKE_BITS].contains(&different.code) {
                    different.help = vec![
                        "declare the same letters in both, or give --join-alphabets".to_owned(),
                    ];
                }
                return Err(different);
            }
            all = Some((*first, letters.union(machine.alphabet())));
        }
        let Some((_, alphabet)) = all else {
            return Ok(Vec::new());
        };
        let over = |(_, machine): &(String, Machine)| machine.over(&alphabet);
        Ok(machines
            .iter()
            .map(|machine| over(machine).expect("it has all letters"))
            .collect())
    }
}

fn automaton(machine: Machine) -> Option<Nfa> {
    match machine {
        Machine::Automaton(nfa) => Some(nfa),
        Machine::Transducer(_) => None,
    }
}

fn transducer(machine: Machine) -> Option<Transducer> {
    match machine {
        Machine::Transducer(transducer) => Some(transducer),
        Machine::Automaton(_) => None,
    }
}
