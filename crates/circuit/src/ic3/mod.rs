//! IC3: invariants from clauses, each of them inductive relative to what is known.
//!
//! Bradley (2011) and Eén, Mishchenko and Brayton (2011): frame *k* contains every state that
//! can be reached in at most *k* steps. Each false alarm, a state in the last frame from which
//! something bad is near, is either traced back to the start or excluded by a clause, which is
//! made as short as possible ([`generalize`]). A frame that equals the next one is an invariant.

mod frames;
mod generalize;
mod lazy;
mod lift;
mod question;
mod shapes;

use std::sync::Arc;

use quotient_core::{Attempt, Context, Method, Stop, What};
use quotient_netlist::{Circuit, Clause, Gate, Literal, Proof, Run};

use frames::{FOREVER, Frames};
pub(crate) use lazy::{Cones, LazySolver};
use lift::Lifter;
pub(crate) use question::{Cube, Oracle};
#[cfg(test)]
pub(crate) use shapes::Shape;
pub(crate) use shapes::Shapes;

/// Counters of what happened, for the story.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    obligations: u64,
    lemmas: u64,
}

/// A state, or several, from which something bad can be reached.
#[derive(Debug, Clone)]
struct Obligation {
    /// The states.
    cube: Cube,
    /// Inputs that lead from each of them to one of the next obligation, or show the bad signal.
    inputs: Vec<bool>,
    next: Option<usize>,
}

/// The method.
#[derive(Debug, Clone)]
pub(crate) struct Ic3 {
    circuit: Arc<Circuit>,
    oracle: Oracle,
    lifter: Lifter,
    frames: Frames,
    obligations: Vec<Obligation>,
    /// Frame, how far from the bad state, and which: the lowest frame comes first.
    queue: std::collections::BinaryHeap<std::cmp::Reverse<(usize, usize, usize)>>,
    /// How often each latch was in a lemma lately.
    activity: Vec<f64>,
    increment: f64,
    /// Lemmas of frames below this one were moved as far as they hold.
    propagated: usize,
    /// How much work may be done before it pauses.
    most_work: u64,
    counts: Counts,
    /// Whether states that stand in the way of a shorter lemma are excluded as well.
    with_helpers: bool,
}

/// Circuits with more gates are never looked at whole: questions about some of their latches take
/// all the time there is.
const MOST_EXACT: usize = 50_000;

impl Ic3 {
    /// About `bad[0]`. Two variants differ in how hard they try to make lemmas short,
    /// and in whether a question follows the lemmas about all latches or only about those it names.
    pub(crate) fn new(circuit: &Arc<Circuit>, with_helpers: bool) -> Ic3 {
        let oracle = match with_helpers && circuit.graph.len() <= MOST_EXACT {
            true => Oracle::exact(Arc::clone(circuit)),
            false => Oracle::new(Arc::clone(circuit)),
        };
        Ic3 {
            circuit: Arc::clone(circuit),
            lifter: Lifter::new(Arc::clone(circuit), oracle.shapes()),
            oracle,
            frames: Frames::new(),
            obligations: Vec::new(),
            queue: std::collections::BinaryHeap::new(),
            activity: vec![0.0; circuit.latches().len()],
            increment: 1.0,
            propagated: usize::MAX,
            most_work: u64::MAX,
            counts: Counts::default(),
            with_helpers,
        }
    }

    /// Pauses when so much of a budget is used. A lemma that is under way is finished first, as
    /// nothing of it would be left for the next turn.
    pub(crate) fn pause_after(&mut self, units: u64) {
        self.most_work = units;
    }

    fn pause(&self, cx: &Context) -> Result<(), Stop> {
        cx.budget.charge(64)?;
        match cx.budget.work_done() > self.most_work {
            true => Err(Stop::Work),
            false => Ok(()),
        }
    }

    fn latch_number(&self, literal: Literal) -> usize {
        match self.circuit.graph.gate(literal.node()) {
            Gate::Latch(number) => number,
            // Cubes are made of latches.
            _ => 0,
        }
    }

