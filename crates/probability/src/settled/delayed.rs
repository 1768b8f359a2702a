//! The same for Markov automata, where some choices are made at once and take no time.
//!
//! Where time passes a bound leaves a little room for what is rounded. Where none passes there is no
//! such room: there the worth of a state is made from those that its choices lead to, moved by more
//! than any rounding. That takes choices without time that cannot go round in a circle.

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use quotient_markov::{ChoiceId, Choices, Rewards, StateId};

use super::attaining;
use crate::analysis::rounding;
use crate::average::Settling;
use crate::graph::NOT_CHOSEN;
use crate::{Analysis, Averages, Best, Values};

/// Bounds and worths of all states.
type Shown = (Vec<f64>, Vec<f64>);

/// What choices earn, how far that is off, and the greatest average.
struct Earned {
    by_choice: Vec<f64>,
    error: f64,
    top: f64,
    /// The most that a choice earns.
    most: f64,
    /// More than anything that one step earns, or is owed for it.
    cost: f64,
}

/// One side: whether it is from above, and the choices that must keep it, or all of them.
#[derive(Clone, Copy)]
struct Side<'a> {
    upper: bool,
    chosen: Option<&'a [ChoiceId]>,
}

impl Side<'_> {
    fn sign(&self) -> f64 {
        if self.upper { 1.0 } else { -1.0 }
    }
}

