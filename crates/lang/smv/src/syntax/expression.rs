//! Expressions as they are written.
//!
//! All expressions of a file live in one arena, operands before what they are part of. An
//! expression is a contiguous run of nodes that ends with its root, so that whoever works on
//! one walks the run from left to right and needs no recursion, however deep the nesting.

use quotient_core::Span;
use quotient_logic::{Binary, Interval, Unary};

use super::NameId;
use crate::program::Bits;

/// A node of the arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SyntaxId(pub(crate) u32);

impl SyntaxId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A run of entries in [`Expressions::lists`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct List {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// What stands at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Syntax {
    Boolean(bool),
    Number(i64),
    Word(WordConstant),
    Name(NameId),
    Itself,
    /// `base.name`.
    Member(SyntaxId, NameId),
    /// `base[index]`: an array element or a bit of a word.
    Index(SyntaxId, SyntaxId),
    /// `base[high:low]`.
    Bits(SyntaxId, SyntaxId, SyntaxId),
    Unary(UnaryOperator, SyntaxId),
    Binary(BinaryOperator, SyntaxId, SyntaxId),
    /// `test ? then : other`.
    Choose(SyntaxId, SyntaxId, SyntaxId),
    /// `case … esac`: tests and values in turn.
    Case(List),
    /// `{a, b}`.
    Set(List),
    /// `low .. high`.
    Range(SyntaxId, SyntaxId),
    /// `next(operand)`.
    Next(SyntaxId),
    Call(Builtin, List),
    /// `[a, b]`, the body of an array definition.
    Array(List),
    Temporal(Temporal),
    /// `?` or `?{p, q}`.
    Placeholder(Option<List>),
}

/// Operators with one operand, apart from the temporal ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum UnaryOperator {
    Not,
    Minus,
}

/// Operators with two operands, apart from the temporal ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum BinaryOperator {
    Concatenate,
    Times,
    Divide,
    Modulo,
    Plus,
    Minus,
    ShiftLeft,
    ShiftRight,
    RotateLeft,
    RotateRight,
    Union,
    In,
    Equal,
    NotEqual,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    And,
    Or,
    Xor,
    Xnor,
    Iff,
    Implies,
}

impl BinaryOperator {
    /// As it is written.
    pub(crate) fn text(self) -> &'static str {
        use BinaryOperator as B;
        match self {
            B::Concatenate => "::",
            B::Times => "*",
            B::Divide => "/",
            B::Modulo => "mod",
            B::Plus => "+",
            B::Minus => "-",
            B::ShiftLeft => "<<",
            B::ShiftRight => ">>",
            B::RotateLeft => "<<<",
            B::RotateRight => ">>>",
            B::Union => "union",
            B::In => "in",
            B::Equal => "=",
            B::NotEqual => "!=",
            B::Less => "<",
            B::Greater => ">",
            B::LessEqual => "<=",
            B::GreaterEqual => ">=",
            B::And => "&",
            B::Or => "|",
            B::Xor => "xor",
            B::Xnor => "xnor",
            B::Iff => "<->",
            B::Implies => "->",
        }
    }
}

/// Functions of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Builtin {
    Word1,
    Bool,
    ToInt,
    Signed,
    Unsigned,
    Extend,
    Resize,
    SignedConstant,
    UnsignedConstant,
    SizeOf,
    Count,
    Abs,
    Max,
    Min,
}

impl Builtin {
    /// The function of that name.
    pub(crate) fn named(name: &str) -> Option<Builtin> {
        Some(match name {
            "word1" => Builtin::Word1,
            "bool" => Builtin::Bool,
            "toint" => Builtin::ToInt,
            "signed" => Builtin::Signed,
            "unsigned" => Builtin::Unsigned,
            "extend" => Builtin::Extend,
            "resize" => Builtin::Resize,
            "swconst" => Builtin::SignedConstant,
            "uwconst" => Builtin::UnsignedConstant,
            "sizeof" => Builtin::SizeOf,
            "count" => Builtin::Count,
            "abs" => Builtin::Abs,
            "max" => Builtin::Max,
            "min" => Builtin::Min,
            _ => return None,
        })
    }

    /// The name it is called by.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Builtin::Word1 => "word1",
            Builtin::Bool => "bool",
            Builtin::ToInt => "toint",
            Builtin::Signed => "signed",
            Builtin::Unsigned => "unsigned",
            Builtin::Extend => "extend",
            Builtin::Resize => "resize",
            Builtin::SignedConstant => "swconst",
            Builtin::UnsignedConstant => "uwconst",
            Builtin::SizeOf => "sizeof",
            Builtin::Count => "count",
            Builtin::Abs => "abs",
            Builtin::Max => "max",
            Builtin::Min => "min",
        }
    }

    /// How many arguments it takes; `None` for one or more.
    pub(crate) fn arity(self) -> Option<usize> {
        match self {
            Builtin::Count => None,
            Builtin::Extend
            | Builtin::Resize
            | Builtin::SignedConstant
            | Builtin::UnsignedConstant
            | Builtin::Max
            | Builtin::Min => Some(2),
            _ => Some(1),
        }
    }
}

/// A word constant as it is written; the width may be left to the digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct WordConstant {
    pub(crate) signed: bool,
    pub(crate) width: u32,
    pub(crate) bits: Bits,
}

/// Temporal operators with their operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Temporal {
    /// `AX`, `EF`, `ABG 1..3`, …: a path quantifier with an operator.
    Quantified(Unary, Unary, SyntaxId),
    /// `A [p U q]`, `E [p BU 1..3 q]`.
    QuantifiedUntil(Unary, Option<Interval>, SyntaxId, SyntaxId),
    /// `X p`, `F [1,3] p`, `Y p`, ….
    Unary(Unary, SyntaxId),
    /// `p U q`, `p S q`, ….
    Binary(Binary, SyntaxId, SyntaxId),
}

/// The arena.
#[derive(Debug, Clone, Default)]
pub(crate) struct Expressions {
    nodes: Vec<Syntax>,
    spans: Vec<Span>,
    /// The first node of the run that each node is the root of.
    firsts: Vec<u32>,
    lists: Vec<SyntaxId>,
}

impl Expressions {
    pub(crate) fn node(&self, id: SyntaxId) -> Syntax {
        self.nodes[id.index()]
    }

    pub(crate) fn span(&self, id: SyntaxId) -> Span {
        self.spans[id.index()]
    }

    /// The nodes of an expression, operands first; the last is the root.
    pub(crate) fn run(&self, root: SyntaxId) -> std::ops::RangeInclusive<u32> {
        self.firsts[root.index()]..=root.0
    }

    pub(crate) fn list(&self, list: List) -> &[SyntaxId] {
        &self.lists[list.start as usize..list.end as usize]
    }

    /// The number of nodes so far: where the next expression will start.
    pub(crate) fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// Adds a node whose operands start at node `first`.
    pub(crate) fn add(&mut self, node: Syntax, span: Span, first: u32) -> SyntaxId {
        let id = SyntaxId(self.nodes.len() as u32);
        self.nodes.push(node);
        self.spans.push(span);
        self.firsts.push(first.min(id.0));
        id
    }

    /// Extends the place of an expression, to the brackets around it.
    pub(crate) fn widen(&mut self, id: SyntaxId, span: Span) {
        self.spans[id.index()] = span;
    }

    pub(crate) fn add_list(&mut self, items: &[SyntaxId]) -> List {
        let start = self.lists.len() as u32;
        self.lists.extend_from_slice(items);
        List {
            start,
            end: self.lists.len() as u32,
        }
    }
}
