//! Why a part does not matter, where a neighbour tells.

use oxidd::BooleanFunction;
use quotient_core::Stop;
use quotient_lattice::Lattice;

use crate::ctl::{Evaluation, Evaluator, Leaves, Program, Step};

/// What about a neighbouring part makes a part vacuous.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The subformula at this position is true in no reachable state.
    NeverTrue(usize),
    /// The subformula at this position is true in all reachable states.
    AlwaysTrue(usize),
}

/// Looks at the neighbours of a part and of the parts that it belongs to.
pub(super) fn find<L: Lattice, V: Leaves<L>>(
    program: &Program,
    step: usize,
    evaluator: &mut Evaluator,
    evaluation: &mut Evaluation<'_, L, V>,
) -> Result<Option<Reason>, Stop> {
    let mut below = step;
    while let Some(parent) = program.parent(below) {
        // The neighbour, and the value that takes the part out of the game.
        let neighbour = match program.steps[parent] {
            Step::And(left, right) => Some((if below == left { right } else { left }, false)),
            Step::Or(left, right) => Some((if below == left { right } else { left }, true)),
            Step::Implies(left, right) if below == right => Some((left, false)),
            Step::Implies(_, right) => Some((right, true)),
            _ => None,
        };
        if let Some((neighbour, value)) = neighbour {
            let states = evaluation.plain_value(evaluator, neighbour)?;
            let position = program.positions[neighbour];
            match value {
                true if states == *evaluator.arena.states => {
                    return Ok(Some(Reason::AlwaysTrue(position)));
                }
                false if !states.satisfiable() => return Ok(Some(Reason::NeverTrue(position))),
                _ => {}
            }
        }
        below = parent;
    }
    Ok(None)
}
