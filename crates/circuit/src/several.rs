//! Several signals that must never be on.

use quotient_core::{Conclusion, Context, Stop};
use quotient_netlist::{Circuit, Literal, Run};

use crate::{Finding, Options, Way, never};

/// How much work is spent in the first round, on all signals together and on each.
const FIRST_ROUND: u64 = 8_000_000;

/// Whether some signals can ever be on, each of them; what is found out is told in their order.
///
/// They are asked about together first: one invariant keeps them all out, or a run shows some of
/// them. What is left is asked about one by one, for so much work each. This goes on in rounds
/// with more work for each, so that a hard question does not keep others from being answered.
///
/// ```
/// use quotient_circuit::{Options, never_each};
/// use quotient_core::{Context, Verdict};
/// use quotient_netlist::{Circuit, Literal};
/// let mut circuit = Circuit::new();
/// let one = circuit.latch(Some(true));
/// circuit.connect(one, one);
/// let mut verdicts = Vec::new();
/// let mut tell = |_, finding: quotient_circuit::Finding| verdicts.push(finding.verdict());
/// never_each(&circuit, &[one, !one], &Options::default(), &Context::default(), &mut tell);
/// assert_eq!(verdicts, [Verdict::Violated, Verdict::Holds]);
/// ```
pub fn never_each(
    circuit: &Circuit,
    signals: &[Literal],
    options: &Options,
    cx: &Context,
    tell: &mut dyn FnMut(usize, Finding),
) {
    let mut several = Several {
        circuit,
        signals,
        options,
        found: vec![None; signals.len()],
        told: 0,
        tell,
    };
    let mut units = FIRST_ROUND + 20 * circuit.graph.len() as u64;
    while several.open().len() > 1 && cx.budget.poll().is_ok() {
        let own = || Context {
            budget: cx.budget.child_with_work(units),
            ..cx.clone()
        };
        while several.open().len() > 1 && several.together(&own()) {}
        for number in several.open() {
            // The last one has all the time that is left.
            if several.open().len() > 1 {
                several.alone(number, &own(), false);
            }
        }
        units = units.saturating_mul(3);
    }
    for number in several.open() {
        several.alone(number, cx, true);
    }
}

struct Several<'a> {
    circuit: &'a Circuit,
    signals: &'a [Literal],
    options: &'a Options,
    found: Vec<Option<Finding>>,
    /// How many were told.
    told: usize,
    tell: &'a mut dyn FnMut(usize, Finding),
}

impl Several<'_> {
    /// The signals that nothing is known of so far.
    fn open(&self) -> Vec<usize> {
        let all = 0..self.found.len();
        all.filter(|&one| self.found[one].is_none()).collect()
    }

    fn settle(&mut self, number: usize, finding: Finding) {
        self.found[number] = Some(finding);
        while let Some(Some(finding)) = self.found.get(self.told) {
            (self.tell)(self.told, finding.clone());
            self.told += 1;
        }
    }

    fn alone(&mut self, number: usize, cx: &Context, last: bool) {
        let finding = never(self.circuit, self.signals[number], self.options, cx);
        // With more work, there may be more to say.
        let open = matches!(finding.conclusion, Conclusion::Unknown(Stop::Work));
        if last || !open {
            self.settle(number, finding);
        }
    }

    /// Asks about all that are open at once; says whether that is worth while again.
    fn together(&mut self, cx: &Context) -> bool {
        let mut options = self.options.clone();
        // Induction over several steps would assume more than one signal's proof may.
        options.ways.retain(|&way| way != Way::Induction);
        if options.ways.is_empty() {
            return false;
        }
        let open = self.open();
        let mut circuit = self.circuit.clone();
        let signals: Vec<Literal> = open.iter().map(|&one| !self.signals[one]).collect();
        let bad = !circuit.graph.all(signals);
        let finding = never(&circuit, bad, &options, cx);
        let run = match &finding.conclusion {
            Conclusion::Holds(_) => {
                for &number in &open {
                    self.settle(number, finding.clone());
                }
                return false;
            }
            Conclusion::Violated(run) => run.clone(),
            Conclusion::Unknown(_) => return false,
        };
        let mut shown = 0;
        let states = run.states(self.circuit);
        for number in open {
            let on = (states.iter()).position(|state| state.is_on(self.signals[number]));
            let Some(on) = on else { continue };
            shown += 1;
            let run = Run {
                start: run.start.clone(),
                inputs: run.inputs[..=on].to_vec(),
                back_to: None,
            };
            let conclusion = Conclusion::Violated(run);
            self.settle(
                number,
                Finding {
                    conclusion,
                    ..finding.clone()
                },
            );
        }
        shown > 0
    }
}
