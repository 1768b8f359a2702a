//! Questions about infinite executions.
//!
//! A small system is searched whole, and so is the beginning of a large one, where violations
//! mostly are. Of a large one that has none there, what is left when only the events of the
//! question are seen may show that there is none at all; otherwise all of it is searched.

use quotient_core::{Context, Evidence, Stop, Verdict};
use quotient_logic::Formula;
use quotient_lts::evidence::{EXPLORED, ExploredData, LASSO, REDUCED, ReducedData, Sought};

use super::{Answer, Finding};
use crate::evidence::{lasso_data, system_data};
use crate::reduced::{Conjunct, Reducer, Steps, formula_left};
use crate::{Fluent, Lasso, Network, Progress, Starvation, check_formula, check_progress};

/// Work that the first search may take: about as many steps.
const SEARCHED_FIRST: u64 = 3_000_000;

/// Answers about progress properties, each by itself; without any, about all actions.
pub(super) fn progress(network: &Network, properties: &[Progress], cx: &Context) -> Vec<Answer> {
    let search = |properties: &[Progress], cx: &Context| -> Vec<Answer> {
        let found = check_progress(network, properties, cx).into_iter();
        found
            .map(|(about, found)| starved(network, &about, found))
            .collect()
    };
    let mut reducer = Reducer::new(network);
    let mut answers = search(properties, &cx.with_work(SEARCHED_FIRST));
    let mut left: Vec<Progress> = Vec::new();
    let mut is_open = false;
    for answer in &mut answers {
        let (Verdict::Unknown(Stop::Work), Ok(())) = (&answer.verdict, cx.budget.poll()) else {
            continue;
        };
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
            _ => {
                is_open = true;
                left.extend(asked.cloned());
            }
        }
    }
    if !is_open {
        return answers;
    }
    for found in search(&left, cx) {
        let own = answers.iter_mut().find(|one| one.about == found.about);
        own.into_iter().for_each(|own| *own = found.clone());
    }
    answers
}

/// The answer about a formula with its name, what it speaks about, and whether choices are fair.
pub(super) fn formula(
    network: &Network,
    (name, formula, fluents, fair): (&str, &Formula<usize>, &[Fluent], bool),
    cx: &Context,
) -> Answer {
    let sought = Sought::Formula { fair };
    let search = |cx: &Context| check_formula(network, formula, fluents, fair, cx);
    let mut found = search(&cx.with_work(SEARCHED_FIRST));
    let is_open = matches!(&found, Err(Stop::Work | Stop::Bound { .. }));
    if is_open && cx.budget.poll().is_ok() {
        let open = match formula_left(network, formula, fluents, fair, cx) {
            Ok(Some(left)) if left.open.is_empty() => {
                return reduced(network, name, sought, left.steps);
            }
            Ok(Some(left)) => left.open,
            _ => Conjunct::all(formula, fluents),
        };
        let parts = open.iter().try_fold(None, |found, open| match found {
            None => check_formula(network, &open.formula, &open.fluents, fair, cx),
            found => Ok(found),
        });
        found = match (parts, found) {
            // No one could check that a formula with more than the bound holds.
            (Ok(None), Err(bound @ Stop::Bound { .. })) => Err(bound),
            (parts, _) => parts,
        };
    }
    let found = found.map(|lasso| lasso.map(|lasso| (lasso.clone(), Finding::Lasso(lasso))));
    from_lasso(network, name, "automaton", sought, found)
}

fn starved(network: &Network, about: &str, found: Result<Option<Starvation>, Stop>) -> Answer {
    let found = found.map(|starvation| {
        starvation.map(|starvation| (starvation.lasso.clone(), Finding::Starvation(starvation)))
    });
    from_lasso(network, about, "terminal sets", Sought::Starvation, found)
}

/// It holds of what is left when components are put together step by step.
fn reduced(network: &Network, about: &str, sought: Sought, steps: Steps) -> Answer {
    let method = "components put together and reduced";
    let data = ReducedData {
        system: system_data(network),
        sought,
        steps: steps.parts,
        merged: steps.merged,
    };
    let evidence = Evidence::of_holds(REDUCED, &data);
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
