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

impl Expression {
    /// Its value; none where it divides by zero or is too large.
    pub(crate) fn value(&self, arguments: &[u64]) -> Option<i64> {
        Some(match self {
            Expression::Number(number) => *number,
            Expression::Argument(place) => i64::try_from(*arguments.get(*place)?).ok()?,
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
                    Operator::Plus => left.checked_add(right)?,
                    Operator::Minus => left.checked_sub(right)?,
                    Operator::Times => left.checked_mul(right)?,
                    Operator::Divide => left.checked_div_euclid(right)?,
                    Operator::Remainder => left.checked_rem_euclid(right)?,
                }
            }
        })
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
