//! Values and types: exact numbers, no rounding.

use std::fmt;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// An exact number.
pub(crate) type Number = BigRational;

/// Numbers with more bits than this are refused: a program that squares in a loop must not eat
/// the machine.
pub(crate) const MOST_BITS: u64 = 4_096;

/// A type of data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Type {
    Boolean,
    Integer,
    /// `float` and `double`, both exact here.
    Real,
    Text,
    /// A type of the host.
    Host(String),
}

impl Type {
    /// The type with a name.
    pub(crate) fn named(name: &str) -> Type {
        match name {
            "boolean" => Type::Boolean,
            "integer" => Type::Integer,
            "float" | "double" => Type::Real,
            "string" => Type::Text,
            other => Type::Host(other.to_owned()),
        }
    }

    pub(crate) fn is_number(&self) -> bool {
        matches!(self, Type::Integer | Type::Real)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Type::Boolean => "boolean",
            Type::Integer => "integer",
            Type::Real => "double",
            Type::Text => "string",
            Type::Host(name) => name,
        })
    }
}

/// A value of data.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    Boolean(bool),
    Number(Number),
    Text(String),
}

impl Value {
    /// The value with a spelling, for a type.
    pub(crate) fn spelled(kind: &Type, text: &str) -> Option<Value> {
        let text = text.trim();
        match kind {
            Type::Boolean => match text {
                "true" | "1" => Some(Value::Boolean(true)),
                "false" | "0" => Some(Value::Boolean(false)),
                _ => None,
            },
            Type::Integer => number(text).filter(Number::is_integer).map(Value::Number),
            Type::Real => number(text).map(Value::Number),
            Type::Text => Some(Value::Text(text.trim_matches('"').to_owned())),
            Type::Host(_) => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Boolean(value) => write!(f, "{value}"),
            Value::Number(number) => f.write_str(&decimal(number)),
            Value::Text(text) => write!(f, "{text:?}"),
        }
    }
}

/// A number from digits, with a point, an exponent or a slash: `3`, `-2.5`, `1e-3`, `1/3`.
pub(crate) fn number(text: &str) -> Option<Number> {
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let whole = |digits: &str| -> Option<BigInt> {
        let fine = !digits.is_empty()
            && digits.len() <= 1_000
            && digits.bytes().all(|byte| byte.is_ascii_digit());
        fine.then(|| digits.parse().ok()).flatten()
    };
    let plain = match text.split_once('/') {
        Some((top, bottom)) => {
            let bottom = whole(bottom)?;
            if bottom.is_zero() {
                return None;
            }
            Number::new(whole(top)?, bottom)
        }
        None => {
            let text = text.trim_end_matches(['f', 'F', 'd', 'D']);
            let (mantissa, exponent) = match text.split_once(['e', 'E']) {
                Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
                None => (text, 0),
            };
            if exponent.abs() > 300 {
                return None;
            }
            let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
            if after.len() > 300 || (before.is_empty() && after.is_empty()) {
                return None;
            }
            let digits = whole(&format!("{before}{after}"))?;
            let power = exponent - after.len() as i32;
            let ten = BigInt::from(10).pow(power.unsigned_abs());
            match power < 0 {
                true => Number::new(digits, ten),
                false => Number::from(digits * ten),
            }
        }
    };
    Some(if negative { -plain } else { plain })
}

/// A number as digits with a point where that is exact, else as a fraction.
pub(crate) fn decimal(number: &Number) -> String {
    if number.is_integer() {
        return number.to_integer().to_string();
    }
    let (mut power, mut scaled) = (0usize, number.abs());
    let ten = Number::from(BigInt::from(10));
    while !scaled.is_integer() && power < 12 {
        scaled *= &ten;
        power += 1;
    }
    if !scaled.is_integer() {
        return format!("{}/{}", number.numer(), number.denom());
    }
    let digits = format!("{:0>width$}", scaled.to_integer(), width = power + 1);
    let (before, after) = digits.split_at(digits.len() - power);
    let sign = if number.is_negative() { "-" } else { "" };
    format!("{sign}{before}.{after}")
}

/// Whether a number is too large to go on with.
pub(crate) fn is_huge(number: &Number) -> bool {
    number.numer().bits() > MOST_BITS || number.denom().bits() > MOST_BITS
}

/// Division of whole numbers as machines do it: towards zero.
pub(crate) fn divided(left: &Number, right: &Number) -> Number {
    Number::from((left / right).to_integer())
}

/// What division of whole numbers leaves.
pub(crate) fn remainder(left: &Number, right: &Number) -> Number {
    left - right * divided(left, right)
}

/// One.
pub(crate) fn one() -> Number {
    Number::one()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_and_written_exactly() {
        for (text, shown) in [
            ("3", "3"),
            ("-2.50", "-2.5"),
            ("1e-3", "0.001"),
            ("2.5e2", "250"),
            ("1/3", "1/3"),
            ("0.1f", "0.1"),
        ] {
            assert_eq!(decimal(&number(text).unwrap()), shown);
        }
        for wrong in ["", "-", ".", "1/0", "1e999", "x", "1.2.3"] {
            assert!(number(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn whole_numbers_divide_towards_zero() {
        let int = |value: i64| Number::from(BigInt::from(value));
        assert_eq!(divided(&int(-7), &int(2)), int(-3));
        assert_eq!(remainder(&int(-7), &int(2)), int(-1));
    }
}
