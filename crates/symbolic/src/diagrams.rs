//! Decision diagrams with limits: OxiDD behind the few operations that the engine needs.
//!
//! Running out of nodes is tried once more after collecting garbage and is then
//! [`Stop::Memory`]; every operation polls the budget, and is charged to it together with the nodes
//! that it made. Variables are numbered by the engine and keep their number when the order changes.

mod sift;
#[cfg(test)]
mod tests;

use std::cell::Cell;

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::util::num::Natural;
use oxidd::util::{AllocResult, OptBool, SatCountCache};
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, HasLevel,
    Manager, ManagerRef, Subst,
};
use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

/// A set of valuations: a Boolean function as a decision diagram.
pub(crate) type Set = BCDDFunction;

/// A variable of the diagrams, as the engine numbers it.
pub(crate) type Var = u32;

/// What a node takes, its share of the tables included.
const BYTES_PER_NODE: u64 = 32;

/// Each time the room is too small, there is so many times more.
const GROWTH: usize = 8;

/// How big the diagrams may get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Config {
    /// The most nodes that all diagrams may have together, about 32 bytes each.
    pub nodes: usize,
    /// How many nodes there is room for at first. Who needs more asks again with a config that
    /// is [`grown`](Config::grown), so that small models take little memory.
    pub room: usize,
    /// How many results of operations are remembered.
    pub cache: usize,
    /// Look for a better order of the variables from this many new nodes on, if the work since
    /// the last time is worth it; never if `None`.
    pub reorder_from: Option<usize>,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            nodes: 1 << 25,
            room: 1 << 20,
            cache: 1 << 19,
            reorder_from: Some(20_000),
        }
    }
}

impl Config {
    /// The largest limits with which an engine stays within some bytes of memory. Up to three
    /// families of diagrams exist at a time: those of the model, of a formula, and the new ones
    /// while an order changes.
    pub fn within(bytes: u64) -> Config {
        let most = usize::try_from(bytes / (3 * BYTES_PER_NODE)).unwrap_or(usize::MAX);
        let standard = Config::default();
        let nodes = most.clamp(1 << 10, standard.nodes);
        Config {
            nodes,
            room: standard.room.min(nodes),
            cache: standard.cache.min(nodes.next_power_of_two()),
            ..standard
        }
    }

    /// With so little room that it is soon clear whether that is enough; there is never more of it.
    pub fn little(self) -> Config {
        let nodes = self.nodes.min(1 << 15);
        Config {
            nodes,
            room: nodes,
            cache: self.cache.min(nodes.next_power_of_two()),
            reorder_from: None,
        }
    }

    /// With more room, if there may be more.
    pub fn grown(self) -> Option<Config> {
        let room = self.room.saturating_mul(GROWTH).min(self.nodes);
        (room > self.room).then_some(Config { room, ..self })
    }

    /// For models of a few bits: made and dropped fast.
    pub fn small() -> Config {
        Config {
            nodes: 1 << 16,
            room: 1 << 16,
            cache: 1 << 10,
            reorder_from: None,
        }
    }
}

/// Whether so many nodes, and the tables around them while an order changes, can be had at all:
/// the address space may be limited, and the diagrams themselves do not ask before they take.
fn is_there_memory_for(nodes: usize) -> bool {
    let bytes = (nodes as u64).saturating_mul(3 * BYTES_PER_NODE);
    let mut probe: Vec<u8> = Vec::new();
    let there_is = usize::try_from(bytes).is_ok_and(|bytes| probe.try_reserve_exact(bytes).is_ok());
    drop(probe);
    there_is && can_start_worker()
}

/// Whether a thread with as much stack as the diagrams take for theirs can be started.
fn can_start_worker() -> bool {
    let size = std::env::var("OXIDD_STACK_SIZE");
    let size = size.ok().and_then(|size| size.parse().ok());
    let worker = std::thread::Builder::new().stack_size(size.unwrap_or(1 << 30));
    worker
        .spawn(|| ())
        .is_ok_and(|thread| thread.join().is_ok())
}

/// A variable renaming, prepared once.
pub(crate) struct Renaming(Subst<Set>);

