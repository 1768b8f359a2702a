//! Temporal decomposition: latches that hold still once the first steps are over.
//!
//! Resets and set-up phases keep latches busy for a few steps that never change again. They are no
//! constants, as they change once; but the circuit from the step on in which all of them are settled
//! is smaller (Case, Mony, Baumgartner and Kanzelman, 2009). Its start is what the circuit can be in
//! after so many steps, and the steps before are asked about one by one.

use std::collections::HashMap;

use quotient_core::{Attempt, Budget, Context, Method, Stop};
use quotient_netlist::{Circuit, Clause, Gate, Graph, Literal, Proof, Run};

use crate::ic3::Ic3;
use crate::reduce::{Reduced, constants, starts, ternary_step};
use crate::unroll::Unrolling;

/// Latches that settle later than this are left as they are.
const MOST_STEPS: usize = 100;
/// The most gates of all first steps together.
const MOST_GATES: usize = 2_000_000;

/// A circuit from some step on.
#[derive(Debug)]
pub(crate) struct Shifted {
    /// The step.
    steps: usize,
    /// What is left of it from there on: see [`shifted`].
    small: Reduced,
    /// The number that each of its latches had before; the first is on in the first step only.
    numbers: Vec<usize>,
    /// The latches that hold still from there on.
    settled: Vec<Clause>,
}

impl Shifted {
    /// The circuit from the step on in which the latches are settled that settle soon, if some do.
    pub(crate) fn find(circuit: &Circuit, budget: &Budget) -> Result<Option<Shifted>, Stop> {
        let Some((steps, state)) = settling(circuit, budget)? else {
            return Ok(None);
        };
        let settled = constants(circuit, state, budget)?;
        if steps == 0 || settled.iter().all(Option::is_none) {
            return Ok(None);
        }
        Shifted::after(circuit, steps, &settled, budget).map(Some)
    }

    /// The circuit after some steps, where some latches hold still from there on.
    pub(crate) fn after(
        circuit: &Circuit,
        steps: usize,
        settled: &[Option<bool>],
        budget: &Budget,
    ) -> Result<Shifted, Stop> {
        budget.charge((steps as u64 + 2) * circuit.graph.len() as u64)?;
        let shifted = shifted(circuit, steps, settled);
        let small = Reduced::cone(&shifted, shifted.bad[0]).without_equals(budget)?;
        let numbered = || settled.iter().enumerate();
        let fact = |(number, value): (usize, &Option<bool>)| {
            let latch = number as i64 + 1;
            value.map(|value| vec![if value { latch } else { -latch }])
        };
        Ok(Shifted {
            steps,
            small,
            numbers: numbered()
                .filter_map(|(number, value)| value.is_none().then_some(number))
                .collect(),
            settled: numbered().filter_map(fact).collect(),
        })
    }

    /// What is shown of it, as something that is shown of the circuit it was made of.
    fn proof(&self, proof: &Proof) -> Proof {
        let mut clauses = self.settled.clone();
        let found = proof.clauses.iter().map(|clause| self.small.clause(clause));
        for clause in self.small.facts.iter().cloned().chain(found) {
            // From the next step on its first latch is off.
            if clause.contains(&-1) {
                continue;
            }
            let original = clause.iter().filter(|&&one| one != 1).map(|&one| {
                let latch = self.numbers[one.unsigned_abs() as usize - 2] as i64 + 1;
                if one < 0 { -latch } else { latch }
            });
            clauses.push(original.collect());
        }
        Proof {
            clauses,
            depth: 0,
            distinct: false,
            after: self.steps + 1,
        }
    }

    /// Its run as one of the circuit it was made of.
    fn run(&self, circuit: &Circuit, run: &Run) -> Run {
        let run = self.small.run(run);
        let count = circuit.inputs().len();
        let first: &[bool] = run.inputs.first().map_or(&[], |inputs| &inputs.0);
        let mut chosen = first[count..].iter().copied();
        let latches = circuit.latches().iter();
        let start: Vec<bool> = latches
            .map(|latch| latch.start.or_else(|| chosen.next()).unwrap_or(false))
            .collect();
        let mut inputs = Vec::new();
        for _ in 0..self.steps {
            let step: Vec<bool> = chosen.by_ref().take(count).collect();
            inputs.push(step.into());
        }
        let own = run.inputs.iter();
        inputs.extend(own.map(|inputs| inputs.0[..count].to_vec().into()));
        Run {
            start: start.into(),
            inputs,
            back_to: None,
        }
    }
}

/// When a calculation with three values, all inputs unknown, comes to a state that it was in before:
/// the step in which it was there first, and what all states from there on have in common.
fn settling(
    circuit: &Circuit,
    budget: &Budget,
) -> Result<Option<(usize, Vec<Option<bool>>)>, Stop> {
    let mut seen: HashMap<Vec<Option<bool>>, usize> = HashMap::new();
    let mut states = vec![starts(circuit)];
    while states.len() <= MOST_STEPS && states.len() * circuit.graph.len() <= MOST_GATES {
        budget.charge(circuit.graph.len() as u64 / 2)?;
        let step = states.len() - 1;
        let state = &states[step];
        if let Some(&first) = seen.get(state) {
            let mut common = state.clone();
            for other in &states[first..] {
                for (one, other) in common.iter_mut().zip(other) {
                    *one = one.filter(|_| one == other);
                }
            }
            return Ok(Some((first, common)));
        }
        let next = ternary_step(circuit, state);
        seen.insert(state.clone(), step);
        states.push(next);
    }
    Ok(None)
}

