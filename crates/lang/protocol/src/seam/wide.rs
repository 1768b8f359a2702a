//! Protocols as systems with arrays: what the backward search says.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use quotient_arrays::Bad;
use quotient_backward::{Backward, Slice, Unreachable};
use quotient_certify::certify_never;
use quotient_core::{
    Budget, Certified, Conclusion, Context, Diagnostic, Evidence, Rejection, Stop, Trouble,
    Verdict, run,
};
use quotient_language::text::count;
use quotient_language::{
    Answer, Ask, Inspected, Model, Property, Settings, Shown, Simulation, Viewed, Written,
};

use super::certify_wide::NEVER;
use super::instance;
use super::settled;
use super::simulation::Run;
use crate::arrays::{LOOK, Lowered, NOTICED, Never, Part};
use crate::check::known::Small;
use crate::check::settling;
use crate::interpret::Beginning;
use crate::{Configuration, Interpreter, Protocol};

const METHOD: &str = "backward";
/// The format that systems with arrays are written in.
pub(super) const CUBICLE: &str = "cubicle";
/// Why nothing is said of a protocol that never begins.
pub(super) const EMPTY: &str =
    "no small instance begins, so it holds trivially (--allow-empty takes it)";

/// Why a run that was found is not told.
const NO_RUN: &str = "a run was found that does not go through with all that its steps do";

/// A protocol that fits into arrays.
pub(super) struct Wide {
    pub(super) protocol: Arc<Protocol>,
    pub(super) lowered: Lowered,
    settings: Settings,
    /// The lemmas that were decided, by number, with their answers: each is searched for once.
    decided: RefCell<Vec<(usize, Answer)>>,
    /// Those that were not with as much work as there is in this turn.
    undecided: RefCell<Vec<usize>>,
    /// Why lemmas hold.
    proofs: RefCell<Vec<Unreachable>>,
    /// Whether all lemmas were looked at together.
    joined: Cell<bool>,
    /// The progress of which counting shows nothing, by name.
    uncounted: RefCell<Vec<String>>,
}

impl Wide {
    /// The protocol with arrays, or why it does not fit.
    pub(super) fn new(protocol: &Arc<Protocol>, settings: &Settings) -> Result<Wide, String> {
        match protocol.to_arrays() {
            Ok(lowered) => Ok(Wide {
                protocol: Arc::clone(protocol),
                lowered,
                settings: settings.clone(),
                decided: RefCell::default(),
                undecided: RefCell::default(),
                proofs: RefCell::default(),
                joined: Cell::new(false),
                uncounted: RefCell::default(),
            }),
            Err(why) => Err(why.0),
        }
    }

    /// Whether a property can be asked.
    pub(super) fn knows(&self, property: &str) -> bool {
        self.lowered.bad(property).is_some()
    }

