//! Evidence about pathways, checked by firing reactions and by the kernel of derivations.
//!
//! * A derivation whose lines all follow shows that its last line can be had from its context,
//!   which must be a start.
//! * Aggregates that contain the start and every successor of their members contain all that
//!   can be derived.
//! * Least aggregates stand for all that are at least one of them. If they contain the target and
//!   what comes one reaction before each, and no start is among them, the target is never made.
//!   What exceeds a conserved sum is never reached and may be left out.
//! * Aggregates that contain the target and what comes exactly one reaction before each, and no start, show that the
//!   target is never there exactly.
//! * A sum that no reaction changes keeps its value, and so does one whose changes never happen.
//! * Runs are fired step by step; a formula is evaluated along one that comes back or ends.
//! * No run through aggregates that contain the start and all that follows breaks a formula.

use std::collections::{BTreeMap, BTreeSet};

use quotient_core::{Budget, Certified, Claim, Evidence, Rejection};
use quotient_logic::Formula;
use serde::de::DeserializeOwned;

use crate::cover::is_within;
use crate::derivation::{self, Derivation};
use crate::evidence::{
    AGGREGATES, Aggregates, BASIS, BEFORE, Basis, CONSERVED, Conserved, DERIVATION, Firing, LASSO,
    Lasso, RUNS, Runs, UNCHANGED, Unchanged,
};
use crate::judge;
use crate::pathway::{Aggregate, Pathway, Question};
use crate::runs::Atom;
use crate::sums;

/// Checks evidence about a question.
pub(crate) fn certify(
    pathway: &Pathway,
    name: &str,
    question: &Question,
    evidence: &Evidence,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    if evidence.property.as_deref() != Some(name) {
        return Err(Rejection::wrong("the evidence is about another property"));
    }
    let checker = Checker { pathway, budget };
    let holds = evidence.claim == Claim::Holds;
    let fact = match question {
        Question::Can(target) if holds => checker.derives(evidence, target, false),
        Question::Can(target) => checker.never(evidence, target),
        Question::Never(target) if holds => checker.never(evidence, target),
        Question::Never(target) => checker.derives(evidence, target, false),
        Question::Exactly(target) if holds => checker.derives(evidence, target, true),
        Question::Exactly(target) if evidence.kind == BASIS => checker.never(evidence, target),
        Question::Exactly(target) if evidence.kind == BEFORE => {
            checker.not_exactly(evidence, target)
        }
        Question::Exactly(target) => {
            let all = checker.closed(evidence)?;
            match all.contains(target) {
                true => Err(Rejection::wrong("it is among the aggregates")),
                false => Ok(format!("it is none of {} aggregates", all.len())),
            }
        }
        Question::Always(terms, value) => checker.always(evidence, terms, *value, holds),
        Question::OneEnd => checker.one_end(evidence, holds),
        Question::Runs(formula) if holds => checker.kept(evidence, formula),
        Question::Runs(formula) => checker.broken(evidence, formula),
    }?;
    Ok(Certified {
        property: name.to_owned(),
        facts: vec![fact],
    })
}

fn read<T: DeserializeOwned>(evidence: &Evidence, kind: &str) -> Result<T, Rejection> {
    if evidence.kind != kind {
        let message = format!("`{}` does not show this claim", evidence.kind);
        return Err(Rejection::wrong(message));
    }
    let read = evidence.read();
    read.map_err(|error| Rejection::unreadable(error.to_string()))
}

struct Checker<'a> {
    pathway: &'a Pathway,
    budget: &'a Budget,
}

