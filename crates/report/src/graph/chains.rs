//! Long edges cut into chains, so that every link leads from one layer to the next.

use rustc_hash::FxHashMap;

use super::labels::{LINE_HEIGHT, text_width};
use super::{acyclic, layers};
use quotient_language::{Edge, Graph, Shape};

/// The graph that the later stages work on.
#[derive(Debug)]
pub(super) struct Chains {
    pub(super) slots: Vec<Slot>,
    /// The slots of each layer, in drawing order from top to bottom.
    pub(super) layers: Vec<Vec<usize>>,
    /// Links from a slot to one in the next layer.
    pub(super) links: Vec<(usize, usize)>,
    pub(super) routes: Vec<Route>,
    /// Whether layers are below each other.
    pub(super) down: bool,
    /// What stands at the loop of a node, by node.
    pub(super) loops: Vec<Option<Caption>>,
}

/// Something that takes room in a layer.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub(super) kind: Kind,
    pub(super) layer: usize,
    pub(super) width: f64,
    /// Room above and below the line that edges meet it at: to the left and right of it where
    /// layers are below each other, and then `width` is a height.
    pub(super) above: f64,
    pub(super) below: f64,
}

/// What stands in a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A node of the picture.
    Node(usize),
    /// Where the arrow of an initial node begins.
    Start,
    /// A long edge passes.
    Bend,
    /// The label of an edge, which passes below it.
    Caption,
}

/// A drawn edge: the slots it passes, from source to target.
#[derive(Debug)]
pub(super) struct Route {
    pub(super) slots: Vec<usize>,
    /// The slot of its label, if it has one.
    pub(super) caption: Option<(usize, Caption)>,
    /// How many edges of the picture it stands for; none for an initial arrow.
    pub(super) edges: usize,
    /// Whether it is drawn faintly.
    pub(super) faint: bool,
}

/// What is written at an edge.
#[derive(Debug, Clone, Default)]
pub(super) struct Caption {
    pub(super) lines: Vec<Line>,
    pub(super) hint: String,
    pub(super) faint: bool,
}

/// A line of a label.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) text: String,
    /// Whether it explains a line above it.
    pub(super) is_detail: bool,
}

impl Caption {
    fn width(&self) -> f64 {
        let widths = self.lines.iter().map(|line| text_width(&line.text));
        widths.fold(0.0, f64::max)
    }
}

/// Lines of a label beyond this many are only in its hint.
const MOST_LINES: usize = 6;
/// The radius of a small node.
pub(super) const RADIUS: f64 = 16.0;
/// How far a loop rises above its node.
pub(super) const LOOP_HEIGHT: f64 = 24.0;

