//! Assignments and `in`: a set is a choice between its values.

use quotient_core::{Budget, Stop, Trouble};
use quotient_symbolic::{Expression, Model};
use rustc_hash::FxHashMap;

use super::Compiled;
use super::lowered::{Lowered, equal, less, number};
use crate::program::{Assignment, Domain, Node, NodeId, Operator, Program, Value, When};

/// The longest range whose values are looked at one by one.
const MOST_LISTED: i64 = 1 << 16;

/// How the answers for the parts of a set make the answer for the set.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Join {
    Any,
    All,
}

impl Compiled {
    /// The variable has one of the assigned values.
    pub(super) fn assigned(
        &mut self,
        program: &Program,
        assignment: &Assignment,
        budget: &Budget,
    ) -> Result<Expression, Trouble> {
        let value = self.read(program, assignment.variable, assignment.when == When::Next);
        self.lower(program, [assignment.value], budget)?;
        Ok(self.member(program, &value, assignment.value))
    }

    /// When an assigned value is outside of the variable's domain.
    pub(super) fn outside(&mut self, program: &Program, assignment: &Assignment) -> Expression {
        let domain = &program.variable(assignment.variable).domain;
        self.fold(program, assignment.value, Join::Any, |this, leaf| {
            let value = match program.node(leaf) {
                Node::Range(low, high) => {
                    let fits = |bound| domain.contains(Value::Integer(bound));
                    // Every value of the range must be in the domain.
                    let all = match domain {
                        Domain::Range(..) => fits(low) && fits(high),
                        _ => high.saturating_sub(low) < MOST_LISTED && (low..=high).all(fits),
                    };
                    return Expression::constant(!all);
                }
                _ => this.lowered(leaf).clone(),
            };
            outside_domain(&mut this.model, &value, domain)
        })
    }

    /// Whether every value of the left is one of the right.
    pub(super) fn contained(
        &mut self,
        program: &Program,
        left: NodeId,
        right: NodeId,
        budget: &Budget,
    ) -> Result<Expression, Trouble> {
        budget.poll()?;
        let mut stopped = None;
        let all = self.fold(program, left, Join::All, |this, leaf| {
            match program.node(leaf) {
                Node::Range(low, high) => {
                    // A part of a long range would say nothing about the rest.
                    if high.saturating_sub(low) >= MOST_LISTED {
                        stopped = Some(Stop::bound(
                            "values of a range in a set",
                            MOST_LISTED as u64,
                        ));
                        return Expression::FALSE;
                    }
                    let mut all = Vec::new();
                    for value in low..=high {
                        if let Err(stop) = budget.poll() {
                            stopped = Some(stop);
                            break;
                        }
                        all.push(this.member(program, &number(value), right));
                    }
                    this.model.and_all(all)
                }
                _ => {
                    let value = this.lowered(leaf).clone();
                    this.member(program, &value, right)
                }
            }
        });
        match stopped {
            Some(stop) => Err(stop.into()),
            None => Ok(all),
        }
    }

    /// Whether a value is one of a set.
    fn member(&mut self, program: &Program, value: &Lowered, set: NodeId) -> Expression {
        self.fold(program, set, Join::Any, |this, leaf| {
            let model = &mut this.model;
            match (program.node(leaf), value) {
                (Node::Range(low, high), Lowered::Integer { .. }) => {
                    let below = less(model, value, &number(low));
                    let above = less(model, &number(high), value);
                    model.and(!below, !above)
                }
                (Node::Range(low, high), Lowered::Choice(choices)) => {
                    let inside = choices.iter().filter_map(|&(value, guard)| match value {
                        Value::Integer(value) if (low..=high).contains(&value) => Some(guard),
                        _ => None,
                    });
                    let inside: Vec<Expression> = inside.collect();
                    model.or_all(inside)
                }
                _ => {
                    let other = this.lowered(leaf).clone();
                    equal(&mut this.model, value, &other)
                }
            }
        })
    }

    /// Asks every single value that a set is made of, and joins the answers: unions by `join`,
    /// choices by their conditions. Parts come before wholes, so no recursion is needed.
    fn fold(
        &mut self,
        program: &Program,
        root: NodeId,
        join: Join,
        mut ask: impl FnMut(&mut Self, NodeId) -> Expression,
    ) -> Expression {
        let mut parts = vec![root];
        let mut seen = rustc_hash::FxHashSet::default();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            let below = match program.node(id) {
                Node::Binary(Operator::Union, left, right) => [left, right],
                Node::Choose(_, then, other) if program.type_of(id).set => [then, other],
                _ => continue,
            };
            for part in below {
                if seen.insert(part) {
                    parts.push(part);
                    open.push(part);
                }
            }
        }
        parts.sort_unstable();
        parts.dedup();
        let mut answers: FxHashMap<NodeId, Expression> = FxHashMap::default();
        for id in parts {
            let answer = match program.node(id) {
                Node::Binary(Operator::Union, left, right) => {
                    let (left, right) = (answers[&left], answers[&right]);
                    match join {
                        Join::Any => self.model.or(left, right),
                        Join::All => self.model.and(left, right),
                    }
                }
                Node::Choose(test, then, other) if program.type_of(id).set => {
                    let test = self.boolean(test);
                    let (then, other) = (answers[&then], answers[&other]);
                    self.model.if_then_else(test, then, other)
                }
                // A set that fails was reported; no value is in it.
                Node::Failure(_) if program.type_of(id).set => Expression::FALSE,
                _ => ask(self, id),
            };
            answers.insert(id, answer);
        }
        answers[&root]
    }
}

fn outside_domain(model: &mut Model, value: &Lowered, domain: &Domain) -> Expression {
    match (value, domain) {
        (Lowered::Integer { low, high, .. }, &Domain::Range(from, to)) => {
            let mut outside = Expression::FALSE;
            if *low < i128::from(from) {
                outside = less(model, value, &number(from));
            }
            if *high > i128::from(to) {
                let above = less(model, &number(to), value);
                outside = model.or(outside, above);
            }
            outside
        }
        (Lowered::Integer { .. }, Domain::Enumeration(values)) => {
            let numbers = values.iter().filter_map(|&value| match value {
                Value::Integer(known) => Some(known),
                _ => None,
            });
            let mut inside = Vec::new();
            for known in numbers {
                inside.push(equal(model, value, &number(known)));
            }
            !model.or_all(inside)
        }
        (Lowered::Choice(choices), domain) => {
            let foreign = choices
                .iter()
                .filter(|(value, _)| !domain.contains(*value))
                .map(|&(_, guard)| guard);
            let foreign: Vec<Expression> = foreign.collect();
            model.or_all(foreign)
        }
        _ => Expression::FALSE,
    }
}
