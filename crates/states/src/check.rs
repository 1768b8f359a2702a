//! Whether a model makes sense.

use quotient_logic::{Formula, Kind as Says};

use crate::{
    Domain, ExpressionId, Kind, Model, Node, Operator, Property, Type, Value, VariableId, WIDEST,
};

/// Why a model makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Two variables have the same name.
    #[error("two variables are called `{0}`")]
    SameName(String),
    /// A domain is empty, lists a value twice, or is too wide.
    #[error("the domain of `{0}` makes no sense")]
    Domain(String),
    /// An operand comes after what it is part of, or a variable or symbol is not there.
    #[error("expression {0} refers to something that is not there")]
    Missing(usize),
    /// The operands do not fit.
    #[error("the operands of expression {0} do not fit")]
    Operands(usize),
    /// A constraint is no Boolean expression.
    #[error("expression {0} is used as a condition but is none")]
    NoCondition(usize),
    /// A constraint on states speaks about a step.
    #[error("expression {0} is about a state but speaks about a step")]
    Step(usize),
}

impl Model {
    /// Checks names, domains, operands and types; gives the type of every expression.
    pub fn check(&self) -> Result<Vec<Type>, Fault> {
        let mut names: Vec<&str> = self.variables.iter().map(|one| one.name.as_str()).collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Fault::SameName(pair[0].to_owned()));
        }
        for variable in &self.variables {
            if !self.is_sound(&variable.domain) {
                return Err(Fault::Domain(variable.name.clone()));
            }
        }
        let mut types = Vec::new();
        for (at, &node) in self.expressions.nodes().iter().enumerate() {
            let mut ordered = true;
            node.operands(|operand| ordered &= operand.0 < at);
            if !ordered || !self.is_there(node) {
                return Err(Fault::Missing(at));
            }
            types.push(self.type_of(node, &types).ok_or(Fault::Operands(at))?);
        }
        let pairs = self
            .compassion
            .iter()
            .flat_map(|&(when, then)| [when, then]);
        let steps = self.transitions.iter().chain(&self.justice).copied();
        for id in steps.chain(pairs) {
            condition(&types, id)?;
        }
        let about_steps = self.about_steps();
        for &id in self.initial.iter().chain(&self.invariants) {
            condition(&types, id)?;
            if about_steps[id.0] {
                return Err(Fault::Step(id.0));
            }
        }
        Ok(types)
    }

    /// Checks that the atoms of a property are conditions of this model, about states alone if
    /// it is branching.
    pub fn check_property(&self, property: &Property, types: &[Type]) -> Result<(), Fault> {
        let about_steps = self.about_steps();
        let mut open: Vec<&Formula<ExpressionId>> = vec![&property.formula];
        while let Some(formula) = open.pop() {
            match &formula.kind {
                Says::Constant(_) | Says::Placeholder(_) => {}
                Says::Atom(atom) => {
                    condition(types, *atom)?;
                    if property.logic == crate::Logic::Ctl && about_steps[atom.0] {
                        return Err(Fault::Step(atom.0));
                    }
                }
                Says::Unary(_, operand) => open.push(operand),
                Says::Binary(_, left, right) => open.extend([&**left, &**right]),
            }
        }
        Ok(())
    }

    /// For every expression whether it speaks about inputs or about the state after a step.
    pub fn about_steps(&self) -> Vec<bool> {
        let mut about: Vec<bool> = Vec::new();
        for &node in self.expressions.nodes() {
            let mut step = match node {
                Node::Variable {
                    variable: VariableId(variable),
                    next,
                } => next || self.variables[variable].kind == Kind::Input,
                Node::After(_) => true,
                _ => false,
            };
            node.operands(|operand| step |= about[operand.0]);
            about.push(step);
        }
        about
    }

    fn is_sound(&self, domain: &Domain) -> bool {
        match domain {
            Domain::Boolean => true,
            Domain::Range(low, high) => low <= high,
            Domain::Word { width, .. } => (1..=WIDEST).contains(width),
            Domain::Enumeration(values) => {
                let mut sorted = values.clone();
                sorted.sort_unstable();
                !values.is_empty()
                    && values.iter().all(|&value| self.is_value(value))
                    && values.iter().all(|value| value.type_of() == Type::Scalar)
                    && sorted.windows(2).all(|pair| pair[0] != pair[1])
            }
        }
    }

    fn is_value(&self, value: Value) -> bool {
        match value {
            Value::Boolean(_) | Value::Integer(_) => true,
            Value::Symbol(symbol) => symbol.0 < self.symbols.len(),
            Value::Word {
                signed,
                width,
                bits,
            } => (1..=WIDEST).contains(&width) && value == Value::word(signed, width, bits),
        }
    }

    fn is_there(&self, node: Node) -> bool {
        match node {
            Node::Constant(value) => self.is_value(value),
            Node::Variable { variable, next } => {
                let known = self.variables.get(variable.0);
                known.is_some_and(|known| !next || known.kind != Kind::Input)
            }
            _ => true,
        }
    }

    /// The type of an expression from those of its operands.
    fn type_of(&self, node: Node, types: &[Type]) -> Option<Type> {
        let of = |id: ExpressionId| types[id.0];
        let is_word = |of: Type| matches!(of, Type::Word { .. });
        let width = |of: Type| match of {
            Type::Word { width, .. } => Some(width),
            _ => None,
        };
        let word = |signed: bool, width: u32| {
            (1..=WIDEST)
                .contains(&width)
                .then_some(Type::Word { signed, width })
        };
        match node {
            Node::Constant(value) => Some(value.type_of()),
            Node::Variable { variable, .. } => Some(self.variables[variable.0].domain.type_of()),
            Node::Undefined(Type::Word { signed, width }) => word(signed, width),
            Node::Undefined(of) => Some(of),
            Node::Not(operand) => Some(of(operand)).filter(|&of| of != Type::Scalar),
            Node::Negate(operand) => Some(of(operand)).filter(|&of| of != Type::Boolean),
            Node::Choose(test, then, other) => {
                let fits = of(test) == Type::Boolean && of(then) == of(other);
                fits.then(|| of(then))
            }
            Node::Bits { operand, high, low } => {
                let fits = low <= high && high < width(of(operand))?;
                fits.then(|| word(false, high - low + 1))?
            }
            Node::After(operand) => Some(of(operand)),
            Node::IsInteger(operand) => (of(operand) == Type::Scalar).then_some(Type::Boolean),
            Node::ToInteger(operand) => is_word(of(operand)).then_some(Type::Scalar),
            Node::ToWord {
                operand,
                signed,
                width,
            } => is_word(of(operand)).then(|| word(signed, width))?,
            Node::Binary(operator, left, right) => {
                let (left, right) = (of(left), of(right));
                let same = left == right;
                match operator {
                    Operator::And | Operator::Or | Operator::Xor => {
                        (same && left != Type::Scalar).then_some(left)
                    }
                    Operator::Equal => same.then_some(Type::Boolean),
                    Operator::Less => (same && left != Type::Boolean).then_some(Type::Boolean),
                    Operator::Plus
                    | Operator::Minus
                    | Operator::Times
                    | Operator::Divide
                    | Operator::Modulo => (same && left != Type::Boolean).then_some(left),
                    Operator::Concatenate => word(false, width(left)?.checked_add(width(right)?)?),
                    Operator::ShiftLeft
                    | Operator::ShiftRight
                    | Operator::RotateLeft
                    | Operator::RotateRight => {
                        (is_word(left) && right != Type::Boolean).then_some(left)
                    }
                }
            }
        }
    }
}

