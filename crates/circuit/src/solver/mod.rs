//! A SAT solver made for many small questions that differ little.
//!
//! Conflict-driven clause learning in the manner of MiniSat (Eén and Sörensson, 2003) with
//! block distances of learnt clauses (Audemard and Simon, 2009). Three things are made for IC3:
//! *assumptions* with a core of those that a refusal needs; one *passing clause* a question,
//! forgotten afterwards with all that was learnt from it; and a *domain* (Su and others, 2024):
//! only the variables of the domain are decided and assigned, so that a question about a few
//! latches of a large circuit costs what these cost. Leaving variables out is sound for
//! refusals, and for answers if every assignment of the domain that contradicts no clause can
//! be completed; gates outside of the cone of a question can.

#[cfg(feature = "cadical")]
pub(crate) mod cadical;
mod clauses;
mod heap;
mod search;
#[cfg(test)]
mod tests;

use quotient_core::{Budget, Stop};
use quotient_netlist::{Literal, Node};

use clauses::{Clauses, Reference, Watch};
use heap::Heap;

/// The solver. Variables are [`Node`]s, numbered from 0.
///
/// ```
/// use quotient_circuit::Solver;
/// use quotient_core::Budget;
/// let mut solver = Solver::new();
/// let (a, b) = (solver.variable().literal(), solver.variable().literal());
/// solver.add(&[a, b]);
/// assert_eq!(solver.solve(&[!a], &Budget::unlimited()), Ok(true));
/// assert_eq!(solver.value(b), Some(true));
/// assert_eq!(solver.solve(&[!b, !a], &Budget::unlimited()), Ok(false));
/// assert_eq!(solver.core().len(), 2);
/// ```
#[derive(Debug, Clone)]
pub struct Solver {
    clauses: Clauses,
    watches: Vec<Vec<Watch>>,
    /// By literal: 1 if it is true, -1 if it is false, 0 if it is open.
    values: Vec<i8>,
    levels: Vec<u32>,
    reasons: Vec<Reference>,
    trail: Vec<Literal>,
    /// Where each level begins on the trail.
    limits: Vec<usize>,
    /// What is still to be propagated begins here.
    head: usize,
    heap: Heap,
    increment: f64,
    phases: Vec<bool>,
    seen: Vec<u8>,
    /// The variables of the domain carry the number of the present question.
    domain: Vec<u32>,
    question: u32,
    restricted: bool,
    /// Guards the passing clause.
    guard: Option<Literal>,
    passing: Vec<Reference>,
    learnt: Vec<Reference>,
    most_learnt: usize,
    core: Vec<Literal>,
    contradiction: bool,
    work: u64,
    charged: u64,
    conflicts: u64,
    /// By level: the last count of levels that met it.
    counted: Vec<u32>,
    count: u32,
}

impl Default for Solver {
    fn default() -> Self {
        Solver::new()
    }
}

impl Solver {
    /// A solver without variables and clauses.
    pub fn new() -> Solver {
        Solver {
            clauses: Clauses::default(),
            watches: Vec::new(),
            values: Vec::new(),
            levels: Vec::new(),
            reasons: Vec::new(),
            trail: Vec::new(),
            limits: Vec::new(),
            head: 0,
            heap: Heap::default(),
            increment: 1.0,
            phases: Vec::new(),
            seen: Vec::new(),
            domain: Vec::new(),
            question: 0,
            restricted: false,
            guard: None,
            passing: Vec::new(),
            learnt: Vec::new(),
            most_learnt: 4_000,
            core: Vec::new(),
            contradiction: false,
            work: 0,
            charged: 0,
            conflicts: 0,
            counted: Vec::new(),
            count: 0,
        }
    }

    /// A new variable.
    pub fn variable(&mut self) -> Node {
        let node = Node::new(self.levels.len());
        self.watches.extend([Vec::new(), Vec::new()]);
        self.values.extend([0, 0]);
        self.levels.push(0);
        self.reasons.push(Reference::NONE);
        self.phases.push(false);
        self.seen.push(0);
        self.domain.push(0);
        self.heap.grow();
        node
    }

    /// The number of variables.
    pub fn variable_count(&self) -> usize {
        self.levels.len()
    }

    /// How much was done so far, in assignments looked at.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// How many conflicts were learnt from so far.
    pub fn conflicts(&self) -> u64 {
        self.conflicts
    }

    /// The value that a variable is tried with first.
    pub fn prefer(&mut self, literal: Literal) {
        self.phases[literal.node().index()] = !literal.is_negated();
    }

    /// Adds a clause for good.
    pub fn add(&mut self, literals: &[Literal]) {
        self.begin();
        if self.contradiction {
            return;
        }
        let mut clause: Vec<Literal> = Vec::with_capacity(literals.len());
        for &literal in literals {
            match self.values[literal.code()] {
                1 => return,
                -1 => {}
                _ if clause.contains(&!literal) => return,
                _ if clause.contains(&literal) => {}
                _ => clause.push(literal),
            }
        }
        match clause[..] {
            [] => self.contradiction = true,
            [unit] => {
                self.assign(unit, Reference::NONE);
                self.contradiction = self.propagate().is_some();
            }
            _ => {
                self.attach(&clause, false, 0);
            }
        }
    }

