//! Expressions as sets.

use quotient_core::Stop;
use rustc_hash::FxHashMap;

use super::System;
use crate::diagrams::Set;
use crate::model::{Expression, Node};

impl System {
    /// The valuations in which an expression is true.
    pub(crate) fn compile(&self, expression: Expression) -> Result<Set, Stop> {
        let diagrams = &self.diagrams;
        let mut sets: FxHashMap<usize, Set> = FxHashMap::default();
        let get = |sets: &FxHashMap<usize, Set>, side: Expression| match side.is_negated() {
            false => Ok(sets[&side.node()].clone()),
            true => diagrams.not(&sets[&side.node()]),
        };
        for node in self.model.nodes_below([expression]) {
            let set = match self.model.node_at(node) {
                Node::True => diagrams.constant(true),
                Node::Bit { bit, next } => diagrams.variable(self.layout.variable(bit, next))?,
                Node::And(left, right) => diagrams.and(&get(&sets, left)?, &get(&sets, right)?)?,
                Node::Xor(left, right) => diagrams.xor(&get(&sets, left)?, &get(&sets, right)?)?,
                Node::If(test, then, other) => {
                    let (test, then) = (get(&sets, test)?, get(&sets, then)?);
                    diagrams.choose(&test, &then, &get(&sets, other)?)?
                }
            };
            sets.insert(node, set);
        }
        get(&sets, expression)
    }
}
