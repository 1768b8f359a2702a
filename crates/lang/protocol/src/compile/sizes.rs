//! Numbers of processes as automata.

use crate::fractions::Sizes;
use crate::model::{Arithmetic, Expr, Protocol};

/// Which numbers of processes the assumptions allow: those below a threshold one by one, then a
/// pattern that repeats.
pub(super) struct Allowed {
    /// `allowed[n]` for the numbers up to the end of the first period.
    pub(super) allowed: Vec<bool>,
    /// Where the number after the last leads back to.
    pub(super) back_to: usize,
}

/// Thresholds and periods are bounded, so that automata stay small.
const MOST: i64 = 5000;

impl Protocol {
    /// The numbers that the assumptions allow; `None` if thresholds or moduli are too large.
    pub(super) fn allowed_sizes(&self) -> Option<Allowed> {
        let mut pattern = Pattern {
            threshold: 1,
            period: 1,
        };
        for assumption in &self.assumptions {
            pattern.number(assumption)?;
        }
        let Pattern { threshold, period } = pattern;
        if threshold > MOST || period > MOST {
            return None;
        }
        let is_allowed = |processes: i64| {
            let sizes = Sizes {
                processes,
                globals: &[],
            };
            let mut all = self.assumptions.iter();
            let holds = all.try_fold(true, |all, expr| Some(sizes.holds(expr)? && all));
            // A system without processes is not what anyone asks about.
            holds.map(|holds| holds && processes >= 1)
        };
        let allowed: Option<Vec<bool>> = (0..threshold + period).map(is_allowed).collect();
        Some(Allowed {
            allowed: allowed?,
            back_to: usize::try_from(threshold).ok()?,
        })
    }
}

/// From where on the truth of a condition repeats, and how soon.
///
/// What is taken modulo repeats with the least common multiple of the moduli. Of all numbers that
/// are the same modulo that, each side of a comparison is one polynomial, once the conditions in it
/// are settled; a polynomial with whole coefficients has no zero beyond one more than the largest
/// of them.
struct Pattern {
    threshold: i64,
    period: i64,
}

/// At most how large the coefficients of a polynomial are, from the constant one on, if all are
/// multiplied by a number that makes them whole.
struct Size {
    coefficients: Vec<i64>,
    times: i64,
}

impl Size {
    fn constant(number: i64) -> Size {
        Size {
            coefficients: vec![number],
            times: 1,
        }
    }

    fn scaled(&self, by: i64) -> Option<Vec<i64>> {
        let all = self.coefficients.iter();
        all.map(|one| one.checked_mul(by)).collect()
    }

    fn plus(&self, other: &Size) -> Option<Size> {
        let (mut one, mut two) = (self.scaled(other.times)?, other.scaled(self.times)?);
        let length = one.len().max(two.len());
        one.resize(length, 0);
        two.resize(length, 0);
        let sums = one.iter().zip(two);
        let sums: Option<Vec<i64>> = sums.map(|(one, two)| one.checked_add(two)).collect();
        Some(Size {
            coefficients: sums?,
            times: self.times.checked_mul(other.times)?,
        })
    }

    fn product(&self, other: &Size) -> Option<Size> {
        let length = self.coefficients.len() + other.coefficients.len() - 1;
        let mut coefficients = vec![0i64; length];
        for (low, one) in self.coefficients.iter().enumerate() {
            for (high, two) in other.coefficients.iter().enumerate() {
                let sum = &mut coefficients[low + high];
                *sum = sum.checked_add(one.checked_mul(*two)?)?;
            }
        }
        Some(Size {
            coefficients,
            times: self.times.checked_mul(other.times)?,
        })
    }
}

