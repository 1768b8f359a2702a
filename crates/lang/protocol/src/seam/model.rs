//! A protocol that was opened, and what it can be asked.

use std::sync::Arc;

use quotient_automata::exhibits::Exhibits;
use quotient_automata::facts::{summary, summary_json};
use quotient_automata::formats::{self, Limits, Named, Role};
use quotient_automata::{Nfa, Predicate};
use quotient_core::{
    Budget, Certified, Claim, Context, Diagnostic, Evidence, Rejection, Stop, Trouble,
};
use quotient_language::text::{count, wrap};
use quotient_language::{
    Answer, Ask, Doubt, Exhibit, Inspected, Model, Property, Settings, Shown, Simulation, Viewed,
    Written,
};
use quotient_regular::{Found, Options, telling};
use serde_json::json;

use super::invariants::Invariants;
use super::simulation::Run;
use super::wide::{CUBICLE, Wide};
use super::{certify, certify_wide, control, doubts, instance, lasso, show};
use crate::model::Demand;
use crate::{Answered, Compiled, Interpreter, Protocol};

/// A protocol that was opened. What it is compiled to is found when it is first needed.
pub(super) struct Opened {
    pub(super) protocol: Arc<Protocol>,
    pub(super) settings: Settings,
    /// Its steps compiled; the coarsest approximation where they read one by one.
    steps: Option<Arc<Compiled>>,
    /// The protocol with arrays, or why it does not fit there.
    wide: Result<Wide, String>,
    width: Option<Width>,
    checked: Checked,
}

/// Words that take more work to compile are left alone where there is another way.
const MOST_WORK: u64 = 3_000_000;

/// Words and arrays have their turn one after the other, each time with more work, at last with all
/// that there is: what one decides quickly does not wait for the other.
const TURNS: [Option<u64>; 3] = [Some(30_000_000), Some(300_000_000), None];
/// What is one piece of work for arrays takes as long as so many for words.
const ARRAYS_SHARE: u64 = 10;

/// How a protocol is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Width {
    Words,
    /// It may fit into words, but it takes long to see.
    SlowWords,
    Arrays,
}

/// Whether a mistake says that a protocol does not fit into words.
fn too_wide(mistake: &Diagnostic) -> bool {
    ["too-many-letters", "too-many-values", "no-words"].contains(&mistake.code)
}

/// What a check leaves behind for later questions.
#[derive(Default)]
struct Checked {
    doubts: Vec<quotient_regular::Doubt>,
    invariants: Vec<Nfa>,
    parts: Vec<Named>,
    exhibits: Option<Exhibits<'static>>,
}

impl Opened {
    /// The text of the protocol, laid out.
    fn laid_out(&self) -> Result<Written, Trouble> {
        let text = crate::layout::laid_out(&self.protocol.source).map_err(Trouble::Invalid)?;
        let changed = text != self.protocol.source.text();
        Ok(Written {
            text,
            line: "a protocol, laid out".to_owned(),
            details: vec![("changed".to_owned(), json!(changed))],
            ..Written::default()
        })
    }

    pub(super) fn new(protocol: Protocol, settings: Settings) -> Opened {
        let protocol = Arc::new(protocol);
        Opened {
            wide: Wide::new(&protocol, &settings),
            width: None,
            protocol,
            settings,
            steps: None,
            checked: Checked::default(),
        }
    }

    /// The steps, compiled once.
    pub(super) fn steps(&mut self, budget: &Budget) -> Result<Arc<Compiled>, Trouble> {
        if let Some(steps) = &self.steps {
            return Ok(Arc::clone(steps));
        }
        let steps = self.protocol.compile_steps(1, budget);
        let steps = Arc::new(steps.map_err(|trouble| match (trouble, &self.wide) {
            (Trouble::Invalid(mistakes), Err(why)) => {
                let told = mistakes
                    .into_iter()
                    .map(|mistake| match too_wide(&mistake) {
                        true => {
                            mistake.note(format!("nor does the protocol fit into arrays: {why}"))
                        }
                        false => mistake,
                    });
                Trouble::Invalid(told.collect())
            }
            (trouble, _) => trouble,
        })?);
        Ok(Arc::clone(self.steps.insert(steps)))
    }

