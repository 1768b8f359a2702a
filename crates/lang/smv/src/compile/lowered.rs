//! Values in bits, and operators on them.

use quotient_symbolic::{Expression, Model};
use rustc_hash::FxHashMap;

use super::numbers;
use crate::program::{Element, Operator, Program, SymbolId, Value};

/// Integers that meet symbols are listed value by value, up to this many.
const MOST_LISTED: i128 = 4096;

/// An expression in bits.
#[derive(Debug, Clone)]
pub(super) enum Lowered {
    Boolean(Expression),
    /// In two's complement, as wide as the bounds need.
    Integer {
        bits: Vec<Expression>,
        low: i128,
        high: i128,
    },
    Word {
        bits: Vec<Expression>,
        signed: bool,
    },
    /// Symbols and integers: each value with its condition, sorted by value; exactly one of
    /// the conditions is true.
    Choice(Vec<(Value, Expression)>),
}

/// An integer with no more bits than its bounds need.
pub(super) fn integer(mut bits: Vec<Expression>, low: i128, high: i128) -> Lowered {
    let width = numbers::width(low, high);
    if bits.len() < width {
        bits = numbers::resize(&bits, width, true);
    }
    bits.truncate(width);
    Lowered::Integer { bits, low, high }
}

pub(super) fn constant(value: Value) -> Lowered {
    match value {
        Value::Boolean(value) => Lowered::Boolean(Expression::constant(value)),
        Value::Integer(number) => {
            let number = i128::from(number);
            let bits = numbers::constant(number, numbers::width(number, number));
            integer(bits, number, number)
        }
        Value::Word {
            signed,
            width,
            bits,
        } => Lowered::Word {
            bits: (0..width as usize)
                .map(|at| Expression::constant(bits.bit(at)))
                .collect(),
            signed,
        },
        Value::Symbol(_) => Lowered::Choice(vec![(value, Expression::TRUE)]),
    }
}

/// Some value of a type, where none matters.
pub(super) fn default(program: &Program, element: Element) -> Lowered {
    match element {
        Element::Boolean => Lowered::Boolean(Expression::FALSE),
        Element::Integer | Element::Mixed => constant(Value::Integer(0)),
        Element::Word { signed, width } => constant(Value::word(signed, width, 0)),
        Element::Symbolic => match program.symbols().is_empty() {
            true => constant(Value::Integer(0)),
            false => constant(Value::Symbol(SymbolId(0))),
        },
    }
}

/// The number of an enumeration of integers.
pub(super) fn integer_of(model: &mut Model, choices: &[(Value, Expression)]) -> Lowered {
    let known: Vec<(i128, Expression)> = choices
        .iter()
        .filter_map(|&(value, guard)| Some((value.number()?, guard)))
        .collect();
    let low = known.iter().map(|&(number, _)| number).min().unwrap_or(0);
    let high = known.iter().map(|&(number, _)| number).max().unwrap_or(0);
    let mut bits = Vec::new();
    for at in 0..numbers::width(low, high) {
        let set = known.iter().filter(|(number, _)| number >> at & 1 == 1);
        let guards: Vec<Expression> = set.map(|&(_, guard)| guard).collect();
        bits.push(model.or_all(guards));
    }
    integer(bits, low, high)
}

/// Value by value, where integers and symbols meet; `None` if there are too many.
fn choices(model: &mut Model, lowered: Lowered) -> Option<Vec<(Value, Expression)>> {
    match lowered {
        Lowered::Choice(choices) => Some(choices),
        Lowered::Integer { bits, low, high } if high - low < MOST_LISTED => {
            let mut choices = Vec::new();
            for number in low..=high {
                let code = numbers::constant(number, bits.len());
                let guard = numbers::equal(model, &bits, &code);
                choices.push((Value::Integer(i64::try_from(number).ok()?), guard));
            }
            Some(choices)
        }
        _ => None,
    }
}

