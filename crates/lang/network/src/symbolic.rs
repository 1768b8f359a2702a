//! The states of formulas as decision diagrams: a variable for each variable of the network, and
//! one more for each name of a state, side by side.

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::util::num::Natural;
use oxidd::util::{AllocResult, OptBool, SatCountCache};
use oxidd::{BooleanFunction, BooleanFunctionQuant, BooleanOperator, Manager, ManagerRef};
use quotient_core::{Budget, Stop};
use std::collections::HashMap;

use crate::formula::Formula;
use crate::landscape;
use crate::network::{Network, Update};

/// A set of states, with names of states beside them.
pub(crate) type Set = BCDDFunction;

/// Evaluates formulas on a network.
pub(crate) struct Evaluator<'a> {
    network: &'a Network,
    manager: BCDDManagerRef,
    budget: &'a Budget,
    /// Levels between a variable and the next: one, and one for each name.
    stride: usize,
    names: usize,
    /// Where each variable stands among the others, and the variables from the top down.
    places: Vec<usize>,
    order: Vec<usize>,
    /// For each variable, the states where its function changes it.
    changes: Vec<Set>,
    /// The states that nothing changes.
    steady: Set,
    /// What is known of a formula, for the states of names that it was asked for.
    known: HashMap<(Formula, Set), Set>,
    attractors: Option<Set>,
}

/// Nodes that there is room for.
const NODES: usize = 1 << 24;

