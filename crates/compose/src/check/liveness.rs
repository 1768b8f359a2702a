//! Questions about infinite executions.
//!
//! A small system is searched whole, and so is the beginning of a large one, where violations
//! mostly are. Of a large one that has none there, a part of the steps is followed that is enough for
//! the question; then what is left when only the events of the question are seen may show that there
//! is none at all; otherwise all of it is searched.

use quotient_core::{Context, Evidence, Stop, Verdict};
use quotient_logic::Formula;
use quotient_lts::evidence::{
    DOOMED, EXPLORED, ExploredData, LASSO, REDUCED, ReducedData, STUBBORN, Sought, StubbornData,
};

use super::{Answer, Finding, Known};
use crate::doomed::{self, Doomed};
use crate::evidence::{alike_data, doomed_data, lasso_data, system_data};
use crate::progress::every_action;
use crate::reduced::{Conjunct, MOST_WORK, MOST_WORK_FOR_ALL, Reducer, Steps, formula_left};
use crate::symmetry::Symmetry;
use crate::{Fluent, Lasso, Network, Progress, Starvation, check_formula, check_progress, runs};

/// Work that the first search may take, about as many steps; and one after what takes longer for
/// each unit of work was tried a little.
const SEARCHED: [u64; 2] = [3_000_000, 30_000_000];
/// Work that following enough steps may take at first, and where nothing else has an answer.
const FOLLOWED: [u64; 2] = [1_000_000, 30_000_000];
/// Work that putting components together may take for each part of what is asked.
const REDUCED_BY: [u64; 2] = [3_000_000, MOST_WORK];
/// The same for all parts together in the first round, which ends with the first part that takes more.
const REDUCED_FIRST: u64 = 12_000_000;
/// Work that is spent before it is looked for what can be told shortly.
const SEARCHED_EARLY: u64 = 400_000;
/// So many steps are read at once; whether a longer execution can be told more shortly is looked for.
const READ_AT_ONCE: usize = 40;

/// How a verdict was found on what is left of a system, for people.
const PUT_TOGETHER: &str = "components put together and reduced";
/// The same where not all steps are followed.
const STUBBORN_SETS: &str = "stubborn sets";
/// The same where alike components change places besides.
const SYMMETRY: &str = "symmetry";

/// Answers about progress properties, each by itself; without any, about all actions. Each is told
/// when it is known, whatever is still open.
pub(super) fn progress(
    network: &Network,
    properties: &[Progress],
    cx: &Context,
    known: &mut Known<'_>,
) -> Vec<Answer> {
    let mut told: Vec<String> = Vec::new();
    let mut tell = |answers: &[Answer]| {
        for answer in answers.iter().filter(|one| one.verdict.is_definite()) {
            if !told.contains(&answer.about) {
                told.push(answer.about.clone());
                known(answer);
            }
        }
    };
    let search = |properties: &[Progress], cx: &Context| -> Vec<Answer> {
        let found = check_progress(network, properties, cx).into_iter();
        found
            .map(|(about, found)| starved(network, &about, found))
            .collect()
    };
    let mut answers = search(properties, &cx.with_work(SEARCHED[0]));
    let search_again = |answers: &mut [Answer], cx: &Context| {
        let open = |one: &&Progress| {
            let mut own = answers.iter().filter(|answer| answer.about == one.name);
            own.any(is_unanswered)
        };
        let open: Vec<Progress> = properties.iter().filter(open).cloned().collect();
        if !answers.iter().any(is_unanswered) || cx.budget.poll().is_err() {
            return;
        }
        for found in search(&open, cx) {
            let own = answers.iter_mut().find(|one| one.about == found.about);
            own.into_iter().for_each(|own| *own = found.clone());
        }
    };
    tell(&answers);
    follow_progress(network, properties, &mut answers, FOLLOWED[0], cx);
    tell(&answers);
    let mut little = Reducer::new(network, REDUCED_BY[0]);
    let first = &cx.with_work(REDUCED_FIRST);
    reduce_progress(&mut little, properties, &mut answers, false, first);
    tell(&answers);
    let is_large = answers.iter().any(is_unanswered);
    let alike = is_large.then(|| alike_components(network, cx)).flatten();
    progress_of_alike(
        network,
        properties,
        &mut answers,
        (alike.as_ref(), FOLLOWED[0]),
        cx,
    );
    tell(&answers);
    search_again(&mut answers, &cx.with_work(SEARCHED[1]));
    tell(&answers);
    let mut reducer = Reducer::new(network, REDUCED_BY[1]);
    reduce_progress(&mut reducer, properties, &mut answers, true, cx);
    tell(&answers);
    progress_of_alike(
        network,
        properties,
        &mut answers,
        (alike.as_ref(), FOLLOWED[1]),
        cx,
    );
    tell(&answers);
    follow_progress(network, properties, &mut answers, FOLLOWED[1], cx);
    search_again(&mut answers, cx);
    answers.iter_mut().for_each(|answer| ended(answer, cx));
    answers
}

