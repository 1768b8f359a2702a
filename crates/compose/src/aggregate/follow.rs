//! Putting components together in a known order, for one question after the other.
//!
//! Questions about the same system mostly see events of few components each. What is put together
//! of the others comes to the same for all of them, and is made once.

use std::sync::Arc;

use quotient_core::{Budget, Stop};

use super::small::alike;
use super::tree::{Knowing, Step, kinds, without};
use super::{Aim, prepared};
use crate::operations::{compose, hide};
use crate::product::{Part, Product};
use crate::{Action, Lts, Network};

/// An order in which components are put together.
pub(crate) struct Order {
    /// What each step puts together: components by number, then the results of steps before.
    pub(crate) steps: Vec<Vec<usize>>,
    /// Events that are taken for others after each step, unless one of them is to be kept.
    pub(crate) merged: Vec<Vec<(Action, Action)>>,
    /// What steps come to that see nothing of a question.
    unseen: Vec<Option<Arc<Lts>>>,
}

impl Order {
    /// The order of some steps that were made for an aim.
    pub(super) fn of(network: &Network, aim: &Aim, made: Vec<Step>) -> Order {
        let mut order = Order {
            steps: made.iter().map(|step| step.parts.clone()).collect(),
            merged: made.iter().map(|step| step.merged.clone()).collect(),
            unseen: vec![None; made.len()],
        };
        let sees = order.sees(network, aim);
        for ((slot, step), sees) in order.unseen.iter_mut().zip(made).zip(sees) {
            *slot = (!sees).then_some(step.small);
        }
        order
    }

    /// The same order for components that begin elsewhere.
    pub(crate) fn elsewhere(&self) -> Order {
        Order {
            steps: self.steps.clone(),
            merged: self.merged.clone(),
            unseen: vec![None; self.steps.len()],
        }
    }

    /// What is left at the end for another aim of the same kind; nothing if the order does not fit.
    pub(crate) fn follow(
        &mut self,
        network: &Network,
        aim: &Aim,
        budget: &Budget,
    ) -> Result<Option<Arc<Lts>>, Stop> {
        let Aim::Runs { fair, .. } = *aim else {
            return Ok(None);
        };
        let parts = network.components().iter();
        let mut parts: Vec<Option<Arc<Lts>>> = parts
            .map(|part| Some(Arc::new(prepared(&part.lts, None))))
            .collect();
        let mut knowing = Knowing::new(parts.iter().flatten().map(|lts| &**lts));
        let sees = self.sees(network, aim);
        for (number, step) in self.steps.iter().enumerate() {
            let taken: Option<Vec<Arc<Lts>>> = step
                .iter()
                .map(|&part| parts.get_mut(part).and_then(Option::take))
                .collect();
            let Some(taken) = taken else {
                return Ok(None);
            };
            taken.iter().for_each(|lts| knowing.forget(lts));
            let merged = self.merged[number].iter().copied();
            let merged: Vec<(Action, Action)> = merged
                .filter(|&(gone, kept)| !aim.keeps(gone) && !aim.keeps(kept))
                .collect();
            if !are_alike(&merged, parts.iter().flatten()) {
                return Ok(None);
            }
            let known = self.unseen[number].clone().filter(|_| !sees[number]);
            let small = match known {
                Some(known) => known,
                None => {
                    let is_private = |event: Action| knowing.count(event) == 0 && !aim.keeps(event);
                    let hidden = match &taken[..] {
                        [only] => hide(only, is_private),
                        several => {
                            let several = several.iter().map(|lts| Part::new(lts.clone()));
                            let whole = compose(&Product::new(several.collect())?, budget)?;
                            hide(&whole, is_private)
                        }
                    };
                    let name = |event: Action| {
                        let mut merged = merged.iter();
                        let other = merged.find(|&&(gone, _)| gone == event);
                        other.map_or(event, |&(_, kept)| kept)
                    };
                    let renamed = match merged.is_empty() {
                        true => hidden,
                        false => hidden.map_labels(|event| [name(event)]),
                    };
                    let small = Arc::new(alike(&renamed, fair, budget)?.0);
                    if !sees[number] {
                        self.unseen[number] = Some(small.clone());
                    }
                    small
                }
            };
            let gone: Vec<Action> = merged.iter().map(|&(gone, _)| gone).collect();
            for part in parts.iter_mut().flatten() {
                if gone.iter().any(|&event| part.knows(event)) {
                    knowing.forget(part);
                    *part = Arc::new(without(part, &gone));
                    knowing.learn(part);
                }
            }
            knowing.learn(&small);
            parts.push(Some(small));
        }
        Ok(parts.pop().flatten())
    }

    /// For each step, whether an event that is to be kept is known to a component in it.
    fn sees(&self, network: &Network, aim: &Aim) -> Vec<bool> {
        let components = network.components().iter();
        let mut sees: Vec<bool> = components
            .map(|part| part.lts.alphabet().iter().any(|&event| aim.keeps(event)))
            .collect();
        let count = sees.len();
        for step in &self.steps {
            let own = step.iter().any(|&part| sees.get(part) == Some(&true));
            sees.push(own);
        }
        sees.split_off(count)
    }
}

/// Whether events that are taken for others are the same to all parts that are left.
fn are_alike<'a>(
    merged: &[(Action, Action)],
    mut parts: impl Iterator<Item = &'a Arc<Lts>>,
) -> bool {
    merged.is_empty()
        || parts.all(|part| {
            let kinds = kinds(part);
            let mut merged = merged.iter();
            merged.all(|(gone, kept)| kinds.get(gone) == kinds.get(kept))
        })
}
