//! What every user should know about a model before trusting a verdict.

use oxidd::BooleanFunction;
use quotient_core::Stop;

use super::Checker;
use crate::fixpoint::Arena;
use crate::trace::Trace;

/// Doubts about a model itself.
#[derive(Debug, Clone)]
pub struct Sanity {
    /// No state is initial: everything holds, for no good reason.
    pub no_initial_state: bool,
    /// A run to a reachable state without successor: the transition relation is not total, and
    /// formulas about infinite paths say less than they seem to.
    pub deadlock: Option<Trace>,
    /// No reachable state begins a fair path: everything about all fair paths holds.
    pub no_fair_path: bool,
}

/// The reachable states in numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Reachable {
    /// How many there are, in decimal.
    pub exactly: String,
    /// The same, rounded.
    pub about: f64,
    /// The most steps that a state is away from the initial ones.
    pub diameter: usize,
    /// How many states there are in all, legal or not reachable included, rounded.
    pub of: f64,
    /// The nodes of the decision diagram of the reachable states.
    pub nodes: usize,
}

impl Checker {
    /// Looks for empty initial sets and reachable deadlocks.
    pub fn sanity(&mut self) -> Result<Sanity, Stop> {
        self.with_room(Checker::sanity_here)
    }

    fn sanity_here(&mut self) -> Result<Sanity, Stop> {
        let mut part = self.everything()?;
        self.explore(&mut part)?;
        let sanity = {
            let diagrams = &self.system.diagrams;
            let arena = Arena {
                diagrams,
                machine: &part.machine,
                states: &part.reach.all,
            };
            let live = arena.before(&part.reach.all)?;
            let stuck = diagrams.minus(&part.reach.all, &live)?;
            let deadlock = match arena.shortest_to(&part.reach, &stuck)? {
                Some(path) => Some(self.system.trace(&part.machine, &path)?),
                None => None,
            };
            let fair = arena.forever_fair(&part.reach.all)?;
            Sanity {
                no_initial_state: !part.machine.init.satisfiable(),
                deadlock,
                no_fair_path: !fair.satisfiable(),
            }
        };
        self.put_back(part);
        Ok(sanity)
    }

    /// Counts the reachable states.
    pub fn reachable(&mut self) -> Result<Reachable, Stop> {
        self.with_room(Checker::reachable_here)
    }

    fn reachable_here(&mut self) -> Result<Reachable, Stop> {
        let mut part = self.everything()?;
        self.explore(&mut part)?;
        let diagrams = &self.system.diagrams;
        let bits = part.machine.state.len() as u32;
        let count = diagrams.count(&part.reach.all, bits);
        let reachable = Reachable {
            exactly: count.to_string(),
            about: f64::from(&count),
            diameter: match part.reach.all.satisfiable() {
                true => part.reach.depth(diagrams, &part.machine)?,
                false => 0,
            },
            of: f64::from(&diagrams.count(&part.machine.legal, bits)),
            nodes: diagrams.size(&part.reach.all),
        };
        self.put_back(part);
        Ok(reachable)
    }

    /// The whole model, whatever a question is about.
    pub(super) fn everything(&mut self) -> Result<super::Explored, Stop> {
        let model = &mut self.system.model;
        let variables: Vec<_> = model.variable_ids().map(|(id, _)| id).collect();
        let mut atoms = Vec::new();
        for id in variables {
            let bits = model.variable(id).bits().len() as u32;
            atoms.extend((0..bits).map(|bit| model.bit(id, bit)).collect::<Vec<_>>());
        }
        self.part_for(atoms)
    }
}
