//! The aggregates of a pathway as a system to search.

use quotient_explicit::System;

use crate::pathway::{Aggregate, Pathway};

/// How many bits the amount of a species has, and how many fit into a word.
const BITS: usize = 16;
const FIT: usize = 64 / BITS;
const MASK: u64 = (1 << BITS) - 1;

/// A pathway with one start; amounts are 16 bits wide.
pub(crate) struct Space<'a> {
    pub(crate) pathway: &'a Pathway,
    pub(crate) start: Aggregate,
}

impl Space<'_> {
    fn pack(aggregate: &[u64]) -> Result<Vec<u64>, u64> {
        let mut words = vec![0; aggregate.len().div_ceil(FIT).max(1)];
        for (at, &number) in aggregate.iter().enumerate() {
            if number > MASK {
                return Err(at as u64);
            }
            words[at / FIT] |= number << (at % FIT * BITS);
        }
        Ok(words)
    }

    /// Whether the start is small enough.
    pub(crate) fn has_start(&self) -> bool {
        Space::pack(&self.start).is_ok()
    }

    /// An aggregate from its words.
    pub(crate) fn unpack(&self, words: &[u64]) -> Aggregate {
        let species = 0..self.pathway.species.len();
        species
            .map(|at| words[at / FIT] >> (at % FIT * BITS) & MASK)
            .collect()
    }
}

impl System for Space<'_> {
    fn width(&self) -> usize {
        self.pathway.species.len().div_ceil(FIT).max(1)
    }

    fn initial(&self, emit: &mut dyn FnMut(&[u64])) {
        if let Ok(words) = Space::pack(&self.start) {
            emit(&words);
        }
    }

    fn successors(&self, state: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
        let aggregate = self.unpack(state);
        for (number, rule) in self.pathway.rules.iter().enumerate() {
            if let Some(next) = rule.fire(&aggregate) {
                emit(number as u32, &Space::pack(&next)?);
            }
        }
        Ok(())
    }
}