    /// Whether the clauses can be satisfied under some assumptions.
    pub fn solve(&mut self, assumptions: &[Literal], budget: &Budget) -> Result<bool, Stop> {
        self.question(assumptions, &[], None, budget)
    }

    /// The same with a clause that holds for this question only, and with a domain.
    pub fn solve_within(
        &mut self,
        assumptions: &[Literal],
        clause: &[Literal],
        domain: &[Node],
        budget: &Budget,
    ) -> Result<bool, Stop> {
        self.question(assumptions, clause, Some(domain), budget)
    }

    /// The value of a literal in the answer just given.
    pub fn value(&self, literal: Literal) -> Option<bool> {
        match self.values[literal.code()] {
            0 => None,
            value => Some(value > 0),
        }
    }

    /// The assumptions that the refusal just given needs.
    pub fn core(&self) -> &[Literal] {
        &self.core
    }

    fn question(
        &mut self,
        assumptions: &[Literal],
        clause: &[Literal],
        domain: Option<&[Node]>,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        self.begin();
        self.core.clear();
        if self.contradiction {
            return Ok(false);
        }
        self.question += 1;
        let mut all = Vec::with_capacity(assumptions.len() + 1);
        if !clause.is_empty() {
            let guard = match self.guard {
                Some(guard) => guard,
                None => {
                    let guard = self.variable().literal();
                    *self.guard.insert(guard)
                }
            };
            all.push(guard);
            let mut guarded = vec![!guard];
            guarded.extend(clause.iter().filter(|one| self.values[one.code()] >= 0));
            if guarded.len() == 1 {
                // All of it is false already: no assumption is needed for the refusal.
                return Ok(false);
            }
            self.domain[guard.node().index()] = self.question;
            let reference = self.attach(&guarded, false, 0);
            self.passing.push(reference);
        }
        all.extend_from_slice(assumptions);
        self.restricted = domain.is_some();
        match domain {
            Some(nodes) => {
                for literal in assumptions.iter().chain(clause) {
                    self.domain[literal.node().index()] = self.question;
                }
                for &node in nodes {
                    self.domain[node.index()] = self.question;
                }
                let values = &self.values;
                let open = |node: &Node| values[node.literal().code()] == 0;
                let listed = nodes.iter().copied();
                let others = assumptions.iter().chain(clause).map(|one| one.node());
                let latest = self.increment;
                self.heap.refill(listed.chain(others).filter(open), latest);
            }
            None => {
                let values = &self.values;
                let all = (0..self.levels.len()).map(Node::new);
                self.heap
                    .complete(all.filter(|node| values[node.literal().code()] == 0));
            }
        }
        self.search(&all, budget)
    }

    /// Takes back the last question.
    fn begin(&mut self) {
        self.restricted = false;
        if self.limits.is_empty() && self.passing.is_empty() {
            return;
        }
        self.unwind(0);
        if self
            .guard
            .is_some_and(|guard| self.values[guard.code()] != 0)
        {
            // The passing clause turned out impossible: its guard is used up.
            self.guard = None;
        }
        for reference in std::mem::take(&mut self.passing) {
            self.clauses.delete(reference);
        }
        if self.clauses.is_wasteful() {
            self.collect_garbage();
        }
    }

    fn attach(&mut self, literals: &[Literal], learnt: bool, distance: u32) -> Reference {
        let reference = self.clauses.push(literals, learnt, distance);
        let (first, second) = (literals[0], literals[1]);
        let passing = self.guard.is_some_and(|guard| literals.contains(&!guard));
        let pair = literals.len() == 2 && !passing;
        let watch = |blocker| Watch::new(reference, blocker, pair);
        self.watches[(!first).code()].push(watch(second));
        self.watches[(!second).code()].push(watch(first));
        reference
    }

    /// Moves the clauses that are left together. Only at the lowest level.
    fn collect_garbage(&mut self) {
        let values = &self.values;
        let satisfied = |literals: &[Literal]| literals.iter().any(|one| values[one.code()] > 0);
        let moved = self.clauses.compact(satisfied);
        for list in &mut self.watches {
            list.retain_mut(|watch| match moved.get(watch.reference()) {
                Some(reference) => {
                    *watch = watch.moved(reference);
                    true
                }
                None => false,
            });
        }
        // A question may be under way: what passes with it has moved as well.
        for list in [&mut self.learnt, &mut self.passing] {
            list.retain_mut(|reference| match moved.get(*reference) {
                Some(new) => {
                    *reference = new;
                    true
                }
                None => false,
            });
        }
        // What is assigned at the lowest level needs no reason any more.
        for literal in &self.trail {
            self.reasons[literal.node().index()] = Reference::NONE;
        }
    }

    /// Forgets the worse half of what was learnt. Only at the lowest level.
    fn forget(&mut self) {
        let clauses = &self.clauses;
        self.learnt.retain(|&one| !clauses.is_deleted(one));
        let mut order = self.learnt.clone();
        order.sort_by_key(|&one| std::cmp::Reverse((clauses.distance(one), one)));
        let half = order.len() / 2;
        for (place, &reference) in order.iter().enumerate() {
            let distance = self.clauses.distance(reference);
            // Clauses of few levels stay as long as they are of use.
            let spared = self.clauses.take_used(reference) && distance <= 6;
            if place < half && distance > 2 && !spared {
                self.clauses.delete(reference);
            }
        }
        self.collect_garbage();
        self.most_learnt += self.most_learnt / 10;
    }
}
