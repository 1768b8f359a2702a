//! An opened network: what it can be asked.

use quotient_core::{
    Budget, Certified, Claim, Context, Diagnostic, Evidence, Rejection, Source, Stop, Trouble,
    Verdict,
};
use quotient_language::text::count;
use quotient_language::{
    Answer, Ask, Cell, Doubt, Graph, Layout, Model, Node, Property, Query, Shown, Simulation, Step,
    Table, Trace, Viewed, Written,
};
use serde_json::json;

use crate::explicit;
use crate::network::{Network, Question, Update, read_question, regulators};
use crate::ready::with_ready;
use crate::simulate::Run;
use crate::symbolic::Evaluator;
use crate::write;

/// The kind of evidence: a state where the formula is false, or nothing but the claim.
const KIND: &str = "network-states";

/// What is named against a formula.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    /// A value for each variable, in the order of the network.
    state: Vec<bool>,
}
/// A network with its name.
pub(crate) struct NetworkModel {
    pub(crate) name: String,
    pub(crate) network: Network,
    /// Whether all variables change at once in a run that is followed.
    pub(crate) is_synchronous: bool,
    /// Whether it was checked without anything to check.
    pub(crate) asked_nothing: bool,
}

impl NetworkModel {
    fn question(&self, name: &str) -> Result<Question, Trouble> {
        let questions = &self.network.questions;
        let named = questions.iter().find(|one| one.name == name);
        // `0` and `1` are formulas, too, but who has questions means the first with `1`.
        let number = || name.parse::<usize>().ok()?.checked_sub(1);
        match named.or_else(|| questions.get(number()?)) {
            Some(question) => Ok(question.clone()),
            None => Ok(read_question(
                &Source::new("property", name),
                &self.network,
            )?),
        }
    }

    fn described(&self, question: &Question) -> Property {
        let place = self
            .network
            .questions
            .iter()
            .position(|one| one.name == question.name);
        Property {
            name: question.name.clone(),
            number: place.map(|place| place + 1),
            kind: "HCTL".to_owned(),
            text: question.text.clone(),
            span: place.map(|_| question.span),
            in_file: place.is_some(),
        }
    }

    fn answer(
        &self,
        question: &Question,
        evaluator: &mut Evaluator<'_>,
    ) -> Result<Answer, Trouble> {
        let names = question.formula.depth();
        let states = evaluator.states(&question.formula)?;
        let all = evaluator.states(&self.network.asked())?;
        let (states, outside) = evaluator.parted(&all, &states)?;
        let number = evaluator.count(&states).to_string();
        let counter = evaluator.pick(&outside);
        let verdict = if counter.is_none() {
            Verdict::Holds
        } else {
            Verdict::Violated
        };
        let mut answer = Answer::new(&question.name, verdict).by("decision diagrams");
        answer.because = format!("true in {number} of {}", self.all());
        answer.details.push(("states".to_owned(), json!(number)));
        if let Some(state) = &counter {
            answer.trace = Some(self.trace(state));
        }
        if self.network.names.len() <= explicit::MOST_VARIABLES && names <= 2 {
            let evidence = match &counter {
                Some(state) => Evidence::of_violated(KIND, &json!({ "state": state })),
                None => Evidence::of_holds(KIND, &json!({})),
            };
            answer.evidence = Some(evidence.about(&question.name));
        } else {
            answer
                .notes
                .push("no evidence: the network is too large to look at each state".to_owned());
        }
        answer.number = self.described(question).number;
        Ok(answer)
    }

    /// What a formula is asked in.
    fn all(&self) -> String {
        let many = self.network.number_of_states(&self.network.start);
        let given = self.network.given();
        let states = if many == "1" { "state" } else { "states" };
        match self.network.parameters {
            0 => format!("{many} {states}{given}"),
            _ => format!("{many} {states} with values of the parameters{given}"),
        }
    }

    /// A state where a formula is false.
    fn trace(&self, state: &[bool]) -> Trace {
        let mut trace = Trace::new(Layout::States, self.network.names.iter().cloned());
        let cell = |value: &bool| Cell::new(u8::from(*value).to_string());
        trace.steps.push(Step::start(state.iter().map(cell)));
        trace
            .ending
            .push("the formula is false in this state".to_owned());
        trace
    }
}

