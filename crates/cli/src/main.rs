//! The `quotient` command: files in, verdicts, tables and pictures out.
//!
//! A verb ([`verbs`]) takes its arguments and a [`session::Session`], asks the workbench, and
//! gives a [`reply::Reply`] or a [`failure::Failure`]; this file alone prints them and exits.
//! No language and no engine is named here: their settings are data.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the top floor prints"
)]

mod arguments;
mod failure;
mod files;
mod options;
mod outputs;
mod page;
mod panics;
mod plots;
mod progress;
mod reply;
mod room;
mod session;
mod settings;
mod terminal;
mod verbs;

use std::process::ExitCode;
use std::sync::Arc;

use quotient_core::Budget;
use quotient_workbench::{Workbench, apart, apart_around, sweep};

use arguments::Arguments;

fn main() -> ExitCode {
    room::make();
    panics::silence();
    let workbench = Workbench::standard();
    let read = match Arguments::read(&workbench) {
        Ok(read) => read,
        Err(error) => return failure::usage(&error),
    };
    let verb = read.arguments.verb.name();
    let arguments = Arc::new(read.arguments);
    let given = session::Given {
        workbench,
        settings: read.settings,
        command: read.command,
    };
    let memory = arguments.common.memory.or_else(room::ceiling);
    let limited = Budget::new(arguments.common.timeout, memory);
    let budget = match verb.as_str() {
        // Evidence may come from anybody: it does not get all memory there is.
        "certify" => limited.child_careful(),
        // Limits are for each check, not for watching.
        "watch" => Budget::unlimited(),
        _ => limited,
    };
    let session = session::Session::begin(&arguments.common, given, budget.clone());
    let work = {
        let arguments = arguments.clone();
        move || {
            let outcome = panics::caught(|| verbs::run(&arguments.verb, &session))
                .unwrap_or_else(|bug| Err(failure::Failure::Input(vec![bug])));
            session.end();
            outcome
        }
    };
    // A deep stack, and an end when the budget ends, whatever the work does.
    let outcome = match verb.as_str() {
        // They wait for answers, and have the time to print those that are there.
        "check" | "compare" | "vacuity" => apart_around(&budget, work),
        _ => apart(&budget, work),
    };
    let outcome = outcome.unwrap_or_else(|stop| {
        verbs::abandon(&arguments.verb);
        Err(stop.into())
    });
    let reply = outcome.unwrap_or_else(failure::Failure::into_reply);
    let code = reply.print(&verb, &arguments.common);
    // Work that was not waited for may still be writing.
    sweep();
    ExitCode::from(code)
}
