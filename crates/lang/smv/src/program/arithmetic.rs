//! Operators on single values.

use super::{Bits, Operator, Value};

/// The value of an operator on two values of fitting types. `None` where there is none:
/// division by zero, an overflow of 64-bit integers, a negative shift, or a set operator.
pub(crate) fn apply(operator: Operator, left: Value, right: Value) -> Option<Value> {
    use Operator as O;
    match operator {
        O::Equal => return Some(Value::Boolean(left == right)),
        O::Less => return Some(Value::Boolean(is_less(left, right)?)),
        O::Union | O::In => return None,
        _ => {}
    }
    match (left, right) {
        (Value::Boolean(left), Value::Boolean(right)) => match operator {
            O::And => Some(Value::Boolean(left && right)),
            O::Or => Some(Value::Boolean(left || right)),
            O::Xor => Some(Value::Boolean(left != right)),
            _ => None,
        },
        (Value::Integer(left), Value::Integer(right)) => {
            let result = match operator {
                O::Plus => left.checked_add(right),
                O::Minus => left.checked_sub(right),
                O::Times => left.checked_mul(right),
                O::Divide => left.checked_div(right),
                O::Modulo => left.checked_rem(right),
                _ => None,
            };
            result.map(Value::Integer)
        }
        (
            Value::Word {
                signed,
                width,
                bits,
            },
            _,
        ) => apply_word(operator, (signed, width, bits), left, right),
        _ => None,
    }
}

fn apply_word(
    operator: Operator,
    (signed, width, bits): (bool, u32, Bits),
    left: Value,
    right: Value,
) -> Option<Value> {
    use Operator as O;
    let word = |bits: Bits| Some(Value::word(signed, width, bits));
    if let O::ShiftLeft | O::ShiftRight | O::RotateLeft | O::RotateRight = operator {
        let amount = match right {
            Value::Integer(number) => Bits::from(u64::try_from(number).ok()?),
            other => other.magnitude().filter(|&(minus, _)| !minus)?.1,
        };
        let (_, turn) = amount.divided(Bits::from(u64::from(width)))?;
        let turn = u32::try_from(turn.as_u64()?).ok()?;
        let amount = amount
            .as_u64()
            .map_or(width, |by| by.min(width.into()) as u32);
        return match operator {
            O::ShiftLeft => word(bits << amount),
            // Copies of the sign come in; the width cuts the rest.
            O::ShiftRight if signed => {
                let minus = bits.bit(width as usize - 1);
                let above = if minus { !Bits::ZERO } else { Bits::ZERO };
                word(bits >> amount | above << (width - amount))
            }
            O::ShiftRight => word(bits >> amount),
            O::RotateLeft => word(bits << turn | bits >> (width - turn)),
            _ => word(bits >> turn | bits << (width - turn)),
        };
    }
    let Value::Word {
        width: other_width,
        bits: other,
        ..
    } = right
    else {
        return None;
    };
    match operator {
        O::And => word(bits & other),
        O::Or => word(bits | other),
        O::Xor => word(bits ^ other),
        O::Plus => word(bits.plus(other)),
        O::Minus => word(bits.minus(other)),
        O::Times => word(bits.times(other)),
        O::Divide | O::Modulo => {
            let ((minus, a), (other_minus, b)) = (left.magnitude()?, right.magnitude()?);
            let (quotient, remainder) = a.divided(b)?;
            let (minus, result) = match operator {
                O::Divide => (minus != other_minus, quotient),
                _ => (minus, remainder),
            };
            word(if minus { result.negated() } else { result })
        }
        O::Concatenate => {
            let joined = bits << other_width | other;
            Some(Value::word(false, width + other_width, joined))
        }
        _ => None,
    }
}

/// Whether the left number is smaller; words have one width and sign.
fn is_less(left: Value, right: Value) -> Option<bool> {
    if let (Value::Integer(left), Value::Integer(right)) = (left, right) {
        return Some(left < right);
    }
    let ((minus, a), (other_minus, b)) = (left.magnitude()?, right.magnitude()?);
    Some(match (minus, other_minus) {
        (true, true) => b < a,
        (false, false) => a < b,
        (minus, _) => minus,
    })
}

/// The word with the bits of another, cut or padded at the top by the other's sign.
pub(crate) fn resize(value: Value, signed: bool, width: u32) -> Option<Value> {
    let bits = match value {
        Value::Word {
            signed: true,
            width,
            bits,
        } => bits.widened(width),
        Value::Word { bits, .. } => bits,
        _ => return None,
    };
    Some(Value::word(signed, width, bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(operator: Operator, left: i64, right: i64) -> Option<i128> {
        apply(operator, Value::Integer(left), Value::Integer(right))?.number()
    }

    fn word(operator: Operator, left: u64, right: u64) -> Option<i128> {
        let (left, right) = (Value::word(true, 4, left), Value::word(true, 4, right));
        apply(operator, left, right)?.number()
    }

    #[test]
    fn division_rounds_towards_zero_and_has_a_remainder_of_the_dividends_sign() {
        assert_eq!(number(Operator::Divide, -7, 2), Some(-3));
        assert_eq!(number(Operator::Modulo, -7, 2), Some(-1));
        assert_eq!(number(Operator::Modulo, 7, -2), Some(1));
        assert_eq!(number(Operator::Divide, 1, 0), None);
        assert_eq!(word(Operator::Divide, 0b1001, 2), Some(-3));
    }

    #[test]
    fn words_wrap_around() {
        assert_eq!(word(Operator::Plus, 7, 1), Some(-8));
        assert_eq!(word(Operator::Minus, 0, 1), Some(-1));
        assert_eq!(word(Operator::Divide, 8, 15), Some(-8));
    }

    #[test]
    fn shifts_and_rotations_by_any_amount() {
        let shift =
            |operator, bits, by| apply(operator, Value::word(true, 4, bits), Value::Integer(by));
        let is = |bits| Some(Value::word(true, 4, bits));
        assert_eq!(shift(Operator::ShiftRight, 0b1000, 2), is(0b1110));
        assert_eq!(shift(Operator::ShiftRight, 0b1000, 99), is(0b1111));
        assert_eq!(shift(Operator::ShiftLeft, 0b0101, 1), is(0b1010));
        assert_eq!(shift(Operator::ShiftLeft, 0b0101, 64), is(0));
        assert_eq!(shift(Operator::RotateLeft, 0b1001, 1), is(0b0011));
        assert_eq!(shift(Operator::RotateRight, 0b1001, 5), is(0b1100));
        assert_eq!(shift(Operator::RotateLeft, 0b1001, 4), is(0b1001));
        assert_eq!(shift(Operator::ShiftLeft, 1, -1), None);
    }

    #[test]
    fn concatenation_is_unsigned() {
        let joined = apply(
            Operator::Concatenate,
            Value::word(true, 2, 0b10),
            Value::word(false, 3, 0b011),
        );
        assert_eq!(joined, Some(Value::word(false, 5, 0b10011)));
    }

    #[test]
    fn resizing_pads_by_sign() {
        assert_eq!(
            resize(Value::word(true, 2, 0b10), true, 4),
            Some(Value::word(true, 4, 0b1110))
        );
        assert_eq!(
            resize(Value::word(false, 2, 0b10), false, 4),
            Some(Value::word(false, 4, 0b0010))
        );
    }
}
