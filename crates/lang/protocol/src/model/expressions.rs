//! Conditions and numbers.

use quotient_core::Span;

use super::Value;

/// A process that an expression speaks of: its depth in the scope. In a step, 0 is the process
/// that takes it, then come its witnesses, then the quantified ones.
pub(crate) type Who = usize;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expr {
    Constant(Value),
    Global(usize),
    Field(Who, usize),
    /// What the first carries for the second.
    Pair(Who, Who, usize),
    /// A value chosen by the step.
    Choice(usize),
    /// The number of processes.
    Size,
    Not(Box<Expr>),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    Compare(Comparison, Box<Expr>, Box<Expr>),
    Arithmetic(Arithmetic, Box<Expr>, Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    Same(Who, Who),
    /// The left stands somewhere to the left of the right.
    Before(Who, Who),
    /// The right is the right neighbour of the left.
    Next(Who, Who),
    First(Who),
    Last(Who),
    /// Nobody carries the mark.
    Nobody(usize),
    Quantified {
        exists: bool,
        bound: Bound,
        body: Box<Expr>,
    },
    Count {
        bound: Bound,
        body: Box<Expr>,
        comparison: Comparison,
        number: Value,
    },
    /// So many processes satisfy a plain condition; the number depends on how many there are.
    Threshold {
        bound: Bound,
        body: Box<Expr>,
        comparison: Comparison,
        threshold: Box<Expr>,
    },
    /// How many processes satisfy a condition: a number, within [`Expr::Sums`] only.
    HowMany {
        bound: Bound,
        body: Box<Expr>,
    },
    /// Numbers in which processes are counted, where no counts by themselves say the same.
    Sums(Comparison, Box<Expr>, Box<Expr>),
    Empty(usize),
    Matches(usize, String, Span),
}

impl Expr {
    pub(crate) const TRUE: Expr = Expr::Constant(1);

    /// Whether it speaks only of values, not of where processes stand or whether they exist.
    pub(crate) fn is_plain(&self) -> bool {
        match self {
            Expr::Constant(_)
            | Expr::Global(_)
            | Expr::Field(..)
            | Expr::Pair(..)
            | Expr::Choice(_)
            | Expr::Size => true,
            Expr::Not(inner) => inner.is_plain(),
            Expr::And(all) | Expr::Or(all) => all.iter().all(Expr::is_plain),
            Expr::Compare(_, left, right) | Expr::Arithmetic(_, left, right) => {
                left.is_plain() && right.is_plain()
            }
            Expr::If(condition, yes, no) => [condition, yes, no].iter().all(|part| part.is_plain()),
            _ => false,
        }
    }

    /// Whether it speaks only of values, and of who is the same process as who.
    pub(crate) fn is_of_values_and_identities(&self) -> bool {
        match self {
            Expr::Same(..) => true,
            Expr::Not(inner) => inner.is_of_values_and_identities(),
            Expr::And(all) | Expr::Or(all) => all.iter().all(Expr::is_of_values_and_identities),
            plain => plain.is_plain(),
        }
    }
}

/// The range of a quantified process; its own number is the depth of the scope around it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Bound {
    pub(crate) different_from: Vec<Who>,
    pub(crate) left_of: Option<Who>,
    pub(crate) right_of: Option<Who>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    Different,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    /// The comparison that says the same with its sides exchanged.
    pub(crate) fn mirrored(self) -> Comparison {
        match self {
            Comparison::Less => Comparison::Greater,
            Comparison::LessOrEqual => Comparison::GreaterOrEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterOrEqual => Comparison::LessOrEqual,
            same => same,
        }
    }

    pub(crate) fn holds(self, left: Value, right: Value) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::Different => left != right,
            Comparison::Less => left < right,
            Comparison::LessOrEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterOrEqual => left >= right,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    /// Only in what a count is compared with.
    Divide,
    Modulo,
}

impl Arithmetic {
    /// The result, if there is one.
    pub(crate) fn apply(self, left: Value, right: Value) -> Option<Value> {
        match self {
            Arithmetic::Add => left.checked_add(right),
            Arithmetic::Subtract => left.checked_sub(right),
            Arithmetic::Multiply => left.checked_mul(right),
            Arithmetic::Divide => None,
            Arithmetic::Modulo => left.checked_rem_euclid(right),
        }
    }
}
