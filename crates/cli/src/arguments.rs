//! The command line.

use std::time::Duration;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{ArgMatches, Args, Command, CommandFactory, FromArgMatches, Parser, ValueEnum};
use quotient_workbench::Workbench;

use crate::settings;
use crate::units;
use crate::verbs::Verb;

/// Approximate, check, and refine only where it matters: a model checker.
#[derive(Debug, Parser)]
#[command(
    name = "quotient",
    version,
    max_term_width = 80,
    styles = STYLES,
    propagate_version = true,
    subcommand_required = true,
    arg_required_else_help = true,
    disable_help_subcommand = true,
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) verb: Verb,
    #[command(flatten)]
    pub(crate) common: Common,
}

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// What every verb takes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Common options")]
pub(crate) struct Common {
    /// Answer for people or for programs (docs/json.md).
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "FORMAT"
    )]
    pub(crate) format: OutputFormat,
    /// Print nothing but errors and what was asked for.
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Give up after this long: 10, 500ms, 2m, 1h.
    #[arg(long, global = true, value_parser = units::duration, value_name = "TIME")]
    pub(crate) timeout: Option<Duration>,
    /// Give up beyond this much memory: 500M, 2G.
    #[arg(long, global = true, value_parser = units::size, value_name = "SIZE")]
    pub(crate) memory: Option<u64>,
    /// Colours in text; `auto` means on terminals unless NO_COLOR is set.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) color: Colour,
}

/// A model, and how it is read.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ModelArguments {
    /// The language of the model, instead of finding out from its text.
    #[arg(long, value_name = "NAME")]
    pub(crate) language: Option<String>,
    /// Let the model name files outside its own folder.
    #[arg(long)]
    pub(crate) allow_outside: bool,
}

/// For whom to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum OutputFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object.
    Json,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Colour {
    /// On terminals, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Arguments {
    /// The whole command: what is common, and the settings of all languages.
    pub(crate) fn whole_command(workbench: &Workbench) -> Command {
        let names: Vec<String> = workbench
            .abouts()
            .map(|about| format!("  {:<10} {}", about.id, about.line))
            .collect();
        let command = Arguments::command().after_help(format!(
            "\
Languages (`quotient help LANGUAGE` has the settings of each):
{}

Exit codes: 0 yes, holds or done; 1 no or violated; 2 unknown (out of time or
memory, interrupted, skipped); 3 wrong usage or input.

Examples:
  quotient check lock.protocol           for every number of processes
  quotient show model.tmb --svg out.svg  draw what is in a file
  quotient help smv                      what can be said about SMV models
  quotient new                           models to start from",
            names.join("\n")
        ));
        settings::add_to(command, workbench)
    }

    /// Reads the command line: the arguments, and the settings that were given by name.
    pub(crate) fn read(
        workbench: &Workbench,
    ) -> Result<(Arguments, Vec<(String, String)>), clap::Error> {
        let matches = Arguments::whole_command(workbench).try_get_matches()?;
        let arguments = Arguments::from_arg_matches(&matches)?;
        let given = matches
            .subcommand()
            .map(|(_, matches): (&str, &ArgMatches)| settings::given(matches, workbench));
        Ok((arguments, given.unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::whole_command(&Workbench::standard()).debug_assert();
    }
}
