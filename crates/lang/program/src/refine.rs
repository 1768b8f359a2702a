//! The loop: abstract, check, turn unknowns into parameters, or widen the spotlight.

use std::cell::RefCell;
use std::rc::Rc;

use quotient_arithmetic::Condition;
use quotient_core::{Attempt, Context, Method, Stop, What};

use crate::abstraction::{Abstraction, Builder, MOST_PARAMETERS, Site, Spotlight, Value};
use crate::ltl::automaton;
use crate::program::{Assign, Atom, Check, Program, before, leaves};
use crate::solver::Solver;
use crate::three::{Answer, Labels, Path, Question, answer, is_on_cycle};

/// Spotlight abstraction of one program for one property.
pub(crate) struct Spotting<'a> {
    program: &'a Program,
    question: Question,
    /// Atoms of the property, for parameters.
    wanted: Vec<Condition>,
    /// Whether unknowns may become parameters: invariants and recurrence only.
    parameters: bool,
    pub(crate) spotlight: Spotlight,
    forbidden: Vec<Site>,
    /// What happened, for people.
    pub(crate) story: Vec<String>,
    pub(crate) last: Option<Abstraction>,
    /// How often a parameter was introduced, and how many checks there were.
    pub(crate) introduced: usize,
    pub(crate) checks: u64,
    /// Whoever is asked where the built-in solver is not certain.
    pub(crate) solver: Option<Rc<RefCell<Solver>>>,
}

/// What proves a property: the spotlight, and the predicates whose unknowns were told apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Proof {
    pub(crate) split: Vec<usize>,
}

/// An unconfirmed counterexample.
pub(crate) struct Alarm {
    pub(crate) path: Path,
    valuation: u64,
    /// The last parameter gives both answers.
    divided: bool,
}

/// The most predicates in the spotlight.
const MOST_PREDICATES: usize = 24;

