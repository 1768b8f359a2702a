//! Expressions for the engine, which computes with doubles.
//!
//! A whole number that doubles do not tell from the next one would be taken for another: where the
//! ranges of the variables do not rule that out, the engine is told to look.

use quotient_probability::{Expression, Function, Operator};

use super::{Term, Value, Variable};
use crate::syntax::{Join, Name, Sort};

/// An expression with what is known about its values.
struct Lowered {
    expression: Expression,
    /// Between these its values lie, if it has any; a bound that is no number says nothing.
    low: f64,
    high: f64,
    /// Whether its values are whole numbers.
    whole: bool,
}

/// The expression for the engine.
pub(super) fn lowered(term: &Term, variables: &[Variable]) -> Expression {
    lower(term, variables).expression
}

/// Up to here doubles tell whole numbers apart.
const MOST: f64 = (1_u64 << 53) as f64;

impl Lowered {
    fn new(expression: Expression, (low, high): (f64, f64), whole: bool) -> Lowered {
        Lowered {
            expression,
            low,
            high,
            whole,
        }
    }

    fn truth(expression: Expression) -> Lowered {
        Lowered::new(expression, (0.0, 1.0), true)
    }

    /// The engine looks at it where it may be too large.
    fn counted(mut self) -> Lowered {
        if self.whole && !(self.low > -MOST && self.high < MOST) {
            self.expression = Expression::Call(Function::Counted, Box::new(self.expression));
            self.low = self.low.max(-MOST);
            self.high = self.high.min(MOST);
        }
        self
    }
}

const ANY: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

fn lower(term: &Term, variables: &[Variable]) -> Lowered {
    let part = |term: &Term| lower(term, variables);
    match term {
        Term::Value(value) => {
            let exact = match value {
                Value::Real(_, exact) => exact.clone(),
                other => other.exact(),
            };
            let number = value.number();
            let expression = Expression::Number(number, exact.map(Box::new));
            Lowered::new(expression, (number, number), value.sort() != Sort::Real)
        }
        Term::Variable(number, truth) => {
            let range = match variables.get(*number) {
                Some(_) if *truth => (0.0, 1.0),
                Some(one) => (one.low as f64, one.high as f64),
                None => ANY,
            };
            Lowered::new(Expression::Variable(*number), range, true)
        }
        Term::Not(of) => Lowered::truth(Expression::Not(Box::new(part(of).expression))),
        Term::Negative(of) => {
            let of = part(of);
            let range = (-of.high, -of.low);
            Lowered::new(
                Expression::Negative(Box::new(of.expression)),
                range,
                of.whole,
            )
        }
        Term::Two(how, left, right) => joined(*how, part(left), part(right)),
        Term::If(condition, one, other) => {
            let (one, other) = (part(one), part(other));
            let range = (one.low.min(other.low), one.high.max(other.high));
            let whole = one.whole && other.whole;
            let expression = Expression::If(
                Box::new(part(condition).expression),
                Box::new(one.expression),
                Box::new(other.expression),
            );
            Lowered::new(expression, range, whole)
        }
        Term::Call(name, parts) => called(*name, parts.iter().map(part).collect()),
    }
}

fn joined(how: Join, left: Lowered, right: Lowered) -> Lowered {
    let (a, b) = ((left.low, left.high), (right.low, right.high));
    let whole = left.whole && right.whole;
    let (range, whole) = match how {
        Join::Plus => ((a.0 + b.0, a.1 + b.1), whole),
        Join::Minus => ((a.0 - b.1, a.1 - b.0), whole),
        Join::Times => (corners(a, b, |a, b| a * b), whole),
        Join::Divide if b.0 > 0.0 || b.1 < 0.0 => (corners(a, b, |a, b| a / b), false),
        Join::Divide => (ANY, false),
        _ => return Lowered::truth(lower_join(how, left.expression, right.expression)),
    };
    let expression = lower_join(how, left.expression, right.expression);
    Lowered::new(expression, range, whole).counted()
}

