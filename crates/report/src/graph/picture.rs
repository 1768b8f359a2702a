//! What to draw.

use std::collections::VecDeque;

/// A graph to draw: labelled nodes and labelled edges, in whatever they mean.
#[derive(Debug, Clone, Default)]
pub struct Picture {
    pub(crate) title: String,
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Link>,
    /// Whether edges are lines without heads.
    pub(crate) undirected: bool,
}

/// An edge of a picture.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    pub(crate) source: usize,
    pub(crate) target: usize,
    /// What is written beside it.
    pub(crate) label: String,
    /// What it says when pointed at, if that is more.
    pub(crate) hint: String,
    /// Whether it is drawn dashed.
    pub(crate) faint: bool,
}

/// The outline of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shape {
    /// A circle, drawn out to a pill for long labels.
    #[default]
    Round,
    /// A box.
    Box,
}

/// A node of a picture.
#[derive(Debug, Clone, Default)]
pub struct Node {
    pub(crate) label: String,
    pub(crate) hint: String,
    pub(crate) shape: Shape,
    pub(crate) initial: bool,
    pub(crate) accepting: bool,
    pub(crate) marked: bool,
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
}

impl Picture {
    /// A picture without nodes.
    pub fn new(title: impl Into<String>) -> Picture {
        Picture {
            title: title.into(),
            ..Picture::default()
        }
    }

    /// Draws edges as lines without heads.
    #[must_use]
    pub fn undirected(mut self) -> Picture {
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
        self.edges.push(Link {
            source,
            target,
            label,
            hint,
            faint,
        });
    }

    /// The part of the picture within the `most` nodes nearest to the initial ones, and how
    /// many nodes are not in it.
    pub(crate) fn nearest(&self, most: usize) -> (Picture, usize) {
        if self.nodes.len() <= most {
            return (self.clone(), 0);
        }
        let order = self.breadth_first();
        let mut number = vec![usize::MAX; self.nodes.len()];
        let mut part = Picture::new(self.title.clone());
        part.undirected = self.undirected;
        for &node in order.iter().take(most) {
            number[node] = part.node(self.nodes[node].clone());
        }
        for edge in &self.edges {
            let (source, target) = (number[edge.source], number[edge.target]);
            if source != usize::MAX && target != usize::MAX {
                part.edges.push(Link {
                    source,
                    target,
                    ..edge.clone()
                });
            }
        }
        (part, self.nodes.len() - most)
    }

    /// All nodes, from the initial ones outwards; unreachable ones last.
    pub(super) fn breadth_first(&self) -> Vec<usize> {
        let mut targets = vec![Vec::new(); self.nodes.len()];
        for edge in &self.edges {
            targets[edge.source].push(edge.target);
        }
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut seen = vec![false; self.nodes.len()];
        let initial = (0..self.nodes.len()).filter(|&node| self.nodes[node].initial);
        for root in initial.chain(0..self.nodes.len()) {
            let mut waiting = VecDeque::from([root]);
            while let Some(node) = waiting.pop_front() {
                if !std::mem::replace(&mut seen[node], true) {
                    order.push(node);
                    waiting.extend(targets[node].iter().filter(|&&target| !seen[target]));
                }
            }
        }
        order
    }
}
