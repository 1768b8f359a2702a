//! Where a network ends up: its steady states, its attractors, and what leads there.
//!
//! Under asynchronous update an attractor is a set of states that is not left and in which every
//! state can be reached from every other; one with a single state is steady. Inputs keep their
//! values, so each combination of their values (a colour) has attractors of its own, and all
//! colours are looked at together.
//!
//! What influences nothing is left out first: such a variable follows, and attractors with and
//! without it correspond one to one. Then variables are replaced by their functions ([`Reduced`]),
//! which makes networks of hundreds of variables small.

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::util::num::Natural;
use oxidd::util::{AllocResult, OptBool, SatCountCache};
use oxidd::{BooleanFunction, BooleanFunctionQuant, BooleanOperator, Manager, ManagerRef};
use quotient_core::{Budget, Stop};

use crate::network::{Network, Update, regulators};
use crate::reduce::Reduced;
use crate::signs::Sign;
use crate::walk::Walk;

pub(crate) type Set = BCDDFunction;

/// Nodes that there is room for.
const NODES: usize = 1 << 24;
/// A function that has grown beyond this many nodes is not put in the place of its variable.
pub(crate) const MOST_REPLACED: usize = 2_000;
/// The same where steps are made afterwards.
const MOST_REPLACED_WALKING: usize = 200;
/// Rounds of pulling related variables together.
const ROUNDS: usize = 40;

/// The decision diagrams of a network.
pub(crate) struct Landscape<'a> {
    pub(crate) network: &'a Network,
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
    /// How many states, of all variables, can reach a steady state; `None` if that is too hard to tell.
    pub(crate) to_steady: Option<Natural>,
    /// How many states can reach an attractor of more than one state.
    pub(crate) to_complex: Option<Natural>,
    /// The variables that were not left out, and what was found of them.
    pub(crate) left: Vec<usize>,
    pub(crate) found: Found,
}

/// The attractors of some variables together.
pub(crate) struct Found {
    pub(crate) steady: Set,
    /// The states of all others.
    pub(crate) larger: Set,
    /// The same in parts, with at most one attractor for each combination of values of the inputs.
    pub(crate) parts: Vec<Set>,
    /// How many others there are.
    pub(crate) count: Natural,
    pub(crate) some: Vec<Vec<bool>>,
}

impl Found {
    /// Steady states and no others so far.
    pub(crate) fn steady(landscape: &Landscape, steady: Set) -> Found {
        Found {
            steady,
            larger: landscape.constant(false),
            parts: Vec::new(),
            count: Natural::from(0u32),
            some: Vec::new(),
        }
    }

    /// Adds attractors: their states, their number, and some of the states.
    pub(crate) fn add(
        &mut self,
        landscape: &Landscape,
        states: Set,
        count: Natural,
        some: Vec<Vec<bool>>,
    ) -> Result<(), Stop> {
        self.larger = landscape.run(|| self.larger.or(&states))?;
        self.parts.push(states);
        self.count = self.count.clone() + count;
        self.some.extend(some);
        Ok(())
    }
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