/// The least and greatest of the four; nothing is known where one is no number.
fn corners(a: (f64, f64), b: (f64, f64), with: fn(f64, f64) -> f64) -> (f64, f64) {
    let all = [
        with(a.0, b.0),
        with(a.0, b.1),
        with(a.1, b.0),
        with(a.1, b.1),
    ];
    match all.iter().any(|one| one.is_nan()) {
        true => ANY,
        false => (
            all.into_iter().fold(f64::INFINITY, f64::min),
            all.into_iter().fold(f64::NEG_INFINITY, f64::max),
        ),
    }
}

fn lower_join(how: Join, left: Expression, right: Expression) -> Expression {
    let operator = match how {
        Join::And => Operator::And,
        Join::Or => Operator::Or,
        Join::Implies => {
            return Expression::two(Operator::Or, Expression::Not(Box::new(left)), right);
        }
        Join::Iff | Join::Equal => Operator::Equal,
        Join::Unequal => Operator::Unequal,
        Join::Less => Operator::Less,
        Join::AtMost => Operator::AtMost,
        Join::Greater | Join::AtLeast => {
            // A variable on the left of a number is compared fastest.
            if let (Expression::Variable(_), Expression::Number(number, _)) = (&left, &right)
                && number.fract() == 0.0
                && number.abs() < 9e15
            {
                let below = match how {
                    Join::Greater => Expression::two(Operator::AtMost, left, right),
                    _ => Expression::two(Operator::Less, left, right),
                };
                return Expression::Not(Box::new(below));
            }
            let operator = match how {
                Join::Greater => Operator::Less,
                _ => Operator::AtMost,
            };
            return Expression::two(operator, right, left);
        }
        Join::Plus => Operator::Plus,
        Join::Minus => Operator::Minus,
        Join::Times => Operator::Times,
        Join::Divide => Operator::Divide,
    };
    Expression::two(operator, left, right)
}

fn called(name: Name, parts: Vec<Lowered>) -> Lowered {
    let all_whole = parts.iter().all(|part| part.whole);
    let mut parts = parts.into_iter();
    let zero = || Lowered::new(Expression::whole(0), (0.0, 0.0), true);
    let first = parts.next().unwrap_or_else(zero);
    let mut fold = |first: Lowered, operator: Operator, range: fn(Range, Range) -> Range| {
        parts.by_ref().fold(first, |left, right| {
            let range = range((left.low, left.high), (right.low, right.high));
            let expression = Expression::two(operator, left.expression, right.expression);
            Lowered::new(expression, range, all_whole)
        })
    };
    let of_one = |function: Function, of: Lowered| {
        let range = (of.low.floor(), of.high.ceil());
        let expression = Expression::Call(function, Box::new(of.expression));
        Lowered::new(expression, range, true).counted()
    };
    match name {
        Name::Min => fold(first, Operator::Min, |a, b| (a.0.min(b.0), a.1.min(b.1))),
        Name::Max => fold(first, Operator::Max, |a, b| (a.0.max(b.0), a.1.max(b.1))),
        Name::Pow => fold(first, Operator::Power, |_, _| ANY).counted(),
        Name::Mod => fold(first, Operator::Modulo, |_, b| (0.0, b.1)),
        Name::Log => {
            let found = fold(first, Operator::Logarithm, |_, _| ANY);
            Lowered::new(found.expression, ANY, false)
        }
        Name::Floor => of_one(Function::Floor, first),
        Name::Ceil => of_one(Function::Ceiling, first),
        Name::Round => of_one(Function::Round, first),
        Name::Abs => {
            let most = first.low.abs().max(first.high.abs());
            let negative = Expression::Negative(Box::new(first.expression.clone()));
            let expression = Expression::two(Operator::Max, first.expression, negative);
            Lowered::new(expression, (0.0, most), first.whole)
        }
        Name::Sqrt => {
            let half = Expression::Number(0.5, None);
            let expression = Expression::two(Operator::Power, first.expression, half);
            Lowered::new(expression, ANY, false)
        }
    }
}

