//! Conditions as sums of numbers of processes.
//!
//! All is said too weakly rather than too strongly: what cannot be said is taken to be possible.

use std::cell::RefCell;

use quotient_arithmetic::{Condition, Integer, Linear};

use super::Cases;
use crate::compile::Known;
use crate::model::{Arithmetic, Bound, Comparison, Domain, Expr, Protocol, Value, Who};

/// The numbers that a condition speaks of: how many processes there are in each state that does not
/// change any more, how many of all others together, and parameters.
pub(super) struct Numbers<'a> {
    protocol: &'a Protocol,
    cases: &'a Cases,
    restless: &'a [bool],
    globals: usize,
    moments: usize,
    /// How many of those who still change are in some of their states at a moment.
    passing: RefCell<Vec<(Moment, Vec<usize>)>>,
}

/// A moment, at which those who still change may be in other states.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment(usize);

/// The processes that a condition speaks of, by their states.
#[derive(Clone)]
pub(super) struct People {
    states: Vec<usize>,
}

impl People {
    pub(super) fn of(states: Vec<usize>) -> People {
        People { states }
    }

    fn with(&self, state: usize) -> People {
        let states = self.states.iter().copied().chain([state]);
        People {
            states: states.collect(),
        }
    }
}

impl<'a> Numbers<'a> {
    pub(super) fn new(
        protocol: &'a Protocol,
        cases: &'a Cases,
        restless: &'a [bool],
        globals: usize,
    ) -> Numbers<'a> {
        Numbers {
            protocol,
            cases,
            restless,
            globals,
            moments: 0,
            passing: RefCell::default(),
        }
    }

    /// One more moment.
    pub(super) fn moment(&mut self) -> Moment {
        self.moments += 1;
        Moment(self.moments - 1)
    }

    fn settled(&self, state: usize) -> Linear {
        Linear::variable(Integer::from_index(state))
    }

    fn all_restless(&self) -> Linear {
        Linear::variable(Integer::from_index(self.cases.states.len()))
    }

    fn parameter(&self, global: usize) -> Linear {
        Linear::variable(Integer::from_index(self.cases.states.len() + 1 + global))
    }

    fn size(&self) -> Linear {
        let settled = (0..self.restless.len()).filter(|&state| !self.restless[state]);
        settled.fold(self.all_restless(), |sum, state| {
            sum.plus(&self.settled(state))
        })
    }

    /// How many are in some states at a moment.
    ///
    /// Of those who change any number may be in some of their states, and in others at another moment.
    fn in_some(&self, states: &[usize], moment: Moment) -> Linear {
        let (passing, settled): (Vec<usize>, Vec<usize>) =
            states.iter().partition(|state| self.restless[**state]);
        let settled = settled.iter();
        let sum = settled.fold(Linear::default(), |sum, state| {
            sum.plus(&self.settled(*state))
        });
        let all = self.restless.iter().filter(|restless| **restless).count();
        if passing.is_empty() {
            return sum;
        }
        if passing.len() == all {
            return sum.plus(&self.all_restless());
        }
        let mut known = self.passing.borrow_mut();
        let asked = (moment, passing);
        let place = known.iter().position(|one| *one == asked);
        let place = place.unwrap_or_else(|| {
            known.push(asked);
            known.len() - 1
        });
        sum.plus(&self.passing(place))
    }

    /// One for each state, one for those who change, one for each parameter; then these.
    fn passing(&self, place: usize) -> Linear {
        let before = self.cases.states.len() + 1 + self.protocol.globals.len();
        Linear::variable(Integer::from_index(before + place))
    }

    fn count(&self, state: usize, moment: Moment) -> Linear {
        self.in_some(&[state], moment)
    }

    /// That nobody is in a state that does not change any more.
    pub(super) fn none(&self, state: usize) -> Condition {
        Condition::AtMostZero(self.settled(state))
    }

    /// That somebody is in a state.
    pub(super) fn some(&self, state: usize, moment: Moment) -> Condition {
        at_least_one(&self.count(state, moment))
    }

    /// What is always true of the numbers.
    pub(super) fn always(&self) -> Vec<Condition> {
        let natural = |number: Linear| Condition::AtMostZero(number.times(-1));
        let mut all = vec![natural(self.all_restless()), at_least_one(&self.size())];
        for state in (0..self.restless.len()).filter(|&state| !self.restless[state]) {
            all.push(natural(self.settled(state)));
        }
        if !self.restless.contains(&true) {
            all.push(Condition::AtMostZero(self.all_restless()));
        }
        for (global, variable) in self.protocol.globals.iter().enumerate() {
            if variable.domain == Domain::Parameter {
                all.push(natural(self.parameter(global)));
                let above = self.parameter(global).minus(&self.size());
                all.push(Condition::AtMostZero(above));
            }
        }
        let nobody = People::of(Vec::new());
        for moment in (0..self.moments).map(Moment) {
            let assumed = self.protocol.constraints.iter();
            all.extend(assumed.map(|one| self.over(one, true, &nobody, moment)));
        }
        let assumed = self.protocol.assumptions.iter();
        all.extend(assumed.map(|one| self.over(one, true, &nobody, Moment(0))));
        for place in 0..self.passing.borrow().len() {
            let above = self.passing(place).minus(&self.all_restless());
            all.extend([natural(self.passing(place)), Condition::AtMostZero(above)]);
        }
        all
    }

    /// That if somebody is in one of some states, so many were counted once: those who are still there,
    /// and those who change.
    pub(super) fn gate(
        &self,
        inside: &[bool],
        counted: &[bool],
        comparison: Comparison,
        threshold: &Expr,
    ) -> Option<Condition> {
        let least = matches!(comparison, Comparison::Greater | Comparison::GreaterOrEqual);
        let (number, by) = self.fraction(threshold).filter(|_| least)?;
        let sum = |of: &[bool]| {
            let states = (0..of.len()).filter(|&state| of[state]);
            states.fold(Linear::default(), |sum, state| {
                sum.plus(&self.settled(state))
            })
        };
        let counted = sum(counted).plus(&self.all_restless()).times(by);
        Some(Condition::Or(vec![
            Condition::AtMostZero(sum(inside)),
            compared(&counted, comparison, &number),
        ]))
    }

    /// A condition that is true wherever an expression has this truth value.
    pub(super) fn over(
        &self,
        expr: &Expr,
        wanted: bool,
        people: &People,
        moment: Moment,
    ) -> Condition {
        if let Some(value) = self.value(expr, people) {
            return Condition::Constant((value != 0) == wanted);
        }
        let each = |parts: &[Expr]| -> Vec<Condition> {
            let parts = parts.iter();
            parts
                .map(|part| self.over(part, wanted, people, moment))
                .collect()
        };
        match expr {
            Expr::Not(inner) => self.over(inner, !wanted, people, moment),
            Expr::And(parts) if wanted => Condition::And(each(parts)),
            Expr::And(parts) => Condition::Or(each(parts)),
            Expr::Or(parts) if wanted => Condition::Or(each(parts)),
            Expr::Or(parts) => Condition::And(each(parts)),
            Expr::Quantified {
                exists,
                bound,
                body,
            } => self.quantified((*exists, bound, body), wanted, people, moment),
            Expr::Count {
                bound,
                body,
                comparison,
                number,
            } => {
                let number = Linear::constant(i64::from(*number));
                let sum = self.sum(bound, body, people, moment);
                sum.map_or(Condition::Constant(true), |sum| {
                    truth(&sum, *comparison, &number, wanted)
                })
            }
            Expr::Threshold {
                bound,
                body,
                comparison,
                threshold,
            } => {
                let sum = self.sum(bound, body, people, moment);
                let number = self.fraction_of(threshold, people);
                match (sum, number) {
                    (Some(sum), Some((number, by))) => {
                        truth(&sum.times(by), *comparison, &number, wanted)
                    }
                    _ => Condition::Constant(true),
                }
            }
            Expr::Compare(comparison, left, right) => {
                let sides = (
                    self.fraction_of(left, people),
                    self.fraction_of(right, people),
                );
                match sides {
                    (Some((left, by)), Some((right, with))) => {
                        truth(&left.times(with), *comparison, &right.times(by), wanted)
                    }
                    _ => Condition::Constant(true),
                }
            }
            _ => Condition::Constant(true),
        }
    }

    fn quantified(
        &self,
        (exists, bound, body): (bool, &Bound, &Expr),
        wanted: bool,
        people: &People,
        moment: Moment,
    ) -> Condition {
        let who = people.states.len();
        let sided = bound.left_of.is_some() || bound.right_of.is_some();
        // Who is different from whom is said in the range or in the body.
        let mut different = bound.different_from.clone();
        let body = match exists {
            true => without_identities(body, who, &mut different),
            false => body.clone(),
        };
        let states = 0..self.cases.states.len();
        // Somebody in range satisfies the body, or does not.
        if wanted == exists {
            let some = states.map(|state| {
                // Two who are spoken of may be the same, unless something else says that they are not.
                let some = self.different_in(state, &different, people).min(1);
                let there = at_least_one(&self.count(state, moment).plus_constant(-some));
                let so = self.over(&body, exists, &people.with(state), moment);
                Condition::And(vec![there, so])
            });
            return Condition::Or(some.collect());
        }
        if sided {
            return Condition::Constant(true);
        }
        let all = states.map(|state| {
            let all = self.different_in(state, &different, people);
            let nobody = Condition::AtMostZero(self.count(state, moment).plus_constant(-all));
            let so = self.over(&body, !exists, &people.with(state), moment);
            Condition::Or(vec![nobody, so])
        });
        Condition::And(all.collect())
    }

    /// How many of some who are spoken of are in a state, if they are different.
    fn different_in(&self, state: usize, different: &[Who], people: &People) -> i64 {
        let mut known: Vec<Who> = different.to_vec();
        known.sort_unstable();
        known.dedup();
        let here = known
            .iter()
            .filter(|who| people.states.get(**who) == Some(&state));
        i64::try_from(here.count()).unwrap_or(i64::MAX)
    }

    /// How many in range satisfy a condition that their values decide.
    fn sum(&self, bound: &Bound, body: &Expr, people: &People, moment: Moment) -> Option<Linear> {
        if bound.left_of.is_some() || bound.right_of.is_some() {
            return None;
        }
        let (mut states, mut less) = (Vec::new(), 0);
        for state in 0..self.cases.states.len() {
            if self.value(body, &people.with(state))? != 0 {
                let without = self.different_in(state, &bound.different_from, people);
                // Two who are spoken of may be the same.
                if without > 1 {
                    return None;
                }
                states.push(state);
                less += without;
            }
        }
        Some(self.in_some(&states, moment).plus_constant(-less))
    }

    /// The value of an expression that the states of people and the globals decide.
    fn value(&self, expr: &Expr, people: &People) -> Option<Value> {
        let parameter = |part: &Expr| match part {
            Expr::Global(global) => self.protocol.globals[*global].domain == Domain::Parameter,
            _ => false,
        };
        if expr.mentions(&parameter) {
            return None;
        }
        let states = people.states.iter();
        let known = Known {
            globals: Some(&self.cases.globals[self.globals]),
            people: states
                .map(|&state| Some(self.cases.states[state].as_slice()))
                .collect(),
            choices: &[],
        };
        known.value(expr)
    }

    fn fraction(&self, expr: &Expr) -> Option<(Linear, i64)> {
        self.fraction_of(expr, &People::of(Vec::new()))
    }

    /// A number that depends on that of the processes and on parameters: what is divided, and the
    /// positive number that it is divided by.
    fn fraction_of(&self, expr: &Expr, people: &People) -> Option<(Linear, i64)> {
        if let Some(value) = self.value(expr, people) {
            return Some((Linear::constant(i64::from(value)), 1));
        }
        match expr {
            Expr::Size => Some((self.size(), 1)),
            Expr::Global(global) => {
                let domain = &self.protocol.globals[*global].domain;
                (*domain == Domain::Parameter).then(|| (self.parameter(*global), 1))
            }
            Expr::Arithmetic(arithmetic, left, right) => {
                let (one, by) = self.fraction_of(left, people)?;
                let (two, with) = self.fraction_of(right, people)?;
                let under = by.checked_mul(with)?;
                match arithmetic {
                    Arithmetic::Add => Some((one.times(with).plus(&two.times(by)), under)),
                    Arithmetic::Subtract => Some((one.times(with).minus(&two.times(by)), under)),
                    Arithmetic::Multiply => match (one.as_constant(), two.as_constant()) {
                        (Some(factor), _) => Some((two.times(factor), under)),
                        (_, Some(factor)) => Some((one.times(factor), under)),
                        _ => None,
                    },
                    Arithmetic::Divide => {
                        let divisor = two.as_constant().filter(|two| *two > 0)?;
                        Some((one.times(with), by.checked_mul(divisor)?))
                    }
                    Arithmetic::Modulo => None,
                }
            }
            _ => None,
        }
    }
}

