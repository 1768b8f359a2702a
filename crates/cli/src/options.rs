//! Options that many verbs take.

use std::time::Duration;

use clap::{Args, ValueEnum};

use quotient_workbench::units;

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
