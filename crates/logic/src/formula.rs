//! The tree that all temporal logics here share.

use quotient_core::Span;

/// A formula of CTL*, with past operators and placeholders, and where it stands in its source.
///
/// CTL and LTL are fragments: in CTL every temporal operator stands directly under a path
/// quantifier, in LTL there are no quantifiers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Formula<A> {
    /// What it says.
    pub kind: Kind<A>,
    /// Where it stands; empty for formulas that no user wrote.
    pub span: Span,
}

/// What a formula says.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Kind<A> {
    /// Always true, or always false.
    Constant(bool),
    /// A statement about one state.
    Atom(A),
    /// A hole of a query: what could stand here to make the formula true?
    Placeholder(Placeholder<A>),
    /// One operand.
    Unary(Unary, Box<Formula<A>>),
    /// Two operands.
    Binary(Binary, Box<Formula<A>>, Box<Formula<A>>),
}

/// The hole `?`, or `?{p, q}` where only statements over the listed atoms may stand.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Placeholder<A> {
    /// The atoms of interest; `None` for all.
    pub over: Option<Vec<A>>,
}

/// Operators with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unary {
    /// Negation.
    Not,
    /// On all paths.
    ForAll,
    /// On some path.
    Exists,
    /// In the next state (`X`).
    Next,
    /// In some state from now on (`F`), perhaps within an interval of steps.
    Finally(Option<Interval>),
    /// In all states from now on (`G`), perhaps within an interval of steps.
    Globally(Option<Interval>),
    /// In the state before, and there is one (`Y`).
    Yesterday,
    /// In the state before, if there is one (`Z`).
    WeakYesterday,
    /// In some state so far (`O`), perhaps within an interval of steps.
    Once(Option<Interval>),
    /// In all states so far (`H`), perhaps within an interval of steps.
    Historically(Option<Interval>),
}

/// Operators with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Binary {
    /// Both.
    And,
    /// At least one.
    Or,
    /// Exactly one.
    Xor,
    /// If the left, then the right.
    Implies,
    /// Both or neither.
    Iff,
    /// The right eventually, and the left until then (`U`), perhaps within an interval.
    Until(Option<Interval>),
    /// The right up to and including the first left, or for ever (`V`, `R`).
    Release,
    /// The left until the right, or for ever (`W`).
    WeakUntil,
    /// The right once, and the left ever since (`S`).
    Since,
    /// The right ever since the last left, or always so far (`T`).
    Triggered,
}

/// Steps `from..=to`; no upper end means for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Interval {
    /// The first step.
    pub from: u32,
    /// The last step.
    pub to: Option<u32>,
}

impl<A> Formula<A> {
    /// A formula that stands at a place in a source.
    pub fn new(kind: Kind<A>, span: Span) -> Formula<A> {
        Formula { kind, span }
    }

    /// An atom that no user wrote.
    pub fn atom(atom: A) -> Formula<A> {
        Formula::new(Kind::Atom(atom), Span::default())
    }

    /// True or false.
    pub fn constant(value: bool) -> Formula<A> {
        Formula::new(Kind::Constant(value), Span::default())
    }

    /// Puts an operator in front; the span is the operand's.
    pub fn unary(operator: Unary, operand: Formula<A>) -> Formula<A> {
        let span = operand.span;
        Formula::new(Kind::Unary(operator, Box::new(operand)), span)
    }

    /// Puts an operator in between; the span covers both operands.
    pub fn binary(operator: Binary, left: Formula<A>, right: Formula<A>) -> Formula<A> {
        let span = left.span.to(right.span);
        Formula::new(
            Kind::Binary(operator, Box::new(left), Box::new(right)),
            span,
        )
    }
}

impl<A> std::ops::Not for Formula<A> {
    type Output = Formula<A>;

    fn not(self) -> Formula<A> {
        Formula::unary(Unary::Not, self)
    }
}
