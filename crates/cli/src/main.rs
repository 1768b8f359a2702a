//! The `quotient` command: files in, verdicts, automata and pictures out.
//!
//! A verb ([`verbs`]) takes its arguments and a [`session::Session`] and gives a
//! [`reply::Reply`] or a [`failure::Failure`]; this file alone prints them and exits.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the top floor prints"
)]

mod apart;
mod arguments;
mod check;
mod detect;
mod failure;
mod files;
mod outputs;
mod panics;
mod reply;
mod session;
mod units;
mod verbs;

use std::process::ExitCode;

use clap::Parser;

use arguments::Arguments;

fn main() -> ExitCode {
    panics::silence();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return failure::usage(&error),
    };
    let verb = arguments.verb.name();
    let session = session::Session::begin(&arguments.common);
    let outcome = panics::caught(|| verbs::run(&arguments.verb, &session))
        .unwrap_or_else(|bug| Err(failure::Failure::Input(vec![bug])));
    session.end();
    let reply = outcome.unwrap_or_else(failure::Failure::into_reply);
    ExitCode::from(reply.print(&verb, &arguments.common))
}
