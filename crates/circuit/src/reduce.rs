//! Smaller circuits that answer the same question.

use std::sync::{Arc, OnceLock};

use quotient_core::{Budget, Stop};
use quotient_netlist::{Circuit, Clause, Gate, Latch, Literal, Node, Run};

use crate::equal::equal_latches;

/// A circuit with one bad signal, and how to come back from it to the one it was made of.
#[derive(Debug, Clone)]
pub(crate) struct Reduced {
    /// What is left: `bad[0]` is the question.
    pub(crate) circuit: Arc<Circuit>,
    /// The original number of each latch that is left.
    latches: Vec<usize>,
    /// The original number of each input that is left.
    inputs: Vec<usize>,
    /// What is known of the original latches: an inductive invariant under the constraints.
    pub(crate) facts: Vec<Clause>,
    /// The original latches at the start, and the number of original inputs.
    original: (Vec<bool>, usize),
    /// Original latches that were left out, those that are equal to them, and whether with the other sign;
    /// later ones may be about the latter.
    equal: Vec<(usize, usize, bool)>,
    folded: OnceLock<Arc<Circuit>>,
}

impl Reduced {
    /// Only what the bad signal and the constraints depend on.
    pub(crate) fn cone(circuit: &Circuit, bad: Literal) -> Reduced {
        let start = |latch: &Latch| latch.start.unwrap_or(false);
        let starts = circuit.latches().iter().map(start).collect();
        let original = (starts, circuit.inputs().len());
        let cone = Cone::of(circuit, bad, &nodes_of_latches(circuit));
        Reduced {
            circuit: Arc::new(cone.circuit),
            latches: cone.latches,
            inputs: cone.inputs,
            facts: Vec::new(),
            original,
            equal: Vec::new(),
            folded: OnceLock::new(),
        }
    }

    /// The same without latches that never change, as far as a look at three values shows.
    pub(crate) fn without_constants(&self, budget: &Budget) -> Result<Reduced, Stop> {
        let mut replaced = nodes_of_latches(&self.circuit);
        let mut facts = Vec::new();
        let starts = starts(&self.circuit);
        let found = constants(&self.circuit, starts, budget)?;
        for (number, value) in found.into_iter().enumerate() {
            if let Some(value) = value {
                replaced[number] = Literal::constant(value);
                let latch = number as i64 + 1;
                facts.push(vec![if value { latch } else { -latch }]);
            }
        }
        Ok(match facts.is_empty() {
            true => self.clone(),
            false => self.further(&replaced, &facts),
        })
    }

    /// The same without latches that always equal others, if those are found soon.
    pub(crate) fn without_equals(self, budget: &Budget) -> Result<Reduced, Stop> {
        Ok(match equal_latches(&self.circuit, budget)? {
            Some((replaced, equal)) => self.further(&replaced, &equal),
            None => self,
        })
    }

    /// The same with latches replaced, as some clauses over those that are left allow.
    fn further(&self, replaced: &[Literal], because: &[Clause]) -> Reduced {
        let bad = self.circuit.bad[0];
        let first = Cone::of(&self.circuit, bad, replaced);
        // With fewer latches, less matters.
        let bad = first.circuit.bad[0];
        let second = Cone::of(&first.circuit, bad, &nodes_of_latches(&first.circuit));
        let through = |numbers: &[usize], first: &[usize], second: &[usize]| -> Vec<usize> {
            second.iter().map(|&one| numbers[first[one]]).collect()
        };
        let mut facts = self.facts.clone();
        facts.extend(because.iter().map(|clause| self.clause(clause)));
        let mut equal = self.equal.clone();
        for (number, &leader) in replaced.iter().enumerate() {
            if let Gate::Latch(other) = self.circuit.graph.gate(leader.node())
                && other != number
            {
                equal.push((
                    self.latches[number],
                    self.latches[other],
                    leader.is_negated(),
                ));
            }
        }
        Reduced {
            circuit: Arc::new(second.circuit),
            latches: through(&self.latches, &first.latches, &second.latches),
            inputs: through(&self.inputs, &first.inputs, &second.inputs),
            facts,
            original: self.original.clone(),
            equal,
            folded: OnceLock::new(),
        }
    }

    /// What is left, without constraints: see [`folded`].
    pub(crate) fn folded(&self) -> &Arc<Circuit> {
        self.folded.get_or_init(|| folded(&self.circuit))
    }

    /// A clause over the original latches.
    pub(crate) fn clause(&self, clause: &[i64]) -> Clause {
        let original = |&one: &i64| {
            let latch = self.latches[one.unsigned_abs() as usize - 1] as i64 + 1;
            if one < 0 { -latch } else { latch }
        };
        clause.iter().map(original).collect()
    }

