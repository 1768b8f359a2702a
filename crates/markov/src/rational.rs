//! Exact numbers, and doubles around them.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use std::str::FromStr;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Pow, Signed, ToPrimitive, Zero};

/// An exact fraction, in lowest terms.
///
/// ```
/// use quotient_markov::Rational;
/// let half = Rational::new(2, 4);
/// assert_eq!((&half + Rational::new(1, 3)).to_string(), "5/6");
/// assert!(half < Rational::from(1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rational(BigRational);

impl Rational {
    /// `over / under`; dividing by 0 is a mistake of the program and panics.
    pub fn new(over: i64, under: i64) -> Self {
        Rational(BigRational::new(over.into(), under.into()))
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    /// Whether there is nothing behind the point.
    pub fn is_integer(&self) -> bool {
        self.0.is_integer()
    }

    /// The greatest whole number that is not greater.
    pub fn floor(&self) -> Self {
        Rational(self.0.floor())
    }

    /// The least whole number that is not less.
    pub fn ceil(&self) -> Self {
        Rational(self.0.ceil())
    }

    /// Without its sign.
    pub fn abs(&self) -> Self {
        Rational(self.0.abs())
    }

    /// Itself, so many times; 0 to a negative power is a mistake of the program and panics.
    pub fn pow(&self, times: i32) -> Self {
        Rational(Pow::pow(&self.0, times))
    }

    /// What is below the line.
    pub fn denominator(&self) -> Self {
        Rational(self.0.denom().clone().into())
    }

    /// How many bits the number above the line takes.
    pub fn bits_over(&self) -> u64 {
        self.0.numer().bits()
    }

    /// How many bits the number below the line takes.
    pub fn bits_under(&self) -> u64 {
        self.0.denom().bits()
    }

    /// Without what is behind the point, where that is a machine word.
    pub fn to_u64(&self) -> Option<u64> {
        u64::try_from(self.0.to_integer()).ok()
    }
}

impl From<i64> for Rational {
    fn from(number: i64) -> Self {
        Rational(BigInt::from(number).into())
    }
}

/// A text that is no fraction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAFraction(String);

impl fmt::Display for NotAFraction {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}

impl std::error::Error for NotAFraction {}

/// `1/6`, `3`, as [`Display`](fmt::Display) writes them.
impl FromStr for Rational {
    type Err = NotAFraction;

    fn from_str(text: &str) -> Result<Self, NotAFraction> {
        let read = BigRational::from_str(text);
        read.map(Rational)
            .map_err(|wrong| NotAFraction(wrong.to_string()))
    }
}

/// `1/6`, `3`.
impl fmt::Display for Rational {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(to)
    }
}

/// An operation on fractions and on borrowed ones.
macro_rules! operation {
    ($operation:ident $method:ident, $assign:ident $in_place:ident) => {
        impl $operation for Rational {
            type Output = Rational;
            fn $method(self, other: Rational) -> Rational {
                Rational(self.0.$method(other.0))
            }
        }
        impl $operation<&Rational> for Rational {
            type Output = Rational;
            fn $method(self, other: &Rational) -> Rational {
                Rational(self.0.$method(&other.0))
            }
        }
        impl $operation<Rational> for &Rational {
            type Output = Rational;
            fn $method(self, other: Rational) -> Rational {
                Rational((&self.0).$method(other.0))
            }
        }
        impl $operation for &Rational {
            type Output = Rational;
            fn $method(self, other: &Rational) -> Rational {
                Rational((&self.0).$method(&other.0))
            }
        }
        impl $assign for Rational {
            fn $in_place(&mut self, other: Rational) {
                self.0.$in_place(other.0);
            }
        }
        impl $assign<&Rational> for Rational {
            fn $in_place(&mut self, other: &Rational) {
                self.0.$in_place(&other.0);
            }
        }
    };
}

operation!(Add add, AddAssign add_assign);
operation!(Sub sub, SubAssign sub_assign);
operation!(Mul mul, MulAssign mul_assign);
operation!(Div div, DivAssign div_assign);

impl Neg for Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        Rational(-self.0)
    }
}

