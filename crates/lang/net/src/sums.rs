//! Weights of places, checked by plain sums.

use quotient_core::Rejection;

use crate::certify::{Checker, too_large};
use crate::evidence::Weights;
use crate::formula::Linear;
use crate::traps::{change, inequality, leaves};

impl Checker<'_> {
    /// Weights by place; no transition makes the weighted sum larger.
    pub(crate) fn weights(&self, proof: &Weights) -> Result<(Vec<i64>, i128), Rejection> {
        let mut weights = vec![0; self.net.places.len()];
        for (name, &weight) in &proof.weights {
            weights[self.place(name)?] = weight;
        }
        for transition in &self.net.transitions {
            if !transition.assign.is_empty() {
                return Err(Rejection::wrong("weights say nothing about transfers"));
            }
            let mut change = 0_i128;
            for &(place, number) in &transition.effect {
                let product = i128::from(weights[place]) * i128::from(number);
                change = change.checked_add(product).ok_or_else(too_large)?;
            }
            if change > 0 {
                let message = format!("`{}` makes the weighted sum larger", transition.id);
                return Err(Rejection::wrong(message));
            }
        }
        let start = self.net.start();
        let start = start.ok_or_else(|| Rejection::wrong("the net has many starts"))?;
        let mut sum = 0_i128;
        for (&weight, &tokens) in weights.iter().zip(&start) {
            let product = i128::from(weight) * i128::from(tokens);
            sum = sum.checked_add(product).ok_or_else(too_large)?;
        }
        Ok((weights, sum))
    }

    pub(crate) fn excludes(
        &self,
        alternative: &[Linear],
        proof: &Weights,
    ) -> Result<(), Rejection> {
        let (weights, start) = self.weights(proof)?;
        if alternative.len() != proof.factors.len() {
            return Err(Rejection::wrong("each inequality needs its factor"));
        }
        let mut demanded = vec![0_i128; weights.len()];
        let mut least = 0_i128;
        for (linear, &factor) in alternative.iter().zip(&proof.factors) {
            let times = |number: i64| i128::from(number).checked_mul(i128::from(factor));
            for &(place, number) in &linear.terms {
                let product = times(number).ok_or_else(too_large)?;
                let sum = demanded[place].checked_add(product);
                demanded[place] = sum.ok_or_else(too_large)?;
            }
            let product = times(linear.least).ok_or_else(too_large)?;
            least = least.checked_add(product).ok_or_else(too_large)?;
        }
        let below = weights.iter().zip(&demanded);
        if below
            .into_iter()
            .any(|(&weight, &sum)| sum > i128::from(weight))
        {
            return Err(Rejection::wrong(
                "the weights do not cover the inequalities",
            ));
        }
        match least > start {
            true => Ok(()),
            false => Err(Rejection::wrong("the weights of the start suffice for it")),
        }
    }

    /// That one of these places always has a token: one has at the start, and a transition that
    /// takes from them leaves a token in one of them.
    pub(crate) fn trap(&self, names: &[String]) -> Result<Linear, Rejection> {
        let mut places = Vec::new();
        for name in names {
            let place = self.place(name)?;
            if places.contains(&place) {
                return Err(Rejection::wrong("a trap has a place twice"));
            }
            places.push(place);
        }
        if !places.iter().any(|&place| self.net.places[place].least > 0) {
            return Err(Rejection::wrong("a trap is empty at the start"));
        }
        for one in &self.net.transitions {
            self.budget.charge(1)?;
            let takes = places.iter().any(|&place| change(one, place) < 0);
            let kept = places.iter().any(|&place| leaves(one, place));
            if !one.assign.is_empty() || takes && !kept {
                let message = format!("`{}` may empty a trap", one.id);
                return Err(Rejection::wrong(message));
            }
        }
        Ok(inequality(&places))
    }
}
