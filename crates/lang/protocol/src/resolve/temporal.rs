//! Formulas of linear time.

use quotient_core::{Diagnostic, Span};
use quotient_logic::{Binary, Formula, Kind as What, Unary};

use super::{Resolved, Resolver, Scope};
use crate::model::{Expr, Happens, Person};
use crate::syntax::tree::{Expression, Kind, Name, Operator, Temporal};

/// The most states of the automaton of a formula: each is a value of a global.
const MOST_PHASES: usize = 40;
/// The most promises of it: each is a bit among the globals.
const MOST_PROMISES: usize = 6;

impl Resolver<'_> {
    /// A property that is a formula about some processes, which are all different.
    pub(super) fn happens(&self, names: &[Name], formula: &Expression) -> Resolved<Happens> {
        for (number, name) in names.iter().enumerate() {
            self.needs_processes(name.span)?;
            if names[..number].iter().any(|other| other.text == name.text) {
                let message = format!("`{}` is there twice", name.text);
                return Err(self
                    .error("duplicate", message, name.span)
                    .help("give one of them another name"));
            }
        }
        let person = |name: &Name| Person {
            name: name.text.clone(),
        };
        let mut scope = Scope {
            people: names.iter().map(person).collect(),
            ..Scope::default()
        };
        let span = formula.span;
        let formula = self.formula(formula, &mut scope)?;
        let violating = (!formula.clone()).automaton(MOST_PHASES);
        let violating = violating.filter(|automaton| automaton.promises <= MOST_PROMISES);
        let Some(violating) = violating else {
            return Err(self
                .error("large-formula", "this formula is too large", span)
                .note(format!(
                    "its automaton has more than {MOST_PHASES} states, or more than \
                     {MOST_PROMISES} things that must happen again and again"
                ))
                .help("ask for its parts one by one"));
        };
        Ok(Happens {
            people: names.len(),
            formula,
            violating,
        })
    }

    fn formula(&self, expression: &Expression, scope: &mut Scope) -> Resolved<Formula<Expr>> {
        let span = expression.span;
        if !expression.is_temporal() {
            return Ok(match self.boolean(expression, scope)? {
                Expr::Constant(value) => Formula::constant(value != 0),
                other => Formula::new(What::Atom(other), span),
            });
        }
        match &expression.kind {
            Kind::Not(inner) => Ok(!self.formula(inner, scope)?),
            Kind::Temporal(operator, inner) => {
                let operator = match operator {
                    Temporal::Always => Unary::Globally(None),
                    Temporal::Eventually => Unary::Finally(None),
                    Temporal::Next => Unary::Next,
                };
                Ok(Formula::unary(operator, self.formula(inner, scope)?))
            }
            Kind::Binary(operator, left, right) => {
                let operator = match operator {
                    Operator::And => Binary::And,
                    Operator::Or => Binary::Or,
                    Operator::Implies => Binary::Implies,
                    Operator::Iff => Binary::Iff,
                    Operator::Until => Binary::Until(None),
                    Operator::Unless => Binary::WeakUntil,
                    _ => return Err(self.not_in_time(span)),
                };
                let (left, right) = (self.formula(left, scope)?, self.formula(right, scope)?);
                Ok(Formula::binary(operator, left, right))
            }
            Kind::Quantified { exists, names, .. } => {
                let message = "a quantifier cannot be about what is true at several times";
                let error = self.error("quantified-time", message, span);
                let names: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
                Err(match exists {
                    false => error.help(format!(
                        "write `for each {}:` before the whole formula",
                        names.join(", ")
                    )),
                    true => error.help("put it inside, where it speaks of one moment"),
                })
            }
            _ => Err(self.not_in_time(span)),
        }
    }

    /// That something is said about several moments where only one is meant.
    pub(super) fn not_in_time(&self, span: Span) -> Diagnostic {
        let message = "here only one moment is spoken of, not what comes later";
        self.error("not-in-time", message, span).help(
            "`always`, `eventually`, `next`, `until` and `unless` are joined by `and`, `or`, \
             `not`, `=>` in a property",
        )
    }
}
