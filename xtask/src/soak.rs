//! The soak: built as others get it, and run.

use crate::cargo;

/// Builds the soak and runs it with these options.
pub(crate) fn soak(options: &[&str]) -> bool {
    let status = cargo()
        .args(["run", "--quiet", "--release", "--locked"])
        .args(["--package", "quotient-soak", "--"])
        .args(options)
        .status();
    status.is_ok_and(|status| status.success())
}
