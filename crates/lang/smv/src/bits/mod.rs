//! Models with many bits, for the engine for circuits.
//!
//! Decision diagrams give out at some hundred bits of the wrong kind; SAT does not mind. A model
//! becomes a circuit (`translate`), and so does the negation of a formula of linear time
//! (`temporal`). What the engine says comes back as what the rest of the crate knows: a run of
//! the model, or a set of states that proves an invariant.

mod goes_on;
mod temporal;
#[cfg(test)]
mod tests;
mod translate;

use quotient_circuit::{ComesBack, Options, Way, never, not_forever};
use quotient_core::{Conclusion, Context, Stop, Trouble, Verdict};
use quotient_logic::{Formula, Kind as Says, Unary};
use quotient_netlist as netlist;
use quotient_symbolic::{Certificate, Expression, Model, Node, Showing, Valuation};
use rustc_hash::FxHashMap;

use crate::compile::Compiled;
use crate::program::{Program, Specification};
use crate::run::Run;
use crate::session::Answer;
use crate::shape::is_about_steps;
use crate::syntax::SpecificationKind;
use translate::{Held, Translation};

/// Models with fewer bits of state are left to decision diagrams.
const FEW_BITS: usize = 80;
/// With so many, little is to be expected of decision diagrams.
const MANY_BITS: usize = 400;
/// A condition on initial states with more parts than this is not written as a diagram.
const MOST_NODES: usize = 1_000;
/// A larger diagram is not written.
const MOST_ROOM: usize = 1 << 20;
/// The least work that is spent on a set of states for what is known to hold.
const FOR_A_SET: u64 = 10_000_000;
/// The methods whose proofs are sets of states.
const WAYS_TO_SETS: [Way; 4] = [Way::Ic3, Way::QuickIc3, Way::Local, Way::Interpolation];

/// A model that is asked as a circuit.
pub(crate) struct AsCircuit {
    compiled: Compiled,
    /// How many bits the state has.
    bits: usize,
    threads: usize,
    /// The circuit for questions about single states, once one was asked.
    plain: Option<Translation>,
}

impl AsCircuit {
    /// The model, if it has so many bits that a circuit is worth a try.
    pub(crate) fn of_many_bits(
        program: &Program,
        threads: usize,
        cx: &Context,
    ) -> Result<Option<AsCircuit>, Trouble> {
        let bits = |domain: &crate::program::Domain| match domain {
            crate::program::Domain::Boolean => 1,
            crate::program::Domain::Range(low, high) => {
                64 - high.abs_diff(*low).leading_zeros() as usize
            }
            crate::program::Domain::Enumeration(values) => {
                usize::BITS as usize - (values.len().saturating_sub(1)).leading_zeros() as usize
            }
            crate::program::Domain::Word { width, .. } => *width as usize,
        };
        let states = (program.variables().iter())
            .filter(|variable| variable.kind != crate::program::Kind::Input);
        let mut count: usize = states.map(|variable| bits(&variable.domain)).sum();
        // Arithmetic on words that wide is nothing for decision diagrams.
        if program.variables().iter().any(|one| bits(&one.domain) > 64) {
            count = count.max(MANY_BITS);
        }
        if count < FEW_BITS {
            return Ok(None);
        }
        let made = AsCircuit::new(program, threads, cx)?;
        Ok(Some(AsCircuit {
            bits: count,
            ..made
        }))
    }

    /// The model, however many bits it has.
    pub(crate) fn new(
        program: &Program,
        threads: usize,
        cx: &Context,
    ) -> Result<AsCircuit, Trouble> {
        Ok(AsCircuit {
            compiled: Compiled::new(program, &cx.budget)?,
            bits: 0,
            threads,
            plain: None,
        })
    }

    /// The work that all questions are worth before decision diagrams have their turn: the more
    /// bits, the less is to be expected of those, unless steps are listed way by way. Five million
    /// units are about a second.
    pub(crate) fn share(&self) -> u64 {
        match self.bits {
            0..200 => 1_000_000,
            _ if self.compiled.model().lists_steps() => 1_000_000,
            200..MANY_BITS => 60_000_000,
            _ => 300_000_000,
        }
    }

    /// Whether the model has a state to start in.
    pub(crate) fn has_initial_state(&mut self, cx: &Context) -> Result<bool, Stop> {
        self.compiled.has_initial_state(&cx.budget)
    }

