//! What can be computed while reading.

use crate::model::Expr;

/// Computes what is constant.
pub(super) fn fold(expr: Expr) -> Expr {
    match &expr {
        Expr::Arithmetic(arithmetic, left, right) => match (&**left, &**right) {
            (Expr::Constant(left), Expr::Constant(right)) => arithmetic
                .apply(*left, *right)
                .map_or(expr.clone(), Expr::Constant),
            _ => expr,
        },
        Expr::Compare(comparison, left, right) => match (&**left, &**right) {
            (Expr::Constant(left), Expr::Constant(right)) => {
                Expr::Constant(i32::from(comparison.holds(*left, *right)))
            }
            _ => expr,
        },
        _ => expr,
    }
}