    /// A run of the original circuit: what was left out is off, where it may be.
    pub(crate) fn run(&self, run: &Run) -> Run {
        let (mut start, inputs) = self.original.clone();
        for (&latch, &value) in self.latches.iter().zip(&run.start.0) {
            start[latch] = value;
        }
        for &(latch, leader, negated) in self.equal.iter().rev() {
            start[latch] = start[leader] != negated;
        }
        let step = |values: &quotient_netlist::Bits| {
            let mut all = vec![false; inputs];
            for (&input, &value) in self.inputs.iter().zip(&values.0) {
                all[input] = value;
            }
            all.into()
        };
        Run {
            start: start.into(),
            inputs: run.inputs.iter().map(step).collect(),
            back_to: run.back_to,
        }
    }
}

fn nodes_of_latches(circuit: &Circuit) -> Vec<Literal> {
    let latches = circuit.latches().iter();
    latches.map(|latch| latch.node.literal()).collect()
}

/// What each latch holds at the start, if that is known.
pub(crate) fn starts(circuit: &Circuit) -> Vec<Option<bool>> {
    circuit.latches().iter().map(|latch| latch.start).collect()
}

/// The latches that hold one value in all states that a calculation with three values reaches
/// from some state when all inputs are unknown. What changes becomes unknown for good, so that
/// together these constants are an inductive invariant. As what is unknown stays so, each gate is
/// followed once.
pub(crate) fn constants(
    circuit: &Circuit,
    first: Vec<Option<bool>>,
    budget: &Budget,
) -> Result<Vec<Option<bool>>, Stop> {
    let size = circuit.graph.len();
    budget.charge(size as u64 / 2)?;
    let mut values: Vec<Option<bool>> = Vec::with_capacity(size);
    for (_, gate) in circuit.graph.nodes() {
        values.push(match gate {
            Gate::Constant => Some(false),
            Gate::Input(_) => None,
            Gate::Latch(number) => first[number],
            Gate::And(a, b) => ternary_and(&values, a, b),
        });
    }
    let readers = Readers::new(circuit);
    let mut unknown: Vec<Node> = Vec::new();
    for latch in circuit.latches() {
        let value = values[latch.node.index()];
        if value.is_some() && value != ternary(&values, latch.next) {
            unknown.push(latch.node);
        }
    }
    for node in &unknown {
        values[node.index()] = None;
    }
    while let Some(node) = unknown.pop() {
        for &reader in readers.of(node) {
            let reader = reader as usize;
            if values[reader].is_none() {
                continue;
            }
            let value = match circuit.graph.gate(Node::new(reader)) {
                Gate::And(a, b) => ternary_and(&values, a, b),
                Gate::Latch(number) => {
                    let next = ternary(&values, circuit.latches()[number].next);
                    next.filter(|_| next == values[reader])
                }
                Gate::Constant | Gate::Input(_) => continue,
            };
            if value.is_none() {
                values[reader] = None;
                unknown.push(Node::new(reader));
            }
        }
    }
    let latches = circuit.latches().iter();
    Ok(latches.map(|latch| values[latch.node.index()]).collect())
}

/// What latches hold after a step from some state, where a calculation with three values tells.
pub(crate) fn ternary_step(circuit: &Circuit, state: &[Option<bool>]) -> Vec<Option<bool>> {
    let mut values: Vec<Option<bool>> = Vec::with_capacity(circuit.graph.len());
    for (_, gate) in circuit.graph.nodes() {
        values.push(match gate {
            Gate::Constant => Some(false),
            Gate::Input(_) => None,
            Gate::Latch(number) => state[number],
            Gate::And(a, b) => ternary_and(&values, a, b),
        });
    }
    let latches = circuit.latches().iter();
    latches.map(|latch| ternary(&values, latch.next)).collect()
}

/// Which gates and latches read each node, side by side.
struct Readers {
    begins: Vec<u32>,
    nodes: Vec<u32>,
}

impl Readers {
    fn new(circuit: &Circuit) -> Readers {
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for (node, gate) in circuit.graph.nodes() {
            let own = node.index() as u32;
            let mut reads = |literal: Literal| pairs.push((literal.node().index() as u32, own));
            match gate {
                Gate::And(a, b) => {
                    reads(a);
                    reads(b);
                }
                Gate::Latch(number) => reads(circuit.latches()[number].next),
                Gate::Constant | Gate::Input(_) => {}
            }
        }
        let mut begins = vec![0u32; circuit.graph.len() + 1];
        for &(node, _) in &pairs {
            begins[node as usize + 1] += 1;
        }
        for at in 1..begins.len() {
            begins[at] += begins[at - 1];
        }
        let mut free = begins.clone();
        let mut nodes = vec![0; pairs.len()];
        for (node, reader) in pairs {
            nodes[free[node as usize] as usize] = reader;
            free[node as usize] += 1;
        }
        Readers { begins, nodes }
    }

    fn of(&self, node: Node) -> &[u32] {
        let at = |index: usize| self.begins[index] as usize;
        &self.nodes[at(node.index())..at(node.index() + 1)]
    }
}

fn ternary_and(values: &[Option<bool>], a: Literal, b: Literal) -> Option<bool> {
    match (ternary(values, a), ternary(values, b)) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), other) | (other, Some(true)) => other,
        _ => None,
    }
}

fn ternary(values: &[Option<bool>], literal: Literal) -> Option<bool> {
    values[literal.node().index()].map(|value| value != literal.is_negated())
}

