//! Interpolation: what lies between the states of the next step and those that lead to bad ones.

use std::sync::Arc;

use quotient_core::{Attempt, Budget, Context, Method, Stop, What};
use quotient_netlist::{Circuit, Clause, Gate, Literal, Proof, Run};

use crate::ic3::{Cube, Oracle};
use crate::reduce::Reduced;
use crate::unroll::Unrolling;

/// McMillan (2003): a set of states, at first those of the start, grows by what lies between the
/// states one step later and those from which a bad one is at most so many steps away, until it
/// grows no more. If nothing lies between, one looks further ahead and begins again.
///
/// What lies between is found without proofs (Chockler, Ivrii and Matsliah, 2012): a state that
/// leads to a bad one, made general by the assumptions that a solver needs to say that it is no
/// state of the set and none a step later, is left out, until no such state is left. So every set is
/// given by clauses over latches; the last one is an inductive invariant.
#[derive(Debug)]
pub(crate) struct Interpolation<'a> {
    /// Without constraints: these are folded into its last latch.
    circuit: &'a Arc<Circuit>,
    /// The number of latches that count.
    latches: usize,
    /// From the start, to look for real runs.
    base: Unrolling<'a>,
    /// From any state.
    later: Unrolling<'a>,
    /// Something is bad in a step of those that are looked ahead.
    ahead: Literal,
    /// How many steps are looked ahead.
    depth: usize,
    /// Steps from the start without anything bad.
    checked: usize,
    /// Without sets, to begin with.
    fresh: Oracle,
    oracle: Oracle,
    /// How often the set grew.
    round: usize,
    /// What the set leaves out, how much of it was asked about, and how much of that is left out
    /// one step later, too.
    known: Vec<Cube>,
    asked: usize,
    kept: usize,
    /// What the next set leaves out, and what switches that on.
    next: Vec<Cube>,
    switch: Literal,
}

