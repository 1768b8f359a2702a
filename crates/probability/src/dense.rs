//! Direct solution of small components: Gaussian elimination, and improvement of the choices.
//!
//! Only a guess is made here, as everywhere before the proof.

use quotient_core::{Budget, Stop};

use crate::solve::Local;

/// Components up to this many unknowns are solved directly when sweeps converge slowly.
pub(crate) const LARGEST: usize = 900;

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

/// Solves the equations of fixed choices; none if they have no single solution.
fn eliminate(
    local: &Local,
    constants: &[f64],
    chosen: &[usize],
    budget: &Budget,
) -> Result<Option<Vec<f64>>, Stop> {
    let size = local.len();
    let wide = size + 1;
    let mut matrix = vec![0.0; size * wide];
    for (unknown, &choice) in chosen.iter().enumerate() {
        let row = &mut matrix[unknown * wide..(unknown + 1) * wide];
        row[unknown] = 1.0;
        for term in local.columns[choice] as usize..local.columns[choice + 1] as usize {
            row[local.targets[term] as usize] -= local.weights[term];
        }
        row[size] = constants[choice];
    }
    for step in 0..size {
        budget.charge(size as u64)?;
        let pivot = (step..size).max_by(|&a, &b| {
            let (a, b) = (matrix[a * wide + step].abs(), matrix[b * wide + step].abs());
            a.total_cmp(&b)
        });
        let pivot = pivot.unwrap_or(step);
        if matrix[pivot * wide + step].abs() < 1e-300 {
            return Ok(None);
        }
        if pivot != step {
            for column in step..wide {
                matrix.swap(step * wide + column, pivot * wide + column);
            }
        }
        let (above, below) = matrix.split_at_mut((step + 1) * wide);
        let row = &above[step * wide..];
        for other in below.chunks_exact_mut(wide) {
            let factor = other[step] / row[step];
            if factor == 0.0 {
                continue;
            }
            for column in step..wide {
                other[column] -= factor * row[column];
            }
        }
    }
    let mut x = vec![0.0; size];
    for step in (0..size).rev() {
        let row = &matrix[step * wide..(step + 1) * wide];
        let known: f64 = (step + 1..size).map(|column| row[column] * x[column]).sum();
        x[step] = (row[size] - known) / row[step];
    }
    Ok(x.iter().all(|value| value.is_finite()).then_some(x))
}