    /// Whether words or arrays are the way to look at it, found out once.
    fn width(&mut self, budget: &Budget) -> Result<Width, Trouble> {
        if let Some(width) = self.width {
            return Ok(width);
        }
        if self.wide.is_err() {
            return Ok(*self.width.insert(Width::Words));
        }
        let little = budget.child_with_work(MOST_WORK);
        let steps = self.steps(&little);
        budget.poll()?;
        let width = match steps {
            Ok(_) => Width::Words,
            Err(Trouble::Stopped(_)) => Width::SlowWords,
            Err(Trouble::Invalid(mistakes)) => match mistakes.iter().any(too_wide) {
                true => Width::Arrays,
                false => Width::Words,
            },
        };
        Ok(*self.width.insert(width))
    }

    /// The protocol with arrays, where it is not compiled to words.
    fn instead_of_words(&mut self, budget: &Budget) -> Result<Option<&mut Wide>, Trouble> {
        let words = self.width(budget)? == Width::Words || self.steps.is_some();
        Ok(self.wide.as_mut().ok().filter(|_| !words))
    }

    /// With the properties that are asked for.
    pub(super) fn with_properties(
        &mut self,
        wanted: impl Fn(&Demand) -> bool,
        budget: &Budget,
    ) -> Result<Compiled, Trouble> {
        let mut compiled = (*self.steps(budget)?).clone();
        for property in &self.protocol.properties {
            if wanted(&property.demand) {
                let name = property.name.as_str();
                self.protocol
                    .compile_property(&mut compiled, name, budget)?;
            }
        }
        Ok(compiled)
    }

    /// What the interpreter needs: the languages that properties name are known once these are
    /// compiled, and the rest it reads from the source.
    fn for_interpreter(&mut self, budget: &Budget) -> Result<Compiled, Trouble> {
        self.with_properties(Demand::names_languages, budget)
    }

    /// The machines of the protocol, with their roles.
    pub(super) fn machines(compiled: &Compiled) -> Vec<Named> {
        let initial = compiled.initial().clone();
        let mut machines = vec![Named::new("initial", Role::Initial, initial)];
        for (name, transducer) in compiled.relation().parts() {
            machines.push(Named::new(name, Role::Transition, transducer.clone()));
        }
        for (name, bad) in compiled.bad() {
            machines.push(Named::new(name, Role::Bad, bad.clone()));
        }
        machines
    }

    /// The machine that is meant, or all.
    pub(super) fn chosen<'m>(
        &self,
        machines: &'m [Named],
        part: Option<&str>,
    ) -> Result<&'m [Named], Diagnostic> {
        let Some(part) = part else {
            return Ok(machines);
        };
        let names = || machines.iter().map(|named| named.name.as_str());
        if let Some(place) = names().position(|name| name == part) {
            return Ok(&machines[place..=place]);
        }
        let message = format!("there is no `{part}` in this file");
        let there: Vec<String> = names().map(|name| format!("`{name}`")).collect();
        Err(Diagnostic::error("no-such-part", message)
            .in_source(&self.protocol.source)
            .note(format!("there is {}", there.join(", ")))
            .did_you_mean(part, names()))
    }

    /// The properties that are asked for, by name.
    fn asked(&mut self, ask: &Ask) -> Result<Vec<String>, Trouble> {
        if self.protocol.properties.is_empty() {
            let message = "there is no property to check";
            return Err(Diagnostic::error("no-problem", message)
                .in_source(&self.protocol.source)
                .help("add one, as in `property mutex: never exists p, q: …`")
                .into());
        }
        let named = ask.properties.iter();
        let named = named.map(|name| Ok(self.property(name)?.name));
        named.collect()
    }

    fn begin(&mut self, ask: &Ask, steps: &Arc<Compiled>) -> Result<(), Trouble> {
        let format = telling::out_format(&self.settings)?;
        let mut exhibits = Exhibits::new(format);
        // What was added to letters means nothing to the reader.
        if !steps.is_approximation() {
            let (protocol, steps) = (Arc::clone(&self.protocol), Arc::clone(steps));
            exhibits = exhibits.in_words(move |letters: &Predicate| {
                let own = letters.alphabet_len() == steps.alphabet().len();
                own.then(|| protocol.condition(&steps, letters)).flatten()
            });
        }
        self.checked = Checked {
            exhibits: ask.exhibits.then_some(exhibits),
            ..Checked::default()
        };
        Ok(())
    }
}

