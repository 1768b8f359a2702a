//! Code beside walking over expressions.

use super::*;
use crate::Variable;
use crate::number::Enclosure;
use proptest::prelude::*;
use quotient_markov::{Rational, exactly};

/// Evaluates an expression by walking over it, with exact numbers.
fn walk(expression: &Expression, variables: &[f64]) -> Option<(f64, Rational)> {
    Some(match expression {
        Expression::Number(value, exact) => (*value, exact.as_deref()?.clone()),
        Expression::Variable(variable) => (variables[*variable], exactly(variables[*variable])?),
        Expression::If(condition, one, other) => match walk(condition, variables)?.0 != 0.0 {
            true => walk(one, variables)?,
            false => walk(other, variables)?,
        },
        Expression::Two(operator @ (Operator::And | Operator::Or), left, right) => {
            let left = walk(left, variables)?;
            match (left.0 != 0.0) == (*operator == Operator::And) {
                true => walk(right, variables)?,
                false => left,
            }
        }
        Expression::Two(operator, left, right) => {
            let ((a, left), (b, right)) = (walk(left, variables)?, walk(right, variables)?);
            let value = crate::number::combine(*operator, a, b);
            if !value.is_finite() {
                return None;
            }
            let exact = match operator {
                Operator::Plus => left + right,
                Operator::Minus => left - right,
                Operator::Times => left * right,
                Operator::Divide => left / right,
                Operator::Min => left.min(right),
                Operator::Max => left.max(right),
                Operator::Power => left.pow(b as i32),
                _ => exactly(value)?,
            };
            (value, exact)
        }
        Expression::Not(part) => {
            let value = f64::from(walk(part, variables)?.0 == 0.0);
            (value, exactly(value)?)
        }
        Expression::Negative(part) => {
            let (value, exact) = walk(part, variables)?;
            (-value, -&exact)
        }
        Expression::Call(function, part) => {
            let value = crate::number::apply(*function, walk(part, variables)?.0);
            (value, exactly(value)?)
        }
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
        use Function::{Ceiling, Floor, Round};
        use Operator::{And, AtMost, Divide, Equal, Less, Max, Min, Minus, Modulo};
        use Operator::{Or, Plus, Power, Times};
        let operator = prop::sample::select(vec![
            Plus, Minus, Times, Divide, Less, AtMost, Equal, Min, Max, Modulo, And, Or,
        ]);
        let function = prop::sample::select(vec![Floor, Ceiling, Round]);
        prop_oneof![
            (operator, inner.clone(), inner.clone())
                .prop_map(|(operator, left, right)| Expression::two(operator, left, right)),
            (inner.clone(), 0i64..5).prop_map(|(base, exponent)| Expression::two(
                Power,
                base,
                Expression::whole(exponent)
            )),
            (function, inner.clone())
                .prop_map(|(function, part)| Expression::Call(function, Box::new(part))),
            inner
                .clone()
                .prop_map(|part| Expression::Not(Box::new(part))),
            inner
                .clone()
                .prop_map(|part| Expression::Negative(Box::new(part))),
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

    /// Of the variables one has few values, one some, and one so many that nothing with it has a
    /// table.
    #[test]
    fn code_computes_what_the_expressions_say(
        expressions in prop::collection::vec(expressions(), 1..4),
        states in prop::collection::vec((-5i8..5, -5i8..5, -5i8..5), 1..8),
        many in any::<bool>(),
    ) {
        let variable = |low, high| Variable { name: String::new(), low, high };
        let most = if many { 1 << 40 } else { 5 };
        let variables = [variable(-5, 5), variable(-5, 100), variable(-7, most)];
        let mut tables = Tables::new(&variables);
        for expression in &expressions {
            let plain = Code::new(expression);
            let tabled = Code::with_tables(expression, &mut tables);
            for &(a, b, c) in states.iter().chain(&states) {
                let values = [f64::from(a), f64::from(b), f64::from(c)];
                let walked = walk(expression, &values);
                for code in [&plain, &tabled] {
                    let found = code.run::<f64>(&values, &mut Vec::new());
                    prop_assert_eq!(walked.is_none(), found.is_nan());
                    let enclosed = code.run::<Enclosure>(&values, &mut Vec::new());
                    let Some((value, exact)) = &walked else {
                        prop_assert!(enclosed.value.is_nan());
                        continue;
                    };
                    prop_assert_eq!(found, *value);
                    prop_assert_eq!(enclosed.value, *value);
                    let (low, high) = (exactly(enclosed.lower), exactly(enclosed.upper));
                    if let (Some(low), Some(high)) = (low, high) {
                        prop_assert!(low <= *exact && *exact <= high, "{:?} {}", enclosed, exact);
                    }
                }
            }
        }
    }
}

#[test]
fn what_depends_on_few_values_is_computed_once() {
    let variable = |high| Variable {
        name: String::new(),
        low: 0,
        high,
    };
    let variables = [variable(33), variable(1 << 30)];
    let speed = |exponent| {
        let share = Expression::two(
            Operator::Divide,
            Expression::Variable(0),
            Expression::whole(33),
        );
        Expression::two(Operator::Power, share, Expression::whole(exponent))
    };
    let mut tables = Tables::new(&variables);
    let further = Expression::two(Operator::Plus, Expression::Variable(1), speed(4));
    let (one, other) = (
        Code::with_tables(&further, &mut tables),
        Code::with_tables(&speed(4), &mut tables),
    );
    let another = Code::with_tables(&speed(3), &mut tables);
    assert!(Rc::ptr_eq(&one.tables[0], &other.tables[0]));
    assert!(!Rc::ptr_eq(&one.tables[0], &another.tables[0]));
    let values = [20.0, 7.0];
    assert_eq!(other.tables[0].look::<f64>(&values), None);
    let sum = one.run::<f64>(&values, &mut Vec::new());
    let power = other.tables[0].look::<f64>(&values).expect("it is known");
    assert_eq!((power, 7.0 + power), ((20.0_f64 / 33.0).powf(4.0), sum));
    // Variables of so many values, and what is computed as quickly, have none.
    let next = |variable| {
        Expression::two(
            Operator::Plus,
            Expression::Variable(variable),
            Expression::whole(1),
        )
    };
    assert!(Code::with_tables(&next(0), &mut tables).tables.is_empty());
    let long = (0..9).fold(next(1), |sum, _| {
        Expression::two(Operator::Times, sum, next(1))
    });
    assert!(Code::with_tables(&long, &mut tables).tables.is_empty());
}
