//! Circuits step after step in one formula.

use quotient_core::{Budget, Stop};
use quotient_netlist::{Bits, Circuit, Gate, Graph, Literal, Node, Run};

/// What answers questions about many steps.
#[cfg(feature = "cadical")]
type Answerer = crate::Cadical;
#[cfg(not(feature = "cadical"))]
type Answerer = crate::Solver;

/// The most gates of all steps together.
const MOST_GATES: usize = 40_000_000;
/// The most signals that one conjunction is made of.
const MOST_PARTS: usize = 24;
/// The most variables of the solver.
const MOST_VARIABLES: usize = 8_000_000;

/// Several steps of a circuit: gates of all steps share one graph, so that what is known of the
/// start simplifies what comes after it; only what is asked about reaches the solver.
#[derive(Debug)]
pub(crate) struct Unrolling<'a> {
    circuit: &'a Circuit,
    graph: Graph,
    /// Inputs of the unrolled graph so far.
    free: usize,
    /// For each step, the literal of each node; of all but the last step only what is needed to
    /// tell a run is kept.
    last: Vec<Literal>,
    latches: Vec<Vec<Literal>>,
    inputs: Vec<Vec<Literal>>,
    solver: Answerer,
    variables: Vec<Option<Node>>,
    /// In how many places each node is named; a latch is in more than one.
    uses: Vec<u8>,
}