/// What lacked work that it would have got had the whole not come to its end lacked that.
fn ended(answer: &mut Answer, cx: &Context) {
    if let (true, Err(stop)) = (is_unanswered(answer), cx.budget.poll()) {
        answer.verdict = Verdict::Unknown(stop);
    }
}

/// Answers what is open about progress by components put together; `finally`, or where they become
/// small, it is also looked for what is broken whatever happens.
fn reduce_progress(
    reducer: &mut Reducer<'_>,
    properties: &[Progress],
    answers: &mut [Answer],
    finally: bool,
    cx: &Context,
) {
    let network = reducer.network();
    for answer in answers.iter_mut() {
        if !is_unanswered(answer) || cx.budget.poll().is_err() {
            continue;
        }
        let asked = properties.iter().find(|one| one.name == answer.about);
        let found = match asked {
            Some(asked) => reducer.progress_holds(asked, cx),
            None => reducer.every_action_goes_on(cx),
        };
        match found {
            Ok(Some(steps)) => {
                let about = answer.about.clone();
                *answer = reduced(network, &about, Sought::Starvation, steps);
            }
            Ok(None)
                if (finally || reducer.has_order())
                    && let Some(doomed) = starved_for_good(network, asked, cx) =>
            {
                *answer = doomed_answer(network, &answer.about, Sought::Starvation, doomed);
            }
            _ if finally => {}
            // The others are mostly like it.
            _ => return,
        }
    }
}

/// Whether no more was lacking than work.
fn is_unanswered(answer: &Answer) -> bool {
    matches!(answer.verdict, Verdict::Unknown(Stop::Work))
}

/// Answers what is open about progress by following enough steps.
fn follow_progress(
    network: &Network,
    properties: &[Progress],
    answers: &mut [Answer],
    work: u64,
    cx: &Context,
) {
    if !answers.iter().any(is_unanswered) || cx.budget.poll().is_err() {
        return;
    }
    let Ok(Some(found)) = runs::progress(network, properties, &cx.with_work(work)) else {
        return;
    };
    for answer in answers.iter_mut().filter(|answer| is_unanswered(answer)) {
        let own = found.iter().find(|(about, _)| *about == answer.about);
        match own {
            Some((about, None)) => *answer = followed(network, about, Sought::Starvation, None),
            Some((about, found)) => {
                let asked = properties.iter().find(|one| one.name == *about);
                // What is broken whatever happens is told more shortly than a set of states.
                if let Some(doomed) = starved_for_good(network, asked, cx) {
                    *answer = doomed_answer(network, about, Sought::Starvation, doomed);
                    continue;
                }
                *answer = starved(network, about, Ok(found.clone()));
                answer.method = STUBBORN_SETS.to_owned();
                answer.evidence = answer
                    .evidence
                    .take()
                    .map(|one| one.found_by(STUBBORN_SETS));
            }
            None => {}
        }
    }
}

