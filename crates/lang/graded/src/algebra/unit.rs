//! Degrees and probabilities: exact fractions from 0 to 1.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::{ActionLattice, MOST_WRITTEN};

/// How degrees compose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Norm {
    /// `max(0, a + b - 1)`.
    Lukasiewicz,
    /// The lesser.
    Goedel,
    /// The product: probabilities of one path.
    Product,
}

/// Fractions from 0 to 1, exact: rounding would break the associative law.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unit(pub(crate) Norm);

impl ActionLattice for Unit {
    type Grade = BigRational;

    fn name(&self) -> &str {
        match self.0 {
            Norm::Lukasiewicz => "lukasiewicz",
            Norm::Goedel => "goedel",
            Norm::Product => "viterbi",
        }
    }
    fn meaning(&self) -> &str {
        match self.0 {
            Norm::Product => "the probability of the likeliest path",
            _ => "a degree of truth from 0 to 1",
        }
    }
    fn zero(&self) -> BigRational {
        BigRational::zero()
    }
    fn one(&self) -> BigRational {
        BigRational::one()
    }
    fn top(&self) -> BigRational {
        BigRational::one()
    }
    fn join(&self, a: &BigRational, b: &BigRational) -> BigRational {
        a.max(b).clone()
    }
    fn meet(&self, a: &BigRational, b: &BigRational) -> BigRational {
        a.min(b).clone()
    }
    fn then(&self, a: &BigRational, b: &BigRational) -> BigRational {
        match self.0 {
            Norm::Goedel => a.min(b).clone(),
            Norm::Product => a * b,
            Norm::Lukasiewicz => (a + b - BigRational::one()).max(BigRational::zero()),
        }
    }
    fn star(&self, _: &BigRational) -> BigRational {
        BigRational::one()
    }
    fn under(&self, a: &BigRational, b: &BigRational) -> BigRational {
        if a <= b {
            return BigRational::one();
        }
        match self.0 {
            Norm::Goedel => b.clone(),
            Norm::Product => b / a,
            Norm::Lukasiewicz => BigRational::one() - a + b,
        }
    }
    fn leq(&self, a: &BigRational, b: &BigRational) -> bool {
        a <= b
    }
    fn read(&self, text: &str) -> Option<BigRational> {
        degree(text, MOST_DIGITS)
    }
    fn read_back(&self, text: &str) -> Option<BigRational> {
        degree(text, MOST_WRITTEN)
    }
    fn write(&self, grade: &BigRational) -> String {
        written(grade)
    }
    fn effort(&self, grade: &BigRational) -> u64 {
        // Fractions are made shortest, which takes the square of their length in words.
        let words = (grade.numer().bits() + grade.denom().bits()) / 64;
        words * words / 8
    }
    fn spelling(&self) -> String {
        "a number from 0 to 1, such as `0.7` or `2/3`".to_owned()
    }
    fn sample(&self) -> Vec<BigRational> {
        let tenth = |number: i32| BigRational::new(number.into(), 10.into());
        (0..=10).map(tenth).collect()
    }
}

/// A fraction from 0 to 1 with so many digits at most.
fn degree(text: &str, most: usize) -> Option<BigRational> {
    let number = fraction(text, most)?;
    (!number.is_negative() && number <= BigRational::one()).then_some(number)
}

/// The longest number that is read from a file: fractions of thousands of digits help nobody.
const MOST_DIGITS: usize = 60;

/// `3`, `0.25` or `2/3`, where each part has so many digits at most.
fn fraction(text: &str, most: usize) -> Option<BigRational> {
    let digits = |part: &str| {
        let fits = !part.is_empty() && part.len() <= most;
        (fits && part.bytes().all(|digit| digit.is_ascii_digit()))
            .then(|| part.parse::<BigInt>().ok())
            .flatten()
    };
    if let Some((above, below)) = text.split_once('/') {
        let (above, below) = (digits(above)?, digits(below)?);
        return (!below.is_zero()).then(|| BigRational::new(above, below));
    }
    match text.split_once('.') {
        None => Some(BigRational::from_integer(digits(text)?)),
        Some((whole, part)) => {
            let places = u32::try_from(part.len()).ok()?;
            // The length is looked at first: a power of ten is as long as the text says.
            let (whole, part) = (digits(whole)?, digits(part)?);
            let scale = BigInt::from(10).pow(places);
            Some(BigRational::new(whole * &scale + part, scale))
        }
    }
}

/// As a decimal number where that is exact and short, else as a fraction.
fn written(number: &BigRational) -> String {
    let mut scale = BigInt::one();
    for places in 0..7 {
        let scaled = number * BigRational::from_integer(scale.clone());
        if scaled.is_integer() {
            let text = scaled.to_integer().to_string();
            if places == 0 {
                return text;
            }
            let text = format!("{text:0>width$}", width = places + 1);
            let (whole, part) = text.split_at(text.len() - places);
            return format!("{whole}.{part}");
        }
        scale *= 10;
    }
    format!("{}/{}", number.numer(), number.denom())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_read_and_written_alike() {
        for text in ["0", "1", "0.7", "0.05", "2/3", "1/1024"] {
            let number = fraction(text, MOST_DIGITS).unwrap();
            assert_eq!(fraction(&written(&number), MOST_DIGITS), Some(number));
        }
        assert_eq!(written(&fraction("0.50", MOST_DIGITS).unwrap()), "0.5");
        for text in ["", ".", "1.", "a", "1/0", "-1", "1e3", &"9".repeat(100)] {
            assert_eq!(fraction(text, MOST_DIGITS), None, "{text}");
        }
    }

    #[test]
    fn long_fractions_are_more_work() {
        let of = Unit(Norm::Product);
        let step = of.read("0.123").unwrap();
        assert_eq!(of.effort(&step), 0);
        let long = (0..1000).fold(of.one(), |so_far, _| of.then(&so_far, &step));
        assert!(of.effort(&long) > 2000, "{}", of.effort(&long));
    }

    #[test]
    fn evidence_is_read_as_long_as_it_is_written() {
        let of = Unit(Norm::Product);
        let step = of.read("0.123").unwrap();
        let long = (0..100).fold(of.one(), |so_far, _| of.then(&so_far, &step));
        let text = of.write(&long);
        assert!(of.read(&text).is_none());
        assert_eq!(of.read_back(&text), Some(long));
        for text in ["3/2", "-1/2", "1/0", "2"] {
            assert_eq!(of.read_back(text), None, "{text}");
        }
        for digits in [MOST_WRITTEN + 1, 50_000_000] {
            assert_eq!(of.read_back(&format!("0.{}", "1".repeat(digits))), None);
        }
    }
}
