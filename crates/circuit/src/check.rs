//! One question, several methods.

use quotient_core::{
    Conclusion, Context, Method, Portfolio, Stop, TieBreak, Verdict, run as drive,
};
use quotient_netlist::{Circuit, Literal, Proof, Run};

use crate::bounded::Bounded;
use crate::ic3::Ic3;
use crate::induction::Induction;
use crate::interpolation::Interpolation;
use crate::local::Localized;
use crate::reduce::Reduced;
use crate::settled::{Settled, Shifted};

/// With fewer latches than this, localisation has no turn among others.
const LATCHES_TO_LEAVE_OUT: usize = 100;

/// Turns of at most so much work are early ones.
const EARLY: u64 = 7_000_000;

/// From turns of so many units on, quick IC3 has as much as the other, and before it.
const LATE: u64 = 400_000;

/// From turns of so many units on, localisation has a full share.
const LATE_LOCAL: u64 = 1_500_000;

/// A circuit with more nodes than this is large.
const LARGE: usize = 20_000;

/// A way to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Way {
    /// Runs of ever more steps: finds shortest violations, proves nothing.
    Bounded,
    /// Induction over several steps.
    Induction,
    /// IC3 with lemmas that are made as short as possible.
    Ic3,
    /// IC3 that spends less on each lemma.
    QuickIc3,
    /// IC3 on the latches that false alarms need.
    Local,
    /// Sets of states that lie between what is reached and what leads to bad states.
    Interpolation,
    /// IC3 from the step on in which some latches are settled.
    Settled,
}

impl Way {
    /// All of them.
    pub const ALL: [Way; 7] = Way::USUAL;

    /// Those that are used if nothing is said, in the order in which their answers count.
    pub const USUAL: [Way; 7] = [
        Way::Bounded,
        Way::Ic3,
        Way::QuickIc3,
        Way::Local,
        Way::Induction,
        Way::Interpolation,
        Way::Settled,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Way::Bounded => "bounded",
            Way::Induction => "induction",
            Way::Ic3 => "ic3",
            Way::QuickIc3 => "ic3-quick",
            Way::Local => "local",
            Way::Interpolation => "interpolation",
            Way::Settled => "settled",
        }
    }

    /// What it does, in a line.
    pub fn line(self) -> &'static str {
        match self {
            Way::Bounded => "look for runs of ever more steps; finds shortest violations",
            Way::Induction => "induction over several steps through different states",
            Way::Ic3 => "IC3: clauses that are inductive relative to each other, made short",
            Way::QuickIc3 => "IC3 that spends less on each clause",
            Way::Local => "IC3 on the latches that false alarms show to be needed",
            Way::Interpolation => "sets between what is reached and what leads to bad states",
            Way::Settled => "IC3 from the step on in which some latches hold still for good",
        }
    }
}

/// How to go about a question.
#[derive(Debug, Clone)]
pub struct Options {
    /// The methods to use; the first that answers counts.
    pub ways: Vec<Way>,
    /// The most steps of bounded search.
    pub steps: Option<u64>,
    /// How many methods work at the same time.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            ways: Way::USUAL.to_vec(),
            steps: None,
            threads: 2,
        }
    }
}

/// What came out.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The answer with its evidence.
    pub conclusion: Conclusion<Proof, Run>,
    /// The method that gave it.
    pub way: Option<&'static str>,
    /// How often it refined.
    pub refinements: u64,
    /// Latches, inputs and gates of the circuit that the methods worked on.
    pub sizes: [usize; 3],
}

impl Finding {
    /// The verdict alone.
    pub fn verdict(&self) -> Verdict {
        self.conclusion.verdict()
    }
}

