//! Leave out, check, put back: the loop of `core` over the variables of a protocol.

use quotient_core::{Attempt, Context, Evidence, Method, Stop, Trouble};
use quotient_regular::{Found, Options};

use super::bent::variables;
use super::tried::{Alarm, Tried, tried};
use super::{Kept, Needed, Which};
use crate::model::{Action, Chosen, Condition, Demand, Expr, Property, Protocol, Step};
use crate::{Configuration, Interpreter};

/// One part of a property, asked with fewer variables.
pub(crate) struct Fewer<'a> {
    protocol: &'a Protocol,
    property: &'a Property,
    part: Demand,
    options: &'a Options,
    kept: Kept,
}

/// Why a part holds.
#[derive(Debug, Clone)]
pub(crate) struct Shown {
    /// The variables that are enough.
    pub(crate) kept: Kept,
    /// An invariant of the words of the protocol with these.
    pub(crate) evidence: Evidence,
}

/// A run of the whole protocol, with the names of its steps.
type Run = (Vec<Configuration>, Vec<String>);

impl<'a> Fewer<'a> {
    /// Begins with the variables that the part speaks of.
    pub(crate) fn new(
        protocol: &'a Protocol,
        property: &'a Property,
        part: Demand,
        options: &'a Options,
    ) -> Fewer<'a> {
        let mut kept = Kept::fewest(protocol);
        if let Demand::Never(Condition::Holds(expr)) = &part {
            variables(expr)
                .into_iter()
                .for_each(|which| kept.set(which, true));
        }
        Fewer {
            protocol,
            property,
            part,
            options,
            kept,
        }
    }

    fn all(&self) -> Kept {
        let mut all = self.kept.clone();
        let missing = all.missing();
        missing.into_iter().for_each(|which| all.set(which, true));
        all
    }

    /// The protocol with these variables and with those that they need to be set at all.
    fn with(&self, kept: &mut Kept) -> Protocol {
        loop {
            match self.protocol.with_fewer(kept, self.property, &self.part) {
                Ok(protocol) => return protocol,
                Err(Needed(more)) => more.into_iter().for_each(|which| kept.set(which, true)),
            }
        }
    }

    fn try_with(&self, kept: &Kept, alarm: &Alarm, cx: &Context) -> Result<Tried, Stop> {
        let mut kept = kept.clone();
        let wider = self.with(&mut kept);
        tried(&wider, &kept, alarm, &cx.budget)
    }

    /// The variables that these depend on, by one step; of the steps that are named, or of all.
    fn next(&self, kept: &Kept) -> Kept {
        let mut next = kept.clone();
        for step in &self.protocol.steps {
            let matters = step.alternatives.iter().flatten();
            let matters = matters.clone().any(|action| sets(action, kept));
            if matters || self.part_asks_for(step) {
                reads(step)
                    .into_iter()
                    .for_each(|which| next.set(which, true));
            }
        }
        for condition in &self.protocol.initially {
            if let Condition::Holds(expr) = condition {
                let own = variables(expr);
                if own.iter().any(|which| kept.has(*which)) {
                    own.into_iter().for_each(|which| next.set(which, true));
                }
            }
        }
        next
    }

    /// Whether it is asked if a step can be taken.
    fn part_asks_for(&self, step: &Step) -> bool {
        matches!(self.part, Demand::NoDeadlock) && step.is_owed()
    }

    /// A variable that rules a run out, or two, of those that come into question.
    fn few(
        &self,
        two: bool,
        among: &Kept,
        alarm: &Alarm,
        cx: &Context,
    ) -> Result<Option<Kept>, Stop> {
        const MOST_PAIRS: usize = 40;
        let missing = alarm.kept.missing().into_iter();
        let missing: Vec<Which> = missing.filter(|one| among.has(*one)).collect();
        let pairs = missing.iter().enumerate();
        let pairs =
            pairs.flat_map(|(at, one)| missing[at + 1..].iter().map(|two| vec![*one, *two]));
        let tried: Vec<Vec<Which>> = match two {
            true => pairs.take(MOST_PAIRS).collect(),
            false => missing.iter().map(|one| vec![*one]).collect(),
        };
        for more in tried {
            let mut kept = alarm.kept.clone();
            more.into_iter().for_each(|one| kept.set(one, true));
            if let Tried::Never = self.try_with(&kept, alarm, cx)? {
                return Ok(Some(kept));
            }
        }
        Ok(None)
    }

    /// Of the variables that together rule a run out, as few as are needed for that.
    fn fewest(&self, enough: Kept, alarm: &Alarm, cx: &Context) -> Result<Kept, Stop> {
        let more: Vec<Which> = alarm.kept.missing();
        let more = more.into_iter().filter(|one| enough.has(*one));
        let more: Vec<Which> = more.collect();
        if let Some(kept) = self.few(false, &enough, alarm, cx)? {
            return Ok(kept);
        }
        let mut kept = enough;
        for one in more {
            kept.set(one, false);
            if !matches!(self.try_with(&kept, alarm, cx)?, Tried::Never) {
                kept.set(one, true);
            }
        }
        Ok(kept)
    }
}

