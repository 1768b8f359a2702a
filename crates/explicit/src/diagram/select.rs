//! Parts of sets, and numbers about them.

use num_bigint::BigUint;
use quotient_core::Stop;
use rustc_hash::FxHashMap;

use super::{Diagrams, EMPTY, Set, UNIT};

/// A sum over the numbers of a vector, with what was found out about it.
struct Sum {
    /// By level.
    factors: Vec<i64>,
    /// Behind the last factor.
    end: usize,
    /// The least and the greatest sum in a set.
    bounds: FxHashMap<u32, (i128, i128)>,
    parts: FxHashMap<(u32, i128), u32>,
}

impl Sum {
    fn new(levels: usize, terms: &[(usize, i64)]) -> Sum {
        let mut factors = vec![0_i64; levels];
        for &(level, factor) in terms {
            if let Some(sum) = factors.get_mut(level) {
                *sum = sum.saturating_add(factor);
            }
        }
        let last = factors.iter().rposition(|&factor| factor != 0);
        Sum {
            factors,
            end: last.map_or(0, |last| last + 1),
            bounds: FxHashMap::default(),
            parts: FxHashMap::default(),
        }
    }

    fn term(&self, level: usize, value: u32) -> i128 {
        i128::from(self.factors[level]) * i128::from(value)
    }
}

impl Diagrams {
    /// The vectors of a set in which a sum of numbers (by level, with factors) is at least
    /// something.
    pub fn select(&mut self, set: Set, terms: &[(usize, i64)], least: i64) -> Result<Set, Stop> {
        let mut sum = Sum::new(self.levels(), terms);
        self.part(&mut sum, set.0, 0, i128::from(least)).map(Set)
    }

    /// The greatest sum of numbers of a vector in a set.
    pub fn greatest(&mut self, set: Set, terms: &[(usize, i64)]) -> Result<Option<i128>, Stop> {
        if set.is_empty() {
            return Ok(None);
        }
        let mut sum = Sum::new(self.levels(), terms);
        Ok(Some(self.bounds(&mut sum, set.0, 0)?.1))
    }

    /// How many vectors are in sets, each counted by itself: the sum, in digits, since no machine
    /// word holds it.
    pub fn count(&mut self, sets: &[Set]) -> Result<String, Stop> {
        let mut known = FxHashMap::default();
        let mut sum = BigUint::ZERO;
        for set in sets {
            sum += self.counted(&mut known, set.0)?;
        }
        Ok(sum.to_string())
    }

    fn part(&mut self, sum: &mut Sum, set: u32, level: usize, least: i128) -> Result<u32, Stop> {
        if set == EMPTY {
            return Ok(EMPTY);
        }
        let (lowest, highest) = self.bounds(sum, set, level)?;
        if lowest >= least {
            return Ok(set);
        }
        if highest < least {
            return Ok(EMPTY);
        }
        if let Some(&known) = sum.parts.get(&(set, least)) {
            return Ok(known);
        }
        self.tick()?;
        let base = self.stack.len();
        let mut at = set;
        while at != EMPTY {
            let node = self.table.get(at);
            let rest = least - sum.term(level, node.value);
            let below = self.part(sum, node.down, level + 1, rest)?;
            if below != EMPTY {
                self.stack.push((node.value, below));
            }
            at = node.right;
        }
        let result = self.listed(base, EMPTY)?;
        sum.parts.insert((set, least), result);
        Ok(result)
    }

    fn bounds(&mut self, sum: &mut Sum, set: u32, level: usize) -> Result<(i128, i128), Stop> {
        if set <= UNIT || level >= sum.end {
            return Ok((0, 0));
        }
        if let Some(&known) = sum.bounds.get(&set) {
            return Ok(known);
        }
        self.tick()?;
        let (mut lowest, mut highest) = (i128::MAX, i128::MIN);
        let mut at = set;
        while at != EMPTY {
            let node = self.table.get(at);
            let (low, high) = self.bounds(sum, node.down, level + 1)?;
            let term = sum.term(level, node.value);
            lowest = lowest.min(low.saturating_add(term));
            highest = highest.max(high.saturating_add(term));
            at = node.right;
        }
        sum.bounds.insert(set, (lowest, highest));
        Ok((lowest, highest))
    }

    fn counted(&mut self, known: &mut FxHashMap<u32, BigUint>, set: u32) -> Result<BigUint, Stop> {
        if set <= UNIT {
            return Ok(BigUint::from(set));
        }
        if let Some(number) = known.get(&set) {
            return Ok(number.clone());
        }
        self.tick()?;
        let mut number = BigUint::ZERO;
        let mut at = set;
        while at != EMPTY {
            let node = self.table.get(at);
            number += self.counted(known, node.down)?;
            at = node.right;
        }
        known.insert(set, number.clone());
        Ok(number)
    }
}
