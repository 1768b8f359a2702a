//! Values, and what can be done with them: the meaning of the language in its simplest form.
//!
//! Doubles decide, as in PRISM itself; beside each double stands the exact number, as long as
//! only sums, products, quotients and whole powers were taken. Probabilities and rewards are
//! read exactly; what a state is depends on doubles alone.

use quotient_markov::{Rational, exactly, whole, written};

use crate::syntax::{Join, Name, Sort};

/// A value of the language.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Truth(bool),
    Whole(i64),
    /// A double, and what it stands for exactly, if that is known.
    Real(f64, Option<Rational>),
}

/// Whether a whole number is also a double, as all those near it are.
pub(crate) fn fits(number: i64) -> bool {
    number.unsigned_abs() <= 1 << 53
}

impl Value {
    pub(crate) fn sort(&self) -> Sort {
        match self {
            Value::Truth(_) => Sort::Truth,
            Value::Whole(_) => Sort::Whole,
            Value::Real(..) => Sort::Real,
        }
    }

    pub(crate) fn number(&self) -> f64 {
        match self {
            Value::Truth(holds) => f64::from(u8::from(*holds)),
            Value::Whole(number) => *number as f64,
            Value::Real(number, _) => *number,
        }
    }

    /// The exact number; of a double that has none, the double itself.
    pub(crate) fn exact(&self) -> Option<Rational> {
        match self {
            Value::Truth(holds) => Some(whole(i64::from(*holds))),
            Value::Whole(number) => Some(whole(*number)),
            Value::Real(_, Some(exact)) => Some(exact.clone()),
            Value::Real(number, None) => exactly(*number),
        }
    }

    fn known(&self) -> Option<Rational> {
        match self {
            Value::Real(_, exact) => exact.clone(),
            _ => self.exact(),
        }
    }

    pub(crate) fn holds(&self) -> bool {
        self.number() != 0.0
    }

    /// As it is written in states and tables.
    pub(crate) fn text(&self) -> String {
        match self {
            Value::Truth(holds) => holds.to_string(),
            Value::Whole(number) => number.to_string(),
            Value::Real(_, Some(exact)) if exact.bits_under() < 40 => written(exact),
            Value::Real(number, _) => number.to_string(),
        }
    }
}

/// Joins two values; `None` if that makes no number.
pub(crate) fn join(join: Join, left: &Value, right: &Value) -> Option<Value> {
    use std::cmp::Ordering;
    let truth = |holds: bool| Some(Value::Truth(holds));
    let (a, b) = (left.number(), right.number());
    let order = match (left, right) {
        (Value::Whole(a), Value::Whole(b)) => Some(a.cmp(b)),
        _ => a.partial_cmp(&b),
    };
    let compares = !matches!(
        join,
        Join::Plus | Join::Minus | Join::Times | Join::Divide | Join::And | Join::Or
    );
    if let (Value::Whole(number), Value::Real(..)) | (Value::Real(..), Value::Whole(number)) =
        (left, right)
        && compares
        && !fits(*number)
    {
        // As a double it may be another number, on the other side of what it is compared with.
        return None;
    }
    match join {
        Join::And => truth(left.holds() && right.holds()),
        Join::Or => truth(left.holds() || right.holds()),
        Join::Implies => truth(!left.holds() || right.holds()),
        Join::Iff => truth(left.holds() == right.holds()),
        Join::Equal => truth(order == Some(Ordering::Equal)),
        Join::Unequal => truth(order != Some(Ordering::Equal)),
        Join::Less => truth(order == Some(Ordering::Less)),
        Join::AtMost => truth(matches!(order, Some(Ordering::Less | Ordering::Equal))),
        Join::Greater => truth(order == Some(Ordering::Greater)),
        Join::AtLeast => truth(matches!(order, Some(Ordering::Greater | Ordering::Equal))),
        Join::Plus | Join::Minus | Join::Times | Join::Divide => arithmetic(join, left, right),
    }
}

