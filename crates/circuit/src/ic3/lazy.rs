//! A solver that hears of gates when it is asked about them.

use quotient_core::{Budget, Stop};
use quotient_netlist::{Circuit, Gate, Literal, Node};

use std::sync::Arc;

use super::shapes::{Shape, Shapes};
use crate::Solver;

/// No variable.
const NONE: u32 = u32::MAX;

/// A solver about a circuit. It has variables and clauses only for the gates of the questions so
/// far: those of a large circuit are mostly about a small part of it, and IC3 has a solver for
/// every frame.
#[derive(Debug, Clone)]
pub(crate) struct LazySolver {
    solver: Solver,
    shapes: Arc<Shapes>,
    /// The variable of each node of the circuit, or none.
    variables: Vec<u32>,
    /// The node of each variable, or none.
    nodes: Vec<u32>,
    /// Whether latches hold what they start with.
    from_start: bool,
    core: Vec<Literal>,
}

impl LazySolver {
    /// About any state of a circuit, or about those of its start.
    pub(crate) fn new(circuit: &Circuit, shapes: &Arc<Shapes>, from_start: bool) -> LazySolver {
        LazySolver {
            solver: Solver::new(),
            shapes: Arc::clone(shapes),
            variables: vec![NONE; circuit.graph.len()],
            nodes: Vec::new(),
            from_start,
            core: Vec::new(),
        }
    }

    /// Makes all gates of a cone known. With a gate, a cone has what the gate depends on.
    pub(crate) fn load(&mut self, circuit: &Circuit, cone: &[Node]) {
        let unknown = |node: &Node| self.variables[node.index()] == NONE;
        let new: Vec<Node> = cone.iter().copied().filter(unknown).collect();
        for &node in &new {
            self.name(circuit, node);
        }
        for &node in &new {
            self.define(circuit, node);
        }
    }

    /// Says what a gate is. A cone has what the gate is made of.
    fn define(&mut self, circuit: &Circuit, node: Node) {
        let own = self.literal(circuit, node.literal());
        let shapes = Arc::clone(&self.shapes);
        match shapes.shape(node) {
            Shape::Free if circuit.graph.gate(node) == Gate::Constant => self.solver.add(&[!own]),
            Shape::Free => {}
            Shape::All(parts) => {
                let mut off = vec![own];
                for &part in parts {
                    let part = self.literal(circuit, part);
                    self.solver.add(&[!own, part]);
                    off.push(!part);
                }
                self.solver.add(&off);
                if let Some((_, then, otherwise)) = circuit.graph.as_choice(node) {
                    self.either(circuit, own, then, otherwise);
                }
            }
            Shape::Choice([condition, then, otherwise]) => {
                let if_on = self.literal(circuit, condition);
                let (first, second) = (
                    self.literal(circuit, then),
                    self.literal(circuit, otherwise),
                );
                self.solver.add(&[!if_on, !first, own]);
                self.solver.add(&[!if_on, first, !own]);
                self.solver.add(&[if_on, !second, own]);
                self.solver.add(&[if_on, second, !own]);
                self.either(circuit, own, then, otherwise);
            }
        }
    }

    /// What both sides of a choice say holds whatever is chosen. This follows from the other
    /// clauses, but not by propagation.
    fn either(&mut self, circuit: &Circuit, own: Literal, then: Literal, otherwise: Literal) {
        let (then, otherwise) = (
            self.literal(circuit, then),
            self.literal(circuit, otherwise),
        );
        self.solver.add(&[!then, !otherwise, own]);
        self.solver.add(&[then, otherwise, !own]);
    }

    /// Which value of a signal is tried first.
    pub(crate) fn prefer(&mut self, circuit: &Circuit, signal: Literal) {
        let literal = self.literal(circuit, signal);
        self.solver.prefer(literal);
    }

