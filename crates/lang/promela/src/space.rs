//! The states and steps of a program, perhaps together with a never claim.

use std::cell::Cell;

use quotient_core::Stop;

use crate::events::Watch;
use crate::machine::{Machine, View};
use crate::moves::{Count, Move};
use crate::program::{Code, Program};
use crate::state::{CLAIM, FAILED, State};

/// How a program is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Mode {
    /// Full channels lose messages.
    pub(crate) loses: bool,
    /// Runs are fair to processes.
    pub(crate) fair: bool,
    /// The event trace that is looked at, by number.
    pub(crate) watch: Option<usize>,
}

impl Mode {
    /// The event trace that is looked at.
    pub(crate) fn watch<'a>(&self, program: &'a Program) -> Option<&'a Watch> {
        let one = program.traces.get(self.watch?)?;
        one.watch.as_ref()
    }

    pub(crate) fn machine<'a>(&self, program: &'a Program, marks: bool) -> Machine<'a> {
        Machine {
            program,
            loses: self.loses,
            last: self.fair && !marks,
            marks,
            watch: self.watch(program),
        }
    }
}

/// Where a claim is when it can no longer move.
pub(crate) const CLAIM_LOST: i32 = -1;
/// Where a claim is at its end: always its second location.
pub(crate) const CLAIM_END: u32 = 1;

/// The states of a program, perhaps together with a never claim.
pub(crate) struct Space<'a> {
    pub(crate) machine: Machine<'a>,
    /// The claim that moves along, by number.
    pub(crate) claim: Option<usize>,
    /// Whether somebody asked for something that has no value, such as what lies behind the end of an
    /// array: neither true nor false, so that nothing is said of runs through such a state.
    pub(crate) no_value: Cell<bool>,
}

impl<'a> Space<'a> {
    pub(crate) fn new(machine: Machine<'a>, claim: Option<usize>) -> Space<'a> {
        Space {
            machine,
            claim,
            no_value: Cell::new(false),
        }
    }

    /// Whether an expression is not zero in a state, as formulas and claims see it.
    pub(crate) fn truth(&self, code: &Code, state: &State) -> bool {
        let value = self.machine.value(code, View::outside(state));
        if value.is_err() && state.cells[FAILED] == 0 {
            self.no_value.set(true);
        }
        value.is_ok_and(|value| value != 0)
    }

    /// Says so if something had no value since this was asked last.
    pub(crate) fn had_values(&self) -> Result<(), Stop> {
        match self.no_value.replace(false) {
            false => Ok(()),
            true => Err(Stop::inconclusive(
                "an expression of the formula or claim has no value in some state (an index outside of an \
                 array, a division by zero, an atomic sequence of a claim without an end)",
            )),
        }
    }

    pub(crate) fn program(&self) -> &'a Program {
        self.machine.program
    }

    /// The states that it begins in.
    pub(crate) fn start(&self) -> State {
        let mut state = match self.machine.start() {
            Ok(state) => state,
            Err(fault) => {
                let mut cells = vec![0; crate::state::HEAD + self.program().globals.len()];
                cells[FAILED] = fault.number();
                State::from_cells(self.program(), cells)
            }
        };
        if let Some(watch) = self.machine.watch {
            state.cells[CLAIM] = watch.automaton.start as i32;
        }
        if let Some(claim) = self.claim {
            state.cells[CLAIM] = self.program().claims[claim].start as i32;
        }
        state
    }

    /// Says so if the program fails before its first step: then there are no runs to speak of.
    pub(crate) fn begins(&self) -> Result<(), Stop> {
        match self.start().cells[FAILED] {
            0 => Ok(()),
            _ => Err(Stop::inconclusive(
                "the program fails before its first step, so it has no runs",
            )),
        }
    }

    /// Every step with its moves.
    pub(crate) fn steps(&self, state: &State, tell: &mut dyn FnMut(&[Move], &State)) -> Count {
        let Some(claim) = self.claim else {
            return self.machine.steps(state, tell);
        };
        let goals = self.claim_moves(state, claim);
        let mut next = state.clone();
        if goals.is_empty() {
            // What the claim does not speak about goes on without it, unseen.
            next.cells[CLAIM] = CLAIM_LOST;
            if state.cells[CLAIM] != CLAIM_LOST {
                tell(&[], &next);
            }
            return Count::default();
        }
        let count = self.machine.steps(state, &mut |moves, after| {
            next.clone_from(after);
            for goal in &goals {
                self.move_claim(&mut next, claim, goal);
                tell(moves, &next);
            }
        });
        if count.moves == 0 {
            next.clone_from(state);
            for goal in &goals {
                self.move_claim(&mut next, claim, goal);
                tell(&[], &next);
            }
        }
        count
    }
}