impl<'a> Unrolling<'a> {
    /// Begins with the states that the circuit starts in, or with any state.
    pub(crate) fn new(circuit: &'a Circuit, from_start: bool) -> Unrolling<'a> {
        let mut unrolling = Unrolling {
            circuit,
            graph: Graph::new(),
            free: 0,
            last: Vec::new(),
            latches: Vec::new(),
            inputs: Vec::new(),
            solver: Answerer::new(),
            variables: Vec::new(),
            uses: Vec::new(),
        };
        let first =
            circuit
                .latches()
                .iter()
                .map(|latch| match latch.start.filter(|_| from_start) {
                    Some(value) => Literal::constant(value),
                    None => {
                        unrolling.free += 1;
                        unrolling.graph.input(unrolling.free - 1)
                    }
                });
        let first = first.collect();
        unrolling.step(first);
        unrolling
    }

    /// The number of steps so far.
    pub(crate) fn len(&self) -> usize {
        self.latches.len()
    }

    /// Adds a step.
    pub(crate) fn extend(&mut self) {
        let nexts = self.circuit.latches().iter();
        let next = nexts.map(|latch| self.at_last(latch.next)).collect();
        self.step(next);
    }

    fn step(&mut self, latches: Vec<Literal>) {
        let mut map: Vec<Literal> = Vec::with_capacity(self.circuit.graph.len());
        let mut inputs = Vec::new();
        for (_, gate) in self.circuit.graph.nodes() {
            let at = |map: &[Literal], literal: Literal| {
                map[literal.node().index()].flip_if(literal.is_negated())
            };
            let literal = match gate {
                Gate::Constant => Literal::FALSE,
                Gate::Input(_) => {
                    self.free += 1;
                    let input = self.graph.input(self.free - 1);
                    inputs.push(input);
                    input
                }
                Gate::Latch(number) => latches[number],
                Gate::And(a, b) => self.graph.and(at(&map, a), at(&map, b)),
            };
            map.push(literal);
        }
        self.last = map;
        self.count_uses();
        self.latches.push(latches);
        self.inputs.push(inputs);
        for at in 0..self.circuit.constraints.len() {
            let constraint = self.at_last(self.circuit.constraints[at]);
            self.assert(&[constraint]);
        }
    }

    /// Counts where the nodes of the last step are named.
    fn count_uses(&mut self) {
        let known = self.uses.len();
        self.uses.resize(self.graph.len(), 0);
        let mut named = |literal: Literal, times: u8| {
            let uses = &mut self.uses[literal.node().index()];
            *uses = uses.saturating_add(times);
        };
        for index in known..self.graph.len() {
            if let Gate::And(a, b) = self.graph.gate(Node::new(index)) {
                named(a, 1);
                named(b, 1);
            }
        }
        for latch in self.circuit.latches() {
            let next = latch.next;
            named(self.last[next.node().index()].flip_if(next.is_negated()), 2);
        }
    }

    /// The signals that must all be on for a gate to be on. What no other gate needs, and nobody
    /// asked about, is looked into.
    fn parts(&self, a: Literal, b: Literal) -> Vec<Literal> {
        let (mut open, mut parts) = (vec![b, a], Vec::new());
        while let Some(literal) = open.pop() {
            let node = literal.node();
            let alone = !literal.is_negated()
                && self.uses.get(node.index()) == Some(&1)
                && self.variables[node.index()].is_none()
                && parts.len() + open.len() < MOST_PARTS - 1;
            match self.graph.gate(node) {
                Gate::And(a, b) if alone && self.graph.as_choice(node).is_none() => {
                    open.extend([b, a]);
                }
                _ => parts.push(literal),
            }
        }
        parts
    }

    /// A signal in the last step.
    pub(crate) fn at_last(&self, literal: Literal) -> Literal {
        self.last[literal.node().index()].flip_if(literal.is_negated())
    }

    /// The latches in a step.
    pub(crate) fn latches(&self, step: usize) -> &[Literal] {
        &self.latches[step]
    }

    /// Demands that one of some signals is on.
    pub(crate) fn assert(&mut self, signals: &[Literal]) {
        let clause: Vec<Literal> = signals.iter().map(|&one| self.encode(one)).collect();
        self.solver.add(&clause);
    }

    /// Demands that two steps are in different states.
    pub(crate) fn assert_distinct(&mut self, one: usize, other: usize) {
        let pairs: Vec<(Literal, Literal)> = (self.latches[one].iter().copied())
            .zip(self.latches[other].iter().copied())
            .collect();
        let mut differences = Vec::with_capacity(pairs.len());
        for (a, b) in pairs {
            differences.push(self.graph.xor(a, b));
        }
        self.assert(&differences);
    }

    /// A signal that may have any value in any step.
    pub(crate) fn switch(&mut self) -> Literal {
        self.free += 1;
        self.graph.input(self.free - 1)
    }

    /// Both of two signals.
    pub(crate) fn both(&mut self, one: Literal, other: Literal) -> Literal {
        self.graph.and(one, other)
    }

    /// Whether a signal can be on.
    pub(crate) fn ask(&mut self, signal: Literal, budget: &Budget) -> Result<bool, Stop> {
        if signal == Literal::FALSE {
            return Ok(false);
        }
        let literal = self.encode(signal);
        self.solver.solve(&[literal], budget)
    }

    /// How large it is: variables that the solver knows.
    pub(crate) fn size(&self) -> usize {
        self.solver.variable_count()
    }

    /// Fails if it is so large that its memory would run away.
    pub(crate) fn check_size(&self) -> Result<(), Stop> {
        match self.graph.len() > MOST_GATES || self.size() > MOST_VARIABLES {
            true => Err(Stop::exhausted("the formula of so many steps is too large")),
            false => Ok(()),
        }
    }

    /// How many conflicts its solver learnt from.
    pub(crate) fn conflicts(&self) -> u64 {
        self.solver.conflicts()
    }

    /// The value of a signal in the run just found, if it matters.
    pub(crate) fn value_that_matters(&self, signal: Literal) -> Option<bool> {
        let node = self.variables.get(signal.node().index()).copied().flatten();
        let value = node.and_then(|node| self.solver.value(node.literal()));
        value.map(|value| value != signal.is_negated())
    }

    /// The same; off if it does not matter.
    pub(crate) fn value(&self, signal: Literal) -> bool {
        let value = self.value_that_matters(signal);
        value.unwrap_or(signal.is_negated())
    }

    /// The run just found.
    pub(crate) fn run(&self) -> Run {
        let bits = |signals: &Vec<Literal>| -> Bits {
            let values: Vec<bool> = signals.iter().map(|&one| self.value(one)).collect();
            values.into()
        };
        Run {
            start: bits(&self.latches[0]),
            inputs: self.inputs.iter().map(bits).collect(),
            back_to: None,
        }
    }

    /// The solver's literal for a signal; its gates become clauses on the way.
    fn encode(&mut self, signal: Literal) -> Literal {
        if self.variables.len() < self.graph.len() {
            self.variables.resize(self.graph.len(), None);
        }
        let mut stack = Vec::new();
        let signal = self.named(signal, &mut stack);
        while let Some(node) = stack.pop() {
            let own = self.named(node.literal(), &mut stack);
            if let Some((condition, then, otherwise)) = self.graph.as_choice(node) {
                let condition = self.named(condition, &mut stack);
                let then = self.named(then, &mut stack);
                let otherwise = self.named(otherwise, &mut stack);
                self.choose(own, condition, then, otherwise);
                continue;
            }
            match self.graph.gate(node) {
                Gate::And(a, b) => {
                    let mut off = vec![own];
                    for part in self.parts(a, b) {
                        let part = self.named(part, &mut stack);
                        self.solver.add(&[!own, part]);
                        off.push(!part);
                    }
                    self.solver.add(&off);
                }
                Gate::Constant => self.solver.add(&[!own]),
                Gate::Input(_) | Gate::Latch(_) => {}
            }
        }
        signal
    }

    /// Clauses for one of two. The last two follow from the others, but not by propagation.
    fn choose(&mut self, own: Literal, condition: Literal, then: Literal, otherwise: Literal) {
        self.solver.add(&[!condition, !then, own]);
        self.solver.add(&[!condition, then, !own]);
        self.solver.add(&[condition, !otherwise, own]);
        self.solver.add(&[condition, otherwise, !own]);
        self.solver.add(&[!then, !otherwise, own]);
        self.solver.add(&[then, otherwise, !own]);
    }

    /// The solver's literal; a node that it did not know is put on the stack.
    fn named(&mut self, signal: Literal, stack: &mut Vec<Node>) -> Literal {
        let known = &mut self.variables[signal.node().index()];
        let node = match *known {
            Some(node) => node,
            None => {
                stack.push(signal.node());
                *known.insert(self.solver.variable())
            }
        };
        node.literal().flip_if(signal.is_negated())
    }
}
