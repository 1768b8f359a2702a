//! Expressions with all names resolved.

use quotient_markov::whole;
use quotient_probability::Expression;

use super::Variable;
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
            Term::If(condition, one, other) => {
                let (taken, left) = match condition.evaluate(state)?.holds() {
                    true => (one, other),
                    false => (other, one),
                };
                match taken.evaluate(state)? {
                    // What may have a fraction in one state has the sort of such numbers in all.
                    Value::Whole(number) if left.sort() == Sort::Real => {
                        Value::Real(number as f64, Some(whole(number)))
                    }
                    value => value,
                }
            }
            Term::Call(name, parts) => {
                let parts: Option<Vec<Value>> =
                    parts.iter().map(|part| part.evaluate(state)).collect();
                call(*name, &parts?)?
            }
        })
    }

    /// The same for the engine, over these variables.
    pub(crate) fn lower(&self, variables: &[Variable]) -> Expression {
        super::lowered::lowered(self, variables)
    }
}

pub(crate) fn wider(left: Sort, right: Sort) -> Sort {
    match (left, right) {
        (Sort::Real, _) | (_, Sort::Real) => Sort::Real,
        (Sort::Truth, Sort::Truth) => Sort::Truth,
        _ => Sort::Whole,
    }
}
