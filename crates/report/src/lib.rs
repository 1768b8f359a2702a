//! Text, JSON, HTML and SVG from verdicts, evidence and stories.
//!
//! * [`snippet`]: a diagnostic as source lines with carets and hints.
//! * [`Report`]: what a command has to say, as JSON.
//! * [`svg`]: automata, transducers and other graphs, drawn without other programs.
//! * [`story_text`], [`history_chart`]: what happened on the way to a verdict.
//! * [`Page`]: all of it on one HTML page.

mod chart;
mod graph;
mod html;
mod json;
mod snippet;
mod story;

pub use chart::history_chart;
pub use graph::{MOST_NODES, dot, svg};
pub use html::Page;
pub use json::{Report, SCHEMA, diagnostic_json, verdict_fields};
pub use snippet::{Style, snippet};
pub use story::{AttemptSummary, attempts, story_text};
