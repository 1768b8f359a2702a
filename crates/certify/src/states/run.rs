//! Whether a run violates a property.

use quotient_core::{Budget, Rejection, Stop};
use quotient_logic::{Binary, Formula, Kind as Says, Unary};
use quotient_states::{ExpressionId, Logic, Model, Run, State, Values};

use super::branch::{Loop, Shown};
use super::set::unknown;
use super::{StatesQuestion, extend, is_propositional, lasso};

/// Replays the run and works out the formula on it.
pub(super) fn refute(
    question: &StatesQuestion,
    run: &Run,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    let model = question.model;
    let states = read(model, run)?;
    let replayed = Replayed::new(model, states, run.back_to, budget)?;
    let mut facts = vec!["the model has this run".to_owned()];
    if question.property.logic == Logic::Invariant {
        let formula = &question.property.formula;
        if !is_propositional(formula) {
            return Err(Rejection::unreadable(
                "an invariant has no temporal operators",
            ));
        }
        replayed.violates(question, formula)?;
        facts.push("a state on it violates the property".to_owned());
        return Ok(facts);
    }
    let strong = question.property.logic == Logic::Ltl;
    let Some(back_to) = run.back_to else {
        if let Some(always) = question.always() {
            replayed.violates(question, &always)?;
        }
        let (whole, back_to) = go_on(model, replayed.states, strong, budget)?;
        let replayed = Replayed::new(model, whole, Some(back_to), budget)?;
        replayed.is_fair(model, back_to, strong)?;
        return match replayed.is_false(question, back_to, budget) {
            Ok(()) => {
                facts.push("it can go on for ever on a fair path: one was found here".to_owned());
                facts.push("the formula is false on it".to_owned());
                Ok(facts)
            }
            // Another continuation might do.
            Err(Rejection::Wrong(_)) => {
                let why = "the run ends, and does not show by itself that the formula is false";
                Err(Stop::inconclusive(why).into())
            }
            Err(other) => Err(other),
        };
    };
    replayed.is_fair(model, back_to, strong)?;
    replayed.is_false(question, back_to, budget)?;
    facts.push("it goes on for ever and is fair".to_owned());
    facts.push("the formula is false on it".to_owned());
    Ok(facts)
}

/// The states of a run: every variable of the model has a value in every one.
pub(super) fn read(model: &Model, run: &Run) -> Result<Vec<State>, Rejection> {
    let mut order = Vec::new();
    for name in &run.variables {
        let found = model.find(name).ok_or_else(|| unknown(name))?;
        if order.contains(&found.0) {
            let message = format!("the run lists `{name}` twice");
            return Err(Rejection::unreadable(message));
        }
        order.push(found.0);
    }
    let mut variables = model.variables.iter().enumerate();
    if let Some((_, missing)) = variables.find(|(at, _)| !order.contains(at)) {
        let message = format!(
            "the states of the run are not whole: `{}` has no value",
            missing.name
        );
        return Err(Rejection::wrong(message));
    }
    let mut states = Vec::new();
    for (number, texts) in run.states.iter().enumerate() {
        if texts.len() != order.len() {
            let message = format!("state {} has too few or too many values", number + 1);
            return Err(Rejection::unreadable(message));
        }
        let mut values = Vec::new();
        for (&at, text) in order.iter().zip(texts) {
            let variable = &model.variables[at];
            let value = model.read(&variable.domain, text).ok_or_else(|| {
                let name = &variable.name;
                Rejection::wrong(format!("`{text}` is no value of `{name}`"))
            })?;
            values.push((at, value));
        }
        values.sort_unstable();
        states.push(State(values.into_iter().map(|(_, value)| value).collect()));
    }
    Ok(states)
}

/// The run up to its last state, and a fair continuation of that.
pub(super) fn go_on(
    model: &Model,
    mut states: Vec<State>,
    strong: bool,
    budget: &Budget,
) -> Result<(Vec<State>, usize), Rejection> {
    let Some(last) = states.pop() else {
        return Err(Rejection::wrong("the run has no state"));
    };
    match extend::fair_continuation(model, &last, strong, budget)? {
        Some((more, back_to)) => {
            let back_to = back_to + states.len();
            states.extend(more);
            Ok((states, back_to))
        }
        None => {
            let why =
                "the run ends, and it was not found that it can go on for ever on a fair path";
            Err(Stop::inconclusive(why).into())
        }
    }
}

/// A run of the model, with the values of all expressions in each of its states. The last state
/// of a run that ends has no step.
pub(super) struct Replayed {
    states: Vec<State>,
    pub(super) values: Vec<Values>,
    has_step: Vec<bool>,
}

