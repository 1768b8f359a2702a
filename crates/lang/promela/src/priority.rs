//! Priorities: only those processes move whose priority is highest among those that can.
//!
//! Where a text says anything about priorities, every process has its own in a variable behind its parameters.

use crate::lex::At;
use crate::machine::Machine;
use crate::names::Names;
use crate::parse::Parsed;
use crate::state::State;
use crate::syntax::{Declaration, Node, Start, Type};

/// The variable that holds it.
pub(crate) fn declared(at: At) -> Declaration {
    Declaration {
        name: "_priority".into(),
        at,
        kind: Type::Byte,
        length: None,
        start: Start::None,
    }
}

impl Names {
    /// What is said about a priority; 1 if nothing is.
    pub(crate) fn priority(&mut self, node: Option<&Node>) -> Parsed<i32> {
        let Some(node) = node else { return Ok(1) };
        match self.constant(node)? {
            priority @ 1..=255 => Ok(priority),
            _ => Err(self.wrong(node.at, "a priority is a number from 1 to 255")),
        }
    }
}

impl Machine<'_> {
    /// Where the priority of a process is kept.
    fn priority_cell(&self, state: &State, number: i32) -> Option<usize> {
        let number = usize::try_from(number).ok()?;
        let exists = self.program.uses_priorities && number < state.processes.len();
        exists.then(|| {
            let process = &self.program.proctypes[state.process(number).0];
            state.locals(number) + process.parameters
        })
    }

    /// The priority of a process; 0 if there is no such process.
    pub(crate) fn priority(&self, state: &State, number: i32) -> i32 {
        let cell = self.priority_cell(state, number);
        cell.map_or(0, |cell| state.cells[cell])
    }

    /// Gives a process a priority, if there is such a process.
    pub(crate) fn prioritize(&self, state: &mut State, number: i32, priority: i32) {
        if let Some(cell) = self.priority_cell(state, number) {
            state.cells[cell] = priority.clamp(1, 255);
        }
    }
}
