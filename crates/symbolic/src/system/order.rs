//! A static order of the bits, from the structure of the model.
//!
//! FORCE (Aloul, Markov and Sakallah 2003): bits that occur together in a constraint, or in a
//! small part of one, pull each other together until nothing gets shorter.

use quotient_core::{Budget, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::{Expression, Model, Node};

/// Parts of constraints with at most this many bits pull.
const SMALL: usize = 6;
/// With fewer sums than these, bit by bit, orders are not tried.
const FEW_SUMS: usize = 8;
/// How far the test of a choice is from the choice.
const FAR: u32 = 8;
/// Rounds after which the best order seen is taken.
const ROUNDS: usize = 60;

/// Orders of the bits of a model that may be good, from the top of the diagrams down, each one once.
/// The first is the better of those that declarations and, where there are wide words, bits of equal
/// weight are pulled to. Words that meet in arithmetic want their bits side by side, whatever pulls:
/// so with wide words, bits by weight come second, from the lowest and from the highest. Where sums are
/// written out bit by bit, the order in which constraints meet the bits comes second.
pub(super) fn static_orders(model: &Model, budget: &Budget) -> Result<Vec<Vec<u32>>, Stop> {
    let edges = hyperedges(model);
    let declared: Vec<u32> = (0..model.bit_count() as u32).collect();
    let mut best = settled(&edges, declared.clone(), budget)?;
    if !has_words(model) {
        let mut orders = vec![best.1];
        if counts_in_bits(model) {
            orders.push(met(model));
        }
        return Ok(orders);
    }
    let weight = |bit: u32| bit - model.variable(model.owner(bit)).bits().start;
    let mut by_weight = declared.clone();
    by_weight.sort_by_key(|&bit| weight(bit));
    let mut from_highest = declared.clone();
    from_highest.sort_by_key(|&bit| std::cmp::Reverse(weight(bit)));
    let other = settled(&edges, by_weight.clone(), budget)?;
    if other.0 < best.0 {
        best = other;
    }
    let mut orders = vec![best.1];
    for order in [by_weight, from_highest, declared] {
        if !orders.contains(&order) {
            orders.push(order);
        }
    }
    Ok(orders)
}

/// Whether a variable has many bits, so that it is likely to be counted with.
fn has_words(model: &Model) -> bool {
    let mut variables = model.variables().iter();
    variables.any(|variable| variable.bits().len() > SMALL)
}

/// Whether there are sums that are written out bit by bit: differences inside of constraints that
/// depend on many bits. (That a variable becomes something is a difference itself.)
fn counts_in_bits(model: &Model) -> bool {
    let roots: FxHashSet<usize> = model.transitions().iter().map(|root| root.node()).collect();
    let mut many: FxHashMap<usize, Near> = FxHashMap::default();
    let mut found = 0;
    for node in model.nodes_below(model.transitions().iter().copied()) {
        let mut near = Near::default();
        let form = model.node_at(node);
        match form {
            Node::True => {}
            Node::Bit { bit, .. } => near.bits.push((bit, 0)),
            Node::And(left, right) | Node::Xor(left, right) => {
                near.add(&many[&left.node()], 1);
                near.add(&many[&right.node()], 1);
            }
            Node::If(test, then, other) => {
                for part in [test, then, other] {
                    near.add(&many[&part.node()], 1);
                }
            }
        }
        near.cut();
        let is_inside = matches!(form, Node::Xor(..)) && !roots.contains(&node);
        found += usize::from(is_inside && !near.is_all);
        many.insert(node, near);
    }
    found >= FEW_SUMS
}

/// The bits in the order in which they are met if constraints are read one after the other, each in
/// depth (after Malik, Wang, Brayton and Sangiovanni-Vincentelli 1988).
fn met(model: &Model) -> Vec<u32> {
    let mut open: Vec<usize> = [model.transitions(), model.init(), model.invariants()]
        .concat()
        .into_iter()
        .rev()
        .map(Expression::node)
        .collect();
    let (mut seen, mut taken) = (FxHashSet::default(), FxHashSet::default());
    let mut order = Vec::new();
    let mut take = |bit: u32| {
        if taken.insert(bit) {
            order.push(bit);
        }
    };
    while let Some(node) = open.pop() {
        if !seen.insert(node) {
            continue;
        }
        match model.node_at(node) {
            Node::True => {}
            Node::Bit { bit, .. } => take(bit),
            Node::And(left, right) | Node::Xor(left, right) => {
                open.extend([right.node(), left.node()]);
            }
            Node::If(test, then, other) => {
                open.extend([other.node(), then.node(), test.node()]);
            }
        }
    }
    (0..model.bit_count() as u32).for_each(take);
    order
}

/// The best order that bits come to, beginning with this one, and how long its edges are.
fn settled(
    edges: &[Vec<u32>],
    mut order: Vec<u32>,
    budget: &Budget,
) -> Result<(u64, Vec<u32>), Stop> {
    let mut position = vec![0; order.len()];
    for (place, &bit) in order.iter().enumerate() {
        position[bit as usize] = place as u32;
    }
    let mut best = (span(edges, &position), order.clone());
    for _ in 0..ROUNDS {
        budget.poll()?;
        let mut pull = vec![(0.0f64, 0u32); order.len()];
        for edge in edges {
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
        let now = span(edges, &position);
        if now < best.0 {
            best = (now, order.clone());
        }
    }
    Ok(best)
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
/// and the bits of each variable, of words those beside each other.
fn hyperedges(model: &Model) -> Vec<Vec<u32>> {
    let mut seen: FxHashSet<Vec<u32>> = FxHashSet::default();
    let mut edges = Vec::new();
    let mut parts: Vec<Expression> = Vec::new();
    let mut add = |bits: Vec<u32>| {
        if bits.len() > 1 && seen.insert(bits.clone()) {
            edges.push(bits);
        }
    };
    let mut steps = model.transitions().to_vec();
    // Of steps that are listed way by way, every way is a constraint of its own.
    if let Some((at, ways)) = super::ways::choice(model) {
        steps.remove(at);
        for way in ways {
            let mut bits: Vec<u32> = model
                .support(way.says.iter().copied())
                .into_iter()
                .map(|(bit, _)| bit)
                .collect();
            bits.dedup();
            add(bits);
            parts.extend(way.says);
        }
    }
    let roots = [&steps, model.init(), model.invariants()].concat();
    for &root in &roots {
        let mut bits: Vec<u32> = model
            .support([root])
            .into_iter()
            .map(|(bit, _)| bit)
            .collect();
        bits.dedup();
        add(bits);
    }
    parts.extend(roots);
    for bits in small_supports(model, &parts) {
        add(bits);
    }
    for variable in model.variables() {
        let bits: Vec<u32> = variable.bits().collect();
        match bits.len() <= SMALL {
            true => add(bits),
            // The ends of a word have little to do with each other.
            false => bits.windows(2).for_each(|pair| add(pair.to_vec())),
        }
    }
    edges
}

/// The supports of all parts that have few bits, in the order of the graph; of sums and
/// comparisons with many bits those that are nearest. (A bit of a sum depends on all lower bits,
/// but it should stand beside the two that it is the sum of.)
fn small_supports(model: &Model, roots: &[Expression]) -> Vec<Vec<u32>> {
    let mut supports: FxHashMap<usize, Near> = FxHashMap::default();
    let mut found = Vec::new();
    let has_words = has_words(model);
    for node in model.nodes_below(roots.iter().copied()) {
        let mut near = Near::default();
        let form = model.node_at(node);
        match form {
            Node::True => {}
            Node::Bit { bit, .. } => near.bits.push((bit, 0)),
            Node::And(left, right) | Node::Xor(left, right) => {
                near.add(&supports[&left.node()], 1);
                near.add(&supports[&right.node()], 1);
            }
            Node::If(test, then, other) => {
                // The same test mostly stands before many bits: it belongs to none of them.
                near.add(&supports[&test.node()], FAR);
                near.add(&supports[&then.node()], 1);
                near.add(&supports[&other.node()], 1);
            }
        }
        near.cut();
        if near.is_all || (has_words && matches!(form, Node::Xor(..))) {
            let mut bits: Vec<u32> = near.bits.iter().map(|&(bit, _)| bit).collect();
            bits.sort_unstable();
            found.push(bits);
        }
        supports.insert(node, near);
    }
    found
}

/// The bits of a part that are nearest to its root.
struct Near {
    /// Bits with their distances.
    bits: Vec<(u32, u32)>,
    /// Whether these are all bits of the part.
    is_all: bool,
}

impl Default for Near {
    fn default() -> Near {
        Near {
            bits: Vec::new(),
            is_all: true,
        }
    }
}

impl Near {
    fn add(&mut self, operand: &Near, distance: u32) {
        self.is_all &= operand.is_all;
        let bits = operand.bits.iter();
        let farther = bits.map(|&(bit, steps)| (bit, steps.saturating_add(distance)));
        self.bits.extend(farther);
    }

    /// Keeps the nearest.
    fn cut(&mut self) {
        self.bits.sort_unstable();
        self.bits.dedup_by_key(|&mut (bit, _)| bit);
        self.bits.sort_by_key(|&(_, steps)| steps);
        self.is_all &= self.bits.len() <= SMALL;
        self.bits.truncate(SMALL);
    }
}
