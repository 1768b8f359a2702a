//! Functions on numbers, as questions write them: `m - n if m >= n`.

use crate::linear::Linear;

/// An expression over the arguments of a function; truth is 1 and 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expression {
    Number(i64),
    Argument(usize),
    Binary(Operator, Box<Expression>, Box<Expression>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Plus,
    Minus,
    Times,
    Divide,
    Remainder,
}

/// Operators by how tightly they bind, the loosest first; longer signs before their beginnings.
const LEVELS: &[&[(&str, Operator)]] = &[
    &[("or", Operator::Or)],
    &[("and", Operator::And)],
    &[
        ("==", Operator::Equal),
        ("!=", Operator::Unequal),
        ("<=", Operator::LessEqual),
        (">=", Operator::GreaterEqual),
        ("=", Operator::Equal),
        ("<", Operator::Less),
        (">", Operator::Greater),
    ],
    &[("+", Operator::Plus), ("-", Operator::Minus)],
    &[
        ("*", Operator::Times),
        ("/", Operator::Divide),
        ("%", Operator::Remainder),
    ],
];

/// The most nested parentheses.
const DEPTH: usize = 60;

/// The most operators.
const SIZE: usize = 500;

/// Why an expression has no value here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lack {
    /// It divides by zero: it has none.
    Undefined,
    /// A number on the way is too large for this program: it is not known.
    TooLarge,
}

impl Expression {
    /// Its value, or why there is none.
    pub(crate) fn value(&self, arguments: &[u64]) -> Result<i64, Lack> {
        let fits = |value: Option<i64>| value.ok_or(Lack::TooLarge);
        let divided = |by: i64, value: Option<i64>| match by {
            0 => Err(Lack::Undefined),
            _ => fits(value),
        };
        Ok(match self {
            Expression::Number(number) => *number,
            Expression::Argument(place) => {
                let argument = arguments.get(*place).ok_or(Lack::Undefined)?;
                fits(i64::try_from(*argument).ok())?
            }
            Expression::Binary(operator, left, right) => {
                let (left, right) = (left.value(arguments)?, right.value(arguments)?);
                match operator {
                    Operator::Or => i64::from(left != 0 || right != 0),
                    Operator::And => i64::from(left != 0 && right != 0),
                    Operator::Equal => i64::from(left == right),
                    Operator::Unequal => i64::from(left != right),
                    Operator::Less => i64::from(left < right),
                    Operator::LessEqual => i64::from(left <= right),
                    Operator::Greater => i64::from(left > right),
                    Operator::GreaterEqual => i64::from(left >= right),
                    Operator::Plus => fits(left.checked_add(right))?,
                    Operator::Minus => fits(left.checked_sub(right))?,
                    Operator::Times => fits(left.checked_mul(right))?,
                    Operator::Divide => divided(right, left.checked_div_euclid(right))?,
                    Operator::Remainder => divided(right, left.checked_rem_euclid(right))?,
                }
            }
        })
    }

    /// For arguments that are sums of numbers: the value as such a sum, whatever the numbers are,
    /// or that there is none for any of them. Nothing if it is not like that.
    pub(crate) fn linear(&self, arguments: &[Linear]) -> Option<Option<Linear>> {
        let (operator, left, right) = match self {
            Expression::Number(number) => return Some(Some(Linear::of(*number))),
            Expression::Argument(place) => return Some(arguments.get(*place).copied()),
            Expression::Binary(operator, left, right) => (operator, left, right),
        };
        // Where one side has no value, there is none, whatever the other side is.
        let (left, right) = match (left.linear(arguments), right.linear(arguments)) {
            (Some(None), _) | (_, Some(None)) => return Some(None),
            (left, right) => (left??, right??),
        };
        let divides = matches!(operator, Operator::Divide | Operator::Remainder);
        if divides && right == Linear::of(0) {
            return Some(None);
        }
        Self::joined(*operator, left, right).map(Some)
    }

