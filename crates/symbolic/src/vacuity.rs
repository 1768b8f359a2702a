//! Does a formula have its value for a trivial reason?
//!
//! A part of a formula is *vacuous* if the formula keeps its truth value whatever stands in
//! its place (Kupferman and Vardi 1999). One run over the vacuity lattice (Gurfinkel and
//! Chechik 2004) tells it for all marked parts; see [`quotient_lattice::Vacuity`] for why. Only
//! the components that the answer needs are computed, and where replacing a part changes
//! nothing half-way up the formula, nothing above is computed again.

mod mutual;
mod naive;
mod reason;

pub(crate) use mutual::maximal_sets;
pub use reason::Reason;

use quotient_core::{Span, Stop};
use quotient_lattice::{Component, Components, Mark, Vacuity, VacuityValue};
use quotient_logic::{Formula, Kind as Form, Polarity};

use crate::checker::{Atoms, Checker, Explored, Refusal};
use crate::ctl::{Evaluation, Leaves, Program, Step, TRUTH};
use crate::diagrams::Set;
use crate::model::Expression;

/// Which parts of a formula matter for its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VacuityReport {
    /// Whether the formula holds.
    pub holds: bool,
    /// The parts that were looked at, from left to right.
    pub parts: Vec<Part>,
    /// How many runs of the model checker it took.
    pub runs: usize,
}

impl VacuityReport {
    /// The parts that do not matter.
    pub fn vacuous(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(|part| part.vacuous)
    }
}

/// A part of a formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its position among the [subformulas](Formula::occurrences).
    pub position: usize,
    /// Where it stands in the source.
    pub span: Span,
    /// Its polarity. Under `<->` and `xor` ([`Polarity::Mixed`]) a part that is called vacuous
    /// is, but a vacuous part may go unnoticed.
    pub polarity: Polarity,
    /// Whether the formula keeps its value whatever stands here.
    pub vacuous: bool,
    /// Why, where a neighbour in the formula tells.
    pub reason: Option<Reason>,
}

impl Checker {
    /// Truth and vacuity of every atom occurrence of a CTL formula, in one run.
    pub fn vacuous_atoms(
        &mut self,
        formula: &Formula<Expression>,
    ) -> Result<VacuityReport, Refusal> {
        let program = self.program_for_vacuity(formula)?;
        let marks: Vec<usize> = (0..program.steps.len())
            .filter(|&step| program.steps[step] == Step::Leaf)
            .collect();
        self.with_room(|checker| {
            let part = checker.explored_part(formula)?;
            let report = checker.vacuity_of(formula, &program, &marks, &part);
            checker.put_back(part);
            Ok(report?)
        })
    }

    /// The largest vacuous subformulas, from the top of the parse tree down: where a part is
    /// vacuous, its parts are not looked at. `atoms` is what [`Checker::vacuous_atoms`] found: a
    /// part with an atom that matters matters, too.
    pub fn largest_vacuous(
        &mut self,
        formula: &Formula<Expression>,
        atoms: &VacuityReport,
    ) -> Result<VacuityReport, Refusal> {
        let program = self.program_for_vacuity(formula)?;
        self.with_room(|checker| {
            let part = checker.explored_part(formula)?;
            let report = checker.refine_vacuity(formula, &program, &part, atoms);
            checker.put_back(part);
            Ok(report?)
        })
    }

    fn refine_vacuity(
        &self,
        formula: &Formula<Expression>,
        program: &Program,
        part: &Explored,
        atoms: &VacuityReport,
    ) -> Result<VacuityReport, Stop> {
        let mut report = VacuityReport {
            holds: atoms.holds,
            parts: Vec::new(),
            runs: 0,
        };
        let occurrences = formula.occurrences();
        let matters = parts_that_matter(program, atoms);
        let mut level = program.operands(program.root());
        while !level.is_empty() {
            let marks: Vec<usize> = level.iter().copied().filter(|&at| !matters[at]).collect();
            let mut found = Vec::new();
            if !marks.is_empty() {
                found = self.vacuity_of(formula, program, &marks, part)?.parts;
                report.runs += 1;
            }
            let vacuous = |step: usize| {
                let position = program.positions[step];
                found
                    .iter()
                    .any(|part| part.position == position && part.vacuous)
            };
            let next: Vec<usize> = (level.iter())
                .filter(|&&step| !vacuous(step))
                .flat_map(|&step| program.operands(step))
                .collect();
            let settled = level.iter().filter(|&&step| matters[step]);
            let settled = settled.map(|&step| program.positions[step]);
            found.extend(settled.map(|position| Part {
                position,
                span: occurrences[position].formula.span,
                polarity: occurrences[position].polarity,
                vacuous: false,
                reason: None,
            }));
            report.parts.extend(found);
            level = next;
        }
        report.parts.sort_by_key(|part| part.position);
        Ok(report)
    }

