//! An opened program: what it can be asked.

use std::cell::RefCell;
use std::rc::Rc;

use quotient_arithmetic::{Boolean, Condition, Integer, Linear};
use quotient_core::{
    Budget, Certified, Conclusion, Context, Evidence, Rejection, Source, Trouble, Verdict, run,
};
use quotient_language::text::count;
use quotient_language::{
    Answer, Ask, Cell, Doubt, Exhibit, Layout, Model, Property, Settings, Shown, Step, Trace,
    Viewed,
};
use serde_json::json;

use crate::certify::{self, Body, PAIRS, RUN, SCHEDULE, SPOTLIGHT};
use crate::certify_pairs::PairsBody;
use crate::certify_schedule::ScheduleBody;
use crate::game::won;
use crate::interpret::Run;
use crate::ltl::Ltl;
use crate::pair_states::owner;
use crate::pairs::Pairs;
use crate::program::{Check, Program};
use crate::refine::Spotting;
use crate::searched::violation;
use crate::solver::Solver;
use crate::{idle, read, show};

/// A program with its name and settings.
pub(crate) struct ProgramModel {
    pub(crate) name: String,
    pub(crate) program: Program,
    pub(crate) settings: Settings,
    /// What was proved, and how: for doubts.
    pub(crate) proved: RefCell<Vec<(Check, Body)>>,
}

/// How much work the spotlight gets before processes are looked at in pairs, and how much they get.
const FIRST_WORK: u64 = 40_000;
const PAIRS_WORK: u64 = 100_000_000;
/// With at most so many processes all states are looked at before pairs of processes and schedulers.
const FEW_PROCESSES: usize = 4;
/// How much work each of several properties gets before the others.
const SHARE_WORK: u64 = 2_000;
/// How much work a search for a run gets where a scheduler is known to violate a property.
const RUN_WORK: u64 = 20_000;

impl ProgramModel {
    fn check_of(&self, name: &str) -> Result<Check, Trouble> {
        let found = self.program.checks.iter().find(|check| check.name == name);
        match found {
            Some(check) => Ok(check.clone()),
            None => Ok(read::read_check(
                &Source::new("property", name),
                &self.program,
            )?),
        }
    }

    fn described(&self, check: &Check) -> Property {
        let place = self
            .program
            .checks
            .iter()
            .position(|other| other.name == check.name);
        Property {
            name: check.name.clone(),
            number: place.map(|place| place + 1),
            kind: if check.formula.invariant().is_some() {
                "invariant"
            } else {
                "LTL"
            }
            .to_owned(),
            text: check.text.clone(),
            span: place.map(|_| check.span),
            in_file: place.is_some(),
        }
    }

    fn answered(&self, check: &Check, ask: &Ask, cx: &Context) -> Result<Answer, Trouble> {
        let mut answer = match self.answer(check, ask, cx) {
            Ok(answer) => answer,
            Err(Trouble::Stopped(stop)) => Answer::unknown(&check.name, stop),
            Err(other) => return Err(other),
        };
        answer.number = self.described(check).number;
        Ok(answer)
    }

    /// Answers without the spotlight: by pairs of processes for an invariant (`many`), by a scheduler
    /// where parameters are `shaped`, by all states of a `closed` program.
    fn otherwise(
        &self,
        check: &Check,
        (many, shaped, closed): (Option<&Ltl>, bool, bool),
        own: &Context,
        cx: &Context,
    ) -> Result<Option<Answer>, Trouble> {
        // Where there are few states, looking at all of them is the least work; many processes are
        // seldom of that kind.
        let few = closed && self.program.processes.len() <= FEW_PROCESSES;
        if few && let Some(answer) = self.by_states(check, cx)? {
            return Ok(Some(answer));
        }
        let found = match many {
            Some(good) => self.by_pairs(check, good, own),
            None if shaped => self.by_schedule(check, own)?,
            None => None,
        };
        match found {
            None if closed && !few => self.by_states(check, cx),
            found => Ok(found),
        }
    }

