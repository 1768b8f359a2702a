//! Direct solution of components in which sweeps converge slowly: states are eliminated one after
//! the other, those with few neighbours first, and choices are improved (policy iteration).
//!
//! Pivots are sums of what leaves a state, never differences from one (Grassmann, Taksar, Heyman
//! 1985): nothing cancels, so that even stiff chains are solved to nearly all digits. Still, only
//! a guess is made here, as everywhere before the proof.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use quotient_core::{Budget, Stop};

use crate::solve::Local;

/// Components with more unknowns are not tried.
pub(crate) const LARGEST: usize = 300_000;
/// An elimination that needs more steps than this is given up: sweeps are cheaper.
const MOST_WORK: u64 = 400_000_000;
/// And so is one that fills up.
const MOST_TERMS: usize = 12_000_000;

/// Replaces a guess by the solution for the best choices, as far as doubles go.
pub(crate) fn solve(
    local: &Local,
    constants: &[f64],
    x: &mut [f64],
    budget: &Budget,
) -> Result<(), Stop> {
    let size = local.len();
    let best = |x: &[f64]| -> Vec<usize> {
        let all = 0..size;
        all.map(|unknown| local.best(unknown, constants, x).1)
            .collect()
    };
    let mut chosen = best(x);
    for _ in 0..200 {
        let Some(solution) = eliminate(local, constants, &chosen, budget)? else {
            return Ok(());
        };
        x.copy_from_slice(&solution);
        let mut changed = false;
        for (unknown, chosen) in chosen.iter_mut().enumerate() {
            let now = local.value(*chosen, constants, x);
            let (value, choice) = local.best(unknown, constants, x);
            if (value - now).abs() > 1e-12 * now.abs() && *chosen != choice {
                *chosen = choice;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    Ok(())
}

/// Equations of fixed choices while states are eliminated.
struct Elimination {
    /// What leads from a state to others that are still there, by target.
    rows: Vec<Vec<(u32, f64)>>,
    /// Who leads to a state; may name some who no longer do.
    before: Vec<Vec<u32>>,
    /// What leaves for good.
    leaves: Vec<f64>,
    constants: Vec<f64>,
    gone: Vec<bool>,
    /// How many terms all rows have.
    terms: usize,
}

/// Solves the equations of fixed choices; none if they have no single solution, or if that takes
/// too long.
fn eliminate(
    local: &Local,
    constants: &[f64],
    chosen: &[usize],
    budget: &Budget,
) -> Result<Option<Vec<f64>>, Stop> {
    let mut equations = Elimination::new(local, constants, chosen);
    let size = equations.rows.len();
    let mut queue: BinaryHeap<Reverse<(u64, u32)>> = (0..size as u32)
        .map(|state| Reverse((equations.cost(state as usize), state)))
        .collect();
    let mut order: Vec<u32> = Vec::with_capacity(size);
    let mut pivots = vec![0.0; size];
    let mut work = 0u64;
    while let Some(Reverse((cost, state))) = queue.pop() {
        let at = state as usize;
        if equations.gone[at] {
            continue;
        }
        let now = equations.cost(at);
        if now > cost {
            queue.push(Reverse((now, state)));
            continue;
        }
        let Some((pivot, done)) = equations.remove(at) else {
            return Ok(None);
        };
        pivots[at] = pivot;
        order.push(state);
        work += done;
        budget.charge(done / 64 + 1)?;
        if work > MOST_WORK || equations.terms > MOST_TERMS {
            return Ok(None);
        }
    }
    let mut x = vec![0.0; size];
    for &state in order.iter().rev() {
        let at = state as usize;
        let known = equations.rows[at]
            .iter()
            .map(|&(to, weight)| weight * x[to as usize]);
        x[at] = (equations.constants[at] + known.sum::<f64>()) / pivots[at];
    }
    Ok(x.iter().all(|value| value.is_finite()).then_some(x))
}

impl Elimination {
    fn new(local: &Local, constants: &[f64], chosen: &[usize]) -> Elimination {
        let size = chosen.len();
        let mut rows = Vec::with_capacity(size);
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); size];
        let mut leaves = Vec::with_capacity(size);
        for (unknown, &choice) in chosen.iter().enumerate() {
            let range = local.columns[choice] as usize..local.columns[choice + 1] as usize;
            let terms = range.len() as f64;
            let mut row: Vec<(u32, f64)> = range
                .map(|term| (local.targets[term], local.weights[term]))
                .collect();
            row.sort_unstable_by_key(|&(to, _)| to);
            row.dedup_by(|next, kept| {
                let same = next.0 == kept.0;
                if same {
                    kept.1 += next.1;
                }
                same
            });
            let sum: f64 = row.iter().map(|&(_, weight)| weight).sum();
            // What is left after rounding is taken for nothing.
            let rest = 1.0 - sum;
            leaves.push(if rest > 2.5e-16 * (terms + 1.0) {
                rest
            } else {
                0.0
            });
            for &(to, _) in &row {
                before[to as usize].push(unknown as u32);
            }
            rows.push(row);
        }
        Elimination {
            terms: rows.iter().map(Vec::len).sum(),
            rows,
            before,
            leaves,
            constants: chosen.iter().map(|&choice| constants[choice]).collect(),
            gone: vec![false; size],
        }
    }

    /// How much work it is to remove a state.
    fn cost(&self, state: usize) -> u64 {
        self.rows[state].len() as u64 * self.before[state].len() as u64
    }

    /// Removes a state: whoever leads to it leads to where it leads. Gives what it is divided by
    /// and how much work it was; none if it cannot be left.
    fn remove(&mut self, state: usize) -> Option<(f64, u64)> {
        self.gone[state] = true;
        let mut row = std::mem::take(&mut self.rows[state]);
        row.retain(|&(to, _)| to as usize != state);
        let pivot = row.iter().map(|&(_, weight)| weight).sum::<f64>() + self.leaves[state];
        if pivot <= 0.0 {
            return None;
        }
        let before = std::mem::take(&mut self.before[state]);
        let mut work = before.len() as u64 + 1;
        let mut merged: Vec<(u32, f64)> = Vec::new();
        for &from in &before {
            let from = from as usize;
            if self.gone[from] {
                continue;
            }
            let old = &mut self.rows[from];
            let Ok(at) = old.binary_search_by_key(&(state as u32), |&(to, _)| to) else {
                continue;
            };
            let share = old[at].1 / pivot;
            old.remove(at);
            self.leaves[from] += share * self.leaves[state];
            self.constants[from] += share * self.constants[state];
            merged.clear();
            merged.reserve(old.len() + row.len());
            let mut rest = old.iter().copied().peekable();
            for &(to, weight) in &row {
                while let Some(one) = rest.next_if(|one| one.0 < to) {
                    merged.push(one);
                }
                let mut sum = share * weight;
                match rest.next_if(|one| one.0 == to) {
                    Some((_, weight)) => sum += weight,
                    None => self.before[to as usize].push(from as u32),
                }
                merged.push((to, sum));
            }
            merged.extend(rest);
            work += merged.len() as u64;
            self.terms += merged.len();
            self.terms -= old.len();
            std::mem::swap(old, &mut merged);
        }
        self.rows[state] = row;
        Some((pivot, work))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// One equation for each unknown: a constant and terms.
    type Equations = Vec<(f64, Vec<(u32, f64)>)>;

    fn local(equations: &Equations) -> Local {
        Local::for_tests(
            equations
                .iter()
                .map(|(constant, terms)| (*constant, terms.clone()))
                .collect(),
        )
    }

    /// Plain Gaussian elimination of the whole matrix.
    fn dense(equations: &Equations) -> Vec<f64> {
        let size = equations.len();
        let mut rows: Vec<Vec<f64>> = Vec::new();
        for (unknown, (constant, terms)) in equations.iter().enumerate() {
            let mut row = vec![0.0; size + 1];
            row[unknown] += 1.0;
            for &(to, weight) in terms {
                row[to as usize] -= weight;
            }
            row[size] = *constant;
            rows.push(row);
        }
        for step in 0..size {
            let pivot = (step..size)
                .max_by(|&a, &b| rows[a][step].abs().total_cmp(&rows[b][step].abs()))
                .expect("some row");
            rows.swap(step, pivot);
            let row = rows[step].clone();
            for (number, other) in rows.iter_mut().enumerate() {
                let factor = other[step] / row[step];
                if number != step && factor != 0.0 {
                    for (cell, of) in other.iter_mut().zip(&row) {
                        *cell -= factor * of;
                    }
                }
            }
        }
        (0..size).map(|at| rows[at][size] / rows[at][at]).collect()
    }

    proptest! {
        #[test]
        fn elimination_agrees_with_the_whole_matrix(
            equations in prop::collection::vec(
                (0.0..5.0f64, prop::collection::vec((0u32..12, 1u32..10), 0..5)),
                12,
            )
        ) {
            let equations: Equations = equations
                .into_iter()
                .map(|(constant, terms)| {
                    let sum: u32 = terms.iter().map(|one| one.1).sum();
                    let share = |weight: u32| f64::from(weight) / f64::from(sum) * 0.95;
                    let terms = terms.into_iter().map(|(to, weight)| (to, share(weight)));
                    (constant, terms.collect())
                })
                .collect();
            let mut x = vec![0.0; 12];
            let local = local(&equations);
            solve(&local, &local.low.clone(), &mut x, &Budget::unlimited()).expect("no limit");
            for (found, expected) in x.iter().zip(dense(&equations)) {
                prop_assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0));
            }
        }
    }

    #[test]
    fn stiff_walks_are_solved_to_nearly_all_digits() {
        // Steps of a walk to its end that is pulled back: the exact number is known.
        let many = 40u32;
        let (up, down) = (0.25, 0.75);
        let equations: Equations = (0..many)
            .map(|at| {
                let mut terms = vec![(at.saturating_sub(1), down)];
                if at + 1 < many {
                    terms.push((at + 1, up));
                }
                (1.0, terms)
            })
            .collect();
        let mut x = vec![0.0; many as usize];
        let local = local(&equations);
        solve(&local, &local.low.clone(), &mut x, &Budget::unlimited()).expect("no limit");
        // From k to k+1: t(k) = 1/up + (down/up) t(k-1), t(0) = 1/up.
        let mut step = 0.0;
        let mut total = 0.0;
        for _ in 0..many {
            step = 1.0 / up + down / up * step;
            total += step;
        }
        assert!((x[0] / total - 1.0).abs() < 1e-13, "{} {total}", x[0]);
    }
}
