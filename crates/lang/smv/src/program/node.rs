//! The graph of typed expressions.

use quotient_core::Span;
use rustc_hash::FxHashMap;

use super::{Type, Value, VariableId};

/// An expression of a [`Program`](crate::Program); equal expressions have equal ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The position; operands come before what they are part of.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an expression is made of. Functions and sugar of the language are gone: `count`,
/// `min`, `xnor`, `case`, variable array indices and so on are written with what is here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Node {
    /// A constant.
    Constant(Value),
    /// The value of a variable now or, with `next`, after the step.
    Variable {
        /// The variable.
        variable: VariableId,
        /// Whether its value after the step is meant.
        next: bool,
    },
    /// Negation: Boolean, or bit by bit.
    Not(NodeId),
    /// The number with the opposite sign.
    Negate(NodeId),
    /// An operator between two operands.
    Binary(Operator, NodeId, NodeId),
    /// The second if the first, else the third.
    Choose(NodeId, NodeId, NodeId),
    /// The set of all integers from the first to the second.
    Range(i64, i64),
    /// Bits of a word, both included.
    Bits {
        /// The word.
        operand: NodeId,
        /// The highest bit.
        high: u32,
        /// The lowest bit.
        low: u32,
    },
    /// The word as an integer.
    ToInteger(NodeId),
    /// The word with its bits read as the type of this node says, cut or padded at the top
    /// (a signed word with its sign, an unsigned one with zeros).
    Resize(NodeId),
    /// What never changes, after the step: it has the same value, but speaks about a step.
    After(NodeId),
    /// No value: evaluation must not come here.
    Failure(Failure),
}

/// Operators between two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operator {
    /// Both: Boolean, or bit by bit; so are the next two.
    And,
    /// At least one.
    Or,
    /// Exactly one.
    Xor,
    /// Equal values.
    Equal,
    /// Smaller, of integers or words.
    Less,
    /// The sum; words drop the carry.
    Plus,
    /// The difference.
    Minus,
    /// The product.
    Times,
    /// The quotient, rounded towards zero.
    Divide,
    /// The remainder of [`Operator::Divide`], with the sign of the dividend.
    Modulo,
    /// The left word followed by the right.
    Concatenate,
    /// The word moved up by a number of bits.
    ShiftLeft,
    /// The word moved down; a signed word keeps its sign.
    ShiftRight,
    /// The word moved up, what falls out comes in below.
    RotateLeft,
    /// The word moved down, what falls out comes in above.
    RotateRight,
    /// All values of both.
    Union,
    /// Whether every value of the left is a value of the right.
    In,
}

/// A place where a value can be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Failure(pub(crate) u32);

/// Why a value can be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// No branch of a `case` applies.
    Case,
    /// An array index is out of range.
    Index,
}

const MENTIONS_NEXT: u8 = 1;
const MENTIONS_INPUT: u8 = 2;

/// The graph: hash-consed, operands first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Nodes {
    nodes: Vec<Node>,
    types: Vec<Type>,
    spans: Vec<Span>,
    flags: Vec<u8>,
    failures: Vec<(FailureKind, Span)>,
    known: FxHashMap<(Node, Type), NodeId>,
}

impl Nodes {
    pub(crate) fn node(&self, id: NodeId) -> Node {
        self.nodes[id.index()]
    }

    pub(crate) fn type_of(&self, id: NodeId) -> Type {
        self.types[id.index()]
    }

    pub(crate) fn span(&self, id: NodeId) -> Span {
        self.spans[id.index()]
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn failure(&self, failure: Failure) -> (FailureKind, Span) {
        self.failures[failure.0 as usize]
    }

    pub(crate) fn add_failure(&mut self, kind: FailureKind, span: Span) -> Failure {
        self.failures.push((kind, span));
        Failure(self.failures.len() as u32 - 1)
    }

    /// Whether the expression speaks about the state after the step.
    pub(crate) fn mentions_next(&self, id: NodeId) -> bool {
        self.flags[id.index()] & MENTIONS_NEXT != 0
    }

    /// Whether the expression speaks about inputs.
    pub(crate) fn mentions_input(&self, id: NodeId) -> bool {
        self.flags[id.index()] & MENTIONS_INPUT != 0
    }

    /// Adds an expression, or finds it; `input` says that it is an input variable.
    pub(crate) fn add(&mut self, node: Node, node_type: Type, span: Span, input: bool) -> NodeId {
        let next = NodeId(self.nodes.len() as u32);
        let id = *self.known.entry((node, node_type)).or_insert(next);
        if id == next {
            let mut flags = match node {
                Node::Variable { next: true, .. } | Node::After(_) => MENTIONS_NEXT,
                _ => 0,
            };
            if input {
                flags |= MENTIONS_INPUT;
            }
            operands(node, |operand| flags |= self.flags[operand.index()]);
            self.nodes.push(node);
            self.types.push(node_type);
            self.spans.push(span);
            self.flags.push(flags);
        }
        id
    }

    /// All nodes that the given ones are made of, operands first.
    pub(crate) fn below(&self, roots: impl IntoIterator<Item = NodeId>) -> Vec<NodeId> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut open: Vec<NodeId> = roots.into_iter().collect();
        let mut found = Vec::new();
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                found.push(id);
                operands(self.node(id), |operand| open.push(operand));
            }
        }
        found.sort_unstable();
        found
    }
}

/// Visits the operands of a node.
pub(crate) fn operands(node: Node, mut visit: impl FnMut(NodeId)) {
    match node {
        Node::Constant(_) | Node::Variable { .. } | Node::Range(..) | Node::Failure(_) => {}
        Node::Not(operand)
        | Node::Negate(operand)
        | Node::ToInteger(operand)
        | Node::Resize(operand)
        | Node::After(operand)
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
