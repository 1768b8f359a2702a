//! What a primitive process may do next, straight from its tree: no states are built, no names
//! are resolved beforehand. The second way against which the compiler is tested.

use std::collections::{BTreeMap, BTreeSet};

use quotient_fsp::syntax::{
    Alternative, BinaryOperator, Body, Domain, Expression, ExpressionKind, Label, LabelPart,
    LabelSet, Process, UnaryOperator,
};

type Environment = BTreeMap<String, i32>;

/// Where a process is.
#[derive(Clone)]
pub(crate) enum Place<'a> {
    Body(&'a Body, Environment),
    After(&'a Alternative, usize, Environment),
    Stop,
    End,
    Error,
}

/// A process with its local processes.
pub(crate) struct Interpreter<'a>(pub(crate) &'a Process);

impl<'a> Interpreter<'a> {
    pub(crate) fn start(&self) -> Place<'a> {
        self.go(&self.0.locals[0].body, Environment::new())
    }

    /// Decides conditions and follows references until there is a choice. References that
    /// never get to one are cut off.
    fn go(&self, mut body: &'a Body, mut environment: Environment) -> Place<'a> {
        for _ in 0..1000 {
            match body {
                Body::Choice(_) => return Place::Body(body, environment),
                Body::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    body = match (value(condition, &environment) != 0, otherwise) {
                        (true, _) => then,
                        (false, Some(otherwise)) => otherwise,
                        (false, None) => return Place::Stop,
                    }
                }
                Body::Reference { name, indices, .. } => match name.text.as_str() {
                    "STOP" => return Place::Stop,
                    "END" => return Place::End,
                    "ERROR" => return Place::Error,
                    name => {
                        let values: Vec<i32> = indices
                            .iter()
                            .map(|index| value(index, &environment))
                            .collect();
                        match self.local(name, &values) {
                            Some((found, bound)) => (body, environment) = (found, bound),
                            None => return Place::Error,
                        }
                    }
                },
            }
        }
        Place::Stop
    }

    fn local(&self, name: &str, values: &[i32]) -> Option<(&'a Body, Environment)> {
        let local = self.0.locals.iter().find(|local| local.name.text == name)?;
        if local.indices.len() != values.len() {
            return None;
        }
        let mut environment = Environment::new();
        for (index, &given) in local.indices.iter().zip(values) {
            let Domain::Range(low, high) = &index.domain else {
                return None;
            };
            if given < value(low, &environment) || given > value(high, &environment) {
                return None;
            }
            if let Some(variable) = &index.variable {
                environment.insert(variable.text.clone(), given);
            }
        }
        Some((&local.body, environment))
    }

    /// All steps from a place.
    pub(crate) fn steps(&self, place: &Place<'a>) -> Vec<(String, Place<'a>)> {
        let mut steps = Vec::new();
        match place {
            Place::Body(Body::Choice(alternatives), environment) => {
                for alternative in alternatives {
                    let possible = alternative
                        .guard
                        .as_ref()
                        .is_none_or(|guard| value(guard, environment) != 0);
                    if possible {
                        self.prefix(alternative, 0, environment, &mut steps);
                    }
                }
            }
            Place::After(alternative, position, environment) => {
                self.prefix(alternative, *position, environment, &mut steps);
            }
            _ => {}
        }
        steps
    }

    fn prefix(
        &self,
        alternative: &'a Alternative,
        position: usize,
        environment: &Environment,
        steps: &mut Vec<(String, Place<'a>)>,
    ) {
        for (label, bound) in labels(&alternative.actions[position], environment) {
            let next = match position + 1 == alternative.actions.len() {
                true => self.go(&alternative.next, bound),
                false => Place::After(alternative, position + 1, bound),
            };
            steps.push((label, next));
        }
    }

    /// What can be seen after each trace up to a length: the actions on offer, and whether the
    /// error state may have been reached.
    pub(crate) fn observations(
        &self,
        length: usize,
    ) -> BTreeMap<Vec<String>, (BTreeSet<String>, bool)> {
        let mut seen = BTreeMap::new();
        let mut frontier = vec![(Vec::new(), vec![self.start()])];
        while let Some((trace, places)) = frontier.pop() {
            let mut next: BTreeMap<String, Vec<Place<'a>>> = BTreeMap::new();
            for place in &places {
                for (label, target) in self.steps(place) {
                    next.entry(label).or_default().push(target);
                }
            }
            let error = places.iter().any(|place| matches!(place, Place::Error));
            if trace.len() < length {
                for (label, places) in &next {
                    let mut longer = trace.clone();
                    longer.push(label.clone());
                    frontier.push((longer, places.clone()));
                }
            }
            seen.insert(trace, (next.into_keys().collect(), error));
        }
        seen
    }
}

fn labels(label: &Label, environment: &Environment) -> Vec<(String, Environment)> {
    let mut partial = vec![(String::new(), environment.clone())];
    for part in &label.parts {
        let mut longer = Vec::new();
        for (text, bound) in partial {
            let dot = if text.is_empty() { "" } else { "." };
            match part {
                LabelPart::Name(name) => longer.push((format!("{text}{dot}{}", name.text), bound)),
                LabelPart::Set(LabelSet::Literal(set, _)) => {
                    for inner in set {
                        for (inner, _) in labels(inner, &bound) {
                            longer.push((format!("{text}{dot}{inner}"), bound.clone()));
                        }
                    }
                }
                LabelPart::Index(index) => {
                    let values: Vec<i32> = match &index.domain {
                        Domain::Value(expression) => vec![value(expression, &bound)],
                        Domain::Range(low, high) => {
                            (value(low, &bound)..=value(high, &bound)).collect()
                        }
                        _ => panic!("the generator makes no other indices"),
                    };
                    for number in values {
                        let mut bound = bound.clone();
                        if let Some(variable) = &index.variable {
                            bound.insert(variable.text.clone(), number);
                        }
                        longer.push((format!("{text}{dot}{number}"), bound));
                    }
                }
                _ => panic!("the generator makes no other labels"),
            }
        }
        partial = longer;
    }
    partial
}

fn value(expression: &Expression, environment: &Environment) -> i32 {
    match &expression.kind {
        ExpressionKind::Integer(value) => *value,
        ExpressionKind::Name(name) => environment[&name.text],
        ExpressionKind::Unary(operator, operand) => {
            let value = value(operand, environment);
            match operator {
                UnaryOperator::Plus => value,
                UnaryOperator::Minus => -value,
                UnaryOperator::Not => i32::from(value <= 0),
            }
        }
        ExpressionKind::Binary(operator, left, right) => {
            let (left, right) = (value(left, environment), value(right, environment));
            match operator {
                BinaryOperator::Or => i32::from(left != 0 || right != 0),
                BinaryOperator::And => i32::from(left != 0 && right != 0),
                BinaryOperator::BitAnd => left & right,
                BinaryOperator::Equal => i32::from(left == right),
                BinaryOperator::NotEqual => i32::from(left != right),
                BinaryOperator::Less => i32::from(left < right),
                BinaryOperator::LessOrEqual => i32::from(left <= right),
                BinaryOperator::Greater => i32::from(left > right),
                BinaryOperator::GreaterOrEqual => i32::from(left >= right),
                BinaryOperator::Add => left + right,
                BinaryOperator::Multiply => left * right,
                BinaryOperator::Remainder => left % right,
                _ => panic!("the generator makes no other operators"),
            }
        }
        _ => panic!("the generator makes no other expressions"),
    }
}
