//! Models with many bits, for the engine for circuits.
//!
//! Decision diagrams give out at some hundred bits of the wrong kind; SAT does not mind. A model
//! becomes a circuit (`translate`), and so does the negation of a formula of linear time
//! (`temporal`). What the engine says comes back as what the rest of the crate knows: a run of
//! the model, or a set of states that proves an invariant.

mod goes_on;
mod shown;
mod temporal;
#[cfg(test)]
mod tests;
mod translate;

use quotient_circuit::{ComesBack, Options, Way, never, not_forever};
use quotient_core::{Conclusion, Context, Stop, Trouble, Verdict};
use quotient_logic::{Binary, Formula, Kind as Says, Unary};
use quotient_netlist as netlist;
use quotient_symbolic::{Expression, Showing, Valuation};

use crate::compile::Compiled;
use crate::program::{Program, Specification};
use crate::run::Run;
use crate::session::{Answer, Proof};
use crate::shape::{is_about_steps, on_each_path};
use crate::syntax::SpecificationKind;
use shown::{certificate, induction};
use translate::Translation;

/// Models with fewer bits of state are left to decision diagrams.
const FEW_BITS: usize = 80;
/// With so many, little is to be expected of decision diagrams.
const MANY_BITS: usize = 400;
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

    /// The model as it was compiled.
    pub(crate) fn compiled(&self) -> &Compiled {
        &self.compiled
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
        let each_path = match specification.kind {
            SpecificationKind::Ctl => on_each_path(&formula),
            _ => Some(formula.clone()),
        };
        let always = match (
            specification.kind,
            each_path.as_ref().map(|path| &path.kind),
        ) {
            (SpecificationKind::Invariant, _) => Some(&formula),
            (_, Some(Says::Unary(Unary::Globally(None), inner))) => Some(&**inner),
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
        if answer.is_some() {
            return Ok(answer);
        }
        match self.paths(specification.kind, &formula) {
            Some(formula) => self.linear(program, &formula, Way::USUAL.to_vec(), cx),
            None => Ok(None),
        }
    }

    /// Why a formula about paths holds, if that is found out with the work that there is.
    pub(crate) fn bound(
        &mut self,
        program: &Program,
        specification: &Specification,
        cx: &Context,
    ) -> Option<Proof> {
        let formula = &specification.formula;
        let formula = self.compiled.formula(program, formula, &cx.budget).ok()?;
        let formula = self.paths(specification.kind, &formula)?;
        let found = self.linear(program, &formula, vec![Way::Ic3], cx);
        found.ok().flatten()?.proof
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
                let induction = induction(plain, &proof, bad);
                if certificate.is_none() && induction.is_none() {
                    // There is no set of states yet; there may be one.
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
                let proof = induction.filter(|_| certificate.is_none());
                Some(Answer {
                    certificate,
                    proof: proof.map(Proof::Induction),
                    ..Answer::bare(Verdict::Holds)
                })
            }
            Conclusion::Violated(run) => {
                let run = whole_run(&self.compiled, plain, program, &run);
                violated(run, program)
            }
            Conclusion::Unknown(_) => None,
        })
    }

    /// A formula about each just path alone, if a specification is one. Strong fairness counts in LTL: what
    /// is said of paths is said of those that are fair in that way, too.
    fn paths(
        &self,
        kind: SpecificationKind,
        formula: &Formula<Expression>,
    ) -> Option<Formula<Expression>> {
        let formula = match kind {
            SpecificationKind::Ltl => formula.clone(),
            SpecificationKind::Ctl => return on_each_path(formula),
            SpecificationKind::Invariant => return None,
        };
        let again = |condition: Expression| {
            let some_time = Formula::unary(Unary::Finally(None), Formula::atom(condition));
            Formula::unary(Unary::Globally(None), some_time)
        };
        let pairs = self.compiled.model().compassion().iter();
        Some(pairs.fold(formula, |formula, pair| {
            let fair = Formula::binary(Binary::Implies, again(pair.when), again(pair.then));
            Formula::binary(Binary::Implies, fair, formula)
        }))
    }

    /// Whether a formula of linear time holds on all just paths.
    fn linear(
        &mut self,
        program: &Program,
        formula: &Formula<Expression>,
        ways: Vec<Way>,
        cx: &Context,
    ) -> Result<Option<Answer>, Trouble> {
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
            ways,
            steps: None,
        };
        // A run of the program is one of all its variables.
        let to = ComesBack::Everything;
        let finding = not_forever(&endless.circuit, &signals, to, &options, cx);
        Ok(match finding.conclusion {
            Conclusion::Holds(bound) => Some(Answer {
                proof: Some(Proof::Bound(shown::bound(
                    model,
                    &endless,
                    signals.len(),
                    &bound,
                ))),
                ..Answer::bare(Verdict::Holds)
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
        run: Some(run),
        showing: Some(Showing::Whole),
        ..Answer::bare(Verdict::Violated)
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
