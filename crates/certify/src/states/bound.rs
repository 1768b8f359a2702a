//! Whether a bound proves a formula of linear time.
//!
//! A path that violates the formula, fairly, is one of the model beside an observer (`observer`) on
//! which some conditions are true again and again. A counter of the rounds in which all of them
//! were true then passes every bound. So if it never passes one, there is no such path.

use quotient_core::{Budget, Rejection};
use quotient_logic::{Binary, Formula, Kind as Says, Unary};
use quotient_states::{Bound, ExpressionId, Logic, Property};

use super::observer::Observer;
use super::set::{Paths, prove as prove_set};
use super::{StatesQuestion, is_propositional};

/// More rounds than this are not counted.
const MOST_ROUNDS: usize = 10_000;

pub(super) fn prove(
    question: &StatesQuestion,
    bound: &Bound,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    if bound.rounds > MOST_ROUNDS {
        let message = format!("more than {MOST_ROUNDS} rounds are not counted");
        return Err(Rejection::unreadable(message));
    }
    let formula = match question.property.logic {
        Logic::Ltl => Some(question.property.formula.clone()),
        Logic::Ctl => on_each_path(&question.property.formula),
        Logic::Invariant => None,
    };
    let Some(formula) = formula else {
        let message = "the property says nothing about single paths, so a bound does not prove it";
        return Err(Rejection::wrong(message));
    };
    let (mut observer, signals) = Observer::of_violations(question.model, &formula, budget)?;
    let passes = observer.count(&signals, bound.rounds)?;
    let never = observer.not(passes);
    let property = Property {
        logic: Logic::Invariant,
        formula: Formula::atom(never),
    };
    let beside = StatesQuestion {
        model: &observer.model,
        property: &property,
        allow_empty: question.allow_empty,
    };
    beside.check()?;
    prove_set(&beside, &bound.set, Paths::Endless, budget)?;
    let counted = match bound.rounds {
        0 => "no round ends in it".to_owned(),
        rounds => format!("at most {rounds} rounds end in it"),
    };
    Ok(vec![
        "every path without end on which the formula may be false is in the set".to_owned(),
        format!("{counted} in which all that would come again and again came"),
    ])
}

/// The formula of linear time that says the same as one of branching time, where that is plain: both
/// are true if, on every fair path from each initial state, what follows is true.
fn on_each_path(formula: &Formula<ExpressionId>) -> Option<Formula<ExpressionId>> {
    if is_propositional(formula) {
        return Some(formula.clone());
    }
    match &formula.kind {
        Says::Binary(Binary::And, left, right) => {
            let (left, right) = (on_each_path(left)?, on_each_path(right)?);
            Some(Formula::binary(Binary::And, left, right))
        }
        // One side is decided by the state, and the other is about what follows it.
        Says::Binary(Binary::Or, left, right)
            if is_propositional(left) || is_propositional(right) =>
        {
            let (left, right) = (on_each_path(left)?, on_each_path(right)?);
            Some(Formula::binary(Binary::Or, left, right))
        }
        Says::Binary(Binary::Implies, left, right) if is_propositional(left) => {
            let right = on_each_path(right)?;
            Some(Formula::binary(Binary::Implies, (**left).clone(), right))
        }
        Says::Unary(Unary::ForAll, path) => match &path.kind {
            Says::Unary(operator @ (Unary::Next | Unary::Globally(None)), operand) => {
                Some(Formula::unary(*operator, on_each_path(operand)?))
            }
            Says::Unary(Unary::Finally(None), operand) if is_propositional(operand) => {
                Some((**path).clone())
            }
            Says::Binary(Binary::Until(None), left, right)
                if is_propositional(left) && is_propositional(right) =>
            {
                Some((**path).clone())
            }
            _ => None,
        },
        _ => None,
    }
}