impl Replayed {
    /// Replays a run: the first state is initial, all are legal, every step is one.
    pub(super) fn new(
        model: &Model,
        states: Vec<State>,
        back_to: Option<usize>,
        budget: &Budget,
    ) -> Result<Replayed, Rejection> {
        let Some(first) = states.first() else {
            return Err(Rejection::wrong("the run has no state"));
        };
        if back_to.is_some_and(|back| back >= states.len()) {
            return Err(Rejection::wrong(
                "the loop leads to a state that is not there",
            ));
        }
        if !model.is_initial(first) {
            return Err(Rejection::wrong("the first state is not initial"));
        }
        let mut values = Vec::new();
        let mut has_step = Vec::new();
        for (at, state) in states.iter().enumerate() {
            budget.charge(1)?;
            if !model.is_legal(state) {
                let message = format!("state {} violates an invariant of the model", at + 1);
                return Err(Rejection::wrong(message));
            }
            let next = match states.get(at + 1) {
                Some(next) => Some(next),
                None => back_to.and_then(|back| states.get(back)),
            };
            let here = model.values(state, next);
            if let Some(next) = next
                && !(model.keeps_frozen(state, next) && here.all(&model.transitions))
            {
                let message = format!("the model has no such step from state {}", at + 1);
                return Err(Rejection::wrong(message));
            }
            has_step.push(next.is_some());
            values.push(here);
        }
        Ok(Replayed {
            states,
            values,
            has_step,
        })
    }

    /// Whether a state violates what must always be true. What is said about a step is said
    /// where there is one.
    fn violates(
        &self,
        question: &StatesQuestion,
        formula: &Formula<ExpressionId>,
    ) -> Result<(), Rejection> {
        let needs_step = question.is_about_steps(formula);
        let mut states = self.values.iter().zip(&self.has_step);
        let violated = states.any(|(values, &has_step)| {
            (has_step || !needs_step) && truth(values, formula) == Some(false)
        });
        match violated {
            true => Ok(()),
            false => Err(Rejection::wrong(
                "no state of the run violates the property",
            )),
        }
    }

    /// Whether the loop meets the fairness constraints; compassion counts if `strong`.
    pub(super) fn is_fair(
        &self,
        model: &Model,
        back_to: usize,
        strong: bool,
    ) -> Result<(), Rejection> {
        let somewhere = |condition: ExpressionId| {
            let mut round = self.values[back_to..].iter();
            round.any(|values| values.truth(condition) == Some(true))
        };
        let mut justice = model.justice.iter();
        let mut compassion = model.compassion.iter();
        let fair = justice.all(|&condition| somewhere(condition))
            && (!strong || compassion.all(|&(when, then)| !somewhere(when) || somewhere(then)));
        match fair {
            true => Ok(()),
            false => Err(Rejection::wrong(
                "the loop of the run violates a fairness constraint",
            )),
        }
    }

    /// Whether the formula is false on the infinite run, or, for branching time, whether the run
    /// shows that it is.
    fn is_false(
        &self,
        question: &StatesQuestion,
        back_to: usize,
        budget: &Budget,
    ) -> Result<(), Rejection> {
        let formula = &question.property.formula;
        let not_false = || Rejection::wrong("the run does not violate the formula");
        let atom = |id: ExpressionId, at: usize| self.values[at].truth(id);
        if question.property.logic == Logic::Ltl {
            let period = self.states.len() - back_to;
            let mut get = atom;
            let values = lasso::along(formula, back_to, period, &mut get, budget)?;
            let values = values.ok_or_else(|| {
                Rejection::wrong("the formula has no value on the run, or is not about one path")
            })?;
            return match values.at(0) {
                false => Ok(()),
                true => Err(not_false()),
            };
        }
        let run = Loop {
            states: self.states.len(),
            back_to,
            atom: &atom,
            budget,
        };
        match run.refutes(formula)? {
            Shown::Yes => Ok(()),
            Shown::No => Err(not_false()),
            Shown::Open => {
                let why = "the model has this run, but that the property is violated takes more \
                           than one run to show";
                Err(Stop::inconclusive(why).into())
            }
        }
    }
}

/// The value of a formula without temporal operators, where all its parts that matter have one.
pub(super) fn truth(values: &Values, formula: &Formula<ExpressionId>) -> Option<bool> {
    let of = |part: &Formula<ExpressionId>| truth(values, part);
    match &formula.kind {
        Says::Constant(value) => Some(*value),
        Says::Atom(atom) => values.truth(*atom),
        Says::Unary(Unary::Not, operand) => of(operand).map(|value| !value),
        Says::Binary(operator, left, right) => {
            let (left, right) = (of(left)?, of(right)?);
            match operator {
                Binary::And => Some(left && right),
                Binary::Or => Some(left || right),
                Binary::Xor => Some(left != right),
                Binary::Implies => Some(!left || right),
                Binary::Iff => Some(left == right),
                _ => None,
            }
        }
        _ => None,
    }
}
