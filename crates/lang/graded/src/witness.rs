//! A best run for a grade.

use quotient_core::{Budget, Stop};
use quotient_language::{Cell, Layout, Step, Trace};

use crate::algebra::ActionLattice;
use crate::equations::Equations;
use crate::evaluate::Evaluator;
use crate::solve::{Solution, solve};
use crate::system::System;
use crate::typed::{Modality, Typed};

/// The longest run that is shown.
const MOST_STEPS: usize = 10_000;

/// A run from a state that gives a formula its grade there, if one run does: below a diamond the
/// best one, below a box the worst. What was solved for the formula comes last, if it has a star in front.
pub(crate) fn witness<A: ActionLattice>(
    system: &System<A>,
    formula: &Typed<A::Grade>,
    state: usize,
    solved: &[Solution<A::Grade>],
    budget: &Budget,
) -> Result<Option<Trace>, Stop> {
    let mut evaluator = Evaluator::new(&system.algebra, system.states.len(), budget);
    match formula {
        Typed::Modal(modality, steps, inner) => {
            let after = evaluator.grades(inner)?;
            let equations = evaluator.equations(*modality, steps, &after)?;
            match solved.last().filter(|_| steps.has_star()) {
                Some(solution) => Ok(walk(system, &equations, solution, state)),
                None => {
                    let solution = solve(&system.algebra, &equations, budget)?;
                    Ok(walk(system, &equations, &solution, state))
                }
            }
        }
        // One of the operands gives its grade to the whole, where all grades compare.
        Typed::And(one, other) | Typed::Or(one, other) => {
            let whole = evaluator.grades(formula)?[state].clone();
            match evaluator.grades(one)?[state] == whole {
                true => witness(system, one, state, &[], budget),
                false => witness(system, other, state, &[], budget),
            }
        }
        _ => Ok(None),
    }
}

fn walk<A: ActionLattice>(
    system: &System<A>,
    equations: &Equations<A::Grade>,
    solution: &Solution<A::Grade>,
    state: usize,
) -> Option<Trace> {
    let algebra = &system.algebra;
    let ranks = solution.ranks.as_ref()?;
    let nothing = match equations.modality {
        Modality::Diamond => algebra.zero(),
        Modality::Box => algebra.top(),
    };
    if solution.grades[state] == nothing {
        return None;
    }
    let mut run = Run {
        system,
        equations,
        so_far: algebra.one(),
        trace: Trace::new(Layout::States, ["state", "weight so far"]),
    };
    run.trace.steps.push(Step::start(run.cells(state)));
    let mut at = state;
    let mut looped = false;
    while run.trace.steps.len() < MOST_STEPS {
        let grade = &solution.grades[at];
        let cycle = solution
            .cycles
            .iter()
            .find(|(variable, _)| *variable as usize == at);
        if let (Some((_, cycle)), false) = (cycle, looped) {
            looped = true;
            let first = run.trace.steps.len();
            let mut here = at;
            for &next in cycle {
                run.take(here, next as usize);
                here = next as usize;
            }
            if let Some(step) = run.trace.steps.get_mut(first) {
                step.remark =
                    Some("here begins a loop that may be taken any number of times".to_owned());
            }
        }
        let follows = equations.terms(at).iter().find(|term| {
            let offered =
                equations.through(algebra, &term.weight, &solution.grades[term.to as usize]);
            ranks[term.to as usize] < ranks[at] && offered == *grade && equations.base[at] != *grade
        });
        match follows {
            Some(term) => {
                let to = term.to as usize;
                run.take(at, to);
                at = to;
            }
            None => break,
        }
    }
    let last = algebra.write(&equations.base[at]);
    let mut trace = run.trace;
    let name = &system.states[equations.state(at)];
    trace.ending.push(format!(
        "at {name} the rest of the formula has grade {last}"
    ));
    Some(trace.mark_changes())
}

struct Run<'a, A: ActionLattice> {
    system: &'a System<A>,
    equations: &'a Equations<A::Grade>,
    so_far: A::Grade,
    trace: Trace,
}

impl<A: ActionLattice> Run<'_, A> {
    fn cells(&self, variable: usize) -> [Cell; 2] {
        let state = &self.system.states[self.equations.state(variable)];
        [
            Cell::new(state.clone()),
            Cell::new(self.system.algebra.write(&self.so_far)),
        ]
    }

    /// The step between two equations with the best weight; silent ones are not shown.
    fn take(&mut self, from: usize, to: usize) {
        let algebra = &self.system.algebra;
        let terms = self
            .equations
            .terms(from)
            .iter()
            .filter(|term| term.to as usize == to);
        let best = terms.reduce(|best, term| match algebra.leq(&best.weight, &term.weight) {
            true => term,
            false => best,
        });
        let Some(term) = best else { return };
        self.so_far = algebra.then(&self.so_far, &term.weight);
        let weight = algebra.write(&term.weight);
        match term.step {
            Some(step) => {
                let name = &self.equations.steps[step as usize];
                let step = Step::of(format!("{name} ({weight})"), self.cells(to));
                self.trace.steps.push(step);
            }
            None if term.weight != algebra.one() => {
                let step = Step::of(format!("test ({weight})"), self.cells(to));
                self.trace.steps.push(step);
            }
            None => {}
        }
    }
}
