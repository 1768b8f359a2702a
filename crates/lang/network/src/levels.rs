//! Variables of more than two levels, as one Boolean variable for each level but the lowest (after Van Ham, 1979).
//!
//! `x_2` is 1 where `x` has at least the level 2. A variable goes up or down by one level at a time, which is a step of one
//! Boolean variable. Some values of these mean nothing (`x_2` without `x_1`): no step of the others leads
//! there, and from each of them steps lead away and never back, so that no attractor has any. Questions are about the states that
//! mean something: they are what is counted, and what names can stand for.

use std::collections::{BTreeMap, HashSet};

use crate::formula::Formula;
use crate::network::{Network, Update};

/// The function of the Boolean variable for a level, from 1 on, of a variable with these for all its levels, where it is wanted
/// at this level or above under a condition. It goes up only from the level below, and down only if it is not above.
pub(crate) fn step(all: &[usize], level: usize, wanted: Update) -> Update {
    let variable = |at: usize| Box::new(Update::Variable(all[at]));
    let up = match level < all.len() {
        true => Update::Or(Box::new(wanted), variable(level)),
        false => wanted,
    };
    match level > 1 {
        true => Update::And(variable(level - 2), Box::new(up)),
        false => up,
    }
}

/// The condition for each level of a variable with these Boolean ones, from 0 on.
pub(crate) fn values(all: &[usize]) -> Vec<Update> {
    let variable = |at: &usize| Update::Variable(*at);
    let levels = (0..=all.len()).map(|level| {
        let here = level.checked_sub(1).and_then(|at| all.get(at));
        let above = all.get(level).map(|at| Update::Not(Box::new(variable(at))));
        match (here.map(variable), above) {
            (Some(here), Some(above)) => Update::And(Box::new(here), Box::new(above)),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => Update::Constant(true),
        }
    });
    levels.collect()
}

impl Network {
    /// The states that there are: those that mean something, in which what is fixed has its level.
    pub(crate) fn meaningful(&self) -> Formula {
        let pairs = self.levels.iter().flat_map(|all| all.windows(2));
        let ordered = pairs.map(|pair| {
            let variable = |at: usize| Formula::Variable(at);
            Formula::Or(
                Box::new(variable(pair[1]).negated()),
                Box::new(variable(pair[0])),
            )
        });
        let mut parts: Vec<Formula> = ordered.collect();
        parts.extend(pinned(&self.fixed));
        all(parts)
    }

    /// The states that a question is about: all, or those to start from.
    pub(crate) fn asked(&self) -> Formula {
        if self.start.is_empty() {
            return self.meaningful();
        }
        let mut parts = pinned(&self.start);
        parts.push(self.meaningful());
        all(parts)
    }

    /// A formula whose names stand only for states that mean something.
    pub(crate) fn confined(&self, formula: Formula) -> Formula {
        if self.levels.is_empty() && self.fixed.is_empty() {
            return formula;
        }
        let inside = |inner: Box<Formula>| Box::new(self.confined(*inner));
        match formula {
            Formula::Constant(_) | Formula::Variable(_) | Formula::Named(_) => formula,
            Formula::Not(inner) => Formula::Not(inside(inner)),
            Formula::And(one, other) => Formula::And(inside(one), inside(other)),
            Formula::Or(one, other) => Formula::Or(inside(one), inside(other)),
            Formula::ExistsNext(inner) => Formula::ExistsNext(inside(inner)),
            Formula::ExistsUntil(one, other) => Formula::ExistsUntil(inside(one), inside(other)),
            Formula::ExistsGlobally(inner) => Formula::ExistsGlobally(inside(inner)),
            Formula::Bind(name, inner) => Formula::Bind(name, inside(inner)),
            Formula::Jump(name, inner) => Formula::Jump(name, inside(inner)),
            Formula::Exists(name, inner) => {
                let there = Formula::Jump(name, Box::new(self.meaningful()));
                let both = Formula::And(Box::new(there), inside(inner));
                Formula::Exists(name, Box::new(both))
            }
        }
    }

    /// How many states there are with some values of variables, as a product.
    pub(crate) fn number_of_states(&self, with: &[(usize, bool)]) -> String {
        let mut factors: BTreeMap<usize, usize> = BTreeMap::new();
        let pins: HashSet<(usize, bool)> = self.fixed.iter().chain(with).copied().collect();
        for unit in self.units() {
            let levels = unit.levels_with(&pins).len();
            *factors.entry(levels).or_default() += 1;
        }
        let factors = factors.into_iter().filter(|factor| factor.0 != 1);
        let factors: Vec<String> = factors
            .map(|(base, power)| match (base, power) {
                (3.., 1) => base.to_string(),
                _ => format!("{base}^{power}"),
            })
            .collect();
        match factors.is_empty() {
            true => "1".to_owned(),
            false => factors.join(" * "),
        }
    }
}

/// The values of some variables as formulas.
fn pinned(pins: &[(usize, bool)]) -> Vec<Formula> {
    let literal = |&(at, value): &(usize, bool)| match value {
        true => Formula::Variable(at),
        false => Formula::Variable(at).negated(),
    };
    pins.iter().map(literal).collect()
}

/// A conjunction that is not deep.
fn all(mut parts: Vec<Formula>) -> Formula {
    while parts.len() > 1 {
        let mut fewer = Vec::with_capacity(parts.len().div_ceil(2));
        let mut rest = parts.into_iter();
        while let Some(one) = rest.next() {
            fewer.push(match rest.next() {
                Some(other) => Formula::And(Box::new(one), Box::new(other)),
                None => one,
            });
        }
        parts = fewer;
    }
    parts.pop().unwrap_or(Formula::Constant(true))
}
