//! Text, JSON, HTML and SVG from verdicts, evidence and stories.

mod graph;
mod snippet;

pub use graph::{MOST_NODES, Node, Picture, Shape, automaton_picture, svg, transducer_picture};
pub use snippet::{Style, snippet};
