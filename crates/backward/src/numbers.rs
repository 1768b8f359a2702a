//! Sums of numbers that cannot all be at most zero.

use std::collections::BTreeMap;

use quotient_arrays::Place;

use crate::cube::Literal;

/// More inequalities than this are not looked at: the answer is then "perhaps possible".
const MOST: usize = 400;

/// When a sum is not at most zero.
pub(crate) fn negated(literal: &Literal) -> Option<Literal> {
    let Literal::AtMostZero(parts, constant) = literal else {
        return None;
    };
    let parts = parts
        .iter()
        .map(|(factor, place)| Some((factor.checked_neg()?, place.clone())));
    let constant = constant.checked_neg()?.checked_add(1)?;
    Some(Literal::AtMostZero(parts.collect::<Option<_>>()?, constant))
}

/// Whether no numbers satisfy all sums among the literals; `false` where that is not seen.
///
/// Cells are eliminated one after the other (Fourier and Motzkin); what is impossible for
/// fractions is impossible for whole numbers.
pub(crate) fn is_impossible<'a>(literals: impl Iterator<Item = &'a Literal>) -> bool {
    let mut names: BTreeMap<&Place, usize> = BTreeMap::new();
    let mut rows: Vec<(BTreeMap<usize, i128>, i128)> = Vec::new();
    for literal in literals {
        if let Literal::AtMostZero(parts, constant) = literal {
            let mut row = BTreeMap::new();
            for (factor, place) in parts {
                let next = names.len();
                let name = *names.entry(place).or_insert(next);
                *row.entry(name).or_insert(0) += i128::from(*factor);
            }
            row.retain(|_, factor| *factor != 0);
            rows.push((row, i128::from(*constant)));
        }
    }
    let mut left: Vec<usize> = (0..names.len()).collect();
    loop {
        rows = without_weaker(rows);
        if rows
            .iter()
            .any(|(row, constant)| row.is_empty() && *constant > 0)
        {
            return true;
        }
        // The cell that makes the fewest new sums goes first.
        let cost = |name: &usize| {
            let factors = rows.iter().filter_map(|(row, _)| row.get(name));
            let (up, down): (Vec<&i128>, Vec<&i128>) = factors.partition(|factor| **factor > 0);
            up.len() * down.len()
        };
        let Some((place, cost)) = left
            .iter()
            .map(cost)
            .enumerate()
            .min_by_key(|(_, cost)| *cost)
        else {
            return false;
        };
        if cost > MOST {
            return false;
        }
        let name = left.swap_remove(place);
        let (with, mut rest): (Vec<_>, Vec<_>) = rows
            .into_iter()
            .partition(|(row, _)| row.contains_key(&name));
        let (above, below): (Vec<_>, Vec<_>) =
            with.into_iter().partition(|(row, _)| row[&name] > 0);
        for (one, first) in &above {
            for (two, second) in &below {
                let (by_one, by_two) = (-two[&name], one[&name]);
                let Some(row) = sum(one, by_one, two, by_two) else {
                    return false;
                };
                let constant = first.checked_mul(by_one).zip(second.checked_mul(by_two));
                let Some(constant) = constant.and_then(|(one, two)| one.checked_add(two)) else {
                    return false;
                };
                rest.push((row, constant));
            }
        }
        rows = rest;
    }
}

/// Of sums that differ only in their number, the one that says most.
fn without_weaker(
    mut rows: Vec<(BTreeMap<usize, i128>, i128)>,
) -> Vec<(BTreeMap<usize, i128>, i128)> {
    rows.sort_by(|left, right| left.0.cmp(&right.0).then(right.1.cmp(&left.1)));
    rows.dedup_by(|later, earlier| later.0 == earlier.0);
    rows
}

fn sum(
    one: &BTreeMap<usize, i128>,
    by_one: i128,
    two: &BTreeMap<usize, i128>,
    by_two: i128,
) -> Option<BTreeMap<usize, i128>> {
    let mut row = BTreeMap::new();
    for (name, factor) in one {
        row.insert(*name, factor.checked_mul(by_one)?);
    }
    for (name, factor) in two {
        let entry = row.entry(*name).or_insert(0);
        *entry = entry.checked_add(factor.checked_mul(by_two)?)?;
    }
    row.retain(|_, factor| *factor != 0);
    Some(row)
}
