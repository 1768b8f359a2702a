//! What holds in every reachable state: forward or backward search, with shortest traces.

use oxidd::BooleanFunction;
use quotient_core::{Stop, Verdict};

use super::{Checker, Explored, Outcome};
use crate::diagrams::Set;
use crate::evidence::Certificate;
use crate::explain::Showing;
use crate::fixpoint::Arena;
use crate::model::Expression;
use crate::path::Path;
use crate::system::{Machine, System};

/// Where the search for a violation of an invariant begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Direction {
    /// At the initial states.
    #[default]
    Forward,
    /// At the bad states.
    Backward,
}

impl Checker {
    /// Answers whether an expression over the state holds in every reachable state; a
    /// violation comes with a shortest trace, unless steps are listed one by one and that would take
    /// long.
    pub fn check_invariant(
        &mut self,
        invariant: Expression,
        direction: Direction,
    ) -> Result<Outcome, Stop> {
        self.with_room(|checker| {
            let mut part = checker.part_for([invariant])?;
            let answer = match direction {
                Direction::Forward => checker.search_forward(invariant, &mut part),
                Direction::Backward => checker.search_backward(invariant, &part),
            };
            checker.put_back(part);
            answer
        })
    }

    fn search_forward(
        &mut self,
        invariant: Expression,
        part: &mut Explored,
    ) -> Result<Outcome, Stop> {
        let bad = self.system.compile(!invariant)?;
        let Explored { machine, reach, .. } = part;
        let found = reach.explore(&mut self.system, machine, Some(bad), &self.story)?;
        if !found {
            return Ok(Outcome {
                certificate: Some(Certificate::new(&self.system, &reach.all)),
                ..Outcome::of(Verdict::Holds)
            });
        }
        let bad = self.system.compile(!invariant)?;
        let arena = Arena {
            diagrams: &self.system.diagrams,
            machine,
            states: &reach.all,
        };
        let path = arena.shortest_to(reach, &bad)?;
        self.violated(part, path.unwrap_or_default())
    }

    /// Steps back from the bad states until an initial state is met or nothing is new.
    fn search_backward(&mut self, invariant: Expression, part: &Explored) -> Result<Outcome, Stop> {
        let diagrams = &self.system.diagrams;
        let machine = &part.machine;
        let bad = self.system.compile(!invariant)?;
        let mut newest = diagrams.and(&bad, &machine.legal)?;
        let mut all = newest.clone();
        let mut layers = vec![newest.clone()];
        loop {
            let met = diagrams.and(&newest, &machine.init)?;
            if met.satisfiable() {
                break;
            }
            let before = machine.relation.preimage(diagrams, &newest)?;
            let before = diagrams.and(&before, &machine.legal)?;
            newest = diagrams.minus(&before, &all)?;
            if !newest.satisfiable() {
                let good = diagrams.minus(&machine.legal, &all)?;
                return Ok(Outcome {
                    certificate: Some(Certificate::new(&self.system, &good)),
                    ..Outcome::of(Verdict::Holds)
                });
            }
            all = diagrams.or(&all, &newest)?;
            layers.push(newest.clone());
        }
        let arena = Arena {
            diagrams,
            machine,
            states: &machine.legal,
        };
        let mut at = machine.init.clone();
        let mut path = Path::default();
        for layer in layers.iter().rev() {
            let Some(state) = arena.pick(&diagrams.and(&at, layer)?)? else {
                break;
            };
            at = machine.relation.image(diagrams, &state)?;
            path.states.push(state);
        }
        self.violated(part, path)
    }

    /// Answers whether an expression over state, input and next state holds in every step from a
    /// reachable state; a violation comes with a shortest trace that ends with such a step.
    pub(super) fn check_step_invariant(&mut self, invariant: Expression) -> Result<Outcome, Stop> {
        let mut part = self.part_for([invariant])?;
        let answer = self.search_step(invariant, &mut part);
        self.put_back(part);
        answer
    }

    fn search_step(&mut self, invariant: Expression, part: &mut Explored) -> Result<Outcome, Stop> {
        let Explored { machine, reach, .. } = &mut *part;
        let bad = bad_states(&self.system, machine, invariant)?;
        if !reach.explore(&mut self.system, machine, Some(bad), &self.story)? {
            return Ok(Outcome {
                certificate: Some(Certificate::new(&self.system, &reach.all)),
                ..Outcome::of(Verdict::Holds)
            });
        }
        let bad = bad_states(&self.system, machine, invariant)?;
        let arena = Arena {
            diagrams: &self.system.diagrams,
            machine,
            states: &reach.all,
        };
        let mut path = arena.shortest_to(reach, &bad)?.unwrap_or_default();
        if let Some(last) = path.states.last() {
            let diagrams = &self.system.diagrams;
            let fails = self.system.compile(!invariant)?;
            let after = machine.relation.image_of_steps(diagrams, last, &fails)?;
            let after = arena.pick(&diagrams.and(&after, &machine.legal)?)?;
            path.conditions.push((path.states.len() - 1, fails));
            path.states.extend(after);
        }
        self.violated(part, path)
    }

    fn violated(&self, part: &Explored, path: Path) -> Result<Outcome, Stop> {
        Ok(Outcome {
            trace: Some(self.system.trace(&part.machine, &path)?),
            showing: Some(Showing::Whole),
            ..Outcome::of(Verdict::Violated)
        })
    }
}

/// The legal states with a step that violates an expression.
fn bad_states(system: &System, machine: &Machine, invariant: Expression) -> Result<Set, Stop> {
    let diagrams = &system.diagrams;
    let fails = system.compile(!invariant)?;
    let relation = &machine.relation;
    let before = relation.preimage_of_steps(diagrams, &machine.legal, &fails)?;
    diagrams.and(&before, &machine.legal)
}
