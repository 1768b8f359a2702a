//! Small linear programs: a few constraints, some dozens of unknowns.
//!
//! What comes out is a guess in doubles: callers prove what they make of it.

/// The best solution of a program, and what each constraint costs.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Optimum {
    pub(super) unknowns: Vec<f64>,
    /// By how much the optimum would grow if the limit of a constraint did.
    pub(super) prices: Vec<f64>,
}

/// Too small to be told from nothing.
const NOTHING: f64 = 1e-11;

/// Maximises `gain · x` under `rows[i] · x ≤ limits[i]` and `x ≥ 0`, where no limit is negative.
/// `None` if there is no greatest solution, or it is not found.
pub(super) fn maximise(gain: &[f64], rows: &[Vec<f64>], limits: &[f64]) -> Option<Optimum> {
    let (unknowns, constraints) = (gain.len(), rows.len());
    let width = unknowns + constraints + 1;
    // A row for each constraint and one for the gain, with the constraints' slacks.
    let mut table: Vec<Vec<f64>> = rows
        .iter()
        .zip(limits)
        .enumerate()
        .map(|(number, (row, &limit))| {
            let mut line = row.clone();
            line.resize(width, 0.0);
            line[unknowns + number] = 1.0;
            line[width - 1] = limit;
            line
        })
        .collect();
    let mut last: Vec<f64> = gain.iter().map(|value| -value).collect();
    last.resize(width, 0.0);
    table.push(last);
    let mut basis: Vec<usize> = (unknowns..unknowns + constraints).collect();
    for _ in 0..50 * width {
        // The first column that gains, by number: so no circle is walked for ever (Bland 1977).
        let Some(enters) = (0..width - 1).find(|&at| table[constraints][at] < -NOTHING) else {
            return Some(read(&table, &basis, unknowns));
        };
        let ratio = |row: usize| table[row][width - 1] / table[row][enters];
        let leaves = (0..constraints)
            .filter(|&row| table[row][enters] > NOTHING)
            .min_by(|&one, &other| {
                let order = ratio(one).total_cmp(&ratio(other));
                order.then(basis[one].cmp(&basis[other]))
            })?;
        let pivot = table[leaves][enters];
        for value in &mut table[leaves] {
            *value /= pivot;
        }
        let chosen = table[leaves].clone();
        for (row, line) in table.iter_mut().enumerate() {
            let factor = line[enters];
            if row != leaves && factor != 0.0 {
                for (value, of_chosen) in line.iter_mut().zip(&chosen) {
                    *value -= factor * of_chosen;
                }
            }
        }
        basis[leaves] = enters;
    }
    None
}

fn read(table: &[Vec<f64>], basis: &[usize], unknowns: usize) -> Optimum {
    let constraints = basis.len();
    let width = table[0].len();
    let mut solution = vec![0.0; unknowns];
    for (row, &column) in basis.iter().enumerate() {
        if let Some(value) = solution.get_mut(column) {
            *value = table[row][width - 1].max(0.0);
        }
    }
    let prices = table[constraints][unknowns..unknowns + constraints]
        .iter()
        .map(|price| price.max(0.0))
        .collect();
    Optimum {
        unknowns: solution,
        prices,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_of_a_textbook_is_solved_with_its_prices() {
        // 3x + 5y with x ≤ 4, 2y ≤ 12, 3x + 2y ≤ 18: 36 at (2, 6).
        let rows = [vec![1.0, 0.0], vec![0.0, 2.0], vec![3.0, 2.0]];
        let found = maximise(&[3.0, 5.0], &rows, &[4.0, 12.0, 18.0]).unwrap();
        assert!((found.unknowns[0] - 2.0).abs() < 1e-9 && (found.unknowns[1] - 6.0).abs() < 1e-9);
        let worth: f64 = found
            .prices
            .iter()
            .zip([4.0, 12.0, 18.0])
            .map(|(a, b)| a * b)
            .sum();
        assert!((worth - 36.0).abs() < 1e-9);
    }

    #[test]
    fn what_grows_for_ever_has_no_optimum() {
        assert_eq!(maximise(&[1.0], &[vec![-1.0]], &[1.0]), None);
    }
}
