//! Formulas about runs.

use quotient_core::{Evidence, Stop, Verdict};
use quotient_explicit::{
    Branching, Halt, Lasso, Linear, Rest, StateId, Steps, carried_on, linear_nearby, linear_part,
};
use quotient_language::{Answer, Random};
use serde_json::json;

use crate::again;
use crate::check::{Checker, MOST_MARKINGS, MOST_NUMBERS, Ready, Task};
use crate::diagram;
use crate::evidence::{self, LASSO, Markings, PART};
use crate::examination::Sharing;
use crate::formula::{Question, Temporal};
use crate::judge::{self, Part};
use crate::net::Net;
use crate::space::Space;
use crate::trace;

/// How much work it is worth to see that evidence will be believed.
pub(crate) const JUDGED: u64 = 20_000_000;
/// How much is looked at in the first round; each round looks at eight times as much.
const FIRST_ROUND: usize = 4_000;
/// Runs at random, and how long they are.
const RUNS: usize = 16;
const RUN_STEPS: usize = 600;

/// Answers the open formulas about runs with at most so many markings; says why the rest is open.
pub(crate) fn solve(
    checker: &Checker<'_>,
    start: &[u64],
    most: usize,
    bits: &mut [u32],
    tasks: &mut [Task],
    ready: &mut Ready<'_>,
) -> Result<Option<Stop>, Stop> {
    loop {
        let space = Space::new(checker.net, start, bits);
        let steps = Steps::new(&space, most);
        let mut rounds = Rounds::new(checker, &space, steps, start, most);
        match rounds.run(tasks, ready) {
            Ok(stop) => return Ok(stop),
            Err(Halt::Unfit(place)) => {
                let Some(bits) = bits.get_mut(place as usize).filter(|bits| **bits < 64) else {
                    return Err(Stop::bound("the number of tokens", u64::MAX));
                };
                *bits = (*bits * 2).min(64);
            }
            Err(Halt::Stopped(stop)) => return Err(stop),
        }
    }
}

pub(crate) struct Rounds<'a> {
    pub(crate) checker: &'a Checker<'a>,
    pub(crate) space: &'a Space<'a>,
    pub(crate) steps: Steps<'a>,
    pub(crate) start: &'a [u64],
    most: usize,
}

/// The open formula of a task, if it is of this kind.
fn formula_of(task: &Task, linear: bool) -> Option<&Temporal> {
    match &task.asked.question {
        Question::Temporal(one) if !task.is_answered() && one.linear == linear => Some(one),
        _ => None,
    }
}

impl<'a> Rounds<'a> {
    pub(crate) fn new(
        checker: &'a Checker<'a>,
        space: &'a Space<'a>,
        steps: Steps<'a>,
        start: &'a [u64],
        most: usize,
    ) -> Rounds<'a> {
        Rounds {
            checker,
            space,
            steps,
            start,
            most,
        }
    }
}

