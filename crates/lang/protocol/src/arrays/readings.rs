//! Steps that read one by one, as steps that read at once: whom a process has seen is something
//! that it carries for each other, and looking at somebody is a step of its own.
//!
//! What can happen in the protocol can happen here. More can: where somebody else sets variables of
//! a process while it reads, it may remember longer whom it has seen.

use quotient_core::Span;

use super::conditions::{evaluate, in_range};
use super::{Misfit, misfit};
use crate::compile::product;
use crate::model::{
    Action, Assigned, Bound, Broadcast, Chosen, Domain, Expr, Fairness, Initial, Nature, Order,
    Person, Protocol, Reading, Step, Topology, Value, Variable,
};

/// The step in which a process looks at another.
pub(crate) const LOOK: &str = "looks at one";

/// More joint values than this are not tried.
const MOST_TRIED: usize = 5_000;

impl Protocol {
    /// The same protocol with steps that read at once.
    pub(super) fn with_readings_carried(&self) -> Result<Protocol, Misfit> {
        let ordered = |reading: &Reading| !reading.exists && reading.order != Order::Any;
        if self.topology != Topology::Line && self.readings().any(ordered) {
            return misfit("processes that stand in no line are read in order");
        }
        let mut protocol = self.clone();
        let (first, shares) = (self.pairs.len(), self.shares());
        let carried = shares.iter().max().map_or(0, |last| last + 1);
        for number in 0..carried {
            protocol.pairs.push(Variable {
                name: format!("seen {}", number + 1),
                domain: Domain::Bool,
                initial: Initial::Values(vec![0]),
                mark: None,
                auxiliary: true,
                span: Span::default(),
            });
        }
        let readings: Vec<(&Reading, usize)> = self.readings().zip(shares).collect();
        let (mut looks, mut done) = (Vec::new(), 0);
        for step in &mut protocol.steps {
            let mut guard = vec![step.guard.clone()];
            for reading in std::mem::take(&mut step.readings) {
                let pair = first + readings[done].1;
                done += 1;
                guard.push(Expr::Quantified {
                    exists: reading.exists,
                    bound: reading.bound.clone(),
                    body: Box::new(Expr::Pair(0, 1, pair)),
                });
                looks.push(look(&reading, pair));
            }
            // Whoever takes a step forgets whom it has seen; it has seen nobody if it did not read.
            for number in (0..carried).filter(|_| !step.people.is_empty()) {
                let mut own = readings.iter().filter(|(_, share)| *share == number);
                if own.any(|(reading, _)| self.may_both(&reading.own, &step.guard)) {
                    let forgets = forget(step.people.len(), first + number);
                    for actions in &mut step.alternatives {
                        actions.push(forgets.clone());
                    }
                }
            }
            step.guard = Expr::And(guard);
        }
        protocol.steps.extend(looks);
        Ok(protocol)
    }

    /// For each reading a number; two have the same only if no process reads for both at once.
    fn shares(&self) -> Vec<usize> {
        let readings: Vec<&Reading> = self.readings().collect();
        let mut shares: Vec<usize> = Vec::new();
        for reading in &readings {
            let taken = |share: &usize| {
                let mut before = readings.iter().zip(&shares);
                before.any(|(other, own)| own == share && self.may_both(&reading.own, &other.own))
            };
            let share = (0..).find(|share| !taken(share));
            shares.push(share.unwrap_or_default());
        }
        shares
    }

    /// Whether both may be true of one process, number 0: as far as its own variables tell.
    fn may_both(&self, one: &Expr, other: &Expr) -> bool {
        let mut parts = Vec::new();
        own_parts(one, &mut parts);
        own_parts(other, &mut parts);
        let mut fields: Vec<usize> = Vec::new();
        for part in &parts {
            part.walk(&mut |atom| match atom {
                Expr::Field(0, field) if !fields.contains(field) => fields.push(*field),
                _ => {}
            });
        }
        let domains = fields
            .iter()
            .map(|&field| self.fields[field].domain.values());
        let domains: Vec<Vec<Value>> = domains.collect();
        let size = domains.iter().map(Vec::len).fold(1, usize::saturating_mul);
        if size > MOST_TRIED {
            return true;
        }
        product(domains).into_iter().any(|values| {
            let known = fields.iter().map(|&field| Expr::Field(0, field));
            let known: Vec<(Expr, Value)> = known.zip(values).collect();
            parts.iter().all(|part| evaluate(part, &known) != Some(0))
        })
    }
}

/// The parts of a condition that speak of variables of process 0 only.
fn own_parts<'e>(expr: &'e Expr, parts: &mut Vec<&'e Expr>) {
    if let Expr::And(all) = expr {
        all.iter().for_each(|part| own_parts(part, parts));
        return;
    }
    let mut own = expr.is_plain();
    expr.walk(&mut |part| {
        own &= !matches!(
            part,
            Expr::Global(_) | Expr::Pair(..) | Expr::Choice(_) | Expr::Size
        );
        own &= !matches!(part, Expr::Field(who, _) if *who != 0);
    });
    if own {
        parts.push(expr);
    }
}

/// Process 0 looks at process 1.
fn look(reading: &Reading, pair: usize) -> Step {
    let mut guard = vec![
        reading.own.clone(),
        in_range(&reading.bound, 1),
        reading.body.clone(),
    ];
    let bound = reading.bound.clone();
    let before = match reading.order {
        Order::FromLeft => Some(Bound {
            left_of: Some(1),
            ..bound
        }),
        Order::FromRight => Some(Bound {
            right_of: Some(1),
            ..bound
        }),
        Order::Any => None,
    };
    // Whoever looks for somebody can pass all who are not it at any moment.
    if let Some(bound) = before.filter(|_| !reading.exists) {
        guard.push(Expr::Quantified {
            exists: false,
            bound,
            body: Box::new(Expr::Pair(0, 2, pair)),
        });
    }
    let person = |name: &str| Person {
        name: name.to_owned(),
    };
    Step {
        name: LOOK.to_owned(),
        span: Span::default(),
        people: vec![person("self"), person("other")],
        choices: Vec::new(),
        guard: Expr::And(guard),
        readings: Vec::new(),
        alternatives: vec![vec![Action::SetPair(0, 1, pair, exactly(1))]],
        import: None,
        fairness: Fairness::default(),
        nature: Nature::default(),
    }
}

/// Process 0 of a step with so many people has seen nobody.
fn forget(people: usize, pair: usize) -> Action {
    Action::Broadcast(Broadcast {
        bound: Bound::default(),
        only: Expr::TRUE,
        assignments: Vec::new(),
        pairs: vec![Action::SetPair(0, people, pair, exactly(0))],
    })
}

fn exactly(value: Value) -> Assigned {
    Assigned {
        value: Chosen::Exactly(Expr::Constant(value)),
        span: Span::default(),
    }
}