    /// What the search says about a property.
    pub(super) fn answer(&self, property: &str, cx: &Context) -> Answer {
        let Some(number) = self.lowered.bad(property) else {
            if self.protocol.progress_demand(property).is_some() {
                return self.progress(property, cx);
            }
            let why = "with arrays only what is never so can be asked, of processes and their \
                       variables";
            let answer = self.unknown(property, Stop::inconclusive(why), cx);
            return answer.by(METHOD);
        };
        if let Some(known) = self.decided(number) {
            return known;
        }
        let system = &self.lowered.system;
        let mut cx = Context {
            story: cx.story.of_method(METHOD),
            ..cx.clone()
        };
        if let Some(answer) = self.jointly(number, &cx) {
            return answer;
        }
        let bad = self.with_lemmas(number, &cx);
        let slice = Slice::of(system, &bad);
        let part = slice.as_ref().map_or(system, |slice| &slice.system);
        let mut search = Backward::new(part, &bad);
        if !self.is_lemma(property) {
            search = search.knowing(self.proofs.borrow().iter());
        }
        let outcome = run(&mut search, &mut cx);
        let conclusion = match (outcome.conclusion, &slice) {
            (Conclusion::Violated(run), Some(slice)) => {
                match slice.whole(system, &run, &cx.budget) {
                    Ok(Some(run)) => Conclusion::Violated(run),
                    Ok(None) => Conclusion::Unknown(Stop::inconclusive(NO_RUN)),
                    Err(stop) => Conclusion::Unknown(stop),
                }
            }
            (conclusion, _) => conclusion,
        };
        let mut answer = match conclusion {
            Conclusion::Holds(_) if !self.begins(&cx.budget) => {
                Answer::unknown(property, Stop::inconclusive(self.empty(&cx.budget)))
            }
            Conclusion::Holds(proof) => {
                let answer = self.proved(number, &proof.formulas(system), &cx);
                if self.is_lemma(property) && answer.verdict == Verdict::Holds {
                    self.proofs.borrow_mut().push(proof);
                }
                answer
            }
            Conclusion::Violated(run) => {
                let names = run.steps.iter();
                let names = names.map(|(which, _)| system.transitions[*which].name.as_str());
                let names: Vec<&str> = names.collect();
                // Whoever looks at somebody, or notices something, takes no step of the protocol.
                let other = |name: &str| [LOOK, NOTICED].contains(&name);
                let is_own = |at: &usize| *at == 0 || !other(names[at - 1]);
                let own: Vec<usize> = (0..run.states.len()).filter(is_own).collect();
                let configurations = own.iter().map(|&at| {
                    let state = &run.states[at];
                    let mut now = self.lowered.configuration(run.processes, state)?;
                    let values = self.protocol.values_of(run.processes);
                    now.processes
                        .iter_mut()
                        .for_each(|one| one.truncate(values));
                    Some(now)
                });
                let configurations: Option<Vec<Configuration>> = configurations.collect();
                let steps = names.iter().filter(|name| !other(name));
                let steps: Vec<String> = steps.map(|&name| name.to_owned()).collect();
                let configurations = configurations.unwrap_or_default();
                let answer = instance::run_of(&self.protocol, property, configurations, steps, &cx);
                // More may happen with arrays than in the protocol.
                match answer.verdict {
                    Verdict::Unknown(stop) => self.unknown(property, stop, &cx),
                    _ => answer,
                }
            }
            Conclusion::Unknown(stop) => self.unknown(property, stop, &cx),
        };
        answer.refinements = outcome.refinements;
        if let Some(evidence) = answer.evidence.take() {
            answer.evidence = Some(evidence.about(property).found_by(METHOD));
        }
        let answer = answer.by(METHOD);
        if self.is_lemma(property) && answer.verdict.is_definite() {
            self.decided.borrow_mut().push((number, answer.clone()));
        }
        answer
    }

    /// What is known of something that must happen.
    fn progress(&self, property: &str, cx: &Context) -> Answer {
        const COUNTING: &str = "counting";
        let tried = self
            .uncounted
            .borrow()
            .iter()
            .any(|known| known == property);
        if !tried && self.begins(&cx.budget) {
            if let Some(ranks) = settling(&self.protocol, property, &cx.budget) {
                let mut answer = settled::answer(&self.protocol, property, ranks);
                let evidence = answer.evidence.take();
                answer.evidence = evidence.map(|evidence| evidence.found_by(COUNTING));
                return answer.by(COUNTING);
            }
            if cx.budget.poll().is_ok() {
                self.uncounted.borrow_mut().push(property.to_owned());
            }
        }
        let why = "that something happens is shown only of protocols that fit into words, or where it \
                   follows from how many processes there can be of each kind once none can go on";
        self.unknown(property, Stop::inconclusive(why), cx)
            .by(METHOD)
    }

    /// What is shown by induction of all lemmas together, or of them and a property; it is what they
    /// were written for.
    fn jointly(&self, number: usize, cx: &Context) -> Option<Answer> {
        const MOST_ADDED: usize = 40;
        let system = &self.lowered.system;
        let name = &system.bad[number].name;
        let is_lemma = self.is_lemma(name);
        let lemmas = (0..system.bad.len()).filter(|one| self.is_lemma(&system.bad[*one].name));
        let lemmas: Vec<usize> = lemmas.collect();
        if lemmas.is_empty() || self.joined.get() && (is_lemma || !self.proofs.borrow().is_empty())
        {
            return None;
        }
        let together = |numbers: &[usize]| {
            let ways = numbers.iter().flat_map(|one| &system.bad[*one].ways);
            let bad = Bad {
                ways: ways.cloned().collect(),
                ..system.bad[number].clone()
            };
            let search = Backward::new(system, &bad);
            search.by_induction(MOST_ADDED, &cx.budget).ok().flatten()
        };
        let answered = |one: usize, proof: &Unreachable| {
            let answer = self.proved(one, &proof.formulas(system), cx);
            let because = format!("{}, by induction", answer.because);
            let mut answer = answer.because(because).by(METHOD);
            let evidence = answer.evidence.take();
            answer.evidence = evidence.map(|evidence| {
                let name = &system.bad[one].name;
                evidence.about(name).found_by(METHOD)
            });
            answer
        };
        if !self.joined.replace(true)
            && self.begins(&cx.budget)
            && let Some(proof) = together(&lemmas)
        {
            for one in &lemmas {
                let answer = answered(*one, &proof);
                if answer.verdict == Verdict::Holds {
                    self.decided.borrow_mut().push((*one, answer));
                }
            }
            self.proofs.borrow_mut().push(proof);
            return self.decided(number);
        }
        if is_lemma || !self.begins(&cx.budget) {
            return None;
        }
        let proof = together(&[&lemmas[..], &[number]].concat())?;
        Some(answered(number, &proof)).filter(|answer| answer.verdict == Verdict::Holds)
    }

