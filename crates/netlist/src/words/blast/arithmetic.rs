//! Operators on bits.

use crate::words::Operator;
use crate::{Graph, Literal};

type Bits = Vec<Literal>;

/// An operator with one operand.
pub(super) fn unary(graph: &mut Graph, operator: Operator, word: &[Literal]) -> Bits {
    let zero = vec![Literal::FALSE; word.len()];
    match operator {
        Operator::Not => negated(word),
        Operator::Inc => sum(graph, word, &zero, Literal::TRUE).0,
        Operator::Dec => sum(graph, word, &negated(&zero), Literal::FALSE).0,
        Operator::Neg => negative(graph, word),
        Operator::Redand => vec![graph.all(word.iter().copied())],
        Operator::Redor => vec![graph.any(word.iter().copied())],
        Operator::Redxor => {
            let mut odd = Literal::FALSE;
            for &bit in word {
                odd = graph.xor(odd, bit);
            }
            vec![odd]
        }
        Operator::Slice(upper, lower) => word[lower as usize..=upper as usize].to_vec(),
        Operator::Uext(by) => extended(word, by as usize, Literal::FALSE),
        Operator::Sext(by) => extended(word, by as usize, sign(word)),
        _ => word.to_vec(),
    }
}

/// An operator with two operands.
pub(super) fn binary(
    graph: &mut Graph,
    operator: Operator,
    one: &[Literal],
    other: &[Literal],
) -> Bits {
    use Operator as O;
    match operator {
        O::And => each(graph, one, other, Graph::and),
        O::Nand => negated(&each(graph, one, other, Graph::and)),
        O::Or => each(graph, one, other, Graph::or),
        O::Nor => negated(&each(graph, one, other, Graph::or)),
        O::Xor => each(graph, one, other, Graph::xor),
        O::Xnor | O::Iff => each(graph, one, other, Graph::iff),
        O::Implies => each(graph, one, other, Graph::implies),
        O::Eq => vec![equal(graph, one, other)],
        O::Neq => vec![!equal(graph, one, other)],
        O::Ult => vec![below(graph, one, other)],
        O::Ulte => vec![!below(graph, other, one)],
        O::Ugt => vec![below(graph, other, one)],
        O::Ugte => vec![!below(graph, one, other)],
        O::Slt => vec![signed_below(graph, one, other)],
        O::Slte => vec![!signed_below(graph, other, one)],
        O::Sgt => vec![signed_below(graph, other, one)],
        O::Sgte => vec![!signed_below(graph, one, other)],
        O::Add => sum(graph, one, other, Literal::FALSE).0,
        O::Sub => difference(graph, one, other),
        O::Mul => product(graph, one, other),
        O::Udiv => divided(graph, one, other).0,
        O::Urem => divided(graph, one, other).1,
        O::Sdiv | O::Srem | O::Smod => signed_division(graph, operator, one, other),
        O::Rol | O::Ror | O::Sll | O::Srl | O::Sra => shifted(graph, operator, one, other),
        O::Concat => other.iter().chain(one).copied().collect(),
        O::Uaddo => vec![sum(graph, one, other, Literal::FALSE).1],
        O::Usubo => vec![below(graph, one, other)],
        O::Saddo | O::Ssubo | O::Sdivo | O::Smulo | O::Umulo => {
            vec![overflow(graph, operator, one, other)]
        }
        _ => one.to_vec(),
    }
}

fn negated(word: &[Literal]) -> Bits {
    word.iter().map(|&bit| !bit).collect()
}

fn sign(word: &[Literal]) -> Literal {
    word.last().copied().unwrap_or(Literal::FALSE)
}

fn extended(word: &[Literal], by: usize, fill: Literal) -> Bits {
    let mut bits = word.to_vec();
    bits.extend(std::iter::repeat_n(fill, by));
    bits
}

fn each(
    graph: &mut Graph,
    one: &[Literal],
    other: &[Literal],
    operation: fn(&mut Graph, Literal, Literal) -> Literal,
) -> Bits {
    let pairs = one.iter().zip(other);
    pairs.map(|(&a, &b)| operation(graph, a, b)).collect()
}

