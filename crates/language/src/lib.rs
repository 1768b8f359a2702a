//! The seam: what a modelling language offers.
//!
//! A language plugs in at one place. It implements [`Language`] (how to recognise a text and
//! how to open it) and [`Model`] (what an opened model can be asked), and answers with plain
//! data: [`Answer`]s with [`Trace`]s and evidence, [`Shown`] facts, [`Picture`]s, a
//! [`Simulation`]. Front ends know no language; they make arguments and forms from its
//! [`Setting`]s and leave all drawing and printing to the `report` crate.
//!
//! * [`About`], [`Setting`], [`Settings`], [`Verb`]: what a language says about itself.
//! * [`Input`], [`Sureness`], [`Files`]: what it is given to read.
//! * [`Ask`], [`Answer`], [`Trace`], [`Doubt`], [`Exhibit`]: what it is asked, and answers.
//! * [`Shown`], [`Table`], [`Picture`]: what there is to see of a model.
//! * [`Simulation`], [`Choice`], [`Random`]: a run, step by step.
//! * [`text`]: pieces to write a parser with: spans, recovery, a limit on depth.

mod about;
mod answer;
mod files;
mod input;
mod model;
mod picture;
mod random;
mod setting;
mod settings;
mod shown;
mod simulation;
mod table;
pub mod text;
mod trace;

pub use about::{AGAINST, About, Example, Format, PART, Verb};
pub use answer::{Answer, Ask, Doubt, Exhibit, Number, Property};
pub use files::{Files, MemoryFiles, NoFiles, fits_pattern};
pub use input::{Input, Sureness, known_binary};
pub use model::{Inspected, Language, Model, Query, Viewed, Written};
pub use picture::{
    Edge, Graph, Grid, Group, Lane, Lanes, Lines, Message, Node, Picture, Scale, Series, Shape,
    Tile,
};
pub use random::Random;
pub use setting::{ALLOW_EMPTY, Kind, Setting};
pub use settings::Settings;
pub use shown::{Block, Shown};
pub use simulation::{Choice, Simulation, Status};
pub use table::Table;
pub use trace::{Cell, Layout, Step, Trace};

/// A value for programs: what a language adds to machine-readable output in its own words.
pub type Json = serde_json::Value;
