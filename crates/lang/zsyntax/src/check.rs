//! Answers.

use quotient_core::{Context, Evidence, Stop, Trouble, Verdict};
use quotient_explicit::{self as explicit, Halt, Linear, Rest, Steps, carried_on, linear};
use quotient_language::{Answer, Ask};
use quotient_logic::Formula;
use serde_json::json;

use crate::cover::{self, is_within};
use crate::derivation;
use crate::evidence::{
    AGGREGATES, Aggregates, BASIS, Basis, CONSERVED, Conserved, DERIVATION, Firing, LASSO, Lasso,
    RUNS, Runs,
};
use crate::explore::{Explored, explore};
use crate::model::PathwayModel;
use crate::pathway::{Aggregate, Asked, Pathway, Question};
use crate::runs::{Atom, numbered};
use crate::space::Space;
use crate::{judge, sums, trace};

/// The most aggregates that evidence lists.
const MOST_LISTED: usize = 20_000;
/// The most aggregates that are tried for an amount of what there may be any amount of.
const MOST_TRIED: usize = 5_000;
/// The most additions that a note lists.
const MOST_ADDITIONS: usize = 12;

pub(crate) fn check(
    model: &mut PathwayModel,
    ask: &Ask,
    cx: &Context,
    tell: &mut dyn FnMut(Answer),
) -> Result<(), Trouble> {
    let pathway = &model.pathway;
    let most = model
        .settings
        .whole("aggregates")
        .unwrap_or(crate::MOST_AGGREGATES);
    let most = usize::try_from(most)
        .unwrap_or(usize::MAX)
        .min(u32::MAX as usize - 1);
    let start = pathway.only_start();
    let explored = start.map(|start| explore(pathway, &start, most, &cx.budget));
    let (explored, stop) = match explored {
        Some(Ok(explored)) => (Some(explored), None),
        Some(Err(stop)) => (None, Some(stop)),
        None => (None, None),
    };
    let checker = Checker {
        pathway,
        explored: explored.as_ref(),
        most,
        cx,
    };
    let mut questions: Vec<(Option<usize>, Asked)> = Vec::new();
    for (number, asked) in pathway.questions.iter().enumerate() {
        if ask.properties.is_empty() || ask.properties.contains(&asked.name) {
            questions.push((Some(number + 1), asked.clone()));
        }
    }
    for name in &ask.properties {
        if !questions.iter().any(|(_, asked)| asked.name == *name) {
            questions.push((None, model.question(name)?));
        }
    }
    for (number, asked) in &questions {
        let answer = match &stop {
            Some(stop) => Err(stop.clone()),
            None => checker.answer(asked),
        };
        let mut answer = answer.unwrap_or_else(|stop| Answer::unknown(&asked.name, stop));
        answer.number = *number;
        tell(answer);
    }
    Ok(())
}

struct Checker<'a> {
    pathway: &'a Pathway,
    /// All that can be derived, where there is one start.
    explored: Option<&'a Explored>,
    /// The most aggregates that are looked at.
    most: usize,
    cx: &'a Context,
}

fn definite(asked: &Asked, holds: bool) -> Answer {
    Answer::new(
        &asked.name,
        match holds {
            true => Verdict::Holds,
            false => Verdict::Violated,
        },
    )
}

fn evidence(asked: &Asked, holds: bool, kind: &str, body: &impl serde::Serialize) -> Evidence {
    let evidence = match holds {
        true => Evidence::of_holds(kind, body),
        false => Evidence::of_violated(kind, body),
    };
    evidence.about(&asked.name)
}

