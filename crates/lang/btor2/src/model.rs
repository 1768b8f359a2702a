//! An opened model: what it can be asked.

use quotient_certify::{CIRCUIT_REFUTED, CircuitQuestion, Refuted, certify_circuit};
use quotient_circuit::{longest_run, stuck_latches, telling};
use quotient_core::{
    Budget, Certified, Claim, Context, Diagnostic, Evidence, Rejection, Source, Stop, Trouble,
};
use quotient_language::{
    Answer, Ask, Doubt, Model, Property, Settings, Shown as Drawn, Simulation, Viewed, Written,
};
use quotient_netlist::words::{
    self, Blasted, Operand, WATCHED_BOUND, WATCHED_INVARIANT, WORD_RUN, Watched, WatchedBound,
    WatchedProof, to_bits, to_watched_bits,
};
use quotient_netlist::{CIRCUIT_INVARIANT, CIRCUIT_RUN, Literal};
use serde::{Deserialize, Serialize};

use crate::walk::Walk;
use crate::witness::Shown;
use crate::{check, foreign, show, witness};

/// A model in words and, where it is not too large, in bits.
pub(crate) struct WordModel {
    pub(crate) name: String,
    pub(crate) words: words::Model,
    pub(crate) bits: Result<Blasted, Stop>,
    pub(crate) settings: Settings,
    pub(crate) questions: Vec<Question>,
    /// Reasons to doubt that a check came across.
    pub(crate) doubts: Vec<Doubt>,
    /// Bad signals that a check found never to be on.
    pub(crate) held: Vec<(String, usize)>,
}

/// The kind of evidence that holds a [`WatchedRefuted`].
pub(crate) const WATCHED_REFUTED: &str = "watched-refuted";

/// A bound larger than this is not looked at.
const MOST_ROUNDS: usize = 4_096;

/// A proof about the circuit that knows some elements of arrays, with refutations of what must be
/// impossible.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WatchedRefuted {
    /// The elements that are watched.
    pub(crate) watched: Vec<Watched>,
    /// Why the bad signal of the circuit is never on.
    pub(crate) refuted: Refuted,
}

/// A property: its name, as the file writes it, and what it is about.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) property: Property,
    pub(crate) target: Target,
}

/// What is asked.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    /// This signal is never on: in words, and its number among the bad ones.
    Never(Operand, usize),
    /// The signals of the justice property of this number are not all on infinitely often.
    NotForever(usize),
}

impl WordModel {
    pub(crate) fn new(
        source: &Source,
        words: words::Model,
        settings: Settings,
        budget: &Budget,
    ) -> Result<WordModel, Trouble> {
        let bits = match to_bits(&words, budget) {
            Err(stop @ (Stop::Bound { .. } | Stop::Inconclusive { .. })) => Err(stop),
            Err(stop) => return Err(stop.into()),
            Ok(blasted) => Ok(blasted),
        };
        Ok(WordModel {
            name: source.name().to_owned(),
            questions: questions(source, &words),
            words,
            bits,
            settings,
            doubts: Vec::new(),
            held: Vec::new(),
        })
    }

    /// The question of a property, by its name or that of its signal.
    pub(crate) fn question(&self, name: &str) -> Option<&Question> {
        let named = self.questions.iter().find(|one| one.property.name == name);
        named.or_else(|| {
            let mut all = self.questions.iter();
            let mut fitting = all.by_ref().filter(|one| self.symbol(one) == Some(name));
            // Of two signals with one name neither is meant.
            fitting.next().filter(|_| fitting.next().is_none())
        })
    }

    /// The name that the file gives the signal of a question.
    pub(crate) fn symbol(&self, question: &Question) -> Option<&str> {
        match question.target {
            Target::Never(_, number) => self.words.bad[number].name.as_deref(),
            Target::NotForever(_) => None,
        }
    }

