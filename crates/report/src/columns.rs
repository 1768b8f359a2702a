//! Tables of text.

use quotient_language::Table;
use quotient_language::text::wrap_indented;

/// Rows in columns as wide as their widest entry; a line each.
pub(crate) fn aligned(table: &[Vec<String>]) -> Vec<String> {
    let widths = widths(table);
    let line = |row: &Vec<String>| {
        let cells = row
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell}{}", " ".repeat(width - cell.chars().count())));
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    table.iter().map(line).collect()
}

/// The same with the last column wrapped.
pub(crate) fn last_wrapped(table: &[Vec<String>], width: usize) -> Vec<String> {
    let mut widths = widths(table);
    widths.pop();
    let indent = widths.iter().sum::<usize>() + 2 * widths.len();
    let line = |row: &Vec<String>| {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(&format!("{cell:<width$}  "));
        }
        let last = row.last().map(String::as_str).unwrap_or_default();
        let wrapped = wrap_indented(last, width.saturating_sub(indent).max(20), indent);
        format!("{}\n", format!("{line}{wrapped}").trim_end())
    };
    table.iter().map(line).collect()
}

/// A table as text, its last column wrapped.
pub fn table_text(table: &Table, width: usize) -> String {
    let mut rows = vec![table.head.clone()];
    rows.extend(table.rows.iter().cloned());
    for row in &mut rows {
        row.resize(table.head.len(), String::new());
    }
    last_wrapped(&rows, width).concat()
}

fn widths(table: &[Vec<String>]) -> Vec<usize> {
    let columns = table.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let cells = table.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    (0..columns).map(width).collect()
}
