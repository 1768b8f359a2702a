//! Which edges to turn round so that no cycle is left.

/// For each edge `(source, target)` whether it closes a cycle of a depth-first search from the
/// roots; with those turned round the graph has no cycle. Loops must be left out before.
pub(super) fn back_edges(nodes: usize, edges: &[(usize, usize)], roots: &[usize]) -> Vec<bool> {
    let mut leaving = vec![Vec::new(); nodes];
    for (number, &(source, _)) in edges.iter().enumerate() {
        leaving[source].push(number);
    }
    let mut back = vec![false; edges.len()];
    let mut mark = vec![Mark::New; nodes];
    let mut path: Vec<(usize, usize)> = Vec::new();
    for root in roots.iter().copied().chain(0..nodes) {
        if mark[root] != Mark::New {
            continue;
        }
        mark[root] = Mark::OnPath;
        path.push((root, 0));
        while let Some((node, next)) = path.last_mut() {
            let Some(&edge) = leaving[*node].get(*next) else {
                mark[*node] = Mark::Done;
                path.pop();
                continue;
            };
            *next += 1;
            let target = edges[edge].1;
            match mark[target] {
                Mark::New => {
                    mark[target] = Mark::OnPath;
                    path.push((target, 0));
                }
                Mark::OnPath => back[edge] = true,
                Mark::Done => {}
            }
        }
    }
    back
}

/// For each edge whether it leads backwards in an order of the nodes; with those turned round
/// the graph has no cycle either.
pub(super) fn against(order: &[usize], edges: &[(usize, usize)]) -> Vec<bool> {
    let mut place = vec![0; order.len()];
    order
        .iter()
        .enumerate()
        .for_each(|(number, &node)| place[node] = number);
    edges
        .iter()
        .map(|&(source, target)| place[target] < place[source])
        .collect()
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    OnPath,
    Done,
}