impl Model for NetworkModel {
    fn properties(&self) -> Vec<Property> {
        self.network
            .questions
            .iter()
            .map(|one| self.described(one))
            .collect()
    }

    fn property(&mut self, name: &str) -> Result<Property, Trouble> {
        Ok(self.described(&self.question(name)?))
    }

    fn warnings(&self) -> Vec<Diagnostic> {
        if !self.asked_nothing {
            return Vec::new();
        }
        let help = format!(
            "`quotient ask {} attractors` tells where it settles; formulas stand in lines `#check NAME: FORMULA` \
             or are given with --property",
            self.name
        );
        vec![Diagnostic::warning("no-property", "the network asks nothing").help(help)]
    }

    fn check(
        &mut self,
        ask: &Ask,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        self.asked_nothing = ask.properties.is_empty() && self.network.questions.is_empty();
        let questions = match ask.properties.is_empty() {
            true => self.network.questions.clone(),
            false => ask
                .properties
                .iter()
                .map(|name| self.question(name))
                .collect::<Result<_, _>>()?,
        };
        // What one formula needs another may need again: attractors, and parts that both have.
        let names = questions.iter().map(|one| one.formula.depth()).max();
        let names = names.unwrap_or(0);
        let mut kept: Option<Evaluator<'_>> = None;
        for question in questions {
            let mut answered = Err(Stop::Memory.into());
            if let Some(evaluator) = &mut kept {
                answered = self.answer(&question, evaluator);
            }
            // What is kept for others takes memory.
            if let Err(Trouble::Stopped(Stop::Memory)) = answered {
                drop(kept.take());
                answered = Evaluator::new(&self.network, names, &cx.budget)
                    .map_err(Trouble::from)
                    .and_then(|evaluator| self.answer(&question, kept.insert(evaluator)));
            }
            tell(match answered {
                Ok(answer) => answer,
                Err(Trouble::Stopped(stop)) => Answer::unknown(&question.name, stop),
                Err(other) => return Err(other),
            });
        }
        Ok(())
    }

    /// The formula is evaluated by its definition in every state, without diagrams.
    fn certify(
        &mut self,
        evidence: &Evidence,
        property: &Property,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        let question = self
            .question(&property.name)
            .map_err(|trouble| Rejection::wrong(trouble.to_string()))?;
        if evidence.kind != KIND || self.network.names.len() > explicit::MOST_VARIABLES {
            return Err(Rejection::unreadable(
                "this is no evidence about a network that can be looked at state by state",
            ));
        }
        let mut states =
            explicit::states(&self.network, &question.formula, &mut Vec::new(), budget)?;
        let all = self.network.asked();
        let all = explicit::states(&self.network, &all, &mut Vec::new(), budget)?;
        // What means nothing is not asked about.
        states
            .iter_mut()
            .zip(&all)
            .for_each(|(state, all)| *state |= !all);
        let fact = match evidence.claim {
            Claim::Holds => {
                let nothing = evidence
                    .body
                    .as_object()
                    .is_some_and(|body| body.is_empty());
                if !nothing {
                    return Err(Rejection::unreadable(
                        "nothing was expected in the evidence",
                    ));
                }
                if states.iter().any(|holds| !holds) {
                    return Err(Rejection::wrong(
                        "there is a state where the formula is false",
                    ));
                }
                let states = all.iter().filter(|one| **one).count();
                format!(
                    "the formula was evaluated in all {}",
                    count(states, "state")
                )
            }
            Claim::Violated => {
                let named: Named = evidence
                    .read()
                    .map_err(|error| Rejection::unreadable(error.to_string()))?;
                if named.state.len() != self.network.names.len() {
                    return Err(Rejection::wrong(
                        "the state has not a value for each variable",
                    ));
                }
                let bits = named.state.iter().enumerate().filter(|(_, on)| **on);
                let number: usize = bits.map(|(at, _)| 1 << at).sum();
                if !all[number] {
                    return Err(Rejection::wrong(
                        "the state is none that is asked about: of its levels, or of what is fixed or starts",
                    ));
                }
                if states[number] {
                    return Err(Rejection::wrong("the formula is true in the state"));
                }
                "the formula is false in the state".to_owned()
            }
        };
        Ok(Certified {
            property: property.name.clone(),
            facts: vec![fact],
        })
    }

