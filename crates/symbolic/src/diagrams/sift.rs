//! A better order of the variables, found by sifting (Rudell 1993).
//!
//! OxiDD sets an order but does not search for one, so the search runs on a copy: nodes with
//! complement edges, one hash table a level, reference counts, swaps of neighbouring levels.
//! Variables are moved in groups (a bit and its next-state twin), the biggest groups first.

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use super::{Shape, Var};

/// The most groups that are moved in one search: the biggest ones decide.
const MOST_MOVED: usize = 300;
/// A group turns back when the diagrams have grown by this factor.
const GROWTH: f64 = 1.2;

/// Searches for an order with smaller diagrams; `None` if the gain is not worth a move.
pub(super) fn improve(
    shape: &Shape,
    order: &[Var],
    groups: &[Vec<Var>],
    budget: &Budget,
) -> Result<Option<(Vec<Var>, Shape)>, Stop> {
    let mut forest = Forest::new(shape, order, groups);
    let before = forest.live;
    forest.sift_all(budget)?;
    if forest.live * 20 > before * 19 {
        return Ok(None);
    }
    Ok(Some((forest.order.clone(), forest.shape())))
}

#[derive(Clone, Copy)]
struct Node {
    variable: Var,
    high: u32,
    low: u32,
    references: u32,
}

struct Forest {
    /// Node 0 is the terminal *true*; a reference is twice a node plus its sign.
    nodes: Vec<Node>,
    free: Vec<u32>,
    /// For each variable, its nodes by their children.
    tables: Vec<FxHashMap<(u32, u32), u32>>,
    order: Vec<Var>,
    levels: Vec<u32>,
    /// Which group each variable belongs to, and how many it has.
    group: Vec<u32>,
    group_sizes: Vec<u32>,
    roots: Vec<u32>,
    live: usize,
}

impl Forest {
    fn new(shape: &Shape, order: &[Var], groups: &[Vec<Var>]) -> Forest {
        let count = order.len();
        let mut levels = vec![0; count];
        for (level, &variable) in order.iter().enumerate() {
            levels[variable as usize] = level as u32;
        }
        let (group, group_sizes) = contiguous_groups(order, groups);
        let mut forest = Forest {
            nodes: vec![Node {
                variable: Var::MAX,
                high: 0,
                low: 0,
                references: u32::MAX / 2,
            }],
            free: Vec::new(),
            tables: vec![FxHashMap::default(); count],
            order: order.to_vec(),
            levels,
            group,
            group_sizes,
            roots: Vec::new(),
            live: 0,
        };
        let mut loaded = vec![0u32];
        let get =
            |loaded: &[u32], reference: u32| loaded[(reference >> 1) as usize] ^ (reference & 1);
        for &(variable, high, low) in &shape.nodes {
            let (high, low) = (get(&loaded, high), get(&loaded, low));
            let made = forest.make(variable, high, low);
            loaded.push(made);
        }
        for &root in &shape.roots {
            let root = get(&loaded, root);
            forest.nodes[(root >> 1) as usize].references += 1;
            forest.roots.push(root);
        }
        forest
    }

