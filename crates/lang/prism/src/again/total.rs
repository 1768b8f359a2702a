//! All that is ever earned, once more.

use quotient_bits::Bits;
use quotient_certify::{Chances, Pay};
use quotient_core::Rejection;
use quotient_markov::{Kind, StateId, above, below, whole};

use super::{Again, Numbers, not, not_for};
use crate::naive::Naive;
use crate::parts::Part;
use crate::together::{self, Payment, Showing};

impl Again<'_> {
    /// All that is ever earned is what is earned until nothing more can be; of the least, until one can
    /// stay for nothing. The greatest of a decision process may be shown from its initial state, as an
    /// objective is.
    pub(super) fn total(&self, naive: &Naive, least: bool) -> Result<Numbers, Rejection> {
        let earned = &naive.earned;
        if self.instance.kind == Kind::Mdp && least {
            // Who does not come to where one can stay for nothing earns again and again.
            let goal = &self.for_nothing(naive)?;
            return self.shown(naive, &Chances::Earning { earned, goal }, least);
        }
        if self.instance.kind == Kind::Mdp {
            let next = |is: fn(&Part) -> bool| self.parts.borrow().front().is_some_and(is);
            if next(|part| matches!(part, Part::Several(_))) {
                return self.total_from_start(naive);
            }
            if next(|part| matches!(part, Part::Endless)) {
                self.part()?;
                return self.endless(naive);
            }
        }
        let model = &naive.model;
        let earns = |state: &usize| {
            model
                .choices_of(StateId::from_index(*state))
                .any(|choice| earned[choice.index()] > whole(0))
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

    /// The most that is ever earned from the only initial state, by a way to choose that earns so much
    /// in the end and bounds that no way exceeds; of other states nothing is known.
    fn total_from_start(&self, naive: &Naive) -> Result<Numbers, Rejection> {
        let Part::Several(written) = self.part()? else {
            return Err(not_for());
        };
        let most = crate::evidence::MOST_STATES;
        let watched = together::watched(&naive.model, &[], most, self.budget)?;
        let earned = watched.origin.iter();
        let earned = earned.map(|&choice| naive.earned[choice as usize].clone());
        let payment = Payment {
            pay: Pay {
                earned: earned.collect(),
                settled: vec![whole(0); watched.model.states()],
            },
            negative: false,
            bound: None,
        };
        let Showing::Most(low, high) = written.shown(&watched.model, &[payment], self.budget)?
        else {
            return Err(not_for());
        };
        let mut found = (vec![0.0; self.states()], vec![f64::INFINITY; self.states()]);
        for &start in &naive.model.initial {
            (found.0[start.index()], found.1[start.index()]) = (below(&low), above(&high));
        }
        Ok(found)
    }

    /// Infinity where one can come to a state from which one can earn again and again for ever; nothing is
    /// known elsewhere.
    ///
    /// The greatest set from each state of which choices that stay in it can lead to one that earns and
    /// stays in it, too: whoever heads for such a choice makes it, surely, and then again.
    fn endless(&self, naive: &Naive) -> Result<Numbers, Rejection> {
        let model = &naive.model;
        let mut left = self.all();
        loop {
            let staying = |state: usize| {
                let choices = model.choices_of(StateId::from_index(state));
                choices.filter(|&choice| {
                    let mut targets = model.targets[model.branches_of(choice)].iter();
                    targets.all(|to| left.contains(to.index()))
                })
            };
            let mut found = Bits::with_capacity(self.states());
            let earns = |state: &usize| {
                staying(*state).any(|choice| naive.earned[choice.index()] > whole(0))
            };
            found.extend(left.ones().filter(earns));
            loop {
                self.budget.charge(self.states() as u64 + 1)?;
                let leads = |state: &usize| {
                    staying(*state).any(|choice| {
                        let mut targets = model.targets[model.branches_of(choice)].iter();
                        targets.any(|to| found.contains(to.index()))
                    })
                };
                let more = left.ones().filter(|state| !found.contains(*state));
                let more: Vec<usize> = more.filter(leads).collect();
                if more.is_empty() {
                    break;
                }
                found.extend(more);
            }
            if found == left {
                break;
            }
            left = found;
        }
        let from = self.grown(true, &self.all(), &left)?;
        let mut initial = model.initial.iter();
        if !initial.all(|state| from.contains(state.index())) {
            return Err(Rejection::wrong("earning may come to an end"));
        }
        let of = |state: usize| {
            if from.contains(state) {
                f64::INFINITY
            } else {
                0.0
            }
        };
        let low = (0..self.states()).map(of).collect();
        Ok((low, vec![f64::INFINITY; self.states()]))
    }

    /// The greatest set of states in which choices that earn nothing can stay for ever.
    fn for_nothing(&self, naive: &Naive) -> Result<Bits, Rejection> {
        let model = &naive.model;
        let mut left = self.all();
        loop {
            self.budget.charge(self.states() as u64 + 1)?;
            let stays = |state: &usize| {
                let mut choices = model.choices_of(StateId::from_index(*state));
                choices.any(|choice| {
                    let targets = &model.targets[model.branches_of(choice)];
                    let inside = targets.iter().all(|&to| left.contains(to.index()));
                    inside && naive.earned[choice.index()] == whole(0)
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
