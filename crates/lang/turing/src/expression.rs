//! Functions on numbers, as questions write them: `m - n if m >= n`.

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

    /// For the one argument `a · j + b`: numbers `c` and `d` so that the value is `c · j + d` for
    /// every `j` from 0 on. None if it is not like that.
    pub(crate) fn affine(&self, argument: (i64, i64)) -> Option<(i64, i64)> {
        let Expression::Binary(operator, left, right) = self else {
            return match self {
                Expression::Number(number) => Some((0, *number)),
                _ => Some(argument),
            };
        };
        let ((a, b), (c, d)) = (left.affine(argument)?, right.affine(argument)?);
        // Whether left - right is always below, always, or always above 0.
        let order = || {
            let (slope, first) = (a.checked_sub(c)?, b.checked_sub(d)?);
            match (slope.signum(), first.signum()) {
                (0, sign) => Some(sign),
                (1, 1) => Some(1),
                (-1, -1) => Some(-1),
                _ => None,
            }
        };
        let at_least = |sign: i64| {
            let (slope, first) = (a.checked_sub(c)?.signum(), b.checked_sub(d)?.signum());
            let always = sign * slope >= 0 && sign * first >= 0;
            let never = sign * slope <= 0 && sign * first < 0;
            (always || never).then_some((0, i64::from(always)))
        };
        let truth = |value: Option<bool>| value.map(|value| (0, i64::from(value)));
        let constant = |one: i64, rest: i64| (one == 0).then_some(rest != 0);
        match operator {
            Operator::Or => truth(Some(constant(a, b)? || constant(c, d)?)),
            Operator::And => truth(Some(constant(a, b)? && constant(c, d)?)),
            Operator::Equal => truth(order().map(|sign| sign == 0)),
            Operator::Unequal => truth(order().map(|sign| sign != 0)),
            Operator::GreaterEqual => at_least(1),
            Operator::LessEqual => at_least(-1),
            Operator::Less => at_least(1).map(|(_, truth)| (0, 1 - truth)),
            Operator::Greater => at_least(-1).map(|(_, truth)| (0, 1 - truth)),
            Operator::Plus => Some((a.checked_add(c)?, b.checked_add(d)?)),
            Operator::Minus => Some((a.checked_sub(c)?, b.checked_sub(d)?)),
            Operator::Times => match (a, c) {
                (0, _) => Some((b.checked_mul(c)?, b.checked_mul(d)?)),
                (_, 0) => Some((a.checked_mul(d)?, b.checked_mul(d)?)),
                _ => None,
            },
            Operator::Divide => {
                let fits = c == 0 && a.checked_rem(d)? == 0;
                fits.then(|| Some((a.checked_div(d)?, b.checked_div_euclid(d)?)))?
            }
            Operator::Remainder => {
                let fits = c == 0 && a.checked_rem(d)? == 0;
                fits.then(|| Some((0, b.checked_rem_euclid(d)?)))?
            }
        }
    }

    /// A number that all divisors in it divide.
    pub(crate) fn period(&self) -> u64 {
        let Expression::Binary(operator, left, right) = self else {
            return 1;
        };
        let inner = left.period().saturating_mul(right.period());
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
