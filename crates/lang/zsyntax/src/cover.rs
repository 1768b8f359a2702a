//! Backward search: the least aggregates from which something can be made.
//!
//! It ends for every pathway, also where amounts grow without bound (Dickson's lemma; Abdulla and
//! others, 1996). What the start lacks of each least aggregate is what is missing: the answers to
//! "what must be added" are all found, of any size.

use std::collections::BTreeSet;

use quotient_core::{Budget, Stop};

use crate::pathway::{Aggregate, Pathway};
use crate::sums;

/// The most least aggregates.
const MOST: usize = 5_000;

/// A least aggregate, and the reaction from it towards the target.
#[derive(Debug, Clone)]
pub(crate) struct Least {
    pub(crate) aggregate: Aggregate,
    /// The rule, and the number of the least aggregate that it leads to.
    pub(crate) then: Option<(usize, usize)>,
}

/// All least aggregates from which at least the target can be made, without those that are
/// `hopeless`: no start leads to them. (Some may be there that others made superfluous later; the
/// runs through them are real.)
pub(crate) fn backward(
    pathway: &Pathway,
    target: &[u64],
    hopeless: &dyn Fn(&[u64]) -> bool,
    budget: &Budget,
) -> Result<Vec<Least>, Stop> {
    if hopeless(target) {
        return Ok(Vec::new());
    }
    let mut all = vec![Least {
        aggregate: target.to_vec(),
        then: None,
    }];
    let mut at = 0;
    while at < all.len() {
        for (number, rule) in pathway.rules.iter().enumerate() {
            budget.charge(1 + all.len() as u64 / 64)?;
            let before = rule.before(&all[at].aggregate);
            let known = all.iter().any(|one| is_within(&one.aggregate, &before));
            if !known && !hopeless(&before) {
                all.push(Least {
                    aggregate: before,
                    then: Some((number, at)),
                });
            }
        }
        if all.len() > MOST {
            return Err(Stop::bound("the number of least aggregates", MOST as u64));
        }
        at += 1;
    }
    Ok(all)
}

/// The rules that lead from one of them to the target.
pub(crate) fn onwards(all: &[Least], from: &Least) -> Vec<usize> {
    let mut run = Vec::new();
    let mut then = from.then;
    while let Some((rule, next)) = then {
        run.push(rule);
        then = all[next].then;
    }
    run
}

/// The aggregates from which exactly the target can be made, near ones first: as far as to a start, or all unless
/// there are so many.
pub(crate) fn exactly_before(
    pathway: &Pathway,
    target: &[u64],
    most: usize,
    budget: &Budget,
) -> Result<Vec<Least>, Stop> {
    let mut known = BTreeSet::from([target.to_vec()]);
    let mut all = vec![Least {
        aggregate: target.to_vec(),
        then: None,
    }];
    let mut at = 0;
    while at < all.len() && all.len() < most && !pathway.may_start(&all[at].aggregate) {
        for (number, rule) in pathway.rules.iter().enumerate() {
            budget.charge(1)?;
            if let Some(before) = rule.undo(&all[at].aggregate)
                && known.insert(before.clone())
            {
                all.push(Least {
                    aggregate: before,
                    then: Some((number, at)),
                });
            }
        }
        at += 1;
    }
    Ok(all)
}

/// Whether there is at most as much of everything.
pub(crate) fn is_within(less: &[u64], more: &[u64]) -> bool {
    less.iter().zip(more).all(|(a, b)| a <= b)
}

/// Those that no other is within, in order of size.
pub(crate) fn minimal(mut all: Vec<Aggregate>) -> Vec<Aggregate> {
    all.sort_by_key(|one| (one.iter().sum::<u64>(), one.clone()));
    let mut kept: Vec<Aggregate> = Vec::new();
    for one in all {
        if !kept.iter().any(|less| is_within(less, &one)) {
            kept.push(one);
        }
    }
    kept
}

/// Conserved sums with their values at the start, where that is one value.
pub(crate) fn limits(pathway: &Pathway, budget: &Budget) -> Result<Vec<(Vec<i64>, i128)>, Stop> {
    let share = budget.child_with_work(100_000);
    let all = match sums::conserved(pathway, &share) {
        Ok(all) => all.unwrap_or_default(),
        Err(Stop::Work) => Vec::new(),
        Err(stop) => return Err(stop),
    };
    budget.poll()?;
    let (start, unlimited) = (pathway.least_start(), pathway.unlimited());
    let known = |weights: &Vec<i64>| {
        let mut pairs = weights.iter().zip(&unlimited);
        pairs.all(|(weight, any)| *weight == 0 || !any)
    };
    let all = all.into_iter().filter(known);
    Ok(all
        .map(|weights| {
            let value = sums::value(&weights, &start);
            (weights, value)
        })
        .collect())
}

/// What must be added to the start, at least, to make the target: all answers.
pub(crate) fn missing(
    pathway: &Pathway,
    target: &[u64],
    budget: &Budget,
) -> Result<Vec<Aggregate>, Stop> {
    let start = pathway.least_start();
    let unlimited = pathway.unlimited();
    let lacks = |least: &Least| -> Aggregate {
        let each = least.aggregate.iter().enumerate();
        each.map(|(at, &number)| match unlimited[at] {
            true => 0,
            false => number.saturating_sub(start[at]),
        })
        .collect()
    };
    let all = backward(pathway, target, &|_| false, budget)?;
    Ok(minimal(all.iter().map(lacks).collect()))
}
