//! The questions that IC3 asks.

use std::sync::Arc;

use quotient_core::{Budget, Stop};
use quotient_netlist::{Circuit, Gate, Literal, Node};

use super::frames::Frames;
use super::lazy::{Cones, LazySolver};
use super::shapes::Shapes;

/// A set of states: the latches that have a value in all of them, sorted.
pub(crate) type Cube = Vec<Literal>;

/// A solver for each frame. A latch after the step is the literal of its next value.
#[derive(Debug, Clone)]
pub(crate) struct Oracle {
    circuit: Arc<Circuit>,
    shapes: Arc<Shapes>,
    /// Constraints and what is excluded for ever, to make frames of.
    base: LazySolver,
    solvers: Vec<LazySolver>,
    /// How many cubes each solver was told to exclude.
    excluded: Vec<usize>,
    cones: Cones,
    /// What the constraints depend on.
    always: Vec<Node>,
    asked: Asked,
    /// The refusal needed no assumption that the solver knows of: this literal is impossible.
    impossible: Option<Literal>,
}

/// Which solver was asked last.
#[derive(Debug, Clone, Copy)]
enum Asked {
    Frame(usize),
    Base,
}

impl Oracle {
    pub(crate) fn new(circuit: Arc<Circuit>) -> Oracle {
        Oracle::about(circuit, &[])
    }

    /// One that always looks at all latches. Else a step may be found from where what is excluded,
    /// taken together, allows none: clauses about latches that a question is not about are not
    /// followed to their end. Such a step is one of the circuit all the same, which is enough for
    /// IC3.
    pub(crate) fn exact(circuit: Arc<Circuit>) -> Oracle {
        let latches = circuit.latches().iter();
        let latches: Vec<Literal> = latches.map(|latch| latch.node.literal()).collect();
        Oracle::about(circuit, &latches)
    }

    fn about(circuit: Arc<Circuit>, signals: &[Literal]) -> Oracle {
        let shapes = Arc::new(Shapes::of(&circuit));
        let mut cones = Cones::new(&circuit, &shapes);
        let signals = [&circuit.constraints[..], signals].concat();
        let always = cones.of(&signals, &[]);
        let constrained = |from_start: bool| {
            let mut solver = LazySolver::new(&circuit, &shapes, from_start);
            solver.load(&circuit, &always);
            for &constraint in &circuit.constraints {
                solver.add(&circuit, &[constraint]);
            }
            solver
        };
        Oracle {
            base: constrained(false),
            solvers: vec![constrained(true)],
            excluded: vec![0],
            cones,
            always,
            asked: Asked::Frame(0),
            impossible: None,
            shapes,
            circuit,
        }
    }

    /// How the gates of the circuit become clauses.
    pub(super) fn shapes(&self) -> &Arc<Shapes> {
        &self.shapes
    }

    /// The solver of a frame, after a question.
    pub(super) fn solver(&self, frame: usize) -> &LazySolver {
        &self.solvers[frame]
    }

    /// Adds the solver of a new frame.
    pub(crate) fn push(&mut self) {
        self.solvers.push(self.base.clone());
        self.excluded.push(0);
    }

    /// Excludes a cube from some frames.
    pub(crate) fn exclude_from(&mut self, cube: &Cube, frames: std::ops::RangeInclusive<usize>) {
        let clause = negated(cube);
        for frame in frames {
            self.solvers[frame].add(&self.circuit, &clause);
            self.excluded[frame] += 1;
        }
    }

    /// Excludes a cube from all frames but the start, and from those to come.
    pub(super) fn exclude_forever(&mut self, cube: &Cube) {
        let clause = negated(cube);
        self.base.add(&self.circuit, &clause);
        for (solver, excluded) in self.solvers.iter_mut().zip(&mut self.excluded).skip(1) {
            solver.add(&self.circuit, &clause);
            *excluded += 1;
        }
    }

