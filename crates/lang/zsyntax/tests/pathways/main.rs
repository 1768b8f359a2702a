//! Pathways through their seam.

mod common;
mod language;
mod many;
mod runs;
