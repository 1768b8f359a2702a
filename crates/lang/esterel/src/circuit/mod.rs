//! Pure programs as circuits.
//!
//! The translation is Berry's, with the surface of each statement (what it does in the instant
//! that starts it) apart from its depth (what it does when control rests in it): a loop has one
//! depth and a further surface for the turn that begins in the instant in which the last one
//! ends, so that signals and parallels of both turns are never mixed up. The wires may form
//! cycles; [`acyclic`] finds the least fixed point with three values and says where it leaves a
//! wire undefined.

mod acyclic;
mod compile;
mod nets;

use quotient_core::{Budget, Diagnostic, Source, Span, Trouble};
use quotient_netlist::{Circuit, Literal, Run, State};

use crate::kernel::{Condition, Program, SignalId};

/// A pure program as a circuit.
#[derive(Debug, Clone)]
pub(crate) struct Compiled {
    /// Inputs are those of the program in their order, outputs likewise; relations are
    /// constraints.
    pub(crate) circuit: Circuit,
    /// By signal of the interface: whether it is present.
    pub(crate) status: Vec<Literal>,
    /// On where a wire stays undefined: the program is not constructive there.
    pub(crate) undefined: Literal,
    /// The wires of cycles, to tell about them.
    cycles: Vec<acyclic::Cycle>,
    /// The inputs of the program, in the order of those of the circuit.
    pub(crate) inputs: Vec<SignalId>,
}

/// Compiles a pure program.
pub(crate) fn compile(program: &Program, budget: &Budget) -> Result<Compiled, Trouble> {
    let compiled = compile::compile(program, budget)?;
    Ok(acyclic::acyclic(program, compiled, budget)?)
}

impl Compiled {
    /// The signal that says that a condition on the interface is true.
    pub(crate) fn condition(&mut self, condition: &Condition) -> Literal {
        match condition {
            Condition::Constant(value) => Literal::constant(*value),
            Condition::Signal(signal) => self.status[*signal],
            // Questions are about one instant: who asks refuses the past.
            Condition::Before(_) => Literal::FALSE,
            Condition::Not(inner) => !self.condition(inner),
            Condition::And(all) => {
                let all: Vec<Literal> = all.iter().map(|one| self.condition(one)).collect();
                self.circuit.graph.all(all)
            }
            Condition::Or(all) => {
                let all: Vec<Literal> = all.iter().map(|one| self.condition(one)).collect();
                self.circuit.graph.any(all)
            }
        }
    }

    /// Whether the program can have cycles at all.
    pub(crate) fn is_cyclic(&self) -> bool {
        !self.cycles.is_empty()
    }

    /// A run that ends where a wire is undefined, as a mistake in the source.
    pub(crate) fn causality(&self, source: &Source, run: &Run, instant: usize) -> Diagnostic {
        let mut mistake = Diagnostic::error("causality", "the program is not constructive");
        let states = run.states(&self.circuit);
        let told = states
            .last()
            .map(|state| self.cycle(state))
            .unwrap_or_default();
        for (span, text) in told {
            mistake = mistake.at(source, span, text);
        }
        mistake
            .note(format!("in instant {instant}"))
            .note("each of these waits for the next, and the last for the first")
            .help("put a `pause` between, or use `pre`")
    }

    /// Wires that wait for each other, with their places.
    fn cycle(&self, state: &State) -> Vec<(Span, String)> {
        let cycles = self.cycles.iter();
        let mut told = cycles.map(|cycle| cycle.undefined(state));
        told.find(|told| !told.is_empty()).unwrap_or_default()
    }
}

#[cfg(test)]
pub(crate) mod tests;
