//! Data expressions.

use num_traits::Zero;
use quotient_core::Span;

use super::Problem;
use crate::kernel::{Term, What};
use crate::syntax::Operator;
use crate::value::{Number, Type, Value, divided, is_huge, remainder};

/// What a variable holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Data {
    /// Nothing was ever assigned.
    Unset,
    /// Something that is not known yet.
    Open,
    Known(Value),
}

/// Where values of variables and signals come from.
pub(crate) trait Lookup {
    fn variable(&self, variable: usize) -> Data;
    fn signal(&self, signal: usize, before: bool) -> Data;
    fn name(&self, term: &Term) -> String;
}

/// The value of an expression; nothing if it is not known yet.
pub(crate) fn evaluate(term: &Term, lookup: &dyn Lookup) -> Result<Option<Value>, Problem> {
    let found = match &term.what {
        What::Constant(value) => return Ok(Some(value.clone())),
        What::Variable(variable) => lookup.variable(*variable),
        What::Value(signal) => lookup.signal(*signal, false),
        What::Before(signal) => lookup.signal(*signal, true),
        What::Host(name, _) => {
            let message = format!("`{name}` belongs to the host and is not known here");
            return Err(Problem::Data(term.span, message));
        }
        What::Negative(inner) => {
            let value = evaluate(inner, lookup)?;
            return value
                .map(|value| number(value, inner.span))
                .transpose()
                .map(|number: Option<Number>| number.map(|number| Value::Number(-number)));
        }
        What::Not(inner) => {
            let value = evaluate(inner, lookup)?;
            let value = value.map(|value| boolean(value, inner.span)).transpose()?;
            return Ok(value.map(|value| Value::Boolean(!value)));
        }
        What::Binary(operator, left, right) => {
            return binary(*operator, left, right, term, lookup);
        }
    };
    match found {
        Data::Known(value) => Ok(Some(value)),
        Data::Open => Ok(None),
        Data::Unset => {
            let message = format!("{} is read before it has a value", lookup.name(term));
            Err(Problem::Data(term.span, message))
        }
    }
}

/// The value of an expression without variables and signals.
pub(crate) fn constant(term: &Term) -> Result<Option<Value>, Problem> {
    struct Nothing;
    impl Lookup for Nothing {
        fn variable(&self, _: usize) -> Data {
            Data::Unset
        }
        fn signal(&self, _: usize, _: bool) -> Data {
            Data::Unset
        }
        fn name(&self, _: &Term) -> String {
            "what is no constant".to_owned()
        }
    }
    evaluate(term, &Nothing)
}

fn number(value: Value, span: Span) -> Result<Number, Problem> {
    match value {
        Value::Number(number) if is_huge(&number) => Err(Problem::Data(
            span,
            "this number has become too large".to_owned(),
        )),
        Value::Number(number) => Ok(number),
        _ => Err(Problem::Data(span, "this is no number".to_owned())),
    }
}

fn boolean(value: Value, span: Span) -> Result<bool, Problem> {
    match value {
        Value::Boolean(value) => Ok(value),
        _ => Err(Problem::Data(
            span,
            "this is neither true nor false".to_owned(),
        )),
    }
}

fn binary(
    operator: Operator,
    left: &Term,
    right: &Term,
    whole: &Term,
    lookup: &dyn Lookup,
) -> Result<Option<Value>, Problem> {
    let Some(first) = evaluate(left, lookup)? else {
        return Ok(None);
    };
    if let (Operator::And | Operator::Or, Value::Boolean(value)) = (operator, &first)
        && *value == (operator == Operator::Or)
    {
        return Ok(Some(first));
    }
    let Some(second) = evaluate(right, lookup)? else {
        return Ok(None);
    };
    let truth = |value| Ok(Some(Value::Boolean(value)));
    match operator {
        Operator::And | Operator::Or => return truth(boolean(second, right.span)?),
        Operator::Equal => return truth(first == second),
        Operator::Different => return truth(first != second),
        _ => {}
    }
    let (a, b) = (number(first, left.span)?, number(second, right.span)?);
    let made = match operator {
        Operator::Less => return truth(a < b),
        Operator::AtMost => return truth(a <= b),
        Operator::Greater => return truth(a > b),
        Operator::AtLeast => return truth(a >= b),
        Operator::Plus => a + b,
        Operator::Minus => a - b,
        Operator::Times => a * b,
        Operator::Divide | Operator::Modulo if b.is_zero() => {
            return Err(Problem::Data(whole.span, "a division by zero".to_owned()));
        }
        Operator::Divide if whole.kind == Type::Integer => divided(&a, &b),
        Operator::Divide => a / b,
        _ => remainder(&a, &b),
    };
    Ok(Some(Value::Number(made)))
}
