//! Systems too large to be searched whole at once.
//!
//! First comes a search of a part of the system that is enough (stubborn sets), then, for
//! deadlocks, components put together one after the other and made small in between, and for
//! properties all methods side by side with more and more work.

use quotient_core::{Context, Evidence, Portfolio, Shares, Stop, TieBreak, Verdict, What};
use quotient_lts::evidence::{
    AGGREGATED, AggregatedData, AggregationData, LtsData, NO_DEADLOCK, STUBBORN, Sought,
    StubbornData,
};

use super::beside::{self, another_errs};
use super::bystanders::without_bystanders;
use super::drawn;
use super::outcome::{explored, violated};
use super::safety::{Property, SHOWN_WORK, by_assumptions, searched_first, with_assumptions};
use super::{Answer, Finding, Known, Options};
use crate::aggregate::{Aggregation, aggregate, aggregate_errors};
use crate::evidence::{alike_data, system_data};
use crate::stubborn::sticky_events;
use crate::{
    Action, Algorithm, Alphabet, Decomposition, Exploration, Goals, Keep, Means, Network, Order,
    Strategy, Symmetry, Violation, explore, explore_alike, explore_deep, explore_reduced,
};

/// Work that each method gets in the first round of the portfolio; four times as much in each
/// round after.
const FIRST_WORK: u64 = 8_000_000;
/// Work that putting components together gets after a search found nothing.
const MORE_WORK: u64 = 64_000_000;

/// The part of the states that a search with stubborn sets may look at first: it takes longer
/// for each.
const SHARE: u64 = 8;

/// Work that a search among alike components gets at least: it is the best that there is, and
/// large components take work before it begins.
const ALIKE_WORK: u64 = 400_000;

/// How a verdict was found by components put together, for people.
const PUT_TOGETHER: &str = "components put together";

/// What is too large to be searched whole, told once.
pub(super) fn tell(network: &Network, options: &Options, cx: &Context) {
    cx.story.note(format!(
        "more than {} states: leaving out what does not matter",
        searched_first(network, options)
    ));
}

/// A part of the system, searched for errors, with a share of work; then all methods.
pub(super) fn of_property(
    network: &Network,
    property: &Property,
    options: &Options,
    cx: &mut Context,
    tell: &mut Known<'_>,
) -> Result<Answer, Stop> {
    let first = searched_first(network, options);
    let search_beside = |cx: &Context| beside::search(network, property, options.threads, cx);
    if !property.beside.is_empty() {
        match search_beside(&cx.with_work(first)) {
            Err(Stop::Work) => cx.budget.poll()?,
            answer => return answer,
        }
    }
    let symmetry = Symmetry::of(&property.network, &cx.budget)?;
    let search = Search {
        whole: network,
        needed: &property.network,
        symmetry: symmetry.as_ref(),
        about: &property.name,
        beside: &property.beside,
        threads: options.threads,
    };
    search.tell(cx);
    let put_together =
        |work: u64, tell: &mut Known<'_>| match search.put_together(property, work, cx) {
            Ok(Some(answer)) if answer.verdict == Verdict::Violated => {
                Some(Ok(search.shortened(answer, first / SHARE, first, cx, tell)))
            }
            Ok(Some(answer)) => Some(Ok(answer)),
            Ok(None) => None,
            Err(Stop::Work) => cx.budget.poll().err().map(Err),
            Err(stop) => Some(Err(stop)),
        };
    let known =
        put_together(FIRST_WORK / SHARE, tell).or_else(|| search.drawn(FIRST_WORK / SHARE, cx));
    let known = known.unwrap_or_else(|| search.for_errors(first / SHARE, first, cx, tell));
    let known = match known {
        Err(Stop::Work) if cx.budget.poll().is_ok() => {
            let known = search.drawn(FIRST_WORK, cx);
            let known = known.or_else(|| put_together(FIRST_WORK, tell));
            known.unwrap_or(Err(Stop::Work))
        }
        known => known,
    };
    match known {
        Ok(answer) if answer.verdict == Verdict::Holds => {
            tell(&answer);
            let mut answers = vec![answer];
            let (properties, how) = (
                std::slice::from_ref(property),
                (options.threads, *SHOWN_WORK.end()),
            );
            answers = with_assumptions(network, properties, answers, how, cx);
            Ok(answers.swap_remove(0))
        }
        Err(Stop::Work) if cx.budget.poll().is_ok() => side_by_side(&search, property, options, cx),
        Err(stop) if stop == another_errs() => search_beside(cx),
        answer => answer,
    }
}

