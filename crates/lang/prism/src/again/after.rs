//! What chances from a moment on are worth before it, if only some states may be passed until then.

use quotient_bits::Bits;
use quotient_certify::{Limited, Moment, recompute};
use quotient_core::{Budget, Rejection};
use quotient_markov::{
    ActionId, Builder, Markov, Rational, StateId, WeightId, exactly, nearest, whole,
};

use super::Numbers;
use crate::naive::Naive;

/// The numbers of all states before the moment, from those at the moment.
pub(super) fn before(
    naive: &Naive,
    later: Numbers,
    allowed: &Bits,
    at: Moment,
    least: bool,
    budget: &Budget,
) -> Result<Numbers, Rejection> {
    if at.1 <= 0.0 {
        return Ok(later);
    }
    let timed = !naive.rates.is_empty();
    let closed = closed(&naive.model, allowed)?;
    let side = |numbers: Vec<f64>, upper: bool| -> Result<Vec<f64>, Rejection> {
        let carried = |numbers: &[f64], model: &Markov, at: Moment| {
            let exact: Option<Vec<Rational>> = numbers.iter().map(|&one| exactly(one)).collect();
            let worth = exact.ok_or_else(|| Rejection::wrong("a chance is infinite"))?;
            let question = Limited::Worth { worth: &worth, at };
            let found = recompute(model, &naive.rates, &question, least, budget)?;
            Ok(if upper { found.upper } else { found.lower })
        };
        let mut numbers = numbers;
        let mut rest = at;
        if !timed {
            // The last step may lead anywhere; only before it are states passed.
            numbers = carried(&numbers, &naive.model, (1.0, 1.0))?;
            rest = (at.0 - 1.0, at.1 - 1.0);
        }
        for (state, number) in numbers.iter_mut().enumerate() {
            if !allowed.contains(state) {
                *number = 0.0;
            }
        }
        carried(&numbers, &closed, rest)
    };
    Ok((side(later.0, false)?, side(later.1, true)?))
}

/// The model in which states that may not be passed are never left.
fn closed(model: &Markov, allowed: &Bits) -> Result<Markov, Rejection> {
    let unknown = || Rejection::unreadable("the weights of the model are not known exactly");
    let mut builder = Builder::keeping_exact(model.kind);
    let mut numbers = Vec::with_capacity(model.exact.len());
    for weight in &model.exact {
        numbers.push(builder.weight(weight.clone()));
    }
    for state in 0..model.states() {
        if !allowed.contains(state) {
            builder.choice(ActionId::NONE);
            builder.branch(state as u32, 1.0);
            builder.exactly(WeightId::ONE);
            builder.end_state();
            continue;
        }
        for choice in model.choices_of(StateId::from_index(state)) {
            builder.choice(ActionId::NONE);
            for branch in model.branches_of(choice) {
                let weight = model.exact_weight(branch).ok_or_else(unknown)?;
                builder.branch(model.targets[branch], nearest(weight));
                builder.exactly(numbers[model.numbers[branch].index()]);
            }
        }
        builder.end_state();
    }
    debug_assert_eq!(model.exact.first(), Some(&whole(1)));
    Ok(builder.finish(model.initial.clone()))
}
