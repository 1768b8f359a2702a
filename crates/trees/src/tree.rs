//! Trees as flat lists: however deep one is, nothing recurses.

use crate::{Alphabet, Symbol};

/// A node of a tree: its symbol and how many children follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node {
    /// What stands there.
    pub symbol: Symbol,
    /// How many children it has.
    pub arity: u32,
}

/// A finite tree: its nodes, each before its children.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// A tree from its nodes in prefix order; nothing if they do not make one tree.
    pub fn new(nodes: Vec<Node>) -> Option<Tree> {
        let mut open = 1usize;
        for (place, node) in nodes.iter().enumerate() {
            open = open - 1 + node.arity as usize;
            if open == 0 && place + 1 < nodes.len() {
                return None;
            }
        }
        (open == 0).then_some(Tree { nodes })
    }

    /// A symbol above some trees.
    pub fn above(symbol: Symbol, children: &[Tree]) -> Tree {
        let arity = children.len() as u32;
        let below = children
            .iter()
            .flat_map(|child| child.nodes.iter().copied());
        let nodes = std::iter::once(Node { symbol, arity }).chain(below);
        Tree {
            nodes: nodes.collect(),
        }
    }

    /// The nodes, each before its children.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// How many nodes there are.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Evaluates the tree from its leaves: `at` gets a node and the values of its children.
    pub fn fold<V>(&self, mut at: impl FnMut(Node, Vec<V>) -> V) -> V {
        let mut values: Vec<V> = Vec::new();
        for &node in self.nodes.iter().rev() {
            let rest = values.len() - node.arity as usize;
            let mut children = values.split_off(rest);
            children.reverse();
            values.push(at(node, children));
        }
        values.swap_remove(0)
    }

    /// How many nodes lie on the longest way down.
    pub fn height(&self) -> usize {
        self.fold(|_, below: Vec<usize>| 1 + below.into_iter().max().unwrap_or(0))
    }

    /// One past the last node of the subtree that begins at a node.
    pub fn end_of(&self, place: usize) -> usize {
        let (mut open, mut at) = (1usize, place);
        while open > 0 {
            open = open - 1 + self.nodes[at].arity as usize;
            at += 1;
        }
        at
    }

    /// The subtree that begins at a node.
    pub fn subtree(&self, place: usize) -> Tree {
        let nodes = self.nodes[place..self.end_of(place)].to_vec();
        Tree { nodes }
    }

    /// The tree with another subtree at a node.
    #[must_use]
    pub fn with(&self, place: usize, subtree: &Tree) -> Tree {
        let (before, after) = (&self.nodes[..place], &self.nodes[self.end_of(place)..]);
        let nodes = [before, &subtree.nodes, after].concat();
        Tree { nodes }
    }

    /// The tree as text: `f(a,g(b))`.
    pub fn text(&self, alphabet: &Alphabet) -> String {
        let mut text = String::new();
        let mut open: Vec<u32> = Vec::new();
        for node in &self.nodes {
            text.push_str(alphabet.name(node.symbol));
            if node.arity > 0 {
                text.push('(');
                open.push(node.arity);
                continue;
            }
            while let Some(left) = open.last_mut() {
                *left -= 1;
                if *left > 0 {
                    text.push(',');
                    break;
                }
                text.push(')');
                open.pop();
            }
        }
        text
    }

    /// The same tree with other numbers for its symbols.
    #[must_use]
    pub fn renamed(&self, numbers: &[Symbol]) -> Tree {
        let renamed = |node: &Node| Node {
            symbol: numbers[node.symbol.index()],
            arity: node.arity,
        };
        Tree {
            nodes: self.nodes.iter().map(renamed).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flat_lists_are_trees_if_they_close() {
        let node = |symbol, arity| Node { symbol, arity };
        assert!(
            Tree::new(vec![
                node(Symbol::from_index(0), 2),
                node(Symbol::from_index(1), 0)
            ])
            .is_none()
        );
        assert!(
            Tree::new(vec![
                node(Symbol::from_index(1), 0),
                node(Symbol::from_index(1), 0)
            ])
            .is_none()
        );
        assert!(Tree::new(vec![]).is_none());
        let tree = Tree::new(vec![
            node(Symbol::from_index(0), 2),
            node(Symbol::from_index(0), 2),
            node(Symbol::from_index(1), 0),
            node(Symbol::from_index(2), 0),
            node(Symbol::from_index(1), 0),
        ]);
        let tree = tree.unwrap();
        let mut alphabet = Alphabet::default();
        for (name, arity) in [("f", 2), ("a", 0), ("b", 0)] {
            alphabet.add(name, arity);
        }
        assert_eq!(tree.text(&alphabet), "f(f(a,b),a)");
        assert_eq!(tree.subtree(1).text(&alphabet), "f(a,b)");
        assert_eq!(tree.with(1, &tree.subtree(3)).text(&alphabet), "f(b,a)");
        assert_eq!((tree.height(), tree.size()), (3, 5));
    }

    #[test]
    fn a_very_deep_tree_is_no_trouble() {
        let mut nodes = vec![
            Node {
                symbol: Symbol::from_index(0),
                arity: 1
            };
            200_000
        ];
        nodes.push(Node {
            symbol: Symbol::from_index(1),
            arity: 0,
        });
        assert_eq!(Tree::new(nodes).unwrap().height(), 200_001);
    }
}
