//! Letters that are vectors of bits: formulas over named bits, and vectors with `x` for either.

use quotient_core::{Diagnostic, Source, Span};

use super::lines::{Word, end_of};
use crate::formats::bits::Token;
use crate::formats::draft::Names;

/// Formulas nested deeper than this are refused.
const DEEPEST: usize = 200;

/// A formula with `!`, `&`, `|` and parentheses, binding in this order, and the constants
/// `true` and `false`. A list and a stack instead of recursion: no depth of nesting can exhaust
/// the stack.
pub(super) fn formula(
    source: &Source,
    words: &[Word<'_>],
    names: &mut Names,
) -> Result<Vec<Token>, Diagnostic> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut waiting: Vec<(Operator, Span)> = Vec::new();
    let mut operand_next = true;
    for word in words {
        if waiting.len() > DEEPEST {
            return Err(
                Diagnostic::error("too-deep", "the formula is nested too deeply").at(
                    source,
                    word.span,
                    format!("more than {DEEPEST} open operators here"),
                ),
            );
        }
        match Operator::of(word) {
            Some(Operator::Open) if operand_next => waiting.push((Operator::Open, word.span)),
            Some(Operator::Not) if operand_next => waiting.push((Operator::Not, word.span)),
            Some(operator @ (Operator::And | Operator::Or)) if !operand_next => {
                apply(&mut tokens, &mut waiting, operator);
                waiting.push((operator, word.span));
                operand_next = true;
            }
            Some(Operator::Close) if !operand_next => {
                apply(&mut tokens, &mut waiting, Operator::Open);
                if waiting.pop().is_none() {
                    return Err(unbalanced(source, word.span, "`(`"));
                }
            }
            None if operand_next => {
                tokens.push(literal(word, names));
                operand_next = false;
            }
            _ => {
                let expected = match operand_next {
                    true => "a bit, `!` or `(`",
                    false => "`&`, `|` or `)`",
                };
                let message = format!("expected {expected}, found `{}`", word.text);
                return Err(Diagnostic::error("syntax", message).at(
                    source,
                    word.span,
                    format!("expected {expected}"),
                ));
            }
        }
    }
    if operand_next {
        return Err(
            Diagnostic::error("syntax", "the formula is not complete").at(
                source,
                end_of(words),
                "expected a bit, `!` or `(`",
            ),
        );
    }
    apply(&mut tokens, &mut waiting, Operator::Open);
    match waiting.pop() {
        None => Ok(tokens),
        Some((_, open)) => Err(unbalanced(source, open, "`)`")),
    }
}

fn literal(word: &Word<'_>, names: &mut Names) -> Token {
    match () {
        () if is_constant(word, "true") => Token::Constant(true),
        () if is_constant(word, "false") => Token::Constant(false),
        () => Token::Bit(names.intern(&word.text)),
    }
}

fn is_constant(word: &Word<'_>, constant: &str) -> bool {
    !word.quoted && word.text.strip_prefix('\\').unwrap_or(&word.text) == constant
}

/// In the order of how tightly they bind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Operator {
    Open,
    Or,
    And,
    Not,
    Close,
}

impl Operator {
    fn of(word: &Word<'_>) -> Option<Operator> {
        match word.text.as_ref() {
            _ if word.quoted => None,
            "(" => Some(Operator::Open),
            ")" => Some(Operator::Close),
            "!" => Some(Operator::Not),
            "&" => Some(Operator::And),
            "|" => Some(Operator::Or),
            _ => None,
        }
    }
}

/// Takes over the waiting operators that bind at least as tightly as the coming one.
fn apply(tokens: &mut Vec<Token>, waiting: &mut Vec<(Operator, Span)>, coming: Operator) {
    while let Some(&(operator, _)) = waiting.last() {
        if operator == Operator::Open || operator < coming {
            return;
        }
        waiting.pop();
        tokens.push(match operator {
            Operator::Not => Token::Not,
            Operator::And => Token::And,
            _ => Token::Or,
        });
    }
}

fn unbalanced(source: &Source, span: Span, missing: &str) -> Diagnostic {
    Diagnostic::error("syntax", format!("{missing} is missing")).at(
        source,
        span,
        "this parenthesis has no partner",
    )
}

/// The formula that a pattern of `0`, `1` and `x` stands for, over bits named by position.
pub(super) fn pattern(
    source: &Source,
    word: &Word<'_>,
    count: usize,
    names: &mut Names,
) -> Result<Vec<Token>, Diagnostic> {
    if word.text.chars().count() != count {
        let message = format!(
            "`{}` has {} bits, expected {count}",
            word.text,
            word.text.chars().count()
        );
        return Err(Diagnostic::error("bit-count", message)
            .at(source, word.span, "this vector")
            .note(format!("`%Symbol-Vars` says {count}")));
    }
    let mut tokens = vec![Token::Constant(true)];
    for (position, c) in word.text.chars().enumerate() {
        let mut bit = || Token::Bit(names.intern(&position.to_string()));
        match c {
            '1' => tokens.extend([bit(), Token::And]),
            '0' => tokens.extend([bit(), Token::Not, Token::And]),
            'x' | 'X' | '-' => {}
            _ => {
                return Err(
                    Diagnostic::error("syntax", format!("`{c}` is not a bit")).at(
                        source,
                        word.span,
                        "expected `0`, `1` or `x` for each bit",
                    ),
                );
            }
        }
    }
    Ok(tokens)
}
