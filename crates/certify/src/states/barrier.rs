//! Whether a run to a state, and a set of states that is not left from there, violate a property.
//!
//! `EF p` and `E [q U p]` are false in a state if there is a set of states with it that has no `p`
//! and is not left (from a state with `q`). So where a formula asks for such a thing on the way of
//! a run, as `AG EF p` does, the run and the set show together what no run shows alone.

use quotient_core::{Budget, Rejection, Stop};
use quotient_logic::{Binary, Formula, Kind as Says, Unary};
use quotient_states::{
    ExpressionId, Expressions, Kind, Logic, Model, Node, Operator, Property, Run, State, StateSet,
    Value, Values, VariableId,
};
use rustc_hash::FxHashMap;

use super::run::{Replayed, go_on, read, truth};
use super::{StatesQuestion, is_propositional};

/// Replays the run, finds what the formula asks for in its last state, and checks that the set
/// rules that out.
pub(super) fn refute(
    question: &StatesQuestion,
    run: &Run,
    set: &StateSet,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    let model = question.model;
    if question.property.logic != Logic::Ctl {
        return Err(Rejection::wrong(
            "only a formula of branching time is refuted like this",
        ));
    }
    let states = read(model, run)?;
    let Some(end) = states.last().cloned() else {
        return Err(Rejection::wrong("the run has no state"));
    };
    let replayed = Replayed::new(model, states.clone(), run.back_to, budget)?;
    let mut asked = Asked {
        values: &replayed.values,
        known: FxHashMap::default(),
        budget,
    };
    let Some(paths) = asked.violated(&question.property.formula, 0)? else {
        let why = "the run does not lead to where the formula asks for what the set rules out";
        return Err(Stop::inconclusive(why).into());
    };
    let mut facts = vec!["the model has this run".to_owned()];
    if let Some(&path) = paths.first() {
        if paths.iter().any(|&other| other.kind != path.kind) {
            let why = "the formula asks for several things in the last state";
            return Err(Stop::inconclusive(why).into());
        }
        let (model, property) = from_there(model, &end, path)?;
        let question = StatesQuestion {
            model: &model,
            property: &property,
            allow_empty: false,
        };
        facts.extend(question.certify_set(set, budget)?);
        facts.push("so what the formula asks for in its last state cannot come".to_owned());
    }
    // Formulas are about states from which a fair path begins.
    match run.back_to {
        Some(back_to) => replayed.is_fair(model, back_to, false)?,
        None => {
            let (whole, back_to) = go_on(model, states, false, budget)?;
            let whole = Replayed::new(model, whole, Some(back_to), budget)?;
            whole.is_fair(model, back_to, false)?;
        }
    }
    facts.push("the run goes on for ever on a fair path".to_owned());
    Ok(facts)
}

/// The model as it goes on from a state, through what is asked for until then, and the property
/// that the goal does not come.
fn from_there(
    model: &Model,
    start: &State,
    path: &Formula<ExpressionId>,
) -> Result<(Model, Property), Rejection> {
    let mut model = model.clone();
    let goal = match &path.kind {
        Says::Unary(_, goal) => goal,
        Says::Binary(_, through, goal) => {
            let through = expression(&mut model.expressions, through)?;
            model.transitions.push(through);
            goal
        }
        _ => return Err(Rejection::wrong("nothing is asked for")),
    };
    model.initial.clear();
    for (at, &value) in start.0.iter().enumerate() {
        if model.variables[at].kind == Kind::Input {
            continue;
        }
        let variable = VariableId(at);
        let read = Node::Variable {
            variable,
            next: false,
        };
        let read = model.expressions.add(read);
        let value = model.expressions.add(Node::Constant(value));
        let same = Node::Binary(Operator::Equal, read, value);
        let same = model.expressions.add(same);
        model.initial.push(same);
    }
    let property = Property {
        logic: Logic::Invariant,
        formula: !(**goal).clone(),
    };
    Ok((model, property))
}

