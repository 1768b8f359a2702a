//! Evidence about finite-state models.
//!
//! The model is plain data (`quotient-states`): no engine and no compilation of an engine is
//! involved. Five kinds of evidence are checked:
//!
//! * a **set of states** that proves that something is always true (`set`). The model and the set
//!   are written as clauses (`circuit`, `number`, `encode`), and a SAT solver is asked for an
//!   initial state outside of the set, a step that leaves it, a state of it that violates the
//!   property. If there is none, the property is true in every reachable state, by induction;
//! * a **run** that violates a property (`run`). Whole states are replayed by the evaluator of
//!   `quotient-states`, and the formula is worked out on the infinite run, exactly for linear time
//!   (`lasso`), as far as one run can show it for branching time (`branch`). A run that ends says
//!   something about infinite paths only if it goes on: a fair continuation is looked for
//!   (`extend`) and replayed like the rest;
//! * a **run with a barrier** (`barrier`): a run to a state in which the formula asks for some path
//!   to a goal, and a set of states that is not left from there and has no such goal;
//! * an **induction** over several steps (`induction`), without a set;
//! * a **bound** (`bound`) on how often something happens that happens again and again on every path
//!   that violates a formula of linear time: a set of states of the model beside an observer.
//!
//! What is trusted: the translation of the text into the model, this module, and for sets the
//! SAT solver where it says that there is nothing. What it says to be there is evaluated.

mod barrier;
mod bound;
mod branch;
mod circuit;
mod encode;
mod extend;
mod induction;
mod lasso;
mod number;
mod observer;
mod run;
mod set;

use quotient_core::{Budget, Rejection};
use quotient_logic::{Binary, Formula, Kind as Says, Unary};
use quotient_states::{
    Barrier, Bound, ExpressionId, Fault, Induction, Logic, Model, Property, Run, StateSet,
};

/// A question about a finite-state model, and the checks of evidence for its answer.
///
/// ```
/// use quotient_certify::StatesQuestion;
/// use quotient_core::Budget;
/// use quotient_logic::Formula;
/// use quotient_states::{Domain, Kind, Logic, Model, Node, Property, Run};
/// // A bit that may do anything is not always true.
/// let mut model = Model::default();
/// let variable = model.add_variable("bit", Kind::State, Domain::Boolean);
/// let bit = model.expressions.add(Node::Variable { variable, next: false });
/// let property = Property { logic: Logic::Invariant, formula: Formula::atom(bit) };
/// let question = StatesQuestion { model: &model, property: &property, allow_empty: false };
/// let run = |value: &str| Run {
///     variables: vec!["bit".to_owned()],
///     states: vec![vec![value.to_owned()]],
///     back_to: None,
/// };
/// let budget = Budget::unlimited();
/// assert!(question.certify_run(&run("FALSE"), &budget).is_ok());
/// assert!(question.certify_run(&run("TRUE"), &budget).is_err());
/// ```
#[derive(Debug, Clone, Copy)]
pub struct StatesQuestion<'a> {
    /// The model.
    pub model: &'a Model,
    /// The property that evidence is about.
    pub property: &'a Property,
    /// Whether a model without initial states, of which everything is always true, is fine.
    pub allow_empty: bool,
}

impl StatesQuestion<'_> {
    /// Checks that a set of states proves the property. Gives the facts that were established.
    ///
    /// Where an expression of the model has no value, both readings are covered: a constraint
    /// without a value forbids nothing, and a property without a value is not true.
    pub fn certify_set(&self, set: &StateSet, budget: &Budget) -> Result<Vec<String>, Rejection> {
        self.check()?;
        set::prove(self, set, set::Paths::All, budget)
    }

    /// Checks that induction over several steps proves the property. Gives the facts that were
    /// established.
    pub fn certify_induction(
        &self,
        induction: &Induction,
        budget: &Budget,
    ) -> Result<Vec<String>, Rejection> {
        self.check()?;
        induction::prove(self, induction, budget)
    }

    /// Checks that a bound proves a formula of linear time, or one of branching time that says the
    /// same. Gives the facts that were established.
    pub fn certify_bound(&self, bound: &Bound, budget: &Budget) -> Result<Vec<String>, Rejection> {
        self.check()?;
        bound::prove(self, bound, budget)
    }

    /// Checks that a run violates the property. Gives the facts that were established.
    ///
    /// Where an expression of the model has no value, the stricter reading counts: a
    /// constraint without a value is not met, and a property without a value is not violated.
    pub fn certify_run(&self, run: &Run, budget: &Budget) -> Result<Vec<String>, Rejection> {
        self.check()?;
        run::refute(self, run, budget)
    }

    /// Checks that a run, and a set of states that is not left from its last state on, violate the
    /// property. Gives the facts that were established.
    pub fn certify_barrier(
        &self,
        barrier: &Barrier,
        budget: &Budget,
    ) -> Result<Vec<String>, Rejection> {
        self.check()?;
        barrier::refute(self, &barrier.run, &barrier.set, budget)
    }

    fn check(&self) -> Result<(), Rejection> {
        let fault =
            |fault: Fault| Rejection::unreadable(format!("the model cannot be used: {fault}"));
        let types = self.model.check().map_err(fault)?;
        let property = self.model.check_property(self.property, &types);
        property.map_err(fault)
    }

    /// What the property says to be true in every state, if it says that and nothing else.
    fn always(&self) -> Option<Formula<ExpressionId>> {
        let formula = &self.property.formula;
        let inner = match (&formula.kind, self.property.logic) {
            (_, Logic::Invariant) => formula.clone(),
            (Says::Unary(Unary::ForAll, path), Logic::Ctl) => match &path.kind {
                Says::Unary(Unary::Globally(None), inner) => (**inner).clone(),
                _ => return None,
            },
            (Says::Unary(Unary::Not, some), Logic::Ctl) => !somewhere(some)?.clone(),
            (Says::Unary(Unary::Globally(None), inner), Logic::Ltl) => (**inner).clone(),
            _ => return None,
        };
        is_propositional(&inner).then_some(inner)
    }

    /// Whether a formula speaks about inputs or next values.
    fn is_about_steps(&self, formula: &Formula<ExpressionId>) -> bool {
        let about = self.model.about_steps();
        formula.atoms().into_iter().any(|atom| about[atom.0])
    }
}

/// What a formula says to come on some path, if it says that and nothing else.
fn somewhere(formula: &Formula<ExpressionId>) -> Option<&Formula<ExpressionId>> {
    let Says::Unary(Unary::Exists, path) = &formula.kind else {
        return None;
    };
    match &path.kind {
        Says::Unary(Unary::Finally(None), inner) => Some(inner),
        _ => None,
    }
}

fn is_propositional(formula: &Formula<ExpressionId>) -> bool {
    use Binary as B;
    match &formula.kind {
        Says::Constant(_) | Says::Atom(_) => true,
        Says::Unary(Unary::Not, operand) => is_propositional(operand),
        Says::Binary(B::And | B::Or | B::Xor | B::Implies | B::Iff, left, right) => {
            is_propositional(left) && is_propositional(right)
        }
        _ => false,
    }
}
