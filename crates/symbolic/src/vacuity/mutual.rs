//! Parts that do not matter all together.

use oxidd::BooleanFunction;
use quotient_core::Stop;
use quotient_lattice::{Booleans, Component, Components};
use quotient_logic::{Formula, Polarity};

use super::VacuityReport;
use super::naive::worst_for;
use crate::checker::{Atoms, Checker, Explored, Refusal};
use crate::ctl::{Evaluation, Leaves, Program, Step, TRUTH};
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
        self.with_room(|checker| {
            let part = checker.explored_part(formula)?;
            let answer = checker.mutual_sets(formula, &program, &part, (atoms, limit));
            checker.put_back(part);
            Ok(answer?)
        })
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
        let mut leaves = Switched {
            atoms: Atoms::new(&self.system, formula, program)?,
            sets: vec![None; program.steps.len()],
        };
        let holds = atoms.holds;
        let worst = |step: usize| worst_for(occurrences[program.positions[step]].polarity, holds);
        // Often all of them can be replaced at once, and that is cheap to see.
        for &step in &marks {
            leaves.sets[step] = Some(self.system.diagrams.constant(worst(step)));
        }
        if limit > 0 && self.holds_with(program, &leaves, part)? == holds {
            return Ok(vec![positions_of(program, marks)]);
        }
        // Either of the two can be replaced, but not both.
        if marks.len() == 2 {
            let alone = marks.iter().map(|&step| positions_of(program, [step]));
            return Ok(alone.take(limit).collect());
        }
        let switches: Vec<Var> = marks
            .iter()
            .map(|_| self.system.diagrams.add_variable())
            .collect();
        let components = Components::of(&Booleans);
        for (&step, &switch) in marks.iter().zip(&switches) {
            let atom = leaves.atoms.set(step)?;
            let switch = self.system.diagrams.variable(switch)?;
            let switched = match worst(step) {
                true => self.system.diagrams.or(&atom, &switch)?,
                false => self.system.diagrams.minus(&atom, &switch)?,
            };
            leaves.sets[step] = Some(switched);
        }
        let mut evaluator = self.evaluator(part);
        let mut evaluation = Evaluation::new(program, &Booleans, &components, &leaves, TRUTH);
        let value = evaluation.value(&mut evaluator, program.root(), TRUTH)?;
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
        let named = sets.into_iter().map(|set| {
            let steps = set.into_iter().map(|index| marks[index]);
            positions_of(program, steps)
        });
        Ok(named.collect())
    }

    /// Whether a formula holds with these values for its atoms.
    fn holds_with(
        &self,
        program: &Program,
        leaves: &Switched,
        part: &Explored,
    ) -> Result<bool, Stop> {
        let components = Components::of(&Booleans);
        let mut evaluator = self.evaluator(part);
        let mut evaluation = Evaluation::new(program, &Booleans, &components, leaves, TRUTH);
        evaluation.holds_initially(&mut evaluator, program.root(), TRUTH)
    }
}

/// Where steps stand in the formula, from left to right.
fn positions_of(program: &Program, steps: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let positions = steps.into_iter().map(|step| program.positions[step]);
    let mut positions: Vec<usize> = positions.collect();
    positions.sort_unstable();
    positions
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
    fn atom(&self, step: usize, _: Component) -> Result<Set, Stop> {
        match &self.sets[step] {
            Some(set) => Ok(set.clone()),
            None => self.atoms.set(step),
        }
    }

    fn mark(&self, _: usize) -> Option<(bool, bool)> {
        None
    }
}
