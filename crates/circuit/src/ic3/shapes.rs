//! How gates become clauses.

use quotient_netlist::{Circuit, Gate, Literal, Node};

/// The most signals that one conjunction is made of.
const MOST_PARTS: usize = 24;

/// What a gate is made of.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Shape<'a> {
    /// Nothing: a constant, an input or a latch.
    Free,
    /// On if all of these are.
    All(&'a [Literal]),
    /// The second if the first is on, else the third.
    Choice([Literal; 3]),
}

/// The shapes of all gates of a circuit. A gate that only one other is made of is part of that
/// one: questions then have fewer variables, and as each answer gives a value to all of
/// them, that is what questions cost.
#[derive(Debug)]
pub(crate) struct Shapes {
    /// Where the parts of each node begin.
    begins: Vec<u32>,
    parts: Vec<Literal>,
    choices: Vec<bool>,
}

impl Shapes {
    pub(crate) fn of(circuit: &Circuit) -> Shapes {
        let uses = uses(circuit);
        let alone = |literal: Literal| uses[literal.node().index()] == 1;
        let mut shapes = Shapes {
            begins: vec![0],
            parts: Vec::new(),
            choices: Vec::with_capacity(circuit.graph.len()),
        };
        for (node, gate) in circuit.graph.nodes() {
            let mut choice = None;
            if let Gate::And(a, b) = gate {
                choice = (circuit.graph.as_choice(node)).filter(|_| alone(a) && alone(b));
                match choice {
                    Some((condition, then, otherwise)) => {
                        shapes.parts.extend([condition, then, otherwise]);
                    }
                    None => shapes.conjunction([a, b], alone),
                }
            }
            shapes.choices.push(choice.is_some());
            shapes.begins.push(shapes.parts.len() as u32);
        }
        shapes
    }

    /// Adds the parts of both sides, or the sides themselves.
    fn conjunction(&mut self, sides: [Literal; 2], alone: impl Fn(Literal) -> bool) {
        let inside = sides.map(|side| match self.shape(side.node()) {
            Shape::All(parts) if !side.is_negated() && alone(side) => parts.len(),
            _ => 0,
        });
        let mut room = MOST_PARTS;
        for (side, count) in sides.into_iter().zip(inside) {
            if count == 0 || count > room {
                self.parts.push(side);
                continue;
            }
            room -= count;
            let begin = self.begins[side.node().index()] as usize;
            self.parts.extend_from_within(begin..begin + count);
        }
    }

    pub(crate) fn shape(&self, node: Node) -> Shape<'_> {
        match self.parts(node) {
            [] => Shape::Free,
            &[condition, then, otherwise] if self.choices[node.index()] => {
                Shape::Choice([condition, then, otherwise])
            }
            parts => Shape::All(parts),
        }
    }

    /// The signals that a gate is made of.
    pub(crate) fn parts(&self, node: Node) -> &[Literal] {
        let at = node.index();
        &self.parts[self.begins[at] as usize..self.begins[at + 1] as usize]
    }
}

/// In how many places each node is named.
fn uses(circuit: &Circuit) -> Vec<u32> {
    let mut uses = vec![0u32; circuit.graph.len()];
    for (_, gate) in circuit.graph.nodes() {
        if let Gate::And(a, b) = gate {
            uses[a.node().index()] += 1;
            uses[b.node().index()] += 1;
        }
    }
    let nexts = circuit.latches().iter().map(|latch| latch.next);
    let asked = circuit.bad.iter().chain(&circuit.constraints).copied();
    for literal in nexts.chain(asked) {
        // What is asked about is never a part of something else only.
        uses[literal.node().index()] += 2;
    }
    uses
}
