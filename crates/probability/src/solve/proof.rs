//! The proof: guesses are moved away from the truth by multiples of the expected number of steps
//! until no step can contradict them.

use quotient_core::{Budget, Stop};

use super::{Local, ROUNDING, SWEEPS, Side, Ways};

impl Local {
    /// A vector `h` with `h ≥ 1/2 + Σ weight · h` over all choices that are nearly best: roughly
    /// the expected number of steps. None if it grows beyond all bounds.
    pub(super) fn steps(
        &self,
        constants: &[f64],
        x: &[f64],
        budget: &Budget,
    ) -> Result<Option<Vec<f64>>, Stop> {
        let mut nearly = 1e-5;
        for _ in 0..3 {
            let mut kept = Local {
                rows: vec![0],
                columns: vec![0],
                targets: Vec::new(),
                weights: Vec::new(),
                low: Vec::new(),
                high: Vec::new(),
                origin: Vec::new(),
                slack: 0.0,
                least: false,
            };
            for unknown in 0..self.len() {
                let best = self.best(unknown, constants, x).0;
                for choice in self.choices_of(unknown) {
                    let value = self.value(choice, constants, x);
                    if (value - best).abs() <= nearly * best.abs() {
                        let range =
                            self.columns[choice] as usize..self.columns[choice + 1] as usize;
                        kept.targets.extend(&self.targets[range.clone()]);
                        kept.weights.extend(&self.weights[range]);
                        kept.columns.push(kept.targets.len() as u32);
                        kept.origin.push(choice as u32);
                    }
                }
                kept.rows.push(kept.origin.len() as u32);
            }
            let ones = vec![1.0; kept.origin.len()];
            if let Some(steps) = kept.count_steps(&ones, budget)? {
                return Ok(Some(steps));
            }
            nearly *= 1e-4;
        }
        Ok(None)
    }

    fn count_steps(&self, ones: &[f64], budget: &Budget) -> Result<Option<Vec<f64>>, Stop> {
        let mut h = vec![1.0; self.len()];
        let mut sweeps = 0u64;
        let mut ways = Ways::new(self);
        loop {
            budget.charge(self.targets.len() as u64 / 64 + 1)?;
            let mut growth: f64 = 0.0;
            for unknown in 0..self.len() {
                let (value, _) = self.best(unknown, ones, &h);
                growth = growth.max(value - h[unknown]);
                h[unknown] = value;
            }
            sweeps += 1;
            if growth <= 0.5 || sweeps.is_multiple_of(16) {
                let worst = (0..self.len())
                    .map(|unknown| self.best(unknown, ones, &h).0 - h[unknown])
                    .fold(0.0, f64::max);
                if worst <= 0.5 {
                    return Ok(Some(h));
                }
            }
            let top = h.iter().copied().fold(0.0, f64::max);
            if top > 1e13 {
                return Ok(None);
            }
            if sweeps.is_multiple_of(SWEEPS) && ways != Ways::Sweeps {
                ways = ways.jump(self, ones, &mut h, budget)?;
                if h.iter().any(|value| !(0.0..=1e13).contains(value)) {
                    return Ok(None);
                }
            }
        }
    }

    /// Moves a guess away from the truth until it is a bound that can be proved.
    pub(super) fn proved(
        &self,
        side: Side,
        x: &[f64],
        steps: &[f64],
        most: f64,
    ) -> Option<(f64, Vec<f64>)> {
        let constants = self.constants(side);
        let highest = steps.iter().copied().fold(0.0, f64::max);
        let mut off: f64 = 0.0;
        for unknown in 0..self.len() {
            let value = self.rounded(unknown, side, constants, x);
            let wrong = match side {
                Side::High => value - x[unknown],
                Side::Low => x[unknown] - value,
            };
            off = off.max(wrong);
        }
        for factor in [2.2, 20.0, 500.0] {
            let move_by = off * factor;
            let bound: Vec<f64> = x
                .iter()
                .zip(steps)
                .map(|(&x, &steps)| match side {
                    Side::High => (x + move_by * steps).min(most),
                    Side::Low => (x - move_by * steps).max(0.0),
                })
                .collect();
            if self.is_bound(side, constants, &bound, most) {
                return Some((move_by * highest, bound));
            }
        }
        None
    }

    /// What the best choice gives, rounded outwards.
    #[inline]
    fn rounded(&self, unknown: usize, side: Side, constants: &[f64], x: &[f64]) -> f64 {
        let value = self.best(unknown, constants, x).0;
        match side {
            Side::High => value * (1.0 + 1.01 * self.slack) * (1.0 + 2.0 * ROUNDING),
            Side::Low => value * (1.0 - 1.01 * self.slack) * (1.0 - 2.0 * ROUNDING),
        }
    }

    /// Whether a vector is a bound: the proof.
    fn is_bound(&self, side: Side, constants: &[f64], x: &[f64], most: f64) -> bool {
        (0..self.len()).all(|unknown| {
            let value = self.rounded(unknown, side, constants, x);
            match side {
                Side::High => value <= x[unknown] || x[unknown] >= most,
                Side::Low => value >= x[unknown] || x[unknown] <= 0.0,
            }
        })
    }
}