pub(super) fn of_deadlock(
    network: &Network,
    options: &Options,
    cx: &Context,
    tell: &mut Known<'_>,
) -> Result<Answer, Stop> {
    let watchers = network.watchers();
    let needed = network.quieted(|at| watchers.contains(&at));
    let symmetry = Symmetry::of(&needed, &cx.budget)?;
    let search = Search {
        whole: network,
        needed: &needed,
        symmetry: symmetry.as_ref(),
        about: NO_DEADLOCK,
        beside: &[],
        threads: options.threads,
    };
    search.tell(cx);
    let share = searched_first(network, options) / SHARE;
    let put_together = |work: u64, tell: &mut Known<'_>| match aggregated(network, work, cx) {
        Ok(Some(answer)) if answer.verdict == Verdict::Violated => {
            Some(Ok(search.nearer(answer, Keep::Deadlocks, share, cx, tell)))
        }
        Ok(Some(answer)) => Some(Ok(answer)),
        Ok(None) => None,
        Err(Stop::Work) => cx.budget.poll().err().map(Err),
        Err(stop) => Some(Err(stop)),
    };
    let known =
        put_together(FIRST_WORK / SHARE, tell).or_else(|| search.drawn(FIRST_WORK / SHARE, cx));
    if let Some(answer) = known {
        return answer;
    }
    match search.in_the_depth(Keep::Deadlocks, share, cx) {
        Err(Stop::Work) => cx.budget.poll()?,
        Ok(answer) if answer.verdict == Verdict::Violated => {
            return Ok(search.nearer(answer, Keep::Deadlocks, share, cx, tell));
        }
        answer => return answer,
    }
    let known = search.drawn(FIRST_WORK, cx);
    if let Some(answer) = known.or_else(|| put_together(FIRST_WORK, tell)) {
        return answer;
    }
    let exchanges = search
        .symmetry
        .filter(|symmetry| symmetry.places().is_none());
    if exchanges.is_none() {
        match searched_for_deadlock(network, options, &cx.with_work(options.search_first)) {
            Err(Stop::Work) => cx.budget.poll()?,
            answer => return answer,
        }
    }
    let known = search.drawn(MORE_WORK, cx);
    match known.or_else(|| put_together(MORE_WORK, tell)) {
        Some(answer) => answer,
        None => search.with_stubborn_sets(Keep::Deadlocks, cx),
    }
}

/// The whole system, searched.
fn searched_for_deadlock(
    network: &Network,
    options: &Options,
    cx: &Context,
) -> Result<Answer, Stop> {
    let goals = Goals {
        deadlock: true,
        error: false,
    };
    let exploration = explore(network, goals, options.threads, cx)?;
    match &exploration.finding {
        Some((violation, events)) => {
            violated(network, NO_DEADLOCK, "monolithic", events, *violation, cx)
        }
        None => Ok(explored(network, NO_DEADLOCK, &exploration)),
    }
}

/// Components put together one after the other: a deadlock, or that there is none. Nothing if
/// that cannot be done.
fn aggregated(network: &Network, work: u64, cx: &Context) -> Result<Option<Answer>, Stop> {
    let Some(found) = aggregate(network, work, &cx.budget)? else {
        return Ok(None);
    };
    if let Some(events) = &found.found {
        let violation = Violation::Deadlock;
        let answer = violated(network, NO_DEADLOCK, PUT_TOGETHER, events, violation, cx);
        // On the way a property may break.
        return Ok(answer.ok());
    }
    Ok(Some(never(network, NO_DEADLOCK, found)))
}

/// What was looked for is not there: components put together show it.
fn never(network: &Network, about: &str, found: Aggregation) -> Answer {
    let (system, components) = (system_data(network), network.components());
    let name = |parts: &[usize]| match parts {
        &[number] if number < components.len() => components[number].name.to_string(),
        _ => String::new(),
    };
    let number = |event: Action| event.index() as u32;
    let steps = found.steps.iter().map(|step| AggregationData {
        parts: step.parts.clone(),
        small: LtsData::new(&name(&step.parts), &step.small),
        merged: step
            .merged
            .iter()
            .map(|&(gone, kept)| (number(gone), number(kept)))
            .collect(),
    });
    let data = AggregatedData {
        system,
        watchers: found.watchers,
        steps: steps.collect(),
    };
    let evidence = Evidence::of_holds(AGGREGATED, &data);
    Answer {
        about: about.to_owned(),
        verdict: Verdict::Holds,
        method: PUT_TOGETHER.to_owned(),
        evidence: Some(evidence.about(about).found_by(PUT_TOGETHER)),
        finding: Finding::Explored(Exploration {
            states: found.states,
            transitions: found.transitions,
            depth: 0,
            finding: None,
        }),
        statistics: None,
        left_out: Vec::new(),
    }
}

