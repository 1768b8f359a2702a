//! A circle drawn as one: who waits for whom in a deadlock, say.

use std::f64::consts::{FRAC_PI_2, TAU};

use quotient_language::{Graph, Shape};

use super::chains::node_size;
use super::labels::{LINE_HEIGHT, text_width};

/// More nodes than these are laid out in layers.
const MOST: usize = 40;
/// Lines of a label beyond this many are only in its hint.
const MOST_LINES: usize = 4;
/// The least room between any two things.
const ROOM: f64 = 10.0;

/// A graph around its one circle.
#[derive(Debug)]
pub(super) struct Ring {
    /// The middle of each node.
    pub(super) nodes: Vec<(f64, f64)>,
    pub(super) arcs: Vec<Arc>,
    pub(super) size: (f64, f64),
}

/// All edges from one node to another.
#[derive(Debug)]
pub(super) struct Arc {
    pub(super) ends: (usize, usize),
    /// Where the curve from one end to the other is drawn to.
    pub(super) bend: (f64, f64),
    /// The lines of its label, and the middle of them.
    pub(super) lines: Vec<String>,
    pub(super) label: (f64, f64),
    pub(super) hint: String,
    pub(super) faint: bool,
}

/// The nodes of a circle that all others only lead to or come from, in its order; nothing for graphs
/// that have a beginning, or edges without words, or more across such a circle than along it: layers
/// show those better.
pub(super) fn circle(graph: &Graph) -> Option<Vec<usize>> {
    let count = graph.nodes.len();
    let begins = graph.nodes.iter().any(|node| node.initial);
    let wordless = graph.edges.iter().any(|edge| edge.label.is_empty());
    if graph.undirected || begins || wordless || count > MOST {
        return None;
    }
    let mut next = vec![Vec::new(); count];
    for edge in &graph.edges {
        if edge.source == edge.target {
            return None;
        }
        if !next[edge.source].contains(&edge.target) {
            next[edge.source].push(edge.target);
        }
    }
    // Nodes that lead nowhere, or only to such, are on no circle; nor are those, thereafter, that
    // nothing leads to.
    let mut left = vec![true; count];
    loop {
        let goes_on = |node: usize| next[node].iter().any(|&other| left[other]);
        let is_led_to = |node: usize| (0..count).any(|own| left[own] && next[own].contains(&node));
        let ends = |&node: &usize| left[node] && !(goes_on(node) && is_led_to(node));
        match (0..count).find(ends) {
            Some(node) => left[node] = false,
            None => break,
        }
    }
    let all: Vec<usize> = (0..count).filter(|&node| left[node]).collect();
    let inner = |node: &usize| next[*node].iter().filter(|&&other| left[other]).count();
    if all.iter().map(inner).sum::<usize>() > 2 * all.len() {
        return None;
    }
    round(&all, &next)
}

/// A way through all of some nodes that ends where it began, if one is found soon.
fn round(all: &[usize], next: &[Vec<usize>]) -> Option<Vec<usize>> {
    let first = *all.first()?;
    // Each node of the way, with how many of those after it were tried.
    let mut way = vec![(first, 0)];
    for _ in 0..20_000 {
        let (node, tried) = way.last_mut()?;
        let Some(&on) = next[*node].get(*tried) else {
            way.pop();
            continue;
        };
        *tried += 1;
        if on == first && way.len() == all.len() {
            return Some(way.into_iter().map(|(node, _)| node).collect());
        }
        if all.contains(&on) && way.iter().all(|&(node, _)| node != on) {
            way.push((on, 0));
        }
    }
    None
}

/// The same with long labels on several lines, since a circle is as large as what stands side by side
/// in it.
pub(super) fn wrapped(graph: &Graph) -> Graph {
    const LONG: usize = 16;
    let mut graph = graph.clone();
    for node in &mut graph.nodes {
        if node.label.chars().count() > LONG && !node.label.contains('\n') {
            let mut lines = String::new();
            for letter in node.label.chars() {
                if letter == ':' && !lines.ends_with([':', '\n']) {
                    lines.push('\n');
                }
                lines.push(letter);
                if letter == ',' {
                    lines.push('\n');
                }
            }
            node.label = lines;
        }
    }
    graph
}

