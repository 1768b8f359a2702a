//! Coloured cells in rows and columns.

use serde::Serialize;

/// A map of cells: a tape over time, a value over two variables.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Grid {
    /// What it shows.
    pub title: String,
    /// What the columns are.
    pub x: String,
    /// What the rows are.
    pub y: String,
    /// Names of the columns, if they have names.
    pub columns: Vec<String>,
    /// Names of the rows, if they have names.
    pub rows: Vec<String>,
    /// The cells, row by row from the top.
    pub cells: Vec<Vec<Tile>>,
}

/// One cell of a map.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Tile {
    /// What is written in it, if there is room.
    pub text: String,
    /// Its shade from 0 (light) to 1 (dark).
    pub shade: f64,
    /// Whether it is set off: the head of a machine.
    pub marked: bool,
}
