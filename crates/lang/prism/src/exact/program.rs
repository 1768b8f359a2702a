//! Small linear programs with fractions: a few constraints, some dozens of unknowns.

use quotient_core::{Budget, Stop};
use quotient_markov::{Rational, whole};

/// The best solution of a program, and what each constraint costs.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Optimum {
    pub(super) unknowns: Vec<Rational>,
    /// By how much the optimum would grow if the limit of a constraint did.
    pub(super) prices: Vec<Rational>,
}

/// Maximises `gain · x` under `rows[i] · x ≤ limits[i]` and `x ≥ 0`, where no limit is negative.
/// `None` if there is no greatest solution.
pub(super) fn maximise(
    gain: &[Rational],
    rows: &[Vec<Rational>],
    limits: &[Rational],
    budget: &Budget,
) -> Result<Option<Optimum>, Stop> {
    let (unknowns, constraints) = (gain.len(), rows.len());
    let width = unknowns + constraints + 1;
    // A row for each constraint and one for the gain, with the constraints' slacks.
    let mut table: Vec<Vec<Rational>> = Vec::with_capacity(constraints + 1);
    for (number, (row, limit)) in rows.iter().zip(limits).enumerate() {
        let mut line = row.clone();
        line.resize(width, whole(0));
        line[unknowns + number] = whole(1);
        line[width - 1] = limit.clone();
        table.push(line);
    }
    let mut last: Vec<Rational> = gain.iter().map(|value| -value).collect();
    last.resize(width, whole(0));
    table.push(last);
    let mut basis: Vec<usize> = (unknowns..unknowns + constraints).collect();
    loop {
        budget.charge(width as u64)?;
        // The first column that gains, by number: so no circle is walked for ever (Bland 1977).
        let gains = |&at: &usize| table[constraints][at] < whole(0);
        let Some(enters) = (0..width - 1).find(gains) else {
            return Ok(Some(read(&table, &basis, unknowns)));
        };
        let mut leaves: Option<(Rational, usize)> = None;
        for (row, line) in table[..constraints].iter().enumerate() {
            if line[enters] <= whole(0) {
                continue;
            }
            let ratio = &line[width - 1] / &line[enters];
            let sooner = leaves.as_ref().is_none_or(|(least, other)| {
                ratio < *least || ratio == *least && basis[row] < basis[*other]
            });
            if sooner {
                leaves = Some((ratio, row));
            }
        }
        let Some((_, leaves)) = leaves else {
            return Ok(None);
        };
        let pivot = table[leaves][enters].clone();
        table[leaves].iter_mut().for_each(|value| *value /= &pivot);
        let chosen = table[leaves].clone();
        for (row, line) in table.iter_mut().enumerate() {
            if row == leaves || line[enters].is_zero() {
                continue;
            }
            let factor = line[enters].clone();
            for (value, of_chosen) in line.iter_mut().zip(&chosen) {
                *value -= &factor * of_chosen;
            }
        }
        basis[leaves] = enters;
    }
}

fn read(table: &[Vec<Rational>], basis: &[usize], unknowns: usize) -> Optimum {
    let constraints = basis.len();
    let width = table[0].len();
    let mut solution = vec![whole(0); unknowns];
    for (row, &column) in basis.iter().enumerate() {
        if let Some(value) = solution.get_mut(column) {
            value.clone_from(&table[row][width - 1]);
        }
    }
    Optimum {
        unknowns: solution,
        prices: table[constraints][unknowns..unknowns + constraints].to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quotient_core::Budget;

    fn all(numbers: &[i64]) -> Vec<Rational> {
        numbers.iter().map(|&one| whole(one)).collect()
    }

    #[test]
    fn a_program_of_a_textbook_is_solved_with_its_prices() {
        // 3x + 5y with x ≤ 4, 2y ≤ 12, 3x + 2y ≤ 18: 36 at (2, 6).
        let rows = [all(&[1, 0]), all(&[0, 2]), all(&[3, 2])];
        let found = maximise(
            &all(&[3, 5]),
            &rows,
            &all(&[4, 12, 18]),
            &Budget::unlimited(),
        );
        let found = found.expect("time").expect("an optimum");
        assert_eq!(found.unknowns, all(&[2, 6]));
        let prices = [whole(0), Rational::new(3, 2), whole(1)];
        assert_eq!(found.prices, prices);
    }

    #[test]
    fn what_grows_for_ever_has_no_optimum() {
        let found = maximise(&all(&[1]), &[all(&[-1])], &all(&[1]), &Budget::unlimited());
        assert_eq!(found, Ok(None));
    }
}