fn arithmetic(join: Join, left: &Value, right: &Value) -> Option<Value> {
    if let (Value::Whole(a), Value::Whole(b)) = (left, right) {
        let counted = |number: Option<i64>| number.filter(|&one| fits(one)).map(Value::Whole);
        match join {
            Join::Plus => return counted(a.checked_add(*b)),
            Join::Minus => return counted(a.checked_sub(*b)),
            Join::Times => return counted(a.checked_mul(*b)),
            _ => {}
        }
    }
    let (a, b) = (left.number(), right.number());
    if join == Join::Divide && b == 0.0 {
        return None;
    }
    let number = match join {
        Join::Plus => a + b,
        Join::Minus => a - b,
        Join::Times => a * b,
        _ => a / b,
    };
    let both = || Some((left.known()?, right.known()?));
    let exact = both().and_then(|(left, right)| match join {
        Join::Plus => Some(left + right),
        Join::Minus => Some(left - right),
        Join::Times => Some(left * right),
        _ if right == whole(0) => None,
        _ => Some(left / right),
    });
    real(number, exact)
}

/// Applies a function; `None` if there is no such number.
pub(crate) fn call(name: Name, arguments: &[Value]) -> Option<Value> {
    let first = arguments.first()?;
    match name {
        Name::Min | Name::Max => {
            let mut best = first.clone();
            for other in &arguments[1..] {
                let less = other.number() < best.number();
                if less == (name == Name::Min) && other.number() != best.number() {
                    best = other.clone();
                }
            }
            let real = arguments.iter().any(|one| one.sort() == Sort::Real);
            Some(match best {
                Value::Whole(number) if real => Value::Real(number as f64, Some(whole(number))),
                other => other,
            })
        }
        Name::Floor => rounded(first.number().floor()),
        Name::Ceil => rounded(first.number().ceil()),
        Name::Round => rounded((first.number() + 0.5).floor()),
        Name::Abs => match first {
            Value::Whole(number) => number.checked_abs().map(Value::Whole),
            Value::Real(number, _) if *number >= 0.0 => Some(first.clone()),
            other => negative(other),
        },
        Name::Sqrt => power(first, &Value::Real(0.5, Some(Rational::new(1, 2)))),
        Name::Pow => power(first, arguments.get(1)?),
        Name::Mod => match (first, arguments.get(1)?) {
            (Value::Whole(number), Value::Whole(by)) if *by > 0 => {
                Some(Value::Whole(number.rem_euclid(*by)))
            }
            _ => None,
        },
        Name::Log => {
            let base = arguments.get(1)?.number();
            real(first.number().ln() / base.ln(), None)
        }
    }
}

fn rounded(number: f64) -> Option<Value> {
    (number.abs() <= (1_u64 << 53) as f64).then_some(Value::Whole(number as i64))
}

/// A number with a fraction; what is too large for a double, or no number at all, is none.
fn real(number: f64, exact: Option<Rational>) -> Option<Value> {
    number.is_finite().then_some(Value::Real(number, exact))
}

fn power(base: &Value, exponent: &Value) -> Option<Value> {
    // A square is a product, rounded once, here and in the engine.
    let number = match exponent.number() == 2.0 {
        true => base.number() * base.number(),
        false => base.number().powf(exponent.number()),
    };
    if let (Value::Whole(_), Value::Whole(0..)) = (base, exponent) {
        return rounded(number);
    }
    let small = exponent.number().fract() == 0.0 && exponent.number().abs() <= 64.0;
    let exact = base.known().filter(|base| small && *base != whole(0));
    let exact = exact.filter(|base| base.bits_over() + base.bits_under() < 2000);
    let exact = exact.map(|base| base.pow(exponent.number() as i32));
    real(number, exact)
}

pub(crate) fn negative(value: &Value) -> Option<Value> {
    match value {
        Value::Truth(_) => None,
        Value::Whole(number) => number.checked_neg().map(Value::Whole),
        Value::Real(number, exact) => Some(Value::Real(-number, exact.as_ref().map(|one| -one))),
    }
}
