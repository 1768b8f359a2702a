//! The soak: built as others get it, and run.

use std::process::Command;

/// Builds the soak and runs it with these options.
pub(crate) fn soak(options: &[&str]) -> bool {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["run", "--quiet", "--release", "--locked"])
        .args(["--package", "quotient-soak", "--"])
        .args(options)
        .status();
    status.is_ok_and(|status| status.success())
}
