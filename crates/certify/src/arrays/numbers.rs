//! Sums of whole numbers that cannot all be at most zero.

use std::collections::BTreeMap;

/// A sum of named numbers with factors, and a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    factors: BTreeMap<usize, i128>,
    constant: i128,
    /// Too large to be followed: such a sum says nothing.
    lost: bool,
}

impl Row {
    pub(super) fn constant(constant: i128) -> Row {
        Row {
            factors: BTreeMap::new(),
            constant,
            lost: false,
        }
    }

    pub(super) fn add(&mut self, name: usize, factor: i128) {
        let entry = self.factors.entry(name).or_insert(0);
        match entry.checked_add(factor) {
            Some(0) => {
                self.factors.remove(&name);
            }
            Some(sum) => *entry = sum,
            None => self.lost = true,
        }
    }

    pub(super) fn plus_one(mut self) -> Row {
        match self.constant.checked_add(1) {
            Some(sum) => self.constant = sum,
            None => self.lost = true,
        }
        self
    }

    pub(super) fn minus(&self, other: &Row) -> Row {
        self.combined(1, other, -1)
    }

    /// Divided by what divides all factors; the number is rounded up, which loses no whole numbers.
    fn lowest(mut self) -> Row {
        let divisor = self.factors.values().fold(0, |divisor, factor| {
            let (mut one, mut two) = (divisor, factor.unsigned_abs());
            while two != 0 {
                (one, two) = (two, one % two);
            }
            one
        });
        if let Ok(divisor) = i128::try_from(divisor)
            && divisor > 1
        {
            self.factors
                .values_mut()
                .for_each(|factor| *factor /= divisor);
            let rest = self.constant.rem_euclid(divisor);
            self.constant = self.constant.div_euclid(divisor) + i128::from(rest != 0);
        }
        self
    }

    fn combined(&self, by: i128, other: &Row, with: i128) -> Row {
        let mut sum = Row::constant(0);
        sum.lost = self.lost || other.lost;
        for (row, by) in [(self, by), (other, with)] {
            for (name, factor) in &row.factors {
                match factor.checked_mul(by) {
                    Some(factor) => sum.add(*name, factor),
                    None => sum.lost = true,
                }
            }
            match row
                .constant
                .checked_mul(by)
                .and_then(|part| sum.constant.checked_add(part))
            {
                Some(constant) => sum.constant = constant,
                None => sum.lost = true,
            }
        }
        sum
    }
}

/// Whether no whole numbers make all sums at most zero; `false` where that is not seen.
///
/// A name is taken out by adding up each pair of sums in which it has factors of different signs.
/// What follows from the sums holds for all numbers that satisfy them, so a number above zero that
/// must be at most zero shows that there are none.
pub(super) fn is_impossible(rows: Vec<Row>) -> bool {
    const MOST: usize = 2000;
    let mut rows = strongest(rows);
    loop {
        if rows
            .iter()
            .any(|row| row.factors.is_empty() && row.constant > 0)
        {
            return true;
        }
        // The name that makes the fewest new sums.
        let mut signs: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for row in &rows {
            for (name, factor) in &row.factors {
                let (up, down) = signs.entry(*name).or_default();
                *if *factor > 0 { up } else { down } += 1;
            }
        }
        let Some((name, (up, down))) = signs.into_iter().min_by_key(|(_, (up, down))| up * down)
        else {
            return false;
        };
        if up * down > MOST {
            return false;
        }
        let (with, mut rest): (Vec<Row>, Vec<Row>) = rows
            .into_iter()
            .partition(|row| row.factors.contains_key(&name));
        let (up, down): (Vec<Row>, Vec<Row>) =
            with.into_iter().partition(|row| row.factors[&name] > 0);
        for one in &up {
            for two in &down {
                if let Some(by) = two.factors[&name].checked_neg() {
                    rest.push(one.combined(by, two, one.factors[&name]));
                }
            }
        }
        rows = strongest(rest);
    }
}

/// Sums in lowest terms, and of those that differ in their number only the one that says most.
fn strongest(rows: Vec<Row>) -> Vec<Row> {
    let mut best: BTreeMap<Vec<(usize, i128)>, Row> = BTreeMap::new();
    for row in rows.into_iter().filter(|row| !row.lost) {
        let row = row.lowest();
        let factors = row
            .factors
            .iter()
            .map(|(name, factor)| (*name, *factor))
            .collect();
        match best.get_mut(&factors) {
            Some(other) if other.constant >= row.constant => {}
            Some(other) => *other = row,
            None => {
                best.insert(factors, row);
            }
        }
    }
    best.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(factors: &[(usize, i128)], constant: i128) -> Row {
        let mut row = Row::constant(constant);
        for (name, factor) in factors {
            row.add(*name, *factor);
        }
        row
    }

    #[test]
    fn what_is_below_and_above_cannot_be() {
        let below = row(&[(0, 1), (1, -1)], 1);
        let above = row(&[(1, 1), (0, -1)], 0);
        assert!(is_impossible(vec![below.clone(), above]));
        assert!(!is_impossible(vec![below]));
    }

    #[test]
    fn numbers_are_whole() {
        // 2 x = 1.
        let (up, down) = (row(&[(0, 2)], -1), row(&[(0, -2)], 1));
        assert!(is_impossible(vec![up, down]));
    }

    #[test]
    fn sums_that_are_too_large_say_nothing() {
        let large = row(&[(0, i128::MAX), (0, 1)], 1);
        assert!(!is_impossible(vec![large, row(&[], 0)]));
    }
}
