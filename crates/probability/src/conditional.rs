//! Probabilities among the runs that fulfil a condition, for decision processes.
//!
//! Runs that do not fulfil the condition begin again: then the greatest probability of ending
//! well, with beginning again as often as it takes, is the greatest conditional one (Baier, Klein,
//! Klüppelholz, Märcker 2014). Once the condition or the goal is reached, what follows is a
//! question of its own, whose answer is put in place of the rest of the run.

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use quotient_markov::{ActionId, Builder, Kind, StateId};

use crate::graph::end_components;
use crate::{Analysis, Best, Values};

impl Analysis<'_> {
    /// The best probability of reaching a goal among the runs from `start` that reach a
    /// condition, before or after; between bounds. None if no run reaches the condition.
    pub fn reaching_given(
        &self,
        start: usize,
        goal: &Bits,
        condition: &Bits,
        best: Best,
        budget: &Budget,
    ) -> Result<Option<(f64, f64)>, Stop> {
        let mut all = Bits::with_capacity(self.model.states());
        all.insert_range(..);
        let possible = self.until(&all, condition, Best::Greatest, budget)?;
        if possible.upper[start] == 0.0 {
            return Ok(None);
        }
        let after = Ahead {
            goal: self.until(&all, goal, best, budget)?,
            condition: match best {
                Best::Greatest => possible,
                Best::Least => self.until(&all, condition, best, budget)?,
            },
            best,
        };
        let (low, _) = self.with_restarts(start, (goal, condition), &after, false, budget)?;
        let (_, high) = self.with_restarts(start, (goal, condition), &after, true, budget)?;
        let high = high.min(1.0);
        Ok(Some(match best {
            Best::Greatest => (low, high),
            // What was computed is the greatest probability of the opposite.
            Best::Least => (
                (1.0 - high).next_down().max(0.0),
                (1.0 - low).next_up().min(1.0),
            ),
        }))
    }

    /// Bounds on the greatest probability of ending well, with what comes ahead from above or
    /// from below.
    fn with_restarts(
        &self,
        start: usize,
        (goal, condition): (&Bits, &Bits),
        ahead: &Ahead,
        above: bool,
        budget: &Budget,
    ) -> Result<(f64, f64), Stop> {
        let model = &*self.model;
        let states = model.states();
        let (won, lost, start) = (states as u32, states as u32 + 1, start as u32);
        let mut before = goal.clone();
        before.grow(states);
        before.union_with(condition);
        before.toggle_range(..);
        // Whoever can stay here for ever never reaches the condition: that is to begin again.
        let (part_of, _) = end_components(model, &before, |_| true, budget)?;
        let mut builder = Builder::new(Kind::Mdp);
        let one_of = |builder: &mut Builder, share: f64, yes: u32, no: u32| {
            let share = share.clamp(0.0, 1.0);
            builder.choice(ActionId::NONE);
            if share > 0.0 {
                builder.branch(yes, share);
            }
            if share < 1.0 {
                builder.branch(no, 1.0 - share);
            }
        };
        for (state, &part) in part_of.iter().enumerate() {
            budget.charge(1)?;
            let (reached, given) = (goal.contains(state), condition.contains(state));
            match (reached, given) {
                (true, true) => {
                    let to = if ahead.best == Best::Greatest {
                        won
                    } else {
                        lost
                    };
                    one_of(&mut builder, 1.0, to, to);
                }
                (false, true) => {
                    let share = ahead.share(&ahead.goal, state, above);
                    let (yes, no) = ahead.ends(won, lost);
                    one_of(&mut builder, share, yes, no);
                }
                (true, false) => {
                    let share = ahead.share(&ahead.condition, state, above);
                    let (yes, _) = ahead.ends(won, lost);
                    one_of(&mut builder, share, yes, start);
                }
                (false, false) => {
                    for choice in model.choices_of(StateId::from_index(state)) {
                        builder.choice(ActionId::NONE);
                        for branch in model.branches_of(choice) {
                            builder.branch(model.targets[branch], model.weights[branch]);
                        }
                    }
                    if part != u32::MAX {
                        one_of(&mut builder, 1.0, start, start);
                    }
                }
            }
            builder.end_state();
        }
        for end in [won, lost] {
            one_of(&mut builder, 1.0, end, end);
            builder.end_state();
        }
        // A share and what is left of it are rounded.
        builder.note_error(model.error + 1e-15);
        let built = builder.finish(vec![StateId::new(start)]);
        let mut all = Bits::with_capacity(states + 2);
        all.insert_range(..);
        let mut well = Bits::with_capacity(states + 2);
        well.insert(won as usize);
        let analysis = Analysis::new(&built, self.precision);
        let values = analysis.until(&all, &well, Best::Greatest, budget)?;
        let start = start as usize;
        Ok((values.lower[start], values.upper[start]))
    }
}