impl<'a> Interpolation<'a> {
    /// About `bad[0]`.
    pub(crate) fn new(reduced: &'a Reduced) -> Interpolation<'a> {
        let circuit = reduced.folded();
        let fresh = Oracle::exact(Arc::clone(circuit));
        let mut later = Unrolling::new(circuit, false);
        Interpolation {
            circuit,
            latches: reduced.circuit.latches().len(),
            base: Unrolling::new(circuit, true),
            ahead: later.at_last(circuit.bad[0]),
            switch: later.switch(),
            later,
            depth: 1,
            checked: 0,
            oracle: fresh.clone(),
            fresh,
            round: 0,
            known: start(circuit),
            asked: 0,
            kept: 0,
            next: Vec::new(),
        }
    }

    /// A run to a bad state that is as long as what is looked ahead, or shorter.
    fn short_run(&mut self, budget: &Budget) -> Result<Option<Run>, Stop> {
        while self.checked <= self.depth {
            let bad = self.base.at_last(self.circuit.bad[0]);
            if self.base.ask(bad, budget)? {
                let mut run = self.base.run();
                run.start.0.truncate(self.latches);
                return Ok(Some(run));
            }
            self.base.check_size()?;
            self.base.assert(&[!bad]);
            self.base.extend();
            self.checked += 1;
            budget.charge(10 * self.circuit.graph.len() as u64)?;
        }
        Ok(None)
    }

    /// States of the next set that lead to a bad one.
    fn doubtful(&mut self, budget: &Budget) -> Result<Option<Cube>, Stop> {
        let question = self.later.both(self.switch, self.ahead);
        if !self.later.ask(question, budget)? {
            return Ok(None);
        }
        let latches = self.circuit.latches().iter();
        let held = latches.zip(self.later.latches(0));
        let mut cube: Cube = held
            .filter_map(|(latch, &first)| {
                let value = self.later.value_that_matters(first)?;
                Some(latch.node.literal().flip_if(!value))
            })
            .collect();
        cube.sort();
        Ok(Some(cube))
    }

    /// A part of a cube with no state of the set, and none of a step later.
    fn outside(&mut self, cube: &Cube, budget: &Budget) -> Result<Option<Cube>, Stop> {
        let Some(mut part) = self.oracle.apart(self.round, cube, budget)? else {
            return Ok(None);
        };
        let oracle = &mut self.oracle;
        if !oracle.is_inductive(self.round, cube, false, budget)? {
            return Ok(None);
        }
        part.extend(oracle.core(cube));
        part.sort();
        part.dedup();
        Ok(Some(part).filter(|part| !part.is_empty()))
    }

    /// The same, as small as leaving out one literal after the other makes it.
    fn shortened(&mut self, cube: &Cube, budget: &Budget) -> Result<Option<Cube>, Stop> {
        let Some(mut part) = self.outside(cube, budget)? else {
            return Ok(None);
        };
        for literal in part.clone() {
            if part.len() == 1 {
                break;
            }
            let mut candidate = part.clone();
            candidate.retain(|&one| one != literal);
            if candidate.len() < part.len()
                && let Some(smaller) = self.outside(&candidate, budget)?
            {
                part = smaller;
            }
        }
        Ok(Some(part))
    }

    /// Leaves something out of the next set.
    fn leave_out(&mut self, cube: Cube) {
        let mut clause = vec![!self.switch];
        for &literal in &cube {
            let first = self.later.latches(0)[self.latch_number(literal)];
            clause.push(first.flip_if(!literal.is_negated()));
        }
        self.later.assert(&clause);
        self.next.push(cube);
    }

    /// Goes on with the next set.
    fn grow(&mut self) {
        self.known = std::mem::take(&mut self.next);
        self.round += 1;
        self.oracle.push();
        for cube in &self.known {
            self.oracle.exclude_from(cube, self.round..=self.round);
        }
        self.begin_round();
    }

    fn begin_round(&mut self) {
        self.asked = 0;
        self.kept = 0;
        self.next.clear();
        self.switch = self.later.switch();
    }

    fn latch_number(&self, literal: Literal) -> usize {
        match self.circuit.graph.gate(literal.node()) {
            Gate::Latch(number) => number,
            // Cubes are made of latches.
            _ => 0,
        }
    }

    /// The set as an invariant: what it says of states in which the constraints were fulfilled so
    /// far.
    fn proof(&self) -> Proof {
        let clause = |cube: &Cube| -> Option<Clause> {
            let mut clause = Clause::new();
            for &literal in cube {
                match self.latch_number(literal) {
                    number if number < self.latches => {
                        let latch = number as i64 + 1;
                        let negated = literal.is_negated();
                        clause.push(if negated { latch } else { -latch });
                    }
                    // Where they were not, it says nothing that is of interest.
                    _ if literal.is_negated() => return None,
                    _ => {}
                }
            }
            Some(clause)
        };
        Proof {
            clauses: self.known.iter().filter_map(clause).collect(),
            depth: 0,
            distinct: false,
            after: 0,
        }
    }
}

/// What the states of the start leave out.
fn start(circuit: &Circuit) -> Vec<Cube> {
    let latches = circuit.latches().iter();
    let other = latches.filter_map(|latch| {
        let value = latch.start?;
        Some(vec![latch.node.literal().flip_if(value)])
    });
    other.collect()
}

impl Method for Interpolation<'_> {
    type Proof = Proof;
    type Trace = Run;
    type Spurious = ();

    fn attempt(&mut self, cx: &mut Context) -> Result<Attempt<Proof, Run, ()>, Stop> {
        let budget = &cx.budget;
        if let Some(run) = self.short_run(budget)? {
            return Ok(Attempt::Refuted(run));
        }
        loop {
            budget.charge(64)?;
            if let Some(cube) = self.known.get(self.asked).cloned() {
                if (self.oracle).is_inductive(self.round, &cube, false, budget)? {
                    self.kept += 1;
                    self.leave_out(cube);
                }
                self.asked += 1;
                continue;
            }
            if self.kept == self.known.len() {
                return Ok(Attempt::Proved(self.proof()));
            }
            match self.doubtful(budget)? {
                None => self.grow(),
                Some(cube) => match self.shortened(&cube, budget)? {
                    Some(part) => self.leave_out(part),
                    None => return Ok(Attempt::FalseAlarm(())),
                },
            }
        }
    }

    fn refine(&mut self, (): (), cx: &mut Context) -> Result<(), Stop> {
        cx.story.tell(|| What::Step {
            attempt: cx.attempt,
            step: self.depth as u64,
            sizes: [
                ("rounds", self.round as u64),
                ("clauses", self.known.len() as u64),
            ]
            .into(),
        });
        self.depth += self.round.max(1);
        while self.later.len() < self.depth {
            self.later.check_size()?;
            cx.budget.charge(10 * self.circuit.graph.len() as u64)?;
            self.later.extend();
            let bad = self.later.at_last(self.circuit.bad[0]);
            self.ahead = !self.later.both(!self.ahead, !bad);
        }
        self.oracle = self.fresh.clone();
        self.round = 0;
        self.known = start(self.circuit);
        self.begin_round();
        Ok(())
    }
}