    /// Whether a state that the circuit starts in may be in a cube.
    fn meets_start(&self, cube: &[Literal]) -> bool {
        cube.iter().all(|&literal| {
            let start = self.circuit.latches()[self.latch_number(literal)].start;
            start.is_none_or(|value| value != literal.is_negated())
        })
    }

    /// Excludes obligations until none is left; a run is what leads to a bad state.
    fn discharge(&mut self, cx: &Context) -> Result<Option<Run>, Stop> {
        while let Some(&std::cmp::Reverse((frame, distance, number))) = self.queue.peek() {
            self.pause(cx)?;
            let cube = self.obligations[number].cube.clone();
            if let Some(covered) = self.frames.covering(&cube, frame) {
                self.queue.pop();
                self.requeue(covered.saturating_add(1), distance, number);
                continue;
            }
            if self
                .oracle
                .is_inductive(frame - 1, &cube, true, &cx.budget)?
            {
                let core = self.core_of(&cube);
                let (lemma, reached) = self.generalized(core, frame, cx)?;
                self.add_lemma(&lemma, reached);
                self.queue.pop();
                self.requeue(reached + 1, distance, number);
                continue;
            }
            let targets = self.oracle.primed(&cube);
            let (before, inputs) = self.predecessor(frame - 1, &targets, cx)?;
            self.counts.obligations += 1;
            let run = self.meets_start(&before);
            self.obligations.push(Obligation {
                cube: before,
                inputs,
                next: Some(number),
            });
            let new = self.obligations.len() - 1;
            if run {
                return Ok(Some(self.run_from(new)));
            }
            let reversed = std::cmp::Reverse((frame - 1, distance + 1, new));
            self.queue.push(reversed);
        }
        Ok(None)
    }

    fn requeue(&mut self, frame: usize, distance: usize, number: usize) {
        if frame <= self.frames.top() {
            self.queue
                .push(std::cmp::Reverse((frame, distance, number)));
        }
    }

    /// The states before, made as general as the question that found one allows.
    fn predecessor(
        &mut self,
        frame: usize,
        targets: &[Literal],
        cx: &Context,
    ) -> Result<(Cube, Vec<bool>), Stop> {
        let solver = self.oracle.solver(frame);
        self.lifter.lift(solver, targets, &cx.budget)
    }

    /// The part of a cube that the refusal just given needs, which stays away from the start.
    fn core_of(&mut self, cube: &[Literal]) -> Cube {
        let mut core = self.oracle.core(cube);
        if self.meets_start(&core) {
            let apart = cube.iter().copied().find(|&one| !self.meets_start(&[one]));
            core.extend(apart);
            core.sort();
        }
        core
    }

    fn add_lemma(&mut self, cube: &Cube, frame: usize) {
        self.counts.lemmas += 1;
        for &literal in cube {
            let number = self.latch_number(literal);
            self.activity[number] += self.increment;
        }
        self.increment /= 0.99;
        if self.increment > 1e100 {
            self.activity.iter_mut().for_each(|one| *one *= 1e-100);
            self.increment *= 1e-100;
        }
        self.frames.add(cube, frame);
        self.oracle.exclude_from(cube, 1..=frame);
    }

    fn run_from(&self, first: usize) -> Run {
        let mut start: Vec<bool> = (self.circuit.latches().iter())
            .map(|latch| latch.start.unwrap_or(false))
            .collect();
        for &literal in &self.obligations[first].cube {
            start[self.latch_number(literal)] = !literal.is_negated();
        }
        let mut inputs = Vec::new();
        let mut at = Some(first);
        while let Some(number) = at {
            inputs.push(self.obligations[number].inputs.clone().into());
            at = self.obligations[number].next;
        }
        Run {
            start: start.into(),
            inputs,
            back_to: None,
        }
    }

