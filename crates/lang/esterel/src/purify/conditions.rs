//! Data expressions as conditions on ranges.

use super::Stands;
use super::objects::{Numeric, Object, is_comparison, numeric};
use super::rewrite::Rewriter;
use crate::kernel::{Condition, Node, SignalId, Term, What};
use crate::syntax::{Direction, Operator};
use crate::value::{Number, Type, Value};

impl Rewriter<'_> {
    /// When a value lies in each range of where it goes.
    pub(super) fn values(&self, term: &Term, to: Object, node: &Node) -> Vec<Condition> {
        let ranges = self.objects.ranges(to);
        if ranges.boolean {
            let truth = self.truth(term, node);
            return vec![truth.clone().negated(), truth];
        }
        let mut all = vec![Condition::Constant(false); ranges.count()];
        match numeric(self.old, term) {
            Ok(Numeric::Constant(number)) => {
                all[ranges.of(&Value::Number(number))] = Condition::Constant(true);
            }
            Ok(Numeric::Affine {
                factor,
                object,
                before,
                offset,
            }) => {
                let from = self.objects.ranges(object);
                let sources = self.lies_in(object, before, node);
                let mut groups: Vec<Vec<Condition>> = vec![Vec::new(); all.len()];
                for (range, source) in sources.into_iter().enumerate() {
                    let target = self.target(from, range, &factor, &offset, to);
                    groups[target].push(source);
                }
                all = groups.into_iter().map(Condition::any).collect();
            }
            Err(_) => {}
        }
        all
    }

    /// When an object lies in each of its ranges.
    fn lies_in(&self, object: Object, before: bool, node: &Node) -> Vec<Condition> {
        let make = |before: bool| match before {
            true => Condition::Before as fn(SignalId) -> Condition,
            false => Condition::Signal as fn(SignalId) -> Condition,
        };
        if self.objects.count(object) == 1 {
            return vec![Condition::Constant(true)];
        }
        if let Object::Signal(id) = object {
            match &self.stands[id] {
                Stands::Truth(own) => {
                    let truth = make(before)(*own);
                    return vec![truth.clone().negated(), truth];
                }
                Stands::Ranges(all, _) if self.old.signals[id].direction == Direction::Sensor => {
                    return all.iter().map(|&one| make(before)(one)).collect();
                }
                _ => {}
            }
        }
        let before = match object {
            Object::Variable(variable) => self.accesses.is_old(node.number, variable),
            Object::Signal(_) => before,
        };
        let Some(kept) = self.keepers.get(&object) else {
            return Vec::new();
        };
        let mut all: Vec<Condition> = kept.iter().map(|&one| make(before)(one)).collect();
        if before && let Some(&start) = self.starts.get(&object) {
            // In the first instant there is no past, and the value is the one to begin with.
            let mut others = all.clone();
            others.remove(start);
            all[start] = Condition::any(others).negated();
        }
        all
    }

    /// A Boolean expression as a condition on ranges.
    pub(super) fn truth(&self, term: &Term, node: &Node) -> Condition {
        let is_true = |object: Object, before: bool| {
            let mut all = self.lies_in(object, before, node);
            all.pop().unwrap_or(Condition::Constant(false))
        };
        match &term.what {
            What::Constant(value) => Condition::Constant(*value == Value::Boolean(true)),
            What::Variable(variable) => is_true(Object::Variable(*variable), false),
            What::Value(signal) => is_true(Object::Signal(*signal), false),
            What::Before(signal) => is_true(Object::Signal(*signal), true),
            What::Not(inner) => self.truth(inner, node).negated(),
            What::Binary(Operator::And, left, right) => {
                Condition::And(vec![self.truth(left, node), self.truth(right, node)])
            }
            What::Binary(Operator::Or, left, right) => {
                Condition::Or(vec![self.truth(left, node), self.truth(right, node)])
            }
            What::Binary(operator, left, right) if left.kind == Type::Boolean => {
                let (a, b) = (self.truth(left, node), self.truth(right, node));
                let both = Condition::And(vec![a.clone(), b.clone()]);
                let none = Condition::And(vec![a.negated(), b.negated()]);
                let equal = Condition::Or(vec![both, none]);
                match operator {
                    Operator::Different => equal.negated(),
                    _ => equal,
                }
            }
            What::Binary(operator, left, right) if is_comparison(*operator) => {
                self.comparison(*operator, left, right, node)
            }
            _ => Condition::Constant(false),
        }
    }

    fn comparison(&self, operator: Operator, left: &Term, right: &Term, node: &Node) -> Condition {
        use num_traits::Zero;
        let holds = |difference: &Number| {
            let zero = Number::zero();
            match operator {
                Operator::Less => *difference < zero,
                Operator::AtMost => *difference <= zero,
                Operator::Greater => *difference > zero,
                Operator::AtLeast => *difference >= zero,
                Operator::Equal => *difference == zero,
                _ => *difference != zero,
            }
        };
        let difference = Term {
            what: What::Binary(
                Operator::Minus,
                Box::new(left.clone()),
                Box::new(right.clone()),
            ),
            kind: Type::Real,
            span: left.span,
        };
        match numeric(self.old, &difference) {
            Ok(Numeric::Constant(number)) => Condition::Constant(holds(&number)),
            Ok(Numeric::Affine {
                factor,
                object,
                before,
                offset,
            }) => {
                let ranges = self.objects.ranges(object);
                let lies = self.lies_in(object, before, node);
                let inside = lies.into_iter().enumerate().filter(|(range, _)| {
                    match ranges.representative(*range) {
                        Value::Number(number) => holds(&(&factor * number + &offset)),
                        _ => false,
                    }
                });
                Condition::any(inside.map(|(_, condition)| condition).collect())
            }
            Err(_) => Condition::Constant(false),
        }
    }
}
