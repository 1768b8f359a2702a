//! Where a network ends up: its steady states, its attractors, and what leads there.
//!
//! Under asynchronous update an attractor is a set of states that is not left and in which every
//! state can be reached from every other; one with a single state is steady. Inputs keep their
//! values, so each combination of their values (a colour) has attractors of its own, and all
//! colours are looked at together.
//!
//! What influences nothing is left out first: such a variable follows, and attractors with and
//! without it correspond one to one. For steady states alone, every variable that does not
//! influence itself is replaced by its function (Naldi, Remy, Thieffry and Chaouiya 2011), which
//! makes networks of hundreds of variables small.

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::util::num::Natural;
use oxidd::util::{AllocResult, OptBool, SatCountCache};
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, Function, FunctionSubst, Manager, ManagerRef, Subst,
};
use quotient_core::{Budget, Stop};

use crate::network::{Network, Update, regulators};
use crate::walk::Walk;

pub(crate) type Set = BCDDFunction;

/// Nodes that there is room for.
const NODES: usize = 1 << 24;
/// A function that has grown beyond this many nodes is not put in the place of its variable.
const MOST_REPLACED: usize = 2_000;
/// With more variables than this, not every state is followed.
const MOST_FOLLOWED: usize = 18;
/// Blocks of variables are taken together up to so many variables.
const SMALL_BLOCK: usize = 6;
/// Rounds of pulling related variables together.
const ROUNDS: usize = 40;

/// The decision diagrams of a network.
pub(crate) struct Landscape<'a> {
    network: &'a Network,
    manager: BCDDManagerRef,
    budget: &'a Budget,
    /// The level of each variable.
    pub(crate) levels: Vec<u32>,
    /// The function of each variable.
    pub(crate) functions: Vec<Set>,
}

/// Steady states.
pub(crate) struct Steady {
    /// How many there are, inputs counted as part of the state.
    pub(crate) count: Natural,
    /// Some of them.
    pub(crate) some: Vec<Vec<bool>>,
}

/// Attractors of more than one state.
pub(crate) struct Complex {
    /// How many there are, inputs counted as part of the state.
    pub(crate) count: Natural,
    /// How many states they have together, without the variables that influence nothing.
    pub(crate) states: Natural,
    /// How many variables were left out.
    pub(crate) without: usize,
    /// A state of some of them; what was left out is false.
    pub(crate) some: Vec<Vec<bool>>,
    /// How many states can reach a steady state; `None` if that is too hard to tell.
    pub(crate) to_steady: Option<Natural>,
    /// How many states can reach an attractor of more than one state.
    pub(crate) to_complex: Option<Natural>,
}

/// The attractors of some variables together.
pub(crate) struct Found {
    pub(crate) steady: Set,
    /// The states of all others.
    pub(crate) larger: Set,
    /// How many others there are.
    pub(crate) count: Natural,
    pub(crate) some: Vec<Vec<bool>>,
}

