//! A panic is our bug: said in a sentence, never as a backtrace.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use quotient_core::Diagnostic;

/// What the last panic said, and where.
static LAST: Mutex<Option<String>> = Mutex::new(None);

/// Keeps panics from printing; [`caught`] tells what they said.
pub(crate) fn silence() {
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.payload_as_str().unwrap_or("no message");
        let place = panic
            .location()
            .map(|at| format!(" ({}:{})", at.file(), at.line()));
        if let Ok(mut last) = LAST.lock() {
            *last = Some(format!("{text}{}", place.unwrap_or_default()));
        }
    }));
}

/// The result of the work, or a message about the panic in it.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Diagnostic> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| {
        let what = LAST
            .lock()
            .ok()
            .and_then(|mut last| last.take())
            .unwrap_or_default();
        Diagnostic::error(
            "internal-error",
            "internal error: this is a bug in quotient, not in your input",
        )
        .note(what)
        .help("please report it, with the command and its input files")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_message() {
        silence();
        let bug = caught(|| panic!("too {}", "bad")).unwrap_err();
        let _ = std::panic::take_hook();
        assert!(
            bug.notes[0].starts_with("too bad (crates/cli/src/panics.rs:"),
            "{bug:?}"
        );
    }
}
