//! The order within each layer, for few crossings.

use super::chains::Chains;

/// Orders every layer by the medians of its neighbours, sweeping back and forth, and by
/// exchanging neighbours while that helps (Gansner et al. 1993, section 3). The best order seen
/// is kept.
pub(super) fn reduce_crossings(mut chains: Chains) -> Chains {
    let neighbours = Neighbours::of(&chains);
    let mut position = vec![0usize; chains.slots.len()];
    number(&chains.layers, &mut position);
    start_depth_first(&mut chains, &neighbours);
    number(&chains.layers, &mut position);

    let size = chains.slots.len() + chains.links.len();
    let sweeps = (WORK / size.max(1)).clamp(2, 24);
    let mut best = chains.layers.clone();
    let mut fewest = crossings(&chains, &neighbours, &position);
    for sweep in 0..sweeps {
        if fewest == 0 {
            break;
        }
        let forward = sweep % 2 == 0;
        let count = chains.layers.len();
        for step in 1..count {
            let layer = if forward { step } else { count - 1 - step };
            let side = if forward {
                &neighbours.before
            } else {
                &neighbours.after
            };
            by_median(&mut chains.layers[layer], side, &mut position);
        }
        exchange(&mut chains.layers, &neighbours, &mut position);
        let now = crossings(&chains, &neighbours, &position);
        if now < fewest {
            fewest = now;
            best.clone_from(&chains.layers);
        }
    }
    chains.layers = best;
    chains
}

/// Slots and links that all sweeps together may touch.
const WORK: usize = 60_000;

/// The linked slots in the layer before and after each slot.
struct Neighbours {
    before: Vec<Vec<usize>>,
    after: Vec<Vec<usize>>,
}

impl Neighbours {
    fn of(chains: &Chains) -> Neighbours {
        let mut before = vec![Vec::new(); chains.slots.len()];
        let mut after = before.clone();
        for &(from, to) in &chains.links {
            after[from].push(to);
            before[to].push(from);
        }
        Neighbours { before, after }
    }
}

fn number(layers: &[Vec<usize>], position: &mut [usize]) {
    for layer in layers {
        layer
            .iter()
            .enumerate()
            .for_each(|(place, &slot)| position[slot] = place);
    }
}

/// A first order: as a depth-first search from the left comes by. It keeps trees free of
/// crossings.
fn start_depth_first(chains: &mut Chains, neighbours: &Neighbours) {
    let mut seen = vec![false; chains.slots.len()];
    let mut layers = vec![Vec::new(); chains.layers.len()];
    let roots: Vec<usize> = chains.layers.iter().flatten().copied().collect();
    for root in roots {
        let mut waiting = vec![root];
        while let Some(slot) = waiting.pop() {
            if std::mem::replace(&mut seen[slot], true) {
                continue;
            }
            layers[chains.slots[slot].layer].push(slot);
            waiting.extend(
                neighbours.after[slot]
                    .iter()
                    .rev()
                    .filter(|&&next| !seen[next]),
            );
        }
    }
    chains.layers = layers;
}

/// Sorts a layer by the median place of the neighbours on one side; slots without any stay.
fn by_median(layer: &mut [usize], side: &[Vec<usize>], position: &mut [usize]) {
    let mut places = Vec::new();
    let mut movable: Vec<(f64, usize)> = Vec::new();
    let mut free: Vec<usize> = Vec::new();
    for (place, &slot) in layer.iter().enumerate() {
        if side[slot].is_empty() {
            continue;
        }
        places.clear();
        places.extend(
            side[slot]
                .iter()
                .map(|&neighbour| position[neighbour] as f64),
        );
        places.sort_by(f64::total_cmp);
        movable.push((median(&places), slot));
        free.push(place);
    }
    movable.sort_by(|left, right| left.0.total_cmp(&right.0));
    for (&place, &(_, slot)) in free.iter().zip(&movable) {
        layer[place] = slot;
    }
    layer
        .iter()
        .enumerate()
        .for_each(|(place, &slot)| position[slot] = place);
}

/// The weighted median of Gansner et al.: between the two middle places, nearer to the side
/// where the places are packed.
fn median(places: &[f64]) -> f64 {
    let middle = places.len() / 2;
    match places.len() {
        0 => 0.0,
        odd if odd % 2 == 1 => places[middle],
        2 => f64::midpoint(places[0], places[1]),
        count => {
            let left = places[middle - 1] - places[0];
            let right = places[count - 1] - places[middle];
            if left + right == 0.0 {
                return f64::midpoint(places[middle - 1], places[middle]);
            }
            (places[middle - 1] * right + places[middle] * left) / (left + right)
        }
    }
}

/// Exchanges neighbours within the layers while that removes crossings.
fn exchange(layers: &mut [Vec<usize>], neighbours: &Neighbours, position: &mut [usize]) {
    for _ in 0..4 {
        let mut improved = false;
        for layer in layers.iter_mut() {
            for place in 1..layer.len() {
                let (upper, lower) = (layer[place - 1], layer[place]);
                let mut gain = 0i64;
                for side in [&neighbours.before, &neighbours.after] {
                    let (as_is, exchanged) = pair_crossings(&side[upper], &side[lower], position);
                    gain += as_is as i64 - exchanged as i64;
                }
                if gain > 0 {
                    layer.swap(place - 1, place);
                    position.swap(upper, lower);
                    improved = true;
                }
            }
        }
        if !improved {
            return;
        }
    }
}

/// The crossings between the links of two neighbours, as they stand and exchanged.
fn pair_crossings(upper: &[usize], lower: &[usize], position: &[usize]) -> (usize, usize) {
    // Nodes of enormous degree would make this quadratic; their order matters little.
    if upper.len() * lower.len() > 4096 {
        return (0, 0);
    }
    let (mut as_is, mut exchanged) = (0, 0);
    for &left in upper {
        for &right in lower {
            match position[left].cmp(&position[right]) {
                std::cmp::Ordering::Greater => as_is += 1,
                std::cmp::Ordering::Less => exchanged += 1,
                std::cmp::Ordering::Equal => {}
            }
        }
    }
    (as_is, exchanged)
}

/// How many links cross, by counting inversions with a tree of sums (Barth, Mutzel and Jünger
/// 2004).
fn crossings(chains: &Chains, neighbours: &Neighbours, position: &[usize]) -> usize {
    let mut total = 0;
    for pair in chains.layers.windows(2) {
        let mut tree = vec![0usize; pair[1].len() + 1];
        let mut inserted = 0;
        for &slot in &pair[0] {
            let mut ends: Vec<usize> = neighbours.after[slot]
                .iter()
                .map(|&next| position[next])
                .collect();
            ends.sort_unstable();
            for &end in &ends {
                let mut node = end + 1;
                let mut not_after = 0;
                while node > 0 {
                    not_after += tree[node];
                    node &= node - 1;
                }
                total += inserted - not_after;
            }
            for end in ends {
                inserted += 1;
                let mut node = end + 1;
                while node < tree.len() {
                    tree[node] += 1;
                    node += node & node.wrapping_neg();
                }
            }
        }
    }
    total
}
