//! Names of signals.

/// A node of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(u32);

impl Node {
    /// The node of all constants.
    pub const CONSTANT: Node = Node(0);

    /// The node with a number. Graphs have less than 2³¹ of them.
    pub fn new(index: usize) -> Node {
        debug_assert!(index < 1 << 31);
        Node(index as u32)
    }

    /// Its number: nodes come after those that they are made of.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The signal of the node.
    pub fn literal(self) -> Literal {
        Literal(self.0 << 1)
    }
}

/// A node or its negation.
///
/// ```
/// use quotient_netlist::{Literal, Node};
/// let signal = Node::new(3).literal();
/// assert_eq!((!signal).node(), Node::new(3));
/// assert_eq!(!Literal::FALSE, Literal::TRUE);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal(u32);

impl Literal {
    /// The signal that is never on.
    pub const FALSE: Literal = Literal(0);
    /// The signal that is always on.
    pub const TRUE: Literal = Literal(1);

    /// A constant.
    pub fn constant(value: bool) -> Literal {
        Literal(u32::from(value))
    }

    /// The literal with a code: twice the number of its node, one more if it is negated.
    pub fn from_code(code: usize) -> Literal {
        Literal(code as u32)
    }

    /// Twice the number of its node, one more if it is negated.
    pub fn code(self) -> usize {
        self.0 as usize
    }

    /// The node.
    pub fn node(self) -> Node {
        Node(self.0 >> 1)
    }

    /// Whether it is the negation of its node.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Whether it is one of the two constants.
    pub fn is_constant(self) -> bool {
        self.0 < 2
    }

    /// The literal, negated if that is asked.
    #[must_use]
    pub fn flip_if(self, negate: bool) -> Literal {
        Literal(self.0 ^ u32::from(negate))
    }
}

impl std::ops::Not for Literal {
    type Output = Literal;
    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}
