//! The bits of words, as a number without sign.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// Words have at most this many bits.
pub const WIDEST: u32 = 512;

const LIMBS: usize = (WIDEST / u64::BITS) as usize;

/// [`WIDEST`] bits. A word of fewer keeps zeros above, or copies of its sign where it stands for a
/// signed number ([`Bits::widened`]); what leaves at the top is lost.
///
/// ```
/// use quotient_states::Bits;
/// let wide = Bits::read("36893488147419103232", 10).unwrap();
/// assert_eq!(wide, Bits::from(1) << 65);
/// assert_eq!((wide >> 64).as_u64(), Some(2));
/// assert_eq!(wide.minus(Bits::from(1)).to_string(), "36893488147419103231");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
// The highest part comes first, so that the derived order is that of numbers.
pub struct Bits([u64; LIMBS]);

impl Bits {
    /// All bits zero.
    pub const ZERO: Bits = Bits([0; LIMBS]);

    /// The number that digits of a base from 2 to 16 stand for; none without digits, with others,
    /// or if it is too large.
    pub fn read(digits: &str, base: u32) -> Option<Bits> {
        let mut number = Bits::ZERO;
        for digit in digits.chars() {
            let digit = digit.to_digit(base)?;
            number = number.scaled(base.into(), digit.into())?;
        }
        (!digits.is_empty()).then_some(number)
    }

    /// A number with copies of its sign above.
    pub fn signed(number: i64) -> Bits {
        Bits::from(number as u64).widened(64)
    }

    /// Bits from the lowest to the highest; those beyond are lost.
    pub fn collect(bits: impl IntoIterator<Item = bool>) -> Bits {
        let mut all = Bits::ZERO;
        for (at, bit) in bits.into_iter().take(WIDEST as usize).enumerate() {
            all.0[LIMBS - 1 - at / 64] |= u64::from(bit) << (at % 64);
        }
        all
    }

    /// One of the bits, 0 for the lowest; beyond the highest they are zero.
    pub fn bit(self, at: usize) -> bool {
        let limb = (LIMBS - 1).checked_sub(at / 64);
        limb.is_some_and(|limb| self.0[limb] >> (at % 64) & 1 == 1)
    }

    /// How many bits the number needs: the place of its highest one, from 1.
    pub fn length(self) -> u32 {
        match self.0.iter().position(|&limb| limb != 0) {
            Some(at) => (LIMBS - at) as u32 * 64 - self.0[at].leading_zeros(),
            None => 0,
        }
    }

    /// The lowest bits; the others are zero.
    pub fn cut(self, width: u32) -> Bits {
        match WIDEST.checked_sub(width) {
            Some(above) => (self << above) >> above,
            None => self,
        }
    }

    /// A signed word of some width, from 1, with copies of its sign above.
    pub fn widened(self, width: u32) -> Bits {
        match self.bit(width as usize - 1) {
            true => self | !Bits::ZERO << width,
            false => self.cut(width),
        }
    }

    /// The number, if 64 bits hold it.
    pub fn as_u64(self) -> Option<u64> {
        (self.length() <= 64).then(|| self.0[LIMBS - 1])
    }

    /// The sum, without what is carried out at the top.
    pub fn plus(self, other: Bits) -> Bits {
        let mut sum = Bits::ZERO;
        let mut carry = false;
        for at in (0..LIMBS).rev() {
            let (half, over) = self.0[at].overflowing_add(other.0[at]);
            let (whole, again) = half.overflowing_add(carry.into());
            sum.0[at] = whole;
            carry = over || again;
        }
        sum
    }

    /// What gives zero together with it.
    pub fn negated(self) -> Bits {
        (!self).plus(Bits::from(1))
    }

    /// The difference, modulo two to the number of bits.
    pub fn minus(self, other: Bits) -> Bits {
        self.plus(other.negated())
    }

    /// The lowest bits of the product.
    pub fn times(self, other: Bits) -> Bits {
        let mut product = Bits::ZERO;
        for (shift, &factor) in other.0.iter().rev().enumerate() {
            let mut carry = 0u128;
            for at in (shift..LIMBS).rev() {
                // The partial product for the limb that lands at `at - shift` from the top.
                let (from, to) = (at, at - shift);
                let sum = u128::from(self.0[from]) * u128::from(factor)
                    + u128::from(product.0[to])
                    + carry;
                product.0[to] = sum as u64;
                carry = sum >> 64;
            }
        }
        product
    }

