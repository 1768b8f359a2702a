//! Properties of PSL in few operators: what the language has in addition is written with them.

use quotient_logic::{Binary, Unary};

/// A property of PSL over Boolean expressions of some kind. Paths are infinite, so the weak and
/// the strong `next` are the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Psl<L> {
    /// An expression about one state.
    Boolean(L),
    /// The opposite.
    Not(Box<Psl<L>>),
    /// `X`, `F` or `G`, the last two perhaps within an interval of steps.
    Unary(Unary, Box<Psl<L>>),
    /// A connective, `U` or `W`.
    Binary(Binary, Box<Psl<L>>, Box<Psl<L>>),
    /// `{r}!`: some steps from here on match. Without the `!`: or no step so far rules it out.
    Matches {
        /// Whether the match must come.
        strong: bool,
        /// What matches.
        sequence: Sequence<L>,
    },
    /// `{r} |-> p`: `p` at the end of every match from here on.
    After(Sequence<L>, Box<Psl<L>>),
}

/// A sequence of PSL (a SERE): what a number of consecutive states looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sequence<L> {
    /// One state, whatever it is.
    Any,
    /// One state with an expression.
    Boolean(L),
    /// `r ; s`: one behind the other.
    Then(Box<Sequence<L>>, Box<Sequence<L>>),
    /// `r : s`: the last state of the one is the first of the other.
    Overlap(Box<Sequence<L>>, Box<Sequence<L>>),
    /// `r | s`: one of the two.
    Either(Box<Sequence<L>>, Box<Sequence<L>>),
    /// `r && s`: both, equally long.
    Both(Box<Sequence<L>>, Box<Sequence<L>>),
    /// `r[*2:5]`: so often behind each other; without an end, any number from there on.
    Repeat(Box<Sequence<L>>, u32, Option<u32>),
}

impl<L> Psl<L> {
    /// Puts an operator in front.
    pub(crate) fn unary(operator: Unary, operand: Psl<L>) -> Psl<L> {
        Psl::Unary(operator, Box::new(operand))
    }

    /// Puts an operator in between.
    pub(crate) fn binary(operator: Binary, left: Psl<L>, right: Psl<L>) -> Psl<L> {
        Psl::Binary(operator, Box::new(left), Box::new(right))
    }

    /// Whether a sequence occurs.
    pub(crate) fn has_sequence(&self) -> bool {
        match self {
            Psl::Boolean(_) => false,
            Psl::Not(operand) | Psl::Unary(_, operand) => operand.has_sequence(),
            Psl::Binary(_, left, right) => left.has_sequence() || right.has_sequence(),
            Psl::Matches { .. } | Psl::After(..) => true,
        }
    }

    /// How many operators and expressions there are.
    pub(crate) fn size(&self) -> usize {
        match self {
            Psl::Boolean(_) => 1,
            Psl::Not(operand) | Psl::Unary(_, operand) => 1 + operand.size(),
            Psl::Binary(_, left, right) => 1 + left.size() + right.size(),
            Psl::Matches { sequence, .. } => 1 + sequence.size(),
            Psl::After(sequence, property) => 1 + sequence.size() + property.size(),
        }
    }

    /// The same property over other expressions, if each has its counterpart.
    pub(crate) fn map<M, E>(&self, leaf: &mut impl FnMut(&L) -> Result<M, E>) -> Result<Psl<M>, E> {
        Ok(match self {
            Psl::Boolean(one) => Psl::Boolean(leaf(one)?),
            Psl::Not(operand) => Psl::Not(Box::new(operand.map(leaf)?)),
            Psl::Unary(operator, operand) => Psl::unary(*operator, operand.map(leaf)?),
            Psl::Binary(operator, left, right) => {
                let left = left.map(leaf)?;
                Psl::binary(*operator, left, right.map(leaf)?)
            }
            Psl::Matches { strong, sequence } => Psl::Matches {
                strong: *strong,
                sequence: sequence.map(leaf)?,
            },
            Psl::After(sequence, property) => {
                let sequence = sequence.map(leaf)?;
                Psl::After(sequence, Box::new(property.map(leaf)?))
            }
        })
    }
}

impl<L> Sequence<L> {
    /// Puts one behind the other.
    pub(crate) fn then(self, next: Sequence<L>) -> Sequence<L> {
        Sequence::Then(Box::new(self), Box::new(next))
    }

    /// Repeats it.
    pub(crate) fn repeat(self, from: u32, to: Option<u32>) -> Sequence<L> {
        Sequence::Repeat(Box::new(self), from, to)
    }

    fn size(&self) -> usize {
        match self {
            Sequence::Any | Sequence::Boolean(_) => 1,
            Sequence::Then(left, right)
            | Sequence::Overlap(left, right)
            | Sequence::Either(left, right)
            | Sequence::Both(left, right) => 1 + left.size() + right.size(),
            Sequence::Repeat(operand, ..) => 1 + operand.size(),
        }
    }

    fn map<M, E>(&self, leaf: &mut impl FnMut(&L) -> Result<M, E>) -> Result<Sequence<M>, E> {
        let mut both = |left: &Sequence<L>, right: &Sequence<L>| {
            let left = Box::new(left.map(leaf)?);
            Ok((left, Box::new(right.map(leaf)?)))
        };
        Ok(match self {
            Sequence::Any => Sequence::Any,
            Sequence::Boolean(one) => Sequence::Boolean(leaf(one)?),
            Sequence::Then(left, right) => {
                let (left, right) = both(left, right)?;
                Sequence::Then(left, right)
            }
            Sequence::Overlap(left, right) => {
                let (left, right) = both(left, right)?;
                Sequence::Overlap(left, right)
            }
            Sequence::Either(left, right) => {
                let (left, right) = both(left, right)?;
                Sequence::Either(left, right)
            }
            Sequence::Both(left, right) => {
                let (left, right) = both(left, right)?;
                Sequence::Both(left, right)
            }
            Sequence::Repeat(operand, from, to) => {
                Sequence::Repeat(Box::new(operand.map(leaf)?), *from, *to)
            }
        })
    }
}
