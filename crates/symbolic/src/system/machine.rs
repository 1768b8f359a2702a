//! The part of a model that a question depends on, as a transition system over sets.

use quotient_core::Stop;

use super::relation::Relation;
use super::{Constraint, System};
use crate::diagrams::{Set, Var};
use crate::model::{Expression, Kind, VariableId};

/// A transition system over some of the variables of a system.
pub(crate) struct Machine {
    /// Which variables of the model take part, by their index.
    pub(crate) variables: Vec<bool>,
    pub(crate) init: Set,
    pub(crate) legal: Set,
    pub(crate) relation: Relation,
    /// The current variables of states.
    pub(crate) state: Vec<Var>,
    /// Fairness conditions on states and inputs.
    pub(crate) justice: Vec<Set>,
    /// Strong fairness conditions on states.
    pub(crate) compassion: Vec<(Set, Set)>,
}

impl System {
    /// Which variables matter for these expressions: the constraints that are not mere
    /// assignments always matter, an assignment if its variable does.
    pub(crate) fn cone(&self, atoms: impl IntoIterator<Item = Expression>) -> Vec<bool> {
        let mut inside = vec![false; self.model.variables().len()];
        let mut open: Vec<VariableId> = Vec::new();
        let fairness = self.model.justice().iter().copied();
        let strong = self.model.compassion().iter();
        let fairness = fairness.chain(strong.flat_map(|pair| [pair.when, pair.then]));
        let support = self.model.support(atoms.into_iter().chain(fairness));
        open.extend(support.iter().map(|&(bit, _)| self.model.owner(bit)));
        let all = || self.init.iter().chain(&self.legal).chain(&self.steps);
        let owners = |constraint: &Constraint| -> Vec<VariableId> {
            let owned = constraint.support.iter();
            owned
                .map(|&variable| self.model.owner(self.layout.bit(variable)))
                .collect()
        };
        for constraint in all().filter(|one| one.defines.is_none()) {
            open.extend(owners(constraint));
        }
        while let Some(variable) = open.pop() {
            if std::mem::replace(&mut inside[variable.index()], true) {
                continue;
            }
            for constraint in all() {
                if constraint.defines == Some(variable) {
                    open.extend(owners(constraint));
                }
            }
        }
        inside
    }

    /// The machine over the given variables.
    pub(crate) fn machine(&self, variables: Vec<bool>) -> Result<Machine, Stop> {
        let diagrams = &self.diagrams;
        let counts = |constraint: &&Constraint| {
            constraint
                .defines
                .is_none_or(|variable| variables[variable.index()])
        };
        let conjunction = |constraints: &[Constraint]| {
            let mut all = diagrams.constant(true);
            for constraint in constraints.iter().filter(counts) {
                all = diagrams.and(&all, &constraint.set)?;
            }
            Ok(all)
        };
        let legal = conjunction(&self.legal)?;
        let init = diagrams.and(&conjunction(&self.init)?, &legal)?;
        let conjuncts = self.steps.iter().filter(counts);
        let conjuncts = conjuncts.map(|one| (one.set.clone(), one.support.clone()));
        let (mut state, mut twins, mut inputs) = (Vec::new(), Vec::new(), Vec::new());
        for bit in 0..self.model.bit_count() as u32 {
            let owner = self.model.owner(bit);
            if !variables[owner.index()] {
                continue;
            }
            let current = self.layout.variable(bit, false);
            match self.model.variable(owner).kind {
                Kind::Input => inputs.push(current),
                Kind::Frozen => state.push(current),
                Kind::State => {
                    state.push(current);
                    twins.push((current, self.layout.variable(bit, true)));
                }
            }
        }
        let relation = Relation::new(diagrams, conjuncts.collect(), twins, inputs)?;
        let justice: Result<Vec<Set>, Stop> = self
            .model
            .justice()
            .iter()
            .map(|&condition| self.compile(condition))
            .collect();
        let compassion: Result<Vec<(Set, Set)>, Stop> = self
            .model
            .compassion()
            .iter()
            .map(|pair| Ok((self.compile(pair.when)?, self.compile(pair.then)?)))
            .collect();
        Ok(Machine {
            variables,
            init,
            legal,
            relation,
            state,
            justice: justice?,
            compassion: compassion?,
        })
    }

    /// Looks for a better order if that is worth it, keeping a machine and some more sets.
    /// Answers whether the order changed: all other sets are then lost.
    pub(crate) fn reorder_machine(
        &mut self,
        machine: &mut Machine,
        guiding: &mut [&mut Set],
        carried: &mut [&mut Set],
    ) -> Result<bool, Stop> {
        let mut all: Vec<&mut Set> = machine.relation.sets_mut().collect();
        all.extend(guiding.iter_mut().map(|set| &mut **set));
        let mut more: Vec<&mut Set> = vec![&mut machine.init, &mut machine.legal];
        more.extend(machine.justice.iter_mut());
        more.extend(machine.compassion.iter_mut().flat_map(|(p, q)| [p, q]));
        more.extend(carried.iter_mut().map(|set| &mut **set));
        let changed = self.reorder_if_worth(&mut all, &mut more)?;
        if changed {
            machine.relation.refresh(&self.diagrams)?;
        }
        Ok(changed)
    }
}
