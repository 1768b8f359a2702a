//! Regular expressions over letters, and over the contents of channels.

use quotient_automata::{Alphabet, Expression, Letter, Nfa};
use quotient_core::{Diagnostic, Source, Span, Trouble};

use super::conditions::{Compiled, Conditions};
use super::imports;
use super::letters::Part;
use crate::model::Import;

/// The languages of regular expressions, by text and place.
pub(crate) type Expressions = Vec<((String, Span), Nfa)>;

impl Conditions<'_> {
    /// A regular expression over the letters of the protocol.
    pub(super) fn word(&mut self, text: &str, span: Span) -> Compiled {
        let letters = self.source_letters.unwrap_or(self.tracks.letters);
        let language = self.parse(text, span, letters.alphabet())?;
        self.over_letters(text, span, language)
    }

    /// An automaton over the letters of the protocol, from a file.
    pub(super) fn imported(&mut self, import: &Import) -> Compiled {
        let letters = self.source_letters.unwrap_or(self.tracks.letters);
        let budget = self.tracks.budget;
        let language = imports::automaton(self.protocol, import, letters.alphabet(), budget)?;
        self.over_letters(&import.path, import.span, language)
    }

    fn over_letters(&mut self, text: &str, span: Span, language: Nfa) -> Compiled {
        let canonical = match self.source_letters {
            None => language.canonical(self.tracks.budget)?,
            Some(source) => {
                let whole = self.tracks.letters.over(source, &language, self.protocol);
                whole.canonical(self.tracks.budget)?
            }
        };
        self.words.push(((text.to_owned(), span), language));
        Ok(canonical)
    }

    /// The contents of a channel, as values, match a regular expression.
    pub(super) fn matches(
        &mut self,
        channel: usize,
        text: &str,
        span: Span,
        depth: usize,
    ) -> Compiled {
        let protocol = self.protocol;
        let domain = &protocol.channels[channel].domain;
        let values = domain.values();
        let names = values.iter().map(|&value| protocol.show(domain, value));
        let alphabet = Alphabet::new(names).map_err(|error| {
            Diagnostic::error("ambiguous-letters", error.to_string()).at(&protocol.source, span, "")
        })?;
        let expression = self.parse(text, span, &alphabet)?;
        let language = expression.canonical(self.tracks.budget)?;
        self.contents.push(((text.to_owned(), span), expression));
        Ok(self.tracks.machine(
            depth,
            language.initial(),
            |part, _| match part {
                Part::Content(known, value) if *known == channel => {
                    values.iter().position(|known| known == value)
                }
                _ => None,
            },
            |&state, content| match content {
                None => Some(state),
                Some(value) => language.step(state, Letter(*value as u32)),
            },
            |&state| language.is_accepting(state),
        )?)
    }

    /// The two kinds of expressions met so far.
    pub(super) fn into_expressions(self) -> (Expressions, Expressions) {
        (self.words, self.contents)
    }

    /// Errors point into the protocol, behind the quote that begins the expression.
    fn parse(&self, text: &str, span: Span, alphabet: &Alphabet) -> Result<Nfa, Trouble> {
        let source = Source::new(self.protocol.source.name(), text);
        let parsed = Expression::parse(&source, alphabet).map_err(|mut diagnostic| {
            for label in &mut diagnostic.labels {
                let start = span.start + 1;
                label.span = Span::new(start + label.span.start, start + label.span.end);
            }
            diagnostic.source = Some(self.protocol.source.clone());
            diagnostic
                .note("letters are the values that can come about; `quotient show` lists them")
        })?;
        Ok(parsed.to_nfa(self.tracks.budget)?)
    }
}