    /// Two sums joined; none if that is no sum.
    fn joined(operator: Operator, left: Linear, right: Linear) -> Option<Linear> {
        let difference = || left.with(&right, i64::checked_sub);
        let at_least = || difference()?.is_natural();
        let at_most = || right.with(&left, i64::checked_sub)?.is_natural();
        let truth = |value: Option<bool>| value.map(|value| Linear::of(i64::from(value)));
        let is_true = |one: &Linear| one.is_constant().then_some(one.count != 0);
        match operator {
            Operator::Or => truth(Some(is_true(&left)? || is_true(&right)?)),
            Operator::And => truth(Some(is_true(&left)? && is_true(&right)?)),
            Operator::Equal => truth(equal(&difference()?)),
            Operator::Unequal => truth(equal(&difference()?).map(|equal| !equal)),
            Operator::GreaterEqual => truth(at_least()),
            Operator::LessEqual => truth(at_most()),
            Operator::Less => truth(at_least().map(|truth| !truth)),
            Operator::Greater => truth(at_most().map(|truth| !truth)),
            Operator::Plus => left.with(&right, i64::checked_add),
            Operator::Minus => difference(),
            Operator::Times if left.is_constant() => right.each(|one| one.checked_mul(left.count)),
            Operator::Times if right.is_constant() => left.each(|one| one.checked_mul(right.count)),
            Operator::Times => None,
            Operator::Divide | Operator::Remainder => {
                let by = right.count;
                let divides = |&one: &i64| one.checked_rem(by) == Some(0);
                if !right.is_constant() || !left.growth.iter().all(divides) {
                    return None;
                }
                match operator {
                    Operator::Divide => left.each(|one| one.checked_div_euclid(by)),
                    _ => Some(Linear::of(left.count.checked_rem_euclid(by)?)),
                }
            }
        }
    }

    /// A number that all divisors in it divide.
    pub(crate) fn period(&self) -> u64 {
        let Expression::Binary(operator, left, right) = self else {
            return 1;
        };
        let inner = common(left.period(), right.period());
        match (operator, &**right) {
            (Operator::Divide | Operator::Remainder, Expression::Number(number)) => {
                inner.saturating_mul(number.unsigned_abs().max(1))
            }
            _ => inner,
        }
    }

    /// Reads an expression over these names; else what is wrong with it.
    pub(crate) fn read(text: &str, names: &[&str]) -> Result<Expression, String> {
        let mut reader = Reader {
            rest: text,
            names,
            size: 0,
        };
        let expression = reader.level(0, 0)?;
        match reader.rest.trim() {
            "" => Ok(expression),
            rest => Err(format!("`{rest}` is left over")),
        }
    }
}

/// The least number that both divide.
pub(crate) fn common(one: u64, other: u64) -> u64 {
    let (mut greatest, mut rest) = (one.max(1), other.max(1));
    while rest != 0 {
        (greatest, rest) = (rest, greatest % rest);
    }
    (one.max(1) / greatest).saturating_mul(other.max(1))
}

/// Whether a difference is always 0, or never.
fn equal(difference: &Linear) -> Option<bool> {
    if difference.is_constant() {
        return Some(difference.count == 0);
    }
    let signs = || difference.growth.iter().chain([&difference.count]);
    let apart = difference.count != 0;
    (apart && (signs().all(|&one| one >= 0) || signs().all(|&one| one <= 0))).then_some(false)
}

struct Reader<'a> {
    rest: &'a str,
    names: &'a [&'a str],
    size: usize,
}

impl Reader<'_> {
    fn level(&mut self, level: usize, depth: usize) -> Result<Expression, String> {
        let Some(operators) = LEVELS.get(level) else {
            return self.factor(depth);
        };
        let mut left = self.level(level + 1, depth)?;
        while let Some(operator) = self.operator(operators) {
            self.size += 1;
            if self.size > SIZE {
                return Err(format!("more than {SIZE} operators"));
            }
            let right = self.level(level + 1, depth)?;
            left = Expression::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn operator(&mut self, operators: &[(&str, Operator)]) -> Option<Operator> {
        let rest = self.rest.trim_start();
        let found = operators.iter().find(|(sign, _)| rest.starts_with(sign))?;
        self.rest = &rest[found.0.len()..];
        Some(found.1)
    }

    fn factor(&mut self, depth: usize) -> Result<Expression, String> {
        let rest = self.rest.trim_start();
        if let Some(inner) = rest.strip_prefix('(') {
            if depth >= DEPTH {
                return Err(format!("more than {DEPTH} nested parentheses"));
            }
            self.rest = inner;
            let expression = self.level(0, depth + 1)?;
            let Some(after) = self.rest.trim_start().strip_prefix(')') else {
                return Err("a `)` is missing".to_owned());
            };
            self.rest = after;
            return Ok(expression);
        }
        let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        self.rest = after;
        if let Ok(number) = word.parse() {
            return Ok(Expression::Number(number));
        }
        match self.names.iter().position(|&name| name == word) {
            Some(place) => Ok(Expression::Argument(place)),
            None if word.is_empty() => Err("a number or an argument was expected".to_owned()),
            None => Err(format!("`{word}` is neither a number nor an argument")),
        }
    }
}
