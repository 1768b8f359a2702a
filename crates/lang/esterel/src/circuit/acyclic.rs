//! Cycles of wires, resolved.
//!
//! A wire of a cycle is on, off, or undefined: two signals say which. Evaluating the cycle as
//! often as it has wires to cut (a chain of three-valued values is not longer) gives the least
//! fixed point (Malik 1994, Shiple, Berry and Touati 1996). Where no wire can stay undefined in
//! any state that is reached, the program is constructive, and the circuit without cycles does
//! what the cyclic one would.

use quotient_core::{Budget, Span, Stop};
use quotient_netlist::{Circuit, Literal, State};

use super::Compiled;
use super::compile::Wires;
use super::nets::{Gate, Nets, Wire};
use crate::kernel::Program;
use crate::syntax::Direction;

/// Larger circuits are refused.
const MOST_GATES: usize = 4_000_000;

/// The wires of one cycle.
#[derive(Debug, Clone)]
pub(super) struct Cycle {
    wires: Vec<CycleWire>,
}

#[derive(Debug, Clone)]
struct CycleWire {
    origin: Option<(Span, String)>,
    on: Literal,
    off: Literal,
    /// Other wires of the cycle that it depends on.
    inputs: Vec<usize>,
}

impl Cycle {
    /// Wires that wait for each other in a state, with their places in the source.
    pub(super) fn undefined(&self, state: &State) -> Vec<(Span, String)> {
        let open = |wire: &CycleWire| !state.is_on(wire.on) && !state.is_on(wire.off);
        let Some(mut at) = self.wires.iter().position(open) else {
            return Vec::new();
        };
        let mut path: Vec<usize> = Vec::new();
        while !path.contains(&at) {
            path.push(at);
            let inputs = &self.wires[at].inputs;
            match inputs.iter().find(|&&input| open(&self.wires[input])) {
                Some(&next) => at = next,
                None => break,
            }
        }
        let first = path.iter().position(|&one| one == at).unwrap_or(0);
        let mut told: Vec<(Span, String)> = (path[first..].iter())
            .filter_map(|&one| self.wires[one].origin.clone())
            .collect();
        told.dedup();
        told.truncate(12);
        told
    }
}

pub(super) fn acyclic(program: &Program, wires: Wires, budget: &Budget) -> Result<Compiled, Stop> {
    let nets = &wires.nets;
    let constants = constants(nets);
    let mut circuit = Circuit::new();
    let mut known: Vec<Option<Literal>> = (constants.iter())
        .map(|value| value.map(Literal::constant))
        .collect();
    let mut latches = Vec::new();
    for (number, gate) in nets.gates.iter().enumerate() {
        match gate {
            Gate::Input(input) => {
                known[number] = Some(circuit.input());
                let name = &program.signals[wires.inputs[*input]].name;
                circuit.input_names.push(Some(name.clone()));
            }
            Gate::Register(register) => {
                let latch = circuit.latch(Some(false));
                known[number] = Some(latch);
                let name = nets.register_names[*register].clone();
                circuit.latch_names.push(Some(name));
                latches.push((latch, *register));
            }
            _ => {}
        }
    }
    let mut resolver = Resolver {
        nets,
        known,
        circuit,
        cycles: Vec::new(),
        undefined: Literal::FALSE,
        budget,
    };
    for component in components(nets, &resolver.known) {
        budget.charge(component.len() as u64)?;
        if resolver.circuit.graph.len() > MOST_GATES {
            return Err(Stop::exhausted("the circuit becomes too large"));
        }
        resolver.component(&component)?;
    }
    for (latch, register) in latches {
        let next = resolver.literal(nets.next[register]);
        resolver.circuit.connect(latch, next);
    }
    let status: Vec<Literal> = (wires.status.iter())
        .map(|&wire| resolver.literal(wire))
        .collect();
    let promises: Vec<Literal> = (wires.promises.iter())
        .map(|&wire| resolver.literal(wire))
        .collect();
    let mut circuit = resolver.circuit;
    for (promise, number) in promises.into_iter().zip(0..) {
        if promise != Literal::TRUE {
            circuit.constraints.push(promise);
            circuit
                .constraint_names
                .push(Some(format!("relation_{number}")));
        }
    }
    for (id, signal) in program.signals[..program.interface].iter().enumerate() {
        if matches!(signal.direction, Direction::Output | Direction::Both) {
            circuit.outputs.push(status[id]);
            circuit.output_names.push(Some(signal.name.clone()));
        }
    }
    Ok(Compiled {
        circuit,
        status,
        undefined: resolver.undefined,
        cycles: resolver.cycles,
        inputs: wires.inputs,
    })
}

