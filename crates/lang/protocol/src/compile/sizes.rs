//! Numbers of processes as automata.

use crate::model::{Arithmetic, Expr, Protocol, Value};

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
        let (mut threshold, mut period) = (1i64, 1i64);
        self.assumptions
            .iter()
            .for_each(|expr| scan(expr, &mut threshold, &mut period));
        if threshold > MOST || period > MOST {
            return None;
        }
        let end = threshold + period;
        // A system without processes is not what anyone asks about.
        let allowed = (0..end)
            .map(|n| n >= 1 && self.size_is_assumed(n as Value))
            .collect();
        Some(Allowed {
            allowed,
            back_to: threshold as usize,
        })
    }
}

/// The truth of comparisons is settled beyond the sum of all constants, and what is taken modulo
/// repeats with the least common multiple of the moduli.
fn scan(expr: &Expr, threshold: &mut i64, period: &mut i64) {
    match expr {
        Expr::Constant(value) => {
            *threshold = threshold.saturating_add(i64::from(value.unsigned_abs()))
        }
        Expr::Not(inner) => scan(inner, threshold, period),
        Expr::And(all) | Expr::Or(all) => all.iter().for_each(|part| scan(part, threshold, period)),
        Expr::Compare(_, left, right) => {
            scan(left, threshold, period);
            scan(right, threshold, period);
        }
        Expr::Arithmetic(arithmetic, left, right) => {
            if let (Arithmetic::Modulo, Expr::Constant(by)) = (arithmetic, &**right) {
                *period = least_common_multiple(*period, i64::from(*by));
            }
            scan(left, threshold, period);
            scan(right, threshold, period);
        }
        Expr::If(condition, yes, no) => {
            [condition, yes, no]
                .into_iter()
                .for_each(|part| scan(part, threshold, period));
        }
        _ => {}
    }
}

fn least_common_multiple(left: i64, right: i64) -> i64 {
    let (mut a, mut b) = (left, right);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (left / a.max(1)).saturating_mul(right)
}
