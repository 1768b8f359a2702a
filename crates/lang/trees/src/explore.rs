//! One instance: all trees that are reached from small ones.

use std::collections::HashMap;

use quotient_core::{Budget, Evidence, Stop, Verdict};
use quotient_forest::{Run, Step, System};
use quotient_language::text::count;
use quotient_language::{Answer, Inspected};
use quotient_trees::evidence::RUN_KIND;
use quotient_trees::{Tree, TreeAutomaton};

use crate::problem::Problem;
use crate::tell::{plain, trace};

/// Trees that were found, and whether these are all.
pub(crate) struct Trees {
    pub(crate) trees: Vec<Tree>,
    pub(crate) complete: bool,
}

/// What one tree can become by a step: trees of at most so many nodes, at most so many of them.
pub(crate) fn successors(
    step: &Step,
    tree: &Tree,
    size: usize,
    most: usize,
    budget: &Budget,
) -> Result<Trees, Stop> {
    let mut trees: Vec<Tree> = match step {
        Step::Rewriting(one) => one
            .successors(tree)
            .into_iter()
            .map(|(_, tree)| tree)
            .collect(),
        Step::Transducer(one) => {
            let alone = TreeAutomaton::only(one.alphabet().clone(), tree);
            let image = one.image(&alone, budget)?;
            let bound = match one.keeps_shape() {
                true => tree.size(),
                false => size.max(tree.size()) + 1,
            };
            image.trees_up_to(bound, most + 1, budget)?
        }
    };
    trees.sort_unstable_by_key(|tree| (tree.size(), tree.clone()));
    trees.dedup();
    let before = trees.len();
    trees.retain(|tree| tree.size() <= size);
    trees.truncate(most);
    Ok(Trees {
        complete: trees.len() == before,
        trees,
    })
}

/// Searches all trees that are reached from initial ones of at most `size` nodes; where steps
/// change the shape, none of more than twice that and 8.
pub(crate) fn instance(problem: &Problem, size: usize, budget: &Budget) -> Result<Inspected, Stop> {
    let system = &problem.system;
    let keeps = |(_, step): &(String, Step)| match step {
        Step::Transducer(one) => one.keeps_shape(),
        Step::Rewriting(_) => false,
    };
    let largest = match system.steps.iter().all(keeps) {
        true => size,
        false => 2 * size + 8,
    };
    let mut reached: Vec<(Tree, Option<(usize, usize)>)> = Vec::new();
    let mut numbers: HashMap<Tree, usize> = HashMap::new();
    for tree in system.initial.trees_up_to(size, usize::MAX, budget)? {
        numbers.insert(tree.clone(), reached.len());
        reached.push((tree, None));
    }
    let (mut at, mut taken, mut complete) = (0, 0u64, true);
    while at < reached.len() {
        let here = reached[at].0.clone();
        for (number, (_, step)) in system.steps.iter().enumerate() {
            let next = successors(step, &here, largest, usize::MAX - 1, budget)?;
            complete &= next.complete;
            taken += next.trees.len() as u64;
            for tree in next.trees {
                budget.charge(1)?;
                if !numbers.contains_key(&tree) {
                    numbers.insert(tree.clone(), reached.len());
                    reached.push((tree, Some((at, number))));
                }
            }
        }
        at += 1;
    }
    let answer = |bad: &crate::problem::Bad| {
        let found = reached.iter().position(|(tree, _)| bad.set.contains(tree));
        match (found, complete) {
            (Some(found), _) => violated(&bad.name, &run_to(&reached, found), system),
            (None, true) => Answer::new(&bad.name, Verdict::Holds)
                .because(format!("{} trees looked at", reached.len())),
            (None, false) => {
                Answer::unknown(&bad.name, Stop::bound("the nodes of trees", largest as u64))
            }
        }
    };
    Ok(Inspected {
        what: format!("trees of at most {size} nodes to begin with"),
        sizes: vec![("trees", reached.len() as u64), ("steps", taken)],
        answers: problem.bad.iter().map(answer).collect(),
        notes: Vec::new(),
    })
}

fn violated(name: &str, run: &Run, system: &System) -> Answer {
    let evidence = Evidence::of_violated(RUN_KIND, &plain(run, system));
    Answer::new(name, Verdict::Violated)
        .because(format!("a run of {}", count(run.steps.len(), "step")))
        .with_trace(trace(run, system))
        .with_evidence(evidence.about(name))
}

fn run_to(reached: &[(Tree, Option<(usize, usize)>)], end: usize) -> Run {
    let mut steps = Vec::new();
    let mut at = end;
    while let Some((before, step)) = reached[at].1 {
        steps.push((step, reached[at].0.clone()));
        at = before;
    }
    steps.reverse();
    Run {
        first: reached[at].0.clone(),
        steps,
    }
}
