//! A transition system as an FSP process.

mod assumption;
mod label;
mod process;

pub use assumption::write_assumption;
pub use process::write_process;
