//! Coloured cells in rows and columns.

use quotient_language::{Grid, Tile};

use super::open;
use crate::graph::escape;

const TOP: f64 = 44.0;
/// The width of a letter.
const LETTER: f64 = 7.3;
/// Larger maps are cut.
const MOST: usize = 400;
/// From this height on, rows have their names and cells their texts.
const READABLE: f64 = 12.0;

/// How large everything is.
struct Sizes {
    left: f64,
    columns: usize,
    rows: usize,
    /// The width and height of a cell.
    cell: (f64, f64),
}

impl Sizes {
    fn of(grid: &Grid) -> Sizes {
        let columns = grid.cells.iter().map(Vec::len).max().unwrap_or(0).min(MOST);
        let rows = grid.cells.len().min(MOST);
        // Few cells are large enough to read, many are dots.
        let height = (900.0 / columns.max(1) as f64).clamp(3.0, 24.0);
        let letters = |text: &String| text.chars().count();
        let tiles = grid.cells.iter().flatten().map(|tile| &tile.text);
        let widest = tiles.map(letters).max().unwrap_or(0) as f64 * LETTER + 10.0;
        let width = match columns <= 60 && height >= READABLE {
            true => widest.clamp(height, 130.0),
            false => height,
        };
        let names = grid.rows.iter().map(letters).max().unwrap_or(0) as f64;
        Sizes {
            left: (names * LETTER + 24.0).clamp(40.0, 220.0),
            columns,
            rows,
            cell: (width, height),
        }
    }
}

/// Draws the map. Each row has a rectangle over it with a name of its own, so that a page finds
/// it where rows are moments.
pub(super) fn svg(grid: &Grid) -> String {
    let sizes = Sizes::of(grid);
    let (cell_width, cell_height) = sizes.cell;
    let inner = (
        cell_width * sizes.columns as f64,
        cell_height * sizes.rows as f64,
    );
    let width = (sizes.left + inner.0 + 20.0).max(200.0);
    let height = TOP + inner.1 + 38.0;
    let mut out = open(width, height, &grid.title);
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
    for (at, row) in grid.cells.iter().take(sizes.rows).enumerate() {
        let y = TOP + cell_height * at as f64;
        if let Some(name) = grid.rows.get(at).filter(|_| cell_height >= 10.0) {
            out.push_str(&format!(
                "<text text-anchor=\"end\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
                sizes.left - 8.0,
                y + cell_height * 0.68,
                escape(&cut(name, (sizes.left - 16.0) / LETTER))
            ));
        }
        for (column, tile) in row.iter().take(sizes.columns).enumerate() {
            let x = sizes.left + cell_width * column as f64;
            draw_tile(&mut out, tile, (x, y), sizes.cell);
        }
        out.push('\n');
    }
    // Names of columns stand below, if there is room for all of them.
    let longest = grid.columns.iter().map(|name| name.chars().count()).max();
    let fits = longest.is_some_and(|most| most as f64 * LETTER <= cell_width);
    for (at, name) in grid.columns.iter().take(sizes.columns).enumerate() {
        if fits && cell_height >= READABLE {
            out.push_str(&format!(
                "<text text-anchor=\"middle\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                sizes.left + cell_width * (at as f64 + 0.5),
                TOP + inner.1 + 14.0,
                escape(name)
            ));
        }
    }
    out.push_str(&format!(
        "<rect class=\"a\" x=\"{:.1}\" y=\"{TOP}\" width=\"{:.1}\" height=\"{:.1}\"/>\n",
        sizes.left, inner.0, inner.1
    ));
    for row in 0..sizes.rows {
        out.push_str(&format!(
            "<rect id=\"moment-{row}\" class=\"hit\" x=\"4\" y=\"{:.1}\" width=\"{:.1}\" \
             height=\"{cell_height:.1}\" fill=\"none\" pointer-events=\"all\"/>\n",
            TOP + cell_height * row as f64,
            width - 8.0
        ));
    }
    out.push_str("</svg>\n");
    out
}

fn draw_tile(out: &mut String, tile: &Tile, (x, y): (f64, f64), (width, height): (f64, f64)) {
    let shade = match tile.shade.is_finite() {
        true => tile.shade.clamp(0.0, 1.0),
        false => 0.0,
    };
    out.push_str(&format!(
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
         fill=\"#1d4ed8\" fill-opacity=\"{shade:.2}\"/>"
    ));
    if height >= READABLE && !tile.text.is_empty() {
        // Light letters where it is dark.
        let style = match shade > 0.6 {
            true => " style=\"fill:#fff\"",
            false => "",
        };
        out.push_str(&format!(
            "<text text-anchor=\"middle\"{style} x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            x + width / 2.0,
            y + height * 0.68,
            escape(&cut(&tile.text, (width - 4.0) / LETTER))
        ));
    }
    if tile.marked {
        out.push_str(&format!(
            "<rect class=\"w\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
            x + 1.0,
            y + 1.0,
            (width - 2.0).max(1.0),
            (height - 2.0).max(1.0)
        ));
    }
}

/// The start of a longer text.
fn cut(text: &str, most: f64) -> String {
    let most = most.max(1.0) as usize;
    match text.chars().count() <= most {
        true => text.to_owned(),
        false => text.chars().take(most - 1).chain(['…']).collect(),
    }
}
