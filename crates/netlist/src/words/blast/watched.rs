//! Models with arrays of any size, as circuits that know a few elements of them.

use std::collections::{BTreeMap, BTreeSet};

use quotient_core::{Budget, Stop};
use serde::{Deserialize, Serialize};

use super::{Blaster, needed};
use crate::words::model::{Model, Node, NodeId, Operand, Operator, Sort};
use crate::words::word::Word;
use crate::{Circuit, Graph, Literal};

/// The most elements that are watched at a time.
const MOST_WATCHED: usize = 64;
/// The most steps before the end of a run that an index is taken from.
const MOST_DELAY: usize = 1_000;

/// An element of arrays: the one whose index a certain read or write has so many steps before the end
/// of a run, or the one where a comparison says that two arrays differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Watched {
    /// The place of the read, write or comparison among the nodes of the model.
    pub node: usize,
    /// How many steps before the end.
    pub delay: usize,
}

/// A model as a circuit that knows the watched elements of arrays; reads of all others give
/// anything.
///
/// Each watched index is a word that may be anything at the start and never changes. An array is
/// its elements at these indices (of all that is watched of arrays of its sort): a write changes
/// them if its index is theirs, a read gives one of them if its index is theirs. Equal indices
/// have equal elements, which is a constraint. A comparison of two arrays has an index of its own, which
/// may be anything in each step: they are equal if what is read there is, and then their watched
/// elements are, too, which is a constraint. Whether a watched index equals another, or a state
/// that never changes, is also a latch (that it is what it says is a constraint): clauses of an
/// invariant are short with it. The only bad signal is on if that of the model is,
/// and each watched index was that of its node so many steps ago (if the run is as long).
///
/// If the model has a run to its bad signal, the circuit has one: let each watched index be what
/// its node has at that step of the run, each read that gives anything give what it gives in
/// the model, and the index of a comparison be one where the arrays differ, if they do. So a circuit whose bad signal is never on shows the same of the model.
#[derive(Debug, Clone)]
pub struct Watching {
    /// The circuit: `bad[0]` is the question.
    pub circuit: Circuit,
    /// The bits of each node that matters.
    values: Vec<Vec<Literal>>,
    /// Comparisons of arrays, by node.
    compared: BTreeMap<usize, Compared>,
}

impl Watching {
    /// Where a comparison of arrays looks in a step of a run of the circuit, and what it finds there in
    /// the one and in the other; nothing of another node.
    pub fn compared(&self, node: usize, state: &crate::State) -> Option<[Word; 3]> {
        let Compared { at, found, .. } = self.compared.get(&node)?;
        let word = |bits: &[Literal]| Word(bits.iter().map(|&one| state.is_on(one)).collect());
        Some([word(at), word(&found[0]), word(&found[1])])
    }

    /// What a node of words is in a step of a run of the circuit, if it matters.
    pub fn word(&self, operand: Operand, state: &crate::State) -> Option<Word> {
        let bits = &self.values[operand.node.index()];
        let word = Word(bits.iter().map(|&one| state.is_on(one)).collect());
        (!bits.is_empty()).then(|| word.flip_if(operand.negated))
    }
}

/// A comparison of two arrays.
#[derive(Debug, Clone)]
pub(super) struct Compared {
    /// The index at which they are compared.
    at: Vec<Literal>,
    /// What both have there.
    found: [Vec<Literal>; 2],
    /// On if watched elements are equal where the arrays are said to be.
    agrees: Literal,
}

/// A watched element while the circuit is made.
pub(super) struct Slot {
    /// Widths of index and element.
    sort: (u32, u32),
    address: Vec<Literal>,
    watched: Watched,
}

