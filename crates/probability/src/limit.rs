//! What happens in the end: conditions that hold again and again, or for good.
//!
//! A run of a finite model ends in an end component (of a chain: a bottom component) almost
//! surely. What holds for good there, and what is visited again and again, depends on the
//! component alone; so the probability is that of reaching one that fits.

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};

use crate::graph::end_components;
use crate::{Analysis, Best, Values};

/// What a run does in the end: it stays in a set, and visits each of some sets again and again.
#[derive(Debug, Clone)]
pub struct Ending {
    /// Where it stays.
    pub stays: Bits,
    /// What it visits again and again.
    pub visits: Vec<Bits>,
}

impl Analysis<'_> {
    /// The greatest probability that a run ends in one of these ways.
    pub fn ends(&self, endings: &[Ending], budget: &Budget) -> Result<Values, Stop> {
        let model = &*self.model;
        let states = model.states();
        let mut good = Bits::with_capacity(states);
        for ending in endings {
            let (part_of, parts) = end_components(model, &ending.stays, |_| true, budget)?;
            let mut fits = vec![true; parts];
            for visited in &ending.visits {
                let mut seen = vec![false; parts];
                for state in visited.ones() {
                    if let Some(seen) = seen.get_mut(part_of[state] as usize) {
                        *seen = true;
                    }
                }
                for (fits, seen) in fits.iter_mut().zip(seen) {
                    *fits &= seen;
                }
            }
            for (state, &part) in part_of.iter().enumerate() {
                if fits.get(part as usize) == Some(&true) {
                    good.insert(state);
                }
            }
        }
        let mut all = Bits::with_capacity(states);
        all.insert_range(..);
        self.until(&all, &good, Best::Greatest, budget)
    }
}
