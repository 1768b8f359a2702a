//! Reachable states, breadth first.

use quotient_core::{Stop, Story, What};

use crate::diagrams::{Diagrams, Set};
use crate::system::{Machine, System};

/// Steps that are told one by one; a story of tens of thousands helps nobody and takes memory.
const MOST_TOLD: usize = 1024;
/// After these, one of so many.
const TOLD_THEN: usize = 64;

/// The reachable states of a machine.
pub(crate) struct Reach {
    /// The states first reached after 0, 1, 2, … steps.
    pub(crate) rings: Vec<Set>,
    /// All of them so far.
    pub(crate) all: Set,
    /// Whether there are no more. Of steps that are listed way by way, all states may be known
    /// before it is known how far away they are.
    pub(crate) complete: bool,
}

impl Reach {
    /// Only the initial states.
    pub(crate) fn begin(machine: &Machine) -> Reach {
        Reach {
            rings: vec![machine.init.clone()],
            all: machine.init.clone(),
            complete: false,
        }
    }

    /// Explores until a state of `target` is reached or nothing is new; answers whether one
    /// is. Can be called again with another target.
    pub(crate) fn explore(
        &mut self,
        system: &mut System,
        machine: &mut Machine,
        mut target: Option<Set>,
        story: &Story,
    ) -> Result<bool, Stop> {
        if let Some(target) = &target {
            let hit = system.diagrams.and(&self.all, target)?;
            if oxidd::BooleanFunction::satisfiable(&hit) {
                return Ok(true);
            }
        }
        if machine.relation.is_choice() {
            return self.chain(system, machine, target, story);
        }
        while !self.complete {
            let diagrams = &system.diagrams;
            let newest = &self.rings[self.rings.len() - 1];
            // The image of the newest states or of all: whichever has the smaller diagram.
            let from = match diagrams.size(&self.all) < diagrams.size(newest) {
                true => &self.all,
                false => newest,
            };
            let image = machine.relation.image(diagrams, from)?;
            let new = diagrams.minus(&image, &self.all)?;
            if !oxidd::BooleanFunction::satisfiable(&new) {
                self.complete = true;
                break;
            }
            self.all = diagrams.or(&self.all, &new)?;
            let hit = match &target {
                Some(target) => {
                    let hit = diagrams.and(&new, target)?;
                    oxidd::BooleanFunction::satisfiable(&hit)
                }
                None => false,
            };
            self.rings.push(new);
            let step = self.rings.len() - 1;
            if hit || step < MOST_TOLD || step.is_multiple_of(TOLD_THEN) {
                story.tell(|| What::Step {
                    attempt: 0,
                    step: step as u64,
                    sizes: [
                        (
                            "nodes for the reached states",
                            diagrams.size(&self.all) as u64,
                        ),
                        ("nodes in all", diagrams.nodes() as u64),
                    ]
                    .into(),
                });
            }
            if hit {
                return Ok(true);
            }
            if system.may_reorder() {
                let mut carried: Vec<&mut Set> = self.rings.iter_mut().collect();
                carried.extend(target.as_mut());
                system.reorder_machine(machine, &mut [&mut self.all], &mut carried)?;
            }
        }
        Ok(false)
    }

    /// The same without rings: way after way, each as often as it adds something. Far fewer and
    /// smaller sets come up on the way than in rings (chaining, after Roig, Cortadella and Pastor
    /// 1995).
    fn chain(
        &mut self,
        system: &mut System,
        machine: &mut Machine,
        mut target: Option<Set>,
        story: &Story,
    ) -> Result<bool, Stop> {
        let mut round = 0;
        while !self.complete {
            let diagrams = &system.diagrams;
            let before = self.all.clone();
            self.all = machine
                .relation
                .pass(diagrams, before.clone(), target.as_ref())?;
            self.complete = self.all == before;
            round += 1;
            story.tell(|| What::Step {
                attempt: 0,
                step: round,
                sizes: [
                    (
                        "nodes for the reached states",
                        diagrams.size(&self.all) as u64,
                    ),
                    ("nodes in all", diagrams.nodes() as u64),
                ]
                .into(),
            });
            if let Some(target) = &target {
                let hit = diagrams.and(&self.all, target)?;
                if oxidd::BooleanFunction::satisfiable(&hit) {
                    return Ok(true);
                }
            }
            drop(before);
            if system.may_reorder() {
                let mut carried: Vec<&mut Set> = self.rings.iter_mut().collect();
                carried.extend(target.as_mut());
                system.reorder_machine(machine, &mut [&mut self.all], &mut carried)?;
            }
        }
        Ok(false)
    }

    /// How many steps away the farthest state is.
    pub(crate) fn depth(&self, diagrams: &Diagrams, machine: &Machine) -> Result<usize, Stop> {
        let mut newest = self.rings[self.rings.len() - 1].clone();
        let mut seen = diagrams.constant(false);
        for ring in &self.rings {
            seen = diagrams.or(&seen, ring)?;
        }
        let mut depth = self.rings.len() - 1;
        while seen != self.all {
            let image = machine.relation.image(diagrams, &newest)?;
            newest = diagrams.minus(&image, &seen)?;
            if !oxidd::BooleanFunction::satisfiable(&newest) {
                break;
            }
            seen = diagrams.or(&seen, &newest)?;
            depth += 1;
        }
        Ok(depth)
    }
}
