//! Expressions over the variables of a program.

use quotient_markov::Rational;

/// An expression. Truth values are the numbers 0 and 1.
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    /// A number: the double that stands for it, and what it is exactly where that is known.
    Number(f64, Option<Box<Rational>>),
    /// A variable, by its place in the program.
    Variable(usize),
    /// Not.
    Not(Box<Expression>),
    /// The negative.
    Negative(Box<Expression>),
    /// Two parts.
    Two(Operator, Box<Expression>, Box<Expression>),
    /// If the first holds the second, else the third.
    If(Box<Expression>, Box<Expression>, Box<Expression>),
    /// A function of one number.
    Call(Function, Box<Expression>),
}

/// What joins two parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// Both hold.
    And,
    /// One holds.
    Or,
    /// They are equal.
    Equal,
    /// They differ.
    Unequal,
    /// The left one is less.
    Less,
    /// The left one is not greater.
    AtMost,
    /// The sum.
    Plus,
    /// The difference.
    Minus,
    /// The product.
    Times,
    /// The quotient, never rounded to a whole number.
    Divide,
    /// The lesser one.
    Min,
    /// The greater one.
    Max,
    /// The left one to the power of the right one.
    Power,
    /// The remainder, never negative.
    Modulo,
    /// The logarithm of the left one to the base of the right one.
    Logarithm,
}

/// A function of one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// The greatest whole number that is not greater.
    Floor,
    /// The least whole number that is not less.
    Ceiling,
    /// The nearest whole number; halves go up.
    Round,
    /// The number itself, unless it is so large that doubles do not tell whole numbers apart there:
    /// then it has no value.
    Counted,
}

impl Expression {
    /// A whole number.
    pub fn whole(number: i64) -> Expression {
        Expression::Number(
            number as f64,
            Some(Box::new(quotient_markov::whole(number))),
        )
    }

    /// Two parts joined.
    pub fn two(operator: Operator, left: Expression, right: Expression) -> Expression {
        Expression::Two(operator, Box::new(left), Box::new(right))
    }

    /// Marks the variables that occur in it.
    pub fn variables(&self, found: &mut Vec<usize>) {
        match self {
            Expression::Number(..) => {}
            Expression::Variable(variable) => found.push(*variable),
            Expression::Not(part) | Expression::Negative(part) | Expression::Call(_, part) => {
                part.variables(found);
            }
            Expression::Two(_, left, right) => {
                left.variables(found);
                right.variables(found);
            }
            Expression::If(condition, one, other) => {
                condition.variables(found);
                one.variables(found);
                other.variables(found);
            }
        }
    }

    /// Its parts that must all hold.
    pub fn conjuncts(&self) -> Vec<&Expression> {
        match self {
            Expression::Two(Operator::And, left, right) => {
                let mut all = left.conjuncts();
                all.extend(right.conjuncts());
                all
            }
            other => vec![other],
        }
    }
}
