//! Nodes and edges.

use serde::Serialize;

/// A graph to draw: labelled nodes and labelled edges, in whatever they mean.
///
/// ```
/// use quotient_language::{Graph, Node};
/// let mut graph = Graph::new("lamp");
/// let off = graph.node(Node::round("off").initial());
/// let on = graph.node(Node::round("on"));
/// graph.edge(off, on, "press");
/// assert_eq!(graph.edges.len(), 1);
/// ```
#[derive(Debug, Clone, Default, Serialize)]
pub struct Graph {
    /// What it shows.
    pub title: String,
    /// The nodes; edges name them by their place here.
    pub nodes: Vec<Node>,
    /// The edges.
    pub edges: Vec<Edge>,
    /// Nodes that belong together: they can be folded into one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Group>,
    /// Whether edges are lines without heads.
    pub undirected: bool,
}

/// Nodes that belong together.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Group {
    /// What they are.
    pub label: String,
    /// The nodes, by number.
    pub nodes: Vec<usize>,
}

/// An edge of a graph.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Edge {
    /// Where it begins, by number.
    pub source: usize,
    /// Where it ends.
    pub target: usize,
    /// What is written beside it.
    pub label: String,
    /// What it says when pointed at, if that is more.
    pub hint: String,
    /// Whether it is drawn dashed.
    pub faint: bool,
}

/// The outline of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// A circle, drawn out to a pill for long labels.
    #[default]
    Round,
    /// A box.
    Box,
}

/// A node of a graph.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Node {
    /// What is written in it.
    pub label: String,
    /// What it says when pointed at, if that is more.
    pub hint: String,
    /// Its outline.
    pub shape: Shape,
    /// Whether an arrow comes to it from nowhere.
    pub initial: bool,
    /// Whether it has a double outline.
    pub accepting: bool,
    /// Whether it is set off by colour: an error state, the last step of a trace.
    pub marked: bool,
    /// A stable name for it, so that a page finds it again; by default its number.
    pub id: String,
}

impl Node {
    /// A round node with this label.
    pub fn round(label: impl Into<String>) -> Node {
        Node {
            label: label.into(),
            ..Node::default()
        }
    }

    /// A box with this label.
    pub fn boxed(label: impl Into<String>) -> Node {
        Node {
            shape: Shape::Box,
            ..Node::round(label)
        }
    }

    /// With an arrow that comes from nowhere.
    #[must_use]
    pub fn initial(mut self) -> Node {
        self.initial = true;
        self
    }

    /// With a double outline.
    #[must_use]
    pub fn accepting(mut self) -> Node {
        self.accepting = true;
        self
    }

    /// Set off by colour: an error state, the last step of a trace.
    #[must_use]
    pub fn marked(mut self) -> Node {
        self.marked = true;
        self
    }

    /// With a text that is shown when the node is pointed at.
    #[must_use]
    pub fn hint(mut self, text: impl Into<String>) -> Node {
        self.hint = text.into();
        self
    }

    /// With a stable name.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Node {
        self.id = id.into();
        self
    }
}

impl Graph {
    /// A graph without nodes.
    pub fn new(title: impl Into<String>) -> Graph {
        Graph {
            title: title.into(),
            ..Graph::default()
        }
    }

    /// Draws edges as lines without heads.
    #[must_use]
    pub fn undirected(mut self) -> Graph {
        self.undirected = true;
        self
    }

    /// Adds a node; its number is what edges name it by.
    pub fn node(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Adds an edge. Edges with the same ends are drawn as one, their labels below each other.
    /// Lines that begin with a blank are details, which are drawn in another colour and go first
    /// if there is no room.
    ///
    /// # Panics
    /// If an end is not a node yet, which is a bug of the caller.
    pub fn edge(&mut self, source: usize, target: usize, label: impl Into<String>) {
        self.edge_with_hint(source, target, label, "");
    }

    /// Adds an edge with a text that is shown when it is pointed at.
    ///
    /// # Panics
    /// If an end is not a node yet, which is a bug of the caller.
    pub fn edge_with_hint(
        &mut self,
        source: usize,
        target: usize,
        label: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.link(source, target, label.into(), hint.into(), false);
    }

    /// Adds an edge that is drawn dashed: what happens to a thing rather than what it does.
    ///
    /// # Panics
    /// If an end is not a node yet, which is a bug of the caller.
    pub fn faint_edge(&mut self, source: usize, target: usize, label: impl Into<String>) {
        self.link(source, target, label.into(), String::new(), true);
    }

    fn link(&mut self, source: usize, target: usize, label: String, hint: String, faint: bool) {
        assert!(source.max(target) < self.nodes.len());
        self.edges.push(Edge {
            source,
            target,
            label,
            hint,
            faint,
        });
    }
}
