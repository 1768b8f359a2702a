//! Has the one system really what the other has not?

use quotient_core::{Budget, Rejection, Stop};
use quotient_lts::Relation;
use quotient_lts::evidence::{DifferentData, ModalData, WitnessData};

use super::{Graph, Graphs, SILENT};

pub(super) fn check(
    data: &DifferentData,
    graphs: &Graphs,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    let fits = match &data.witness {
        WitnessData::Trace { .. } => !data.relation.is_bisimulation(),
        WitnessData::Failure { .. } => matches!(
            data.relation,
            Relation::Failures | Relation::FailuresDivergences
        ),
        WitnessData::Divergence { .. } => data.relation == Relation::FailuresDivergences,
        WitnessData::Formula { .. } => data.relation.is_bisimulation(),
    };
    if !fits {
        let message = "what the one has and the other has not is no matter of this relation";
        return Err(Rejection::wrong(message));
    }
    let (second, actions) = match &data.witness {
        WitnessData::Formula { parts } => return formula(data.relation, parts, graphs, budget),
        WitnessData::Trace { second, actions }
        | WitnessData::Failure {
            second, actions, ..
        }
        | WitnessData::Divergence { second, actions } => (*second, actions),
    };
    if second && data.refines {
        let message = "the second may do more than the first";
        return Err(Rejection::wrong(message));
    }
    let [having, lacking] = match second {
        true => [&graphs.sides[1], &graphs.sides[0]],
        false => [&graphs.sides[0], &graphs.sides[1]],
    };
    let numbers = numbers(actions, graphs)?;
    let reached = way(having, &numbers, budget)?;
    let missed = way(lacking, &numbers, budget)?;
    let last = |way: &[Vec<u32>]| way.last().cloned().unwrap_or_default();
    let (end, other) = (last(&reached), last(&missed));
    if end.is_empty() {
        return Err(Rejection::wrong("the trace cannot happen"));
    }
    if data.relation == Relation::FailuresDivergences {
        let busy = lacking.busy(budget)?;
        if missed.iter().flatten().any(|&state| busy[state as usize]) {
            let message = "the other can be silently busy for ever on the way, and may do anything";
            return Err(Rejection::wrong(message));
        }
    }
    let (is_so, fact) = match &data.witness {
        WitnessData::Failure { refused, .. } => {
            let refused: Vec<u32> = refused
                .iter()
                .filter_map(|name| graphs.names.get(name).copied())
                .collect();
            if refused.contains(&SILENT) {
                return Err(Rejection::wrong("silence cannot be refused"));
            }
            let refuses = |graph: &Graph, states: &[u32]| {
                let offers = |state: u32| refused.iter().any(|&action| graph.offers(state, action));
                let mut stable = states.iter().filter(|&&state| graph.is_stable(state));
                stable.any(|&state| !offers(state))
            };
            let is_so = refuses(having, &end) && !refuses(lacking, &other);
            (is_so, "refuses after the trace what the other does not")
        }
        WitnessData::Divergence { .. } => {
            let busy = having.busy(budget)?;
            let is_so = end.iter().any(|&state| busy[state as usize]);
            (is_so, "can be silently busy for ever, and the other cannot")
        }
        _ => (other.is_empty(), "has a trace that the other has not"),
    };
    let who = ["the first", "the second"][usize::from(second)];
    match is_so {
        true => Ok(vec![format!("{who} {fact}")]),
        false => Err(Rejection::wrong(format!("it is not so that {who} {fact}"))),
    }
}

/// Actions by number; none is silent.
fn numbers(actions: &[String], graphs: &Graphs) -> Result<Vec<u32>, Rejection> {
    let number = |name: &String| {
        let number = graphs.names.get(name).copied();
        number
            .filter(|&number| number != SILENT)
            .ok_or_else(|| Rejection::wrong(format!("`{name}` is no action of the systems")))
    };
    actions.iter().map(number).collect()
}

/// The states before the first action and after each.
fn way(graph: &Graph, actions: &[u32], budget: &Budget) -> Result<Vec<Vec<u32>>, Stop> {
    let mut way = vec![graph.silently([graph.initial], budget)?];
    for &action in actions {
        let before = way.last().cloned().unwrap_or_default();
        budget.charge(before.len() as u64 + 1)?;
        way.push(graph.after(&before, action, budget)?);
    }
    Ok(way)
}

