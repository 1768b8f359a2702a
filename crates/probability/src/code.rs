//! Expressions as code for a small stack machine.

use crate::number::Number;
use crate::{Expression, Function, Operator};

/// An expression, made ready to be evaluated many times.
#[derive(Debug, Clone)]
pub(crate) struct Code {
    steps: Vec<Step>,
    /// Where all of it is comparisons that have to hold, these: most guards, for which no stack is
    /// needed.
    all: Box<[Test]>,
}

/// A variable compared with a number.
#[derive(Debug, Clone, Copy)]
struct Test {
    relation: Relation,
    variable: u32,
    number: f64,
}

#[derive(Debug, Clone, Copy)]
enum Relation {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Test {
    #[inline]
    fn holds(&self, variables: &[f64]) -> bool {
        let value = variables[self.variable as usize];
        match self.relation {
            Relation::Equal => value == self.number,
            Relation::Unequal => value != self.number,
            Relation::Less => value < self.number,
            Relation::AtMost => value <= self.number,
            Relation::Greater => value > self.number,
            Relation::AtLeast => value >= self.number,
        }
    }

    /// The comparison that an expression is, if it is one.
    fn new(expression: &Expression) -> Option<Test> {
        if let Expression::Not(part) = expression {
            let test = Test::new(part)?;
            let relation = match test.relation {
                Relation::Equal => Relation::Unequal,
                Relation::Unequal => Relation::Equal,
                Relation::Less => Relation::AtLeast,
                Relation::AtMost => Relation::Greater,
                Relation::Greater => Relation::AtMost,
                Relation::AtLeast => Relation::Less,
            };
            return Some(Test { relation, ..test });
        }
        let Expression::Two(operator, left, right) = expression else {
            return None;
        };
        let (variable, number, turned) = match (&**left, &**right) {
            (Expression::Variable(variable), Expression::Number(number, _)) => {
                (*variable, *number, false)
            }
            (Expression::Number(number, _), Expression::Variable(variable)) => {
                (*variable, *number, true)
            }
            _ => return None,
        };
        let relation = match (operator, turned) {
            (Operator::Equal, _) => Relation::Equal,
            (Operator::Unequal, _) => Relation::Unequal,
            (Operator::Less, false) => Relation::Less,
            (Operator::Less, true) => Relation::Greater,
            (Operator::AtMost, false) => Relation::AtMost,
            (Operator::AtMost, true) => Relation::AtLeast,
            _ => return None,
        };
        // Something that is no number compares with nothing.
        number.is_finite().then_some(Test {
            relation,
            variable: variable as u32,
            number,
        })
    }
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Number {
        value: f64,
        lower: f64,
        upper: f64,
    },
    Variable(u32),
    /// A variable compared with a number: most of what guards do.
    Compare(Test),
    Two(Operator),
    Call(Function),
    Not,
    Negative,
    /// Over so many steps if the top is false, which is taken away.
    Unless(u32),
    /// Over so many steps.
    Skip(u32),
    /// Over so many steps if the top is false, which stays; else it is taken away.
    And(u32),
    /// Over so many steps if the top is true, which stays; else it is taken away.
    Or(u32),
}

impl Code {
    pub(crate) fn new(expression: &Expression) -> Code {
        let mut steps = Vec::new();
        write(expression, &mut steps);
        let all = expression.conjuncts().into_iter().map(Test::new);
        Code {
            steps,
            all: all.collect::<Option<_>>().unwrap_or_default(),
        }
    }

    /// The number, if it is always the same.
    pub(crate) fn constant<N: Number>(&self) -> Option<N> {
        match self.steps[..] {
            [
                Step::Number {
                    value,
                    lower,
                    upper,
                },
            ] => Some(N::of(value, lower, upper)),
            _ => None,
        }
    }

