//! A protocol that was opened, and what it can be asked.

use std::sync::Arc;

use quotient_automata::exhibits::Exhibits;
use quotient_automata::facts::{summary, summary_json};
use quotient_automata::formats::{self, Limits, Named, Role};
use quotient_automata::{Nfa, Predicate};
use quotient_core::{
    Budget, Certified, Claim, Context, Diagnostic, Evidence, Rejection, Stop, Trouble,
};
use quotient_language::{
    Answer, Ask, Doubt, Exhibit, Inspected, Model, Property, Settings, Shown, Simulation, Viewed,
    Written,
};
use quotient_regular::{Options, telling};
use serde_json::json;

use super::invariants::Invariants;
use super::simulation::Run;
use super::teller::{ARRAYS_SHARE, TURNS, Teller, within};
use super::wide::{CUBICLE, Wide};
use super::{
    certify, certify_wide, control, doubts, fewer, instance, lasso, rounds, settled, show, wide,
};
use crate::interpret::Beginning;
use crate::model::Demand;
use crate::{Compiled, Interpreter, Protocol};

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
/// Where several properties are asked of arrays, the first turn of each is short.
const QUICK: Option<u64> = Some(3_000_000);

/// How a protocol is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Width {
    Words,
    /// It may fit into words, but it takes long to see.
    SlowWords,
    Arrays,
}

/// With more letters than this it is first tried whether fewer variables are enough.
const MANY_LETTERS: usize = 400;

/// Whether a mistake says that a protocol does not fit into words.
fn too_wide(mistake: &Diagnostic) -> bool {
    ["too-many-letters", "too-many-values", "no-words"].contains(&mistake.code)
}

/// What a check leaves behind for later questions.
#[derive(Default)]
pub(super) struct Checked {
    pub(super) doubts: Vec<quotient_regular::Doubt>,
    pub(super) invariants: Vec<Nfa>,
    pub(super) parts: Vec<Named>,
    pub(super) exhibits: Option<Exhibits<'static>>,
}

/// The text of a protocol, laid out.
pub(super) fn laid_out(protocol: &Protocol) -> Result<Written, Trouble> {
    let text = crate::layout::laid_out(&protocol.source).map_err(Trouble::Invalid)?;
    let changed = text != protocol.source.text();
    Ok(Written {
        text,
        line: "a protocol, laid out".to_owned(),
        details: vec![("changed".to_owned(), json!(changed))],
        ..Written::default()
    })
}

impl Opened {
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

