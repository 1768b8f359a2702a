//! Pathways through their seam.

mod common;
mod language;
mod runs;