/// The components that are alike, if there are so many that it may pay.
fn alike_components(network: &Network, cx: &Context) -> Option<Symmetry> {
    let alike = Symmetry::of(network, &cx.budget).ok().flatten()?;
    let pays = alike.places().is_some() || alike.sizes().any(|size| size > 2);
    pays.then_some(alike)
}

/// Answers what is open about progress by following enough steps, with alike components in any order.
fn progress_of_alike(
    network: &Network,
    properties: &[Progress],
    answers: &mut [Answer],
    (alike, work): (Option<&Symmetry>, u64),
    cx: &Context,
) {
    let Some(alike) = alike else { return };
    for answer in answers.iter_mut().filter(|answer| is_unanswered(answer)) {
        if cx.budget.poll().is_err() {
            return;
        }
        let asked = properties.iter().find(|one| one.name == answer.about);
        let holds = runs::progress_holds_alike(network, asked, alike, &cx.with_work(work));
        if matches!(holds, Ok(true)) {
            let about = answer.about.clone();
            *answer = followed(network, &about, Sought::Starvation, Some(alike));
        }
    }
}

/// It holds of what is met when in each state enough steps are followed.
fn followed(network: &Network, about: &str, sought: Sought, alike: Option<&Symmetry>) -> Answer {
    let (sets, turn) = alike.map_or_else(Default::default, alike_data);
    let data = StubbornData {
        system: system_data(network),
        sought,
        sticky: Vec::new(),
        sticky_silence: Vec::new(),
        alike: sets,
        turn,
    };
    let method = match alike {
        None => STUBBORN_SETS,
        Some(_) => SYMMETRY,
    };
    holds(about, method, Evidence::of_holds(STUBBORN, &data))
}

/// The answer about a formula with its name, what it speaks about, and whether choices are fair.
pub(super) fn formula(
    network: &Network,
    (name, formula, fluents, fair): (&str, &Formula<usize>, &[Fluent], bool),
    cx: &Context,
) -> Answer {
    let asked = Temporal {
        network,
        name,
        formula,
        fluents,
        fair,
    };
    let is_open = |found: &Result<Option<Lasso>, Stop>| {
        matches!(found, Err(Stop::Work | Stop::Bound { .. })) && cx.budget.poll().is_ok()
    };
    let early = &cx.with_work(SEARCHED_EARLY);
    let mut found = check_formula(network, formula, fluents, fair, early);
    let mut open = Conjunct::all(formula, fluents);
    if is_open(&found) {
        let early = &cx.with_work(2 * SEARCHED_EARLY);
        if let Ok(Some(doomed)) = doomed::broken(network, formula, fluents, early) {
            return doomed_answer(network, name, asked.sought(), doomed);
        }
        found = check_formula(network, formula, fluents, fair, &cx.with_work(SEARCHED[0]));
    }
    let mut alike = None;
    if is_open(&found) {
        let answer = asked.followed(FOLLOWED[0], None, cx);
        let answer = answer.or_else(|| asked.reduced(&mut open, false, cx));
        let answer = answer.or_else(|| {
            alike = alike_components(network, cx);
            alike
                .as_ref()
                .and_then(|alike| asked.followed(FOLLOWED[0], Some(alike), cx))
        });
        if let Some(answer) = answer {
            return answer;
        }
        found = asked.in_parts(&open, found, &cx.with_work(SEARCHED[1]));
    }
    if is_open(&found) {
        let answer = asked.reduced(&mut open, true, cx);
        let answer = answer.or_else(|| {
            alike
                .as_ref()
                .and_then(|alike| asked.followed(FOLLOWED[1], Some(alike), cx))
        });
        if let Some(answer) = answer.or_else(|| asked.followed(FOLLOWED[1], None, cx)) {
            return answer;
        }
        found = asked.in_parts(&open, found, cx);
    }
    if let Ok(Some(lasso)) = &found
        && let Some(answer) = asked.shorter(lasso, &open, cx)
    {
        return answer;
    }
    let found = found.map(|lasso| lasso.map(|lasso| (lasso.clone(), Finding::Lasso(lasso))));
    let mut answer = from_lasso(network, name, "automaton", asked.sought(), found);
    ended(&mut answer, cx);
    answer
}

