//! A static order of the bits, from the structure of the model.
//!
//! FORCE (Aloul, Markov and Sakallah 2003): bits that occur together in a constraint, or in a
//! small part of one, pull each other together until nothing gets shorter.

use quotient_core::{Budget, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::{Expression, Model, Node};

/// Parts of constraints with at most this many bits pull.
const SMALL: usize = 6;
/// Rounds after which the best order seen is taken.
const ROUNDS: usize = 60;

/// The bits of a model in a good order, from the top of the diagrams down.
pub(super) fn static_order(model: &Model, budget: &Budget) -> Result<Vec<u32>, Stop> {
    let edges = hyperedges(model);
    let mut order: Vec<u32> = (0..model.bit_count() as u32).collect();
    let mut position = order.clone();
    let mut best = (span(&edges, &position), order.clone());
    for _ in 0..ROUNDS {
        budget.poll()?;
        let mut pull = vec![(0.0f64, 0u32); order.len()];
        for edge in &edges {
            let sum: f64 = edge
                .iter()
                .map(|&bit| f64::from(position[bit as usize]))
                .sum();
            let centre = sum / edge.len() as f64;
            for &bit in edge {
                let (total, count) = &mut pull[bit as usize];
                *total += centre;
                *count += 1;
            }
        }
        let target = |bit: u32| match pull[bit as usize] {
            (_, 0) => f64::from(position[bit as usize]),
            (total, count) => total / f64::from(count),
        };
        order.sort_by(|&left, &right| target(left).total_cmp(&target(right)));
        for (place, &bit) in order.iter().enumerate() {
            position[bit as usize] = place as u32;
        }
        let now = span(&edges, &position);
        if now < best.0 {
            best = (now, order.clone());
        }
    }
    Ok(best.1)
}

/// How far apart the ends of the edges are, summed up.
fn span(edges: &[Vec<u32>], position: &[u32]) -> u64 {
    let length = |edge: &Vec<u32>| {
        let places = edge.iter().map(|&bit| position[bit as usize]);
        let (low, high) = places.fold((u32::MAX, 0), |(low, high), place| {
            (low.min(place), high.max(place))
        });
        u64::from(high.saturating_sub(low))
    };
    edges.iter().map(length).sum()
}

/// Sets of bits that belong together: the support of each constraint and of its small parts,
/// and the bits of each variable.
fn hyperedges(model: &Model) -> Vec<Vec<u32>> {
    let mut seen: FxHashSet<Vec<u32>> = FxHashSet::default();
    let mut edges = Vec::new();
    let mut add = |bits: Vec<u32>| {
        if bits.len() > 1 && seen.insert(bits.clone()) {
            edges.push(bits);
        }
    };
    let roots = [model.transitions(), model.init(), model.invariants()].concat();
    for &root in &roots {
        let mut bits: Vec<u32> = model
            .support([root])
            .into_iter()
            .map(|(bit, _)| bit)
            .collect();
        bits.dedup();
        add(bits);
    }
    for bits in small_supports(model, &roots) {
        add(bits);
    }
    for variable in model.variables() {
        add(variable.bits().collect());
    }
    edges
}

/// The supports of all parts that have few bits, in the order of the graph.
fn small_supports(model: &Model, roots: &[Expression]) -> Vec<Vec<u32>> {
    let mut supports: FxHashMap<usize, Option<Vec<u32>>> = FxHashMap::default();
    let mut found = Vec::new();
    for node in model.nodes_below(roots.iter().copied()) {
        let operands: Vec<Expression> = match model.node_at(node) {
            Node::True => Vec::new(),
            Node::Bit { bit, .. } => {
                supports.insert(node, Some(vec![bit]));
                continue;
            }
            Node::And(left, right) | Node::Xor(left, right) => vec![left, right],
            Node::If(test, then, other) => vec![test, then, other],
        };
        let mut union: Option<Vec<u32>> = Some(Vec::new());
        for operand in operands {
            union = match (union, &supports[&operand.node()]) {
                (Some(mut bits), Some(more)) => {
                    bits.extend(more);
                    bits.sort_unstable();
                    bits.dedup();
                    (bits.len() <= SMALL).then_some(bits)
                }
                _ => None,
            };
        }
        found.extend(union.clone());
        supports.insert(node, union);
    }
    found
}
