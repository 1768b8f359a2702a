//! An opened program: what it can be asked.

use quotient_certify::{CircuitQuestion, certify_circuit, circuit_can_begin};
use quotient_core::{Budget, Certified, Context, Diagnostic, Evidence, Rejection, Source, Trouble};
use quotient_language::{
    Answer, Ask, Doubt, Model, Property, Settings, Shown, Simulation, Viewed, Written,
};
use quotient_netlist::Literal;

use crate::circuit::{Compiled, compile};
use crate::expand::expand;
use crate::kernel::Program;
use crate::parse::parse;
use crate::purify::{Mode, Purified, Reason, purify};
use crate::question::{Question, question, questions};
use crate::replay::RUN;
use crate::simulate::Walk;
use crate::{check, convert, doubts, replay, show};

/// A program with its questions.
pub(crate) struct EsterelModel {
    pub(crate) source: Source,
    pub(crate) program: Program,
    pub(crate) settings: Settings,
    pub(crate) questions: Vec<Question>,
    /// The pure program and its circuit, once they are needed.
    abstraction: Option<Abstraction>,
    pub(crate) doubts: Vec<Doubt>,
    /// What there is to tell about the text.
    pub(crate) remarks: Vec<Diagnostic>,
}

/// A pure program that stands for the one of the file, as a circuit.
#[derive(Debug, Clone)]
pub(crate) struct Abstraction {
    pub(crate) pure: Purified,
    pub(crate) compiled: Compiled,
}

impl EsterelModel {
    pub(crate) fn open(source: &Source, settings: &Settings) -> Result<EsterelModel, Trouble> {
        let file = parse(source)?;
        let constants: Vec<(String, String)> = (settings.assignments("constant").into_iter())
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let program = expand(source, &file, settings.text("module"), &constants)?;
        let questions = questions(source, &program)?;
        Ok(EsterelModel {
            source: source.clone(),
            program,
            settings: settings.clone(),
            questions,
            abstraction: None,
            doubts: Vec::new(),
            remarks: Vec::new(),
        })
    }

    /// The pure program: all of it if that is possible or asked for, else as much as is.
    pub(crate) fn purified(&self) -> Result<Purified, Trouble> {
        let refused = |reasons: Vec<Reason>| -> Trouble {
            let told: Vec<Diagnostic> = (reasons.iter())
                .map(|reason| self.refusal(reason))
                .collect();
            told.into()
        };
        match self.settings.text("data").unwrap_or("auto") {
            "pure" => purify(&self.program, Mode::Pure).map_err(refused),
            "soft" => purify(&self.program, Mode::Soft).map_err(refused),
            "partial" => purify(&self.program, Mode::Partial).map_err(refused),
            _ => purify(&self.program, Mode::Pure)
                .or_else(|_| purify(&self.program, Mode::Partial))
                .map_err(refused),
        }
    }

    /// Why something cannot be purified, at its place.
    fn refusal(&self, reason: &Reason) -> Diagnostic {
        let message = format!("this cannot be purified: {}", reason.text);
        Diagnostic::error("impure", message)
            .at(&self.source, reason.span, format!("rule `{}`", reason.rule))
            .help("`--data partial` forgets this and keeps the rest")
    }

    /// The pure program as a circuit.
    pub(crate) fn abstraction(&mut self, budget: &Budget) -> Result<&mut Abstraction, Trouble> {
        if self.abstraction.is_none() {
            let pure = self.purified()?;
            let compiled = compile(&pure.program, budget)?;
            self.abstraction = Some(Abstraction { pure, compiled });
        }
        match &mut self.abstraction {
            Some(abstraction) => Ok(abstraction),
            None => Err(Trouble::usage("there is no circuit")),
        }
    }

    pub(crate) fn asked(&self, name: &str) -> Option<Question> {
        let named = (self.questions.iter()).find(|one| one.name == name || one.text == name);
        named
            .cloned()
            .or_else(|| question(&self.program, name).ok())
    }
}