    /// The reference to a node; its children gain a reference if it is new. The high child
    /// of a stored node is never negated.
    fn make(&mut self, variable: Var, high: u32, low: u32) -> u32 {
        if high == low {
            return high;
        }
        let flip = high & 1;
        let (high, low) = (high ^ flip, low ^ flip);
        if let Some(&node) = self.tables[variable as usize].get(&(high, low)) {
            return node << 1 | flip;
        }
        self.nodes[(high >> 1) as usize].references += 1;
        self.nodes[(low >> 1) as usize].references += 1;
        let node = Node {
            variable,
            high,
            low,
            references: 0,
        };
        let index = match self.free.pop() {
            Some(index) => {
                self.nodes[index as usize] = node;
                index
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
        };
        self.tables[variable as usize].insert((high, low), index);
        self.live += 1;
        index << 1 | flip
    }

    /// Drops a reference, and the node with its last one.
    fn release(&mut self, reference: u32) {
        let mut open = vec![reference >> 1];
        while let Some(index) = open.pop() {
            let node = &mut self.nodes[index as usize];
            node.references -= 1;
            if node.references == 0 && index != 0 {
                let node = *node;
                self.tables[node.variable as usize].remove(&(node.high, node.low));
                self.free.push(index);
                self.live -= 1;
                open.extend([node.high >> 1, node.low >> 1]);
            }
        }
    }

    fn variable_of(&self, reference: u32) -> Var {
        self.nodes[(reference >> 1) as usize].variable
    }

    /// The children of a reference with respect to a variable at or above its top.
    fn cofactors(&self, reference: u32, variable: Var) -> (u32, u32) {
        let node = self.nodes[(reference >> 1) as usize];
        match node.variable == variable {
            true => (node.high ^ (reference & 1), node.low ^ (reference & 1)),
            false => (reference, reference),
        }
    }

    /// Exchanges a level with the one below: nodes of the upper variable that depend on the
    /// lower one are rewritten in place, so that references to them stay right.
    fn swap(&mut self, level: usize) {
        let (upper, lower) = (self.order[level], self.order[level + 1]);
        let nodes: Vec<u32> = self.tables[upper as usize].values().copied().collect();
        for index in nodes {
            let Node { high, low, .. } = self.nodes[index as usize];
            if self.variable_of(high) != lower && self.variable_of(low) != lower {
                continue;
            }
            let ((hh, hl), (lh, ll)) = (self.cofactors(high, lower), self.cofactors(low, lower));
            self.tables[upper as usize].remove(&(high, low));
            // `hh` is a high child of an unnegated reference, so the new high child is not
            // negated either.
            let new_high = self.make(upper, hh, lh);
            self.nodes[(new_high >> 1) as usize].references += 1;
            let new_low = self.make(upper, hl, ll);
            self.nodes[(new_low >> 1) as usize].references += 1;
            let node = &mut self.nodes[index as usize];
            (node.variable, node.high, node.low) = (lower, new_high, new_low);
            self.tables[lower as usize].insert((new_high, new_low), index);
            self.release(high);
            self.release(low);
        }
        self.order.swap(level, level + 1);
        self.levels[upper as usize] = level as u32 + 1;
        self.levels[lower as usize] = level as u32;
    }

    /// Exchanges the group that begins at a level with the group below it; answers where the
    /// first one begins now.
    fn swap_groups(&mut self, start: usize) -> usize {
        let size = |forest: &Forest, level: usize| {
            let group = forest.group[forest.order[level] as usize];
            forest.group_sizes[group as usize] as usize
        };
        let upper = size(self, start);
        let lower = size(self, start + upper);
        for moved in 0..lower {
            for level in (start + moved..start + moved + upper).rev() {
                self.swap(level);
            }
        }
        start + lower
    }

    fn sift_all(&mut self, budget: &Budget) -> Result<(), Stop> {
        let mut weights: Vec<(usize, u32)> = (0..self.group_sizes.len() as u32)
            .map(|group| (0, group))
            .collect();
        for (variable, table) in self.tables.iter().enumerate() {
            weights[self.group[variable] as usize].0 += table.len();
        }
        weights.sort_unstable_by(|left, right| right.cmp(left));
        for &(weight, group) in weights.iter().take(MOST_MOVED) {
            if weight == 0 {
                break;
            }
            budget.poll()?;
            self.sift(group, budget)?;
        }
        Ok(())
    }

    fn start_of(&self, group: u32) -> usize {
        let variables = self.group.iter().enumerate();
        let levels = variables
            .filter(|&(_, &of)| of == group)
            .map(|(variable, _)| self.levels[variable] as usize);
        levels.min().unwrap_or(0)
    }

    /// Moves a group to the bottom, to the top, and to the best place seen.
    fn sift(&mut self, group: u32, budget: &Budget) -> Result<(), Stop> {
        let count = self.order.len();
        let width = self.group_sizes[group as usize] as usize;
        let mut at = self.start_of(group);
        let (mut best, mut best_at) = (self.live, at);
        let limit = |best: usize| (best as f64 * GROWTH) as usize + 16;
        let down_first = at > count / 2;
        for down in [down_first, !down_first] {
            loop {
                if down && at + width < count {
                    at = self.swap_groups(at);
                } else if !down && at > 0 {
                    at = self.group_above(at);
                    self.swap_groups(at);
                } else {
                    break;
                }
                if self.live < best {
                    (best, best_at) = (self.live, at);
                }
                if self.live > limit(best) {
                    break;
                }
            }
            budget.poll()?;
        }
        while at < best_at {
            at = self.swap_groups(at);
        }
        while at > best_at {
            at = self.group_above(at);
            self.swap_groups(at);
        }
        Ok(())
    }

    /// Where the group above a level begins.
    fn group_above(&self, level: usize) -> usize {
        let group = self.group[self.order[level - 1] as usize];
        level - self.group_sizes[group as usize] as usize
    }

    fn shape(&self) -> Shape {
        let mut shape = Shape::default();
        let mut index_of = vec![0u32; self.nodes.len()];
        for &variable in self.order.iter().rev() {
            let mut level: Vec<(u32, u32, u32)> = self.tables[variable as usize]
                .iter()
                .map(|(&(high, low), &index)| (index, high, low))
                .collect();
            level.sort_unstable();
            for (index, high, low) in level {
                let child =
                    |reference: u32| index_of[(reference >> 1) as usize] << 1 | reference & 1;
                let node = (variable, child(high), child(low));
                shape.nodes.push(node);
                index_of[index as usize] = shape.nodes.len() as u32;
            }
        }
        let root = |&reference: &u32| index_of[(reference >> 1) as usize] << 1 | reference & 1;
        shape.roots = self.roots.iter().map(root).collect();
        shape
    }
}

/// Groups that stand together in the order; all other variables are groups of their own.
fn contiguous_groups(order: &[Var], groups: &[Vec<Var>]) -> (Vec<u32>, Vec<u32>) {
    let mut group = vec![u32::MAX; order.len()];
    let mut wanted = vec![u32::MAX; order.len()];
    for (number, members) in groups.iter().enumerate() {
        for &member in members {
            wanted[member as usize] = number as u32;
        }
    }
    let mut sizes: Vec<u32> = Vec::new();
    let mut before = u32::MAX;
    for &variable in order {
        let wish = wanted[variable as usize];
        if wish == u32::MAX || wish != before {
            sizes.push(0);
        }
        before = wish;
        let number = sizes.len() - 1;
        group[variable as usize] = number as u32;
        sizes[number] += 1;
    }
    (group, sizes)
}