/// A search of a part of the system that is enough.
#[derive(Clone, Copy)]
struct Search<'a> {
    whole: &'a Network,
    /// The same without components that do not matter.
    needed: &'a Network,
    /// Which of its components are alike.
    symmetry: Option<&'a Symmetry>,
    about: &'a str,
    /// Components whose errors are not what is looked for, and end executions.
    beside: &'a [usize],
    threads: usize,
}

impl Search<'_> {
    fn method(&self) -> &'static str {
        match self.symmetry {
            Some(_) => "symmetry",
            None => "stubborn sets",
        }
    }

    fn tell(&self, cx: &Context) {
        if let Some(symmetry) = self.symmetry {
            let sizes: Vec<String> = symmetry.sizes().map(|size| size.to_string()).collect();
            cx.story.note(match symmetry.places() {
                None => format!("alike in {}: {}", self.about, sizes.join(" and ")),
                Some(places) => format!("a ring of {places} in {}", self.about),
            });
        }
    }

    /// That what is looked for is not there, by a diagram of all states. Where other components that
    /// err end executions, that is not asked for.
    fn drawn(&self, work: u64, cx: &Context) -> Option<Result<Answer, Stop>> {
        match self.beside {
            [] => drawn::absent(self.needed, self.about, work, cx),
            _ => None,
        }
    }

    /// Looks for an error in the depth, with some work, and then for one that is nearer.
    fn for_errors(
        &self,
        work: u64,
        nearest: u64,
        cx: &Context,
        tell: &mut Known<'_>,
    ) -> Result<Answer, Stop> {
        let answer = self.in_the_depth(Keep::Errors, work, cx)?;
        if answer.verdict != Verdict::Violated {
            return Ok(answer);
        }
        Ok(self.shortened(answer, work, nearest, cx, tell))
    }

    /// All components put together for an error, with some work: one, or that there is none.
    fn put_together(
        &self,
        property: &Property,
        work: u64,
        cx: &Context,
    ) -> Result<Option<Answer>, Stop> {
        let Some(found) = aggregate_errors(self.needed, work, &cx.budget)? else {
            return Ok(None);
        };
        let Some(events) = &found.found else {
            return Ok(Some(never(self.needed, self.about, found)));
        };
        let mut erring = property.components.iter();
        let replayed = erring.find_map(|&at| self.told(Violation::Error(at), events, cx).ok());
        Ok(replayed)
    }

    /// An error that is nearer than a known one, if it does not take too much work. Whatever comes of
    /// that, the known one is not lost.
    fn shortened(
        &self,
        answer: Answer,
        work: u64,
        nearest: u64,
        cx: &Context,
        tell: &mut Known<'_>,
    ) -> Answer {
        tell(&answer);
        let shorter = self.among_few(&answer, &cx.with_work(work));
        let answer = match shorter {
            Ok(Some(shorter)) => shorter,
            Ok(None) | Err(_) => answer,
        };
        self.nearer(answer, Keep::NearestErrors, nearest, cx, tell)
    }

    /// The nearest violation instead of one that is known, if it does not take too much work.
    /// What is known is told before, and stays where nothing better is found.
    fn nearer(
        &self,
        known: Answer,
        keep: Keep,
        work: u64,
        cx: &Context,
        tell: &mut Known<'_>,
    ) -> Answer {
        tell(&known);
        match self.with_stubborn_sets(keep, &cx.with_work(work)) {
            Ok(nearest) if nearest.verdict == Verdict::Violated => nearest,
            _ => {
                cx.story.note("there may be a shorter trace");
                known
            }
        }
    }

    /// An error among the components that a known one needs: the nearest while the others do
    /// nothing.
    fn among_few(&self, known: &Answer, cx: &Context) -> Result<Option<Answer>, Stop> {
        let Finding::Trace(trace) = &known.finding else {
            return Ok(None);
        };
        let events: Vec<Action> = trace.steps.iter().map(|&(event, _)| event).collect();
        let needed = without_bystanders(self.needed, &events, trace.violation, &cx.budget)?;
        let few = self.needed.with_still(&needed.bystanders);
        let found = explore_reduced(&few, Keep::NearestErrors, self.threads, cx);
        let (violation, events) = match found.map(|found| found.finding) {
            Ok(Some((Violation::Error(part), _))) if self.beside.contains(&part) => {
                return Ok(None);
            }
            Ok(Some(finding)) => finding,
            Ok(None) | Err(Stop::Work) => (trace.violation, needed.events),
            Err(stop) => return Err(stop),
        };
        self.told(violation, &events, cx).map(Some)
    }

    fn told(&self, violation: Violation, events: &[Action], cx: &Context) -> Result<Answer, Stop> {
        let method = self.method();
        let told = |network| violated(network, self.about, method, events, violation, cx);
        match violation {
            // Behind an error there is no deadlock.
            Violation::Deadlock => told(self.whole),
            // On the way another property may break: then it is told without that one.
            Violation::Error(_) => told(self.whole).or_else(|_| {
                let mut answer = told(self.needed)?;
                answer.left_out = self.whole.quieter_in(self.needed);
                Ok(answer)
            }),
        }
    }

    fn in_the_depth(&self, keep: Keep, work: u64, cx: &Context) -> Result<Answer, Stop> {
        let exploration = match self.symmetry {
            Some(symmetry) => {
                let least = if symmetry.places().is_none() {
                    ALIKE_WORK
                } else {
                    0
                };
                let cx = &cx.with_work(work.max(least));
                explore_alike(self.needed, symmetry, keep, Order::Deepest, cx)?
            }
            None => explore_deep(self.needed, keep, &cx.with_work(work))?,
        };
        self.answer(keep, exploration, cx)
    }

    fn with_stubborn_sets(&self, keep: Keep, cx: &Context) -> Result<Answer, Stop> {
        let exploration = match self.symmetry {
            Some(symmetry) => explore_alike(self.needed, symmetry, keep, Order::Nearest, cx)?,
            None => explore_reduced(self.needed, keep, self.threads, cx)?,
        };
        self.answer(keep, exploration, cx)
    }

    fn answer(&self, keep: Keep, exploration: Exploration, cx: &Context) -> Result<Answer, Stop> {
        let (about, method) = (self.about, self.method());
        match &exploration.finding {
            Some((Violation::Error(part), _)) if self.beside.contains(part) => {
                return Err(another_errs());
            }
            Some((violation, events)) => return self.told(*violation, events, cx),
            None => {}
        }
        let (sticky, sticky_silence) = match keep {
            Keep::Errors => sticky_events(self.needed, self.symmetry, &cx.budget)?,
            Keep::Deadlocks | Keep::NearestErrors => Default::default(),
        };
        let (alike, turn) = self.symmetry.map_or_else(Default::default, alike_data);
        let data = StubbornData {
            system: system_data(self.needed),
            sought: match keep {
                Keep::Deadlocks => Sought::Deadlock,
                Keep::NearestErrors | Keep::Errors => Sought::Error,
            },
            sticky,
            sticky_silence,
            alike,
            turn,
        };
        let evidence = Evidence::of_holds(STUBBORN, &data);
        Ok(Answer {
            about: about.to_owned(),
            verdict: Verdict::Holds,
            method: method.to_owned(),
            evidence: Some(evidence.about(about).found_by(method)),
            finding: Finding::Explored(exploration),
            statistics: None,
            left_out: Vec::new(),
        })
    }
}

