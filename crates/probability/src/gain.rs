//! What an irreducible chain earns in the long run, by the equation of Poisson.
//!
//! For *any* vector `h` the average lies between the least and the greatest of
//! `r(s) + Σ rate(s,t)·(h(t) − h(s))`, since the second part has average zero in the long run. The
//! nearer `h` is to the relative worth of states, the nearer both are. So `h` may be guessed by
//! whatever converges fast: here sweeps in which each state takes the worth that its equation
//! gives it, down and up again (Gauss and Seidel), of which the last few are mixed so that the
//! differences become small (Anderson 1965). Where rates differ by orders of magnitude, that takes
//! a hundredth of the steps that plain value iteration does, which must wait for the slow ones.

use quotient_core::{Budget, Stop};
use quotient_markov::{Markov, StateId};

/// An irreducible part of a chain: rates between its states, without loops.
pub(crate) struct Part {
    first: Vec<u32>,
    targets: Vec<u32>,
    rates: Vec<f64>,
    /// What is earned per unit of time.
    earned: Vec<f64>,
    /// By how much of themselves rates and rewards may be off.
    error: f64,
    /// How fast each state is left.
    exits: Vec<f64>,
}

/// So many steps are mixed.
const MIXED: usize = 12;
/// Without half of the distance gone after so many steps, nothing more is expected.
const PATIENCE: usize = 200;

impl Part {
    /// The part of a chain with these states; what each earns per unit of time or step.
    pub(crate) fn new(model: &Markov, members: &[u32], earned: &[f64], error: f64) -> Part {
        let mut places = vec![u32::MAX; model.states()];
        for (&member, place) in members.iter().zip(0u32..) {
            places[member as usize] = place;
        }
        let mut part = Part {
            first: vec![0],
            targets: Vec::new(),
            rates: Vec::new(),
            earned: members.iter().map(|&one| earned[one as usize]).collect(),
            error: error + model.error,
            exits: Vec::with_capacity(members.len()),
        };
        for &member in members {
            let mut sum = 0.0;
            for branch in model.branches_from(StateId::new(member)) {
                let (target, rate) = (model.targets[branch], model.weights[branch]);
                let place = places[target.index()];
                if target != StateId::new(member) && place != u32::MAX {
                    part.targets.push(place);
                    part.rates.push(rate);
                    sum += rate;
                }
            }
            part.exits.push(sum);
            part.first.push(part.targets.len() as u32);
        }
        part
    }

    fn len(&self) -> usize {
        self.earned.len()
    }

    /// The rates from a state, with targets.
    fn from(&self, state: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.first[state] as usize..self.first[state + 1] as usize;
        let targets = self.targets[range.clone()].iter();
        targets
            .zip(&self.rates[range])
            .map(|(&to, &rate)| (to as usize, rate))
    }

    /// What each state seems to earn on average, if the others are worth this much.
    fn seems(&self, worth: &[f64], into: &mut [f64]) -> (f64, f64) {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for (state, into) in into.iter_mut().enumerate() {
            let here = worth[state];
            let value = self
                .from(state)
                .fold(self.earned[state], |sum, (to, rate)| {
                    sum + rate * (worth[to] - here)
                });
            (low, high) = match value.is_nan() {
                true => (f64::NEG_INFINITY, f64::INFINITY),
                false => (low.min(value), high.max(value)),
            };
            *into = value;
        }
        (low, high)
    }

    /// The same, rounded outwards: the average surely lies between.
    fn surely(&self, worth: &[f64]) -> (f64, f64) {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for state in 0..self.len() {
            let here = worth[state];
            let (mut value, mut size, mut terms) = (self.earned[state], self.earned[state], 6.0);
            for (to, rate) in self.from(state) {
                let term = rate * (worth[to] - here);
                value += term;
                size += term.abs();
                terms += 1.0;
            }
            let off = size * (terms * 1.2e-16 + self.error) * 1.01 + f64::MIN_POSITIVE;
            // Of numbers too large to be added nothing is known.
            if !value.is_finite() || !off.is_finite() {
                return (0.0, f64::INFINITY);
            }
            (low, high) = (low.min(value - off), high.max(value + off));
        }
        (low.max(0.0), high)
    }

