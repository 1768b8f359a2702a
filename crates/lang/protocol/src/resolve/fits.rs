//! What is sent must be one of the values that can be: else the step would send nothing, without a
//! word.

use quotient_core::Span;

use super::warnings::conjuncts;
use super::{Resolved, Resolver, Scope};
use crate::model::{Action, Domain, Expr, Operation, Value};
use crate::syntax::tree;

/// The most joint values of variables that are tried.
const MOST_TRIED: usize = 50_000;

/// Variables with their values.
pub(crate) type Known = Vec<(Expr, Value)>;

impl Resolver<'_> {
    /// Messages carry, and channels take, what they are given.
    pub(super) fn sent_fits(
        &mut self,
        step: &tree::Step,
        alternatives: &[Vec<Action>],
        guard: &[Expr],
        scope: &mut Scope,
    ) -> Resolved<()> {
        for (value, kind, message) in &step.carried {
            let domain = self.domain(kind)?;
            let resolved = self.value(value, &domain, scope)?;
            let place = (message.text.as_str(), value.span);
            self.must_fit(&resolved, &domain, guard, scope, place)?;
        }
        for (actions, written) in alternatives.iter().zip(&step.alternatives) {
            for (action, written) in actions.iter().zip(written) {
                if let Action::Channel(operation, channel, sent) = action
                    && let tree::Action::Channel {
                        channel: name,
                        value,
                        ..
                    } = written
                    && !matches!(operation, Operation::Receive | Operation::Pop)
                {
                    let domain = &self.channels[*channel].domain;
                    let place = (name.text.as_str(), value.span);
                    self.must_fit(sent, domain, guard, scope, place)?;
                }
            }
        }
        Ok(())
    }

    /// Whatever variables have that the condition of the step allows, a value is in a domain.
    fn must_fit(
        &self,
        value: &Expr,
        domain: &Domain,
        guard: &[Expr],
        scope: &Scope,
        (name, span): (&str, Span),
    ) -> Resolved<()> {
        let mut parts = Vec::new();
        guard.iter().for_each(|part| conjuncts(part, &mut parts));
        let mut variables = self.variables(value, scope);
        let own = variables.clone();
        // What the condition says of these and others, as long as that is not too much to try.
        for part in &parts {
            let more = self.variables(part, scope);
            if more.iter().any(|one| own.contains(one)) {
                let fresh = more.into_iter().filter(|one| !variables.contains(one));
                let with: Vec<Expr> = variables.iter().cloned().chain(fresh).collect();
                if self.combinations(&with, scope) <= MOST_TRIED {
                    variables = with;
                }
            }
        }
        let wrong = match self.combinations(&variables, scope) {
            0..=MOST_TRIED => {
                let values = variables.iter().map(|one| self.values_of(one, scope));
                let mut all = crate::compile::product(values).into_iter();
                let allowed =
                    |known: &Known| parts.iter().all(|part| evaluate(part, known) != Some(0));
                all.find_map(|values| {
                    let known: Known = variables.iter().cloned().zip(values).collect();
                    let sent = evaluate(value, &known);
                    let fits = sent.is_some_and(|sent| domain.contains(sent));
                    (!fits && allowed(&known)).then_some(sent)
                })
            }
            _ => Some(None),
        };
        let Some(wrong) = wrong else {
            return Ok(());
        };
        let message = match wrong {
            Some(value) => format!("`{name}` would be sent {}", self.shown(domain, value)),
            None => format!("what `{name}` is sent may not be one of its values"),
        };
        Err(self
            .error("leaves-domain", message, span)
            .note(format!("its values are {}", self.listed(domain)))
            .help("exclude the case in `when`, or widen the type"))
    }

    /// The variables that an expression speaks of.
    fn variables(&self, expr: &Expr, scope: &Scope) -> Vec<Expr> {
        let mut variables = Vec::new();
        expr.walk(&mut |part| {
            if self.domain_of(part, scope).is_some() && !variables.contains(part) {
                variables.push(part.clone());
            }
        });
        variables
    }

    fn values_of(&self, variable: &Expr, scope: &Scope) -> Vec<Value> {
        let domain = self.domain_of(variable, scope);
        domain.map_or(Vec::new(), Domain::values)
    }

    fn combinations(&self, variables: &[Expr], scope: &Scope) -> usize {
        let sizes = variables.iter();
        let sizes = sizes.map(|one| match self.domain_of(one, scope) {
            Some(Domain::Parameter) | None => usize::MAX,
            Some(domain) => domain.values().len(),
        });
        sizes.fold(1, usize::saturating_mul)
    }
}

/// The value of an expression as far as variables are known.
pub(crate) fn evaluate(expr: &Expr, known: &Known) -> Option<Value> {
    let value = |expr: &Expr| evaluate(expr, known);
    // One that decides, or nothing if one is not known.
    let decided = |all: &[Expr], by: bool| {
        let truths: Vec<Option<bool>> = all
            .iter()
            .map(|one| value(one).map(|one| one != 0))
            .collect();
        match truths.contains(&Some(by)) {
            true => Some(Value::from(by)),
            false if truths.contains(&None) => None,
            false => Some(Value::from(!by)),
        }
    };
    match expr {
        Expr::Constant(value) => Some(*value),
        Expr::Global(_) | Expr::Field(..) | Expr::Pair(..) | Expr::Choice(_) => {
            let found = known.iter().find(|(one, _)| one == expr);
            found.map(|(_, value)| *value)
        }
        Expr::Not(inner) => Some(Value::from(value(inner)? == 0)),
        Expr::And(all) => decided(all, false),
        Expr::Or(all) => decided(all, true),
        Expr::Compare(comparison, left, right) => {
            Some(Value::from(comparison.holds(value(left)?, value(right)?)))
        }
        Expr::Arithmetic(arithmetic, left, right) => arithmetic.apply(value(left)?, value(right)?),
        Expr::If(condition, yes, no) => match value(condition)? {
            0 => value(no),
            _ => value(yes),
        },
        _ => None,
    }
}