/// The wires that are always on or always off, whatever inputs and registers hold.
fn constants(nets: &Nets) -> Vec<Option<bool>> {
    let count = nets.gates.len();
    let mut values: Vec<Option<bool>> = vec![None; count];
    let mut users: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (number, gate) in nets.gates.iter().enumerate() {
        for wire in inputs(gate) {
            users[wire.net()].push(number as u32);
        }
    }
    let mut queue: Vec<usize> = (0..count).collect();
    while let Some(number) = queue.pop() {
        if values[number].is_some() {
            continue;
        }
        let at = |wire: &Wire| values[wire.net()].map(|value| value != wire.is_negated());
        let value = match &nets.gates[number] {
            Gate::Zero => Some(false),
            Gate::Input(_) | Gate::Register(_) => None,
            Gate::And(all) if all.iter().any(|wire| at(wire) == Some(false)) => Some(false),
            Gate::And(all) if all.iter().all(|wire| at(wire) == Some(true)) => Some(true),
            Gate::Or(all) if all.iter().any(|wire| at(wire) == Some(true)) => Some(true),
            Gate::Or(all) if all.iter().all(|wire| at(wire) == Some(false)) => Some(false),
            _ => None,
        };
        if value.is_some() {
            values[number] = value;
            queue.extend(users[number].iter().map(|&user| user as usize));
        }
    }
    values
}

fn inputs(gate: &Gate) -> &[Wire] {
    match gate {
        Gate::And(all) | Gate::Or(all) => all,
        _ => &[],
    }
}

/// Wires that depend on each other, those that others depend on first (Tarjan). Within a
/// component the order is that of a search, so that most wires come after what they depend on.
fn components(nets: &Nets, known: &[Option<Literal>]) -> Vec<Vec<usize>> {
    const NEW: u32 = u32::MAX;
    let count = nets.gates.len();
    let mut index = vec![NEW; count];
    let mut low = vec![0u32; count];
    let mut on_stack = vec![false; count];
    let (mut stack, mut all, mut next) = (Vec::new(), Vec::new(), 0u32);
    let mut finished = Vec::new();
    for root in 0..count {
        if index[root] != NEW || known[root].is_some() {
            continue;
        }
        let mut calls = vec![(root, 0usize)];
        while let Some(&mut (net, ref mut at)) = calls.last_mut() {
            if *at == 0 {
                index[net] = next;
                low[net] = next;
                next += 1;
                stack.push(net);
                on_stack[net] = true;
            }
            let follow = inputs(&nets.gates[net]).get(*at).map(|wire| wire.net());
            *at += 1;
            match follow {
                Some(input) if known[input].is_some() => {}
                Some(input) if index[input] == NEW => calls.push((input, 0)),
                Some(input) if on_stack[input] => low[net] = low[net].min(index[input]),
                Some(_) => {}
                None => {
                    calls.pop();
                    finished.push(net);
                    if let Some(&(parent, _)) = calls.last() {
                        low[parent] = low[parent].min(low[net]);
                    }
                    if low[net] == index[net] {
                        let from = stack.iter().rposition(|&one| one == net).unwrap_or(0);
                        for &one in &stack[from..] {
                            on_stack[one] = false;
                        }
                        let size = stack.len() - from;
                        stack.truncate(from);
                        // The last to finish are those of the component, in order.
                        all.push(finished.split_off(finished.len() - size));
                    }
                }
            }
        }
    }
    all
}