/// A formula that is asked about, and the ways to answer.
struct Temporal<'a> {
    network: &'a Network,
    name: &'a str,
    formula: &'a Formula<usize>,
    fluents: &'a [Fluent],
    fair: bool,
}

impl Temporal<'_> {
    fn sought(&self) -> Sought {
        Sought::Formula { fair: self.fair }
    }

    /// Searches for what breaks a part of the formula. Each part is read with the fluents that it
    /// speaks of and no others: fewer values go with each state.
    fn in_parts(
        &self,
        open: &[Conjunct],
        before: Result<Option<Lasso>, Stop>,
        cx: &Context,
    ) -> Result<Option<Lasso>, Stop> {
        let search = |part: &Conjunct| {
            check_formula(self.network, &part.formula, &part.fluents, self.fair, cx)
        };
        let parts = open.iter().try_fold(None, |found, part| match found {
            None => search(part),
            found => Ok(found),
        });
        match (parts, before) {
            // No one could check that a formula with more than the bound holds.
            (Ok(None) | Err(Stop::Work), Err(bound @ Stop::Bound { .. })) => Err(bound),
            (parts, _) => parts,
        }
    }

    /// That it holds, where enough steps are followed; with alike components in any order, if some are
    /// given.
    fn followed(&self, work: u64, alike: Option<&Symmetry>, cx: &Context) -> Option<Answer> {
        let limited = &cx.with_work(work);
        let asked = (self.formula, self.fluents, self.fair);
        let holds = runs::formula_holds(self.network, asked, alike, limited);
        let answer = || followed(self.network, self.name, self.sought(), alike);
        matches!(holds, Ok(true)).then(answer)
    }

    /// That it holds, of components put together, or that it is broken whatever happens, of which
    /// little is looked for where components do not become small; otherwise which parts are still open.
    fn reduced(&self, open: &mut Vec<Conjunct>, finally: bool, cx: &Context) -> Option<Answer> {
        let (network, fluents) = (self.network, self.fluents);
        let (work, limited) = match finally {
            true => (REDUCED_BY[1], cx.clone()),
            false => (REDUCED_BY[0], cx.with_work(REDUCED_FIRST)),
        };
        let left = formula_left(network, (self.formula, fluents, self.fair), work, &limited);
        match left {
            Ok(Some(left)) if left.open.is_empty() => {
                return Some(reduced(network, self.name, self.sought(), left.steps));
            }
            Ok(Some(left)) => *open = left.open,
            _ if finally => {}
            _ => return None,
        }
        self.doomed(open, cx)
    }

    /// The same as a long execution with a cycle says, by a way to where nothing can be put right any more, if
    /// that is much shorter: with fair choices a cycle may go through thousands of states that tell nothing.
    fn shorter(&self, lasso: &Lasso, open: &[Conjunct], cx: &Context) -> Option<Answer> {
        let steps = lasso.way.len() + lasso.cycle.len();
        if steps <= READ_AT_ONCE {
            return None;
        }
        let cx = &cx.with_work(2 * SEARCHED_EARLY);
        let is_short = |doomed: &Doomed| doomed.way.way.len() <= steps / 2;
        let broken = doomed::broken(self.network, self.formula, self.fluents, cx);
        let mut all = open
            .iter()
            .map(|one| doomed::formula(self.network, one, self.fair, cx));
        let doomed = match broken {
            Ok(Some(doomed)) => Some(doomed),
            _ => all.find_map(|one| one.ok().flatten()),
        };
        let doomed = doomed.filter(is_short)?;
        Some(doomed_answer(
            self.network,
            self.name,
            self.sought(),
            doomed,
        ))
    }

    /// That one of the parts is broken whatever happens after some execution.
    fn doomed(&self, open: &[Conjunct], cx: &Context) -> Option<Answer> {
        open.iter().find_map(|open| {
            let doomed = doomed::formula(self.network, open, self.fair, cx);
            let doomed = doomed.ok().flatten()?;
            Some(doomed_answer(
                self.network,
                self.name,
                self.sought(),
                doomed,
            ))
        })
    }
}

