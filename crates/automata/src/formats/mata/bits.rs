//! Letters that are vectors of bits: formulas over named bits, and vectors with `x` for either.

use fixedbitset::FixedBitSet;
use quotient_core::{Diagnostic, Source, Span};

use super::lines::{Word, end_of};
use crate::formats::Limits;
use crate::formats::cursor::undeclared;
use crate::formats::draft::Names;

/// Formulas nested deeper than this are refused: each level holds a set of letters.
const DEEPEST: usize = 200;

/// The named bits of a file; a letter is a choice for each, in the order of their names.
#[derive(Debug)]
pub(super) struct Bits {
    names: Vec<String>,
}

impl Bits {
    pub(super) fn new(
        mut names: Vec<String>,
        source: &Source,
        limits: &Limits,
    ) -> Result<Bits, Diagnostic> {
        names.sort_unstable();
        names.dedup();
        check_count(names.len(), source, limits)?;
        Ok(Bits { names })
    }

    fn letters(&self) -> usize {
        1 << self.names.len()
    }

    /// Adds the letters to a draft in the order of their numbers.
    pub(super) fn declare(&self, letters: &mut Names) -> Vec<u32> {
        (0..self.letters())
            .map(|vector| {
                let literals: Vec<String> = self
                    .names
                    .iter()
                    .enumerate()
                    .map(|(bit, name)| match vector >> bit & 1 == 1 {
                        true => name.clone(),
                        false => format!("!{name}"),
                    })
                    .collect();
                match literals.is_empty() {
                    true => letters.intern("true"),
                    false => letters.intern(&literals.join("&")),
                }
            })
            .collect()
    }

    /// The letters that satisfy a formula with `!`, `&`, `|` and parentheses, binding in this
    /// order. Two stacks instead of recursion: no depth of nesting can exhaust the stack.
    pub(super) fn formula(
        &self,
        source: &Source,
        words: &[Word<'_>],
    ) -> Result<FixedBitSet, Diagnostic> {
        let mut sets: Vec<FixedBitSet> = Vec::new();
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
                    apply(&mut sets, &mut waiting, operator);
                    waiting.push((operator, word.span));
                    operand_next = true;
                }
                Some(Operator::Close) if !operand_next => {
                    apply(&mut sets, &mut waiting, Operator::Open);
                    if waiting.pop().is_none() {
                        return Err(unbalanced(source, word.span, "`(`"));
                    }
                }
                None if operand_next => {
                    sets.push(self.literal(source, word)?);
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
        apply(&mut sets, &mut waiting, Operator::Open);
        match (waiting.pop(), sets.pop()) {
            (None, Some(set)) => Ok(set),
            (open, _) => Err(unbalanced(
                source,
                open.map_or(end_of(words), |(_, at)| at),
                "`)`",
            )),
        }
    }

    fn literal(&self, source: &Source, word: &Word<'_>) -> Result<FixedBitSet, Diagnostic> {
        let mut set = FixedBitSet::with_capacity(self.letters());
        match self
            .names
            .binary_search_by(|name| name.as_str().cmp(&word.text))
        {
            Ok(bit) => set.extend((0..self.letters()).filter(|vector| vector >> bit & 1 == 1)),
            Err(_) if is_constant(word, "true") => set.insert_range(..),
            Err(_) if is_constant(word, "false") => {}
            Err(_) => {
                let known = self.names.iter().map(String::as_str);
                return Err(undeclared(source, word.span, "letter", &word.text, known));
            }
        }
        Ok(set)
    }
}

/// Whether a word of a formula names a bit.
pub(super) fn is_bit(word: &Word<'_>) -> bool {
    Operator::of(word).is_none() && !is_constant(word, "true") && !is_constant(word, "false")
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

/// Applies the waiting operators that bind at least as tightly as the coming one.
fn apply(sets: &mut Vec<FixedBitSet>, waiting: &mut Vec<(Operator, Span)>, coming: Operator) {
    while let Some(&(operator, _)) = waiting.last() {
        if operator == Operator::Open || operator < coming {
            return;
        }
        waiting.pop();
        let Some(mut right) = sets.pop() else { return };
        match operator {
            Operator::Not => right.toggle_range(..),
            _ => {
                let Some(left) = sets.pop() else { return };
                match operator {
                    Operator::And => right.intersect_with(&left),
                    _ => right.union_with(&left),
                }
            }
        }
        sets.push(right);
    }
}

fn unbalanced(source: &Source, span: Span, missing: &str) -> Diagnostic {
    Diagnostic::error("syntax", format!("{missing} is missing")).at(
        source,
        span,
        "this parenthesis has no partner",
    )
}

/// The letters of vectors of so many bits.
pub(super) fn vectors(
    count: usize,
    source: &Source,
    limits: &Limits,
    letters: &mut Names,
) -> Result<Vec<u32>, Diagnostic> {
    check_count(count, source, limits)?;
    Ok((0..1usize << count)
        .map(|vector| letters.intern(&format!("{:0count$b}", vector, count = count)))
        .collect())
}

/// The vectors that a pattern of `0`, `1` and `x` stands for.
pub(super) fn pattern(
    source: &Source,
    word: &Word<'_>,
    count: usize,
) -> Result<Vec<usize>, Diagnostic> {
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
    let mut found = vec![0usize];
    for c in word.text.chars() {
        match c {
            '0' | '1' => {
                let bit = usize::from(c == '1');
                found
                    .iter_mut()
                    .for_each(|vector| *vector = *vector << 1 | bit);
            }
            'x' | 'X' | '-' => {
                found = found
                    .iter()
                    .flat_map(|vector| [vector << 1, vector << 1 | 1])
                    .collect();
            }
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
    Ok(found)
}

fn check_count(bits: usize, source: &Source, limits: &Limits) -> Result<(), Diagnostic> {
    let most = limits.letters.max(1).ilog2() as usize;
    if bits <= most {
        return Ok(());
    }
    let message = format!(
        "{bits} bits make 2^{bits} letters, the limit is {}",
        limits.letters
    );
    Err(Diagnostic::error("too-large", message)
        .in_source(source)
        .help(format!("use at most {most} bits, or raise the limit")))
}
