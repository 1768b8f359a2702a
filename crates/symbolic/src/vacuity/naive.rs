//! The same by checking one changed formula for each atom: slower, and a second opinion.

use quotient_core::Verdict;
use quotient_logic::{Formula, Kind as Form, Polarity};

use super::{Part, VacuityReport, is_atom};
use crate::checker::{Checker, Refusal, Specification};
use crate::model::Expression;

/// The constant that makes a formula false most easily if `lower`, true otherwise.
pub(super) fn worst_for(polarity: Polarity, lower: bool) -> bool {
    (polarity == Polarity::Negative) == lower
}

impl Checker {
    /// Truth and vacuity of every atom occurrence of a CTL or LTL formula, with a check of its
    /// own for each (two where the polarity is mixed).
    pub fn vacuous_atoms_naively(
        &mut self,
        specification: &Specification,
    ) -> Result<VacuityReport, Refusal> {
        let formula = match specification {
            Specification::Ctl(formula) | Specification::Ltl(formula) => formula.clone(),
            Specification::Invariant(expression) | Specification::StepInvariant(expression) => {
                Formula::atom(*expression)
            }
        };
        let again = |formula: Formula<Expression>| match specification {
            Specification::Ltl(_) => Specification::Ltl(formula),
            Specification::Ctl(_) => Specification::Ctl(formula),
            // The formula is the one atom, or the constant in its place.
            Specification::StepInvariant(_) => Specification::StepInvariant(match formula.kind {
                Form::Atom(expression) => expression,
                Form::Constant(true) => Expression::TRUE,
                _ => Expression::FALSE,
            }),
            Specification::Invariant(_) => Specification::Ctl(Formula::unary(
                quotient_logic::Unary::ForAll,
                Formula::unary(quotient_logic::Unary::Globally(None), formula),
            )),
        };
        let holds = self.truth_of(&again(formula.clone()))?;
        let mut runs = 1;
        let mut parts = Vec::new();
        for (position, occurrence) in formula.occurrences().iter().enumerate() {
            if !is_atom(occurrence.formula) {
                continue;
            }
            let constants = match occurrence.polarity {
                Polarity::Mixed => vec![false, true],
                polarity => vec![worst_for(polarity, holds)],
            };
            let mut vacuous = true;
            for constant in constants {
                let witness =
                    formula.replaced(|at| (at == position).then(|| Formula::constant(constant)));
                vacuous &= self.truth_of(&again(witness))? == holds;
                runs += 1;
            }
            parts.push(Part {
                position,
                span: occurrence.formula.span,
                polarity: occurrence.polarity,
                vacuous,
                reason: None,
            });
        }
        Ok(VacuityReport { holds, parts, runs })
    }

    fn truth_of(&mut self, specification: &Specification) -> Result<bool, Refusal> {
        match self.check(specification)?.verdict {
            Verdict::Holds => Ok(true),
            Verdict::Violated => Ok(false),
            Verdict::Unknown(stop) => Err(Refusal::Stopped(stop)),
        }
    }
}