impl<'a> Spotting<'a> {
    /// The first spotlight: processes and predicates of the property.
    pub(crate) fn new(
        program: &'a Program,
        check: &Check,
        parameters: bool,
    ) -> Result<Spotting<'a>, Stop> {
        let mut spotlight = Spotlight::default();
        let mut wanted = Vec::new();
        for atom in check.formula.atoms() {
            match atom {
                Atom::Condition(condition) => wanted.extend(leaves(&condition)),
                Atom::At(process, _) => spotlight.processes.push(process),
            }
        }
        wanted.dedup();
        // Whoever writes the predicates of the property belongs to it, if nobody else does.
        if spotlight.processes.is_empty() {
            let writes = |number: &usize| {
                wanted
                    .iter()
                    .any(|one| program.processes[*number].writes_into(one))
            };
            spotlight.processes = (0..program.processes.len())
                .filter(writes)
                .take(2)
                .collect();
        }
        // Steps of the shade are not seen, so that `X` needs all processes.
        if check.formula.has_next() {
            spotlight.processes = (0..program.processes.len()).collect();
        }
        spotlight.processes.sort_unstable();
        spotlight.processes.dedup();
        for leaf in &wanted {
            if !spotlight.predicates.contains(leaf) {
                spotlight.predicates.push(leaf.clone());
            }
        }
        let question = match check.formula.invariant() {
            Some(good) => Question::Invariant(good.clone()),
            None => {
                let made = automaton(&check.formula.normal(true));
                Question::Automaton(
                    made.ok_or_else(|| Stop::bound("states of the property's automaton", 2000))?,
                )
            }
        };
        let shaped = check.formula.invariant().is_some() || check.formula.recurrent().is_some();
        Ok(Spotting {
            program,
            question,
            wanted,
            parameters: parameters && shaped,
            spotlight,
            forbidden: Vec::new(),
            story: Vec::new(),
            last: None,
            introduced: 0,
            checks: 0,
            solver: None,
        })
    }

    /// The spotlight that a caller chooses.
    #[cfg(test)]
    pub(crate) fn with_spotlight(mut self, processes: &[usize], predicates: &[Condition]) -> Self {
        self.spotlight.processes = processes.to_vec();
        self.spotlight.predicates = predicates.to_vec();
        self
    }

    fn tell(&mut self, text: String, cx: &Context) {
        cx.story.note(text.clone());
        self.story.push(text);
    }

    /// A branch or a value on a path that may become a parameter.
    fn site(&self, abstraction: &Abstraction, path: &Path, valuation: u64) -> Option<Site> {
        if !self.parameters || self.spotlight.parameters.len() >= MOST_PARAMETERS {
            return None;
        }
        let free = |site: &Site| {
            !self.forbidden.contains(site) && !self.spotlight.parameters.contains(site)
        };
        let steps = || {
            path.steps
                .iter()
                .map(|&(place, step)| (place, &abstraction.steps[place][step]))
        };
        // Rule I: both sides of a branch.
        for (place, step) in steps().filter(|(_, step)| step.value.is_unknown(valuation)) {
            let Some((at, _)) = step.by else { continue };
            let process = self.spotlight.processes[at];
            let location = abstraction.places[place].locations[at];
            let leaving: Vec<_> = self.program.processes[process].leaving(location).collect();
            let [(_, one), (_, other)] = leaving.as_slice() else {
                continue;
            };
            let site = Site::Branch {
                place: abstraction.places[place].clone(),
                process,
            };
            if one.guard.negated() == other.guard && step.value == Value::UNKNOWN && free(&site) {
                return Some(site);
            }
        }
        // Rule II: predicates of the property that are unknown at the end of the prefix.
        let prefix = path.back.unwrap_or(path.steps.len());
        let last = path.steps.get(prefix).map_or(path.end, |(place, _)| *place);
        for (number, predicate) in self.spotlight.predicates.iter().enumerate() {
            let unknown = |place: usize| abstraction.places[place].values[number] == Value::UNKNOWN;
            if !self.wanted.contains(predicate) || !unknown(last) {
                continue;
            }
            if unknown(0) && free(&Site::Start(number)) && !self.is_shaded(predicate) {
                return Some(Site::Start(number));
            }
            for (place, step) in steps().take(prefix).filter(|(_, step)| unknown(step.to)) {
                let Some((at, edge)) = step.by else { continue };
                let process = self.spotlight.processes[at];
                let once = self.program.processes[process].is_taken_once(edge);
                let place = (!once).then(|| abstraction.places[place].clone());
                let site = Site::After {
                    place,
                    process,
                    edge,
                    predicate: number,
                };
                let changed = before(
                    self.program,
                    &self.program.processes[process].edges[edge],
                    predicate,
                ) != *predicate;
                if changed && free(&site) && !self.is_shaded(predicate) {
                    return Some(site);
                }
            }
        }
        None
    }

    fn is_shaded(&self, predicate: &Condition) -> bool {
        let all = self.program.processes.iter().enumerate();
        let mut shade = all.filter(|(number, _)| !self.spotlight.processes.contains(number));
        shade.any(|(_, process)| process.writes_into(predicate))
    }

    /// Widens the spotlight where an unknown of the path comes from.
    fn widen(&mut self, abstraction: &Abstraction, path: &Path, cx: &Context) -> Result<(), Stop> {
        let mut conditions: Vec<(usize, Condition)> = Vec::new();
        for (turn, &(place, step)) in path.steps.iter().enumerate() {
            let step = &abstraction.steps[place][step];
            if let Some((at, edge)) = step.by
                && step.value.may != step.value.must
            {
                let process = self.spotlight.processes[at];
                conditions.push((
                    turn,
                    self.program.processes[process].edges[edge].guard.clone(),
                ));
            }
        }
        let end = path.steps.len();
        conditions.extend(self.wanted.iter().map(|leaf| (end, leaf.clone())));
        // What stands nearest to the violation matters most.
        conditions.reverse();
        for (turn, condition) in conditions {
            if self.source(abstraction, path, turn, &condition, cx)? {
                return Ok(());
            }
        }
        // Whatever else is not in the spotlight yet.
        let predicates = self.spotlight.predicates.clone();
        for predicate in &predicates {
            if self.add_writer(predicate, cx) {
                return Ok(());
            }
        }
        let inside = self.spotlight.processes.clone();
        for process in inside {
            for edge in &self.program.processes[process].edges {
                for leaf in leaves(&edge.guard) {
                    if self.add_predicate(&leaf, cx)? {
                        return Ok(());
                    }
                }
                for predicate in &predicates {
                    for leaf in leaves(&before(self.program, edge, predicate)) {
                        if self.add_predicate(&leaf, cx)? {
                            return Ok(());
                        }
                    }
                }
            }
        }
        match (0..self.program.processes.len()).find(|one| !self.spotlight.processes.contains(one))
        {
            Some(process) => {
                self.add_process(process, cx);
                Ok(())
            }
            None => Err(Stop::exhausted(
                "every process and every predicate of the program is in the spotlight",
            )),
        }
    }

    /// Follows an unknown condition back along a path to what it comes from.
    fn source(
        &mut self,
        abstraction: &Abstraction,
        path: &Path,
        mut turn: usize,
        condition: &Condition,
        cx: &Context,
    ) -> Result<bool, Stop> {
        let mut conditions = leaves(condition);
        loop {
            for leaf in &conditions {
                if self.add_predicate(leaf, cx)? || self.add_writer(leaf, cx) {
                    return Ok(true);
                }
            }
            let place = path.steps.get(turn).map_or(path.end, |(place, _)| *place);
            let unknown = |leaf: &Condition| {
                let at = self
                    .spotlight
                    .predicates
                    .iter()
                    .position(|other| other == leaf);
                at.is_none_or(|at| {
                    let value = abstraction.places[place].values[at];
                    value.may != value.must
                })
            };
            conditions.retain(unknown);
            let Some(earlier) = turn.checked_sub(1) else {
                return Ok(false);
            };
            turn = earlier;
            let (place, step) = path.steps[turn];
            if let Some((at, edge)) = abstraction.steps[place][step].by {
                let edge = &self.program.processes[self.spotlight.processes[at]].edges[edge];
                conditions = conditions
                    .iter()
                    .flat_map(|leaf| leaves(&before(self.program, edge, leaf)))
                    .collect();
                conditions.dedup();
            }
            if conditions.is_empty() || conditions.len() > 100 {
                return Ok(false);
            }
        }
    }

    fn add_predicate(&mut self, leaf: &Condition, cx: &Context) -> Result<bool, Stop> {
        if self.spotlight.predicates.contains(leaf) || !self.program.knows(leaf) {
            return Ok(false);
        }
        if self.spotlight.predicates.len() >= MOST_PREDICATES {
            return Err(Stop::bound("predicates", MOST_PREDICATES as u64));
        }
        self.spotlight.predicates.push(leaf.clone());
        self.spotlight.parameters.clear();
        self.tell(
            format!(
                "the predicate {} enters the spotlight",
                self.program.words(leaf)
            ),
            cx,
        );
        Ok(true)
    }

    /// Adds a shade process that writes into a predicate.
    fn add_writer(&mut self, predicate: &Condition, cx: &Context) -> bool {
        let writer = (0..self.program.processes.len()).find(|number| {
            !self.spotlight.processes.contains(number)
                && self.program.processes[*number].writes_into(predicate)
        });
        if let Some(writer) = writer {
            self.add_process(writer, cx);
        }
        writer.is_some()
    }

    fn add_process(&mut self, process: usize, cx: &Context) {
        self.spotlight.processes.push(process);
        self.spotlight.processes.sort_unstable();
        self.spotlight.parameters.clear();
        let name = &self.program.processes[process].name;
        self.tell(format!("the process {name} enters the spotlight"), cx);
    }

    /// The predicates that parameters tell apart.
    fn split(&self) -> Vec<usize> {
        let predicate = |site: &Site| match site {
            Site::Start(predicate) | Site::After { predicate, .. } => Some(*predicate),
            Site::Branch { .. } => None,
        };
        // Booleans to which any value is assigned were told apart without a parameter.
        let chosen = |predicate: &Condition| {
            let Condition::Boolean(variable) = predicate else {
                return false;
            };
            let processes = self
                .spotlight
                .processes
                .iter()
                .map(|one| &self.program.processes[*one]);
            let mut assigned = processes
                .flat_map(|one| &one.edges)
                .flat_map(|edge| &edge.assign);
            assigned.any(|one| matches!(one, Assign::AnyBoolean(at) if at == variable))
        };
        let any = self.spotlight.predicates.iter().enumerate();
        let any = any
            .filter(|(_, predicate)| chosen(predicate))
            .map(|(number, _)| number);
        let mut split: Vec<usize> = self
            .spotlight
            .parameters
            .iter()
            .filter_map(predicate)
            .chain(any)
            .collect();
        split.sort_unstable();
        split.dedup();
        split
    }

    /// Whether one parameter stands for several abstract states: it may prove, but what refutes
    /// one of its values need not refute the other from the same state.
    fn is_coupled(&self) -> bool {
        let coupled = |site: &Site| matches!(site, Site::After { place: None, .. });
        self.spotlight.parameters.iter().any(coupled)
    }

    /// Whether a proof with parameters may be believed: a value that is chosen once and for all
    /// says nothing of a loop that chooses again and again.
    fn is_sound(&self, abstraction: &Abstraction) -> bool {
        if matches!(self.question, Question::Invariant(_)) {
            return true;
        }
        let place = |site: &Site| match site {
            Site::Start(_) => None,
            Site::After { place, .. } => place.clone(),
            Site::Branch { place, .. } => Some(place.clone()),
        };
        let sites = self.spotlight.parameters.iter().filter_map(place);
        let numbers =
            sites.filter_map(|place| abstraction.places.iter().position(|other| *other == place));
        numbers
            .into_iter()
            .all(|number| !is_on_cycle(abstraction, number))
    }
}

