//! Numbers as bits, least significant first. Operands of one width unless said otherwise.

use quotient_states::Bits;
use rustsat::types::Lit;

use super::circuit::Circuit;

pub(super) fn constant(circuit: &Circuit, number: i128, width: usize) -> Vec<Lit> {
    let bit = |at: usize| circuit.constant(number >> at.min(127) & 1 == 1);
    (0..width).map(bit).collect()
}

/// The lowest bits of a number without sign.
pub(super) fn word(circuit: &Circuit, number: Bits, width: usize) -> Vec<Lit> {
    (0..width)
        .map(|at| circuit.constant(number.bit(at)))
        .collect()
}

/// How many bits a number needs in two's complement, the sign included.
pub(super) fn width(number: i128) -> usize {
    let magnitude = if number < 0 { !number } else { number };
    129 - magnitude.leading_zeros() as usize
}

/// Cut, or padded at the top.
pub(super) fn resize(bits: &[Lit], width: usize, fill: Lit) -> Vec<Lit> {
    let mut bits = bits.to_vec();
    bits.resize(width, fill);
    bits
}

/// Cut, or padded with the highest bit.
pub(super) fn resize_signed(circuit: &Circuit, bits: &[Lit], width: usize) -> Vec<Lit> {
    let sign = bits.last().copied();
    resize(bits, width, sign.unwrap_or(circuit.constant(false)))
}

pub(super) fn add(circuit: &mut Circuit, left: &[Lit], right: &[Lit], carry: Lit) -> Vec<Lit> {
    let mut carry = carry;
    let mut sum = Vec::with_capacity(left.len());
    for (&a, &b) in left.iter().zip(right) {
        let half = circuit.xor(a, b);
        sum.push(circuit.xor(half, carry));
        carry = circuit.choose(half, carry, a);
    }
    sum
}

pub(super) fn subtract(circuit: &mut Circuit, left: &[Lit], right: &[Lit]) -> Vec<Lit> {
    let complement: Vec<Lit> = right.iter().map(|&bit| !bit).collect();
    add(circuit, left, &complement, circuit.constant(true))
}

pub(super) fn negate(circuit: &mut Circuit, bits: &[Lit]) -> Vec<Lit> {
    let zero = constant(circuit, 0, bits.len());
    subtract(circuit, &zero, bits)
}

pub(super) fn multiply(circuit: &mut Circuit, left: &[Lit], right: &[Lit]) -> Vec<Lit> {
    let width = left.len();
    let mut product = constant(circuit, 0, width);
    for (shift, &bit) in right.iter().enumerate() {
        let mut row = constant(circuit, 0, shift);
        for &a in &left[..width - shift] {
            row.push(circuit.and(a, bit));
        }
        product = add(circuit, &product, &row, circuit.constant(false));
    }
    product
}

pub(super) fn less_unsigned(circuit: &mut Circuit, left: &[Lit], right: &[Lit]) -> Lit {
    let mut less = circuit.constant(false);
    for (&a, &b) in left.iter().zip(right) {
        let differ = circuit.xor(a, b);
        less = circuit.choose(differ, b, less);
    }
    less
}

/// Flipping the signs turns the order of signed numbers into the other one.
pub(super) fn less_signed(circuit: &mut Circuit, left: &[Lit], right: &[Lit]) -> Lit {
    let flip = |bits: &[Lit]| {
        let mut bits = bits.to_vec();
        if let Some(sign) = bits.last_mut() {
            *sign = !*sign;
        }
        bits
    };
    less_unsigned(circuit, &flip(left), &flip(right))
}

pub(super) fn equal(circuit: &mut Circuit, left: &[Lit], right: &[Lit]) -> Lit {
    let mut equal = circuit.constant(true);
    for (&a, &b) in left.iter().zip(right) {
        let differ = circuit.xor(a, b);
        equal = circuit.and(equal, !differ);
    }
    equal
}

pub(super) fn choose(circuit: &mut Circuit, test: Lit, then: &[Lit], other: &[Lit]) -> Vec<Lit> {
    let pairs = then.iter().zip(other);
    pairs.map(|(&a, &b)| circuit.choose(test, a, b)).collect()
}

/// Quotient and remainder as at school, from the highest bit down; by zero they mean nothing.
pub(super) fn divide_unsigned(
    circuit: &mut Circuit,
    dividend: &[Lit],
    divisor: &[Lit],
) -> (Vec<Lit>, Vec<Lit>) {
    let width = dividend.len();
    let no = circuit.constant(false);
    // One bit more, so that the remainder can be doubled.
    let divisor = resize(divisor, width + 1, no);
    let mut remainder = vec![no; width + 1];
    let mut quotient = vec![no; width];
    for at in (0..width).rev() {
        remainder.rotate_right(1);
        remainder[0] = dividend[at];
        let fits = !less_unsigned(circuit, &remainder, &divisor);
        let rest = subtract(circuit, &remainder, &divisor);
        remainder = choose(circuit, fits, &rest, &remainder);
        quotient[at] = fits;
    }
    remainder.truncate(width);
    (quotient, remainder)
}

/// Quotient, rounded towards zero, and remainder, with the sign of the dividend. The least number
/// divided by -1 needs a bit more than there is: give operands one to spare.
pub(super) fn divide_signed(
    circuit: &mut Circuit,
    dividend: &[Lit],
    divisor: &[Lit],
) -> (Vec<Lit>, Vec<Lit>) {
    let no = circuit.constant(false);
    let sign = |bits: &[Lit]| bits.last().copied().unwrap_or(no);
    let (minus, divisor_minus) = (sign(dividend), sign(divisor));
    let dividend = negate_if(circuit, minus, dividend);
    let divisor = negate_if(circuit, divisor_minus, divisor);
    let (quotient, remainder) = divide_unsigned(circuit, &dividend, &divisor);
    let differ = circuit.xor(minus, divisor_minus);
    let quotient = negate_if(circuit, differ, &quotient);
    let remainder = negate_if(circuit, minus, &remainder);
    (quotient, remainder)
}

fn negate_if(circuit: &mut Circuit, test: Lit, bits: &[Lit]) -> Vec<Lit> {
    let negated = negate(circuit, bits);
    choose(circuit, test, &negated, bits)
}

/// The bits moved up by a number of places, or down, by one choice for each bit of the number.
/// `fill` comes in; without it the bits go round.
pub(super) fn shift(
    circuit: &mut Circuit,
    bits: &[Lit],
    amount: &[Lit],
    up: bool,
    fill: Option<Lit>,
) -> Vec<Lit> {
    let width = bits.len();
    let mut result = bits.to_vec();
    let mut turn = 1 % width.max(1);
    for (at, &chosen) in amount.iter().enumerate() {
        let mut moved = result.clone();
        match fill {
            Some(fill) => {
                let places = 1usize.checked_shl(at as u32).unwrap_or(width).min(width);
                match up {
                    true => moved.rotate_right(places),
                    false => moved.rotate_left(places),
                }
                let incoming = match up {
                    true => 0..places,
                    false => width - places..width,
                };
                moved[incoming].fill(fill);
            }
            None => match up {
                true => moved.rotate_right(turn),
                false => moved.rotate_left(turn),
            },
        }
        turn = 2 * turn % width.max(1);
        result = choose(circuit, chosen, &moved, &result);
    }
    result
}