/// Places a graph around its circle, as large as it must be for nothing to lie on anything else.
pub(super) fn place(graph: &Graph, circle: &[usize]) -> Ring {
    let arcs = bundle(graph);
    let levels = levels(graph, circle);
    let mut scale = 1.0;
    for _ in 0..80 {
        let ring = at_scale(circle, &levels, &arcs, scale);
        if !overlaps(graph, &ring) {
            return moved(graph, ring);
        }
        scale *= 1.08;
    }
    moved(graph, at_scale(circle, &levels, &arcs, scale))
}

/// Edges with the same ends as one.
fn bundle(graph: &Graph) -> Vec<Arc> {
    let mut arcs: Vec<Arc> = Vec::new();
    for edge in &graph.edges {
        let ends = (edge.source, edge.target);
        let place = arcs.iter().position(|arc| arc.ends == ends);
        let arc = match place {
            Some(place) => &mut arcs[place],
            None => {
                arcs.push(Arc {
                    ends,
                    bend: (0.0, 0.0),
                    lines: Vec::new(),
                    label: (0.0, 0.0),
                    hint: String::new(),
                    faint: edge.faint,
                });
                let last = arcs.len() - 1;
                &mut arcs[last]
            }
        };
        let lines = edge.label.lines().map(str::to_owned);
        arc.lines.extend(lines.filter(|line| !line.is_empty()));
        let hint = if edge.hint.is_empty() {
            &edge.label
        } else {
            &edge.hint
        };
        if !arc.hint.is_empty() {
            arc.hint.push('\n');
        }
        arc.hint.push_str(hint);
    }
    for arc in &mut arcs {
        if arc.lines.len() > MOST_LINES {
            arc.lines.truncate(MOST_LINES - 1);
            arc.lines.push("…".to_owned());
        }
    }
    arcs
}

/// For each node, how far it is from the circle and at which angle it stands; on the circle itself
/// the first is on top.
fn levels(graph: &Graph, circle: &[usize]) -> Vec<(f64, f64)> {
    let count = graph.nodes.len();
    let turn = TAU / circle.len() as f64;
    let mut placed: Vec<Option<(f64, f64)>> = vec![None; count];
    for (place, &node) in circle.iter().enumerate() {
        placed[node] = Some((0.0, place as f64 * turn - FRAC_PI_2));
    }
    // Those beside the circle stand outside of those that they are linked to.
    let mut taken = vec![0; count];
    let mut waiting: Vec<usize> = circle.to_vec();
    let mut number = 0;
    while number < waiting.len() {
        let node = waiting[number];
        let (level, angle) = placed[node].unwrap_or_default();
        let ends = graph.edges.iter().flat_map(|edge| {
            let both = [(edge.source, edge.target), (edge.target, edge.source)];
            both.into_iter()
        });
        let beside: Vec<usize> = ends
            .filter_map(|(from, to)| (from == node).then_some(to))
            .collect();
        for other in beside {
            if placed[other].is_none() {
                let side = [0.0, 1.0, -1.0, 2.0, -2.0][taken[node] % 5];
                taken[node] += 1;
                placed[other] = Some((level + 1.0, angle + side * turn / 3.0));
                waiting.push(other);
            }
        }
        number += 1;
    }
    // Those that nothing links to it stand between.
    let mut alone = 0.0;
    let place = |own: Option<(f64, f64)>| {
        own.unwrap_or_else(|| {
            alone += 1.0;
            (1.0, (alone - 0.5) * turn - FRAC_PI_2)
        })
    };
    placed.into_iter().map(place).collect()
}

/// How an edge goes with the circle.
enum Along {
    On,
    Back,
    Across,
    Beside,
}

