//! Numbers with fractions: proofs know nothing of them, instances have whole ones in a small unit.

use quotient_arrays::{Domain, Formula, System, Term, Value};
use quotient_core::Stop;

/// Numbers so far beyond the number of processes are still followed; counters would never end.
const FARTHEST: u64 = 64;

/// How far beyond the number of processes numbers of an instance are followed: where there are
/// fractions, which are counted in the finest of the file, one more time as far as the largest number that is named.
pub(crate) fn farthest(system: &System) -> u64 {
    let has_fractions = |one: &quotient_arrays::Variable| one.domain == Domain::Real;
    if !system.variables.iter().any(has_fractions) {
        return FARTHEST;
    }
    let mut largest = 0;
    let mut show = |term: &Term| {
        if let Term::Sum(_, constant) = term {
            largest = largest.max(constant.unsigned_abs());
        }
    };
    terms(&system.start.formula, &mut show);
    for (_, formula) in system.bad.iter().flat_map(|bad| &bad.ways) {
        terms(formula, &mut show);
    }
    for transition in &system.transitions {
        terms(&transition.guard, &mut show);
        for (condition, value) in transition.updates.iter().flat_map(|update| &update.cases) {
            terms(condition, &mut show);
            if let Value::Is(term) = value {
                show(term);
            }
        }
    }
    FARTHEST.saturating_add(largest.saturating_mul(2))
}

/// Why what a search found is no run that could be taken.
pub(crate) fn no_real_run(system: &System) -> Stop {
    let mut compared = false;
    let mut show = |term: &Term| compared |= system.is_real(term);
    for (_, formula) in system.bad.iter().flat_map(|bad| &bad.ways) {
        terms(formula, &mut show);
    }
    for transition in &system.transitions {
        terms(&transition.guard, &mut show);
    }
    Stop::inconclusive(match compared {
        true => {
            "a run was found that only holds if numbers with fractions may be anything: \
             proofs know nothing of how they compare"
        }
        false => {
            "a run was found that only holds if processes may stop at any time: \
             what is asked of all others was asked of those that were looked at"
        }
    })
}

/// Shows every term that a formula compares.
fn terms(formula: &Formula, show: &mut dyn FnMut(&Term)) {
    match formula {
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().for_each(|part| terms(part, show));
        }
        Formula::Compare(left, _, right) => {
            show(left);
            show(right);
        }
        Formula::ForallOther(body)
        | Formula::ExistsOther(body)
        | Formula::Many(body, _)
        | Formula::Few(body, _) => terms(body, show),
        Formula::Enough(_) => {}
    }
}
