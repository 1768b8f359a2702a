//! The plain meaning of a program on concrete states.
//!
//! Nothing here knows about bits or decision diagrams: it is the second opinion on what an
//! engine says. Expressions are worked out operands first, without recursion.

use rustc_hash::FxHashMap;

use crate::program::{
    Assignment, Element, Failure, Node, NodeId, Operator, Program, Value, VariableId, When, apply,
    resize,
};

/// A value for every variable of a program, by [`VariableId`]. The values of inputs are those
/// of the step that leaves the state.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(pub Vec<Value>);

impl State {
    /// The value of a variable.
    pub fn value(&self, variable: VariableId) -> Value {
        self.0[variable.index()]
    }
}

/// Why an expression has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Problem {
    /// A `case` without a branch that applies, or an index out of range.
    #[error("a case is not covered or an index is out of range")]
    Failure(Failure),
    /// Division by zero, an overflow or a negative shift, in this expression.
    #[error("division by zero, overflow or negative shift")]
    Arithmetic(NodeId),
    /// A set with more values than can be listed.
    #[error("a set is too large to be listed")]
    TooMany(NodeId),
}

/// Larger sets are not listed.
const MOST_VALUES: i64 = 1 << 20;

/// What an expression is worth: one value, or several to choose from.
type Values = Result<Vec<Value>, Problem>;

impl Program {
    /// The values of an expression: one, or several if it is a set. `next` is needed where
    /// the expression speaks about the state after the step.
    ///
    /// ```
    /// use quotient_core::Source;
    /// use quotient_smv::{File, State, Value};
    /// let source = Source::new("m", "MODULE main VAR x : 0..7; DEFINE twice := 2 * x;");
    /// let file = File::read(&source).unwrap();
    /// let (_, twice) = file.program().defines()[0];
    /// let state = State(vec![Value::Integer(3)]);
    /// assert_eq!(file.program().evaluate(twice, &state, None), Ok(vec![Value::Integer(6)]));
    /// ```
    pub fn evaluate(
        &self,
        root: NodeId,
        now: &State,
        next: Option<&State>,
    ) -> Result<Vec<Value>, Problem> {
        let mut values: FxHashMap<NodeId, Values> = FxHashMap::default();
        for id in self.nodes_below([root]) {
            let found = self.evaluate_node(id, &values, now, next);
            values.insert(id, found);
        }
        values.remove(&root).unwrap_or(Ok(Vec::new()))
    }

    /// Whether a Boolean expression is true; an expression without a value is not.
    pub fn is_true(&self, root: NodeId, now: &State, next: Option<&State>) -> bool {
        self.evaluate(root, now, next) == Ok(vec![Value::Boolean(true)])
    }

    /// Whether all variables have values of their domains and all invariants hold.
    pub fn is_legal(&self, state: &State) -> bool {
        let in_domain = |variable: VariableId| {
            let domain = &self.variable(variable).domain;
            domain.contains(state.value(variable))
        };
        state.0.len() == self.variables().len()
            && self.variable_ids().all(in_domain)
            && self
                .invariants()
                .iter()
                .all(|&id| self.is_true(id, state, None))
            && self.obeys(When::Always, state, None)
    }

    /// Whether a state is legal and one that the model starts in.
    pub fn is_initial(&self, state: &State) -> bool {
        self.is_legal(state)
            && self.init().iter().all(|&id| self.is_true(id, state, None))
            && self.obeys(When::Initially, state, None)
    }

    /// Whether the model can step from a legal state, with the inputs in it, to another.
    pub fn is_step(&self, from: &State, to: &State) -> bool {
        let keeps = |variable: VariableId| {
            let frozen = self.variable(variable).kind == crate::Kind::Frozen;
            !frozen || from.value(variable) == to.value(variable)
        };
        let transitions = self.transitions();
        self.is_legal(to)
            && self.variable_ids().all(keeps)
            && transitions
                .iter()
                .all(|&id| self.is_true(id, from, Some(to)))
            && self.obeys(When::Next, from, Some(to))
    }