fn at_scale(circle: &[usize], levels: &[(f64, f64)], arcs: &[Arc], scale: f64) -> Ring {
    let (wide, high) = (90.0 * scale, 60.0 * scale);
    let at = |away: f64, angle: f64| (wide * away * angle.cos(), high * away * angle.sin());
    let nodes: Vec<(f64, f64)> = levels
        .iter()
        .map(|&(level, angle)| at(1.0 + 0.7 * level, angle))
        .collect();
    let turn = TAU / circle.len() as f64;
    let arcs = arcs.iter().map(|arc| {
        let (from, to) = arc.ends;
        let place = |node: usize| circle.iter().position(|&own| own == node);
        let along = match (place(from), place(to)) {
            (Some(from), Some(to)) if (from + 1) % circle.len() == to => Along::On,
            (Some(from), Some(to)) if (to + 1) % circle.len() == from => Along::Back,
            (Some(_), Some(_)) => Along::Across,
            _ => Along::Beside,
        };
        let middle = (
            f64::midpoint(nodes[from].0, nodes[to].0),
            f64::midpoint(nodes[from].1, nodes[to].1),
        );
        let width = arc.lines.iter().map(|line| text_width(line));
        let half = (
            width.fold(0.0, f64::max) / 2.0,
            arc.lines.len() as f64 * LINE_HEIGHT / 2.0,
        );
        let (bend, label) = match along {
            Along::On => {
                let angle = levels[from].1 + turn / 2.0;
                let bend = at(1.0 / (turn / 4.0).cos().max(0.55), angle);
                let top = at(1.0, angle);
                let label = (
                    top.0 + angle.cos() * (half.0 + 8.0),
                    top.1 + angle.sin() * (half.1 + 8.0),
                );
                (bend, label)
            }
            // Inside of the way on.
            Along::Back => {
                let angle = levels[to].1 + turn / 2.0;
                let bend = at(0.72, angle);
                let label = (bend.0 - angle.cos() * half.0, bend.1 - angle.sin() * half.1);
                (bend, label)
            }
            Along::Across => (
                (middle.0 * 0.5, middle.1 * 0.5),
                (middle.0 * 0.6, middle.1 * 0.6),
            ),
            // Beside the line, so that it does not go through the words.
            Along::Beside => (middle, (middle.0 + half.0 + 6.0, middle.1 - half.1 - 2.0)),
        };
        Arc {
            ends: arc.ends,
            bend,
            lines: arc.lines.clone(),
            label,
            hint: arc.hint.clone(),
            faint: arc.faint,
        }
    });
    Ring {
        arcs: arcs.collect(),
        nodes,
        size: (0.0, 0.0),
    }
}

/// Half the width and height of a node.
pub(super) fn half(graph: &Graph, node: usize) -> (f64, f64) {
    let (half, reach) = node_size(graph, node);
    match graph.nodes[node].shape {
        Shape::Round => (reach + half, half),
        Shape::Box => (reach, half),
    }
}

/// What everything takes: left, top, right, bottom.
pub(super) fn areas(graph: &Graph, ring: &Ring) -> Vec<(f64, f64, f64, f64)> {
    let nodes = ring.nodes.iter().enumerate().map(|(node, &(x, y))| {
        let (wide, high) = half(graph, node);
        (x - wide, y - high, x + wide, y + high)
    });
    let labels = ring.arcs.iter().filter(|arc| !arc.lines.is_empty());
    let labels = labels.map(|arc| {
        let wide = arc.lines.iter().map(|line| text_width(line));
        let wide = wide.fold(0.0, f64::max) / 2.0;
        let high = arc.lines.len() as f64 * LINE_HEIGHT / 2.0;
        let (x, y) = arc.label;
        (x - wide, y - high, x + wide, y + high)
    });
    nodes.chain(labels).collect()
}

fn overlaps(graph: &Graph, ring: &Ring) -> bool {
    let areas = areas(graph, ring);
    let near = |one: &(f64, f64, f64, f64), two: &(f64, f64, f64, f64)| {
        one.0 < two.2 + ROOM && two.0 < one.2 + ROOM && one.1 < two.3 + ROOM && two.1 < one.3 + ROOM
    };
    let pair = |number: usize| {
        areas[..number]
            .iter()
            .any(|other| near(&areas[number], other))
    };
    (0..areas.len()).any(pair)
}

/// Into the positive, with a margin.
fn moved(graph: &Graph, mut ring: Ring) -> Ring {
    const MARGIN: f64 = 14.0;
    let mut all = areas(graph, &ring);
    all.extend(ring.arcs.iter().map(|arc| {
        let (x, y) = arc.bend;
        (x, y, x, y)
    }));
    let least = |pick: fn(&(f64, f64, f64, f64)) -> f64| {
        all.iter().map(pick).fold(f64::INFINITY, f64::min) - MARGIN
    };
    let most = |pick: fn(&(f64, f64, f64, f64)) -> f64| {
        all.iter().map(pick).fold(f64::NEG_INFINITY, f64::max) + MARGIN
    };
    let (left, top) = (least(|area| area.0), least(|area| area.1));
    ring.size = (most(|area| area.2) - left, most(|area| area.3) - top);
    let shift = |point: &mut (f64, f64)| *point = (point.0 - left, point.1 - top);
    ring.nodes.iter_mut().for_each(shift);
    for arc in &mut ring.arcs {
        shift(&mut arc.bend);
        shift(&mut arc.label);
    }
    ring
}