impl Checker<'_> {
    /// A species by the one way its name is written. Where the order of molecules does not matter
    /// `B*A` would be `A*B` too, and what stands under two names would count once.
    fn species(&self, name: &str) -> Result<usize, Rejection> {
        let species = self.pathway.named(name);
        let own = |&at: &usize| self.pathway.species[at].name() == name;
        let species = species.filter(own);
        species.ok_or_else(|| Rejection::wrong(format!("there is no `{name}`")))
    }

    fn aggregate(&self, named: &BTreeMap<String, u64>) -> Result<Aggregate, Rejection> {
        let mut all = vec![0; self.pathway.species.len()];
        for (name, &number) in named {
            all[self.species(name)?] = number;
        }
        Ok(all)
    }

    fn derives(
        &self,
        evidence: &Evidence,
        target: &[u64],
        exactly: bool,
    ) -> Result<String, Rejection> {
        let derivation: Derivation = read(evidence, DERIVATION)?;
        let (context, shown) = derivation::check(self.pathway, &derivation, self.budget)?;
        if !self.pathway.may_start(&self.aggregate(&context)?) {
            return Err(Rejection::wrong("the derivation is not from the start"));
        }
        if exactly
            && derivation
                .lines
                .iter()
                .any(|line| line.by == derivation::By::AndElim)
        {
            return Err(Rejection::wrong("the derivation leaves something out"));
        }
        match self.aggregate(&shown)? == target {
            true => Ok(format!("a derivation of {} lines", derivation.lines.len())),
            false => Err(Rejection::wrong("the derivation shows something else")),
        }
    }

    /// Aggregates that contain the start and all that follows.
    fn closed(&self, evidence: &Evidence) -> Result<BTreeSet<Aggregate>, Rejection> {
        let listed: Aggregates = read(evidence, AGGREGATES)?;
        let mut all = BTreeSet::new();
        for one in &listed.aggregates {
            self.budget.charge(1)?;
            all.insert(self.aggregate(one)?);
        }
        let start = self.pathway.only_start();
        let start = start.ok_or_else(|| Rejection::wrong("there are many starts"))?;
        if !all.contains(&start) {
            return Err(Rejection::wrong("the start is not among the aggregates"));
        }
        for aggregate in &all {
            for rule in &self.pathway.rules {
                self.budget.charge(1)?;
                let closed = match rule.fire(aggregate) {
                    Some(next) => all.contains(&next),
                    None => !rule.is_enabled(aggregate),
                };
                if !closed {
                    let name = &self.pathway.reactions[rule.reaction].name;
                    let message = format!("`{name}` leads out of the aggregates");
                    return Err(Rejection::wrong(message));
                }
            }
        }
        Ok(all)
    }

    fn never(&self, evidence: &Evidence, target: &[u64]) -> Result<String, Rejection> {
        if evidence.kind == AGGREGATES {
            let all = self.closed(evidence)?;
            return match all.iter().any(|one| is_within(target, one)) {
                true => Err(Rejection::wrong("one of the aggregates contains it")),
                false => Ok(format!("none of {} aggregates contains it", all.len())),
            };
        }
        self.basis(&read(evidence, BASIS)?, target)
    }

    /// Least aggregates show that no start leads to a target.
    fn basis(&self, listed: &Basis, target: &[u64]) -> Result<String, Rejection> {
        let least: Result<Vec<Aggregate>, Rejection> =
            listed.least.iter().map(|one| self.aggregate(one)).collect();
        let least = least?;
        let mut limits = Vec::new();
        for sum in &listed.sums {
            limits.push(self.limit(sum)?);
        }
        let covered = |one: &[u64]| {
            let mut limits = limits.iter();
            least.iter().any(|less| is_within(less, one))
                || limits.any(|(weights, value)| sums::value(weights, one) > *value)
        };
        if !covered(target) {
            return Err(Rejection::wrong("the target is left out"));
        }
        let (start, unlimited) = (self.pathway.least_start(), self.pathway.unlimited());
        for one in &least {
            let enough = |at: usize| unlimited[at] || one[at] <= start[at];
            if (0..one.len()).all(enough) {
                return Err(Rejection::wrong("a start is among the least aggregates"));
            }
            for rule in &self.pathway.rules {
                self.budget.charge(1 + least.len() as u64 / 64)?;
                if !covered(&rule.before(one)) {
                    let name = &self.pathway.reactions[rule.reaction].name;
                    return Err(Rejection::wrong(format!("`{name}` leads in from outside")));
                }
            }
        }
        Ok(format!("{} least aggregates without a start", least.len()))
    }

    /// Nothing from which exactly a target comes is a start.
    fn not_exactly(&self, evidence: &Evidence, target: &[u64]) -> Result<String, Rejection> {
        let listed: Aggregates = read(evidence, BEFORE)?;
        let mut all = BTreeSet::new();
        for one in &listed.aggregates {
            self.budget.charge(1)?;
            all.insert(self.aggregate(one)?);
        }
        if !all.contains(target) {
            return Err(Rejection::wrong("the target is left out"));
        }
        for one in &all {
            if self.pathway.may_start(one) {
                return Err(Rejection::wrong("a start is among the aggregates"));
            }
            for rule in &self.pathway.rules {
                self.budget.charge(1)?;
                if rule.undo(one).is_some_and(|before| !all.contains(&before)) {
                    let name = &self.pathway.reactions[rule.reaction].name;
                    return Err(Rejection::wrong(format!("`{name}` leads in from outside")));
                }
            }
        }
        Ok(format!("it comes from none but {} aggregates", all.len()))
    }

    /// A sum without negative weights that no reaction changes, with its value at every start.
    fn limit(&self, sum: &BTreeMap<String, i64>) -> Result<(Vec<i64>, i128), Rejection> {
        let mut weights = vec![0; self.pathway.species.len()];
        let unlimited = self.pathway.unlimited();
        for (name, &weight) in sum {
            let species = self.species(name)?;
            if weight < 0 || unlimited[species] {
                return Err(Rejection::wrong("a sum has no value at the start"));
            }
            weights[species] = weight;
        }
        for rule in &self.pathway.rules {
            self.budget.charge(1)?;
            let changes = weights.iter().enumerate();
            let change: i128 = changes
                .map(|(species, &weight)| i128::from(weight) * i128::from(rule.change(species)))
                .fold(0, i128::saturating_add);
            if change != 0 {
                return Err(Rejection::wrong("a reaction changes a sum"));
            }
        }
        let value = sums::value(&weights, &self.pathway.least_start());
        Ok((weights, value))
    }

    fn always(
        &self,
        evidence: &Evidence,
        terms: &[(usize, i64)],
        wanted: i64,
        holds: bool,
    ) -> Result<String, Rejection> {
        let mut weights = vec![0; self.pathway.species.len()];
        for &(species, factor) in terms {
            weights[species] = factor;
        }
        let wanted = i128::from(wanted);
        if !holds {
            let ends = self.ends(evidence)?;
            let [end] = &ends[..] else {
                return Err(Rejection::wrong("one run is needed"));
            };
            return match sums::value(&weights, end) == wanted {
                true => Err(Rejection::wrong(
                    "the sum has its value at the end of the run",
                )),
                false => Ok("a run changes the sum".to_owned()),
            };
        }
        if evidence.kind == AGGREGATES {
            let all = self.closed(evidence)?;
            return match all.iter().all(|one| sums::value(&weights, one) == wanted) {
                true => Ok(format!("all {} aggregates have the sum", all.len())),
                false => Err(Rejection::wrong("an aggregate has another sum")),
            };
        }
        let unlimited = self.pathway.unlimited();
        let counted = terms
            .iter()
            .any(|&(species, factor)| factor != 0 && unlimited[species]);
        let start = sums::value(&weights, &self.pathway.least_start());
        if counted || start != wanted {
            return Err(Rejection::wrong("the start changes the sum"));
        }
        let mut changing = self.pathway.rules.iter().filter(|rule| !rule.keeps(terms));
        if evidence.kind == UNCHANGED {
            let claimed: Unchanged = read(evidence, UNCHANGED)?;
            let mut never = claimed.never.iter();
            for rule in changing {
                let basis = never.next();
                let basis = basis.ok_or_else(|| Rejection::wrong("a reaction is left out"))?;
                self.basis(basis, &self.pathway.needs(rule))?;
            }
            return Ok("no reaction that changes the sum can happen".to_owned());
        }
        let claimed: Conserved = read(evidence, CONSERVED)?;
        match changing.next().is_none() && i128::from(claimed.value) == wanted {
            true => Ok("no reaction changes the sum".to_owned()),
            false => Err(Rejection::wrong("a reaction changes the sum")),
        }
    }

    /// Where runs end.
    fn ends(&self, evidence: &Evidence) -> Result<Vec<Aggregate>, Rejection> {
        let runs: Runs = read(evidence, RUNS)?;
        let start = self.beginning(runs.start.as_ref())?;
        let mut ends = Vec::new();
        for run in &runs.runs {
            ends.extend(self.fired(&start, run)?.pop());
        }
        Ok(ends)
    }

    /// Where runs begin: as it is told, or with as little as may be.
    fn beginning(&self, named: Option<&BTreeMap<String, u64>>) -> Result<Aggregate, Rejection> {
        let start = match named {
            Some(named) => self.aggregate(named)?,
            None => self.pathway.least_start(),
        };
        match self.pathway.may_start(&start) {
            true => Ok(start),
            false => Err(Rejection::wrong("the run does not begin at a start")),
        }
    }

    /// The aggregates of a run, the start and what is there after each reaction.
    fn fired(&self, start: &Aggregate, run: &[Firing]) -> Result<Vec<Aggregate>, Rejection> {
        let mut all = vec![start.clone()];
        let mut aggregate = start.clone();
        for firing in run {
            self.budget.charge(1)?;
            let takes = self.aggregate(&firing.takes)?;
            let fits = |rule: &&crate::pathway::Rule| {
                let mut needs = vec![0; takes.len()];
                for &(species, number) in &rule.take {
                    needs[species] = number;
                }
                self.pathway.reactions[rule.reaction].name == firing.reaction && needs == takes
            };
            let rule = self.pathway.rules.iter().find(fits);
            let next = rule.and_then(|rule| rule.fire(&aggregate));
            aggregate = next.ok_or_else(|| {
                Rejection::wrong(format!("`{}` cannot happen there", firing.reaction))
            })?;
            all.push(aggregate.clone());
        }
        Ok(all)
    }

    /// No run breaks a formula.
    fn kept(&self, evidence: &Evidence, formula: &Formula<Atom>) -> Result<String, Rejection> {
        let all: Vec<Aggregate> = self.closed(evidence)?.into_iter().collect();
        let start = self.pathway.least_start();
        match judge::is_broken(self.pathway, &start, &all, formula, self.budget)? {
            true => Err(Rejection::wrong("some run breaks the formula")),
            false => Ok(format!("no run through {} aggregates breaks it", all.len())),
        }
    }

    /// A run breaks a formula.
    fn broken(&self, evidence: &Evidence, formula: &Formula<Atom>) -> Result<String, Rejection> {
        let lasso: Lasso = read(evidence, LASSO)?;
        let start = self.beginning(lasso.start.as_ref())?;
        let mut states = self.fired(&start, &lasso.run)?;
        let last = states.len() - 1;
        let back = match lasso.back {
            Some(back) if back < last && states[back] == states[last] => {
                states.pop();
                back
            }
            Some(_) => return Err(Rejection::wrong("the run does not come back")),
            None if Atom::Ended.holds(self.pathway, &states[last]) => last,
            None => return Err(Rejection::wrong("the run can go on where it ends")),
        };
        let holds = |atom: &Atom, state: usize| atom.holds(self.pathway, &states[state]);
        match formula.on_lasso(states.len(), back, &holds) {
            Some(along) if !along[0] => Ok(format!("a run of {last} reactions breaks it")),
            Some(_) => Err(Rejection::wrong("the run fulfils the formula")),
            None => Err(Rejection::unreadable("the formula is not about runs")),
        }
    }

    fn one_end(&self, evidence: &Evidence, holds: bool) -> Result<String, Rejection> {
        let is_end = |one: &Aggregate| !self.pathway.rules.iter().any(|rule| rule.is_enabled(one));
        if holds {
            let all = self.closed(evidence)?;
            return match all.iter().filter(|one| is_end(one)).count() {
                0 | 1 => Ok(format!("at most one of {} aggregates is an end", all.len())),
                _ => Err(Rejection::wrong("there are several ends")),
            };
        }
        let ends = self.ends(evidence)?;
        match &ends[..] {
            [one, other] if one != other && is_end(one) && is_end(other) => {
                Ok("two runs end differently".to_owned())
            }
            _ => Err(Rejection::wrong("two runs with different ends are needed")),
        }
    }
}
