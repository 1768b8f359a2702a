//! Formulas as text, with no more parentheses than needed.

use std::fmt::{self, Display, Formatter};

use crate::{Binary, Formula, Interval, Kind, Placeholder, Unary};

/// How tightly an operator binds: weaker operands need parentheses. As in NuSMV: `->` is
/// weakest, then `<->`, `|` and `xor`, `&`, the binary temporal operators, the unary ones, `!`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strength {
    Implies,
    Iff,
    Or,
    And,
    Temporal,
    Prefix,
}

pub(crate) fn strength(operator: Binary) -> Strength {
    match operator {
        Binary::Implies => Strength::Implies,
        Binary::Iff => Strength::Iff,
        Binary::Or | Binary::Xor => Strength::Or,
        Binary::And => Strength::And,
        _ => Strength::Temporal,
    }
}

impl<A: Display> Display for Formula<A> {
    /// In NuSMV's syntax, where `A [p U q]` and `E [p U q]` are in brackets.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Constant(true) => f.write_str("TRUE"),
            Kind::Constant(false) => f.write_str("FALSE"),
            Kind::Atom(atom) => write!(f, "{atom}"),
            Kind::Placeholder(hole) => write!(f, "{hole}"),
            Kind::Unary(operator, operand) => {
                f.write_str(word(*operator))?;
                let steps = interval(*operator);
                if let Some(steps) = steps {
                    write!(f, " {steps}")?;
                }
                match &operand.kind {
                    // `AG p`: the quantifier and the operator are one word.
                    Kind::Unary(inner, _) if is_quantifier(*operator) && is_future(*inner) => {
                        write!(f, "{operand}")
                    }
                    Kind::Binary(inner, left, right)
                        if is_quantifier(*operator) && strength(*inner) == Strength::Temporal =>
                    {
                        f.write_str(" [")?;
                        side(f, left, shows_temporal(left))?;
                        between(f, *inner)?;
                        side(f, right, shows_temporal(right))?;
                        f.write_str("]")
                    }
                    Kind::Binary(..) => {
                        let gap = if *operator == Unary::Not { "" } else { " " };
                        write!(f, "{gap}({operand})")
                    }
                    _ if *operator == Unary::Not => write!(f, "{operand}"),
                    _ => write!(f, " {operand}"),
                }
            }
            Kind::Binary(operator, left, right) => {
                let here = strength(*operator);
                // Chains of `&`, `|` and the like lean left, implications lean right.
                let (on_left, on_right) = match operator {
                    Binary::Implies => (needs(left, here, true), needs(right, here, false)),
                    Binary::And | Binary::Or | Binary::Xor | Binary::Iff => {
                        (needs(left, here, false), needs(right, here, true))
                    }
                    _ => (needs(left, here, true), needs(right, here, true)),
                };
                side(f, left, on_left)?;
                between(f, *operator)?;
                side(f, right, on_right)
            }
        }
    }
}

fn between(f: &mut Formatter<'_>, operator: Binary) -> fmt::Result {
    match operator {
        Binary::Until(Some(steps)) => write!(f, " BU {}..{} ", steps.from, UpperEnd(steps.to)),
        _ => write!(f, " {} ", sign(operator)),
    }
}

/// Whether a binary temporal operator might show outside all parentheses: in `A [p U q]` it
/// would be taken for the one that the brackets are for.
fn shows_temporal<A>(formula: &Formula<A>) -> bool {
    match &formula.kind {
        Kind::Binary(operator, left, right) => {
            strength(*operator) == Strength::Temporal
                || shows_temporal(left)
                || shows_temporal(right)
        }
        _ => false,
    }
}

fn side<A: Display>(f: &mut Formatter<'_>, formula: &Formula<A>, parentheses: bool) -> fmt::Result {
    match parentheses {
        true => write!(f, "({formula})"),
        false => write!(f, "{formula}"),
    }
}

fn needs<A>(operand: &Formula<A>, here: Strength, also_if_equal: bool) -> bool {
    match &operand.kind {
        Kind::Binary(operator, ..) => {
            let inner = strength(*operator);
            inner < here || (also_if_equal && inner == here)
        }
        _ => false,
    }
}

fn is_quantifier(operator: Unary) -> bool {
    matches!(operator, Unary::ForAll | Unary::Exists)
}

fn is_future(operator: Unary) -> bool {
    matches!(
        operator,
        Unary::Next | Unary::Finally(_) | Unary::Globally(_)
    )
}

fn word(operator: Unary) -> &'static str {
    match operator {
        Unary::Not => "!",
        Unary::ForAll => "A",
        Unary::Exists => "E",
        Unary::Next => "X",
        Unary::Finally(_) => "F",
        Unary::Globally(_) => "G",
        Unary::Yesterday => "Y",
        Unary::WeakYesterday => "Z",
        Unary::Once(_) => "O",
        Unary::Historically(_) => "H",
    }
}

fn interval(operator: Unary) -> Option<Interval> {
    match operator {
        Unary::Finally(steps)
        | Unary::Globally(steps)
        | Unary::Once(steps)
        | Unary::Historically(steps) => steps,
        _ => None,
    }
}

fn sign(operator: Binary) -> &'static str {
    match operator {
        Binary::And => "&",
        Binary::Or => "|",
        Binary::Xor => "xor",
        Binary::Implies => "->",
        Binary::Iff => "<->",
        Binary::Until(_) => "U",
        Binary::Release => "V",
        Binary::WeakUntil => "W",
        Binary::Since => "S",
        Binary::Triggered => "T",
    }
}

impl Display for Interval {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}]", self.from, UpperEnd(self.to))
    }
}

struct UpperEnd(Option<u32>);

impl Display for UpperEnd {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(end) => write!(f, "{end}"),
            None => f.write_str("inf"),
        }
    }
}

impl<A: Display> Display for Placeholder<A> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("?")?;
        let Some(over) = &self.over else {
            return Ok(());
        };
        for (i, atom) in over.iter().enumerate() {
            write!(f, "{}{atom}", if i == 0 { "{" } else { ", " })?;
        }
        f.write_str(if over.is_empty() { "{}" } else { "}" })
    }
}
