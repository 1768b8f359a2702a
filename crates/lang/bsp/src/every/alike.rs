//! Programs in which all processors come to the same barriers, one after the other.
//!
//! A test that only looks at what all processors know alike (numbers of the text, `nprocs`, variables made of them) goes the
//! same way everywhere. If every barrier stands where only such tests decide who comes to it, then all processors pass the
//! same barriers in the same order, as often as they like: loops up to `nprocs` too, which no finite memory counts. No
//! run then ends in a deadlock: somebody who has passed the fewest barriers waits for members that have passed no
//! fewer, and none of them can have passed this one without it. (After Jakobsson, Dabrowski, Bousdira, Loulergue and Hains,
//! "Replicated synchronization for imperative BSP programs", 2017.)
//!
//! What may differ is noted as [`Facts`]. They only have to be closed: whoever is given some looks at each expression
//! once. A processor that fails or never stops by itself is no deadlock.

use std::collections::BTreeSet;

use quotient_core::{Budget, Stop};
use serde::{Deserialize, Serialize};

use crate::program::{Expression, Groups, Name, Operator, Program};

/// What may differ from processor to processor.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Facts {
    /// Variables, by number.
    variables: BTreeSet<Name>,
    /// Exceptions that some processors raise where others do not.
    raised: BTreeSet<usize>,
    /// Exceptions whose values may differ.
    carried: BTreeSet<usize>,
    /// Functions may be called by some only, or not the same ones by all.
    called: bool,
    /// Arguments, and results, of functions may differ.
    arguments: bool,
    results: bool,
}

/// What one look at a program with some facts says.
pub(super) struct Look {
    /// What must be among the facts.
    pub(super) needed: Facts,
    /// Barriers to which not all processors may come, or whose groups have members in common.
    pub(super) apart: Vec<usize>,
}

impl Facts {
    /// The fewest facts that are closed.
    pub(super) fn of(program: &Program, groups: &Program, budget: &Budget) -> Result<Look, Stop> {
        let mut facts = Facts::default();
        loop {
            let look = facts.look(program, groups, budget)?;
            match look.needed.are_among(&facts) {
                true => {
                    let needed = facts;
                    return Ok(Look { needed, ..look });
                }
                false => facts.add(look.needed),
            }
        }
    }

    fn add(&mut self, more: Facts) {
        self.variables.extend(more.variables);
        self.raised.extend(more.raised);
        self.carried.extend(more.carried);
        self.called |= more.called;
        self.arguments |= more.arguments;
        self.results |= more.results;
    }

    /// Whether all of these are among others.
    pub(super) fn are_among(&self, others: &Facts) -> bool {
        self.variables.is_subset(&others.variables)
            && self.raised.is_subset(&others.raised)
            && self.carried.is_subset(&others.carried)
            && self.called <= others.called
            && self.arguments <= others.arguments
            && self.results <= others.results
    }

    /// Looks at every expression once; `groups` is the program with so many processors that the last stands for all
    /// that no group names.
    pub(super) fn look(
        &self,
        program: &Program,
        groups: &Program,
        budget: &Budget,
    ) -> Result<Look, Stop> {
        let number = program.expressions.len();
        budget.charge(1 + number as u64)?;
        let mut values = Vec::with_capacity(number);
        for (expression, _) in &program.expressions {
            let same = self.is_same(program, expression, &values);
            values.push(same.ok_or_else(out_of_order)?);
        }
        let mut together = vec![true; number];
        for (at, (expression, _)) in program.expressions.iter().enumerate().rev() {
            self.go_on(expression, at, &values, &mut together)
                .ok_or_else(out_of_order)?;
        }
        let mut look = Look {
            needed: Facts::default(),
            apart: Vec::new(),
        };
        for (at, (expression, _)) in program.expressions.iter().enumerate() {
            self.needs(expression, together[at], &values, &mut look.needed);
            if let Expression::Sync(chosen) = expression
                && !(together[at] && are_apart(groups, chosen))
            {
                look.apart.push(at);
            }
        }
        Ok(look)
    }