    /// Quotient and remainder of numbers without sign; none by zero.
    pub fn divided(self, other: Bits) -> Option<(Bits, Bits)> {
        if other == Bits::ZERO {
            return None;
        }
        if let (Some(left), Some(right)) = (self.as_u64(), other.as_u64()) {
            return Some((Bits::from(left / right), Bits::from(left % right)));
        }
        let (mut quotient, mut rest) = (Bits::ZERO, Bits::ZERO);
        for at in (0..self.length() as usize).rev() {
            // A bit that leaves at the top makes the rest larger than any divisor.
            let leaves = rest.bit(WIDEST as usize - 1);
            rest = rest << 1 | Bits::from(u64::from(self.bit(at)));
            quotient = quotient << 1;
            if leaves || rest >= other {
                rest = rest.minus(other);
                quotient = quotient | Bits::from(1);
            }
        }
        Some((quotient, rest))
    }

    /// The number times a factor and some more, if it fits.
    fn scaled(self, factor: u64, more: u64) -> Option<Bits> {
        let mut carry = u128::from(more);
        let mut scaled = Bits::ZERO;
        for at in (0..LIMBS).rev() {
            let sum = u128::from(self.0[at]) * u128::from(factor) + carry;
            scaled.0[at] = sum as u64;
            carry = sum >> 64;
        }
        (carry == 0).then_some(scaled)
    }
}

impl From<u64> for Bits {
    fn from(number: u64) -> Bits {
        let mut bits = Bits::ZERO;
        bits.0[LIMBS - 1] = number;
        bits
    }
}

impl BitAnd for Bits {
    type Output = Bits;

    fn bitand(mut self, other: Bits) -> Bits {
        let pairs = self.0.iter_mut().zip(other.0);
        pairs.for_each(|(limb, other)| *limb &= other);
        self
    }
}

impl BitOr for Bits {
    type Output = Bits;

    fn bitor(mut self, other: Bits) -> Bits {
        let pairs = self.0.iter_mut().zip(other.0);
        pairs.for_each(|(limb, other)| *limb |= other);
        self
    }
}

impl BitXor for Bits {
    type Output = Bits;

    fn bitxor(mut self, other: Bits) -> Bits {
        let pairs = self.0.iter_mut().zip(other.0);
        pairs.for_each(|(limb, other)| *limb ^= other);
        self
    }
}

impl Not for Bits {
    type Output = Bits;

    fn not(self) -> Bits {
        Bits(self.0.map(|limb| !limb))
    }
}

impl Shl<u32> for Bits {
    type Output = Bits;

    /// By any number of places; beyond the highest, nothing is left.
    fn shl(self, places: u32) -> Bits {
        let (limbs, places) = (places as usize / 64, places % 64);
        let limb = |at: usize| self.0.get(at).copied().unwrap_or(0);
        let mut moved = Bits::ZERO;
        for (at, to) in moved.0.iter_mut().enumerate() {
            let from = at.saturating_add(limbs);
            let below = limb(from + 1).checked_shr(64 - places).unwrap_or(0);
            *to = limb(from) << places | below;
        }
        moved
    }
}

impl Shr<u32> for Bits {
    type Output = Bits;

    /// By any number of places, zeros come in.
    fn shr(self, places: u32) -> Bits {
        let (limbs, places) = (places as usize / 64, places % 64);
        let limb = |at: Option<usize>| at.map_or(0, |at| self.0[at]);
        let mut moved = Bits::ZERO;
        for (at, to) in moved.0.iter_mut().enumerate() {
            let from = at.checked_sub(limbs);
            let above = limb(from.and_then(|from| from.checked_sub(1)));
            *to = limb(from) >> places | above.checked_shl(64 - places).unwrap_or(0);
        }
        moved
    }
}

