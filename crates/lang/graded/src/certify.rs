//! Evidence for grades, and its check.
//!
//! For every program with a star the evidence lists a grade for each of its equations. The check
//! builds the equations from the file and establishes two things. *Closed*: the grades satisfy
//! the equations as inequations, so that the least solution (of a diamond; of a box: the greatest)
//! is not beyond them. *Founded*: in the order of the ranks each grade follows from the constant
//! of its equation and from grades of lower rank, perhaps with a loop of the equations taken any
//! number of times, so that every solution reaches it. Together: the grades are the solution.
//! Nothing of the solver is used. Where grades are not linearly ordered there are no ranks, and
//! the finitely many grades are computed again round by round.

use quotient_core::{Budget, Certified, Evidence, Rejection, Stop};
use serde::{Deserialize, Serialize};

use crate::algebra::{ActionLattice, MOST_WRITTEN};
use crate::equations::Equations;
use crate::evaluate::{MOST_EQUATIONS, constant, direct, operands, pointwise};
use crate::solve::Solution;
use crate::system::{Question, System};
use crate::typed::{Modality, Typed};
use crate::verdict::{satisfies, settled};
use crate::words::short;

/// The kind of this evidence.
pub(crate) const KIND: &str = "graded-solutions";

/// The body of the evidence.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Body {
    /// One for each program with a star, in the order of evaluation.
    pub(crate) solutions: Vec<Listed>,
}

/// A solution, with grades as they are written.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Listed {
    grades: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ranks: Option<Vec<u32>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    cycles: Vec<(u32, Vec<u32>)>,
}

/// The most signs of all grades that evidence lists.
const MOST_SIGNS: usize = 64 << 20;

/// Solutions as evidence lists them; none if their grades are too long to be read again.
pub(crate) fn listed<A: ActionLattice>(
    algebra: &A,
    solutions: Vec<Solution<A::Grade>>,
) -> Option<Vec<Listed>> {
    let mut signs = 0usize;
    let mut written = |grade: &A::Grade| {
        let text = algebra.write(grade);
        signs += text.len();
        let parts = text.split(['/', '.']).map(str::len);
        let fits = parts.max().unwrap_or_default() <= MOST_WRITTEN;
        (fits && signs <= MOST_SIGNS).then_some(text)
    };
    let mut all = Vec::new();
    for solution in solutions {
        let grades = solution.grades.iter().map(&mut written);
        all.push(Listed {
            grades: grades.collect::<Option<_>>()?,
            ranks: solution.ranks,
            cycles: solution.cycles,
        });
    }
    Some(all)
}

/// Checks evidence about a property.
pub(crate) fn certify<A: ActionLattice>(
    system: &System<A>,
    question: &Question<A::Grade>,
    evidence: &Evidence,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    if evidence.kind != KIND {
        return Err(Rejection::unreadable(format!(
            "evidence of the kind `{}` is not about grades",
            evidence.kind
        )));
    }
    let body: Body = evidence
        .read()
        .map_err(|error| Rejection::unreadable(error.to_string()))?;
    let mut checker = Checker {
        system,
        listed: body.solutions.iter(),
        budget,
        checked: 0,
    };
    let grades = checker.grades(&question.formula)?;
    if checker.listed.next().is_some() {
        return Err(Rejection::wrong(
            "there are more solutions than programs with a star",
        ));
    }
    let checked = checker.checked;
    let holds = settled(question, |state| {
        satisfies(&system.algebra, &grades[state], question.bound.as_ref())
    });
    if evidence.verdict()
        != if holds {
            quotient_core::Verdict::Holds
        } else {
            quotient_core::Verdict::Violated
        }
    {
        return Err(Rejection::wrong("the grades show the opposite"));
    }
    let mut facts = vec![format!(
        "{checked} equations are solved by the grades listed, each of which is reached"
    )];
    if checked == 0 {
        facts = vec!["the formula needs no iteration and was evaluated".to_owned()];
    }
    facts.push(format!(
        "the grades of {} compare as the property says",
        quotient_language::text::count(question.states.len(), "state")
    ));
    Ok(Certified {
        property: question.check.name.text.clone(),
        facts,
    })
}

