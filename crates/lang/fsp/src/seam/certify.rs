//! Evidence, looked at again without the engine.

use std::cell::OnceCell;

use quotient_certify::{certify_components, violable};
use quotient_core::{Budget, Certified, Evidence, Rejection, Trouble};
use quotient_language::Property;
use quotient_lts::evidence::NO_DEADLOCK;

use super::asked::{EVERY_ACTION, Kind, safeties};
use super::opened::Opened;
use crate::Options;
use crate::question::Ask as Question;

impl Opened {
    /// Checks evidence about a property of this model. What is asked comes from the opened text
    /// and the property alone: the text is compiled again, as the settings say, and the
    /// components of the evidence are compared with what comes out.
    pub(super) fn judge(
        &mut self,
        evidence: &Evidence,
        property: &Property,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        if self.against.is_none() && self.wishes.modal.is_none() {
            self.find_out_independently(budget)?;
        }
        let asked = self.question_named(&property.name).map_err(rejection)?;
        if asked.property != *property {
            let name = &property.name;
            let message = format!("the model has another property `{name}`");
            return Err(Rejection::wrong(message));
        }
        if let (Kind::Comparison, Some(against)) = (&asked.kind, &self.against) {
            let mut certified = self.judge_comparison(evidence, against, budget)?;
            certified.property.clone_from(&property.name);
            return Ok(certified);
        }
        if asked.kind == Kind::Modal {
            let mut certified = self.judge_modal(evidence, property, budget)?;
            certified.property.clone_from(&property.name);
            return Ok(certified);
        }
        let mut options = self.options.clone();
        let (question, about) = match &asked.kind {
            Kind::Deadlock => (Question::Safety, NO_DEADLOCK.to_owned()),
            Kind::Safety(full) => (Question::Safety, full.clone()),
            Kind::Watcher(name) => {
                options = self.watched_by(name);
                (Question::Safety, String::new())
            }
            Kind::Progress(name) => (Question::Progress, name.clone()),
            Kind::EveryAction => (Question::Progress, EVERY_ACTION.to_owned()),
            Kind::Assertion(name) => {
                let question = Question::Assertion {
                    name: name.clone(),
                    fair: self.wishes.fair,
                };
                (question, name.clone())
            }
            Kind::Idle | Kind::Comparison | Kind::Modal => {
                let message = "the model does not ask this";
                return Err(Rejection::wrong(message));
            }
        };
        let compiled = match &question {
            Question::Safety => self.model.compile(&options, budget),
            _ => self.model.compile_unwatched(&options, budget),
        };
        let mut compiled = compiled.map_err(rejection)?;
        let about = match &asked.kind {
            Kind::Watcher(_) => compiled.components.last().cloned().unwrap_or_default(),
            _ => about,
        };
        let question = self
            .model
            .question(&question, &options, &mut compiled, budget)
            .map_err(rejection)?;
        let evidence = evidence.clone().about(about);
        let mut certified = certify_components(&evidence, &compiled.system, &question, budget)?;
        certified.property.clone_from(&property.name);
        certified
            .facts
            .insert(0, components_of(&compiled.name, &options));
        Ok(certified)
    }

    /// What can be violated is found out by the checker's own way of taking systems apart: the
    /// engine's word for it does not count here.
    fn find_out_independently(&mut self, budget: &Budget) -> Result<(), Rejection> {
        let base = self
            .base
            .as_ref()
            .map_err(|trouble| rejection(trouble.clone()))?;
        let found = violable(&base.system, budget)?;
        let names: Vec<&str> = found.components.iter().map(String::as_str).collect();
        let safety = safeties(&names, found.properties, &self.model);
        self.safety = OnceCell::from(Ok(safety));
        Ok(())
    }
}

/// What of the text the evidence is about.
fn components_of(name: &str, options: &Options) -> String {
    let constants = options.constants.iter();
    let constants: Vec<String> = constants
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let with = match constants.is_empty() {
        true => String::new(),
        false => format!(" with {}", constants.join(", ")),
    };
    format!("its components are those of {name}{with}")
}

/// A model that does not compile is not the one that the evidence is about.
pub(super) fn rejection(trouble: Trouble) -> Rejection {
    match trouble {
        Trouble::Stopped(stop) => Rejection::Stopped(stop),
        Trouble::Invalid(_) => Rejection::wrong(format!(
            "the model is not the one that the evidence is about: {trouble}"
        )),
    }
}