    /// Bounds for the average, as near as can be reached and no nearer than asked for, and what
    /// states are worth to show them, beginning with a guess of that.
    pub(crate) fn average(
        &self,
        mut worth: Vec<f64>,
        width: f64,
        budget: &Budget,
    ) -> Result<((f64, f64), Vec<f64>), Stop> {
        let size = self.len();
        // A state that is never left is alone.
        if self.exits.iter().any(|&exit| exit <= 0.0) {
            return Ok((self.surely(&worth), worth));
        }
        let stays: f64 = self.exits.iter().map(|exit| 1.0 / exit).sum();
        let mut swept = vec![0.0; size];
        let mut seems = vec![0.0; size];
        let mut mixer = Mixer::default();
        let mut best = (f64::INFINITY, worth.clone());
        let (mut goal, mut since) = (f64::INFINITY, 0);
        loop {
            budget.charge((3 * self.targets.len() + 2 * MIXED * size) as u64 / 64 + 1)?;
            let (low, high) = self.seems(&worth, &mut seems);
            let distance = high - low;
            if distance < best.0 {
                best.0 = distance;
                best.1.copy_from_slice(&worth);
            }
            let enough = 0.05 * width * low.abs().max(high.abs());
            since += 1;
            if distance <= 0.5 * goal {
                (goal, since) = (distance, 0);
            }
            if distance <= enough || since > PATIENCE || !distance.is_finite() {
                return Ok((self.surely(&best.1), best.1));
            }
            let sum = seems.iter().zip(&self.exits).map(|(one, exit)| one / exit);
            let average = sum.sum::<f64>() / stays;
            swept.copy_from_slice(&worth);
            (0..size)
                .rev()
                .for_each(|state| self.settle(state, average, &mut swept));
            (0..size).for_each(|state| self.settle(state, average, &mut swept));
            // Only differences of worth matter: none is added to all.
            let moved = swept.iter().zip(&worth).map(|(one, before)| one - before);
            let mean = moved.sum::<f64>() / size as f64;
            for (change, (one, before)) in seems.iter_mut().zip(swept.iter().zip(&worth)) {
                *change = one - before - mean;
            }
            mixer.next(&mut worth, &seems);
        }
    }

    /// Gives a state the worth that its equation has for it.
    fn settle(&self, state: usize, average: f64, worth: &mut [f64]) {
        let sum = self
            .from(state)
            .fold(self.earned[state] - average, |sum, (to, rate)| {
                sum + rate * worth[to]
            });
        worth[state] = sum / self.exits[state];
    }
}

/// Remembers the last guesses and how they changed, and mixes them.
#[derive(Default)]
struct Mixer {
    last: Option<(Vec<f64>, Vec<f64>)>,
    /// Differences of guesses and of changes, the oldest first.
    guesses: Vec<Vec<f64>>,
    changes: Vec<Vec<f64>>,
    /// The products of changes with each other.
    products: Vec<Vec<f64>>,
}

impl Mixer {
    /// The next guess, from the present one and how a plain step would change it.
    fn next(&mut self, guess: &mut [f64], change: &[f64]) {
        let (mut moved, mut changed) = match self.guesses.len() >= MIXED {
            true => {
                self.products.remove(0);
                self.products.iter_mut().for_each(|row| {
                    row.remove(0);
                });
                (self.guesses.remove(0), self.changes.remove(0))
            }
            false => (vec![0.0; guess.len()], vec![0.0; guess.len()]),
        };
        if let Some((before, was)) = &self.last {
            for at in 0..guess.len() {
                moved[at] = guess[at] - before[at];
                changed[at] = change[at] - was[at];
            }
            let row: Vec<f64> = self.changes.iter().map(|one| dot(one, &changed)).collect();
            for (other, &product) in self.products.iter_mut().zip(&row) {
                other.push(product);
            }
            let own = dot(&changed, &changed);
            self.products.push(row.into_iter().chain([own]).collect());
            self.guesses.push(moved);
            self.changes.push(changed);
        }
        match &mut self.last {
            Some((before, was)) => {
                before.copy_from_slice(guess);
                was.copy_from_slice(change);
            }
            none => *none = Some((guess.to_vec(), change.to_vec())),
        }
        let sides: Vec<f64> = self.changes.iter().map(|one| dot(one, change)).collect();
        let shares = least_squares(&self.products, sides);
        for (value, change) in guess.iter_mut().zip(change) {
            *value += change;
        }
        for (number, share) in shares.into_iter().enumerate() {
            let both = self.guesses[number].iter().zip(&self.changes[number]);
            for (value, (moved, changed)) in guess.iter_mut().zip(both) {
                *value -= share * (moved + changed);
            }
        }
    }
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(a, b)| a * b).sum()
}

