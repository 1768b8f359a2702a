//! An opened text.

use std::cell::OnceCell;

use quotient_compose::safety_properties;
use quotient_core::{Budget, Certified, Context, Diagnostic, Evidence, Rejection, Stop, Trouble};
use quotient_language::{
    Answer, Ask, Inspected, Model as Opens, Property, Shown, Simulation, Viewed, Written,
};

use super::asked::{Asked, safeties};
use super::compare::Against;
use super::way::Wishes;
use crate::{Compiled, Model, Options};

/// An opened text with the system that is meant.
pub(super) struct Opened {
    pub(super) model: Model,
    pub(super) options: Options,
    pub(super) wishes: Wishes,
    /// What the system is to be compared with, if that is asked.
    pub(super) against: Option<Against>,
    /// The system, or why there is none: then only its parts can be looked at.
    pub(super) base: Result<Compiled, Trouble>,
    /// What can be violated in it, once somebody has asked.
    pub(super) safety: OnceCell<Result<Vec<Safety>, Stop>>,
    /// What was odd.
    pub(super) warnings: Vec<Diagnostic>,
    /// For what has to be looked up in between.
    pub(super) budget: Budget,
}

/// Components that must not err.
#[derive(Debug, Clone)]
pub(super) struct Safety {
    /// What the engine calls them.
    pub(super) full: String,
    /// What they are called in answers.
    pub(super) short: String,
    /// Their names.
    pub(super) components: Vec<String>,
    /// Whether they cannot err, whatever happens.
    pub(super) idle: bool,
}

impl Opened {
    /// The system.
    pub(super) fn system(&self) -> Result<&Compiled, Trouble> {
        self.base.as_ref().map_err(Clone::clone)
    }

    /// What can be violated in the system.
    pub(super) fn safety(&self) -> Result<&[Safety], Trouble> {
        let base = self.system()?;
        let look = || {
            let network = base.network(&self.budget)?;
            let components = network.components().iter();
            let names: Vec<&str> = components.map(|component| &*component.name).collect();
            Ok(safeties(&names, safety_properties(&network), &self.model))
        };
        match self.safety.get_or_init(look) {
            Ok(safety) => Ok(safety),
            Err(stop) => Err(stop.clone().into()),
        }
    }

    /// Keeps what was odd, each once.
    pub(super) fn warn(&mut self, more: impl IntoIterator<Item = Diagnostic>) {
        for warning in more {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
    }

    /// What is asked, by name or all.
    pub(super) fn asked_by(&mut self, ask: &Ask) -> Result<Vec<Asked>, Trouble> {
        if ask.properties.is_empty() {
            if self.against.is_none() && self.wishes.modal.is_none() {
                self.safety()?;
            }
            return Ok(self.questions());
        }
        let mut asked: Vec<Asked> = Vec::new();
        for name in &ask.properties {
            let one = self.question_named(name)?;
            if asked.iter().all(|known| known.property != one.property) {
                asked.push(one);
            }
        }
        Ok(asked)
    }
}

impl Opens for Opened {
    fn title(&self) -> Option<String> {
        self.base.as_ref().ok().map(|base| base.name.clone())
    }

    fn warnings(&self) -> Vec<Diagnostic> {
        self.warnings.clone()
    }

    fn constants(&self) -> Vec<(String, String)> {
        let base = self.base.as_ref();
        base.map_or_else(|_| Vec::new(), |base| base.constants.clone())
    }

    fn properties(&self) -> Vec<Property> {
        let questions = self.questions().into_iter();
        questions.map(|asked| asked.property).collect()
    }

    fn property(&mut self, name: &str) -> Result<Property, Trouble> {
        Ok(self.question_named(name)?.property)
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
        self.judge(evidence, property, budget)
    }

    fn show(&mut self, view: &Viewed, cx: &Context) -> Result<Shown, Trouble> {
        self.shown(view, cx)
    }

    fn simulate(&mut self, cx: &Context) -> Result<Box<dyn Simulation>, Trouble> {
        self.run(cx)
    }

    fn instance(&mut self, cx: &Context) -> Result<Inspected, Trouble> {
        self.searched(cx)
    }

    fn convert(&mut self, to: &str, part: Option<&str>, cx: &Context) -> Result<Written, Trouble> {
        self.written(to, part, cx)
    }
}
