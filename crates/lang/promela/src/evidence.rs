//! Evidence as plain data, and runs taken again.

use serde::{Deserialize, Serialize};

use crate::moves::Move;
use crate::space::Space;
use crate::state::{CLAIM, State};

/// A run, step by step.
pub(crate) const RUN: &str = "promela-run";
/// How many states there are: they are all looked at again.
pub(crate) const STATES: &str = "promela-states";

/// A run of a program, perhaps with a claim that moves along.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Run {
    pub(crate) steps: Vec<Taken>,
    /// After the last step it goes on as after so many; without it nobody can move any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) back: Option<usize>,
    /// The formula is broken already, whatever comes after the last step.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) decides: bool,
}

/// A step: moves that happen at once; none where only the claim moves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Taken {
    pub(crate) moves: Vec<Shift>,
    /// Where the claim is then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) claim: Option<i32>,
    /// What the variables of the claim are then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) own: Vec<i32>,
}

/// A move: a process takes an edge, by number among those of its location.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Shift {
    pub(crate) process: u32,
    pub(crate) edge: u32,
    /// Who receives at once, by which edge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) partner: Option<(u32, u32)>,
}

/// The size of a state space.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct States {
    pub(crate) states: u64,
    /// Whether some states stood for all: then there are more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) reduced: bool,
}

impl Shift {
    pub(crate) fn is(&self, one: &Move) -> bool {
        (self.process, self.edge, self.partner) == (one.process, one.edge, one.partner)
    }
}

impl Taken {
    pub(crate) fn of(moves: &[Move], claim: Option<i32>, own: &[i32]) -> Taken {
        let shift = |one: &Move| Shift {
            process: one.process,
            edge: one.edge,
            partner: one.partner,
        };
        Taken {
            moves: moves.iter().map(shift).collect(),
            claim,
            own: own.to_vec(),
        }
    }
}

/// The states of a run, if each of its steps is one of the program. Of two steps with the same
/// moves the one that fails is taken only at the end.
pub(crate) fn replayed(space: &Space<'_>, run: &Run) -> Option<Vec<State>> {
    let mut states = vec![space.start()];
    for (number, taken) in run.steps.iter().enumerate() {
        let last = number + 1 == run.steps.len();
        let mut next: Option<State> = None;
        let mut failing: Option<State> = None;
        space.steps(states.last()?, &mut |moves, after| {
            let same = moves.len() == taken.moves.len()
                && moves
                    .iter()
                    .zip(&taken.moves)
                    .all(|(one, other)| other.is(one))
                && taken.claim == space.claim.map(|_| after.cells[CLAIM])
                && taken.own == space.claim_values(after);
            if same {
                match after.cells[crate::state::FAILED] {
                    0 => next = Some(after.clone()),
                    _ => failing = Some(after.clone()),
                }
            }
        });
        let next = match last {
            true => failing.or(next),
            false => next,
        };
        states.push(next?);
    }
    Some(states)
}