impl Neg for &Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        Rational(-&self.0)
    }
}

impl Sum for Rational {
    fn sum<I: Iterator<Item = Rational>>(numbers: I) -> Rational {
        numbers.fold(whole(0), |sum, one| sum + one)
    }
}

impl<'a> Sum<&'a Rational> for Rational {
    fn sum<I: Iterator<Item = &'a Rational>>(numbers: I) -> Rational {
        numbers.fold(whole(0), |sum, one| sum + one)
    }
}

/// Exponents beyond this are refused: nobody writes them, and their digits would fill the memory.
const MOST_DIGITS: i64 = 400;

/// The number that a decimal text means, exactly: `0.1` is one tenth.
///
/// ```
/// use quotient_markov::{decimal, written};
/// assert_eq!(decimal("2.5e-1").map(|number| written(&number)), Some("1/4".to_owned()));
/// assert_eq!(decimal("x"), None);
/// ```
pub fn decimal(text: &str) -> Option<Rational> {
    let (digits, exponent) = match text.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (front, back) = digits.split_once('.').unwrap_or((digits, ""));
    let all: String = format!("{front}{back}");
    let unsigned = all.strip_prefix('-').unwrap_or(&all);
    let is_number = !unsigned.is_empty() && unsigned.bytes().all(|letter| letter.is_ascii_digit());
    let exponent = exponent.checked_sub(i64::try_from(back.len()).ok()?)?;
    if !is_number || exponent.abs() > MOST_DIGITS || all.len() > 1000 {
        return None;
    }
    let number: BigInt = all.parse().ok()?;
    let power = BigInt::from(10).pow(exponent.unsigned_abs());
    Some(Rational(match exponent < 0 {
        true => BigRational::new(number, power),
        false => (number * power).into(),
    }))
}

/// A whole number as a fraction.
pub fn whole(number: i64) -> Rational {
    Rational::from(number)
}

/// What a double is, exactly; none if it is not finite.
pub fn exactly(number: f64) -> Option<Rational> {
    BigRational::from_float(number).map(Rational)
}

/// The nearest double, or one beside it.
pub fn nearest(number: &Rational) -> f64 {
    match number.0.to_f64() {
        Some(near) if near.is_finite() => near,
        _ if number.0 < BigRational::zero() => f64::MIN,
        _ => f64::MAX,
    }
}

/// The greatest double that is not greater than the number.
///
/// ```
/// use quotient_markov::{above, below, decimal};
/// let tenth = decimal("0.1").unwrap();
/// assert!(below(&tenth) < above(&tenth));
/// assert_eq!(below(&decimal("0.5").unwrap()), 0.5);
/// ```
pub fn below(number: &Rational) -> f64 {
    let mut near = nearest(number);
    while exactly(near).is_some_and(|near| near > *number) {
        near = near.next_down();
    }
    near
}

/// The least double that is not less than the number.
pub fn above(number: &Rational) -> f64 {
    let mut near = nearest(number);
    while exactly(near).is_some_and(|near| near < *number) {
        near = near.next_up();
    }
    near
}

/// As people write it: `1/6`, `3`.
pub fn written(number: &Rational) -> String {
    number.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn decimals_are_read_exactly() {
        for (text, expected) in [
            ("0.1", "1/10"),
            ("12", "12"),
            ("1e3", "1000"),
            ("-1.50", "-3/2"),
        ] {
            assert_eq!(
                decimal(text).map(|one| written(&one)).as_deref(),
                Some(expected)
            );
        }
        for text in ["", ".", "-", "1e999999999", "1.2.3", "0x1", "1e", "--1"] {
            assert_eq!(decimal(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn doubles_enclose_fractions(numerator in any::<i64>(), denominator in 1i64..) {
            let number = Rational::new(numerator, denominator);
            let (low, high) = (below(&number), above(&number));
            prop_assert!(exactly(low).unwrap() <= number && number <= exactly(high).unwrap());
            prop_assert!(low == high || low.next_up() == high);
            prop_assert_eq!(written(&number).parse(), Ok(number));
        }
    }
}
