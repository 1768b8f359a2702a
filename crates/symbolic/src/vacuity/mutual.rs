//! Parts that do not matter all together.

use oxidd::BooleanFunction;
use quotient_core::Stop;
use quotient_lattice::{Booleans, Components};
use quotient_logic::{Formula, Polarity};

use super::VacuityReport;
use super::naive::worst_for;
use crate::checker::{Atoms, Checker, Explored, Refusal};
use crate::ctl::{Evaluation, Leaves, Program, Step};
use crate::diagrams::{Set, Var};
use crate::model::Expression;

impl Checker {
    /// The largest sets of atom occurrences that can all be replaced at once without changing
    /// the value of a CTL formula, by their positions; at most `limit` of them. `atoms` is what
    /// [`Checker::vacuous_atoms`] found: only vacuous atoms can be vacuous together.
    ///
    /// Every such atom gets a switch, a variable that never changes, which turns the atom into its
    /// least favourable constant; one run tells for all settings of the switches at once.
    /// Occurrences of mixed polarity have no least favourable constant and are left alone.
    pub fn mutually_vacuous(
        &mut self,
        formula: &Formula<Expression>,
        atoms: &VacuityReport,
        limit: usize,
    ) -> Result<Vec<Vec<usize>>, Refusal> {
        let program = self.program_for_vacuity(formula)?;
        let part = self.explored_part(formula)?;
        let answer = self.mutual_sets(formula, &program, &part, (atoms, limit));
        self.put_back(part);
        Ok(answer?)
    }

    fn mutual_sets(
        &mut self,
        formula: &Formula<Expression>,
        program: &Program,
        part: &Explored,
        (atoms, limit): (&VacuityReport, usize),
    ) -> Result<Vec<Vec<usize>>, Stop> {
        let occurrences = formula.occurrences();
        let is_vacuous = |step: &usize| {
            let position = program.positions[*step];
            atoms.vacuous().any(|part| part.position == position)
        };
        let marks: Vec<usize> = (0..program.steps.len())
            .filter(|&step| program.steps[step] == Step::Leaf)
            .filter(is_vacuous)
            .filter(|&step| occurrences[program.positions[step]].polarity != Polarity::Mixed)
            .collect();
        let switches: Vec<Var> = marks
            .iter()
            .map(|_| self.system.diagrams.add_variable())
            .collect();
        let plain = Switched {
            atoms: Atoms::new(&self.system, formula, program)?,
            sets: vec![None; program.steps.len()],
        };
        let components = Components::of(&Booleans);
        let holds = atoms.holds;
        let mut leaves = plain;
        for (&step, &switch) in marks.iter().zip(&switches) {
            let atom = leaves.atoms.set(step)?;
            let switch = self.system.diagrams.variable(switch)?;
            let polarity = occurrences[program.positions[step]].polarity;
            let switched = match worst_for(polarity, holds) {
                true => self.system.diagrams.or(&atom, &switch)?,
                false => self.system.diagrams.minus(&atom, &switch)?,
            };
            leaves.sets[step] = Some(switched);
        }
        let mut evaluator = self.evaluator(part);
        let mut evaluation = Evaluation::new(program, &Booleans, &components, &leaves, 0);
        let value = evaluation.value(&mut evaluator, program.root(), 0)?;
        let start = evaluator.start()?;
        let diagrams = &self.system.diagrams;
        let fails = diagrams.minus(&start, &value)?;
        let states = diagrams.cube(part.machine.state.iter().copied())?;
        let fails = diagrams.exists(&fails, &states)?;
        let family = match holds {
            true => diagrams.not(&fails)?,
            false => fails,
        };
        let sets = maximal_sets(diagrams, &family, &switches, limit)?;
        let position = |index: usize| program.positions[marks[index]];
        let named = sets.into_iter().map(|set| {
            let mut positions: Vec<usize> = set.into_iter().map(position).collect();
            positions.sort_unstable();
            positions
        });
        Ok(named.collect())
    }
}

/// The maximal members of a family of sets that contains with a set all its subsets.
pub(crate) fn maximal_sets(
    diagrams: &crate::diagrams::Diagrams,
    family: &Set,
    members: &[Var],
    limit: usize,
) -> Result<Vec<Vec<usize>>, Stop> {
    let mut left = family.clone();
    let mut found = Vec::new();
    while found.len() < limit && left.satisfiable() {
        // Some set that is in no set found before, grown as far as it goes.
        let mut here = left.clone();
        let mut set = Vec::new();
        let some = diagrams.pick(&here).unwrap_or_default();
        let chosen = |variable: Var| some.iter().any(|&(v, value)| v == variable && value);
        let begun: Vec<(Var, bool)> = members
            .iter()
            .filter(|&&variable| chosen(variable))
            .map(|&variable| (variable, true))
            .collect();
        here = diagrams.and(family, &diagrams.literals(begun)?)?;
        for (index, &variable) in members.iter().enumerate() {
            let with = diagrams.and(&here, &diagrams.variable(variable)?)?;
            if with.satisfiable() {
                here = with;
                set.push(index);
            }
        }
        // From now on, sets with a member outside this one.
        let mut outside = diagrams.constant(false);
        for (index, &variable) in members.iter().enumerate() {
            if !set.contains(&index) {
                outside = diagrams.or(&outside, &diagrams.variable(variable)?)?;
            }
        }
        left = diagrams.and(&left, &outside)?;
        found.push(set);
    }
    Ok(found)
}

/// Atoms with a switch.
struct Switched {
    atoms: Atoms,
    sets: Vec<Option<Set>>,
}

impl Leaves<Booleans> for Switched {
    fn atom(&self, step: usize, _: usize) -> Result<Set, Stop> {
        match &self.sets[step] {
            Some(set) => Ok(set.clone()),
            None => self.atoms.set(step),
        }
    }

    fn mark(&self, _: usize) -> Option<(bool, bool)> {
        None
    }
}