impl Method for Fewer<'_> {
    type Proof = Shown;
    type Trace = Run;
    type Spurious = Kept;

    fn attempt(&mut self, cx: &mut Context) -> Result<Attempt<Shown, Run, Kept>, Stop> {
        let mut kept = self.kept.clone();
        let small = self.with(&mut kept);
        self.kept = kept;
        let stopped = |trouble: Trouble| match trouble {
            Trouble::Stopped(stop) => stop,
            invalid => Stop::inconclusive(format!("with the variables that matter, {invalid}")),
        };
        let mut compiled = small.compile_steps(1, &cx.budget).map_err(stopped)?;
        let name = &self.property.name;
        small
            .compile_property(&mut compiled, name, &cx.budget)
            .map_err(stopped)?;
        let problem = compiled
            .problem()
            .map_err(|error| Stop::inconclusive(error.to_string()))?;
        let report = quotient_regular::check(&problem, self.options, cx);
        let Some(answer) = report.answers.into_iter().next() else {
            return Err(Stop::inconclusive("there is nothing to ask"));
        };
        let run = match &answer.found {
            Found::Proof(_) => {
                let evidence = answer.evidence(&problem, false);
                let evidence =
                    evidence.ok_or_else(|| Stop::inconclusive("there is no evidence"))?;
                let kept = self.kept.clone();
                return Ok(Attempt::Proved(Shown { kept, evidence }));
            }
            Found::Nothing(stop) => return Err(stop.clone()),
            Found::Run(run) => run,
        };
        let interpreter = Interpreter::new(&small, &compiled);
        let words = run.words.iter();
        let alarm = Alarm {
            kept: self.kept.clone(),
            configurations: words.map(|word| interpreter.configuration(word)).collect(),
        };
        let mut level = self.kept.clone();
        // Small protocols are quickly tried.
        if let Some(kept) = self.few(false, &self.next(&level), &alarm, cx)? {
            return Ok(Attempt::FalseAlarm(kept));
        }
        loop {
            let next = self.next(&level);
            let last = next == level;
            level = if last { self.all() } else { next };
            match self.try_with(&level, &alarm, cx)? {
                Tried::Never => {
                    let kept = self.fewest(level, &alarm, cx)?;
                    return Ok(Attempt::FalseAlarm(kept));
                }
                Tried::Unsure => {
                    let next = self.next(&self.kept);
                    if let Some(kept) = self.few(true, &next, &alarm, cx)? {
                        return Ok(Attempt::FalseAlarm(kept));
                    }
                    // What it depends on at once may be enough.
                    let more = if next == self.kept { level } else { next };
                    return Ok(Attempt::FalseAlarm(more));
                }
                Tried::Goes(configurations, steps) => {
                    if level.missing().is_empty() {
                        return Ok(Attempt::Refuted((configurations, steps)));
                    }
                    if last {
                        return Err(Stop::inconclusive("no run was found with all variables"));
                    }
                    let closer = Alarm {
                        kept: level.clone(),
                        configurations,
                    };
                    // Nothing that is left out now has a say in what it does.
                    if self.next(&level) == level
                        && let Tried::Goes(configurations, steps) =
                            self.try_with(&self.all(), &closer, cx)?
                    {
                        return Ok(Attempt::Refuted((configurations, steps)));
                    }
                }
            }
        }
    }

    fn refine(&mut self, kept: Kept, _: &mut Context) -> Result<(), Stop> {
        if kept == self.kept {
            return Err(Stop::inconclusive("there are too many ways to try a run"));
        }
        self.kept = kept;
        Ok(())
    }
}

/// Whether an action does something with these variables, or with processes and channels.
fn sets(action: &Action, kept: &Kept) -> bool {
    match action {
        Action::SetGlobal(global, _) => kept.globals[*global],
        Action::SetField(_, field, _) => kept.fields[*field],
        Action::Broadcast(broadcast) => {
            let mut set = broadcast.assignments.iter();
            set.any(|(field, _)| kept.fields[*field])
        }
        _ => true,
    }
}

/// The variables that a step asks for.
fn reads(step: &Step) -> Vec<Which> {
    let mut found = variables(&step.guard);
    let mut add = |expr: &Expr| found.extend(variables(expr));
    for action in step.alternatives.iter().flatten() {
        let mut set = Vec::new();
        match action {
            Action::SetGlobal(_, assigned) | Action::SetField(_, _, assigned) => set.push(assigned),
            Action::Broadcast(broadcast) => {
                add(&broadcast.only);
                set.extend(broadcast.assignments.iter().map(|(_, assigned)| assigned));
            }
            Action::Create(_, created) => set.extend(created),
            Action::Channel(_, _, value) => add(value),
            _ => {}
        }
        for assigned in set {
            if let Chosen::Exactly(expr) = &assigned.value {
                add(expr);
            }
        }
    }
    found
}