struct Resolver<'a> {
    nets: &'a Nets,
    known: Vec<Option<Literal>>,
    circuit: Circuit,
    cycles: Vec<Cycle>,
    undefined: Literal,
    budget: &'a Budget,
}

/// A value of three: the signals that it is on, and that it is off.
type Rails = (Literal, Literal);

impl Resolver<'_> {
    fn literal(&self, wire: Wire) -> Literal {
        let literal = self.known[wire.net()].unwrap_or(Literal::FALSE);
        literal.flip_if(wire.is_negated())
    }

    fn component(&mut self, component: &[usize]) -> Result<(), Stop> {
        if let [net] = component {
            let gate = &self.nets.gates[*net];
            if !inputs(gate).iter().any(|wire| wire.net() == *net) {
                let literals: Vec<Literal> = inputs(gate)
                    .iter()
                    .map(|&wire| self.literal(wire))
                    .collect();
                let literal = match gate {
                    Gate::And(_) => self.circuit.graph.all(literals),
                    _ => self.circuit.graph.any(literals),
                };
                self.known[*net] = Some(literal);
                return Ok(());
            }
        }
        self.cycle(component)
    }

    /// The least fixed point of a cycle with three values.
    fn cycle(&mut self, component: &[usize]) -> Result<(), Stop> {
        let place: rustc_hash::FxHashMap<usize, usize> = (component.iter().enumerate())
            .map(|(place, &net)| (net, place))
            .collect();
        let local: Vec<Vec<usize>> = (component.iter())
            .map(|&net| {
                let wires = inputs(&self.nets.gates[net]).iter();
                wires
                    .filter_map(|wire| place.get(&wire.net()).copied())
                    .collect()
            })
            .collect();
        let mut cut = vec![false; component.len()];
        for (at, inputs) in local.iter().enumerate() {
            for &input in inputs.iter().filter(|&&input| input >= at) {
                cut[input] = true;
            }
        }
        let cuts = cut.iter().filter(|&&one| one).count();
        let mut rails: Vec<Rails> = vec![(Literal::FALSE, Literal::FALSE); component.len()];
        for _ in 0..=cuts {
            self.budget.charge(component.len() as u64)?;
            if self.circuit.graph.len() > MOST_GATES {
                return Err(Stop::exhausted("the circuit becomes too large"));
            }
            let before = rails.clone();
            for (at, &net) in component.iter().enumerate() {
                rails[at] = self.gate(net, &place, &rails);
            }
            if rails == before {
                break;
            }
        }
        let mut wires = Vec::new();
        for (at, &net) in component.iter().enumerate() {
            let (on, off) = rails[at];
            self.known[net] = Some(on);
            if cut[at] {
                let defined = self.circuit.graph.or(on, off);
                self.undefined = self.circuit.graph.or(self.undefined, !defined);
            }
            wires.push(CycleWire {
                origin: self.nets.origins[net].clone(),
                on,
                off,
                inputs: local[at].clone(),
            });
        }
        self.cycles.push(Cycle { wires });
        Ok(())
    }

    fn gate(
        &mut self,
        net: usize,
        place: &rustc_hash::FxHashMap<usize, usize>,
        rails: &[Rails],
    ) -> Rails {
        let nets = self.nets;
        let gate = &nets.gates[net];
        let mut ons = Vec::new();
        let mut offs = Vec::new();
        for &wire in inputs(gate) {
            let (on, off) = match place.get(&wire.net()) {
                Some(&at) => rails[at],
                None => {
                    let literal = self.known[wire.net()].unwrap_or(Literal::FALSE);
                    (literal, !literal)
                }
            };
            match wire.is_negated() {
                true => {
                    ons.push(off);
                    offs.push(on);
                }
                false => {
                    ons.push(on);
                    offs.push(off);
                }
            }
        }
        let graph = &mut self.circuit.graph;
        match gate {
            Gate::And(_) => (graph.all(ons), graph.any(offs)),
            _ => (graph.any(ons), graph.all(offs)),
        }
    }
}