/// Where each part of the formula is true, by the definitions, part by part.
fn formula(
    relation: Relation,
    parts: &[ModalData],
    graphs: &Graphs,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    let (rows, [first, second]) = graphs.joint();
    let mut silent_sources: Vec<Vec<u32>> = vec![Vec::new(); rows.len()];
    for (state, row) in (0u32..).zip(&rows) {
        for &(_, target) in row.iter().filter(|step| step.0 == SILENT) {
            silent_sources[target as usize].push(state);
        }
    }
    let logic = Logic {
        rows: &rows,
        silent_sources,
        budget,
    };
    let mut truth: Vec<Vec<bool>> = Vec::new();
    for part in parts {
        budget.charge(rows.len() as u64)?;
        let known = |at: &usize| truth.get(*at).ok_or_else(|| Rejection::wrong(NOT_BEFORE));
        let action = |name: &String| {
            let number = graphs.names.get(name).copied();
            number.ok_or_else(|| Rejection::wrong(format!("`{name}` is no action of the systems")))
        };
        let here = match part {
            ModalData::Not(one) => known(one)?.iter().map(|value| !value).collect(),
            ModalData::All(all) => {
                let mut here = vec![true; rows.len()];
                for one in all {
                    budget.charge(rows.len() as u64)?;
                    let one = known(one)?;
                    here.iter_mut()
                        .zip(one)
                        .for_each(|(here, one)| *here &= one);
                }
                here
            }
            ModalData::Some(some) => {
                let mut here = vec![false; rows.len()];
                for one in some {
                    budget.charge(rows.len() as u64)?;
                    let one = known(one)?;
                    here.iter_mut()
                        .zip(one)
                        .for_each(|(here, one)| *here |= one);
                }
                here
            }
            ModalData::Can(name, then) if relation == Relation::Strong => {
                logic.before(action(name)?, known(then)?)?
            }
            ModalData::Can(name, then) if relation == Relation::Weak => {
                let everywhere = vec![true; rows.len()];
                let then = logic.led_to(known(then)?.clone(), &everywhere)?;
                match action(name)? {
                    SILENT => then,
                    action => logic.led_to(logic.before(action, &then)?, &everywhere)?,
                }
            }
            ModalData::Until(during, name, then) if relation == Relation::Branching => {
                let (during, then) = (known(during)?, known(then)?);
                let action = action(name)?;
                let mut here = logic.before(action, then)?;
                here.iter_mut()
                    .zip(during)
                    .for_each(|(here, during)| *here &= during);
                let mut here = logic.led_to(here, during)?;
                if action == SILENT {
                    here.iter_mut()
                        .zip(then)
                        .for_each(|(here, then)| *here |= then);
                }
                here
            }
            _ => {
                let message = "the formula has a step that the relation does not respect";
                return Err(Rejection::wrong(message));
            }
        };
        truth.push(here);
    }
    let Some(whole) = truth.last() else {
        return Err(Rejection::wrong("there is no formula"));
    };
    match (whole[first as usize], whole[second as usize]) {
        (true, false) => Ok(vec![format!(
            "a formula of {} parts is true of the first and false of the second",
            parts.len()
        )]),
        _ => Err(Rejection::wrong(
            "the formula is not true of the first and false of the second",
        )),
    }
}

const NOT_BEFORE: &str = "a part of the formula does not come before what is made of it";

/// What it takes to find where a formula is true.
struct Logic<'a> {
    rows: &'a [Vec<(u32, u32)>],
    /// For each state those with a silent step to it.
    silent_sources: Vec<Vec<u32>>,
    budget: &'a Budget,
}

impl Logic<'_> {
    /// The states with a step of an action to one of these.
    fn before(&self, action: u32, then: &[bool]) -> Result<Vec<bool>, Stop> {
        self.budget.charge(self.rows.len() as u64)?;
        let leads = |row: &Vec<(u32, u32)>| {
            let mut row = row.iter();
            row.any(|&(own, target)| own == action && then[target as usize])
        };
        Ok(self.rows.iter().map(leads).collect())
    }

    /// The states from which silent steps through some others lead to these.
    fn led_to(&self, mut here: Vec<bool>, through: &[bool]) -> Result<Vec<bool>, Stop> {
        let is_here = |state: &u32| here[*state as usize];
        let mut waiting: Vec<u32> = (0..here.len() as u32).filter(is_here).collect();
        while let Some(state) = waiting.pop() {
            self.budget.charge(1)?;
            for &source in &self.silent_sources[state as usize] {
                if through[source as usize] && !here[source as usize] {
                    here[source as usize] = true;
                    waiting.push(source);
                }
            }
        }
        Ok(here)
    }
}