/// Lays the picture out in layers, one below the other or beside it; nothing if that takes more
/// than `most` slots.
pub(super) fn cut(picture: &Graph, most: usize, down: bool) -> Option<Chains> {
    let (bundles, loops) = bundle(picture);
    let nodes = picture.nodes.len();
    let initial: Vec<usize> = (0..nodes)
        .filter(|&node| picture.nodes[node].initial)
        .collect();
    let ends: Vec<(usize, usize)> = bundles.iter().map(|(ends, _, _)| *ends).collect();
    let lengths: Vec<u32> = bundles
        .iter()
        // A label needs a layer of its own between the ends.
        .map(|(_, caption, _)| if caption.lines.is_empty() { 1 } else { 2 })
        .collect();
    // Neither search is always the better one: keep the layout with the shorter edges.
    let deep = acyclic::back_edges(nodes, &ends, &initial);
    let broad = acyclic::against(&super::nearest::breadth_first(picture), &ends);
    let (turned, spans, layer) = [deep, broad]
        .into_iter()
        .map(|turned| in_layers(nodes, &initial, &ends, &lengths, turned))
        .min_by_key(|(_, spans, layer)| bends(spans, layer))?;
    let bends = bends(&spans, &layer);
    if nodes + initial.len() + bends > most && nodes > 1 {
        return None;
    }
    let length = |span: &layers::Span| (layer[span.to] - layer[span.from]) as usize;

    let mut slots: Vec<Slot> = Vec::with_capacity(nodes + initial.len() + bends);
    for (node, &layer) in (0..nodes).zip(&layer) {
        slots.push(node_slot(
            picture,
            node,
            loops[node].as_ref(),
            layer as usize,
            down,
        ));
    }
    for start in 0..initial.len() {
        let layer = layer[nodes + start] as usize;
        slots.push(Slot {
            kind: Kind::Start,
            layer,
            width: 0.0,
            above: 4.0,
            below: 4.0,
        });
    }
    let mut links = Vec::new();
    let mut routes = Vec::with_capacity(spans.len());
    let captions = bundles
        .into_iter()
        .map(|(_, caption, edges)| (caption, edges));
    let all = captions.chain(initial.iter().map(|_| (Caption::default(), 0)));
    for (index, (span, (caption, edges))) in spans.iter().zip(all).enumerate() {
        let first = layer[span.from] as usize;
        let middle = length(span) / 2;
        let mut route = Route {
            slots: vec![span.from],
            caption: None,
            edges,
            faint: caption.faint,
        };
        for step in 1..length(span) {
            let here = slots.len();
            if step == middle && !caption.lines.is_empty() {
                slots.push(caption_slot(&caption, first + step, down));
                route.caption = Some((here, caption.clone()));
            } else {
                slots.push(Slot {
                    kind: Kind::Bend,
                    layer: first + step,
                    width: 0.0,
                    above: 5.0,
                    below: 5.0,
                });
            }
            route.slots.push(here);
        }
        route.slots.push(span.to);
        links.extend(route.slots.windows(2).map(|pair| (pair[0], pair[1])));
        if turned.get(index) == Some(&true) {
            route.slots.reverse();
        }
        routes.push(route);
    }
    let count = slots.iter().map(|slot| slot.layer + 1).max().unwrap_or(0);
    let mut layers = vec![Vec::new(); count];
    for (slot, Slot { layer, .. }) in slots.iter().enumerate() {
        layers[*layer].push(slot);
    }
    Some(Chains {
        slots,
        layers,
        links,
        routes,
        down,
        loops,
    })
}

/// The edges with those given turned round, the initial arrows after them, and the layers.
fn in_layers(
    nodes: usize,
    initial: &[usize],
    ends: &[(usize, usize)],
    lengths: &[u32],
    turned: Vec<bool>,
) -> (Vec<bool>, Vec<layers::Span>, Vec<u32>) {
    let mut spans = Vec::with_capacity(ends.len() + initial.len());
    for ((&(source, target), &turned), &length) in ends.iter().zip(&turned).zip(lengths) {
        let (from, to) = if turned {
            (target, source)
        } else {
            (source, target)
        };
        spans.push(layers::Span { from, to, length });
    }
    for (start, &node) in initial.iter().enumerate() {
        spans.push(layers::Span {
            from: nodes + start,
            to: node,
            length: 1,
        });
    }
    let layer = layers::assign(nodes + initial.len(), &spans);
    (turned, spans, layer)
}

fn bends(spans: &[layers::Span], layer: &[u32]) -> usize {
    spans
        .iter()
        .map(|span| (layer[span.to] - layer[span.from]) as usize - 1)
        .sum()
}

/// The ends of an edge, and whether it is drawn faintly.
type Ends = (usize, usize, bool);

/// The edges that differ in their ends, with their labels and number; loops apart.
type Bundles = (Vec<((usize, usize), Caption, usize)>, Vec<Option<Caption>>);

