//! All that is ever earned, once more.

use quotient_bits::Bits;
use quotient_certify::Chances;
use quotient_core::Rejection;
use quotient_markov::{Kind, whole};

use super::{Again, Numbers, not};
use crate::naive::Naive;

impl Again<'_> {
    /// All that is ever earned is what is earned until nothing more can be; of the least, until one can
    /// stay for nothing.
    pub(super) fn total(&self, naive: &Naive, least: bool) -> Result<Numbers, Rejection> {
        let earned = &naive.earned;
        if self.instance.kind == Kind::Mdp && least {
            // Who does not come to where one can stay for nothing earns again and again.
            let goal = &self.for_nothing(naive)?;
            return self.shown(naive, &Chances::Earning { earned, goal }, least);
        }
        let model = &naive.model;
        let earns = |state: &usize| {
            model
                .choices_of(*state)
                .any(|choice| earned[choice] > whole(0))
        };
        let mut earning = Bits::with_capacity(self.states());
        earning.extend((0..self.states()).filter(earns));
        let goal = &not(self.grown(true, &self.all(), &earning)?);
        let found = self.shown(naive, &Chances::Earning { earned, goal }, least)?;
        // A run of a chain that does not come there earns again and again. Choices might stay for nothing:
        // they must not be able to.
        let ends = found.1.iter().all(|upper| upper.is_finite());
        match self.instance.kind == Kind::Mdp && !ends {
            true => Err(Rejection::wrong("earning may never come to an end")),
            false => Ok(found),
        }
    }

    /// The greatest set of states in which choices that earn nothing can stay for ever.
    fn for_nothing(&self, naive: &Naive) -> Result<Bits, Rejection> {
        let model = &naive.model;
        let mut left = self.all();
        loop {
            self.budget.charge(self.states() as u64 + 1)?;
            let stays = |state: &usize| {
                let mut choices = model.choices_of(*state);
                choices.any(|choice| {
                    let targets = &model.targets[model.branches_of(choice)];
                    let inside = targets.iter().all(|&to| left.contains(to as usize));
                    inside && naive.earned[choice] == whole(0)
                })
            };
            let mut next = Bits::with_capacity(self.states());
            next.extend(left.ones().filter(stays));
            if next == left {
                return Ok(left);
            }
            left = next;
        }
    }
}
