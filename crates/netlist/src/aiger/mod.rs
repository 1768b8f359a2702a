//! AIGER 1.9: circuits and their runs as files.

mod read;
pub mod witness;
mod write;

pub use read::{looks_like, read};
pub use write::{to_ascii, to_binary};

#[cfg(test)]
pub(crate) mod tests;
