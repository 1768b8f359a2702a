//! Where everything stands.

use super::chains::{Chains, Kind};

/// A layout with coordinates.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) chains: Chains,
    /// The left and right side of each layer.
    pub(super) columns: Vec<(f64, f64)>,
    /// The line that edges meet each slot at.
    pub(super) y: Vec<f64>,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Placed {
    /// Where the middle of a slot is drawn.
    pub(super) fn at(&self, slot: usize) -> (f64, f64) {
        self.turned((self.x(slot), self.y[slot]))
    }

    /// A point as it is drawn: layers are below each other if the picture says so.
    pub(super) fn turned(&self, (along, across): (f64, f64)) -> (f64, f64) {
        match self.chains.down {
            true => (across, along),
            false => (along, across),
        }
    }

    /// The width and height of the drawing.
    pub(super) fn size(&self) -> (f64, f64) {
        self.turned((self.width, self.height))
    }

    /// The middle of the layer of a slot.
    pub(super) fn x(&self, slot: usize) -> f64 {
        let (left, right) = self.columns[self.chains.slots[slot].layer];
        f64::midpoint(left, right)
    }
}

/// Free room between two things in a layer.
const SEPARATION: f64 = 12.0;
/// The room between two layers, for edges that rise little and for steep ones.
const GAP: (f64, f64) = (24.0, 110.0);
/// The part of a steep edge's rise that its gap is wide.
const SLOPE: f64 = 0.28;
const MARGIN: f64 = 12.0;

/// Places the slots of an ordered layout: each as near to its neighbours as the others in its
/// layer allow.
///
/// Given one layer's neighbours, the best places for a layer (in the sum of squares, orders and
/// distances kept) are an isotonic regression, found exactly by pooling; sweeping back and forth
/// brings the layers to agree. Overlap is impossible at every moment.
pub(super) fn place(chains: Chains) -> Placed {
    let mut y = vec![0.0; chains.slots.len()];
    for layer in &chains.layers {
        settle(&chains, layer, &vec![(0.0, 1.0); layer.len()], &mut y);
    }
    let (before, after) = weighted_neighbours(&chains);
    let count = chains.layers.len();
    let size = chains.slots.len() + chains.links.len();
    let rounds = (WORK / size.max(1)).clamp(4, 60);
    for round in 0..rounds {
        // Early rounds carry the shape through, late ones balance both sides.
        let both = round * 2 >= rounds;
        let forward = round % 2 == 0;
        for step in 0..count {
            let layer = if forward { step } else { count - 1 - step };
            let wishes: Vec<(f64, f64)> = chains.layers[layer]
                .iter()
                .map(|&slot| {
                    let near = if forward { &before[slot] } else { &after[slot] };
                    let far = if forward { &after[slot] } else { &before[slot] };
                    match (both, near.is_empty()) {
                        (true, _) => wish(&[near, far], slot, &y),
                        (false, false) => wish(&[near], slot, &y),
                        (false, true) => wish(&[far], slot, &y),
                    }
                })
                .collect();
            settle(&chains, &chains.layers[layer], &wishes, &mut y);
        }
    }
    straighten(&chains, &mut y);
    close_gaps(&chains, &mut y);
    with_columns(chains, y)
}

/// Brings parts of the picture that nothing connects nearer to each other.
fn close_gaps(chains: &Chains, y: &mut [f64]) {
    const WIDEST: f64 = 30.0;
    let mut order: Vec<usize> = (0..y.len()).collect();
    let top = |slot: usize, y: &[f64]| y[slot] - chains.slots[slot].above;
    order.sort_by(|&a, &b| top(a, y).total_cmp(&top(b, y)));
    let mut rank = vec![0; y.len()];
    for (number, &slot) in order.iter().enumerate() {
        rank[slot] = number;
    }
    // How far down, in the order from top to bottom, the links of the slots so far reach.
    let mut reach = vec![0; y.len()];
    for &(from, to) in &chains.links {
        let (upper, lower) = (rank[from].min(rank[to]), rank[from].max(rank[to]));
        reach[upper] = reach[upper].max(lower);
    }
    let (mut bottom, mut reached, mut shift) = (f64::NEG_INFINITY, 0, 0.0);
    for (number, &slot) in order.iter().enumerate() {
        let gap = top(slot, y) - shift - bottom;
        if number > 0 && reached < number && gap > WIDEST {
            shift += gap - WIDEST;
        }
        reached = reached.max(reach[number]);
        y[slot] -= shift;
        bottom = bottom.max(y[slot] + chains.slots[slot].below);
    }
}

/// Slots and links that all rounds together may touch.
const WORK: usize = 200_000;

type Weighted = Vec<Vec<(usize, f64)>>;

/// Straight long edges matter most (weights of Gansner et al. 1993).
fn weighted_neighbours(chains: &Chains) -> (Weighted, Weighted) {
    let mut before = vec![Vec::new(); chains.slots.len()];
    let mut after = before.clone();
    let is_node = |slot: usize| matches!(chains.slots[slot].kind, Kind::Node(_));
    for &(from, to) in &chains.links {
        let weight = match (is_node(from), is_node(to)) {
            (true, true) => 1.0,
            (false, false) => 8.0,
            _ if chains.slots[from].kind == Kind::Start => 8.0,
            _ => 2.0,
        };
        after[from].push((to, weight));
        before[to].push((from, weight));
    }
    (before, after)
}

