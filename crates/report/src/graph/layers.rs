//! In which layer each node stands.

/// An edge that leads from a lower layer to one at least `length` higher.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) length: u32,
}

/// A layer for each node of an acyclic graph, such that edges have at least their length and
/// are short in sum.
///
/// Longest paths from the left give a first answer; then every node moves within the room that
/// its neighbours leave it, to the side where it has more of them. That finds most of what the
/// network simplex method would.
pub(super) fn assign(nodes: usize, edges: &[Span]) -> Vec<u32> {
    let mut entering = vec![Vec::new(); nodes];
    let mut leaving = vec![Vec::new(); nodes];
    for edge in edges {
        entering[edge.to].push(*edge);
        leaving[edge.from].push(*edge);
    }
    let order = topological(&entering, &leaving);
    let mut layer = vec![0u32; nodes];
    for &node in &order {
        let lowest = entering[node]
            .iter()
            .map(|edge| layer[edge.from] + edge.length);
        layer[node] = lowest.max().unwrap_or(0);
    }
    for _ in 0..SWEEPS {
        let mut moved = false;
        for &node in order.iter().rev() {
            let lowest = entering[node]
                .iter()
                .map(|edge| layer[edge.from] + edge.length);
            let highest = leaving[node]
                .iter()
                .map(|edge| layer[edge.to] - edge.length);
            let (ins, outs) = (entering[node].len(), leaving[node].len());
            let better = match ins.cmp(&outs) {
                std::cmp::Ordering::Less => highest.min(),
                std::cmp::Ordering::Greater => lowest.max(),
                std::cmp::Ordering::Equal => None,
            };
            if let Some(better) = better.filter(|&better| better != layer[node]) {
                layer[node] = better;
                moved = true;
            }
        }
        if !moved {
            break;
        }
    }
    let first = layer.iter().copied().min().unwrap_or(0);
    layer.iter_mut().for_each(|layer| *layer -= first);
    layer
}

/// More sweeps than this change little.
const SWEEPS: usize = 20;

fn topological(entering: &[Vec<Span>], leaving: &[Vec<Span>]) -> Vec<usize> {
    let mut missing: Vec<usize> = entering.iter().map(Vec::len).collect();
    let mut order: Vec<usize> = (0..entering.len())
        .filter(|&node| missing[node] == 0)
        .collect();
    let mut done = 0;
    while let Some(&node) = order.get(done) {
        done += 1;
        for edge in &leaving[node] {
            missing[edge.to] -= 1;
            if missing[edge.to] == 0 {
                order.push(edge.to);
            }
        }
    }
    order
}
