//! Words to tree: conditions on configurations, properties and imports.

use quotient_core::Span;

use super::lexer::Token;
use super::parser::{Parsed, Parser};
use super::tree::*;

impl Parser<'_> {
    /// What is true, a regular expression over letters, or an automaton from a file.
    pub(super) fn condition(&mut self) -> Parsed<Condition> {
        if self.peek_word("word") && matches!(self.peek_ahead(), Token::Text(_)) {
            self.next();
            if let (Token::Text(text), span) = self.next() {
                return Ok(Condition::Word(text, span));
            }
        }
        if let Some((path, span)) = self.import()? {
            return Ok(Condition::Import(path, span));
        }
        Ok(Condition::Holds(self.expression()?))
    }

    /// `NAME: always E` or `NAME: never E`: what is said to help with the properties.
    pub(super) fn lemma(&mut self) -> Parsed<Property> {
        let property = self.property()?;
        match property.demand {
            Demand::Never(_) | Demand::Always(_) => Ok(Property {
                lemma: true,
                ..property
            }),
            _ => Err(self
                .error(
                    "not-a-lemma",
                    "a lemma says what is always or never true",
                    property.span,
                )
                .help("write `lemma NAME: always …`, or ask it as a `property`")),
        }
    }

    /// `NAME: never E`, `always E`, `no deadlock` or `for each p: E leads to E`.
    pub(super) fn property(&mut self) -> Parsed<Property> {
        let name = self.name("the name of the property")?;
        self.expect(":")?;
        let start = self.peek_span();
        let demand = if self.takes_word("never") {
            Demand::Never(self.condition()?)
        } else if self.takes_word("always") {
            self.no_eventually()?;
            Demand::Always(self.expression()?)
        } else if self.takes_word("no") {
            self.expect_word("deadlock")?;
            Demand::NoDeadlock
        } else if self.takes_word("for") {
            self.expect_word("each")?;
            let name = self.name("a name for the process")?;
            self.expect(":")?;
            let from = self.expression()?;
            self.expect_word("leads")?;
            self.expect_word("to")?;
            Demand::LeadsTo {
                name,
                from,
                to: self.expression()?,
            }
        } else {
            let (token, span) = self.next();
            return Err(self
                .unexpected(
                    &token,
                    span,
                    "`never`, `always`, `no deadlock` or `for each`",
                )
                .help("what must happen is written `for each p: A leads to B`"));
        };
        let span = start.to(self.last_span());
        Ok(Property {
            name,
            span,
            demand,
            lemma: false,
        })
    }

    /// What must happen is asked otherwise.
    fn no_eventually(&self) -> Parsed<()> {
        let words = ["eventually", "finally", "sometimes"];
        let is_it = words.iter().any(|word| self.peek_word(word));
        if !is_it || matches!(self.peek_ahead(), Token::Mark(_)) {
            return Ok(());
        }
        let (token, span) = (self.peek().clone(), self.peek_span());
        Err(self
            .unexpected(&token, span, "a condition on configurations")
            .help("what must happen is written `for each p: A leads to B`"))
    }

    /// `import "file"`, if it stands here.
    pub(super) fn import(&mut self) -> Parsed<Option<(String, Span)>> {
        if !self.peek_word("import") || matches!(self.peek_ahead(), Token::Mark(_)) {
            return Ok(None);
        }
        self.next();
        match self.next() {
            (Token::Text(path), span) => Ok(Some((path, span))),
            (token, span) => Err(self.unexpected(&token, span, "the name of a file in quotes")),
        }
    }
}
