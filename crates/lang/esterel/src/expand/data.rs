//! Data expressions with their types.

use quotient_core::{Diagnostic, Span};

use super::Expander;
use crate::kernel::{Term, What};
use crate::syntax::{Expression, ExpressionKind, Operator};
use crate::value::{Type, Value};

impl Expander<'_> {
    /// An expression with its names resolved; nothing if something is wrong with it.
    pub(super) fn term(&mut self, expression: &Expression) -> Option<Term> {
        let span = expression.span;
        let constant = |value, kind| {
            Some(Term {
                what: What::Constant(value),
                kind,
                span,
            })
        };
        match &expression.kind {
            ExpressionKind::Whole(number) => constant(Value::Number(number.clone()), Type::Integer),
            ExpressionKind::Real(number) => constant(Value::Number(number.clone()), Type::Real),
            ExpressionKind::Boolean(value) => constant(Value::Boolean(*value), Type::Boolean),
            ExpressionKind::Text(text) => constant(Value::Text(text.clone()), Type::Text),
            ExpressionKind::Name(name) => self.named(name, span),
            ExpressionKind::Value(name) => self.value_of(name, span, What::Value),
            ExpressionKind::Before(name) => self.value_of(name, span, What::Before),
            ExpressionKind::TrapValue(name) => self.trap_value(name, span),
            ExpressionKind::Call(name, arguments) => {
                let mut terms = Vec::new();
                for argument in arguments {
                    terms.push(self.term(argument)?);
                }
                if !self.scope.functions.contains(name) {
                    let message = format!("there is no function `{name}`");
                    self.wrong(
                        "no-such-function",
                        span,
                        message,
                        "declare it: `function …`",
                    );
                    return None;
                }
                Some(Term {
                    what: What::Host(name.clone(), terms),
                    kind: Type::Host(String::new()),
                    span,
                })
            }
            ExpressionKind::Negative(inner) => {
                let inner = self.term(inner)?;
                self.must_be_number(&inner);
                let kind = inner.kind.clone();
                if let What::Constant(Value::Number(number)) = &inner.what {
                    return constant(Value::Number(-number), kind);
                }
                let what = What::Negative(Box::new(inner));
                Some(Term { what, kind, span })
            }
            ExpressionKind::Not(inner) => {
                let inner = self.term(inner)?;
                self.fits(&inner, &Type::Boolean);
                Some(Term {
                    what: What::Not(Box::new(inner)),
                    kind: Type::Boolean,
                    span,
                })
            }
            ExpressionKind::Binary(operator, left, right) => {
                let (left, right) = (self.term(left), self.term(right));
                self.binary(*operator, left?, right?, span)
            }
        }
    }

    fn binary(&mut self, operator: Operator, left: Term, right: Term, span: Span) -> Option<Term> {
        let kind = match operator {
            Operator::Or | Operator::And => {
                self.fits(&left, &Type::Boolean);
                self.fits(&right, &Type::Boolean);
                Type::Boolean
            }
            Operator::Equal | Operator::Different => {
                let alike = left.kind == right.kind
                    || (left.kind.is_number() && right.kind.is_number())
                    || is_open(&left.kind)
                    || is_open(&right.kind);
                if !alike {
                    let message = format!("a {} is compared with a {}", left.kind, right.kind);
                    self.wrong("type", span, message, "");
                }
                Type::Boolean
            }
            Operator::Less | Operator::AtMost | Operator::Greater | Operator::AtLeast => {
                self.must_be_number(&left);
                self.must_be_number(&right);
                Type::Boolean
            }
            _ => {
                self.must_be_number(&left);
                self.must_be_number(&right);
                match (&left.kind, &right.kind) {
                    (Type::Integer, Type::Integer) => Type::Integer,
                    (Type::Host(_), other) | (other, Type::Host(_)) => other.clone(),
                    _ => Type::Real,
                }
            }
        };
        Some(Term {
            what: What::Binary(operator, Box::new(left), Box::new(right)),
            kind,
            span,
        })
    }

    fn must_be_number(&mut self, term: &Term) {
        if !term.kind.is_number() && !is_open(&term.kind) {
            let message = format!("a number was expected, and this is a {}", term.kind);
            self.wrong("type", term.span, message, "");
        }
    }

    /// Notes a mistake if an expression cannot have a type.
    pub(super) fn fits(&mut self, term: &Term, kind: &Type) {
        let fits = term.kind == *kind
            || is_open(&term.kind)
            || matches!(kind, Type::Host(_))
            || (term.kind == Type::Integer && *kind == Type::Real);
        if !fits {
            let message = format!("a {kind} was expected, and this is a {}", term.kind);
            self.wrong("type", term.span, message, "");
        }
    }

    /// A variable or a constant.
    fn named(&mut self, name: &str, span: Span) -> Option<Term> {
        if let Some(&variable) = self.scope.variables.get(name) {
            return Some(Term {
                what: What::Variable(variable),
                kind: self.variables[variable].kind.clone(),
                span,
            });
        }
        if let Some(term) = self.scope.constants.get(name) {
            return Some(Term {
                span,
                ..term.clone()
            });
        }
        let is_signal = self.scope.signals.contains_key(name);
        let names: Vec<String> = (self.scope.variables.keys())
            .chain(self.scope.constants.keys())
            .cloned()
            .collect();
        let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
        names.sort_unstable();
        let message = format!("there is no variable or constant `{name}` here");
        let mistake = Diagnostic::error("no-such-variable", message).at(self.source, span, "");
        if self.is_hopeless() {
            return None;
        }
        self.mistakes.push(match is_signal {
            true => mistake.help(format!("the value of the signal is `?{name}`")),
            false => mistake.did_you_mean(name, names),
        });
        None
    }

    fn value_of(
        &mut self,
        name: &str,
        span: Span,
        make: fn(crate::kernel::SignalId) -> What,
    ) -> Option<Term> {
        let bound = self.signal(name, span)?;
        let kind = bound.signal.and_then(|id| self.signals[id].kind.clone());
        let (Some(signal), Some(kind)) = (bound.signal, kind) else {
            self.wrong("type", span, format!("`{name}` has no value"), "");
            return None;
        };
        Some(Term {
            what: make(signal),
            kind,
            span,
        })
    }

    fn trap_value(&mut self, name: &str, span: Span) -> Option<Term> {
        let found = self.scope.traps.iter().rev().find(|one| one.name == name);
        let signal = found.and_then(|one| one.signal);
        let kind = signal.and_then(|signal| self.signals[signal].kind.clone());
        let (Some(signal), Some(kind)) = (signal, kind) else {
            let message = format!("there is no trap `{name}` with a value here");
            self.wrong("no-such-trap", span, message, "");
            return None;
        };
        Some(Term {
            what: What::Value(signal),
            kind,
            span,
        })
    }
}

/// Whether a type says nothing: what the host gives.
fn is_open(kind: &Type) -> bool {
    matches!(kind, Type::Host(_))
}
