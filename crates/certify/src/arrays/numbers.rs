//! Sums of numbers that cannot all be at most zero.

use std::collections::BTreeMap;

/// A sum of named numbers with factors, and a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    factors: BTreeMap<usize, i128>,
    constant: i128,
    /// Too large to be followed: such a sum says nothing.
    lost: bool,
    /// Whether some of the numbers need not be whole.
    has_fractions: bool,
    /// Whether it is below zero, not only at most zero.
    is_below: bool,
}

impl Row {
    pub(super) fn constant(constant: i128) -> Row {
        Row {
            factors: BTreeMap::new(),
            constant,
            lost: false,
            has_fractions: false,
            is_below: false,
        }
    }

    /// The same of numbers that need not be whole.
    pub(super) fn with_fractions(mut self) -> Row {
        self.has_fractions = true;
        self
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

    /// What is at most zero exactly if this is below zero.
    pub(super) fn below_zero(mut self) -> Row {
        if self.has_fractions {
            self.is_below = true;
            return self;
        }
        match self.constant.checked_add(1) {
            Some(sum) => self.constant = sum,
            None => self.lost = true,
        }
        self
    }

    pub(super) fn minus(&self, other: &Row) -> Row {
        self.combined(1, other, -1)
    }

    /// Divided by what divides all factors; the number is rounded up, which loses no whole numbers. (Where
    /// there are others, it is divided, too.)
    fn lowest(mut self) -> Row {
        let rest = self.has_fractions.then_some(&self.constant);
        let all = self.factors.values().chain(rest);
        let divisor = all.fold(0, |divisor, factor| {
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
        sum.has_fractions = self.has_fractions || other.has_fractions;
        sum.is_below = self.is_below || other.is_below;
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

/// Whether no numbers make all sums at most (or below) zero; `false` where that is not seen.
///
/// A name is taken out by adding up each pair of sums in which it has factors of different signs.
/// What follows from the sums holds for all numbers that satisfy them, so a number above zero that
/// must be at most zero, or zero that must be below it, shows that there are none.
pub(super) fn is_impossible(rows: Vec<Row>) -> bool {
    const MOST: usize = 2000;
    let mut rows = strongest(rows);
    loop {
        if rows
            .iter()
            .any(|row| row.factors.is_empty() && row.constant >= i128::from(!row.is_below))
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
            Some(other) if (other.constant, other.is_below) >= (row.constant, row.is_below) => {}
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
    fn numbers_with_fractions_are_not_rounded() {
        // 2 x = 1, and x is below and above one half.
        let (up, down) = (row(&[(0, 2)], -1), row(&[(0, -2)], 1));
        let (up, down) = (up.with_fractions(), down.with_fractions());
        assert!(!is_impossible(vec![up.clone(), down.clone()]));
        assert!(is_impossible(vec![up.clone(), down.below_zero()]));
        // x is below 3 and above 2.
        let (up, down) = (row(&[(0, 1)], -3), row(&[(0, -1)], 2));
        assert!(is_impossible(
            [up.clone(), down.clone()].map(Row::below_zero).into()
        ));
        let (up, down) = (up.with_fractions(), down.with_fractions());
        assert!(!is_impossible([up, down].map(Row::below_zero).into()));
    }

    #[test]
    fn sums_that_are_too_large_say_nothing() {
        let large = row(&[(0, i128::MAX), (0, 1)], 1);
        assert!(!is_impossible(vec![large, row(&[], 0)]));
    }
}
