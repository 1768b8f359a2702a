//! Word-level models as circuits.

mod arithmetic;
mod watched;

use std::collections::BTreeMap;

use quotient_core::{Budget, Stop};

use super::evaluate::Value;
use super::model::{Model, Node, NodeId, Operand, Operator, Sort};
use super::word::Word;
use crate::{Circuit, Graph, Literal};

use watched::{Compared, Slot};
pub use watched::{Watched, Watching, to_watched_bits};

/// The most bits of an array that is spelled out.
pub(super) const MOST_ARRAY_BITS: u64 = 1 << 16;
/// The most gates, about, of one operation.
const MOST_GATES: u64 = 1 << 24;

/// A model as a circuit, and where its words went.
///
/// Bad signals, constraints, justice and fairness keep their order. A state whose start is not
/// constant is seen through a latch that says whether the first step is over.
#[derive(Debug, Clone)]
pub struct Blasted {
    /// The circuit.
    pub circuit: Circuit,
    /// The bits of each input and state as they are seen within a step, by node: the lowest
    /// first; of arrays element after element.
    bits: BTreeMap<NodeId, Vec<Literal>>,
}

impl Blasted {
    /// Whether the circuit has the bits of an input or a state.
    pub fn keeps(&self, node: NodeId) -> bool {
        self.bits.contains_key(&node)
    }

    /// What an input or a state is in a step of a run of the circuit.
    pub fn value(&self, node: NodeId, sort: Sort, state: &crate::State) -> Value {
        let Some(bits) = self.bits.get(&node) else {
            // What is asked does not depend on it.
            return Value::zero(sort);
        };
        let word = |bits: &[Literal]| Word(bits.iter().map(|&one| state.is_on(one)).collect());
        match sort {
            Sort::Bits(_) => Value::Word(word(bits)),
            Sort::Array(index, element) => {
                let elements = bits.chunks(element as usize).enumerate();
                let named = elements
                    .map(|(number, bits)| (Word::from_number(number as u128, index), word(bits)));
                Value::Array(Word::zero(element), named.collect())
            }
        }
    }
}

/// The nodes that what is asked depends on in any number of steps; all if nothing is asked.
fn needed(model: &Model) -> Vec<bool> {
    let asked = model.bad.iter().chain(&model.constraints);
    let asked = asked.chain(&model.fairness).map(|one| one.signal);
    let justice = model.justice.iter().flat_map(|(signals, _)| signals);
    let mut open: Vec<Operand> = asked.chain(justice.copied()).collect();
    if model.bad.is_empty() && model.justice.is_empty() {
        return vec![true; model.nodes().len()];
    }
    let mut marks = vec![false; model.nodes().len()];
    while let Some(operand) = open.pop() {
        if std::mem::replace(&mut marks[operand.node.index()], true) {
            continue;
        }
        match &model.nodes()[operand.node.index()].0 {
            Node::Apply(_, operands) => open.extend(operands),
            Node::State(number) => {
                let state = &model.states()[*number];
                open.extend(state.start.iter().chain(&state.next));
            }
            Node::Constant(_) | Node::Input(_) => {}
        }
    }
    marks
}

/// The model as a circuit, without what nothing asked depends on. Arrays are spelled out; [`Stop::Bound`] says that one is too large.
///
/// ```
/// use quotient_core::{Budget, Source};
/// use quotient_netlist::words::{read, to_bits};
/// let text = "1 sort bitvec 8\n2 state 1\n3 sort bitvec 1\n4 redand 3 2\n5 bad 4\n";
/// let model = read(&Source::new("t.btor2", text)).unwrap();
/// let blasted = to_bits(&model, &Budget::unlimited()).unwrap();
/// assert_eq!(blasted.circuit.bad.len(), 1);
/// ```
pub fn to_bits(model: &Model, budget: &Budget) -> Result<Blasted, Stop> {
    let mut blaster = Blaster::new(model);
    blaster.all_nodes(&needed(model), budget)?;
    blaster.finish()
}

