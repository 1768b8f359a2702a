//! What a model means on whole states.

use crate::{ExpressionId, Kind, Model, Node, Operator, Type, Value, VariableId, apply};

/// A value for every variable, by [`VariableId`]; inputs are those of the step that leaves it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(pub Vec<Value>);

/// The values of all expressions of a model in a state or step, by [`ExpressionId`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Values(Vec<Option<Value>>);

impl Values {
    /// The value of an expression, if it has one.
    pub fn of(&self, id: ExpressionId) -> Option<Value> {
        self.0[id.0]
    }

    /// The value of a condition, if it has one.
    pub fn truth(&self, id: ExpressionId) -> Option<bool> {
        match self.of(id) {
            Some(Value::Boolean(value)) => Some(value),
            _ => None,
        }
    }

    /// Whether all conditions are true.
    pub fn all(&self, conditions: &[ExpressionId]) -> bool {
        let mut conditions = conditions.iter();
        conditions.all(|&condition| self.truth(condition) == Some(true))
    }
}

impl Model {
    /// The values of all expressions, operands first; without `next` what speaks about it has
    /// no value. The state has a value for every variable.
    pub fn values(&self, now: &State, next: Option<&State>) -> Values {
        let mut values: Vec<Option<Value>> = Vec::with_capacity(self.expressions.nodes().len());
        for &node in self.expressions.nodes() {
            values.push(evaluate(node, &values, now, next));
        }
        Values(values)
    }

    /// Whether every variable has a value of its domain.
    pub fn is_state(&self, state: &State) -> bool {
        let mut pairs = self.variables.iter().zip(&state.0);
        state.0.len() == self.variables.len()
            && pairs.all(|(variable, &value)| variable.domain.contains(value))
    }

    /// Whether it is a state in which all invariants are true.
    pub fn is_legal(&self, state: &State) -> bool {
        self.is_state(state) && self.values(state, None).all(&self.invariants)
    }

    /// Whether a state is legal and one that the model starts in.
    pub fn is_initial(&self, state: &State) -> bool {
        self.is_legal(state) && self.values(state, None).all(&self.initial)
    }

    /// Whether the model can step from a legal state, with the inputs in it, to another.
    pub fn is_step(&self, from: &State, to: &State) -> bool {
        self.is_legal(to)
            && self.keeps_frozen(from, to)
            && self.values(from, Some(to)).all(&self.transitions)
    }

    /// Whether frozen variables have the same values.
    pub fn keeps_frozen(&self, from: &State, to: &State) -> bool {
        let mut all = self.variables.iter().zip(from.0.iter().zip(&to.0));
        all.all(|(variable, (before, after))| variable.kind != Kind::Frozen || before == after)
    }
}

fn evaluate(
    node: Node,
    values: &[Option<Value>],
    now: &State,
    next: Option<&State>,
) -> Option<Value> {
    let of = |id: ExpressionId| values[id.0];
    match node {
        Node::Constant(value) => Some(value),
        Node::Variable {
            variable: VariableId(variable),
            next: false,
        } => now.0.get(variable).copied(),
        Node::Variable {
            variable: VariableId(variable),
            next: true,
        } => next?.0.get(variable).copied(),
        Node::Not(operand) => match of(operand)? {
            Value::Boolean(value) => Some(Value::Boolean(!value)),
            Value::Word {
                signed,
                width,
                bits,
            } => Some(Value::word(signed, width, !bits)),
            _ => None,
        },
        Node::Negate(operand) => match of(operand)? {
            Value::Integer(number) => number.checked_neg().map(Value::Integer),
            Value::Word {
                signed,
                width,
                bits,
            } => Some(Value::word(signed, width, bits.negated())),
            _ => None,
        },
        Node::Binary(operator, left, right) => {
            let (left, right) = (of(left), of(right));
            let decides = match operator {
                Operator::And => Some(Value::Boolean(false)),
                Operator::Or => Some(Value::Boolean(true)),
                _ => None,
            };
            match decides.is_some() && (left == decides || right == decides) {
                true => decides,
                false => apply(operator, left?, right?),
            }
        }
        Node::Choose(test, then, other) => match of(test)? {
            Value::Boolean(true) => of(then),
            Value::Boolean(false) => of(other),
            _ => None,
        },
        Node::Bits { operand, high, low } => match of(operand)? {
            Value::Word { bits, .. } => {
                let width = high.checked_sub(low)?.checked_add(1)?;
                Some(Value::word(false, width, bits >> low))
            }
            _ => None,
        },
        Node::After(operand) => {
            next?;
            of(operand)
        }
        Node::IsInteger(operand) => {
            let is_integer = matches!(of(operand)?, Value::Integer(_));
            Some(Value::Boolean(is_integer))
        }
        Node::ToInteger(operand) => {
            let number = of(operand)?.number()?;
            i64::try_from(number).ok().map(Value::Integer)
        }
        Node::ToWord {
            operand,
            signed,
            width,
        } => match of(operand)? {
            // The lowest bits of the number, which has its sign for ever.
            Value::Word {
                signed: true,
                width: from,
                bits,
            } => Some(Value::word(signed, width, bits.widened(from))),
            Value::Word { bits, .. } => Some(Value::word(signed, width, bits)),
            _ => None,
        },
        Node::Undefined(Type::Boolean | Type::Scalar | Type::Word { .. }) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Domain;

    #[test]
    fn a_false_operand_decides_and_what_is_not_chosen_needs_no_value() {
        let mut model = Model::default();
        let mut add = |node| model.expressions.add(node);
        let undefined = add(Node::Undefined(Type::Boolean));
        let [no, yes] = [false, true].map(|value| add(Node::Constant(Value::Boolean(value))));
        let both = add(Node::Binary(Operator::And, undefined, no));
        let neither = add(Node::Binary(Operator::And, undefined, yes));
        let either = add(Node::Binary(Operator::Or, yes, undefined));
        let one = add(Node::Binary(Operator::Xor, yes, undefined));
        let chosen = add(Node::Choose(yes, no, undefined));
        let unclear = add(Node::Choose(undefined, no, no));
        let values = model.values(&State(vec![]), None);
        let truth = |id| values.truth(id);
        assert_eq!(truth(both), Some(false));
        assert_eq!(truth(neither), None);
        assert_eq!(truth(either), Some(true));
        assert_eq!(truth(one), None);
        assert_eq!(truth(chosen), Some(false));
        assert_eq!(truth(unclear), None);
    }

    #[test]
    fn states_are_whole_and_inside_their_domains() {
        let mut model = Model::default();
        model.add_variable("x", Kind::State, Domain::Range(0, 3));
        model.add_variable("f", Kind::Frozen, Domain::Boolean);
        let state = |x, f| State(vec![Value::Integer(x), Value::Boolean(f)]);
        assert!(model.is_initial(&state(3, true)));
        assert!(!model.is_initial(&state(4, true)));
        assert!(!model.is_initial(&State(vec![Value::Integer(0)])));
        assert!(model.is_step(&state(0, true), &state(2, true)));
        assert!(!model.is_step(&state(0, true), &state(2, false)));
    }
}