    fn answer(&self, check: &Check, ask: &Ask, cx: &Context) -> Result<Answer, Trouble> {
        let parameters = !self.settings.flag("no-parameters");
        let mut spotting = match Spotting::new(&self.program, check, parameters) {
            Ok(spotting) => spotting,
            Err(stop) => return Ok(Answer::unknown(&check.name, stop)),
        };
        let solver = self.solver(cx)?;
        spotting.solver.clone_from(&solver);
        let mut own = cx.clone();
        let limit = self.settings.whole("refinements");
        own.limits.refinements = limit.or(own.limits.refinements).or(Some(200));
        let shaped = parameters && check.formula.invariant().is_none();
        let many = check
            .formula
            .invariant()
            .filter(|_| self.program.processes.len() > 2);
        let closed = self.program.is_closed();
        let first = many.is_some() || shaped || closed;
        let mut early = first.then(|| run(&mut spotting, &mut own.with_work(FIRST_WORK)));
        if let Some(Conclusion::Unknown(_)) = early.as_ref().map(|outcome| &outcome.conclusion) {
            cx.budget.poll()?;
            let ways = (many, shaped, closed);
            if let Some(answer) = self.otherwise(check, ways, &own, cx)? {
                return Ok(answer);
            }
            cx.budget.poll()?;
            early = None;
        }
        let outcome = early.unwrap_or_else(|| run(&mut spotting, &mut own));
        let names: Vec<&str> = spotting
            .spotlight
            .processes
            .iter()
            .map(|one| self.program.processes[*one].name.as_str())
            .collect();
        let predicates: Vec<String> = spotting
            .spotlight
            .predicates
            .iter()
            .map(|one| self.program.words(one))
            .collect();
        let all = self.program.processes.len();
        let seen = format!(
            "{} of {} in the spotlight, {}, {} introduced",
            names.len(),
            count(all, "process"),
            count(predicates.len(), "predicate"),
            count(spotting.introduced, "parameter"),
        );
        let mut answer = match outcome.conclusion {
            Conclusion::Holds(proof) => {
                let body = Body {
                    processes: names.iter().map(|name| (*name).to_owned()).collect(),
                    predicates: predicates.clone(),
                    split: proof.split,
                };
                let evidence = Evidence::of_holds(SPOTLIGHT, &body).about(&check.name);
                let mut proved = self.proved.borrow_mut();
                proved.retain(|(other, _)| other.name != check.name);
                proved.push((check.clone(), body));
                drop(proved);
                let answer = Answer::new(&check.name, Verdict::Holds).because(seen);
                self.with_spotlight(answer, check, evidence, solver.as_deref(), cx)?
            }
            Conclusion::Violated(_) => {
                let answer = Answer::new(&check.name, Verdict::Violated).because(seen);
                self.with_run(answer, check, &spotting.spotlight.processes, cx)?
            }
            Conclusion::Unknown(stop) => {
                let mut answer = self.last_resort(check, stop, cx)?;
                let next = format!(
                    "in the spotlight: {}; predicates: {}",
                    names.join(", "),
                    predicates.join("; ")
                );
                answer.notes.push(next);
                answer
            }
        };
        answer.refinements = outcome.refinements;
        answer.method = answer.method.or(Some("spotlight".to_owned()));
        answer.notes.extend(spotting.story.iter().take(40).cloned());
        answer.details.push(("spotlight".to_owned(), json!(names)));
        answer
            .details
            .push(("predicates".to_owned(), json!(predicates)));
        add_theory(&mut answer, solver.as_deref());
        self.tell_abstraction(&mut answer, check, &spotting, ask);
        Ok(answer)
    }

