//! Formulas, programs and expressions to trees.

use quotient_core::Span;
use quotient_language::text::Parsed;

use crate::read::{Walk, grade, label};
use crate::tree::{Expression, Formula, Program};
use crate::words::Word::{Key, Name, Number, Sign};

/// From weak to strong: `<->`, `->` (leaning right), `|`, `&`, prefixes.
pub(crate) fn formula(cursor: &mut Walk<'_>) -> Parsed<Formula> {
    cursor.nested(|cursor| {
        let left = implication(cursor)?;
        match cursor.takes(Sign("<->")) {
            true => Ok(Formula::Iff(Box::new(left), Box::new(formula(cursor)?))),
            false => Ok(left),
        }
    })
}

fn implication(cursor: &mut Walk<'_>) -> Parsed<Formula> {
    cursor.nested(|cursor| {
        let left = disjunction(cursor)?;
        match cursor.takes(Sign("->")) {
            true => Ok(Formula::Implies(
                Box::new(left),
                Box::new(implication(cursor)?),
            )),
            false => Ok(left),
        }
    })
}

fn disjunction(cursor: &mut Walk<'_>) -> Parsed<Formula> {
    let mut left = conjunction(cursor)?;
    for _ in 0..MOST_OPERANDS {
        if !cursor.takes(Sign("|")) {
            return Ok(left);
        }
        left = Formula::Or(Box::new(left), Box::new(conjunction(cursor)?));
    }
    Err(cursor.unexpected("fewer operands"))
}

fn conjunction(cursor: &mut Walk<'_>) -> Parsed<Formula> {
    let mut left = prefixed(cursor)?;
    for _ in 0..MOST_OPERANDS {
        if !cursor.takes(Sign("&")) {
            return Ok(left);
        }
        left = Formula::And(Box::new(left), Box::new(prefixed(cursor)?));
    }
    Err(cursor.unexpected("fewer operands"))
}

/// The longest row of operands: trees are walked by recursion.
const MOST_OPERANDS: usize = 500;

fn prefixed(cursor: &mut Walk<'_>) -> Parsed<Formula> {
    cursor.nested(|cursor| match cursor.peek().kind {
        Sign("!" | "~") => {
            cursor.advance();
            Ok(Formula::Not(Box::new(prefixed(cursor)?)))
        }
        Sign("<") => {
            cursor.advance();
            let program = choice(cursor)?;
            cursor.expect(Sign(">"))?;
            Ok(Formula::Diamond(program, Box::new(prefixed(cursor)?)))
        }
        Sign("[") => {
            cursor.advance();
            let program = choice(cursor)?;
            cursor.expect(Sign("]"))?;
            Ok(Formula::Box(program, Box::new(prefixed(cursor)?)))
        }
        Sign("(") => {
            cursor.advance();
            let inner = formula(cursor)?;
            cursor.expect(Sign(")"))?;
            Ok(inner)
        }
        Sign("{") => {
            cursor.advance();
            let start = cursor.position();
            if let Ok(degree) = grade(cursor)
                && cursor.takes(Sign("}"))
            {
                return Ok(Formula::Grade(degree));
            }
            cursor.rewind(start);
            let condition = expression(cursor)?;
            cursor.expect(Sign("}"))?;
            Ok(Formula::Condition(condition))
        }
        Key("true") => {
            cursor.advance();
            Ok(Formula::True)
        }
        Name => {
            let name = label(cursor)?;
            Ok(match name.text.as_str() {
                "false" => Formula::False,
                _ => Formula::Proposition(name),
            })
        }
        _ => Err(cursor.unexpected("a formula")),
    })
}

/// From weak to strong: `+`, `;`, `*`.
pub(crate) fn choice(cursor: &mut Walk<'_>) -> Parsed<Program> {
    cursor.nested(|cursor| {
        let mut left = sequence(cursor)?;
        for _ in 0..MOST_OPERANDS {
            if !cursor.takes(Sign("+")) {
                return Ok(left);
            }
            left = Program::Choice(Box::new(left), Box::new(sequence(cursor)?));
        }
        Err(cursor.unexpected("fewer operands"))
    })
}