    pub(crate) fn literal(&self, at: usize, value: bool) -> Result<Set, Stop> {
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

    /// Whether a function grows with a variable, falls with it, or both; `None` if it does not
    /// depend on it.
    pub(crate) fn sign(&self, function: &Set, at: usize) -> Result<Option<Sign>, Stop> {
        let own = self.variable(at)?;
        let not = self.run(|| own.not())?;
        let high = self.run(|| function.apply_exists(BooleanOperator::And, &own, &own))?;
        let low = self.run(|| function.apply_exists(BooleanOperator::And, &not, &own))?;
        if high == low {
            return Ok(None);
        }
        let grows = self.run(|| low.imp(&high))?.valid();
        let falls = self.run(|| high.imp(&low))?.valid();
        Ok(Some(match (grows, falls) {
            (true, _) => Sign::Grows,
            (_, true) => Sign::Falls,
            _ => Sign::Both,
        }))
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
        let every: Vec<usize> = (0..self.network.names.len()).collect();
        let mut reduced = Reduced::new(self, &every)?;
        reduced.reduce(MOST_REPLACED)?;
        let (steady, left) = (reduced.steady()?, &reduced.left);
        let mut some = Vec::new();
        let mut rest = steady.clone();
        while let Some(mut state) = self.pick(&rest).filter(|_| some.len() < most) {
            let mut taken = self.constant(true);
            for &at in left {
                let literal = self.literal(at, state[at])?;
                taken = self.run(|| taken.and(&literal))?;
            }
            rest = self.minus(&rest, &taken)?;
            reduced.complete(&mut state);
            some.push(state);
        }
        Ok(Steady {
            count: self.count(&steady, left.len()),
            some,
        })
    }

    pub(crate) fn value(&self, function: &Set, state: &[bool]) -> bool {
        let arguments = self.levels.iter().zip(state);
        function.eval(arguments.map(|(&level, &value)| (level, value)))
    }

    /// The attractors of more than one state under asynchronous update.
    ///
    /// If it can be seen from some states of which every attractor has one that all become steady, there are
    /// none. Otherwise they are searched in a network with fewer variables first ([`Reduced`]). There variables are taken block by block, what influences before what is influenced (after Mizera,
    /// Pang, Qu and Yuan 2019): the values of the blocks so far change as if there were no others, and
    /// what an attractor does there is an attractor of theirs. So each search looks only at states that
    /// are recurrent in the blocks before.
    pub(crate) fn complex(&self, most: usize) -> Result<Complex, Stop> {
        let left = self.influential()?;
        let found = self.attractors(&left, most)?;
        let (to_steady, to_complex) = self.basins(&left, &found.steady, &found.larger);
        let meaningful = self.meaningful()?;
        // Who only follows changes nothing about who reaches what: such states count with all its values.
        let count = |set: Option<Set>| {
            let there = self.run(|| {
                set.as_ref()
                    .map_or(Ok(meaningful.clone()), |set| set.and(&meaningful))
            });
            set.and(there.ok())
                .map(|set| self.count(&set, self.network.names.len()))
        };
        Ok(Complex {
            count: found.count.clone(),
            states: self.count(&found.larger, left.len()),
            without: self.network.names.len() - left.len(),
            some: found.some.clone(),
            to_steady: count(to_steady),
            to_complex: count(to_complex),
            left,
            found,
        })
    }

    pub(crate) fn poll(&self) -> Result<(), Stop> {
        self.budget.poll()
    }

    /// The states to start from, where some are given.
    pub(crate) fn start(&self) -> Result<Option<Set>, Stop> {
        if self.network.start.is_empty() {
            return Ok(None);
        }
        let mut all = self.meaningful()?;
        for &(at, value) in &self.network.start {
            let literal = self.literal(at, value)?;
            all = self.run(|| all.and(&literal))?;
        }
        Ok(Some(all))
    }

    /// The states that there are: levels in their order, and what is fixed at its level. No step leaves them.
    pub(crate) fn meaningful(&self) -> Result<Set, Stop> {
        let mut all = self.constant(true);
        for pair in self.network.levels.iter().flat_map(|all| all.windows(2)) {
            let (lower, higher) = (self.variable(pair[0])?, self.variable(pair[1])?);
            let ordered = self.run(|| higher.imp(&lower))?;
            all = self.run(|| all.and(&ordered))?;
        }
        for &(at, value) in &self.network.fixed {
            let literal = self.literal(at, value)?;
            all = self.run(|| all.and(&literal))?;
        }
        Ok(all)
    }

    fn attractors(&self, left: &[usize], most: usize) -> Result<Found, Stop> {
        let mut held = Reduced::held(self, left)?;
        held.reduce(MOST_REPLACED)?;
        let candidates = held.lifted(held.steady()?)?;
        let mut reduced = Reduced::new(self, left)?;
        let (moving, _) = reduced.moving()?;
        let walk = Walk::new(self, &reduced.functions, &moving, self.constant(true))?;
        let colours = walk.unsettled(candidates)?;
        reduced.reduce(MOST_REPLACED_WALKING)?;
        let mut found = match colours.satisfiable() {
            true => self.of_reduced(&reduced, colours, most)?,
            false => Found::steady(self, self.constant(true)),
        };
        // Attractors of the smaller network that are not steady are asked for in larger and larger ones.
        while !found.parts.is_empty() && reduced.replaced() > 0 {
            let agree = reduced.restore(reduced.replaced().div_ceil(2))?;
            let (moving, inputs) = reduced.moving()?;
            let walk = Walk::new(self, &reduced.functions, &moving, self.constant(true))?;
            found = walk.attractors_among(&found, &agree, &inputs, most)?;
        }
        // The search was only where there are larger ones.
        if found.larger.satisfiable() {
            let mut all = Reduced::new(self, left)?;
            all.reduce(MOST_REPLACED)?;
            found.steady = all.lifted(all.steady()?)?;
        }
        Ok(found)
    }

    /// The attractors of a reduced network for some values of the inputs, block by block.
    fn of_reduced(&self, reduced: &Reduced, colours: Set, most: usize) -> Result<Found, Stop> {
        let (moving, inputs) = reduced.moving()?;
        let mut taken: Vec<usize> = Vec::new();
        let mut found = Found::steady(self, colours);
        for block in reduced.blocks(&moving) {
            taken.extend(block);
            let within = self.run(|| found.steady.or(&found.larger))?;
            let walk = Walk::new(self, &reduced.functions, &taken, within)?;
            let candidates = walk.candidates()?;
            found = walk.attractors(candidates, &inputs, most)?;
        }
        Ok(found)
    }

    /// The states of the given variables that can reach a steady state, and those that can reach
    /// another attractor; `None` if that is too hard to tell. Every state leads to some attractor.
    fn basins(&self, left: &[usize], steady: &Set, larger: &Set) -> (Option<Set>, Option<Set>) {
        let (none, every) = (self.constant(false), self.constant(true));
        match (steady.satisfiable(), larger.satisfiable()) {
            (_, false) => (Some(every), Some(none)),
            (false, true) => (Some(none), Some(every)),
            (true, true) => {
                let back = |to: &Set| {
                    let walk = Walk::new(self, &self.functions, left, every.clone()).ok()?;
                    walk.back_if_easy(to.clone()).ok()?
                };
                (back(steady), back(larger))
            }
        }
    }

    /// The variables among those that a function may depend on on which it does.
    pub(crate) fn support(
        &self,
        function: &Set,
        mut among: Vec<usize>,
    ) -> Result<Vec<usize>, Stop> {
        let mut stop = None;
        among.retain(|&at| match self.depends(function, at) {
            Ok(does) => does,
            Err(why) => {
                stop = Some(why);
                false
            }
        });
        stop.map_or(Ok(among), Err)
    }

    /// The variables that influence another one, or themselves, again and again: without those that
    /// only follow.
    pub(crate) fn influential(&self) -> Result<Vec<usize>, Stop> {
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
