//! An opened system: what it can be asked.

use quotient_core::{Budget, Certified, Context, Evidence, Rejection, Source, Trouble};
use quotient_language::{Answer, Ask, Doubt, Model, Property, Query, Shown, Table, Viewed};
use serde_json::json;

use crate::algebra::{ActionLattice, check_laws};
use crate::evaluate::Evaluator;
use crate::system::{Question, System};
use crate::tree::Check;
use crate::{certify, check, read, show};

/// A system with its questions.
pub(crate) struct GradedModel<A: ActionLattice> {
    pub(crate) name: String,
    pub(crate) source: Source,
    pub(crate) system: System<A>,
    pub(crate) questions: Vec<Question<A::Grade>>,
}

impl<A: ActionLattice> GradedModel<A> {
    /// The question of a name, or the one that a formula asks.
    fn question(&self, name: &str) -> Result<Question<A::Grade>, Trouble> {
        let found = self
            .questions
            .iter()
            .find(|one| one.check.name.text == name);
        match found {
            Some(question) => Ok(question.clone()),
            None => {
                let source = Source::new("property", name);
                let check = read::read_check(&source)?;
                Ok(self.system.question(&check, &source)?)
            }
        }
    }

    fn described(&self, check: &Check, in_file: bool) -> Property {
        let place = self
            .questions
            .iter()
            .position(|one| one.check.name.text == check.name.text);
        Property {
            name: check.name.text.clone(),
            number: place.filter(|_| in_file).map(|place| place + 1),
            kind: "grade".to_owned(),
            text: check.text.clone(),
            span: in_file.then_some(check.span),
            in_file,
        }
    }

    /// The matrix of a program, from the grades of single states.
    fn matrix(&self, text: &str, cx: &Context) -> Result<Shown, Trouble> {
        let states = self.system.states.len();
        if states > 40 {
            return Err(Trouble::usage("a matrix is shown for at most 40 states"));
        }
        let algebra = &self.system.algebra;
        let mut columns = Vec::new();
        for target in 0..states {
            let source = Source::new("query", format!("<{text}> false"));
            let check = read::read_check(&source)?;
            let crate::tree::Formula::Diamond(program, _) = check.formula else {
                return Err(Trouble::usage("a program was expected"));
            };
            let formula =
                crate::tree::Formula::Diamond(program, Box::new(crate::tree::Formula::False));
            let crate::typed::Typed::Modal(modality, steps, _) =
                self.system.formula(&formula, &source)?
            else {
                return Err(Trouble::usage("a program was expected"));
            };
            let mut unit = vec![algebra.zero(); states];
            unit[target] = algebra.one();
            let last = crate::typed::Typed::Vector(std::sync::Arc::new(unit));
            let modal = crate::typed::Typed::Modal(modality, steps, Box::new(last));
            columns.push(Evaluator::new(algebra, states, &cx.budget).grades(&modal)?);
        }
        let head = std::iter::once("from".to_owned()).chain(self.system.states.iter().cloned());
        let mut table = Table::new(head);
        for (state, name) in self.system.states.iter().enumerate() {
            let cells = columns.iter().map(|column| algebra.write(&column[state]));
            table.row(std::iter::once(name.clone()).chain(cells));
        }
        let result = json!({ "head": table.head, "rows": table.rows });
        Ok(Shown::titled(format!("the matrix of {text}"))
            .table(table)
            .result(result))
    }
}

impl<A: ActionLattice> Model for GradedModel<A> {
    fn properties(&self) -> Vec<Property> {
        self.questions
            .iter()
            .map(|one| self.described(&one.check, true))
            .collect()
    }

    fn property(&mut self, name: &str) -> Result<Property, Trouble> {
        let question = self.question(name)?;
        let in_file = self.questions.iter().any(|one| one.check.name.text == name);
        Ok(self.described(&question.check, in_file))
    }

    fn check(
        &mut self,
        ask: &Ask,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        let questions = match ask.properties.is_empty() {
            true => self.questions.clone(),
            false => ask
                .properties
                .iter()
                .map(|name| self.question(name))
                .collect::<Result<_, _>>()?,
        };
        for question in questions {
            let mut answer = match check::answer(self, &question, ask, cx) {
                Ok(answer) => answer,
                Err(Trouble::Stopped(stop)) => Answer::unknown(&question.check.name.text, stop),
                Err(other) => return Err(other),
            };
            let name = &question.check.name.text;
            let place = self
                .questions
                .iter()
                .position(|one| one.check.name.text == *name);
            answer.number = place.map(|place| place + 1);
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
        let question = self.question(&property.name);
        let question = question.map_err(|trouble| Rejection::wrong(trouble.to_string()))?;
        certify::certify(&self.system, &question, evidence, budget)
    }

    fn doubts(&mut self, _: &Context) -> Result<Vec<Doubt>, Trouble> {
        let mut doubts = Vec::new();
        let formulas = || self.questions.iter().map(|one| &one.check.formula);
        for (name, grades) in &self.system.propositions {
            let zero = self.system.algebra.zero();
            if grades.iter().all(|grade| *grade == zero) {
                let text = format!("the proposition `{name}` is false everywhere");
                doubts.push(Doubt::new("proposition-false", text));
            }
        }
        for program in &self.system.programs {
            let used = formulas().any(|formula| {
                formula
                    .programs()
                    .iter()
                    .any(|spot| spot.text == program.name)
            });
            if !used && !self.questions.is_empty() {
                let text = format!("no property mentions the program `{}`", program.name);
                doubts.push(Doubt::new("unused-program", text));
            }
            if program.len() == 0 {
                let text = format!("the program `{}` never does anything", program.name);
                doubts.push(Doubt::new("empty-program", text));
            }
        }
        Ok(doubts)
    }

    fn show(&mut self, view: &Viewed, _: &Context) -> Result<Shown, Trouble> {
        show::show(self, view)
    }

    fn ask(&mut self, query: &Query, cx: &Context) -> Result<Shown, Trouble> {
        let text = query.text.trim();
        let algebra = &self.system.algebra;
        if text == "laws" {
            let sample = algebra.sample();
            let broken = check_laws(algebra, &sample, true);
            let says = match &broken {
                Ok(()) => format!("all laws hold on {} grades", sample.len()),
                Err(broken) => broken.to_string(),
            };
            let result = json!({ "algebra": algebra.name(), "broken": broken.err().map(|one| one.to_string()) });
            return Ok(Shown::titled(format!("{}: {says}", algebra.name())).result(result));
        }
        if let Some(program) = text.strip_prefix("program ") {
            return self.matrix(program, cx);
        }
        let source = Source::new("query", text);
        let check = read::read_check(&source)?;
        let formula = self.system.formula(&check.formula, &source)?;
        let states = self.system.states.len();
        let grades = Evaluator::new(algebra, states, &cx.budget).grades(&formula)?;
        let mut table = Table::new(["state", "grade"]);
        let limit = if query.limit == 0 { 50 } else { query.limit };
        for (state, grade) in self.system.states.iter().zip(&grades).take(limit) {
            table.row([state.clone(), algebra.write(grade)]);
        }
        let result = json!({ "formula": check.text, "grades": table.rows });
        let mut shown =
            Shown::titled(format!("{}: {}", check.text, algebra.meaning())).table(table);
        if states > limit {
            shown = shown.line(0, format!("and {} more states", states - limit));
        }
        Ok(shown.result(result))
    }
}
