//! The data of word-level models.

use quotient_core::Span;

use super::Word;

/// A node of a model, by its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// Its place: nodes come after those that they are made of.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What the values of a node are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sort {
    /// Words of so many bits.
    Bits(u32),
    /// Arrays of words, by words: the widths of index and element.
    Array(u32, u32),
}

/// A node or its negation, bit by bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Operand {
    /// The node.
    pub node: NodeId,
    /// Whether it is negated.
    pub negated: bool,
}

/// What can be done with values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Operator {
    Not,
    Inc,
    Dec,
    Neg,
    Redand,
    Redor,
    Redxor,
    Iff,
    Implies,
    Eq,
    Neq,
    Sgt,
    Ugt,
    Sgte,
    Ugte,
    Slt,
    Ult,
    Slte,
    Ulte,
    And,
    Nand,
    Nor,
    Or,
    Xnor,
    Xor,
    Rol,
    Ror,
    Sll,
    Sra,
    Srl,
    Add,
    Mul,
    Sdiv,
    Udiv,
    Smod,
    Srem,
    Urem,
    Sub,
    Saddo,
    Uaddo,
    Sdivo,
    Smulo,
    Umulo,
    Ssubo,
    Usubo,
    Concat,
    Read,
    Write,
    Ite,
    /// Bits from the first number down to the second.
    Slice(u32, u32),
    /// So many zeros before it.
    Uext(u32),
    /// So many copies of the sign before it.
    Sext(u32),
}

/// What a node is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// A value that never changes.
    Constant(Word),
    /// An input, by its number.
    Input(usize),
    /// A state, by its number.
    State(usize),
    /// An operation.
    Apply(Operator, Vec<Operand>),
}

/// A state: a word or an array that is kept from step to step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// Its node.
    pub node: NodeId,
    /// What it is at the start; anything if there is nothing.
    pub start: Option<Operand>,
    /// What it is after the next step; anything if there is nothing.
    pub next: Option<Operand>,
    /// Its name, or its number in the file.
    pub name: String,
}

/// A property or an output with its name and place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The signal, a word of one bit where it is asked about.
    pub signal: Operand,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The line.
    pub span: Span,
}

/// A word-level model.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// Nodes with their sorts.
    pub(super) nodes: Vec<(Node, Sort)>,
    /// Inputs: node and name.
    pub(super) inputs: Vec<(NodeId, String)>,
    pub(super) states: Vec<State>,
    /// Signals that must never be on.
    pub bad: Vec<Asked>,
    /// Signals that are on in all runs.
    pub constraints: Vec<Asked>,
    /// Signals to look at.
    pub outputs: Vec<Asked>,
    /// Sets of signals that must not all be on infinitely often.
    pub justice: Vec<(Vec<Operand>, Span)>,
    /// Signals that are on infinitely often in all runs that justice is about.
    pub fairness: Vec<Asked>,
}

impl Model {
    /// The nodes with their sorts, those that a node is made of before it.
    pub fn nodes(&self) -> &[(Node, Sort)] {
        &self.nodes
    }

    /// Whether an array is among its states and inputs.
    pub fn has_arrays(&self) -> bool {
        let mut nodes = self.nodes.iter();
        nodes.any(|(_, sort)| matches!(sort, Sort::Array(..)))
    }

    /// The node at a place.
    pub fn node_at(&self, index: usize) -> Option<NodeId> {
        let place = u32::try_from(index).ok()?;
        (index < self.nodes.len()).then_some(NodeId(place))
    }

    /// What the values of a node are.
    pub fn sort(&self, node: NodeId) -> Sort {
        self.nodes[node.index()].1
    }

    /// The inputs: node and name.
    pub fn inputs(&self) -> &[(NodeId, String)] {
        &self.inputs
    }

    /// The states.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// Of each state whether some signals or the constraints depend on it in any number of steps.
    pub fn states_that_matter(&self, signals: &[Operand]) -> Vec<bool> {
        let mut seen = vec![false; self.nodes.len()];
        let mut open: Vec<usize> = signals.iter().map(|one| one.node.index()).collect();
        open.extend(self.constraints.iter().map(|one| one.signal.node.index()));
        let mut nexts = vec![None; self.nodes.len()];
        for state in &self.states {
            nexts[state.node.index()] = state.next;
        }
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut seen[node], true) {
                continue;
            }
            if let Node::Apply(_, operands) = &self.nodes[node].0 {
                open.extend(operands.iter().map(|one| one.node.index()));
            }
            open.extend(nexts[node].map(|next| next.node.index()));
        }
        let states = self.states.iter();
        states.map(|state| seen[state.node.index()]).collect()
    }
}
