//! The tokens of Prolog that such files use.

use quotient_core::{Diagnostic, Span};

use crate::formats::cursor::Cursor;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A name, number, variable, quoted atom or operator, without its quotes.
    Atom(String),
    /// One of `( ) [ ] , |` and the end of a term.
    Mark(char),
    /// The slash between input and output; also the letter `/`.
    Slash,
}

/// Reads one token at a time, skipping blanks and both kinds of comments.
#[derive(Clone)]
pub(super) struct Tokens<'a> {
    pub(super) cursor: Cursor<'a>,
    /// The token that comes next, and where it stands.
    next: Option<(Token, Span)>,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(cursor: Cursor<'a>) -> Result<Tokens<'a>, Diagnostic> {
        let mut tokens = Tokens { cursor, next: None };
        tokens.advance()?;
        Ok(tokens)
    }

    pub(super) fn peek(&self) -> Option<&Token> {
        self.next.as_ref().map(|(token, _)| token)
    }

    /// Where the next token stands.
    pub(super) fn span(&self) -> Span {
        let end = self.cursor.at();
        self.next
            .as_ref()
            .map_or(Span::new(end, end), |(_, span)| *span)
    }

    pub(super) fn take(&mut self) -> Result<Option<(Token, Span)>, Diagnostic> {
        let token = self.next.take();
        self.advance()?;
        Ok(token)
    }

    pub(super) fn eat(&mut self, mark: char) -> Result<bool, Diagnostic> {
        let found = self.peek() == Some(&Token::Mark(mark));
        if found {
            self.take()?;
        }
        Ok(found)
    }

    pub(super) fn mark(&mut self, mark: char) -> Result<(), Diagnostic> {
        match self.eat(mark)? {
            true => Ok(()),
            false => Err(self.expected(&format!("`{mark}`"))),
        }
    }

    pub(super) fn expected(&self, what: &str) -> Diagnostic {
        let mut cursor = self.cursor.clone();
        cursor.go_to(self.span().start);
        cursor.expected(what)
    }

    fn advance(&mut self) -> Result<(), Diagnostic> {
        self.skip()?;
        let start = self.cursor.at();
        let Some(first) = self.cursor.peek() else {
            self.next = None;
            return Ok(());
        };
        let token = match first {
            '(' | ')' | '[' | ']' | ',' | '{' | '}' => {
                self.cursor.bump();
                Token::Mark(first)
            }
            '/' => {
                self.cursor.bump();
                Token::Slash
            }
            '\'' => {
                self.cursor.bump();
                Token::Atom(quoted_atom(&mut self.cursor)?)
            }
            '.' if self.ends_term() => {
                self.cursor.bump();
                Token::Mark('.')
            }
            c if is_symbol(c) => Token::Atom(self.cursor.take_while(is_symbol).to_owned()),
            c if is_word(c) => Token::Atom(self.cursor.take_while(is_word).to_owned()),
            c => {
                // Letters such as `|`, `!` or `;` stand alone.
                self.cursor.bump();
                Token::Atom(c.to_string())
            }
        };
        self.next = Some((token, self.cursor.since(start)));
        Ok(())
    }

    /// A full stop ends a term if a blank, a comment or nothing follows.
    fn ends_term(&self) -> bool {
        self.cursor.rest()[1..]
            .chars()
            .next()
            .is_none_or(|c| c.is_whitespace() || c == '%')
    }

    fn skip(&mut self) -> Result<(), Diagnostic> {
        loop {
            self.cursor.skip_blanks();
            let start = self.cursor.at();
            if self.cursor.peek() == Some('%') {
                self.cursor.skip_line();
            } else if self.cursor.eat("/*") {
                let Some(length) = self.cursor.rest().find("*/") else {
                    return Err(Diagnostic::error("syntax", "a comment has no end")
                        .at(
                            self.cursor.source,
                            Span::new(start, start + 2),
                            "it begins here",
                        )
                        .help("close it with `*/`"));
                };
                self.cursor.go_to(self.cursor.at() + length + 2);
            } else {
                return Ok(());
            }
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The characters that join to operators; the slash always stands alone here.
fn is_symbol(c: char) -> bool {
    "+-*\\^<>=~:.?@#&$".contains(c)
}

/// The contents of a quoted atom; a quote inside is doubled or escaped.
fn quoted_atom(cursor: &mut Cursor<'_>) -> Result<String, Diagnostic> {
    let mut name = crate::formats::cursor::quoted(cursor, '\'')?;
    while cursor.eat("'") {
        name.push('\'');
        name.push_str(&crate::formats::cursor::quoted(cursor, '\'')?);
    }
    Ok(name)
}