pub(super) fn choose(
    model: &mut Model,
    test: Expression,
    then: Lowered,
    other: Lowered,
) -> Option<Lowered> {
    Some(match (then, other) {
        (Lowered::Boolean(then), Lowered::Boolean(other)) => {
            Lowered::Boolean(model.if_then_else(test, then, other))
        }
        (
            Lowered::Integer { bits, low, high },
            Lowered::Integer {
                bits: other,
                low: other_low,
                high: other_high,
            },
        ) => {
            let (low, high) = (low.min(other_low), high.max(other_high));
            let width = numbers::width(low, high);
            let then = numbers::resize(&bits, width, true);
            let other = numbers::resize(&other, width, true);
            integer(numbers::choose(model, test, &then, &other), low, high)
        }
        (Lowered::Word { bits, signed }, Lowered::Word { bits: other, .. }) => Lowered::Word {
            bits: numbers::choose(model, test, &bits, &other),
            signed,
        },
        (then, other) => {
            let (then, other) = (choices(model, then)?, choices(model, other)?);
            let guards = |list: &[(Value, Expression)]| -> FxHashMap<Value, Expression> {
                list.iter().copied().collect()
            };
            let (left, right) = (guards(&then), guards(&other));
            let mut values: Vec<Value> =
                then.iter().chain(&other).map(|&(value, _)| value).collect();
            values.sort_unstable();
            values.dedup();
            let guard = |side: &FxHashMap<Value, Expression>, value: &Value| {
                side.get(value).copied().unwrap_or(Expression::FALSE)
            };
            let merged = values.into_iter().map(|value| {
                let (a, b) = (guard(&left, &value), guard(&right, &value));
                (value, model.if_then_else(test, a, b))
            });
            Lowered::Choice(merged.collect())
        }
    })
}

/// Whether two values are equal.
pub(super) fn equal(model: &mut Model, left: &Lowered, right: &Lowered) -> Expression {
    match (left, right) {
        (&Lowered::Boolean(left), &Lowered::Boolean(right)) => model.iff(left, right),
        (Lowered::Integer { bits, .. }, Lowered::Integer { bits: other, .. }) => {
            let width = bits.len().max(other.len());
            let left = numbers::resize(bits, width, true);
            let right = numbers::resize(other, width, true);
            numbers::equal(model, &left, &right)
        }
        (Lowered::Word { bits, .. }, Lowered::Word { bits: other, .. }) => {
            numbers::equal(model, bits, other)
        }
        (Lowered::Choice(left), Lowered::Choice(right)) => {
            let known: FxHashMap<Value, Expression> = right.iter().copied().collect();
            let mut both = Vec::new();
            for (value, guard) in left {
                if let Some(&other) = known.get(value) {
                    both.push(model.and(*guard, other));
                }
            }
            model.or_all(both)
        }
        (Lowered::Choice(choices), number @ Lowered::Integer { .. })
        | (number @ Lowered::Integer { .. }, Lowered::Choice(choices)) => {
            let mut both = Vec::new();
            for &(value, guard) in choices {
                if let Value::Integer(_) = value {
                    let same = equal(model, number, &constant(value));
                    both.push(model.and(guard, same));
                }
            }
            model.or_all(both)
        }
        _ => Expression::FALSE,
    }
}

/// Whether the left number is smaller.
pub(super) fn less(model: &mut Model, left: &Lowered, right: &Lowered) -> Expression {
    match (left, right) {
        (Lowered::Integer { bits, .. }, Lowered::Integer { bits: other, .. }) => {
            let width = bits.len().max(other.len());
            let left = numbers::resize(bits, width, true);
            let right = numbers::resize(other, width, true);
            numbers::less_signed(model, &left, &right)
        }
        (Lowered::Word { bits, signed }, Lowered::Word { bits: other, .. }) => match signed {
            true => numbers::less_signed(model, bits, other),
            false => numbers::less_unsigned(model, bits, other),
        },
        _ => Expression::FALSE,
    }
}

pub(super) fn number(value: i64) -> Lowered {
    constant(Value::Integer(value))
}

pub(super) fn binary(
    model: &mut Model,
    operator: Operator,
    left: Lowered,
    right: Lowered,
) -> Lowered {
    use Operator as O;
    match (operator, left, right) {
        (O::Equal, left, right) => Lowered::Boolean(equal(model, &left, &right)),
        (O::Less, left, right) => Lowered::Boolean(less(model, &left, &right)),
        (_, Lowered::Boolean(left), Lowered::Boolean(right)) => {
            Lowered::Boolean(connective(model, operator, left, right))
        }
        (
            _,
            Lowered::Integer { bits, low, high },
            Lowered::Integer {
                bits: other,
                low: other_low,
                high: other_high,
            },
        ) => integers(
            model,
            operator,
            (bits, low, high),
            (other, other_low, other_high),
        ),
        (
            O::And | O::Or | O::Xor,
            Lowered::Word { bits, signed },
            Lowered::Word { bits: other, .. },
        ) => {
            let pairs = bits.iter().zip(&other);
            let bits = pairs
                .map(|(&a, &b)| connective(model, operator, a, b))
                .collect();
            Lowered::Word { bits, signed }
        }
        (
            O::ShiftLeft | O::ShiftRight | O::RotateLeft | O::RotateRight,
            Lowered::Word { bits, signed },
            Lowered::Word { bits: amount, .. } | Lowered::Integer { bits: amount, .. },
        ) => {
            let bits = shifted(model, operator, &bits, signed, &amount);
            Lowered::Word { bits, signed }
        }
        (_, Lowered::Word { bits, signed }, Lowered::Word { bits: other, .. }) => {
            words(model, operator, bits, signed, other)
        }
        (_, left, _) => left,
    }
}

