//! Numbers between bounds, compared and put together; all rounding is outwards.

use quotient_bits::Bits;
use quotient_core::Rejection;
use quotient_markov::{Rational, above, below, exactly, whole};

use super::{Numbers, Worth};
use crate::syntax::{Join, Name};

/// Numbers joined by a comparison or by arithmetic.
pub(super) fn combined(join: Join, left: &Numbers, right: &Numbers) -> Result<Worth, Rejection> {
    let all = || (0..left.0.len()).map(|at| ((left.0[at], left.1[at]), (right.0[at], right.1[at])));
    if matches!(join, Join::Plus | Join::Minus | Join::Times | Join::Divide) {
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        for (one, other) in all() {
            let (low, high) = arithmetic(join, one, other);
            lower.push(low);
            upper.push(high);
        }
        return Ok(Worth::Number(lower, upper));
    }
    let states = left.0.len();
    let mut surely = Bits::with_capacity(states);
    let mut maybe = Bits::with_capacity(states);
    for (state, (one, other)) in all().enumerate() {
        let (sure, may) = compared(join, one, other)?;
        surely.set(state, sure);
        maybe.set(state, may);
    }
    Ok(Worth::Truth(surely, maybe))
}

/// A function that never falls where its arguments rise, of numbers between bounds: it lies between
/// what it makes of the lower ends and of the upper ones. Nothing for other functions.
pub(super) fn called(name: Name, numbers: &[Numbers]) -> Option<Worth> {
    let with: fn(f64, f64) -> f64 = match (name, numbers.len()) {
        (Name::Min, 1..) => f64::min,
        (Name::Max, 1..) => f64::max,
        (Name::Floor, 1) => |one, _| one.floor(),
        (Name::Ceil, 1) => |one, _| one.ceil(),
        (Name::Round, 1) => |one, _| one.floor() + f64::from(one - one.floor() >= 0.5),
        (Name::Pow, 2) => return power(&numbers[0], &numbers[1]),
        _ => return None,
    };
    // What is no number is no bound.
    let known = |side: &Vec<f64>| side.iter().all(|one| !one.is_nan());
    if !numbers.iter().all(|(low, high)| known(low) && known(high)) {
        return None;
    }
    let (first, rest) = numbers.split_first()?;
    let states = first.0.len();
    let fold = |of: &dyn Fn(&Numbers, usize) -> f64| -> Vec<f64> {
        let at = |state: usize| {
            let one = of(first, state);
            let begin = with(one, one);
            rest.iter()
                .fold(begin, |so_far, next| with(so_far, of(next, state)))
        };
        (0..states).map(at).collect()
    };
    Some(Worth::Number(
        fold(&|numbers, state| numbers.0[state]),
        fold(&|numbers, state| numbers.1[state]),
    ))
}

/// A number between bounds multiplied with itself; nothing if the exponent is not a small whole
/// number everywhere.
fn power(base: &Numbers, exponent: &Numbers) -> Option<Worth> {
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    for (state, (&low, &high)) in base.0.iter().zip(&base.1).enumerate() {
        let times = exponent.0[state];
        let whole = times == exponent.1[state] && times.fract() == 0.0;
        if !whole || !(0.0..=64.0).contains(&times) || low.is_nan() || high.is_nan() {
            return None;
        }
        let times = times as u32;
        let one = (0..times).fold((1.0, 1.0), |so_far, _| {
            arithmetic(Join::Times, so_far, (low, high))
        });
        lower.push(match times % 2 {
            0 => one.0.max(0.0),
            _ => one.0,
        });
        upper.push(one.1);
    }
    Some(Worth::Number(lower, upper))
}

