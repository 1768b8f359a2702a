//! An opened circuit: what it can be asked.

use quotient_certify::{CircuitQuestion, certify_circuit};
use quotient_core::{Budget, Certified, Context, Diagnostic, Evidence, Rejection, Trouble};
use quotient_language::{
    Answer, Ask, Doubt, Model, Property, Settings, Shown, Simulation, Viewed, Written,
};
use quotient_netlist::{CIRCUIT_RUN, Circuit, Literal};

use crate::{check, convert, doubts, foreign, show};

/// A circuit with its questions.
#[derive(Debug)]
pub(crate) struct CircuitModel {
    pub(crate) name: String,
    pub(crate) circuit: Circuit,
    pub(crate) settings: Settings,
    pub(crate) questions: Vec<Question>,
    /// What of the file is taken otherwise than it is written.
    pub(crate) remarks: Vec<Diagnostic>,
    /// Reasons to doubt that a check came across.
    pub(crate) doubts: Vec<Doubt>,
    /// Signals that a check found never to be on.
    pub(crate) held: Vec<(String, Literal)>,
}

/// A property of a circuit.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) kind: &'static str,
    pub(crate) target: Target,
}

/// What is asked.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    /// This signal is never on.
    Never(Literal),
    /// These are not all on infinitely often; fairness is among them.
    NotForever(Vec<Literal>),
}

impl CircuitModel {
    pub(crate) fn new(name: &str, circuit: Circuit, settings: Settings) -> CircuitModel {
        let questions = questions(&circuit);
        CircuitModel {
            name: name.to_owned(),
            circuit,
            settings,
            questions,
            remarks: Vec::new(),
            doubts: Vec::new(),
            held: Vec::new(),
        }
    }

    /// The question of a property; by name, or by the name that the file gives its signal.
    pub(crate) fn question(&self, name: &str) -> Option<&Question> {
        let named = self.questions.iter().find(|one| one.name == name);
        named.or_else(|| self.questions.iter().find(|one| one.text == name))
    }
}

/// Bad signals and justice; where there is neither, outputs are bad, as in the older format.
fn questions(circuit: &Circuit) -> Vec<Question> {
    let label = |names: &[Option<String>], name: &str, number: usize| -> String {
        let own = names.get(number).and_then(Option::as_ref);
        own.filter(|own| !own.is_empty())
            .cloned()
            .unwrap_or_else(|| name.to_owned())
    };
    let never = |signals: &[Literal], names: &[Option<String>], letter: char, kind| {
        let ask = |(number, &signal): (usize, &Literal)| {
            let name = format!("{letter}{number}");
            Question {
                text: label(names, &name, number),
                name,
                kind,
                target: Target::Never(signal),
            }
        };
        signals.iter().enumerate().map(ask).collect::<Vec<_>>()
    };
    let mut all = never(&circuit.bad, &circuit.bad_names, 'b', "bad");
    for (number, signals) in circuit.justice.iter().enumerate() {
        let name = format!("j{number}");
        let mut signals = signals.clone();
        signals.extend(&circuit.fairness);
        all.push(Question {
            text: label(&circuit.justice_names, &name, number),
            name,
            kind: "justice",
            target: Target::NotForever(signals),
        });
    }
    if all.is_empty() {
        all = never(&circuit.outputs, &circuit.output_names, 'o', "output");
    }
    all
}

impl Model for CircuitModel {
    fn warnings(&self) -> Vec<Diagnostic> {
        let mut warnings = self.remarks.clone();
        if self.questions.is_empty() {
            let message = "the circuit has neither bad signals nor justice nor outputs";
            let warning = Diagnostic::warning("no-property", message);
            warnings.push(warning.help("there is nothing to check"));
        }
        warnings
    }

    fn properties(&self) -> Vec<Property> {
        let property = |(number, question): (usize, &Question)| Property {
            name: question.name.clone(),
            number: Some(number + 1),
            kind: question.kind.to_owned(),
            text: question.text.clone(),
            span: None,
            in_file: true,
        };
        self.questions.iter().enumerate().map(property).collect()
    }

    fn property(&mut self, name: &str) -> Result<Property, Trouble> {
        let wanted = self.question(name).map(|question| question.name.clone());
        let all = self.properties();
        let found = all.iter().find(|one| Some(&one.name) == wanted.as_ref());
        found.cloned().ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
            Diagnostic::error("no-such-property", format!("there is no property `{name}`"))
                .note(format!("there is {}", names.join(", ")))
                .did_you_mean(name, names)
                .into()
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
        let Some(question) = self.question(&property.name) else {
            let message = format!("there is no property `{}`", property.name);
            return Err(Rejection::wrong(message));
        };
        let asked = match &question.target {
            Target::Never(signal) => CircuitQuestion::Never(*signal),
            Target::NotForever(signals) => CircuitQuestion::NotForever(signals),
        };
        certify_circuit(evidence, &self.circuit, asked, &property.name, budget)
    }

    fn foreign_evidence(&mut self, text: &str) -> Option<Result<(String, Evidence), String>> {
        let read = foreign::read(&self.circuit, text);
        Some(read.map(|(name, run)| (name, Evidence::of_violated(CIRCUIT_RUN, &run))))
    }

    fn doubts(&mut self, cx: &Context) -> Result<Vec<Doubt>, Trouble> {
        doubts::doubts(self, cx)
    }

    fn show(&mut self, view: &Viewed, cx: &Context) -> Result<Shown, Trouble> {
        show::show(self, view, cx)
    }

    fn simulate(&mut self, _: &Context) -> Result<Box<dyn Simulation>, Trouble> {
        Ok(Box::new(quotient_circuit::Walk::new(self.circuit.clone())))
    }

    fn convert(&mut self, to: &str, part: Option<&str>, _: &Context) -> Result<Written, Trouble> {
        if part.is_some() {
            return Err(Trouble::usage("a circuit is written as a whole"));
        }
        convert::convert(&self.circuit, to)
    }
}