fn side_by_side(
    search: &Search<'_>,
    property: &Property,
    options: &Options,
    cx: &Context,
) -> Result<Answer, Stop> {
    let halves = |means| Strategy {
        means,
        decomposition: Decomposition::Halves,
        ..Strategy::default()
    };
    let strategies = [
        Strategy::default(),
        Strategy {
            means: Means::Learn(Algorithm::LStar),
            ..Strategy::default()
        },
        halves(Means::Abstract),
        halves(Means::default()),
        Strategy {
            means: Means::Weakest,
            alphabet: Alphabet::Whole,
            ..Strategy::default()
        },
    ];
    for work in Shares::beginning_with(FIRST_WORK) {
        let mut portfolio = Portfolio::new().tie_break(TieBreak::FirstListed);
        for strategy in &strategies {
            portfolio = portfolio.entry(strategy.to_string(), move |cx: &mut Context| {
                cx.budget = cx.budget.child_with_work(work);
                by_assumptions(search.whole, property, strategy, cx)
            });
        }
        portfolio = portfolio.entry(search.method(), move |cx: &mut Context| {
            let alone = Search {
                threads: 1,
                ..*search
            };
            // Who waits for all methods tells what the first of them found.
            alone.for_errors(work, FIRST_WORK / SHARE, cx, &mut |_| {})
        });
        if !property.beside.is_empty() {
            portfolio = portfolio.entry("monolithic", move |cx: &mut Context| {
                cx.budget = cx.budget.child_with_work(work);
                beside::search(search.whole, property, 1, cx)
            });
        }
        if let Some(answer) = portfolio.race(options.threads, cx).answer {
            return Ok(answer);
        }
        cx.budget.poll()?;
        cx.story.tell(|| What::Note {
            text: format!("no answer yet after {work} units of work for each method"),
        });
    }
    Err(Stop::exhausted("no method has an answer"))
}
