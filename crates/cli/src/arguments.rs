//! The command line.

use std::time::Duration;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, ValueEnum};

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
    after_help = "\
Exit codes: 0 yes, holds or done; 1 no or violated; 2 unknown (out of time or
memory, interrupted); 3 wrong usage or input.

Examples:
  quotient show model.tmb                what is in this file?
  quotient show model.tmb --svg out.svg  draw it
  quotient automata include a.tmb b.tmb  is every word of a in b?
  quotient convert model.tmb model.mata  the same in another format"
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
