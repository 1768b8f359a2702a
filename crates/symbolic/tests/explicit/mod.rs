//! Random small models, and a second, explicit way to check them that shares nothing with
//! the engine but the model.
#![allow(dead_code)]

pub(crate) mod ctl;
pub(crate) mod ltl;

use quotient_symbolic::{Domain, Expression, Kind, Model, Valuation, VariableId};

/// A small generator of random numbers (xorshift), so that a case is one seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % bound as u64) as usize
    }
}

/// What a random model may have.
#[derive(Clone, Copy, Default)]
pub(crate) struct Features {
    pub(crate) inputs: bool,
    pub(crate) justice: bool,
    pub(crate) compassion: bool,
    /// Constraints may leave states without successors.
    pub(crate) deadlocks: bool,
}

/// A model with its states and steps listed.
pub(crate) struct Small {
    pub(crate) model: Model,
    pub(crate) variables: Vec<VariableId>,
    /// Atoms over states, and one over inputs if there are any.
    pub(crate) atoms: Vec<Expression>,
    pub(crate) states: Vec<Valuation>,
    pub(crate) initial: Vec<usize>,
    pub(crate) edges: Vec<Edge>,
}

/// A step, with the fairness conditions that it meets.
pub(crate) struct Edge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// The state with the inputs of the step.
    pub(crate) label: Valuation,
    pub(crate) justice: Vec<bool>,
    pub(crate) compassion: Vec<(bool, bool)>,
}

fn expression(
    model: &mut Model,
    leaves: &[Expression],
    depth: usize,
    random: &mut Random,
) -> Expression {
    if depth == 0 || random.below(4) == 0 {
        let leaf = leaves[random.below(leaves.len())];
        return if random.below(2) == 0 { leaf } else { !leaf };
    }
    let a = expression(model, leaves, depth - 1, random);
    let b = expression(model, leaves, depth - 1, random);
    match random.below(4) {
        0 => model.and(a, b),
        1 => model.or(a, b),
        2 => model.xor(a, b),
        _ => {
            let c = leaves[random.below(leaves.len())];
            model.if_then_else(c, a, b)
        }
    }
}

/// Some ways to take a step, most of which keep most bits.
fn choice(model: &mut Model, bits: &[&[Expression]; 3], random: &mut Random) -> Expression {
    let [now, next, input] = bits;
    let all = [*now, *next, *input].concat();
    let mut any = Expression::FALSE;
    for _ in 0..4 + random.below(4) {
        let mut way = expression(model, &all, 1, random);
        for (&now, &next) in now.iter().zip(*next) {
            let part = match random.below(4) {
                0 => expression(model, &all, 1, random),
                _ => model.iff(now, next),
            };
            way = model.and(way, part);
        }
        any = match random.below(3) {
            0 => {
                let test = all[random.below(all.len())];
                model.if_then_else(test, any, way)
            }
            _ => model.or(any, way),
        };
    }
    any
}

impl Small {
    pub(crate) fn new(seed: u64, features: Features) -> Small {
        let random = &mut Random(seed | 1);
        for _ in 0..5 {
            random.below(2);
        }
        let mut model = Model::new();
        let mut variables = vec![
            model.add_variable("a", Kind::State, Domain::Boolean),
            model.add_variable("b", Kind::State, Domain::Range(0, 2)),
        ];
        if random.below(2) == 0 {
            variables.push(model.add_variable("f", Kind::Frozen, Domain::Boolean));
        }
        if features.inputs {
            variables.push(model.add_variable("i", Kind::Input, Domain::Boolean));
        }
        let (mut now, mut next, mut input) = (Vec::new(), Vec::new(), Vec::new());
        for &id in &variables {
            let (kind, bits) = (
                model.variable(id).kind,
                model.variable(id).bits().len() as u32,
            );
            for bit in 0..bits {
                match kind {
                    Kind::Input => input.push(model.bit(id, bit)),
                    _ => {
                        now.push(model.bit(id, bit));
                        next.push(model.next_bit(id, bit));
                    }
                }
            }
        }
        let all = [now.clone(), next.clone(), input.clone()].concat();
        let read = [now.clone(), input.clone()].concat();
        // Steps listed way by way, or an assignment for some variables, a free constraint now and
        // then.
        let listed = features.deadlocks && random.below(2) == 0;
        if listed {
            let choice = choice(&mut model, &[&now, &next, &input], random);
            model.add_transition(choice);
        }
        for (id, kind) in model
            .variable_ids()
            .map(|(id, v)| (id, v.kind))
            .collect::<Vec<_>>()
        {
            if kind != Kind::State || random.below(5) == 0 || (listed && random.below(4) > 0) {
                continue;
            }
            let test = expression(&mut model, &read, 2, random);
            let size = model.variable(id).domain.size().unwrap();
            let then = model.next_is_value(id, random.below(size as usize) as u64);
            let mut other = model.next_is_value(id, random.below(size as usize) as u64);
            if random.below(2) == 0 {
                let more = model.next_is_value(id, random.below(size as usize) as u64);
                other = model.or(other, more);
            }
            let assignment = model.if_then_else(test, then, other);
            model.add_transition(assignment);
        }
        if features.deadlocks && random.below(2) == 0 {
            let constraint = expression(&mut model, &all, 3, random);
            model.add_transition(constraint);
        }
        if features.deadlocks && random.below(3) == 0 {
            let invariant = expression(&mut model, &now, 2, random);
            model.add_invariant(invariant);
        }
        for _ in 0..random.below(3) {
            let init = expression(&mut model, &now, 2, random);
            model.add_init(init);
        }
        if features.justice {
            for _ in 0..random.below(3) {
                let condition = expression(&mut model, &read, 2, random);
                model.add_justice(condition);
            }
        }
        if features.compassion {
            for _ in 0..random.below(3) {
                let when = expression(&mut model, &read, 1, random);
                let then = expression(&mut model, &read, 1, random);
                model.add_compassion(when, then);
            }
        }
        let mut atoms: Vec<Expression> = (0..3)
            .map(|_| expression(&mut model, &now, 1, random))
            .collect();
        atoms.extend(input);
        Small::listed(model, variables, atoms)
    }

