//! What expressions are evaluated with: doubles, or doubles that carry what they may be off by.

use crate::{Function, Operator};

/// Numbers that a program can be run with.
pub(crate) trait Number: Copy {
    /// What expressions without a value have: a double that is no number.
    const NONE: Self;

    fn of(value: f64, lower: f64, upper: f64) -> Self;
    /// The double that decides conditions.
    fn value(self) -> f64;
    fn two(operator: Operator, left: Self, right: Self) -> Self;
    fn call(function: Function, of: Self) -> Self;
    fn negative(self) -> Self;

    fn truth(holds: bool) -> Self {
        let number = f64::from(u8::from(holds));
        Self::of(number, number, number)
    }

    fn holds(self) -> bool {
        self.value() != 0.0
    }
}

/// What two doubles give, as every implementation of the language computes it; no number where
/// that has no value, as a quotient by nothing.
#[inline]
pub(crate) fn combine(operator: Operator, left: f64, right: f64) -> f64 {
    let truth = |holds: bool| f64::from(u8::from(holds));
    match operator {
        Operator::And => truth(left != 0.0 && right != 0.0),
        Operator::Or => truth(left != 0.0 || right != 0.0),
        Operator::Equal => truth(left == right),
        Operator::Unequal => truth(left != right),
        Operator::Less => truth(left < right),
        Operator::AtMost => truth(left <= right),
        Operator::Plus => left + right,
        Operator::Minus => left - right,
        Operator::Times => left * right,
        Operator::Divide if right == 0.0 => f64::NAN,
        Operator::Divide => left / right,
        Operator::Min => left.min(right),
        Operator::Max => left.max(right),
        Operator::Power => power(left, right),
        Operator::Modulo if right <= 0.0 => f64::NAN,
        Operator::Modulo => left.rem_euclid(right),
        Operator::Logarithm => left.ln() / right.ln(),
    }
}

/// A power. Squares are products, which are rounded once: what common libraries make of a square is
/// that, too, but for the last bit of a few.
fn power(base: f64, exponent: f64) -> f64 {
    match exponent == 2.0 {
        true => base * base,
        false => base.powf(exponent),
    }
}

/// Up to here doubles tell whole numbers apart.
const MOST_COUNTED: f64 = (1_u64 << 53) as f64;

#[inline]
pub(crate) fn apply(function: Function, of: f64) -> f64 {
    match function {
        Function::Floor => of.floor(),
        Function::Ceiling => of.ceil(),
        Function::Round => (of + 0.5).floor(),
        Function::Counted if of.abs() <= MOST_COUNTED => of,
        Function::Counted => f64::NAN,
    }
}

impl Number for f64 {
    const NONE: f64 = f64::NAN;

    #[inline]
    fn of(value: f64, _: f64, _: f64) -> f64 {
        value
    }

    #[inline]
    fn value(self) -> f64 {
        self
    }

    #[inline]
    fn two(operator: Operator, left: f64, right: f64) -> f64 {
        combine(operator, left, right)
    }

    #[inline]
    fn call(function: Function, of: f64) -> f64 {
        apply(function, of)
    }

    #[inline]
    fn negative(self) -> f64 {
        -self
    }
}

/// A double with bounds between which the exact result surely lies.
///
/// Conditions and roundings are decided by the double, as in every implementation of the
/// language; the bounds say how far sums and products of doubles are off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Enclosure {
    pub(crate) value: f64,
    pub(crate) lower: f64,
    pub(crate) upper: f64,
}

impl Enclosure {
    pub(crate) const ONE: Enclosure = Enclosure::exact(1.0);

    pub(crate) const fn exact(value: f64) -> Enclosure {
        Enclosure {
            value,
            lower: value,
            upper: value,
        }
    }

    pub(crate) fn times(self, other: Enclosure) -> Enclosure {
        Enclosure::two(Operator::Times, self, other)
    }

    pub(crate) fn plus(self, other: Enclosure) -> Enclosure {
        Enclosure::two(Operator::Plus, self, other)
    }

    /// By how much of itself the double may be off.
    pub(crate) fn error(self) -> f64 {
        if self.lower == self.upper && self.value == self.lower {
            return 0.0;
        }
        let width = (self.upper - self.value).max(self.value - self.lower);
        (width / self.value.abs()).next_up().next_up()
    }
}

/// The sum, rounded down and up unless it is exact.
fn sum(left: f64, right: f64) -> (f64, f64) {
    let sum = left + right;
    let back = sum - left;
    let lost = (left - (sum - back)) + (right - back);
    around(sum, lost == 0.0)
}

