//! Things that must not happen for ever, by way of things that must never happen.

use quotient_core::{Conclusion, Context, Stop};
use quotient_netlist::{Bound, Circuit, Literal, Run};

use crate::{Options, Way, matters, never};

/// What came out of a question about runs without end.
#[derive(Debug, Clone)]
pub struct LiveFinding {
    /// The answer with its evidence.
    pub conclusion: Conclusion<Bound, Run>,
    /// The method that gave it.
    pub way: Option<&'static str>,
    /// How many questions about single states it took.
    pub refinements: u64,
}

/// What a run that goes on for ever comes back to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComesBack {
    /// What the signals and the constraints depend on: all that is needed for them to go on as before.
    WhatMatters,
    /// All latches, where others read the run as one of a whole model.
    Everything,
}

/// Whether no run has all of some signals on infinitely often.
///
/// Two methods take turns of so much work each. One looks for a run that returns to a state it
/// was in (Biere, Artho and Schuppan, 2002): a copy of the state is kept from some step on, and
/// to see it again with every signal on in between is bad. The other bounds the number of rounds
/// in which every signal was on by 0, 1, 2, … (Claessen and Sörensson, 2012): a proof by IC3
/// that the bound is never passed is a proof. Without bounded search among the ways there is the second
/// alone.
///
/// ```
/// use quotient_circuit::{ComesBack, Options, not_forever};
/// use quotient_core::{Context, Verdict};
/// use quotient_netlist::Circuit;
/// let mut lamp = Circuit::new();
/// let on = lamp.latch(Some(false));
/// lamp.connect(on, !on);
/// let (options, cx) = (Options::default(), Context::default());
/// let finding = not_forever(&lamp, &[on], ComesBack::WhatMatters, &options, &cx);
/// assert_eq!(finding.conclusion.verdict(), Verdict::Violated);
/// ```
pub fn not_forever(
    circuit: &Circuit,
    signals: &[Literal],
    to: ComesBack,
    options: &Options,
    cx: &Context,
) -> LiveFinding {
    let mut refinements = 0;
    let (conclusion, way) = match search((circuit, signals, to), options, cx, &mut refinements) {
        Ok((conclusion, way)) => (conclusion, Some(way)),
        Err(stop) => (Conclusion::Unknown(stop), None),
    };
    LiveFinding {
        conclusion,
        way,
        refinements,
    }
}

fn search(
    (circuit, signals, to): (&Circuit, &[Literal], ComesBack),
    options: &Options,
    cx: &Context,
    refinements: &mut u64,
) -> Result<(Conclusion<Bound, Run>, &'static str), Stop> {
    let copied = with_copy(circuit, signals, to);
    let mut rounds = 0;
    let mut units = 1_000_000;
    loop {
        let own = |units| Context {
            budget: cx.budget.child_with_work(units),
            ..cx.clone()
        };
        if options.ways.contains(&Way::Bounded) {
            let bounded = Options {
                ways: vec![Way::Bounded],
                ..options.clone()
            };
            let finding = never(&copied.circuit, copied.returned, &bounded, &own(units));
            *refinements += 1;
            if let Conclusion::Violated(run) = finding.conclusion {
                let lasso = copied.lasso(&run, circuit);
                return Ok((Conclusion::Violated(lasso), "liveness-to-safety"));
            }
            cx.budget.poll()?;
        }
        let counter = own(2 * units);
        loop {
            let (counted, bad) = with_counter(circuit, signals, rounds);
            let ic3 = Options {
                ways: vec![Way::Ic3],
                ..options.clone()
            };
            let finding = never(&counted, bad, &ic3, &counter);
            *refinements += 1;
            match finding.conclusion {
                Conclusion::Holds(proof) => {
                    let clauses = proof.clauses;
                    let bound = Bound { rounds, clauses };
                    return Ok((Conclusion::Holds(bound), "k-liveness"));
                }
                Conclusion::Violated(_) => rounds += 1,
                Conclusion::Unknown(_) => break,
            }
        }
        cx.budget.poll()?;
        units *= 2;
    }
}

/// The circuit with a copy of its state, as far as runs come back to it.
struct Copied {
    circuit: Circuit,
    returned: Literal,
    /// The number of the input that keeps the state.
    keep: usize,
}

fn with_copy(circuit: &Circuit, signals: &[Literal], to: ComesBack) -> Copied {
    let matters = match to {
        ComesBack::WhatMatters => matters(circuit, signals).1,
        ComesBack::Everything => vec![true; circuit.latches().len()],
    };
    let mut copied = circuit.clone();
    copied.bad.clear();
    let keep = copied.input();
    let kept = copied.latch(Some(false));
    let begins = copied.graph.and(keep, !kept);
    let running = copied.graph.or(keep, kept);
    copied.connect(kept, running);
    let mut same = vec![kept];
    let latches = circuit.latches().iter().zip(matters);
    for (latch, _) in latches.filter(|(_, matters)| *matters) {
        let own = latch.node.literal();
        let copy = copied.latch(Some(false));
        let next = copied.graph.ite(begins, own, copy);
        copied.connect(copy, next);
        let equal = copied.graph.iff(own, copy);
        same.push(equal);
    }
    for &signal in signals {
        let seen = copied.latch(Some(false));
        let now = copied.graph.or(seen, signal);
        let next = copied.graph.and(now, running);
        copied.connect(seen, next);
        same.push(seen);
    }
    let returned = copied.graph.all(same);
    Copied {
        circuit: copied,
        returned,
        keep: circuit.inputs().len(),
    }
}

impl Copied {
    /// The run of the original circuit: its last step is the first of the next time round.
    fn lasso(&self, run: &Run, circuit: &Circuit) -> Run {
        let steps = run.inputs.len().saturating_sub(1);
        let back_to = run.inputs[..steps]
            .iter()
            .position(|inputs| inputs.0[self.keep]);
        let start: Vec<bool> = run.start.0[..circuit.latches().len()].to_vec();
        let inputs = run.inputs[..steps]
            .iter()
            .map(|inputs| inputs.0[..self.keep].to_vec().into());
        Run {
            start: start.into(),
            inputs: inputs.collect(),
            back_to,
        }
    }
}

/// The circuit with a counter of rounds, and the signal that a round too many ends; laid out as
/// [`Bound`] says.
fn with_counter(circuit: &Circuit, signals: &[Literal], rounds: usize) -> (Circuit, Literal) {
    let mut counted = circuit.clone();
    let marks: Vec<Literal> = signals.iter().map(|_| counted.latch(Some(false))).collect();
    let count: Vec<Literal> = (0..rounds).map(|_| counted.latch(Some(false))).collect();
    let mut round = Literal::TRUE;
    let mut marked = Vec::new();
    for (&signal, &mark) in signals.iter().zip(&marks) {
        let now = counted.graph.or(mark, signal);
        round = counted.graph.and(round, now);
        marked.push(now);
    }
    for (&mark, &now) in marks.iter().zip(&marked) {
        let next = counted.graph.and(now, !round);
        counted.connect(mark, next);
    }
    let mut before = Literal::TRUE;
    for &one in &count {
        let step = counted.graph.and(round, before);
        let next = counted.graph.or(one, step);
        counted.connect(one, next);
        before = one;
    }
    let bad = counted.graph.and(round, before);
    (counted, bad)
}