/// Keeps what later questions need, and makes answers.
struct Teller<'a> {
    protocol: &'a Protocol,
    steps: &'a Compiled,
    family: bool,
    invariants: Invariants,
    checked: &'a mut Checked,
    budget: &'a Budget,
    /// What went wrong while an answer was made.
    trouble: Option<Trouble>,
}

impl Teller<'_> {
    /// Keeps what there is to doubt, once.
    fn doubt(&mut self, doubts: Vec<quotient_regular::Doubt>) {
        for doubt in doubts {
            if !self.checked.doubts.contains(&doubt) {
                self.checked.doubts.push(doubt);
            }
        }
    }

    /// Asks words and arrays in turn until all is answered.
    fn in_turns(
        &mut self,
        wide: Option<&Wide>,
        mut names: Vec<String>,
        options: &Options,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        let (protocol, steps) = (self.protocol, self.steps);
        for work in TURNS {
            let arrays = wide.filter(|wide| names.iter().any(|name| wide.knows(name)));
            if work.is_some() && arrays.is_none() {
                continue;
            }
            let (mut done, mut unknown) = (Vec::new(), Vec::new());
            let mut tell_one = |answered: Answered| {
                if answered.answer.verdict().is_definite() || answered.instance.is_some() {
                    done.push(answered.answer.property.clone());
                    tell(self.answer(&answered));
                } else if work.is_none() {
                    unknown.push(self.answer(&answered));
                }
            };
            let own = within(cx, work, 1);
            match protocol.check_each(steps, &names, options, &own, &mut tell_one) {
                Ok(doubts) => self.doubt(doubts),
                // Only this turn is over.
                Err(Trouble::Stopped(_)) if work.is_some() && cx.budget.poll().is_ok() => {}
                Err(trouble) => return Err(trouble),
            }
            names.retain(|name| !done.contains(name));
            names.retain(|name| {
                let wide = arrays.filter(|wide| wide.knows(name));
                let answer = wide.map(|wide| wide.answer(name, &within(cx, work, ARRAYS_SHARE)));
                let answer = answer.filter(|answer| answer.verdict.is_definite());
                let decided = answer.is_some();
                let mut words = unknown
                    .iter()
                    .filter(|told: &&Answer| told.property == *name);
                if let Some(answer) = answer.or_else(|| words.next().cloned()) {
                    tell(answer);
                }
                !decided
            });
            if names.is_empty() {
                break;
            }
        }
        Ok(())
    }

    fn answer(&mut self, answered: &Answered) -> Answer {
        let interpreter = Interpreter::new(self.protocol, self.steps);
        if let Some(violation) = &answered.instance {
            return instance::repeating(&interpreter, &answered.answer.property, violation);
        }
        let mut told = telling::answer(&answered.answer, &answered.problem, self.family);
        if let Some(trace) = &answered.trace {
            told.because = format!("a run of {}", count(trace.rows.len() - 1, "step"));
            told.trace = Some(interpreter.told(trace));
            told.details.push(("table".to_owned(), json!(trace)));
        }
        told.notes = answered.notes.iter().map(|note| wrap(note, 78)).collect();
        if let Found::Proof(proof) = &answered.answer.found {
            let invariant = proof.invariant.to_nfa();
            self.invariants.tell(
                &mut told,
                &invariant,
                self.protocol,
                self.steps,
                self.budget,
            );
            self.checked.invariants.push(invariant);
        }
        if let Some(exhibits) = &mut self.checked.exhibits {
            let machines = telling::machines(&answered.answer, self.family);
            match exhibits.of_answer(&told.property, &machines, self.budget) {
                Ok(exhibits) => told.exhibits = exhibits,
                Err(trouble) => self.trouble = self.trouble.take().or(Some(trouble)),
            }
            for part in telling::parts(&answered.problem) {
                let known = &mut self.checked.parts;
                if known.iter().all(|known| known.name != part.name) {
                    known.push(part);
                }
            }
        }
        told
    }
}

/// The same with so much work at the most, divided by a number; or with all that there is.
fn within(cx: &Context, work: Option<u64>, by: u64) -> Context {
    match work {
        None => cx.clone(),
        Some(work) => Context {
            budget: cx.budget.child_with_work(work / by),
            ..cx.clone()
        },
    }
}