fn product(left: f64, right: f64) -> (f64, f64) {
    let product = left * right;
    around(
        product,
        left.mul_add(right, -product) == 0.0 && product.abs() > 1e-290,
    )
}

fn quotient(left: f64, right: f64) -> (f64, f64) {
    let quotient = left / right;
    let exact = quotient.mul_add(-right, left) == 0.0 && quotient.abs() > 1e-290;
    around(quotient, exact)
}

fn around(number: f64, exact: bool) -> (f64, f64) {
    match exact {
        true => (number, number),
        false => (number.next_down(), number.next_up()),
    }
}

/// The least and greatest of an operation that is monotone in each part.
fn corners(left: Enclosure, right: Enclosure, with: fn(f64, f64) -> (f64, f64)) -> (f64, f64) {
    if left.lower == left.upper && right.lower == right.upper {
        return with(left.lower, right.lower);
    }
    let all = [
        with(left.lower, right.lower),
        with(left.lower, right.upper),
        with(left.upper, right.lower),
        with(left.upper, right.upper),
    ];
    let low = all.iter().map(|pair| pair.0).fold(f64::INFINITY, f64::min);
    let high = all
        .iter()
        .map(|pair| pair.1)
        .fold(f64::NEG_INFINITY, f64::max);
    (low, high)
}

impl Number for Enclosure {
    const NONE: Enclosure = Enclosure::exact(f64::NAN);

    fn of(value: f64, lower: f64, upper: f64) -> Enclosure {
        Enclosure {
            value,
            lower,
            upper,
        }
    }

    fn value(self) -> f64 {
        self.value
    }

    fn two(operator: Operator, left: Enclosure, right: Enclosure) -> Enclosure {
        let value = combine(operator, left.value, right.value);
        let (lower, upper) = match operator {
            Operator::Plus => corners(left, right, sum),
            Operator::Minus => corners(left, right.negative(), sum),
            Operator::Times if left.value == 0.0 && left.lower == left.upper => (0.0, 0.0),
            Operator::Times if right.value == 0.0 && right.lower == right.upper => (0.0, 0.0),
            Operator::Times => corners(left, right, product),
            Operator::Divide if right.lower <= 0.0 && right.upper >= 0.0 => {
                (f64::NEG_INFINITY, f64::INFINITY)
            }
            Operator::Divide if left.value == 0.0 && left.lower == left.upper => (0.0, 0.0),
            Operator::Divide => corners(left, right, quotient),
            Operator::Min => (left.lower.min(right.lower), left.upper.min(right.upper)),
            Operator::Max => (left.lower.max(right.lower), left.upper.max(right.upper)),
            Operator::Power | Operator::Logarithm => transcendental(operator, left, right, value),
            _ => (value, value),
        };
        Enclosure {
            value,
            lower,
            upper,
        }
    }

    fn call(function: Function, of: Enclosure) -> Enclosure {
        match function {
            Function::Counted if of.value.abs() <= MOST_COUNTED => of,
            _ => Enclosure::exact(apply(function, of.value)),
        }
    }

    fn negative(self) -> Enclosure {
        Enclosure {
            value: -self.value,
            lower: -self.upper,
            upper: -self.lower,
        }
    }
}

/// Powers and logarithms: whole results of whole numbers are exact, others get the error of the
/// library (far below this share) and of their parts.
fn transcendental(operator: Operator, left: Enclosure, right: Enclosure, value: f64) -> (f64, f64) {
    let whole = |number: f64| number.fract() == 0.0 && number.abs() < 9e15;
    let exact = left.lower == left.upper && right.lower == right.upper;
    if operator == Operator::Power && exact && right.value >= 0.0 {
        if whole(left.value) && whole(right.value) && whole(value) {
            return (value, value);
        }
        if right.value == 1.0 || right.value == 0.0 {
            return (value, value);
        }
    }
    let with = |a: f64, b: f64| {
        let result = combine(operator, a, b);
        let slack = result.abs() * 1e-15 + f64::MIN_POSITIVE;
        (result - slack, result + slack)
    };
    let all = [
        with(left.lower, right.lower),
        with(left.lower, right.upper),
        with(left.upper, right.lower),
        with(left.upper, right.upper),
    ];
    let low = all.iter().map(|pair| pair.0).fold(f64::INFINITY, f64::min);
    let high = all
        .iter()
        .map(|pair| pair.1)
        .fold(f64::NEG_INFINITY, f64::max);
    match low.is_nan() || high.is_nan() {
        true => (f64::NEG_INFINITY, f64::INFINITY),
        false => (low, high),
    }
}
