//! Formulas of time along runs, made at random and worked out naively.

use quotient_logic::{Binary, Formula, Kind, Unary};
use quotient_trial::arbitrary::{Result as Made, Unstructured};

/// How many atoms the formulas are about.
pub(crate) const ATOMS: u32 = 3;

/// A formula over the atoms.
pub(crate) fn formula(u: &mut Unstructured<'_>, depth: usize) -> Made<Formula<u32>> {
    if depth == 0 {
        return Ok(Formula::atom(u.int_in_range(0..=ATOMS - 1)?));
    }
    let unary =
        |u: &mut Unstructured<'_>, operator| Ok(Formula::unary(operator, formula(u, depth - 1)?));
    let binary = |u: &mut Unstructured<'_>, operator| {
        let left = formula(u, depth - 1)?;
        Ok(Formula::binary(operator, left, formula(u, depth - 1)?))
    };
    match u.int_in_range(0..=10)? {
        0 => formula(u, 0),
        1 => unary(u, Unary::Not),
        2 => unary(u, Unary::Next),
        3 => unary(u, Unary::Finally(None)),
        4 => unary(u, Unary::Globally(None)),
        5 => binary(u, Binary::And),
        6 => binary(u, Binary::Or),
        7 => binary(u, Binary::Implies),
        8 => binary(u, Binary::Release),
        9 => binary(u, Binary::WeakUntil),
        _ => binary(u, Binary::Until(None)),
    }
}

/// The values of a formula at the positions of a run that goes back from its last one.
pub(crate) fn along(formula: &Formula<u32>, run: &[u64], back: usize) -> Vec<bool> {
    let next = |at: usize| if at + 1 < run.len() { at + 1 } else { back };
    // Enough rounds to settle every fixpoint.
    let fixpoint = |start: bool, step: &dyn Fn(usize, bool) -> bool| {
        let mut values = vec![start; run.len()];
        for _ in 0..2 * run.len() + 2 {
            for at in (0..run.len()).rev() {
                values[at] = step(at, values[next(at)]);
            }
        }
        values
    };
    match &formula.kind {
        Kind::Constant(value) => vec![*value; run.len()],
        Kind::Atom(atom) => run.iter().map(|atoms| atoms >> atom & 1 == 1).collect(),
        Kind::Unary(operator, inner) => {
            let inner = along(inner, run, back);
            match operator {
                Unary::Not => inner.iter().map(|value| !value).collect(),
                Unary::Next => (0..run.len()).map(|at| inner[next(at)]).collect(),
                Unary::Finally(_) => fixpoint(false, &|at, later| inner[at] || later),
                Unary::Globally(_) => fixpoint(true, &|at, later| inner[at] && later),
                _ => panic!("not linear"),
            }
        }
        Kind::Binary(operator, left, right) => {
            let (left, right) = (along(left, run, back), along(right, run, back));
            let each = |of: &dyn Fn(bool, bool) -> bool| {
                (0..run.len()).map(|at| of(left[at], right[at])).collect()
            };
            match operator {
                Binary::And => each(&|a, b| a && b),
                Binary::Or => each(&|a, b| a || b),
                Binary::Implies => each(&|a, b| !a || b),
                Binary::Until(_) => fixpoint(false, &|at, later| right[at] || left[at] && later),
                Binary::Release => fixpoint(true, &|at, later| right[at] && (left[at] || later)),
                Binary::WeakUntil => fixpoint(true, &|at, later| right[at] || left[at] && later),
                _ => panic!("not linear"),
            }
        }
        Kind::Placeholder(_) => panic!("not linear"),
    }
}
