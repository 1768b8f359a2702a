//! Pictures as data: what is to be drawn, not how. `report` draws them as SVG.

mod graph;
mod grid;
mod lanes;
mod lines;

use serde::Serialize;

pub use graph::{Edge, Graph, Group, Node, Shape};
pub use grid::{Grid, Tile};
pub use lanes::{Lane, Lanes, Message};
pub use lines::{Lines, Scale, Series};

/// A picture of some kind.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "picture", rename_all = "kebab-case")]
pub enum Picture {
    /// Nodes and edges.
    Graph(Graph),
    /// Series of numbers.
    Lines(Lines),
    /// What several parts do over time.
    Lanes(Lanes),
    /// Coloured cells in rows and columns.
    Grid(Grid),
}

impl Picture {
    /// What it is called.
    pub fn title(&self) -> &str {
        match self {
            Picture::Graph(graph) => &graph.title,
            Picture::Lines(lines) => &lines.title,
            Picture::Lanes(lanes) => &lanes.title,
            Picture::Grid(grid) => &grid.title,
        }
    }
}

impl From<Graph> for Picture {
    fn from(graph: Graph) -> Picture {
        Picture::Graph(graph)
    }
}

impl From<Lines> for Picture {
    fn from(lines: Lines) -> Picture {
        Picture::Lines(lines)
    }
}

impl From<Lanes> for Picture {
    fn from(lanes: Lanes) -> Picture {
        Picture::Lanes(lanes)
    }
}

impl From<Grid> for Picture {
    fn from(grid: Grid) -> Picture {
        Picture::Grid(grid)
    }
}