pub(crate) struct Diagrams {
    manager: BCDDManagerRef,
    /// How many nodes there is room for.
    capacity: usize,
    config: Config,
    /// What operations may use; a caller may exchange it between two questions.
    pub(crate) budget: Budget,
    /// The level (and number inside OxiDD) of each variable.
    levels: Vec<u32>,
    /// The variable at each level.
    variables: Vec<Var>,
    collect_at: Cell<usize>,
    operations: Cell<u32>,
    /// How many nodes there were when operations were last charged to the budget.
    charged: Cell<usize>,
}

/// So many operations are charged to the budget together.
const CHARGE_EVERY: u32 = 32;

impl Diagrams {
    /// Diagrams over as many variables as the order has, from top to bottom.
    pub(crate) fn new(order: Vec<Var>, config: Config, budget: Budget) -> Result<Diagrams, Stop> {
        let capacity = config.room.min(config.nodes);
        if !is_there_memory_for(capacity) {
            return Err(Stop::Memory);
        }
        // It panics if there is no room for its thread, whatever was found a moment ago.
        let manager =
            std::panic::catch_unwind(|| oxidd::bcdd::new_manager(capacity, config.cache, 1))
                .map_err(|_| Stop::Memory)?;
        let count = order.len() as u32;
        if count > 0 {
            manager.with_manager_exclusive(|manager| manager.add_vars(count));
        }
        let mut levels = vec![0; order.len()];
        for (level, &variable) in order.iter().enumerate() {
            levels[variable as usize] = level as u32;
        }
        Ok(Diagrams {
            manager,
            capacity,
            config,
            budget,
            levels,
            variables: order,
            collect_at: Cell::new((capacity / 2).min(1 << 21)),
            operations: Cell::new(0),
            charged: Cell::new(0),
        })
    }

    /// A new variable below all others.
    pub(crate) fn add_variable(&mut self) -> Var {
        let level = self.levels.len() as u32;
        self.manager
            .with_manager_exclusive(|manager| manager.add_vars(1));
        self.levels.push(level);
        self.variables.push(level);
        level
    }

    /// How many variables stand above one.
    pub(crate) fn level(&self, variable: Var) -> u32 {
        self.levels[variable as usize]
    }

    pub(crate) fn constant(&self, value: bool) -> Set {
        self.manager.with_manager_shared(|manager| match value {
            true => Set::t(manager),
            false => Set::f(manager),
        })
    }

    pub(crate) fn variable(&self, variable: Var) -> Result<Set, Stop> {
        let level = self.levels[variable as usize];
        self.manager
            .with_manager_shared(|manager| Set::var(manager, level))
            .map_err(|_| Stop::Memory)
    }

    /// Runs an operation, a second time with collected garbage if there is no room.
    fn run(&self, operation: impl Fn() -> AllocResult<Set>) -> Result<Set, Stop> {
        self.budget.poll()?;
        let result = match operation() {
            Ok(result) => result,
            Err(_) => {
                self.collect();
                operation().map_err(|_| Stop::Memory)?
            }
        };
        self.operations.set(self.operations.get().wrapping_add(1));
        if self.operations.get().is_multiple_of(CHARGE_EVERY) {
            let nodes = self.nodes();
            let made = nodes.saturating_sub(self.charged.replace(nodes));
            if nodes > self.collect_at.get() {
                self.collect();
                self.charged.set(self.nodes());
            }
            self.budget.charge(u64::from(CHARGE_EVERY) + made as u64)?;
        }
        Ok(result)
    }

    pub(crate) fn and(&self, left: &Set, right: &Set) -> Result<Set, Stop> {
        self.run(|| left.and(right))
    }

    pub(crate) fn or(&self, left: &Set, right: &Set) -> Result<Set, Stop> {
        self.run(|| left.or(right))
    }

    pub(crate) fn xor(&self, left: &Set, right: &Set) -> Result<Set, Stop> {
        self.run(|| left.xor(right))
    }

    /// The left without the right.
    pub(crate) fn minus(&self, left: &Set, right: &Set) -> Result<Set, Stop> {
        self.run(|| right.imp_strict(left))
    }

    pub(crate) fn not(&self, set: &Set) -> Result<Set, Stop> {
        set.not().map_err(|_| Stop::Memory)
    }

    pub(crate) fn choose(&self, test: &Set, then: &Set, other: &Set) -> Result<Set, Stop> {
        self.run(|| test.ite(then, other))
    }