    /// What was found out about a lemma.
    fn decided(&self, lemma: usize) -> Option<Answer> {
        let decided = self.decided.borrow();
        let known = decided.iter().find(|(known, _)| *known == lemma);
        known.map(|(_, answer)| answer.clone())
    }

    /// With more work, what was not decided before may be.
    pub(super) fn begin_turn(&self) {
        self.undecided.borrow_mut().clear();
    }

    /// What a property forbids, and what the lemmas forbid that were shown: to search for all of
    /// it together may be easier.
    fn with_lemmas(&self, number: usize, cx: &Context) -> Bad {
        let system = &self.lowered.system;
        let mut bad = system.bad[number].clone();
        if self.is_lemma(&bad.name) {
            return bad;
        }
        for (lemma, forbidden) in system.bad.iter().enumerate() {
            if self.is_lemma(&forbidden.name) && self.is_shown(lemma, cx) {
                bad.ways.extend(forbidden.ways.iter().cloned());
            }
        }
        bad
    }

    fn is_lemma(&self, name: &str) -> bool {
        self.protocol.lemma_names().any(|known| known == name)
    }

    /// Whether a lemma holds, found out once in each turn.
    fn is_shown(&self, lemma: usize, cx: &Context) -> bool {
        if self.undecided.borrow().contains(&lemma) {
            return false;
        }
        let name = &self.lowered.system.bad[lemma].name;
        let verdict = self.answer(name, cx).verdict;
        if !verdict.is_definite() {
            self.undecided.borrow_mut().push(lemma);
        }
        verdict == Verdict::Holds
    }

    /// What small instances say where nothing is known for all.
    fn unknown(&self, property: &str, stop: Stop, cx: &Context) -> Answer {
        let interpreter = Interpreter::plain(&self.protocol);
        let small = (self.protocol).in_small_instances(&interpreter, property, &stop, &cx.budget);
        match small {
            Some(Small::Violated(violation)) => {
                instance::violating(&self.protocol, property, &violation, cx)
            }
            small => {
                let mut answer = Answer::unknown(property, stop);
                answer.notes.extend(small.and_then(|small| small.note()));
                answer
            }
        }
    }

    /// Whether some instance has a first configuration, or that is no matter.
    pub(super) fn begins(&self, budget: &Budget) -> bool {
        const LARGEST: usize = 6;
        let interpreter = Interpreter::plain(&self.protocol).within(budget);
        self.settings.flag("allow-empty")
            || (1..=LARGEST).any(|size| {
                let some = interpreter.some_initial(size, 1);
                some.is_ok_and(|(some, _)| !some.is_empty())
            })
    }

    /// Why nothing is said of a protocol that does not begin, with what stands in the way.
    fn empty(&self, budget: &Budget) -> String {
        match self.protocol.beginning(budget) {
            Beginning::NotSeen(Some(text)) => format!("{EMPTY}; none satisfies `{text}`"),
            _ => EMPTY.to_owned(),
        }
    }

    /// What stands in the way of every beginning, where there is surely none.
    pub(super) fn no_beginning(&self, budget: &Budget) -> Option<Diagnostic> {
        match self.settings.flag("allow-empty") {
            true => None,
            false => match self.protocol.beginning(budget) {
                Beginning::Never(conflict) => Some(conflict),
                _ => None,
            },
        }
    }

