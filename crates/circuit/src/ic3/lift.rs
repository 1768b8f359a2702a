//! From one state before to all that lead to the same for the same reason.

use std::sync::Arc;

use quotient_core::{Budget, Stop};
use quotient_netlist::{Circuit, Gate, Literal};

use super::lazy::{Cones, LazySolver};
use super::question::Cube;
use super::shapes::Shapes;

/// Makes states general: first the signals are justified from the top down, as a test engineer
/// would (a gate that is off needs one reason only, the cheapest); then a solver says which of
/// the latches found are needed at all.
#[derive(Debug, Clone)]
pub(super) struct Lifter {
    circuit: Arc<Circuit>,
    solver: LazySolver,
    cones: Cones,
    /// How many latches it takes, about, to make each literal true.
    costs: Vec<u32>,
    stamps: Vec<u32>,
    round: u32,
}

impl Lifter {
    pub(super) fn new(circuit: Arc<Circuit>, shapes: &Arc<Shapes>) -> Lifter {
        let mut costs: Vec<u32> = Vec::with_capacity(2 * circuit.graph.len());
        for (_, gate) in circuit.graph.nodes() {
            let (on, off) = match gate {
                Gate::Constant => (u32::MAX / 4, 0),
                Gate::Input(_) => (0, 0),
                Gate::Latch(_) => (1, 1),
                Gate::And(a, b) => {
                    let on = costs[a.code()].saturating_add(costs[b.code()]);
                    (on, costs[(!a).code()].min(costs[(!b).code()]))
                }
            };
            costs.extend([on, off]);
        }
        Lifter {
            solver: LazySolver::new(&circuit, shapes, false),
            cones: Cones::new(&circuit, shapes),
            costs,
            stamps: vec![0; circuit.graph.len()],
            round: 0,
            circuit,
        }
    }

    /// The states from which, with the same inputs, these signals and all constraints are on.
    /// The frame's solver holds one such state.
    pub(super) fn lift(
        &mut self,
        frame: &LazySolver,
        signals: &[Literal],
        budget: &Budget,
    ) -> Result<(Cube, Vec<bool>), Stop> {
        let mut targets: Vec<Literal> = signals.to_vec();
        targets.extend(&self.circuit.constraints);
        targets.retain(|&one| one != Literal::TRUE);
        let (mut cube, used) = self.justify(frame, &targets);
        let mut inputs = vec![false; self.circuit.inputs().len()];
        for (number, node) in self.circuit.inputs().iter().enumerate() {
            inputs[number] = frame.value(&self.circuit, node.literal()).unwrap_or(false);
        }
        if !cube.is_empty() && !targets.is_empty() {
            let mut assumptions = used;
            assumptions.extend(&cube);
            let domain = self.cones.of(&targets, &[]);
            let refused: Vec<Literal> = targets.iter().map(|&one| !one).collect();
            let found =
                self.solver
                    .solve(&self.circuit, &assumptions, &refused, &domain, budget)?;
            if !found {
                let core = self.solver.core();
                cube.retain(|literal| core.binary_search(literal).is_ok());
            }
        }
        cube.sort();
        Ok((cube, inputs))
    }

    /// Latches and inputs that make the targets true, with their values in the frame's solver.
    fn justify(&mut self, frame: &LazySolver, targets: &[Literal]) -> (Cube, Vec<Literal>) {
        self.round += 1;
        let (mut latches, mut inputs) = (Vec::new(), Vec::new());
        let mut stack: Vec<Literal> = targets.to_vec();
        while let Some(literal) = stack.pop() {
            let node = literal.node();
            if self.stamps[node.index()] == self.round {
                continue;
            }
            self.stamps[node.index()] = self.round;
            match self.circuit.graph.gate(node) {
                Gate::Constant => {}
                Gate::Input(_) => inputs.push(literal),
                Gate::Latch(_) => latches.push(literal),
                Gate::And(a, b) if !literal.is_negated() => stack.extend([a, b]),
                Gate::And(a, b) => {
                    let off = |one: Literal| frame.value(&self.circuit, one) == Some(false);
                    let known = |one: Literal| self.stamps[one.node().index()] == self.round;
                    let cost = |one: Literal| self.costs[(!one).code()];
                    let reason = match (off(a), off(b)) {
                        (true, true) if known(a) => a,
                        (true, true) if known(b) => b,
                        (true, true) if cost(b) < cost(a) => b,
                        (true, _) => a,
                        _ => b,
                    };
                    stack.push(!reason);
                }
            }
        }
        (latches, inputs)
    }
}