fn starved(network: &Network, about: &str, found: Result<Option<Starvation>, Stop>) -> Answer {
    let found = found.map(|starvation| {
        starvation.map(|starvation| (starvation.lasso.clone(), Finding::Starvation(starvation)))
    });
    from_lasso(network, about, "terminal sets", Sought::Starvation, found)
}

/// An execution after which a progress property, or that every action goes on, is broken.
fn starved_for_good(network: &Network, asked: Option<&Progress>, cx: &Context) -> Option<Doomed> {
    let each = match asked {
        Some(asked) => vec![asked.clone()],
        None => every_action(network),
    };
    let cx = &cx.with_work(MOST_WORK_FOR_ALL);
    let mut each = each.iter().enumerate();
    each.find_map(|one| doomed::starved(network, one, cx).ok().flatten())
}

fn doomed_answer(network: &Network, about: &str, sought: Sought, doomed: Doomed) -> Answer {
    let method = match doomed.steps {
        None => "automaton",
        Some(_) => PUT_TOGETHER,
    };
    let data = doomed_data(network, sought, &doomed);
    let evidence = Evidence::of_violated(DOOMED, &data);
    Answer {
        about: about.to_owned(),
        verdict: Verdict::Violated,
        method: method.to_owned(),
        finding: Finding::Doomed(doomed.way),
        evidence: Some(evidence.about(about).found_by(method)),
        statistics: None,
        left_out: Vec::new(),
    }
}

/// It holds of what is left when components are put together step by step.
fn reduced(network: &Network, about: &str, sought: Sought, steps: Steps) -> Answer {
    let data = ReducedData {
        system: system_data(network),
        sought,
        steps: steps.parts,
        merged: steps.merged,
    };
    holds(about, PUT_TOGETHER, Evidence::of_holds(REDUCED, &data))
}

fn holds(about: &str, method: &str, evidence: Evidence) -> Answer {
    Answer {
        about: about.to_owned(),
        verdict: Verdict::Holds,
        method: method.to_owned(),
        finding: Finding::Nothing,
        evidence: Some(evidence.about(about).found_by(method)),
        statistics: None,
        left_out: Vec::new(),
    }
}

/// The answer to a question about infinite executions.
fn from_lasso(
    network: &Network,
    about: &str,
    method: &str,
    sought: Sought,
    found: Result<Option<(Lasso, Finding)>, Stop>,
) -> Answer {
    let (verdict, finding, evidence) = match found {
        Err(stop) => (Verdict::Unknown(stop), Finding::Nothing, None),
        Ok(Some((lasso, finding))) => {
            let data = lasso_data(network, sought, &lasso);
            (
                Verdict::Violated,
                finding,
                Some(Evidence::of_violated(LASSO, &data)),
            )
        }
        Ok(None) => {
            let data = ExploredData {
                system: system_data(network),
                sought,
                states: None,
                transitions: None,
            };
            (
                Verdict::Holds,
                Finding::Nothing,
                Some(Evidence::of_holds(EXPLORED, &data)),
            )
        }
    };
    Answer {
        about: about.to_owned(),
        verdict,
        method: method.to_owned(),
        finding,
        evidence: evidence.map(|evidence| evidence.about(about).found_by(method)),
        statistics: None,
        left_out: Vec::new(),
    }
}