/// Where a slot would like to be, and how much it minds.
fn wish(sides: &[&Vec<(usize, f64)>], slot: usize, y: &[f64]) -> (f64, f64) {
    let (mut sum, mut weight) = (0.0, 0.0);
    for &(neighbour, pull) in sides.iter().copied().flatten() {
        sum += y[neighbour] * pull;
        weight += pull;
    }
    match weight > 0.0 {
        true => (sum / weight, weight),
        false => (y[slot], 0.01),
    }
}

/// Moves the slots of a layer as near to their wishes as their order and sizes allow.
fn settle(chains: &Chains, layer: &[usize], wishes: &[(f64, f64)], y: &mut [f64]) {
    let mut offset = 0.0;
    let mut offsets = Vec::with_capacity(layer.len());
    for (place, &slot) in layer.iter().enumerate() {
        if place > 0 {
            offset += chains.slots[layer[place - 1]].below + SEPARATION + chains.slots[slot].above;
        }
        offsets.push(offset);
    }
    for ((&slot, place), offset) in layer
        .iter()
        .zip(nearest_in_order(wishes, &offsets))
        .zip(&offsets)
    {
        y[slot] = place + offset;
    }
}

/// The numbers `z`, rising, with the least weighted sum of squares of `z + offset - wish`, by
/// pooling adjacent violators.
pub(super) fn nearest_in_order(wishes: &[(f64, f64)], offsets: &[f64]) -> Vec<f64> {
    // Each pool: sum of weighted values, weight, members.
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for (&(wish, weight), offset) in wishes.iter().zip(offsets) {
        let mut pool = ((wish - offset) * weight, weight, 1);
        while let Some(&(sum, weight, members)) = pools.last() {
            if sum / weight < pool.0 / pool.1 {
                break;
            }
            pool = (pool.0 + sum, pool.1 + weight, pool.2 + members);
            pools.pop();
        }
        pools.push(pool);
    }
    pools
        .iter()
        .flat_map(|&(sum, weight, members)| std::iter::repeat_n(sum / weight, members))
        .collect()
}

/// Draws long edges level over as many layers as they can, within the room that the others leave.
fn straighten(chains: &Chains, y: &mut [f64]) {
    let mut above = vec![None; chains.slots.len()];
    let mut below = vec![None; chains.slots.len()];
    for layer in &chains.layers {
        for pair in layer.windows(2) {
            (below[pair[0]], above[pair[1]]) = (Some(pair[1]), Some(pair[0]));
        }
    }
    let room = |slot: usize, y: &[f64]| {
        let apart = |upper: usize, lower: usize| {
            chains.slots[upper].below + SEPARATION + chains.slots[lower].above
        };
        let least = above[slot].map_or(f64::NEG_INFINITY, |upper| y[upper] + apart(upper, slot));
        let most = below[slot].map_or(f64::INFINITY, |lower| y[lower] - apart(slot, lower));
        // Rounding may leave the slot a hair outside its room.
        (least.min(y[slot]), most.max(y[slot]))
    };
    for _ in 0..3 {
        for route in &chains.routes {
            let chain = &route.slots[1..route.slots.len() - 1];
            let mut begin = 0;
            while begin < chain.len() {
                let (mut least, mut most) = room(chain[begin], y);
                let mut end = begin + 1;
                while let Some(&slot) = chain.get(end) {
                    let (slot_least, slot_most) = room(slot, y);
                    if least.max(slot_least) > most.min(slot_most) {
                        break;
                    }
                    (least, most) = (least.max(slot_least), most.min(slot_most));
                    end += 1;
                }
                let run = &chain[begin..end];
                let mean = run.iter().map(|&slot| y[slot]).sum::<f64>() / run.len() as f64;
                run.iter()
                    .for_each(|&slot| y[slot] = mean.clamp(least, most));
                begin = end;
            }
        }
    }
}

/// Gives the layers their columns and moves everything into the positive.
fn with_columns(chains: Chains, mut y: Vec<f64>) -> Placed {
    let highest = |slot: usize, y: &[f64]| y[slot] - chains.slots[slot].above;
    let all = 0..chains.slots.len();
    let top = all
        .clone()
        .map(|slot| highest(slot, &y))
        .fold(f64::INFINITY, f64::min);
    let top = if top.is_finite() { top } else { 0.0 };
    y.iter_mut().for_each(|y| *y += MARGIN - top);
    let height = all
        .map(|slot| y[slot] + chains.slots[slot].below)
        .fold(0.0, f64::max)
        + MARGIN;

    let mut rise = vec![0.0f64; chains.layers.len()];
    for &(from, to) in &chains.links {
        let layer = chains.slots[from].layer;
        rise[layer] = rise[layer].max((y[from] - y[to]).abs());
    }
    let mut columns = Vec::with_capacity(chains.layers.len());
    let mut x = MARGIN;
    for (layer, rise) in chains.layers.iter().zip(rise) {
        let width = layer
            .iter()
            .map(|&slot| chains.slots[slot].width)
            .fold(0.0, f64::max);
        columns.push((x, x + width));
        x += width + (rise * SLOPE).clamp(GAP.0, GAP.1);
    }
    let width = columns.last().map_or(0.0, |&(_, right)| right) + MARGIN;
    Placed {
        chains,
        columns,
        y,
        width,
        height,
    }
}