    fn doubts(&mut self, _: &Context) -> Result<Vec<Doubt>, Trouble> {
        let inputs = self
            .network
            .updates
            .iter()
            .enumerate()
            .take(self.network.named())
            .filter(|(at, update)| **update == Update::Variable(*at));
        let doubt = |at: usize| {
            Doubt::new(
                "input",
                format!(
                    "`{}` keeps its value: it is an input",
                    self.network.names[at]
                ),
            )
        };
        let mut doubts: Vec<Doubt> = inputs.map(|(at, _)| doubt(at)).collect();
        for question in &self.network.questions {
            let unused = question.formula.unused();
            if unused > 0 {
                let names = count(unused, "state");
                let text = format!("`{}` gives {names} a name and never uses it", question.name);
                let mut doubt = Doubt::new("unused-name", text);
                doubt.span = Some(question.span);
                doubts.push(doubt);
            }
        }
        Ok(doubts)
    }

    fn ask(&mut self, query: &Query, cx: &Context) -> Result<Shown, Trouble> {
        if let Some(shown) = self.ready_made(query, cx) {
            return shown;
        }
        let source = Source::new("query", query.text.trim());
        let question = read_question(&source, &self.network).map_err(with_ready)?;
        let mut evaluator = Evaluator::new(&self.network, question.formula.depth(), &cx.budget)?;
        let states = evaluator.states(&question.formula)?;
        let all = evaluator.states(&self.network.asked())?;
        let (states, _) = evaluator.parted(&all, &states)?;
        let number = evaluator.count(&states).to_string();
        let mut shown = Shown::titled(format!(
            "{}: true in {number} of {}",
            question.text,
            self.all()
        ));
        let some = evaluator.pick(&states);
        if let Some(state) = &some {
            let mut table = Table::new(["variable", "in one of them"]);
            for (name, value) in self.network.names.iter().zip(state) {
                table.row([name.clone(), u8::from(*value).to_string()]);
            }
            shown = shown.table(table);
        }
        Ok(shown.result(json!({ "states": number, "state": some })))
    }

    fn show(&mut self, view: &Viewed, _: &Context) -> Result<Shown, Trouble> {
        if let Some(part) = &view.part {
            return Err(Trouble::usage(format!(
                "a network has no parts by name, such as `{part}`"
            )));
        }
        let network = &self.network;
        let mut graph = Graph::new(&self.name);
        for name in &network.names {
            graph.node(Node::round(name.clone()));
        }
        let mut arrows = 0;
        for (target, update) in network.updates.iter().enumerate() {
            let mut sources = Vec::new();
            regulators(update, &mut sources);
            arrows += sources.len();
            sources
                .into_iter()
                .for_each(|source| graph.edge(source, target, ""));
        }
        let mut shown = Shown::titled(format!("{}: a Boolean network", self.name))
            .fact("variables", network.names.len().to_string())
            .fact("regulations", arrows.to_string())
            .fact("properties", network.questions.len().to_string());
        if !network.fixed.is_empty() {
            shown = shown.fact("fixed", network.words(&network.fixed));
        }
        if view.picture && network.names.len() <= 60 {
            shown = shown.picture(graph);
        }
        Ok(shown.result(json!({ "variables": network.names, "regulations": arrows })))
    }

    fn simulate(&mut self, _: &Context) -> Result<Box<dyn Simulation>, Trouble> {
        Ok(Box::new(Run::new(&self.network, self.is_synchronous)))
    }

    fn convert(&mut self, to: &str, part: Option<&str>, _: &Context) -> Result<Written, Trouble> {
        if part.is_some() {
            return Err(Trouble::usage("a network is written as a whole"));
        }
        match to {
            "bnet" => Ok(write::bnet(&self.network)?),
            _ => {
                let message = format!("a network cannot be written as `{to}`");
                let error = Diagnostic::error("no-such-format", message);
                Err(error.help("it can be written as bnet").into())
            }
        }
    }
}