    /// Makes the solver of a frame anew if most of what was excluded is covered by later lemmas.
    pub(super) fn tidy(&mut self, frame: usize, frames: &Frames) {
        let lemmas = |frame: usize| frames.lemmas(frame);
        let count: usize = (frame..=frames.top()).map(|one| lemmas(one).count()).sum();
        if self.excluded[frame] < 200 + 3 * count {
            return;
        }
        let mut solver = self.base.clone();
        // The base knows what is excluded for ever.
        for cube in (frame..=frames.top()).flat_map(lemmas) {
            solver.add(&self.circuit, &negated(cube));
        }
        self.solvers[frame] = solver;
        self.excluded[frame] = count;
    }

    /// What a cube demands of the step before.
    pub(super) fn primed(&self, cube: &[Literal]) -> Vec<Literal> {
        cube.iter().map(|&literal| self.prime(literal)).collect()
    }

    fn prime(&self, literal: Literal) -> Literal {
        match self.circuit.graph.gate(literal.node()) {
            Gate::Latch(number) => {
                let next = self.circuit.latches()[number].next;
                next.flip_if(literal.is_negated())
            }
            _ => literal,
        }
    }

    /// Whether no step from the frame (and, if asked, from outside of the cube) leads into it.
    pub(crate) fn is_inductive(
        &mut self,
        frame: usize,
        cube: &[Literal],
        from_outside: bool,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        self.none_leads_into(Asked::Frame(frame), cube, from_outside, budget)
    }

    /// Whether no step from outside of a cube leads into it, as far as what is excluded for ever
    /// shows.
    pub(super) fn is_inductive_forever(
        &mut self,
        cube: &[Literal],
        budget: &Budget,
    ) -> Result<bool, Stop> {
        self.none_leads_into(Asked::Base, cube, true, budget)
    }

    fn none_leads_into(
        &mut self,
        asked: Asked,
        cube: &[Literal],
        from_outside: bool,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        self.asked = asked;
        self.impossible = None;
        let targets = self.primed(cube);
        if let Some(at) = targets.iter().position(|&one| one == Literal::FALSE) {
            self.impossible = Some(cube[at]);
            return Ok(true);
        }
        let domain = self.cones.of(&targets, &self.always);
        let outside = if from_outside {
            negated(cube)
        } else {
            Vec::new()
        };
        let mut assumptions = targets;
        assumptions.retain(|&one| one != Literal::TRUE);
        let solver = match asked {
            Asked::Frame(frame) => &mut self.solvers[frame],
            Asked::Base => &mut self.base,
        };
        let reached = solver.solve(&self.circuit, &assumptions, &outside, &domain, budget)?;
        Ok(!reached)
    }

    /// The literals of a cube that the refusal just given needs.
    pub(crate) fn core(&self, cube: &[Literal]) -> Cube {
        if let Some(literal) = self.impossible {
            return vec![literal];
        }
        let solver = match self.asked {
            Asked::Frame(frame) => &self.solvers[frame],
            Asked::Base => &self.base,
        };
        let core = solver.core();
        let needed = |&literal: &Literal| core.binary_search(&self.prime(literal)).is_ok();
        cube.iter().copied().filter(needed).collect()
    }

    /// A part of a cube that no state of a frame is in, unless some state is in all of it.
    pub(crate) fn apart(
        &mut self,
        frame: usize,
        cube: &[Literal],
        budget: &Budget,
    ) -> Result<Option<Cube>, Stop> {
        let domain = self.cones.of(cube, &self.always);
        let solver = &mut self.solvers[frame];
        let met = solver.solve(&self.circuit, cube, &[], &domain, budget)?;
        Ok((!met).then(|| solver.core().to_vec()))
    }

    /// Whether a signal can be on in a frame.
    pub(super) fn reaches(
        &mut self,
        frame: usize,
        signal: Literal,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let domain = self.cones.of(&[signal], &self.always);
        self.solvers[frame].solve(&self.circuit, &[signal], &[], &domain, budget)
    }
}

fn negated(cube: &[Literal]) -> Vec<Literal> {
    cube.iter().map(|&literal| !literal).collect()
}
