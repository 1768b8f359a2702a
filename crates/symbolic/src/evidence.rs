//! Evidence that an independent checker can read.

use quotient_core::Evidence;
use serde::{Deserialize, Serialize};

use crate::diagrams::Set;
use crate::system::System;

/// A set of states that contains the initial ones, is never left and excludes what must not
/// happen: evidence of kind [`Certificate::KIND`].
///
/// The set is a decision diagram as plain data. A node asks for a bit of a variable and
/// refers to another node for each answer. Reference 0 is *true*, 1 is *false*; `2 k` is the
/// set of node `k` (counted from 1 in the list), and `2 k + 1` is its complement. Nodes refer to
/// earlier nodes only. Values are coded in binary as the model codes them, bit 0 least
/// significant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// The names of the variables that nodes ask about.
    pub variables: Vec<String>,
    /// Variable, bit, reference if the bit is 1, reference if it is 0.
    pub nodes: Vec<(u32, u32, u32, u32)>,
    /// The set.
    pub root: u32,
}

impl Certificate {
    /// What such evidence is called.
    pub const KIND: &'static str = "states-invariant";

    pub(crate) fn new(system: &System, set: &Set) -> Certificate {
        let shape = system.diagrams.shape(std::slice::from_ref(set));
        let mut numbers = vec![None; system.model.variables().len()];
        let mut variables = Vec::new();
        let nodes = shape.nodes.iter().map(|&(variable, high, low)| {
            let bit = system.layout.bit(variable);
            let owner = system.model.owner(bit);
            let known = system.model.variable(owner);
            let number = *numbers[owner.index()].get_or_insert_with(|| {
                variables.push(known.name.clone());
                variables.len() as u32 - 1
            });
            (number, bit - known.bits().start, high, low)
        });
        Certificate {
            nodes: nodes.collect(),
            root: shape.roots[0],
            variables,
        }
    }

    /// The evidence that a property holds.
    pub fn evidence(&self) -> Evidence {
        Evidence::of_holds(Certificate::KIND, self)
    }

    /// Whether a state belongs to the set: the bit of a variable is asked for by its number in
    /// [`Certificate::variables`]. `None` if the data is no decision diagram.
    pub fn contains(&self, mut bit: impl FnMut(u32, u32) -> bool) -> Option<bool> {
        let (mut at, mut negated) = (self.root >> 1, self.root & 1 == 1);
        while at > 0 {
            let &(variable, which, high, low) = self.nodes.get(at as usize - 1)?;
            let child = if bit(variable, which) { high } else { low };
            if child >> 1 >= at {
                return None;
            }
            negated ^= child & 1 == 1;
            at = child >> 1;
        }
        Some(!negated)
    }
}
