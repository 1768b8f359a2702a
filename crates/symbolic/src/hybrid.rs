//! HCTL: branching time with names for states.
//!
//! A name is a copy of all variables of the state that never changes on a path. Formulas are worked
//! out bottom up as sets of pairs of a state and the states of names: `{x}` is equality with the
//! copy, `!{x}: f` takes the pairs where the copy equals the state, `@{x}: f` the states where the
//! state equals the copy, and a quantifier forgets the copy.

use quotient_core::{Context, Stop};
use quotient_logic::Hybrid;
use rustc_hash::FxHashMap;

use crate::ctl::{Evaluator, Temporal};
use crate::diagrams::{Config, Diagrams, Set, Var};
use crate::fixpoint::Arena;
use crate::model::{Expression, Kind, Model, VariableId};
use crate::path::Path;
use crate::system::System;
use crate::trace::Trace;

/// The answer to a formula of HCTL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HybridOutcome {
    /// It is true in all initial states where a fair path begins.
    Holds,
    /// It is false in the first state of this run, which has no other.
    Violated(Trace),
}

/// Whether a formula of HCTL is true in all initial states where a fair path begins. Names range
/// over all legal states, reachable or not. Atoms are about states: inputs and next values in them
/// are a stop.
///
/// ```
/// use quotient_core::Context;
/// use quotient_logic::Hybrid;
/// use quotient_symbolic::{Config, Domain, HybridOutcome, Kind, Model, check_hybrid};
/// // A bit that flips comes back, and never stays.
/// let mut model = Model::new();
/// let lamp = model.add_variable("lamp", Kind::State, Domain::Boolean);
/// let (now, next) = (model.bit(lamp, 0), model.next_bit(lamp, 0));
/// let flip = model.xor(now, next);
/// model.add_transition(flip);
/// let next_is_x = Hybrid::ExistsNext(Box::new(Hybrid::Named(0)));
/// let twice = Hybrid::ExistsNext(Box::new(next_is_x.clone()));
/// let ask = |inner| {
///     let formula = Hybrid::Bind(0, Box::new(inner));
///     check_hybrid(&model, &formula, Config::small(), &Context::default())
/// };
/// assert_eq!(ask(twice)?, HybridOutcome::Holds);
/// assert!(matches!(ask(next_is_x)?, HybridOutcome::Violated(_)));
/// # Ok::<(), quotient_core::Stop>(())
/// ```
pub fn check_hybrid(
    model: &Model,
    formula: &Hybrid<Expression>,
    mut config: Config,
    context: &Context,
) -> Result<HybridOutcome, Stop> {
    loop {
        match check_here(model, formula, config, context) {
            Err(Stop::Memory) if context.budget.poll().is_ok() => match config.grown() {
                Some(larger) => config = larger,
                None => return Err(Stop::Memory),
            },
            answer => return answer,
        }
    }
}

fn check_here(
    model: &Model,
    formula: &Hybrid<Expression>,
    config: Config,
    context: &Context,
) -> Result<HybridOutcome, Stop> {
    let members: Vec<VariableId> = (model.variable_ids())
        .filter(|(_, variable)| variable.kind != Kind::Input)
        .map(|(id, _)| id)
        .collect();
    let rigid = vec![members; formula.names()];
    let system = System::new(model.clone(), &rigid, config, &context.budget)?;
    let machine = system.machine(vec![true; model.variables().len()])?;
    let known = Default::default();
    let arena = Arena {
        diagrams: &system.diagrams,
        machine: &machine,
        states: &machine.legal,
    };
    let mut names = Names {
        evaluator: Evaluator::new(arena, false, &known),
        system: &system,
        copies: copies(&system, &machine.state, rigid.len()),
        known: FxHashMap::default(),
    };
    let value = names.states(formula)?;
    let start = names.evaluator.start()?;
    let wrong = system.diagrams.minus(&start, &value)?;
    let Some(state) = names.evaluator.arena.pick(&wrong)? else {
        return Ok(HybridOutcome::Holds);
    };
    let path = Path {
        states: vec![state],
        ..Path::default()
    };
    let trace = system.trace(&machine, &path)?;
    Ok(HybridOutcome::Violated(trace))
}

/// For each name the variables of the state, each with its copy; those that stand lowest first.
fn copies(system: &System, state: &[Var], names: usize) -> Vec<Vec<(Var, Var)>> {
    let mut state = state.to_vec();
    state.sort_by_key(|&variable| std::cmp::Reverse(system.diagrams.level(variable)));
    let of_name = |name: usize| {
        let copy = |&variable: &Var| {
            let bit = system.layout.bit(variable);
            Some((variable, system.layout.rigid(name, bit)?))
        };
        state.iter().filter_map(copy).collect()
    };
    (0..names).map(of_name).collect()
}