/// Solves symmetric equations, held back a little where they hardly differ. Only a guess depends
/// on it.
fn least_squares(products: &[Vec<f64>], mut sides: Vec<f64>) -> Vec<f64> {
    let size = sides.len();
    let mut rows: Vec<Vec<f64>> = products.to_vec();
    for (at, row) in rows.iter_mut().enumerate() {
        row[at] = row[at] * (1.0 + 1e-12) + 1e-300;
    }
    for step in 0..size {
        let pivot = rows[step][step];
        if pivot.is_nan() || pivot <= 0.0 {
            return vec![0.0; size];
        }
        let (done, rest) = rows.split_at_mut(step + 1);
        for (other, row) in rest.iter_mut().enumerate() {
            let factor = row[step] / pivot;
            for (cell, of) in row.iter_mut().zip(&done[step]).skip(step) {
                *cell -= factor * of;
            }
            sides[step + 1 + other] -= factor * sides[step];
        }
    }
    for step in (0..size).rev() {
        let known = rows[step].iter().zip(&sides).skip(step + 1);
        let known: f64 = known.map(|(cell, side)| cell * side).sum();
        sides[step] -= known;
        sides[step] /= rows[step][step];
    }
    sides
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use quotient_markov::{Builder, Kind, Rational, exactly, whole};

    /// The exact average: the balance equations, by elimination with fractions.
    fn exact(rates: &[Vec<u8>], earned: &[u8]) -> Rational {
        let size = rates.len();
        let number = |value: u8| whole(i64::from(value));
        let mut rows: Vec<Vec<Rational>> = vec![vec![whole(0); size + 1]; size];
        for (from, row) in rates.iter().enumerate() {
            for (to, &rate) in row.iter().enumerate().filter(|&(to, _)| to != from) {
                rows[to][from] += number(rate);
                rows[from][from] -= number(rate);
            }
        }
        rows[size - 1] = vec![whole(1); size + 1];
        for step in 0..size {
            let pivot = (step..size).find(|&row| rows[row][step] != whole(0));
            rows.swap(step, pivot.expect("an irreducible chain"));
            let row = rows[step].clone();
            for (_, other) in rows.iter_mut().enumerate().filter(|(at, _)| *at != step) {
                let factor = &other[step] / &row[step];
                for (cell, of) in other.iter_mut().zip(&row) {
                    *cell -= &factor * of;
                }
            }
        }
        let share = |at: usize| &rows[at][size] / &rows[at][at];
        (0..size).map(|at| share(at) * number(earned[at])).sum()
    }

    #[test]
    fn a_guess_that_is_no_number_shows_nothing() {
        let mut builder = Builder::new(Kind::Ctmc);
        for state in 0..3 {
            builder.choice(0);
            builder.branch((state + 1) % 3, 1.0);
            builder.end_state();
        }
        let model = builder.finish(vec![0]);
        let part = Part::new(&model, &[0, 1, 2], &[1.0, 2.0, 6.0], 0.0);
        for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX] {
            for guess in [
                vec![wrong; 3],
                vec![0.0, wrong, 0.0],
                vec![wrong, 0.0, -wrong],
            ] {
                let (low, high) = part.surely(&guess);
                assert!(low <= 3.0 && high >= 3.0, "{guess:?}: {low} {high}");
                let found = part.average(guess, 1e-7, &Budget::unlimited());
                let (low, high) = found.expect("no limit").0;
                assert!(low <= 3.0 && high >= 3.0, "{wrong}: {low} {high}");
            }
        }
    }

    proptest! {
        #[test]
        fn the_exact_average_lies_between_the_bounds_and_they_are_near(
            rates in prop::collection::vec(prop::collection::vec(0u8..5, 6), 6),
            earned in prop::collection::vec(0u8..9, 6),
        ) {
            let mut rates = rates;
            let mut builder = Builder::new(Kind::Ctmc);
            for state in 0..6 {
                // Around in a circle, so that all can be reached.
                rates[state][(state + 1) % 6] += 1;
                builder.choice(0);
                for (to, &rate) in rates[state].iter().enumerate() {
                    if rate > 0 {
                        builder.branch(to as u32, f64::from(rate));
                    }
                }
                builder.end_state();
            }
            let model = builder.finish(vec![0]);
            let worth: Vec<f64> = earned.iter().map(|&one| f64::from(one)).collect();
            let part = Part::new(&model, &[0, 1, 2, 3, 4, 5], &worth, 0.0);
            let nothing = vec![0.0; 6];
            let found = part.average(nothing, 1e-7, &Budget::unlimited()).expect("no limit");
            let (low, high) = found.0;
            let exact = exact(&rates, &earned);
            prop_assert!(exactly(low).expect("finite") <= exact, "{low} {exact}");
            prop_assert!(exactly(high).expect("finite") >= exact, "{high} {exact}");
            prop_assert!(high - low <= 1e-7 * high.max(1e-9), "{low} {high}");
        }
    }
}
