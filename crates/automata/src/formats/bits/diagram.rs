//! Decision diagrams over bits: formulas, and the partition of all vectors that they make.

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use super::Token;
use crate::Letter;
use crate::vectors::{self, Cube};

/// There are more classes, or more nodes, than allowed.
#[derive(Debug)]
pub(super) struct TooMany;

/// The classes of vectors that no formula tells apart.
pub(super) struct Partition {
    formulas: Formulas,
    /// The leaves are the classes.
    diagram: Nodes,
    root: u32,
    /// What each refinement made of the classes before: for each class the one that it is a
    /// part of, and whether it is the part inside the formula.
    stages: Vec<Vec<(u32, bool)>>,
    /// The refinement by each formula.
    stage_of: FxHashMap<u32, usize>,
    most: usize,
}

/// How many cubes of a class are told.
const CUBES: usize = 3;

impl Partition {
    /// All vectors in one class; with no more than `most` classes to come.
    pub(super) fn new(most: usize) -> Partition {
        let mut diagram = Nodes::default();
        let root = diagram.leaf(0);
        Partition {
            formulas: Formulas::new(),
            diagram,
            root,
            stages: Vec::new(),
            stage_of: FxHashMap::default(),
            most: most.max(1),
        }
    }

    /// Tells apart what a formula tells apart; gives the number of the refinement. Bits are
    /// asked for in the order of `numbers`.
    pub(super) fn refine(
        &mut self,
        formula: &[Token],
        numbers: &[u32],
        budget: &Budget,
    ) -> Result<Result<usize, TooMany>, Stop> {
        let formula = self.formulas.of(formula, numbers, budget)?;
        if let Some(&stage) = self.stage_of.get(&formula) {
            return Ok(Ok(stage));
        }
        let mut refinement = Refinement {
            formulas: &self.formulas.nodes,
            old: &self.diagram,
            new: Nodes::default(),
            classes: FxHashMap::default(),
            parts: Vec::new(),
            done: FxHashMap::default(),
            budget,
        };
        let root = refinement.of(self.root, formula)?;
        let Refinement { new, parts, .. } = refinement;
        if parts.len() > self.most || new.list.len() > self.most.saturating_mul(NODES_A_CLASS) {
            return Ok(Err(TooMany));
        }
        (self.root, self.diagram) = (root, new);
        self.stages.push(parts);
        self.stage_of.insert(formula, self.stages.len() - 1);
        Ok(Ok(self.stages.len() - 1))
    }

    /// For each refinement the classes inside its formula.
    pub(super) fn members(&self) -> Vec<Bits> {
        let count = self.stages.last().map_or(1, Vec::len);
        let mut current: Vec<u32> = (0..count as u32).collect();
        let mut members = vec![Bits::with_capacity(count); self.stages.len()];
        for (stage, members) in self.stages.iter().zip(&mut members).rev() {
            for (class, at) in current.iter_mut().enumerate() {
                let (whole, inside) = stage[*at as usize];
                members.set(class, inside);
                *at = whole;
            }
        }
        members
    }

    /// The diagram, whose letters are the numbers of the classes, and its root.
    pub(super) fn into_diagram(self) -> (Vec<vectors::Node>, u32) {
        let nodes = self.diagram.list.into_iter().map(|node| match node {
            Node { bit: LEAF, low, .. } => vectors::Node::Letter(Letter(low)),
            Node { bit, low, high } => vectors::Node::Question { bit, low, high },
        });
        (nodes.collect(), self.root)
    }

    /// For each class some cubes that it is made of, and whether these are all.
    pub(super) fn cubes(&self) -> Vec<(Vec<Cube>, bool)> {
        let nodes = &self.diagram.list;
        let mut above: Vec<Vec<(u32, bool)>> = vec![Vec::new(); nodes.len()];
        let mut classes = Vec::new();
        for (number, node) in (0u32..).zip(nodes) {
            if node.bit == LEAF {
                classes.push((node.low, number));
            } else {
                above[node.low as usize].push((number, false));
                above[node.high as usize].push((number, true));
            }
        }
        classes.sort_unstable();
        let cubes = |(_, leaf): (u32, u32)| {
            let mut found = Vec::new();
            let mut waiting: Vec<(u32, Cube)> = vec![(leaf, Cube::new())];
            while let Some((node, cube)) = waiting.pop() {
                if above[node as usize].is_empty() {
                    if found.len() == CUBES {
                        return (found, false);
                    }
                    found.push(cube.into_iter().rev().collect());
                    continue;
                }
                // More than a few of those that wait are never looked at.
                for &(parent, value) in above[node as usize].iter().take(CUBES + 1).rev() {
                    let mut longer = cube.clone();
                    longer.push((nodes[parent as usize].bit, value));
                    waiting.push((parent, longer));
                }
            }
            (found, true)
        };
        classes.into_iter().map(cubes).collect()
    }
}

/// Nodes for each class that is allowed.
const NODES_A_CLASS: usize = 64;

/// A question for a bit with a way for each answer; or a leaf, whose bit is [`LEAF`] and whose
/// meaning is in `low`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    bit: u32,
    low: u32,
    high: u32,
}

const LEAF: u32 = u32::MAX;

/// Nodes, each once: on every way from the root the numbers of the bits go up, and no node has
/// the same way for both answers. So equal functions are equal numbers.
#[derive(Default)]
struct Nodes {
    list: Vec<Node>,
    numbers: FxHashMap<Node, u32>,
}

