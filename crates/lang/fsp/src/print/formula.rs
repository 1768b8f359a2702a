use std::fmt::{self, Display, Formatter};

use super::process::parameters;
use super::separated;
use crate::syntax::{Assertion, AssertionKind, Fluent, FormulaKind, FormulaSyntax};

impl Display for Fluent {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "fluent {}", self.name.text)?;
        separated(f, &self.indices, "")?;
        write!(f, " = <{}, {}>", self.begin, self.end)?;
        match &self.initially {
            Some(initially) => write!(f, " initially {}", initially.simple()),
            None => Ok(()),
        }
    }
}

impl Display for Assertion {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            AssertionKind::Assert => "assert ",
            AssertionKind::Constraint => "constraint ",
            AssertionKind::Property => "ltl_property ",
        })?;
        f.write_str(&self.name.text)?;
        parameters(f, &self.parameters)?;
        f.write_str(" = ")?;
        self.formula.fmt_inside(f)?;
        match &self.extension {
            Some(extension) => write!(f, " + {extension}"),
            None => Ok(()),
        }
    }
}

impl Display for FormulaSyntax {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (left, operator, right) = match &self.kind {
            FormulaKind::Name(name, indices) => {
                f.write_str(&name.text)?;
                return separated(f, indices, "");
            }
            FormulaKind::Call(name, arguments) => {
                write!(f, "{}(", name.text)?;
                separated(f, arguments, ", ")?;
                return f.write_str(")");
            }
            FormulaKind::Action(label) => return write!(f, "{label}"),
            FormulaKind::Rigid(expression) => return write!(f, "rigid {}", expression.simple()),
            FormulaKind::Not(inner) => return prefixed(f, "!", inner),
            FormulaKind::Next(inner) => return prefixed(f, "X ", inner),
            FormulaKind::Eventually(inner) => return prefixed(f, "<>", inner),
            FormulaKind::Always(inner) => return prefixed(f, "[]", inner),
            FormulaKind::ForAll(indices, inner) => {
                f.write_str("forall ")?;
                separated(f, indices, "")?;
                return prefixed(f, " ", inner);
            }
            FormulaKind::Exists(indices, inner) => {
                f.write_str("exists ")?;
                separated(f, indices, "")?;
                return prefixed(f, " ", inner);
            }
            FormulaKind::And(left, right) => (left, "&&", right),
            FormulaKind::Or(left, right) => (left, "||", right),
            FormulaKind::Implies(left, right) => (left, "->", right),
            FormulaKind::Equivalent(left, right) => (left, "<->", right),
            FormulaKind::Until(left, right) => (left, "U", right),
            FormulaKind::WeakUntil(left, right) => (left, "W", right),
        };
        left.fmt_inside(f)?;
        write!(f, " {operator} ")?;
        right.fmt_inside(f)
    }
}

fn prefixed(f: &mut Formatter<'_>, operator: &str, inner: &FormulaSyntax) -> fmt::Result {
    f.write_str(operator)?;
    inner.fmt_inside(f)
}

impl FormulaSyntax {
    /// Formulas with two operands stand in brackets, since few know how LTSA's operators bind.
    fn fmt_inside(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            FormulaKind::And(..)
            | FormulaKind::Or(..)
            | FormulaKind::Implies(..)
            | FormulaKind::Equivalent(..)
            | FormulaKind::Until(..)
            | FormulaKind::WeakUntil(..) => write!(f, "({self})"),
            _ => write!(f, "{self}"),
        }
    }
}
