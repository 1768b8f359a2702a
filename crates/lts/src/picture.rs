//! Components as pictures.

use quotient_language::{Graph, Node};

use crate::{Actions, ERROR, Lts, State};

/// Names of actions beside one arrow; the rest is shown when it is pointed at.
const FEW: usize = 4;

/// A component as a picture: the error state is a marked box, `END` has a double outline, and
/// the silent action is written `τ`. States are numbered; what the text calls them, if given, is
/// shown when they are pointed at.
///
/// ```
/// use quotient_lts::{Actions, ERROR, LtsBuilder};
/// let mut actions = Actions::new();
/// let (open, close) = (actions.intern("open"), actions.intern("close"));
/// let mut door = LtsBuilder::new();
/// door.edge(0, open, 1).edge(1, close, 0).edge(1, open, ERROR);
/// let picture = quotient_lts::component_picture("DOOR", &door.build(), &actions, &[]);
/// assert_eq!(picture.nodes[2].label, "ERROR");
/// ```
pub fn component_picture(
    title: impl Into<String>,
    lts: &Lts,
    actions: &Actions,
    names: &[String],
) -> Graph {
    let mut picture = Graph::new(title);
    let mut place = Vec::new();
    for state in lts.all_states() {
        let mut node = match lts.end() == Some(state) {
            true => Node::round("END").accepting(),
            false => Node::round(state.to_string()),
        };
        if lts.initial() == state {
            node = node.initial();
        }
        if let Some(name) = names.get(state.index()).filter(|name| !name.is_empty()) {
            node = node.hint(format!("{state}: {name}"));
        }
        place.push(picture.node(node));
    }
    let error = (lts.has_error()).then(|| {
        let node = Node::boxed("ERROR").marked();
        picture.node(match lts.initial() {
            ERROR => node.initial(),
            _ => node,
        })
    });
    for state in lts.all_states() {
        let mut targets: Vec<State> = lts.edges(state).iter().map(|edge| edge.target).collect();
        targets.sort_unstable();
        targets.dedup();
        for target in targets {
            let edges = lts.edges(state).iter().filter(|edge| edge.target == target);
            let names: Vec<&str> = edges
                .map(|edge| match edge.action.is_tau() {
                    true => "τ",
                    false => actions.name(edge.action),
                })
                .collect();
            let to = match (target, error) {
                (ERROR, Some(error)) => error,
                (target, _) => place[target.index()],
            };
            let label = match names.len() > FEW {
                true => format!("{}, … ({})", names[..FEW - 1].join(", "), names.len()),
                false => names.join(", "),
            };
            picture.edge_with_hint(place[state.index()], to, label, names.join(", "));
        }
    }
    picture
}
