//! The value of an expression for given bits.

use rustc_hash::FxHashMap;

use super::{Expression, Model, Node};

/// A truth value for every bit of a model: a state, or a state with the inputs of a step.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Valuation(Vec<bool>);

impl Valuation {
    /// All bits false.
    pub fn new(bits: usize) -> Valuation {
        Valuation(vec![false; bits])
    }

    /// A bit.
    pub fn get(&self, bit: u32) -> bool {
        self.0[bit as usize]
    }

    /// Changes a bit.
    pub fn set(&mut self, bit: u32, value: bool) {
        self.0[bit as usize] = value;
    }

    /// All bits, in order.
    pub fn bits(&self) -> &[bool] {
        &self.0
    }
}

impl Model {
    /// The value of an expression: current and input bits from `now`, next bits from `next`.
    /// (A next bit without a next state is false.)
    pub fn evaluate(
        &self,
        expression: Expression,
        now: &Valuation,
        next: Option<&Valuation>,
    ) -> bool {
        let mut values: FxHashMap<usize, bool> = FxHashMap::default();
        for node in self.nodes_below([expression]) {
            let get = |side: Expression| values[&side.node()] != side.is_negated();
            let value = match self.node_at(node) {
                Node::True => true,
                Node::Bit { bit, next: false } => now.get(bit),
                Node::Bit { bit, next: true } => next.is_some_and(|next| next.get(bit)),
                Node::And(left, right) => get(left) && get(right),
                Node::Xor(left, right) => get(left) != get(right),
                Node::If(test, then, other) => get(if get(test) { then } else { other }),
            };
            values.insert(node, value);
        }
        values[&expression.node()] != expression.is_negated()
    }
}
