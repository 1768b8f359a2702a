//! `.mata` and VTF: sections of lines `source label target`, with explicit letters, formulas
//! over bits, bit vectors, or words to read and write.

mod bits;
mod labels;
mod levels;
mod lines;
mod read;
mod vectors;
mod write;

pub(super) use read::read;
pub(super) use write::write;

/// How mata writes ε: the largest symbol.
const EPSILON: &str = "4294967295";
/// How mata writes "any symbol".
const ANY: &str = "4294967294";
