//! Bounded search: the shortest violations.

use quotient_core::{Attempt, Context, Method, Stop, What};
use quotient_netlist::{Circuit, Run};

use crate::unroll::Unrolling;

/// Looks for runs of ever more steps (Biere and others, 1999). It proves nothing; what it finds
/// is as short as can be.
#[derive(Debug)]
pub(crate) struct Bounded<'a> {
    circuit: &'a Circuit,
    unrolling: Unrolling<'a>,
    most: Option<u64>,
}

impl<'a> Bounded<'a> {
    /// Looks for violations of `bad[0]`, in at most so many steps.
    pub(crate) fn new(circuit: &'a Circuit, most: Option<u64>) -> Bounded<'a> {
        Bounded {
            circuit,
            unrolling: Unrolling::new(circuit, true),
            most,
        }
    }

    /// The variables of its formula.
    pub(crate) fn size(&self) -> usize {
        self.unrolling.size()
    }
}

impl Method for Bounded<'_> {
    type Proof = std::convert::Infallible;
    type Trace = Run;
    type Spurious = ();

    fn attempt(&mut self, cx: &mut Context) -> Result<Attempt<Self::Proof, Run, ()>, Stop> {
        let bad = self.unrolling.at_last(self.circuit.bad[0]);
        match self.unrolling.ask(bad, &cx.budget)? {
            true => Ok(Attempt::Refuted(self.unrolling.run())),
            false => Ok(Attempt::FalseAlarm(())),
        }
    }

    fn refine(&mut self, (): (), cx: &mut Context) -> Result<(), Stop> {
        let steps = self.unrolling.len() as u64;
        if let Some(most) = self.most.filter(|&most| steps > most) {
            return Err(Stop::bound("steps", most));
        }
        cx.story.tell(|| What::Step {
            attempt: cx.attempt,
            step: steps,
            sizes: [
                ("variables", self.unrolling.size() as u64),
                ("conflicts", self.unrolling.conflicts()),
            ]
            .into(),
        });
        self.unrolling.check_size()?;
        cx.budget.charge(10 * self.circuit.graph.len() as u64)?;
        let bad = self.unrolling.at_last(self.circuit.bad[0]);
        self.unrolling.assert(&[!bad]);
        self.unrolling.extend();
        Ok(())
    }
}
