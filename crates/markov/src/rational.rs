//! Exact numbers, and doubles around them.

use num_bigint::BigInt;
use num_traits::{One, Pow, ToPrimitive, Zero};

/// An exact fraction.
pub type Rational = num_rational::BigRational;

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
    Some(match exponent < 0 {
        true => Rational::new(number, power),
        false => Rational::from_integer(number * power),
    })
}

/// A whole number as a fraction.
pub fn whole(number: i64) -> Rational {
    Rational::from_integer(BigInt::from(number))
}

/// What a double is, exactly; none if it is not finite.
pub fn exactly(number: f64) -> Option<Rational> {
    Rational::from_float(number)
}

/// The nearest double, or one beside it.
pub fn nearest(number: &Rational) -> f64 {
    match number.to_f64() {
        Some(near) if near.is_finite() => near,
        _ if *number < Rational::zero() => f64::MIN,
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
    match number.denom().is_one() {
        true => number.numer().to_string(),
        false => format!("{}/{}", number.numer(), number.denom()),
    }
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
            let number = Rational::new(numerator.into(), denominator.into());
            let (low, high) = (below(&number), above(&number));
            prop_assert!(exactly(low).unwrap() <= number && number <= exactly(high).unwrap());
            prop_assert!(low == high || low.next_up() == high);
        }
    }
}