    /// The answer about a specification, if it is one for circuits and the budget suffices.
    ///
    /// An invariant that holds comes with its proof; a violation with a run, which was replayed.
    pub(crate) fn check(
        &mut self,
        program: &Program,
        specification: &Specification,
        cx: &Context,
    ) -> Result<Option<Answer>, Trouble> {
        let formula = &specification.formula;
        let formula = self.compiled.formula(program, formula, &cx.budget)?;
        let always = match (specification.kind, &formula.kind) {
            (SpecificationKind::Invariant, _) => Some(&formula),
            (SpecificationKind::Ltl, Says::Unary(Unary::Globally(None), inner)) => Some(&**inner),
            (SpecificationKind::Ctl, Says::Unary(Unary::ForAll, path)) => match &path.kind {
                Says::Unary(Unary::Globally(None), inner) => Some(&**inner),
                _ => None,
            },
            _ => None,
        };
        // What is about steps is true where there is none, whatever is left of it when it is
        // simplified; a circuit has states alone.
        let always = match is_about_steps(program, &specification.formula) {
            true => None,
            false => always.and_then(|inner| self.compiled.propositional(inner)),
        };
        let answer = match always {
            Some(inner) => {
                let answer = self.always(program, inner, cx)?;
                // A state that violates the body is on an infinite path, or counts for nothing.
                let is_invariant = specification.kind == SpecificationKind::Invariant;
                answer.filter(|one| is_invariant || one.verdict == Verdict::Holds)
            }
            None => None,
        };
        match specification.kind {
            SpecificationKind::Ltl if answer.is_none() => self.linear(program, &formula, cx),
            _ => Ok(answer),
        }
    }

    /// Whether something is true in every reachable state.
    fn always(
        &mut self,
        program: &Program,
        inner: Expression,
        cx: &Context,
    ) -> Result<Option<Answer>, Trouble> {
        if self.plain.is_none() {
            self.plain = Some(Translation::new(&mut self.compiled, false, &cx.budget)?);
        }
        let Some(plain) = self.plain.as_mut() else {
            return Ok(None);
        };
        let holds = plain.literal(self.compiled.model(), inner);
        let bad = plain.circuit.graph.and(plain.ok, !holds);
        let mut ways = vec![Way::Bounded, Way::Induction];
        ways.extend(WAYS_TO_SETS);
        let options = |ways| Options {
            threads: self.threads,
            ways,
            steps: None,
        };
        let before = cx.budget.work_done();
        let finding = never(&plain.circuit, bad, &options(ways), cx);
        Ok(match finding.conclusion {
            Conclusion::Holds(proof) => {
                let mut certificate = certificate(&self.compiled, plain, &proof, inner);
                if certificate.is_none() && proof.depth > 0 {
                    // Induction over several steps gives no set of states; there may be one.
                    let spent = cx.budget.work_done() - before;
                    let own = Context {
                        budget: cx.budget.child_with_work(FOR_A_SET.max(2 * spent)),
                        ..cx.clone()
                    };
                    let again = options(WAYS_TO_SETS.to_vec());
                    let again = never(&plain.circuit, bad, &again, &own).conclusion;
                    if let Conclusion::Holds(proof) = again {
                        certificate = self::certificate(&self.compiled, plain, &proof, inner);
                    }
                }
                Some(Answer {
                    verdict: Verdict::Holds,
                    run: None,
                    showing: None,
                    certificate,
                })
            }
            Conclusion::Violated(run) => {
                let run = whole_run(&self.compiled, plain, program, &run);
                violated(run, program)
            }
            Conclusion::Unknown(_) => None,
        })
    }

    /// Whether a formula of linear time holds on all fair paths.
    fn linear(
        &mut self,
        program: &Program,
        formula: &Formula<Expression>,
        cx: &Context,
    ) -> Result<Option<Answer>, Trouble> {
        if !self.compiled.model().compassion().is_empty() {
            return Ok(None);
        }
        let mut endless = Translation::new(&mut self.compiled, true, &cx.budget)?;
        let model = self.compiled.model();
        let Some(mut signals) = temporal::violate(&mut endless, model, formula) else {
            return Ok(None);
        };
        for &justice in model.justice() {
            signals.push(endless.literal(model, justice));
        }
        let options = Options {
            threads: self.threads,
            ..Options::default()
        };
        // A run of the program is one of all its variables.
        let to = ComesBack::Everything;
        let finding = not_forever(&endless.circuit, &signals, to, &options, cx);
        Ok(match finding.conclusion {
            Conclusion::Holds(_) => Some(Answer {
                verdict: Verdict::Holds,
                run: None,
                showing: None,
                certificate: None,
            }),
            Conclusion::Violated(run) => {
                let run = whole_run(&self.compiled, &endless, program, &run);
                violated(run, program)
            }
            Conclusion::Unknown(_) => None,
        })
    }
}

/// A violation, if its run is one of the model.
fn violated(run: Run, program: &Program) -> Option<Answer> {
    run.replay(program).ok()?;
    Some(Answer {
        verdict: Verdict::Violated,
        run: Some(run),
        showing: Some(Showing::Whole),
        certificate: None,
    })
}

/// A run of the circuit in values of the program.
fn whole_run(
    compiled: &Compiled,
    translation: &Translation,
    program: &Program,
    run: &netlist::Run,
) -> Run {
    let state = |signals: &netlist::State| {
        let mut values = Valuation::new(translation.now.len());
        for (bit, &literal) in translation.now.iter().enumerate() {
            values.set(bit as u32, signals.is_on(literal));
        }
        compiled.state(program, &values)
    };
    let states = run.states(&translation.circuit);
    Run {
        states: states.iter().map(state).collect(),
        back_to: run.back_to,
        variables: program.variable_ids().collect(),
    }
}

