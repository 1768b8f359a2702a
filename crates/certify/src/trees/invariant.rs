//! Is this set never left?

use std::collections::BTreeSet;

use quotient_core::{Budget, Stop};
use quotient_trees::evidence::TreeInvariant;
use quotient_trees::{RewriteSystem, State, Transducer, TreeAutomaton};

use super::sets::{Sets, Tuples};
use super::{TreeProblem, TreeStep};
use crate::Rejection;

/// Checks that a set contains where it begins, is disjoint from where it must not come, and that
/// no step leads out of it (backward: into it).
pub(super) fn check(
    body: &TreeInvariant,
    problem: &TreeProblem<'_>,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    let set = body.set.to_automaton(problem.initial.alphabet());
    let set = set.map_err(|why| Rejection::unreadable(format!("the set is none: {why}")))?;
    let ((inside, outside), (begin, end)) = match body.backward {
        false => ((problem.initial, problem.bad), ("initial", "bad")),
        true => ((problem.bad, problem.initial), ("bad", "initial")),
    };
    if !is_included(inside, &set, budget)? {
        let message = format!("some {begin} tree is not in the set");
        return Err(Rejection::wrong(message));
    }
    if !is_disjoint(&set, outside, budget)? {
        return Err(Rejection::wrong(format!(
            "the set contains a tree that is {end}"
        )));
    }
    for (name, step) in problem.steps {
        let mut sets = Sets::new(&set, budget);
        let closed = match step {
            TreeStep::Transducer(one) => is_closed(&mut sets, one, body.backward, budget)?,
            TreeStep::Rewriting(one) => is_rewritten_into(&mut sets, one, body.backward, budget)?,
        };
        if !closed {
            let way = if body.backward {
                "into the set"
            } else {
                "out of the set"
            };
            return Err(Rejection::wrong(format!("a step by `{name}` leads {way}")));
        }
    }
    let way = if body.backward { "enters" } else { "leaves" };
    Ok(vec![
        format!("every {begin} tree is in the set"),
        format!("no step {way} it ({} kinds of steps)", problem.steps.len()),
        format!("it contains no {end} tree"),
    ])
}

/// Whether every tree of the one is one of the other: state by state here, set by set there.
fn is_included(one: &TreeAutomaton, other: &TreeAutomaton, budget: &Budget) -> Result<bool, Stop> {
    let mut sets = Sets::new(other, budget);
    let mut found: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); one.states()];
    let mut changed = true;
    while changed {
        changed = false;
        for rule in one.rules() {
            let column = |&child: &State| found[child.index()].iter().copied().collect();
            let columns: Vec<Vec<usize>> = rule.children.iter().map(column).collect();
            for below in Tuples::new(&columns) {
                let set = sets.above(rule.symbol, &below)?;
                if one.accepts_in(rule.target) && !sets.accepts(set) {
                    return Ok(false);
                }
                changed |= found[rule.target.index()].insert(set);
            }
        }
    }
    Ok(true)
}

/// Whether no tree is in both.
fn is_disjoint(one: &TreeAutomaton, other: &TreeAutomaton, budget: &Budget) -> Result<bool, Stop> {
    let mut found: BTreeSet<(State, State)> = BTreeSet::new();
    let mut changed = true;
    while changed {
        changed = false;
        for rule in one.rules() {
            for with in other.rules() {
                budget.charge(1)?;
                let mut pairs = rule.children.iter().zip(&with.children);
                if rule.symbol == with.symbol && pairs.all(|(&p, &q)| found.contains(&(p, q))) {
                    if one.accepts_in(rule.target) && other.accepts_in(with.target) {
                        return Ok(false);
                    }
                    changed |= found.insert((rule.target, with.target));
                }
            }
        }
    }
    Ok(true)
}

/// A tree that can be read and what becomes of it: the state, and the sets that both are in.
type Became = (State, usize, usize);

