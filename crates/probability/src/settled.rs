//! Why averages of decision processes are the best ones.
//!
//! What choices attain is shown by the chain that they leave: it has averages with worths of its own
//! (`longrun`). That no choice does better needs worths for which no choice does. Inside of an end
//! component those of value iteration will do. A choice that leaves one, or belongs to none, is made
//! only so many times on average, whatever is chosen; so each time it may cost more than anything
//! could earn by it: worths get the greatest expected number of such choices on top, times that
//! cost.

mod delayed;

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use quotient_markov::{ActionId, Builder, ChoiceId, Kind, Markov, Rewards, StateId};

use crate::analysis::rounding;
use crate::average::Settling;
use crate::{Analysis, Averages, Best, Values};

impl Analysis<'_> {
    /// The best average of a decision process, with choices and worths that show it; without them
    /// where bounds would be much wider.
    pub(crate) fn best_average_shown(
        &self,
        rewards: &Rewards,
        best: Best,
        budget: &Budget,
    ) -> Result<Averages, Stop> {
        let settling = self.settling(rewards, best, budget)?;
        let without = |values: Values| Averages {
            values: Values {
                chosen: Vec::new(),
                ..values
            },
            below: Vec::new(),
            above: Vec::new(),
            chosen: Vec::new(),
        };
        if settling.gains.iter().any(|gain| gain.worth.is_empty()) {
            return Ok(without(settling.values));
        }
        if !self.model.exits.is_empty() {
            let shown = self.delayed_shown(&settling, rewards, best, budget)?;
            return Ok(shown.unwrap_or_else(|| without(settling.values)));
        }
        let (chosen, _) = attaining(&settling, best);
        let (chain, of_chain) = self.left(&chosen, rewards);
        let analysis = Analysis::new(&chain, self.precision);
        let attained = analysis.average_shown(&of_chain, best, budget)?;
        let Some((bounds, worths)) = self.unbeaten(&settling, rewards, best, budget)? else {
            return Ok(without(settling.values));
        };
        if attained.below.is_empty() || !self.is_near(&attained.values, &settling.values) {
            return Ok(without(settling.values));
        }
        let values = |lower, upper| Values {
            lower,
            upper,
            chosen: Vec::new(),
        };
        Ok(match best {
            Best::Greatest => Averages {
                values: values(attained.values.lower, bounds),
                below: attained.below,
                above: worths,
                chosen,
            },
            Best::Least => Averages {
                values: values(bounds, attained.values.upper),
                below: worths,
                above: attained.above,
                chosen,
            },
        })
    }

    /// The chain that some choices leave, and what it earns.
    fn left(&self, chosen: &[ChoiceId], rewards: &Rewards) -> (Markov, Rewards) {
        let model = &*self.model;
        let mut builder = Builder::new(Kind::Dtmc);
        for &choice in chosen {
            builder.choice(ActionId::NONE);
            for branch in model.branches_of(choice) {
                builder.branch(model.targets[branch], model.weights[branch]);
            }
            builder.end_state();
        }
        builder.note_error(model.error);
        let of_choice = |choice: &ChoiceId| rewards.choices.get(choice.index()).copied();
        let earned = Rewards {
            states: rewards.states.clone(),
            choices: chosen.iter().filter_map(of_choice).collect(),
            error: rewards.error,
            ..Rewards::default()
        };
        (builder.finish(model.initial.clone()), earned)
    }

    /// Whether what choices attain is nearly what was found to be best.
    fn is_near(&self, attained: &Values, found: &Values) -> bool {
        let top = found.upper.iter().copied().fold(0.0, f64::max);
        let wide = 4.0 * self.precision.width * top;
        let low = attained.lower.iter().zip(&found.lower);
        let high = attained.upper.iter().zip(&found.upper);
        low.into_iter().all(|(one, other)| *one >= other - wide)
            && high.into_iter().all(|(one, other)| *one <= other + wide)
    }

    /// Bounds that no choice does better than, and worths that show it; nothing if they are wide.
    fn unbeaten(
        &self,
        settling: &Settling,
        rewards: &Rewards,
        best: Best,
        budget: &Budget,
    ) -> Result<Option<(Vec<f64>, Vec<f64>)>, Stop> {
        let model = &*self.model;
        let states = model.states();
        let (earned, error) = self.per_choice(rewards);
        let (mut worths, mut range) = (vec![0.0; states], 0.0f64);
        for (list, gain) in settling.members.iter().zip(&settling.gains) {
            for (&state, &worth) in list.iter().zip(&gain.worth) {
                worths[state as usize] = worth;
                range = range.max(worth);
            }
        }
        let passing = self.passing(settling, budget)?;
        if passing.iter().any(|times| !times.is_finite()) {
            return Ok(None);
        }
        let top = settling.values.upper.iter().copied().fold(0.0, f64::max);
        let most = earned.iter().copied().fold(top, f64::max);
        let cost = 1.01 * (most + range);
        let sign = match best {
            Best::Greatest => 1.0,
            Best::Least => -1.0,
        };
        for (worth, times) in worths.iter_mut().zip(&passing) {
            *worth += sign * cost * times;
        }
        let mut bounds = match best {
            Best::Greatest => settling.values.upper.clone(),
            Best::Least => settling.values.lower.clone(),
        };
        // By how much some choice still does better, as far as doubles tell.
        let mut better: f64 = 0.0;
        for state in 0..states {
            for choice in model.choices_of(StateId::from_index(state)) {
                let branches = model.branches_of(choice);
                let off = rounding(branches.len() + 4) + model.error;
                let worth = worths[state];
                let (mut change, mut size) = (0.0, 0.0f64);
                for branch in branches {
                    let other = worths[model.targets[branch].index()];
                    // What is worth the same changes nothing, however that is rounded.
                    if other != worth {
                        change += model.weights[branch] * (other - worth);
                        size = size.max(worth.abs()).max(other.abs());
                    }
                }
                let gained = earned[choice.index()] + change - bounds[state];
                let unsure = 4.0 * off * (size + bounds[state]) + error * earned[choice.index()];
                better = better.max(sign * gained + unsure);
            }
        }
        if better > self.precision.width * top.max(1e-6 * most) {
            return Ok(None);
        }
        // Rounding sums must not make a bound rise by a step.
        let little = 2e-15 * (top + better);
        for (bound, times) in bounds.iter_mut().zip(&passing) {
            *bound += sign * (better + little * times);
        }
        Ok(Some((bounds, worths)))
    }

    /// How many choices that do not stay in an end component are made from each state on average, at
    /// most.
    fn passing(&self, settling: &Settling, budget: &Budget) -> Result<Vec<f64>, Stop> {
        let model = &*self.model;
        let states = model.states();
        let mut choices = vec![0.0; model.choices()];
        for state in 0..states {
            let part = settling.part_of[state];
            for choice in model.choices_of(StateId::from_index(state)) {
                let targets = &model.targets[model.branches_of(choice)];
                let stays = part != u32::MAX
                    && targets
                        .iter()
                        .all(|&to| settling.part_of[to.index()] == part);
                choices[choice.index()] = f64::from(u8::from(!stays));
            }
        }
        let counted = Rewards {
            states: vec![0.0; states],
            choices,
            ..Rewards::default()
        };
        let found = self.total_by_choice(&counted, Best::Greatest, budget)?;
        Ok(found.upper)
    }
}

/// The choices that attain the best average: those of an end component where staying is as good as what
/// was found, else those that lead on; and the states of such components.
fn attaining(settling: &Settling, best: Best) -> (Vec<ChoiceId>, Bits) {
    let mut chosen = settling.values.chosen.clone();
    let mut staying = Bits::with_capacity(chosen.len());
    for (list, gain) in settling.members.iter().zip(&settling.gains) {
        let Some(&first) = list.first() else {
            continue;
        };
        let stays = match best {
            Best::Greatest => gain.bounds.0 >= settling.values.lower[first as usize],
            Best::Least => gain.bounds.1 <= settling.values.upper[first as usize],
        };
        if stays {
            for (&state, &choice) in list.iter().zip(&gain.chosen) {
                chosen[state as usize] = choice;
                staying.insert(state as usize);
            }
        }
    }
    (chosen, staying)
}