/// What a question depends on, as a circuit of its own.
struct Cone {
    circuit: Circuit,
    /// The number of each latch and input in the circuit that it was made of.
    latches: Vec<usize>,
    inputs: Vec<usize>,
}

impl Cone {
    /// With latches replaced (each by a constant, itself or an earlier latch).
    fn of(circuit: &Circuit, bad: Literal, replaced: &[Literal]) -> Cone {
        let mut roots = vec![bad];
        roots.extend(&circuit.constraints);
        let needed = cone_with(circuit, &roots, replaced);
        let mut small = Circuit::new();
        let mut map = vec![Literal::FALSE; circuit.graph.len()];
        let at = |map: &[Literal], literal: Literal| {
            map[literal.node().index()].flip_if(literal.is_negated())
        };
        let (mut latches, mut inputs) = (Vec::new(), Vec::new());
        for (node, gate) in circuit.graph.nodes() {
            if !needed[node.index()] {
                continue;
            }
            map[node.index()] = match gate {
                Gate::Constant => Literal::FALSE,
                Gate::Input(number) => {
                    inputs.push(number);
                    small.input()
                }
                Gate::Latch(number) if replaced[number].node() == node => {
                    latches.push(number);
                    small.latch(circuit.latches()[number].start)
                }
                Gate::Latch(number) => at(&map, replaced[number]),
                Gate::And(a, b) => small.graph.and(at(&map, a), at(&map, b)),
            };
        }
        for (number, &latch) in latches.iter().enumerate() {
            let own = small.latches()[number].node.literal();
            small.connect(own, at(&map, circuit.latches()[latch].next));
        }
        small.bad = vec![at(&map, bad)];
        let constraints = circuit.constraints.iter();
        small.constraints = constraints.map(|&one| at(&map, one)).collect();
        small.constraints.sort();
        small.constraints.dedup();
        small.constraints.retain(|&one| one != Literal::TRUE);
        Cone {
            circuit: small,
            latches,
            inputs,
        }
    }
}

/// The circuit with latches replaced, and where each of its nodes went.
pub(crate) fn substitute(circuit: &Circuit, replaced: &[Literal]) -> (Circuit, Vec<Literal>) {
    let mut whole = Circuit::new();
    let mut map: Vec<Literal> = Vec::with_capacity(circuit.graph.len());
    let at = |map: &[Literal], literal: Literal| {
        map[literal.node().index()].flip_if(literal.is_negated())
    };
    for (_, gate) in circuit.graph.nodes() {
        let literal = match gate {
            Gate::Constant => Literal::FALSE,
            Gate::Input(_) => whole.input(),
            Gate::Latch(number) => {
                let latch = &circuit.latches()[number];
                let own = whole.latch(latch.start);
                match replaced[number] {
                    same if same.node() == latch.node => own,
                    other => at(&map, other),
                }
            }
            Gate::And(a, b) => whole.graph.and(at(&map, a), at(&map, b)),
        };
        map.push(literal);
    }
    for (number, latch) in circuit.latches().iter().enumerate() {
        let own = whole.latches()[number].node.literal();
        whole.connect(own, at(&map, latch.next));
    }
    (whole, map)
}

/// A circuit without constraints for the same question: a latch more, the last one, is on as long
/// as they were fulfilled, and nothing is bad without it.
fn folded(circuit: &Arc<Circuit>) -> Arc<Circuit> {
    if circuit.constraints.is_empty() {
        return Arc::clone(circuit);
    }
    let (mut whole, map) = substitute(circuit, &nodes_of_latches(circuit));
    let at = |literal: Literal| map[literal.node().index()].flip_if(literal.is_negated());
    let so_far = whole.latch(Some(true));
    let mut still = so_far;
    for &constraint in &circuit.constraints {
        still = whole.graph.and(still, at(constraint));
    }
    whole.connect(so_far, still);
    let bad = whole.graph.and(at(circuit.bad[0]), still);
    whole.bad = vec![bad];
    Arc::new(whole)
}

/// The nodes that some signals depend on in any number of steps.
pub(crate) fn sequential_cone(circuit: &Circuit, roots: &[Literal]) -> Vec<bool> {
    cone_with(circuit, roots, &nodes_of_latches(circuit))
}

/// The same with latches replaced.
fn cone_with(circuit: &Circuit, roots: &[Literal], replaced: &[Literal]) -> Vec<bool> {
    let mut marks = vec![false; circuit.graph.len()];
    let mut stack: Vec<Literal> = roots.to_vec();
    while let Some(literal) = stack.pop() {
        let node = literal.node();
        if std::mem::replace(&mut marks[node.index()], true) {
            continue;
        }
        match circuit.graph.gate(node) {
            Gate::And(a, b) => stack.extend([a, b]),
            Gate::Latch(number) if replaced[number].node() == node => {
                stack.push(circuit.latches()[number].next);
            }
            Gate::Latch(number) => stack.push(replaced[number]),
            Gate::Constant | Gate::Input(_) => {}
        }
    }
    marks
}