/// What can be asked of a protocol.
pub(super) fn properties(protocol: &Protocol) -> Vec<Property> {
    let text = protocol.source.text();
    let told = |property: &crate::model::Property| Property {
        name: property.name.clone(),
        number: None,
        kind: property.kind().to_owned(),
        text: text
            .get(property.span.range())
            .unwrap_or_default()
            .to_owned(),
        span: Some(property.span),
        in_file: true,
    };
    protocol.properties.iter().map(told).collect()
}

impl Model for Opened {
    fn title(&self) -> Option<String> {
        self.protocol.title().map(str::to_owned)
    }

    fn warnings(&self) -> Vec<Diagnostic> {
        self.protocol.warnings.clone()
    }

    fn properties(&self) -> Vec<Property> {
        properties(&self.protocol)
    }

    fn check(
        &mut self,
        ask: &Ask,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        let mut names = self.asked(ask)?;
        let options = telling::options(&self.settings, ask, None)?;
        if let (width, Some(wide)) = (self.width(&cx.budget)?, self.wide.as_mut().ok())
            && width != Width::Words
        {
            if let Some(conflict) = wide.no_beginning(&cx.budget) {
                return Err(conflict.into());
            }
            if names.is_empty() {
                let all = self.protocol.properties.iter();
                names = all.map(|property| property.name.clone()).collect();
            }
            // What is quickly decided does not wait for what is not.
            let turns = match width {
                Width::Arrays if names.len() == 1 => &TURNS[2..],
                Width::Arrays => &TURNS,
                _ => &TURNS[1..2],
            };
            for &work in turns {
                names.retain(|name| {
                    let answer = wide.answer(name, &within(cx, work, ARRAYS_SHARE));
                    let last = answer.verdict.is_definite() || work.is_none();
                    if last {
                        tell(answer);
                    }
                    !last
                });
            }
            if names.is_empty() {
                return Ok(());
            }
        }
        let steps = self.steps(&cx.budget)?;
        self.begin(ask, &steps)?;
        if steps.initial().is_empty_language() && !ask.allow_empty {
            return Err(self.protocol.no_beginning(&steps, &cx.budget)?.into());
        }
        if names.is_empty() {
            let all = self.protocol.properties.iter();
            names = all.map(|property| property.name.clone()).collect();
        }
        let mut teller = Teller {
            protocol: &self.protocol,
            steps: &steps,
            family: self.settings.flag("family"),
            invariants: Invariants::default(),
            checked: &mut self.checked,
            budget: &cx.budget,
            trouble: None,
        };
        teller.in_turns(self.wide.as_ref().ok(), names, &options, cx, tell)?;
        let trouble = teller.trouble.take();
        trouble.map_or(Ok(()), Err)
    }

    fn certify(
        &mut self,
        evidence: &Evidence,
        property: &Property,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        if [certify_wide::NEVER, certify_wide::RUN].contains(&evidence.kind.as_str()) {
            let wide = self.wide.as_ref().map_err(|why| {
                Rejection::unreadable(format!("the protocol does not fit into arrays: {why}"))
            })?;
            return wide.certified(evidence, &property.name, budget);
        }
        if evidence.kind == lasso::LASSO {
            let protocol = Arc::clone(&self.protocol);
            if !protocol.speaks_of_words() {
                let interpreter = Interpreter::plain(&protocol).lazily().within(budget);
                return lasso::certify(&interpreter, evidence, &property.name, budget);
            }
            let compiled = self.for_interpreter(budget).map_err(certify::no_model)?;
            let interpreter = Interpreter::new(&protocol, &compiled).lazily();
            let interpreter = interpreter.within(budget);
            return lasso::certify(&interpreter, evidence, &property.name, budget);
        }
        let steps = self.steps(budget).map_err(certify::no_model)?;
        let empty = steps.initial().is_empty_language();
        if empty && evidence.claim == Claim::Holds && !self.settings.flag("allow-empty") {
            let why = "no instance begins, so it holds trivially (--allow-empty takes it)";
            return Err(Stop::inconclusive(why).into());
        }
        certify::certify(&self.protocol, &steps, evidence, &property.name, budget)
    }

