//! Which constraints are mere assignments, so that questions may leave them out.

use quotient_core::Stop;

use super::{Constraint, System};
use crate::diagrams::Set;
use crate::model::{Expression, Kind, VariableId};

impl System {
    /// A constraint that may give a value to a current (or next) variable.
    pub(super) fn constraint(
        &mut self,
        expression: Expression,
        next: bool,
    ) -> Result<Constraint, Stop> {
        let set = self.compile(expression)?;
        let support = self.diagrams.support(&set);
        let defines = self.defined_variable(expression, &set, next)?;
        Ok(Constraint {
            set,
            support,
            defines,
            is_code: false,
        })
    }

    /// A variable has a value: in every state, or in every step if it is an input.
    pub(super) fn add_code(
        &mut self,
        variable: VariableId,
        has_value: Expression,
    ) -> Result<(), Stop> {
        // No value at all is a contradiction that every question must see.
        let defines = (has_value != Expression::FALSE).then_some(variable);
        let now = self.code_constraint(has_value, defines)?;
        match self.model.variable(variable).kind {
            Kind::Input => self.steps.push(now),
            Kind::State | Kind::Frozen => {
                if let Some(next) = self.model.next(has_value) {
                    let next = self.code_constraint(next, defines)?;
                    self.steps.push(next);
                }
                self.legal.push(now);
            }
        }
        Ok(())
    }

    fn code_constraint(
        &self,
        expression: Expression,
        defines: Option<VariableId>,
    ) -> Result<Constraint, Stop> {
        let set = self.compile(expression)?;
        Ok(Constraint {
            support: self.diagrams.support(&set),
            set,
            defines,
            is_code: true,
        })
    }

    /// An invariant, now and in the next state.
    pub(super) fn add_invariant(&mut self, expression: Expression) -> Result<(), Stop> {
        let now = self.constraint(expression, false)?;
        if let Some(next) = self.model.next(expression) {
            let mut next = self.constraint(next, true)?;
            next.defines = now.defines;
            self.steps.push(next);
        }
        self.legal.push(now);
        Ok(())
    }

    /// A variable that a constraint gives a value to, if it leaves all others free.
    fn defined_variable(
        &mut self,
        expression: Expression,
        set: &Set,
        next: bool,
    ) -> Result<Option<VariableId>, Stop> {
        let mentioned = self.model.support([expression]);
        let mut owners: Vec<VariableId> = mentioned
            .iter()
            .filter(|&&(_, is_next)| is_next == next)
            .map(|&(bit, _)| self.model.owner(bit))
            .filter(|&owner| self.model.variable(owner).kind != Kind::Input || !next)
            .collect();
        owners.dedup();
        // A step that mentions two next values is no assignment.
        if next && owners.len() != 1 {
            return Ok(None);
        }
        for candidate in owners {
            if self.leaves_others_free(candidate, set, &mentioned, next)? {
                return Ok(Some(candidate));
            }
        }
        Ok(None)
    }

    fn leaves_others_free(
        &mut self,
        candidate: VariableId,
        set: &Set,
        mentioned: &[(u32, bool)],
        next: bool,
    ) -> Result<bool, Stop> {
        let own = self.model.has_value(candidate);
        let own = match next {
            true => self.model.next(own).unwrap_or(Expression::TRUE),
            false => own,
        };
        let own = self.compile(own)?;
        let bits = self.model.variable(candidate).bits();
        let cube: Vec<u32> = bits.map(|bit| self.layout.variable(bit, next)).collect();
        let cube = self.diagrams.cube(cube)?;
        let possible = self.diagrams.and_exists(set, &own, &cube)?;
        let mut owners: Vec<VariableId> = mentioned
            .iter()
            .filter(|&&(_, is_next)| !is_next)
            .map(|&(bit, _)| self.model.owner(bit))
            .filter(|&owner| next || owner != candidate)
            .collect();
        owners.dedup();
        let mut given = self.diagrams.constant(true);
        for owner in owners {
            let legal = self.model.has_value(owner);
            let legal = self.compile(legal)?;
            given = self.diagrams.and(&given, &legal)?;
        }
        self.diagrams.is_subset(&given, &possible)
    }

    /// Keeps only definitions that can be left out together: one for each variable and kind of
    /// constraint, and no circles within one state.
    pub(super) fn settle_definitions(&mut self) {
        let count = self.model.variables().len();
        let tally = |constraints: &[Constraint]| {
            let mut times = vec![0u32; count];
            let real = constraints.iter().filter(|one| !one.is_code);
            for variable in real.filter_map(|one| one.defines) {
                times[variable.index()] += 1;
            }
            times
        };
        let (init, legal) = (tally(&self.init), tally(&self.legal));
        let steps = tally(&self.steps);
        // An invariant is among the steps once more.
        let mut allowed: Vec<bool> = (0..count)
            .map(|v| {
                steps[v] <= 1 && legal[v] <= 1 && (legal[v] == 0 || init[v] == 0) && init[v] <= 1
            })
            .collect();
        self.refuse_circles(&mut allowed);
        let all = [&mut self.init, &mut self.legal, &mut self.steps];
        for constraint in all.into_iter().flatten().filter(|one| !one.is_code) {
            let defines = constraint.defines;
            constraint.defines = defines.filter(|variable| allowed[variable.index()]);
        }
    }

    /// Takes back definitions within one state that wait for each other.
    fn refuse_circles(&self, allowed: &mut [bool]) {
        let owner_of = |variable: u32| self.model.owner(self.layout.bit(variable));
        let definitions: Vec<(VariableId, Vec<VariableId>)> = self
            .init
            .iter()
            .chain(&self.legal)
            .filter(|constraint| !constraint.is_code)
            .filter_map(|constraint| {
                let defined = constraint.defines?;
                let support = constraint.support.iter().map(|&v| owner_of(v));
                Some((defined, support.filter(|&owner| owner != defined).collect()))
            })
            .collect();
        let mut waiting = vec![false; allowed.len()];
        for (defined, _) in &definitions {
            waiting[defined.index()] = true;
        }
        loop {
            let ready = definitions.iter().find(|(defined, needs)| {
                waiting[defined.index()] && needs.iter().all(|need| !waiting[need.index()])
            });
            match ready {
                Some((defined, _)) => waiting[defined.index()] = false,
                None => break,
            }
        }
        for (variable, waits) in waiting.into_iter().enumerate() {
            allowed[variable] &= !waits;
        }
    }
}
