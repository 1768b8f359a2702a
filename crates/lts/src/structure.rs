//! What a system is made of, as a picture.

use quotient_language::{Graph, Node};

/// A component of a system.
#[derive(Debug, Clone, Default)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// Whether it only watches the others.
    pub watches: bool,
    /// The actions that it does alone, shown when it is pointed at.
    pub alone: String,
}

/// Components that act together.
#[derive(Debug, Clone, Default)]
pub struct Tie {
    /// The components, by number; at least two.
    pub parts: Vec<usize>,
    /// The actions.
    pub actions: String,
}

/// A system as a picture: a box for each component (with a double outline if it only
/// watches), a line with the shared actions between two of them, and a round node with the
/// actions where more than two act together.
///
/// ```
/// use quotient_lts::{Part, Tie, structure_picture};
/// let part = |name: &str| Part { name: name.into(), ..Part::default() };
/// let tie = Tie { parts: vec![0, 1], actions: "put".into() };
/// let picture = structure_picture("SHOP", &[part("MAKER"), part("BUFFER")], &[tie]);
/// assert_eq!(picture.edges[0].label, "put");
/// ```
pub fn structure_picture(title: impl Into<String>, parts: &[Part], ties: &[Tie]) -> Graph {
    let mut picture = Graph::new(title).undirected();
    for part in parts {
        let node = Node::boxed(&part.name).hint(&part.alone);
        picture.node(match part.watches {
            true => node.accepting(),
            false => node,
        });
    }
    for tie in ties {
        if let [one, other] = tie.parts[..] {
            picture.edge(one, other, &tie.actions);
            continue;
        }
        let hub = picture.node(Node::round(&tie.actions));
        // Half of them on each side, so that the picture does not become a fan.
        for (number, &part) in tie.parts.iter().enumerate() {
            match 2 * number < tie.parts.len() {
                true => picture.edge(part, hub, ""),
                false => picture.edge(hub, part, ""),
            }
        }
    }
    picture
}
