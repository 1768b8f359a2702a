//! Bounds on probabilities and expected rewards, checked with exact numbers.
//!
//! The evidence gives for every state a lower and an upper bound, and for decision processes a
//! choice. What is shown, with fractions and no rounding:
//!
//! * An upper bound on a probability holds because no step can exceed it (`u ≥ Σ p·u` for every
//!   choice that counts, `u ≥ 1` at the goal): the probability is the least solution of these
//!   inequations (Park).
//! * A lower bound on a probability holds because a step keeps it (`l ≤ Σ p·l`), and because no
//!   run can stay for ever among states with a positive bound without reaching the goal.
//! * An upper bound on an expected reward holds because no step can exceed it, and because the
//!   goal is surely reached from wherever the bound is finite.
//! * A lower bound on an expected reward holds because a step keeps it; infinity is a bound where
//!   the goal is not surely reached, which is found out here once more.
//!
//! The choices that count are all of them, or the ones in the evidence: those that show that the
//! least is not greater, or the greatest not less, than claimed.

use quotient_bits::Bits;
use quotient_core::{Budget, Rejection};
use quotient_markov::{ChoiceId, Choices, Markov, Rational, StateId, exactly, whole};

/// What the numbers are.
#[derive(Debug, Clone)]
pub enum Chances<'a> {
    /// The probability of reaching a goal through allowed states.
    Reaching {
        /// States that may be passed.
        allowed: &'a Bits,
        /// The goal.
        goal: &'a Bits,
    },
    /// The expected reward until a goal is reached.
    Earning {
        /// What each choice earns, in its state and by itself.
        earned: &'a [Rational],
        /// The goal.
        goal: &'a Bits,
    },
}

/// Bounds for every state.
#[derive(Debug, Clone, PartialEq)]
pub struct Bounds {
    /// Not less than this.
    pub lower: Vec<f64>,
    /// Not more than this.
    pub upper: Vec<f64>,
    /// A choice of each state, counted from its first; empty for chains.
    pub chosen: Vec<u32>,
}

/// Checks that bounds hold in every state of a model whose weights are probabilities, kept
/// exactly. `least` says that the least over all choices is meant, else the greatest.
pub fn certify_bounds(
    model: &Markov,
    chances: &Chances<'_>,
    least: bool,
    bounds: &Bounds,
    budget: &Budget,
) -> Result<(), Rejection> {
    let states = model.states();
    let chains = model.choices() == states;
    if bounds.lower.len() != states || bounds.upper.len() != states {
        return Err(Rejection::wrong(format!(
            "the evidence is about {} states, the model has {states}",
            bounds.lower.len()
        )));
    }
    if !chains && bounds.chosen.len() != states {
        return Err(Rejection::wrong(
            "the evidence names no choice for each state",
        ));
    }
    let mut chosen = Vec::with_capacity(states);
    for state in 0..states {
        let mut choices = model.choices_of(StateId::from_index(state));
        let number = bounds.chosen.get(state).copied().unwrap_or(0) as usize;
        let choice = choices.nth(number);
        let choice = choice
            .ok_or_else(|| Rejection::wrong(format!("state {state} has no choice {number}")))?;
        chosen.push(choice);
    }
    let check = Check {
        model,
        bounds,
        chosen,
        least,
        budget,
    };
    let all = bounds.lower.iter().zip(&bounds.upper);
    for (state, (low, high)) in all.enumerate() {
        // `NaN` is refused by this, too.
        if !(*low >= 0.0 && *high >= *low) {
            return Err(Rejection::wrong(format!(
                "the bounds of state {state} are no bounds"
            )));
        }
    }
    match chances {
        Chances::Reaching { allowed, goal } => check.reaching(allowed, goal),
        Chances::Earning { earned, goal } => check.earning(earned, goal),
    }
}

struct Check<'a> {
    model: &'a Markov,
    bounds: &'a Bounds,
    chosen: Vec<ChoiceId>,
    least: bool,
    budget: &'a Budget,
}

/// Which of the two bounds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Lower,
    Upper,
}

