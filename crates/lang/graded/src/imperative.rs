//! Systems whose states are the values of variables.

use quotient_core::{Diagnostic, Source, Span};

use crate::tree::{Expression, Spot, Variable};

/// The most states of a system.
pub(crate) const MOST_STATES: usize = 4_000_000;

/// The variables of a system, as a way to number their values.
#[derive(Debug, Clone, Default)]
pub(crate) struct Space {
    variables: Vec<Variable>,
    /// How many states there are.
    pub(crate) size: usize,
}

/// What an expression is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Number,
    Condition,
}

impl Space {
    /// The space of some variables, if it is not too large.
    pub(crate) fn new(variables: &[Variable], source: &Source) -> Result<Space, Diagnostic> {
        let mut size = 1usize;
        for variable in variables {
            let values = usize::try_from(variable.most - variable.least + 1).unwrap_or(usize::MAX);
            size = size.saturating_mul(values);
            if size > MOST_STATES {
                let message = format!("the variables have more than {MOST_STATES} values together");
                return Err(Diagnostic::error("too-many-states", message).at(
                    source,
                    variable.name.span,
                    "up to this one",
                ));
            }
        }
        for (number, variable) in variables.iter().enumerate() {
            if variables[..number]
                .iter()
                .any(|other| other.name.text == variable.name.text)
            {
                let message = format!("there are two variables `{}`", variable.name.text);
                let mistake = Diagnostic::error("declared-twice", message);
                return Err(mistake.at(source, variable.name.span, ""));
            }
        }
        Ok(Space {
            variables: variables.to_vec(),
            size,
        })
    }

    /// The values of the variables in a state.
    pub(crate) fn values(&self, state: usize) -> Vec<i64> {
        let mut rest = state;
        let mut values: Vec<i64> = Vec::with_capacity(self.variables.len());
        for variable in self.variables.iter().rev() {
            let count = (variable.most - variable.least + 1) as usize;
            values.push(variable.least + (rest % count) as i64);
            rest /= count;
        }
        values.reverse();
        values
    }

    /// The state with these values, if they are within their ranges.
    pub(crate) fn state(&self, values: &[i64]) -> Option<usize> {
        let mut state = 0;
        for (variable, value) in self.variables.iter().zip(values) {
            if !(variable.least..=variable.most).contains(value) {
                return None;
            }
            let count = (variable.most - variable.least + 1) as usize;
            state = state * count + (value - variable.least) as usize;
        }
        Some(state)
    }

    /// The states that the declarations begin with: all that agree with the starts that are given. None if no
    /// start is given, so that nothing is said about them.
    pub(crate) fn starts(&self) -> Vec<usize> {
        if self.variables.iter().all(|one| one.start.is_none()) {
            return Vec::new();
        }
        let mut found = vec![0];
        for variable in &self.variables {
            let count = (variable.most - variable.least + 1) as usize;
            let places = match variable.start {
                Some(start) => {
                    let place = (start - variable.least) as usize;
                    place..place + 1
                }
                None => 0..count,
            };
            let longer = |state: usize| places.clone().map(move |place| state * count + place);
            found = found.into_iter().flat_map(longer).collect();
        }
        found
    }

    /// What a state is called.
    pub(crate) fn name(&self, state: usize) -> String {
        self.cells(&self.values(state)).join(" ")
    }

    fn cells(&self, values: &[i64]) -> Vec<String> {
        let cell = |(variable, value): (&Variable, &i64)| format!("{}={value}", variable.name.text);
        self.variables.iter().zip(values).map(cell).collect()
    }

    /// The number of a variable.
    pub(crate) fn variable(&self, spot: &Spot, source: &Source) -> Result<usize, Diagnostic> {
        let found = self
            .variables
            .iter()
            .position(|one| one.name.text == spot.text);
        found.ok_or_else(|| {
            let names = self.variables.iter().map(|one| one.name.text.as_str());
            Diagnostic::error(
                "unknown-variable",
                format!("there is no variable `{}`", spot.text),
            )
            .at(source, spot.span, "")
            .did_you_mean(&spot.text, names)
        })
    }

    /// Checks that an expression is a condition.
    pub(crate) fn condition(&self, of: &Expression, source: &Source) -> Result<(), Diagnostic> {
        match self.sort(of, source)? {
            Sort::Condition => Ok(()),
            Sort::Number => Err(sorted(
                "a condition was expected, this is a number",
                of,
                source,
            )),
        }
    }

    /// Checks that an expression is a number.
    pub(crate) fn number(&self, of: &Expression, source: &Source) -> Result<(), Diagnostic> {
        match self.sort(of, source)? {
            Sort::Number => Ok(()),
            Sort::Condition => Err(sorted(
                "a number was expected, this is a condition",
                of,
                source,
            )),
        }
    }

