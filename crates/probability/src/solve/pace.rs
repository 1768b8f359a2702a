//! Sweeps that converge too slowly are given up before all patience is lost.

/// How fast sweeps converge.
pub(super) struct Pace {
    tolerance: f64,
    patience: u64,
    sweeps: u64,
    /// How much the sweep changed when that was last looked at.
    before: f64,
}

/// So many sweeps pass until one looks how fast they are.
const LOOKED: u64 = 12;

/// With more patience than this all sweeps are made: what comes instead begins with a guess, and a bad
/// one costs more than they do.
const FORESEEN: u64 = 200;

impl Pace {
    pub(super) fn new(tolerance: f64, patience: u64) -> Pace {
        Pace {
            tolerance,
            patience,
            sweeps: 0,
            before: f64::INFINITY,
        }
    }

    /// Whether more sweeps than there is patience for were made, or twice as many would be if changes
    /// fall on as they did.
    pub(super) fn is_slow(&mut self, change: f64) -> bool {
        self.sweeps += 1;
        if self.sweeps > self.patience {
            return true;
        }
        if self.patience > FORESEEN || !self.sweeps.is_multiple_of(LOOKED) {
            return false;
        }
        let falls = (change / self.before).ln();
        self.before = change;
        let left = (self.tolerance / change).ln() * LOOKED as f64 / falls;
        let most = 2.0 * self.patience as f64;
        // At first numbers may only be on their way through the model. What does not fall at all
        // afterwards is not settled soon.
        let early = self.sweeps < self.patience / 5;
        !early && (falls >= 0.0 || self.sweeps as f64 + left > most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After how many sweeps one stops whose changes fall by a factor.
    fn stops(factor: f64, patience: u64) -> (u64, bool) {
        let mut pace = Pace::new(1e-9, patience);
        let mut change = 1.0;
        for sweep in 1.. {
            change *= factor;
            if change <= 1e-9 {
                return (sweep, true);
            }
            if pace.is_slow(change) {
                return (sweep, false);
            }
        }
        (0, false)
    }

    #[test]
    fn slow_sweeps_are_given_up_soon_and_others_go_on() {
        assert_eq!(stops(0.5, 100), (30, true));
        assert_eq!(stops(0.81, 100), (99, true));
        assert_eq!(stops(0.85, 100), (101, false));
        assert_eq!(stops(0.99, 100), (24, false));
        assert_eq!(stops(1.0, 100), (24, false));
        assert_eq!(stops(0.99, 400), (401, false));
        assert!(stops(0.99, u64::MAX).1);
    }
}