impl Method for Spotting<'_> {
    type Proof = Proof;
    type Trace = Path;
    type Spurious = Alarm;

    fn attempt(&mut self, cx: &mut Context) -> Result<Attempt<Proof, Path, Alarm>, Stop> {
        let builder = Builder::new(self.program, &self.spotlight);
        let mut builder = builder.asking(self.solver.clone());
        let abstraction = builder.build(&cx.budget)?;
        let labels = Labels::new(&mut builder, &abstraction, &self.question);
        let transitions: usize = abstraction.steps.iter().map(Vec::len).sum();
        cx.story.tell(|| What::Step {
            attempt: cx.attempt,
            step: 0,
            sizes: [
                ("processes", self.spotlight.processes.len() as u64),
                ("predicates", self.spotlight.predicates.len() as u64),
                ("parameters", self.spotlight.parameters.len() as u64),
                ("states", abstraction.places.len() as u64),
                ("transitions", transitions as u64),
            ]
            .into(),
        });
        let (mut proved, mut refuted, mut unknown) = (None, None, None);
        for valuation in 0..1u64 << self.spotlight.parameters.len() {
            self.checks += 1;
            cx.budget.charge(abstraction.places.len() as u64 / 8)?;
            match answer(&abstraction, &labels, &self.question, valuation, &cx.budget)? {
                Answer::True => proved = Some(valuation),
                Answer::False(path) => refuted = Some((path, valuation)),
                Answer::Unknown(path) => unknown = unknown.or(Some((path, valuation))),
            }
        }
        let result = match (proved, refuted, unknown) {
            (Some(_), None, None) if self.is_sound(&abstraction) => Attempt::Proved(Proof {
                split: self.split(),
            }),
            (None, Some((path, _)), None) if !self.is_coupled() => Attempt::Refuted(path),
            (proved, refuted, unknown) => {
                let divided = !self.spotlight.parameters.is_empty() && unknown.is_none()
                    || (proved.is_some() && refuted.is_some());
                let (path, valuation) = unknown.or(refuted).unwrap_or_default();
                Attempt::FalseAlarm(Alarm {
                    path,
                    valuation,
                    divided,
                })
            }
        };
        self.last = Some(abstraction);
        Ok(result)
    }

    fn refine(&mut self, alarm: Alarm, cx: &mut Context) -> Result<(), Stop> {
        let Some(abstraction) = self.last.take() else {
            return Err(Stop::exhausted("there is nothing to refine"));
        };
        let result = self.refined(&abstraction, &alarm, cx);
        self.last = Some(abstraction);
        result
    }
}

impl Spotting<'_> {
    fn refined(
        &mut self,
        abstraction: &Abstraction,
        alarm: &Alarm,
        cx: &Context,
    ) -> Result<(), Stop> {
        if alarm.divided {
            if let Some(site) = self.spotlight.parameters.pop() {
                self.tell(
                    "a parameter gives both answers and is not used any more".to_owned(),
                    cx,
                );
                self.forbidden.push(site);
            }
            return self.widen(abstraction, &alarm.path, cx);
        }
        if let Some(site) = self.site(abstraction, &alarm.path, alarm.valuation) {
            let text = match &site {
                Site::Branch { process, .. } => {
                    format!(
                        "a parameter for a branch of {}",
                        self.program.processes[*process].name
                    )
                }
                Site::Start(predicate) | Site::After { predicate, .. } => {
                    format!(
                        "a parameter for {}",
                        self.program.words(&self.spotlight.predicates[*predicate])
                    )
                }
            };
            self.tell(text, cx);
            self.introduced += 1;
            self.spotlight.parameters.push(site);
            return Ok(());
        }
        self.widen(abstraction, &alarm.path, cx)
    }
}