    fn doubts(&mut self, cx: &Context) -> Result<Vec<Doubt>, Trouble> {
        if self.instead_of_words(&cx.budget)?.is_some() {
            return Ok(doubts::of_instances(&self.protocol, &cx.budget));
        }
        let steps = self.steps(&cx.budget)?;
        let Checked {
            doubts, invariants, ..
        } = &self.checked;
        let found = doubts::translate(doubts, invariants, &self.protocol, &steps, &cx.budget);
        Ok(found?)
    }

    fn exhibits(&mut self, cx: &Context) -> Result<Vec<Exhibit>, Trouble> {
        if self.instead_of_words(&cx.budget)?.is_some() {
            return Ok(Vec::new());
        }
        let steps = self.steps(&cx.budget)?;
        let flows = self.protocol.control_flow(&steps);
        let mut all = vec![Exhibit {
            name: "control-flow".to_owned(),
            caption: "control flow".to_owned(),
            picture: Some(control::picture("control flow", &flows).into()),
            files: Vec::new(),
        }];
        if let Some(exhibits) = &mut self.checked.exhibits {
            all.extend(exhibits.problem(&self.checked.parts, &cx.budget)?);
        }
        Ok(all)
    }

    fn show(&mut self, view: &Viewed, cx: &Context) -> Result<Shown, Trouble> {
        if let Some(property) = self.settings.text("invariant").map(str::to_owned) {
            return show::invariant(self, &property, view, cx);
        }
        if let Some(wide) = self.instead_of_words(&cx.budget)? {
            return wide.show(view, cx);
        }
        let compiled = self.with_properties(|_| true, &cx.budget)?;
        match &view.part {
            None => Ok(show::whole(self, &compiled, view, &cx.budget)),
            Some(part) => show::part(self, &compiled, part, view, &cx.budget),
        }
    }

    fn simulate(&mut self, cx: &Context) -> Result<Box<dyn Simulation>, Trouble> {
        const PROCESSES: u64 = 3;
        if let Some(wide) = self.instead_of_words(&cx.budget)? {
            return wide.simulate(cx);
        }
        let processes = self.settings.whole("processes").unwrap_or(PROCESSES);
        let processes = instance::size(processes)?;
        let compiled = Arc::new(self.for_interpreter(&cx.budget)?);
        let protocol = Arc::clone(&self.protocol);
        let run = Run::new(protocol, Some(compiled), processes, &cx.budget)?;
        Ok(Box::new(run))
    }

    fn instance(&mut self, cx: &Context) -> Result<Inspected, Trouble> {
        if let Some(wide) = self.instead_of_words(&cx.budget)? {
            return wide.instance(cx);
        }
        let processes = instance::processes(&self.settings, &self.protocol)?;
        let compiled = self.for_interpreter(&cx.budget)?;
        let interpreter = Interpreter::new(&self.protocol, &compiled).within(&cx.budget);
        Ok(instance::inspect(&interpreter, processes))
    }

    fn convert(&mut self, to: &str, part: Option<&str>, cx: &Context) -> Result<Written, Trouble> {
        if to == CUBICLE {
            let wide = self.wide.as_ref().map_err(|why| {
                let message = format!("the protocol does not fit into arrays: {why}");
                Diagnostic::error("cannot-be-written", message).in_source(&self.protocol.source)
            })?;
            return wide.cubicle();
        }
        if to == "formatted" {
            return self.laid_out();
        }
        let format = telling::named_format(to)?;
        let compiled = self.with_properties(|_| true, &cx.budget)?;
        let all = Opened::machines(&compiled);
        let machines = self.chosen(&all, part)?;
        let written = formats::write(machines, format, &Limits::default(), &cx.budget)?;
        let own = |(suffix, text): (&str, String)| (suffix.to_owned(), text);
        let lines: Vec<String> = machines.iter().map(summary).collect();
        let machines: Vec<_> = machines.iter().map(summary_json).collect();
        Ok(Written {
            text: written.text,
            companions: written.companions.into_iter().map(own).collect(),
            line: lines.join("\n"),
            details: vec![
                ("machines".to_owned(), json!(machines)),
                ("format".to_owned(), json!(format.name())),
            ],
            warnings: written.warnings,
            bytes: None,
        })
    }
}
