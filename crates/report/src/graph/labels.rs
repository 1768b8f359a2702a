//! What is written at nodes and edges.

use unicode_width::UnicodeWidthStr;

/// The height of a line of text.
pub(super) const LINE_HEIGHT: f64 = 14.0;
/// The size of the letters.
pub(super) const FONT_SIZE: f64 = 12.0;
/// The advance of a letter of the usual monospaced fonts, in sizes.
const ADVANCE: f64 = 0.605;

/// The width of a line of text in the monospaced font of the picture.
pub(super) fn text_width(line: &str) -> f64 {
    line.width() as f64 * ADVANCE * FONT_SIZE
}