type Range = (f64, f64);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use quotient_core::Budget;
    use quotient_markov::{Kind, Rational};
    use quotient_probability::{Built, Program, Starts, Variable as Ranged, build};

    fn variables() -> Vec<Variable> {
        let ranges = [(-2, 2), (0, 3), (3_000_000_000, 3_000_000_001)];
        let variable = |(number, (low, high)): (usize, (i64, i64))| Variable {
            name: format!("v{number}"),
            low,
            high,
            truth: false,
            init: low,
            module: None,
            clock: false,
        };
        ranges.into_iter().enumerate().map(variable).collect()
    }

    /// All states, and nothing that happens.
    fn all_states() -> Built {
        let ranged = |one: &Variable| Ranged {
            name: one.name.clone(),
            low: one.low,
            high: one.high,
        };
        let program = Program {
            kind: Kind::Dtmc,
            markovian: false,
            variables: variables().iter().map(ranged).collect(),
            commands: Vec::new(),
            events: Vec::new(),
            actions: Vec::new(),
            starts: Starts::Where(Expression::whole(1)),
            rewards: Vec::new(),
        };
        build(&program, &Budget::unlimited()).expect("a model")
    }

    fn numbers() -> impl Strategy<Value = Term> {
        let leaf = prop_oneof![
            (0usize..3).prop_map(|variable| Term::Variable(variable, false)),
            (-3i64..4).prop_map(|number| Term::Value(Value::Whole(number))),
            Just(Term::Value(Value::Whole(1 << 52))),
            (1i64..5).prop_map(|under| {
                let exact = Rational::new(1, under);
                Term::Value(Value::Real(1.0 / under as f64, Some(exact)))
            }),
        ];
        leaf.prop_recursive(4, 24, 3, |inner| {
            let joins = vec![Join::Plus, Join::Minus, Join::Times, Join::Divide];
            let compare = vec![Join::Less, Join::AtLeast, Join::Equal];
            let ones = vec![Name::Floor, Name::Ceil, Name::Round, Name::Abs, Name::Sqrt];
            let twos = vec![Name::Min, Name::Max, Name::Pow, Name::Log];
            let boxed = |term: Term| Box::new(term);
            prop_oneof![
                (prop::sample::select(joins), inner.clone(), inner.clone())
                    .prop_map(move |(how, a, b)| Term::Two(how, boxed(a), boxed(b))),
                (prop::sample::select(ones), inner.clone())
                    .prop_map(|(name, of)| Term::Call(name, vec![of])),
                (prop::sample::select(twos), inner.clone(), inner.clone())
                    .prop_map(|(name, a, b)| Term::Call(name, vec![a, b])),
                (inner.clone(), inner.clone()).prop_map(move |(a, b)| {
                    let whole = |of: Term| Term::Call(Name::Floor, vec![of]);
                    Term::Call(Name::Mod, vec![whole(a), whole(b)])
                }),
                inner.clone().prop_map(move |of| Term::Negative(boxed(of))),
                (
                    prop::sample::select(compare),
                    inner.clone(),
                    inner.clone(),
                    inner
                )
                    .prop_map(move |(how, a, b, c)| {
                        let condition = Term::Two(how, boxed(a), boxed(b.clone()));
                        Term::If(boxed(condition), boxed(b), boxed(c))
                    }),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]
        #[test]
        fn the_engine_computes_what_the_term_says(term in numbers()) {
            let built = all_states();
            let found = built.numbers(&term.lower(&variables()));
            for state in 0..built.states.len() {
                let values = built.states.values(state);
                match (term.evaluate(&values), &found) {
                    (Some(value), Ok(found)) => prop_assert_eq!(value.number(), found[state]),
                    (None, Err(none)) => {
                        prop_assert_eq!(&none.state, &values);
                        return Ok(());
                    }
                    (Some(_), Err(none)) => prop_assert!(none.state != values, "{:?}", values),
                    (None, Ok(_)) => prop_assert!(false, "no value in {:?}", values),
                }
            }
        }
    }
}
