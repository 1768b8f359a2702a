//! Circuits: gates with latches, and what is asked about them.

use crate::{Gate, Graph, Literal, Node};

/// A latch: one bit of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Latch {
    /// Its node.
    pub node: Node,
    /// What it holds after the next step.
    pub next: Literal,
    /// What it holds at the start; nothing if that may be anything.
    pub start: Option<bool>,
}

/// A synchronous circuit with what is asked about it, as AIGER 1.9 has it.
///
/// A run is a sequence of values for the inputs together with values for the latches that have
/// no value at the start; all [`constraints`](Circuit::constraints) must be on in each of its
/// steps, the last included.
///
/// ```
/// use quotient_netlist::Circuit;
/// let mut toggle = Circuit::new();
/// let on = toggle.latch(Some(false));
/// toggle.connect(on, !on);
/// toggle.bad.push(on);
/// let step = toggle.evaluate(&[1], &[]);
/// assert_eq!(step.value(toggle.latches()[0].next) & 1, 0);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Circuit {
    /// The gates.
    pub graph: Graph,
    inputs: Vec<Node>,
    latches: Vec<Latch>,
    /// Signals to look at.
    pub outputs: Vec<Literal>,
    /// Signals that must never be on.
    pub bad: Vec<Literal>,
    /// Signals that are on in all runs.
    pub constraints: Vec<Literal>,
    /// Sets of signals that must not all be on infinitely often.
    pub justice: Vec<Vec<Literal>>,
    /// Signals that are on infinitely often in all runs that justice is about.
    pub fairness: Vec<Literal>,
    /// Names of inputs; fewer than inputs if the last have none.
    pub input_names: Vec<Option<String>>,
    /// Names of latches.
    pub latch_names: Vec<Option<String>>,
    /// Names of outputs.
    pub output_names: Vec<Option<String>>,
    /// Names of bad signals.
    pub bad_names: Vec<Option<String>>,
    /// Names of constraints.
    pub constraint_names: Vec<Option<String>>,
    /// Names of justice properties.
    pub justice_names: Vec<Option<String>>,
    /// Names of fairness constraints.
    pub fairness_names: Vec<Option<String>>,
}

impl Circuit {
    /// A circuit without anything.
    pub fn new() -> Circuit {
        Circuit::default()
    }

    /// A new input.
    pub fn input(&mut self) -> Literal {
        let literal = self.graph.input(self.inputs.len());
        self.inputs.push(literal.node());
        literal
    }

    /// A new latch with its value at the start; it keeps its value until it is
    /// [connected](Circuit::connect).
    pub fn latch(&mut self, start: Option<bool>) -> Literal {
        let literal = self.graph.latch(self.latches.len());
        self.latches.push(Latch {
            node: literal.node(),
            next: literal,
            start,
        });
        literal
    }

    /// Says what a latch holds after the next step. Anything but a latch is left alone.
    pub fn connect(&mut self, latch: Literal, next: Literal) {
        if let Gate::Latch(number) = self.graph.gate(latch.node()) {
            self.latches[number].next = next.flip_if(latch.is_negated());
        }
    }

    /// Changes the value of a latch at the start.
    pub fn start(&mut self, latch: Literal, value: Option<bool>) {
        if let Gate::Latch(number) = self.graph.gate(latch.node()) {
            self.latches[number].start = value.map(|value| value != latch.is_negated());
        }
    }

    /// The circuit without constraints, for formats that have none: a new latch remembers whether
    /// all have held so far, and what is asked about is on only while they do. That is bad signals,
    /// or outputs where there are neither bad signals nor justice.
    pub fn folded(&self) -> Circuit {
        let mut folded = self.clone();
        if self.constraints.is_empty() {
            return folded;
        }
        let before = folded.latch(Some(true));
        let now = folded.graph.all(self.constraints.iter().copied());
        let held = folded.graph.and(before, now);
        folded.connect(before, held);
        let asked = match self.bad.is_empty() && self.justice.is_empty() {
            true => &mut folded.outputs,
            false => &mut folded.bad,
        };
        for signal in asked {
            *signal = folded.graph.and(*signal, held);
        }
        folded.constraints.clear();
        folded.constraint_names.clear();
        folded
    }

    /// The nodes of the inputs.
    pub fn inputs(&self) -> &[Node] {
        &self.inputs
    }

    /// The latches.
    pub fn latches(&self) -> &[Latch] {
        &self.latches
    }

    /// The number of and-gates.
    pub fn gate_count(&self) -> usize {
        self.graph.len() - 1 - self.inputs.len() - self.latches.len()
    }

    /// The name of an input: its own, or `i` and its number.
    pub fn input_name(&self, number: usize) -> String {
        named(&self.input_names, 'i', number)
    }

    /// The name of a latch: its own, or `l` and its number.
    pub fn latch_name(&self, number: usize) -> String {
        named(&self.latch_names, 'l', number)
    }

    /// The values of all signals in 64 steps at once: each bit of a word is a step of its own.
    /// Missing values are zero.
    pub fn evaluate(&self, latches: &[u64], inputs: &[u64]) -> State {
        let mut values: Vec<u64> = Vec::with_capacity(self.graph.len());
        let at = |values: &[u64], number: usize| values.get(number).copied().unwrap_or(0);
        for (_, gate) in self.graph.nodes() {
            let value = match gate {
                Gate::Constant => 0,
                Gate::Input(number) => at(inputs, number),
                Gate::Latch(number) => at(latches, number),
                Gate::And(a, b) => word(&values, a) & word(&values, b),
            };
            values.push(value);
        }
        State(values)
    }

    /// The nodes that some literals depend on within a step, as marks by node.
    pub fn cone(&self, roots: impl IntoIterator<Item = Literal>) -> Vec<bool> {
        let mut marks = vec![false; self.graph.len()];
        for root in roots {
            marks[root.node().index()] = true;
        }
        for index in (0..marks.len()).rev() {
            if marks[index]
                && let Gate::And(a, b) = self.graph.gate(Node::new(index))
            {
                marks[a.node().index()] = true;
                marks[b.node().index()] = true;
            }
        }
        marks
    }
}

fn named(names: &[Option<String>], letter: char, number: usize) -> String {
    let own = names.get(number).and_then(Option::as_ref);
    own.cloned().unwrap_or_else(|| format!("{letter}{number}"))
}

/// The values of all signals, as [`Circuit::evaluate`] gives them.
#[derive(Debug, Clone)]
pub struct State(Vec<u64>);

impl State {
    /// The value of a signal.
    pub fn value(&self, literal: Literal) -> u64 {
        word(&self.0, literal)
    }

    /// The value of a signal in the first of the 64 steps.
    pub fn is_on(&self, literal: Literal) -> bool {
        self.value(literal) & 1 == 1
    }
}

fn word(values: &[u64], literal: Literal) -> u64 {
    let value = values[literal.node().index()];
    if literal.is_negated() { !value } else { value }
}
