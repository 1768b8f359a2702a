//! Averages in the long run, checked with exact numbers.
//!
//! The evidence gives for every state of a chain a lower and an upper bound on what is earned per
//! unit of time from there, and what the state is worth relative to others. Lower bounds `g` hold
//! with worths `h` if in every state, with fractions and no rounding,
//!
//! * `Σ p·g ≥ g`: on average the bound of the next state is not less, and
//! * `earned + Σ p·h ≥ h + g·time`: what is earned until the next step, and the change of worth,
//!   make up for the bound.
//!
//! Summed up along runs until some late time, the changes of worth come to no more than a constant,
//! and bounds never fall on average: so the average is not less than `g` (Puterman 1994, section
//! 9.1, for chains). Upper bounds turn all of this round. That a state is visited again, or that
//! the chain is in one piece, need not be shown.

use quotient_core::{Budget, Rejection};
use quotient_markov::{Markov, Rational, exactly, whole};

/// Bounds for every state, and worths that show them.
#[derive(Debug, Clone, PartialEq)]
pub struct Averages {
    /// Not less than this in the long run.
    pub lower: Vec<f64>,
    /// Not more than this.
    pub upper: Vec<f64>,
    /// What states are worth, for lower bounds.
    pub below: Vec<f64>,
    /// What states are worth, for upper bounds.
    pub above: Vec<f64>,
}

/// Checks bounds on averages of a chain whose weights are probabilities, kept exactly; `earned`
/// and `times` tell what is earned in each state until it is left, and how long that takes.
pub fn certify_averages(
    model: &Markov,
    earned: &[Rational],
    times: &[Rational],
    averages: &Averages,
    budget: &Budget,
) -> Result<(), Rejection> {
    let states = model.states();
    if model.choices() != states || earned.len() != states || times.len() != states {
        return Err(Rejection::unreadable("such evidence is for chains"));
    }
    let vectors = [
        &averages.lower,
        &averages.upper,
        &averages.below,
        &averages.above,
    ];
    if vectors.iter().any(|vector| vector.len() != states) {
        return Err(Rejection::wrong(format!(
            "the evidence is not about the {states} states of the model"
        )));
    }
    if times.iter().any(|time| *time <= whole(0)) {
        return Err(Rejection::unreadable("a state takes no time"));
    }
    let sides = [
        (&averages.lower, &averages.below, true),
        (&averages.upper, &averages.above, false),
    ];
    for (bounds, worths, is_lower) in sides {
        let (bounds, worths) = (numbers(bounds)?, numbers(worths)?);
        for state in 0..states {
            budget.charge(1)?;
            let (mut bound, mut worth) = (whole(0), earned[state].clone());
            let mut all = whole(0);
            for branch in model.branches_from(state) {
                let target = model.targets[branch] as usize;
                let weight = model.exact_weight(branch).ok_or_else(|| {
                    Rejection::unreadable("the weights of the model are not known exactly")
                })?;
                all += weight;
                bound += weight * &bounds[target];
                worth += weight * &worths[target];
            }
            if all != whole(1) {
                let text = format!("the chances of state {state} do not add up to one");
                return Err(Rejection::unreadable(text));
            }
            let owed = &worths[state] + &bounds[state] * &times[state];
            let kept = match is_lower {
                true => bound >= bounds[state] && worth >= owed,
                false => bound <= bounds[state] && worth <= owed,
            };
            if !kept {
                let name = if is_lower { "lower" } else { "upper" };
                return Err(Rejection::wrong(format!(
                    "the {name} bound of state {state} is not kept by a step"
                )));
            }
        }
    }
    Ok(())
}

/// The numbers exactly; none is infinite.
fn numbers(all: &[f64]) -> Result<Vec<Rational>, Rejection> {
    let each = all.iter().map(|&one| exactly(one));
    let all: Option<Vec<Rational>> = each.collect();
    all.ok_or_else(|| Rejection::wrong("a bound or a worth is no finite number"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quotient_markov::{Builder, Kind};

    /// Two states, left with chances of one half and one quarter: the first holds one third of
    /// the time, the second two thirds.
    fn chain() -> Markov {
        let mut builder = Builder::keeping_exact(Kind::Dtmc);
        let quarter = |of: i64| Rational::new(of.into(), 4.into());
        for row in [[2, 2], [1, 3]] {
            builder.choice(0);
            for (target, of) in row.into_iter().enumerate() {
                builder.branch(target as u32, of as f64 / 4.0);
                let number = builder.weight(quarter(of));
                builder.exactly(number);
            }
            builder.end_state();
        }
        builder.finish(vec![0])
    }

    fn check(lower: f64, upper: f64, worth: [f64; 2]) -> Result<(), Rejection> {
        let averages = Averages {
            lower: vec![lower; 2],
            upper: vec![upper; 2],
            below: worth.to_vec(),
            above: worth.to_vec(),
        };
        let earned = [whole(0), whole(3)];
        let times = [whole(1), whole(1)];
        certify_averages(&chain(), &earned, &times, &averages, &Budget::unlimited())
    }

    #[test]
    fn true_bounds_are_accepted_and_others_are_not() {
        // The average is 2; the second state is worth 4 more than the first.
        check(2.0, 2.0, [0.0, 4.0]).expect("true");
        check(1.75, 2.25, [0.0, 4.0]).expect("true");
        check(1.5, 2.5, [1.0, 4.5]).expect("true, with worths that are not quite right");
        assert!(check(2.125, 2.5, [0.0, 4.0]).is_err());
        assert!(check(1.5, 1.875, [0.0, 4.0]).is_err());
        assert!(check(2.0, 2.0, [0.0, 3.5]).is_err());
        assert!(check(f64::NAN, 2.0, [0.0, 4.0]).is_err());
        assert!(check(2.0, f64::INFINITY, [0.0, 4.0]).is_err());
        assert!(check(2.0, 2.0, [0.0, f64::INFINITY]).is_err());
    }

    #[test]
    fn bounds_that_rise_by_themselves_are_refused() {
        let averages = Averages {
            lower: vec![1.0, 3.0],
            upper: vec![3.0; 2],
            below: vec![0.0, 100.0],
            above: vec![0.0, 4.0],
        };
        let earned = [whole(0), whole(3)];
        let times = [whole(1), whole(1)];
        let budget = Budget::unlimited();
        assert!(certify_averages(&chain(), &earned, &times, &averages, &budget).is_err());
        let short = Averages {
            lower: vec![1.0],
            ..averages
        };
        assert!(certify_averages(&chain(), &earned, &times, &short, &budget).is_err());
    }
}
