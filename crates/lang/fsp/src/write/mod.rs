//! A transition system as an FSP process.

mod label;
mod process;

pub use process::write_process;
