//! Pictures of graphs: a layered layout of our own, drawn as a standalone SVG.
//!
//! The layout follows Sugiyama, Tagawa and Toda (1981) in the stages of Gansner, Koutsofios,
//! North and Vo (1993): break cycles ([`acyclic`]), give every node a layer ([`layers`]), cut
//! long edges into chains ([`chains`]), order the layers for few crossings ([`order`]), place
//! them ([`place`]), route the edges ([`route`]) and write it all down ([`render`]). Layers run
//! from left to right, as automata are drawn in books. The label of an edge is a node of its
//! chain, so that labels never lie on nodes or on each other. A graph that is one circle is drawn
//! as one ([`ring`]).

mod acyclic;
mod chains;
mod dot;
mod fold;
mod labels;
mod layers;
mod nearest;
mod order;
mod part;
mod place;
mod render;
mod ring;
mod route;
mod tikz;

pub use dot::dot;
pub use fold::folded;
pub use part::Drawing;
pub(crate) use render::escape;
pub use tikz::tikz;

use quotient_language::Graph;

/// Draws a picture as an SVG document that needs nothing else: no fonts, no scripts, no
/// programs. It follows the light or dark preference of whoever looks at it.
///
/// Up to [`MOST_NODES`] nodes are drawn; of a bigger graph, those nearest to the initial ones,
/// with a line that says how many are left out.
///
/// ```
/// use quotient_language::{Graph, Node};
/// use quotient_report::svg;
/// let mut picture = Graph::new("a lamp");
/// let off = picture.node(Node::round("off").initial());
/// let on = picture.node(Node::round("on").accepting());
/// picture.edge(off, on, "push");
/// picture.edge(on, off, "push");
/// assert!(svg(&picture).starts_with("<svg"));
/// ```
pub fn svg(picture: &Graph) -> String {
    let picture = fold::folded(picture, MOST_NODES);
    if let Some(circle) = ring::circle(&picture) {
        return ring_svg(&picture, &circle, &[]);
    }
    let (shown, placed, left_out) = lay_out(&picture, MOST_NODES, false);
    render::render(&shown, &placed, left_out, &[])
}

/// The same as a page shows it: what is large is folded and cut, and says where there is more. Nodes
/// have their numbers in the whole graph as `data-at`; one that stands for several has their number as
/// `data-fold`, one beside which nodes are left out has `data-more`.
pub fn svg_with(picture: &Graph, drawing: &Drawing) -> String {
    let (part, marks, left_out) = part::part(picture, drawing);
    if left_out == 0
        && let Some(circle) = ring::circle(&part)
    {
        return ring_svg(&part, &circle, &marks);
    }
    let (shown, placed, cut) = lay_out(&part, MOST_NODES, drawing.down);
    // A part that was cut further has other numbers.
    let marks = if cut == 0 { marks } else { Vec::new() };
    render::render(&shown, &placed, left_out + cut, &marks)
}

fn ring_svg(picture: &Graph, circle: &[usize], marks: &[part::Mark]) -> String {
    let picture = ring::wrapped(picture);
    render::render_ring(&picture, &ring::place(&picture, circle), marks)
}

/// The part that is drawn, where it stands, and how many nodes are not in it.
fn lay_out(picture: &Graph, most: usize, down: bool) -> (Graph, place::Placed, usize) {
    let mut most = most;
    loop {
        let (shown, left_out) = nearest::nearest(picture, most);
        if let Some(chains) = chains::cut(&shown, MOST_SLOTS, down) {
            let placed = place::place(order::reduce_crossings(chains));
            return (shown, placed, left_out);
        }
        // Too many long edges: fewer nodes have shorter ones.
        most = shown.nodes.len() / 2;
    }
}

/// The most nodes that a picture shows.
pub const MOST_NODES: usize = 600;

/// The most nodes, bends and labels that the layout works with, which bounds its time.
const MOST_SLOTS: usize = 20_000;

#[cfg(test)]
mod tests;