/// One of two words.
fn choice(graph: &mut Graph, condition: Literal, then: &[Literal], otherwise: &[Literal]) -> Bits {
    let pairs = then.iter().zip(otherwise);
    pairs
        .map(|(&yes, &no)| graph.ite(condition, yes, no))
        .collect()
}

/// The sum with a carry, and what is carried out.
fn sum(graph: &mut Graph, one: &[Literal], other: &[Literal], carry: Literal) -> (Bits, Literal) {
    let mut carry = carry;
    let mut bits = Vec::with_capacity(one.len());
    for (&a, &b) in one.iter().zip(other) {
        let half = graph.xor(a, b);
        bits.push(graph.xor(half, carry));
        let (both, through) = (graph.and(a, b), graph.and(half, carry));
        carry = graph.or(both, through);
    }
    (bits, carry)
}

fn difference(graph: &mut Graph, one: &[Literal], other: &[Literal]) -> Bits {
    sum(graph, one, &negated(other), Literal::TRUE).0
}

fn negative(graph: &mut Graph, word: &[Literal]) -> Bits {
    let zero = vec![Literal::FALSE; word.len()];
    sum(graph, &negated(word), &zero, Literal::TRUE).0
}

fn magnitude(graph: &mut Graph, word: &[Literal]) -> Bits {
    let other = negative(graph, word);
    choice(graph, sign(word), &other, word)
}

fn equal(graph: &mut Graph, one: &[Literal], other: &[Literal]) -> Literal {
    let same = each(graph, one, other, Graph::iff);
    graph.all(same)
}

/// Whether the first number is the smaller one: from the lowest bit up, the last difference
/// decides.
fn below(graph: &mut Graph, one: &[Literal], other: &[Literal]) -> Literal {
    let mut below = Literal::FALSE;
    for (&a, &b) in one.iter().zip(other) {
        let (less, not_more) = (graph.and(!a, b), graph.or(!a, b));
        let still = graph.and(not_more, below);
        below = graph.or(less, still);
    }
    below
}

fn signed_below(graph: &mut Graph, one: &[Literal], other: &[Literal]) -> Literal {
    // With the signs flipped, order is that of numbers without sign.
    let flipped = |word: &[Literal]| {
        let mut word = word.to_vec();
        if let Some(last) = word.last_mut() {
            *last = !*last;
        }
        word
    };
    below(graph, &flipped(one), &flipped(other))
}

fn product(graph: &mut Graph, one: &[Literal], other: &[Literal]) -> Bits {
    let width = one.len();
    let mut total = vec![Literal::FALSE; width];
    for (at, &bit) in other.iter().enumerate() {
        let shifted: Bits = (0..width)
            .map(|place| match place.checked_sub(at) {
                Some(from) => graph.and(one[from], bit),
                None => Literal::FALSE,
            })
            .collect();
        total = sum(graph, &total, &shifted, Literal::FALSE).0;
    }
    total
}

/// Quotient and remainder, digit by digit; by zero all bits on, and the number itself.
fn divided(graph: &mut Graph, one: &[Literal], by: &[Literal]) -> (Bits, Bits) {
    let width = one.len();
    let wide = extended(by, 1, Literal::FALSE);
    let mut rest = vec![Literal::FALSE; width + 1];
    let mut quotient = vec![Literal::FALSE; width];
    for at in (0..width).rev() {
        rest.pop();
        rest.insert(0, one[at]);
        let fits = !below(graph, &rest, &wide);
        let less = difference(graph, &rest, &wide);
        rest = choice(graph, fits, &less, &rest);
        quotient[at] = fits;
    }
    // Zero fits always and takes nothing away: the quotient is all ones and the rest the number,
    // just as the format wants it.
    rest.truncate(width);
    (quotient, rest)
}