impl Pattern {
    /// How large a number gets; what is asked in it is settled. Nothing if it is too large.
    fn number(&mut self, expr: &Expr) -> Option<Size> {
        match expr {
            Expr::Constant(value) => Some(Size::constant(i64::from(value.unsigned_abs()))),
            Expr::Size => Some(Size {
                coefficients: vec![0, 1],
                times: 1,
            }),
            Expr::Not(inner) => self.number(inner),
            Expr::And(all) | Expr::Or(all) => {
                for part in all {
                    self.number(part)?;
                }
                Some(Size::constant(1))
            }
            Expr::Compare(_, left, right) => {
                let difference = self.number(left)?.plus(&self.number(right)?)?;
                let largest = difference.coefficients.into_iter().max().unwrap_or(0);
                self.threshold = self.threshold.max(largest.checked_add(2)?);
                Some(Size::constant(1))
            }
            Expr::If(condition, yes, no) => {
                self.number(condition)?;
                // One of them: the sum is no smaller than either.
                self.number(yes)?.plus(&self.number(no)?)
            }
            Expr::Arithmetic(arithmetic, left, right) => {
                let (one, two) = (self.number(left)?, self.number(right)?);
                match (arithmetic, &**right) {
                    (Arithmetic::Add | Arithmetic::Subtract, _) => one.plus(&two),
                    (Arithmetic::Multiply, _) => one.product(&two),
                    (Arithmetic::Divide, Expr::Constant(by)) => Some(Size {
                        times: one.times.checked_mul(i64::from(*by))?,
                        ..one
                    }),
                    (Arithmetic::Modulo, Expr::Constant(by)) => {
                        let by = i64::from(*by);
                        self.period = least_common_multiple(self.period, by);
                        Some(Size::constant(by))
                    }
                    (Arithmetic::Divide | Arithmetic::Modulo, _) => None,
                }
            }
            _ => None,
        }
    }
}

fn least_common_multiple(left: i64, right: i64) -> i64 {
    let (mut a, mut b) = (left, right);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (left / a.max(1)).saturating_mul(right)
}

#[cfg(test)]
mod tests {
    use quotient_core::Source;

    use super::*;

    fn allowed(assumption: &str, most: usize) -> Vec<bool> {
        let text = format!(
            "topology line\nassume {assumption}\nprocess {{ on : bool = false }}\n\
             step go: when not on then on := true\nproperty p: never exists p: p.on\n"
        );
        let protocol = Protocol::parse(&Source::new("n.protocol", text));
        let sizes = protocol.expect(assumption).allowed_sizes();
        let sizes = sizes.expect("small numbers");
        let mut at = 0;
        let mut all = Vec::new();
        for _ in 0..=most {
            all.push(sizes.allowed[at]);
            at += 1;
            if at == sizes.allowed.len() {
                at = sizes.back_to;
            }
        }
        all
    }

    /// What an automaton goes on with for ever is what the assumption says of each number.
    #[test]
    fn a_pattern_is_settled_where_it_repeats() {
        type Judge = fn(i64) -> bool;
        let cases: &[(&str, Judge)] = &[
            ("n / 2 > 1", |n| n > 2),
            ("not n / 2 > 1", |n| n <= 2),
            ("n / 2 > 1 or n = 1", |n| n > 2 || n == 1),
            ("2 * (n - 4) < n", |n| 2 * (n - 4) < n),
            ("n > 3 * (n - 20)", |n| n > 3 * (n - 20)),
            ("3 * (n mod 7) > n", |n| 3 * (n % 7) > n),
            ("(n mod 7) * (n mod 5) * 4 > n", |n| {
                (n % 7) * (n % 5) * 4 > n
            }),
            ("(3 * n + 1) mod 4 = 2", |n| (3 * n + 1) % 4 == 2),
            ("(if n > 9 then n else 2 * n) mod 3 = 1", |n| {
                (if n > 9 { n } else { 2 * n }) % 3 == 1
            }),
            ("n / 3 - n / 4 < 5", |n| 4 * n - 3 * n < 60),
            ("n / 3 - n / 4 >= 2 + n mod 2", |n| n >= 12 * (2 + n % 2)),
        ];
        for (assumption, judge) in cases {
            let found = allowed(assumption, 400);
            let wanted: Vec<bool> = (0..=400).map(|n| n >= 1 && judge(n)).collect();
            assert_eq!(found, wanted, "{assumption}");
        }
    }
}
