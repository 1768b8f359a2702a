//! Sums over species that no reaction changes.
//!
//! Farkas' algorithm: the weights without negative ones that every reaction keeps, and that are
//! no sum of others.

use quotient_core::{Budget, Stop};

use crate::pathway::Pathway;

/// The most rows that are worked with at once.
const MOST_ROWS: usize = 5_000;

/// The least conserved sums, each as weights by species; nothing if they get too many.
pub(crate) fn conserved(pathway: &Pathway, budget: &Budget) -> Result<Option<Vec<Vec<i64>>>, Stop> {
    let size = pathway.species.len();
    // What each rule still changes, and the weights.
    let mut rows: Vec<(Vec<i64>, Vec<i64>)> = Vec::new();
    for species in 0..size {
        let changes = pathway.rules.iter().map(|rule| rule.change(species));
        let mut weights = vec![0; size];
        weights[species] = 1;
        rows.push((changes.collect(), weights));
    }
    for rule in 0..pathway.rules.len() {
        let (mut next, changed): (Vec<_>, Vec<_>) =
            rows.into_iter().partition(|row| row.0[rule] == 0);
        for up in changed.iter().filter(|row| row.0[rule] > 0) {
            for down in changed.iter().filter(|row| row.0[rule] < 0) {
                budget.charge(1)?;
                let Some(row) = combined(up, down, rule) else {
                    return Ok(None);
                };
                next.push(row);
            }
        }
        // Only sums with the fewest species are kept.
        next.sort_by_key(|row| (row.1.iter().filter(|one| **one != 0).count(), row.1.clone()));
        let mut kept: Vec<(Vec<i64>, Vec<i64>)> = Vec::new();
        for row in next {
            budget.charge(1)?;
            let covers = |less: &(Vec<i64>, Vec<i64>)| {
                less.1.iter().zip(&row.1).all(|(a, b)| *a == 0 || *b != 0)
            };
            if !kept.iter().any(covers) {
                kept.push(row);
            }
        }
        if kept.len() > MOST_ROWS {
            return Ok(None);
        }
        rows = kept;
    }
    Ok(Some(rows.into_iter().map(|row| row.1).collect()))
}

type Row = (Vec<i64>, Vec<i64>);

/// The sum of two rows in which a rule changes nothing, without common factors.
fn combined(up: &Row, down: &Row, rule: usize) -> Option<Row> {
    let (a, b) = (up.0[rule], down.0[rule].checked_neg()?);
    let add = |left: &[i64], right: &[i64]| -> Option<Vec<i64>> {
        let pairs = left.iter().zip(right);
        let sum = |(&x, &y): (&i64, &i64)| x.checked_mul(b)?.checked_add(y.checked_mul(a)?);
        pairs.map(sum).collect()
    };
    let (mut changes, mut weights) = (add(&up.0, &down.0)?, add(&up.1, &down.1)?);
    let divisor = changes
        .iter()
        .chain(&weights)
        .fold(0, |all, &one| gcd(all, one.abs()));
    if divisor > 1 {
        changes
            .iter_mut()
            .chain(&mut weights)
            .for_each(|one| *one /= divisor);
    }
    Some((changes, weights))
}

fn gcd(a: i64, b: i64) -> i64 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}

/// A sum in words: `HK + HK*Glc`.
pub(crate) fn words(pathway: &Pathway, weights: &[i64]) -> String {
    let terms = pathway
        .species
        .iter()
        .zip(weights)
        .filter(|(_, one)| **one != 0);
    let terms = terms.map(|(species, weight)| match weight {
        1 => species.name(),
        _ => format!("{weight} {}", species.name()),
    });
    terms.collect::<Vec<_>>().join(" + ")
}

/// A sum with its value, which is not known where any amount of something in it may be there at the start.
pub(crate) fn told(pathway: &Pathway, weights: &[i64]) -> (String, Option<i128>) {
    let (words, unlimited) = (words(pathway, weights), pathway.unlimited());
    let mut pairs = weights.iter().zip(&unlimited);
    match pairs.any(|(one, any)| *one != 0 && *any) {
        true => (format!("{words} unchanged"), None),
        false => {
            let value = value(weights, &pathway.least_start());
            (format!("{words} = {value}"), Some(value))
        }
    }
}

/// The value of a sum.
pub(crate) fn value(weights: &[i64], aggregate: &[u64]) -> i128 {
    let products = weights.iter().zip(aggregate);
    products
        .map(|(&a, &b)| i128::from(a) * i128::from(b))
        .fold(0, i128::saturating_add)
}