impl<'a> Landscape<'a> {
    /// The diagrams of all functions.
    pub(crate) fn new(network: &'a Network, budget: &'a Budget) -> Result<Landscape<'a>, Stop> {
        let memory = budget.memory_limit();
        let memory = memory.and_then(|bytes| usize::try_from(bytes / 64).ok());
        let most = match network.names.len() {
            0..=12 => 1 << 16,
            13..=30 => 1 << 21,
            _ => NODES,
        };
        let nodes = memory.unwrap_or(most).clamp(1 << 12, most);
        let manager = std::panic::catch_unwind(|| oxidd::bcdd::new_manager(nodes, 1 << 20, 1))
            .map_err(|_| Stop::Memory)?;
        let count = u32::try_from(network.names.len()).map_err(|_| Stop::Memory)?;
        manager.with_manager_exclusive(|manager| manager.add_vars(count));
        let mut landscape = Landscape {
            network,
            manager,
            budget,
            levels: order(network),
            functions: Vec::new(),
        };
        for update in &network.updates {
            let function = landscape.function(update)?;
            landscape.functions.push(function);
        }
        Ok(landscape)
    }

    pub(crate) fn run(&self, operation: impl Fn() -> AllocResult<Set>) -> Result<Set, Stop> {
        self.budget.poll()?;
        operation().or_else(|_| {
            self.manager.with_manager_shared(|manager| manager.gc());
            operation().map_err(|_| Stop::Memory)
        })
    }

    pub(crate) fn constant(&self, value: bool) -> Set {
        self.manager.with_manager_shared(|manager| match value {
            true => Set::t(manager),
            false => Set::f(manager),
        })
    }

    pub(crate) fn variable(&self, at: usize) -> Result<Set, Stop> {
        let level = self.levels[at];
        self.manager
            .with_manager_shared(|manager| Set::var(manager, level))
            .map_err(|_| Stop::Memory)
    }

    fn literal(&self, at: usize, value: bool) -> Result<Set, Stop> {
        let own = self.variable(at)?;
        match value {
            true => Ok(own),
            false => self.run(|| own.not()),
        }
    }

    fn function(&self, update: &Update) -> Result<Set, Stop> {
        Ok(match update {
            Update::Constant(value) => self.constant(*value),
            Update::Variable(at) => self.variable(*at)?,
            Update::Not(inner) => {
                let inner = self.function(inner)?;
                self.run(|| inner.not())?
            }
            Update::And(one, other) | Update::Or(one, other) | Update::Xor(one, other) => {
                let (one, other) = (self.function(one)?, self.function(other)?);
                match update {
                    Update::And(..) => self.run(|| one.and(&other))?,
                    Update::Or(..) => self.run(|| one.or(&other))?,
                    _ => self.run(|| one.xor(&other))?,
                }
            }
        })
    }

    pub(crate) fn minus(&self, one: &Set, other: &Set) -> Result<Set, Stop> {
        self.run(|| other.imp_strict(one))
    }

    /// Whether a function depends on a variable.
    fn depends(&self, function: &Set, at: usize) -> Result<bool, Stop> {
        let own = self.variable(at)?;
        let some = self.run(|| function.exists(&own))?;
        let all = self.run(|| function.forall(&own))?;
        Ok(some != all)
    }

    /// How many combinations of values of some variables are in a set that depends on no others.
    pub(crate) fn count(&self, set: &Set, variables: usize) -> Natural {
        let mut cache: SatCountCache<Natural, rustc_hash::FxBuildHasher> = SatCountCache::default();
        let all = self.network.names.len();
        let found: Natural = set.sat_count(all as u32, &mut cache);
        found >> ((all - variables) as u32)
    }

    pub(crate) fn pick(&self, set: &Set) -> Option<Vec<bool>> {
        let cube = set.pick_cube(|_, _, _| false)?;
        let value = |&level: &u32| cube.get(level as usize) == Some(&OptBool::True);
        Some(self.levels.iter().map(value).collect())
    }

    /// The states that no update changes: counted, with some of them.
    pub(crate) fn steady(&self, most: usize) -> Result<Steady, Stop> {
        let count = self.network.names.len();
        let mut functions = self.functions.clone();
        let mut left: Vec<usize> = (0..count).collect();
        let mut replaced: Vec<(usize, Set)> = Vec::new();
        while let Some(at) = self.replaceable(&functions, &left)? {
            left.retain(|&one| one != at);
            let function = functions[at].clone();
            let subst = Subst::new(vec![self.levels[at]], vec![function.clone()]);
            for &other in &left {
                if self.depends(&functions[other], at)? {
                    functions[other] = self.run(|| functions[other].substitute(&subst))?;
                }
            }
            replaced.push((at, function));
        }
        // Small conditions first, so that what they exclude is excluded early.
        left.sort_by_key(|&at| (functions[at].node_count(), at));
        let mut steady = self.constant(true);
        for &at in &left {
            let own = self.variable(at)?;
            let same = self.run(|| functions[at].equiv(&own))?;
            steady = self.run(|| steady.and(&same))?;
        }
        let mut some = Vec::new();
        let mut rest = steady.clone();
        while let Some(mut state) = self.pick(&rest).filter(|_| some.len() < most) {
            let mut taken = self.constant(true);
            for &at in &left {
                let literal = self.literal(at, state[at])?;
                taken = self.run(|| taken.and(&literal))?;
            }
            rest = self.minus(&rest, &taken)?;
            for (at, function) in replaced.iter().rev() {
                state[*at] = self.value(function, &state);
            }
            some.push(state);
        }
        Ok(Steady {
            count: self.count(&steady, left.len()),
            some,
        })
    }

    /// The next variable to be replaced by its function: one that does not influence itself, with a
    /// small function and few others that it influences.
    fn replaceable(&self, functions: &[Set], left: &[usize]) -> Result<Option<usize>, Stop> {
        let mut best: Option<(usize, usize)> = None;
        for &at in left {
            let size = functions[at].node_count();
            if size > MOST_REPLACED || self.depends(&functions[at], at)? {
                continue;
            }
            let mut cost = 0;
            for &other in left {
                if other != at && self.depends(&functions[other], at)? {
                    cost += size * functions[other].node_count();
                }
            }
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, at));
            }
            if cost == 0 {
                break;
            }
        }
        Ok(best.map(|(_, at)| at))
    }

    fn value(&self, function: &Set, state: &[bool]) -> bool {
        let arguments = self.levels.iter().zip(state);
        function.eval(arguments.map(|(&level, &value)| (level, value)))
    }

    /// The attractors of more than one state under asynchronous update.
    ///
    /// Variables are taken block by block, what influences before what is influenced (after Mizera,
    /// Pang, Qu and Yuan 2019): the values of the blocks so far change as if there were no others, and
    /// what an attractor does there is an attractor of theirs. So each search looks only at states that
    /// are recurrent in the blocks before.
    pub(crate) fn complex(&self, most: usize) -> Result<Complex, Stop> {
        let left = self.influential()?;
        let moving: Vec<usize> = (left.iter().copied())
            .filter(|&at| self.network.updates[at] != Update::Variable(at))
            .collect();
        let inputs = left.len() - moving.len();
        let mut within = self.constant(true);
        let mut taken: Vec<usize> = Vec::new();
        let mut found = Found {
            steady: within.clone(),
            larger: self.constant(false),
            count: Natural::from(0u32),
            some: Vec::new(),
        };
        for block in self.blocks(&moving)? {
            taken.extend(block);
            let walk = Walk::new(self, &taken, within)?;
            found = walk.attractors(inputs, most)?;
            within = self.run(|| found.steady.or(&found.larger))?;
        }
        let everything = self.constant(true);
        let walk = Walk::new(self, &moving, everything.clone())?;
        // Every state leads to some attractor.
        let lead = |to: &Set, other: &Set| match (to.satisfiable(), other.satisfiable()) {
            (false, _) => Ok(Some(self.constant(false))),
            (true, false) => Ok(Some(everything.clone())),
            (true, true) => walk.back_if_easy(to.clone()),
        };
        let to_steady = lead(&found.steady, &found.larger)?;
        let to_complex = lead(&found.larger, &found.steady)?;
        let count = |set: Option<Set>| set.map(|set| self.count(&set, left.len()));
        Ok(Complex {
            count: found.count,
            states: self.count(&found.larger, left.len()),
            without: self.network.names.len() - left.len(),
            some: found.some,
            to_steady: count(to_steady),
            to_complex: count(to_complex),
        })
    }

    /// Some variables in blocks, each of which is influenced only by inputs, itself and those before.
    fn blocks(&self, moving: &[usize]) -> Result<Vec<Vec<usize>>, Stop> {
        let mut targets: Vec<Vec<usize>> = vec![Vec::new(); self.network.names.len()];
        let mut sources = targets.clone();
        for &at in moving {
            let mut mentioned = Vec::new();
            regulators(&self.network.updates[at], &mut mentioned);
            for source in mentioned {
                if self.depends(&self.functions[at], source)? {
                    targets[source].push(at);
                    sources[at].push(source);
                }
            }
        }
        // Two searches in depth: who is left last leads to all others (after Kosaraju).
        let mut seen: Vec<bool> = vec![true; targets.len()];
        moving.iter().for_each(|&at| seen[at] = false);
        let mut finished = Vec::new();
        for &start in moving {
            finished.extend(in_depth(start, &targets, &mut seen));
        }
        moving.iter().for_each(|&at| seen[at] = false);
        let mut blocks: Vec<Vec<usize>> = Vec::new();
        for &start in finished.iter().rev() {
            let part = in_depth(start, &sources, &mut seen);
            match blocks.last_mut() {
                Some(last) if last.len() + part.len() <= SMALL_BLOCK => last.extend(part),
                _ if part.is_empty() => {}
                _ => blocks.push(part),
            }
        }
        Ok(blocks)
    }

    /// How many cycles of more than one state there are if all variables change at once; `None` if
    /// there are too many states to follow each one.
    pub(crate) fn cycles(&self) -> Result<Option<u64>, Stop> {
        let left = self.influential()?;
        if left.len() > MOST_FOLLOWED || self.network.names.len() > 64 {
            return Ok(None);
        }
        let next = |state: usize| -> usize {
            let bits = left.iter().enumerate();
            let whole: u64 = bits.map(|(bit, &at)| (state as u64 >> bit & 1) << at).sum();
            let bits = left.iter().enumerate();
            bits.map(|(bit, &at)| usize::from(self.network.updates[at].value(whole)) << bit)
                .sum()
        };
        // By which walk each state was seen first.
        let mut seen = vec![0u32; 1 << left.len()];
        let mut found = 0;
        for start in 0..seen.len() {
            if start % 4096 == 0 {
                self.budget.poll()?;
            }
            let walk = start as u32 + 1;
            let mut at = start;
            while seen[at] == 0 {
                seen[at] = walk;
                at = next(at);
            }
            found += u64::from(seen[at] == walk && next(at) != at);
        }
        Ok(Some(found))
    }

    /// The variables that influence another one, or themselves, again and again: without those that
    /// only follow.
    fn influential(&self) -> Result<Vec<usize>, Stop> {
        let mut left: Vec<usize> = (0..self.network.names.len()).collect();
        loop {
            let mut used = vec![false; self.network.names.len()];
            for &at in &left {
                let mut sources = Vec::new();
                regulators(&self.network.updates[at], &mut sources);
                for source in sources {
                    used[source] = used[source] || self.depends(&self.functions[at], source)?;
                }
            }
            let before = left.len();
            left.retain(|&at| used[at]);
            if left.len() == before {
                return Ok(left);
            }
        }
    }
}