    /// Checks a proof about the circuit that knows only some elements of the arrays.
    fn certify_watched(
        &self,
        evidence: &Evidence,
        number: usize,
        property: &str,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        let (watched, proof) = match evidence.kind == WATCHED_REFUTED {
            true => {
                let WatchedRefuted { watched, refuted } = read(evidence)?;
                (watched, Evidence::of_holds(CIRCUIT_REFUTED, &refuted))
            }
            false => {
                let WatchedProof { watched, proof } = read(evidence)?;
                (watched, Evidence::of_holds(CIRCUIT_INVARIANT, &proof))
            }
        };
        let watching = to_watched_bits(&self.words, &watched, number, budget)?;
        let asked = CircuitQuestion::Never(watching.circuit.bad[0]);
        let mut certified = certify_circuit(&proof, &watching.circuit, asked, property, budget)?;
        certified.facts.push(format!(
            "all of it with {} elements of arrays known, and anything for all others",
            watched.len()
        ));
        Ok(certified)
    }

    /// Checks a bound on the rounds of a justice property: the counter is part of the model, of which
    /// the circuit knows only some elements of the arrays.
    fn certify_bound(
        &self,
        evidence: &Evidence,
        number: usize,
        property: &str,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        let WatchedBound {
            rounds,
            watched,
            proof,
        } = read(evidence)?;
        let counted = match rounds <= MOST_ROUNDS {
            true => self.words.counting(number, rounds),
            false => None,
        };
        let Some(counted) = counted else {
            let message = format!("a bound of more than {MOST_ROUNDS} rounds is not checked");
            return Err(Rejection::unreadable(message));
        };
        let watching = to_watched_bits(&counted, &watched, 0, budget)?;
        let asked = CircuitQuestion::Never(watching.circuit.bad[0]);
        let proof = Evidence::of_holds(CIRCUIT_INVARIANT, &proof);
        let mut certified = certify_circuit(&proof, &watching.circuit, asked, property, budget)?;
        certified.facts.push(format!(
            "so all signals were on together in at most {rounds} rounds, and not for ever; {} elements \
             of arrays are known, and all others may be anything",
            watched.len()
        ));
        Ok(certified)
    }

    /// Lets a run be checked for what violates a property.
    fn shown_by<T>(&self, target: &Target, check: impl FnOnce(Shown<'_>) -> T) -> T {
        match *target {
            Target::Never(signal, _) => check(Shown::Once(signal)),
            Target::NotForever(number) => {
                let mut signals = self.words.justice[number].0.clone();
                signals.extend(self.words.fairness.iter().map(|asked| asked.signal));
                check(Shown::Forever(&signals))
            }
        }
    }

    /// All signals of a justice property as bits, fairness among them.
    pub(crate) fn justice(blasted: &Blasted, number: usize) -> Vec<Literal> {
        let circuit = &blasted.circuit;
        let mut signals = circuit.justice[number].clone();
        signals.extend(&circuit.fairness);
        signals
    }
}

fn read<T: serde::de::DeserializeOwned>(evidence: &Evidence) -> Result<T, Rejection> {
    evidence
        .read()
        .map_err(|error| Rejection::unreadable(format!("the evidence cannot be read: {error}")))
}

fn questions(source: &Source, words: &words::Model) -> Vec<Question> {
    let mut all = Vec::new();
    for (number, asked) in words.bad.iter().enumerate() {
        all.push((
            format!("b{number}"),
            "bad",
            asked.span,
            Target::Never(asked.signal, number),
        ));
    }
    for (number, (_, span)) in words.justice.iter().enumerate() {
        let name = format!("j{number}");
        all.push((name, "justice", *span, Target::NotForever(number)));
    }
    let number = 1..;
    let question = |(number, (name, kind, span, target)): (usize, (_, &str, _, _))| Question {
        property: Property {
            name,
            number: Some(number),
            kind: kind.to_owned(),
            text: (source.text().get(quotient_core::Span::range(span)))
                .unwrap_or_default()
                .to_owned(),
            span: Some(span),
            in_file: true,
        },
        target,
    };
    number.zip(all).map(question).collect()
}

impl Model for WordModel {
    fn warnings(&self) -> Vec<Diagnostic> {
        if !self.questions.is_empty() {
            return Vec::new();
        }
        let message = "the model has neither bad signals nor justice";
        vec![Diagnostic::warning("no-property", message).help("there is nothing to check")]
    }

    fn properties(&self) -> Vec<Property> {
        let questions = self.questions.iter();
        questions.map(|one| one.property.clone()).collect()
    }