    fn listed(mut model: Model, variables: Vec<VariableId>, atoms: Vec<Expression>) -> Small {
        let is_input =
            |model: &Model, bit: u32| model.variable(model.owner(bit)).kind == Kind::Input;
        let codes: Vec<Expression> = variables.iter().map(|&id| model.has_value(id)).collect();
        let count = model.bit_count();
        let all: Vec<Valuation> = (0..1u32 << count)
            .map(|code| {
                let mut valuation = Valuation::new(count);
                (0..count as u32).for_each(|bit| valuation.set(bit, code >> bit & 1 == 1));
                valuation
            })
            .filter(|valuation| {
                codes
                    .iter()
                    .all(|&code| model.evaluate(code, valuation, None))
            })
            .collect();
        let legal = |valuation: &Valuation| {
            model
                .invariants()
                .iter()
                .all(|&one| model.evaluate(one, valuation, None))
        };
        let states: Vec<Valuation> = all
            .iter()
            .filter(|valuation| {
                (0..count as u32).all(|bit| !is_input(&model, bit) || !valuation.get(bit))
            })
            .filter(|valuation| legal(valuation))
            .cloned()
            .collect();
        let initial = (0..states.len())
            .filter(|&state| {
                model
                    .init()
                    .iter()
                    .all(|&one| model.evaluate(one, &states[state], None))
            })
            .collect();
        let same_state = |label: &Valuation, state: &Valuation| {
            (0..count as u32).all(|bit| is_input(&model, bit) || label.get(bit) == state.get(bit))
        };
        let mut edges = Vec::new();
        for (from, state) in states.iter().enumerate() {
            for label in all.iter().filter(|label| same_state(label, state)) {
                for (to, next) in states.iter().enumerate() {
                    let frozen = model.variables().iter().filter(|v| v.kind == Kind::Frozen);
                    let kept = frozen
                        .flat_map(|v| v.bits())
                        .all(|bit| state.get(bit) == next.get(bit));
                    let holds = |one: Expression| model.evaluate(one, label, Some(next));
                    if kept && model.transitions().iter().all(|&one| holds(one)) {
                        edges.push(Edge {
                            from,
                            to,
                            label: label.clone(),
                            justice: model.justice().iter().map(|&one| holds(one)).collect(),
                            compassion: model
                                .compassion()
                                .iter()
                                .map(|pair| (holds(pair.when), holds(pair.then)))
                                .collect(),
                        });
                    }
                }
            }
        }
        Small {
            model,
            variables,
            atoms,
            states,
            initial,
            edges,
        }
    }
}

/// The strongly connected parts with an edge of a graph over the allowed edges.
pub(crate) fn strong_parts(nodes: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut reach = vec![vec![false; nodes]; nodes];
    for &(from, to) in edges {
        reach[from][to] = true;
    }
    for via in 0..nodes {
        let onward = reach[via].clone();
        for row in reach.iter_mut().filter(|row| row[via]) {
            row.iter_mut()
                .zip(&onward)
                .for_each(|(cell, &more)| *cell |= more);
        }
    }
    let mut done = vec![false; nodes];
    let mut parts = Vec::new();
    for node in 0..nodes {
        if !done[node] && reach[node][node] {
            let part: Vec<usize> = (0..nodes)
                .filter(|&other| reach[node][other] && reach[other][node])
                .collect();
            part.iter().for_each(|&other| done[other] = true);
            parts.push(part);
        }
    }
    parts
}