    /// What the last abstraction was, and how it looks.
    fn tell_abstraction(
        &self,
        answer: &mut Answer,
        check: &Check,
        spotting: &Spotting<'_>,
        ask: &Ask,
    ) {
        let parameters = ("parameters".to_owned(), json!(spotting.introduced));
        let checks = ("checks".to_owned(), json!(spotting.checks));
        answer.details.extend([parameters, checks]);
        let Some(last) = spotting.last.as_ref().filter(|_| ask.exhibits) else {
            return;
        };
        let states = ("abstractStates".to_owned(), json!(last.places.len()));
        answer.details.push(states);
        let names = spotting.spotlight.processes.iter();
        let names: Vec<&str> = names
            .map(|one| self.program.processes[*one].name.as_str())
            .collect();
        let caption = format!(
            "the last abstraction: certain steps drawn through, unknown ones dashed; the first line is where {} are",
            names.join(", ")
        );
        let picture = show::abstraction(&self.program, &spotting.spotlight, last);
        answer.exhibits.extend(picture.map(|picture| Exhibit {
            name: format!("abstraction of {}", check.name),
            caption,
            picture: Some(picture.into()),
            files: Vec::new(),
        }));
    }

    /// A proof by pairs of processes, where there are too many for all of them together.
    fn by_pairs(&self, check: &Check, good: &Ltl, cx: &Context) -> Option<Answer> {
        let mut pairs = Pairs::new(&self.program, good);
        let outcome = run(&mut pairs, &mut cx.with_work(PAIRS_WORK));
        let Conclusion::Holds(()) = outcome.conclusion else {
            return None;
        };
        let seen = |one: &Condition| {
            owner(&self.program, one).is_none_or(|owner| pairs.processes.contains(&owner))
        };
        let predicates: Vec<String> = (pairs.predicates.iter())
            .filter(|one| seen(one))
            .map(|one| self.program.words(one))
            .collect();
        let processes = (pairs.processes.iter())
            .map(|one| self.program.processes[*one].name.clone())
            .collect();
        let because = format!(
            "{} of {} in pairs, {}, {}",
            pairs.processes.len(),
            count(self.program.processes.len(), "process"),
            count(predicates.len(), "predicate"),
            count(pairs.states, "state"),
        );
        let body = PairsBody {
            processes,
            predicates: predicates.clone(),
        };
        let evidence = Evidence::of_holds(PAIRS, &body).about(&check.name);
        let mut answer = Answer::new(&check.name, Verdict::Holds)
            .because(because)
            .by("pairs")
            .with_evidence(evidence);
        answer.refinements = outcome.refinements;
        answer.notes.extend(pairs.story.iter().take(40).cloned());
        answer
            .details
            .push(("predicates".to_owned(), json!(predicates)));
        answer
            .details
            .push(("states".to_owned(), json!(pairs.states)));
        add_theory(&mut answer, None);
        Some(answer)
    }

    /// A violation that a scheduler brings about whatever is unknown: all branches are parameters.
    fn by_schedule(&self, check: &Check, cx: &Context) -> Result<Option<Answer>, Trouble> {
        let Some(won) = won(&self.program, check, &cx.budget)? else {
            return Ok(None);
        };
        let because = format!(
            "a scheduler of {} among {} avoids it for ever, whatever every unknown branch does \
             ({}, {})",
            won.spotlight.processes.len(),
            count(self.program.processes.len(), "process"),
            count(won.spotlight.predicates.len(), "predicate"),
            count(won.places, "abstract state"),
        );
        let processes = won.spotlight.processes.iter();
        let predicates = won.spotlight.predicates.iter();
        let body = ScheduleBody {
            processes: processes
                .map(|one| self.program.processes[*one].name.clone())
                .collect(),
            predicates: predicates.map(|one| self.program.words(one)).collect(),
            kept: won.kept,
        };
        let evidence = Evidence::of_violated(SCHEDULE, &body).about(&check.name);
        match certify::certify(&self.program, check, &evidence, &cx.budget) {
            Ok(_) => {}
            Err(Rejection::Stopped(stop)) if cx.budget.poll().is_err() => return Err(stop.into()),
            Err(_) => return Ok(None),
        }
        let answer = Answer::new(&check.name, Verdict::Violated)
            .because(because)
            .by("schedule");
        // A run that comes back is better to look at; where values grow for ever there is none.
        let quick = cx.with_work(RUN_WORK);
        let all: Vec<usize> = (0..self.program.processes.len()).collect();
        let run = violation(&self.program, check, &all, &quick).unwrap_or(None);
        let mut answer = match run {
            Some(run) => self.told(answer, &run, check),
            None => answer.with_evidence(evidence),
        };
        add_theory(&mut answer, None);
        Ok(Some(answer))
    }