    /// The value for these values of the variables; no number (NaN) if there is none, whatever the
    /// rest of the expression would make of it.
    #[inline]
    pub(crate) fn run<N: Number>(&self, variables: &[f64], stack: &mut Vec<N>) -> N {
        if !self.all.is_empty() {
            return N::truth(self.all.iter().all(|test| test.holds(variables)));
        }
        match self.steps[..] {
            [
                Step::Number {
                    value,
                    lower,
                    upper,
                },
            ] => return N::of(value, lower, upper),
            [Step::Variable(variable)] => {
                let value = variables[variable as usize];
                return N::of(value, value, value);
            }
            _ => {}
        }
        stack.clear();
        let mut at = 0;
        while let Some(step) = self.steps.get(at) {
            at += 1;
            match *step {
                Step::Number {
                    value,
                    lower,
                    upper,
                } => stack.push(N::of(value, lower, upper)),
                Step::Variable(variable) => {
                    let value = variables[variable as usize];
                    stack.push(N::of(value, value, value));
                }
                Step::Compare(test) => stack.push(N::truth(test.holds(variables))),
                Step::Two(operator) => {
                    let right = pop(stack);
                    let left = pop(stack);
                    let value = N::two(operator, left, right);
                    if !value.value().is_finite() {
                        return N::NONE;
                    }
                    stack.push(value);
                }
                Step::Call(function) => {
                    let of = pop(stack);
                    let value = N::call(function, of);
                    if !value.value().is_finite() {
                        return N::NONE;
                    }
                    stack.push(value);
                }
                Step::Not => {
                    let of = pop(stack);
                    stack.push(N::truth(!of.holds()));
                }
                Step::Negative => {
                    let of = pop(stack);
                    stack.push(of.negative());
                }
                Step::Unless(over) => {
                    if !pop(stack).holds() {
                        at += over as usize;
                    }
                }
                Step::Skip(over) => at += over as usize,
                Step::And(over) => match stack.last() {
                    Some(top) if !top.holds() => at += over as usize,
                    _ => drop(stack.pop()),
                },
                Step::Or(over) => match stack.last() {
                    Some(top) if top.holds() => at += over as usize,
                    _ => drop(stack.pop()),
                },
            }
        }
        pop(stack)
    }
}

/// The code never takes away more than it put there.
#[inline]
fn pop<N: Number>(stack: &mut Vec<N>) -> N {
    stack.pop().unwrap_or_else(|| N::truth(false))
}

fn write(expression: &Expression, steps: &mut Vec<Step>) {
    match expression {
        Expression::Number(value, exact) => steps.push(Step::Number {
            value: *value,
            lower: exact.as_deref().map_or(*value, quotient_markov::below),
            upper: exact.as_deref().map_or(*value, quotient_markov::above),
        }),
        Expression::Variable(variable) => steps.push(Step::Variable(*variable as u32)),
        Expression::Not(part) => match Test::new(expression) {
            Some(test) => steps.push(Step::Compare(test)),
            None => {
                write(part, steps);
                steps.push(Step::Not);
            }
        },
        Expression::Negative(part) => {
            write(part, steps);
            steps.push(Step::Negative);
        }
        Expression::Call(function, part) => {
            write(part, steps);
            steps.push(Step::Call(*function));
        }
        Expression::Two(operator @ (Operator::And | Operator::Or), left, right) => {
            write(left, steps);
            let at = steps.len();
            steps.push(Step::Skip(0));
            write(right, steps);
            let over = (steps.len() - at - 1) as u32;
            steps[at] = match operator {
                Operator::And => Step::And(over),
                _ => Step::Or(over),
            };
        }
        Expression::Two(operator, left, right) => {
            if let Some(test) = Test::new(expression) {
                steps.push(Step::Compare(test));
                return;
            }
            write(left, steps);
            write(right, steps);
            steps.push(Step::Two(*operator));
        }
        Expression::If(condition, one, other) => {
            write(condition, steps);
            let first = steps.len();
            steps.push(Step::Skip(0));
            write(one, steps);
            let second = steps.len();
            steps.push(Step::Skip(0));
            write(other, steps);
            steps[first] = Step::Unless((second - first) as u32);
            steps[second] = Step::Skip((steps.len() - second - 1) as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Enclosure;
    use proptest::prelude::*;
    use quotient_markov::{Rational, exactly};

    /// Evaluates an expression by walking over it, with exact numbers.
    fn walk(expression: &Expression, variables: &[f64]) -> Option<(f64, Rational)> {
        Some(match expression {
            Expression::Number(value, exact) => (*value, exact.as_deref()?.clone()),
            Expression::Variable(variable) => {
                (variables[*variable], exactly(variables[*variable])?)
            }
            Expression::If(condition, one, other) => match walk(condition, variables)?.0 != 0.0 {
                true => walk(one, variables)?,
                false => walk(other, variables)?,
            },
            Expression::Two(operator, left, right) => {
                let ((a, left), (b, right)) = (walk(left, variables)?, walk(right, variables)?);
                if *operator == Operator::Divide && b == 0.0 {
                    return None;
                }
                let value = crate::number::combine(*operator, a, b);
                let exact = match operator {
                    Operator::Plus => left + right,
                    Operator::Minus => left - right,
                    Operator::Times => left * right,
                    Operator::Divide => left / right,
                    _ => exactly(value)?,
                };
                (value, exact)
            }
            Expression::Not(part) => {
                let value = f64::from(walk(part, variables)?.0 == 0.0);
                (value, exactly(value)?)
            }
            _ => return None,
        })
    }

    fn expressions() -> impl Strategy<Value = Expression> {
        let leaf = prop_oneof![
            (0usize..3).prop_map(Expression::Variable),
            (-20i64..20).prop_map(Expression::whole),
            (1i64..20).prop_map(|number| {
                let exact = Rational::new(1, number);
                Expression::Number(quotient_markov::nearest(&exact), Some(Box::new(exact)))
            }),
        ];
        leaf.prop_recursive(4, 24, 3, |inner| {
            use Operator::{AtMost, Divide, Equal, Less, Minus, Plus, Times};
            let operator =
                prop::sample::select(vec![Plus, Minus, Times, Divide, Less, AtMost, Equal]);
            prop_oneof![
                (operator, inner.clone(), inner.clone())
                    .prop_map(|(operator, left, right)| Expression::two(operator, left, right)),
                inner
                    .clone()
                    .prop_map(|part| Expression::Not(Box::new(part))),
                (inner.clone(), inner.clone(), inner).prop_map(|(a, b, c)| Expression::If(
                    Box::new(a),
                    Box::new(b),
                    Box::new(c)
                )),
            ]
        })
    }

    /// Comparisons of variables with numbers, in either order, all of which have to hold.
    fn guards() -> impl Strategy<Value = Expression> {
        use Operator::{AtMost, Equal, Less, Unequal};
        let operator = prop::sample::select(vec![AtMost, Equal, Less, Unequal]);
        let one = (operator, 0usize..3, -5i64..5, any::<bool>(), any::<bool>());
        let one = one.prop_map(|(operator, variable, number, turned, negated)| {
            let (variable, number) = (Expression::Variable(variable), Expression::whole(number));
            let test = match turned {
                true => Expression::two(operator, number, variable),
                false => Expression::two(operator, variable, number),
            };
            match negated {
                true => Expression::Not(Box::new(test)),
                false => test,
            }
        });
        let all = prop::collection::vec(one, 1..5);
        all.prop_map(|all| {
            let both = |left, right| Expression::two(Operator::And, left, right);
            all.into_iter().reduce(both).expect("at least one")
        })
    }

    proptest! {
        #[test]
        fn guards_hold_where_all_comparisons_do(
            guard in guards(),
            variables in prop::collection::vec(-5i8..5, 3),
        ) {
            let variables: Vec<f64> = variables.into_iter().map(f64::from).collect();
            let code = Code::new(&guard);
            prop_assert!(!code.all.is_empty());
            let mut each = guard.conjuncts().into_iter();
            let expected = each.all(|one| walk(one, &variables).is_some_and(|one| one.0 != 0.0));
            prop_assert_eq!(code.run::<f64>(&variables, &mut Vec::new()) != 0.0, expected);
            let stacked = Code { all: Box::default(), ..code };
            prop_assert_eq!(stacked.run::<f64>(&variables, &mut Vec::new()) != 0.0, expected);
        }

        #[test]
        fn code_computes_what_the_expression_says(
            expression in expressions(),
            variables in prop::collection::vec(-5i8..5, 3),
        ) {
            let variables: Vec<f64> = variables.into_iter().map(f64::from).collect();
            let code = Code::new(&expression);
            let found = code.run::<f64>(&variables, &mut Vec::new());
            let walked = walk(&expression, &variables);
            prop_assert_eq!(walked.is_none(), found.is_nan());
            if let Some((value, exact)) = walked {
                prop_assert_eq!(found, value);
                let enclosed = code.run::<Enclosure>(&variables, &mut Vec::new());
                prop_assert_eq!(enclosed.value, value);
                if let (Some(low), Some(high)) = (exactly(enclosed.lower), exactly(enclosed.upper)) {
                    prop_assert!(low <= exact && exact <= high, "{:?} {}", enclosed, exact);
                }
            }
        }
    }
}
