//! An opened machine: what it can be asked.

use quotient_core::{Budget, Certified, Context, Evidence, Rejection, Trouble};
use quotient_language::{
    Answer, Ask, Doubt, Model, Property, Settings, Shown, Simulation, Viewed, Written,
};

use crate::check;
use crate::convert;
use crate::decide::Limits;
use crate::question::Start;
use crate::read::File;
use crate::show;
use crate::simulate::Walk;
use crate::verify::verify;

/// A machine with its questions.
pub(crate) struct MachineModel {
    title: String,
    file: File,
    limits: Limits,
    /// The input that a user gave to look at.
    input: Option<Start>,
}

impl MachineModel {
    pub(crate) fn new(name: &str, mut file: File, settings: &Settings) -> Result<Self, Trouble> {
        let usual = Limits::default();
        let memory = settings
            .whole("window")
            .and_then(|memory| usize::try_from(memory).ok());
        let input = match settings.text("input") {
            None => None,
            Some(text) => Some(Start::read(text, &mut file.machine).map_err(Trouble::usage)?),
        };
        Ok(MachineModel {
            title: file.name.clone().unwrap_or_else(|| name.to_owned()),
            limits: Limits {
                steps: settings.whole("steps").unwrap_or(usual.steps),
                alone: settings.whole("steps").unwrap_or(usual.alone),
                memory: memory.unwrap_or(usual.memory),
                on_sets: memory.unwrap_or(usual.on_sets),
            },
            file,
            input,
        })
    }

    /// The tape to look at: the given one, that of a question, or that of the first one.
    fn start(&self, part: Option<&str>) -> Result<Start, Trouble> {
        if let (None, Some(input)) = (part, &self.input) {
            return Ok(input.clone());
        }
        let machine = &self.file.machine;
        let mut questions = self.file.questions.iter();
        let question = match part {
            None => questions.next(),
            Some(part) => {
                let found = questions.find(|question| question.name == part);
                Some(found.ok_or_else(|| {
                    Trouble::usage(format!(
                        "there is no question `{part}`; parts are questions"
                    ))
                })?)
            }
        };
        let start = question.and_then(|question| check::example(&question.asked, machine));
        Ok(start.unwrap_or_else(|| Start::word(Vec::new(), machine.blank)))
    }
}

impl Model for MachineModel {
    fn title(&self) -> Option<String> {
        self.file.name.clone()
    }

    fn properties(&self) -> Vec<Property> {
        let property = |(number, question): (usize, &crate::question::Question)| Property {
            name: question.name.clone(),
            number: Some(number + 1),
            kind: "question".to_owned(),
            text: question.text.clone(),
            span: question.span,
            in_file: true,
        };
        self.file
            .questions
            .iter()
            .enumerate()
            .map(property)
            .collect()
    }

    fn check(
        &mut self,
        ask: &Ask,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        for (number, question) in self.file.questions.iter().enumerate() {
            if !ask.properties.is_empty() && !ask.properties.contains(&question.name) {
                continue;
            }
            let mut answer = check::answer(&self.file.machine, question, self.limits, ask, cx);
            answer.number = Some(number + 1);
            tell(answer);
        }
        Ok(())
    }

    fn certify(
        &mut self,
        evidence: &Evidence,
        property: &Property,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        let question = self
            .file
            .questions
            .iter()
            .find(|one| one.name == property.name);
        let Some(question) = question else {
            let message = format!("there is no question `{}`", property.name);
            return Err(Rejection::wrong(message));
        };
        let facts = verify(&self.file.machine, &question.asked, evidence, budget)?;
        Ok(Certified {
            property: question.name.clone(),
            facts,
        })
    }

    fn doubts(&mut self, cx: &Context) -> Result<Vec<Doubt>, Trouble> {
        convert::doubts(&self.file, cx)
    }

    fn convert(&mut self, _: &str, _: Option<&str>, _: &Context) -> Result<Written, Trouble> {
        Ok(convert::tuples(&self.file))
    }

    fn show(&mut self, view: &Viewed, _: &Context) -> Result<Shown, Trouble> {
        let start = self.start(view.part.as_deref())?;
        Ok(show::show(&self.file, &self.title, &start, view.picture))
    }

    fn simulate(&mut self, _: &Context) -> Result<Box<dyn Simulation>, Trouble> {
        let start = self.start(None)?;
        Ok(Box::new(Walk::new(&self.file.machine, &start)))
    }
}
