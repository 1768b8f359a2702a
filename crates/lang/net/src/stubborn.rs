//! Fewer markings for the question whether one with a property can be reached.
//!
//! In each marking only a *stubborn set* of transitions fires (Valmari, 1989). The set contains
//! transitions without which the property never comes about: every way to it takes one of them
//! (Schmidt, 1999). And whatever fires outside of the set before one of its members can as well
//! fire after it: with a transition that can fire, the set contains all that need tokens which it
//! takes; with one that cannot, all that put tokens on a place that it lacks. So a way to the
//! property can begin with a member of the set, and is shorter from there on.

use quotient_explicit::System;

use crate::formula::{Formula, Linear};
use crate::net::{Net, Transition};
use crate::space::Space;

/// How many sets are tried in a marking, to take the one with the fewest steps.
const BEGINNINGS: usize = 4;

/// Which transitions touch a place, and how.
pub(crate) struct Relations {
    /// Those that need tokens which a transition takes.
    hurt: Vec<Vec<usize>>,
    /// What a transition needs.
    needs: Vec<Vec<(usize, u64)>>,
    /// Those that put tokens on a place, and that take some from it.
    givers: Vec<Vec<usize>>,
    takers: Vec<Vec<usize>>,
}

impl Relations {
    /// Of a net whose transitions only need, take and give; nothing if there are others.
    pub(crate) fn new(net: &Net) -> Option<Relations> {
        if !net.only_takes_and_gives() {
            return None;
        }
        let mut users = vec![Vec::new(); net.places.len()];
        let mut givers = vec![Vec::new(); net.places.len()];
        let mut takers = vec![Vec::new(); net.places.len()];
        let mut needs = Vec::new();
        for (number, one) in net.transitions.iter().enumerate() {
            for guard in &one.guard {
                users[guard.place].push(number);
            }
            for &(place, change) in &one.effect {
                match change > 0 {
                    true => givers[place].push(number),
                    false => takers[place].push(number),
                }
            }
            let guards = one.guard.iter();
            needs.push(guards.map(|guard| (guard.place, guard.least)).collect());
        }
        let hurt = net.transitions.iter().enumerate().map(|(number, one)| {
            let taken = one.effect.iter().filter(|(_, change)| *change < 0);
            let mut all: Vec<usize> = taken
                .flat_map(|&(place, _)| users[place].iter().copied())
                .filter(|&other| other != number)
                .collect();
            all.sort_unstable();
            all.dedup();
            all
        });
        Some(Relations {
            hurt: hurt.collect(),
            needs,
            givers,
            takers,
        })
    }

    /// Those that need tokens which a transition takes.
    pub(crate) fn hurt_by(&self, one: usize) -> &[usize] {
        &self.hurt[one]
    }

    /// Those that put tokens on a place.
    pub(crate) fn givers_of(&self, place: usize) -> &[usize] {
        &self.givers[place]
    }

    /// Those that take tokens which a transition needs.
    pub(crate) fn hindering(&self, one: usize) -> Vec<usize> {
        let places = self.needs[one].iter();
        let takers = places.flat_map(|&(place, _)| self.takers[place].iter().copied());
        sorted(takers.collect())
    }

    /// The place that a transition lacks tokens on and that fewest give to.
    pub(crate) fn lacking(&self, one: usize, tokens: &dyn Fn(usize) -> u64) -> Option<usize> {
        let needs = self.needs[one].iter();
        let lacking = needs.filter(|&&(place, least)| tokens(place) < least);
        lacking
            .map(|&(place, _)| place)
            .min_by_key(|&place| self.givers[place].len())
    }