/// A formula without temporal operators as an expression.
fn expression(
    expressions: &mut Expressions,
    formula: &Formula<ExpressionId>,
) -> Result<ExpressionId, Rejection> {
    let node = match &formula.kind {
        &Says::Atom(atom) => return Ok(atom),
        &Says::Constant(value) => Node::Constant(Value::Boolean(value)),
        Says::Unary(Unary::Not, operand) => Node::Not(expression(expressions, operand)?),
        Says::Binary(operator, left, right) => {
            let (mut left, right) = (
                expression(expressions, left)?,
                expression(expressions, right)?,
            );
            let operator = match operator {
                Binary::And => Operator::And,
                Binary::Or => Operator::Or,
                Binary::Xor => Operator::Xor,
                Binary::Implies => {
                    left = expressions.add(Node::Not(left));
                    Operator::Or
                }
                Binary::Iff => {
                    left = expressions.add(Node::Not(left));
                    Operator::Xor
                }
                _ => return Err(Rejection::wrong("a temporal operator is too deep")),
            };
            Node::Binary(operator, left, right)
        }
        _ => return Err(Rejection::wrong("a temporal operator is too deep")),
    };
    Ok(expressions.add(node))
}

/// What must be ruled out in the last state for a formula to be false; `None` if the run does not
/// show it even then.
type Needed<'f> = Option<Vec<&'f Formula<ExpressionId>>>;

struct Asked<'a, 'f> {
    /// The values in every state of the run, up to its last.
    values: &'a [Values],
    known: FxHashMap<(*const Formula<ExpressionId>, usize), Needed<'f>>,
    budget: &'a Budget,
}

impl<'f> Asked<'_, 'f> {
    fn violated(
        &mut self,
        formula: &'f Formula<ExpressionId>,
        at: usize,
    ) -> Result<Needed<'f>, Rejection> {
        let key = (std::ptr::from_ref(formula), at);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        self.budget.charge(1)?;
        let found = self.look(formula, at)?;
        self.known.insert(key, found.clone());
        Ok(found)
    }

    fn look(
        &mut self,
        formula: &'f Formula<ExpressionId>,
        at: usize,
    ) -> Result<Needed<'f>, Rejection> {
        if is_propositional(formula) {
            let is_false = truth(&self.values[at], formula) == Some(false);
            return Ok(is_false.then(Vec::new));
        }
        let last = self.values.len() - 1;
        match &formula.kind {
            Says::Binary(Binary::And, left, right) => match self.violated(left, at)? {
                Some(needed) => Ok(Some(needed)),
                None => self.violated(right, at),
            },
            Says::Binary(Binary::Or, left, right) => {
                let (Some(mut needed), Some(more)) =
                    (self.violated(left, at)?, self.violated(right, at)?)
                else {
                    return Ok(None);
                };
                needed.extend(more);
                Ok(Some(needed))
            }
            Says::Binary(Binary::Implies, left, right) => {
                let applies = is_propositional(left) && truth(&self.values[at], left) == Some(true);
                match applies {
                    true => self.violated(right, at),
                    false => Ok(None),
                }
            }
            Says::Unary(Unary::ForAll, path) => match &path.kind {
                Says::Unary(Unary::Globally(None), operand) => {
                    for place in at..=last {
                        if let Some(needed) = self.violated(operand, place)? {
                            return Ok(Some(needed));
                        }
                    }
                    Ok(None)
                }
                Says::Unary(Unary::Next, operand) if at < last => self.violated(operand, at + 1),
                _ => Ok(None),
            },
            Says::Unary(Unary::Exists, path) if at == last => {
                let asks = match &path.kind {
                    Says::Unary(Unary::Finally(None), goal) => is_propositional(goal),
                    Says::Binary(Binary::Until(None), through, goal) => {
                        is_propositional(through) && is_propositional(goal)
                    }
                    _ => false,
                };
                Ok(asks.then(|| vec![&**path]))
            }
            _ => Ok(None),
        }
    }
}