/// What follows once the goal or the condition is reached.
struct Ahead {
    goal: Values,
    condition: Values,
    best: Best,
}

impl Ahead {
    /// Where a run ends by reaching what is left, and where if it does not. To make the
    /// probability least is to make greatest that of the opposite: then reaching is losing.
    fn ends(&self, won: u32, lost: u32) -> (u32, u32) {
        match self.best {
            Best::Greatest => (won, lost),
            Best::Least => (lost, won),
        }
    }

    /// How likely that is, so that the probability of ending well is from above or below.
    fn share(&self, values: &Values, state: usize, above: bool) -> f64 {
        match above == (self.best == Best::Greatest) {
            true => values.upper[state],
            false => values.lower[state],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Precision;
    use proptest::prelude::*;
    use quotient_markov::Markov;

    const STATES: usize = 3;

    fn built(choices: &[[(u8, u8); 2]]) -> Markov {
        let mut builder = Builder::new(Kind::Mdp);
        for two in choices {
            for &(one, other) in two {
                builder.choice(0);
                match one == other {
                    true => builder.branch(u32::from(one), 1.0),
                    false => {
                        builder.branch(u32::from(one), 0.25);
                        builder.branch(u32::from(other), 0.75);
                    }
                }
            }
            builder.end_state();
        }
        builder.finish(vec![0])
    }

    /// All conditional probabilities of ways to choose that remember what was reached.
    fn all_ways(choices: &[[(u8, u8); 2]], goal: u8, condition: u8) -> Vec<f64> {
        let place = |state: usize, seen: usize| seen * STATES + state;
        let meets = |state: usize, seen: usize| {
            seen | usize::from(goal >> state & 1 == 1)
                | usize::from(condition >> state & 1 == 1) << 1
        };
        let mut found = Vec::new();
        // With both reached nothing matters any more.
        for way in 0..1u32 << (3 * STATES) {
            let mut both = vec![0.0; 4 * STATES];
            let mut given = vec![0.0; 4 * STATES];
            for _ in 0..300 {
                for seen in (0..4).rev() {
                    for (state, two) in choices.iter().enumerate() {
                        let now = meets(state, seen);
                        let at = place(state, seen);
                        if now == 3 {
                            (both[at], given[at]) = (1.0, 1.0);
                            continue;
                        }
                        let bit = way >> place(state, now) & 1;
                        let (one, other) = two[bit as usize];
                        let mean = |of: &[f64]| {
                            let share = if one == other { 0.0 } else { 0.25 };
                            share * of[place(one.into(), now)]
                                + (1.0 - share) * of[place(other.into(), now)]
                        };
                        both[at] = mean(&both);
                        given[at] = if now & 2 == 2 { 1.0 } else { mean(&given) };
                    }
                }
            }
            if given[0] > 1e-9 {
                found.push(both[0] / given[0]);
            }
        }
        found
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn the_best_of_all_ways_to_choose_lies_between_the_bounds(
            choices in prop::collection::vec(
                prop::array::uniform2((0u8..STATES as u8, 0u8..STATES as u8)), STATES),
            goal in 0u8..8,
            condition in 0u8..8,
        ) {
            let model = built(&choices);
            let analysis = Analysis::new(&model, Precision::default());
            let set = |bits: u8| {
                let mut set = Bits::with_capacity(STATES);
                (0..STATES).for_each(|state| set.set(state, bits >> state & 1 == 1));
                set
            };
            let ways = all_ways(&choices, goal, condition);
            for best in [Best::Least, Best::Greatest] {
                let budget = Budget::unlimited();
                let found = analysis
                    .reaching_given(0, &set(goal), &set(condition), best, &budget)
                    .expect("no limit");
                let Some((low, high)) = found else {
                    prop_assert!(ways.is_empty());
                    continue;
                };
                let expected = match best {
                    Best::Least => ways.iter().copied().fold(f64::INFINITY, f64::min),
                    Best::Greatest => ways.iter().copied().fold(0.0, f64::max),
                };
                prop_assert!(low <= expected + 1e-6 && expected - 1e-6 <= high,
                    "{best:?}: {expected} is not in {low}..{high}");
                prop_assert!(high - low < 1e-5, "{low} {high}");
            }
        }
    }
}