/// Whether a signal can ever be on.
///
/// The methods take turns of so much work each, so that the answer does not depend on the
/// number of threads or the speed of the machine.
///
/// ```
/// use quotient_circuit::{Options, never};
/// use quotient_core::{Context, Verdict};
/// use quotient_netlist::Circuit;
/// let mut circuit = Circuit::new();
/// let (one, other) = (circuit.latch(Some(true)), circuit.latch(Some(false)));
/// circuit.connect(one, other);
/// circuit.connect(other, one);
/// let both = circuit.graph.and(one, other);
/// let finding = never(&circuit, both, &Options::default(), &Context::default());
/// assert_eq!(finding.verdict(), Verdict::Holds);
/// ```
pub fn never(circuit: &Circuit, bad: Literal, options: &Options, cx: &Context) -> Finding {
    let mut sizes = [0; 3];
    match found(circuit, bad, options, cx, &mut sizes) {
        Ok(finding) => finding,
        Err(stop) => Finding {
            conclusion: Conclusion::Unknown(stop),
            way: None,
            refinements: 0,
            sizes,
        },
    }
}

fn found(
    circuit: &Circuit,
    bad: Literal,
    options: &Options,
    cx: &Context,
    sizes: &mut [usize; 3],
) -> Result<Finding, Stop> {
    let plain = Reduced::cone(circuit, bad);
    let reduced = plain.without_constants(&cx.budget)?;
    if let Some(finding) = at_first_sight(&reduced, options, cx) {
        return Ok(finding);
    }
    let early = reduced.clone();
    let alone = options.ways.len() == 1;
    let shifted = match options.ways.contains(&Way::Settled) {
        true => Shifted::find(&early.circuit, &cx.budget)?,
        false => None,
    };
    let shifted = match shifted {
        // Alone, it begins at the start where nothing settles.
        None if options.ways == [Way::Settled] => {
            let nothing = vec![None; early.circuit.latches().len()];
            Some(Shifted::after(&early.circuit, 0, &nothing, &cx.budget)?)
        }
        shifted => shifted,
    };
    let reduced = reduced.without_equals(&cx.budget)?;
    let small = &reduced.circuit;
    *sizes = [
        small.latches().len(),
        small.inputs().len(),
        small.gate_count(),
    ];
    cx.story.note(format!(
        "{} latches, {} inputs and {} gates matter",
        sizes[0], sizes[1], sizes[2]
    ));
    // In a small circuit there is little to leave out.
    let fits = |way: Way| match way {
        Way::Local => alone || sizes[0] >= LATCHES_TO_LEAVE_OUT,
        Way::Settled => shifted.is_some(),
        _ => true,
    };
    let circuits = Circuits {
        reduced: &reduced,
        plain: &plain,
        early: &early,
        shifted: shifted.as_ref(),
    };
    let mut runners: Vec<Runner<'_>> = (options.ways.iter())
        .filter(|&&way| fits(way))
        .map(|&way| Runner::new(way, circuits, options))
        .collect();
    let mut slice = 100_000;
    loop {
        cx.budget.poll()?;
        let mut portfolio = Portfolio::new().tie_break(TieBreak::FirstListed);
        for runner in &mut runners {
            portfolio = portfolio.entry(runner.way.name(), move |cx| runner.turn(slice, cx));
        }
        let race = portfolio.race(options.threads, cx);
        if let Some((conclusion, refinements)) = race.answer {
            let way = Way::ALL.into_iter().map(Way::name);
            let way = race
                .winner
                .and_then(|name| way.into_iter().find(|&one| one == name));
            let (conclusion, proved) = match conclusion {
                Answered::Proved(proof) => (Conclusion::Holds(proof), true),
                Answered::Refuted(run) => (Conclusion::Violated(run), false),
            };
            debug_assert!(proved || shows(circuit, bad, &conclusion));
            return Ok(Finding {
                conclusion,
                way,
                refinements,
                sizes: *sizes,
            });
        }
        cx.budget.poll()?;
        runners.retain(|runner| runner.ended.is_none() || !runner.exhausted());
        if runners.is_empty() {
            let why = race.others.into_iter().next().map(|(_, stop)| stop);
            return Err(why.unwrap_or_else(|| Stop::exhausted("no method is left")));
        }
        slice = (slice * 2).min(20_000_000);
        if slice >= LATE {
            // Whoever spends less on each clause is asked first: an answer then saves the longer turn.
            runners.sort_by_key(|runner| runner.way == Way::Ic3);
        }
    }
}

