//! Induction over several steps.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use quotient_core::{Attempt, Context, Method, Stop, What};
use quotient_netlist::{Circuit, Clause, Literal, Proof, Run};

use crate::unroll::Unrolling;

/// k-induction (Sheeran, Singh and Stålmarck, 2000): no bad state within `k` steps of the start,
/// and none after `k` different states that are not bad.
#[derive(Debug)]
pub(crate) struct Induction<'a> {
    circuit: &'a Circuit,
    base: Unrolling<'a>,
    step: Unrolling<'a>,
    /// Pairs of steps that are demanded to be different.
    distinct: bool,
    base_done: bool,
}

impl<'a> Induction<'a> {
    /// About `bad[0]` of a circuit that keeps all latches that matter.
    pub(crate) fn new(circuit: &'a Circuit) -> Induction<'a> {
        Induction {
            circuit,
            base: Unrolling::new(circuit, true),
            step: Unrolling::new(circuit, false),
            distinct: false,
            base_done: false,
        }
    }

    /// The variables of its formulas.
    pub(crate) fn size(&self) -> usize {
        self.base.size() + self.step.size()
    }

    /// Steps in the same state as an earlier one, in the run just found.
    fn repetitions(&self) -> Vec<(usize, usize)> {
        let mut first: HashMap<Vec<bool>, usize> = HashMap::new();
        let mut found = Vec::new();
        for step in 0..self.step.len() {
            let latches: &[Literal] = self.step.latches(step);
            let state = latches.iter().map(|&one| self.step.value(one)).collect();
            match first.entry(state) {
                Entry::Occupied(entry) => found.push((*entry.get(), step)),
                Entry::Vacant(entry) => {
                    entry.insert(step);
                }
            }
        }
        found
    }
}

impl Method for Induction<'_> {
    type Proof = Proof;
    type Trace = Run;
    type Spurious = ();

    fn attempt(&mut self, cx: &mut Context) -> Result<Attempt<Proof, Run, ()>, Stop> {
        let bad = self.circuit.bad[0];
        if !self.base_done {
            let now = self.base.at_last(bad);
            if self.base.ask(now, &cx.budget)? {
                return Ok(Attempt::Refuted(self.base.run()));
            }
            self.base_done = true;
        }
        let last = self.step.at_last(bad);
        while self.step.ask(last, &cx.budget)? {
            let repetitions = self.repetitions();
            if repetitions.is_empty() {
                return Ok(Attempt::FalseAlarm(()));
            }
            self.distinct = true;
            for (earlier, later) in repetitions {
                self.step.assert_distinct(earlier, later);
            }
            let cells = self.step.len() * self.circuit.latches().len();
            cx.budget.charge(8 * cells as u64)?;
        }
        Ok(Attempt::Proved(Proof {
            clauses: Vec::<Clause>::new(),
            depth: self.step.len(),
            distinct: self.distinct,
            after: 0,
        }))
    }

    fn refine(&mut self, (): (), cx: &mut Context) -> Result<(), Stop> {
        cx.story.tell(|| What::Step {
            attempt: cx.attempt,
            step: self.step.len() as u64,
            sizes: [("variables", self.step.size() as u64)].into(),
        });
        self.step.check_size()?;
        cx.budget.charge(20 * self.circuit.graph.len() as u64)?;
        let bad = self.circuit.bad[0];
        let (in_base, in_step) = (self.base.at_last(bad), self.step.at_last(bad));
        self.base.assert(&[!in_base]);
        self.base.extend();
        self.base_done = false;
        self.step.assert(&[!in_step]);
        self.step.extend();
        Ok(())
    }
}
