//! Runs and invariants of word-level models as plain data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::blast::Watched;
use super::evaluate::{Evaluator, Value};
use super::model::{Model, NodeId, Sort};
use super::word::Word;
use crate::{Bits, Proof};

/// The kind of evidence that holds a [`WordRun`].
pub const WORD_RUN: &str = "word-run";
/// The kind of evidence that holds a [`WatchedProof`].
pub const WATCHED_INVARIANT: &str = "watched-invariant";

/// Why a bad signal of a model with arrays is never on: watched elements, and a proof about the
/// circuit that knows these only (see [`Watching`](super::Watching)).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WatchedProof {
    /// The elements that are watched.
    pub watched: Vec<Watched>,
    /// Why the bad signal of the circuit is never on.
    pub proof: Proof,
}

/// The kind of evidence that holds a [`WatchedBound`].
pub const WATCHED_BOUND: &str = "watched-bound";

/// Why the signals of a justice property of a model with arrays are not all on infinitely often: a
/// number of rounds that no run passes ([`Model::counting`]), with a proof of that.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WatchedBound {
    /// The number of rounds in which all signals were on that no run passes.
    pub rounds: usize,
    /// The elements that are watched.
    pub watched: Vec<Watched>,
    /// Why the bad signal of the circuit of the model with the counter is never on.
    pub proof: Proof,
}

/// What an input is in a step, or a state that may be anything. Bits are the lowest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Chosen {
    /// A word.
    Word(Bits),
    /// An array: indices with their elements; all others are zero.
    Array(Vec<(Bits, Bits)>),
    /// An array: what all elements are but those of some indices, and these.
    Filled(Bits, Vec<(Bits, Bits)>),
}

/// A run of a model in words: what was chosen in each step, by the place of the node. What is not
/// named is zero.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WordRun {
    /// What was chosen in each step; the last step is the one to look at.
    pub steps: Vec<BTreeMap<usize, Chosen>>,
    /// Of a run that goes on for ever: after the last step it goes on with this one.
    #[serde(rename = "backTo", default, skip_serializing_if = "Option::is_none")]
    pub back_to: Option<usize>,
}

impl WordRun {
    /// The steps, calculated by the evaluator; none if something chosen does not fit its node.
    pub fn evaluated<'a>(&self, model: &'a Model) -> Option<Vec<Evaluator<'a>>> {
        let mut all: Vec<Evaluator<'a>> = Vec::with_capacity(self.steps.len());
        for chosen in &self.steps {
            let next = chosen_step(model, all.last().cloned(), chosen)?;
            all.push(next);
        }
        Some(all)
    }

    /// Looks at the steps one after the other, so that a long run takes no more room than a short
    /// one. Says whether all that was chosen fits its nodes.
    ///
    /// # Errors
    /// What the look says.
    pub fn walk<'a, E>(
        &self,
        model: &'a Model,
        mut look: impl FnMut(&Evaluator<'a>) -> Result<(), E>,
    ) -> Result<bool, E> {
        let mut here = None;
        for chosen in &self.steps {
            let Some(next) = chosen_step(model, here.take(), chosen) else {
                return Ok(false);
            };
            look(here.insert(next))?;
        }
        Ok(true)
    }
}

/// The step after one, or the first, with what was chosen for it, if that fits.
fn chosen_step<'a>(
    model: &'a Model,
    last: Option<Evaluator<'a>>,
    chosen: &BTreeMap<usize, Chosen>,
) -> Option<Evaluator<'a>> {
    let mut fits = true;
    let mut choose = |node: NodeId, sort: Sort| match chosen.get(&node.index()) {
        None => Value::zero(sort),
        Some(one) => value(one, sort).unwrap_or_else(|| {
            fits = false;
            Value::zero(sort)
        }),
    };
    let next = match last {
        None => Evaluator::new(model, &mut choose),
        Some(mut next) => {
            next.step(&mut choose);
            next
        }
    };
    fits.then_some(next)
}

/// A chosen value, if it is of this sort.
fn value(chosen: &Chosen, sort: Sort) -> Option<Value> {
    let word =
        |bits: &Bits, width: u32| (bits.0.len() == width as usize).then(|| Word(bits.0.clone()));
    match (chosen, sort) {
        (Chosen::Word(bits), Sort::Bits(width)) => Some(Value::Word(word(bits, width)?)),
        (Chosen::Array(some) | Chosen::Filled(_, some), Sort::Array(index, element)) => {
            let rest = match chosen {
                Chosen::Filled(rest, _) => word(rest, element)?,
                _ => Word::zero(element),
            };
            let some = some.iter();
            let pairs = some.map(|(at, held)| Some((word(at, index)?, word(held, element)?)));
            let named: Option<BTreeMap<Word, Word>> = pairs.collect();
            Some(Value::Array(rest, named?))
        }
        _ => None,
    }
}
