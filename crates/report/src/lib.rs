//! Text, JSON and SVG from verdicts, evidence and stories.
//!
//! * [`snippet`]: a diagnostic as source lines with carets and hints.
//! * [`Report`]: what a command has to say, as JSON.
//! * [`svg`]: automata, transducers and other graphs, drawn without other programs.
//! * [`story_text`]: what happened on the way to a verdict.
//! * [`answer_text`], [`answer_json`], [`trace_text`], [`shown_text`]: what languages answer.
//! * [`draw`]: pictures of all kinds; [`waves`]: a run as wave forms; [`film`]: automata one after the other.
//! * [`Findings`]: a check as files.
//! * [`about_text`], [`about_json`]: what there is to know about a language.
//! * [`answer_view`] and others: the same for a page, with drawings made.

mod about;
mod again;
mod answer;
mod columns;
mod film;
mod folder;
mod graph;
mod json;
mod lines;
mod paint;
mod pictures;
mod shown;
mod snippet;
mod story;
mod trace;
mod view;

pub use about::{about_json, about_text};
pub use again::{draw_run, read_graph};
pub use answer::{ForPrograms, answer_json, answer_text, overall, short_story, whole_story};
pub use columns::table_text;
pub use film::film;
pub use folder::Findings;
pub use graph::{Drawing, MOST_NODES, dot, folded, svg, svg_with, tikz};
pub use json::{Report, SCHEMA, diagnostic_json, verdict_fields};
pub use lines::hanging;
pub use paint::painted;
pub use pictures::{draw, waves};
pub use shown::shown_text;
pub use snippet::{Style, snippet};
pub use story::{AttemptSummary, attempts, story_text};
pub use trace::{trace_json, trace_picture, trace_text};
pub use view::{
    Drawings, answer_view, diagnostics_view, doubt_view, exhibit_view, picture_view, place_json,
    property_view, shown_view, simulation_view, trace_view,
};