/// Whether a number between bounds surely and perhaps compares with another as it should.
pub(super) fn compared(
    join: Join,
    (low, high): (f64, f64),
    (least, most): (f64, f64),
) -> Result<(bool, bool), Rejection> {
    if [low, high, least, most].iter().any(|one| one.is_nan()) {
        return Err(Rejection::wrong("a bound is no number"));
    }
    let same = low == high && least == most && low == least;
    let apart = high < least || most < low;
    match join {
        Join::Less => Ok((high < least, low < most)),
        Join::AtMost => Ok((high <= least, low <= most)),
        Join::Greater => Ok((low > most, high > least)),
        Join::AtLeast => Ok((low >= most, high >= least)),
        Join::Equal => Ok((same, !apart)),
        Join::Unequal => Ok((apart, !same)),
        _ => Err(super::not_for()),
    }
}

/// Arithmetic with fractions, between the extreme ends; where infinity comes in, or something is
/// divided by what may be nothing, nothing is known.
fn arithmetic(join: Join, one: (f64, f64), other: (f64, f64)) -> (f64, f64) {
    let ends = (exactly(one.0).zip(exactly(one.1))).zip(exactly(other.0).zip(exactly(other.1)));
    let nothing = (f64::NEG_INFINITY, f64::INFINITY);
    let Some(((a, b), (c, d))) = ends else {
        return nothing;
    };
    if join == Join::Divide && c <= whole(0) && whole(0) <= d {
        return nothing;
    }
    let with = |left: &Rational, right: &Rational| match join {
        Join::Plus => left + right,
        Join::Minus => left - right,
        Join::Times => left * right,
        _ => left / right,
    };
    let first = with(&a, &c);
    let (mut low, mut high) = (first.clone(), first);
    for corner in [with(&a, &d), with(&b, &c), with(&b, &d)] {
        low = low.min(corner.clone());
        high = high.max(corner);
    }
    (below(&low), above(&high))
}

