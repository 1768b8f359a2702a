//! Answers.

use std::collections::BTreeMap;

use quotient_core::{Context, Evidence, Stop, Trouble, Verdict};
use quotient_explicit::{self as explicit, Halt, Linear, Rest, Steps, carried_on, linear};
use quotient_language::{Answer, Ask};
use quotient_logic::Formula;
use serde_json::json;

use crate::cover::{self, is_within};
use crate::derivation;
use crate::evidence::{
    AGGREGATES, Aggregates, BASIS, CONSERVED, Conserved, DERIVATION, Firing, LASSO, Lasso, RUNS,
    Runs,
};
use crate::explore::{Explored, explore};
use crate::many::Reach;
use crate::model::PathwayModel;
use crate::pathway::{Aggregate, Asked, Pathway, Question};
use crate::runs::{Atom, numbered};
use crate::space::Space;
use crate::{judge, sums, trace};

/// The most aggregates that evidence lists.
pub(crate) const MOST_LISTED: usize = 20_000;
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
        chosen: None,
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
            None if explored.is_none() => checker.of_many(asked),
            None => checker.of_one(asked),
        };
        let mut answer = answer.unwrap_or_else(|stop| Answer::unknown(&asked.name, stop));
        answer.number = *number;
        tell(answer);
    }
    Ok(())
}

pub(crate) struct Checker<'a> {
    pub(crate) pathway: &'a Pathway,
    /// All that can be derived, where there is one start.
    pub(crate) explored: Option<&'a Explored>,
    /// That start, if it is one of many.
    pub(crate) chosen: Option<Aggregate>,
    /// The most aggregates that are looked at.
    pub(crate) most: usize,
    pub(crate) cx: &'a Context,
}

pub(crate) fn definite(asked: &Asked, holds: bool) -> Answer {
    Answer::new(
        &asked.name,
        match holds {
            true => Verdict::Holds,
            false => Verdict::Violated,
        },
    )
}

pub(crate) fn evidence(
    asked: &Asked,
    holds: bool,
    kind: &str,
    body: &impl serde::Serialize,
) -> Evidence {
    let evidence = match holds {
        true => Evidence::of_holds(kind, body),
        false => Evidence::of_violated(kind, body),
    };
    evidence.about(&asked.name)
}

impl Checker<'_> {
    /// Answers a question about one start.
    pub(crate) fn of_one(&self, asked: &Asked) -> Result<Answer, Stop> {
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

    pub(crate) fn start(&self) -> Aggregate {
        let chosen = self.chosen.clone();
        chosen.unwrap_or_else(|| self.pathway.least_start())
    }

    /// The start, as evidence names it.
    fn named_start(&self) -> Option<BTreeMap<String, u64>> {
        let chosen = self.chosen.as_ref();
        chosen.map(|start| self.pathway.by_name(start))
    }

    /// Whether something can be made; that is what is wanted, or what must not be.
    pub(crate) fn contains(
        &self,
        asked: &Asked,
        target: &Aggregate,
        wanted: bool,
    ) -> Result<Answer, Stop> {
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
        let body = match self.reach(target)? {
            Reach::Run(start, run) => {
                return Ok(self.derived(asked, wanted, &start, &run, target));
            }
            Reach::Never(body) => body,
        };
        let because = match body.least.len() {
            0 => "a sum that no reaction changes leaves no room for it".to_owned(),
            1 => {
                "it can be made from one least aggregate, which the start does not have".to_owned()
            }
            number => format!(
                "it can be made from {number} least aggregates, and the start has none of them"
            ),
        };
        let mut answer = definite(asked, !wanted)
            .because(because)
            .by("backward")
            .with_evidence(evidence(asked, !wanted, BASIS, &body));
        self.tell_missing(&mut answer, target);
        Ok(answer)
    }

    /// A run makes it: a derivation.
    pub(crate) fn derived(
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
            .because(match number {
                1 => "nothing can be derived but the start".to_owned(),
                _ => format!("all {number} aggregates that can be derived were looked at"),
            })
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
        let mut rules = self.pathway.rules.iter();
        let value = sums::value(&weights, &self.start());
        if rules.all(|rule| rule.keeps(terms)) && !counted && value == i128::from(wanted) {
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
                    start: self.named_start(),
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

    pub(crate) fn firings(&self, run: &[usize]) -> Vec<Firing> {
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
                let body = Lasso {
                    start: self.named_start(),
                    run: self.firings(&rules(&whole)),
                    back,
                };
                answer.evidence = Some(evidence(asked, false, LASSO, &body));
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
                start: self.named_start(),
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