fn condition(types: &[Type], id: ExpressionId) -> Result<(), Fault> {
    match types.get(id.0) {
        None => Err(Fault::Missing(id.0)),
        Some(Type::Boolean) => Ok(()),
        Some(_) => Err(Fault::NoCondition(id.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_no_sense_is_told() {
        let mut model = Model::default();
        model.add_variable("x", Kind::State, Domain::Range(0, 3));
        model.add_variable("i", Kind::Input, Domain::Boolean);
        assert_eq!(model.check(), Ok(vec![]));
        let changed = |change: &dyn Fn(&mut Model)| {
            let mut model = model.clone();
            change(&mut model);
            model.check()
        };
        let same = changed(&|model| {
            model.add_variable("x", Kind::State, Domain::Boolean);
        });
        assert_eq!(same, Err(Fault::SameName("x".to_owned())));
        for domain in [
            Domain::Range(1, 0),
            Domain::Enumeration(vec![]),
            Domain::Enumeration(vec![Value::Integer(1), Value::Integer(1)]),
            Domain::Word {
                signed: false,
                width: WIDEST + 1,
            },
        ] {
            let wrong = changed(&|model| {
                model.add_variable("y", Kind::State, domain.clone());
            });
            assert_eq!(wrong, Err(Fault::Domain("y".to_owned())));
        }
        let [x, i] = [0, 1].map(|at| Node::Variable {
            variable: VariableId(at),
            next: false,
        });
        let late = changed(&|model| {
            model.expressions.add(Node::Not(ExpressionId(0)));
        });
        assert_eq!(late, Err(Fault::Missing(0)));
        let numbers = changed(&|model| {
            let x = model.expressions.add(x);
            model.expressions.add(Node::Not(x));
        });
        assert_eq!(numbers, Err(Fault::Operands(1)));
        let number = changed(&|model| {
            let x = model.expressions.add(x);
            model.transitions.push(x);
        });
        assert_eq!(number, Err(Fault::NoCondition(0)));
        let input = changed(&|model| {
            let input = model.expressions.add(i);
            model.invariants.push(input);
        });
        assert_eq!(input, Err(Fault::Step(0)));
        let next_input = changed(&|model| {
            model.expressions.add(Node::Variable {
                variable: VariableId(1),
                next: true,
            });
        });
        assert_eq!(next_input, Err(Fault::Missing(0)));
    }
}