fn bundle(picture: &Graph) -> Bundles {
    let mut bundles: Vec<(Ends, Vec<&Edge>)> = Vec::new();
    let mut index: FxHashMap<Ends, usize> = FxHashMap::default();
    for edge in &picture.edges {
        // Loops have room for one label.
        let faint = edge.faint && edge.source != edge.target;
        let ends = (edge.source, edge.target, faint);
        let place = *index.entry(ends).or_insert_with(|| {
            bundles.push((ends, Vec::new()));
            bundles.len() - 1
        });
        bundles[place].1.push(edge);
    }
    let mut loops = vec![None; picture.nodes.len()];
    let mut others = Vec::with_capacity(bundles.len());
    for ((source, target, faint), edges) in bundles {
        let hints: Vec<&str> = edges
            .iter()
            .map(|edge| match edge.hint.is_empty() {
                true => edge.label.as_str(),
                false => edge.hint.as_str(),
            })
            .collect();
        let caption = Caption {
            lines: lines(&edges),
            hint: hints.join("\n"),
            faint: faint || edges.iter().all(|edge| edge.faint),
        };
        if source == target {
            loops[source] = Some(caption);
        } else {
            others.push(((source, target), caption, edges.len()));
        }
    }
    (others, loops)
}

/// The labels of edges with the same ends, below each other; if they are too many, first the
/// details go.
fn lines(edges: &[&Edge]) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for edge in edges {
        let written = edge.label.lines().filter(|line| !line.is_empty());
        lines.extend(written.map(|line| Line {
            text: line.trim_start().to_owned(),
            is_detail: line.starts_with(' '),
        }));
    }
    if lines.len() > MOST_LINES && edges.len() > 1 {
        lines.retain(|line| !line.is_detail);
    }
    if lines.len() > MOST_LINES {
        let more = lines.len() - (MOST_LINES - 1);
        lines.truncate(MOST_LINES - 1);
        lines.push(Line {
            text: format!("… {more} more"),
            is_detail: true,
        });
    }
    lines
}

/// The half height of a node, and how far its middle line reaches to either side: a circle is
/// a pill without a middle line.
pub(super) fn node_size(picture: &Graph, node: usize) -> (f64, f64) {
    let node = &picture.nodes[node];
    let lines = node.label.lines().count().max(1) as f64;
    let text = node.label.lines().map(text_width).fold(0.0, f64::max);
    match node.shape {
        Shape::Round => {
            let radius = RADIUS.max(lines * LINE_HEIGHT / 2.0 + 5.0);
            (radius, (text / 2.0 + 5.0 - radius).max(0.0))
        }
        Shape::Box => (
            RADIUS.max(lines * LINE_HEIGHT / 2.0 + 6.0),
            text / 2.0 + 8.0,
        ),
    }
}

fn node_slot(
    picture: &Graph,
    node: usize,
    own_loop: Option<&Caption>,
    layer: usize,
    down: bool,
) -> Slot {
    let (half, reach) = node_size(picture, node);
    let half_width = match picture.nodes[node].shape {
        Shape::Round => reach + half,
        Shape::Box => reach,
    };
    let (loop_width, loop_height) = own_loop.map_or((0.0, 0.0), |caption| {
        let text = caption.width();
        (text, LOOP_HEIGHT + caption.lines.len() as f64 * LINE_HEIGHT)
    });
    if down {
        // A loop goes to the right, its label after it.
        let beside = own_loop.map_or(0.0, |_| LOOP_HEIGHT + loop_width + 4.0);
        return Slot {
            kind: Kind::Node(node),
            layer,
            width: (2.0 * half).max(loop_height - LOOP_HEIGHT),
            above: half_width,
            below: half_width + beside,
        };
    }
    Slot {
        kind: Kind::Node(node),
        layer,
        width: (2.0 * half_width).max(loop_width),
        above: half + loop_height,
        below: half,
    }
}

fn caption_slot(caption: &Caption, layer: usize, down: bool) -> Slot {
    if down {
        return Slot {
            kind: Kind::Caption,
            layer,
            width: caption.lines.len() as f64 * LINE_HEIGHT + 4.0,
            above: 4.0,
            below: caption.width() + 8.0,
        };
    }
    Slot {
        kind: Kind::Caption,
        layer,
        width: caption.width() + 4.0,
        above: caption.lines.len() as f64 * LINE_HEIGHT + 3.0,
        below: 4.0,
    }
}
