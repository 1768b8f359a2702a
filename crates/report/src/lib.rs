//! Text, JSON, HTML and SVG from verdicts, evidence and stories.
//!
//! * [`snippet`]: a diagnostic as source lines with carets and hints.
//! * [`Report`]: what a command has to say, as JSON.
//! * [`svg`]: automata, transducers and other graphs, drawn without other programs.
//! * [`story_text`], [`history_chart`]: what happened on the way to a verdict.
//! * [`answer_text`], [`answer_json`], [`trace_text`], [`shown_text`]: what languages answer.
//! * [`draw`]: pictures of all kinds.
//! * [`Page`]: all of it on one HTML page; [`Findings`]: a check as files around one.
//! * [`about_text`], [`about_json`]: what there is to know about a language.

mod about;
mod answer;
mod chart;
mod columns;
mod folder;
mod graph;
mod html;
mod json;
mod pictures;
mod shown;
mod snippet;
mod story;
mod trace;

pub use about::{about_json, about_text};
pub use answer::{answer_json, answer_text, overall, whole_story};
pub use chart::history_chart;
pub use columns::table_text;
pub use folder::Findings;
pub use graph::{MOST_NODES, dot, svg};
pub use html::Page;
pub use json::{Report, SCHEMA, diagnostic_json, verdict_fields};
pub use pictures::draw;
pub use shown::shown_text;
pub use snippet::{Style, snippet};
pub use story::{AttemptSummary, attempts, story_text};
pub use trace::{trace_cells, trace_json, trace_text};
