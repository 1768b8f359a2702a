//! A model multiplied with something that watches it, so that a chance becomes that of reaching a
//! goal.

use std::collections::{BTreeMap, HashMap};

use quotient_bits::Bits;
use quotient_certify::{Bounds, Chances, certify_bounds};
use quotient_core::{Budget, Rejection};
use quotient_markov::{ActionId, Builder, Kind, Markov, Rational, WeightId, nearest, whole};

use crate::evidence;

/// A decision process with a goal.
pub(crate) struct Product {
    pub(crate) model: Markov,
    pub(crate) goal: Bits,
    /// Where runs of the model begin here.
    pub(crate) first: Vec<u32>,
}

impl Product {
    pub(crate) fn all(&self) -> Bits {
        let mut all = Bits::with_capacity(self.model.states());
        all.insert_range(..);
        all
    }

    /// What is written, if these are bounds on the chance of reaching the goal.
    pub(crate) fn shown(
        &self,
        written: &evidence::Written,
        least: bool,
        budget: &Budget,
    ) -> Result<Bounds, Rejection> {
        let bounds: Bounds = written.bounds()?;
        let chances = Chances::Reaching {
            allowed: &self.all(),
            goal: &self.goal,
        };
        certify_bounds(&self.model, &chances, least, &bounds, budget)?;
        Ok(bounds)
    }
}

/// Lays out a product state by state, with exact weights where the model has them.
pub(crate) struct Laying<'m> {
    model: &'m Markov,
    builder: Builder,
    /// The numbers of exact weights.
    pool: HashMap<Rational, u32>,
    exact: bool,
}

impl<'m> Laying<'m> {
    pub(crate) fn new(model: &'m Markov) -> Laying<'m> {
        let exact = !model.numbers.is_empty();
        Laying {
            model,
            builder: match exact {
                true => Builder::keeping_exact(Kind::Mdp),
                false => Builder::new(Kind::Mdp),
            },
            pool: HashMap::from([(whole(1), 0)]),
            exact,
        }
    }

    /// A choice that surely leads to a state.
    pub(crate) fn surely(&mut self, to: u32) {
        self.builder.choice(ActionId::NONE);
        self.builder.branch(to, 1.0);
        if self.exact {
            self.builder.exactly(WeightId::ONE);
        }
    }

    /// A choice, by where it leads and the branches of the model that lead there.
    pub(crate) fn choice(&mut self, branches: impl Iterator<Item = (u32, usize)>) {
        let mut sums: BTreeMap<u32, (f64, Rational)> = BTreeMap::new();
        for (to, branch) in branches {
            let sum = sums.entry(to).or_insert((0.0, whole(0)));
            sum.0 += self.model.weights[branch];
            if let Some(weight) = self.model.exact_weight(branch) {
                sum.1 += weight;
            }
        }
        self.builder.choice(ActionId::NONE);
        for (to, (weight, exactly)) in sums {
            if !self.exact {
                self.builder.branch(to, weight);
                continue;
            }
            self.builder.branch(to, nearest(&exactly));
            let number = match self.pool.get(&exactly) {
                Some(&known) => known,
                None => self.builder.weight(exactly.clone()).number(),
            };
            self.pool.insert(exactly, number);
            self.builder.exactly(WeightId::new(number));
        }
    }

    pub(crate) fn end_state(&mut self) {
        self.builder.end_state();
    }

    pub(crate) fn finish(mut self, goal: Bits, first: Vec<u32>) -> Product {
        // Sums are rounded.
        self.builder.note_error(self.model.error + 1e-14);
        let model = self.builder.finish(first.iter().copied());
        Product { model, goal, first }
    }
}
