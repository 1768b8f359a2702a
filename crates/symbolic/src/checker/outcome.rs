//! What is asked, and what is answered.

use quotient_core::{Diagnostic, Source, Span, Stop, Verdict};
use quotient_logic::{Binary, Formula, Kind as Form, Unary};

use crate::ctl::{Program, Step};
use crate::evidence::Certificate;
use crate::explain::Showing;
use crate::model::{Expression, Model};
use crate::trace::Trace;

/// A property of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Specification {
    /// A formula of computation tree logic.
    Ctl(Formula<Expression>),
    /// A formula of linear temporal logic, perhaps with past.
    Ltl(Formula<Expression>),
    /// What holds in every reachable state, fair or not; if it mentions inputs or next values,
    /// in every step from such a state.
    Invariant(Expression),
    /// What holds in every step from a reachable state, whether or not the expression mentions the
    /// next state: a state without a step violates nothing.
    StepInvariant(Expression),
}

/// The answer to a specification.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Whether it holds.
    pub verdict: Verdict,
    /// A run that shows why it is violated, or, for a formula about some path, why it holds.
    pub trace: Option<Trace>,
    /// How far the run shows it.
    pub showing: Option<Showing>,
    /// For what holds in every reachable state: a set of states that proves it. For what is
    /// violated: a set that is not left from the last state of the run, and has no state of the kind
    /// that the formula asks for there.
    pub certificate: Option<Certificate>,
    /// The model has strong fairness conditions, which branching-time formulas do not look at.
    pub compassion_ignored: bool,
}

impl Outcome {
    pub(crate) fn of(verdict: Verdict) -> Outcome {
        Outcome {
            verdict,
            trace: None,
            showing: None,
            certificate: None,
            compassion_ignored: false,
        }
    }
}

/// Why a formula cannot be checked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A temporal operator without its path quantifier, or a past operator.
    #[error("this is not a CTL formula")]
    NotCtl(Span),
    /// A path quantifier.
    #[error("this is not an LTL formula")]
    NotLtl(Span),
    /// A placeholder where a formula is asked for.
    #[error("this is a query, not a formula")]
    Query(Span),
    /// A formula about states mentions an input or a next value.
    #[error("`{variable}` is not part of the state here")]
    NotAboutState {
        /// The name of the variable.
        variable: String,
        /// The atom that mentions it.
        span: Span,
    },
    /// A query cannot be answered in the way that was asked for.
    #[error("{0}")]
    BadQuery(String),
    /// The budget ended.
    #[error("{0}")]
    Stopped(#[from] Stop),
}

impl Refusal {
    /// As a message about the text of the formula.
    pub fn diagnostic(&self, source: &Source) -> Diagnostic {
        let message = self.to_string();
        match self {
            Refusal::NotCtl(span) => Diagnostic::error("not-ctl", message)
                .at(source, *span, "no path quantifier in front")
                .help("in CTL every `X`, `F`, `G`, `U` stands directly under an `A` or `E`; or ask it as LTL"),
            Refusal::NotLtl(span) => Diagnostic::error("not-ltl", message)
                .at(source, *span, "there is a path quantifier in here")
                .help("in LTL there is no `A` or `E`; or ask it as CTL"),
            Refusal::Query(span) => Diagnostic::error("query", message)
                .at(source, *span, "there is a `?` in here")
                .help("ask it as a query"),
            Refusal::NotAboutState { span, .. } => {
                Diagnostic::error("not-about-state", message)
                    .at(source, *span, "only state variables may be mentioned")
                    .note("inputs and next values belong to steps, not to states")
            }
            Refusal::BadQuery(_) => Diagnostic::error("bad-query", message).in_source(source),
            Refusal::Stopped(_) => Diagnostic::error("stopped", message).in_source(source),
        }
    }
}

/// A propositional formula as one expression.
pub(super) fn expression_of(model: &mut Model, formula: &Formula<Expression>) -> Expression {
    match &formula.kind {
        Form::Atom(atom) => *atom,
        Form::Constant(value) => Expression::constant(*value),
        Form::Unary(_, operand) => !expression_of(model, operand),
        Form::Binary(operator, left, right) => {
            let (a, b) = (expression_of(model, left), expression_of(model, right));
            match operator {
                Binary::Or => model.or(a, b),
                Binary::Xor => model.xor(a, b),
                Binary::Implies => model.implies(a, b),
                Binary::Iff => model.iff(a, b),
                _ => model.and(a, b),
            }
        }
        Form::Placeholder(_) => Expression::TRUE,
    }
}

/// Whether a formula is `AG` of something propositional.
pub(super) fn is_always(formula: &Formula<Expression>) -> bool {
    let Form::Unary(Unary::ForAll, path) = &formula.kind else {
        return false;
    };
    match &path.kind {
        Form::Unary(Unary::Globally(None), inner) => {
            quotient_logic::Fragment::of(inner).propositional
        }
        _ => false,
    }
}

/// The number of the leaf at each step, from left to right.
pub(super) fn leaf_numbers(program: &Program) -> Vec<usize> {
    let mut leaves = 0;
    let number = |step: &Step| {
        let number = leaves;
        leaves += usize::from(*step == Step::Leaf);
        number
    };
    program.steps.iter().map(number).collect()
}
