//! Many starts at once: of some species there may be any amount.
//!
//! Whether something can be made from some start is answered backwards. So is whether a sum ever
//! changes: whether what changes it can ever happen. What must be there exactly has exactly what comes
//! before it, which is often little. What else goes wrong is looked for from starts with little of everything.

use std::collections::BTreeSet;

use quotient_core::{Stop, Verdict};
use quotient_language::Answer;

use crate::check::{Checker, MOST_LISTED, definite, evidence};
use crate::cover::{self, is_within};
use crate::evidence::{Aggregates, BASIS, BEFORE, Basis, RUNS, Runs, UNCHANGED, Unchanged};
use crate::explore::explore;
use crate::pathway::{Aggregate, Asked, Question};
use crate::{sums, trace};

/// The most aggregates that are tried from one start of many.
const MOST_TRIED: usize = 5_000;
/// The most starts that are tried.
const MOST_STARTS: usize = 64;

/// Whether something can be made: by a run from some start, or never.
pub(crate) enum Reach {
    Run(Aggregate, Vec<usize>),
    Never(Basis),
}

impl Checker<'_> {
    /// Whether at least a target can be made from some start.
    pub(crate) fn reach(&self, target: &Aggregate) -> Result<Reach, Stop> {
        if self.explored.is_none()
            && let Some((start, run)) = self.with_some(target)?
        {
            return Ok(Reach::Run(start, run));
        }
        let limits = cover::limits(self.pathway, &self.cx.budget)?;
        let hopeless = |one: &[u64]| {
            let mut limits = limits.iter();
            limits.any(|(weights, value)| sums::value(weights, one) > *value)
        };
        let all = cover::backward(self.pathway, target, &hopeless, &self.cx.budget)?;
        let (start, unlimited) = (self.start(), self.pathway.unlimited());
        let enough = |least: &cover::Least| {
            let least = &least.aggregate;
            (0..least.len()).all(|at| unlimited[at] || least[at] <= start[at])
        };
        if let Some(found) = all.iter().find(|least| enough(least)) {
            let mut start = start;
            for (at, number) in start.iter_mut().enumerate() {
                if unlimited[at] {
                    *number = (*number).max(found.aggregate[at]);
                }
            }
            return Ok(Reach::Run(start, cover::onwards(&all, found)));
        }
        let least = cover::minimal(all.into_iter().map(|one| one.aggregate).collect());
        let named = least.iter().map(|one| self.pathway.by_name(one));
        let species = || self.pathway.species.iter().map(|one| one.name());
        let weights = |(weights, _): &(Vec<i64>, i128)| {
            let named = species().zip(weights.iter().copied());
            named.filter(|(_, weight)| *weight != 0).collect()
        };
        Ok(Reach::Never(Basis {
            least: named.collect(),
            sums: limits.iter().map(weights).collect(),
        }))
    }

    /// A run from some amount of what there may be any amount of, if it is found quickly.
    fn with_some(&self, target: &Aggregate) -> Result<Option<(Aggregate, Vec<usize>)>, Stop> {
        let unlimited = self.pathway.unlimited();
        for amount in [1, 2, 4, 8] {
            let mut start = self.start();
            for (number, any) in start.iter_mut().zip(&unlimited) {
                *number += amount * u64::from(*any);
            }
            let explored = explore(self.pathway, &start, MOST_TRIED, &self.cx.budget)?;
            let found = explored
                .aggregates
                .iter()
                .position(|one| is_within(target, one));
            if let Some(found) = found {
                return Ok(Some((start, explored.run(found))));
            }
        }
        Ok(None)
    }

    /// Answers a question about all starts.
    pub(crate) fn of_many(&self, asked: &Asked) -> Result<Answer, Stop> {
        match &asked.question {
            Question::Can(target) => self.contains(asked, target, true),
            Question::Never(target) => self.contains(asked, target, false),
            Question::Exactly(target) => self.exactly_of_many(asked, target),
            Question::Always(terms, value) => self.always_of_many(asked, terms, *value),
            Question::OneEnd | Question::Runs(_) => self.refuted(asked),
        }
    }

    fn exactly_of_many(&self, asked: &Asked, target: &Aggregate) -> Result<Answer, Stop> {
        let before = cover::exactly_before(self.pathway, target, MOST_LISTED, &self.cx.budget)?;
        if let Some(found) = before
            .iter()
            .find(|one| self.pathway.may_start(&one.aggregate))
        {
            let run = cover::onwards(&before, found);
            return Ok(self.derived(asked, true, &found.aggregate, &run, target));
        }
        let mut answer = definite(asked, false);
        if before.len() < MOST_LISTED {
            let named = before.iter();
            let named = named.map(|one| self.pathway.by_name(&one.aggregate));
            let body = Aggregates {
                aggregates: named.collect(),
            };
            answer.because = match before.len() {
                1 => "nothing comes before it, and it is no start".to_owned(),
                number => format!("it comes from {number} aggregates, and none is a start"),
            };
            answer.evidence = Some(evidence(asked, false, BEFORE, &body));
            return Ok(answer.by("backward"));
        }
        match self.reach(target)? {
            Reach::Never(body) => Ok(answer
                .because("nothing that contains it can be made")
                .by("backward")
                .with_evidence(evidence(asked, false, BASIS, &body))),
            Reach::Run(..) => {
                let what = "the aggregates from which it comes";
                Err(Stop::bound(what, MOST_LISTED as u64))
            }
        }
    }

    fn always_of_many(
        &self,
        asked: &Asked,
        terms: &[(usize, i64)],
        wanted: i64,
    ) -> Result<Answer, Stop> {
        let mut weights = vec![0; self.pathway.species.len()];
        for &(species, factor) in terms {
            weights[species] = factor;
        }
        let is_other = |one: &Aggregate| sums::value(&weights, one) != i128::from(wanted);
        let (mut start, unlimited) = (self.pathway.least_start(), self.pathway.unlimited());
        let counted = (0..weights.len()).find(|&at| weights[at] != 0 && unlimited[at]);
        if let Some(counted) = counted.filter(|_| !is_other(&start)) {
            start[counted] += 1;
        }
        if is_other(&start) {
            return Ok(self.changed(asked, &weights, &start, &[]));
        }
        let mut never = Vec::new();
        for (number, rule) in self.pathway.rules.iter().enumerate() {
            if rule.keeps(terms) {
                continue;
            }
            match self.reach(&self.pathway.needs(rule))? {
                Reach::Never(basis) => never.push(basis),
                Reach::Run(start, mut run) => {
                    // If not before this reaction, the sum is another after it.
                    let end = self.after(&start, &run);
                    if end.is_some_and(|end| !is_other(&end)) {
                        run.push(number);
                    }
                    return Ok(self.changed(asked, &weights, &start, &run));
                }
            }
        }
        let body = Unchanged { never };
        Ok(definite(asked, true)
            .because("no reaction that can happen changes the sum")
            .by("backward")
            .with_evidence(evidence(asked, true, UNCHANGED, &body)))
    }

    /// What is there after a run.
    fn after(&self, start: &Aggregate, run: &[usize]) -> Option<Aggregate> {
        run.iter().try_fold(start.clone(), |aggregate, &rule| {
            self.pathway.rules[rule].fire(&aggregate)
        })
    }

    /// A run after which a sum is another.
    fn changed(&self, asked: &Asked, weights: &[i64], start: &Aggregate, run: &[usize]) -> Answer {
        let value = self.after(start, run).map(|end| sums::value(weights, &end));
        let value = value.map_or_else(|| "too large".to_owned(), |value| value.to_string());
        let body = Runs {
            start: Some(self.pathway.by_name(start)),
            runs: vec![self.firings(run)],
        };
        definite(asked, false)
            .because(match run.is_empty() {
                true => format!("the sum may be {value} at the start"),
                false => format!("the sum becomes {value}"),
            })
            .by("search")
            .with_trace(trace::of(self.pathway, start, run))
            .with_evidence(evidence(asked, false, RUNS, &body))
    }

    /// Looks for a start with little of everything from which it is not so.
    fn refuted(&self, asked: &Asked) -> Result<Answer, Stop> {
        for start in self.some_starts() {
            let explored = explore(self.pathway, &start, MOST_TRIED, &self.cx.budget)?;
            let one = Checker {
                pathway: self.pathway,
                explored: Some(&explored),
                chosen: Some(start),
                most: MOST_TRIED,
                cx: self.cx,
            };
            match one.of_one(asked) {
                Ok(answer) if answer.verdict == Verdict::Violated => return Ok(answer),
                Ok(_) | Err(Stop::Bound { .. }) => {}
                Err(stop) => return Err(stop),
            }
        }
        let why = "it is so from starts with little of everything, and others were not looked at";
        Err(Stop::exhausted(why))
    }

    /// Starts with few of what there may be any amount of, those with the fewest first.
    fn some_starts(&self) -> Vec<Aggregate> {
        let unlimited = self.pathway.unlimited();
        let mut waiting = BTreeSet::from([(0_u64, self.pathway.least_start())]);
        let mut starts = Vec::new();
        while starts.len() < MOST_STARTS
            && let Some((more, start)) = waiting.pop_first()
        {
            for at in (0..start.len()).filter(|&at| unlimited[at]) {
                let mut next = start.clone();
                next[at] += 1;
                waiting.insert((more + 1, next));
            }
            starts.push(start);
        }
        starts
    }
}
