//! Values of expressions.

use quotient_core::{Budget, Diagnostic, Span};

use super::{Expander, Globals, Scope, Value};
use crate::Trouble;
use crate::syntax::{BinaryOperator, Expression, ExpressionKind, Label, Name, UnaryOperator};

impl<'a> Globals<'a> {
    /// The value of an expression.
    pub(crate) fn evaluate(
        &self,
        expression: &'a Expression,
        scope: &Scope<'a>,
    ) -> Result<Value, Trouble> {
        let number = match &expression.kind {
            ExpressionKind::Integer(value) => *value,
            ExpressionKind::Name(name) => return self.lookup(name, scope),
            ExpressionKind::Label(label) => return self.one_label(label, scope),
            ExpressionKind::Size(label) => self.labels(label, scope)?.len() as i32,
            ExpressionKind::Element(label, position) => {
                let labels = self.labels(label, scope)?;
                let at = self.integer(position, scope)?;
                let found = usize::try_from(at).ok().and_then(|at| labels.get(at));
                return match found {
                    Some(label) => Ok(Value::of_label(&label.as_str().into())),
                    None => Err(Diagnostic::error(
                        "set-position",
                        format!("the set has {} labels, there is none at {at}", labels.len()),
                    )
                    .at(self.source, position.span, format!("this is {at}"))
                    .note("positions count from 0")
                    .into()),
                };
            }
            ExpressionKind::Unary(operator, operand) => {
                let value = self.integer(operand, scope)?;
                match operator {
                    UnaryOperator::Plus => value,
                    UnaryOperator::Minus => value
                        .checked_neg()
                        .ok_or_else(|| self.overflow(expression.span))?,
                    UnaryOperator::Not => i32::from(value <= 0),
                }
            }
            ExpressionKind::Binary(operator, left, right) => {
                let values = (self.evaluate(left, scope)?, self.evaluate(right, scope)?);
                match (values, operator) {
                    ((Value::Integer(left), Value::Integer(right)), _) => {
                        self.apply(*operator, left, right, expression.span)?
                    }
                    ((left, right), BinaryOperator::Equal) => {
                        i32::from(left.to_string() == right.to_string())
                    }
                    ((left, right), BinaryOperator::NotEqual) => {
                        i32::from(left.to_string() != right.to_string())
                    }
                    ((Value::Label(label), _), _) => {
                        return Err(self.not_a_number(left.span, &label));
                    }
                    ((_, label), _) => {
                        return Err(self.not_a_number(right.span, &label.to_string()));
                    }
                }
            }
        };
        Ok(Value::Integer(number))
    }

    /// The value of an expression that has to be a number.
    pub(crate) fn integer(
        &self,
        expression: &'a Expression,
        scope: &Scope<'a>,
    ) -> Result<i32, Trouble> {
        match self.evaluate(expression, scope)? {
            Value::Integer(value) => Ok(value),
            Value::Label(label) => Err(self.not_a_number(expression.span, &label)),
        }
    }

    /// Whether a condition holds: it is not 0.
    pub(crate) fn holds(
        &self,
        condition: &'a Expression,
        scope: &Scope<'a>,
    ) -> Result<bool, Trouble> {
        Ok(self.integer(condition, scope)? != 0)
    }

    fn lookup(&self, name: &'a Name, scope: &Scope<'a>) -> Result<Value, Trouble> {
        let text = name.text.as_str();
        let upper = text.starts_with(char::is_uppercase);
        let found = match upper {
            true => scope.parameter(text).or_else(|| self.constants.get(text)),
            false => scope.variable(text),
        };
        if let Some(value) = found {
            return Ok(value.clone());
        }
        let (code, what) = match upper {
            true => ("undefined-constant", "constant or parameter"),
            false => ("undefined-variable", "variable"),
        };
        let mut diagnostic = Diagnostic::error(code, format!("there is no {what} `{text}` here"))
            .at(self.source, name.span, "not defined");
        if self.ranges.contains_key(text) || self.sets.contains_key(text) {
            diagnostic = diagnostic
                .note(format!("`{text}` is a range or set"))
                .help(format!("bind a variable to its values: `[i:{text}]`"));
        }
        let mut known: Vec<&str> = scope
            .names()
            .chain(self.constants.keys().copied())
            .collect();
        known.sort_unstable();
        // Any other letter would be near to a single one.
        let known = known.into_iter().filter(|_| text.chars().nth(1).is_some());
        Err(diagnostic.did_you_mean(text, known).into())
    }

    fn one_label(&self, label: &'a Label, scope: &Scope<'a>) -> Result<Value, Trouble> {
        match self.labels(label, scope)?.as_slice() {
            [label] => Ok(Value::of_label(&label.as_str().into())),
            labels => Err(
                Diagnostic::error("label-value", "a label value must be one label")
                    .at(
                        self.source,
                        label.span,
                        format!("this is {} labels", labels.len()),
                    )
                    .into(),
            ),
        }
    }

    fn labels(&self, label: &'a Label, scope: &Scope<'a>) -> Result<Vec<String>, Trouble> {
        // The sets in expressions are small; what they cost is charged where they are used.
        let budget = Budget::unlimited();
        Expander::new(self, &budget).labels(label, &mut scope.clone())
    }

    fn apply(
        &self,
        operator: BinaryOperator,
        left: i32,
        right: i32,
        span: Span,
    ) -> Result<i32, Trouble> {
        use BinaryOperator::*;
        let shift = u32::try_from(right).ok();
        let result = match operator {
            Or => Some(i32::from(left != 0 || right != 0)),
            And => Some(i32::from(left != 0 && right != 0)),
            BitOr => Some(left | right),
            BitXor => Some(left ^ right),
            BitAnd => Some(left & right),
            Equal => Some(i32::from(left == right)),
            NotEqual => Some(i32::from(left != right)),
            Less => Some(i32::from(left < right)),
            LessOrEqual => Some(i32::from(left <= right)),
            Greater => Some(i32::from(left > right)),
            GreaterOrEqual => Some(i32::from(left >= right)),
            // 63 bits are enough for every shift that is not too far by itself.
            ShiftLeft => shift
                .filter(|&shift| shift < 32)
                .and_then(|shift| i32::try_from(i64::from(left) << shift).ok()),
            ShiftRight => shift.and_then(|shift| left.checked_shr(shift)),
            Add => left.checked_add(right),
            Subtract => left.checked_sub(right),
            Multiply => left.checked_mul(right),
            Divide | Remainder if right == 0 => {
                return Err(Diagnostic::error("division-by-zero", "division by zero")
                    .at(self.source, span, "the right side is 0 here")
                    .into());
            }
            Divide => left.checked_div(right),
            Remainder => left.checked_rem(right),
        };
        result.ok_or_else(|| self.overflow(span))
    }

    fn overflow(&self, span: Span) -> Trouble {
        Diagnostic::error("overflow", "this number is too large")
            .at(self.source, span, "out of range here")
            .note(format!("numbers go from {} to {}", i32::MIN, i32::MAX))
            .into()
    }

    fn not_a_number(&self, span: Span, label: &str) -> Trouble {
        Diagnostic::error("not-a-number", "a number is needed here")
            .at(self.source, span, format!("this is the label `{label}`"))
            .note("labels can only be compared with `==` and `!=`")
            .into()
    }
}
