//! Progress where counts are compared with what depends on the number of processes.
//!
//! Processes are counted by their values. Where a run makes steps of a kind only finitely often
//! ([`super::ranks`]), there is a moment from which on processes only change that take other steps, such as
//! those that lie; all others have settled. Each of these was unable to take a step at some moment since, as
//! the run is fair. How many there are of each kind is a number; that all of this is so, and that somebody
//! waits, says something about sums of these numbers, and if no numbers satisfy it, nobody waits for ever.
//!
//! No engine is used here: checking evidence rests on it.

mod cases;
mod counted;

use quotient_arithmetic::{Condition, is_impossible};
use quotient_core::{Budget, Stop};
use quotient_logic::{Kind, Unary};

use super::ranks::{Change, Ranks, Unsound, Weighable};
use crate::model::{Bound, Demand, Expr, Protocol, Step, Value};
pub(crate) use cases::Cases;
use counted::{Moment, Numbers, People};

/// What is asked: from where on somebody waits for what, perhaps somebody about whom it is.
struct Asked {
    from: Expr,
    to: Expr,
    people: usize,
}

impl Protocol {
    /// A property that says what must happen as what becomes of it once all have settled; nothing if it
    /// cannot be asked so.
    pub(crate) fn settled(
        &self,
        property: &str,
        budget: &Budget,
    ) -> Result<Option<Settled<'_>>, Stop> {
        let Some(asked) = self.progress_demand(property).and_then(asked) else {
            return Ok(None);
        };
        let cases = Cases::new(self, budget)?;
        Ok(cases.map(|cases| Settled {
            protocol: self,
            asked,
            cases,
        }))
    }
}

/// What is asked, if it is that something happens after something, or at all.
fn asked(demand: &Demand) -> Option<Asked> {
    match demand {
        Demand::LeadsTo(from, to) => Some(Asked {
            from: from.clone(),
            to: to.clone(),
            people: 1,
        }),
        Demand::Happens(happens) if happens.people <= 1 => {
            let Kind::Unary(Unary::Finally(None), inner) = &happens.formula.kind else {
                return None;
            };
            let Kind::Atom(to) = &inner.kind else {
                return None;
            };
            Some(Asked {
                from: Expr::TRUE,
                to: to.clone(),
                people: happens.people,
            })
        }
        _ => None,
    }
}

/// A protocol whose processes are counted by their values, and what is asked of it.
pub(crate) struct Settled<'p> {
    protocol: &'p Protocol,
    asked: Asked,
    pub(crate) cases: Cases,
}

