//! The part of a model that a question depends on, as a transition system over sets.

use quotient_core::Stop;

use super::choice::{self, Choice};
use super::relation::Relation;
use super::{Constraint, System};
use crate::diagrams::{Set, Var};
use crate::model::{Expression, Kind, VariableId};

/// What is said about steps beside the ways they are listed by may have this many nodes: it is said
/// with every one of them.
const MOST_BESIDE: usize = 2_000;

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
        if let Some(listed) = &self.listed {
            let support = self.model.support([listed.whole]);
            open.extend(support.iter().map(|&(bit, _)| self.model.owner(bit)));
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

    /// How many bits some of the variables have.
    pub(crate) fn bits_of(&self, variables: &[bool]) -> usize {
        let all = self.model.variables().iter().zip(variables);
        let inside = all.filter(|&(_, &inside)| inside);
        inside.map(|(variable, _)| variable.bits().len()).sum()
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
        let mut conjuncts: Vec<(Set, Vec<Var>)> = conjuncts.collect();
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
        let relation = match self.choice(&conjuncts, &twins, &inputs)? {
            Some(choice) => Relation::of_choice(diagrams, choice)?,
            None => {
                if let Some(listed) = &self.listed {
                    let set = self.compile(listed.whole)?;
                    let support = diagrams.support(&set);
                    conjuncts.push((set, support));
                }
                Relation::new(diagrams, conjuncts, twins, inputs)?
            }
        };
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

    /// The relation as a choice, if its steps are listed way by way and what else is said about
    /// them is simple.
    fn choice(
        &self,
        conjuncts: &[(Set, Vec<Var>)],
        twins: &[(Var, Var)],
        inputs: &[Var],
    ) -> Result<Option<Choice>, Stop> {
        let Some(listed) = &self.listed else {
            return Ok(None);
        };
        let diagrams = &self.diagrams;
        let mut twins = twins.to_vec();
        twins.sort_unstable();
        let is_next = |v: &Var| twins.iter().any(|&(_, next)| next == *v);
        let is_now = |v: &Var| !is_next(v) && !inputs.contains(v);
        let everything = || diagrams.constant(true);
        let [mut before, mut after, mut both] = [everything(), everything(), everything()];
        for (set, support) in conjuncts {
            let into = match () {
                () if support.iter().all(is_next) => &mut after,
                () if support.iter().all(is_now) => &mut before,
                () => &mut both,
            };
            *into = diagrams.and(into, set)?;
            if diagrams.size(&both) > MOST_BESIDE {
                return Ok(None);
            }
        }
        let flipped: Vec<(Var, Var)> = twins.iter().map(|&(now, next)| (next, now)).collect();
        let after = diagrams.rename(&after, &diagrams.renaming(&flipped)?)?;
        let mut ways = Vec::new();
        for (set, keeps) in &listed.ways {
            let is_kept = |&(now, _): &(Var, Var)| {
                let bit = self.layout.bit(now);
                keeps.binary_search(&bit).is_ok()
            };
            let changes: Vec<_> = twins
                .iter()
                .copied()
                .filter(|pair| !is_kept(pair))
                .collect();
            let kept = choice::kept(&twins, &changes);
            // What is said about a next value that is kept is said about the present one.
            let set = diagrams.and(set, &both)?;
            let set = choice::seen_by(diagrams, &kept, &set)?;
            ways.push(choice::Way { set, changes });
        }
        Choice::new(diagrams, ways, [before, after], twins, inputs.to_vec()).map(Some)
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