/// A model with these elements watched, asked about one of its bad signals.
///
/// ```
/// use quotient_core::{Budget, Source};
/// use quotient_netlist::words::{Watched, read, to_watched_bits};
/// // A memory of 2³² bytes, whose bytes at one index must not be 255.
/// let text = "1 sort bitvec 32\n2 sort bitvec 8\n3 sort array 1 2\n4 state 3 memory\n5 input 1\n\
///             6 read 2 4 5\n7 sort bitvec 1\n8 redand 7 6\n9 bad 8\n10 next 3 4 4\n";
/// let model = read(&Source::new("memory.btor2", text)).unwrap();
/// let watched = [Watched { node: 2, delay: 0 }];
/// let circuit = to_watched_bits(&model, &watched, 0, &Budget::unlimited()).unwrap().circuit;
/// assert_eq!(circuit.latches().len(), 32 + 8);
/// ```
pub fn to_watched_bits(
    model: &Model,
    watched: &[Watched],
    bad: usize,
    budget: &Budget,
) -> Result<Watching, Stop> {
    let needed = needed(model);
    let mut blaster = Blaster::new(model);
    blaster.slots = Some(Vec::new());
    if watched.len() > MOST_WATCHED {
        return Err(Stop::bound("watched elements", MOST_WATCHED as u64));
    }
    let mut sorts = Vec::with_capacity(watched.len());
    for &one in watched {
        if one.delay > MOST_DELAY {
            return Err(Stop::bound("steps before the end", MOST_DELAY as u64));
        }
        let Some(sort) = indexed_sort(model, one.node).filter(|_| needed[one.node]) else {
            let why = format!("node {} has no index of an array that matters", one.node);
            return Err(Stop::inconclusive(why));
        };
        sorts.push(sort);
    }
    let equalities = blaster.equalities(&needed, &sorts);
    for (&one, sort) in watched.iter().zip(sorts) {
        blaster.watch(one, sort);
    }
    blaster.all_nodes(&needed, budget)?;
    let asked = model.bad.get(bad).map(|asked| asked.signal);
    let mut signals = vec![match asked {
        Some(signal) => blaster.operand(signal)[0],
        None => return Err(Stop::inconclusive("there is no such bad signal")),
    }];
    signals.extend(blaster.at_the_end());
    let mut agreement = blaster.agreement(&needed);
    agreement.extend(blaster.meant(&equalities));
    agreement.extend(blaster.compared.values().map(|one| one.agrees));
    let values = blaster.values.clone();
    let compared = std::mem::take(&mut blaster.compared);
    let mut circuit = blaster.finish()?.circuit;
    circuit.bad = vec![circuit.graph.all(signals)];
    circuit.constraints.extend(agreement);
    circuit.justice.clear();
    circuit.fairness.clear();
    Ok(Watching {
        circuit,
        values,
        compared,
    })
}

/// The widths of index and element of the array that a node reads, writes or compares.
fn indexed_sort(model: &Model, node: usize) -> Option<(u32, u32)> {
    use Operator as O;
    match &model.nodes().get(node)?.0 {
        Node::Apply(O::Read | O::Write | O::Eq | O::Neq, operands) => {
            match model.sort(operands[0].node) {
                Sort::Array(index, element) => Some((index, element)),
                Sort::Bits(_) => None,
            }
        }
        _ => None,
    }
}