    /// The protocol as a text of Cubicle's language.
    pub(super) fn cubicle(&self) -> Result<Written, Trouble> {
        let mut system = self.lowered.system.clone();
        // Cubicle asks for what some processes do, not for what none can do.
        system
            .bad
            .retain(|bad| !self.protocol.asks_for_deadlocks(&bad.name));
        let text = system.cubicle().map_err(|why| {
            Diagnostic::error("cannot-be-written", why).in_source(&self.protocol.source)
        })?;
        let line = format!(
            "a system with {}",
            count(system.transitions.len(), "transition")
        );
        Ok(Written {
            text,
            line,
            ..Written::default()
        })
    }

    fn proved(
        &self,
        number: usize,
        formulas: &[(usize, quotient_arrays::Formula)],
        cx: &Context,
    ) -> Answer {
        let system = &self.lowered.system;
        let name = &system.bad[number].name;
        // A proof that the checker does not follow is none.
        if let Err(rejected) = certify_never(system, number, formulas, &cx.budget) {
            let stop = match rejected {
                Rejection::Stopped(stop) => stop,
                other => Stop::inconclusive(format!("a proof was found that is none: {other}")),
            };
            return Answer::unknown(name, stop);
        }
        let parts = formulas.iter();
        let parts = parts.map(|(processes, formula)| Part::of(system, *processes, formula));
        let Some(never) = parts.collect::<Option<Vec<Part>>>() else {
            return Answer::unknown(name, Stop::inconclusive("a proof cannot be told"));
        };
        let because = format!("by {} about few processes", count(never.len(), "invariant"));
        let mut answer = Answer::new(name, Verdict::Holds).because(because);
        answer.notes = told(&never);
        answer.with_evidence(Evidence::of_holds(NEVER, &Never { never }))
    }
}

/// What never happens, for people: the shortest first.
fn told(never: &[Part]) -> Vec<String> {
    const MOST: usize = 8;
    let mut lines: Vec<(usize, String)> = never
        .iter()
        .map(|part| (part.processes, part.text()))
        .collect();
    lines.sort_by_key(|(processes, text)| (*processes, text.len()));
    let mut text = String::from("never, for different processes:");
    for (_, line) in lines.iter().take(MOST) {
        text.push_str("\n  ");
        text.push_str(line);
    }
    if never.len() > MOST {
        let more = never.len() - MOST;
        text.push_str(&format!("\n  and {more} more, all in the evidence"));
    }
    vec![text]
}

impl Model for Wide {
    fn title(&self) -> Option<String> {
        self.protocol.title().map(str::to_owned)
    }

    fn warnings(&self) -> Vec<Diagnostic> {
        self.protocol.warnings.clone()
    }

    fn properties(&self) -> Vec<Property> {
        super::model::properties(&self.protocol)
    }

    fn check(
        &mut self,
        ask: &Ask,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        for property in self.properties() {
            if ask.properties.is_empty() || ask.properties.contains(&property.name) {
                tell(self.answer(&property.name, cx));
            }
        }
        Ok(())
    }

    fn certify(
        &mut self,
        evidence: &Evidence,
        property: &Property,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        self.certified(evidence, &property.name, budget)
    }

    fn show(&mut self, _: &Viewed, _: &Context) -> Result<Shown, Trouble> {
        let system = &self.lowered.system;
        let names = |names: Vec<String>| names.join(", ");
        let variables = system.variables.iter().map(|one| one.name.clone());
        let steps = self.protocol.step_names().map(str::to_owned);
        let properties = self.protocol.property_names().map(str::to_owned);
        let title = match self.protocol.title() {
            Some(title) => format!("protocol \"{title}\", with arrays"),
            None => "a protocol with arrays".to_owned(),
        };
        Ok(Shown::titled(title)
            .fact("variables", names(variables.collect()))
            .fact("steps", names(steps.collect()))
            .fact("properties", names(properties.collect())))
    }

    fn simulate(&mut self, cx: &Context) -> Result<Box<dyn Simulation>, Trouble> {
        const PROCESSES: u64 = 3;
        let processes = self.settings.whole("processes").unwrap_or(PROCESSES);
        let processes = instance::size(processes)?;
        let run = Run::new(Arc::clone(&self.protocol), None, processes, &cx.budget)?;
        Ok(Box::new(run))
    }

    fn instance(&mut self, cx: &Context) -> Result<Inspected, Trouble> {
        let processes = instance::processes(&self.settings, &self.protocol)?;
        let interpreter = Interpreter::plain(&self.protocol).within(&cx.budget);
        Ok(instance::inspect(&interpreter, processes))
    }
}