impl Abstraction {
    /// The signal that is on where a question is violated, or the program is not constructive.
    pub(crate) fn bad(&mut self, question: &Question) -> Literal {
        let condition = self.pure.condition(&question.condition);
        let bad = self.compiled.condition(&condition);
        let undefined = self.compiled.undefined;
        self.compiled.circuit.graph.or(bad, undefined)
    }
}

fn rejected(trouble: Trouble) -> Rejection {
    match trouble {
        Trouble::Stopped(stop) => stop.into(),
        other => Rejection::wrong(other.to_string()),
    }
}

impl Model for EsterelModel {
    fn title(&self) -> Option<String> {
        Some(self.program.name.clone())
    }

    fn warnings(&self) -> Vec<Diagnostic> {
        let mut warnings = self.remarks.clone();
        if self.questions.is_empty() {
            let nothing = "the program has no outputs to ask about";
            let warning = Diagnostic::warning("no-property", nothing);
            warnings.push(warning.help("write a line `%! never A and B`"));
        }
        warnings
    }

    fn properties(&self) -> Vec<Property> {
        let made = |(number, one): (usize, &Question)| property(one, Some(number + 1));
        self.questions.iter().enumerate().map(made).collect()
    }

    fn property(&mut self, name: &str) -> Result<Property, Trouble> {
        let place = (self.questions.iter()).position(|one| one.name == name || one.text == name);
        if let Some(place) = place {
            return Ok(property(&self.questions[place], Some(place + 1)));
        }
        match question(&self.program, name) {
            Ok(question) => Ok(property(&question, None)),
            Err(why) => {
                let names: Vec<&str> = self.questions.iter().map(|one| one.name.as_str()).collect();
                let message = format!("there is no property `{name}`: {why}");
                Err(Diagnostic::error("no-such-property", message)
                    .help("write a signal, or a condition such as `never A and not B`")
                    .did_you_mean(name, names)
                    .into())
            }
        }
    }

    fn can_begin(&mut self, budget: &Budget) -> Result<bool, Trouble> {
        let abstraction = self.abstraction(budget)?;
        circuit_can_begin(&abstraction.compiled.circuit, budget).map_err(|why| match why {
            Rejection::Stopped(stop) => stop.into(),
            other => Diagnostic::error("no-start", other.to_string()).into(),
        })
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
        let Some(question) = self.asked(&property.name) else {
            let message = format!("there is no property `{}`", property.name);
            return Err(Rejection::wrong(message));
        };
        if evidence.kind == RUN {
            return replay::certify(&self.program, evidence, &question, budget);
        }
        let abstraction = self.abstraction(budget).map_err(rejected)?;
        let bad = abstraction.bad(&question);
        let circuit = &abstraction.compiled.circuit;
        let asked = CircuitQuestion::Never(bad);
        if evidence.claim == quotient_core::Claim::Violated {
            let message = format!(
                "evidence of kind `{}` cannot show this claim",
                evidence.kind
            );
            return Err(Rejection::wrong(message));
        }
        let mut certified = certify_circuit(evidence, circuit, asked, &property.name, budget)?;
        let line = "in the circuit that the program was compiled to; the compilation is trusted";
        certified.facts.push(line.to_owned());
        Ok(certified)
    }

    fn doubts(&mut self, cx: &Context) -> Result<Vec<Doubt>, Trouble> {
        doubts::doubts(self, cx)
    }

    fn show(&mut self, view: &Viewed, cx: &Context) -> Result<Shown, Trouble> {
        show::show(self, view, cx)
    }

    fn simulate(&mut self, _: &Context) -> Result<Box<dyn Simulation>, Trouble> {
        let pure = purify(&self.program, Mode::Partial).ok();
        let walk = Walk::new(self.source.clone(), self.program.clone(), pure)?;
        Ok(Box::new(walk))
    }

    fn convert(&mut self, to: &str, part: Option<&str>, cx: &Context) -> Result<Written, Trouble> {
        if part.is_some() {
            return Err(Trouble::usage("a program is written as a whole"));
        }
        convert::convert(self, to, cx)
    }
}

fn property(question: &Question, number: Option<usize>) -> Property {
    Property {
        name: question.name.clone(),
        number,
        kind: "never".to_owned(),
        text: question.text.clone(),
        span: question.span,
        in_file: question.in_file,
    }
}