    /// Whether all processors that come to an expression together get the same value; nothing if a part is not there yet.
    fn is_same(&self, program: &Program, expression: &Expression, values: &[bool]) -> Option<bool> {
        let of = |at: &usize| values.get(*at).copied();
        Some(match expression {
            Expression::Pid => false,
            Expression::Variable(name) => !self.variables.contains(name),
            Expression::Unary(operator, inner) => *operator != Operator::Messages && of(inner)?,
            Expression::Binary(operator, left, right) => {
                *operator != Operator::Message && of(left)? && of(right)?
            }
            Expression::Let(_, _, then) => of(then)?,
            Expression::If(condition, yes, no) => of(condition)? && of(yes)? && of(no)?,
            Expression::Try(body, exception, _, handler) => {
                of(body)? && of(handler)? && !self.raised.contains(exception)
            }
            Expression::Apply(function, _) => of(function)? && !self.called && !self.results,
            // The text of a function, with what it keeps.
            Expression::Fun(_, body) => {
                let mut kept = program.kept.get(body).into_iter().flatten();
                kept.all(|name| !self.variables.contains(name))
            }
            // Nothing at all, or no value ever.
            Expression::Constant(_)
            | Expression::Processors
            | Expression::Loop(_)
            | Expression::Raise(..)
            | Expression::Assign(..)
            | Expression::Push(..)
            | Expression::Pop(..)
            | Expression::Put(..)
            | Expression::Get(..)
            | Expression::Send(..)
            | Expression::Sync(_) => true,
        })
    }

    /// Notes to which parts of an expression not all processors may come; nothing if a part comes later than the whole.
    fn go_on(
        &self,
        expression: &Expression,
        at: usize,
        values: &[bool],
        together: &mut [bool],
    ) -> Option<()> {
        let here = together[at];
        let mut part = |inner: &usize, all: bool| -> Option<()> {
            together[..at].get_mut(*inner).map(|one| *one &= all)
        };
        match expression {
            Expression::Constant(_)
            | Expression::Variable(_)
            | Expression::Pid
            | Expression::Processors
            | Expression::Push(..)
            | Expression::Pop(..)
            | Expression::Sync(_) => {}
            Expression::Unary(_, inner)
            | Expression::Loop(inner)
            | Expression::Raise(_, inner)
            | Expression::Assign(_, inner)
            | Expression::Put(_, inner, ..)
            | Expression::Get(_, inner, ..)
            | Expression::Send(_, _, inner) => part(inner, here)?,
            Expression::Binary(_, left, right)
            | Expression::Let(_, left, right)
            | Expression::Apply(left, right) => {
                part(left, here)?;
                part(right, here)?;
            }
            Expression::If(condition, yes, no) => {
                part(condition, here)?;
                part(yes, here && values[*condition])?;
                part(no, here && values[*condition])?;
            }
            // Whoever raises it leaves out the rest of the body.
            Expression::Try(body, exception, _, handler) => {
                let all = here && !self.raised.contains(exception);
                part(body, all)?;
                part(handler, all)?;
            }
            Expression::Fun(_, body) => part(body, !self.called)?,
        }
        Some(())
    }

    /// What an expression makes differ.
    fn needs(&self, expression: &Expression, here: bool, values: &[bool], needed: &mut Facts) {
        let mut differs = |name: Name| {
            // The first name is nobody's.
            if name != 0 {
                needed.variables.insert(name);
            }
        };
        match *expression {
            Expression::Let(name, value, _) | Expression::Assign(name, value)
                if !(here && values[value]) =>
            {
                differs(name);
            }
            // What others write, and what is read from them.
            Expression::Put(.., into) | Expression::Get(.., into) => differs(into),
            Expression::Try(_, exception, name, _)
                if !here
                    || self.raised.contains(&exception)
                    || self.carried.contains(&exception) =>
            {
                differs(name);
            }
            Expression::Fun(name, body) => {
                if self.called || self.arguments {
                    differs(name);
                }
                needed.results |= !values[body];
            }
            Expression::Apply(function, argument) => {
                needed.called |= !(here && values[function]);
                needed.arguments |= !(here && values[argument]);
            }
            Expression::Raise(exception, value) => {
                if !here {
                    needed.raised.insert(exception);
                }
                if !(here && values[value]) {
                    needed.carried.insert(exception);
                }
            }
            _ => {}
        }
    }
}

fn out_of_order() -> Stop {
    Stop::exhausted("a part of the program comes after the whole")
}

/// Whether nobody belongs to two of these groups: everyone then waits for the only one that it can.
fn are_apart(program: &Program, groups: &Groups) -> bool {
    let listed: BTreeSet<usize> = groups.iter().copied().collect();
    (0..program.processors).all(|processor| {
        let own = listed
            .iter()
            .filter(|&&group| program.is_member(group, processor));
        own.count() <= 1
    })
}
