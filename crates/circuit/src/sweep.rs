//! Gates that are the same function, though they are built differently.

use std::collections::HashMap;

use quotient_core::{Budget, Stop};
use quotient_netlist::{Circuit, Gate, Graph, Literal, Node};

use crate::Solver;
use crate::equal::next;

/// How many words of random values tell gates apart at first.
const WORDS: usize = 8;
/// How many gates with the same values one is compared with.
const MOST_TRIES: usize = 4;
/// The work that one comparison may cost.
const COMPARISON: u64 = 20_000;

/// The gates that some signals of a circuit depend on within a step, with those put together that a
/// solver finds equal for all values of inputs and latches (Kuehlmann and others, 2002): from the inputs
/// on, so that each comparison is about gates whose parts are put together already.
pub(crate) struct Sweep {
    graph: Graph,
    solver: Solver,
    /// The values of each gate of the graph.
    values: Vec<Vec<u64>>,
    /// Gates by their values, seen so that the first value is on.
    alike: HashMap<Vec<u64>, Vec<Literal>>,
    /// What gates were put together with.
    merged: HashMap<Node, Literal>,
    /// Values that told gates apart which were alike before, of inputs and latches.
    apart: Vec<Vec<(Node, bool)>>,
    stamps: Vec<u32>,
    random: u64,
}

impl Sweep {
    /// Where each of some signals is afterwards. What is left when the work is used up stays as it is.
    pub(crate) fn of(
        circuit: &Circuit,
        signals: &[Literal],
        budget: &Budget,
    ) -> Result<Vec<Literal>, Stop> {
        let mut sweep = Sweep {
            graph: Graph::new(),
            solver: Solver::new(),
            values: Vec::new(),
            alike: HashMap::new(),
            merged: HashMap::new(),
            apart: Vec::new(),
            stamps: Vec::new(),
            random: 0x853c_49e6_748f_ea9b,
        };
        let cone = circuit.cone(signals.iter().copied());
        let mut map = vec![Literal::FALSE; circuit.graph.len()];
        sweep.know(Literal::FALSE);
        sweep.file(Literal::FALSE.node());
        let (mut free, mut goes_on) = (0, true);
        for (node, gate) in circuit.graph.nodes() {
            let at = |literal: Literal| map[literal.node().index()].flip_if(literal.is_negated());
            let literal = match gate {
                _ if !cone[node.index()] => continue,
                Gate::Constant => Literal::FALSE,
                Gate::Input(_) | Gate::Latch(_) => {
                    free += 1;
                    sweep.graph.input(free - 1)
                }
                Gate::And(a, b) => sweep.graph.and(at(a), at(b)),
            };
            map[node.index()] = match goes_on {
                true => match sweep.place(literal, budget) {
                    Err(Stop::Work) => {
                        goes_on = false;
                        literal
                    }
                    merged => merged?,
                },
                false => literal,
            };
        }
        let at = |literal: &Literal| map[literal.node().index()].flip_if(literal.is_negated());
        Ok(signals.iter().map(at).collect())
    }

    /// An earlier signal that is the same, or the signal itself.
    fn place(&mut self, literal: Literal, budget: &Budget) -> Result<Literal, Stop> {
        let known = self.values.len();
        self.know(literal);
        if literal.node().index() < known {
            let stands = self.merged.get(&literal.node());
            return Ok(stands.map_or(literal, |other| other.flip_if(literal.is_negated())));
        }
        if !matches!(self.graph.gate(literal.node()), Gate::And(..)) {
            self.file(literal.node());
            return Ok(literal);
        }
        if self.apart.len() >= 64 {
            self.refresh(budget)?;
        }
        let plain = literal.node().literal();
        let (key, flipped) = self.key(plain);
        let others = self.alike.get(&key).cloned().unwrap_or_default();
        for other in others.into_iter().take(MOST_TRIES) {
            let other = other.flip_if(flipped);
            if self.same(plain, other, budget)? {
                self.merged.insert(literal.node(), other);
                return Ok(other.flip_if(literal.is_negated()));
            }
        }
        self.file(literal.node());
        Ok(literal)
    }