impl<'a> Evaluator<'a> {
    /// Diagrams for formulas with so many names at a time.
    pub(crate) fn new(
        network: &'a Network,
        names: usize,
        budget: &'a Budget,
    ) -> Result<Evaluator<'a>, Stop> {
        let memory = budget
            .memory_limit()
            .and_then(|bytes| usize::try_from(bytes / 64).ok());
        // Small networks are made and dropped fast.
        let (most, kept) = match network.names.len() * (names + 1) {
            0..=12 => (1 << 16, 1 << 12),
            13..=40 => (1 << 22, 1 << 16),
            _ => (NODES, 1 << 20),
        };
        let nodes = memory.unwrap_or(most).clamp(1 << 12, most);
        let manager = std::panic::catch_unwind(|| oxidd::bcdd::new_manager(nodes, kept, 1))
            .map_err(|_| Stop::Memory)?;
        let stride = names + 1;
        let count = u32::try_from(network.names.len() * stride).map_err(|_| Stop::Memory)?;
        manager.with_manager_exclusive(|manager| manager.add_vars(count));
        let steady = manager.with_manager_shared(|manager| Set::t(manager));
        let places: Vec<usize> = (landscape::order(network).into_iter())
            .map(|place| place as usize)
            .collect();
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_by_key(|&at| places[at]);
        let mut evaluator = Evaluator {
            network,
            manager,
            budget,
            stride,
            names,
            places,
            order,
            changes: Vec::new(),
            steady,
            known: HashMap::new(),
            attractors: None,
        };
        for (at, update) in network.updates.iter().enumerate() {
            let function = evaluator.update(update)?;
            let own = evaluator.variable(at, 0)?;
            let changes = evaluator.run(|| function.xor(&own))?;
            evaluator.steady = evaluator.run(|| changes.imp_strict(&evaluator.steady))?;
            evaluator.changes.push(changes);
        }
        Ok(evaluator)
    }

    fn run(&self, operation: impl Fn() -> AllocResult<Set>) -> Result<Set, Stop> {
        self.budget.poll()?;
        operation().or_else(|_| {
            self.manager.with_manager_shared(|manager| manager.gc());
            operation().map_err(|_| Stop::Memory)
        })
    }

    /// A variable of the network: of the present state, or of the state of a name, from 1.
    fn variable(&self, at: usize, copy: usize) -> Result<Set, Stop> {
        let level = (self.places[at] * self.stride + copy) as u32;
        self.manager
            .with_manager_shared(|manager| Set::var(manager, level))
            .map_err(|_| Stop::Memory)
    }

    fn constant(&self, value: bool) -> Set {
        self.manager.with_manager_shared(|manager| {
            if value {
                Set::t(manager)
            } else {
                Set::f(manager)
            }
        })
    }

    fn update(&self, update: &Update) -> Result<Set, Stop> {
        Ok(match update {
            Update::Constant(value) => self.constant(*value),
            Update::Variable(at) => self.variable(*at, 0)?,
            Update::Not(inner) => {
                let inner = self.update(inner)?;
                self.run(|| inner.not())?
            }
            Update::And(one, other) | Update::Or(one, other) | Update::Xor(one, other) => {
                let (one, other) = (self.update(one)?, self.update(other)?);
                match update {
                    Update::And(..) => self.run(|| one.and(&other))?,
                    Update::Or(..) => self.run(|| one.or(&other))?,
                    _ => self.run(|| one.xor(&other))?,
                }
            }
        })
    }

    /// The variables of a state that can have a name, from the bottom up. Parameters are none of them: a name
    /// stands for a state whatever they are, and they are what they are wherever one looks from here.
    fn named(&self) -> impl Iterator<Item = usize> {
        let count = self.network.named();
        (self.order.iter().rev().copied()).filter(move |at| *at < count)
    }

    /// The conjunction of all variables of one copy, for quantification.
    fn cube(&self, copy: usize) -> Result<Set, Stop> {
        let mut cube = self.constant(true);
        for at in self.named() {
            let variable = self.variable(at, copy)?;
            cube = self.run(|| variable.and(&cube))?;
        }
        Ok(cube)
    }

    /// The present state is the one of a name.
    fn same(&self, name: usize) -> Result<Set, Stop> {
        let mut same = self.constant(true);
        for at in self.named() {
            let (own, named) = (self.variable(at, 0)?, self.variable(at, name + 1)?);
            let equal = self.run(|| own.equiv(&named))?;
            same = self.run(|| equal.and(&same))?;
        }
        Ok(same)
    }

    /// The states of a formula.
    pub(crate) fn states(&mut self, formula: &Formula) -> Result<Set, Stop> {
        self.within(formula, &self.constant(true))
    }

    /// A set that agrees with the states of a formula where the names are in a domain: a set of
    /// states of names. What names stand for never changes on a path, so everything can be worked
    /// out inside of the domain.
    fn within(&mut self, formula: &Formula, domain: &Set) -> Result<Set, Stop> {
        let domain = self.projected(domain, formula)?;
        let key = (formula.clone(), domain.clone());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let found = match formula {
            Formula::Constant(value) => self.constant(*value),
            Formula::Variable(at) => self.variable(*at, 0)?,
            Formula::Named(name) => {
                let same = self.same(*name)?;
                self.run(|| same.and(&domain))?
            }
            Formula::Not(inner) => {
                let inner = self.within(inner, &domain)?;
                self.run(|| inner.imp_strict(&domain))?
            }
            Formula::And(..) => self.all_of(formula, &domain)?,
            Formula::Or(one, other) => {
                let (one, other) = (self.within(one, &domain)?, self.within(other, &domain)?);
                self.run(|| one.or(&other))?
            }
            Formula::ExistsNext(inner) => {
                let inner = self.within(inner, &domain)?;
                self.before(&inner)?
            }
            Formula::ExistsUntil(one, other) => {
                let (one, other) = (self.within(one, &domain)?, self.within(other, &domain)?);
                let start = self.run(|| other.and(&domain))?;
                self.until(&one, start)?
            }
            Formula::ExistsGlobally(inner) => {
                let inner = self.within(inner, &domain)?;
                let mut now = self.run(|| inner.and(&domain))?;
                loop {
                    let earlier = self.before(&now)?;
                    let next = self.run(|| now.and(&earlier))?;
                    if next == now {
                        break now;
                    }
                    now = next;
                }
            }
            Formula::Bind(name, inner) if is_return(*name, inner) => self.attractors()?,
            Formula::Bind(name, inner) => {
                let inner = self.within(inner, &domain)?;
                let (same, cube) = (self.same(*name)?, self.cube(name + 1)?);
                self.run(|| inner.apply_exists(BooleanOperator::And, &same, &cube))?
            }
            Formula::Jump(_, inner) if matches!(**inner, Formula::And(..)) => {
                self.all_of(formula, &domain)?
            }
            Formula::Jump(name, inner) => {
                // At the state of a name, the name says nothing new.
                let inner = match is_return(*name, inner) {
                    true => self.attractors()?,
                    false => self.within(inner, &domain)?,
                };
                let (same, cube) = (self.same(*name)?, self.cube(0)?);
                self.run(|| inner.apply_exists(BooleanOperator::And, &same, &cube))?
            }
            Formula::Exists(name, inner) => {
                let inner = self.within(inner, &domain)?;
                let inner = self.run(|| inner.and(&domain))?;
                let cube = self.cube(name + 1)?;
                self.run(|| inner.exists(&cube))?
            }
        };
        self.known.insert(key, found.clone());
        Ok(found)
    }

    /// All parts of a conjunction. Those about names alone come first: the others are looked at
    /// only for the states of names that these allow.
    fn all_of(&mut self, formula: &Formula, domain: &Set) -> Result<Set, Stop> {
        let mut parts = formula.parts();
        parts.sort_by_key(|part| (!part.is_about_names(), part.free().len()));
        let mut domain = domain.clone();
        let mut all = self.constant(true);
        for part in parts {
            let value = self.within(&part, &domain)?;
            all = self.run(|| all.and(&value))?;
            if part.is_about_names() {
                domain = self.run(|| domain.and(&value))?;
            }
        }
        Ok(all)
    }

    /// A domain without what it says of names that a formula does not mention.
    fn projected(&self, domain: &Set, formula: &Formula) -> Result<Set, Stop> {
        let mut domain = domain.clone();
        if domain.valid() {
            return Ok(domain);
        }
        let free = formula.free();
        for name in (0..self.names).filter(|name| !free.contains(name)) {
            let cube = self.cube(name + 1)?;
            domain = self.run(|| domain.exists(&cube))?;
        }
        Ok(domain)
    }

    /// The states with a step of one variable into a set.
    fn before_by(&self, at: usize, set: &Set) -> Result<Set, Stop> {
        let own = self.variable(at, 0)?;
        let high = self.run(|| set.apply_exists(BooleanOperator::And, &own, &own))?;
        let negative = self.run(|| own.not())?;
        let low = self.run(|| set.apply_exists(BooleanOperator::And, &negative, &own))?;
        let flipped = self.run(|| own.ite(&low, &high))?;
        self.run(|| self.changes[at].and(&flipped))
    }

    /// The states with a next state in a set.
    fn before(&self, set: &Set) -> Result<Set, Stop> {
        let mut found = self.run(|| self.steady.and(set))?;
        for at in 0..self.changes.len() {
            let more = self.before_by(at, set)?;
            found = self.run(|| found.or(&more))?;
        }
        Ok(found)
    }

    /// Variable by variable until none adds a state (saturation): far fewer rounds than all
    /// variables at a time.
    fn until(&self, through: &Set, start: Set) -> Result<Set, Stop> {
        let mut now = start;
        let mut quiet = 0;
        let count = self.changes.len();
        let mut at = 0;
        while quiet < count {
            loop {
                let more = self.before_by(at, &now)?;
                let more = self.run(|| more.and(through))?;
                let next = self.run(|| now.or(&more))?;
                quiet += 1;
                if next == now {
                    break;
                }
                now = next;
                quiet = 0;
            }
            at = (at + 1) % count;
        }
        Ok(now)
    }

    /// The states that a step of one variable reaches from a set.
    fn after_by(&self, at: usize, set: &Set) -> Result<Set, Stop> {
        let own = self.variable(at, 0)?;
        let negative = self.run(|| own.not())?;
        let moving = self.run(|| set.and(&self.changes[at]))?;
        let high = self.run(|| moving.apply_exists(BooleanOperator::And, &own, &own))?;
        let low = self.run(|| moving.apply_exists(BooleanOperator::And, &negative, &own))?;
        self.run(|| own.ite(&low, &high))
    }

    /// All that can be reached from a set.
    fn after(&self, start: Set) -> Result<Set, Stop> {
        let mut now = start;
        let (mut quiet, mut at) = (0, 0);
        while quiet < self.changes.len() {
            let more = self.after_by(at, &now)?;
            let next = self.run(|| now.or(&more))?;
            quiet = if next == now { quiet + 1 } else { 0 };
            now = next;
            at = (at + 1) % self.changes.len();
        }
        Ok(now)
    }

    /// The states that every path from them can return to: terminal components, found from a
    /// state by going forward and back (Xie and Beerel 2000). No names are needed for that.
    fn attractors(&mut self) -> Result<Set, Stop> {
        if let Some(known) = &self.attractors {
            return Ok(known.clone());
        }
        let everywhere = self.constant(true);
        // Steady states are attractors, and what leads to one is in no other.
        let mut found = self.steady.clone();
        let steady = self.until(&everywhere, self.steady.clone())?;
        let mut left = self.run(|| steady.not())?;
        let mut next = self.pick(&left);
        while let Some(state) = next {
            let mut pivot = self.constant(true);
            for &at in self.order.iter().rev() {
                let own = self.variable(at, 0)?;
                let literal = if state[at] {
                    own
                } else {
                    self.run(|| own.not())?
                };
                pivot = self.run(|| literal.and(&pivot))?;
            }
            let back = self.until(&everywhere, pivot.clone())?;
            let forward = self.after(pivot)?;
            let beyond = self.run(|| back.imp_strict(&forward))?;
            // Who leads here leads on, unless here is where everything ends.
            left = self.run(|| back.imp_strict(&left))?;
            next = self.pick(&beyond);
            if next.is_none() {
                found = self.run(|| found.or(&forward))?;
                next = self.pick(&left);
            }
        }
        self.attractors = Some(found.clone());
        Ok(found)
    }

    /// How many states a set has that speaks of no names.
    pub(crate) fn count(&self, set: &Set) -> Natural {
        let mut cache: SatCountCache<Natural, rustc_hash::FxBuildHasher> = SatCountCache::default();
        let levels = (self.network.names.len() * self.stride) as u32;
        let all: Natural = set.sat_count(levels, &mut cache);
        // Each state was counted once for all values of the names.
        all >> ((self.network.names.len() * self.names) as u32)
    }

    /// Some state of a set.
    pub(crate) fn pick(&self, set: &Set) -> Option<Vec<bool>> {
        let cube = set.pick_cube(|_, _, _| false)?;
        let value = |at: usize| cube.get(self.places[at] * self.stride) == Some(&OptBool::True);
        Some((0..self.network.names.len()).map(value).collect())
    }

    /// The states of one set that are in another, and those that are not.
    pub(crate) fn parted(&self, all: &Set, set: &Set) -> Result<(Set, Set), Stop> {
        let inside = self.run(|| all.and(set))?;
        Ok((inside, self.run(|| set.imp_strict(all))?))
    }
}

/// Whether a formula says that the state of a name can be returned to from everywhere ahead.
fn is_return(name: usize, formula: &Formula) -> bool {
    let finally = |formula: &Formula| match formula {
        Formula::ExistsUntil(before, then) if **before == Formula::Constant(true) => {
            Some((**then).clone())
        }
        _ => None,
    };
    let negated = |formula: &Formula| match formula {
        Formula::Not(inner) => Some((**inner).clone()),
        _ => None,
    };
    let ahead = negated(formula)
        .and_then(|inner| finally(&inner))
        .and_then(|inner| negated(&inner));
    ahead.and_then(|inner| finally(&inner)) == Some(Formula::Named(name))
}
