//! Why a verb has no reply.

use std::process::ExitCode;

use quotient_core::{Diagnostic, Stop, Trouble, Verdict};
use quotient_language::text::wrap;
use quotient_report::Report;

use crate::reply::{Reply, WRONG};
use crate::terminal;

/// Why a verb has no reply.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something is wrong with the usage or the input: exit code 3.
    Input(Vec<Diagnostic>),
    /// The budget ended first: exit code 2.
    Stopped(Stop),
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Failure {
        Failure::Input(vec![diagnostic])
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Failure {
        Failure::Stopped(stop)
    }
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Failure {
        match trouble {
            Trouble::Invalid(mistakes) => Failure::Input(mistakes),
            Trouble::Stopped(stop) => stop.into(),
        }
    }
}

impl Failure {
    /// The reply that says so.
    pub(crate) fn into_reply(self) -> Reply {
        match self {
            Failure::Input(errors) => Reply {
                errors,
                ..Reply::default()
            },
            Failure::Stopped(stop) => {
                let hint = hint(&stop)
                    .map(|hint| format!("\nhelp: {hint}"))
                    .unwrap_or_default();
                Reply {
                    text: format!("unknown: {stop}{hint}\n"),
                    verdict: Some(Verdict::Unknown(stop)),
                    ..Reply::default()
                }
            }
        }
    }
}

/// What to do about a stop.
pub(crate) fn hint(stop: &Stop) -> Option<&'static str> {
    match stop {
        Stop::Time => Some("give it more time with --timeout"),
        Stop::Memory => Some("give it more memory with --memory"),
        _ => None,
    }
}

/// Prints what clap has to say: help and version are no failure, the rest is wrong usage.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let arguments: Vec<String> = std::env::args().collect();
    let wants_json = arguments.iter().any(|argument| argument == "--format=json")
        || arguments
            .windows(2)
            .any(|pair| pair[0] == "--format" && pair[1] == "json");
    if wants_json {
        let message = error.to_string();
        let first = message.split("\n\n").next().unwrap_or_default();
        let first = first.split_whitespace().collect::<Vec<_>>().join(" ");
        let first = first.strip_prefix("error: ").unwrap_or(&first);
        let diagnostic = Diagnostic::error("usage", first).help("see `quotient --help`");
        let report = Report {
            exit: WRONG,
            diagnostics: vec![diagnostic],
            ..Report::default()
        };
        println!("{}", report.to_json());
    } else {
        let width = terminal::width();
        for line in error.to_string().lines() {
            // What is laid out in columns is narrow enough already.
            let wrapped = if line.starts_with(' ') {
                line.to_owned()
            } else {
                wrap(line, width)
            };
            eprintln!("{wrapped}");
        }
    }
    ExitCode::from(WRONG)
}
