//! Is this a run to a bad tree?

use std::collections::{BTreeSet, HashMap};

use quotient_core::{Budget, Stop};
use quotient_trees::evidence::TreeRun;
use quotient_trees::{Piece, State, Symbol, Term, Transducer, Tree};

use super::sets::{Sets, Tuples};
use super::{TreeProblem, TreeStep};
use crate::Rejection;

/// Checks that a run begins with an initial tree, takes steps of the problem, and ends with a
/// bad tree.
pub(super) fn check(
    body: &TreeRun,
    problem: &TreeProblem<'_>,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    let alphabet = problem.initial.alphabet();
    let tree = |text: &str| {
        let tree = Tree::read(text, alphabet);
        tree.ok_or_else(|| Rejection::unreadable("there is something in the run that is no tree"))
    };
    let mut here = tree(&body.first)?;
    let mut sets = Sets::new(problem.initial, budget);
    let set = sets.of_tree(&here)?;
    if !sets.accepts(set) {
        return Err(Rejection::wrong("the first tree is not initial"));
    }
    for (number, (name, text)) in body.steps.iter().enumerate() {
        let next = tree(text)?;
        let mut alike = problem.steps.iter().filter(|(one, _)| one == name);
        let (Some((_, step)), None) = (alike.next(), alike.next()) else {
            return Err(Rejection::wrong(format!("there is no step `{name}`")));
        };
        let leads = match step {
            TreeStep::Transducer(one) => becomes(one, &here, &next, budget)?,
            TreeStep::Rewriting(one) => {
                let mut found = false;
                for place in 0..here.size() {
                    for rule in &one.rules {
                        budget.charge(here.size() as u64)?;
                        let trees = rule.left.matched(&here, place);
                        let right = trees.and_then(|trees| rule.right.filled(&trees));
                        found |= right.is_some_and(|right| here.with(place, &right) == next);
                    }
                }
                found
            }
        };
        if !leads {
            let message = format!("step {} is none of `{name}`", number + 1);
            return Err(Rejection::wrong(message));
        }
        here = next;
    }
    let mut sets = Sets::new(problem.bad, budget);
    let set = sets.of_tree(&here)?;
    if !sets.accepts(set) {
        return Err(Rejection::wrong("the last tree is not bad"));
    }
    Ok(vec![
        "the first tree is initial".to_owned(),
        format!(
            "each of the {} steps is one of the system",
            body.steps.len()
        ),
        "the last tree is bad".to_owned(),
    ])
}

/// What a tree became: a subtree of the goal by number, or something else.
type Output = Option<usize>;

/// The different subtrees of a tree, by number.
struct Subtrees {
    numbers: HashMap<(Symbol, Vec<usize>), usize>,
}

impl Subtrees {
    /// The subtrees of a tree, and the number of the whole.
    fn new(tree: &Tree) -> (Subtrees, usize) {
        let mut numbers = HashMap::new();
        let whole = tree.fold(|node, below: Vec<usize>| {
            let fresh = numbers.len();
            *numbers.entry((node.symbol, below)).or_insert(fresh)
        });
        (Subtrees { numbers }, whole)
    }

    fn of_term(&self, term: &Term, variables: &[Output]) -> Output {
        term.fold(|piece, below: Vec<Output>| match piece {
            Piece::Variable(number) => variables.get(number as usize).copied().flatten(),
            Piece::Node(node) => {
                let below: Option<Vec<usize>> = below.into_iter().collect();
                self.numbers.get(&(node.symbol, below?)).copied()
            }
        })
    }
}

/// Whether a transducer makes the second tree of the first one.
fn becomes(step: &Transducer, from: &Tree, to: &Tree, budget: &Budget) -> Result<bool, Stop> {
    let (subtrees, goal) = Subtrees::new(to);
    let all = from.fold(
        |node, below: Vec<Result<BTreeSet<(State, Output)>, Stop>>| {
            let below: Result<Vec<BTreeSet<(State, Output)>>, Stop> = below.into_iter().collect();
            let below = below?;
            let mut found: BTreeSet<(State, Output)> = BTreeSet::new();
            for rule in step
                .rules()
                .iter()
                .filter(|rule| rule.symbol == Some(node.symbol))
            {
                // Numbers of possibilities below, with 0 for something else.
                let column = |(&child, possible): (&State, &BTreeSet<(State, Output)>)| {
                    let fitting = possible.iter().filter(|(state, _)| *state == child);
                    let fitting = fitting.map(|(_, output)| output.map_or(0, |number| number + 1));
                    fitting.collect::<Vec<usize>>()
                };
                let columns: Vec<Vec<usize>> =
                    rule.children.iter().zip(&below).map(column).collect();
                for tuple in Tuples::new(&columns) {
                    budget.charge(1)?;
                    let variables: Vec<Output> =
                        tuple.iter().map(|one| one.checked_sub(1)).collect();
                    found.insert((rule.target, subtrees.of_term(&rule.output, &variables)));
                }
            }
            let mut todo: Vec<(State, Output)> = found.iter().copied().collect();
            while let Some((state, output)) = todo.pop() {
                budget.charge(1)?;
                for rule in step.rules().iter().filter(|rule| rule.symbol.is_none()) {
                    let next = (rule.target, subtrees.of_term(&rule.output, &[output]));
                    if rule.children[0] == state && found.insert(next) {
                        todo.push(next);
                    }
                }
            }
            Ok(found)
        },
    );
    let mut all = all?.into_iter();
    Ok(all.any(|(state, output)| step.accepting().contains(state.index()) && output == Some(goal)))
}
