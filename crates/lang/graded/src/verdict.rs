//! From grades to a verdict.

use std::cmp::Ordering;

use crate::algebra::ActionLattice;
use crate::system::Question;

/// Whether a grade is as a property says. Without a bound it must be at least as good as the
/// neutral one: where that is not the greatest, `p -> p` has exactly this grade.
pub(crate) fn satisfies<A: ActionLattice>(
    algebra: &A,
    grade: &A::Grade,
    bound: Option<&(&'static str, A::Grade)>,
) -> bool {
    let Some((sign, bound)) = bound else {
        return algebra.leq(&algebra.one(), grade);
    };
    let order = algebra.compare(grade, bound);
    match *sign {
        "<=" => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        ">=" => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        "<" => order == Some(Ordering::Less),
        ">" => order == Some(Ordering::Greater),
        _ => order == Some(Ordering::Equal),
    }
}

/// Whether the states that a property asks about are as it says.
pub(crate) fn settled<G>(question: &Question<G>, fine: impl Fn(usize) -> bool) -> bool {
    match question.somewhere {
        true => question.states.iter().any(|state| fine(*state)),
        false => question.states.iter().all(|state| fine(*state)),
    }
}