fn connective(model: &mut Model, operator: Operator, a: Expression, b: Expression) -> Expression {
    match operator {
        Operator::And => model.and(a, b),
        Operator::Or => model.or(a, b),
        _ => model.xor(a, b),
    }
}

fn shifted(
    model: &mut Model,
    operator: Operator,
    bits: &[Expression],
    signed: bool,
    amount: &[Expression],
) -> Vec<Expression> {
    let fill = match (signed, bits.last()) {
        (true, Some(&sign)) => sign,
        _ => Expression::FALSE,
    };
    numbers::shift(model, bits, amount, |bits, places, turn| match operator {
        Operator::ShiftLeft => numbers::shift_left(bits, places),
        Operator::ShiftRight => numbers::shift_right(bits, places, fill),
        Operator::RotateLeft => numbers::rotate_left(bits, turn),
        _ => numbers::rotate_left(bits, bits.len() - turn),
    })
}

fn words(
    model: &mut Model,
    operator: Operator,
    bits: Vec<Expression>,
    signed: bool,
    other: Vec<Expression>,
) -> Lowered {
    use Operator as O;
    let bits = match operator {
        O::Plus => numbers::add(model, &bits, &other, Expression::FALSE),
        O::Minus => numbers::subtract(model, &bits, &other),
        O::Times => numbers::multiply(model, &bits, &other),
        O::Concatenate => {
            let mut joined = other;
            joined.extend(bits);
            return Lowered::Word {
                bits: joined,
                signed: false,
            };
        }
        _ => {
            let (quotient, remainder) = match signed {
                true => numbers::divide_signed(model, &bits, &other),
                false => numbers::divide_unsigned(model, &bits, &other),
            };
            if operator == O::Divide {
                quotient
            } else {
                remainder
            }
        }
    };
    Lowered::Word { bits, signed }
}

type Bounded = (Vec<Expression>, i128, i128);

fn integers(
    model: &mut Model,
    operator: Operator,
    (left, low, high): Bounded,
    (right, other_low, other_high): Bounded,
) -> Lowered {
    use Operator as O;
    let wide = |bits: &[Expression], width| numbers::resize(bits, width, true);
    match operator {
        O::Plus | O::Minus => {
            let (low, high) = match operator {
                O::Plus => (low + other_low, high + other_high),
                _ => (low - other_high, high - other_low),
            };
            let width = left.len().max(right.len()) + 1;
            let (left, right) = (wide(&left, width), wide(&right, width));
            let bits = match operator {
                O::Plus => numbers::add(model, &left, &right, Expression::FALSE),
                _ => numbers::subtract(model, &left, &right),
            };
            integer(bits, low, high)
        }
        O::Times => {
            let corners = [
                low.saturating_mul(other_low),
                low.saturating_mul(other_high),
                high.saturating_mul(other_low),
                high.saturating_mul(other_high),
            ];
            let low = corners.into_iter().min().unwrap_or(0);
            let high = corners.into_iter().max().unwrap_or(0);
            let width = left.len() + right.len();
            let (left, right) = (wide(&left, width), wide(&right, width));
            integer(numbers::multiply(model, &left, &right), low, high)
        }
        _ => {
            let width = left.len().max(right.len()) + 1;
            let (left, right) = (wide(&left, width), wide(&right, width));
            let (quotient, remainder) = numbers::divide_signed(model, &left, &right);
            let largest = low.abs().max(high.abs());
            if operator == O::Divide {
                let low = if low < 0 || other_low < 0 {
                    -largest
                } else {
                    0
                };
                return integer(quotient, low, largest);
            }
            let below = other_low.abs().max(other_high.abs()) - 1;
            let bound = largest.min(below.max(0));
            let low = if low < 0 { -bound } else { 0 };
            integer(remainder, low, if high > 0 { bound } else { 0 })
        }
    }
}
