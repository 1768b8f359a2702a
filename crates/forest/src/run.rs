//! Runs: trees, and the steps between them.

use quotient_core::{Budget, Stop};
use quotient_trees::{Tree, TreeAutomaton, intersection};

use crate::{Direction, System};

/// A run from an initial tree: each further tree with the number of the step that made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Where it begins.
    pub first: Tree,
    /// The steps.
    pub steps: Vec<(usize, Tree)>,
}

/// A run through sets, each reached from the one before by a step or none, in the direction of
/// the search. The first set and all others are not empty.
pub(crate) fn through(
    system: &System,
    direction: Direction,
    sets: &[TreeAutomaton],
    budget: &Budget,
) -> Result<Run, Stop> {
    let lost = || Stop::inconclusive("a run through sets could not be made one of single trees");
    let first = sets.first().ok_or_else(lost)?.witness()?.ok_or_else(lost)?;
    let mut trees = vec![first];
    let mut names = Vec::new();
    for set in &sets[1..] {
        let here = trees[trees.len() - 1].clone();
        if set.contains(&here) {
            continue;
        }
        let (step, next) = next(system, direction, &here, set, budget)?.ok_or_else(lost)?;
        trees.push(next);
        names.push(step);
    }
    if direction == Direction::Backward {
        trees.reverse();
        names.reverse();
    }
    let mut trees = trees.into_iter();
    let first = trees.next().ok_or_else(lost)?;
    let steps = names.into_iter().zip(trees).collect();
    Ok(Run { first, steps })
}

/// A step from a tree into a set, in the direction of the search.
fn next(
    system: &System,
    direction: Direction,
    here: &Tree,
    set: &TreeAutomaton,
    budget: &Budget,
) -> Result<Option<(usize, Tree)>, Stop> {
    let alone = TreeAutomaton::only(set.alphabet().clone(), here);
    for (number, (_, step)) in system.steps.iter().enumerate() {
        let around = match direction {
            Direction::Forward => step.image(&alone, budget)?,
            Direction::Backward => step.preimage(&alone, budget)?,
        };
        let good = intersection(&around, set, budget)?;
        // Rules that are not linear make the sets larger than they are: several trees are tried.
        let Some(smallest) = good.witness()? else {
            continue;
        };
        let others = good.trees_up_to(smallest.size() + 4, 50, budget)?;
        for tree in std::iter::once(smallest).chain(others) {
            let leads = match direction {
                Direction::Forward => step.leads(here, &tree, budget)?,
                Direction::Backward => step.leads(&tree, here, budget)?,
            };
            if leads {
                return Ok(Some((number, tree)));
            }
        }
    }
    Ok(None)
}
