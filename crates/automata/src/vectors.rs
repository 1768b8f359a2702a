//! Letters that stand for vectors of bits.

use crate::{Letter, Predicate};

/// What the letters of an alphabet stand for where each is a class of vectors of bits: a
/// decision diagram whose leaves are the letters.
///
/// An [`Alphabet`](crate::Alphabet) carries it along, so that whatever is computed over such
/// letters can be written as formulas over bits again and read together with other files. As
/// mere names, letters of two files would never meet though their vectors do.
#[derive(Debug, Clone)]
pub(crate) struct Vectors {
    /// The names of the bits; positions for bits without names.
    pub(crate) bits: Vec<String>,
    /// How long vectors are, if bits are known by position only.
    pub(crate) positions: Option<usize>,
    /// Nodes come after those that they lead to.
    pub(crate) nodes: Vec<Node>,
    /// Where to begin.
    pub(crate) root: u32,
}

/// A node of the diagram.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Node {
    /// All vectors that lead here are this letter.
    Letter(Letter),
    /// Asks for a bit, by its number.
    Question { bit: u32, low: u32, high: u32 },
}

/// The vectors that have these values at these bits, whatever the others are.
pub(crate) type Cube = Vec<(u32, bool)>;

/// How much of what is below a node is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Share {
    Nothing,
    Some,
    All,
}

impl Vectors {
    /// Disjoint cubes that together are exactly the vectors of some letters, handed to `each`
    /// in the order of the bits until it refuses one.
    pub(crate) fn cubes<E>(
        &self,
        letters: &Predicate,
        mut each: impl FnMut(&Cube) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut share: Vec<Share> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            share.push(match *node {
                Node::Letter(letter) if letters.contains(letter) => Share::All,
                Node::Letter(_) => Share::Nothing,
                Node::Question { low, high, .. } => {
                    match (share[low as usize], share[high as usize]) {
                        (low, high) if low == high => low,
                        _ => Share::Some,
                    }
                }
            });
        }
        let mut waiting: Vec<(u32, Cube)> = vec![(self.root, Cube::new())];
        while let Some((node, cube)) = waiting.pop() {
            match (share[node as usize], self.nodes[node as usize]) {
                (Share::Nothing, _) => {}
                (Share::Some, Node::Question { bit, low, high }) => {
                    let with = |value| cube.iter().copied().chain([(bit, value)]).collect();
                    waiting.push((high, with(true)));
                    waiting.push((low, with(false)));
                }
                _ => each(&cube)?,
            }
        }
        Ok(())
    }
}