struct Checker<'a, A: ActionLattice> {
    system: &'a System<A>,
    listed: std::slice::Iter<'a, Listed>,
    budget: &'a Budget,
    checked: usize,
}

impl<A: ActionLattice> Checker<'_, A> {
    fn grades(&mut self, formula: &Typed<A::Grade>) -> Result<Vec<A::Grade>, Rejection> {
        let algebra = &self.system.algebra;
        if let Typed::Modal(modality, steps, inner) = formula {
            let after = self.grades(inner)?;
            if !steps.has_star() {
                return direct(algebra, *modality, steps, after, &mut |test| {
                    self.grades(test)
                });
            }
            if (steps.places() + 2).saturating_mul(after.len()) > MOST_EQUATIONS {
                return Err(Stop::bound("equations", MOST_EQUATIONS as u64).into());
            }
            let equations = Equations::build(algebra, *modality, steps, &after, &mut |test| {
                self.grades(test)
            })?;
            let missing =
                || Rejection::wrong("there are fewer solutions than programs with a star");
            let listed = self.listed.next().ok_or_else(missing)?;
            let mut grades = self.solution(&equations, listed)?;
            grades.truncate(after.len());
            return Ok(grades);
        }
        let states = self.system.states.len();
        let Some((one, other)) = operands(formula) else {
            return Ok(constant(algebra, formula, states));
        };
        let one = self.grades(one)?;
        let other = other.map_or(Ok(Vec::new()), |other| self.grades(other))?;
        Ok(pointwise(algebra, formula, &one, &other))
    }

    /// Checks that grades are the solution of equations.
    fn solution(
        &mut self,
        equations: &Equations<A::Grade>,
        listed: &Listed,
    ) -> Result<Vec<A::Grade>, Rejection> {
        let algebra = &self.system.algebra;
        let read = |text: &String| {
            // Fractions are made shortest, which takes the square of their length.
            let length = text.len().min(2 * MOST_WRITTEN) as u64;
            self.budget.charge(length * length / 256)?;
            let grade = algebra.read_back(text);
            grade.ok_or_else(|| Rejection::unreadable(format!("`{}` is no grade", short(text))))
        };
        let grades: Vec<A::Grade> = listed.grades.iter().map(read).collect::<Result<_, _>>()?;
        if grades.len() != equations.len() {
            let (got, wanted) = (grades.len(), equations.len());
            return Err(Rejection::wrong(format!(
                "there are {got} grades for {wanted} equations"
            )));
        }
        self.checked += grades.len();
        for variable in 0..grades.len() {
            self.budget.charge(1)?;
            let all = self.right_side(equations, &grades, variable, |_| true)?;
            if self.combined(equations, &grades[variable], &all) != grades[variable] {
                return Err(Rejection::wrong(format!(
                    "the grades do not satisfy equation {variable}"
                )));
            }
        }
        match &listed.ranks {
            Some(ranks) => self.founded(equations, &grades, ranks, &listed.cycles)?,
            None => self.recomputed(equations, &grades)?,
        }
        Ok(grades)
    }

    /// What an equation says of its variable, from those other variables that count.
    fn right_side(
        &self,
        equations: &Equations<A::Grade>,
        grades: &[A::Grade],
        variable: usize,
        counts: impl Fn(usize) -> bool,
    ) -> Result<A::Grade, Stop> {
        let algebra = &self.system.algebra;
        let mut sum = equations.base[variable].clone();
        for term in equations.terms(variable) {
            let to = term.to as usize;
            if !counts(to) {
                continue;
            }
            let grade = match equations.modality {
                Modality::Diamond => algebra.then(&term.weight, &grades[to]),
                Modality::Box => algebra.over(&grades[to], &term.weight),
            };
            self.budget.charge(algebra.effort(&grade))?;
            sum = self.combined(equations, &sum, &grade);
        }
        Ok(sum)
    }

    fn combined(
        &self,
        equations: &Equations<A::Grade>,
        one: &A::Grade,
        other: &A::Grade,
    ) -> A::Grade {
        match equations.modality {
            Modality::Diamond => self.system.algebra.join(one, other),
            Modality::Box => self.system.algebra.meet(one, other),
        }
    }

    /// Each grade follows from grades of lower rank.
    fn founded(
        &self,
        equations: &Equations<A::Grade>,
        grades: &[A::Grade],
        ranks: &[u32],
        cycles: &[(u32, Vec<u32>)],
    ) -> Result<(), Rejection> {
        let algebra = &self.system.algebra;
        if ranks.len() != grades.len() {
            return Err(Rejection::wrong("there is not a rank for each grade"));
        }
        let cycles: std::collections::HashMap<u32, &Vec<u32>> = cycles
            .iter()
            .map(|(variable, cycle)| (*variable, cycle))
            .collect();
        for (variable, grade) in grades.iter().enumerate() {
            self.budget.charge(1)?;
            let lower = |to: usize| ranks[to] < ranks[variable];
            let mut reached = self.right_side(equations, grades, variable, lower)?;
            if let Some(cycle) = cycles.get(&(variable as u32)) {
                let star = algebra.star(&self.weight(equations, variable, cycle)?);
                reached = match equations.modality {
                    Modality::Diamond => algebra.then(&star, &reached),
                    Modality::Box => algebra.over(&reached, &star),
                };
            }
            if self.combined(equations, grade, &reached) != reached {
                return Err(Rejection::wrong(format!(
                    "the grade of equation {variable} is not reached"
                )));
            }
        }
        Ok(())
    }

    /// The weight of a loop of equations that ends where it begins.
    fn weight(
        &self,
        equations: &Equations<A::Grade>,
        variable: usize,
        cycle: &[u32],
    ) -> Result<A::Grade, Rejection> {
        let algebra = &self.system.algebra;
        let (mut at, mut weight) = (variable, algebra.one());
        for &next in cycle {
            self.budget.charge(1 + equations.terms(at).len() as u64)?;
            let steps = equations.terms(at).iter().filter(|term| term.to == next);
            let step = steps.fold(algebra.zero(), |sum, term| algebra.join(&sum, &term.weight));
            weight = algebra.then(&weight, &step);
            self.budget.charge(algebra.effort(&weight))?;
            at = next as usize;
            if at >= equations.len() {
                return Err(Rejection::wrong("a loop leaves the equations"));
            }
        }
        match at == variable && !cycle.is_empty() {
            true => Ok(weight),
            false => Err(Rejection::wrong("a loop does not end where it begins")),
        }
    }

    /// Rounds from nothing, which end because there are finitely many grades.
    fn recomputed(
        &self,
        equations: &Equations<A::Grade>,
        grades: &[A::Grade],
    ) -> Result<(), Rejection> {
        let algebra = &self.system.algebra;
        if !algebra.is_finite() {
            return Err(Rejection::wrong("the solution has no ranks"));
        }
        let nothing = match equations.modality {
            Modality::Diamond => algebra.zero(),
            Modality::Box => algebra.top(),
        };
        let mut now = vec![nothing; grades.len()];
        loop {
            self.budget.charge(now.len() as u64)?;
            let next: Vec<A::Grade> = (0..now.len())
                .map(|variable| self.right_side(equations, &now, variable, |_| true))
                .collect::<Result<_, _>>()?;
            if next == now {
                break;
            }
            now = next;
        }
        match now == grades {
            true => Ok(()),
            false => Err(Rejection::wrong("the grades are not the solution")),
        }
    }
}
