//! Reaching a goal with several bounds on what is earned on the way.
//!
//! Each bound gets a counter beside the state: above an upper bound a run is lost, and a lower one
//! is counted until it is reached. What is left is a question about reaching alone, of a larger
//! model.

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use quotient_markov::{ActionId, Builder, Kind, Rewards, StateId};
use rustc_hash::FxHashMap;

use crate::{Analysis, Best, Values};

/// A bound on what is earned until a goal is reached.
#[derive(Debug, Clone, Copy)]
pub struct Limit<'r> {
    /// What is earned. What a state and a choice earn is earned when the state is left.
    pub rewards: &'r Rewards,
    /// How much.
    pub amount: f64,
    /// Whether the amount itself is too much, or too little.
    pub strictly: bool,
    /// Whether no more may be earned, and not: no less.
    pub upper: bool,
}

/// A limit in whole units.
struct Counter {
    earned: Vec<u64>,
    /// The most that may be earned, or what is enough.
    end: u64,
    upper: bool,
}

/// States with counters beyond this are too many.
const MOST: usize = 50_000_000;

impl Analysis<'_> {
    /// The probability of reaching a goal through allowed states within limits, from the initial
    /// states; of others nothing is known.
    pub fn until_within_limits(
        &self,
        (allowed, goal): (&Bits, &Bits),
        limits: &[Limit<'_>],
        best: Best,
        budget: &Budget,
    ) -> Result<Values, Stop> {
        let model = &*self.model;
        if self.timed.kind == Kind::Ctmc {
            let text = "bounds on rewards are for discrete models";
            return Err(Stop::inconclusive(text));
        }
        let mut values = Values::constant(model.states(), 0.0);
        values.upper.fill(1.0);
        let mut counters = Vec::new();
        for limit in limits {
            match self.counter(limit)? {
                Some(counter) => counters.push(counter),
                None => return Ok(Values::constant(model.states(), 0.0)),
            }
        }
        let mut product = Product {
            builder: Builder::new(model.kind),
            numbers: FxHashMap::default(),
            found: Vec::new(),
        };
        product.builder.note_error(model.error);
        // What is lost, and what is won.
        for sink in 0..2 {
            product.builder.choice(ActionId::NONE);
            product.builder.branch(sink, 1.0);
            product.builder.end_state();
        }
        let place = |state: u32, counts: &[u64], product: &mut Product| {
            let enough =
                |(counter, &count): (&Counter, &u64)| counter.upper || count >= counter.end;
            match counters.iter().zip(counts).all(enough) {
                true if goal.contains(state as usize) => 1,
                _ if !allowed.contains(state as usize) => 0,
                _ => product.number(state, counts),
            }
        };
        let zero = vec![0; counters.len()];
        let initial: Vec<u32> = model
            .initial
            .iter()
            .map(|&state| place(state.number(), &zero, &mut product))
            .collect();
        let mut at = 0;
        while at < product.found.len() {
            budget.charge(2)?;
            if product.found.len() > MOST || product.builder.branches() > u32::MAX as usize / 2 {
                return Err(Stop::bound("states with counters", MOST as u64));
            }
            let (state, counts) = product.found[at].clone();
            at += 1;
            for choice in model.choices_of(StateId::new(state)) {
                product.builder.choice(ActionId::NONE);
                let Some(counts) = after(&counters, &counts, choice.index()) else {
                    product.builder.branch(0, 1.0);
                    continue;
                };
                let mut targets: Vec<(u32, f64)> = Vec::new();
                for branch in model.branches_of(choice) {
                    let target = place(model.targets[branch].number(), &counts, &mut product);
                    targets.push((target, model.weights[branch]));
                }
                targets.sort_by_key(|one| one.0);
                product.add(&targets);
            }
            product.builder.end_state();
        }
        let product = product.builder.finish(initial.iter().copied());
        let all: Bits = (0..product.states()).collect();
        let mut won = Bits::with_capacity(product.states());
        won.insert(1);
        let analysis = Analysis::new(&product, self.precision);
        let found = analysis.until(&all, &won, best, budget)?;
        for (&state, &number) in model.initial.iter().zip(&initial) {
            values.lower[state.index()] = found.lower[number as usize];
            values.upper[state.index()] = found.upper[number as usize];
        }
        Ok(values)
    }

    /// A limit in whole units; none if nothing can keep it.
    fn counter(&self, limit: &Limit<'_>) -> Result<Option<Counter>, Stop> {
        let (earned, unit) = self.in_units(limit.rewards)?;
        let amount = limit.amount / unit;
        let end = match (limit.upper, limit.strictly) {
            (true, false) => (amount + 1e-9).floor(),
            (true, true) => (amount - 1e-9).ceil() - 1.0,
            (false, false) => (amount - 1e-9).ceil().max(0.0),
            (false, true) => ((amount + 1e-9).floor() + 1.0).max(0.0),
        };
        if end > 1e9 {
            return Err(Stop::inconclusive("a bound has too many units"));
        }
        Ok((end >= 0.0).then_some(Counter {
            earned,
            end: end as u64,
            upper: limit.upper,
        }))
    }
}