    pub(crate) fn exists(&self, set: &Set, cube: &Set) -> Result<Set, Stop> {
        self.run(|| set.exists(cube))
    }

    /// The conjunction with the variables of the cube quantified away, in one go.
    pub(crate) fn and_exists(&self, left: &Set, right: &Set, cube: &Set) -> Result<Set, Stop> {
        self.run(|| left.apply_exists(BooleanOperator::And, right, cube))
    }

    /// The conjunction of variables.
    pub(crate) fn cube(&self, variables: impl IntoIterator<Item = Var>) -> Result<Set, Stop> {
        self.literals(variables.into_iter().map(|variable| (variable, true)))
    }

    /// The conjunction of literals.
    pub(crate) fn literals(
        &self,
        literals: impl IntoIterator<Item = (Var, bool)>,
    ) -> Result<Set, Stop> {
        let mut literals: Vec<(u32, bool)> = literals
            .into_iter()
            .map(|(variable, value)| (self.levels[variable as usize], value))
            .collect();
        // From the bottom up, each conjunction is one new node.
        literals.sort_unstable_by(|left, right| right.cmp(left));
        self.manager.with_manager_shared(|manager| {
            let mut cube = Set::t(manager);
            for (level, value) in literals {
                let literal = match value {
                    true => Set::var(manager, level),
                    false => Set::not_var(manager, level),
                };
                cube = literal
                    .and_then(|literal| literal.and(&cube))
                    .map_err(|_| Stop::Memory)?;
            }
            Ok(cube)
        })
    }

    /// Prepares the renaming of each first variable to the second.
    pub(crate) fn renaming(&self, pairs: &[(Var, Var)]) -> Result<Renaming, Stop> {
        let from = pairs.iter().map(|&(from, _)| self.levels[from as usize]);
        let to: Result<Vec<Set>, Stop> = pairs.iter().map(|&(_, to)| self.variable(to)).collect();
        Ok(Renaming(Subst::new(from.collect(), to?)))
    }

    pub(crate) fn rename(&self, set: &Set, renaming: &Renaming) -> Result<Set, Stop> {
        if !set.satisfiable() || set.valid() {
            return Ok(set.clone());
        }
        self.run(|| set.substitute(&renaming.0))
    }

    pub(crate) fn is_subset(&self, left: &Set, right: &Set) -> Result<bool, Stop> {
        Ok(!self.minus(left, right)?.satisfiable())
    }

    /// Some literals of a valuation in the set; variables that are free are missing.
    pub(crate) fn pick(&self, set: &Set) -> Option<Vec<(Var, bool)>> {
        let cube = set.pick_cube(|_, _, _| false)?;
        let literals = cube.iter().enumerate().filter_map(|(level, value)| {
            let variable = self.variables[level];
            match value {
                OptBool::None => None,
                OptBool::True => Some((variable, true)),
                OptBool::False => Some((variable, false)),
            }
        });
        Some(literals.collect())
    }

    /// How many valuations of `variables` many variables are in the set, which depends on no
    /// others.
    pub(crate) fn count(&self, set: &Set, variables: u32) -> Natural {
        let mut cache: SatCountCache<Natural, rustc_hash::FxBuildHasher> = SatCountCache::default();
        set.sat_count(variables, &mut cache)
    }

