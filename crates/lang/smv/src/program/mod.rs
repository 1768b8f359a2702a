//! The flat model: variables, typed expressions and constraints, with all modules inlined.
//!
//! * `value`: values and types;
//! * `arithmetic`: operators on single values;
//! * `node`: the graph of typed expressions;
//! * this file: the program that the rest of the crate works on.

mod arithmetic;
mod node;
mod value;

use quotient_core::{Source, Span};
use quotient_logic::Formula;

pub use node::{Failure, FailureKind, Node, NodeId, Operator};
pub use value::{Bits, Domain, Element, SymbolId, Type, Value, WIDEST};

pub(crate) use arithmetic::{apply, resize};
pub(crate) use node::{Nodes, operands};

use crate::syntax::{Psl, SpecificationKind};

/// A variable of a [`Program`], by position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub(crate) u32);

impl VariableId {
    /// The position in [`Program::variables`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a variable changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `VAR`: part of the state.
    State,
    /// `IVAR`: chosen anew in every step.
    Input,
    /// `FROZENVAR`: part of the state, never changes.
    Frozen,
}

/// A variable with its full name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// The full name, e.g. `sender.queue[2]`.
    pub name: String,
    /// How it changes.
    pub kind: Kind,
    /// Its values.
    pub domain: Domain,
    /// Where it is declared.
    pub span: Span,
}

/// When an assignment fixes a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum When {
    /// `init(x) := …`: in initial states.
    Initially,
    /// `next(x) := …`: after every step.
    Next,
    /// `x := …`: in every state.
    Always,
}

/// `x := value`: the variable has one of the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Assignment {
    /// When it applies.
    pub when: When,
    /// The variable.
    pub variable: VariableId,
    /// Its value, or the set of its values.
    pub value: NodeId,
    /// Where it is written.
    pub span: Span,
}

/// A property to check.
#[derive(Debug, Clone)]
pub struct Specification {
    /// How it was written; `PSLSPEC` without sequences is LTL.
    pub kind: SpecificationKind,
    /// Whether it was written as `PSLSPEC`.
    pub is_psl: bool,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// What it says; atoms are Boolean expressions of the program.
    pub formula: Formula<NodeId>,
    /// The text of the formula.
    pub text: String,
    /// Where the formula stands.
    pub span: Span,
}

/// A specification of the source that is no formula of CTL or LTL.
#[derive(Debug, Clone)]
pub struct Special {
    /// How many specifications that are formulas stand before it.
    pub place: usize,
    /// The word that opens it: `PSLSPEC`, `HCTLSPEC`, `COMPUTE`.
    pub keyword: String,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The text of what it says.
    pub text: String,
    /// Where that stands.
    pub span: Span,
    /// What it says.
    pub says: Saying,
}

/// What a [`Special`] specification says.
#[derive(Debug, Clone)]
pub enum Saying {
    /// A property of PSL with sequences.
    Property(Psl<NodeId>),
    /// A formula of branching time with names for states.
    Hybrid(quotient_logic::Hybrid<NodeId>),
    /// How many steps it takes from some states to others.
    Distance(Distance),
    /// Something that is not supported: why.
    Unread(String),
}

impl Saying {
    /// The expressions that it speaks about.
    pub(crate) fn atoms(&self) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut keep = |&node: &NodeId| {
            found.push(node);
            Ok::<NodeId, std::convert::Infallible>(node)
        };
        match self {
            Saying::Property(property) => drop(property.map(&mut keep)),
            Saying::Hybrid(formula) => drop(formula.try_map(&mut keep)),
            Saying::Distance(distance) => found.extend(distance.atoms()),
            Saying::Unread(_) => {}
        }
        found
    }
}

/// `COMPUTE MIN [start, goal]` or `COMPUTE MAX [start, goal]`.
#[derive(Debug, Clone)]
pub struct Distance {
    /// Whether the longest way is meant.
    pub longest: bool,
    /// Where ways begin: a formula of CTL.
    pub start: Formula<NodeId>,
    /// Where they end.
    pub goal: Formula<NodeId>,
}

impl Distance {
    /// The expressions that both formulas speak about.
    pub(crate) fn atoms(&self) -> Vec<NodeId> {
        let formulas = [&self.start, &self.goal];
        formulas
            .into_iter()
            .flat_map(Formula::atoms)
            .copied()
            .collect()
    }
}

