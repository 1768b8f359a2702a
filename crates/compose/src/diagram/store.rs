//! The nodes of diagrams, each of them once.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use quotient_core::{Budget, Stop};
use rustc_hash::{FxBuildHasher, FxHashMap};

/// A set of words, from some level on.
pub(super) type Id = u32;

/// No word.
pub(super) const NONE: Id = 0;
/// The empty word, below the last level.
pub(super) const END: Id = 1;

/// More nodes than these are not kept.
const MOST_NODES: usize = 4_000_000;

pub(super) struct Store<'a> {
    /// Letters with what comes after, sorted by letter; the first two stand for [`NONE`] and [`END`].
    nodes: Vec<Box<[(u32, Id)]>>,
    table: HashTable<Id>,
    unions: FxHashMap<(Id, Id), Id>,
    budget: &'a Budget,
}

fn hash(edges: &[(u32, Id)]) -> u64 {
    FxBuildHasher.hash_one(edges)
}

impl<'a> Store<'a> {
    pub(super) fn new(budget: &'a Budget) -> Store<'a> {
        Store {
            nodes: vec![Box::default(), Box::default()],
            table: HashTable::new(),
            unions: FxHashMap::default(),
            budget,
        }
    }

    /// The letters of a node with what comes after.
    pub(super) fn children(&self, node: Id) -> &[(u32, Id)] {
        &self.nodes[node as usize]
    }

    /// The node with these letters, sorted; what leads to no word is left out.
    pub(super) fn node(&mut self, edges: &[(u32, Id)]) -> Result<Id, Stop> {
        let edges: Vec<(u32, Id)> = (edges.iter().copied())
            .filter(|&(_, child)| child != NONE)
            .collect();
        if edges.is_empty() {
            return Ok(NONE);
        }
        let same = |id: &Id| *self.nodes[*id as usize] == *edges;
        if let Some(&known) = self.table.find(hash(&edges), same) {
            return Ok(known);
        }
        if self.nodes.len() >= MOST_NODES {
            return Err(Stop::Work);
        }
        self.budget.charge(edges.len() as u64)?;
        let fresh = Id::try_from(self.nodes.len()).map_err(|_| Stop::Work)?;
        let code = hash(&edges);
        self.nodes.push(edges.into_boxed_slice());
        let nodes = &self.nodes;
        (self.table).insert_unique(code, fresh, |id| hash(&nodes[*id as usize]));
        Ok(fresh)
    }

    /// All words of two sets of the same level.
    pub(super) fn union(&mut self, one: Id, other: Id) -> Result<Id, Stop> {
        if one == other || other == NONE {
            return Ok(one);
        }
        if one == NONE {
            return Ok(other);
        }
        let key = (one.min(other), one.max(other));
        if let Some(&known) = self.unions.get(&key) {
            return Ok(known);
        }
        let (left, right) = (self.children(one).to_vec(), self.children(other).to_vec());
        self.budget.charge((left.len() + right.len()) as u64)?;
        let mut edges = Vec::with_capacity(left.len().max(right.len()));
        let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
        loop {
            match (left.peek().copied(), right.peek().copied()) {
                (Some(own), Some(theirs)) if own.0 == theirs.0 => {
                    edges.push((own.0, self.union(own.1, theirs.1)?));
                    left.next();
                    right.next();
                }
                (Some(own), theirs) if theirs.is_none_or(|theirs| own.0 < theirs.0) => {
                    edges.push(own);
                    left.next();
                }
                (_, Some(theirs)) => {
                    edges.push(theirs);
                    right.next();
                }
                _ => break,
            }
        }
        let result = self.node(&edges)?;
        self.unions.insert(key, result);
        Ok(result)
    }

    /// The nodes below one, level by level, that one first.
    pub(super) fn by_level(&self, root: Id) -> Vec<Vec<Id>> {
        let mut levels = Vec::new();
        let mut level = vec![root];
        while level.iter().any(|&node| node > END) {
            let below = level.iter().flat_map(|&node| self.children(node));
            let mut below: Vec<Id> = below.map(|&(_, child)| child).collect();
            below.sort_unstable();
            below.dedup();
            levels.push(std::mem::replace(&mut level, below));
        }
        levels
    }

    /// The nodes below one and that one last, each after its children, which are numbered from 1; 0 is
    /// the end of a word.
    pub(super) fn written(&self, root: Id) -> Vec<Vec<(u32, u32)>> {
        let mut numbers: FxHashMap<Id, u32> = FxHashMap::default();
        numbers.insert(END, 0);
        let mut written: Vec<Vec<(u32, u32)>> = Vec::new();
        for node in self.by_level(root).into_iter().rev().flatten() {
            let edges = self.children(node).iter();
            written.push(
                edges
                    .map(|(state, child)| (*state, numbers[child]))
                    .collect(),
            );
            let number = u32::try_from(written.len()).unwrap_or(u32::MAX);
            numbers.insert(node, number);
        }
        written
    }
}
