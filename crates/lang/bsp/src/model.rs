//! An opened program: what it can be asked.

use quotient_core::{
    Budget, Certified, Context, Diagnostic, Evidence, Rejection, Source, Span, Trouble,
};
use quotient_language::{
    Answer, Ask, Doubt, Model, Property, Query, Shown, Simulation, Table, Viewed,
};
use serde_json::json;

use crate::linear::formula;
use crate::outcome::told;
use crate::program::{Asked, Kind, Program, Question};
use crate::run::{Part, run};
use crate::walk::Walk;
use crate::{ask, certify, check, every, story};

/// A program with its questions.
pub(crate) struct BspModel {
    pub(crate) name: String,
    pub(crate) source: Source,
    pub(crate) program: Program,
}

/// What a question is about.
fn kind(asked: &Asked) -> String {
    match asked.question {
        Question::Runs(_) => "ltl".to_owned(),
        _ => "end".to_owned(),
    }
}

impl BspModel {
    /// What is asked, in words: a formula of the file as it is written there.
    fn text(&self, asked: &Asked) -> String {
        let (Question::Runs(_), Some(span)) = (&asked.question, asked.span) else {
            return asked.name.clone();
        };
        let line = self.source.text().get(span.range()).unwrap_or_default();
        let line = line.strip_prefix("ltl").unwrap_or(line).trim();
        let named = line.strip_prefix(&asked.name).map(str::trim_start);
        let formula = named.and_then(|rest| rest.strip_prefix(':'));
        formula.unwrap_or(line).trim().to_owned()
    }

    /// A question of the file by its name, or a formula about runs that a user asks: `ltl F done`, or without `ltl`.
    pub(crate) fn question(&self, name: &str) -> Result<Asked, Trouble> {
        let known = self.program.questions.iter().find(|one| one.name == name);
        if let Some(asked) = known {
            return Ok(asked.clone());
        }
        let source = Source::new("property", name);
        let start = match name.trim_start().strip_prefix("ltl ") {
            Some(rest) => name.len() - rest.len(),
            None => 0,
        };
        let span = Span::new(start, name.len());
        let formula = formula::read(&self.program, &source, span).map_err(|mistake| {
            // One word is meant as a name.
            let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
            if !name.chars().all(is_part) {
                return mistake;
            }
            let names = self.program.questions.iter().map(|one| one.name.as_str());
            let message = format!("there is no property `{name}`");
            Diagnostic::error("no-such-property", message).did_you_mean(name, names)
        })?;
        Ok(Asked {
            name: name.to_owned(),
            question: Question::Runs(formula),
            span: None,
        })
    }
}

impl Model for BspModel {
    fn property(&mut self, name: &str) -> Result<Property, Trouble> {
        let all = self.properties();
        if let Some(property) = all.into_iter().find(|one| one.name == name) {
            return Ok(property);
        }
        let asked = self.question(name)?;
        Ok(Property {
            kind: kind(&asked),
            text: asked.name.clone(),
            name: asked.name,
            number: None,
            span: None,
            in_file: false,
        })
    }

    fn properties(&self) -> Vec<Property> {
        let property = |(number, asked): (usize, &Asked)| Property {
            name: asked.name.clone(),
            number: Some(number + 1),
            kind: kind(asked),
            text: self.text(asked),
            span: asked.span,
            in_file: true,
        };
        self.program
            .questions
            .iter()
            .enumerate()
            .map(property)
            .collect()
    }

    fn constants(&self) -> Vec<(String, String)> {
        let processors = match self.program.least {
            Some(least) => format!("{least}.."),
            None => self.program.processors.to_string(),
        };
        vec![("processors".to_owned(), processors)]
    }

    fn check(
        &mut self,
        ask: &Ask,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        check::check(self, ask, cx, tell)
    }

    fn certify(
        &mut self,
        evidence: &Evidence,
        property: &Property,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        let asked = self
            .question(&property.name)
            .map_err(|trouble| Rejection::wrong(trouble.to_string()))?;
        let asked = &asked;
        match self.program.least {
            Some(least) => {
                every::certify(&self.source, &self.program, least, asked, evidence, budget)
            }
            None => certify::certify(&self.program, asked, evidence, budget),
        }
    }

    fn doubts(&mut self, cx: &Context) -> Result<Vec<Doubt>, Trouble> {
        let program = &self.program;
        let mut doubts = Vec::new();
        let ended = run(program, &cx.budget)?;
        for (processor, local) in ended.locals.iter().enumerate() {
            let environment = &local.environment;
            let groups = environment.sends.keys().chain(environment.puts.keys());
            for &group in groups {
                let name = &program.groups[group].name;
                let text = format!(
                    "processor {processor} ends with requests for {name} that no barrier delivers"
                );
                doubts.push(Doubt::new("undelivered", text));
            }
        }
        for group in &program.groups[1..] {
            let met = |part: &Part| matches!(part, Part::Barrier(name) if *name == group.name);
            if !ended.run.parts.iter().any(met) && ended.kind == Kind::Done {
                let text = format!(
                    "the processors of {} never meet at a barrier of it",
                    group.name
                );
                doubts.push(Doubt::new("never-meets", text));
            }
        }
        Ok(doubts)
    }

    fn show(&mut self, view: &Viewed, cx: &Context) -> Result<Shown, Trouble> {
        if let Some(part) = &view.part {
            let message = format!("a program has no parts by name, such as `{part}`");
            return Err(Trouble::usage(message));
        }
        let program = &self.program;
        let ended = run(program, &cx.budget)?;
        let barriers = ended.run.parts.iter();
        let barriers = barriers
            .filter(|part| matches!(part, Part::Barrier(_)))
            .count();
        let (line, _, details) = told(&self.source, program, &ended);
        let mut table = Table::new(["group", "members"]);
        for group in &program.groups {
            let members: Vec<String> = group.members.iter().map(usize::to_string).collect();
            table.row([group.name.clone(), members.join(", ")]);
        }
        let mut shown = Shown::titled(format!("{}: a BSP program", self.name))
            .fact("processors", program.processors.to_string())
            .fact("barriers in the text", program.barriers().len().to_string())
            .fact("barriers in the run", barriers.to_string())
            .fact("end", line)
            .blank()
            .table(table);
        if view.picture {
            shown = shown.picture(story::picture(&self.name, program, &ended.run));
        }
        Ok(shown.result(json!({
            "processors": program.processors,
            "supersteps": barriers,
            "end": details,
        })))
    }

    fn simulate(&mut self, _: &Context) -> Result<Box<dyn Simulation>, Trouble> {
        Ok(Box::new(Walk::new(&self.program)))
    }

    fn ask(&mut self, query: &Query, cx: &Context) -> Result<Shown, Trouble> {
        ask::ask(self, query, cx)
    }
}
