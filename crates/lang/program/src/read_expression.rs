//! Conditions, sums and temporal formulas.

use quotient_arithmetic::{Boolean, Condition, Integer, Linear};
use quotient_core::{Diagnostic, Span};
use quotient_language::text::Parsed;

use crate::ltl::Ltl;
use crate::program::{Assign, Atom, Program};
use crate::read::{Walk, name, whole};
use crate::words::Word::{Key, Name, Number, Sign};

/// Where names are looked up.
pub(crate) struct Scope<'a> {
    pub(crate) program: &'a Program,
    /// The parameter of the process with its value.
    pub(crate) constant: Option<(String, i64)>,
    /// The process whose locals come first.
    pub(crate) owner: Option<String>,
}

/// A variable by number.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Sorted {
    Integer(Integer),
    Boolean(Boolean),
}

/// An expression of either sort.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    Integer(Linear),
    Boolean(Condition),
}

/// The longest row of operands: trees are walked by recursion.
const MOST_OPERANDS: usize = 400;

/// The largest factor or number of a sum: with values of 64 bits no sum is too large then.
const MOST_FACTOR: i128 = 1 << 50;

impl Scope<'_> {
    /// A variable, perhaps an element of an array.
    pub(crate) fn variable(&self, cursor: &mut Walk<'_>) -> Parsed<(Sorted, Span)> {
        let (mut own, mut span) = name(cursor)?;
        let mut written = own.clone();
        if cursor.takes(Sign("[")) {
            let index = match cursor.is(Name) {
                true => {
                    let (index, at) = name(cursor)?;
                    match &self.constant {
                        Some((parameter, value)) if *parameter == index => *value,
                        _ => {
                            let message =
                                "an element is named by a number or the parameter of the process";
                            return Err(Diagnostic::error("index", message).at(
                                cursor.source(),
                                at,
                                "",
                            ));
                        }
                    }
                }
                false => whole(cursor)?,
            };
            span = span.to(cursor.expect(Sign("]"))?);
            written = format!("{own}[{index}]");
            own = format!("{own}.{index}");
        }
        let local = self.owner.as_ref().map(|owner| format!("{owner}.{own}"));
        for name in local.iter().chain([&own]) {
            if let Some(at) = self
                .program
                .integers
                .iter()
                .position(|one| one.name == *name)
            {
                return Ok((Sorted::Integer(Integer::from_index(at)), span));
            }
            if let Some(at) = self
                .program
                .booleans
                .iter()
                .position(|one| one.name == *name)
            {
                return Ok((Sorted::Boolean(Boolean::from_index(at)), span));
            }
        }
        let all = self.program.integers.iter().chain(&self.program.booleans);
        let message = format!("there is no variable `{written}`");
        Err(Diagnostic::error("unknown-variable", message)
            .at(cursor.source(), span, "")
            .did_you_mean(&own, all.map(|one| one.name.as_str())))
    }

    /// An assignment whose sides must fit.
    pub(crate) fn assign(
        &self,
        to: Sorted,
        value: Value,
        span: Span,
        cursor: &Walk<'_>,
    ) -> Parsed<Assign> {
        match (to, value) {
            (Sorted::Integer(at), Value::Integer(sum)) => Ok(Assign::Integer(at, sum)),
            (Sorted::Boolean(at), Value::Boolean(condition)) => Ok(Assign::Boolean(at, condition)),
            (Sorted::Integer(_), _) => {
                Err(wrong("a condition is assigned to an integer", span, cursor))
            }
            (Sorted::Boolean(_), _) => {
                Err(wrong("a number is assigned to a Boolean", span, cursor))
            }
        }
    }
}

fn wrong(message: &str, span: Span, cursor: &Walk<'_>) -> Diagnostic {
    Diagnostic::error("wrong-sort", message).at(cursor.source(), span, "")
}

/// A condition.
pub(crate) fn condition(cursor: &mut Walk<'_>, scope: &Scope<'_>) -> Parsed<Condition> {
    let span = cursor.peek().span;
    match sorted(cursor, scope)? {
        Value::Boolean(condition) => Ok(condition),
        Value::Integer(_) => Err(wrong(
            "a condition was expected, this is a number",
            span,
            cursor,
        )),
    }
}

/// An expression of either sort. From weak to strong: `->`, `|`, `&`, comparisons, `+` `-`, `*` `/`
/// `%`, prefixes.
pub(crate) fn sorted(cursor: &mut Walk<'_>, scope: &Scope<'_>) -> Parsed<Value> {
    cursor.nested(|cursor| {
        let left = either(cursor, scope)?;
        let span = cursor.peek().span;
        match cursor.takes(Sign("->")) {
            false => Ok(left),
            true => {
                let (left, right) = (truth(left, span, cursor)?, sorted(cursor, scope)?);
                let right = truth(right, span, cursor)?;
                Ok(Value::Boolean(Condition::Or(vec![left.negated(), right])))
            }
        }
    })
}

