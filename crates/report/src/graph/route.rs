//! The curves that edges take.

use super::chains::{Kind, node_size};
use super::place::{Placed, nearest_in_order};
use quotient_language::{Graph, Shape};

/// A point and the direction in which the edge leaves its node there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Port {
    pub(super) at: (f64, f64),
    pub(super) away: (f64, f64),
}

impl Port {
    /// The same as it is drawn.
    pub(super) fn turned(self, placed: &Placed) -> Port {
        Port {
            at: placed.turned(self.at),
            away: placed.turned(self.away),
        }
    }
}

/// Where each route leaves its source and enters its target.
pub(super) fn ports(picture: &Graph, placed: &Placed) -> Vec<(Port, Port)> {
    // For each node and side: the route, whether it is its beginning, the slot it leads to.
    let mut sides: Vec<[Vec<(usize, bool, usize)>; 2]> =
        vec![[Vec::new(), Vec::new()]; picture.nodes.len()];
    for (number, route) in placed.chains.routes.iter().enumerate() {
        let [first, second, before, last] = ends(&route.slots);
        for (slot, next, begins) in [(first, second, true), (last, before, false)] {
            if let Kind::Node(node) = placed.chains.slots[slot].kind {
                let right = placed.chains.slots[next].layer > placed.chains.slots[slot].layer;
                sides[node][usize::from(right)].push((number, begins, next));
            }
        }
    }
    let nowhere = Port {
        at: (0.0, 0.0),
        away: (1.0, 0.0),
    };
    let mut ports = vec![(nowhere, nowhere); placed.chains.routes.len()];
    for (number, route) in placed.chains.routes.iter().enumerate() {
        let first = route.slots[0];
        if placed.chains.slots[first].kind == Kind::Start {
            let right = placed.columns[placed.chains.slots[first].layer].1;
            ports[number].0 = Port {
                at: (right, placed.y[first]),
                away: (1.0, 0.0),
            };
        }
    }
    for (node, sides) in sides.iter_mut().enumerate() {
        for (right, side) in sides.iter_mut().enumerate() {
            spread(picture, placed, node, right == 1, side, &mut ports);
        }
    }
    ports
}

fn ends(slots: &[usize]) -> [usize; 4] {
    let last = slots.len() - 1;
    [slots[0], slots[1], slots[last - 1], slots[last]]
}

/// Spreads the ends of edges along one side of a node, in the order of where they lead.
fn spread(
    picture: &Graph,
    placed: &Placed,
    node: usize,
    right: bool,
    side: &mut [(usize, bool, usize)],
    ports: &mut [(Port, Port)],
) {
    if side.is_empty() {
        return;
    }
    let (half, reach) = node_size(picture, node);
    let sign = if right { 1.0 } else { -1.0 };
    let down = placed.chains.down;
    // Below and above, a long pill is a box.
    let shape = match picture.nodes[node].shape {
        Shape::Round if down && reach > 0.0 => Shape::Box,
        shape => shape,
    };
    // How far the node reaches towards the next layer, and to either side of that.
    let (ahead, aside) = match (down, shape) {
        (true, Shape::Box) => (half, reach.max(8.0)),
        _ => (reach, half),
    };
    let (x, y) = (placed.x(node) + sign * ahead, placed.y[node]);
    let (left_side, right_side) = placed.columns[placed.chains.slots[node].layer];
    let is_far_from_side = (right_side - left_side) / 2.0 - ahead - half > 2.0 * HEAD;
    let along = |next: usize| {
        let (left, right) = placed.columns[placed.chains.slots[next].layer];
        let run = if sign > 0.0 { left - x } else { x - right };
        let rise = placed.y[next] - y;
        match shape {
            Shape::Round => rise.atan2(run.max(1.0)) * 0.9,
            Shape::Box => rise * 0.3,
        }
    };
    let (most, apart) = match shape {
        Shape::Round if is_far_from_side => (0.5, 0.25),
        Shape::Round => (1.15, 0.34),
        Shape::Box => (aside - 4.0, 8.0),
    };
    side.sort_by(|left, right| placed.y[left.2].total_cmp(&placed.y[right.2]));
    let apart = f64::min(apart, 2.0 * most / side.len() as f64);
    let offsets: Vec<f64> = (0..side.len()).map(|place| apart * place as f64).collect();
    let wishes: Vec<(f64, f64)> = side
        .iter()
        .map(|&(_, _, next)| (along(next), 1.0))
        .collect();
    let room = 2.0 * most - offsets.last().copied().unwrap_or(0.0);
    let places = nearest_in_order(&wishes, &offsets);
    for ((&(route, begins, _), place), offset) in side.iter().zip(places).zip(offsets) {
        let place = place.clamp(-most, -most + room) + offset;
        let port = match shape {
            Shape::Round => {
                let away = (sign * place.cos(), place.sin());
                Port {
                    at: (x + half * away.0, y + half * away.1),
                    away,
                }
            }
            Shape::Box => Port {
                at: (x, y + place),
                away: (sign, 0.0),
            },
        };
        if begins {
            ports[route].0 = port;
        } else {
            ports[route].1 = port;
        }
    }
}

