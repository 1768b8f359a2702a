//! Evidence about SMV models, and a second look at it.
//!
//! A run is replayed by the plain evaluator, and the formula is evaluated on it (`lasso` for LTL,
//! `branch` for CTL), fairness included. A set of states that proves an invariant is
//! checked by a SAT solver: it contains the initial states, no step leaves it, and it excludes
//! what must not happen. No decision diagram is involved.

mod branch;
mod lasso;

use quotient_core::{Budget, Claim, Evidence, Stop};
use quotient_logic::{Formula, Kind as Says, Unary};
use quotient_symbolic::Certificate;
use serde::{Deserialize, Serialize};

use branch::{Branch, Shown};

use crate::compile::{CompileError, Compiled};
use crate::evaluate::State;
use crate::file::File;
use crate::program::{NodeId, Program, Specification, Value, VariableId};
use crate::run::{Mismatch, Run};
use crate::syntax::SpecificationKind;

/// A run as plain data: evidence of kind [`RunEvidence::KIND`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunEvidence {
    /// The names of the variables that the run is about.
    pub variables: Vec<String>,
    /// For every state the values of these variables, as SMV writes them.
    pub states: Vec<Vec<String>>,
    /// For an infinite run the number of the state that follows the last one, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back_to: Option<usize>,
}

impl RunEvidence {
    /// What such evidence is called.
    pub const KIND: &'static str = "smv-run";
}

/// How much of a claim the second look has confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confirmed {
    /// All of it: a set of states proves the property, or a state violates it.
    Claim,
    /// All of it: the run is one of the model, goes on for ever, is fair, and the formula is
    /// false on it.
    Path,
    /// The run is one of the model and shows the violation; that it goes on for ever on a fair
    /// path, as formulas about paths suppose, was not looked at.
    Prefix,
    /// The run is one of the model; that it violates the property cannot be shown by a single
    /// run.
    RunOnly,
}