/// A model with all modules inlined: plain data for engines, evaluators and printers.
#[derive(Debug, Clone)]
pub struct Program {
    pub(crate) source: Source,
    pub(crate) symbols: Vec<String>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) nodes: Nodes,
    pub(crate) defines: Vec<(String, NodeId)>,
    pub(crate) init: Vec<NodeId>,
    pub(crate) invariants: Vec<NodeId>,
    pub(crate) transitions: Vec<NodeId>,
    pub(crate) assignments: Vec<Assignment>,
    pub(crate) justice: Vec<NodeId>,
    pub(crate) compassion: Vec<(NodeId, NodeId)>,
    pub(crate) specifications: Vec<Specification>,
    pub(crate) specials: Vec<Special>,
}

impl Program {
    /// The text that it was read from.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// All variables, in the order of declaration.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// One variable.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.index()]
    }

    /// All variables by id.
    pub fn variable_ids(&self) -> impl Iterator<Item = VariableId> + use<> {
        (0..self.variables.len() as u32).map(VariableId)
    }

    /// Definitions with a value of their own (no arrays), by full name.
    pub fn defines(&self) -> &[(String, NodeId)] {
        &self.defines
    }

    /// Constraints on initial states, apart from assignments.
    pub fn init(&self) -> &[NodeId] {
        &self.init
    }

    /// Constraints on all states, apart from assignments.
    pub fn invariants(&self) -> &[NodeId] {
        &self.invariants
    }

    /// Constraints on steps, apart from assignments.
    pub fn transitions(&self) -> &[NodeId] {
        &self.transitions
    }

    /// All assignments; at most one for a variable and a [`When`].
    pub fn assignments(&self) -> &[Assignment] {
        &self.assignments
    }

    /// Conditions that hold infinitely often on the paths that count.
    pub fn justice(&self) -> &[NodeId] {
        &self.justice
    }

    /// Pairs: the second holds infinitely often if the first does.
    pub fn compassion(&self) -> &[(NodeId, NodeId)] {
        &self.compassion
    }

    /// The properties to check, in the order of the source.
    pub fn specifications(&self) -> &[Specification] {
        &self.specifications
    }

    /// The specifications of the source that are no formulas, in its order.
    pub fn specials(&self) -> &[Special] {
        &self.specials
    }

    /// What an expression is made of.
    pub fn node(&self, id: NodeId) -> Node {
        self.nodes.node(id)
    }

    /// The type of an expression.
    pub fn type_of(&self, id: NodeId) -> Type {
        self.nodes.type_of(id)
    }

    /// Where an expression was first written.
    pub fn span(&self, id: NodeId) -> Span {
        self.nodes.span(id)
    }

    /// What can go wrong at a [`Node::Failure`].
    pub fn failure(&self, failure: Failure) -> (FailureKind, Span) {
        self.nodes.failure(failure)
    }

    /// How many expressions there are; their ids are below, operands first.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// All expressions that the given ones are made of, operands first.
    pub fn nodes_below(&self, roots: impl IntoIterator<Item = NodeId>) -> Vec<NodeId> {
        self.nodes.below(roots)
    }

    /// A value as SMV writes it.
    pub fn show(&self, value: Value) -> String {
        match value {
            Value::Symbol(symbol) => self.symbols[symbol.index()].clone(),
            other => other.to_string(),
        }
    }

    /// The value of a domain that is written like this.
    pub fn read_value(&self, domain: &Domain, text: &str) -> Option<Value> {
        // A process may be called like a constant: the domain decides.
        let named = || {
            let symbols = (0..self.symbols.len() as u32).map(SymbolId);
            let alike = symbols.filter(|symbol| self.symbols[symbol.index()] == text);
            alike
                .map(Value::Symbol)
                .find(|&value| domain.contains(value))
        };
        let number = || text.parse().ok().map(Value::Integer);
        let value = match domain {
            Domain::Boolean => match text {
                "TRUE" => Some(Value::Boolean(true)),
                "FALSE" => Some(Value::Boolean(false)),
                _ => None,
            },
            Domain::Range(..) => number(),
            Domain::Enumeration(_) => number().or_else(named),
            &Domain::Word { signed, width } => {
                // As it is shown: `-0sd4_3`.
                let (negative, digits) = match text.strip_prefix('-') {
                    Some(rest) => (true, rest),
                    None => (false, text),
                };
                let (_, digits) = digits.split_once('_')?;
                let magnitude = Bits::read(digits, 10)?;
                let bits = if negative {
                    magnitude.negated()
                } else {
                    magnitude
                };
                Some(Value::word(signed, width, bits))
            }
        };
        value.filter(|&value| domain.contains(value) && self.show(value) == text)
    }

    /// The symbolic constants, by [`SymbolId`].
    pub fn symbols(&self) -> &[String] {
        &self.symbols
    }
}
