//! A model as front ends see it: what it can be asked, in plain data.
//!
//! * `properties`: the specifications, by number, name or formula;
//! * `check`, `vacuity`, `marked`: verdicts with what shows them, and doubts;
//! * `special`, `hybrid`: specifications that are no formulas of CTL or LTL;
//! * `circuit`: models with many bits, asked as circuits first;
//! * `glance`: what of such a model is easy for anybody;
//! * `evidence`: a second look at evidence;
//! * `told`: runs as data;
//! * `ask`, `solutions`: queries and their answers;
//! * `show`, `pictures`: facts and pictures;
//! * `simulate`: a run, step by step;
//! * `instance`: all states of a small model, one by one;
//! * `convert`: the model in one module.

mod ask;
mod check;
mod circuit;
mod convert;
mod evidence;
mod glance;
mod hybrid;
mod instance;
mod marked;
mod pictures;
mod properties;
mod show;
mod simulate;
mod solutions;
mod special;
mod told;
mod vacuity;

use quotient_core::{Budget, Certified, Context, Diagnostic, Evidence, Rejection, Source, Trouble};
use quotient_language as seam;
use quotient_language::{
    Answer, Ask, Doubt, Inspected, Property, Query, Settings, Shown, Simulation, Viewed, Written,
};
use quotient_symbolic::Config;

use crate::file::File;
use crate::program::Specification;
use crate::session::Session;
use properties::{Asked, Entry};

/// A file that was read once, and answers from there on.
pub(crate) struct Opened {
    source: Source,
    settings: Settings,
    file: File,
    /// The specifications of the file, with those that are not read.
    entries: Vec<Entry>,
    /// The decision diagrams of the last check, with what was asked.
    session: Option<Session>,
    asked: Vec<Asked>,
}

impl Opened {
    pub(crate) fn read(source: &Source, settings: Settings) -> Result<Opened, Trouble> {
        let file = File::read(source)?;
        Ok(Opened {
            source: source.clone(),
            settings,
            entries: Entry::all(file.program()),
            file,
            session: None,
            asked: Vec::new(),
        })
    }

    /// A session about some specifications.
    fn open_session(
        &self,
        specifications: impl IntoIterator<Item = Specification>,
        cx: &Context,
    ) -> Result<Session, Trouble> {
        Session::open(self.file_about(specifications), config(cx), cx)
    }

    /// The model with these specifications alone.
    fn file_about(&self, specifications: impl IntoIterator<Item = Specification>) -> File {
        let mut file = self.file.clone();
        file.retain_specifications(|_| false);
        for specification in specifications {
            file.add_specification(specification);
        }
        file
    }
}

/// The limits of the engine that the limits of a budget call for.
fn config(cx: &Context) -> Config {
    match cx.budget.memory_limit() {
        Some(bytes) => Config::within(bytes),
        None => Config::default(),
    }
}

impl seam::Model for Opened {
    fn warnings(&self) -> Vec<Diagnostic> {
        let mut warnings = self.file.warnings().to_vec();
        if self.entries.is_empty() {
            let warning = Diagnostic::warning("smv-no-specification", "nothing is specified");
            warnings.push(
                warning.in_source(&self.source).help(
                    "write a specification as in `SPEC AG p`, or give one: --property 'AG p'",
                ),
            );
        }
        warnings
    }

    fn properties(&self) -> Vec<Property> {
        let properties = self.entries.iter();
        properties.map(|entry| entry.property.clone()).collect()
    }

    fn property(&mut self, name: &str) -> Result<Property, Trouble> {
        Ok(self.find(name)?.property)
    }

    fn check(
        &mut self,
        ask: &Ask,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        self.answer(ask, cx, tell)
    }

    fn certify(
        &mut self,
        evidence: &Evidence,
        property: &Property,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        self.look_again(evidence, property, budget)
    }

    fn doubts(&mut self, cx: &Context) -> Result<Vec<Doubt>, Trouble> {
        self.doubt(cx)
    }

    fn simulate(&mut self, cx: &Context) -> Result<Box<dyn Simulation>, Trouble> {
        self.begin(cx)
    }

    fn show(&mut self, view: &Viewed, cx: &Context) -> Result<Shown, Trouble> {
        self.look(view, cx)
    }

    fn convert(&mut self, to: &str, part: Option<&str>, _: &Context) -> Result<Written, Trouble> {
        self.write(to, part)
    }

    fn instance(&mut self, cx: &Context) -> Result<Inspected, Trouble> {
        self.inspect(cx)
    }

    fn ask(&mut self, query: &Query, cx: &Context) -> Result<Shown, Trouble> {
        self.solve(query, cx)
    }
}
