//! The command line.

use clap::builder::styling::{AnsiColor, Styles};
use clap::{ArgMatches, Command, CommandFactory, FromArgMatches, Parser};
use quotient_language::text::wrap_indented;
use quotient_workbench::Workbench;

use crate::options::Common;
use crate::settings;
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

impl Arguments {
    /// The whole command: what is common, and the settings of all languages.
    fn whole_command(workbench: &Workbench) -> Command {
        let names: Vec<String> = workbench
            .abouts()
            .map(|about| format!("  {:<10} {}", about.id, wrap_indented(about.line, 64, 13)))
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

    /// Reads the command line.
    pub(crate) fn read(workbench: &Workbench) -> Result<Read, clap::Error> {
        let command = Arguments::whole_command(workbench);
        let matches = command.clone().try_get_matches()?;
        let arguments = Arguments::from_arg_matches(&matches)?;
        let given = matches
            .subcommand()
            .map(|(_, matches): (&str, &ArgMatches)| settings::given(matches, workbench));
        Ok(Read {
            arguments,
            settings: given.unwrap_or_default(),
            command,
        })
    }
}

/// The command line, read.
pub(crate) struct Read {
    pub(crate) arguments: Arguments,
    /// The settings of languages that were given, by name.
    pub(crate) settings: Vec<(String, String)>,
    /// The whole command, to be explained.
    pub(crate) command: Command,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::whole_command(&Workbench::standard()).debug_assert();
    }
}