    /// Makes all gates up to one known to the solver, with their values.
    fn know(&mut self, literal: Literal) {
        for index in self.values.len()..=literal.node().index() {
            let node = Node::new(index);
            let own = self.solver.variable().literal();
            self.stamps.push(0);
            let values = match self.graph.gate(node) {
                Gate::Constant => {
                    self.solver.add(&[!own]);
                    vec![0; WORDS]
                }
                Gate::And(a, b) => {
                    self.solver.add(&[!own, a]);
                    self.solver.add(&[!own, b]);
                    self.solver.add(&[own, !a, !b]);
                    let words = self.words(a).zip(self.words(b));
                    words.map(|(one, other)| one & other).collect()
                }
                _ => (0..WORDS).map(|_| next(&mut self.random)).collect(),
            };
            self.values.push(values);
        }
    }

    fn words(&self, literal: Literal) -> impl Iterator<Item = u64> {
        let words = self.values[literal.node().index()].iter();
        words.map(move |&word| if literal.is_negated() { !word } else { word })
    }

    /// The values of a signal, turned round if the first one is off.
    fn key(&self, literal: Literal) -> (Vec<u64>, bool) {
        let off = self.words(literal).next().is_none_or(|word| word & 1 == 0);
        (self.words(literal.flip_if(off)).collect(), off)
    }

    fn file(&mut self, node: Node) {
        let (key, flipped) = self.key(node.literal());
        let literal = node.literal().flip_if(flipped);
        self.alike.entry(key).or_default().push(literal);
    }

    /// Whether two signals are the same; not if that takes long to say.
    fn same(&mut self, one: Literal, other: Literal, budget: &Budget) -> Result<bool, Stop> {
        let domain = self.cone(one, other);
        budget.charge(domain.len() as u64)?;
        for pair in [[one, !other], [!one, other]] {
            let own = budget.child_with_work(COMPARISON);
            match self.solver.solve_within(&pair, &[], &domain, &own) {
                Ok(false) => {}
                Ok(true) => {
                    let free = domain.iter().filter(|&&node| {
                        matches!(self.graph.gate(node), Gate::Input(_) | Gate::Latch(_))
                    });
                    let values = free
                        .map(|&node| (node, self.solver.value(node.literal()).unwrap_or_default()));
                    self.apart.push(values.collect());
                    return Ok(false);
                }
                Err(Stop::Work) => {
                    budget.poll()?;
                    return Ok(false);
                }
                Err(stop) => return Err(stop),
            }
        }
        Ok(true)
    }

    /// What two signals depend on.
    fn cone(&mut self, one: Literal, other: Literal) -> Vec<Node> {
        let round = self.stamps[0] + 1;
        self.stamps[0] = round;
        let mut found = Vec::new();
        let mut open = vec![one.node(), other.node()];
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut self.stamps[node.index()], round) == round && node.index() > 0
            {
                continue;
            }
            found.push(node);
            if let Gate::And(a, b) = self.graph.gate(node) {
                open.extend([a.node(), b.node()]);
            }
        }
        found
    }

    /// Takes what told gates apart as values, instead of some random ones, and sorts all gates anew.
    fn refresh(&mut self, budget: &Budget) -> Result<(), Stop> {
        budget.charge(self.values.len() as u64)?;
        let filed: Vec<Node> = (self.alike.drain())
            .flat_map(|(_, literals)| literals)
            .map(|literal| literal.node())
            .collect();
        let mut words: HashMap<Node, u64> = HashMap::new();
        for (place, values) in self.apart.drain(..).take(64).enumerate() {
            for (node, value) in values {
                *words.entry(node).or_default() |= u64::from(value) << place;
            }
        }
        for index in 0..self.values.len() {
            let node = Node::new(index);
            let word = match self.graph.gate(node) {
                Gate::Constant => 0,
                Gate::And(a, b) => {
                    let last = |literal: Literal| self.words(literal).last().unwrap_or_default();
                    last(a) & last(b)
                }
                _ => words
                    .get(&node)
                    .copied()
                    .unwrap_or_else(|| next(&mut self.random)),
            };
            // The values of gates before this one have the new word at their end.
            self.values[index].remove(0);
            self.values[index].push(word);
        }
        let mut filed = filed;
        filed.sort();
        for node in filed {
            self.file(node);
        }
        Ok(())
    }
}
