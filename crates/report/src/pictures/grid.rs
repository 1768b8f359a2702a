//! Coloured cells in rows and columns.

use quotient_language::Grid;

use super::open;
use crate::graph::escape;

const TOP: f64 = 44.0;
const LEFT: f64 = 70.0;
/// Larger maps are cut.
const MOST: usize = 400;

/// Draws the map.
pub(super) fn svg(grid: &Grid) -> String {
    let columns = grid.cells.iter().map(Vec::len).max().unwrap_or(0).min(MOST);
    let rows = grid.cells.len().min(MOST);
    // Few cells are large enough to read, many are dots.
    let size = (900.0 / columns.max(1) as f64).clamp(3.0, 22.0);
    let width = LEFT + size * columns as f64 + 20.0;
    let height = TOP + size * rows as f64 + 30.0;
    let mut out = open(width.max(240.0), height, &grid.title);
    out.push_str(&format!(
        "<text class=\"t\" x=\"12\" y=\"20\">{}</text>\n\
         <text x=\"12\" y=\"{:.1}\">{}</text>\n\
         <text text-anchor=\"end\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
        escape(&grid.title),
        TOP - 8.0,
        escape(&grid.y),
        width - 20.0,
        height - 10.0,
        escape(&grid.x)
    ));
    for (at, row) in grid.cells.iter().take(rows).enumerate() {
        let y = TOP + size * at as f64;
        if let Some(name) = grid.rows.get(at).filter(|_| size >= 10.0) {
            out.push_str(&format!(
                "<text text-anchor=\"end\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
                LEFT - 6.0,
                y + size * 0.75,
                escape(name)
            ));
        }
        for (column, tile) in row.iter().take(columns).enumerate() {
            let x = LEFT + size * column as f64;
            let shade = match tile.shade.is_finite() {
                true => tile.shade.clamp(0.0, 1.0),
                false => 0.0,
            };
            out.push_str(&format!(
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{size:.1}\" height=\"{size:.1}\" \
                 fill=\"#1d4ed8\" fill-opacity=\"{shade:.2}\"/>"
            ));
            if size >= 12.0 && !tile.text.is_empty() {
                out.push_str(&format!(
                    "<text text-anchor=\"middle\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                    x + size / 2.0,
                    y + size * 0.72,
                    escape(&tile.text)
                ));
            }
            if tile.marked {
                out.push_str(&format!(
                    "<rect class=\"w\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
                    x + 1.0,
                    y + 1.0,
                    (size - 2.0).max(1.0),
                    (size - 2.0).max(1.0)
                ));
            }
        }
        out.push('\n');
    }
    out.push_str(&format!(
        "<rect class=\"a\" x=\"{LEFT}\" y=\"{TOP}\" width=\"{:.1}\" height=\"{:.1}\"/>\n</svg>\n",
        size * columns as f64,
        size * rows as f64
    ));
    out
}