    /// Why no engine has room for the protocol, if none has: then there are only instances.
    fn fits_nowhere(&mut self, budget: &Budget) -> Result<Option<Diagnostic>, Trouble> {
        if self.wide.is_ok() || self.protocol.needs_languages() {
            return Ok(None);
        }
        match self.steps(budget) {
            Err(Trouble::Invalid(mistakes)) if mistakes.iter().any(too_wide) => {
                Ok(mistakes.into_iter().find(too_wide))
            }
            other => other.map(|_| None),
        }
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

    /// Answers by small instances alone.
    fn small_only(
        &self,
        names: &[String],
        mistake: &Diagnostic,
        options: (&Settings, &Options),
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        let arrays = self.wide.as_ref().err().map_or("", String::as_str);
        let why = format!(
            "{}, nor does the protocol fit into arrays: {arrays}",
            mistake.message
        );
        if let (false, Beginning::Never(conflict)) = (
            self.settings.flag("allow-empty"),
            self.protocol.beginning(&cx.budget),
        ) {
            return Err(conflict.into());
        }
        let all = self.protocol.property_names();
        let wanted = |name: &&str| names.is_empty() || names.iter().any(|known| known == name);
        let mut names: Vec<String> = all.filter(wanted).map(str::to_owned).collect();
        with_fewer(&self.protocol, options, &mut names, TURNS[1], cx, tell);
        for name in names {
            let small = instance::small_only(&self.protocol, &name, &why, cx);
            let mut left = vec![name];
            if !small.verdict.is_definite() {
                with_fewer(&self.protocol, options, &mut left, None, cx, tell);
            }
            if !left.is_empty() {
                tell(small);
            }
        }
        Ok(())
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

/// Tells what is decided without some of the variables with so much work, and leaves the other names.
fn with_fewer(
    protocol: &Protocol,
    (settings, options): (&Settings, &Options),
    names: &mut Vec<String>,
    work: Option<u64>,
    cx: &Context,
    tell: &mut dyn FnMut(Answer),
) {
    let allow_empty = settings.flag("allow-empty");
    names.retain(|name| {
        let little = within(cx, work, 1);
        let answer = fewer::answer(protocol, name, allow_empty, options, &little);
        let decided = answer.filter(|answer| answer.verdict.is_definite());
        let open = decided.is_none();
        decided.into_iter().for_each(&mut *tell);
        open
    });
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
            let fewer = |name: &String| self.protocol.can_do_with_fewer(name);
            let turns = match width {
                Width::Arrays if names.len() == 1 && !fewer(&names[0]) => &TURNS[2..],
                Width::Arrays => &TURNS,
                _ => &TURNS[1..2],
            };
            // Lemmas are tried together once, with as much work as there is in the first turn.
            let has_lemmas = self.protocol.lemma_names().next().is_some();
            let first = (names.len() > 1 && !has_lemmas).then_some(QUICK);
            for work in first.into_iter().chain(turns.iter().copied()) {
                if work.is_none() {
                    let options = (&self.settings, &options);
                    with_fewer(&self.protocol, options, &mut names, TURNS[0], cx, tell);
                }
                wide.begin_turn();
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
        if let Some(mistake) = self.fits_nowhere(&cx.budget)? {
            return self.small_only(&names, &mistake, (&self.settings, &options), cx, tell);
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
        if !ask.exhibits && steps.alphabet().len() > MANY_LETTERS {
            let options = (&self.settings, &options);
            with_fewer(&self.protocol, options, &mut names, TURNS[0], cx, tell);
            if names.is_empty() {
                return Ok(());
            }
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
        if evidence.kind == certify_wide::RUN {
            return (self.protocol).certified_run(evidence, &property.name, budget);
        }
        if evidence.kind == certify_wide::NEVER {
            let wide = self.wide.as_ref().map_err(|why| {
                Rejection::unreadable(format!("the protocol does not fit into arrays: {why}"))
            })?;
            return wide.certified(evidence, &property.name, budget);
        }
        if evidence.kind == settled::SETTLED {
            let wide = self.wide.as_ref().ok();
            if wide.is_none_or(|wide| !wide.begins(budget)) {
                budget.poll()?;
                return Err(Stop::inconclusive(wide::EMPTY).into());
            }
            return settled::certify(&self.protocol, evidence, &property.name, budget);
        }
        if evidence.kind == fewer::FEWER {
            let allow_empty = self.settings.flag("allow-empty");
            return fewer::certify(
                &self.protocol,
                evidence,
                &property.name,
                allow_empty,
                budget,
            );
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
        if evidence.kind == rounds::ROUNDS {
            return rounds::certify(&self.protocol, evidence, &property.name, budget);
        }
        certify::certify(&self.protocol, &steps, evidence, &property.name, budget)
    }

    fn doubts(&mut self, cx: &Context) -> Result<Vec<Doubt>, Trouble> {
        if self.instead_of_words(&cx.budget)?.is_some() {
            return Ok(doubts::of_instances(&self.protocol, &cx.budget));
        }
        if self.fits_nowhere(&cx.budget)?.is_some() {
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
        if self.instead_of_words(&cx.budget)?.is_some() || self.fits_nowhere(&cx.budget)?.is_some()
        {
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
        let compiled = match self.fits_nowhere(&cx.budget)? {
            Some(_) => None,
            None => Some(Arc::new(self.for_interpreter(&cx.budget)?)),
        };
        let protocol = Arc::clone(&self.protocol);
        let run = Run::new(protocol, compiled, processes, &cx.budget)?;
        Ok(Box::new(run))
    }

    fn instance(&mut self, cx: &Context) -> Result<Inspected, Trouble> {
        if let Some(wide) = self.instead_of_words(&cx.budget)? {
            return wide.instance(cx);
        }
        let processes = instance::processes(&self.settings, &self.protocol)?;
        if self.fits_nowhere(&cx.budget)?.is_some() {
            let interpreter = Interpreter::plain(&self.protocol).within(&cx.budget);
            return Ok(instance::inspect(&interpreter, processes));
        }
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
            return laid_out(&self.protocol);
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
