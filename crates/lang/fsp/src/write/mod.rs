//! A transition system as an FSP process.

mod assumption;
mod folded;
mod label;
mod process;
mod set;

pub(crate) use assumption::in_labels;
pub use assumption::write_assumption;
pub(crate) use folded::write_folded;
pub use process::write_process;
pub use set::write_labels;
