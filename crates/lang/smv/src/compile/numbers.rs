//! Numbers as bits: circuits for arithmetic.
//!
//! A number is a vector of expressions in two's complement, least significant first; the last
//! is the sign. Words use the same circuits and keep as many bits as they have.

use quotient_symbolic::{Expression, Model};

/// How many bits a number from `low` to `high` needs, the sign included.
pub(super) fn width(low: i128, high: i128) -> usize {
    let bits = |number: i128| {
        let magnitude = if number < 0 { !number } else { number };
        129 - magnitude.leading_zeros() as usize
    };
    bits(low).max(bits(high))
}

pub(super) fn constant(number: i128, width: usize) -> Vec<Expression> {
    let bit = |at: usize| Expression::constant(number >> at.min(127) & 1 == 1);
    (0..width).map(bit).collect()
}

/// The same number with more bits, or its lowest bits.
pub(super) fn resize(bits: &[Expression], width: usize, signed: bool) -> Vec<Expression> {
    let fill = match (signed, bits.last()) {
        (true, Some(&sign)) => sign,
        _ => Expression::FALSE,
    };
    (0..width)
        .map(|at| bits.get(at).copied().unwrap_or(fill))
        .collect()
}

/// The lowest bits of the sum; both have the same width, which is the width of the sum.
pub(super) fn add(
    model: &mut Model,
    left: &[Expression],
    right: &[Expression],
    mut carry: Expression,
) -> Vec<Expression> {
    let mut sum = Vec::with_capacity(left.len());
    for (&a, &b) in left.iter().zip(right) {
        let half = model.xor(a, b);
        sum.push(model.xor(half, carry));
        carry = model.if_then_else(half, carry, a);
    }
    sum
}

pub(super) fn subtract(
    model: &mut Model,
    left: &[Expression],
    right: &[Expression],
) -> Vec<Expression> {
    let complement: Vec<Expression> = right.iter().map(|&bit| !bit).collect();
    add(model, left, &complement, Expression::TRUE)
}

pub(super) fn negate(model: &mut Model, bits: &[Expression]) -> Vec<Expression> {
    let zero = vec![Expression::FALSE; bits.len()];
    subtract(model, &zero, bits)
}

/// The lowest bits of the product, as many as the operands have.
pub(super) fn multiply(
    model: &mut Model,
    left: &[Expression],
    right: &[Expression],
) -> Vec<Expression> {
    let width = left.len();
    let mut product = vec![Expression::FALSE; width];
    for (shift, &bit) in right.iter().enumerate() {
        if bit == Expression::FALSE {
            continue;
        }
        let mut row = vec![Expression::FALSE; shift];
        for &a in &left[..width - shift] {
            row.push(model.and(a, bit));
        }
        product = add(model, &product, &row, Expression::FALSE);
    }
    product
}

/// Whether the left unsigned number is smaller; both have the same width.
pub(super) fn less_unsigned(
    model: &mut Model,
    left: &[Expression],
    right: &[Expression],
) -> Expression {
    let mut less = Expression::FALSE;
    for (&a, &b) in left.iter().zip(right) {
        let differ = model.xor(a, b);
        less = model.if_then_else(differ, b, less);
    }
    less
}

/// Whether the left signed number is smaller; both have the same width.
pub(super) fn less_signed(
    model: &mut Model,
    left: &[Expression],
    right: &[Expression],
) -> Expression {
    // Flipping the signs turns the signed order into the unsigned one.
    let flip = |bits: &[Expression]| {
        let mut bits = bits.to_vec();
        if let Some(sign) = bits.last_mut() {
            *sign = !*sign;
        }
        bits
    };
    less_unsigned(model, &flip(left), &flip(right))
}

pub(super) fn equal(model: &mut Model, left: &[Expression], right: &[Expression]) -> Expression {
    let pairs: Vec<Expression> = left
        .iter()
        .zip(right)
        .map(|(&a, &b)| model.iff(a, b))
        .collect();
    model.and_all(pairs)
}

/// One number or the other; both have the same width.
pub(super) fn choose(
    model: &mut Model,
    test: Expression,
    then: &[Expression],
    other: &[Expression],
) -> Vec<Expression> {
    then.iter()
        .zip(other)
        .map(|(&a, &b)| model.if_then_else(test, a, b))
        .collect()
}

/// Quotient and remainder of unsigned numbers of one width, bit by bit from the top. For a
/// divisor of zero the result means nothing.
pub(super) fn divide_unsigned(
    model: &mut Model,
    dividend: &[Expression],
    divisor: &[Expression],
) -> (Vec<Expression>, Vec<Expression>) {
    let width = dividend.len();
    // One bit more than the divisor, so that the shifted remainder fits.
    let divisor = resize(divisor, width + 1, false);
    let mut remainder = vec![Expression::FALSE; width + 1];
    let mut quotient = vec![Expression::FALSE; width];
    for at in (0..width).rev() {
        remainder.pop();
        remainder.insert(0, dividend[at]);
        let fits = !less_unsigned(model, &remainder, &divisor);
        let reduced = subtract(model, &remainder, &divisor);
        remainder = choose(model, fits, &reduced, &remainder);
        quotient[at] = fits;
    }
    remainder.pop();
    (quotient, remainder)
}