/// A violation within the first steps of a large circuit, where to look for equal latches takes long.
fn at_first_sight(reduced: &Reduced, options: &Options, cx: &Context) -> Option<Finding> {
    let small = &reduced.circuit;
    let size = small.graph.len();
    if size < LARGE || !options.ways.contains(&Way::Bounded) {
        return None;
    }
    let mut own = Context {
        budget: cx.budget.child_with_work(25 * size as u64),
        ..cx.clone()
    };
    let outcome = drive(&mut Bounded::new(small, options.steps), &mut own);
    let Conclusion::Violated(run) = outcome.conclusion else {
        return None;
    };
    Some(Finding {
        conclusion: Conclusion::Violated(reduced.run(&run)),
        way: Some(Way::Bounded.name()),
        refinements: outcome.refinements,
        sizes: [
            small.latches().len(),
            small.inputs().len(),
            small.gate_count(),
        ],
    })
}

/// Whether a run is one and ends with the signal on.
fn shows(circuit: &Circuit, bad: Literal, conclusion: &Conclusion<Proof, Run>) -> bool {
    let Conclusion::Violated(run) = conclusion else {
        return false;
    };
    let states = run.states(circuit);
    let constrained = states
        .iter()
        .all(|state| circuit.constraints.iter().all(|&one| state.is_on(one)));
    constrained && states.last().is_some_and(|state| state.is_on(bad))
}

/// An answer in terms of the original circuit.
enum Answered {
    Proved(Proof),
    Refuted(Run),
}

/// What methods work on.
#[derive(Clone, Copy)]
struct Circuits<'a> {
    /// Without equal latches and constants.
    reduced: &'a Reduced,
    /// With all latches that matter.
    plain: &'a Reduced,
    /// Without constants.
    early: &'a Reduced,
    /// That one from some step on.
    shifted: Option<&'a Shifted>,
}

/// A method that works in turns.
struct Runner<'a> {
    way: Way,
    /// The method, from its first turn on.
    work: Option<Work<'a>>,
    circuits: Circuits<'a>,
    most_steps: Option<u64>,
    refinements: u64,
    /// What was used beyond what earlier turns gave.
    debt: u64,
    ended: Option<Stop>,
}