#[cfg(test)]
mod tests {
    use super::*;
    use quotient_language::Node;

    fn graph(count: usize, edges: &[(usize, usize)]) -> Graph {
        let mut graph = Graph::new("");
        for number in 0..count {
            graph.node(Node::boxed(format!("component {number}")));
        }
        for &(from, to) in edges {
            graph.edge(from, to, format!("waits for {to}"));
        }
        graph
    }

    #[test]
    fn the_only_circle_is_found_and_graphs_without_one_are_left_to_others() {
        let ring = graph(4, &[(0, 2), (2, 1), (1, 0), (3, 1)]);
        assert_eq!(circle(&ring), Some(vec![0, 2, 1]));
        assert_eq!(
            circle(&graph(2, &[(0, 1), (0, 1), (1, 0)])),
            Some(vec![0, 1])
        );
        // Everybody may wait for the one before as well.
        let both = [(0, 1), (1, 2), (2, 0), (1, 0), (2, 1)];
        assert_eq!(circle(&graph(3, &both)), Some(vec![0, 1, 2]));
        // No circle, too much across it, two of them, one node that waits for itself.
        assert_eq!(circle(&graph(3, &[(0, 1), (1, 2)])), None);
        let mut across = Vec::new();
        (0..5).for_each(|from| across.extend((1..4).map(|on| (from, (from + on) % 5))));
        assert_eq!(circle(&graph(5, &across)), None);
        assert_eq!(circle(&graph(4, &[(0, 1), (1, 0), (2, 3), (3, 2)])), None);
        assert_eq!(circle(&graph(2, &[(0, 1), (1, 0), (0, 0)])), None);
        let mut begins = graph(2, &[(0, 1), (1, 0)]);
        begins.nodes[0].initial = true;
        assert_eq!(circle(&begins), None);
        assert_eq!(circle(&graph(2, &[(0, 1), (1, 0)]).undirected()), None);
        let mut wordless = graph(2, &[(0, 1), (1, 0)]);
        wordless.edges[1].label.clear();
        assert_eq!(circle(&wordless), None);
    }

    #[test]
    fn long_labels_take_several_lines() {
        let mut graph = Graph::new("");
        graph.node(Node::boxed("{phil.0.right,phil.1.left}::FORK"));
        graph.node(Node::boxed("short:P"));
        let labels: Vec<String> = wrapped(&graph)
            .nodes
            .into_iter()
            .map(|node| node.label)
            .collect();
        assert_eq!(labels, ["{phil.0.right,\nphil.1.left}\n::FORK", "short:P"]);
    }

    #[test]
    fn a_circle_goes_round_and_nothing_lies_on_anything() {
        for count in 2..=MOST {
            let mut edges: Vec<(usize, usize)> =
                (0..count).map(|from| (from, (from + 1) % count)).collect();
            let mut nodes = count;
            if count < 8 {
                // Two more wait for one of them, and one for the first of those.
                edges.extend([(count, 0), (count + 1, 0), (count + 2, count)]);
                nodes += 3;
            } else if count % 2 == 0 {
                edges.extend((0..count / 2).map(|half| (2 * half + 1, 2 * half)));
            }
            let graph = graph(nodes, &edges);
            let found = circle(&graph).unwrap();
            assert_eq!(found.len(), count);
            let ring = place(&graph, &found);
            assert!(!overlaps(&graph, &ring), "{count}");
            assert!(areas(&graph, &ring).iter().all(|area| area.0 > 0.0
                && area.1 > 0.0
                && area.2 < ring.size.0
                && area.3 < ring.size.1));
            if count > 2 {
                // Around the middle the angles only grow: a circle, not a row.
                let middle = found.iter().fold((0.0, 0.0), |sum: (f64, f64), &node| {
                    let (x, y) = ring.nodes[node];
                    (sum.0 + x / count as f64, sum.1 + y / count as f64)
                });
                let side = |place: usize| {
                    let (one, two) = (
                        ring.nodes[found[place]],
                        ring.nodes[found[(place + 1) % count]],
                    );
                    (one.0 - middle.0) * (two.1 - middle.1)
                        - (one.1 - middle.1) * (two.0 - middle.0)
                };
                assert!((0..count).all(|place| side(place) > 0.0), "{count}");
            }
        }
    }
}
