//! All that is ever earned.

use quotient_bits::Bits;
use quotient_core::Trouble;
use quotient_markov::{ChoiceId, Kind, Rewards, StateId};
use quotient_probability::{Best, Values};

use super::formula::Checker;
use crate::beside::{Earned, Of};
use crate::parts::Kept;
use crate::together::Wanted;

impl Checker<'_> {
    /// All that is ever earned. Where every way to choose comes to an end of earning, the greatest is
    /// what is earned until then. Otherwise it is shown from one initial state, as an objective is, unless
    /// it has no end from any of them.
    pub(super) fn total(&self, rewards: &Rewards, best: Best) -> Result<Values, Trouble> {
        let (analysis, budget) = (self.analysis, self.budget);
        if self.built.model.kind != Kind::Mdp || best == Best::Least {
            let values = analysis.reward_total(rewards, best, budget)?;
            return Ok(self.keep(values));
        }
        let idle = self.idle(rewards);
        let until = analysis.reward_until(rewards, &idle, best, budget)?;
        if until.upper.iter().all(|upper| upper.is_finite()) {
            return Ok(self.keep(until));
        }
        let values = analysis.reward_total(rewards, best, budget)?;
        let initial = &self.built.model.initial;
        let endless = |start: &StateId| values.lower[start.index()] == f64::INFINITY;
        if initial.iter().all(endless) {
            self.kept.borrow_mut().push(Kept::Endless);
            return Ok(values);
        }
        let all = &self.built.rewards;
        let number = all.iter().position(|one| std::ptr::eq(one, rewards));
        let kept = match (number, &initial[..]) {
            (Some(number), &[start]) if values.upper[start.index()].is_finite() => {
                let wanted = Wanted {
                    of: Of::Reward(Earned {
                        by: number,
                        until: None,
                        goal: None,
                    }),
                    small: false,
                    bound: None,
                };
                Kept::Several(vec![wanted], self.width)
            }
            _ => Kept::Unshown,
        };
        self.kept.borrow_mut().push(kept);
        Ok(values)
    }

    /// The states from which nothing can be earned any more.
    fn idle(&self, rewards: &Rewards) -> Bits {
        let model = &self.built.model;
        let mut all = Bits::with_capacity(self.states());
        all.insert_range(..);
        let earns = |state: &usize| {
            let of_choice = |choice: ChoiceId| {
                rewards
                    .choices
                    .get(choice.index())
                    .is_some_and(|&one| one > 0.0)
            };
            rewards.states[*state] > 0.0
                || model.choices_of(StateId::from_index(*state)).any(of_choice)
        };
        let mut earning: Bits = (0..self.states()).filter(earns).collect();
        earning.grow(self.states());
        let mut idle = self.analysis.some_path_until(&all, &earning);
        idle.toggle_range(..);
        idle
    }
}
