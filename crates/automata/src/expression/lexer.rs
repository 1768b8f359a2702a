//! The signs and names of an expression.

use quotient_core::{Diagnostic, Source, Span};

/// One sign or name with its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind<'a>,
    pub(super) span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind<'a> {
    /// A name without quotes.
    Bare(&'a str),
    /// A name in quotes, without them.
    Quoted(String),
    /// One of [`SIGNS`].
    Sign(char),
    End,
}

/// The characters that mean something and cannot be in a name without quotes.
const SIGNS: &str = "[]^.~&|*+?{}(),";

/// Whether a name needs no quotes.
pub(super) fn is_bare(name: &str) -> bool {
    !name.is_empty() && name != "ε" && name.chars().all(is_bare_character)
}

fn is_bare_character(character: char) -> bool {
    !character.is_whitespace() && !SIGNS.contains(character) && !matches!(character, '"' | '\'')
}

/// All tokens, the last of them [`Kind::End`].
pub(super) fn tokens(source: &Source) -> Result<Vec<Token<'_>>, Diagnostic> {
    let text = source.text();
    let mut tokens = Vec::new();
    let mut rest = text.char_indices().peekable();
    while let Some((start, character)) = rest.next() {
        if character.is_whitespace() {
            continue;
        }
        let kind = if matches!(character, '"' | '\'') {
            Kind::Quoted(quoted(source, start, character, &mut rest)?)
        } else if SIGNS.contains(character) {
            Kind::Sign(character)
        } else {
            while rest.next_if(|&(_, c)| is_bare_character(c)).is_some() {}
            let end = rest.peek().map_or(text.len(), |&(at, _)| at);
            Kind::Bare(&text[start..end])
        };
        let end = rest.peek().map_or(text.len(), |&(at, _)| at);
        let span = Span::new(start, end);
        tokens.push(Token { kind, span });
    }
    tokens.push(Token {
        kind: Kind::End,
        span: Span::new(text.len(), text.len()),
    });
    Ok(tokens)
}

/// The name up to the closing quote; a backslash makes the next character part of it.
fn quoted<'a>(
    source: &'a Source,
    start: usize,
    quote: char,
    rest: &mut std::iter::Peekable<std::str::CharIndices<'a>>,
) -> Result<String, Diagnostic> {
    let mut name = String::new();
    while let Some((_, character)) = rest.next() {
        match character {
            '\\' => name.extend(rest.next().map(|(_, escaped)| escaped)),
            _ if character == quote => return Ok(name),
            _ => name.push(character),
        }
    }
    let span = Span::new(start, source.text().len());
    Err(
        Diagnostic::error("expression-syntax", "this quote is never closed")
            .at(source, span, format!("expected `{quote}` at the end"))
            .help(format!("write `\\{quote}` for a quote inside the name")),
    )
}