impl Analysis<'_> {
    /// Choices and worths that show the best average of a Markov automaton; nothing if bounds would be
    /// much wider.
    pub(super) fn delayed_shown(
        &self,
        settling: &Settling,
        rewards: &Rewards,
        best: Best,
        budget: &Budget,
    ) -> Result<Option<Averages>, Stop> {
        let model = &*self.model;
        let Some(quick) = self.at_once() else {
            return Ok(None);
        };
        let (chosen, staying) = attaining(settling, best);
        if chosen.contains(&NOT_CHOSEN) {
            return Ok(None);
        }
        let (by_choice, error) = self.per_choice(rewards);
        if by_choice.iter().all(|earned| *earned == 0.0) {
            // Nothing is ever earned.
            let nothing = vec![0.0; model.states()];
            return Ok(Some(Averages {
                values: Values::constant(model.states(), 0.0),
                below: nothing.clone(),
                above: nothing,
                chosen,
            }));
        }
        let worths = settling.gains.iter().flat_map(|gain| &gain.worth);
        let range = worths.fold(0.0f64, |range, worth| range.max(worth.abs()));
        let top = settling.values.upper.iter().copied().fold(0.0, f64::max);
        let most = by_choice.iter().copied().fold(0.0, f64::max);
        let slow = model.exits.iter().filter(|exit| **exit > 0.0);
        let longest = slow.fold(0.0f64, |longest, exit| longest.max(1.0 / exit));
        let earned = Earned {
            by_choice,
            error,
            top,
            most,
            cost: 1.01 * (most + 2.0 * range + top * longest) + f64::MIN_POSITIVE,
        };
        let attained = self.led_to(settling, (&chosen, &staying), best, &earned, &quick, budget)?;
        let unbeaten = self.never_beaten(settling, best, &earned, &quick, budget)?;
        let (Some(attained), Some(unbeaten)) = (attained, unbeaten) else {
            return Ok(None);
        };
        let ((lower, below), (upper, above)) = match best {
            Best::Greatest => (attained, unbeaten),
            Best::Least => (unbeaten, attained),
        };
        Ok(Some(Averages {
            values: Values {
                lower,
                upper,
                chosen: Vec::new(),
            },
            below,
            above,
            chosen,
        }))
    }

    /// What the choices attain that lead to where they stay.
    fn led_to(
        &self,
        settling: &Settling,
        (chosen, staying): (&[ChoiceId], &Bits),
        best: Best,
        earned: &Earned,
        quick: &[u32],
        budget: &Budget,
    ) -> Result<Option<Shown>, Stop> {
        let nothing = Rewards {
            states: vec![0.0; chosen.len()],
            ..Rewards::default()
        };
        let (chain, _) = self.left(chosen, &nothing);
        let clock = Rewards {
            states: vec![1.0; chosen.len()],
            ..Rewards::default()
        };
        let analysis = Analysis::new(&chain, self.precision);
        let steps = analysis.reward_until(&clock, staying, Best::Greatest, budget)?;
        let side = Side {
            upper: best == Best::Least,
            chosen: Some(chosen),
        };
        let mut worths = self.of_components(settling);
        let least = staying.ones().map(|state| side.sign() * worths[state]);
        let furthest = side.sign() * least.fold(f64::NEG_INFINITY, f64::max);
        for (state, worth) in worths.iter_mut().enumerate() {
            if !staying.contains(state) {
                *worth = furthest + side.sign() * 1.01 * earned.cost * steps.upper[state];
            }
        }
        let bounds = match best {
            Best::Greatest => settling.values.lower.clone(),
            Best::Least => settling.values.upper.clone(),
        };
        Ok(self.kept((bounds, worths), &steps.upper, side, earned, quick))
    }

    /// Bounds that no choice does better than.
    fn never_beaten(
        &self,
        settling: &Settling,
        best: Best,
        earned: &Earned,
        quick: &[u32],
        budget: &Budget,
    ) -> Result<Option<Shown>, Stop> {
        let passing = self.passing(settling, budget)?;
        let side = Side {
            upper: best == Best::Greatest,
            chosen: None,
        };
        let mut worths = self.of_components(settling);
        for (worth, times) in worths.iter_mut().zip(&passing) {
            *worth += side.sign() * earned.cost * times;
        }
        let bounds = match best {
            Best::Greatest => settling.values.upper.clone(),
            Best::Least => settling.values.lower.clone(),
        };
        Ok(self.kept((bounds, worths), &passing, side, earned, quick))
    }

    fn of_components(&self, settling: &Settling) -> Vec<f64> {
        let mut worths = vec![0.0; self.model.states()];
        for (list, gain) in settling.members.iter().zip(&settling.gains) {
            for (&state, &worth) in list.iter().zip(&gain.worth) {
                worths[state as usize] = worth;
            }
        }
        worths
    }

    /// Bounds and worths moved so that every step keeps them, whatever was rounded; nothing if that
    /// moves the bounds far. Bounds that may rise or fall by a step on the way to somewhere get a little
    /// for each of these steps.
    fn kept(
        &self,
        (mut bounds, mut worths): Shown,
        steps: &[f64],
        side: Side<'_>,
        earned: &Earned,
        quick: &[u32],
    ) -> Option<Shown> {
        let model = &*self.model;
        if steps.iter().chain(&worths).any(|one| !one.is_finite()) {
            return None;
        }
        let sign = side.sign();
        let counting = |state: usize| match side.chosen {
            Some(chosen) => Choices::only(chosen[state]),
            None => model.choices_of(StateId::from_index(state)),
        };
        // What a choice earns and leads to, less what its state is worth, and how far that is off.
        let change = |state: usize, choice: usize, worths: &[f64]| {
            let here = worths[state];
            let (mut sum, mut size) = (earned.by_choice[choice], 0.0f64);
            for branch in model.branches_of(ChoiceId::from_index(choice)) {
                let other = worths[model.targets[branch].index()];
                if other != here {
                    sum += model.weights[branch] * (other - here);
                    size = size.max(here.abs()).max(other.abs());
                }
            }
            let off =
                rounding(model.branches_of(ChoiceId::from_index(choice)).len() + 4) + model.error;
            let unsure = 8.0 * off * (size + sum.abs()) + earned.error * earned.by_choice[choice];
            (sum, unsure)
        };
        for &state in quick {
            let state = state as usize;
            // From the best of its choices on, all of them keep it.
            let mut most = f64::NEG_INFINITY;
            worths[state] = 0.0;
            for choice in counting(state) {
                let (sum, unsure) = change(state, choice.index(), &worths);
                most = most.max(sign * sum + 2.0 * unsure);
            }
            worths[state] = sign * most;
        }
        let mut better: f64 = 0.0;
        for (state, &bound) in bounds.iter().enumerate() {
            let exit = model.exits[state];
            if exit <= 0.0 {
                continue;
            }
            for choice in counting(state) {
                let (sum, unsure) = change(state, choice.index(), &worths);
                let gained = sign * (sum * exit - bound);
                better = better.max(gained + 2.0 * unsure * exit + 4e-15 * bound);
            }
        }
        if better > self.precision.width * earned.top.max(1e-6 * earned.most) {
            return None;
        }
        let little = 4e-15 * (earned.top + better);
        for (bound, times) in bounds.iter_mut().zip(steps) {
            *bound += sign * (better + little * times);
        }
        Some((bounds, worths))
    }

    /// The states in which a choice is made at once, each after those that it can lead to; nothing if
    /// some can lead back to themselves.
    fn at_once(&self) -> Option<Vec<u32>> {
        let model = &*self.model;
        let is_quick = |state: usize| model.exits[state] <= 0.0;
        let mut order = Vec::new();
        // 1 while its successors are looked at, 2 when that is done.
        let mut seen = vec![0u8; model.states()];
        for root in (0..model.states()).filter(|&state| is_quick(state)) {
            let mut waiting = vec![root];
            while let Some(&state) = waiting.last() {
                if seen[state] == 0 {
                    seen[state] = 1;
                    for branch in model.branches_from(StateId::from_index(state)) {
                        let to = model.targets[branch].index();
                        match seen[to] {
                            _ if !is_quick(to) => {}
                            0 => waiting.push(to),
                            1 => return None,
                            _ => {}
                        }
                    }
                    continue;
                }
                waiting.pop();
                if seen[state] == 1 {
                    seen[state] = 2;
                    order.push(state as u32);
                }
            }
        }
        Some(order)
    }
}
