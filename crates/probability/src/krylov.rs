//! Guesses for large components in which sweeps converge slowly: the stabilised method of
//! biconjugate gradients (van der Vorst 1992) with an incomplete elimination that fills nothing
//! up (Meijerink, van der Vorst 1977). What chains lead to are M-matrices, for which such an
//! elimination always exists. For decision processes choices are improved as long as others are
//! better. Only a guess is made here, as everywhere before the proof.

use quotient_core::{Budget, Stop};

use crate::solve::Local;

/// So often choices are improved.
const MOST_ROUNDS: usize = 60;
/// So many steps may pass without halving what is missing.
const PATIENCE: usize = 150;

/// Replaces a guess by a better one for the best choices; whether it is better.
pub(crate) fn solve(
    local: &Local,
    constants: &[f64],
    x: &mut [f64],
    budget: &Budget,
) -> Result<bool, Stop> {
    let size = local.len();
    let before = missing(local, constants, x);
    let mut guess = x.to_vec();
    let mut chosen: Vec<usize> = (0..size)
        .map(|unknown| local.best(unknown, constants, &guess).1)
        .collect();
    for _ in 0..MOST_ROUNDS {
        let matrix = Matrix::new(local, &chosen);
        let sides: Vec<f64> = chosen.iter().map(|&choice| constants[choice]).collect();
        if !matrix.solve(&sides, &mut guess, budget)? {
            return Ok(false);
        }
        let mut changed = false;
        for (unknown, chosen) in chosen.iter_mut().enumerate() {
            let now = local.value(*chosen, constants, &guess);
            let (value, choice) = local.best(unknown, constants, &guess);
            if (value - now).abs() > 1e-11 * now.abs() && *chosen != choice {
                *chosen = choice;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    if guess.iter().any(|value| !value.is_finite()) {
        return Ok(false);
    }
    // Nothing is negative, whatever rounding says.
    guess.iter_mut().for_each(|value| *value = value.max(0.0));
    let better = missing(local, constants, &guess) < 0.1 * before;
    if better {
        x.copy_from_slice(&guess);
    }
    Ok(better)
}

/// By how much a guess misses the equations most.
fn missing(local: &Local, constants: &[f64], x: &[f64]) -> f64 {
    let each = (0..local.len()).map(|at| (local.best(at, constants, x).0 - x[at]).abs());
    each.fold(0.0, f64::max)
}

/// Equations of fixed choices: each unknown less what leads on from it.
struct Matrix {
    /// The first entry of each row, and the number of entries at the end.
    first: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
    /// Where the entry of the row itself is.
    own: Vec<u32>,
    /// The incomplete elimination: entries below and above, at the same places.
    parts: Vec<f64>,
}

impl Matrix {
    fn new(local: &Local, chosen: &[usize]) -> Matrix {
        let mut matrix = Matrix {
            first: vec![0],
            columns: Vec::new(),
            values: Vec::new(),
            own: Vec::new(),
            parts: Vec::new(),
        };
        let mut row: Vec<(u32, f64)> = Vec::new();
        for (unknown, &choice) in chosen.iter().enumerate() {
            row.clear();
            row.push((unknown as u32, 1.0));
            let range = local.columns[choice] as usize..local.columns[choice + 1] as usize;
            let terms = local.targets[range.clone()]
                .iter()
                .zip(&local.weights[range]);
            row.extend(terms.map(|(&to, &weight)| (to, -weight)));
            row.sort_by_key(|one| one.0);
            let start = matrix.columns.len();
            for &(to, value) in &row {
                match matrix.columns[start..].last() {
                    Some(&last) if last == to => {
                        if let Some(sum) = matrix.values.last_mut() {
                            *sum += value;
                        }
                    }
                    _ => {
                        if to as usize == unknown {
                            matrix.own.push(matrix.columns.len() as u32);
                        }
                        matrix.columns.push(to);
                        matrix.values.push(value);
                    }
                }
            }
            matrix.first.push(matrix.columns.len() as u32);
        }
        matrix.eliminate();
        matrix
    }

    fn row(&self, at: usize) -> std::ops::Range<usize> {
        self.first[at] as usize..self.first[at + 1] as usize
    }

    /// Eliminates as far as entries are there for what comes of it.
    fn eliminate(&mut self) {
        let size = self.own.len();
        let mut parts = self.values.clone();
        let mut place = vec![u32::MAX; size];
        for at in 0..size {
            for entry in self.row(at) {
                place[self.columns[entry] as usize] = entry as u32;
            }
            let (start, own) = (self.first[at] as usize, self.own[at] as usize);
            for entry in start..own {
                let other = self.columns[entry] as usize;
                let factor = parts[entry] / parts[self.own[other] as usize];
                parts[entry] = factor;
                for more in self.own[other] as usize + 1..self.first[other + 1] as usize {
                    let target = place[self.columns[more] as usize];
                    if target != u32::MAX {
                        parts[target as usize] -= factor * parts[more];
                    }
                }
            }
            // A row that leads nowhere but back would divide by nothing.
            if parts[own] < 1e-12 {
                parts[own] = 1e-12;
            }
            for entry in self.row(at) {
                place[self.columns[entry] as usize] = u32::MAX;
            }
        }
        self.parts = parts;
    }

    fn times(&self, x: &[f64], out: &mut [f64]) {
        for (at, out) in out.iter_mut().enumerate() {
            let range = self.row(at);
            let terms = self.columns[range.clone()].iter().zip(&self.values[range]);
            *out = terms.map(|(&to, value)| value * x[to as usize]).sum();
        }
    }

    /// Solves roughly, by the incomplete elimination.
    fn roughly(&self, sides: &[f64], out: &mut [f64]) {
        for at in 0..sides.len() {
            let range = self.first[at] as usize..self.own[at] as usize;
            let terms = self.columns[range.clone()].iter().zip(&self.parts[range]);
            let known: f64 = terms.map(|(&to, part)| part * out[to as usize]).sum();
            out[at] = sides[at] - known;
        }
        for at in (0..sides.len()).rev() {
            let own = self.own[at] as usize;
            let range = own + 1..self.first[at + 1] as usize;
            let terms = self.columns[range.clone()].iter().zip(&self.parts[range]);
            let known: f64 = terms.map(|(&to, part)| part * out[to as usize]).sum();
            out[at] = (out[at] - known) / self.parts[own];
        }
    }

    /// Improves a guess until what is missing is what rounding leaves; whether that was reached.
    fn solve(&self, sides: &[f64], x: &mut [f64], budget: &Budget) -> Result<bool, Stop> {
        let size = x.len();
        let zero = || vec![0.0; size];
        let (mut rest, mut product) = (zero(), zero());
        let mut best: Option<(f64, Vec<f64>)> = None;
        // Begun again from the true rest, since what is carried along drifts away from it.
        for _ in 0..6 {
            self.times(x, &mut product);
            for at in 0..size {
                rest[at] = sides[at] - product[at];
            }
            let top = x.iter().fold(0.0f64, |top, one| top.max(one.abs()));
            let most = rest.iter().fold(0.0f64, |top, one| top.max(one.abs()));
            if most.is_nan() || best.as_ref().is_some_and(|(before, _)| most > 0.5 * before) {
                break;
            }
            best = Some((most, x.to_vec()));
            if most <= 2e-16 * top || most == 0.0 {
                break;
            }
            if !self.descend(&mut rest, x, 1e-16 * top.max(most), budget)? {
                break;
            }
        }
        let Some((most, found)) = best else {
            return Ok(false);
        };
        x.copy_from_slice(&found);
        let top = x.iter().fold(0.0f64, |top, one| top.max(one.abs()));
        Ok(most <= 1e-9 * top)
    }

    /// Steps that make the rest smaller; false if nothing was gained.
    fn descend(
        &self,
        rest: &mut [f64],
        x: &mut [f64],
        enough: f64,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let size = x.len();
        let zero = || vec![0.0; size];
        let shadow = rest.to_vec();
        let (mut direction, mut moved) = (zero(), zero());
        let (mut rough, mut rough_rest, mut turned) = (zero(), zero(), zero());
        let (mut rho, mut alpha, mut omega): (f64, f64, f64) = (1.0, 1.0, 1.0);
        let begun = dot(rest, rest).sqrt();
        let (mut goal, mut since) = (begun, 0);
        loop {
            budget.charge(self.values.len() as u64 / 10 + 1)?;
            let next = dot(&shadow, rest);
            if next.abs() < 1e-300 || omega.abs() < 1e-300 {
                break;
            }
            let beta = (next / rho) * (alpha / omega);
            rho = next;
            for at in 0..size {
                direction[at] = rest[at] + beta * (direction[at] - omega * moved[at]);
            }
            self.roughly(&direction, &mut rough);
            self.times(&rough, &mut moved);
            let against = dot(&shadow, &moved);
            alpha = rho / against;
            if !alpha.is_finite() {
                break;
            }
            for at in 0..size {
                rest[at] -= alpha * moved[at];
                x[at] += alpha * rough[at];
            }
            self.roughly(rest, &mut rough_rest);
            self.times(&rough_rest, &mut turned);
            let square = dot(&turned, &turned);
            omega = if square > 0.0 {
                dot(&turned, rest) / square
            } else {
                0.0
            };
            if !omega.is_finite() {
                break;
            }
            for at in 0..size {
                x[at] += omega * rough_rest[at];
                rest[at] -= omega * turned[at];
            }
            let length = dot(rest, rest).sqrt();
            let most = rest.iter().fold(0.0f64, |top, one| top.max(one.abs()));
            if most <= enough {
                return Ok(true);
            }
            since += 1;
            if length <= 0.5 * goal {
                (goal, since) = (length, 0);
            }
            if since > PATIENCE || length.is_nan() {
                break;
            }
        }
        Ok(goal < begun)
    }
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_guess_fulfils_the_equations(
            rows in prop::collection::vec((prop::collection::vec((0u32..12, 1u8..9), 1..5), 1u8..9), 12),
        ) {
            let equations: Vec<(f64, Vec<(u32, f64)>)> = rows
                .iter()
                .enumerate()
                .map(|(at, (terms, out))| {
                    let terms: Vec<(u32, u8)> =
                        terms.iter().copied().filter(|one| one.0 as usize != at).collect();
                    let sum: f64 = terms.iter().map(|one| f64::from(one.1)).sum();
                    let all = sum + f64::from(*out) / 100.0;
                    let shares = terms.iter().map(|&(to, share)| (to, f64::from(share) / all));
                    (f64::from(*out) / all, shares.collect())
                })
                .collect();
            let local = Local::for_tests(equations);
            let constants = local.low.clone();
            let mut x = vec![0.0; 12];
            prop_assert!(solve(&local, &constants, &mut x, &Budget::unlimited()).expect("no limit"));
            let off = missing(&local, &constants, &x);
            let top = x.iter().copied().fold(0.0, f64::max);
            prop_assert!(off <= 1e-8 * top, "{off} {top}");
        }
    }
}