/// Quotient, rounded towards zero, and remainder, with the sign of the dividend.
pub(super) fn divide_signed(
    model: &mut Model,
    dividend: &[Expression],
    divisor: &[Expression],
) -> (Vec<Expression>, Vec<Expression>) {
    let sign = |bits: &[Expression]| bits.last().copied().unwrap_or(Expression::FALSE);
    let (negative, divisor_negative) = (sign(dividend), sign(divisor));
    let magnitude = |model: &mut Model, bits: &[Expression], negative| {
        let negated = negate(model, bits);
        choose(model, negative, &negated, bits)
    };
    let dividend = magnitude(model, dividend, negative);
    let divisor = magnitude(model, divisor, divisor_negative);
    let (quotient, remainder) = divide_unsigned(model, &dividend, &divisor);
    let opposite = model.xor(negative, divisor_negative);
    let quotient = magnitude(model, &quotient, opposite);
    let remainder = magnitude(model, &remainder, negative);
    (quotient, remainder)
}

/// The bits moved by a number of places that is itself in bits (unsigned): one choice for each
/// power of two. `step` moves by a fixed number of places.
pub(super) fn shift(
    model: &mut Model,
    bits: &[Expression],
    amount: &[Expression],
    step: impl Fn(&[Expression], usize, usize) -> Vec<Expression>,
) -> Vec<Expression> {
    let mut result = bits.to_vec();
    let mut turn = 1 % bits.len().max(1);
    for (at, &bit) in amount.iter().enumerate() {
        if bit != Expression::FALSE {
            let places = 1usize.checked_shl(at as u32).unwrap_or(usize::MAX);
            let moved = step(&result, places, turn);
            result = choose(model, bit, &moved, &result);
        }
        turn = 2 * turn % bits.len().max(1);
    }
    result
}

pub(super) fn shift_left(bits: &[Expression], places: usize) -> Vec<Expression> {
    let places = places.min(bits.len());
    let mut result = vec![Expression::FALSE; places];
    result.extend_from_slice(&bits[..bits.len() - places]);
    result
}

pub(super) fn shift_right(bits: &[Expression], places: usize, fill: Expression) -> Vec<Expression> {
    let places = places.min(bits.len());
    let mut result = bits[places..].to_vec();
    result.resize(bits.len(), fill);
    result
}

pub(super) fn rotate_left(bits: &[Expression], places: usize) -> Vec<Expression> {
    let mut result = bits.to_vec();
    result.rotate_right(places % bits.len().max(1));
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(bits: &[Expression], signed: bool) -> i128 {
        let mut number = 0;
        for (at, &bit) in bits.iter().enumerate() {
            assert!(bit == Expression::TRUE || bit == Expression::FALSE);
            let weight = 1i128 << at;
            let is_sign = signed && at + 1 == bits.len();
            if bit == Expression::TRUE {
                number += if is_sign { -weight } else { weight };
            }
        }
        number
    }

    #[test]
    fn widths_include_the_sign() {
        for (low, high, bits) in [
            (0, 0, 1),
            (-1, 0, 1),
            (0, 1, 2),
            (-2, 1, 2),
            (0, 7, 4),
            (-9, 3, 5),
        ] {
            assert_eq!(width(low, high), bits, "{low}..{high}");
        }
    }

    #[test]
    fn circuits_agree_with_arithmetic_on_all_small_constants() {
        let model = &mut Model::new();
        for a in -8i128..8 {
            for b in -8i128..8 {
                let (x, y) = (constant(a, 8), constant(b, 8));
                let sum = add(model, &x, &y, Expression::FALSE);
                assert_eq!(number(&sum, true), a + b);
                assert_eq!(number(&subtract(model, &x, &y), true), a - b);
                assert_eq!(number(&multiply(model, &x, &y), true), a * b);
                assert_eq!(less_signed(model, &x, &y) == Expression::TRUE, a < b);
                assert_eq!(equal(model, &x, &y) == Expression::TRUE, a == b);
                if b != 0 {
                    let (quotient, remainder) = divide_signed(model, &x, &y);
                    assert_eq!(number(&quotient, true), a / b, "{a} / {b}");
                    assert_eq!(number(&remainder, true), a % b, "{a} % {b}");
                }
                if a >= 0 && b > 0 {
                    let (x, y) = (constant(a, 4), constant(b, 4));
                    let (quotient, remainder) = divide_unsigned(model, &x, &y);
                    assert_eq!(number(&quotient, false), a / b);
                    assert_eq!(number(&remainder, false), a % b);
                }
            }
        }
    }
}
