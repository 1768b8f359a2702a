//! Facts about pictures, whatever the graph.

use proptest::prelude::*;

use super::chains::Kind;
use super::place::Placed;
use super::*;
use quotient_language::Node;

/// A box that something takes: left, top, right, bottom.
type Area = (f64, f64, f64, f64);

fn areas(placed: &Placed) -> Vec<(Kind, Area)> {
    (0..placed.chains.slots.len())
        .map(|number| {
            let slot = &placed.chains.slots[number];
            let (x, y) = (placed.x(number), placed.y[number]);
            let half = slot.width / 2.0;
            (
                slot.kind,
                (x - half, y - slot.above, x + half, y + slot.below),
            )
        })
        .collect()
}

fn overlap(left: Area, right: Area) -> bool {
    left.0 < right.2 - 0.01
        && right.0 < left.2 - 0.01
        && left.1 < right.3 - 0.01
        && right.1 < left.3 - 0.01
}

fn check(picture: &Graph, down: bool) {
    let (shown, placed, left_out) = lay_out(picture, MOST_NODES, down);
    assert_eq!(shown.nodes.len() + left_out, picture.nodes.len());
    let areas = areas(&placed);
    for (number, &(_, area)) in areas.iter().enumerate() {
        assert!(area.0 >= 0.0 && area.1 >= 0.0, "within the picture");
        assert!(
            area.2 <= placed.width && area.3 <= placed.height,
            "within the picture"
        );
        for &(_, other) in &areas[..number] {
            assert!(!overlap(area, other), "{area:?} lies on {other:?}");
        }
    }
    let loops = placed
        .chains
        .loops
        .iter()
        .flatten()
        .map(|caption| caption.hint.lines().count());
    let drawn = placed
        .chains
        .routes
        .iter()
        .map(|route| route.edges)
        .sum::<usize>();
    assert_eq!(
        drawn + loops.sum::<usize>(),
        shown.edges.len(),
        "every edge is there"
    );
    for route in placed.chains.routes.iter().filter(|route| route.edges > 0) {
        let node = |slot: usize| match placed.chains.slots[slot].kind {
            Kind::Node(node) => node,
            other => panic!("an edge ends at {other:?}"),
        };
        let ends = (
            node(route.slots[0]),
            node(route.slots[route.slots.len() - 1]),
        );
        assert!(
            shown
                .edges
                .iter()
                .any(|edge| (edge.source, edge.target) == ends)
        );
    }
}

fn any_picture() -> impl Strategy<Value = Graph> {
    (1usize..14).prop_flat_map(|nodes| {
        let shapes = prop::collection::vec((any::<bool>(), any::<bool>(), 0usize..12), nodes);
        let edges = prop::collection::vec((0..nodes, 0..nodes, 0usize..20), 0..40);
        (shapes, edges).prop_map(|(shapes, edges)| {
            let mut picture = Graph::new("any");
            for (initial, round, length) in shapes {
                let label = "n".repeat(length);
                let node = if round {
                    Node::round(label)
                } else {
                    Node::boxed(label)
                };
                picture.node(if initial { node.initial() } else { node });
            }
            for (source, target, length) in edges {
                picture.edge_with_hint(source, target, "e".repeat(length), "hint");
            }
            picture
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nothing_overlaps_and_every_edge_is_drawn(picture in any_picture()) {
        for down in [false, true] {
            check(&picture, down);
            let text = svg_with(&picture, &Drawing { down, ..Drawing::default() });
            prop_assert!(!text.contains("NaN") && !text.contains("inf"));
        }
    }
}

#[test]
fn a_picture_without_nodes_is_a_document() {
    let text = svg(&Graph::new("nothing"));
    assert!(text.starts_with("<svg") && text.ends_with("</svg>\n"));
}

#[test]
fn a_big_graph_is_cut_to_what_is_near_and_says_so() {
    let mut picture = Graph::new("ring");
    for node in 0..5_000 {
        let node = Node::round(node.to_string());
        picture.node(if picture.nodes.is_empty() {
            node.initial()
        } else {
            node
        });
    }
    for node in 0..5_000 {
        picture.edge(node, (node + 1) % 5_000, "next");
        picture.edge(node, 0, "reset");
    }
    let (shown, placed, left_out) = lay_out(&picture, MOST_NODES, false);
    assert!(placed.chains.slots.len() <= MOST_SLOTS);
    assert!(shown.nodes.len() >= 30 && left_out > 0);
    assert!(svg(&picture).contains(&format!("{left_out} more states")));
}

#[test]
fn parallel_edges_share_an_arrow_and_keep_their_labels() {
    let mut picture = Graph::new("two");
    let (a, b) = (
        picture.node(Node::round("a")),
        picture.node(Node::round("b")),
    );
    ["one", "two"]
        .iter()
        .for_each(|label| picture.edge(a, b, *label));
    picture.edge(b, a, "back");
    let text = svg(&picture);
    assert_eq!(text.matches("class=\"edge\"").count(), 2);
    assert!(
        ["one", "two", "back"]
            .iter()
            .all(|label| text.contains(label))
    );
}

#[test]
fn names_cannot_break_the_document() {
    let mut picture = Graph::new("<&\">");
    let node = picture.node(Node::round("<b>\u{1}"));
    picture.edge(node, node, "]]><script>");
    let text = svg(&picture);
    assert!(!text.contains("<script>") && !text.contains("<b>") && !text.contains('\u{1}'));
}

#[test]
fn a_small_automaton_looks_as_it_did() {
    let mut picture = Graph::new("lamp");
    let off = picture.node(Node::round("off").initial());
    let on = picture.node(Node::round("on").accepting());
    picture.edge(off, on, "push");
    picture.edge(on, off, "push");
    picture.edge(on, on, "wait");
    insta::assert_snapshot!(svg(&picture));
}