    /// The least set that contains some transitions and is stubborn.
    fn closure(
        &self,
        begin: &[usize],
        enabled: &[bool],
        tokens: &dyn Fn(usize) -> u64,
    ) -> Vec<usize> {
        let mut inside = vec![false; self.needs.len()];
        for &one in begin {
            inside[one] = true;
        }
        let mut todo = begin.to_vec();
        while let Some(one) = todo.pop() {
            let more = match enabled[one] {
                true => &self.hurt[one],
                false => {
                    let lacking = self.needs[one].iter();
                    let lacking = lacking.filter(|&&(place, least)| tokens(place) < least);
                    // The place that fewest new transitions give to.
                    let new = |place: usize| {
                        let givers = self.givers[place].iter();
                        givers.filter(|&&giver| !inside[giver]).count()
                    };
                    let place = lacking
                        .map(|&(place, _)| place)
                        .min_by_key(|&place| new(place));
                    match place {
                        Some(place) => &self.givers[place],
                        None => continue,
                    }
                }
            };
            for &other in more {
                if !inside[other] {
                    inside[other] = true;
                    todo.push(other);
                }
            }
        }
        (0..inside.len()).filter(|&one| inside[one]).collect()
    }
}

/// A property of markings, with the transitions that help to bring it about.
pub(crate) enum Goal {
    /// Holds always, or never.
    Truth(bool),
    All(Vec<Goal>),
    Any(Vec<Goal>),
    /// A sum is at least a number, or (`false`) is not; those that change it in this direction.
    Sum(Linear, bool, Vec<usize>),
    /// A transition can fire, or (`false`) cannot.
    Can(usize, bool),
    /// Nothing can fire.
    Dead,
    /// Something can.
    Alive,
}

impl Goal {
    /// The property that a formula has a value.
    pub(crate) fn new(net: &Net, formula: &Formula, value: bool) -> Goal {
        let parts =
            |parts: &[Formula]| parts.iter().map(|one| Goal::new(net, one, value)).collect();
        match (formula, value) {
            (Formula::Truth(truth), _) => Goal::Truth(*truth == value),
            (Formula::Not(inner), _) => Goal::new(net, inner, !value),
            (Formula::All(all), true) | (Formula::Any(all), false) => Goal::All(parts(all)),
            (Formula::All(all), false) | (Formula::Any(all), true) => Goal::Any(parts(all)),
            (Formula::AtLeast(linear), _) => {
                let helps = |one: &Transition| match value {
                    true => change(linear, one) > 0,
                    false => change(linear, one) < 0,
                };
                let numbered = net.transitions.iter().enumerate();
                let helping = numbered.filter(|(_, one)| helps(one));
                let helping = helping.map(|(number, _)| number).collect();
                Goal::Sum(linear.clone(), value, helping)
            }
            (Formula::Fireable(one), _) => Goal::Can(*one, value),
            (Formula::Dead, true) => Goal::Dead,
            (Formula::Dead, false) => Goal::Alive,
        }
    }

    pub(crate) fn holds(&self, enabled: &[bool], tokens: &dyn Fn(usize) -> u64) -> bool {
        match self {
            Goal::Truth(truth) => *truth,
            Goal::All(parts) => parts.iter().all(|one| one.holds(enabled, tokens)),
            Goal::Any(parts) => parts.iter().any(|one| one.holds(enabled, tokens)),
            Goal::Sum(linear, value, _) => {
                let sum = Linear::sum_with(&linear.terms, &|place| tokens(place));
                (sum >= i128::from(linear.least)) == *value
            }
            Goal::Can(one, value) => enabled[*one] == *value,
            Goal::Dead => !enabled.contains(&true),
            Goal::Alive => enabled.contains(&true),
        }
    }

    /// Whether it holds where places hold these tokens.
    pub(crate) fn holds_in(&self, net: &Net, tokens: &dyn Fn(usize) -> u64) -> bool {
        let can = |one: usize| net.transitions[one].is_enabled_with(&|place| tokens(place));
        match self {
            Goal::All(parts) => parts.iter().all(|one| one.holds_in(net, tokens)),
            Goal::Any(parts) => parts.iter().any(|one| one.holds_in(net, tokens)),
            Goal::Can(one, value) => can(*one) == *value,
            Goal::Dead => !(0..net.transitions.len()).any(can),
            Goal::Alive => (0..net.transitions.len()).any(can),
            Goal::Truth(_) | Goal::Sum(..) => self.holds(&[], tokens),
        }
    }