    /// The variables that a set depends on, sorted.
    pub(crate) fn support(&self, set: &Set) -> Vec<Var> {
        let mut found: Vec<Var> = self
            .shape(std::slice::from_ref(set))
            .nodes
            .iter()
            .map(|&(variable, _, _)| variable)
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// How many nodes a set has.
    pub(crate) fn size(&self, set: &Set) -> usize {
        set.node_count()
    }

    /// How many nodes there are, garbage included.
    pub(crate) fn nodes(&self) -> usize {
        self.manager
            .with_manager_shared(|manager| manager.approx_num_inner_nodes())
    }

    /// Frees what nobody uses.
    pub(crate) fn collect(&self) {
        self.manager.with_manager_shared(|manager| manager.gc());
        let most = self.capacity / 10 * 9;
        self.collect_at
            .set((self.nodes() * 4).max(1 << 21).min(most));
    }

    /// The nodes of some sets as plain data.
    pub(crate) fn shape(&self, sets: &[Set]) -> Shape {
        let mut shape = Shape::default();
        self.manager.with_manager_shared(|manager| {
            let mut known: FxHashMap<usize, u32> = FxHashMap::default();
            for set in sets {
                // A node is listed when its children are: an explicit stack, for depth.
                let mut stack = vec![set.clone()];
                while let Some(top) = stack.last() {
                    let edge = top.as_edge(manager);
                    let identity = edge.node_id();
                    let Some((high, low)) = top.cofactors() else {
                        stack.pop();
                        continue;
                    };
                    if known.contains_key(&identity) {
                        stack.pop();
                        continue;
                    }
                    // The children of the node itself, whatever the sign of this edge.
                    let flip = edge.tag() != Default::default();
                    let level = manager.get_node(edge).unwrap_inner().level();
                    let reference = |child: &Set| match child.satisfiable() && !child.valid() {
                        false => Some(u32::from(child.satisfiable() == flip)),
                        true => {
                            let edge = child.as_edge(manager);
                            let sign = (edge.tag() != Default::default()) != flip;
                            let index = known.get(&edge.node_id())?;
                            Some((index + 1) << 1 | u32::from(sign))
                        }
                    };
                    match (reference(&high), reference(&low)) {
                        (Some(high), Some(low)) => {
                            let variable = self.variables[level as usize];
                            known.insert(identity, shape.nodes.len() as u32);
                            shape.nodes.push((variable, high, low));
                            stack.pop();
                        }
                        (high_known, low_known) => {
                            if low_known.is_none() {
                                stack.push(low);
                            }
                            if high_known.is_none() {
                                stack.push(high);
                            }
                        }
                    }
                }
                shape.roots.push(match set.satisfiable() && !set.valid() {
                    false => u32::from(!set.satisfiable()),
                    true => {
                        let edge = set.as_edge(manager);
                        let sign = edge.tag() != Default::default();
                        (known[&edge.node_id()] + 1) << 1 | u32::from(sign)
                    }
                });
            }
        });
        shape
    }

    /// The sets of a shape, in these diagrams.
    pub(crate) fn load(&self, shape: &Shape) -> Result<Vec<Set>, Stop> {
        let mut sets: Vec<Set> = vec![self.constant(true)];
        let get = |sets: &[Set], reference: u32| -> Result<Set, Stop> {
            let set = &sets[(reference >> 1) as usize];
            match reference & 1 {
                0 => Ok(set.clone()),
                _ => self.not(set),
            }
        };
        for &(variable, high, low) in &shape.nodes {
            let (high, low) = (get(&sets, high)?, get(&sets, low)?);
            let test = self.variable(variable)?;
            sets.push(self.choose(&test, &high, &low)?);
        }
        let roots = shape.roots.iter().map(|&root| get(&sets, root));
        roots.collect()
    }

    /// Looks for an order in which the guiding sets are smaller, and moves them and the carried
    /// sets to diagrams with it. Answers whether the order changed: all other sets are then
    /// lost.
    pub(crate) fn reorder(
        &mut self,
        groups: &[Vec<Var>],
        guiding: &mut [&mut Set],
        carried: &mut [&mut Set],
    ) -> Result<bool, Stop> {
        let cloned = |sets: &[&mut Set]| sets.iter().map(|set| (**set).clone()).collect::<Vec<_>>();
        let shape = self.shape(&cloned(guiding));
        let Some((order, shape)) = sift::improve(&shape, &self.variables, groups, &self.budget)?
        else {
            return Ok(false);
        };
        let rest = self.shape(&cloned(carried));
        // Without room for a copy the order stays as it is.
        let Ok(fresh) = Diagrams::new(order, self.config, self.budget.clone()) else {
            return Ok(false);
        };
        let (shape, rest) = (fresh.load(&shape)?, fresh.load(&rest)?);
        for (place, set) in guiding.iter_mut().zip(shape) {
            **place = set;
        }
        for (place, set) in carried.iter_mut().zip(rest) {
            **place = set;
        }
        *self = fresh;
        Ok(true)
    }
}

/// Decision diagrams as plain data: nodes with their variable and two children, children
/// first. A reference is twice the number of a node from 1 on, plus one if negated; 0 is true
/// and 1 is false.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Variable, child where it is true, child where it is false.
    pub(crate) nodes: Vec<(Var, u32, u32)>,
    pub(crate) roots: Vec<u32>,
}
