//! The catalogue as subcommands: one for each operation, its operands and settings as arguments.

use clap::error::{Error, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, Subcommand, value_parser};
use quotient_automata::catalogue::{self, Answers, Operand, Operation};
use quotient_automata::formats::{Format, Kind};
use quotient_language::{Kind as Values, Setting};

use super::output::{Output, named_format};

/// The operation that was asked for, and with what.
#[derive(Debug)]
pub(super) struct Chosen {
    pub(super) operation: &'static Operation,
    /// The machines to read, in the order of the operands, with what they should be.
    pub(super) files: Vec<(String, Option<Kind>)>,
    pub(super) texts: Vec<String>,
    pub(super) settings: Vec<(String, String)>,
    pub(super) time: bool,
    pub(super) reading: ReadOptions,
    pub(super) output: Output,
}

/// How long it takes.
#[derive(Debug, Args)]
struct TimeOptions {
    /// Print the time of the operation alone, without reading and writing.
    #[arg(long)]
    time: bool,
}

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
fn readable_format(name: &str) -> Result<Format, String> {
    named_format(name).and_then(|format| match format {
        Format::Dot => Err("DOT is only written, not read".to_owned()),
        other => Ok(other),
    })
}

impl Chosen {
    /// The files that settings name.
    pub(super) fn setting_files(&self) -> impl Iterator<Item = &String> {
        let is_file = |name: &str| {
            let mut known = self.operation.settings.iter();
            known.any(|one| one.name == name && one.kind == Values::File)
        };
        let named = self.settings.iter().filter(move |(name, _)| is_file(name));
        named.map(|(_, path)| path)
    }
}

impl Subcommand for Chosen {
    fn augment_subcommands(command: Command) -> Command {
        let command = command
            .subcommand_required(true)
            .arg_required_else_help(true);
        catalogue::all().fold(command, |command, one| command.subcommand(subcommand(one)))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Chosen::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        catalogue::named(name).is_some()
    }
}

impl FromArgMatches for Chosen {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Chosen, Error> {
        let chosen = matches.subcommand();
        let chosen = chosen.and_then(|(name, own)| Some((catalogue::named(name)?, own)));
        let Some((operation, matches)) = chosen else {
            return Err(Error::new(ErrorKind::MissingSubcommand));
        };
        let (mut files, mut texts) = (Vec::new(), Vec::new());
        for operand in operation.operands {
            let values = matches.get_many::<String>(operand.name);
            for value in values.into_iter().flatten().cloned() {
                match operand.sort.is_machine() {
                    true => files.push((value, operand.sort.expected())),
                    false => texts.push(value),
                }
            }
        }
        let output = match operation.answers {
            Answers::Machine => Output::from_arg_matches(matches)?,
            Answers::Truth | Answers::Text => Output::default(),
        };
        Ok(Chosen {
            operation,
            files,
            texts,
            settings: operation
                .settings
                .iter()
                .filter_map(|one| Some((one.name.to_owned(), given(one, matches)?)))
                .collect(),
            time: TimeOptions::from_arg_matches(matches)?.time,
            reading: ReadOptions::from_arg_matches(matches)?,
            output,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Chosen::from_arg_matches(matches)?;
        Ok(())
    }
}

fn subcommand(operation: &'static Operation) -> Command {
    let arguments = operation.operands.iter().map(positional);
    let options = operation.settings.iter().map(option);
    let mut command = Command::new(operation.name).args(arguments.chain(options));
    command = ReadOptions::augment_args(TimeOptions::augment_args(command));
    if operation.answers == Answers::Machine {
        command = Output::augment_args(command);
    }
    if !operation.more.is_empty() {
        command = command.after_help(operation.more);
    }
    // Groups of arguments have said what they are for. Help texts on the command line have no full
    // stop at the end.
    command
        .about(operation.line.trim_end_matches('.'))
        .visible_aliases(operation.aliases)
}

fn positional(operand: &Operand) -> Arg {
    let argument = Arg::new(operand.name)
        .value_name(operand.name.to_uppercase())
        .help(operand.help.trim_end_matches('.'))
        .required(true);
    match operand.many {
        true => argument.num_args(1..).action(ArgAction::Append),
        false => argument,
    }
}

fn option(setting: &'static Setting) -> Arg {
    let argument = Arg::new(setting.name)
        .long(setting.name)
        .help(setting.help.trim_end_matches('.'))
        .conflicts_with_all(setting.conflicts);
    match setting.kind {
        Values::Flag => argument.action(ArgAction::SetTrue),
        Values::Whole { least, most } => {
            let argument = argument
                .value_name(setting.value)
                .value_parser(value_parser!(u64).range(least..=most));
            match setting.default {
                Some(default) => argument.default_value(default),
                None => argument.required(true),
            }
        }
        _ => argument.value_name(setting.value),
    }
}

/// The value that was given for a setting.
fn given(setting: &Setting, matches: &ArgMatches) -> Option<String> {
    match setting.kind {
        Values::Flag => matches.get_flag(setting.name).then(String::new),
        Values::Whole { .. } => matches.get_one::<u64>(setting.name).map(u64::to_string),
        _ => matches.get_one::<String>(setting.name).cloned(),
    }
}