    /// Adds a clause over latches, or over signals whose cones are known.
    pub(crate) fn add(&mut self, circuit: &Circuit, clause: &[Literal]) {
        let clause: Vec<Literal> = (clause.iter())
            .map(|&one| self.literal(circuit, one))
            .collect();
        self.solver.add(&clause);
    }

    /// Whether some signals can be on together, and with them one of a clause over latches that
    /// holds for this question only. The cone is that of the signals and of all that must hold.
    pub(crate) fn solve(
        &mut self,
        circuit: &Circuit,
        assumptions: &[Literal],
        clause: &[Literal],
        cone: &[Node],
        budget: &Budget,
    ) -> Result<bool, Stop> {
        self.load(circuit, cone);
        let mut named = |signals: &[Literal]| -> Vec<Literal> {
            let named = signals.iter().map(|&one| self.literal(circuit, one));
            named.collect()
        };
        let (assumptions, clause) = (named(assumptions), named(clause));
        let variables = &self.variables;
        let domain = cone
            .iter()
            .map(|node| Node::new(variables[node.index()] as usize));
        let domain: Vec<Node> = domain.collect();
        let found = self
            .solver
            .solve_within(&assumptions, &clause, &domain, budget)?;
        self.core.clear();
        if !found {
            for literal in self.solver.core() {
                // What guards the clause is no node of the circuit.
                let node = self.nodes.get(literal.node().index());
                if let Some(&node) = node.filter(|&&node| node != NONE) {
                    let own = Node::new(node as usize).literal();
                    self.core.push(own.flip_if(literal.is_negated()));
                }
            }
            self.core.sort();
        }
        Ok(found)
    }

    /// The value of a signal in the answer just given.
    pub(crate) fn value(&self, circuit: &Circuit, signal: Literal) -> Option<bool> {
        let known = match self.variables[signal.node().index()] {
            NONE => None,
            variable => self.solver.value(Node::new(variable as usize).literal()),
        };
        let value = known.or_else(|| match circuit.graph.gate(signal.node()) {
            // Part of another gate, and as such without a variable.
            Gate::And(a, b) => match (self.value(circuit, a), self.value(circuit, b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            _ => None,
        });
        value.map(|value| value != signal.is_negated())
    }

    /// The assumptions that the refusal just given needs, sorted.
    pub(crate) fn core(&self) -> &[Literal] {
        &self.core
    }

    fn literal(&mut self, circuit: &Circuit, signal: Literal) -> Literal {
        let variable = match self.variables[signal.node().index()] {
            NONE => self.name(circuit, signal.node()),
            variable => Node::new(variable as usize),
        };
        variable.literal().flip_if(signal.is_negated())
    }

    /// A variable for a node that has none.
    fn name(&mut self, circuit: &Circuit, node: Node) -> Node {
        let variable = self.solver.variable();
        self.variables[node.index()] = variable.index() as u32;
        self.nodes.resize(variable.index() + 1, NONE);
        self.nodes[variable.index()] = node.index() as u32;
        if let Gate::Latch(number) = circuit.graph.gate(node)
            && let Some(value) = circuit.latches()[number].start.filter(|_| self.from_start)
        {
            self.solver.add(&[variable.literal().flip_if(!value)]);
        }
        variable
    }
}

/// Finds what signals depend on within a step.
#[derive(Debug, Clone)]
pub(crate) struct Cones {
    shapes: Arc<Shapes>,
    stamps: Vec<u32>,
    round: u32,
}

impl Cones {
    pub(crate) fn new(circuit: &Circuit, shapes: &Arc<Shapes>) -> Cones {
        Cones {
            shapes: Arc::clone(shapes),
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
        let shapes = Arc::clone(&self.shapes);
        let mut at = found.len();
        for literal in signals {
            self.visit(literal.node(), &mut found);
        }
        while at < found.len() {
            for part in shapes.parts(found[at]) {
                self.visit(part.node(), &mut found);
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