/// Why evidence does not show what it claims.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Flaw {
    /// The evidence is of a kind that says nothing about SMV models.
    #[error("evidence of kind `{0}` is not about SMV models")]
    Kind(String),
    /// The body is not what its kind calls for.
    #[error("the evidence cannot be read: {0}")]
    Unreadable(String),
    /// A name or a value does not occur in the model.
    #[error("`{0}` is not part of the model")]
    Unknown(String),
    /// The run is not one of the model.
    #[error("{0}")]
    Mismatch(#[from] Mismatch),
    /// No state of the run violates the property.
    #[error("no state of the run violates the property")]
    NoViolation,
    /// The run is infinite, and the formula is not false on it.
    #[error("the run does not violate the formula")]
    NotFalse,
    /// The run ends, and only an infinite one violates the formula.
    #[error("the run ends, but the formula is about infinite runs")]
    Ends,
    /// A fairness constraint is not met on the loop.
    #[error("the loop of the run violates a fairness constraint")]
    Unfair,
    /// The formula mentions something that the run says nothing about.
    #[error("the run does not tell all that the formula is about")]
    Incomplete,
    /// The property is not about single states, so no set of states proves it.
    #[error("the property is no invariant, so a set of states does not prove it")]
    NotAnInvariant,
    /// An initial state is outside of the set.
    #[error("an initial state is outside of the set")]
    MissesInitial,
    /// A step leaves the set.
    #[error("a step of the model leaves the set")]
    IsLeft,
    /// A state of the set violates the property.
    #[error("a state of the set violates the property")]
    AllowsViolation,
    /// The model cannot be compiled.
    #[error("the model has mistakes")]
    Mistakes,
    /// The budget ended.
    #[error("{0}")]
    Stopped(#[from] Stop),
}

impl From<CompileError> for Flaw {
    fn from(error: CompileError) -> Flaw {
        match error {
            CompileError::Mistakes(_) => Flaw::Mistakes,
            CompileError::Stopped(stop) => Flaw::Stopped(stop),
        }
    }
}

impl File {
    /// Looks again at evidence for or against a specification of the file.
    pub fn certify(
        &self,
        specification: &Specification,
        evidence: &Evidence,
        budget: &Budget,
    ) -> Result<Confirmed, Flaw> {
        let program = self.program();
        let unreadable = |error: &dyn std::fmt::Display| Flaw::Unreadable(error.to_string());
        match (evidence.kind.as_str(), evidence.claim) {
            (RunEvidence::KIND, Claim::Violated) => {
                let body: RunEvidence = evidence.read().map_err(|error| unreadable(&error))?;
                let run = Run::from_plain(program, &body)?;
                run.replay(program)?;
                run.violates(program, specification)
            }
            (Certificate::KIND, Claim::Holds) => {
                let body: Certificate = evidence.read().map_err(|error| unreadable(&error))?;
                let invariant = invariant(specification).ok_or(Flaw::NotAnInvariant)?;
                let mut compiled = Compiled::new(program, budget)?;
                let property = compiled.formula(program, invariant, budget)?;
                let property = compiled.propositional(&property);
                let property = property.ok_or(Flaw::NotAnInvariant)?;
                // A set of states says nothing about steps, unless they do not matter after all.
                let model = compiled.model();
                let is_step = |&(bit, next): &(u32, bool)| {
                    let kind = model.variable(model.owner(bit)).kind;
                    next || kind == quotient_symbolic::Kind::Input
                };
                if model.support([property]).iter().any(is_step) {
                    return Err(Flaw::NotAnInvariant);
                }
                compiled.prove(&body, property, budget)?;
                Ok(Confirmed::Claim)
            }
            _ => Err(Flaw::Kind(evidence.kind.clone())),
        }
    }
}

impl Run {
    /// Whether the run, which is one of the model, violates a specification.
    fn violates(
        &self,
        program: &Program,
        specification: &Specification,
    ) -> Result<Confirmed, Flaw> {
        let formula = &specification.formula;
        if !formula
            .atoms()
            .into_iter()
            .all(|&a| self.is_about(program, a))
        {
            return Err(Flaw::Incomplete);
        }
        let strong = specification.kind == SpecificationKind::Ltl;
        let infinite = match (specification.kind, self.back_to) {
            (SpecificationKind::Invariant, _) | (_, None) => false,
            (_, Some(back)) if self.is_fair(program, back, strong) => true,
            _ => return Err(Flaw::Unfair),
        };
        let follows = |at: usize| match self.states.get(at + 1) {
            Some(next) => Some(next),
            None => self.states.get(self.back_to?),
        };
        let atom = |node: NodeId, at: usize| -> Option<bool> {
            match program.evaluate(node, &self.states[at], follows(at)) {
                Ok(values) if values == [Value::Boolean(true)] => Some(true),
                Ok(values) if values == [Value::Boolean(false)] => Some(false),
                _ => None,
            }
        };
        if let Some(invariant) = invariant(specification) {
            let shown = Branch {
                states: self.states.len(),
                back_to: None,
                atom: &atom,
            };
            // What is said about steps is said where there is one.
            let needs_step = is_about_steps(program, invariant);
            let violates = |at: usize| {
                (!needs_step || follows(at).is_some())
                    && shown.shows(invariant, false, at) == Shown::Yes
            };
            let is_enough = infinite || specification.kind == SpecificationKind::Invariant;
            return match (0..self.states.len()).any(violates) {
                true if is_enough => Ok(Confirmed::Claim),
                true => Ok(Confirmed::Prefix),
                false => Err(Flaw::NoViolation),
            };
        }
        if specification.kind == SpecificationKind::Ltl {
            let stem = self.back_to.ok_or(Flaw::Ends)?;
            let period = self.states.len() - stem;
            let values = lasso::along(formula, stem, period, &mut |node, at| atom(node, at))?;
            return match values.ok_or(Flaw::Incomplete)?.at(0) {
                false => Ok(Confirmed::Path),
                true => Err(Flaw::NotFalse),
            };
        }
        let branch = Branch {
            states: self.states.len(),
            back_to: self.back_to,
            atom: &atom,
        };
        match branch.shows(formula, false, 0) {
            Shown::Yes if infinite => Ok(Confirmed::Path),
            Shown::Yes => Ok(Confirmed::Prefix),
            Shown::Open => Ok(Confirmed::RunOnly),
            Shown::No => Err(Flaw::NotFalse),
        }
    }

    /// Whether the loop meets the fairness constraints; for CTL those of `COMPASSION` do not
    /// count.
    fn is_fair(&self, program: &Program, back: usize, strong: bool) -> bool {
        let somewhere = |condition: NodeId| {
            let mut round = back..self.states.len();
            round.any(|at| {
                let next = self.states.get(at + 1).unwrap_or(&self.states[back]);
                program.is_true(condition, &self.states[at], Some(next))
            })
        };
        let mut justice = program.justice().iter();
        let mut compassion = program.compassion().iter();
        justice.all(|&condition| somewhere(condition))
            && (!strong || compassion.all(|&(when, then)| !somewhere(when) || somewhere(then)))
    }

    /// The run as evidence against a property.
    pub fn evidence(&self, program: &Program) -> Evidence {
        let name = |&id: &VariableId| program.variable(id).name.clone();
        let values = |state: &State| {
            let shown = self
                .variables
                .iter()
                .map(|&id| program.show(state.value(id)));
            shown.collect()
        };
        let body = RunEvidence {
            variables: self.variables.iter().map(name).collect(),
            states: self.states.iter().map(values).collect(),
            back_to: self.back_to,
        };
        Evidence::of_violated(RunEvidence::KIND, &body)
    }

    fn from_plain(program: &Program, body: &RunEvidence) -> Result<Run, Flaw> {
        let mut variables = Vec::new();
        for name in &body.variables {
            let found = program
                .variable_ids()
                .find(|&id| program.variable(id).name == *name);
            variables.push(found.ok_or_else(|| Flaw::Unknown(name.clone()))?);
        }
        let first: Vec<Value> = program
            .variables()
            .iter()
            .map(|v| v.domain.first())
            .collect();
        let mut states = Vec::new();
        for texts in &body.states {
            if texts.len() != variables.len() {
                return Err(Flaw::Unreadable(
                    "a state has too few or too many values".into(),
                ));
            }
            let mut values = first.clone();
            for (id, text) in variables.iter().zip(texts) {
                let value = program.read_value(&program.variable(*id).domain, text);
                values[id.index()] = value.ok_or_else(|| Flaw::Unknown(text.clone()))?;
            }
            states.push(State(values));
        }
        variables.sort_unstable();
        variables.dedup();
        Ok(Run {
            states,
            back_to: body.back_to,
            variables,
        })
    }
}

/// What must hold in every state, for `INVARSPEC p`, `AG p` and `G p` without temporal operators
/// in `p`.
fn invariant(specification: &Specification) -> Option<&Formula<NodeId>> {
    let formula = &specification.formula;
    let inner = match (&formula.kind, specification.kind) {
        (_, SpecificationKind::Invariant) => formula,
        (Says::Unary(Unary::ForAll, path), SpecificationKind::Ctl) => match &path.kind {
            Says::Unary(Unary::Globally(None), inner) => inner,
            _ => return None,
        },
        (Says::Unary(Unary::Globally(None), inner), SpecificationKind::Ltl) => inner,
        _ => return None,
    };
    is_propositional(inner).then_some(inner)
}

fn is_propositional(formula: &Formula<NodeId>) -> bool {
    use quotient_logic::Binary as B;
    match &formula.kind {
        Says::Constant(_) | Says::Atom(_) => true,
        Says::Unary(Unary::Not, operand) => is_propositional(operand),
        Says::Binary(B::And | B::Or | B::Xor | B::Implies | B::Iff, left, right) => {
            is_propositional(left) && is_propositional(right)
        }
        _ => false,
    }
}

/// Whether a formula mentions inputs or next values.
fn is_about_steps(program: &Program, formula: &Formula<NodeId>) -> bool {
    let nodes = &program.nodes;
    let mut atoms = formula.atoms().into_iter();
    atoms.any(|&atom| nodes.mentions_input(atom) || nodes.mentions_next(atom))
}
