//! Operators on single values.

use crate::{Bits, Operator, Value, WIDEST};

/// The value of an operator on two values, or `None` where there is none. Operands without a
/// value are the caller's business.
///
/// ```
/// use quotient_states::{Operator, Value, apply};
/// let [seven, zero] = [7, 0].map(Value::Integer);
/// assert_eq!(apply(Operator::Plus, seven, seven), Some(Value::Integer(14)));
/// assert_eq!(apply(Operator::Divide, seven, zero), None);
/// ```
pub fn apply(operator: Operator, left: Value, right: Value) -> Option<Value> {
    match operator {
        Operator::Equal => return Some(Value::Boolean(left == right)),
        Operator::Less => return Some(Value::Boolean(less(left, right)?)),
        _ => {}
    }
    match (left, right) {
        (Value::Boolean(left), Value::Boolean(right)) => {
            let value = match operator {
                Operator::And => left && right,
                Operator::Or => left || right,
                Operator::Xor => left != right,
                _ => return None,
            };
            Some(Value::Boolean(value))
        }
        (Value::Integer(left), Value::Integer(right)) => {
            integers(operator, left.into(), right.into())
        }
        (
            Value::Word {
                signed,
                width,
                bits,
            },
            _,
        ) => {
            let word = Word {
                signed,
                width,
                bits,
            };
            match operator {
                Operator::ShiftLeft
                | Operator::ShiftRight
                | Operator::RotateLeft
                | Operator::RotateRight => word.moved(operator, amount(right)?),
                _ => word.with(operator, right),
            }
        }
        _ => None,
    }
}

/// Whether a number, as an integer or a word, is smaller than another.
fn less(left: Value, right: Value) -> Option<bool> {
    let sign = |value: Value| match value {
        Value::Integer(number) => Some((number < 0, Bits::from(number.unsigned_abs()))),
        word => word.magnitude(),
    };
    Some(match (sign(left)?, sign(right)?) {
        ((true, left), (true, right)) => right < left,
        ((false, left), (false, right)) => left < right,
        ((left_is_negative, _), _) => left_is_negative,
    })
}

/// A number of places, if it is not negative.
fn amount(value: Value) -> Option<Bits> {
    match value {
        Value::Integer(number) => u64::try_from(number).ok().map(Bits::from),
        word => match word.magnitude()? {
            (true, _) => None,
            (false, places) => Some(places),
        },
    }
}

/// Numbers of 64 bits cannot overflow 128.
fn integers(operator: Operator, left: i128, right: i128) -> Option<Value> {
    let result = match operator {
        Operator::Plus => left + right,
        Operator::Minus => left - right,
        Operator::Times => left * right,
        Operator::Divide => left.checked_div(right)?,
        Operator::Modulo => left.checked_rem(right)?,
        _ => return None,
    };
    i64::try_from(result).ok().map(Value::Integer)
}

#[derive(Clone, Copy)]
struct Word {
    signed: bool,
    width: u32,
    bits: Bits,
}

impl Word {
    fn alike(self, bits: Bits) -> Option<Value> {
        Some(Value::word(self.signed, self.width, bits))
    }

    fn moved(self, operator: Operator, amount: Bits) -> Option<Value> {
        let (_, turn) = amount.divided(Bits::from(u64::from(self.width)))?;
        let turn = u32::try_from(turn.as_u64()?).ok()?;
        let places = amount.as_u64().unwrap_or(u64::MAX).min(WIDEST.into());
        let places = u32::try_from(places).ok()?;
        match operator {
            Operator::ShiftLeft => self.alike(self.bits << places),
            Operator::ShiftRight if self.signed && self.bits.bit(self.width as usize - 1) => {
                self.alike(!(!self.bits.widened(self.width) >> places))
            }
            Operator::ShiftRight => self.alike(self.bits >> places),
            Operator::RotateLeft => {
                self.alike(self.bits << turn | self.bits >> (self.width - turn))
            }
            _ => self.alike(self.bits >> turn | self.bits << (self.width - turn)),
        }
    }

    fn with(self, operator: Operator, right: Value) -> Option<Value> {
        let Value::Word {
            signed,
            width,
            bits,
        } = right
        else {
            return None;
        };
        match operator {
            Operator::And => self.alike(self.bits & bits),
            Operator::Or => self.alike(self.bits | bits),
            Operator::Xor => self.alike(self.bits ^ bits),
            Operator::Plus => self.alike(self.bits.plus(bits)),
            Operator::Minus => self.alike(self.bits.minus(bits)),
            Operator::Times => self.alike(self.bits.times(bits)),
            Operator::Divide | Operator::Modulo => {
                let right = Word {
                    signed,
                    width,
                    bits,
                };
                let (quotient, rest) = self.divided(right)?;
                self.alike(if operator == Operator::Divide {
                    quotient
                } else {
                    rest
                })
            }
            Operator::Concatenate => {
                let wide = self.width.checked_add(width)?;
                (wide <= WIDEST).then(|| Value::word(false, wide, self.bits << width | bits))
            }
            _ => None,
        }
    }

    /// The quotient, rounded towards zero, and the rest, with the sign of this one.
    fn divided(self, right: Word) -> Option<(Bits, Bits)> {
        let sign = |word: Word| match word.signed && word.bits.bit(word.width as usize - 1) {
            true => (true, word.bits.widened(word.width).negated()),
            false => (false, word.bits),
        };
        let ((minus, dividend), (other_minus, divisor)) = (sign(self), sign(right));
        let (quotient, rest) = dividend.divided(divisor)?;
        let signed = |negative: bool, bits: Bits| if negative { bits.negated() } else { bits };
        Some((signed(minus != other_minus, quotient), signed(minus, rest)))
    }
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
    fn integers_beyond_64_bits_have_no_value() {
        assert_eq!(number(Operator::Plus, i64::MAX, 1), None);
        assert_eq!(number(Operator::Times, i64::MIN, i64::MIN), None);
        assert_eq!(number(Operator::Divide, i64::MIN, -1), None);
        assert_eq!(number(Operator::Minus, i64::MIN, 0), Some(i64::MIN.into()));
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
        assert_eq!(shift(Operator::ShiftRight, 0b1000, i64::MAX), is(0b1111));
        assert_eq!(shift(Operator::ShiftLeft, 0b0101, 1), is(0b1010));
        assert_eq!(shift(Operator::ShiftLeft, 0b0101, 64), is(0));
        assert_eq!(shift(Operator::RotateLeft, 0b1001, 1), is(0b0011));
        assert_eq!(shift(Operator::RotateRight, 0b1001, 5), is(0b1100));
        assert_eq!(shift(Operator::RotateLeft, 0b1001, 4), is(0b1001));
        assert_eq!(shift(Operator::ShiftLeft, 1, -1), None);
        let widest = Value::word(false, 64, u64::MAX - 1);
        let turned = apply(Operator::RotateRight, widest, Value::Integer(1));
        assert_eq!(turned, Some(Value::word(false, 64, u64::MAX >> 1)));
    }

    #[test]
    fn symbols_have_no_arithmetic() {
        let symbol = Value::Symbol(crate::SymbolId(0));
        assert_eq!(apply(Operator::Plus, symbol, Value::Integer(1)), None);
        assert_eq!(apply(Operator::Less, Value::Integer(1), symbol), None);
        let equal = apply(Operator::Equal, Value::Integer(0), symbol);
        assert_eq!(equal, Some(Value::Boolean(false)));
    }
}