fn sequence(cursor: &mut Walk<'_>) -> Parsed<Program> {
    let mut left = iterated(cursor)?;
    for _ in 0..MOST_OPERANDS {
        if !cursor.takes(Sign(";")) {
            return Ok(left);
        }
        left = Program::Then(Box::new(left), Box::new(iterated(cursor)?));
    }
    Err(cursor.unexpected("fewer operands"))
}

fn iterated(cursor: &mut Walk<'_>) -> Parsed<Program> {
    let mut program = match cursor.peek().kind {
        Sign("(") => {
            cursor.advance();
            let inner = choice(cursor)?;
            cursor.expect(Sign(")"))?;
            inner
        }
        Sign("?") => {
            cursor.advance();
            Program::Test(Box::new(prefixed(cursor)?))
        }
        Name | Number => {
            let name = label(cursor)?;
            match cursor.takes(Sign(":=")) {
                true => Program::Assign(name, sum(cursor)?),
                false => Program::Named(name),
            }
        }
        _ => return Err(cursor.unexpected("a program")),
    };
    for _ in 0..MOST_OPERANDS {
        if !cursor.takes(Sign("*")) {
            return Ok(program);
        }
        program = Program::Star(Box::new(program));
    }
    Err(cursor.unexpected("fewer stars"))
}

/// A condition or a sum over the variables. From weak to strong: `|`, `&`, `!`, comparisons, `+`
/// and `-`, `*` `/` `%`, signs.
pub(crate) fn expression(cursor: &mut Walk<'_>) -> Parsed<Expression> {
    cursor.nested(|cursor| row(cursor, &["|"], |cursor| row(cursor, &["&"], comparison)))
}

fn comparison(cursor: &mut Walk<'_>) -> Parsed<Expression> {
    if cursor.takes(Sign("!")) {
        return cursor.nested(|cursor| Ok(Expression::Not(Box::new(comparison(cursor)?))));
    }
    let left = sum(cursor)?;
    for sign in ["<=", ">=", "!=", "==", "<", ">", "="] {
        let at = cursor.peek().span;
        if cursor.takes(Sign(sign)) {
            let sign = if sign == "=" { "==" } else { sign };
            let right = sum(cursor)?;
            return Ok(Expression::Binary(
                sign,
                Box::new(left),
                Box::new(right),
                at,
            ));
        }
    }
    Ok(left)
}

fn sum(cursor: &mut Walk<'_>) -> Parsed<Expression> {
    row(cursor, &["+", "-"], |cursor| {
        row(cursor, &["*", "/", "%"], factor)
    })
}

fn factor(cursor: &mut Walk<'_>) -> Parsed<Expression> {
    cursor.nested(|cursor| match cursor.peek().kind {
        Sign("-") => {
            cursor.advance();
            Ok(Expression::Minus(Box::new(factor(cursor)?)))
        }
        Sign("(") => {
            cursor.advance();
            let inner = expression(cursor)?;
            cursor.expect(Sign(")"))?;
            Ok(inner)
        }
        Number => {
            let spot = label(cursor)?;
            match spot.text.parse() {
                Ok(number) => Ok(Expression::Number(number)),
                Err(_) => {
                    let message = "a whole number was expected";
                    let mistake = quotient_core::Diagnostic::error("number", message);
                    Err(mistake.at(cursor.source(), spot.span, ""))
                }
            }
        }
        Key("true") => {
            cursor.advance();
            Ok(Expression::Truth(true))
        }
        Name => {
            let name = label(cursor)?;
            Ok(match name.text.as_str() {
                "false" => Expression::Truth(false),
                _ => Expression::Variable(name),
            })
        }
        _ => Err(cursor.unexpected("an expression")),
    })
}

/// Operands joined by any of these signs, leaning left.
fn row(
    cursor: &mut Walk<'_>,
    signs: &[&'static str],
    operand: impl Fn(&mut Walk<'_>) -> Parsed<Expression>,
) -> Parsed<Expression> {
    let mut left = operand(cursor)?;
    for _ in 0..MOST_OPERANDS {
        let Some(sign) = signs.iter().find(|sign| cursor.is(Sign(sign))) else {
            return Ok(left);
        };
        let at: Span = cursor.advance().span;
        let right = operand(cursor)?;
        left = Expression::Binary(sign, Box::new(left), Box::new(right), at);
    }
    Err(cursor.unexpected("fewer operands"))
}