    /// Sets of transitions such that every way to the goal takes one of each set, where it does
    /// not hold yet: several sets to choose from.
    fn needed(
        &self,
        relations: &Relations,
        enabled: &[bool],
        tokens: &dyn Fn(usize) -> u64,
    ) -> Vec<Vec<usize>> {
        match self {
            // Nothing leads from a marking where nothing can fire to one where something can.
            Goal::Truth(_) | Goal::Alive => vec![Vec::new()],
            Goal::All(parts) => {
                let open = parts.iter().filter(|one| !one.holds(enabled, tokens));
                let mut sets: Vec<Vec<usize>> = open
                    .flat_map(|one| one.needed(relations, enabled, tokens))
                    .collect();
                sets.sort_by_key(Vec::len);
                sets.truncate(BEGINNINGS);
                sets
            }
            Goal::Any(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    let sets = part.needed(relations, enabled, tokens);
                    all.extend(sets.into_iter().min_by_key(Vec::len).unwrap_or_default());
                }
                vec![sorted(all)]
            }
            Goal::Sum(_, _, helping) => vec![helping.clone()],
            Goal::Can(one, true) => {
                let place = relations.lacking(*one, tokens);
                vec![place.map_or_else(Vec::new, |place| relations.givers[place].clone())]
            }
            Goal::Can(one, false) => vec![relations.hindering(*one)],
            Goal::Dead => {
                let able = (0..enabled.len()).filter(|&one| enabled[one]);
                let able = able.take(BEGINNINGS);
                able.map(|one| relations.hindering(one)).collect()
            }
        }
    }
}

fn sorted(mut all: Vec<usize>) -> Vec<usize> {
    all.sort_unstable();
    all.dedup();
    all
}

/// How much a transition changes a sum.
pub(crate) fn change(linear: &Linear, transition: &Transition) -> i128 {
    let mut change = 0_i128;
    for &(place, by) in &transition.effect {
        let factors = linear.terms.iter().filter(|term| term.0 == place);
        let factor: i128 = factors.map(|term| i128::from(term.1)).sum();
        change = change.saturating_add(factor.saturating_mul(i128::from(by)));
    }
    change
}

/// The markings of a net that stubborn sets lead to, on the way to a goal.
pub(crate) struct Stubborn<'a> {
    pub(crate) space: &'a Space<'a>,
    pub(crate) relations: &'a Relations,
    pub(crate) goal: &'a Goal,
}

impl Stubborn<'_> {
    /// Which transitions can fire.
    pub(crate) fn enabled(&self, state: &[u64]) -> Vec<bool> {
        let transitions = 0..self.relations.needs.len();
        transitions
            .map(|one| self.space.is_enabled(one, state))
            .collect()
    }

    /// A stubborn set, its members in order; none where the goal holds.
    pub(crate) fn set(&self, state: &[u64]) -> Vec<usize> {
        let enabled = self.enabled(state);
        let tokens = |place: usize| self.space.tokens(state, place);
        if self.goal.holds(&enabled, &tokens) {
            return Vec::new();
        }
        let mut best: Option<(usize, Vec<usize>)> = None;
        for begin in self.goal.needed(self.relations, &enabled, &tokens) {
            let set = self.relations.closure(&begin, &enabled, &tokens);
            let size = set.iter().filter(|&&one| enabled[one]).count();
            if best.as_ref().is_none_or(|(least, _)| size < *least) {
                best = Some((size, set));
            }
            if size <= 1 {
                break;
            }
        }
        best.map(|(_, set)| set).unwrap_or_default()
    }
}

impl System for Stubborn<'_> {
    fn width(&self) -> usize {
        self.space.width()
    }

    fn initial(&self, emit: &mut dyn FnMut(&[u64])) {
        self.space.initial(emit);
    }

    fn successors(&self, state: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
        let mut next = Vec::with_capacity(self.width());
        for transition in self.set(state) {
            if self.space.fire(transition, state, &mut next)? {
                emit(transition as u32, &next);
            }
        }
        Ok(())
    }
}