    fn property(&mut self, name: &str) -> Result<Property, Trouble> {
        let found = self.question(name).map(|one| one.property.clone());
        found.ok_or_else(|| {
            let all = self.questions.iter();
            let names: Vec<&str> = all
                .flat_map(|one| [Some(one.property.name.as_str()), self.symbol(one)])
                .flatten()
                .collect();
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
        match (evidence.kind.as_str(), evidence.claim, &question.target) {
            (WORD_RUN, Claim::Violated, target) => {
                let facts = self.shown_by(target, |shown| {
                    witness::check_words(&self.words, shown, &read(evidence)?, budget)
                })?;
                let property = property.name.clone();
                return Ok(Certified { property, facts });
            }
            (WATCHED_INVARIANT | WATCHED_REFUTED, Claim::Holds, &Target::Never(_, number)) => {
                return self.certify_watched(evidence, number, &property.name, budget);
            }
            (WATCHED_BOUND, Claim::Holds, &Target::NotForever(number)) => {
                return self.certify_bound(evidence, number, &property.name, budget);
            }
            _ => {}
        }
        let blasted = self.bits.as_ref().map_err(|stop| stop.clone())?;
        match question.target {
            Target::Never(signal, _)
                if evidence.kind == CIRCUIT_RUN && evidence.claim == Claim::Violated =>
            {
                let shown = Shown::Once(signal);
                let facts = witness::check(&self.words, blasted, shown, &read(evidence)?, budget)?;
                let property = property.name.clone();
                Ok(Certified { property, facts })
            }
            Target::Never(_, number) => {
                let asked = CircuitQuestion::Never(blasted.circuit.bad[number]);
                certify_circuit(evidence, &blasted.circuit, asked, &property.name, budget)
            }
            // A lasso in bits comes back in the states that matter; the others need not.
            Target::NotForever(number) => {
                let signals = WordModel::justice(blasted, number);
                let asked = CircuitQuestion::NotForever(&signals);
                certify_circuit(evidence, &blasted.circuit, asked, &property.name, budget)
            }
        }
    }

    fn foreign_evidence(&mut self, text: &str) -> Option<Result<(String, Evidence), String>> {
        let read = foreign::read(&self.words, text);
        Some(read.map(|(name, run)| (name, Evidence::of_violated(WORD_RUN, &run))))
    }

    fn doubts(&mut self, cx: &Context) -> Result<Vec<Doubt>, Trouble> {
        let mut all = std::mem::take(&mut self.doubts);
        let Ok(blasted) = &self.bits else {
            return Ok(all);
        };
        let circuit = &blasted.circuit;
        let held: Vec<(String, Literal)> = (std::mem::take(&mut self.held).into_iter())
            .map(|(name, number)| (name, circuit.bad[number]))
            .collect();
        all.extend(telling::needing_no_start(circuit, &held, cx)?);
        let stuck = stuck_latches(circuit, &cx.budget)?;
        let names: Vec<String> = (stuck.iter().enumerate())
            .filter(|(_, value)| value.is_some())
            .map(|(number, _)| circuit.latch_name(number))
            .collect();
        if !names.is_empty() {
            let listed = names[..names.len().min(8)].join(", ");
            let (count, of) = (names.len(), stuck.len());
            let text = format!("{count} of {of} bits of states never change, such as {listed}");
            all.push(Doubt::new("stuck-latches", text));
        }
        if let Some(steps) = longest_run(circuit, 20, &cx.budget)?.filter(|&steps| steps > 0) {
            let text = format!("the constraints end every run after {steps} states");
            all.push(Doubt::new("runs-end", text));
        }
        Ok(all)
    }

    fn show(&mut self, view: &Viewed, _: &Context) -> Result<Drawn, Trouble> {
        show::show(self, view)
    }

    fn simulate(&mut self, _: &Context) -> Result<Box<dyn Simulation>, Trouble> {
        Ok(Box::new(Walk::new(self.words.clone())))
    }

    fn convert(&mut self, to: &str, part: Option<&str>, _: &Context) -> Result<Written, Trouble> {
        if part.is_some() {
            return Err(Trouble::usage("a model is written as a whole"));
        }
        let circuit = match &self.bits {
            Ok(blasted) => &blasted.circuit,
            Err(stop) => return Err(stop.clone().into()),
        };
        telling::written(circuit, to).ok_or_else(|| {
            let message = format!("a word-level model cannot be written as `{to}`");
            Diagnostic::error("no-such-format", message)
                .help("it can be written as aag, aig or blif")
                .into()
        })
    }
}
