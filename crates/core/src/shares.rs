//! Growing shares of work.

/// How much work each turn gets where several methods take turns: the first little, each later
/// one some times more. What is done again is then little beside the last turn, and no method has
/// to wait long for another that never ends.
///
/// ```
/// use quotient_core::Shares;
/// let turns: Vec<u64> = Shares::beginning_with(1_000).up_to(50_000).collect();
/// assert_eq!(turns, [1_000, 4_000, 16_000, 50_000]);
/// let turns: Vec<u64> = Shares::beginning_with(3).growing(2).take(4).collect();
/// assert_eq!(turns, [3, 6, 12, 24]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shares {
    next: Option<u64>,
    factor: u64,
    most: u64,
}

impl Shares {
    /// Shares that begin with so many units, each four times the one before, without end.
    pub const fn beginning_with(first: u64) -> Shares {
        Shares {
            next: Some(first),
            factor: 4,
            most: u64::MAX,
        }
    }

    /// Each share so many times the one before.
    #[must_use]
    pub const fn growing(mut self, factor: u64) -> Shares {
        self.factor = factor;
        self
    }

    /// The last share is this one.
    #[must_use]
    pub const fn up_to(mut self, most: u64) -> Shares {
        self.most = most;
        self
    }
}

impl Iterator for Shares {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let share = self.next?.min(self.most);
        // A share of all the work there can be is the last one.
        self.next = (share < self.most).then(|| share.saturating_mul(self.factor));
        Some(share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_end_with_all_the_work_there_is() {
        let mut shares = Shares::beginning_with(u64::MAX / 2);
        assert_eq!(shares.next(), Some(u64::MAX / 2));
        assert_eq!(shares.next(), Some(u64::MAX));
        assert_eq!(shares.next(), None);
        let small: Vec<u64> = Shares::beginning_with(10).up_to(5).collect();
        assert_eq!(small, [5]);
    }
}
