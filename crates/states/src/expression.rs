//! The arena of expressions.

use rustc_hash::FxHashMap;

use crate::{Type, Value, VariableId};

/// An expression of a [`Model`](crate::Model), by its position in the arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExpressionId(pub usize);

/// What an expression is made of. It has a value, or none: an operator without a value for its
/// operands (a division by zero) has none, and neither has [`Node::Undefined`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Node {
    /// A constant.
    Constant(Value),
    /// The value of a variable now or, with `next`, after the step; without a step the latter
    /// has no value.
    Variable {
        /// The variable.
        variable: VariableId,
        /// Whether its value after the step is meant.
        next: bool,
    },
    /// Negation: Boolean, or bit by bit.
    Not(ExpressionId),
    /// The number with the opposite sign; words wrap around.
    Negate(ExpressionId),
    /// An operator between two operands.
    Binary(Operator, ExpressionId, ExpressionId),
    /// The second if the first, else the third; the one not chosen need not have a value.
    Choose(ExpressionId, ExpressionId, ExpressionId),
    /// Bits of a word, both ends included, as an unsigned word.
    Bits {
        /// The word.
        operand: ExpressionId,
        /// The highest bit.
        high: u32,
        /// The lowest bit.
        low: u32,
    },
    /// Whether it is an integer, and no symbol.
    IsInteger(ExpressionId),
    /// The word as an integer; none if it does not fit into 64 bits with sign.
    ToInteger(ExpressionId),
    /// The bits of a word as another word, cut or padded at the top: a signed word with its
    /// sign, an unsigned one with zeros.
    ToWord {
        /// The word.
        operand: ExpressionId,
        /// Whether the result has a sign.
        signed: bool,
        /// How many bits the result has.
        width: u32,
    },
    /// The value after the step of what has the same value before it. (What it is about is the step:
    /// where there is none, it has no value.)
    After(ExpressionId),
    /// No value, of some type.
    Undefined(Type),
}

/// Operators between two operands. Without other words, there is no value where an operand has
/// none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operator {
    /// Both: Boolean, or bit by bit; so are the next two. A Boolean operand that is false
    /// decides alone: the other need not have a value.
    And,
    /// At least one. A Boolean operand that is true decides alone.
    Or,
    /// Exactly one.
    Xor,
    /// Equal values.
    Equal,
    /// Smaller, of integers or words.
    Less,
    /// The sum. Words drop the carry; integers beyond 64 bits have no value, here and below.
    Plus,
    /// The difference.
    Minus,
    /// The product.
    Times,
    /// The quotient, rounded towards zero; none by zero.
    Divide,
    /// The remainder of [`Operator::Divide`], with the sign of the dividend.
    Modulo,
    /// The left word followed by the right, unsigned.
    Concatenate,
    /// The word moved up by a number of bits, which is not negative.
    ShiftLeft,
    /// The word moved down; a signed word keeps its sign.
    ShiftRight,
    /// The word moved up, what falls out comes in below.
    RotateLeft,
    /// The word moved down, what falls out comes in above.
    RotateRight,
}

/// Expressions, operands first; equal ones are there once.
#[derive(Debug, Clone, Default)]
pub struct Expressions {
    nodes: Vec<Node>,
    known: FxHashMap<Node, ExpressionId>,
}

impl Expressions {
    /// Adds an expression, or finds it.
    pub fn add(&mut self, node: Node) -> ExpressionId {
        let next = ExpressionId(self.nodes.len());
        let id = *self.known.entry(node).or_insert(next);
        if id == next {
            self.nodes.push(node);
        }
        id
    }

    /// All expressions, by [`ExpressionId`].
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Which expressions the given ones are made of, themselves included.
    pub fn below(&self, roots: impl IntoIterator<Item = ExpressionId>) -> Vec<bool> {
        let mut needed = vec![false; self.nodes.len()];
        for root in roots {
            needed[root.0] = true;
        }
        for at in (0..needed.len()).rev() {
            if needed[at] {
                self.nodes[at].operands(|operand| needed[operand.0] = true);
            }
        }
        needed
    }
}

impl Node {
    /// Visits the operands.
    pub fn operands(self, mut visit: impl FnMut(ExpressionId)) {
        match self {
            Node::Constant(_) | Node::Variable { .. } | Node::Undefined(_) => {}
            Node::Not(operand)
            | Node::Negate(operand)
            | Node::IsInteger(operand)
            | Node::ToInteger(operand)
            | Node::After(operand)
            | Node::ToWord { operand, .. }
            | Node::Bits { operand, .. } => visit(operand),
            Node::Binary(_, left, right) => {
                visit(left);
                visit(right);
            }
            Node::Choose(test, then, other) => {
                visit(test);
                visit(then);
                visit(other);
            }
        }
    }
}
