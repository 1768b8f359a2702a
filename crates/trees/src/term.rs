//! Trees with variables at some leaves.

use crate::{Alphabet, Node, Symbol, Tree};

/// A node of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Piece {
    /// A symbol with its children.
    Node(Node),
    /// A variable, by number.
    Variable(u32),
}

/// A tree in which variables stand for trees: its pieces, each before its children.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term {
    pieces: Vec<Piece>,
}

impl Term {
    /// A term from its pieces in prefix order; nothing if they do not make one term.
    pub fn new(pieces: Vec<Piece>) -> Option<Term> {
        let shape = pieces.iter().map(|piece| match piece {
            Piece::Node(node) => *node,
            Piece::Variable(_) => Node {
                symbol: Symbol::from_index(0),
                arity: 0,
            },
        });
        Tree::new(shape.collect()).map(|_| Term { pieces })
    }

    /// A variable alone.
    pub fn variable(number: u32) -> Term {
        Term {
            pieces: vec![Piece::Variable(number)],
        }
    }

    /// A symbol above the variables 0, 1, …
    pub fn shallow(symbol: Symbol, arity: usize) -> Term {
        let node = Node {
            symbol,
            arity: arity as u32,
        };
        let variables = (0..arity as u32).map(Piece::Variable);
        Term {
            pieces: std::iter::once(Piece::Node(node))
                .chain(variables)
                .collect(),
        }
    }

    /// The pieces, each before its children.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The variables, as often as they occur, from left to right.
    pub fn variables(&self) -> impl Iterator<Item = u32> + '_ {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Variable(number) => Some(*number),
            Piece::Node(_) => None,
        })
    }

    /// Whether no variable occurs twice.
    pub fn is_linear(&self) -> bool {
        let mut all: Vec<u32> = self.variables().collect();
        let before = all.len();
        all.sort_unstable();
        all.dedup();
        all.len() == before
    }

    /// Evaluates the term from its leaves.
    pub fn fold<V>(&self, mut at: impl FnMut(Piece, Vec<V>) -> V) -> V {
        let mut values: Vec<V> = Vec::new();
        for &piece in self.pieces.iter().rev() {
            let arity = match piece {
                Piece::Node(node) => node.arity as usize,
                Piece::Variable(_) => 0,
            };
            let mut children = values.split_off(values.len() - arity);
            children.reverse();
            values.push(at(piece, children));
        }
        values.swap_remove(0)
    }

    /// The tree that it is with trees for its variables; nothing if one is missing.
    pub fn filled(&self, trees: &[Option<Tree>]) -> Option<Tree> {
        let mut nodes = Vec::new();
        for piece in &self.pieces {
            match piece {
                Piece::Node(node) => nodes.push(*node),
                Piece::Variable(number) => {
                    let tree = trees.get(*number as usize)?.as_ref()?;
                    nodes.extend_from_slice(tree.nodes());
                }
            }
        }
        Tree::new(nodes)
    }

    /// What the variables must stand for so that the term is the subtree at a node of a tree.
    pub fn matched(&self, tree: &Tree, place: usize) -> Option<Vec<Option<Tree>>> {
        let most = self.variables().max().map_or(0, |most| most as usize + 1);
        let mut found: Vec<Option<Tree>> = vec![None; most];
        let mut at = place;
        for piece in &self.pieces {
            match piece {
                Piece::Node(node) if tree.nodes().get(at) == Some(node) => at += 1,
                Piece::Node(_) => return None,
                Piece::Variable(number) => {
                    let here = tree.subtree(at);
                    at += here.size();
                    match &mut found[*number as usize] {
                        Some(before) if *before != here => return None,
                        place => *place = Some(here),
                    }
                }
            }
        }
        Some(found)
    }

    /// The term as text.
    pub fn text(&self, alphabet: &Alphabet, variables: &dyn Fn(u32) -> String) -> String {
        self.fold(|piece, below: Vec<String>| match piece {
            Piece::Variable(number) => variables(number),
            Piece::Node(node) if below.is_empty() => alphabet.name(node.symbol).to_owned(),
            Piece::Node(node) => format!("{}({})", alphabet.name(node.symbol), below.join(",")),
        })
    }

    /// The same term with variables whose numbers are so much larger.
    #[must_use]
    pub fn shifted(&self, by: u32) -> Term {
        let shifted = |piece: &Piece| match piece {
            Piece::Variable(number) => Piece::Variable(*number + by),
            node => *node,
        };
        Term {
            pieces: self.pieces.iter().map(shifted).collect(),
        }
    }

    /// The same term with other numbers for its symbols.
    #[must_use]
    pub fn renamed(&self, numbers: &[Symbol]) -> Term {
        let renamed = |piece: &Piece| match piece {
            Piece::Variable(number) => Piece::Variable(*number),
            Piece::Node(node) => Piece::Node(Node {
                symbol: numbers[node.symbol.index()],
                arity: node.arity,
            }),
        };
        Term {
            pieces: self.pieces.iter().map(renamed).collect(),
        }
    }
}
