//! Chalk's tables of experiments with abstract regular model checking, row by row.

mod measure;
mod rows;
mod suite;

pub use measure::{Measured, Run, measure};
pub use rows::rows;
pub use suite::{run, table};

use crate::models::united;
use quotient_regular::{Configuration, Problem};

/// One row of a published table: a model, a configuration, and what came out.
#[derive(Debug, Clone, Copy)]
pub struct Experiment {
    /// The number of the table.
    pub table: &'static str,
    /// What it is called there.
    pub name: &'static str,
    /// Our model of it, by its name in the [catalogue](crate::models::catalogue).
    pub model: &'static str,
    /// Whether the published relation is one transducer, whose guards and actions are those of
    /// the whole.
    pub whole: bool,
    /// The configuration, as the text of a [`Configuration`].
    pub method: &'static str,
    /// What was published, and what the published tool counts on its own model.
    pub published: Published,
}

/// What is known about a row from others.
#[derive(Debug, Clone, Copy)]
pub struct Published {
    /// Seconds of the tool of the thesis.
    pub seconds: f64,
    /// Seconds of the prototype of Bouajjani, Habermehl and Vojnar, where they are given.
    pub prototype: Option<f64>,
    /// The steps of the last attempt.
    pub steps: usize,
    /// How many false alarms there were.
    pub refinements: u64,
}

impl Experiment {
    /// The problem as the experiment takes it, from the model in the catalogue.
    pub fn problem(&self, model: &Problem) -> Problem {
        match self.whole {
            true => united(model),
            false => model.clone(),
        }
    }

    /// The configuration.
    pub fn configuration(&self) -> Configuration {
        // The rows are our own text; a test parses them all.
        self.method
            .parse()
            .unwrap_or_else(|error| unreachable!("{}: {error:?}", self.method))
    }
}
