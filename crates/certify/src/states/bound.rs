//! Whether a bound proves a formula of linear time.
//!
//! A path that violates the formula, fairly, is one of the model beside an observer (`observer`) on
//! which some conditions are true again and again. A counter of the rounds in which all of them
//! were true then passes every bound. So if it never passes one, there is no such path.

use quotient_core::{Budget, Rejection};
use quotient_logic::{Binary, Formula, Kind as Says, Unary};
use quotient_states::{Bound, ExpressionId, Logic, Model, Property};

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
        Logic::Ltl => {
            let formula = question.property.formula.clone();
            Some(with_compassion(question.model, formula))
        }
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
        Says::Unary(Unary::Not, operand) => on_no_path(operand),
        Says::Binary(Binary::And, left, right) => {
            both(on_each_path(left)?, Binary::And, on_each_path(right)?)
        }
        // One side is decided by the state, and the other is about what follows it.
        Says::Binary(Binary::Or, left, right)
            if is_propositional(left) || is_propositional(right) =>
        {
            both(on_each_path(left)?, Binary::Or, on_each_path(right)?)
        }
        Says::Binary(Binary::Implies, left, right)
            if is_propositional(left) || is_propositional(right) =>
        {
            both(on_no_path(left)?, Binary::Or, on_each_path(right)?)
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

/// The same for the opposite of a formula: `E` says of some path what its denial says is on none.
fn on_no_path(formula: &Formula<ExpressionId>) -> Option<Formula<ExpressionId>> {
    if is_propositional(formula) {
        return Some(!formula.clone());
    }
    match &formula.kind {
        Says::Unary(Unary::Not, operand) => on_each_path(operand),
        Says::Binary(Binary::Or, left, right) => {
            both(on_no_path(left)?, Binary::And, on_no_path(right)?)
        }
        Says::Binary(Binary::And, left, right)
            if is_propositional(left) || is_propositional(right) =>
        {
            both(on_no_path(left)?, Binary::Or, on_no_path(right)?)
        }
        Says::Binary(Binary::Implies, left, right) => {
            both(on_each_path(left)?, Binary::And, on_no_path(right)?)
        }
        Says::Unary(Unary::Exists, path) => match &path.kind {
            Says::Unary(Unary::Next, operand) => {
                Some(Formula::unary(Unary::Next, on_no_path(operand)?))
            }
            Says::Unary(Unary::Finally(None), operand) => {
                let never = on_no_path(operand)?;
                Some(Formula::unary(Unary::Globally(None), never))
            }
            Says::Unary(Unary::Globally(None), operand) if is_propositional(operand) => {
                let ends = on_no_path(operand)?;
                Some(Formula::unary(Unary::Finally(None), ends))
            }
            Says::Binary(Binary::Until(None), left, right)
                if is_propositional(left) && is_propositional(right) =>
            {
                Some(!(**path).clone())
            }
            _ => None,
        },
        _ => None,
    }
}

fn both(
    left: Formula<ExpressionId>,
    operator: Binary,
    right: Formula<ExpressionId>,
) -> Option<Formula<ExpressionId>> {
    Some(Formula::binary(operator, left, right))
}

/// A formula of linear time that says on just paths what another says on those that are strongly fair,
/// too: there what comes again and again with the first of a pair does so with the second.
fn with_compassion(model: &Model, formula: Formula<ExpressionId>) -> Formula<ExpressionId> {
    let again = |condition: ExpressionId| {
        let some_time = Formula::unary(Unary::Finally(None), Formula::atom(condition));
        Formula::unary(Unary::Globally(None), some_time)
    };
    (model.compassion.iter()).fold(formula, |formula, &(when, then)| {
        let fair = Formula::binary(Binary::Implies, again(when), again(then));
        Formula::binary(Binary::Implies, fair, formula)
    })
}
