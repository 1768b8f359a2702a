//! Weights that steps do not make larger, found from what contradicts others.
//!
//! Weights are first any that satisfy the examples met so far (a linear program). Each step is asked how
//! much it changes them at the most; one that makes them larger is one more example. There are only
//! finitely many shortest ways and circles in the transducers, so that this ends.

use std::collections::BTreeMap;

use quotient_core::{Budget, Stop};

use super::weights::solve;
use crate::progress::{Change, Ranks, Weighable};

/// More examples than this are not collected for one step.
const MOST_EXAMPLES: usize = 150;

/// Weights that show of as many steps as possible that they are taken only finitely often.
///
/// They are of what has these names.
pub(crate) fn ranks<M: Weighable>(
    steps: &[&M],
    names: &[String],
    budget: &Budget,
) -> Result<Ranks, Stop> {
    let mut left: Vec<&M> = steps.to_vec();
    let size = names.len();
    let mut ranks = Ranks::default();
    'again: loop {
        // What no step may make larger, as long as these are left.
        let mut examples: Vec<Vec<i64>> = Vec::new();
        for target in 0..left.len() {
            let Some(weights) = smaller(&left, target, size, &mut examples, budget)? else {
                continue;
            };
            let list = names.iter().cloned().zip(&weights);
            let list = list.filter(|(_, weight)| **weight > 0);
            let list: Option<BTreeMap<String, u32>> = list
                .map(|(name, weight)| Some((name, u32::try_from(*weight).ok()?)))
                .collect();
            let Some(list) = list else { continue };
            ranks.lists.push(list);
            let mut more = Vec::new();
            for moves in left {
                match moves.most(&weights, budget)? {
                    Change::AtMost(most, _) if most < 0 => {}
                    _ => more.push(moves),
                }
            }
            left = more;
            continue 'again;
        }
        return Ok(ranks);
    }
}

/// Weights that no step makes larger and that one makes smaller.
fn smaller<M: Weighable>(
    left: &[&M],
    target: usize,
    size: usize,
    examples: &mut Vec<Vec<i64>>,
    budget: &Budget,
) -> Result<Option<Vec<i64>>, Stop> {
    let mut strict: Vec<Vec<i64>> = Vec::new();
    for _ in 0..MOST_EXAMPLES {
        budget.charge(1)?;
        let Some(weights) = solve(size, examples, &strict) else {
            return Ok(None);
        };
        let before = examples.len() + strict.len();
        match left[target].most(&weights, budget)? {
            Change::Never => return Ok(None),
            Change::AtMost(most, change) if most >= 0 => push(&mut strict, change),
            Change::AtMost(..) => {}
            Change::Endless(change) => push(examples, change),
        }
        for (number, moves) in left.iter().enumerate() {
            if number == target {
                continue;
            }
            match moves.most(&weights, budget)? {
                Change::AtMost(most, change) if most > 0 => push(examples, change),
                Change::Endless(change) => push(examples, change),
                Change::Never | Change::AtMost(..) => {}
            }
        }
        if examples.len() + strict.len() == before {
            return Ok(Some(weights));
        }
    }
    Ok(None)
}

fn push(examples: &mut Vec<Vec<i64>>, change: Vec<i64>) {
    if !examples.contains(&change) {
        examples.push(change);
    }
}