impl Rounds<'_> {
    fn run(&mut self, tasks: &mut [Task], ready: &mut Ready<'_>) -> Result<Option<Stop>, Halt> {
        let mut allowed = FIRST_ROUND;
        let mut stop = None;
        loop {
            match self.steps.visit_first(allowed, &self.checker.cx.budget) {
                Ok(_) => {}
                Err(Halt::Stopped(bound @ Stop::Bound { .. })) => stop = Some(bound),
                Err(halt) => return Err(halt),
            }
            self.look(tasks, ready)?;
            let open = tasks.iter().any(Task::is_open_over_time);
            let all = self.steps.visited() == self.steps.graph().len();
            if open && !all && allowed == FIRST_ROUND {
                self.wander()?;
                self.look(tasks, ready)?;
            }
            stop = self.linear(tasks, allowed)?.or(stop);
            diagram::show(self.checker, self.start, tasks)?;
            ready(tasks);
            let open = tasks.iter().any(Task::is_open_over_time);
            if !open || stop.is_some() {
                return Ok(stop);
            }
            allowed = allowed.saturating_mul(8);
        }
    }

    /// What the markings that were visited decide.
    fn look(&mut self, tasks: &mut [Task], ready: &mut Ready<'_>) -> Result<(), Halt> {
        self.again(tasks)?;
        self.branching(tasks)?;
        self.nearby(tasks)?;
        ready(tasks);
        Ok(())
    }

    /// Visits what lies along a few runs at random: where they get stuck, or have come far, much is decided of which
    /// the markings near the start say nothing.
    fn wander(&mut self) -> Result<(), Halt> {
        let budget = &self.checker.cx.budget;
        let mut random = Random::new(7);
        for _ in 0..RUNS {
            let Some(mut at) = self.steps.initial().first().copied() else {
                return Ok(());
            };
            for _ in 0..RUN_STEPS {
                match self.steps.visit(at, budget) {
                    Err(Halt::Stopped(Stop::Bound { .. })) => return Ok(()),
                    visited => visited?,
                }
                let next = self.steps.known(at).unwrap_or_default();
                if next.is_empty() {
                    break;
                }
                at = next[random.below(next.len())];
            }
        }
        Ok(())
    }

    fn branching(&mut self, tasks: &mut [Task]) -> Result<(), Halt> {
        let (net, space) = (self.checker.net, self.space);
        // Those that something can always happen again are answered in another way.
        let wanted = |task: &Task| formula_of(task, false).is_some() && again::open(task).is_none();
        if !tasks.iter().any(wanted) {
            return Ok(());
        }
        let graph = Branching::new(&self.steps);
        let mut markings = None;
        let mut sharing = Sharing::default();
        for task in tasks.iter_mut().filter(|task| wanted(task)) {
            let Some(one) = formula_of(task, false) else {
                continue;
            };
            let mut atom = |number: u32, state: &[u64]| {
                let tokens = |place: usize| space.tokens(state, place);
                one.atoms[number as usize].holds_with(net, &tokens)
            };
            let answer = graph.holds(&one.formula, &mut atom, &self.checker.cx.budget)?;
            let Some(holds) = answer else { continue };
            let part = markings.get_or_insert_with(|| visited(space, &self.steps));
            let verdict = match holds {
                true => Verdict::Holds,
                false => Verdict::Violated,
            };
            let because = match self.steps.visited() == self.steps.graph().len() {
                true => format!(
                    "all {} reachable markings were looked at",
                    self.steps.visited()
                ),
                false => format!("{} markings decide it", self.steps.visited()),
            };
            let mut answer = self.told(task, verdict, because, part.clone());
            answer.evidence = answer
                .evidence
                .map(|evidence| sharing.of(task, || evidence));
            task.answer = Some(answer);
        }
        Ok(())
    }

    /// Looks for runs that break formulas among the markings visited: short ones are found before
    /// long ones.
    fn nearby(&mut self, tasks: &mut [Task]) -> Result<(), Halt> {
        let (net, space) = (self.checker.net, self.space);
        for task in tasks {
            let Some(one) = formula_of(task, true) else {
                continue;
            };
            let budget = &self.checker.cx.budget;
            let mut values = |state: &[u64]| values(net, space, one, state);
            match linear_nearby(&mut self.steps, &one.formula, &mut values, budget) {
                Ok(Some(lasso)) => task.answer = self.broken(task, &lasso)?,
                Ok(None) => {}
                // An automaton that is too large is told of below.
                Err(Halt::Stopped(Stop::Bound { .. } | Stop::Exhausted { .. })) => {}
                Err(halt) => return Err(halt),
            }
        }
        Ok(())
    }

    /// Says if there are too many markings for some of them.
    fn linear(&mut self, tasks: &mut [Task], allowed: usize) -> Result<Option<Stop>, Halt> {
        let mut full = None;
        let (net, space) = (self.checker.net, self.space);
        let budget = &self.checker.cx.budget;
        for task in tasks {
            let Some(one) = formula_of(task, true) else {
                continue;
            };
            let mut values = |state: &[u64]| values(net, space, one, state);
            let share = budget.child_with_work(allowed as u64 * 4);
            let outcome = linear_part(&mut self.steps, &one.formula, &mut values, &share);
            task.answer = match outcome {
                Ok((Linear::Holds(pairs), part)) => {
                    let because = format!(
                        "no run breaks it: {pairs} pairs of a marking and what is left to fulfil"
                    );
                    let part = self.shown(one, &part);
                    Some(self.told(task, Verdict::Holds, because, part))
                }
                Ok((Linear::Violated(lasso), _)) => self.broken(task, &lasso)?,
                Err(Halt::Stopped(Stop::Work)) => {
                    budget.poll()?;
                    None
                }
                Err(Halt::Stopped(stop @ Stop::Bound { .. }))
                    if self.steps.graph().len() >= self.most =>
                {
                    full = Some(stop);
                    None
                }
                Err(Halt::Stopped(stop @ (Stop::Bound { .. } | Stop::Exhausted { .. }))) => {
                    Some(Answer::unknown(&task.asked.name, stop))
                }
                Err(halt) => return Err(halt),
            };
        }
        Ok(full)
    }

    /// Markings that show that no run breaks a formula: all that were visited, or those whose
    /// successors mattered. The automaton is of a simplified formula, so that a checker that
    /// follows the formula as it is may need more: it is asked.
    fn shown(&self, one: &Temporal, part: &[StateId]) -> Option<Vec<Vec<u64>>> {
        let all = visited(self.space, &self.steps);
        let part = all.or_else(|| listed(self.space, &self.steps, part.iter().copied()))?;
        let budget = self.checker.cx.budget.child_with_work(JUDGED);
        let judged = Part::new(self.checker.net, &part, &budget);
        judged.and_then(|judged| judged.linear(one)).ok()?;
        Some(part)
    }

    /// An answer that the markings visited show.
    pub(crate) fn told(
        &self,
        task: &Task,
        verdict: Verdict,
        because: String,
        part: Option<Vec<Vec<u64>>>,
    ) -> Answer {
        let mut answer = Answer::new(&task.asked.name, verdict.clone()).because(because);
        match part.map(|markings| Markings { markings }) {
            Some(part) => {
                let evidence = match verdict {
                    Verdict::Holds => Evidence::of_holds(PART, &part),
                    _ => Evidence::of_violated(PART, &part),
                };
                answer.evidence = Some(evidence.about(&task.asked.name));
            }
            None => {
                let note = "the markings are too many to be listed as evidence";
                answer.notes.push(note.to_owned());
            }
        }
        let markings = self.steps.visited();
        answer
            .details
            .push(("markings".to_owned(), json!(markings)));
        answer.by("search")
    }

    /// A run breaks the formula. If its beginning decides, it need not go on, unless that cannot be
    /// shown.
    pub(crate) fn broken(&mut self, task: &Task, lasso: &Lasso) -> Result<Option<Answer>, Halt> {
        if lasso.rest != Rest::Any || self.is_shown(task, lasso) {
            return Ok(Some(self.told_by(task, lasso)));
        }
        let budget = &self.checker.cx.budget;
        match carried_on(&mut self.steps, lasso, budget) {
            Ok(whole) => Ok(Some(self.told_by(task, &whole))),
            Err(Halt::Stopped(Stop::Bound { .. })) => Ok(None),
            Err(halt) => Err(halt),
        }
    }

    /// Whether the checker will say that the beginning of a run breaks the formula.
    pub(crate) fn is_shown(&self, task: &Task, lasso: &Lasso) -> bool {
        let net: &Net = self.checker.net;
        let (Question::Temporal(one) | Question::Fair(one)) = &task.asked.question else {
            return false;
        };
        let mut run = vec![self.start.to_vec()];
        for &label in &lasso.labels {
            let last = run.last();
            let next = last.and_then(|last| net.transitions[label as usize].fire(last));
            run.extend(next);
        }
        let budget = self.checker.cx.budget.child_with_work(JUDGED);
        judge::is_broken_by(net, one, &run, &budget).is_ok_and(|broken| broken)
    }

    pub(crate) fn told_by(&self, task: &Task, lasso: &Lasso) -> Answer {
        told_by(self.checker.net, self.start, task, lasso)
    }
}

