//! Texts to programs.

mod declaration;
mod expression;
mod statement;
mod words;

use quotient_core::{Diagnostic, Source, Span};
use quotient_language::text::{Cursor, Parsed};

use crate::syntax::{File, Name};
use words::Word;

/// Reads a file. All mistakes are told at once.
pub(crate) fn parse(source: &Source) -> Result<File, Vec<Diagnostic>> {
    let (words, mut mistakes) = words::words(source);
    let mut parser = Parser {
        cursor: Cursor::new(source, words),
        open: Vec::new(),
    };
    let mut file = File::default();
    while !parser.cursor.is_at_end() && !parser.cursor.is_hopeless() {
        let start = parser.cursor.position();
        match parser.module() {
            Ok(module) => file.modules.push(module),
            Err(mistake) => {
                parser.cursor.mistake(mistake);
                let module = Word::Keyword("module");
                parser.cursor.recover(start, |word| word == module);
                // `end module` is the end of what could not be read.
                while parser.cursor.is(module) && parser.follows_end() {
                    parser.cursor.advance();
                    let here = parser.cursor.position();
                    if !parser.cursor.is(module) && !parser.cursor.is_at_end() {
                        parser.cursor.recover(here, |word| word == module);
                    }
                }
            }
        }
    }
    if file.modules.is_empty() && mistakes.is_empty() {
        let nothing = parser.cursor.unexpected("`module`");
        parser.cursor.mistake(nothing);
    }
    match parser.cursor.finish(file) {
        Ok(file) if mistakes.is_empty() => Ok(file),
        Ok(_) => Err(mistakes),
        Err(others) => {
            mistakes.extend(others);
            Err(mistakes)
        }
    }
}

/// Reads a condition on signals that stands alone.
pub(crate) fn parse_event(source: &Source) -> Result<crate::syntax::Event, Vec<Diagnostic>> {
    let (words, mistakes) = words::words(source);
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let mut parser = Parser {
        cursor: Cursor::new(source, words),
        open: Vec::new(),
    };
    let event = parser.event().map_err(|mistake| vec![mistake])?;
    match parser.cursor.is_at_end() {
        true => Ok(event),
        false => Err(vec![parser.cursor.unexpected("the end of the condition")]),
    }
}

struct Parser<'a> {
    cursor: Cursor<'a, Word>,
    /// The words of statements with cases that are still to be ended.
    open: Vec<&'static str>,
}

impl Parser<'_> {
    fn keyword(&mut self, word: &'static str) -> bool {
        self.cursor.takes(Word::Keyword(word))
    }

    fn sign(&mut self, sign: &'static str) -> bool {
        self.cursor.takes(Word::Sign(sign))
    }

    fn is_keyword(&self, word: &'static str) -> bool {
        self.cursor.is(Word::Keyword(word))
    }

    fn is_sign(&self, sign: &'static str) -> bool {
        self.cursor.is(Word::Sign(sign))
    }

    fn expect_keyword(&mut self, word: &'static str) -> Parsed<Span> {
        self.cursor.expect(Word::Keyword(word))
    }

    fn expect_sign(&mut self, sign: &'static str) -> Parsed<Span> {
        self.cursor.expect(Word::Sign(sign))
    }

    fn name(&mut self) -> Parsed<Name> {
        let span = self.cursor.expect(Word::Name)?;
        Ok(Name {
            text: self.cursor.text(span).to_owned(),
            span,
        })
    }

    fn start(&self) -> usize {
        self.cursor.peek().span.start
    }

    /// Whether the word before the one at hand is `end`.
    fn follows_end(&mut self) -> bool {
        let text = self.cursor.source().text();
        let before = &text[..self.start().min(text.len())];
        before.trim_end().ends_with("end")
    }

    /// Something, then commas and more of it.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut all = vec![item(self)?];
        while self.sign(",") {
            all.push(item(self)?);
        }
        Ok(all)
    }

    /// `end`, and the word that it ends if it is repeated.
    fn end(&mut self, word: &'static str) -> Parsed<()> {
        self.expect_keyword("end")?;
        if word == "abort" {
            self.keyword("weak");
        }
        self.keyword(word);
        Ok(())
    }
}
