//! What is earned until a path formula is fulfilled.

use quotient_bits::Bits;
use quotient_core::Trouble;
use quotient_markov::{Kind, Rewards, StateId};
use quotient_probability::{Analysis, Best, Precision, Values};

use super::formula::Checker;
use crate::evidence;
use crate::linear::{prefixed, spoken};
use crate::parts::{Kept, in_order};
use crate::syntax::Tree;
use crate::together::unbuilt;

/// Products with more states are not built.
const MOST: usize = 5_000_000;

impl Checker<'_> {
    /// What is earned until a finite beginning of a run fulfils a path formula.
    pub(super) fn earned_until(
        &self,
        rewards: &Rewards,
        path: &Tree,
        best: Best,
    ) -> Result<Values, Trouble> {
        let refused = |message: &str| self.error("not-supported", message, path.span);
        if self.instance.time.is_some() || self.instance.markovian {
            return Err(refused(
                "with clocks or delays rewards are for `F`, `C<=`, `C`, `I=` and `S`",
            ));
        }
        let said = spoken(path, self.instance, self.source);
        let said = said.ok_or_else(|| refused("such a bound cannot be checked with rewards"))?;
        let (order, model) = evidence::jumps_in_order(self.built);
        let mut conditions: Vec<Bits> = Vec::new();
        for condition in &said.conditions {
            conditions.push(in_order(&self.set(condition)?, &order));
        }
        let found = prefixed(&model, &said.formula, &conditions, MOST, self.budget);
        let found = found.map_err(unbuilt)?;
        let found = found.ok_or_else(|| {
            refused("a reward is earned until something has happened (co-safe: `X`, `F` and `U`, not `G`)")
        })?;
        let earned = self.by_choice(rewards, &order);
        let product = &found.product;
        let rewards = Rewards {
            states: vec![0.0; product.model.states()],
            choices: found.earned(&earned, &0.0),
            // Sums and quotients are rounded.
            error: 2.0 * rewards.error + self.built.model.error + 1e-13,
            ..Rewards::default()
        };
        let analysis = Analysis::new(&product.model, Precision { width: self.width });
        let values = analysis.reward_until(&rewards, &product.goal, best, self.budget)?;
        let mut told = Values::constant(self.states(), 0.0);
        for (&state, &first) in order.iter().zip(&product.first) {
            told.lower[state as usize] = values.lower[first as usize];
            told.upper[state as usize] = values.upper[first as usize];
        }
        if product.model.states() <= evidence::MOST_STATES {
            let written = evidence::written_in_order(&product.model, &values);
            self.kept.borrow_mut().push(Kept::Prefix(written));
        }
        Ok(told)
    }

    /// What each choice earns on average, of states in some order.
    fn by_choice(&self, rewards: &Rewards, order: &[u32]) -> Vec<f64> {
        let model = &self.built.model;
        let mut earned = Vec::with_capacity(model.choices());
        for &state in order {
            for choice in model.choices_of(StateId::new(state)) {
                let by_itself = rewards.choices.get(choice.index()).copied().unwrap_or(0.0);
                let sum = rewards.states[state as usize] + by_itself;
                earned.push(match model.kind {
                    Kind::Ctmc => sum / model.sum(choice),
                    _ => sum,
                });
            }
        }
        earned
    }
}