/// The circuit after some steps. Its inputs are those of a step, what latches that may start with
/// anything start with, and the inputs of all steps before. Its first latch is on in the first step
/// only, in which constraints say that the others, those that do not hold still, hold what these
/// make of them.
fn shifted(circuit: &Circuit, steps: usize, settled: &[Option<bool>]) -> Circuit {
    let mut new = Circuit::new();
    let own: Vec<Literal> = circuit.inputs().iter().map(|_| new.input()).collect();
    let first = new.latch(Some(true));
    new.connect(first, Literal::FALSE);
    let mut state: Vec<Literal> = Vec::new();
    for latch in circuit.latches() {
        state.push(match latch.start {
            Some(value) => Literal::constant(value),
            None => new.input(),
        });
    }
    let mut demanded = Vec::new();
    for _ in 0..steps {
        let inputs: Vec<Literal> = own.iter().map(|_| new.input()).collect();
        let step = Step::of(circuit, &state, &inputs, &mut new.graph);
        demanded.extend(circuit.constraints.iter().map(|&one| step.at(one)));
        let latches = circuit.latches().iter();
        state = latches.map(|latch| step.at(latch.next)).collect();
    }
    let mut held = Vec::new();
    let mut left = Vec::new();
    for ((&settled, &reached), latch) in settled.iter().zip(&state).zip(circuit.latches()) {
        if let Some(value) = settled {
            held.push(Literal::constant(value));
            continue;
        }
        let start = match reached {
            Literal::TRUE => Some(true),
            Literal::FALSE => Some(false),
            _ => None,
        };
        let own = new.latch(start);
        if start.is_none() {
            demanded.push(new.graph.iff(own, reached));
        }
        held.push(own);
        left.push((own, latch.next));
    }
    let step = Step::of(circuit, &held, &own, &mut new.graph);
    for (own, next) in left {
        new.connect(own, step.at(next));
    }
    new.constraints = circuit
        .constraints
        .iter()
        .map(|&one| step.at(one))
        .collect();
    for demanded in demanded {
        let constraint = new.graph.or(!first, demanded);
        new.constraints.push(constraint);
    }
    new.bad = vec![step.at(circuit.bad[0])];
    new
}

/// A step of a circuit within a graph: the literal of each node.
struct Step(Vec<Literal>);

impl Step {
    fn of(circuit: &Circuit, latches: &[Literal], inputs: &[Literal], graph: &mut Graph) -> Step {
        let mut step = Step(Vec::with_capacity(circuit.graph.len()));
        for (_, gate) in circuit.graph.nodes() {
            let literal = match gate {
                Gate::Constant => Literal::FALSE,
                Gate::Input(number) => inputs[number],
                Gate::Latch(number) => latches[number],
                Gate::And(a, b) => graph.and(step.at(a), step.at(b)),
            };
            step.0.push(literal);
        }
        step
    }

    fn at(&self, literal: Literal) -> Literal {
        self.0[literal.node().index()].flip_if(literal.is_negated())
    }
}

/// The method: the first steps one by one, then IC3 from there on.
pub(crate) struct Settled<'a> {
    circuit: &'a Circuit,
    shifted: &'a Shifted,
    base: Unrolling<'a>,
    ic3: Ic3,
    most_work: u64,
}

impl<'a> Settled<'a> {
    /// About `bad[0]` of the circuit that a shifted one was made of.
    pub(crate) fn new(circuit: &'a Circuit, shifted: &'a Shifted) -> Settled<'a> {
        Settled {
            circuit,
            shifted,
            base: Unrolling::new(circuit, true),
            ic3: Ic3::new(&shifted.small.circuit, true),
            most_work: u64::MAX,
        }
    }

    /// Pauses when about so much of a budget is used.
    pub(crate) fn pause_after(&mut self, units: u64) {
        self.most_work = units;
        self.ic3.pause_after(units);
    }
}

impl Method for Settled<'_> {
    type Proof = Proof;
    type Trace = Run;
    type Spurious = ();

    fn attempt(&mut self, cx: &mut Context) -> Result<Attempt<Proof, Run, ()>, Stop> {
        let limited = cx.budget.child_with_work(self.most_work);
        while self.base.len() <= self.shifted.steps {
            let bad = self.base.at_last(self.circuit.bad[0]);
            if self.base.ask(bad, &limited)? {
                return Ok(Attempt::Refuted(self.base.run()));
            }
            limited.charge(10 * self.circuit.graph.len() as u64)?;
            self.base.assert(&[!bad]);
            self.base.extend();
        }
        Ok(match self.ic3.attempt(cx)? {
            Attempt::Proved(proof) => Attempt::Proved(self.shifted.proof(&proof)),
            Attempt::Refuted(run) => Attempt::Refuted(self.shifted.run(self.circuit, &run)),
            Attempt::FalseAlarm(()) => Attempt::FalseAlarm(()),
        })
    }

    fn refine(&mut self, (): (), cx: &mut Context) -> Result<(), Stop> {
        self.ic3.refine((), cx)
    }
}