    fn program_for_vacuity(&self, formula: &Formula<Expression>) -> Result<Program, Refusal> {
        self.refuse_inputs(formula)?;
        if quotient_logic::Fragment::of(formula).query {
            return Err(Refusal::Query(formula.span));
        }
        Program::new(formula).map_err(Refusal::NotCtl)
    }

    fn explored_part(&mut self, formula: &Formula<Expression>) -> Result<Explored, Stop> {
        let mut part = self.part_for(formula.atoms().into_iter().copied())?;
        self.explore(&mut part)?;
        Ok(part)
    }

    /// One run over the vacuity lattice with a mark at each of the given steps.
    fn vacuity_of(
        &self,
        formula: &Formula<Expression>,
        program: &Program,
        marks: &[usize],
        part: &Explored,
    ) -> Result<VacuityReport, Stop> {
        let lattice = Vacuity { marks: marks.len() };
        let components = Components::of(&lattice);
        let mut mark_of = vec![None; program.steps.len()];
        for (mark, &step) in marks.iter().enumerate() {
            mark_of[step] = Some(Mark::from_index(mark));
        }
        let leaves = Marked {
            atoms: Atoms::new(&self.system, formula, program)?,
            lattice,
            mark_of,
        };
        let mut evaluator = self.evaluator(part);
        let mut evaluation = Evaluation::new(program, &lattice, &components, &leaves, TRUTH);
        let root = program.root();
        let holds = evaluation.holds_initially(&mut evaluator, root, TRUTH)?;
        let occurrences = formula.occurrences();
        let mut parts = Vec::new();
        for (mark, &step) in marks.iter().enumerate() {
            // Does it stay true in the worst case, or false in the best?
            let component = lattice.stays(Mark::from_index(mark), holds);
            let stays = evaluation.holds_initially(&mut evaluator, root, component)?;
            let position = program.positions[step];
            parts.push(Part {
                position,
                span: occurrences[position].formula.span,
                polarity: occurrences[position].polarity,
                vacuous: stays == holds,
                reason: None,
            });
        }
        for (one, &step) in parts.iter_mut().zip(marks) {
            if one.vacuous {
                one.reason = reason::find(program, step, &mut evaluator, &mut evaluation)?;
            }
        }
        Ok(VacuityReport {
            holds,
            parts,
            runs: 1,
        })
    }

    /// A run that shows a formula at work: for a formula that holds because of some path, that path;
    /// for others that hold, a violation of the formula with one of its parts that matter put in the
    /// worst light (an *interesting witness*, Beer et al. 2001). `None` if no part matters.
    pub fn interesting_witness(
        &mut self,
        formula: &Formula<Expression>,
        report: &VacuityReport,
    ) -> Result<Option<(usize, crate::Trace)>, Refusal> {
        if !report.holds {
            return Ok(None);
        }
        let matters = |part: &&Part| !part.vacuous && part.polarity != Polarity::Mixed;
        // The last part is mostly what is promised.
        let parts = || report.parts.iter().rev().filter(matters);
        let Some(last) = parts().next() else {
            return Ok(None);
        };
        let outcome = self.check(&crate::Specification::Ctl(formula.clone()))?;
        if let Some(trace) = outcome.trace {
            return Ok(Some((last.position, trace)));
        }
        for part in parts() {
            let worst = naive::worst_for(part.polarity, true);
            let witness =
                formula.replaced(|at| (at == part.position).then(|| Formula::constant(worst)));
            let outcome = self.check(&crate::Specification::Ctl(witness))?;
            if let Some(trace) = outcome.trace {
                return Ok(Some((part.position, trace)));
            }
        }
        Ok(None)
    }
}

/// The steps with an atom below that is known to matter. (Under `<->` an atom may be vacuous
/// without being called so.)
fn parts_that_matter(program: &Program, atoms: &VacuityReport) -> Vec<bool> {
    let known = |part: &&Part| !part.vacuous && part.polarity != Polarity::Mixed;
    let mut matters = vec![false; program.steps.len()];
    // Operands come before what they are part of.
    for step in 0..program.steps.len() {
        let position = program.positions[step];
        let is_known = |part: &Part| part.position == position;
        matters[step] = match program.steps[step] {
            Step::Leaf => atoms.parts.iter().filter(known).any(is_known),
            _ => program.operands(step).iter().any(|&below| matters[below]),
        };
    }
    matters
}

/// Atoms, some of them or of the parts above them marked.
struct Marked {
    atoms: Atoms,
    lattice: Vacuity,
    mark_of: Vec<Option<Mark>>,
}

impl Leaves<Vacuity> for Marked {
    fn atom(&self, step: usize, _: Component) -> Result<Set, Stop> {
        self.atoms.set(step)
    }

    fn mark(&self, step: usize) -> Option<(VacuityValue, VacuityValue)> {
        let mark = self.mark_of[step]?;
        Some((
            self.lattice.marked(mark, true),
            self.lattice.marked(mark, false),
        ))
    }
}

/// Whether a subformula is an atom.
pub(crate) fn is_atom<A>(formula: &Formula<A>) -> bool {
    matches!(formula.kind, Form::Atom(_))
}
