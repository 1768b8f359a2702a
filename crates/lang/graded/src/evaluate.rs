//! The grades of a formula, one for each state.

use quotient_core::{Budget, Stop};

use crate::algebra::ActionLattice;
use crate::equations::Equations;
use crate::solve::{Solution, solve};
use crate::typed::{Modality, Steps, Typed};

/// The most equations for one program: states times places in the program.
pub(crate) const MOST_EQUATIONS: usize = 1 << 28;

/// Evaluates formulas and keeps what shows that the grades of stars are right.
pub(crate) struct Evaluator<'a, A: ActionLattice> {
    pub(crate) algebra: &'a A,
    pub(crate) states: usize,
    pub(crate) budget: &'a Budget,
    /// The solutions for programs with a star, in the order in which they were needed.
    pub(crate) solutions: Vec<Solution<A::Grade>>,
}

impl<'a, A: ActionLattice> Evaluator<'a, A> {
    pub(crate) fn new(algebra: &'a A, states: usize, budget: &'a Budget) -> Self {
        Evaluator {
            algebra,
            states,
            budget,
            solutions: Vec::new(),
        }
    }

    /// The grade of a formula at each state.
    pub(crate) fn grades(&mut self, formula: &Typed<A::Grade>) -> Result<Vec<A::Grade>, Stop> {
        if let Typed::Modal(modality, steps, inner) = formula {
            let after = self.grades(inner)?;
            return self.modal(*modality, steps, after);
        }
        self.budget.charge(self.states as u64)?;
        let Some((one, other)) = operands(formula) else {
            return Ok(constant(self.algebra, formula, self.states));
        };
        let one = self.grades(one)?;
        let other = match other {
            Some(other) => self.grades(other)?,
            None => Vec::new(),
        };
        Ok(pointwise(self.algebra, formula, &one, &other))
    }

    fn modal(
        &mut self,
        modality: Modality,
        steps: &Steps<A::Grade>,
        after: Vec<A::Grade>,
    ) -> Result<Vec<A::Grade>, Stop> {
        if !steps.has_star() {
            let algebra = self.algebra;
            return direct(algebra, modality, steps, after, &mut |test| {
                self.grades(test)
            });
        }
        let equations = self.equations(modality, steps, &after)?;
        let solution = solve(self.algebra, &equations, self.budget)?;
        let grades = solution.grades[..self.states].to_vec();
        self.solutions.push(solution);
        Ok(grades)
    }

    /// The equations of a program after which these grades come.
    pub(crate) fn equations(
        &mut self,
        modality: Modality,
        steps: &Steps<A::Grade>,
        after: &[A::Grade],
    ) -> Result<Equations<A::Grade>, Stop> {
        let algebra = self.algebra;
        if (steps.places() + 2).saturating_mul(self.states) > MOST_EQUATIONS {
            return Err(Stop::bound("equations", MOST_EQUATIONS as u64));
        }
        Equations::build(algebra, modality, steps, after, &mut |test| {
            self.grades(test)
        })
    }
}

/// The operands of a connective.
pub(crate) fn operands<G>(formula: &Typed<G>) -> Option<(&Typed<G>, Option<&Typed<G>>)> {
    match formula {
        Typed::Not(one) => Some((one, None)),
        Typed::And(one, other)
        | Typed::Or(one, other)
        | Typed::Implies(one, other)
        | Typed::Iff(one, other) => Some((one, Some(other))),
        _ => None,
    }
}

/// The grades of a formula without parts.
pub(crate) fn constant<A: ActionLattice>(
    algebra: &A,
    formula: &Typed<A::Grade>,
    states: usize,
) -> Vec<A::Grade> {
    match formula {
        Typed::Constant(grade) => vec![grade.clone(); states],
        Typed::Vector(grades) => grades.to_vec(),
        _ => vec![algebra.zero(); states],
    }
}

/// A connective, state by state.
pub(crate) fn pointwise<A: ActionLattice>(
    algebra: &A,
    formula: &Typed<A::Grade>,
    one: &[A::Grade],
    other: &[A::Grade],
) -> Vec<A::Grade> {
    let zero = algebra.zero();
    let pairs = || one.iter().zip(other);
    match formula {
        Typed::Not(_) => one
            .iter()
            .map(|grade| algebra.under(grade, &zero))
            .collect(),
        Typed::And(..) => pairs().map(|(a, b)| algebra.meet(a, b)).collect(),
        Typed::Or(..) => pairs().map(|(a, b)| algebra.join(a, b)).collect(),
        Typed::Implies(..) => pairs().map(|(a, b)| algebra.under(a, b)).collect(),
        _ => {
            let both = |(a, b)| algebra.meet(&algebra.under(a, b), &algebra.under(b, a));
            pairs().map(both).collect()
        }
    }
}

/// A program without a star, step by step from its end.
pub(crate) fn direct<A: ActionLattice, E>(
    algebra: &A,
    modality: Modality,
    steps: &Steps<A::Grade>,
    after: Vec<A::Grade>,
    value: &mut dyn FnMut(&Typed<A::Grade>) -> Result<Vec<A::Grade>, E>,
) -> Result<Vec<A::Grade>, E> {
    let through = |weight: &A::Grade, grade: &A::Grade| match modality {
        Modality::Diamond => algebra.then(weight, grade),
        Modality::Box => algebra.over(grade, weight),
    };
    let combine = |one: &A::Grade, other: &A::Grade| match modality {
        Modality::Diamond => algebra.join(one, other),
        Modality::Box => algebra.meet(one, other),
    };
    Ok(match steps {
        Steps::Relation(relation) => {
            let neutral = match modality {
                Modality::Diamond => algebra.zero(),
                Modality::Box => algebra.top(),
            };
            let at = |state: usize| {
                let row = relation.row(state).iter();
                let grades = row.map(|(to, weight)| through(weight, &after[*to as usize]));
                grades.fold(neutral.clone(), |sum, grade| combine(&sum, &grade))
            };
            (0..after.len()).map(at).collect()
        }
        Steps::Then(one, other) => {
            let after = direct(algebra, modality, other, after, value)?;
            direct(algebra, modality, one, after, value)?
        }
        Steps::Choice(one, other) => {
            let first = direct(algebra, modality, one, after.clone(), value)?;
            let second = direct(algebra, modality, other, after, value)?;
            first
                .iter()
                .zip(&second)
                .map(|(one, other)| combine(one, other))
                .collect()
        }
        Steps::Test(formula) => {
            let grades = value(formula)?;
            grades
                .iter()
                .zip(&after)
                .map(|(weight, grade)| through(weight, grade))
                .collect()
        }
        // Programs with stars have equations.
        Steps::Star(_) => after,
    })
}
