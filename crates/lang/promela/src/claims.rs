//! Never claims: what they may do, their own variables, and where they go.

use quotient_core::Diagnostic;

use crate::flow::flow_beside;
use crate::machine::View;
use crate::names::{Names, constant};
use crate::parse::Parsed;
use crate::program::{Action, Edge, Proctype, Program};
use crate::space::{CLAIM_END, Space};
use crate::state::{CLAIM, HEAD, State};
use crate::syntax::Process;

/// The most places that one atomic sequence of a claim comes through.
const MOST_PLACES: usize = 10_000;

/// Reads a claim. Its variables lie behind those of the program.
pub(crate) fn add_claim(names: &mut Names, claim: &Process, program: &mut Program) -> Parsed<()> {
    let mut one = flow_beside(names, claim, true, Some(&program.globals))?;
    if !one.channels.is_empty() {
        return Err(names
            .wrong(one.at, "a never claim makes no channels")
            .help("declare the channel outside of the claim"));
    }
    if one.starts.iter().any(|(_, code)| constant(code).is_none()) {
        return Err(names
            .wrong(one.at, "a variable of a never claim begins with a number")
            .help("declare it without a value and assign it by a statement of the claim"));
    }
    for edge in one.locations.iter().flat_map(|location| &location.edges) {
        allowed(names, &one, edge)?;
    }
    for slot in &mut one.slots[one.own.clone()] {
        slot.name = format!("{}:{}", one.name, slot.name);
    }
    program.globals = std::mem::take(&mut one.slots);
    program.starts.append(&mut one.starts);
    program.claims.push(one);
    Ok(())
}

/// A claim looks at the program and changes nothing of it.
fn allowed(names: &Names, claim: &Proctype, edge: &Edge) -> Result<(), Diagnostic> {
    let wrong = |message: &str, help: &str| Err(names.wrong(edge.at, message).help(help));
    if !edge.unless.is_empty() {
        return wrong(
            "`unless` is not read in a never claim",
            "write the condition of the escape into the options",
        );
    }
    match &edge.action {
        Action::Guard(_) | Action::Assert(_) | Action::Skip | Action::Else => Ok(()),
        Action::Assign(place, _) if place.global && claim.own.contains(&(place.base as usize)) => {
            Ok(())
        }
        Action::Assign(..) => wrong(
            "a never claim cannot change a variable of the program",
            "declare the variable inside the claim",
        ),
        Action::Whole(_) => wrong(
            "`d_step` is not read in a never claim",
            "write `atomic` instead",
        ),
        _ => wrong(
            "a never claim cannot send, receive or start a process",
            "ask for messages with `c?[m]`, which takes none away",
        ),
    }
}

/// Where a claim goes: its location, and what its variables are then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Goal {
    at: i32,
    own: Vec<i32>,
}

impl Space<'_> {
    /// What the variables of the claim are in a state.
    pub(crate) fn claim_values<'s>(&self, state: &'s State) -> &'s [i32] {
        match self.claim {
            Some(claim) => {
                let own = &self.program().claims[claim].own;
                &state.cells[HEAD + own.start..HEAD + own.end]
            }
            None => &[],
        }
    }

    /// Moves the claim of a state.
    pub(crate) fn move_claim(&self, state: &mut State, claim: usize, goal: &Goal) {
        let own = &self.program().claims[claim].own;
        state.cells[CLAIM] = goal.at;
        state.cells[HEAD + own.start..HEAD + own.end].copy_from_slice(&goal.own);
    }

    /// Where a claim can go from a state. What is atomic in it is one step; an assertion of it
    /// that fails is its end.
    pub(crate) fn claim_moves(&self, state: &State, claim: usize) -> Vec<Goal> {
        let proctype = &self.program().claims[claim];
        let mut found: Vec<Goal> = Vec::new();
        let mut seen = vec![Goal {
            at: state.cells[CLAIM],
            own: self.claim_values(state).to_vec(),
        }];
        let mut looked = 0;
        // What comes later in an atomic sequence sees what was assigned before.
        let mut here = state.clone();
        while let Some(place) = seen.get(looked).cloned() {
            looked += 1;
            if looked > MOST_PLACES {
                self.no_value.set(true);
                break;
            }
            let at = usize::try_from(place.at).ok();
            let Some(location) = at.and_then(|at| proctype.locations.get(at)) else {
                continue;
            };
            self.move_claim(&mut here, claim, &place);
            let mut any = false;
            for edge in &location.edges {
                if matches!(edge.action, Action::Else) && any {
                    continue;
                }
                let Some(goal) = self.claim_edge(&here, claim, edge) else {
                    continue;
                };
                any = true;
                let goes_on = edge.keeps && goal.at == edge.to as i32;
                let list = if goes_on { &mut seen } else { &mut found };
                if !list.contains(&goal) {
                    list.push(goal);
                }
            }
        }
        found
    }

    /// Where an edge of a claim leads, if it can be taken.
    fn claim_edge(&self, state: &State, claim: usize, edge: &Edge) -> Option<Goal> {
        let mut goal = Goal {
            at: edge.to as i32,
            own: self.claim_values(state).to_vec(),
        };
        match &edge.action {
            Action::Guard(code) => self.truth(code, state).then_some(goal),
            Action::Assert(code) => {
                if !self.truth(code, state) {
                    goal.at = CLAIM_END as i32;
                }
                Some(goal)
            }
            Action::Assign(place, code) => {
                let (view, machine) = (View::outside(state), &self.machine);
                let first = HEAD + self.program().claims[claim].own.start;
                let (Ok(cell), Ok(value)) = (machine.cell(place, view), machine.value(code, view))
                else {
                    self.no_value.set(true);
                    return None;
                };
                goal.own[cell - first] = place.width.cut(value);
                Some(goal)
            }
            Action::Else | Action::Skip => Some(goal),
            _ => None,
        }
    }
}
