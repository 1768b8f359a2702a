//! One question of the interface on standard input; its answer on standard output, a line of JSON
//! for each event and one for the answer.
//!
//! A page starts it anew for every question, so that nothing is left of the one before, and calls
//! it off by ending it.

use std::io::{Read, Write};
use std::process::ExitCode;

use quotient_web::Alone;
use quotient_workbench::Workbench;

/// The most bytes of a question.
const MOST_BYTES: u64 = 64 << 20;
/// How much memory it may use: a page that takes more is ended by the browser.
const MEMORY: u64 = 1 << 30;

fn main() -> ExitCode {
    let mut question = Vec::new();
    let read = std::io::stdin().take(MOST_BYTES).read_to_end(&mut question);
    if read.is_err() {
        return ExitCode::FAILURE;
    }
    let alone = Alone::new(Workbench::standard()).within(MEMORY);
    alone.answer(&question, |line| {
        // Who does not listen any more will end it.
        let _ = writeln!(std::io::stdout().lock(), "{line}");
    });
    ExitCode::SUCCESS
}
