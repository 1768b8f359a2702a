//! Exact fractions of 128 bits; what does not fit is said.

/// A fraction in lowest terms with a positive denominator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ratio {
    pub(crate) over: i128,
    pub(crate) under: i128,
}

impl Ratio {
    pub(crate) const ZERO: Ratio = Ratio { over: 0, under: 1 };
    pub(crate) const ONE: Ratio = Ratio { over: 1, under: 1 };

    pub(crate) fn whole(number: i128) -> Ratio {
        Ratio {
            over: number,
            under: 1,
        }
    }

    fn reduced(over: i128, under: i128) -> Option<Ratio> {
        let divisor = divisor(over.unsigned_abs(), under.unsigned_abs());
        let divisor = i128::try_from(divisor).ok()?.max(1);
        let sign = if under < 0 { -1 } else { 1 };
        Some(Ratio {
            over: (over / divisor).checked_mul(sign)?,
            under: (under / divisor).checked_mul(sign)?,
        })
    }

    pub(crate) fn is_zero(self) -> bool {
        self.over == 0
    }

    pub(crate) fn minus(self, other: Ratio) -> Option<Ratio> {
        if other.is_zero() {
            return Some(self);
        }
        if self.under == 1 && other.under == 1 {
            return Some(Ratio::whole(self.over.checked_sub(other.over)?));
        }
        let left = self.over.checked_mul(other.under)?;
        let right = other.over.checked_mul(self.under)?;
        Ratio::reduced(
            left.checked_sub(right)?,
            self.under.checked_mul(other.under)?,
        )
    }

    pub(crate) fn times(self, other: Ratio) -> Option<Ratio> {
        let over = self.over.checked_mul(other.over)?;
        if self.under == 1 && other.under == 1 {
            return Some(Ratio::whole(over));
        }
        Ratio::reduced(over, self.under.checked_mul(other.under)?)
    }

    /// By another that is not zero.
    pub(crate) fn divided(self, other: Ratio) -> Option<Ratio> {
        let over = self.over.checked_mul(other.under)?;
        Ratio::reduced(over, self.under.checked_mul(other.over)?)
    }

    pub(crate) fn negated(self) -> Ratio {
        Ratio {
            over: -self.over,
            under: self.under,
        }
    }

    /// Whether it is less than another.
    pub(crate) fn is_less(self, other: Ratio) -> Option<bool> {
        let left = self.over.checked_mul(other.under)?;
        Some(left < other.over.checked_mul(self.under)?)
    }
}

/// The greatest common divisor.
pub(crate) fn divisor(mut one: u128, mut other: u128) -> u128 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}