enum Work<'a> {
    Bounded(Box<Bounded<'a>>),
    Induction(Box<Induction<'a>>),
    Ic3(Box<Ic3>),
    Local(Box<Localized<'a>>),
    Interpolation(Box<Interpolation<'a>>),
    Settled(Box<Settled<'a>>),
}

impl<'a> Work<'a> {
    fn new(way: Way, circuits: Circuits<'a>, steps: Option<u64>) -> Work<'a> {
        let small = &circuits.reduced.circuit;
        match way {
            Way::Bounded => Work::Bounded(Box::new(Bounded::new(small, steps))),
            Way::Induction => Work::Induction(Box::new(Induction::new(&circuits.plain.circuit))),
            Way::Ic3 => Work::Ic3(Box::new(Ic3::new(small, true))),
            Way::QuickIc3 => Work::Ic3(Box::new(Ic3::new(small, false))),
            Way::Local => Work::Local(Box::new(Localized::new(small))),
            Way::Interpolation => {
                Work::Interpolation(Box::new(Interpolation::new(circuits.reduced)))
            }
            Way::Settled => match circuits.shifted {
                Some(shifted) => {
                    let circuit = &circuits.early.circuit;
                    Work::Settled(Box::new(Settled::new(circuit, shifted)))
                }
                None => Work::Ic3(Box::new(Ic3::new(small, true))),
            },
        }
    }
}

/// A unit of work on a formula with so many more variables takes as long again, up to five times:
/// less and less of it is where the processor finds it soon.
const VARIABLES_THAT_WEIGH: usize = 20_000;

impl Work<'_> {
    /// How long a unit of work takes, about, compared with one of IC3.
    fn weight(&self) -> u64 {
        let variables = match self {
            Work::Bounded(method) => method.size(),
            Work::Induction(method) => method.size(),
            _ => 0,
        };
        1 + (variables / VARIABLES_THAT_WEIGH).min(4) as u64
    }
}

impl<'a> Runner<'a> {
    fn new(way: Way, circuits: Circuits<'a>, options: &Options) -> Runner<'a> {
        Runner {
            way,
            work: None,
            circuits,
            most_steps: options.steps,
            refinements: 0,
            debt: 0,
            ended: None,
        }
    }

    /// Works for so many units.
    fn turn(&mut self, units: u64, cx: &mut Context) -> Result<(Answered, u64), Stop> {
        // Induction proves soon or hardly ever, so that it has a full share at first and less of it
        // later; localisation needs some time to find out what to keep, so that it is the other way
        // round; IC3 is the method that most answers come from.
        let units = match self.way {
            Way::Induction if units <= EARLY => units,
            Way::Induction => units / 4,
            Way::Local if units < LATE_LOCAL => units / 4,
            Way::Interpolation => units / 8,
            Way::Settled => units / 2,
            Way::Ic3 => units * 2,
            Way::QuickIc3 if units >= LATE => units * 2,
            _ => units,
        };
        if self.debt >= units {
            self.debt -= units;
            self.ended = Some(Stop::Work);
            return Err(Stop::Work);
        }
        let units = units - self.debt;
        let (circuits, steps) = (self.circuits, self.most_steps);
        let work = (self.work).get_or_insert_with(|| Work::new(self.way, circuits, steps));
        let units = units / work.weight();
        let mut own = Context {
            budget: match work {
                Work::Ic3(_) | Work::Local(_) | Work::Settled(_) => cx.budget.child(),
                _ => cx.budget.child_with_work(units),
            },
            ..cx.clone()
        };
        let conclusion = match work {
            Work::Bounded(method) => {
                let outcome = turn(&mut **method, &mut own, &mut self.refinements);
                match outcome {
                    Conclusion::Holds(never) => match never {},
                    Conclusion::Violated(run) => Conclusion::Violated((run, circuits.reduced)),
                    Conclusion::Unknown(stop) => Conclusion::Unknown(stop),
                }
            }
            Work::Induction(method) => {
                let outcome = turn(&mut **method, &mut own, &mut self.refinements);
                in_terms(outcome, circuits.plain)
            }
            Work::Local(method) => {
                method.pause_after(units);
                let outcome = turn(&mut **method, &mut own, &mut self.refinements);
                in_terms(outcome, circuits.reduced)
            }
            Work::Interpolation(method) => {
                let outcome = turn(&mut **method, &mut own, &mut self.refinements);
                in_terms(outcome, circuits.reduced)
            }
            Work::Settled(method) => {
                method.pause_after(units);
                let outcome = turn(&mut **method, &mut own, &mut self.refinements);
                in_terms(outcome, circuits.early)
            }
            Work::Ic3(method) => {
                method.pause_after(units);
                let outcome = turn(&mut **method, &mut own, &mut self.refinements);
                in_terms(outcome, circuits.reduced)
            }
        };
        self.debt = own.budget.work_done().saturating_sub(units);
        match conclusion {
            Conclusion::Holds((proof, of)) => {
                let mut clauses = of.facts.clone();
                clauses.extend(proof.clauses.iter().map(|one| of.clause(one)));
                let proof = Proof { clauses, ..proof };
                Ok((Answered::Proved(proof), self.refinements))
            }
            Conclusion::Violated((run, of)) => {
                Ok((Answered::Refuted(of.run(&run)), self.refinements))
            }
            Conclusion::Unknown(stop) => {
                self.ended = Some(stop.clone());
                Err(stop)
            }
        }
    }

    /// Whether another turn would be of no use.
    fn exhausted(&self) -> bool {
        !matches!(self.ended, None | Some(Stop::Work))
    }
}

fn in_terms(
    conclusion: Conclusion<Proof, Run>,
    of: &Reduced,
) -> Conclusion<(Proof, &Reduced), (Run, &Reduced)> {
    match conclusion {
        Conclusion::Holds(proof) => Conclusion::Holds((proof, of)),
        Conclusion::Violated(run) => Conclusion::Violated((run, of)),
        Conclusion::Unknown(stop) => Conclusion::Unknown(stop),
    }
}

fn turn<M: Method>(
    method: &mut M,
    cx: &mut Context,
    refinements: &mut u64,
) -> Conclusion<M::Proof, M::Trace> {
    let outcome = drive(method, cx);
    *refinements += outcome.refinements;
    outcome.conclusion
}