/// Whether no tree of the set becomes one outside (backward: none outside becomes one of it).
fn is_closed(
    sets: &mut Sets<'_>,
    step: &Transducer,
    backward: bool,
    budget: &Budget,
) -> Result<bool, Stop> {
    let mut found: Vec<Became> = Vec::new();
    let mut known: BTreeSet<Became> = BTreeSet::new();
    let mut old = 0;
    loop {
        let so_far = found.len();
        for rule in step.rules() {
            let column = |&child: &State| -> Vec<usize> {
                let all = (0..so_far).filter(|&number| found[number].0 == child);
                all.collect()
            };
            let columns: Vec<Vec<usize>> = rule.children.iter().map(column).collect();
            let mut new = Vec::new();
            for tuple in Tuples::new(&columns) {
                budget.charge(1)?;
                // Tuples of those that were there in the last round were looked at then.
                if so_far > 0 && tuple.iter().all(|&number| number < old) {
                    continue;
                }
                let read: Vec<usize> = tuple.iter().map(|&number| found[number].1).collect();
                let written: Vec<usize> = tuple.iter().map(|&number| found[number].2).collect();
                let read = match rule.symbol {
                    Some(symbol) => sets.above(symbol, &read)?,
                    None => read[0],
                };
                let Some(written) = sets.of_term(&rule.output, &written)? else {
                    return Ok(false);
                };
                new.push((rule.target, read, written));
            }
            for became in new {
                let (state, read, written) = became;
                let (from, to) = if backward {
                    (written, read)
                } else {
                    (read, written)
                };
                if step.accepting().contains(state.index())
                    && sets.accepts(from)
                    && !sets.accepts(to)
                {
                    return Ok(false);
                }
                // Whatever stands above a tree in no state is in no state.
                let hopeless = !backward && sets.is_empty(read);
                if !hopeless && known.insert(became) {
                    found.push(became);
                }
            }
        }
        if found.len() == so_far {
            return Ok(true);
        }
        old = so_far;
    }
}

/// The same for replacing subtrees: pairs of sets that a tree before and after is in.
fn is_rewritten_into(
    sets: &mut Sets<'_>,
    system: &RewriteSystem,
    backward: bool,
    budget: &Budget,
) -> Result<bool, Stop> {
    let all = sets.all()?;
    let mut found: Vec<(usize, usize)> = Vec::new();
    for rule in &system.rules {
        let most = rule
            .left
            .variables()
            .max()
            .map_or(0, |most| most as usize + 1);
        // Variables that do not occur may be anything: one thing is enough.
        let column = |number: usize| match rule.left.variables().any(|one| one as usize == number) {
            true => all.clone(),
            false => all.iter().copied().take(1).collect(),
        };
        let columns: Vec<Vec<usize>> = (0..most).map(column).collect();
        for variables in Tuples::new(&columns) {
            budget.charge(1)?;
            let left = sets.of_term(&rule.left, &variables)?;
            let right = sets.of_term(&rule.right, &variables)?;
            let (Some(left), Some(right)) = (left, right) else {
                return Ok(false);
            };
            let pair = (left, right);
            if !found.contains(&pair) {
                found.push(pair);
            }
        }
    }
    let mut next = 0;
    while next < found.len() {
        let (before, after) = found[next];
        next += 1;
        let (from, to) = if backward {
            (after, before)
        } else {
            (before, after)
        };
        if sets.accepts(from) && !sets.accepts(to) {
            return Ok(false);
        }
        if before == after {
            continue;
        }
        let alphabet = system.alphabet.clone();
        for (symbol, _, arity) in alphabet.symbols() {
            for place in 0..arity {
                let mut columns = vec![all.clone(); arity];
                columns[place] = vec![before];
                for mut below in Tuples::new(&columns) {
                    budget.charge(1)?;
                    let old = sets.above(symbol, &below)?;
                    below[place] = after;
                    let pair = (old, sets.above(symbol, &below)?);
                    if !found.contains(&pair) {
                        found.push(pair);
                    }
                }
            }
        }
    }
    Ok(true)
}