impl Nodes {
    fn leaf(&mut self, meaning: u32) -> u32 {
        self.intern(Node {
            bit: LEAF,
            low: meaning,
            high: meaning,
        })
    }

    fn question(&mut self, bit: u32, low: u32, high: u32) -> u32 {
        match low == high {
            true => low,
            false => self.intern(Node { bit, low, high }),
        }
    }

    fn intern(&mut self, node: Node) -> u32 {
        *self.numbers.entry(node).or_insert_with(|| {
            self.list.push(node);
            self.list.len() as u32 - 1
        })
    }

    fn get(&self, number: u32) -> Node {
        self.list[number as usize]
    }

    /// Where a node leads by the answer for a bit that is not after its own.
    fn ways(&self, number: u32, bit: u32) -> (u32, u32) {
        let node = self.get(number);
        match node.bit == bit && bit != LEAF {
            true => (node.low, node.high),
            false => (number, number),
        }
    }
}

/// Formulas as diagrams with the leaves 0 and 1, which are also the first two nodes.
struct Formulas {
    nodes: Nodes,
    conjunctions: FxHashMap<(u32, u32), u32>,
    negations: FxHashMap<u32, u32>,
}

const FALSE: u32 = 0;
const TRUE: u32 = 1;

impl Formulas {
    fn new() -> Formulas {
        let mut nodes = Nodes::default();
        nodes.leaf(FALSE);
        nodes.leaf(TRUE);
        Formulas {
            nodes,
            conjunctions: FxHashMap::default(),
            negations: FxHashMap::default(),
        }
    }

    fn of(&mut self, formula: &[Token], numbers: &[u32], budget: &Budget) -> Result<u32, Stop> {
        let mut stack: Vec<u32> = Vec::new();
        for token in formula {
            let made = match token {
                Token::Bit(bit) => self.nodes.question(numbers[*bit as usize], FALSE, TRUE),
                Token::Constant(value) => u32::from(*value),
                Token::Not => {
                    let inner = stack.pop().unwrap_or(FALSE);
                    self.not(inner, budget)?
                }
                Token::And | Token::Or => {
                    let right = stack.pop().unwrap_or(FALSE);
                    let left = stack.pop().unwrap_or(FALSE);
                    match token {
                        Token::And => self.and(left, right, budget)?,
                        _ => {
                            let (left, right) = (self.not(left, budget)?, self.not(right, budget)?);
                            let neither = self.and(left, right, budget)?;
                            self.not(neither, budget)?
                        }
                    }
                }
            };
            stack.push(made);
        }
        Ok(stack.pop().unwrap_or(FALSE))
    }

    fn not(&mut self, inner: u32, budget: &Budget) -> Result<u32, Stop> {
        if inner <= TRUE {
            return Ok(TRUE - inner);
        }
        if let Some(&done) = self.negations.get(&inner) {
            return Ok(done);
        }
        budget.charge(1)?;
        let node = self.nodes.get(inner);
        let (low, high) = (self.not(node.low, budget)?, self.not(node.high, budget)?);
        let made = self.nodes.question(node.bit, low, high);
        self.negations.insert(inner, made);
        self.negations.insert(made, inner);
        Ok(made)
    }

    fn and(&mut self, left: u32, right: u32, budget: &Budget) -> Result<u32, Stop> {
        let (left, right) = (left.min(right), left.max(right));
        match (left, right) {
            (FALSE, _) => return Ok(FALSE),
            (TRUE, other) => return Ok(other),
            _ if left == right => return Ok(left),
            _ => {}
        }
        if let Some(&done) = self.conjunctions.get(&(left, right)) {
            return Ok(done);
        }
        budget.charge(1)?;
        let bit = self.nodes.get(left).bit.min(self.nodes.get(right).bit);
        let (left_ways, right_ways) = (self.nodes.ways(left, bit), self.nodes.ways(right, bit));
        let low = self.and(left_ways.0, right_ways.0, budget)?;
        let high = self.and(left_ways.1, right_ways.1, budget)?;
        let made = self.nodes.question(bit, low, high);
        self.conjunctions.insert((left, right), made);
        Ok(made)
    }
}

/// Both diagrams walked together: each class meets the formula and its negation.
struct Refinement<'a> {
    formulas: &'a Nodes,
    old: &'a Nodes,
    new: Nodes,
    /// The new classes by the old ones and whether inside.
    classes: FxHashMap<(u32, bool), u32>,
    parts: Vec<(u32, bool)>,
    done: FxHashMap<(u32, u32), u32>,
    budget: &'a Budget,
}

impl Refinement<'_> {
    fn of(&mut self, classes: u32, formula: u32) -> Result<u32, Stop> {
        if let Some(&done) = self.done.get(&(classes, formula)) {
            return Ok(done);
        }
        self.budget.charge(1)?;
        let (old, asked) = (self.old.get(classes), self.formulas.get(formula));
        let bit = old.bit.min(asked.bit);
        let made = if bit == LEAF {
            let part = (old.low, asked.low == TRUE);
            let parts = &mut self.parts;
            let class = *self.classes.entry(part).or_insert_with(|| {
                parts.push(part);
                parts.len() as u32 - 1
            });
            self.new.leaf(class)
        } else {
            let (old, asked) = (
                self.old.ways(classes, bit),
                self.formulas.ways(formula, bit),
            );
            let low = self.of(old.0, asked.0)?;
            let high = self.of(old.1, asked.1)?;
            self.new.question(bit, low, high)
        };
        self.done.insert((classes, formula), made);
        Ok(made)
    }
}