/// An answer that a run shows.
pub(crate) fn told_by(net: &Net, start: &[u64], task: &Task, lasso: &Lasso) -> Answer {
    let fired: Vec<usize> = lasso.labels.iter().map(|&label| label as usize).collect();
    let back = match lasso.rest {
        Rest::Back(back) => Some(back),
        Rest::Stuck | Rest::Any => None,
    };
    let body = evidence::Lasso {
        run: evidence::run(net, start, &fired),
        back_to: back,
        decides: lasso.rest == Rest::Any,
    };
    let mut trace = trace::of(net, start, &fired);
    let is_whole = fired.len() < trace.steps.len();
    trace.back_to = back.filter(|_| is_whole);
    if lasso.rest == Rest::Stuck && is_whole {
        trace.ending.push("nothing can fire any more".to_owned());
    }
    let because = trace::broken_by(fired.len(), back, lasso.rest == Rest::Any);
    Answer::new(&task.asked.name, Verdict::Violated)
        .because(because)
        .by("search")
        .with_trace(trace)
        .with_evidence(Evidence::of_violated(LASSO, &body).about(&task.asked.name))
}

/// Which conditions of a formula hold in a marking, as bits.
pub(crate) fn values(net: &Net, space: &Space<'_>, one: &Temporal, state: &[u64]) -> u64 {
    let tokens = |place: usize| space.tokens(state, place);
    let mut values = 0;
    for (number, atom) in one.atoms.iter().take(64).enumerate() {
        values |= u64::from(atom.holds_with(net, &tokens)) << number;
    }
    values
}

/// The markings whose successors are known, if they are few.
pub(crate) fn visited(space: &Space<'_>, steps: &Steps<'_>) -> Option<Vec<Vec<u64>>> {
    if steps.visited() > MOST_MARKINGS {
        return None;
    }
    let all = StateId::all(steps.graph().len());
    let known: Vec<StateId> = all.filter(|&id| steps.known(id).is_some()).collect();
    listed(space, steps, known.into_iter())
}

/// Markings by number, if they are few.
pub(crate) fn listed(
    space: &Space<'_>,
    steps: &Steps<'_>,
    numbers: impl ExactSizeIterator<Item = StateId>,
) -> Option<Vec<Vec<u64>>> {
    let number = numbers.len();
    if number > MOST_MARKINGS || number.saturating_mul(space.places()) > MOST_NUMBERS {
        return None;
    }
    let mut all = Vec::with_capacity(number);
    for id in numbers {
        let mut marking = Vec::new();
        space.unpack(&steps.graph().state(id), &mut marking);
        all.push(marking);
    }
    Some(all)
}