impl Checker<'_> {
    fn answer(&self, asked: &Asked) -> Result<Answer, Stop> {
        match &asked.question {
            Question::Can(target) => self.contains(asked, target, true),
            Question::Never(target) => self.contains(asked, target, false),
            Question::Exactly(target) => self.exactly(asked, target),
            Question::Always(terms, value) => self.always(asked, terms, *value),
            Question::OneEnd => self.one_end(asked),
            Question::Runs(formula) => self.runs(asked, formula),
        }
    }

    fn explored(&self) -> Result<&Explored, Stop> {
        let why = "this is answered only where there is one start";
        self.explored.ok_or_else(|| Stop::exhausted(why))
    }

    fn start(&self) -> Aggregate {
        self.pathway.least_start()
    }

    /// Whether something can be made; that is what is wanted, or what must not be.
    fn contains(&self, asked: &Asked, target: &Aggregate, wanted: bool) -> Result<Answer, Stop> {
        if let Some(explored) = self.explored {
            let found = explored
                .aggregates
                .iter()
                .position(|one| is_within(target, one));
            if let Some(found) = found {
                return Ok(self.derived(
                    asked,
                    wanted,
                    &self.start(),
                    &explored.run(found),
                    target,
                ));
            }
            if explored.is_complete() {
                let mut answer = self.by_all(asked, !wanted, explored);
                self.tell_missing(&mut answer, target);
                return Ok(answer);
            }
        }
        if self.explored.is_none()
            && let Some((start, run)) = self.with_some(target)?
        {
            return Ok(self.derived(asked, wanted, &start, &run, target));
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
            let mut run = Vec::new();
            let mut then = found.then;
            while let Some((rule, next)) = then {
                run.push(rule);
                then = all[next].then;
            }
            return Ok(self.derived(asked, wanted, &start, &run, target));
        }
        let least = cover::minimal(all.into_iter().map(|one| one.aggregate).collect());
        let named = least.iter().map(|one| self.pathway.by_name(one));
        let species = || self.pathway.species.iter().map(|one| one.name());
        let weights = |(weights, _): &(Vec<i64>, i128)| {
            let named = species().zip(weights.iter().copied());
            named.filter(|(_, weight)| *weight != 0).collect()
        };
        let body = Basis {
            least: named.collect(),
            sums: limits.iter().map(weights).collect(),
        };
        let because = format!(
            "it can be made from {} least aggregates, and the start has none of them",
            least.len()
        );
        let mut answer = definite(asked, !wanted)
            .because(because)
            .by("backward")
            .with_evidence(evidence(asked, !wanted, BASIS, &body));
        self.tell_missing(&mut answer, target);
        Ok(answer)
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

    /// A run makes it: a derivation.
    fn derived(
        &self,
        asked: &Asked,
        holds: bool,
        start: &Aggregate,
        run: &[usize],
        target: &Aggregate,
    ) -> Answer {
        let body = derivation::written(self.pathway, start, run, Some(target));
        let because = match run.len() {
            0 => "it is there at the start".to_owned(),
            1 => "one reaction makes it".to_owned(),
            number => format!("{number} reactions make it"),
        };
        let mut answer = definite(asked, holds)
            .because(because)
            .by("search")
            .with_trace(trace::of(self.pathway, start, run))
            .with_evidence(evidence(asked, holds, DERIVATION, &body));
        let lines = body.lines.len();
        answer
            .details
            .push(("reactions".to_owned(), json!(run.len())));
        answer
            .details
            .push(("derivationLines".to_owned(), json!(lines)));
        if lines <= 60 {
            let text = derivation::shown(&body);
            answer
                .notes
                .push(format!("derivation:\n{}", text.trim_end()));
        }
        answer
    }

    /// What would have to be added.
    fn tell_missing(&self, answer: &mut Answer, target: &Aggregate) {
        let share = self.cx.budget.child_with_work(200_000);
        let Ok(all) = cover::missing(self.pathway, target, &share) else {
            return;
        };
        let words: Vec<String> = all.iter().map(|one| self.pathway.words(one)).collect();
        let shown = words
            .iter()
            .take(MOST_ADDITIONS)
            .cloned()
            .collect::<Vec<_>>();
        let more = match words.len() > shown.len() {
            true => format!(", and {} more", words.len() - shown.len()),
            false => String::new(),
        };
        let note = format!(
            "it could be made with one of these more: {}{more}",
            shown.join(", ")
        );
        answer.notes.push(note);
        let named: Vec<_> = all.iter().map(|one| self.pathway.by_name(one)).collect();
        answer.details.push(("missing".to_owned(), json!(named)));
    }

    fn by_all(&self, asked: &Asked, holds: bool, explored: &Explored) -> Answer {
        let number = explored.aggregates.len();
        let mut answer = definite(asked, holds)
            .because(format!(
                "all {number} aggregates that can be derived were looked at"
            ))
            .by("search");
        answer
            .details
            .push(("aggregates".to_owned(), json!(number)));
        match number <= MOST_LISTED {
            true => {
                let all = explored.aggregates.iter();
                let body = Aggregates {
                    aggregates: all.map(|one| self.pathway.by_name(one)).collect(),
                };
                answer.evidence = Some(evidence(asked, holds, AGGREGATES, &body));
            }
            false => {
                let note = "the aggregates are too many to be listed as evidence";
                answer.notes.push(note.to_owned());
            }
        }
        answer
    }

    fn exactly(&self, asked: &Asked, target: &Aggregate) -> Result<Answer, Stop> {
        let explored = self.explored()?;
        let found = explored.aggregates.iter().position(|one| one == target);
        match (found, &explored.stopped) {
            (Some(found), _) => {
                Ok(self.derived(asked, true, &self.start(), &explored.run(found), target))
            }
            (None, None) => Ok(self.by_all(asked, false, explored)),
            (None, Some(stop)) => Err(stop.clone()),
        }
    }

    fn always(&self, asked: &Asked, terms: &[(usize, i64)], wanted: i64) -> Result<Answer, Stop> {
        let mut weights = vec![0; self.pathway.species.len()];
        for &(species, factor) in terms {
            weights[species] = factor;
        }
        let unlimited = self.pathway.unlimited();
        let counted = terms.iter().any(|&(species, _)| unlimited[species]);
        let keeps = |rule: &crate::pathway::Rule| {
            let changes = terms.iter().map(|&(one, factor)| factor * rule.change(one));
            changes.sum::<i64>() == 0
        };
        let value = sums::value(&weights, &self.start());
        if self.pathway.rules.iter().all(keeps) && !counted && value == i128::from(wanted) {
            let body = Conserved { value: wanted };
            return Ok(definite(asked, true)
                .because("no reaction changes the sum")
                .by("sums")
                .with_evidence(evidence(asked, true, CONSERVED, &body)));
        }
        let explored = self.explored()?;
        let other = |one: &Aggregate| sums::value(&weights, one) != i128::from(wanted);
        match (
            explored.aggregates.iter().position(other),
            &explored.stopped,
        ) {
            (Some(found), _) => {
                let run = explored.run(found);
                let value = sums::value(&weights, &explored.aggregates[found]);
                let body = Runs {
                    runs: vec![self.firings(&run)],
                };
                Ok(definite(asked, false)
                    .because(format!("the sum becomes {value}"))
                    .by("search")
                    .with_trace(trace::of(self.pathway, &self.start(), &run))
                    .with_evidence(evidence(asked, false, RUNS, &body)))
            }
            (None, None) => Ok(self.by_all(asked, true, explored)),
            (None, Some(stop)) => Err(stop.clone()),
        }
    }

    fn firings(&self, run: &[usize]) -> Vec<Firing> {
        let firing = |&rule: &usize| {
            let rule = &self.pathway.rules[rule];
            let takes = rule.take.iter();
            let name = |species: usize| self.pathway.species[species].name();
            Firing {
                reaction: self.pathway.reactions[rule.reaction].name.clone(),
                takes: takes.map(|&(one, number)| (name(one), number)).collect(),
            }
        };
        run.iter().map(firing).collect()
    }

    /// Whether all runs fulfil a formula.
    fn runs(&self, asked: &Asked, formula: &Formula<Atom>) -> Result<Answer, Stop> {
        let explored = self.explored()?;
        let unfit = || Stop::bound("the amount of a species", 65_535);
        let space = Space {
            pathway: self.pathway,
            start: self.start(),
        };
        if !space.has_start() {
            return Err(unfit());
        }
        let (formula_of_numbers, atoms) = numbered(formula)?;
        let mut values = |words: &[u64]| {
            let aggregate = space.unpack(words);
            let truths = atoms.iter().map(|one| one.holds(self.pathway, &aggregate));
            let bits = truths.enumerate().map(|(at, truth)| u64::from(truth) << at);
            bits.fold(0, |all, bit| all | bit)
        };
        let mut steps = Steps::new(&space, self.most);
        let found = linear(
            &mut steps,
            &formula_of_numbers,
            &mut values,
            &self.cx.budget,
        );
        match found {
            Err(Halt::Unfit(_)) => Err(unfit()),
            Err(Halt::Stopped(stop)) => Err(stop),
            Ok(Linear::Holds(_)) if explored.is_complete() => {
                let mut answer = self.by_all(asked, true, explored);
                if judge::opposite(formula).is_none() {
                    answer.evidence = None;
                    let note = "the formula is too large for evidence";
                    answer.notes.push(note.to_owned());
                }
                Ok(answer)
            }
            Ok(Linear::Holds(_)) => {
                let because = "no run breaks it";
                Ok(definite(asked, true).because(because).by("search"))
            }
            Ok(Linear::Violated(run)) => {
                let whole = carried_on(&mut steps, &run, &self.cx.budget);
                Ok(self.broken(asked, &run, whole.ok()))
            }
        }
    }

    /// A run that breaks a formula, and the same as far as it comes back or ends, if that is known.
    fn broken(
        &self,
        asked: &Asked,
        run: &explicit::Lasso,
        whole: Option<explicit::Lasso>,
    ) -> Answer {
        let rules = |run: &explicit::Lasso| -> Vec<usize> {
            run.labels.iter().map(|&rule| rule as usize).collect()
        };
        let shown = rules(run);
        let mut trace = trace::of(self.pathway, &self.start(), &shown);
        let because = match run.rest {
            Rest::Any => format!("after {} reactions it is broken", shown.len()),
            Rest::Stuck => format!("a run that ends after {} reactions breaks it", shown.len()),
            Rest::Back(_) => "a run that goes on for ever breaks it".to_owned(),
        };
        trace.back_to = match run.rest {
            Rest::Any => None,
            Rest::Stuck => Some(shown.len()),
            Rest::Back(back) => Some(back),
        };
        let mut answer = definite(asked, false)
            .because(because)
            .by("search")
            .with_trace(trace);
        let back = whole.as_ref().and_then(|whole| match whole.rest {
            Rest::Back(back) => Some(Some(back)),
            Rest::Stuck => Some(None),
            Rest::Any => None,
        });
        match (whole, back) {
            (Some(whole), Some(back)) => {
                let run = self.firings(&rules(&whole));
                answer.evidence = Some(evidence(asked, false, LASSO, &Lasso { run, back }));
            }
            _ => {
                let note = "the run goes on too far to be written down as evidence";
                answer.notes.push(note.to_owned());
            }
        }
        answer
    }

    fn one_end(&self, asked: &Asked) -> Result<Answer, Stop> {
        let explored = self.explored()?;
        if let [one, other, ..] = explored.ends[..] {
            let words = |at: usize| self.pathway.words(&explored.aggregates[at]);
            let runs = [explored.run(one), explored.run(other)];
            let body = Runs {
                runs: runs.iter().map(|run| self.firings(run)).collect(),
            };
            let named = explored
                .ends
                .iter()
                .map(|&at| self.pathway.by_name(&explored.aggregates[at]));
            let named: Vec<_> = named.collect();
            let mut answer = definite(asked, false)
                .because(format!(
                    "it can end as {} and as {}",
                    words(one),
                    words(other)
                ))
                .by("search")
                .with_trace(trace::of(self.pathway, &self.start(), &runs[1]))
                .with_evidence(evidence(asked, false, RUNS, &body));
            answer
                .notes
                .push("the result depends on the order of reactions".to_owned());
            answer.details.push(("ends".to_owned(), json!(named)));
            return Ok(answer);
        }
        if let Some(stop) = &explored.stopped {
            return Err(stop.clone());
        }
        let mut answer = self.by_all(asked, true, explored);
        answer.because = match explored.ends[..] {
            [end] => format!(
                "everything ends as {}: {}",
                self.pathway.words(&explored.aggregates[end]),
                answer.because
            ),
            _ => format!("nothing ever ends: {}", answer.because),
        };
        Ok(answer)
    }
}