impl Settled<'_> {
    /// Whether, once the steps are over that become rare by these weights, nobody can wait.
    pub(crate) fn is_shown_by(&self, ranks: &Ranks, budget: &Budget) -> Result<bool, Unsound> {
        let finite = self.cases.finite(ranks, budget)?;
        let left: Vec<bool> = finite.iter().map(|finite| !finite).collect();
        let Some(restless) = self.cases.restless(&left) else {
            return Ok(false);
        };
        for globals in 0..self.cases.globals.len() {
            budget.poll()?;
            if !self.nobody_waits(globals, &restless, &left, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether nobody can wait where the globals have these values.
    fn nobody_waits(
        &self,
        globals: usize,
        restless: &[bool],
        left: &[bool],
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let mut numbers = Numbers::new(self.protocol, &self.cases, restless, globals);
        let mut all = Vec::new();
        let mut moments: Vec<Option<Moment>> = Vec::new();
        for (state, &is_restless) in restless.iter().enumerate() {
            if is_restless {
                moments.push(None);
                continue;
            }
            // It may take steps again and again that change nothing.
            let moment = numbers.moment();
            let busy = (self.cases.variants.iter().zip(left))
                .any(|(variant, left)| *left && variant.owed && variant.own == Some(state));
            if !busy {
                let unable = self.unable(&numbers, state, moment);
                all.push(Condition::Or(vec![numbers.none(state), unable]));
            }
            moments.push(Some(moment));
        }
        // Steps that nobody takes are each fair by themselves: at no moment all of them need be impossible.
        let steps = &self.protocol.steps;
        for step in steps
            .iter()
            .filter(|step| step.people.is_empty() && step.is_owed())
        {
            let taken = (self.cases.variants.iter().zip(left))
                .any(|(variant, left)| *left && steps[variant.step].name == step.name);
            if !taken {
                let any = numbers.moment();
                all.push(self.impossible(&numbers, step, &People::of(Vec::new()), any));
            }
        }
        all.extend(self.gates(&numbers, restless));
        let from = self.lasting(&self.asked.from);
        for (state, moment) in moments.iter().enumerate() {
            budget.poll()?;
            if self.asked.people == 0 && state > 0 {
                break;
            }
            let moment = moment.unwrap_or_else(|| numbers.moment());
            let people = match self.asked.people {
                0 => People::of(Vec::new()),
                _ => People::of(vec![state]),
            };
            let mut waits = vec![numbers.over(&self.asked.to, false, &people, moment)];
            if self.asked.people > 0 {
                waits.push(numbers.some(state, moment));
            }
            for part in &from {
                waits.push(numbers.over(part, true, &people, moment));
            }
            waits.extend(all.iter().cloned());
            waits.extend(numbers.always());
            let waits: Vec<Condition> = waits.into_iter().map(simplified).collect();
            if !is_impossible(&waits) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// That a process in a state can take no step that it is owed, at a moment.
    fn unable(&self, numbers: &Numbers<'_>, state: usize, moment: Moment) -> Condition {
        let people = People::of(vec![state]);
        let steps = self.protocol.steps.iter();
        let owed = steps.filter(|step| step.is_owed() && !step.people.is_empty());
        let unable = owed.map(|step| self.impossible(numbers, step, &people, moment));
        Condition::And(unable.collect())
    }

    /// That a step cannot be taken at a moment, by a process of which this is known if one takes it.
    fn impossible(
        &self,
        numbers: &Numbers<'_>,
        step: &Step,
        people: &People,
        moment: Moment,
    ) -> Condition {
        // What is assumed of all configurations may forbid a step.
        if self.cases.may_be_forbidden(self.protocol, step) {
            return Condition::Constant(true);
        }
        let can = super::possible::can_be_taken(self.protocol, step);
        numbers.over(&can, false, people, moment)
    }

    /// The parts of a condition that stay true once they are.
    fn lasting(&self, from: &Expr) -> Vec<Expr> {
        match from {
            Expr::And(parts) => parts.iter().flat_map(|part| self.lasting(part)).collect(),
            Expr::Quantified {
                exists: true,
                bound,
                body,
            } => {
                let alone = *bound == Bound::default() && self.stays(body, self.asked.people);
                alone.then(|| from.clone()).into_iter().collect()
            }
            part => {
                let own = self.asked.people == 1 && self.stays(part, 0);
                own.then(|| from.clone()).into_iter().collect()
            }
        }
    }

    /// Whether a plain condition on the variables of one process, of this number, stays true.
    fn stays(&self, condition: &Expr, who: usize) -> bool {
        let alone = condition.is_plain()
            && !condition.mentions(&|part| match part {
                Expr::Field(known, _) => *known != who,
                Expr::Global(_) | Expr::Size | Expr::Choice(_) | Expr::Pair(..) => true,
                _ => false,
            });
        alone && {
            let inside = |state: usize| self.cases.satisfies(state, condition, who);
            self.cases
                .changes()
                .all(|(from, to)| !inside(from) || inside(to))
        }
    }

    /// What is known of those who came to have a value only by a step that counts: so many were counted
    /// then, and those of them who cannot change are still there.
    fn gates(&self, numbers: &Numbers<'_>, restless: &[bool]) -> Vec<Condition> {
        let mut all = Vec::new();
        if self
            .cases
            .changes()
            .any(|(from, to)| restless[from] && !restless[to])
        {
            return all;
        }
        for (field, variable) in self.protocol.fields.iter().enumerate() {
            for value in variable.domain.values() {
                let inside: Vec<bool> = (self.cases.states.iter().zip(restless))
                    .map(|(state, restless)| state[field] == value && !restless)
                    .collect();
                for (body, comparison, threshold) in self.counted_by_all_ways_into(&inside) {
                    let counted: Vec<bool> = (0..self.cases.states.len())
                        .map(|state| !restless[state] && self.cases.satisfies(state, &body, 1))
                        .collect();
                    let leaves = |(from, to): (usize, usize)| counted[from] && !counted[to];
                    if self.cases.changes().any(leaves) {
                        continue;
                    }
                    all.extend(numbers.gate(&inside, &counted, comparison, &threshold));
                }
            }
        }
        all
    }

    /// What every step asks for that leads a process among some states, if none begins there: that so
    /// many processes satisfy a condition on their own variables.
    fn counted_by_all_ways_into(
        &self,
        inside: &[bool],
    ) -> Vec<(Expr, crate::model::Comparison, Expr)> {
        if (0..inside.len()).any(|state| inside[state] && self.cases.begins[state]) {
            return Vec::new();
        }
        let mut common: Option<Vec<(Expr, crate::model::Comparison, Expr)>> = None;
        for variant in &self.cases.variants {
            let enters =
                |from: usize, to: &[usize]| !inside[from] && to.iter().any(|&to| inside[to]);
            let (mut own, mut other) = (false, false);
            for case in &variant.cases {
                for (number, (from, to)) in case.people.iter().enumerate() {
                    match number {
                        0 => own |= enters(*from, to),
                        _ => other |= enters(*from, to),
                    }
                }
                other |= case.others.iter().any(|(from, to)| enters(*from, to));
            }
            if other {
                return Vec::new();
            }
            if !own {
                continue;
            }
            let step = &self.protocol.steps[variant.step];
            // Who is counted has the number behind the people of the step.
            let here = match step.people.len() {
                1 => thresholds(&step.guard),
                _ => Vec::new(),
            };
            common = Some(match common {
                None => here,
                Some(known) => known.into_iter().filter(|one| here.contains(one)).collect(),
            });
        }
        common.unwrap_or_default()
    }
}

/// The same without parts that are always true or always false.
fn simplified(condition: Condition) -> Condition {
    let each = |parts: Vec<Condition>, without: bool| -> Vec<Condition> {
        let parts = parts.into_iter().map(simplified);
        parts
            .filter(|part| *part != Condition::Constant(without))
            .collect()
    };
    match condition {
        Condition::And(parts) => {
            let parts = each(parts, true);
            match parts.contains(&Condition::Constant(false)) {
                true => Condition::Constant(false),
                false => Condition::And(parts),
            }
        }
        Condition::Or(parts) => {
            let mut parts = each(parts, false);
            if parts.contains(&Condition::Constant(true)) {
                return Condition::Constant(true);
            }
            match (parts.pop(), parts.is_empty()) {
                (None, _) => Condition::Constant(false),
                (Some(only), true) => only,
                (Some(last), false) => {
                    parts.push(last);
                    Condition::Or(parts)
                }
            }
        }
        other => other,
    }
}

/// The counts that the condition of a step of one process asks for in any case, of processes by their own
/// variables.
fn thresholds(guard: &Expr) -> Vec<(Expr, crate::model::Comparison, Expr)> {
    match guard {
        Expr::And(parts) => parts.iter().flat_map(thresholds).collect(),
        Expr::Threshold {
            bound,
            body,
            comparison,
            threshold,
        } if bound.left_of.is_none() && bound.right_of.is_none() => {
            // The one who is counted has the number behind the one who takes the step.
            let own = body.is_plain()
                && !body.mentions(&|part| match part {
                    Expr::Field(who, _) => *who != 1,
                    Expr::Global(_) | Expr::Size | Expr::Choice(_) | Expr::Pair(..) => true,
                    _ => false,
                });
            match own {
                true => vec![((**body).clone(), *comparison, (**threshold).clone())],
                false => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

impl Cases {
    /// Which cases happen only finitely often.
    fn finite(&self, ranks: &Ranks, budget: &Budget) -> Result<Vec<bool>, Unsound> {
        let mut finite = vec![false; self.variants.len()];
        for list in &ranks.lists {
            let weights = ranks.weights_of(list, &self.names)?;
            let mut now = finite.clone();
            for (number, variant) in self.variants.iter().enumerate() {
                if finite[number] {
                    continue;
                }
                match variant.most(&weights, budget)? {
                    Change::AtMost(most, _) if most < 0 => now[number] = true,
                    Change::AtMost(0, _) | Change::Never => {}
                    _ => return Err(Unsound::Grows(variant.name.clone())),
                }
            }
            finite = now;
        }
        Ok(finite)
    }

    /// The states of processes that may change for ever; nothing if globals do.
    fn restless(&self, left: &[bool]) -> Option<Vec<bool>> {
        let mut restless = vec![false; self.states.len()];
        for (variant, _) in self.variants.iter().zip(left).filter(|(_, left)| **left) {
            for case in &variant.cases {
                if case.to_globals.iter().any(|to| *to != case.globals) {
                    return None;
                }
                for (from, to) in case.people.iter().chain(&case.others) {
                    for one in to.iter().filter(|one| *one != from) {
                        (restless[*from], restless[*one]) = (true, true);
                    }
                }
            }
        }
        Some(restless)
    }

    /// Whether a state satisfies a plain condition on a process of this number.
    fn satisfies(&self, state: usize, condition: &Expr, who: usize) -> bool {
        let values: &[Value] = &self.states[state];
        let known = crate::compile::Known {
            globals: None,
            people: (0..=who)
                .map(|one| (one == who).then_some(values))
                .collect(),
            choices: &[],
        };
        known.value(condition).is_some_and(|value| value != 0)
    }
}