    fn sort(&self, of: &Expression, source: &Source) -> Result<Sort, Diagnostic> {
        Ok(match of {
            Expression::Number(_) => Sort::Number,
            Expression::Truth(_) => Sort::Condition,
            Expression::Variable(spot) => {
                self.variable(spot, source)?;
                Sort::Number
            }
            Expression::Minus(inner) => {
                self.number(inner, source)?;
                Sort::Number
            }
            Expression::Not(inner) => {
                self.condition(inner, source)?;
                Sort::Condition
            }
            Expression::Binary("&" | "|", left, right, _) => {
                self.condition(left, source)?;
                self.condition(right, source)?;
                Sort::Condition
            }
            Expression::Binary(sign, left, right, _) => {
                self.number(left, source)?;
                self.number(right, source)?;
                match *sign {
                    "+" | "-" | "*" | "/" | "%" => Sort::Number,
                    _ => Sort::Condition,
                }
            }
        })
    }

    /// The value of an expression in a state; a condition is 1 or 0.
    ///
    /// An expression without a value is a mistake of the file and never false: its negation would be false as well, and
    /// a step that it guards would be missing from the system.
    pub(crate) fn value(
        &self,
        of: &Expression,
        values: &[i64],
        source: &Source,
    ) -> Result<i64, Diagnostic> {
        self.computed(of, values).map_err(|missing| {
            let cells: Vec<String> = self.cells(values);
            let message = format!("no value where {}: {}", cells.join(" "), missing.why);
            let mistake = Diagnostic::error("no-value", message);
            let mistake = match missing.place {
                Some(span) => mistake.at(source, span, ""),
                None => mistake.in_source(source),
            };
            mistake.help(
                "`&` and `|` look at their right side only if it matters: `x = 0 | 6 / x > 1`",
            )
        })
    }

    /// `&` and `|` look at the right side only where the left one leaves the value open.
    fn computed(&self, of: &Expression, values: &[i64]) -> Result<i64, Missing> {
        let large = |value: Option<i64>| {
            value.ok_or(Missing {
                why: "the number does not fit into 64 bits",
                place: place(of),
            })
        };
        Ok(match of {
            Expression::Number(number) => *number,
            Expression::Truth(truth) => i64::from(*truth),
            Expression::Variable(spot) => {
                let mut variables = self.variables.iter().zip(values);
                let found = variables.find(|(one, _)| one.name.text == spot.text);
                let (_, value) = found.ok_or(Missing {
                    why: "there is no such variable",
                    place: Some(spot.span),
                })?;
                *value
            }
            Expression::Minus(inner) => large(self.computed(inner, values)?.checked_neg())?,
            Expression::Not(inner) => 1 - self.computed(inner, values)?,
            Expression::Binary(sign @ ("&" | "|"), left, right, _) => {
                let left = self.computed(left, values)?;
                match (*sign == "&") == (left == 1) {
                    true => self.computed(right, values)?,
                    false => left,
                }
            }
            Expression::Binary(sign, left, right, span) => {
                let (a, b) = (self.computed(left, values)?, self.computed(right, values)?);
                if matches!(*sign, "/" | "%") && b == 0 {
                    return Err(Missing {
                        why: "a division by zero",
                        place: Some(*span),
                    });
                }
                match *sign {
                    "+" => large(a.checked_add(b))?,
                    "-" => large(a.checked_sub(b))?,
                    "*" => large(a.checked_mul(b))?,
                    "/" => large(a.checked_div_euclid(b))?,
                    "%" => large(a.checked_rem_euclid(b))?,
                    "<" => i64::from(a < b),
                    "<=" => i64::from(a <= b),
                    ">" => i64::from(a > b),
                    ">=" => i64::from(a >= b),
                    "==" => i64::from(a == b),
                    _ => i64::from(a != b),
                }
            }
        })
    }
}

/// Why an expression has no value, and where.
struct Missing {
    why: &'static str,
    place: Option<Span>,
}

fn sorted(message: &str, of: &Expression, source: &Source) -> Diagnostic {
    let mistake = Diagnostic::error("wrong-sort", message);
    match place(of) {
        Some(span) => mistake.at(source, span, ""),
        None => mistake.in_source(source),
    }
}

/// Where an expression is, if it is more than a number.
pub(crate) fn place(of: &Expression) -> Option<Span> {
    match of {
        Expression::Variable(spot) => Some(spot.span),
        Expression::Minus(inner) | Expression::Not(inner) => place(inner),
        Expression::Binary(_, _, _, span) => Some(*span),
        _ => None,
    }
}