/// Works formulas out.
struct Names<'a> {
    evaluator: Evaluator<'a>,
    system: &'a System,
    copies: Vec<Vec<(Var, Var)>>,
    /// What is known of parts: the same part often stands in a formula several times.
    known: FxHashMap<Hybrid<Expression>, Set>,
}

impl Names<'_> {
    fn diagrams(&self) -> &Diagrams {
        &self.system.diagrams
    }

    /// The legal states, with states of names, where a formula is true.
    fn states(&mut self, formula: &Hybrid<Expression>) -> Result<Set, Stop> {
        if let Some(known) = self.known.get(formula) {
            return Ok(known.clone());
        }
        let found = self.work_out(formula)?;
        self.known.insert(formula.clone(), found.clone());
        Ok(found)
    }

    fn work_out(&mut self, formula: &Hybrid<Expression>) -> Result<Set, Stop> {
        match formula {
            Hybrid::Constant(value) => Ok(self.evaluator.constant(*value)),
            Hybrid::Atom(atom) => {
                self.refuse_steps(*atom)?;
                let atom = self.system.compile(*atom)?;
                self.evaluator.inside(&atom)
            }
            Hybrid::Named(name) => {
                let same = self.same(*name)?;
                self.evaluator.inside(&same)
            }
            Hybrid::Not(inner) => {
                let inner = self.states(inner)?;
                self.evaluator.arena.complement(&inner)
            }
            Hybrid::And(one, other) => {
                let (one, other) = (self.states(one)?, self.states(other)?);
                self.diagrams().and(&one, &other)
            }
            Hybrid::Or(one, other) => {
                let (one, other) = (self.states(one)?, self.states(other)?);
                self.diagrams().or(&one, &other)
            }
            Hybrid::Iff(one, other) => {
                let (one, other) = (self.states(one)?, self.states(other)?);
                let differ = self.diagrams().xor(&one, &other)?;
                self.evaluator.arena.complement(&differ)
            }
            Hybrid::ExistsNext(inner) => {
                let inner = self.states(inner)?;
                self.evaluator.temporal(false, Temporal::Next, &inner, None)
            }
            Hybrid::Until(until, one, other) => {
                let (one, other) = (self.states(one)?, self.states(other)?);
                let operator = match until.weak {
                    true => Temporal::WeakUntil,
                    false => Temporal::Until(None),
                };
                let universal = until.universal;
                (self.evaluator).temporal(universal, operator, &one, Some(&other))
            }
            Hybrid::ExistsGlobally(inner) => {
                let inner = self.states(inner)?;
                let globally = Temporal::Globally(None);
                self.evaluator.temporal(false, globally, &inner, None)
            }
            Hybrid::Bind(name, inner) => {
                let inner = self.states(inner)?;
                let (same, cube) = (self.same(*name)?, self.copied(*name)?);
                self.diagrams().and_exists(&inner, &same, &cube)
            }
            Hybrid::Jump(name, inner) => {
                let inner = self.states(inner)?;
                let there = self.at(*name, &inner)?;
                self.evaluator.inside(&there)
            }
            Hybrid::Exists(name, inner) => {
                // A name is one of a legal state: `!@{x}: f` is not true for the lack of one.
                let inner = self.states(inner)?;
                let legal = self.evaluator.constant(true);
                let legal = self.at(*name, &legal)?;
                let cube = self.copied(*name)?;
                self.diagrams().and_exists(&inner, &legal, &cube)
            }
        }
    }

    /// The states of a name that are in a set, whatever the present state.
    fn at(&self, name: usize, set: &Set) -> Result<Set, Stop> {
        let own = self.copies[name].iter().map(|&(own, _)| own);
        let cube = self.diagrams().cube(own)?;
        self.diagrams().and_exists(set, &self.same(name)?, &cube)
    }

    /// The present state is the one of a name.
    fn same(&self, name: usize) -> Result<Set, Stop> {
        let diagrams = self.diagrams();
        let mut same = diagrams.constant(true);
        for &(own, copy) in &self.copies[name] {
            let differ = diagrams.xor(&diagrams.variable(own)?, &diagrams.variable(copy)?)?;
            same = diagrams.minus(&same, &differ)?;
        }
        Ok(same)
    }

    /// The variables of a name, to be forgotten.
    fn copied(&self, name: usize) -> Result<Set, Stop> {
        let copies = self.copies[name].iter().map(|&(_, copy)| copy);
        self.diagrams().cube(copies)
    }

    fn refuse_steps(&self, atom: Expression) -> Result<(), Stop> {
        let model = &self.system.model;
        let is_step = |&(bit, next): &(u32, bool)| {
            next || model.variable(model.owner(bit)).kind == Kind::Input
        };
        match model.support([atom]).iter().any(is_step) {
            true => Err(Stop::inconclusive("a formula about states mentions a step")),
            false => Ok(()),
        }
    }
}