/// The sum of numbers, or their average.
pub(super) fn summed(numbers: impl Iterator<Item = (f64, f64)>, average: bool) -> (f64, f64) {
    let (mut low, mut high) = (Some(whole(0)), Some(whole(0)));
    let (mut many, mut sinks) = (0, false);
    for (least, most) in numbers {
        // Only if no lower bound is below everything is an infinite one above everything.
        sinks |= least.is_nan() || least == f64::NEG_INFINITY;
        low = low.zip(exactly(least)).map(|(sum, more)| sum + more);
        high = high.zip(exactly(most)).map(|(sum, more)| sum + more);
        many += 1;
    }
    let by = whole(if average { many } else { 1 });
    let unknown = if sinks {
        f64::NEG_INFINITY
    } else {
        f64::INFINITY
    };
    (
        low.map_or(unknown, |sum| below(&(sum / &by))),
        high.map_or(f64::INFINITY, |sum| above(&(sum / &by))),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_sure_only_where_bounds_are() {
        let all = [
            Join::Less,
            Join::AtMost,
            Join::Greater,
            Join::AtLeast,
            Join::Equal,
            Join::Unequal,
        ];
        let holds = |join: Join, one: i32, other: i32| match join {
            Join::Less => one < other,
            Join::AtMost => one <= other,
            Join::Greater => one > other,
            Join::AtLeast => one >= other,
            Join::Equal => one == other,
            _ => one != other,
        };
        for bits in 0..625 {
            let (low, wide, least, more) = (bits % 5, bits / 5 % 5, bits / 25 % 5, bits / 125);
            let (high, most) = (low + wide, least + more);
            for join in all {
                let (sure, may) = compared(
                    join,
                    (f64::from(low), f64::from(high)),
                    (f64::from(least), f64::from(most)),
                )
                .expect("numbers");
                let mut pairs = (low..=high).flat_map(|a| (least..=most).map(move |b| (a, b)));
                let every = pairs.clone().all(|(a, b)| holds(join, a, b));
                let some = pairs.any(|(a, b)| holds(join, a, b));
                // Whole numbers leave gaps that doubles do not.
                assert!(!sure || every, "{join:?} {low} {high} {least} {most}");
                assert!(may || !some, "{join:?} {low} {high} {least} {most}");
            }
        }
        assert!(compared(Join::Less, (f64::NAN, 1.0), (2.0, 2.0)).is_err());
    }

    #[test]
    fn arithmetic_encloses_every_pair() {
        let ends = [-2.0, -0.1, 0.0, 0.3, 5.0];
        for join in [Join::Plus, Join::Minus, Join::Times, Join::Divide] {
            for one in [(-2.0, 0.3), (-0.1, 5.0), (0.0, 0.0), (0.3, 5.0)] {
                for other in [(-2.0, -0.1), (0.3, 5.0), (-0.1, 0.3)] {
                    let (low, high) = arithmetic(join, one, other);
                    let inside = |of: (f64, f64)| {
                        ends.into_iter()
                            .filter(move |end| of.0 <= *end && *end <= of.1)
                    };
                    for (a, b) in inside(one).flat_map(|a| inside(other).map(move |b| (a, b))) {
                        let value = match join {
                            Join::Plus => a + b,
                            Join::Minus => a - b,
                            Join::Times => a * b,
                            _ => a / b,
                        };
                        // What is divided by nothing has no value.
                        if !value.is_finite() {
                            continue;
                        }
                        let near = 1e-15 * value.abs();
                        assert!(low <= value + near && value - near <= high);
                    }
                }
            }
        }
        let unknown = (f64::NEG_INFINITY, f64::INFINITY);
        assert_eq!(
            arithmetic(Join::Plus, (0.0, f64::INFINITY), (1.0, 1.0)),
            unknown
        );
        assert_eq!(arithmetic(Join::Divide, (1.0, 1.0), (0.0, 1.0)), unknown);
    }

    #[test]
    fn powers_and_rounded_numbers_enclose_every_value() {
        let ends = [-1.5, -0.5, 0.0, 0.3, 0.49999999999999994, 0.5, 2.0];
        for (at, &low) in ends.iter().enumerate() {
            for &high in &ends[at..] {
                let base = (vec![low], vec![high]);
                let inside = || ends.into_iter().filter(|end| (low..=high).contains(end));
                for times in 0..5 {
                    let exponent = (vec![f64::from(times)], vec![f64::from(times)]);
                    let Some(Worth::Number(least, most)) =
                        called(Name::Pow, &[base.clone(), exponent])
                    else {
                        panic!("a number");
                    };
                    for value in inside().map(|one| one.powi(times)) {
                        let near = 1e-15 * value.abs();
                        assert!(least[0] <= value + near && value - near <= most[0]);
                    }
                    assert!(times % 2 == 1 || least[0] >= 0.0);
                }
                let Some(Worth::Number(least, most)) =
                    called(Name::Round, std::slice::from_ref(&base))
                else {
                    panic!("a number");
                };
                assert!(inside().all(|one| least[0] - 0.5 <= one && one < most[0] + 0.5));
            }
        }
        let halves = |one: f64| match called(Name::Round, &[(vec![one], vec![one])]) {
            Some(Worth::Number(least, most)) => (least[0], most[0]),
            _ => panic!("a number"),
        };
        assert_eq!(halves(0.5), (1.0, 1.0));
        assert_eq!(halves(-0.5), (0.0, 0.0));
        assert_eq!(halves(0.49999999999999994), (0.0, 0.0));
        let half = (vec![0.5], vec![0.5]);
        assert!(called(Name::Pow, &[half.clone(), half.clone()]).is_none());
        let unclear = (vec![1.0], vec![2.0]);
        assert!(called(Name::Pow, &[half, unclear]).is_none());
    }

    #[test]
    fn sums_are_rounded_once() {
        let tenths = || std::iter::repeat_n((0.1, 0.1), 10);
        let (low, high) = summed(tenths(), false);
        assert!(low <= high && high <= low.next_up() && (low - 1.0).abs() < 1e-15);
        let (low, high) = summed(tenths(), true);
        assert_eq!((low, high), (0.1, 0.1));
        let infinite = f64::INFINITY;
        let mixed = [(-infinite, 1.0), (infinite, infinite)];
        assert_eq!(summed(mixed.into_iter(), false), (-infinite, infinite));
        assert_eq!(
            summed([(1.0, f64::INFINITY)].into_iter(), false),
            (1.0, f64::INFINITY)
        );
    }
}