/// What is reached from a variable and was not seen before, in the order in which it is left.
fn in_depth(start: usize, edges: &[Vec<usize>], seen: &mut [bool]) -> Vec<usize> {
    let mut left = Vec::new();
    if std::mem::replace(&mut seen[start], true) {
        return left;
    }
    let mut path = vec![(start, 0)];
    while let Some((at, next)) = path.last_mut() {
        match edges[*at].get(*next) {
            Some(&to) => {
                *next += 1;
                if !std::mem::replace(&mut seen[to], true) {
                    path.push((to, 0));
                }
            }
            None => {
                left.push(*at);
                path.pop();
            }
        }
    }
    left
}

/// The level of each variable: those that occur in one function pull each other together (FORCE:
/// Aloul, Markov and Sakallah 2003).
pub(crate) fn order(network: &Network) -> Vec<u32> {
    let mut edges: Vec<Vec<usize>> = Vec::new();
    for (target, update) in network.updates.iter().enumerate() {
        let mut edge = vec![target];
        regulators(update, &mut edge);
        edges.push(edge);
    }
    let count = network.names.len();
    let mut position: Vec<usize> = (0..count).collect();
    let span = |position: &[usize]| -> usize {
        let length = |edge: &Vec<usize>| {
            let places = || edge.iter().map(|&at| position[at]);
            places().max().unwrap_or(0) - places().min().unwrap_or(0)
        };
        edges.iter().map(length).sum()
    };
    let mut best = (span(&position), position.clone());
    for _ in 0..ROUNDS {
        let mut pull = vec![(0.0f64, 0.0f64); count];
        for edge in &edges {
            let sum: f64 = edge.iter().map(|&at| position[at] as f64).sum();
            let centre = sum / edge.len() as f64;
            for &at in edge {
                pull[at].0 += centre;
                pull[at].1 += 1.0;
            }
        }
        let mut sorted: Vec<usize> = (0..count).collect();
        let target = |at: usize| pull[at].0 / pull[at].1;
        sorted.sort_by(|&one, &other| target(one).total_cmp(&target(other)));
        for (place, &at) in sorted.iter().enumerate() {
            position[at] = place;
        }
        let now = span(&position);
        if now < best.0 {
            best = (now, position.clone());
        }
    }
    best.1.into_iter().map(|place| place as u32).collect()
}