struct Blaster<'a> {
    model: &'a Model,
    circuit: Circuit,
    /// The bits of each node so far.
    values: Vec<Vec<Literal>>,
    /// The latches of each state; none where it is a free input.
    latches: Vec<Vec<Literal>>,
    /// Off in the first step, on afterwards; made when it is needed.
    first: Option<Literal>,
    /// The elements of arrays that are watched; none where arrays are spelled out.
    slots: Option<Vec<Slot>>,
    /// Comparisons of arrays of which only some elements are known.
    compared: BTreeMap<usize, Compared>,
}

impl<'a> Blaster<'a> {
    fn new(model: &'a Model) -> Blaster<'a> {
        Blaster {
            model,
            circuit: Circuit::new(),
            values: Vec::with_capacity(model.nodes().len()),
            latches: vec![Vec::new(); model.states().len()],
            first: None,
            slots: None,
            compared: BTreeMap::new(),
        }
    }

    /// Makes the bits of all nodes that are needed.
    fn all_nodes(&mut self, needed: &[bool], budget: &Budget) -> Result<(), Stop> {
        for ((node, sort), &needed) in self.model.nodes().iter().zip(needed) {
            budget.charge(1)?;
            if !needed {
                self.values.push(Vec::new());
                continue;
            }
            self.room(node, *sort, budget)?;
            let before = self.circuit.graph.len();
            let bits = self.node(node, *sort)?;
            self.values.push(bits);
            budget.charge((self.circuit.graph.len() - before) as u64)?;
        }
        Ok(())
    }

    /// The number of bits of a sort.
    fn size(&self, sort: Sort) -> Result<usize, Stop> {
        match sort {
            Sort::Array(index, element) => match self.watched_size(index, element) {
                Some(bits) => Ok(bits),
                None => size(sort),
            },
            Sort::Bits(_) => size(sort),
        }
    }

    fn node(&mut self, node: &Node, sort: Sort) -> Result<Vec<Literal>, Stop> {
        let size = self.size(sort)?;
        Ok(match node {
            Node::Constant(word) => word.0.iter().map(|&bit| Literal::constant(bit)).collect(),
            Node::Input(number) => {
                let name = &self.model.inputs()[*number].1;
                (0..size).map(|at| self.input(name, at, size)).collect()
            }
            Node::State(number) => self.state(*number, size),
            Node::Apply(operator, operands) => {
                if let Some(bits) = self.watched_operation(*operator, operands) {
                    return Ok(bits);
                }
                self.operation(*operator, operands, sort)
            }
        })
    }

    /// Refuses an operation that takes too many gates, or more memory than there is: gates are
    /// made without a look at the budget. Half of the memory is for the engines.
    fn room(&self, node: &Node, sort: Sort, budget: &Budget) -> Result<(), Stop> {
        let Node::Apply(operator, operands) = node else {
            return Ok(());
        };
        let gates = self.gates(*operator, operands, sort);
        if gates > MOST_GATES {
            return Err(Stop::bound("gates of one operation", MOST_GATES));
        }
        let bytes = self.circuit.graph.bytes_with(gates as usize) as u64;
        match budget.memory_limit().is_some_and(|limit| bytes > limit / 2) {
            true => Err(Stop::Memory),
            false => Ok(()),
        }
    }

    /// About how many gates an operation takes: products and quotients by the square of the width.
    fn gates(&self, operator: Operator, operands: &[Operand], sort: Sort) -> u64 {
        use Operator as O;
        let width = |at: usize| {
            let bits = operands.get(at).map(|one| &self.values[one.node.index()]);
            bits.map_or(0, Vec::len) as u64
        };
        let (one, own) = (width(0), self.size(sort).unwrap_or(0) as u64);
        let square = one.saturating_mul(one);
        let logarithm = u64::from(u64::BITS - one.leading_zeros());
        match operator {
            O::Mul => 5 * square,
            O::Udiv | O::Urem | O::Sdiv | O::Srem | O::Smod => 8 * square,
            O::Umulo => 10 * square,
            O::Smulo => 20 * square,
            // Rotations by each bit that does not turn all the way around.
            O::Rol | O::Ror if !one.is_power_of_two() => 3 * square,
            O::Rol | O::Ror | O::Sll | O::Srl | O::Sra => 3 * one * (logarithm + 1) + one,
            O::Write => 3 * own + (own / width(2).max(1)) * width(1),
            O::Read => 3 * one,
            O::Slice(..) | O::Concat | O::Not | O::Uext(_) | O::Sext(_) => 0,
            _ => 10 * one.max(own),
        }
    }

    fn input(&mut self, name: &str, at: usize, size: usize) -> Literal {
        let literal = self.circuit.input();
        self.circuit
            .input_names
            .push(Some(bit_name(name, at, size)));
        literal
    }

    fn state(&mut self, number: usize, size: usize) -> Vec<Literal> {
        let state = &self.model.states()[number];
        if state.start.is_none() && state.next.is_none() {
            return (0..size)
                .map(|at| self.input(&state.name, at, size))
                .collect();
        }
        let mut latches = Vec::with_capacity(size);
        for at in 0..size {
            latches.push(self.circuit.latch(None));
            let name = bit_name(&state.name, at, size);
            self.circuit.latch_names.push(Some(name));
        }
        self.latches[number] = latches.clone();
        let Some(start) = state.start else {
            return latches;
        };
        // Constants are the rule. Others must stand before the state to be seen through.
        if let Some(word) = self.constant(start) {
            let width = word.0.len();
            for (at, &latch) in latches.iter().enumerate() {
                self.circuit.start(latch, Some(word.0[at % width]));
            }
            return latches;
        }
        if start.node >= state.node {
            return latches;
        }
        let start = self.operand(start);
        for &latch in &latches {
            self.circuit.start(latch, Some(false));
        }
        let first = self.first();
        let bits = latches.iter().enumerate();
        bits.map(|(at, &latch)| {
            let begin = start[at % start.len()];
            self.circuit.graph.ite(first, latch, begin)
        })
        .collect()
    }

    /// The latch that is off in the first step only.
    fn first(&mut self) -> Literal {
        if let Some(first) = self.first {
            return first;
        }
        let first = self.circuit.latch(Some(false));
        self.circuit.connect(first, Literal::TRUE);
        let count = self.circuit.latches().len();
        self.circuit.latch_names.resize(count - 1, None);
        self.circuit
            .latch_names
            .push(Some("after the first step".to_owned()));
        *self.first.insert(first)
    }

    /// The word that an operand always is, if it is a constant of the file.
    fn constant(&self, operand: Operand) -> Option<Word> {
        match &self.model.nodes()[operand.node.index()].0 {
            Node::Constant(word) => Some(word.clone().flip_if(operand.negated)),
            _ => None,
        }
    }

    fn operand(&self, operand: Operand) -> Vec<Literal> {
        let bits = self.values[operand.node.index()].iter();
        bits.map(|bit| bit.flip_if(operand.negated)).collect()
    }

    fn operation(&mut self, operator: Operator, operands: &[Operand], sort: Sort) -> Vec<Literal> {
        let bits: Vec<Vec<Literal>> = operands.iter().map(|&one| self.operand(one)).collect();
        let graph = &mut self.circuit.graph;
        match (operator, &bits[..]) {
            (Operator::Read, [array, at]) => {
                let Sort::Bits(width) = sort else {
                    return Vec::new();
                };
                selected(graph, array, at, width as usize)
            }
            (Operator::Write, [array, at, value]) => written(graph, array, at, value),
            (Operator::Ite, [condition, then, otherwise]) => {
                let pairs = then.iter().zip(otherwise);
                pairs
                    .map(|(&yes, &no)| graph.ite(condition[0], yes, no))
                    .collect()
            }
            (_, [one]) => arithmetic::unary(graph, operator, one),
            (_, [one, other]) => arithmetic::binary(graph, operator, one, other),
            _ => Vec::new(),
        }
    }

    /// Connects latches and signals once all nodes are there.
    fn finish(mut self) -> Result<Blasted, Stop> {
        for (number, state) in self.model.states().iter().enumerate() {
            let latches = std::mem::take(&mut self.latches[number]);
            let size = latches.len();
            if size == 0 {
                continue;
            }
            self.late_start(number, &latches)?;
            let next = match state.next {
                Some(next) => self.operand(next),
                None => (0..size)
                    .map(|at| self.input(&format!("{}'", state.name), at, size))
                    .collect(),
            };
            for (latch, next) in latches.into_iter().zip(next) {
                self.circuit.connect(latch, next);
            }
        }
        let model = self.model;
        let one = |signal: Operand| self.operand(signal)[0];
        let bad = model.bad.iter().map(|asked| one(asked.signal)).collect();
        let constraints = model.constraints.iter();
        let constraints = constraints.map(|asked| one(asked.signal)).collect();
        let fairness = model.fairness.iter();
        let fairness = fairness.map(|asked| one(asked.signal)).collect();
        let justice = model.justice.iter();
        let justice = justice
            .map(|(signals, _)| signals.iter().map(|&signal| one(signal)).collect())
            .collect();
        self.circuit.bad = bad;
        self.circuit.constraints = constraints;
        self.circuit.fairness = fairness;
        self.circuit.justice = justice;
        let leaves = model.inputs().iter().map(|&(node, _)| node);
        let leaves = leaves.chain(model.states().iter().map(|state| state.node));
        let bits = leaves
            .map(|node| (node, self.values[node.index()].clone()))
            .filter(|(_, bits)| !bits.is_empty())
            .collect();
        Ok(Blasted {
            circuit: self.circuit,
            bits,
        })
    }

    /// A start that stands after its state must turn out constant: it cannot be seen through.
    fn late_start(&mut self, number: usize, latches: &[Literal]) -> Result<(), Stop> {
        let state = &self.model.states()[number];
        let Some(start) = state.start else {
            return Ok(());
        };
        if self.constant(start).is_some() || start.node < state.node {
            return Ok(());
        }
        let bits = self.operand(start);
        if bits.iter().any(|bit| !bit.is_constant()) {
            let name = &state.name;
            let why = format!("the start of `{name}` is calculated after it and not constant");
            return Err(Stop::inconclusive(why));
        }
        for (at, &latch) in latches.iter().enumerate() {
            let value = bits[at % bits.len()] == Literal::TRUE;
            self.circuit.start(latch, Some(value));
        }
        Ok(())
    }
}

/// The number of bits of a sort.
fn size(sort: Sort) -> Result<usize, Stop> {
    match sort {
        Sort::Bits(width) => Ok(width as usize),
        Sort::Array(index, element) => {
            let elements = 1u64.checked_shl(index).filter(|_| index < 40);
            let bits = elements.and_then(|count| count.checked_mul(u64::from(element)));
            match bits.filter(|&bits| bits <= MOST_ARRAY_BITS) {
                Some(bits) => Ok(bits as usize),
                None => Err(Stop::bound("bits of an array", MOST_ARRAY_BITS)),
            }
        }
    }
}

fn bit_name(name: &str, at: usize, size: usize) -> String {
    match size {
        1 => name.to_owned(),
        _ => format!("{name}[{at}]"),
    }
}

/// The element of an array at an index: half of it by each bit, the highest first.
fn selected(graph: &mut Graph, array: &[Literal], at: &[Literal], width: usize) -> Vec<Literal> {
    let mut rest = array.to_vec();
    for &bit in at.iter().rev() {
        let (low, high) = rest.split_at(rest.len() / 2);
        let pairs: Vec<(Literal, Literal)> =
            high.iter().copied().zip(low.iter().copied()).collect();
        rest = pairs
            .into_iter()
            .map(|(high, low)| graph.ite(bit, high, low))
            .collect();
    }
    rest.truncate(width);
    rest
}

/// An array with another element at an index.
fn written(
    graph: &mut Graph,
    array: &[Literal],
    at: &[Literal],
    value: &[Literal],
) -> Vec<Literal> {
    let mut result = Vec::with_capacity(array.len());
    for (number, element) in array.chunks(value.len()).enumerate() {
        let here = (at.iter().enumerate())
            .map(|(place, bit)| bit.flip_if(number >> place & 1 == 0))
            .collect::<Vec<_>>();
        let here = graph.all(here);
        for (&old, &new) in element.iter().zip(value) {
            result.push(graph.ite(here, new, old));
        }
    }
    result
}
