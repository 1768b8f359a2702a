//! Lines `ltl NAME: FORMULA` of the head: formulas have words of their own, up to the end of their line.

use quotient_core::{Source, Span};
use quotient_language::text::{Parsed, Token};
use quotient_logic::Formula;

use super::{Reader, Word};
use crate::linear::formula;
use crate::program::{Asked, Question};

/// Whether a word begins a line.
pub(super) fn begins_line(source: &Source, span: Span) -> bool {
    let before = &source.text()[..span.start];
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    before[line..].trim().is_empty()
}

/// What stands behind `ltl`: a name with a colon, if there is one, and the rest of the line.
pub(super) fn formula_tokens(source: &Source, from: usize) -> Vec<Token<Word>> {
    let text = source.text();
    let skip = |at: usize| text.len() - text[at..].trim_start_matches([' ', '\t', '\r']).len();
    let mut begin = skip(from);
    let mut tokens = Vec::new();
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let rest = &text[begin..];
    let end = begin + rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
    let colon = skip(end);
    if end > begin && text[colon..].starts_with(':') {
        let span = Span::new(begin, end);
        let kind = Word::Name;
        tokens.push(Token { kind, span });
        let span = Span::new(colon, colon + 1);
        let kind = Word::Sign(":");
        tokens.push(Token { kind, span });
        begin = skip(colon + 1);
    }
    let rest = &text[begin..];
    let end = rest.find(['\n', '#']).unwrap_or(rest.len());
    let end = begin + rest[..end].trim_end().len();
    if end > begin {
        let span = Span::new(begin, end);
        let kind = Word::Formula;
        tokens.push(Token { kind, span });
    }
    tokens
}

impl Reader<'_> {
    /// `ltl NAME: FORMULA`; what the formula says is read when all variables are known.
    pub(super) fn runs(&mut self) -> Parsed<()> {
        let start = self.cursor.advance().span.start;
        let name = match self.cursor.peek().kind {
            Word::Name => {
                let span = self.cursor.advance().span;
                self.expect(":")?;
                Some(self.cursor.text(span).to_owned())
            }
            _ => None,
        };
        let span = self.cursor.expect(Word::Formula)?;
        let text = self.cursor.text(span).to_owned();
        let whole = self.cursor.span_from(start);
        let name = name.unwrap_or(text);
        if self.program.questions.iter().any(|one| one.name == name) {
            let message = format!("`{name}` is checked twice");
            return Err(self.wrong("same-name", message, whole));
        }
        self.formulas.push((self.program.questions.len(), span));
        self.program.questions.push(Asked {
            name,
            question: Question::Runs(Formula::constant(true)),
            span: Some(whole),
        });
        Ok(())
    }

    /// Reads the formulas.
    pub(super) fn read_formulas(&mut self) {
        for (number, span) in std::mem::take(&mut self.formulas) {
            match formula::read(&self.program, self.cursor.source(), span) {
                Ok(formula) => self.program.questions[number].question = Question::Runs(formula),
                Err(mistake) => self.cursor.mistake(mistake),
            }
        }
    }
}