impl Blaster<'_> {
    fn watch(&mut self, watched: Watched, sort: (u32, u32)) {
        let number = self.slots.as_ref().map_or(0, Vec::len);
        let mut address = Vec::with_capacity(sort.0 as usize);
        for at in 0..sort.0 {
            address.push(self.circuit.latch(None));
            let name = format!("watched index {number}[{at}]");
            self.circuit.latch_names.push(Some(name));
        }
        let slot = Slot {
            sort,
            address,
            watched,
        };
        self.slots.get_or_insert_default().push(slot);
    }

    /// The indices of the watched elements of arrays of a sort.
    fn addresses(&self, sort: (u32, u32)) -> Vec<Vec<Literal>> {
        let slots = self.slots.iter().flatten();
        let alike = slots.filter(|slot| slot.sort == sort);
        alike.map(|slot| slot.address.clone()).collect()
    }

    /// The number of bits of an array: those of its watched elements.
    pub(super) fn watched_size(&self, index: u32, element: u32) -> Option<usize> {
        let slots = self.slots.as_ref()?.iter();
        let count = slots.filter(|slot| slot.sort == (index, element)).count();
        Some(count * element as usize)
    }

    /// An operation on arrays of which only some elements are known; none if it is another.
    pub(super) fn watched_operation(
        &mut self,
        operator: Operator,
        operands: &[Operand],
    ) -> Option<Vec<Literal>> {
        self.slots.as_ref()?;
        let Sort::Array(index, element) = self.model.sort(operands[0].node) else {
            return None;
        };
        let sort = (index, element);
        match operator {
            Operator::Read => {
                let at = self.operand(operands[1]);
                Some(self.element(operands[0].node, &at, sort))
            }
            Operator::Write => {
                let old = self.operand(operands[0]);
                let (at, value) = (self.operand(operands[1]), self.operand(operands[2]));
                let mut bits = Vec::with_capacity(old.len());
                for (address, old) in self.addresses(sort).iter().zip(old.chunks(value.len())) {
                    let here = equal(&mut self.circuit.graph, &at, address);
                    bits.extend(choice(&mut self.circuit.graph, here, &value, old));
                }
                Some(bits)
            }
            Operator::Eq | Operator::Neq => {
                // Arrays that differ do so somewhere; of those that do not, all that is known is equal.
                let at = self.anything("compared by node", index);
                let found = [0, 1].map(|side: usize| self.element(operands[side].node, &at, sort));
                let (one, other) = (self.operand(operands[0]), self.operand(operands[1]));
                let graph = &mut self.circuit.graph;
                let same = equal(graph, &found[0], &found[1]);
                let known = equal(graph, &one, &other);
                let agrees = graph.implies(same, known);
                let compared = Compared { at, found, agrees };
                self.compared.insert(self.values.len(), compared);
                Some(vec![same.flip_if(operator == Operator::Neq)])
            }
            _ => None,
        }
    }

    fn anything(&mut self, what: &str, width: u32) -> Vec<Literal> {
        let name = format!("{what} {}", self.values.len());
        let width = width as usize;
        (0..width).map(|at| self.input(&name, at, width)).collect()
    }

    /// The element of an array at an index: writes and choices of this step are looked through;
    /// of what states and inputs hold, watched elements are known.
    fn element(&mut self, array: NodeId, at: &[Literal], sort: (u32, u32)) -> Vec<Literal> {
        let addresses = self.addresses(sort);
        let mut found: BTreeMap<NodeId, Vec<Literal>> = BTreeMap::new();
        for node in sources(self.model, array) {
            let bits = match &self.model.nodes()[node.index()].0 {
                Node::Apply(Operator::Write, operands) => {
                    let (index, value) = (self.operand(operands[1]), self.operand(operands[2]));
                    let here = equal(&mut self.circuit.graph, at, &index);
                    let before = &found[&operands[0].node];
                    choice(&mut self.circuit.graph, here, &value, before)
                }
                Node::Apply(Operator::Ite, operands) => {
                    let condition = self.operand(operands[0])[0];
                    let (then, otherwise) = (&found[&operands[1].node], &found[&operands[2].node]);
                    choice(&mut self.circuit.graph, condition, then, otherwise)
                }
                _ => {
                    let mut bits = self.anything("read by node", sort.1);
                    let known = self.values[node.index()].clone();
                    for (address, known) in addresses.iter().zip(known.chunks(sort.1 as usize)) {
                        let here = equal(&mut self.circuit.graph, at, address);
                        bits = choice(&mut self.circuit.graph, here, known, &bits);
                    }
                    bits
                }
            };
            found.insert(node, bits);
        }
        found.remove(&array).unwrap_or_default()
    }

    /// For each watched element whether its index was that of its node so many steps ago, or the
    /// run is not as long yet.
    fn at_the_end(&mut self) -> Vec<Literal> {
        let mut signals = Vec::new();
        for number in 0..self.slots.as_ref().map_or(0, Vec::len) {
            let Some(slot) = self.slots.as_ref().map(|slots| &slots[number]) else {
                continue;
            };
            let (address, watched) = (slot.address.clone(), slot.watched);
            let Node::Apply(_, operands) = &self.model.nodes()[watched.node].0 else {
                continue;
            };
            let index = match self.compared.get(&watched.node) {
                Some(compared) => compared.at.clone(),
                None => self.operand(operands[1]),
            };
            let mut signal = equal(&mut self.circuit.graph, &index, &address);
            for delay in 1..=watched.delay {
                let latch = self.circuit.latch(Some(true));
                let count = self.circuit.latches().len();
                self.circuit.latch_names.resize(count - 1, None);
                let name = format!("watched index {number} was read {delay} steps ago");
                self.circuit.latch_names.push(Some(name));
                self.circuit.connect(latch, signal);
                signal = latch;
            }
            signals.push(signal);
        }
        signals
    }

    /// That elements of one array at equal indices are equal.
    fn agreement(&mut self, needed: &[bool]) -> Vec<Literal> {
        let mut all = Vec::new();
        for (number, (node, sort)) in self.model.nodes().iter().enumerate() {
            let Sort::Array(index, element) = *sort else {
                continue;
            };
            if !needed[number] || matches!(node, Node::Apply(..)) {
                continue;
            }
            let addresses = self.addresses((index, element));
            let bits = self.values[number].clone();
            let elements: Vec<&[Literal]> = bits.chunks(element as usize).collect();
            for (one, address) in addresses.iter().enumerate() {
                for other in one + 1..addresses.len() {
                    let graph = &mut self.circuit.graph;
                    let alike = equal(graph, address, &addresses[other]);
                    let same = equal(graph, elements[one], elements[other]);
                    all.push(graph.implies(alike, same));
                }
            }
        }
        all
    }
}