    /// Whoever is asked beside the built-in solver.
    fn solver(&self, cx: &Context) -> Result<Option<Rc<RefCell<Solver>>>, Trouble> {
        let name = self.settings.text("solver");
        let Some(name) = name.filter(|name| *name != "built-in") else {
            return Ok(None);
        };
        let help = "install it, or leave `--solver` out";
        let started = Solver::by_name(name, &cx.budget)
            .map_err(|why| Trouble::usage(format!("{why}; {help}")))?;
        Ok(Some(Rc::new(RefCell::new(started))))
    }

    /// The spotlight beside a proof. Where another solver had a part in it, the evidence is checked
    /// first: it must convince without that solver.
    fn with_spotlight(
        &self,
        mut answer: Answer,
        check: &Check,
        evidence: Evidence,
        solver: Option<&RefCell<Solver>>,
        cx: &Context,
    ) -> Result<Answer, Trouble> {
        if solver.is_none_or(|solver| solver.borrow().decided == 0) {
            return Ok(answer.with_evidence(evidence));
        }
        match certify::certify(&self.program, check, &evidence, &cx.budget) {
            Ok(_) => Ok(answer.with_evidence(evidence)),
            Err(Rejection::Stopped(stop)) if cx.budget.poll().is_err() => Err(stop.into()),
            Err(_) => {
                answer.notes.push(
                    "no evidence: the proof rests on the solver, and is too hard for the \
                     arithmetic that evidence is checked with"
                        .to_owned(),
                );
                Ok(answer)
            }
        }
    }

    /// Predicates of properties that never mattered.
    fn idle_predicates(&self, budget: &Budget) -> Vec<Doubt> {
        let proved = self.proved.borrow();
        let of =
            |(check, body): &(Check, Body)| idle::predicates(&self.program, check, body, budget);
        proved.iter().flat_map(of).collect()
    }

    /// A concrete run beside an abstract refutation: of the spotlight alone if it may end, else
    /// of all processes.
    fn with_run(
        &self,
        answer: Answer,
        check: &Check,
        spotlight: &[usize],
        cx: &Context,
    ) -> Result<Answer, Trouble> {
        let all: Vec<usize> = (0..self.program.processes.len()).collect();
        let movers = if check.formula.invariant().is_some() {
            spotlight
        } else {
            &all
        };
        // What is refuted stays refuted when the search for a run ends early.
        match violation(&self.program, check, movers, cx).unwrap_or(None) {
            Some(run) => Ok(self.told(answer, &run, check)),
            None => {
                let mut answer = answer;
                answer.notes.push(
                    "no run is shown: it needs more states than are searched, or other values"
                        .to_owned(),
                );
                Ok(answer)
            }
        }
    }

    pub(crate) fn told(&self, answer: Answer, run: &Run, check: &Check) -> Answer {
        let evidence = Evidence::of_violated(RUN, run).about(&check.name);
        answer.with_trace(self.trace(run)).with_evidence(evidence)
    }