/// What counters show after a choice; none if that is too much.
fn after(counters: &[Counter], counts: &[u64], choice: usize) -> Option<Vec<u64>> {
    let each = counters.iter().zip(counts);
    each.map(|(counter, &count)| {
        let sum = count.saturating_add(counter.earned[choice]);
        match counter.upper {
            true => (sum <= counter.end).then_some(sum),
            false => Some(sum.min(counter.end)),
        }
    })
    .collect()
}

/// The states with their counters that were found.
struct Product {
    builder: Builder,
    numbers: FxHashMap<(u32, Vec<u64>), u32>,
    found: Vec<(u32, Vec<u64>)>,
}

impl Product {
    fn number(&mut self, state: u32, counts: &[u64]) -> u32 {
        let next = self.found.len() as u32 + 2;
        let key = (state, counts.to_vec());
        let found = &mut self.found;
        *self.numbers.entry(key).or_insert_with_key(|key| {
            found.push(key.clone());
            next
        })
    }

    /// Branches in the order of their targets; those to one target become one.
    fn add(&mut self, targets: &[(u32, f64)]) {
        let mut at = 0;
        while let Some(&(target, mut weight)) = targets.get(at) {
            at += 1;
            let mut terms = 0;
            while let Some(more) = targets.get(at).filter(|next| next.0 == target) {
                weight += more.1;
                terms += 1;
                at += 1;
            }
            if terms > 0 {
                let error = self.builder.error() + 1.2e-16 * f64::from(terms);
                self.builder.note_error(error);
            }
            self.builder.branch(target, weight);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Precision;

    /// A walk of coins: heads earn one of the first, tails one of the second.
    #[test]
    fn a_coin_with_two_bounds_is_counted() {
        let mut builder = Builder::new(Kind::Mdp);
        // 0 takes a coin: to 1 or 2, which go back; or stops at 3.
        builder.choice(0);
        builder.branch(1, 0.5);
        builder.branch(2, 0.5);
        builder.choice(0);
        builder.branch(3, 1.0);
        builder.end_state();
        for _ in 0..2 {
            builder.choice(0);
            builder.branch(0, 1.0);
            builder.end_state();
        }
        builder.end_state();
        let model = builder.finish(vec![0]);
        let analysis = Analysis::new(&model, Precision::default());
        let earns = |state: usize| {
            let mut states = vec![0.0; 4];
            states[state] = 0.5;
            Rewards {
                states,
                ..Rewards::default()
            }
        };
        let (heads, tails) = (earns(1), earns(2));
        let all: Bits = (0..4).collect();
        let mut goal = Bits::with_capacity(4);
        goal.insert(3);
        let asked = |limits: &[(&Rewards, f64, bool, bool)], best: Best| {
            let limits: Vec<Limit<'_>> = limits
                .iter()
                .map(|&(rewards, amount, strictly, upper)| Limit {
                    rewards,
                    amount,
                    strictly,
                    upper,
                })
                .collect();
            let found =
                analysis.until_within_limits((&all, &goal), &limits, best, &Budget::unlimited());
            let found = found.expect("no limit");
            assert!(found.upper[0] - found.lower[0] < 1e-6);
            (found.upper[0] + found.lower[0]) / 2.0
        };
        let near = |one: f64, other: f64| assert!((one - other).abs() < 1e-6, "{one} {other}");
        // Two heads before more than two tails: of the first four coins at least two are heads.
        let limits = [(&heads, 1.0, false, false), (&tails, 1.0, false, true)];
        near(asked(&limits, Best::Greatest), 11.0 / 16.0);
        near(asked(&limits, Best::Least), 0.0);
        let limits = [(&heads, 0.5, true, false), (&tails, 1.5, true, true)];
        near(asked(&limits, Best::Greatest), 11.0 / 16.0);
        let limits = [(&heads, 2.0, true, true), (&tails, 2.0, true, true)];
        near(asked(&limits, Best::Greatest), 1.0);
        let limits = [(&heads, 0.0, true, true), (&tails, 2.0, true, true)];
        near(asked(&limits, Best::Greatest), 0.0);
    }
}
