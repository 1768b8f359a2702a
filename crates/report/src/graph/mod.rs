//! Pictures of graphs: a layered layout of our own, drawn as a standalone SVG.
//!
//! The layout follows Sugiyama, Tagawa and Toda (1981) in the stages of Gansner, Koutsofios,
//! North and Vo (1993): break cycles ([`acyclic`]), give every node a layer ([`layers`]), cut
//! long edges into chains ([`chains`]), order the layers for few crossings ([`order`]), place
//! them ([`place`]), route the edges ([`route`]) and write it all down ([`render`]). Layers run
//! from left to right, as automata are drawn in books. The label of an edge is a node of its
//! chain, so that labels never lie on nodes or on each other.

mod acyclic;
mod chains;
mod dot;
mod fold;
mod labels;
mod layers;
mod nearest;
mod order;
mod place;
mod render;
mod route;
mod tikz;

pub use dot::dot;
pub use fold::folded;
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
    svg_of(picture, MOST_NODES)
}

/// The same with another limit on the nodes, at most [`MOST_NODES`]: parts that hang together are
/// folded into one node each first ([`folded`]).
pub fn svg_of(picture: &Graph, most: usize) -> String {
    let most = most.min(MOST_NODES);
    let picture = fold::folded(picture, most);
    let (shown, placed, left_out) = lay_out(&picture, most);
    render::render(&shown, &placed, left_out)
}

/// The part that is drawn, where it stands, and how many nodes are not in it.
fn lay_out(picture: &Graph, most: usize) -> (Graph, place::Placed, usize) {
    let mut most = most;
    loop {
        let (shown, left_out) = nearest::nearest(picture, most);
        if let Some(chains) = chains::cut(&shown, MOST_SLOTS) {
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
