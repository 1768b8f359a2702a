//! BLIF: circuits as tables, as yosys and ABC write them.
//!
//! The first model is read, with the models that it is made of: `.inputs`, `.outputs`, `.latch`,
//! `.names`, `.subckt`, and cells of libraries (`.gate`, `.mlatch`). Outputs become the outputs of the circuit.

mod library;
#[cfg(test)]
mod library_tests;
mod parse;
mod read;
#[cfg(test)]
mod tests;
mod write;
mod yosys;
#[cfg(test)]
mod yosys_tests;

pub use library::{cells, names_cells};
pub use read::{looks_like, read};
pub use write::write;
pub use yosys::yosys_cells;
