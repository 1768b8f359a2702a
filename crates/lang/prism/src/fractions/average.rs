//! Averages given as fractions, checked.
//!
//! What is asked of bounds on averages is asked here of the numbers themselves (`averages` of the
//! checker): with averages `g` and worths `h` the chosen steps have `Σ p·g = g` and
//! `earned + Σ p·h = h + g·time`, so they attain `g`; and no step does better in either.

use quotient_bits::Bits;
use quotient_core::{Budget, Rejection};
use quotient_markov::{ChoiceId, Markov, Rational, StateId, whole};

use crate::average::Asked;
use crate::instance::Instance;

/// The averages of all states as evidence gives them.
pub(super) struct Shown<'a> {
    pub(super) averages: Vec<Rational>,
    pub(super) worths: Vec<Rational>,
    pub(super) chosen: &'a [u32],
    pub(super) budget: &'a Budget,
}

impl Shown<'_> {
    pub(super) fn check(&self, instance: &Instance, asked: &Asked<'_>) -> Result<(), Rejection> {
        let model = &asked.naive.model;
        let states = model.states();
        let lengths = [self.averages.len(), self.worths.len(), self.chosen.len()];
        if lengths.iter().any(|&length| length != states) {
            let text = format!("there is not one number for each of the {states} states");
            return Err(Rejection::wrong(text));
        }
        let (times, earned) = asked.paid(instance);
        if self.goes_round(model, &times)? {
            return Err(Rejection::unreadable("steps go on without taking time"));
        }
        for state in 0..states {
            let wrong = || Rejection::wrong(format!("the average of state {state} is wrong"));
            let choices = model.choices_of(StateId::from_index(state));
            let chosen = choices.clone().nth(self.chosen[state] as usize);
            let chosen = chosen.ok_or_else(wrong)?;
            for choice in choices {
                self.budget.charge(1)?;
                let (average, ahead) = self.after(model, choice)?;
                let worth = &earned[choice.index()] + ahead;
                let owed = &self.worths[state] + &self.averages[state] * &times[choice.index()];
                let attained = average == self.averages[state] && worth == owed;
                let kept = match asked.least {
                    true => average >= self.averages[state] && worth >= owed,
                    false => average <= self.averages[state] && worth <= owed,
                };
                if !kept || choice == chosen && !attained {
                    return Err(wrong());
                }
            }
        }
        Ok(())
    }

    /// The average and the worth of the next state, on average.
    fn after(&self, model: &Markov, choice: ChoiceId) -> Result<(Rational, Rational), Rejection> {
        let (mut average, mut worth, mut all) = (whole(0), whole(0), whole(0));
        for branch in model.branches_of(choice) {
            let target = model.targets[branch].index();
            let weight = model.exact_weight(branch).ok_or_else(|| {
                Rejection::unreadable("the weights of the model are not known exactly")
            })?;
            all += weight;
            average += weight * &self.averages[target];
            worth += weight * &self.worths[target];
        }
        match all == whole(1) {
            true => Ok((average, worth)),
            false => Err(Rejection::unreadable(
                "the chances of a choice do not add up to one",
            )),
        }
    }

    /// Whether choices that take no time can go round in a circle: whether there are states from each of
    /// which such a choice leads to one of them.
    fn goes_round(&self, model: &Markov, times: &[Rational]) -> Result<bool, Rejection> {
        let mut left = Bits::with_capacity(model.states());
        left.insert_range(..);
        loop {
            self.budget.charge(left.count_ones(..) as u64 + 1)?;
            let leads = |choice: ChoiceId| {
                let targets = &model.targets[model.branches_of(choice)];
                times[choice.index()] <= whole(0)
                    && targets.iter().any(|&to| left.contains(to.index()))
            };
            let ends = |state: &usize| !model.choices_of(StateId::from_index(*state)).any(leads);
            let gone: Vec<usize> = left.ones().filter(ends).collect();
            if gone.is_empty() {
                return Ok(!left.is_clear());
            }
            gone.into_iter().for_each(|state| left.remove(state));
        }
    }
}
