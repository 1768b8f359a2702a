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
//! 9.1). Upper bounds turn all of this round. That a state is visited again, or that the chain is in
//! one piece, need not be shown.
//!
//! Steps may take no time, where a choice is made at once, but then time passes after finitely many of
//! them: choices without time must not go round in a circle.
//!
//! In a decision process, where the greatest average is asked for, upper bounds must be kept by every
//! choice of every state: then the sums come out like that whatever is chosen, also by chance or by
//! what happened before. Lower bounds must be kept by one choice of each state, which the evidence
//! names: always to take these is a strategy that attains them. For the least average it is the other
//! way round.

use quotient_core::{Budget, Rejection};
use quotient_markov::{ChoiceId, Choices, Markov, Rational, StateId, exactly, whole};

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
    /// The choice of each state that attains what is asked for, counted from its first one; empty
    /// for chains.
    pub chosen: Vec<u32>,
}

/// Checks bounds on averages of a model whose weights are probabilities, kept exactly; `earned`
/// and `times` tell what each choice earns until the next step, and how long that takes. Of a
/// decision process the averages are the least ones or the greatest ones.
pub fn certify_averages(
    model: &Markov,
    earned: &[Rational],
    times: &[Rational],
    averages: &Averages,
    least: bool,
    budget: &Budget,
) -> Result<(), Rejection> {
    let (states, choices) = (model.states(), model.choices());
    if earned.len() != choices || times.len() != choices {
        return Err(Rejection::unreadable(
            "not every choice earns something and takes time",
        ));
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
    if times.iter().any(|time| *time < whole(0)) || goes_round(model, times) {
        return Err(Rejection::unreadable("steps go on without taking time"));
    }
    let chosen = chosen(model, averages)?;
    let sides = [
        (&averages.lower, &averages.below, true),
        (&averages.upper, &averages.above, false),
    ];
    for (bounds, worths, is_lower) in sides {
        let (bounds, worths) = (numbers(bounds)?, numbers(worths)?);
        for state in 0..states {
            // What no choice may do better, or what one choice attains.
            let counts = match is_lower == least {
                true => model.choices_of(StateId::from_index(state)),
                false => Choices::only(chosen[state]),
            };
            for choice in counts {
                budget.charge(1)?;
                let (bound, ahead) = after(model, choice, (&bounds, &worths))?;
                let worth = &earned[choice.index()] + ahead;
                let owed = &worths[state] + &bounds[state] * &times[choice.index()];
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
    }
    Ok(())
}

/// Whether choices that take no time can go round in a circle.
fn goes_round(model: &Markov, times: &[Rational]) -> bool {
    let targets = |state: usize| {
        let choices = model.choices_of(StateId::from_index(state));
        let quick = choices.filter(|&choice| times[choice.index()] <= whole(0));
        quick.flat_map(|choice| {
            model
                .branches_of(choice)
                .map(|at| model.targets[at].index())
        })
    };
    // 1 while its successors are looked at, 2 when that is done.
    let mut seen = vec![0u8; model.states()];
    for root in 0..model.states() {
        let mut waiting = vec![root];
        while let Some(&state) = waiting.last() {
            if seen[state] != 0 {
                waiting.pop();
                seen[state] = 2;
                continue;
            }
            seen[state] = 1;
            for to in targets(state) {
                match seen[to] {
                    0 => waiting.push(to),
                    1 => return true,
                    _ => {}
                }
            }
        }
    }
    false
}

/// The choice of each state that the evidence names; of chains the only one.
fn chosen(model: &Markov, averages: &Averages) -> Result<Vec<ChoiceId>, Rejection> {
    let (states, named) = (model.states(), &averages.chosen);
    let none = named.is_empty() && model.choices() == states;
    if !none && named.len() != states {
        return Err(Rejection::wrong(format!(
            "the evidence does not name a choice for each of {states} states"
        )));
    }
    let choice = |state: usize| {
        let number = named.get(state).copied().unwrap_or(0) as usize;
        let mut choices = model.choices_of(StateId::from_index(state));
        choices
            .nth(number)
            .ok_or_else(|| Rejection::wrong(format!("state {state} has no choice {number}")))
    };
    (0..states).map(choice).collect()
}

/// The bound and the worth of the next state, on average.
fn after(
    model: &Markov,
    choice: ChoiceId,
    (bounds, worths): (&[Rational], &[Rational]),
) -> Result<(Rational, Rational), Rejection> {
    let (mut bound, mut worth, mut all) = (whole(0), whole(0), whole(0));
    for branch in model.branches_of(choice) {
        let target = model.targets[branch].index();
        let weight = model.exact_weight(branch).ok_or_else(|| {
            Rejection::unreadable("the weights of the model are not known exactly")
        })?;
        all += weight;
        bound += weight * &bounds[target];
        worth += weight * &worths[target];
    }
    match all == whole(1) {
        true => Ok((bound, worth)),
        false => Err(Rejection::unreadable(format!(
            "the chances of choice {choice} do not add up to one"
        ))),
    }
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
        let quarter = |of: i64| Rational::new(of, 4);
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
            chosen: Vec::new(),
        };
        let earned = [whole(0), whole(3)];
        let times = [whole(1), whole(1)];
        let budget = Budget::unlimited();
        certify_averages(&chain(), &earned, &times, &averages, false, &budget)
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
            chosen: Vec::new(),
        };
        let earned = [whole(0), whole(3)];
        let times = [whole(1), whole(1)];
        let budget = Budget::unlimited();
        assert!(certify_averages(&chain(), &earned, &times, &averages, false, &budget).is_err());
        let short = Averages {
            lower: vec![1.0],
            ..averages
        };
        assert!(certify_averages(&chain(), &earned, &times, &short, false, &budget).is_err());
    }

    /// One state that may earn one or three, again and again.
    fn choice(bounds: (f64, f64), chosen: Vec<u32>, least: bool) -> Result<(), Rejection> {
        let mut builder = Builder::keeping_exact(Kind::Mdp);
        for _ in 0..2 {
            builder.choice(0);
            builder.branch(0, 1.0);
            builder.exactly(quotient_markov::WeightId::ONE);
        }
        builder.end_state();
        let model = builder.finish(vec![0]);
        let averages = Averages {
            lower: vec![bounds.0],
            upper: vec![bounds.1],
            below: vec![0.0],
            above: vec![0.0],
            chosen,
        };
        let (earned, times) = ([whole(1), whole(3)], [whole(1), whole(1)]);
        let budget = Budget::unlimited();
        certify_averages(&model, &earned, &times, &averages, least, &budget)
    }

    #[test]
    fn one_choice_attains_and_all_are_bounded() {
        choice((3.0, 3.0), vec![1], false).expect("the greatest");
        choice((1.0, 1.0), vec![0], true).expect("the least");
        // The other choice attains less, or more.
        assert!(choice((3.0, 3.0), vec![0], false).is_err());
        assert!(choice((1.0, 1.0), vec![1], true).is_err());
        // Some choice does better than the bound.
        assert!(choice((1.0, 2.0), vec![0], false).is_err());
        assert!(choice((2.0, 3.0), vec![1], true).is_err());
        // What is named must be there, for each state.
        assert!(choice((3.0, 3.0), vec![2], false).is_err());
        assert!(choice((3.0, 3.0), Vec::new(), false).is_err());
        assert!(choice((3.0, 3.0), vec![1, 1], false).is_err());
    }
}