impl Check<'_> {
    fn bound(&self, side: Side, state: usize) -> f64 {
        match side {
            Side::Lower => self.bounds.lower[state],
            Side::Upper => self.bounds.upper[state],
        }
    }

    /// The choices that must keep a bound: the least is not less only if all are not, and not
    /// greater if one is not.
    fn counting(&self, side: Side, state: usize) -> Choices {
        let all = (side == Side::Lower) == self.least;
        match all {
            true => self.model.choices_of(StateId::from_index(state)),
            false => Choices::only(self.chosen[state]),
        }
    }

    /// `Σ p · bound` of a choice; none if a bound is infinite.
    fn average(&self, side: Side, choice: ChoiceId) -> Result<Option<Rational>, Rejection> {
        let mut sum = whole(0);
        for branch in self.model.branches_of(choice) {
            let target = self.model.targets[branch].index();
            let Some(bound) = exactly(self.bound(side, target)) else {
                return Ok(None);
            };
            let weight = self.model.exact_weight(branch).ok_or_else(|| {
                Rejection::unreadable("the weights of the model are not known exactly")
            })?;
            sum += weight * bound;
        }
        Ok(Some(sum))
    }

    fn broken(&self, side: Side, state: usize) -> Rejection {
        let name = match side {
            Side::Lower => "lower",
            Side::Upper => "upper",
        };
        Rejection::wrong(format!(
            "the {name} bound of state {state} is not kept by a step"
        ))
    }

    fn reaching(&self, allowed: &Bits, goal: &Bits) -> Result<(), Rejection> {
        for state in 0..self.model.states() {
            self.budget.charge(1)?;
            let (low, high) = (
                self.bound(Side::Lower, state),
                self.bound(Side::Upper, state),
            );
            // A probability is a number up to one; a bound beyond that is no bound, and infinity
            // cannot be compared.
            if low > 1.0 || high.is_infinite() {
                return Err(Rejection::wrong(format!(
                    "the bounds of state {state} are no probabilities"
                )));
            }
            if goal.contains(state) {
                if high < 1.0 {
                    return Err(self.broken(Side::Upper, state));
                }
                continue;
            }
            if !allowed.contains(state) {
                if low > 0.0 {
                    return Err(self.broken(Side::Lower, state));
                }
                continue;
            }
            if high < 1.0 {
                let bound = exactly(high);
                for choice in self.counting(Side::Upper, state) {
                    // No bound beyond one is needed, so a greater one proves nothing less.
                    let sum = self.average(Side::Upper, choice)?;
                    if sum.is_none() || sum > bound {
                        return Err(self.broken(Side::Upper, state));
                    }
                }
            }
            if low > 0.0 {
                let bound = exactly(low);
                for choice in self.counting(Side::Lower, state) {
                    let sum = self.average(Side::Lower, choice)?;
                    if sum.is_none() || sum < bound {
                        return Err(self.broken(Side::Lower, state));
                    }
                }
            }
        }
        let mut positive = Bits::with_capacity(self.model.states());
        for state in 0..self.model.states() {
            let open = self.bound(Side::Lower, state) > 0.0 && !goal.contains(state);
            positive.set(state, open);
        }
        match self.can_stay(Side::Lower, &positive)? {
            Some(state) => Err(Rejection::wrong(format!(
                "from state {state} a run can stay among states with a positive lower bound for \
                 ever without reaching the goal"
            ))),
            None => Ok(()),
        }
    }

    fn earning(&self, earned: &[Rational], goal: &Bits) -> Result<(), Rejection> {
        if earned.len() != self.model.choices() {
            return Err(Rejection::unreadable("not every choice says what it earns"));
        }
        let sure = self.surely(goal)?;
        for state in 0..self.model.states() {
            self.budget.charge(1)?;
            let (low, high) = (
                self.bound(Side::Lower, state),
                self.bound(Side::Upper, state),
            );
            if goal.contains(state) {
                if low > 0.0 {
                    return Err(self.broken(Side::Lower, state));
                }
                continue;
            }
            if low.is_infinite() && sure.contains(state) {
                let text = format!("the goal is surely reached from state {state}");
                return Err(Rejection::wrong(text));
            }
            if let Some(bound) = exactly(high) {
                for choice in self.counting(Side::Upper, state) {
                    let fits = match self.average(Side::Upper, choice)? {
                        Some(sum) => sum + &earned[choice.index()] <= bound,
                        None => false,
                    };
                    if !fits {
                        return Err(self.broken(Side::Upper, state));
                    }
                }
            }
            if let Some(bound) = exactly(low)
                && low > 0.0
                && sure.contains(state)
            {
                for choice in self.counting(Side::Lower, state) {
                    // Infinity is not less than anything.
                    let fits = match self.average(Side::Lower, choice)? {
                        Some(sum) => sum + &earned[choice.index()] >= bound,
                        None => true,
                    };
                    if !fits {
                        return Err(self.broken(Side::Lower, state));
                    }
                }
            }
        }
        let mut finite = Bits::with_capacity(self.model.states());
        for state in 0..self.model.states() {
            let open = self.bound(Side::Upper, state).is_finite() && !goal.contains(state);
            finite.set(state, open);
        }
        match self.can_stay(Side::Upper, &finite)? {
            Some(state) => Err(Rejection::wrong(format!(
                "the upper bound of state {state} is finite, yet the goal may never be reached"
            ))),
            None => Ok(()),
        }
    }

    /// A state of the set from which a run can stay in the set for ever, by the choices that
    /// count; none if all runs leave it in the end.
    fn can_stay(&self, side: Side, set: &Bits) -> Result<Option<usize>, Rejection> {
        // Take away states that leave with some probability whatever is chosen, as long as there
        // are any. What remains can stay.
        let mut left = set.clone();
        let before = self.sources(side);
        let leaves = |state: usize, left: &Bits| {
            self.counting(side, state).all(|choice| {
                let targets = &self.model.targets[self.model.branches_of(choice)];
                targets.iter().any(|&to| !left.contains(to.index()))
            })
        };
        let mut waiting: Vec<usize> = set.ones().filter(|&state| leaves(state, set)).collect();
        while let Some(state) = waiting.pop() {
            self.budget.charge(1)?;
            if !left.contains(state) {
                continue;
            }
            left.set(state, false);
            for &from in &before[state] {
                if left.contains(from as usize) && leaves(from as usize, &left) {
                    waiting.push(from as usize);
                }
            }
        }
        Ok(left.ones().next())
    }

    /// The states that lead to each state by choices that count.
    fn sources(&self, side: Side) -> Vec<Vec<u32>> {
        let mut before = vec![Vec::new(); self.model.states()];
        for state in 0..self.model.states() {
            for choice in self.counting(side, state) {
                for &to in &self.model.targets[self.model.branches_of(choice)] {
                    before[to.index()].push(state as u32);
                }
            }
        }
        before
    }

    /// The states from which the goal is surely reached: by some choices if the least is meant
    /// (others earn infinitely much), by all of them if the greatest is.
    fn surely(&self, goal: &Bits) -> Result<Bits, Rejection> {
        let states = self.model.states();
        let mut within = Bits::with_capacity(states);
        within.insert_range(..);
        loop {
            self.budget.charge(states as u64)?;
            // The states that reach the goal with some probability without leaving `within`.
            let mut found = goal.clone();
            found.grow(states);
            loop {
                let mut grew = false;
                for state in (0..states).rev() {
                    if found.contains(state) || !within.contains(state) {
                        continue;
                    }
                    self.budget.charge(1)?;
                    let fits = |choice: ChoiceId| {
                        let targets = &self.model.targets[self.model.branches_of(choice)];
                        targets.iter().all(|&to| within.contains(to.index()))
                            && targets.iter().any(|&to| found.contains(to.index()))
                    };
                    let mut choices = self.model.choices_of(StateId::from_index(state));
                    let reaches = match self.least {
                        true => choices.any(fits),
                        false => choices.all(fits),
                    };
                    if reaches {
                        found.insert(state);
                        grew = true;
                    }
                }
                if !grew {
                    break;
                }
            }
            if found == within {
                return Ok(found);
            }
            within = found;
        }
    }
}
