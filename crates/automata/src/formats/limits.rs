//! How large an input may be.

use quotient_core::{Diagnostic, Source};

/// Ceilings for readers and writers: beyond them there is an error, not a machine without
/// memory. The defaults are far above what models need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The bytes of one text.
    pub bytes: usize,
    /// The letters of an alphabet that a file only describes (all vectors of its bits).
    pub letters: usize,
    /// The bytes that the labels of one machine take as sets of letters.
    pub label_bytes: usize,
    /// The lines that a writer makes where its format has one line for each letter.
    pub lines: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            bytes: 256 << 20,
            letters: 1 << 16,
            label_bytes: 1 << 30,
            lines: 20_000_000,
        }
    }
}

impl Limits {
    pub(super) fn check_bytes(&self, source: &Source) -> Result<(), Diagnostic> {
        let size = source.text().len();
        if size <= self.bytes {
            return Ok(());
        }
        let message = format!("the file has {size} bytes, the limit is {}", self.bytes);
        // The text itself is not shown: it may be one line of a gigabyte.
        Err(Diagnostic::error("too-large", message)
            .in_source(&Source::new(source.name(), ""))
            .help("raise the limit, or check that this is the right file"))
    }
}
