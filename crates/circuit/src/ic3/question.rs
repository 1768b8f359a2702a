//! The questions that IC3 asks.

use quotient_core::{Budget, Stop};
use quotient_netlist::{Circuit, Gate, Literal, Node};

use super::frames::Frames;
use crate::Solver;

/// A set of states: the latches that have a value in all of them, sorted.
pub(super) type Cube = Vec<Literal>;

/// A solver for each frame. Its variables are the nodes of the circuit: a latch after the step
/// is the literal of its next value.
#[derive(Debug, Clone)]
pub(super) struct Oracle<'a> {
    circuit: &'a Circuit,
    /// Gates and constraints, to make frames of.
    base: Solver,
    solvers: Vec<Solver>,
    cones: Cones<'a>,
    /// What the constraints depend on.
    always: Vec<Node>,
    asked: usize,
    /// The refusal needed no assumption that the solver knows of: this literal is impossible.
    impossible: Option<Literal>,
}

impl<'a> Oracle<'a> {
    pub(super) fn new(circuit: &'a Circuit) -> Oracle<'a> {
        let mut base = gates(circuit);
        for &constraint in &circuit.constraints {
            base.add(&[constraint]);
        }
        let mut start = base.clone();
        for latch in circuit.latches() {
            if let Some(value) = latch.start {
                start.add(&[latch.node.literal().flip_if(!value)]);
            }
        }
        let mut cones = Cones::new(circuit);
        let always = cones.of(&circuit.constraints, &[]);
        Oracle {
            circuit,
            base,
            solvers: vec![start],
            cones,
            always,
            asked: 0,
            impossible: None,
        }
    }

    /// The solver of a frame, after a question.
    pub(super) fn solver(&self, frame: usize) -> &Solver {
        &self.solvers[frame]
    }

    /// Adds the solver of a new frame.
    pub(super) fn push(&mut self, frames: &Frames) {
        let mut solver = self.base.clone();
        for cube in frames.lemmas(frames.top()) {
            solver.add(&negated(cube));
        }
        self.solvers.push(solver);
    }

    /// Excludes a cube from all frames up to this one.
    pub(super) fn exclude(&mut self, cube: &Cube, frame: usize) {
        let clause = negated(cube);
        for solver in &mut self.solvers[1..=frame] {
            solver.add(&clause);
        }
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
    pub(super) fn is_inductive(
        &mut self,
        frame: usize,
        cube: &[Literal],
        from_outside: bool,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        self.asked = frame;
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
        let solver = &mut self.solvers[frame];
        let reached = solver.solve_within(&assumptions, &outside, &domain, budget)?;
        Ok(!reached)
    }

    /// The literals of a cube that the refusal just given needs.
    pub(super) fn core(&self, cube: &[Literal]) -> Cube {
        if let Some(literal) = self.impossible {
            return vec![literal];
        }
        let mut core: Vec<Literal> = self.solvers[self.asked].core().to_vec();
        core.sort();
        let needed = |&literal: &Literal| core.binary_search(&self.prime(literal)).is_ok();
        cube.iter().copied().filter(needed).collect()
    }

    /// Whether a signal can be on in a frame.
    pub(super) fn reaches(
        &mut self,
        frame: usize,
        signal: Literal,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let domain = self.cones.of(&[signal], &self.always);
        self.solvers[frame].solve_within(&[signal], &[], &domain, budget)
    }
}

fn negated(cube: &[Literal]) -> Vec<Literal> {
    cube.iter().map(|&literal| !literal).collect()
}

/// A solver that knows the gates.
pub(crate) fn gates(circuit: &Circuit) -> Solver {
    let mut solver = Solver::new();
    for (node, gate) in circuit.graph.nodes() {
        let own = solver.variable().literal();
        debug_assert_eq!(own, node.literal());
        match gate {
            Gate::Constant => solver.add(&[!own]),
            Gate::Input(_) | Gate::Latch(_) => {}
            Gate::And(a, b) => {
                solver.add(&[!own, a]);
                solver.add(&[!own, b]);
                solver.add(&[own, !a, !b]);
            }
        }
        if let Some((_, then, otherwise)) = circuit.graph.as_choice(node) {
            // These follow from the others, but not by propagation.
            solver.add(&[!then, !otherwise, own]);
            solver.add(&[then, otherwise, !own]);
        }
    }
    solver
}

/// Finds what signals depend on within a step.
#[derive(Debug, Clone)]
pub(crate) struct Cones<'a> {
    circuit: &'a Circuit,
    stamps: Vec<u32>,
    round: u32,
}

impl<'a> Cones<'a> {
    pub(crate) fn new(circuit: &'a Circuit) -> Cones<'a> {
        Cones {
            circuit,
            stamps: vec![0; circuit.graph.len()],
            round: 0,
        }
    }

    /// The cone of some signals, with nodes that are in it anyway.
    pub(crate) fn of(&mut self, signals: &[Literal], always: &[Node]) -> Vec<Node> {
        self.round += 1;
        let mut found: Vec<Node> = Vec::new();
        for &node in always {
            self.stamps[node.index()] = self.round;
            found.push(node);
        }
        let mut at = found.len();
        for literal in signals {
            self.visit(literal.node(), &mut found);
        }
        while at < found.len() {
            if let Gate::And(a, b) = self.circuit.graph.gate(found[at]) {
                self.visit(a.node(), &mut found);
                self.visit(b.node(), &mut found);
            }
            at += 1;
        }
        found
    }

    fn visit(&mut self, node: Node, found: &mut Vec<Node>) {
        if self.stamps[node.index()] != self.round {
            self.stamps[node.index()] = self.round;
            found.push(node);
        }
    }
}