/// A body without what it says of who is different from whom in any case.
fn without_identities(body: &Expr, who: Who, different: &mut Vec<Who>) -> Expr {
    match body {
        Expr::And(parts) => {
            let parts = parts.iter();
            Expr::And(
                parts
                    .map(|part| without_identities(part, who, different))
                    .collect(),
            )
        }
        Expr::Not(inner) => match **inner {
            Expr::Same(one, two) if (one == who) != (two == who) => {
                different.push(if one == who { two } else { one });
                Expr::TRUE
            }
            _ => body.clone(),
        },
        _ => body.clone(),
    }
}

fn at_least_one(sum: &Linear) -> Condition {
    Condition::AtMostZero(sum.times(-1).plus_constant(1))
}

fn truth(left: &Linear, comparison: Comparison, right: &Linear, wanted: bool) -> Condition {
    match wanted {
        true => compared(left, comparison, right),
        false => compared(left, opposite(comparison), right),
    }
}

fn opposite(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Equal => Comparison::Different,
        Comparison::Different => Comparison::Equal,
        Comparison::Less => Comparison::GreaterOrEqual,
        Comparison::LessOrEqual => Comparison::Greater,
        Comparison::Greater => Comparison::LessOrEqual,
        Comparison::GreaterOrEqual => Comparison::Less,
    }
}

fn compared(left: &Linear, comparison: Comparison, right: &Linear) -> Condition {
    let at_most = |one: &Linear, two: &Linear, by: i64| {
        Condition::AtMostZero(one.minus(two).plus_constant(by))
    };
    match comparison {
        Comparison::Equal => Condition::Zero(left.minus(right)),
        Comparison::Different => {
            Condition::Or(vec![at_most(left, right, 1), at_most(right, left, 1)])
        }
        Comparison::Less => at_most(left, right, 1),
        Comparison::LessOrEqual => at_most(left, right, 0),
        Comparison::Greater => at_most(right, left, 1),
        Comparison::GreaterOrEqual => at_most(right, left, 0),
    }
}