    /// Whether all assignments of one kind are met.
    fn obeys(&self, when: When, now: &State, next: Option<&State>) -> bool {
        let met = |assignment: &Assignment| {
            let target = next.unwrap_or(now).value(assignment.variable);
            let allowed = self.evaluate(assignment.value, now, next);
            allowed.is_ok_and(|allowed| allowed.contains(&target))
        };
        let mut assignments = self.assignments().iter();
        assignments.all(|assignment| assignment.when != when || met(assignment))
    }

    // Long because it has an arm for each operator.
    fn evaluate_node(
        &self,
        id: NodeId,
        values: &FxHashMap<NodeId, Values>,
        now: &State,
        next: Option<&State>,
    ) -> Values {
        let one = |id: NodeId| -> Result<Value, Problem> {
            match values[&id].as_deref() {
                Ok(&[value]) => Ok(value),
                Ok(_) => Err(Problem::Arithmetic(id)),
                Err(&problem) => Err(problem),
            }
        };
        let wrong = Problem::Arithmetic(id);
        match self.node(id) {
            Node::Constant(value) => Ok(vec![value]),
            Node::Variable {
                variable,
                next: false,
            } => Ok(vec![now.value(variable)]),
            Node::Variable {
                variable,
                next: true,
            } => match next {
                Some(next) => Ok(vec![next.value(variable)]),
                None => Err(wrong),
            },
            Node::Not(operand) => match one(operand)? {
                Value::Boolean(value) => Ok(vec![Value::Boolean(!value)]),
                Value::Word {
                    signed,
                    width,
                    bits,
                } => Ok(vec![Value::word(signed, width, !bits)]),
                _ => Err(wrong),
            },
            Node::Negate(operand) => match one(operand)? {
                Value::Integer(number) => {
                    let negated = number.checked_neg().ok_or(wrong)?;
                    Ok(vec![Value::Integer(negated)])
                }
                Value::Word {
                    signed,
                    width,
                    bits,
                } => Ok(vec![Value::word(signed, width, bits.negated())]),
                _ => Err(wrong),
            },
            Node::Binary(Operator::Union, left, right) => {
                let mut union = values[&left].clone()?;
                union.extend(values[&right].clone()?);
                union.sort_unstable();
                union.dedup();
                Ok(union)
            }
            Node::Binary(Operator::In, left, right) => {
                let (left, right) = (values[&left].clone()?, values[&right].clone()?);
                let all = left.iter().all(|value| right.contains(value));
                Ok(vec![Value::Boolean(all)])
            }
            Node::Binary(operator, left, right) => {
                let (left, right) = (one(left), one(right));
                // An operand that decides alone hides the other's problem.
                let decides = match operator {
                    Operator::And => Some(Value::Boolean(false)),
                    Operator::Or => Some(Value::Boolean(true)),
                    _ => None,
                };
                if let Some(value) = decides
                    && (left == Ok(value) || right == Ok(value))
                {
                    return Ok(vec![value]);
                }
                apply(operator, left?, right?)
                    .map(|value| vec![value])
                    .ok_or(wrong)
            }
            Node::Choose(test, then, other) => match one(test)? {
                Value::Boolean(true) => values[&then].clone(),
                _ => values[&other].clone(),
            },
            Node::Range(low, high) if high.saturating_sub(low) < MOST_VALUES => {
                Ok((low..=high).map(Value::Integer).collect())
            }
            Node::Range(..) => Err(Problem::TooMany(id)),
            Node::Bits { operand, high, low } => match one(operand)? {
                Value::Word { bits, .. } => {
                    Ok(vec![Value::word(false, high - low + 1, bits >> low)])
                }
                _ => Err(wrong),
            },
            Node::After(operand) => match next {
                Some(_) => values[&operand].clone(),
                None => Err(wrong),
            },
            Node::ToInteger(operand) => {
                let number = one(operand)?.number().and_then(|n| i64::try_from(n).ok());
                number
                    .map(|number| vec![Value::Integer(number)])
                    .ok_or(wrong)
            }
            Node::Resize(operand) => {
                let Element::Word { signed, width } = self.type_of(id).element else {
                    return Err(wrong);
                };
                let resized = resize(one(operand)?, signed, width);
                resized.map(|value| vec![value]).ok_or(wrong)
            }
            Node::Failure(failure) => Err(Problem::Failure(failure)),
        }
    }
}