/// The length of an arrow's head.
pub(super) const HEAD: f64 = 8.0;

/// The curve of a route, as the data of an SVG path: flat across the layers it passes, bent in
/// the gaps between.
pub(super) fn curve(placed: &Placed, slots: &[usize], from: Port, to: Port) -> String {
    let mut pen = Pen::begin(placed.chains.down, from.at);
    let (mut at, mut away) = (from.at, from.away);
    let (first, last) = (slots[0], slots[slots.len() - 1]);
    let leftwards = placed.x(first) > placed.x(last);
    if let Some((side, beside)) = column_side(placed, first, from) {
        pen.bend(at, away, (side, beside), (-away.0.signum(), 0.0));
        (at, away) = ((side, beside), (away.0.signum(), 0.0));
    }
    for &slot in &slots[1..slots.len() - 1] {
        let (left, right) = placed.columns[placed.chains.slots[slot].layer];
        let (enter, leave) = if leftwards {
            (right, left)
        } else {
            (left, right)
        };
        let direction = if leftwards { -1.0 } else { 1.0 };
        let y = placed.y[slot];
        pen.bend(at, away, (enter, y), (-direction, 0.0));
        if left != right {
            pen.across(leave);
        }
        (at, away) = ((leave, y), (direction, 0.0));
    }
    if let Some((side, beside)) = column_side(placed, last, to) {
        let outwards = to.away.0.signum();
        pen.bend(at, away, (side, beside), (outwards, 0.0));
        (at, away) = ((side, beside), (-outwards, 0.0));
    }
    let neck = (
        to.at.0 + to.away.0 * (HEAD - 1.0),
        to.at.1 + to.away.1 * (HEAD - 1.0),
    );
    pen.bend(at, away, neck, to.away);
    pen.path
}

/// Where an edge crosses the side of its node's column, if the node is much narrower than the
/// column: within the column it stays beside the node, away from the labels of others.
fn column_side(placed: &Placed, slot: usize, port: Port) -> Option<(f64, f64)> {
    let (left, right) = placed.columns[placed.chains.slots[slot].layer];
    let side = if port.away.0 > 0.0 { right } else { left };
    ((side - port.at.0).abs() > 2.0 * HEAD).then_some((side, port.at.1 + 8.0 * port.away.1))
}

/// Writes a path; layers are below each other if the picture says so.
struct Pen {
    down: bool,
    path: String,
}

impl Pen {
    fn begin(down: bool, at: (f64, f64)) -> Pen {
        let mut pen = Pen {
            down,
            path: "M".to_owned(),
        };
        pen.point(at);
        pen
    }

    fn point(&mut self, (along, across): (f64, f64)) {
        let (x, y) = match self.down {
            true => (across, along),
            false => (along, across),
        };
        self.path.push_str(&format!("{x:.1},{y:.1}"));
    }

    /// A straight line across a layer.
    fn across(&mut self, to: f64) {
        let way = if self.down { 'V' } else { 'H' };
        self.path.push_str(&format!("{way}{to:.1}"));
    }

    /// A cubic curve between two points that leaves both in the given directions.
    fn bend(&mut self, from: (f64, f64), out: (f64, f64), to: (f64, f64), back: (f64, f64)) {
        if (from.1 - to.1).abs() < 0.05 && out.1.abs() < 0.01 && back.1.abs() < 0.01 {
            return self.across(to.0);
        }
        let pull = 0.45 * (to.0 - from.0).abs().max((to.1 - from.1).abs() * 0.3);
        self.path.push('C');
        self.point((from.0 + out.0 * pull, from.1 + out.1 * pull));
        self.path.push(' ');
        self.point((to.0 + back.0 * pull, to.1 + back.1 * pull));
        self.path.push(' ');
        self.point(to);
    }
}

/// The head of an arrow, as the data of a closed SVG path.
pub(super) fn head(to: Port) -> String {
    let ((x, y), (dx, dy)) = (to.at, to.away);
    let (base_x, base_y) = (x + dx * HEAD, y + dy * HEAD);
    format!(
        "M{x:.1},{y:.1}L{:.1},{:.1}L{:.1},{:.1}Z",
        base_x - dy * 3.2,
        base_y + dx * 3.2,
        base_x + dy * 3.2,
        base_y - dx * 3.2,
    )
}