fn either(cursor: &mut Walk<'_>, scope: &Scope<'_>) -> Parsed<Value> {
    row(cursor, &["||", "|"], Condition::Or, |cursor| {
        row(cursor, &["&&", "&"], Condition::And, |cursor| {
            comparison(cursor, scope)
        })
    })
}

fn row(
    cursor: &mut Walk<'_>,
    signs: &[&'static str],
    make: fn(Vec<Condition>) -> Condition,
    operand: impl Fn(&mut Walk<'_>) -> Parsed<Value>,
) -> Parsed<Value> {
    let first = operand(cursor)?;
    let span = cursor.peek().span;
    if !signs.iter().any(|sign| cursor.is(Sign(sign))) {
        return Ok(first);
    }
    let mut parts = vec![truth(first, span, cursor)?];
    while signs.iter().any(|sign| cursor.takes(Sign(sign))) {
        let span = cursor.peek().span;
        let next = operand(cursor)?;
        parts.push(truth(next, span, cursor)?);
        if parts.len() > MOST_OPERANDS {
            return Err(cursor.unexpected("fewer operands"));
        }
    }
    Ok(Value::Boolean(make(parts)))
}

fn truth(value: Value, span: Span, cursor: &Walk<'_>) -> Parsed<Condition> {
    match value {
        Value::Boolean(condition) => Ok(condition),
        Value::Integer(_) => Err(wrong(
            "a condition was expected, there is a number",
            span,
            cursor,
        )),
    }
}

fn comparison(cursor: &mut Walk<'_>, scope: &Scope<'_>) -> Parsed<Value> {
    let left = sum(cursor, scope)?;
    let span = cursor.peek().span;
    let signs = ["<=", ">=", "!=", "==", "<->", "<", ">", "="];
    let Some(sign) = signs.into_iter().find(|sign| cursor.takes(Sign(sign))) else {
        return Ok(left);
    };
    let right = sum(cursor, scope)?;
    let result = match (left, right) {
        (Value::Integer(a), Value::Integer(b)) => {
            let difference = small(a.minus(&b), span, cursor)?;
            match sign {
                "<=" => Condition::AtMostZero(difference),
                "<" => Condition::AtMostZero(difference.plus_constant(1)),
                ">=" => Condition::AtMostZero(difference.times(-1)),
                ">" => Condition::AtMostZero(difference.times(-1).plus_constant(1)),
                "!=" => Condition::Zero(difference).negated(),
                _ => Condition::Zero(difference),
            }
        }
        (Value::Boolean(a), Value::Boolean(b)) if ["=", "==", "!=", "<->"].contains(&sign) => {
            let same = Condition::Or(vec![
                Condition::And(vec![a.clone(), b.clone()]),
                Condition::And(vec![a.negated(), b.negated()]),
            ]);
            if sign == "!=" { same.negated() } else { same }
        }
        _ => return Err(wrong("the two sides do not compare", span, cursor)),
    };
    Ok(Value::Boolean(folded(result)))
}

/// A sum whose numbers did not grow too large to be followed: of others nothing is known.
fn small(sum: Linear, span: Span, cursor: &Walk<'_>) -> Parsed<Linear> {
    match sum.largest() <= MOST_FACTOR && !sum.is_lost() {
        true => Ok(sum),
        false => Err(wrong("these numbers become too large", span, cursor)),
    }
}

/// A comparison of numbers is a constant.
fn folded(condition: Condition) -> Condition {
    match condition.holds(&[], &[]) {
        Some(value) => Condition::Constant(value),
        None => condition,
    }
}

fn sum(cursor: &mut Walk<'_>, scope: &Scope<'_>) -> Parsed<Value> {
    let mut left = product(cursor, scope)?;
    for _ in 0..MOST_OPERANDS {
        let span = cursor.peek().span;
        let plus = cursor.takes(Sign("+"));
        if !plus && !cursor.takes(Sign("-")) {
            return Ok(left);
        }
        let right = product(cursor, scope)?;
        left = match (left, right) {
            (Value::Integer(a), Value::Integer(b)) => {
                let sum = if plus { a.plus(&b) } else { a.minus(&b) };
                Value::Integer(small(sum, span, cursor)?)
            }
            _ => return Err(wrong("numbers were expected on both sides", span, cursor)),
        };
    }
    Err(cursor.unexpected("fewer operands"))
}

fn product(cursor: &mut Walk<'_>, scope: &Scope<'_>) -> Parsed<Value> {
    let mut left = primary(cursor, scope)?;
    for _ in 0..MOST_OPERANDS {
        let span = cursor.peek().span;
        let mut signs = ["*", "/", "%"].into_iter();
        let Some(sign) = signs.find(|sign| cursor.takes(Sign(sign))) else {
            return Ok(left);
        };
        let right = primary(cursor, scope)?;
        let (Value::Integer(a), Value::Integer(b)) = (&left, &right) else {
            return Err(wrong("numbers were expected on both sides", span, cursor));
        };
        let result = match (sign, a.as_constant(), b.as_constant()) {
            ("*", Some(factor), _) => b.times(factor),
            ("*", _, Some(factor)) => a.times(factor),
            ("*", _, _) => {
                return Err(
                    wrong("a product of two variables is not linear", span, cursor)
                        .help("one side of `*` must be a number"),
                );
            }
            ("/", _, Some(by @ 1..)) => a.quotient(by),
            (_, _, Some(by @ 1..)) => a.remainder(by),
            _ => {
                let message = "division is by a number that is at least 1";
                return Err(wrong(message, span, cursor)
                    .help("quotients are rounded down, remainders are never negative"));
            }
        };
        left = Value::Integer(small(result, span, cursor)?);
    }
    Err(cursor.unexpected("fewer operands"))
}

fn primary(cursor: &mut Walk<'_>, scope: &Scope<'_>) -> Parsed<Value> {
    cursor.nested(|cursor| {
        let span = cursor.peek().span;
        match cursor.peek().kind {
            Sign("(") => {
                cursor.advance();
                let inner = sorted(cursor, scope)?;
                cursor.expect(Sign(")"))?;
                Ok(inner)
            }
            Sign("!") => {
                cursor.advance();
                let inner = primary(cursor, scope)?;
                Ok(Value::Boolean(truth(inner, span, cursor)?.negated()))
            }
            Sign("-") => {
                cursor.advance();
                match primary(cursor, scope)? {
                    Value::Integer(sum) => Ok(Value::Integer(sum.times(-1))),
                    Value::Boolean(_) => Err(wrong("a number was expected", span, cursor)),
                }
            }
            Number => Ok(Value::Integer(Linear::constant(whole(cursor)?))),
            Key("true") | Key("false") => {
                let value = cursor.advance().kind == Key("true");
                Ok(Value::Boolean(Condition::Constant(value)))
            }
            Name => {
                if let Some((parameter, value)) = &scope.constant
                    && cursor.text(span) == parameter
                {
                    cursor.advance();
                    return Ok(Value::Integer(Linear::constant(*value)));
                }
                Ok(match scope.variable(cursor)?.0 {
                    Sorted::Integer(at) => Value::Integer(Linear::variable(at)),
                    Sorted::Boolean(at) => Value::Boolean(Condition::Boolean(at)),
                })
            }
            _ => Err(cursor.unexpected("an expression")),
        }
    })
}

/// A temporal formula. From weak to strong: `->` and `<->`, `|`, `&`, `U` `W` `R`, prefixes.
pub(crate) fn formula(cursor: &mut Walk<'_>, scope: &Scope<'_>) -> Parsed<Ltl> {
    cursor.nested(|cursor| {
        let left = joined(cursor, scope, true)?;
        let boxed = |one: &Ltl| Box::new(one.clone());
        if cursor.takes(Sign("->")) {
            let right = formula(cursor, scope)?;
            return Ok(Ltl::Or(Box::new(Ltl::Not(Box::new(left))), Box::new(right)));
        }
        if cursor.takes(Sign("<->")) {
            let right = formula(cursor, scope)?;
            let both = Ltl::And(boxed(&left), boxed(&right));
            let neither = Ltl::And(
                Box::new(Ltl::Not(boxed(&left))),
                Box::new(Ltl::Not(boxed(&right))),
            );
            return Ok(Ltl::Or(Box::new(both), Box::new(neither)));
        }
        Ok(left)
    })
}

fn joined(cursor: &mut Walk<'_>, scope: &Scope<'_>, or: bool) -> Parsed<Ltl> {
    let signs = if or { ["||", "|"] } else { ["&&", "&"] };
    let operand = |cursor: &mut Walk<'_>| match or {
        true => joined(cursor, scope, false),
        false => until(cursor, scope),
    };
    let mut left = operand(cursor)?;
    for _ in 0..MOST_OPERANDS {
        if !signs.iter().any(|sign| cursor.takes(Sign(sign))) {
            return Ok(left);
        }
        let right = Box::new(operand(cursor)?);
        left = match or {
            true => Ltl::Or(Box::new(left), right),
            false => Ltl::And(Box::new(left), right),
        };
    }
    Err(cursor.unexpected("fewer operands"))
}

fn until(cursor: &mut Walk<'_>, scope: &Scope<'_>) -> Parsed<Ltl> {
    cursor.nested(|cursor| {
        let left = prefixed(cursor, scope)?;
        let word = match cursor.is(Name) {
            true => cursor.text(cursor.peek().span),
            false => "",
        };
        if !["U", "W", "R", "V"].contains(&word) {
            return Ok(left);
        }
        let word = word.to_owned();
        cursor.advance();
        let right = Box::new(until(cursor, scope)?);
        let left = Box::new(left);
        Ok(match word.as_str() {
            "U" => Ltl::Until(left, right),
            "W" => Ltl::Release(right.clone(), Box::new(Ltl::Or(left, right))),
            _ => Ltl::Release(left, right),
        })
    })
}

fn prefixed(cursor: &mut Walk<'_>, scope: &Scope<'_>) -> Parsed<Ltl> {
    cursor.nested(|cursor| {
        let token = cursor.peek();
        let text = cursor.text(token.span);
        let operator = match token.kind {
            Name if ["G", "F", "X"].contains(&text) => text,
            Sign("[]") => "G",
            Sign("<>") => "F",
            Sign("!") => "!",
            _ => return atom(cursor, scope),
        };
        cursor.advance();
        let inner = prefixed(cursor, scope)?;
        Ok(match operator {
            "G" => inner.globally(),
            "F" => inner.finally(),
            "X" => Ltl::Next(Box::new(inner)),
            _ => Ltl::Not(Box::new(inner)),
        })
    })
}

/// The process of `P at`, `P.1 at`, `P[1] at` or `P[1]@`; nothing is taken if none of them is here.
fn placed(cursor: &mut Walk<'_>) -> Parsed<Option<(String, Span)>> {
    let start = cursor.position();
    if !cursor.is(Name) {
        return Ok(None);
    }
    let (mut process, mut span) = name(cursor)?;
    if cursor.is(Sign("[")) && cursor.peek_at(1).kind == Number {
        cursor.advance();
        process = format!("{process}.{}", whole(cursor)?);
        span = span.to(cursor.peek().span);
        cursor.takes(Sign("]"));
    }
    if cursor.takes(Key("at")) || cursor.takes(Sign("@")) {
        return Ok(Some((process, span)));
    }
    cursor.rewind(start);
    Ok(None)
}

/// `P at label`, a comparison or Boolean, or a formula in parentheses.
fn atom(cursor: &mut Walk<'_>, scope: &Scope<'_>) -> Parsed<Ltl> {
    if let Some((process, span)) = placed(cursor)? {
        let names = || scope.program.processes.iter().map(|one| one.name.as_str());
        let Some(number) = names().position(|other| other == process) else {
            let message = format!("there is no process `{process}`");
            let mistake =
                Diagnostic::error("unknown-process", message).at(cursor.source(), span, "");
            return Err(mistake.did_you_mean(&process, names()));
        };
        let of = &scope.program.processes[number];
        let span = cursor.peek().span;
        let text = cursor.text(span).to_owned();
        let labelled = of
            .labels
            .iter()
            .find(|(label, _)| *label == text)
            .map(|(_, at)| *at);
        let numbered = text
            .parse()
            .ok()
            .filter(|at: &usize| (1..=of.locations).contains(at))
            .map(|at| at - 1);
        let Some(location) = labelled.or(numbered) else {
            let message = format!("`{process}` has no location `{text}`");
            let mistake =
                Diagnostic::error("unknown-location", message).at(cursor.source(), span, "");
            return Err(
                mistake.did_you_mean(&text, of.labels.iter().map(|(label, _)| label.as_str()))
            );
        };
        cursor.advance();
        return Ok(Ltl::Atom(Atom::At(number, location)));
    }
    let start = cursor.position();
    let compared = comparison(cursor, scope);
    if let Ok(Value::Boolean(condition)) = compared {
        return Ok(match condition {
            Condition::Constant(value) => Ltl::Constant(value),
            condition => Ltl::Atom(Atom::Condition(condition)),
        });
    }
    cursor.rewind(start);
    if cursor.takes(Sign("(")) {
        let inner = formula(cursor, scope)?;
        cursor.expect(Sign(")"))?;
        return Ok(inner);
    }
    match compared {
        Ok(_) => Err(wrong(
            "a condition was expected, this is a number",
            cursor.peek().span,
            cursor,
        )),
        Err(mistake) => Err(mistake),
    }
}
