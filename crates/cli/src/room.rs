//! Room in a small address space.
//!
//! The library of decision diagrams gives each of its managers a thread with a stack of 1 GiB. That
//! is only address space, but under `ulimit -v` there may be none: then a small model runs out of
//! memory before it begins. The library reads the size of the stack from the environment, which a
//! running program cannot change safely; so it starts itself again, in the same process, with a
//! stack that fits. The library for memory reserves room for each thread as well, unless its
//! environment says otherwise; and what cannot be had at all ends the program, so that there is a
//! ceiling below what may be addressed.

use std::convert::Infallible;
use std::io;
use std::process::Command;

/// What the library of decision diagrams asks for.
const STACK: &str = "OXIDD_STACK_SIZE";
/// For how many threads the library for memory reserves room of their own.
const ARENAS: &str = "MALLOC_ARENA_MAX";
/// Enough for diagrams over some ten thousand variables.
const LEAST: u64 = 16 << 20;
/// Enough for any that fit into memory.
const MOST: u64 = 256 << 20;

/// Starts this program again with smaller stacks if the address space is limited. Comes back only
/// if that is not needed, or not possible.
pub(crate) fn make() {
    let Some(size) = stack_for(address_space()).filter(|_| std::env::var_os(STACK).is_none())
    else {
        return;
    };
    // Without it there is still an answer: out of memory.
    let _ = again(size);
}

/// The ceiling on memory where the address space is limited and nothing else is said: tables that
/// grow are there twice for a while, and stacks need room too.
pub(crate) fn ceiling() -> Option<u64> {
    address_space().map(|bytes| bytes / 2)
}

/// The stack that fits into an address space; the usual one if that is not limited.
fn stack_for(address_space: Option<u64>) -> Option<u64> {
    address_space.map(|bytes| (bytes / 32).clamp(LEAST, MOST))
}

/// How much this process may address, if that is limited.
fn address_space() -> Option<u64> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = (limits.lines()).find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

#[cfg(unix)]
fn again(size: u64) -> io::Result<Infallible> {
    use std::os::unix::process::CommandExt;
    let mut arguments = std::env::args_os();
    let mut command = Command::new(std::env::current_exe()?);
    if let Some(name) = arguments.next() {
        command.arg0(name);
    }
    command.args(arguments).env(STACK, size.to_string());
    if std::env::var_os(ARENAS).is_none() {
        command.env(ARENAS, "1");
    }
    Err(command.exec())
}

#[cfg(not(unix))]
fn again(_: u64) -> io::Result<Infallible> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_fit_into_what_there_is() {
        assert_eq!(stack_for(None), None);
        assert_eq!(stack_for(Some(1 << 20)), Some(LEAST));
        assert_eq!(stack_for(Some(1 << 31)), Some(64 << 20));
        assert_eq!(stack_for(Some(1 << 50)), Some(MOST));
    }
}