    fn trace(&self, run: &Run) -> Trace {
        let program = &self.program;
        let processes = program.processes.iter().map(|one| one.name.clone());
        let variables = program
            .integers
            .iter()
            .chain(&program.booleans)
            .map(|one| one.name.clone());
        let mut trace = Trace::new(Layout::States, processes.chain(variables));
        for (number, state) in certify::states(program, run).iter().enumerate() {
            let places = program
                .processes
                .iter()
                .zip(&state.places)
                .map(|(one, at)| one.location(*at));
            let integers = state.integers.iter().map(i64::to_string);
            let booleans = state.booleans.iter().map(bool::to_string);
            let cells: Vec<Cell> = places
                .chain(integers)
                .chain(booleans)
                .map(Cell::new)
                .collect();
            let taken = number
                .checked_sub(1)
                .and_then(|before| run.steps.get(before));
            trace.steps.push(match taken {
                None => Step::start(cells),
                Some(None) => Step::of("nothing can happen", cells),
                Some(Some(taken)) => {
                    let process = &program.processes[taken.process];
                    let edge = &process.edges[taken.edge];
                    Step::by(edge.text.clone(), [process.name.clone()], cells).at(edge.span)
                }
            });
        }
        trace.back_to = run.back;
        trace.mark_changes()
    }
}

/// Says which theory, and whose, an answer rests on.
fn add_theory(answer: &mut Answer, solver: Option<&RefCell<Solver>>) {
    let mut theory = "linear integer arithmetic, built in".to_owned();
    if let Some(solver) = solver {
        let solver = solver.borrow();
        theory = format!("{theory}, and {}", solver.told());
        answer.notes.push(format!("arithmetic: {}", solver.told()));
        if let Some(why) = &solver.trouble {
            let note = format!("the solver was not asked any more: {why}");
            answer.notes.push(note);
        }
    }
    answer.details.push(("theory".to_owned(), json!(theory)));
}

impl Model for ProgramModel {
    fn properties(&self) -> Vec<Property> {
        self.program
            .checks
            .iter()
            .map(|check| self.described(check))
            .collect()
    }

    fn property(&mut self, name: &str) -> Result<Property, Trouble> {
        Ok(self.described(&self.check_of(name)?))
    }

    fn check(
        &mut self,
        ask: &Ask,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        let checks = match ask.properties.is_empty() {
            true => self.program.checks.clone(),
            false => ask
                .properties
                .iter()
                .map(|name| self.check_of(name))
                .collect::<Result<_, _>>()?,
        };
        // One that is hard does not take the time of the others: it waits until they are answered.
        let mut found = vec![None; checks.len()];
        if checks.len() > 1 {
            for (check, found) in checks.iter().zip(&mut found) {
                let answer = self.answered(check, ask, &cx.with_work(SHARE_WORK))?;
                // A verdict may have been found before what shows it.
                let hard = answer.evidence.is_none();
                *found = (!hard || cx.budget.poll().is_err()).then_some(answer);
            }
        }
        for (check, found) in checks.iter().zip(found) {
            tell(match found {
                Some(answer) => answer,
                None => self.answered(check, ask, cx)?,
            });
        }
        Ok(())
    }

    fn certify(
        &mut self,
        evidence: &Evidence,
        property: &Property,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        let check = self
            .check_of(&property.name)
            .map_err(|trouble| Rejection::wrong(trouble.to_string()))?;
        certify::certify(&self.program, &check, evidence, budget)
    }

    fn doubts(&mut self, cx: &Context) -> Result<Vec<Doubt>, Trouble> {
        let mut doubts = self.idle_predicates(&cx.budget);
        let program = &self.program;
        let written = |at: usize, integer: bool| {
            let one = match integer {
                true => Condition::Zero(Linear::variable(Integer::from_index(at))),
                false => Condition::Boolean(Boolean::from_index(at)),
            };
            program
                .processes
                .iter()
                .any(|process| process.writes_into(&one))
        };
        for (variables, integer) in [(&program.integers, true), (&program.booleans, false)] {
            for (at, variable) in variables
                .iter()
                .enumerate()
                .filter(|(at, _)| !written(*at, integer))
            {
                let _ = at;
                let mut doubt = Doubt::new(
                    "never-written",
                    format!("no process writes `{}`", variable.name),
                );
                doubt.span = Some(variable.span);
                doubts.push(doubt);
            }
        }
        Ok(doubts)
    }

    fn show(&mut self, view: &Viewed, _: &Context) -> Result<Shown, Trouble> {
        show::show(self, view)
    }
}
