//! How many steps it takes from some states to others.

use oxidd::BooleanFunction;
use quotient_core::Stop;
use quotient_lattice::{Booleans, Components};
use quotient_logic::Formula;

use super::{Atoms, Checker, Explored, Refusal};
use crate::ctl::{Evaluation, Evaluator, Program, TRUTH};
use crate::diagrams::Set;
use crate::model::Expression;
use crate::reach::Reach;
use crate::trace::Trace;

/// How many steps it takes from some reachable states to others, on fair paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Distance {
    /// There is no state to start from.
    NoStart,
    /// As many steps.
    Steps(u64),
    /// There is no way (for the shortest distance), or a way that never gets there (for the
    /// longest).
    Infinite,
}

impl Checker {
    /// The steps from the nearest of the reachable states where `start` holds to a state where
    /// `goal` holds, with a run that goes there.
    ///
    /// Both are CTL formulas. Only states where a fair path begins count.
    pub fn shortest(
        &mut self,
        start: &Formula<Expression>,
        goal: &Formula<Expression>,
    ) -> Result<(Distance, Option<Trace>), Refusal> {
        self.between(start, goal, |checker, part, start, goal| {
            checker.shortest_way(part, start, goal)
        })
    }

    /// The most steps that a path from a reachable state where `start` holds can take before it
    /// comes to a state where `goal` holds.
    pub fn longest(
        &mut self,
        start: &Formula<Expression>,
        goal: &Formula<Expression>,
    ) -> Result<Distance, Refusal> {
        self.between(start, goal, |checker, part, start, goal| {
            let mut evaluator = checker.evaluator(part);
            let fair = evaluator.fair()?;
            let diagrams = evaluator.arena.diagrams;
            let away = diagrams.minus(&fair, goal)?;
            let mut far = away.clone();
            let mut steps = 0;
            loop {
                if !diagrams.and(start, &far)?.satisfiable() {
                    return Ok(Distance::Steps(steps));
                }
                let before = evaluator.arena.before(&far)?;
                let farther = diagrams.and(&before, &away)?;
                if farther == far {
                    return Ok(Distance::Infinite);
                }
                far = farther;
                steps += 1;
            }
        })
        .map(|(distance, _)| distance)
    }

    /// Asks about the sets of states of two formulas.
    fn between<T: Found>(
        &mut self,
        start: &Formula<Expression>,
        goal: &Formula<Expression>,
        mut ask: impl FnMut(&Checker, &Explored, &Set, &Set) -> Result<T, Stop>,
    ) -> Result<(Distance, Option<Trace>), Refusal> {
        for formula in [start, goal] {
            self.refuse_inputs(formula)?;
            Program::new(formula).map_err(Refusal::NotCtl)?;
        }
        let found = self.with_room(|checker| -> Result<_, Stop> {
            let atoms = start.atoms().into_iter().chain(goal.atoms()).copied();
            let mut part = checker.part_for(atoms.collect::<Vec<_>>())?;
            checker.explore(&mut part)?;
            let answer = checker.ask_between(&part, start, goal, &mut ask);
            checker.put_back(part);
            answer
        })?;
        Ok(found)
    }

    fn ask_between<T: Found>(
        &self,
        part: &Explored,
        start: &Formula<Expression>,
        goal: &Formula<Expression>,
        ask: &mut impl FnMut(&Checker, &Explored, &Set, &Set) -> Result<T, Stop>,
    ) -> Result<(Distance, Option<Trace>), Stop> {
        let mut evaluator = self.evaluator(part);
        let start = self.states_of(&mut evaluator, start)?;
        let goal = self.states_of(&mut evaluator, goal)?;
        if !start.satisfiable() {
            return Ok((Distance::NoStart, None));
        }
        Ok(ask(self, part, &start, &goal)?.parts())
    }

    /// The reachable states with a fair path where a formula holds.
    fn states_of(
        &self,
        evaluator: &mut Evaluator,
        formula: &Formula<Expression>,
    ) -> Result<Set, Stop> {
        let not_ctl = |_| Stop::inconclusive("this is not a CTL formula");
        let program = Program::new(formula).map_err(not_ctl)?;
        let components = Components::of(&Booleans);
        let leaves = Atoms::new(&self.system, formula, &program)?;
        let mut evaluation = Evaluation::new(&program, &Booleans, &components, &leaves, TRUTH);
        let value = evaluation.value(evaluator, program.root(), TRUTH)?;
        let fair = evaluator.fair()?;
        self.system.diagrams.and(&value, &fair)
    }

    fn shortest_way(
        &self,
        part: &Explored,
        start: &Set,
        goal: &Set,
    ) -> Result<(Distance, Option<Trace>), Stop> {
        let mut evaluator = self.evaluator(part);
        let fair = evaluator.fair()?;
        let (arena, diagrams) = (&evaluator.arena, evaluator.arena.diagrams);
        let mut ways = Reach {
            rings: vec![start.clone()],
            all: start.clone(),
            complete: false,
        };
        loop {
            let newest = &ways.rings[ways.rings.len() - 1];
            if diagrams.and(newest, goal)?.satisfiable() {
                break;
            }
            let image = part.machine.relation.image(diagrams, newest)?;
            let image = diagrams.and(&image, &fair)?;
            let new = diagrams.minus(&image, &ways.all)?;
            if !new.satisfiable() {
                return Ok((Distance::Infinite, None));
            }
            ways.all = diagrams.or(&ways.all, &new)?;
            ways.rings.push(new);
        }
        let steps = Distance::Steps(ways.rings.len() as u64 - 1);
        let Some(way) = arena.shortest_to(&ways, goal)? else {
            return Ok((steps, None));
        };
        let Some(mut path) = arena.shortest_to(&part.reach, &way.states[0])? else {
            return Ok((steps, None));
        };
        path.append(way);
        let trace = self.system.trace(&part.machine, &path)?;
        Ok((steps, Some(trace)))
    }
}

/// What is found: a distance, perhaps with a run.
trait Found {
    fn parts(self) -> (Distance, Option<Trace>);
}

impl Found for Distance {
    fn parts(self) -> (Distance, Option<Trace>) {
        (self, None)
    }
}

impl Found for (Distance, Option<Trace>) {
    fn parts(self) -> (Distance, Option<Trace>) {
        self
    }
}