fn signed_division(
    graph: &mut Graph,
    operator: Operator,
    one: &[Literal],
    other: &[Literal],
) -> Bits {
    let (a, b) = (magnitude(graph, one), magnitude(graph, other));
    let (quotient, rest) = divided(graph, &a, &b);
    let (minus, by_minus) = (sign(one), sign(other));
    match operator {
        Operator::Sdiv => {
            let differ = graph.xor(minus, by_minus);
            let opposite = negative(graph, &quotient);
            choice(graph, differ, &opposite, &quotient)
        }
        Operator::Srem => {
            let opposite = negative(graph, &rest);
            choice(graph, minus, &opposite, &rest)
        }
        _ => {
            // The remainder with the sign of the dividend; if that is the wrong one and it is
            // not zero, the divisor is added.
            let opposite = negative(graph, &rest);
            let plain = choice(graph, minus, &opposite, &rest);
            let moved = sum(graph, &plain, other, Literal::FALSE).0;
            let some = graph.any(rest.iter().copied());
            let differ = graph.xor(minus, by_minus);
            let wrong = graph.and(some, differ);
            choice(graph, wrong, &moved, &plain)
        }
    }
}

/// Shifts and rotations, by each bit of the amount in turn.
fn shifted(graph: &mut Graph, operator: Operator, word: &[Literal], by: &[Literal]) -> Bits {
    let width = word.len();
    let fill = match operator {
        Operator::Sra => sign(word),
        _ => Literal::FALSE,
    };
    let mut bits = word.to_vec();
    if matches!(operator, Operator::Rol | Operator::Ror) {
        // 2^place modulo the width; from a place on that is 0 if the width is a power of two.
        let mut turn = 1 % width;
        for &bit in by {
            if turn == 0 {
                break;
            }
            let turned: Bits = (0..width)
                .map(|at| match operator {
                    Operator::Rol => bits[(at + width - turn) % width],
                    _ => bits[(at + turn) % width],
                })
                .collect();
            bits = choice(graph, bit, &turned, &bits);
            turn = 2 * turn % width;
        }
        return bits;
    }
    let places = width.next_power_of_two().trailing_zeros() as usize;
    let (low, high) = by.split_at(places.min(by.len()));
    for (place, &bit) in low.iter().enumerate() {
        let shift = 1 << place;
        let moved: Bits = (0..width)
            .map(|at| match operator {
                Operator::Sll => at.checked_sub(shift).map_or(fill, |from| bits[from]),
                _ => bits.get(at + shift).copied().unwrap_or(fill),
            })
            .collect();
        bits = choice(graph, bit, &moved, &bits);
    }
    // Any other bit moves all of it away.
    let rest = graph.any(high.iter().copied());
    choice(graph, rest, &vec![fill; width], &bits)
}

/// Whether the result leaves the width.
fn overflow(graph: &mut Graph, operator: Operator, one: &[Literal], other: &[Literal]) -> Literal {
    let width = one.len();
    let (a, b) = (sign(one), sign(other));
    match operator {
        Operator::Saddo => {
            let total = sum(graph, one, other, Literal::FALSE).0;
            let (alike, changed) = (graph.iff(a, b), graph.xor(sign(&total), a));
            graph.and(alike, changed)
        }
        Operator::Ssubo => {
            let rest = difference(graph, one, other);
            let (unlike, changed) = (graph.xor(a, b), graph.xor(sign(&rest), a));
            graph.and(unlike, changed)
        }
        Operator::Sdivo => {
            let least = graph.all(one[..width - 1].iter().map(|&bit| !bit));
            let least = graph.and(least, a);
            let minus_one = graph.all(other.iter().copied());
            graph.and(least, minus_one)
        }
        Operator::Umulo => {
            let (one, other) = (
                extended(one, width, Literal::FALSE),
                extended(other, width, Literal::FALSE),
            );
            let exact = product(graph, &one, &other);
            graph.any(exact[width..].iter().copied())
        }
        _ => {
            let (one, other) = (extended(one, width, a), extended(other, width, b));
            let exact = product(graph, &one, &other);
            let kept = exact[width - 1];
            let differ: Bits = (exact[width..].iter())
                .map(|&bit| graph.xor(bit, kept))
                .collect();
            graph.any(differ)
        }
    }
}