    /// Moves lemmas as far as they hold; says whether a frame equals the next one.
    fn propagate(&mut self, cx: &Context) -> Result<Option<usize>, Stop> {
        for frame in self.propagated..self.frames.top() {
            self.pause(cx)?;
            let cubes: Vec<Cube> = self.frames.lemmas(frame).cloned().collect();
            for cube in cubes {
                if !self.frames.has(&cube, frame) {
                    continue;
                }
                if self.oracle.is_inductive(frame, &cube, false, &cx.budget)? {
                    let core = self.core_of(&cube);
                    self.frames.add(&core, frame + 1);
                    match core == cube {
                        // All frames before have it.
                        true => self.oracle.exclude_from(&core, frame + 1..=frame + 1),
                        false => self.oracle.exclude_from(&core, 1..=frame + 1),
                    }
                    if frame + 1 == self.frames.top() {
                        self.keep_forever(&core, cx)?;
                    }
                }
            }
            self.oracle.tidy(frame, &self.frames);
            if self.frames.is_empty(frame) {
                return Ok(Some(frame + 1));
            }
            self.propagated = frame + 1;
        }
        self.propagated = usize::MAX;
        Ok(None)
    }

    /// Excludes a cube of the last frame for ever if no step from outside of it leads into it: it
    /// need not be moved from frame to frame any more.
    fn keep_forever(&mut self, cube: &Cube, cx: &Context) -> Result<(), Stop> {
        if self.oracle.is_inductive_forever(cube, &cx.budget)? {
            let core = self.core_of(cube);
            self.frames.add(&core, FOREVER);
            self.oracle.exclude_forever(&core);
        }
        Ok(())
    }

    fn proof(&self, frame: usize) -> Proof {
        let clause = |cube: &Cube| -> Clause {
            let literal = |&one: &Literal| {
                let latch = self.latch_number(one) as i64 + 1;
                if one.is_negated() { latch } else { -latch }
            };
            cube.iter().map(literal).collect()
        };
        let frames = frame..=self.frames.top();
        let cubes = frames.flat_map(|frame| self.frames.lemmas(frame));
        let cubes = cubes.chain(self.frames.forever());
        Proof {
            clauses: cubes.map(clause).collect(),
            depth: 0,
            distinct: false,
            after: 0,
        }
    }
}

impl Method for Ic3 {
    type Proof = Proof;
    type Trace = Run;
    type Spurious = ();

    fn attempt(&mut self, cx: &mut Context) -> Result<Attempt<Proof, Run, ()>, Stop> {
        if let Some(frame) = self.propagate(cx)? {
            return Ok(Attempt::Proved(self.proof(frame)));
        }
        let bad = self.circuit.bad[0];
        loop {
            if let Some(run) = self.discharge(cx)? {
                return Ok(Attempt::Refuted(run));
            }
            let top = self.frames.top();
            if !self.oracle.reaches(top, bad, &cx.budget)? {
                return Ok(Attempt::FalseAlarm(()));
            }
            self.counts.obligations += 1;
            let (cube, inputs) = self.predecessor(top, &[bad], cx)?;
            let start = top == 0 || self.meets_start(&cube);
            self.obligations.push(Obligation {
                cube,
                inputs,
                next: None,
            });
            let new = self.obligations.len() - 1;
            if start {
                return Ok(Attempt::Refuted(self.run_from(new)));
            }
            self.queue.push(std::cmp::Reverse((top, 0, new)));
        }
    }

    fn refine(&mut self, (): (), cx: &mut Context) -> Result<(), Stop> {
        cx.story.tell(|| What::Step {
            attempt: cx.attempt,
            step: self.frames.top() as u64,
            sizes: [
                ("lemmas", self.frames.len() as u64),
                ("obligations", self.counts.obligations),
            ]
            .into(),
        });
        self.frames.push();
        self.oracle.push();
        self.obligations.clear();
        self.queue.clear();
        self.propagated = 1;
        Ok(())
    }
}