/// Clauses over latches as a set of states of the model. Runs so far were runs of the model (`ok`).
/// Where the invariant tells the first state from later ones, the set has the initial states that
/// are in it as first ones, and all that are in it as later ones. Where what was asked is needed to
/// go on from step to step, all states of the set fulfil it. It is not written if that takes too much
/// room, or if the proof is about more than one step.
fn certificate(
    compiled: &Compiled,
    translation: &Translation,
    proof: &netlist::Proof,
    asked: Expression,
) -> Option<Certificate> {
    if proof.depth > 1 || proof.after > 0 {
        return None;
    }
    let model = compiled.model();
    let clauses = &proof.clauses;
    let place = |bit| {
        let owner = model.owner(bit);
        let bit = bit - model.variable(owner).bits().start;
        (owner.index() as u32, bit)
    };
    let mut chain = Chain {
        nodes: Vec::new(),
        held: &translation.held,
        place: &place,
    };
    let later = chain.all(clauses, false, Chain::FALSE);
    let mut root = later;
    if translation.held.contains(&Held::First) {
        root = chain.all(clauses, true, later);
        for &condition in &translation.initial {
            if model.nodes_below([condition]).len() > MOST_NODES {
                return None;
            }
            root = chain.where_true(model, condition, root, later, &mut FxHashMap::default())?;
        }
    }
    if proof.depth == 1 {
        if model.nodes_below([asked]).len() > MOST_NODES {
            return None;
        }
        let known = &mut FxHashMap::default();
        root = chain.where_true(model, asked, root, Chain::FALSE, known)?;
    }
    let nodes = chain.nodes;
    // Only variables that nodes ask about are named.
    let mut numbers = vec![None; model.variables().len()];
    let mut variables = Vec::new();
    let nodes = nodes.into_iter().map(|(owner, bit, high, low)| {
        let number = *numbers[owner as usize].get_or_insert_with(|| {
            variables.push(model.variables()[owner as usize].name.clone());
            variables.len() as u32 - 1
        });
        (number, bit, high, low)
    });
    Some(Certificate {
        nodes: nodes.collect(),
        root,
        variables,
    })
}

/// A diagram under construction.
struct Chain<'a> {
    nodes: Vec<(u32, u32, u32, u32)>,
    held: &'a [Held],
    place: &'a dyn Fn(u32) -> (u32, u32),
}

impl Chain<'_> {
    const TRUE: u32 = 0;
    const FALSE: u32 = 1;

    /// The states that fulfil all clauses, and others.
    fn all(&mut self, clauses: &[netlist::Clause], first: bool, others: u32) -> u32 {
        let mut all = Chain::TRUE;
        'clauses: for clause in clauses {
            let mut some = others;
            for &latch in clause {
                let positive = latch > 0;
                let known = match self.held[latch.unsigned_abs() as usize - 1] {
                    Held::First => Some(first),
                    Held::Ok => Some(true),
                    Held::Bit(_) => None,
                };
                if known == Some(positive) {
                    continue 'clauses;
                }
            }
            for &latch in clause {
                if let Held::Bit(bit) = self.held[latch.unsigned_abs() as usize - 1] {
                    let (owner, bit) = (self.place)(bit);
                    self.nodes.push(match latch > 0 {
                        true => (owner, bit, all, some),
                        false => (owner, bit, some, all),
                    });
                    some = 2 * self.nodes.len() as u32;
                }
            }
            all = some;
        }
        all
    }

    /// One set where a condition is true, another where it is not. (Conditions have few parts, so
    /// this goes no deeper than the stack allows.)
    fn where_true(
        &mut self,
        model: &Model,
        condition: Expression,
        yes: u32,
        no: u32,
        known: &mut FxHashMap<(usize, u32, u32), u32>,
    ) -> Option<u32> {
        let (yes, no) = match condition.is_negated() {
            true => (no, yes),
            false => (yes, no),
        };
        let key = (condition.node(), yes, no);
        if let Some(&found) = known.get(&key) {
            return Some(found);
        }
        if self.nodes.len() > MOST_ROOM {
            return None;
        }
        let found = match model.node(condition) {
            _ if yes == no => yes,
            Node::True => yes,
            Node::Bit { next: true, .. } => return None,
            Node::Bit { bit, next: false } => {
                let (owner, bit) = (self.place)(bit);
                self.nodes.push((owner, bit, yes, no));
                2 * self.nodes.len() as u32
            }
            Node::And(a, b) => {
                let then = self.where_true(model, b, yes, no, known)?;
                self.where_true(model, a, then, no, known)?
            }
            Node::Xor(a, b) => {
                let then = self.where_true(model, b, no, yes, known)?;
                let other = self.where_true(model, b, yes, no, known)?;
                self.where_true(model, a, then, other, known)?
            }
            Node::If(test, then, other) => {
                let then = self.where_true(model, then, yes, no, known)?;
                let other = self.where_true(model, other, yes, no, known)?;
                self.where_true(model, test, then, other, known)?
            }
        };
        known.insert(key, found);
        Some(found)
    }
}