impl fmt::Display for Bits {
    /// In decimal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const GROUP: u64 = 10_000_000_000_000_000_000;
        let mut groups = Vec::new();
        let mut rest = self.0;
        loop {
            let mut carry = 0u128;
            for limb in &mut rest {
                let whole = carry << 64 | u128::from(*limb);
                *limb = (whole / u128::from(GROUP)) as u64;
                carry = whole % u128::from(GROUP);
            }
            groups.push(carry as u64);
            if rest == [0; LIMBS] {
                break;
            }
        }
        for (at, group) in groups.iter().rev().enumerate() {
            match at {
                0 => write!(f, "{group}")?,
                _ => write!(f, "{group:019}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;
    use proptest::prelude::*;

    use super::*;

    fn big(bits: Bits) -> BigUint {
        bits.to_string().parse().unwrap()
    }

    fn cut(number: BigUint) -> BigUint {
        number % (BigUint::from(1u8) << WIDEST)
    }

    /// Numbers of all lengths.
    fn numbers() -> impl Strategy<Value = Bits> {
        let limbs = prop_oneof![Just([0; LIMBS]), any::<[u64; LIMBS]>(), Just([!0; LIMBS])];
        (limbs, 0..WIDEST).prop_map(|(limbs, places)| Bits(limbs) >> places)
    }

    fn places() -> impl Strategy<Value = u32> {
        prop_oneof![0..WIDEST + 70, Just(u32::MAX)]
    }

    proptest! {
        #[test]
        fn arithmetic_is_that_of_large_numbers(a in numbers(), b in numbers()) {
            let (x, y) = (big(a), big(b));
            prop_assert_eq!(big(a.plus(b)), cut(&x + &y));
            prop_assert_eq!(big(a.times(b)), cut(&x * &y));
            prop_assert_eq!(a.minus(b).plus(b), a);
            prop_assert_eq!(a < b, x < y);
            let expected = (y != BigUint::ZERO).then(|| (&x / &y, &x % &y));
            prop_assert_eq!(a.divided(b).map(|(q, r)| (big(q), big(r))), expected);
            prop_assert_eq!(u64::from(a.length()), x.bits());
            prop_assert_eq!(a.as_u64(), u64::try_from(x).ok());
        }

        #[test]
        fn bits_move_and_join_as_those_of_large_numbers(a in numbers(), b in numbers(), by in places()) {
            let (x, y) = (big(a), big(b));
            let near = u64::from(by.min(2 * WIDEST));
            prop_assert_eq!(big(a << by), cut(&x << near));
            prop_assert_eq!(big(a >> by), &x >> near);
            prop_assert_eq!(big(a & b), &x & &y);
            prop_assert_eq!(big(a | b), &x | &y);
            prop_assert_eq!(big(a ^ b), &x ^ &y);
            prop_assert_eq!(a.plus(!a), !Bits::ZERO);
            prop_assert_eq!(a.bit(near as usize), x.bit(near));
            let width = by.clamp(1, WIDEST);
            prop_assert_eq!(big(a.cut(width)), &x % (BigUint::from(1u8) << width));
            let sign = a.bit(width as usize - 1);
            let above = a.cut(width).widened(width) >> (width - 1);
            let copies = if sign { !Bits::ZERO >> (width - 1) } else { Bits::ZERO };
            prop_assert_eq!(above, copies);
        }

        #[test]
        fn digits_of_any_base_are_read_back(a in numbers()) {
            let x = big(a);
            for base in [2, 8, 10, 16] {
                prop_assert_eq!(Bits::read(&x.to_str_radix(base), base), Some(a));
            }
            prop_assert_eq!(Bits::collect((0..512).map(|at| a.bit(at))), a);
        }
    }

    #[test]
    fn what_is_no_number_or_too_large_is_not_read() {
        assert_eq!(Bits::read("", 10), None);
        assert_eq!(Bits::read("12a", 10), None);
        assert_eq!(Bits::read("-1", 10), None);
        let highest = (BigUint::from(1u8) << WIDEST) - 1u8;
        assert_eq!(Bits::read(&highest.to_string(), 10), Some(!Bits::ZERO));
        assert_eq!(Bits::read(&(highest + 1u8).to_string(), 10), None);
    }

    #[test]
    fn negative_numbers_have_ones_above() {
        assert_eq!(Bits::signed(-1), !Bits::ZERO);
        assert_eq!(Bits::signed(-3).negated(), Bits::from(3));
    }
}
