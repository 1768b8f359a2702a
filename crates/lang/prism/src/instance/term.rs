//! Expressions with all names resolved.

use quotient_probability::{Expression, Function, Operator};

use super::value::{Value, call, join, negative};
use crate::syntax::{Join, Name, Sort};

/// An expression over the variables of an instance.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Term {
    Value(Value),
    /// A variable and whether it is a truth value.
    Variable(usize, bool),
    Not(Box<Term>),
    Negative(Box<Term>),
    Two(Join, Box<Term>, Box<Term>),
    If(Box<Term>, Box<Term>, Box<Term>),
    Call(Name, Vec<Term>),
}

impl Term {
    pub(crate) fn sort(&self) -> Sort {
        match self {
            Term::Value(value) => value.sort(),
            Term::Variable(_, true) | Term::Not(_) => Sort::Truth,
            Term::Variable(_, false) => Sort::Whole,
            Term::Negative(of) => of.sort(),
            Term::Two(Join::Plus | Join::Minus | Join::Times, left, right) => {
                wider(left.sort(), right.sort())
            }
            Term::Two(Join::Divide, ..) => Sort::Real,
            Term::Two(..) => Sort::Truth,
            Term::If(_, one, other) => wider(one.sort(), other.sort()),
            Term::Call(Name::Floor | Name::Ceil | Name::Round | Name::Mod, _) => Sort::Whole,
            Term::Call(Name::Log | Name::Sqrt, _) => Sort::Real,
            Term::Call(_, parts) => parts.iter().map(Term::sort).fold(Sort::Whole, wider),
        }
    }

    /// Its value in a state, by walking over it; `None` if there is none.
    pub(crate) fn evaluate(&self, state: &[i64]) -> Option<Value> {
        Some(match self {
            Term::Value(value) => value.clone(),
            Term::Variable(variable, true) => Value::Truth(*state.get(*variable)? != 0),
            Term::Variable(variable, false) => Value::Whole(*state.get(*variable)?),
            Term::Not(of) => Value::Truth(!of.evaluate(state)?.holds()),
            Term::Negative(of) => negative(&of.evaluate(state)?)?,
            Term::Two(Join::And, left, right) => {
                let holds = left.evaluate(state)?.holds() && right.evaluate(state)?.holds();
                Value::Truth(holds)
            }
            Term::Two(Join::Or, left, right) => {
                let holds = left.evaluate(state)?.holds() || right.evaluate(state)?.holds();
                Value::Truth(holds)
            }
            Term::Two(Join::Implies, left, right) => {
                let holds = !left.evaluate(state)?.holds() || right.evaluate(state)?.holds();
                Value::Truth(holds)
            }
            Term::Two(how, left, right) => {
                join(*how, &left.evaluate(state)?, &right.evaluate(state)?)?
            }
            Term::If(condition, one, other) => match condition.evaluate(state)?.holds() {
                true => one.evaluate(state)?,
                false => other.evaluate(state)?,
            },
            Term::Call(name, parts) => {
                let parts: Option<Vec<Value>> =
                    parts.iter().map(|part| part.evaluate(state)).collect();
                call(*name, &parts?)?
            }
        })
    }

    /// The same for the engine.
    pub(crate) fn lower(&self) -> Expression {
        let boxed = |term: &Term| Box::new(term.lower());
        match self {
            Term::Value(Value::Real(number, exact)) => {
                Expression::Number(*number, exact.clone().map(Box::new))
            }
            Term::Value(value) => Expression::Number(value.number(), value.exact().map(Box::new)),
            Term::Variable(variable, _) => Expression::Variable(*variable),
            Term::Not(of) => Expression::Not(boxed(of)),
            Term::Negative(of) => Expression::Negative(boxed(of)),
            Term::Two(how, left, right) => lower_join(*how, left.lower(), right.lower()),
            Term::If(condition, one, other) => {
                Expression::If(boxed(condition), boxed(one), boxed(other))
            }
            Term::Call(name, parts) => lower_call(*name, parts),
        }
    }
}

pub(crate) fn wider(left: Sort, right: Sort) -> Sort {
    match (left, right) {
        (Sort::Real, _) | (_, Sort::Real) => Sort::Real,
        (Sort::Truth, Sort::Truth) => Sort::Truth,
        _ => Sort::Whole,
    }
}

fn lower_join(how: Join, left: Expression, right: Expression) -> Expression {
    let operator = match how {
        Join::And => Operator::And,
        Join::Or => Operator::Or,
        Join::Implies => {
            return Expression::two(Operator::Or, Expression::Not(Box::new(left)), right);
        }
        Join::Iff | Join::Equal => Operator::Equal,
        Join::Unequal => Operator::Unequal,
        Join::Less => Operator::Less,
        Join::AtMost => Operator::AtMost,
        Join::Greater | Join::AtLeast => {
            // A variable on the left of a number is compared fastest.
            if let (Expression::Variable(_), Expression::Number(number, _)) = (&left, &right)
                && number.fract() == 0.0
                && number.abs() < 9e15
            {
                let below = match how {
                    Join::Greater => Expression::two(Operator::AtMost, left, right),
                    _ => Expression::two(Operator::Less, left, right),
                };
                return Expression::Not(Box::new(below));
            }
            let operator = match how {
                Join::Greater => Operator::Less,
                _ => Operator::AtMost,
            };
            return Expression::two(operator, right, left);
        }
        Join::Plus => Operator::Plus,
        Join::Minus => Operator::Minus,
        Join::Times => Operator::Times,
        Join::Divide => Operator::Divide,
    };
    Expression::two(operator, left, right)
}

fn lower_call(name: Name, parts: &[Term]) -> Expression {
    let one = || parts.first().map_or(Expression::whole(0), Term::lower);
    let fold = |operator: Operator| {
        let mut all = parts.iter().map(Term::lower);
        let first = all.next().unwrap_or(Expression::whole(0));
        all.fold(first, |left, right| Expression::two(operator, left, right))
    };
    match name {
        Name::Min => fold(Operator::Min),
        Name::Max => fold(Operator::Max),
        Name::Pow => fold(Operator::Power),
        Name::Mod => fold(Operator::Modulo),
        Name::Log => fold(Operator::Logarithm),
        Name::Floor => Expression::Call(Function::Floor, Box::new(one())),
        Name::Ceil => Expression::Call(Function::Ceiling, Box::new(one())),
        Name::Round => Expression::Call(Function::Round, Box::new(one())),
        Name::Abs => {
            let negative = Expression::Negative(Box::new(one()));
            Expression::two(Operator::Max, one(), negative)
        }
        Name::Sqrt => {
            let half = Expression::Number(0.5, None);
            Expression::two(Operator::Power, one(), half)
        }
    }
}