/// A latch that says whether a watched index, by its number, equals something that never changes
/// either.
struct Equality {
    latch: Literal,
    number: usize,
    other: Fixed,
}

/// What never changes: a state, or a watched index with a lower number.
enum Fixed {
    State(NodeId),
    Watched(usize),
}

impl Blaster<'_> {
    /// A latch for each equality. They come before all others, so that a refusal that can do with
    /// one of them does without the bits of what they compare.
    fn equalities(&mut self, needed: &[bool], sorts: &[(u32, u32)]) -> Vec<Equality> {
        let mut fixed: Vec<(NodeId, u32)> = Vec::new();
        for state in self.model.states() {
            let next = state.next.filter(|next| !next.negated);
            let kept = next.is_some_and(|next| next.node == state.node);
            if let Sort::Bits(width) = self.model.sort(state.node)
                && kept
                && needed[state.node.index()]
            {
                fixed.push((state.node, width));
            }
        }
        let mut all = Vec::new();
        for (number, &(width, _)) in sorts.iter().enumerate() {
            let states = fixed.iter().filter(|&&(_, other)| other == width);
            let states = states.map(|&(node, _)| Fixed::State(node));
            let lower = (0..number).filter(|&other| sorts[other].0 == width);
            for other in states.chain(lower.map(Fixed::Watched)) {
                let latch = self.circuit.latch(None);
                let name = format!("watched index {number} equals another");
                self.circuit.latch_names.push(Some(name));
                all.push(Equality {
                    latch,
                    number,
                    other,
                });
            }
        }
        all
    }

    /// Signals that are on if the equalities are what they say.
    fn meant(&mut self, equalities: &[Equality]) -> Vec<Literal> {
        let slots = self.slots.iter().flatten();
        let addresses: Vec<Vec<Literal>> = slots.map(|slot| slot.address.clone()).collect();
        let mut all = Vec::new();
        for one in equalities {
            let other = match one.other {
                Fixed::State(node) => self.values[node.index()].clone(),
                Fixed::Watched(number) => addresses[number].clone(),
            };
            let graph = &mut self.circuit.graph;
            let equal = equal(graph, &addresses[one.number], &other);
            all.push(graph.iff(one.latch, equal));
        }
        all
    }
}

/// The arrays that an array is made of within a step, each after those that it is made of.
fn sources(model: &Model, array: NodeId) -> BTreeSet<NodeId> {
    let mut found = BTreeSet::new();
    let mut open = vec![array];
    while let Some(node) = open.pop() {
        if !found.insert(node) {
            continue;
        }
        match &model.nodes()[node.index()].0 {
            Node::Apply(Operator::Write, operands) => open.push(operands[0].node),
            Node::Apply(Operator::Ite, operands) => {
                open.extend([operands[1].node, operands[2].node]);
            }
            _ => {}
        }
    }
    found
}

fn equal(graph: &mut Graph, one: &[Literal], other: &[Literal]) -> Literal {
    let pairs: Vec<(Literal, Literal)> = one.iter().copied().zip(other.iter().copied()).collect();
    let same: Vec<Literal> = pairs.into_iter().map(|(a, b)| graph.iff(a, b)).collect();
    graph.all(same)
}

fn choice(
    graph: &mut Graph,
    condition: Literal,
    then: &[Literal],
    otherwise: &[Literal],
) -> Vec<Literal> {
    let pairs = then.iter().zip(otherwise);
    pairs
        .map(|(&yes, &no)| graph.ite(condition, yes, no))
        .collect()
}
